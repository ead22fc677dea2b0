// The table tells news as they happen, and its clocks tick. quet.js, which comes before it, fetches the table.

const { find, all, refresh, isSending, shown, announce } = globalThis.quet;
const table = () => find("#table");

// The server sends news of the game as it happens. A lost connection continues where it broke. One that died in silence,
// as where a phone changed its network, is noticed by the beats that don't come.

const STEP = 1_000; // milliseconds to wait after a first failure
const SILENCE = 45_000; // milliseconds without anything heard, after which a stream is dead: it beats each 20 seconds
let wait = STEP;
let source = null;
let nextTry; // a timer
let heard = 0; // when
let isBroken = false; // whether news may have been missed

function listen() {
  heard = Date.now();
  source = new EventSource(`${table().dataset.events}?ply=${table().dataset.ply}&version=${table().dataset.version}`);
  for (const type of ["open", "change", "beat"]) source.addEventListener(type, () => { heard = Date.now(); });
  source.addEventListener("open", () => {
    wait = STEP;
    if (isBroken) update(Infinity); // show what was missed
    isBroken = false;
  });
  source.addEventListener("change", (event) => {
    const news = JSON.parse(event.data);
    update(news.kind === "seats" ? Infinity : news.ply);
  });
  source.addEventListener("error", () => {
    if (!isBroken) nextLook = Date.now() + 2 * STEP; // most are open again by then
    isBroken = true;
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

function listenAnew() {
  stopListening();
  listen();
  update(Infinity);
}

// A browser opens six connections to a site at most, and a stream holds one. So of the tabs that nobody sees only the one
// that was left last keeps its stream. The others look now and then, so that their titles say whose turn it is.

let onSeen = () => {};

async function onVisibility() {
  onSeen();
  if (!document.hidden) {
    if (source) update(Infinity); // it may have died meanwhile
    else listenAnew();
  } else if (source) {
    const seen = new Promise((done) => { onSeen = done; });
    const held = navigator.locks?.request("quet-hidden-stream", { steal: true }, () => seen); // over http there is none
    const isKept = await held?.then(() => true, () => false); // if not, another tab was left later
    if (document.hidden && !isKept) {
      stopListening();
      nextLook = Date.now() + HIDDEN_LOOK;
    }
  }
}

// Who has no stream looks. That is so while the network is away, and where too many streams are open already.

const LOOK = 10_000; // milliseconds between looks
const HIDDEN_LOOK = 60_000; // browsers let hidden tabs do no more
let nextLook = Date.now() + HIDDEN_LOOK; // when
let isBehind = false; // whether the last look failed

function onSecond() {
  const hasStream = source?.readyState === EventSource.OPEN && !isBehind;
  if (source && Date.now() - heard > SILENCE) listenAnew();
  else if (!hasStream && Date.now() >= nextLook) update(Infinity);
}

function showConnection(isThere) {
  const line = find("#connection");
  if (line.hidden === isThere) return;
  line.hidden = isThere;
  announce(isThere ? line.dataset.again : line.textContent); // a line that appears isn't said
}

let newest = 0; // how many rows the unread news speak of
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
  if (!isNews) return;
  nextLook = Date.now() + (document.hidden ? HIDDEN_LOOK : LOOK);
  const square = find("#ask")?.dataset.square;
  const at = find("#table [data-stays-at]")?.dataset.staysAt;
  try {
    await refresh(square ? `?square=${encodeURIComponent(square)}` : at ? `?at=${at}` : "", true);
    isBehind = false;
    showConnection(true);
  } catch {
    isBehind = true;
    showConnection(false);
    nextLook = Date.now() + 5 * STEP;
  }
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
document.addEventListener("quet:offline", listenAnew);
addEventListener("online", () => { if (source || !document.hidden) listenAnew(); });
addEventListener("pagehide", stopListening); // before it hides, so that a page that is left takes no other's stream
setInterval(onSecond, STEP);
