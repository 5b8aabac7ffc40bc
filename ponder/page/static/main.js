// The page: what happens on the board goes to the game; what the game and the server say is shown.

import { Answers, ask } from "./answers.js";
import { Board, GOALS, HOLE, LIT, LONGEST_SIDE, PATTERNS, RULES, UNLIT, randomBoard, randomOrderedBoard } from "./board.js";
import { Cells } from "./cells.js";
import { Drawing } from "./drawing.js";
import { Explorer } from "./explore.js";
import { Input } from "./input.js";
import { boardOf, hashOf } from "./link.js";
import { Game, refusal } from "./play.js";
import { Player } from "./player.js";
import { animation, download, picture } from "./save.js";
import { stencilEditor } from "./stencil.js";
import { Known, fewestWords, place, presses, progressWords, reason, sentence, timeWords, verdict } from "./words.js";

const SECONDS = 6, LONG = 120; // of a search after an edit, and of one that is asked for
const STALE = 200;             // milliseconds until the old answer goes, where no new one comes
const LARGEST_CELL = 80, SMALLEST_CELL = 11;
const GOAL_WORDS = { lit: "all lit", unlit: "all unlit", grid: "drawn" };
const KINDS = { solvable: "solvable", ordered: "with an order", unordered: "without order" };
const SPEEDS = [0.5, 1, 2, 4];
const FIRST = "pattern: cross\nrule: unlit\ngoal: lit\n0011\n1101\n0110\n0001\n";

const $ = (id) => document.getElementById(id);
const game = new Game(Board.fromText(FIRST));
const drawing = new Drawing({ under: $("under"), bulbs: $("bulbs"), over: $("over") });
const cells = new Cells($("grid"));
const answers = new Answers();
const player = new Player(game);
const explorer = new Explorer();

let known = new Known();   // what is shown
let coming = known;        // what is known of the board as it stands
let fresh = false;         // whether the two are the same: the answer shown is to this board
let dots = [];             // cells of a lightest press set
let bits = null;           // the line bits
let shapeShown = "";
let hinted = null, counted = false, drawingGoal = false, cuttingHoles = false;
let stroke = null, note = "", begunAt = null, staleTimer = 0, waiting = [];

const playing = () => $("play").checked;
const cellOf = (board, [r, c]) => r * board.columns + c;
const shownBoard = () => (drawingGoal ? game.board.withCells(game.board.target) : game.board);

// ------------------------------------------------------------------------------- the game

game.addEventListener("change", ({ detail }) => {
  if (player.active && !player.showing) player.end();
  hinted = null;
  counted &&= player.active;
  note = "";
  if (game.board.goal !== "grid") drawingGoal = false;
  explorer.keepFor(game.board);
  const shape = [game.board.rows, game.board.columns].join();
  if (shape !== shapeShown) { // nothing that is known has a place there
    shapeShown = shape;
    known = new Known();
    dots = [];
    bits = null;
  }
  follow(detail.pressed);
  if (player.active && player.running) {
    fresh = false;
    answers.stop();
  } else {
    question();
  }
  show(detail.pressed);
  clock();
  if (detail.pressed !== undefined && game.board.solved) drawing.celebrate(detail.pressed);
  address();
});

// Keep press set and line bits right after a press, until the server has a word on them.
function follow(pressed) {
  if (pressed === undefined || !bits) return;
  const { columns } = game.board;
  bits[0][Math.floor(pressed / columns)] ^= 1;
  bits[1][pressed % columns] ^= 1;
  dots = dots.includes(pressed) ? dots.filter((k) => k !== pressed) : [...dots, pressed];
}

function question(seconds = SECONDS) {
  fresh = false;
  coming = new Known();
  clearTimeout(staleTimer);
  staleTimer = setTimeout(replace, STALE);
  answers.about(game.board, seconds);
}

// Show what is known of this board in place of what was known of the one before. The old answer
// stays, dimmed, until there is a verdict or STALE is over: nothing flickers.
function replace() {
  if (fresh) return;
  known = coming;
  fresh = true;
  if (!known.sets && !game.presses.length) { dots = []; bits = null; }
  adopt();
  tell();
}

// Take press set and line bits from what is known.
function adopt() {
  const { sets, witness } = known;
  if (sets) {
    dots = sets.presses.map((at) => cellOf(game.board, at));
    bits = sets.lines?.map((line) => line.map(Number)) ?? null;
  } else if (witness) {
    dots = [];
    bits = null;
  }
}

