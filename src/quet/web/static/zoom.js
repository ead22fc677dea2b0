// On a phone the board fits its width. A tap on a square too small for a finger enlarges the board there, and the next tap
// plays; the button with the plus enlarges it for good. Tables, puzzles and the study board have this; quet.js comes before it.

const { find, all } = globalThis.quet;
const FINGER = 40; // pixels that a finger hits

let zoom = null; // { scale, left, top, isOnce }

const frame = () => find(".board-place .board-frame, .lesson-board .board-frame, .study-board .board-frame");
const board = () => find(".board", frame() ?? document.createElement("div"));
const side = (cell) => {
  const { width, height } = find(".mark", cell).getBoundingClientRect();
  return Math.min(width, height);
};
const smallest = () => Math.min(...all(".cell", board()).map(side));

function apply() {
  const button = find("[data-zoom]");
  if (!button || !board()) return;
  const isZoomed = Boolean(zoom);
  if (isZoomed && !frame().classList.contains("is-zoomed")) {
    const { width } = board().getBoundingClientRect();
    frame().style.height = `${frame().getBoundingClientRect().height}px`;
    board().style.width = `${width * zoom.scale}px`;
  } else if (!isZoomed) {
    frame().style.height = "";
    board().style.width = "";
  }
  frame().classList.toggle("is-zoomed", isZoomed);
  if (isZoomed) {
    frame().scrollLeft = zoom.left;
    frame().scrollTop = zoom.top;
  }
  button.setAttribute("aria-pressed", isZoomed);
  button.hidden = !matchMedia("(pointer: coarse)").matches || !(isZoomed || smallest() < FINGER);
}

// The point of the window stays where it is, as far as the board goes.
function enlarge(x, y, isOnce) {
  const view = frame().getBoundingClientRect();
  const old = board().getBoundingClientRect();
  const scale = (FINGER + 2) / smallest();
  zoom = {
    scale, isOnce,
    left: (x - old.left) * scale - (x - view.left),
    top: (y - old.top) * scale - (y - view.top),
  };
  apply();
}

// Whether a tap enlarged the board, so that it plays nothing.
function tap(event, cell) {
  if (event.pointerType !== "touch" || zoom || !find("[data-zoom]") || side(cell) >= FINGER) return false;
  enlarge(event.clientX, event.clientY, true);
  return true;
}

// After the board was replaced; by news, what a tap enlarged is as small as before.
function renew(isNews) {
  if (zoom?.isOnce && isNews) zoom = null;
  apply();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-zoom]")) return;
  event.preventDefault();
  event.stopPropagation();
  if (zoom) {
    zoom = null;
    apply();
    return;
  }
  const view = frame().getBoundingClientRect();
  enlarge(view.left + view.width / 2, view.top + view.height / 2, false);
}, true);

document.addEventListener("scroll", (event) => {
  if (zoom && event.target.matches?.(".board-frame")) {
    zoom.left = event.target.scrollLeft;
    zoom.top = event.target.scrollTop;
  }
}, true);

window.addEventListener("resize", () => {
  zoom = null;
  apply();
});

globalThis.quet.zoom = { tap, renew };
apply();
