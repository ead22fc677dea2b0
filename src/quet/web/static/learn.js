// A lesson goes on without loading pages: what a link or a form inside it leads to takes its place.
// Without this script the links and forms lead there themselves.

const find = (selector, root = document) => root.querySelector(selector);
const squareOf = (element) => element?.closest?.(".cell")?.dataset.square;
const cellOf = (square) => [...document.querySelectorAll("#lesson .cell")].find((cell) => cell.dataset.square === square);
const here = () => location.pathname + location.search;
let last = 0; // only the answer to the last request is shown
let shown = here(); // what was asked for last
const TYPED = "#typed"; // the field for a move: the place of what is typed there, as that of a press is its square

// Asks for an address, and returns whether its answer is shown. `from` tells what asked: its place, and what was typed since.
async function go(address, from = {}) {
  const number = ++last;
  shown = here();
  let next;
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, signal: globalThis.quet.inTime() });
    next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("lesson");
  } catch {
    // the browser says what is wrong with the connection
  }
  await globalThis.quet.released();
  if (number !== last) return false;
  if (!next) {
    unanswered = [];
    isLeaving = false; // whoever comes back plays on
    location.assign(address);
    return false;
  }
  swap(next, from);
  return true;
}

// Shows an answer. What stands in the field stays there, and the focus too, unless it is a move that stands now.
function swap(next, { place, fields, digits }) {
  const before = new Set([...document.querySelectorAll(".picture > *")].map((shape) => shape.outerHTML));
  const typed = find(TYPED);
  const focused = squareOf(document.activeElement); // whoever plays with keys may be at another square by now
  const isTyping = place === TYPED || (typed && document.activeElement === typed);
  if (typed && fields) find(TYPED, next)?.replaceWith(typed);
  find("#lesson").replaceWith(next);
  for (const shape of document.querySelectorAll(".picture > *")) {
    if (!before.has(shape.outerHTML)) shape.classList.add("is-new");
  }
  globalThis.quet.zoom?.renew(true);
  focusOn(isTyping ? TYPED : focused ?? place);
  const number = find("#ask-number");
  if (number && digits) number.value = digits.slice(0, number.maxLength);
  if (!fields || place !== TYPED || typed?.value !== fields.move) return;
  if (isWrong()) typed.setSelectionRange(typed.value.length, typed.value.length); // to be mended
  else typed.value = "";
}

const isWrong = () => find("#told.is-wrong");

// What is to be pressed next: the field or the buttons of a question, the way on, or what was pressed or typed in before.
function focusOn(place) {
  const cell = cellOf(place) ?? find("#lesson .cell.is-legal") ?? find("#lesson .cell");
  for (const touch of document.querySelectorAll("#lesson .cell, #lesson .touch")) touch.tabIndex = -1;
  const stop = find(".touch", cell) ?? cell;
  stop.tabIndex = 0;
  const field = place === TYPED ? find(TYPED) : null;
  const isAnswered = unanswered[1]?.fields.prompt && unanswered[1].place === unanswered[0].place; // its number waits already
  const question = isAnswered ? null : find("#ask input:not([type=hidden])") ?? find("#ask button");
  const target = question ?? find("#lesson [data-go]") ?? field ?? stop;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "nearest" });
  if (target.matches("#ask input")) target.select();
}

// The address of this page with these fields, and with those that its board sends.
function address(fields) {
  const kept = [...document.querySelectorAll("#lesson .lesson-board input[type=hidden]")].map(({ name, value }) => [name, value]);
  return `${location.pathname}?${new URLSearchParams({ ...fields, ...Object.fromEntries(kept) })}`;
}

// Moves made faster than the server answers are sent one after another, as each is meant for the position after the one
// before. None is sent after a wrong one: nobody meant it for the position that comes then.
let unanswered = []; // each with its place, its fields, and the digits typed since; the first is under way
let cameFrom; // the place of the last one
let isLeaving = false; // for what a link leads to
let hasTyped = false; // since the last move that was typed

// What a press on a square means when its turn comes: a square that took no move when it was pressed may take one now.
function meant(fields) {
  const touches = "square" in fields ? cellOf(fields.square)?.querySelectorAll("button.touch") : null;
  return touches?.length === 1 && touches[0].name === "move" ? { move: touches[0].value } : fields;
}

