// A lesson goes on without loading pages: what a link or a form inside it leads to takes its place.
// Without this script the links and forms lead there themselves.

const find = (selector, root = document) => root.querySelector(selector);
const squareOf = (element) => element?.closest?.(".cell")?.dataset.square;
const cellOf = (square) => [...document.querySelectorAll("#lesson .cell")].find((cell) => cell.dataset.square === square);
const here = () => location.pathname + location.search;
let last = 0; // only the answer to the last request is shown
let shown = here(); // what was asked for last

async function go(address, square) {
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
  if (number !== last) return;
  if (!next) {
    location.assign(address);
    return;
  }
  const before = new Set([...document.querySelectorAll(".picture > *")].map((shape) => shape.outerHTML));
  find("#lesson").replaceWith(next);
  for (const shape of document.querySelectorAll(".picture > *")) {
    if (!before.has(shape.outerHTML)) shape.classList.add("is-new");
  }
  globalThis.quet.zoom?.renew(true);
  focusOn(square);
}

// What is to be pressed next: the field or the buttons of a question, the way on, or the square pressed before.
function focusOn(square) {
  const cell = cellOf(square) ?? find("#lesson .cell.is-legal") ?? find("#lesson .cell");
  for (const touch of document.querySelectorAll("#lesson .cell, #lesson .touch")) touch.tabIndex = -1;
  const stop = find(".touch", cell) ?? cell;
  stop.tabIndex = 0;
  const target = find("#ask input:not([type=hidden])") ?? find("#ask button") ?? find("#lesson [data-go]") ?? stop;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "nearest" });
  if (target.matches("#ask input")) target.select();
}

// The address of this page with the fields that its board sends, and with these.
function address(fields) {
  const kept = [...document.querySelectorAll("#lesson .lesson-board input[type=hidden]")].map(({ name, value }) => [name, value]);
  return `${location.pathname}?${new URLSearchParams([...kept, ...Object.entries(fields)])}`;
}

function visit(address, square) {
  history.pushState(null, "", address);
  go(address, square);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("#lesson form") || form.method !== "get") return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  visit(`${form.getAttribute("action")}?${fields}`, squareOf(event.submitter) ?? fields.get("prompt")?.split("=")[0]);
});

// Where fingers play, a square too small for them is enlarged first, and one with several moves asks which.
document.addEventListener("click", (event) => {
  const cell = event.target.closest?.("#lesson .board .cell");
  if (!cell || event.pointerType !== "touch") return;
  const isEnlarged = globalThis.quet.zoom?.tap(event, cell);
  if (!isEnlarged && cell.querySelectorAll("button.touch").length < 2) return;
  event.preventDefault();
  event.stopPropagation();
  if (!isEnlarged) visit(address({ square: squareOf(cell) }), squareOf(cell));
}, true);

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("#lesson a");
  const address = link?.href?.baseVal ?? link?.href;
  if (!address || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { pathname, search } = new URL(address, location);
  if (pathname !== location.pathname) return;
  event.preventDefault();
  visit(pathname + search, squareOf(link));
});

// Keys on a square: Enter asks why it takes no move, a character is the end of its move (1 for `5=1`) or begins its number.
document.addEventListener(
  "keydown",
  (event) => {
    const cell = event.target.closest?.("#lesson .board .cell");
    if (!cell || event.ctrlKey || event.altKey || event.metaKey) return;
    const why = find(".why", cell);
    const { moves = "", prompt } = find(".touch", cell)?.dataset ?? {};
    const values = moves ? moves.split(" ") : [...cell.querySelectorAll("button.touch")].map((button) => button.value);
    const move = values.find((text) => text.slice(cell.dataset.square.length).replace(/^=/, "") === event.key);
    if (why && (event.key === "Enter" || event.key === " ")) visit(new URL(why.href.baseVal, location).search, cell.dataset.square);
    else if (move) visit(address({ move }), cell.dataset.square);
    else if (prompt && /^\d$/.test(event.key)) {
      const { key } = event;
      const { search } = new URL(find(".touch", cell).href, location);
      history.pushState(null, "", search);
      go(search, cell.dataset.square).then(() => {
        const field = find("#ask-number");
        if (field) field.value = key;
      });
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

// A link to a part of the page comes here too, such as the one that skips to the content. Nothing is to be shown then.
addEventListener("popstate", () => {
  if (find("#lesson") && here() !== shown) go(here());
});
