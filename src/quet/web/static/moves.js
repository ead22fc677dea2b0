// The table's moves with a script: a bubble at a square says why it is forbidden or what it takes, values are chosen
// before or after their square, and digits are written where the focus is. It makes no text. quet.js, which comes before
// it, sends moves and fetches the table; zoom.js enlarges squares too small for fingers.

const { find, all, send, fetched, cellOf, place, focusSquare, offline, zoom } = globalThis.quet;
const bubble = find("#bubble");
const touched = (event) => event.pointerType === "touch";

const board = () => find("#table .board");
const boardForm = () => find("#table .board-place");
const squareOf = (cell) => cell.dataset.square;

// What can be done on a square: its moves, and the beginning of one that ends with a number.

function movesOf(cell) {
  const { moves } = place(cell).dataset;
  if (moves !== undefined) return moves ? moves.split(" ") : [];
  return all("button.touch", cell).map((button) => button.value);
}
const promptOf = (cell) => place(cell).dataset.prompt ?? "";
const ending = (cell, move) => move.slice(squareOf(cell).length);

// The bubble stands at its square.

let bubbled = ""; // the square

function showBubble(cell, words, buttons = []) {
  const near = find(".mark", cell).getBoundingClientRect();
  const main = bubble.parentElement.getBoundingClientRect();
  bubbled = squareOf(cell);
  find(".row", bubble).replaceChildren(...buttons);
  bubble.hidden = false;
  find("p", bubble).textContent = words; // after it is shown, so that screen readers say it
  const { width, height } = bubble.getBoundingClientRect();
  const left = Math.min(near.left + near.width / 2 - width / 2, document.documentElement.clientWidth - width - 8);
  const isAbove = near.bottom + height + 8 > window.innerHeight && near.top > height + 8;
  bubble.style.left = `${Math.max(8, left) - main.left}px`;
  bubble.style.top = `${(isAbove ? near.top - height - 6 : near.bottom + 6) - main.top}px`;
}

// It goes with its buttons. Where one of them has the focus, the square that it is about has it then.
function hideBubble() {
  if (bubble.hidden) return;
  const square = bubble.contains(document.activeElement) ? bubbled : "";
  bubble.hidden = true;
  bubbled = "";
  find("p", bubble).textContent = "";
  find(".row", bubble).replaceChildren();
  focusSquare(square);
}

async function tellWhy(cell) {
  const page = await fetched(new URL(find(".why", cell).href.baseVal, location).search);
  const why = page.querySelector("#why");
  if (why && cell.isConnected) showBubble(cell, why.textContent);
}

// A square with several moves asks which; the words stand on the values below the board.

function askWhich(cell) {
  const buttons = movesOf(cell).map((move) => {
    const button = document.createElement("button");
    const value = all(".values [data-value]").find((one) => one.dataset.value === ending(cell, move));
    button.type = "button";
    button.value = move;
    button.textContent = value ? value.textContent.trim() : move;
    button.addEventListener("click", () => {
      hideBubble();
      play(cell, move);
    });
    return button;
  });
  showBubble(cell, "", buttons);
  buttons[0]?.focus({ preventScroll: true });
}

async function play(cell, move) {
  const square = squareOf(cell);
  const error = await send(boardForm(), null, move, cell);
  if (error) {
    const again = cellOf(board(), square);
    if (again) showBubble(again, error);
  }
  return error;
}

// A value may be chosen first: it stays chosen, and squares take it.

let pen = null;

function takePen(value) {
  pen = value;
  for (const one of all(".values [data-value]")) {
    one.setAttribute("aria-pressed", one.dataset.value === pen);
    one.classList.toggle("is-chosen", one.dataset.value === pen);
  }
}

// Numbers: what is typed stands in the square and in the field until it is sent.

let chosen = ""; // the square that takes the number
let drafted = ""; // what was typed since the last number was sent
const numberField = () => find("#ask[data-write] #ask-number");