async function press(fields, place, digits = "") {
  // A double click is one move. But what a square asks may be answered before the question comes.
  const isSame = (one) => one.place === place && ("square" in fields || !("square" in one.fields));
  const isRepeated = place === TYPED && !hasTyped && unanswered.at(-1)?.fields.move === fields.move; // by a second Enter
  const isDouble = place && place !== TYPED && unanswered.some(isSame);
  if (isRepeated || isDouble || isLeaving) return;
  if (place === TYPED) hasTyped = false;
  cellOf(place)?.classList.add("is-pending");
  const own = unanswered;
  own.push({ fields, place, digits });
  if (own.length > 1) return;
  while (own.length) {
    const one = own[0];
    cameFrom = one.place;
    one.fields = meant(one.fields);
    const next = address(one.fields);
    history.pushState(null, "", next);
    if (!(await go(next, one))) return;
    own.shift();
    const isAsked = "square" in one.fields && own[0]?.place !== one.place; // and what follows is no answer
    if (isWrong() || isAsked || find("#lesson [data-go]")) own.length = 0;
  }
}

// What a link leads to comes instead of all that is unanswered.
async function lead(address, place) {
  unanswered = [];
  isLeaving = true;
  if (await go(address, { place })) isLeaving = false;
}

document.addEventListener("input", (event) => {
  if (event.target.matches(TYPED)) hasTyped = true;
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("#lesson form") || form.method !== "get") return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form, event.submitter));
  const field = find(TYPED, form);
  field?.select(); // so that the next move takes the place of this one
  press(fields, field ? TYPED : squareOf(event.submitter) ?? fields.prompt?.split("=")[0] ?? fields.move);
});

// Where fingers play, a square too small for them is enlarged first, and one with several moves asks which.
document.addEventListener("click", (event) => {
  const cell = event.target.closest?.("#lesson .board .cell");
  if (!cell || event.pointerType !== "touch") return;
  const isEnlarged = globalThis.quet.zoom?.tap(event, cell);
  if (!isEnlarged && cell.querySelectorAll("button.touch").length < 2) return;
  event.preventDefault();
  event.stopPropagation();
  if (!isEnlarged) press({ square: squareOf(cell) }, squareOf(cell));
}, true);

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#lesson a");
  const address = link?.href?.baseVal ?? link?.href;
  if (!address || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { pathname, search } = new URL(address, location);
  if (pathname !== location.pathname) return;
  event.preventDefault();
  const square = squareOf(link);
  if (square) press({ square }, square);
  else if (!unanswered.length || !link.closest("#why")) { // what stands beside an answer goes with it
    history.pushState(null, "", pathname + search);
    lead(pathname + search, cameFrom === TYPED ? TYPED : undefined);
  }
});

// Keys on a square: Enter asks why it takes no move, a character is the end of its move (1 for `5=1`) or begins its number.
document.addEventListener(
  "keydown",
  (event) => {
    const cell = event.target.closest?.("#lesson .board .cell");
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
    const { square } = cell.dataset;
    const isEnter = event.key === "Enter" || event.key === " ";
    const { moves = "", prompt } = find(".touch", cell)?.dataset ?? {};
    const values = moves ? moves.split(" ") : [...cell.querySelectorAll("button.touch")].map((button) => button.value);
    const move = values.find((text) => text.slice(square.length).replace(/^=/, "") === event.key);
    const question = prompt && unanswered.find((one) => one.fields.square === square); // that is on its way
    if (find(".why", cell) && isEnter) press({ square }, square);
    else if (move) press({ move }, square);
    else if (question && event.key === "Enter" && question.digits) press({ prompt, number: question.digits }, square);
    else if (question && event.key === "Backspace") question.digits = question.digits.slice(0, -1);
    else if (question && /^\d$/.test(event.key)) question.digits += event.key;
    else if (prompt && /^\d$/.test(event.key)) press({ square }, square, event.key);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

// A link to a part of the page comes here too, such as the one that skips to the content. Nothing is to be shown then.
addEventListener("popstate", () => {
  if (find("#lesson") && here() !== shown) lead(here());
});