answers.addEventListener("news", ({ detail }) => {
  coming.take(detail);
  if (!fresh && verdict(game.board, coming) !== null) replace();
  if (!fresh) return;
  if (detail.stage) adopt();
  tell();
  waiting = waiting.filter(({ until, resolve }) => !until(known) || resolve(known));
});

// Wait until something is known of the board as it stands.
function when(until) {
  if (fresh && until(known)) return Promise.resolve(known);
  return new Promise((resolve) => waiting.push({ until, resolve }));
}

// ------------------------------------------------------------------------------- hands

new Input($("grid"), cells, {
  start(k, other) {
    if (playing() && !drawingGoal) return act(k);
    const board = shownBoard();
    const hole = other || cuttingHoles;
    const state = hole ? (board.isBulb(k) ? HOLE : UNLIT) : board.isLit(k) ? UNLIT : LIT;
    if (!hole && !board.isBulb(k)) return;
    game.keep();
    stroke = { state, hole };
    paint(k);
  },
  over(k) { if (stroke) paint(k); },
  end() {
    stroke = null;
    buttons();
  },
  act,
  hole(k) { if (!playing()) cut(k); },
});

function paint(k) {
  const { board } = game, { state, hole } = stroke;
  if (drawingGoal && !hole) {
    if (board.isBulb(k) && board.target[k] !== state) game.amend(board.withTarget(k, state));
  } else if (hole ? (board.cells[k] === HOLE) !== (state === HOLE) : board.isBulb(k) && board.cells[k] !== state) {
    if (state !== HOLE || board.bulbs > 1) game.amend(board.withCell(k, state));
  }
}

function cut(k) {
  if (game.board.bulbs > 1) game.edit(game.board.withCell(k, HOLE));
}

function act(k) {
  const { board } = game;
  if (!board.isBulb(k)) return;
  if (drawingGoal) return game.edit(board.withTarget(k, board.target[k] === LIT ? UNLIT : LIT));
  if (!playing()) return game.edit(board.withCell(k, board.isLit(k) ? UNLIT : LIT));
  const why = refusal(board, k);
  if (why === null) return game.press(k);
  drawing.shake(k);
  say(why);
}

// ------------------------------------------------------------------------------- showing

function show(pressed) {
  const board = shownBoard();
  layout();
  drawing.show(board, { from: pressed ?? null });
  controls();
  tell();
}

let laid = "";
function layout() {
  const board = shownBoard(), pane = $("pane");
  const wide = window.innerWidth > 860;
  const room = wide ? Math.max(240, window.innerHeight - $("stage").offsetTop - 112) : Infinity;
  const ratio = board.hasLineBits ? 0.72 : 0.2; // of a cell, for the margin
  const fitting = Math.min(pane.clientWidth / (board.columns + 2 * ratio), room / (board.rows + 2 * ratio));
  const cell = Math.max(SMALLEST_CELL, Math.min(LARGEST_CELL, Math.floor(fitting)));
  const margin = Math.round(Math.max(board.hasLineBits ? 18 : 4, Math.min(36, ratio * cell)));
  const key = [board.rows, board.columns, cell, margin, window.devicePixelRatio].join();
  if (key === laid) return;
  laid = key;
  const width = board.columns * cell, height = board.rows * cell;
  Object.assign($("frame").style, { width: `${width + 2 * margin}px`, height: `${height + 2 * margin}px` });
  Object.assign($("grid").style, { left: `${margin}px`, top: `${margin}px`, width: `${width}px`, height: `${height}px` });
  pane.classList.toggle("scrolls", width + 2 * margin > pane.clientWidth);
  drawing.fit(board, cell, margin);
}

function tell() {
  const { board } = game;
  const running = player.active && player.running;
  const words = running
    ? `${presses(player.sequence.length - player.at)} to go; this was press ${player.at} of ${player.sequence.length}.`
    : fresh ? verdict(board, known) : $("answer").textContent;
  write($("answer"), words ?? (known.progress ? "Searching …" : "Thinking …"));
  $("answer").setAttribute("aria-busy", String(!running && (!fresh || words === null)));
  write($("why"), words ? reason(board, known) : "");
  const { number, proof, why } = fewestWords(board, known);
  write($("number"), number);
  write($("proof"), proof);
  write($("fewest-why"), why);
  write($("progress"), [progressWords(board, game.presses.length), note].filter(Boolean).join(" — "));
  write($("caption"), captionWords());
  mark();
}

