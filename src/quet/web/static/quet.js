// This script adds to pages: arrow keys on the board, and moves without loading a page. news.js adds live news and clocks.
// Everything works without it too. It makes no text: the server says all words, in the reader's language.

const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// A request over a connection that has died gets no answer and no error. So nothing is waited for longer than this. A look
// for news comes again, and over another connection.
const LONGEST_ANSWER = 20_000; // milliseconds
const LONGEST_LOOK = 10_000;
const inTime = (isLook) => AbortSignal.timeout?.(isLook ? LONGEST_LOOK : LONGEST_ANSWER);

// A click is a press and a release on the same element. So nothing on the page is replaced between them, nor while the
// space bar is down, which presses a button. A release that never comes, such as one over a menu, is waited for no longer.

const LONGEST_PRESS = 3_000; // milliseconds
let press = null; // ends with the release
let letGo = () => {};

function onPress() {
  const now = new Promise((done) => {
    letGo = done;
    setTimeout(done, LONGEST_PRESS);
  }).then(() => { if (press === now) press = null; });
  press = now;
}

async function released() {
  while (press) await press;
}

addEventListener("pointerdown", (event) => { if (event.button === 0) onPress(); }, true);
addEventListener("keydown", (event) => { if (event.key === " " && !event.repeat) onPress(); }, true);
for (const type of ["pointerup", "pointercancel", "keyup", "contextmenu"]) {
  addEventListener(type, () => setTimeout(letGo), true); // the click comes first
}

// The board is a grid. One place in it has the focus, and arrow keys move the focus to the next.

const rows = (board) => all("[role=row]", board).map((row) => all(".cell", row));
const places = (cell) => (find(".touch", cell) ? all(".touch", cell) : [cell]); // the places of a square that take the focus
const place = (cell) => places(cell)[0];
const squareOf = (element) => element?.closest?.(".cell")?.dataset.square;
const cellOf = (board, square) => all(".cell", board).find((cell) => cell.dataset.square === square);
const middle = (cell) => {
  const mark = find(".mark", cell);
  return mark.x.baseVal.value + mark.width.baseVal.value / 2;
};

function chooseStop(board, stop) {
  for (const other of all(".cell", board).flatMap(places)) other.tabIndex = -1;
  if (stop) stop.tabIndex = 0;
}

function prepareBoard(board, square) {
  const cell = cellOf(board, square) ?? find(".cell.is-legal", board) ?? find(".cell.is-last", board);
  chooseStop(board, place(cell ?? find(".cell", board)));
}

// The place to which a key leads. If a square has two places, keys leave it by the upper or the lower one.
function neighbour(board, cell, key, isFar) {
  const own = places(cell);
  const step = { ArrowUp: -1, ArrowDown: 1 }[key] ?? NaN;
  const next = cellFrom(board, cell, key, isFar);
  return own[own.indexOf(document.activeElement) + step] ?? (next && places(next).at(step < 0 ? -1 : 0));
}

function cellFrom(board, cell, key, isFar) {
  const grid = rows(board);
  const row = grid.findIndex((cells) => cells.includes(cell));
  const column = grid[row].indexOf(cell);
  const nearest = (cells) =>
    cells?.reduce((a, b) => (Math.abs(middle(b) - middle(cell)) < Math.abs(middle(a) - middle(cell)) ? b : a));
  switch (key) {
    case "ArrowLeft": return grid[row][column - 1];
    case "ArrowRight": return grid[row][column + 1];
    case "ArrowUp": return nearest(grid[row - 1]);
    case "ArrowDown": return nearest(grid[row + 1]);
    case "PageUp": return nearest(grid[0]);
    case "PageDown": return nearest(grid.at(-1));
    case "Home": return (isFar ? grid[0] : grid[row])[0];
    case "End": return (isFar ? grid.at(-1) : grid[row]).at(-1);
    default: return undefined;
  }
}

