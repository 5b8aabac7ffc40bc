// The page: what happens on the board goes to the game; what the game and the server say is shown.

import { Board, GOALS, HOLE, LIT, LONGEST_SIDE, PATTERNS, RULES, UNLIT, randomBoard, randomOrderedBoard } from "./board.js";
import { Brush } from "./brush.js";
import { Cells } from "./cells.js";
import { Drawing } from "./drawing.js";
import { Explorer } from "./explore.js";
import { takeIn } from "./files.js";
import { Address, ask, ended, frame, root, shares, start } from "./host.js";
import { Input } from "./input.js";
import { layout } from "./layout.js";
import { boardOf, hashIn } from "./link.js";
import { LONG, Live } from "./live.js";
import { Game, refusal } from "./play.js";
import { Player, playerControls } from "./player.js";
import { pressesOf, resultIn, withBoard } from "./results.js";
import { animation, download, picture } from "./save.js";
import { stencilEditor } from "./stencil.js";
import { fewestWords, meanwhile, place, presses, progressWords, reason, sentence, timeWords, verdict } from "./words.js";

const GOAL_WORDS = { lit: "all lit", unlit: "all unlit", grid: "drawn" };
const KINDS = { solvable: "solvable", ordered: "with an order", unordered: "without order" };
const FIRST = "pattern: cross\nrule: unlit\ngoal: lit\n0011\n1101\n0110\n0001\n";

const $ = (id) => root.getElementById(id);
const game = new Game(Board.fromText(FIRST));
const drawing = new Drawing({ under: $("under"), bulbs: $("bulbs"), over: $("over") });
const cells = new Cells($("grid"));
const live = new Live(game);
const brush = new Brush(game);
const player = new Player(game);
const explorer = new Explorer();

let hinted = null, counted = false, drawingGoal = false, cuttingHoles = false;
let note = "", begunAt = null;
let time = "0:00";
let best = null; // the fewest presses from where play began, once they are proved

const playing = () => $("play").checked;
const shownBoard = () => (drawingGoal ? game.board.withCells(game.board.target) : game.board);

// ------------------------------------------------------------------------------- the game

game.addEventListener("change", ({ detail }) => {
  if (player.active && !player.showing) player.end();
  hinted = null;
  counted &&= player.active;
  note = "";
  if (game.board.goal !== "grid") drawingGoal = false;
  explorer.keepFor(game.board);
  live.follow(detail.pressed);
  if (player.active && player.running) live.rest();
  else live.ask();
  show(detail.pressed);
  clock();
  if (detail.pressed !== undefined && game.board.solved) drawing.celebrate(detail.pressed);
  address.write();
});

live.addEventListener("change", () => {
  const { fewest } = live.known;
  if (live.fresh && !game.presses.length && fewest?.optimal) best = { start: game.now.start, count: fewest.count };
  tell();
});

// ------------------------------------------------------------------------------- hands

new Input($("grid"), cells, {
  start(k, other) {
    if (playing() && !drawingGoal) act(k);
    else brush.start(k, { hole: other || cuttingHoles, goal: drawingGoal });
  },
  over: (k) => brush.over(k),
  end() {
    brush.end();
    buttons();
  },
  act,
  hole(k) { if (!playing()) brush.cut(k); },
});

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
  layout(drawing, board);
  drawing.show(board, { from: pressed ?? null });
  controls();
  tell();
}

function tell() {
  const { board } = game;
  const running = player.active && player.running;
  const words = running
    ? `${presses(player.sequence.length - player.at)} to go; this was press ${player.at} of ${player.sequence.length}.`
    : live.fresh ? verdict(board, live.known) : $("answer").textContent;
  write($("answer"), words ?? meanwhile(live.known));
  $("answer").classList.toggle("stale", !running && !live.fresh);
  $("answer").setAttribute("aria-busy", String(!running && (!live.fresh || words === null)));
  write($("why"), words ? reason(board, live.known) : "");
  const { number, proof, why } = fewestWords(board, live.known);
  write($("number"), number);
  write($("proof"), proof);
  write($("fewest-why"), why);
  write($("progress"), [progressWords(board, game.presses.length), note].filter(Boolean).join(" — "));
  write($("caption"), captionWords());
  mark();
}

function captionWords() {
  if (drawingGoal) return "Drawing the goal: what is lit here is wanted lit.";
  const drawn = live.known.refusal?.marks;
  if (drawn?.rows && !player.active) return sentence(drawn.label);
  if (live.bits && $("show-presses").checked)
    return "A dotted bulb may be pressed when the squares of its row and its column are alike.";
  return "";
}

function mark() {
  const board = shownBoard();
  const marks = { groups: [], presses: [], next: hinted };
  const drawn = drawingGoal ? null : live.known.refusal?.marks;
  const toCells = (list) => (list ?? []).map((at) => live.cellOf(at));
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
  if (board.hasLineBits && live.bits && live.bits[0].length === board.rows && live.bits[1].length === board.columns) marks.lines = live.bits;
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
  if (counted && (player.active || live.known.best)) {
    const left = player.active ? player.sequence.slice(player.at) : live.known.best.map((at) => live.cellOf(at));
    const counts = new Map();
    for (const k of left) counts.set(k, (counts.get(k) ?? 0) + 1);
    return [...counts];
  }
  return $("show-presses").checked ? live.dots.map((k) => [k, 1]) : [];
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
  if (!game.presses.length) [begunAt, time] = [null, "0:00"];
  else begunAt ??= Date.now();
  $("time").hidden = begunAt === null || !playing();
  const fewest = best?.start === game.now.start ? `, fewest ${best.count}` : "";
  if (begunAt !== null && !game.board.solved) time = timeWords((Date.now() - begunAt) / 1000);
  write($("time"), `${time}${fewest}`);
}
const ticking = setInterval(() => { if (begunAt !== null) clock(); }, 500);
ended.addEventListener("abort", () => clearInterval(ticking));