function captionWords() {
  if (drawingGoal) return "Drawing the goal: what is lit here is wanted lit.";
  const drawn = known.refusal?.marks;
  if (drawn?.rows && !player.active) return sentence(drawn.label);
  if (bits && $("show-presses").checked)
    return "A dotted bulb may be pressed when the squares of its row and its column are alike.";
  return "";
}

function mark() {
  const board = shownBoard();
  const marks = { groups: [], presses: [], next: hinted };
  const drawn = drawingGoal ? null : known.refusal?.marks;
  const toCells = (list) => (list ?? []).map((at) => cellOf(board, at));
  if (drawn && !explorer.kind && !player.active) {
    marks.groups = (drawn.groups ?? []).map(({ style, bulbs }) => ({ style, cells: toCells(bulbs), label: drawn.label }));
    marks.pairs = (drawn.pairs ?? []).map(toCells);
    marks.rows = drawn.rows;
    marks.columns = drawn.columns;
    marks.sums = [drawn.row_number, drawn.column_number];
  }
  $("counting").hidden = !marks.pairs?.length;
  marks.numbered = $("count-pairs").checked && marks.pairs?.length > 0;
  if (explorer.kind === "quiet") marks.groups = [{ style: "hatch", cells: explorer.cells }];
  if (board.hasLineBits && bits && bits[0].length === board.rows && bits[1].length === board.columns) marks.lines = bits;
  marks.legal = explorer.kind === "single" ? explorer.ringed
    : $("show-legal").checked ? Array.from(board.cells.keys()).filter((k) => board.isLegal(k)) : [];
  marks.presses = pressMarks(board);
  drawing.mark(marks);
  const counts = new Map(marks.presses);
  const times = ["", "", ", pressed twice", ", pressed three times"];
  cells.show(board, (k) => {
    const count = counts.get(k);
    if (k === hinted && !count) return ", press";
    return count ? `, press${times[count] ?? (count > 3 ? `, pressed ${count} times` : "")}` : "";
  });
}

// Which bulbs carry a dot, and how often they are pressed.
function pressMarks(board) {
  if (drawingGoal) return [];
  if (explorer.kind === "single") return explorer.presses.map((k) => [k, 1]);
  if (counted && (player.active || known.best)) {
    const left = player.active ? player.sequence.slice(player.at) : known.best.map((at) => cellOf(board, at));
    const counts = new Map();
    for (const k of left) counts.set(k, (counts.get(k) ?? 0) + 1);
    return [...counts];
  }
  return $("show-presses").checked ? dots.map((k) => [k, 1]) : [];
}

function write(place, words) { if (place.textContent !== words) place.textContent = words; }

function say(words) {
  note = words;
  tell();
}

function controls() {
  const { board } = game;
  $("rows").value = board.rows;
  $("columns").value = board.columns;
  $("pattern").value = board.pattern;
  $("rule").value = board.rule;
  $("goal").value = board.goal;
  $("draw-goal").hidden = board.goal !== "grid";
  $("draw-goal").setAttribute("aria-pressed", drawingGoal);
  $("holes").setAttribute("aria-pressed", cuttingHoles);
  $("stencil").hidden = board.pattern !== "stencil";
  if (board.pattern === "stencil") stencil.show(board.offsets);
  $("editing").hidden = playing() && !drawingGoal;
  if ($("as-text").open && !$("text").matches(":focus")) $("text").value = board.text;
  $("fewest").setAttribute("aria-pressed", counted);
  buttons();
}

function buttons() {
  $("undo").disabled = !game.canUndo;
  $("redo").disabled = !game.canRedo;
}

function clock() {
  if (!game.presses.length) begunAt = null;
  else begunAt ??= Date.now();
  $("time").hidden = begunAt === null || !playing();
  if (begunAt !== null && !game.board.solved) write($("time"), timeWords((Date.now() - begunAt) / 1000));
}
setInterval(() => { if (begunAt !== null) clock(); }, 500);

// ------------------------------------------------------------------------------- the address

let written = 0, writing = 0;
function address() {
  clearTimeout(writing);
  const put = () => {
    written = performance.now();
    history.replaceState({ presses: game.presses, playing: playing() }, "", hashOf(game.board));
  };
  const wait = written + 180 - performance.now(); // browsers allow some 200 changes in 30 seconds
  if (wait <= 0) put();
  else writing = setTimeout(put, wait);
}

function fromAddress() {
  try {
    return boardOf(location.hash);
  } catch (error) {
    note = `this address holds no board: ${error.message}`;
    return null;
  }
}