function onBoardKey(event, cell) {
  const board = cell.closest(".board");
  if (/^(Arrow|Home|End|Page)/.test(event.key) && !event.altKey && !event.metaKey) {
    neighbour(board, cell, event.key, event.ctrlKey)?.focus();
    event.preventDefault();
  } else if (event.key === " " && place(cell).localName === "a") {
    event.preventDefault();
    place(cell).click();
  } else if (event.key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey) {
    onCharacter(event, cell);
  }
}

// A character typed on a square: the rest of one of its moves (1 for `5=1`, ! for `12!`).
function onCharacter(event, cell) {
  const { moves } = place(cell).dataset;
  const known = moves?.split(" ") ?? places(cell).map((button) => button.value ?? "");
  const move = known.find((text) => text.slice(cell.dataset.square.length).replace(/^=/, "") === event.key);
  const form = cell.closest("form");
  if (move && move !== cell.dataset.square && form) {
    event.preventDefault();
    if (form.matches("[data-study]")) globalThis.quet.act(null, { move });
    else send(form, null, move, cell);
  }
}

// A single character, such as the sign - or m, is taken where the board or nothing has the focus. On a link or
// another button it may be meant for something else, as what is said to a computer that takes dictation.
const takesSigns = (element) => element.matches("body, #main, #turn") || element.closest(".board, .choices");

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.(".board .cell");
  const isTyping = event.target.matches("input, select, textarea");
  if (cell && !isTyping) onBoardKey(event, cell);
  else if (event.key === " " && event.target.matches("a[role=button]")) { // it is called a button, so it is pressed like one
    event.preventDefault();
    if (!event.repeat) event.target.click();
  }
  if (event.defaultPrevented || isTyping || event.ctrlKey || event.altKey || event.metaKey) {
    if (event.key === "Escape" && event.target.closest("#ask")) leaveAsk();
    return;
  }
  const choice = all(".choices button[name=move]").find((button) => button.value === event.key);
  if (choice) {
    if (takesSigns(event.target)) choice.click();
  } else if (event.key === "m" && find("#typed") && takesSigns(event.target)) {
    event.preventDefault();
    find("#typed").focus();
  } else if (event.key === "Escape" && find("#ask")) leaveAsk();
});

document.addEventListener("focusin", (event) => {
  const cell = event.target.closest?.(".board .cell");
  if (cell) chooseStop(cell.closest(".board"), places(cell).includes(event.target) ? event.target : place(cell));
});

// An item of a score shows its squares on the board.

function showSquares(item) {
  const squares = item ? item.dataset.squares.split(" ") : [];
  for (const cell of all(".board .cell")) {
    cell.classList.toggle("is-marked", squares.includes(cell.dataset.square));
  }
}

const chosenItem = () => find(".items a[aria-current]");

for (const [type, isIn] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
  document.addEventListener(type, (event) => {
    const item = event.target.closest?.("[data-squares]");
    if (item) showSquares(isIn ? item : chosenItem());
  });
}

// The script fetches the changing part of a game's page, `#table`, and replaces the old one.

let table = find("#table");
let fetches = 0; // only the answer to the last fetch is shown
let isSending = false;
let numUnderway = 0; // moves and what else may be sent again, until the table shows them
let sending = Promise.resolve(); // ends when the last of them is shown

let fetching = Promise.resolve();
let told = Number(table?.dataset.ply); // so many rows were told to screen readers
let drawn = table?.innerHTML; // as it came

// A look is for news only: where there are none it changes nothing.
function refresh(query = "", isLook = false) {
  fetching = fetchTable(query, isLook);
  return fetching;
}