function draft(digits) {
  const field = numberField();
  if (field && digits.length > field.maxLength) return; // which no number of the game has
  if (field && field.value !== digits) field.value = digits;
  showDraft();
}

function showDraft() {
  for (const old of all(".draft")) old.remove();
  for (const cell of all(".board .cell")) cell.classList.toggle("is-asked", Boolean(chosen) && squareOf(cell) === chosen);
  const button = find("#ask [data-enter]");
  if (button && chosen) button.textContent = find("#ask").dataset.write;
  const digits = drafted = numberField()?.value ?? "";
  const cell = chosen && digits && cellOf(board(), chosen);
  if (!cell) return;
  const mark = find(".mark", cell);
  const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
  const [x, y, wide, high] = ["x", "y", "width", "height"].map((name) => mark[name].baseVal.value);
  text.setAttribute("class", "draft");
  text.setAttribute("x", x + wide / 2);
  text.setAttribute("y", y + high / 2);
  text.setAttribute("font-size", Math.min(high / 2, (1.4 * wide) / digits.length));
  text.setAttribute("aria-hidden", "true");
  text.textContent = digits;
  mark.setAttribute("data-draft", "");
  cell.append(text);
}

function choose(cell) {
  chosen = cell ? squareOf(cell) : "";
  showDraft();
}

// The square shows the number while it is sent, and the field takes the next one.
async function write(cell, digits) {
  const square = squareOf(cell);
  choose(cell);
  numberField().value = drafted = "";
  const error = await play(cell, `${promptOf(cell)}${digits}`);
  if (chosen !== square || drafted) return; // meanwhile the next number was begun
  if (error && document.activeElement === numberField()) draft(digits);
  choose(cellOf(board(), square));
  if (!error && !document.activeElement.closest(".board .cell")) focusSquare(square);
}

function writeNumber() {
  const field = numberField();
  const cell = chosen && cellOf(board(), chosen);
  if (!field) return;
  if (cell && field.value) write(cell, field.value);
  else (cell ? field : place(find(".board .cell:has(.touch)"))).focus();
}

// What is pressed. These listeners come before those of quet.js, which do the rest.

function onBoardClick(event, cell) {
  if (zoom.tap(event, cell)) return undefined;
  const moves = movesOf(cell);
  if (promptOf(cell)) {
    const field = numberField();
    if (!chosen && field?.value) return write(cell, field.value);
    draft("");
    choose(cell);
    return place(cell).focus({ preventScroll: true });
  }
  const taken = moves.find((move) => pen !== null && ending(cell, move) === pen);
  if (taken) return play(cell, taken);
  if (find(".why", cell)) return tellWhy(cell).catch(offline);
  if (moves.length > 1 && (touched(event) || find("a.touch", cell))) return askWhich(cell);
  const button = event.target.closest("button.touch");
  if (button) return play(cell, button.value);
  return undefined;
}

document.addEventListener("click", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
  const cell = event.target.closest?.("#table .board .cell");
  const isOnBoard = cell && (find(".touch", cell) || find(".why", cell));
  if (!event.target.closest?.("#bubble")) hideBubble();
  if (!isPlain) return;
  if (isOnBoard) {
    event.preventDefault();
    event.stopPropagation();
    onBoardClick(event, cell);
    return;
  }
  const button = event.target.closest?.("#table [data-value], [data-digit], [data-erase], [data-enter], [data-sound]");
  if (!button) return;
  event.preventDefault();
  event.stopPropagation();
  if ("value" in button.dataset) takePen(button.dataset.value === pen ? null : button.dataset.value);
  else if ("digit" in button.dataset) draft(`${numberField().value}${button.dataset.digit}`);
  else if ("enter" in button.dataset) writeNumber();
  else if ("sound" in button.dataset) switchSound();
  else {
    const cellOfNumber = chosen && cellOf(board(), chosen);
    if (numberField().value) draft("");
    else if (cellOfNumber) write(cellOfNumber, "");
  }
}, true);