// ------------------------------------------------------------------------------- the address

const address = new Address(game, () => ({ presses: game.presses, playing: playing() }));
address.watch(() => told(() => {
  const board = address.read(), { presses } = address.kept;
  if (board && presses?.length) game.resume(board, presses);
  else if (board) game.load(board);
}));
$("share").hidden = !shares;

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
  if (player.active) player.end();
  drawingGoal = cuttingHoles = false;
  note = "";
  show();
  clock();
  address.write();
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
  const { link } = address;
  $("address").value = link;
  try {
    await navigator.clipboard.writeText(link);
    $("address").hidden = true;
    say("the address is copied: open it on this machine, or paste it on ponder's page elsewhere");
  } catch {
    $("address").hidden = false;
    $("address").focus();
    $("address").select();
    say("this is the address: open it on this machine, or paste it on ponder's page elsewhere");
  }
});

on("show-presses", "change", tell);
on("show-legal", "change", tell);
on("count-pairs", "change", tell);
on("fewest", "click", async () => {
  counted = !counted;
  controls();
  if (counted && !(live.fresh && (live.known.fewest?.optimal || live.known.hopeless))) live.ask(LONG);
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
  if (!live.fresh) note = "thinking …";
  const found = await live.when((all) => all.ended || all.fewest || all.hopeless || all.error);
  note = "";
  if (!found.best) return void say(found.nothing);
  return found.best.map((at) => live.cellOf(at));
}

playerControls(player);
player.addEventListener("change", () => {
  controls();
  if (!player.running && !player.showing && !live.fresh) live.ask();
  tell();
});

on("quiet", "click", () => explorer.toggle("quiet", game.board));
on("single", "click", () => explorer.toggle("single", game.board));
on("previous", "click", () => explorer.turn(-1));
on("next", "click", () => explorer.turn(1));
on("again", "click", async () => {
  const found = await live.when((all) => all.sets || all.witness || all.error);
  if (!found.sets) return say("a board without solution has none to go on with");
  const chosen = new Set(found.sets.presses.map((at) => live.cellOf(at)));
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
  const under = root.elementsFromPoint(event.clientX, event.clientY).find((x) => x.role === "gridcell" || x.getAttribute("role") === "gridcell");
  if (explorer.kind === "single" && under) explorer.look(game.board, cells.numberOf(under));
});
$("grid").addEventListener("focusin", (event) => explorer.look(game.board, cells.numberOf(event.target)));

// ------------------------------------------------------------------------------- in and out

// Read a board file's text, as the command line does, and show it.
async function load(text) {
  const { board } = await ask("board", { board: text });
  game.load(Board.fromText(board));
}

// Take what somebody opens, drops or pastes: a board, the address of one, a saved result.
async function take(text) {
  const hash = hashIn(text), result = resultIn(text);
  if (hash) return game.load(boardOf(hash));
  if (!result) return load(text);
  const { text: saved } = result.board ?? {};
  if (saved) await load(saved);
  if (saved && !result.presses) return;
  const found = pressesOf(result, game.board);
  $("play").checked = true;
  drawingGoal = false;
  player.begin(found);
}

// Do something that may fail; an Error is told in the status.
async function told(work) {
  try {
    await work();
  } catch (error) {
    if (error.name !== "AbortError") say(error.message.replace(/^board(?=:)/, "text"));
  }
}

takeIn((text) => told(() => take(text)), say);
on("as-text", "toggle", controls);
on("use-text", "click", () => told(() => take($("text").value)));
on("examples", "change", () => {
  const text = examples[$("examples").value];
  if (text) told(() => load(text));
  $("examples").value = "";
});
frame.addEventListener("keydown", (event) => {
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
  const { board } = game, result = await ask("solve", { board: board.text, timeout: 30 });
  download("result.json", JSON.stringify(withBoard(result, board), null, 1), "application/json");
  say("");
}));
on("save-picture", "click", () => download("board.svg",
  picture(game.board, $("show-presses").checked ? live.dots : []), "image/svg+xml"));
on("save-animation", "click", async () => {
  const found = await sequence();
  if (found) download("order.svg", animation(game.board, found), "image/svg+xml");
});

// ------------------------------------------------------------------------------- the start

let examples = {};
const relayout = () => layout(drawing, shownBoard());
new ResizeObserver(relayout).observe($("pane"));
window.addEventListener("resize", relayout, { signal: ended });

let linked = null, problem = "";
try {
  linked = address.read();
} catch (error) {
  problem = error.message;
}
const { presses: made, playing: went } = address.kept;
if (linked && Array.isArray(made) && made.every((k) => linked.isBulb(k))) {
  $("play").checked = Boolean(went);
  game.resume(linked, made);
} else if (linked) {
  game.load(linked);
}
show();
live.ask();
told(async () => {
  const offered = await start();
  examples = offered.examples;
  $("examples").append(...Object.keys(examples).map((name) => new Option(name, name)));
  if (!linked && offered.board) game.load(Board.fromText(offered.board));
  if (problem) say(problem);
});