async function fetched(query, isLook = false) {
  const fields = new URLSearchParams(query);
  fields.set("since", told);
  const answer = await fetch(`${table.dataset.fragment}?${fields}`, { headers: { Accept: "text/html" }, signal: inTime(isLook) });
  if (answer.status === 404) location.reload(); // the game was taken away, and its page says so
  if (!answer.ok) throw new Error(`${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

async function fetchTable(query, isLook) {
  const number = ++fetches;
  const page = await fetched(query, isLook);
  await released();
  if (number !== fetches) return;
  if (find("#message")?.textContent === table.dataset.offline) say(table.dataset.back);
  const next = page.getElementById("table"), { innerHTML } = next;
  if (!isLook || innerHTML !== drawn) {
    const isOld = next.dataset.ply === table.dataset.ply; // what was said about it still holds
    if (isLook && isOld) find("#message", next).replaceWith(find("#message"));
    swap(next);
    drawn = innerHTML;
  }
  if (document.hidden) return; // whoever comes back is told then
  told = ply();
  if (next.dataset.news) announce(`${next.dataset.news} ${find(".turn.is-mine")?.textContent ?? ""}`.trim());
}

// Screen readers say what is added to this log. Its last lines can be read again.

const LOG = 10; // lines

function announce(words) {
  const line = document.createElement("p");
  line.textContent = words;
  find("#announcements").append(line);
  for (const old of all("#announcements p").slice(0, -LOG)) old.remove();
}

// The element of a newer page that is what this one was. Most buttons have no id, and are told by what they do.
const sameAs = (old, root) => all(old.localName, root).find((one) => what(one) === what(old));
const what = ({ id, form, name, href, value, dataset, textContent, tabIndex }) =>
  id || [form?.getAttribute("action"), name, href || value || dataset.copy || textContent, tabIndex].join(" ");

const shapes = () => all(".board .picture > *", table);

function swap(next) {
  const focused = document.activeElement;
  const hadFocus = table.contains(focused);
  const square = squareOf(focused);
  const again = hadFocus && sameAs(focused, next);
  const written = all("input[id]", table).filter(({ value, defaultValue }) => value !== defaultValue);
  const open = all("details[id][open]", table).map((details) => details.id);
  const before = new Set(shapes().map((shape) => shape.outerHTML.replace(" is-new", "")));
  const isFresh = next.dataset.ply !== table.dataset.ply;
  table.replaceWith(next);
  table = next;
  if (isFresh && before.size) {
    for (const shape of shapes()) if (!before.has(shape.outerHTML)) shape.classList.add("is-new");
  }
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const { id, value, form } of written) {
    const field = document.getElementById(id);
    if (field?.form.action === form.action) field.value = value; // two forms have a field for numbers
  }
  prepare(square);
  const board = find(".board", table);
  if (square && board) place(cellOf(board, square) ?? find(".cell", board)).focus({ preventScroll: true });
  else if (hadFocus) (again ?? find("#turn")).focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("quet:table", { detail: isFresh }));
}

function prepare(square) {
  for (const board of all(".board")) prepareBoard(board, square ?? find(".cell.is-asked", board)?.dataset.square);
  for (const button of all("[data-copy]")) button.hidden = !navigator.clipboard;
  for (const list of all(".moves ol")) list.scrollTop = list.scrollHeight;
  for (const now of all(".line [aria-current], .moves [aria-current]")) {
    const list = now.closest("ol");
    list.scrollTop += now.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
  }
  for (const button of all("[data-print]")) button.hidden = false;
  if (table?.dataset.title) document.title = table.dataset.title;
}

function say(text, isError = false) {
  const message = find("#message");
  if (!message) return;
  message.textContent = text;
  message.classList.toggle("is-error", isError);
}

function offline() {
  say(table.dataset.offline, true);
  document.dispatchEvent(new CustomEvent("quet:offline"));
}

const ply = () => Number(table.dataset.ply);

// Returns why the move was refused, in words; empty if it stands. Moves made faster than the server answers are sent one
// after another, as long as nothing else happens between them: nobody meant a move for a table that they haven't seen.
async function send(form, button, move, cell) {
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.set(button.name, button.value);
  if (move) body.set("move", move);
  const isDouble = cell?.classList.contains("is-pending"); // a double click is one move
  if (isDouble || (isSending && !form.matches("[data-repeats]"))) return "";
  const expected = ply() + numUnderway;
  cell?.classList.add("is-pending");
  numUnderway += 1;
  const before = sending;
  const sent = before.then(() => (ply() === expected ? post(form, button, body, cell) : ""));
  sending = sent.then(() => {
    numUnderway -= 1;
    cell?.classList.remove("is-pending");
  });
  return sent;
}

async function post(form, button, body, cell) {
  isSending = true;
  if (body.has("ply")) body.set("ply", ply());
  try {
    const answer = await fetch(button?.getAttribute("formaction") ?? form.action, {
      method: "POST", body, headers: { Accept: "application/json" }, signal: inTime(),
    });
    const { error = "" } = await answer.json();
    isSending = false; // the page knows the answer now, so that buttons may be pressed again
    const typed = form.matches(".typed") && find("#typed");
    if (!error && typed && typed.value === body.get("move")) typed.value = ""; // the next one may have been begun
    await refresh();
    say(cell ? "" : error, true); // a square has a bubble of its own
    if (!error && button?.closest("#ask")) focusSquare(form.dataset.square);
    if (!error && form.matches(".typed")) find("#typed")?.focus();
    return error;
  } catch {
    offline();
    return "";
  } finally {
    isSending = false;
  }
}

document.addEventListener("submit", (event) => {
  if (!table || !event.target.matches("#table form[data-live]")) return;
  event.preventDefault();
  const cell = event.submitter?.closest(".cell");
  send(event.target, event.submitter, undefined, cell);
});

// A hint, or what can still be reached, is told below the board. The address stays that of the table, so that whoever
// reloads it, or gets it from somebody, asks for nothing.
async function tell(link) {
  if (link.matches(".is-waiting")) return;
  link.classList.add("is-waiting");
  const asked = ply();
  try {
    const answer = await fetch(link.href, { headers: { Accept: "application/json" }, signal: inTime() });
    const { notice, error } = await answer.json();
    if (ply() !== asked) return;
    say(notice ?? error, !answer.ok);
    find("#message").scrollIntoView({ block: "nearest" }); // on a phone the link is far below
  } catch {
    offline();
  } finally {
    link.classList.remove("is-waiting");
  }
}

function leaveAsk() {
  const cancel = find("#study #ask button.plain, #lesson #ask a.plain");
  if (cancel) return void cancel.click();
  const { square } = find("#ask").dataset;
  refresh().then(() => focusSquare(square), offline);
}

function focusSquare(square) {
  const cell = square && table && cellOf(find(".board", table), square);
  if (cell) place(cell).focus();
}

document.addEventListener("click", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  const link = event.target.closest("#table .items a, #table a:is([data-close], [data-at], #hint, #reachable)");
  const copy = event.target.closest("[data-copy]");
  if (event.target.closest("[data-print]")) print();
  if (link && isPlain) {
    event.preventDefault();
    if (link.matches("[data-close]")) leaveAsk();
    else if (link.matches("[data-at]")) refresh(link.search).catch(offline);
    else if (link.matches("#hint, #reachable")) tell(link);
    else {
      const isOn = link.hasAttribute("aria-current");
      for (const item of all(".items a[aria-current]")) item.removeAttribute("aria-current");
      if (!isOn) link.setAttribute("aria-current", "true");
      showSquares(link);
    }
  } else if (copy) {
    navigator.clipboard.writeText(document.getElementById(copy.dataset.copy).value).then(() => {
      copy.textContent = copy.dataset.done;
    });
  }
});

// Who chooses a language comes back to where the study, the lesson or the puzzle is now, and not to where the page began.
const here = () => location.pathname + location.search;
const loaded = here(); // the answer to a form has an address of its own, where it's left as it is
document.addEventListener("submit", ({ target }) => {
  const next = find("input[name=next]", target);
  if (next && here() !== loaded) next.value = here();
});

document.documentElement.classList.add("has-script");
// For the other scripts.
globalThis.quet = {
  find, all, send, fetched, refresh, cellOf, place, focusSquare, offline, squareOf, prepare, released, inTime, announce,
  sameAs, takesSigns,
  isSending: () => isSending,
  shown: () => fetching.catch(() => {}), // when what is being fetched is shown
};
prepare();
if (table && /[?&](hint|reachable)=/.test(location.search)) history.replaceState(null, "", location.pathname);
find("#table #ask:not([data-write]) input:not([type=hidden])")?.focus();
