// The study board steps without loading a page: the form's answer replaces the old part, and the address is its link.
// It works without this script too, and uses parts of quet.js.

const { find, all, cellOf, place, squareOf, prepare, released, inTime, sameAs, takesSigns } = globalThis.quet;

let fetches = 0; // only the answer to the last one is shown
let waiting = 0; // the timer of the next look
let lost = null; // what the whole study has beside the address, until the server has given it back

async function study(form, more = {}) {
  clearTimeout(waiting); // to look again would undo this step
  const body = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  if (more.again) body.delete("comment"); // it may not be whole
  const isPost = isPosted(form, body);
  const number = ++fetches, chosen = lists();
  const sent = isPost ? { method: "POST", body } : {};
  const answer = await fetch(isPost ? form.action : `${form.action}?${body}`, { ...sent, signal: inTime() });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  await released();
  const old = find("#study"), next = page.getElementById("study");
  if (number !== fetches) return;
  if (!next && more.again) return void (waiting = setTimeout(waitForStudy, 10_000)); // nobody asked for this look
  if (!next) return void (answer.ok ? submitWhole(form, more) : tellError(page));
  if (more.again && isWriting()) return void waitForStudy(); // nothing is replaced under a hand that writes
  const focused = document.activeElement;
  const square = squareOf(focused) ?? focused.closest("#ask")?.dataset.square;
  const isOpen = all("details[id][open]", old).map((details) => details.id);
  const again = old.contains(focused) && sameAs(focused, next);
  const { key } = focused.dataset;
  if (more.again) keepAll(old, next);
  else keepWritten(form, body, chosen, next);
  old.replaceWith(next);
  for (const id of isOpen) document.getElementById(id)?.setAttribute("open", "");
  lost = null;
  remember();
  prepare(square);
  globalThis.quet.zoom?.renew(!more.again); // a look that comes back is no news of the board
  const board = find(".board", next);
  const asked = find("#ask input:not([type=hidden])", next) ?? find("#ask button", next);
  if (asked) asked.focus();
  else if (square && cellOf(board, square)) place(cellOf(board, square)).focus({ preventScroll: true });
  else if (key) (find(`[data-key=${key}]`, next) ?? find("[data-key]", next))?.focus({ preventScroll: true });
  else if (again) again.focus({ preventScroll: true });
  waitForStudy();
}

// The address has the study. What is too long for one is kept beside it, in the history of the browser.
function remember() {
  const { link } = find("#study").dataset, isWhole = !lost && find("form[data-study]").method === "get";
  history.replaceState(isWhole ? null : Object.fromEntries(new FormData(find("#study-take"))), "", link);
}

// A link within the page, and the way back from there, lead to another entry of the history, but to no other study. The
// browser finds the place of the link first, by the address.
addEventListener("popstate", () => setTimeout(() => find("#study-take") && remember()));

// Who comes back to such an address gets all of the study again. Until then whatever is sent has all of it, for the
// server may refuse the first time.
function comeBack() {
  const { comment, ...others } = history.state;
  find("#comment").value = comment;
  lost = { ...others, csrf: find("[name=csrf]").value };
  act(null);
}

// A long comment is too long for an address. The button that keeps it has what a posted form needs.
const LONGEST_ADDRESS = 7_000; // characters; proxies take 8,000

function isPosted(form, body) {
  const csrf = find("[name=csrf]", form);
  if (form.method !== "post" && !(csrf && (body.has("csrf") || `${body}`.length > LONGEST_ADDRESS))) return false;
  body.set("csrf", csrf.value);
  return true;
}

// The page that a browser without this script gets. The button that was pressed goes with it: of each name the server
// takes the first.
function submitWhole(form, fields) {
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.prepend(field);
  }
  if (fields.csrf || lost) form.method = "post";
  form.submit();
}

// Where the answer has no board, the one that is there stays, with what was typed, and the answer's sentence stands below it.
function tellError(page) {
  const line = find("#message") ?? document.createElement("p");
  Object.assign(line, { id: "message", className: "message is-error", role: "alert" });
  find("#board").after(line);
  line.textContent = (find("[role=alert]", page) ?? find(".lead", page))?.textContent ?? page.title;
}

// A record, and a game that is played on, have the comment too, which stands in the form of the board.
document.addEventListener("formdata", ({ target, formData }) => {
  const comment = find("#comment");
  if (comment && target.matches("#study-take, #study-play")) {
    formData.set("comment", comment.value);
    formData.set("from", find("form[data-study] [name=from]").value);
  }
  for (const [name, value] of Object.entries(lost ?? {})) formData.set(name, value);
});