document.addEventListener("submit", (event) => {
  if (!event.target.matches("#ask[data-write]")) return;
  event.preventDefault();
  event.stopPropagation();
  writeNumber();
}, true);

document.addEventListener("input", (event) => {
  if (event.target === numberField()) showDraft();
});

function onNumberKey(event, cell) {
  const field = numberField();
  if (chosen !== squareOf(cell)) {
    if (/^\d$/.test(event.key)) {
      draft("");
      choose(cell);
    } else if (event.key === "Enter" && chosen) choose(cell);
  }
  if (/^\d$/.test(event.key)) draft(`${field.value}${event.key}`);
  else if (event.key === "Enter" && field.value) write(cell, field.value);
  else if (event.key === "Enter" || event.key === " ") choose(cell);
  else if (event.key === "Backspace" && field.value) draft(field.value.slice(0, -1));
  else if (event.key === "Backspace" || event.key === "Delete") write(cell, "");
  else if (event.key === "Escape" && (field.value || chosen)) {
    draft("");
    choose(null);
  } else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const cell = event.target.closest?.("#table .board .cell");
  let isDone = false;
  if (event.key === "Escape" && !bubble.hidden) {
    const square = bubbled;
    hideBubble();
    focusSquare(square);
    isDone = true;
  } else if (event.key === "Escape" && event.target === numberField()) {
    draft("");
    focusSquare(chosen);
    isDone = true;
  } else if (cell && promptOf(cell)) isDone = onNumberKey(event, cell);
  else if (cell && find(".why", cell) && /^( |Enter)$/.test(event.key)) {
    tellWhy(cell).catch(offline);
    isDone = true;
  } else if (cell && find("a.touch", cell) && /^( |Enter)$/.test(event.key)) {
    const taken = movesOf(cell).find((move) => ending(cell, move) === pen);
    if (taken) play(cell, taken);
    else askWhich(cell);
    isDone = true;
  }
  if (isDone) {
    event.preventDefault();
    event.stopPropagation();
  } else if (/^(Arrow|Home|End|Page|Tab)/.test(event.key) && !event.target.closest?.("#bubble")) hideBubble();
}, true);

// Digits go along where a key of quet.js moves the focus, so that Enter writes them in the square in which they stand.
document.addEventListener("keydown", ({ key }) => {
  const cell = document.activeElement.closest("#table .board .cell");
  if (/^(Arrow|Home|End|Page)/.test(key) && chosen && drafted && cell && promptOf(cell)) choose(cell);
});

// A short tone for each move, if one wants it: the browser remembers that. A higher one says that it is one's turn.

const SOUND = "quet-sound";
const HEARD = { mine: 660, other: 440 }; // hertz
let audio = null;
let hasSound = false;
try {
  hasSound = localStorage.getItem(SOUND) === "on";
} catch { /* the browser keeps nothing */ }

function sound(hertz) {
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0.15, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.12);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.13);
}

function showSound() {
  find("#table [data-sound]")?.setAttribute("aria-pressed", hasSound);
}

function switchSound() {
  hasSound = !hasSound;
  try {
    localStorage.setItem(SOUND, hasSound ? "on" : "off");
  } catch { /* the browser keeps nothing */ }
  showSound();
  if (hasSound) sound(HEARD.mine);
}

// After the table was replaced: what was chosen stays chosen.

function restore(isNews) {
  hideBubble();
  takePen(pen);
  zoom.renew(isNews);
  if (drafted && numberField()) numberField().value = drafted;
  showDraft();
  showSound();
  if (isNews && hasSound) sound(find("#table .turn.is-mine") ? HEARD.mine : HEARD.other);
  const field = numberField();
  if (field && matchMedia("(pointer: coarse)").matches) field.inputMode = "none"; // the keypad is there
}

document.addEventListener("quet:table", (event) => restore(event.detail));
window.addEventListener("resize", hideBubble);
document.addEventListener("scroll", (event) => {
  if (event.target.matches?.(".board-frame.is-zoomed")) hideBubble();
}, true);
restore(false);
