// Some lists change from time to time: the lobby, a race, one's own games. quet.js comes before this.

const { all, released, inTime } = globalThis.quet;

async function poll(id, usual, seconds = usual) {
  await new Promise((done) => setTimeout(done, 1_000 * seconds));
  const old = document.getElementById(id);
  if (!old?.dataset.poll) return; // nothing more is expected
  if (!document.hidden && !old.contains(document.activeElement)) {
    try {
      const answer = await fetch(location.href, { signal: inTime() });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById(id);
      await released();
      if (answer.ok && !fresh) old.replaceChildren(); // the last of what it listed is gone; more may come
      else if (answer.ok && fresh.innerHTML !== old.innerHTML) old.replaceWith(fresh);
      seconds = usual;
    } catch {
      seconds = Math.min(2 * seconds, 120); // the server is out of reach; ask less often
    }
  }
  poll(id, usual, seconds);
}

for (const element of all("[data-poll]")) poll(element.id, Number(element.dataset.poll));