window.addEventListener("hashchange", () => {
  if (location.hash === hashOf(game.board)) return;
  const board = fromAddress();
  if (board) game.load(board);
  else say(note);
});

// ------------------------------------------------------------------------------- controls

function options(select, entries) {
  $(select).replaceChildren(...entries.map(([value, words]) => new Option(words, value)));
}

const upTo = Array.from({ length: LONGEST_SIDE }, (_, k) => [k + 1, k + 1]);
options("rows", upTo);
options("columns", upTo);
options("pattern", PATTERNS.map((x) => [x, x]));
options("rule", RULES.map((x) => [x, x]));
options("goal", GOALS.map((x) => [x, GOAL_WORDS[x]]));
options("kind", Object.entries(KINDS));
options("speed", SPEEDS.map((x) => [x, `${x}×`]));
$("speed").value = 1;

const on = (id, event, heard) => $(id).addEventListener(event, heard);
const size = () => game.edit(game.board.resized(Number($("rows").value), Number($("columns").value)));
on("rows", "change", size);
on("columns", "change", size);
on("pattern", "change", () => game.edit(game.board.with({ pattern: $("pattern").value, offsets: null })));
on("rule", "change", () => game.edit(game.board.with({ rule: $("rule").value })));
on("goal", "change", () => {
  drawingGoal = $("goal").value === "grid";
  game.edit(game.board.with({ goal: $("goal").value, target: null }));
});
const stencil = stencilEditor($("stencil-grid"), (offsets) => game.edit(game.board.with({ offsets })));

for (const id of ["edit", "play"]) on(id, "change", () => {
  drawingGoal = cuttingHoles = false;
  note = "";
  show();
  clock();
  address();
});
on("undo", "click", () => game.undo());
on("redo", "click", () => game.redo());
on("reset", "click", () => game.reset());
on("clear", "click", () => game.edit(game.board.dark));
on("holes", "click", () => {
  cuttingHoles = !cuttingHoles;
  controls();
});
on("draw-goal", "click", () => {
  drawingGoal = !drawingGoal;
  show();
});
on("random", "click", async () => {
  const kind = $("kind").value;
  if (kind === "solvable") return game.load(randomBoard(game.board));
  if (kind === "ordered") return game.load(randomOrderedBoard(game.board));
  say("looking for a board without order …");
  return told(async () => load((await ask("no-order", { board: game.board.text, timeout: 10 })).board));
});
on("share", "click", async () => {
  const link = location.origin + location.pathname + hashOf(game.board);
  $("address").value = link;
  try {
    await navigator.clipboard.writeText(link);
    $("address").hidden = true;
    say("the address of this board is copied");
  } catch {
    $("address").hidden = false;
    $("address").focus();
    $("address").select();
    say("this is the address of the board");
  }
});

on("show-presses", "change", tell);
on("show-legal", "change", tell);
on("count-pairs", "change", tell);
on("fewest", "click", async () => {
  counted = !counted;
  controls();
  if (counted && !(fresh && (known.fewest?.optimal || known.witness))) question(LONG);
  tell();
});
on("hint", "click", async () => {
  const found = await sequence();
  if (!found) return;
  hinted = found[0];
  say(`next: ${place(game.board, hinted)}`);
});
on("show-order", "click", async () => {
  const found = await sequence();
  if (!found) return;
  $("play").checked = true;
  drawingGoal = false;
  player.begin(found);
});

// The sequence to be played from here, as cells; null, with the reason told, where there is none.
async function sequence() {
  if (game.board.solved) return void say("nothing is left to press");
  if (!fresh) note = "thinking …";
  const found = await when((all) => all.ended || all.fewest || all.witness || all.error);
  note = "";
  if (!found.best) return void say(found.witness ? "there is no solution to show" : "no sequence is known yet");
  return found.best.map((at) => cellOf(game.board, at));
}

player.addEventListener("change", () => {
  $("player").hidden = !player.active;
  if (!player.active) return;
  $("run").textContent = player.running ? "Pause" : player.at === player.sequence.length ? "Once more" : "Start";
  $("slider").max = player.sequence.length;
  $("slider").value = player.at;
  write($("position"), `${player.at} of ${player.sequence.length}`);
  controls();
  if (!player.running && !player.showing) question();
  tell();
});
on("run", "click", () => (player.running ? player.pause() : player.run()));
for (const [id, by] of [["back", -1], ["forth", 1]]) on(id, "click", () => {
  if (player.running) player.pause();
  player.to(player.at + by);
});
on("slider", "input", () => {
  if (player.running) player.pause();
  player.to(Number($("slider").value));
});
on("speed", "change", () => { player.speed = Number($("speed").value); });

