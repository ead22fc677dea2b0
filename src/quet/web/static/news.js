// The table tells news as they happen, and its clocks tick. quet.js, which comes before it, fetches the table.

const { find, all, refresh, isSending, shown } = globalThis.quet;
const table = () => find("#table");

// The server sends news of the game as it happens. A lost connection continues where it broke.

const STEP = 1_000; // milliseconds to wait after a first failure
let wait = STEP;
let source = null;
let nextTry; // a timer

function listen() {
  source = new EventSource(`${table().dataset.events}?ply=${table().dataset.ply}`);
  source.addEventListener("open", () => {
    wait = STEP;
    if (!find("#connection").hidden) update(Infinity); // show what was missed
    find("#connection").hidden = true;
  });
  source.addEventListener("change", (event) => {
    const news = JSON.parse(event.data);
    words = news.words;
    update(news.kind === "seats" ? Infinity : news.ply);
  });
  source.addEventListener("error", () => {
    find("#connection").hidden = false;
    if (source?.readyState === EventSource.CLOSED) {
      nextTry = setTimeout(listen, wait);
      wait = Math.min(2 * wait, 30_000);
    }
  });
}

function stopListening() {
  clearTimeout(nextTry);
  source?.close();
  source = null;
}

// A browser opens six connections to a site at most, and a stream holds one. So of the tabs that nobody sees only the one
// that was left last keeps its stream. The others look now and then, so that their titles say whose turn it is.

const LOOK = 60_000; // milliseconds; browsers let hidden tabs do no more
let onSeen = () => {};

async function onVisibility() {
  onSeen();
  if (!document.hidden && !source) {
    listen();
    update(Infinity);
  } else if (document.hidden && source) {
    const seen = new Promise((done) => { onSeen = done; });
    const held = navigator.locks?.request("quet-hidden-stream", { steal: true }, () => seen); // over http there is none
    const isKept = await held?.then(() => true, () => false); // if not, another tab was left later
    if (document.hidden && !isKept) stopListening();
  }
}

function look() {
  if (document.hidden && !source && find("#connection").hidden) update(Infinity);
}

let newest = 0; // how many rows the unread news speak of
let words = ""; // what happened last, for a screen reader
let isUpdating = false;

async function update(ply) {
  newest = Math.max(newest, ply);
  if (isUpdating) return;
  isUpdating = true;
  // Several news at once need one fetch only. The answer to one's own move shows it already.
  await new Promise((done) => setTimeout(done, isSending() ? 200 : 50));
  await shown();
  isUpdating = false;
  const isNews = newest > Number(table().dataset.ply);
  newest = 0;
  const square = find("#ask")?.dataset.square;
  const at = find("#table [data-stays-at]")?.dataset.staysAt;
  try {
    if (isNews) await refresh(square ? `?square=${encodeURIComponent(square)}` : at ? `?at=${at}` : "");
    if (isNews && (!source || source.readyState === EventSource.OPEN)) find("#connection").hidden = true;
  } catch {
    find("#connection").hidden = false;
    setTimeout(update, 5 * STEP, Infinity);
  }
  if (words) find("#announcements").textContent = `${words} ${find(".turn.is-mine")?.textContent ?? ""}`.trim();
  words = "";
}

// Clocks count down from the time that the server wrote into the page.

let shownAt = performance.now();

function clockText(seconds) {
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  if (seconds >= 86_400) return null; // the server says days in words
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (seconds >= 10) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  return `0:0${(Math.floor(10 * seconds) / 10).toFixed(1)}`;
}

function showClocks() {
  for (const clock of all("[data-left]")) {
    const isRunning = clock.classList.contains("is-running");
    const left = Math.max(0, clock.dataset.left - (isRunning ? (performance.now() - shownAt) / 1_000 : 0));
    clock.textContent = clockText(left) ?? clock.textContent;
    clock.classList.toggle("is-low", left < 20);
    if (isRunning && left === 0 && !clock.dataset.isOver) {
      clock.dataset.isOver = "yes";
      setTimeout(update, STEP, Infinity); // the server decides whether the time has run out
    }
  }
}

function onTable() {
  shownAt = performance.now();
  showClocks();
}

onTable();
document.addEventListener("quet:table", onTable);
if (find("[data-left]")) setInterval(showClocks, 100);
if (!document.hidden) listen();
document.addEventListener("visibilitychange", onVisibility);
addEventListener("pagehide", stopListening); // before it hides, so that a page that is left takes no other's stream
setInterval(look, LOOK);