// What was written or chosen since the form was sent stays.
function keepWritten(form, sent, chosen, page) {
  const now = new FormData(form);
  for (const field of all("input:is([type=text], [type=number], [type=radio]), textarea", page)) {
    const value = now.get(field.name);
    if (value === null || value === sent.get(field.name)) continue;
    if (field.type === "radio") field.checked = field.value === value;
    else field.value = value;
  }
  for (const [id, value] of lists()) {
    const again = find(`#${id}`, page);
    if (again && value !== chosen.get(id)) again.value = value;
  }
}

const lists = () => new Map(all("#study select[id]").map(({ id, value }) => [id, value]));

// A look that nobody asked for is about the same position, so all stays as it was left.
function keepAll(old, next) {
  for (const field of all(":is(input, select, textarea)[id]", old)) {
    const again = find(`#${field.id}`, next);
    if (again && !again.readOnly) again.value = field.value;
  }
}

const isWriting = () => document.activeElement.matches("#study :is(input, select, textarea)");

function waitForStudy() {
  clearTimeout(waiting);
  const part = find("#study[data-waits]");
  if (!part) return;
  waiting = setTimeout(() => {
    if (document.hidden || isWriting() || find("#study #ask")) return void waitForStudy();
    study(find("form[data-study]"), { again: "1" }).catch(waitForStudy);
  }, 1_000);
}

document.addEventListener("submit", (event) => {
  const isLeaving = event.submitter?.matches("[data-leaves]");
  if (!event.target.matches("form[data-study]") || (isLeaving && !numWaiting)) return;
  event.preventDefault();
  if (isLeaving) acting.then(() => (event.submitter.isConnected ? event.submitter : find("[data-study] [data-leaves]"))?.click());
  else act(event.submitter);
});

// Each click counts, however fast they come: one waits for the answer to the one before. Nobody leaves before the last
// one is answered. A button with a key, such as the next move, is then the one of the position that came meanwhile.
let acting = Promise.resolve(), numWaiting = 0;

function act(button, more = {}) {
  const { name, value, dataset } = button ?? {};
  const isThere = () => find("form[data-study]");
  const fields = { ...(name && { [name]: value }), ...(name === "square" && clickedWith(isThere())), ...more };
  const again = () => find(`form[data-study] [data-key=${dataset.key}]:enabled`);
  const isOfLine = name === "at" || value === "cut";
  numWaiting += 1;
  acting = acting
    .then(async () => {
      if (lost && isOfLine) { // the whole study has other places, and more to take away
        await study(isThere());
        if (lost || !dataset.key) return null;
      }
      if (dataset?.key) return again() && study(isThere(), { [name]: again().value });
      return isThere() && study(isThere(), fields);
    })
    .catch(() => isThere() && submitWhole(isThere(), fields))
    .finally(() => { numWaiting -= 1; });
}

// How a square is clicked and which number it takes is as it was at the click, also where that is sent later.
function clickedWith(form) {
  const write = find("#write", form);
  const fields = Object.fromEntries([...new FormData(form)].filter(([name]) => name === "way" || name === "write"));
  if (write) write.value = "";
  return fields;
}

// Where fingers play, a square too small for them is enlarged first.
document.addEventListener("click", (event) => {
  const cell = event.target.closest?.("[data-study] .board .cell");
  if (!cell || !globalThis.quet.zoom?.tap(event, cell)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.matches("input, select, textarea");
  if (event.defaultPrevented || isTyping || event.ctrlKey || event.altKey || event.metaKey || !find("form[data-study]")) return;
  const takesLetters = takesSigns(event.target) || event.target.closest(".stepper, .tree");
  const key = (takesLetters && { p: "ArrowLeft", n: "ArrowRight" }[event.key]) || event.key;
  const button = /^(ArrowLeft|ArrowRight|Home|End)$/.test(key) && find(`form[data-study] [data-key=${key}]`);
  if (button) {
    event.preventDefault();
    if (!event.repeat || !numWaiting) button.click(); // whoever holds the key down sees where that leads
  }
});

// Where a position is set up, a character typed on a square is what is to stand there; digits of a number wait for Enter.
document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.("[data-set-up] .board .cell");
  if (!cell || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
  const form = cell.closest("form"), number = find("#write", form), { key } = event;
  const set = (mark) => act({ name: "typed", value: `${cell.dataset.square}=${mark}` });
  if (number && /^[0-9]$/.test(key)) number.value += key;
  else if (key === "Backspace" && number?.value) number.value = number.value.slice(0, -1);
  else if (key === "Delete" || key === "Backspace") set(".");
  else if (form.dataset.marks.split(" ").includes(key)) set(key);
  else return;
  event.preventDefault();
});

document.addEventListener("change", async (event) => {
  const { into } = event.target.dataset;
  const [file] = (into && event.target.files) || [];
  if (file) document.getElementById(into).value = await file.text();
});

globalThis.quet.act = act;
if (find("#study-take")) history.state ? comeBack() : remember();
waitForStudy();