on("quiet", "click", () => explorer.toggle("quiet", game.board));
on("single", "click", () => explorer.toggle("single", game.board));
on("previous", "click", () => explorer.turn(-1));
on("next", "click", () => explorer.turn(1));
on("again", "click", async () => {
  const found = await when((all) => all.sets || all.witness || all.error);
  if (!found.sets) return say("a board without solution has none to go on with");
  const chosen = new Set(found.sets.presses.map((at) => cellOf(game.board, at)));
  const { board } = game;
  return game.load(board.withCells(board.cells.map((x, k) =>
    x === HOLE ? HOLE : Number(board.wantsLit(k) !== chosen.has(k)))));
});
explorer.addEventListener("change", () => {
  for (const id of ["quiet", "single"]) $(id).setAttribute("aria-pressed", explorer.kind === id);
  write($("explored"), explorer.words);
  $("turn").hidden = explorer.pages < 2;
  mark();
});
$("grid").addEventListener("pointermove", (event) => {
  const under = document.elementsFromPoint(event.clientX, event.clientY).find((x) => x.role === "gridcell" || x.getAttribute("role") === "gridcell");
  if (explorer.kind === "single" && under) explorer.look(game.board, cells.numberOf(under));
});
$("grid").addEventListener("focusin", (event) => explorer.look(game.board, cells.numberOf(event.target)));

// ------------------------------------------------------------------------------- in and out

// Read a board file's text, as the command line does, and show it.
async function load(text) {
  const { board } = await ask("board", { board: text });
  game.load(Board.fromText(board));
}

async function told(work) {
  try {
    await work();
  } catch (error) {
    if (error.name !== "AbortError") say(error.message.replace(/^board(?=:)/, "text"));
  }
}

on("as-text", "toggle", controls);
on("use-text", "click", () => told(() => load($("text").value)));
on("examples", "change", () => {
  const text = examples[$("examples").value];
  if (text) told(() => load(text));
  $("examples").value = "";
});
on("open", "click", () => $("file").click());
on("file", "change", async () => {
  const [file] = $("file").files;
  $("file").value = "";
  if (file) told(() => read(file));
});
async function read(file) {
  if (file.size > 500_000) throw new Error("this file is too large to be a board");
  await load(await file.text());
}
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text/plain");
  if (file) told(() => read(file));
  else if (text) told(() => load(text));
});
document.addEventListener("paste", (event) => {
  if (event.target.closest?.("textarea, input")) return;
  const text = event.clipboardData.getData("text/plain");
  if (text) told(() => load(text));
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.target.closest?.("textarea, input[type=text]")) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) game.undo();
  else if (key === "y" || (key === "z" && event.shiftKey)) game.redo();
  else return;
  event.preventDefault();
});

on("save-board", "click", () => download("board.txt", game.board.text, "text/plain"));
on("save-result", "click", () => told(async () => {
  say("solving …");
  const result = await ask("solve", { board: game.board.text, timeout: 30 });
  download("result.json", JSON.stringify(result, null, 1), "application/json");
  say("");
}));
on("save-picture", "click", () => download("board.svg",
  picture(game.board, $("show-presses").checked ? dots : []), "image/svg+xml"));
on("save-animation", "click", async () => {
  const found = await sequence();
  if (found) download("order.svg", animation(game.board, found), "image/svg+xml");
});

// ------------------------------------------------------------------------------- the start

let examples = {};
new ResizeObserver(layout).observe($("pane"));
window.addEventListener("resize", layout);
for (const name of ["online", "focus"]) window.addEventListener(name, () => answers.again());
document.addEventListener("visibilitychange", () => { if (!document.hidden) answers.again(); });

const linked = fromAddress();
const problem = note;
const { presses: made, playing: went } = history.state ?? {}; // before a reload
if (linked && Array.isArray(made) && made.every((k) => linked.isBulb(k))) {
  $("play").checked = Boolean(went);
  game.resume(linked, made);
} else if (linked) {
  game.load(linked);
}
show();
question();
told(async () => {
  const start = await (await fetch("/api/start")).json();
  examples = start.examples;
  $("examples").append(...Object.keys(examples).map((name) => new Option(name, name)));
  if (!linked && start.board) game.load(Board.fromText(start.board));
  if (problem) say(problem);
});
