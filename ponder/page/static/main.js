// The page, put together: the state, the places, the view, hands and keys, the address, the start.

import { at as $, on, write } from "./dom.js";
import { Draw } from "./draw.js";
import { Exchange } from "./exchange.js";
import { explainsRefusals } from "./explain.js";
import { boardFrom } from "./graph.js";
import { Address, ended, frame, shares, start } from "./host.js";
import { Input } from "./input.js";
import { keyWords, listen } from "./keys.js";
import { labelOf } from "./label.js";
import { Path } from "./path.js";
import { Play } from "./play.js";
import { playerControls } from "./player.js";
import { lastGame, storage } from "./records.js";
import { Refute } from "./refute.js";
import { FIRST } from "./puzzles.js";
import { Solve } from "./solve.js";
import { State } from "./state.js";
import { statistics } from "./statistics.js";
import { View } from "./view.js";
import { KEPT } from "./words.js";

$("late")?.remove();
const early = ["solve", "draw"].find((place) => $(place).checked); // chosen before this script was here
const state = new State();
const { game } = state;
const draw = new Draw(state, (k) => view.picture.focus(k));
const view = new View(state, { play: new Play(state, new Refute(state), new Path(state)), solve: new Solve(state), draw });
const address = new Address(game, () => ({ ...state.kept, presses: game.presses, playing: state.isPlay }));
const exchange = new Exchange(state, address);

for (const place of ["play", "solve", "draw"]) on(place, "change", () => state.go(place));
on("undo", "click", () => state.undo());
on("redo", "click", () => state.redo());
on("nearest", "click", () => state.makeWinnable());
// What hides the button that was used by a key sends the focus on.
const onward = (id, go) => on(id, "click", (event) => { if (!event.detail) go(); });
for (const id of ["next", "again", "nearest"]) onward(id, () => view.picture.focus(view.picture.focused));
onward("reveal", () => $("answer").focus());
onward("leave", () => $("path").focus());
playerControls(state.player);
explainsRefusals(state);
listen(state);
tellsOfLoss();
state.addEventListener("change", () => {
  keyWords(state);
  address.write();
});

new Input($("grid"), $("pane"), view.picture, {
  get paints() { return state.isDraw; },
  start: (k, other) => draw.start(k, other),
  over: (k) => draw.over(k),
  end: () => draw.end(),
  act(k) {
    if (!state.board.isBulb(k)) return;
    if (state.isDraw) draw.act(k);
    else state.act(k);
  },
  hole(k) { if (state.isDraw) draw.hole(k); },
  get sketch() { return state.isDraw && !state.board.isGrid && !state.drawingGoal ? draw.sketch : null; },
  point(k) {
    if (state.pointed === k) return;
    state.pointed = k;
    view.mark();
    if (k !== null) state.explorer.look(state.board, k);
  },
});

$("full").hidden = !shares || !document.fullscreenEnabled;
on("full", "click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
$("statistics").hidden = !shares;
on("statistics", "click", statistics(state));

// That the browser keeps nothing is said once, until another board is there.
function tellsOfLoss() {
  let board = null;
  storage.addEventListener("lost", () => {
    board = game.start;
    write($("lost"), KEPT.lost);
  });
  state.addEventListener("change", () => { if (board && board !== game.start) write($("lost"), ""); });
}

new ResizeObserver(() => view.layout.lay()).observe($("pane"));
window.addEventListener("resize", () => view.layout.lay(), { signal: ended });
document.addEventListener("visibilitychange", () => state.changed(), { signal: ended });

address.watch(() => state.told(() => {
  const found = address.read();
  if (!found) return;
  if (address.kept.game) return void state.restore({ ...address.kept, hasClock: state.hasClock, warns: state.warns }); // back to where one was
  if (address.kept.presses?.length) return void resume(found.board, address.kept.presses);
  state.receive(found, shares);
}));

// Go on with a board after the presses that have led to it, as a notebook tells them.
function resume(board, presses) {
  const isLast = board.goal === "pressed" && board.isBulb(presses.at(-1)); // a board without bulbs is not told
  game.open(board.before(isLast ? presses.slice(0, -1) : presses));
  game.show(game.now, presses);
}

const last = shares && lastGame(); // a notebook says which board it shows
let problem = "", found = null;
try {
  found = address.read();
} catch (error) {
  problem = error.message;
}
const { kept } = address;
try {
  if (found && kept.game) state.restore(kept);
  else if (found && kept.presses?.length) resume(found.board, kept.presses);
  else if (found) open(found);
  else if (last) state.restore(last);
  else begin();
} catch {
  begin();
}
if (kept.playing && !kept.game) state.go("play");
if (early) state.go(early);
state.say(problem);
frame.classList.add("ready"); // until now nothing was seen that was not finished

// Begin with one of the boards that were made before: the engine may have to be loaded yet.
function begin() {
  const [label, text] = FIRST[Math.floor(Math.random() * FIRST.length)];
  game.open(boardFrom(text), { ...labelOf(label), made: true });
  state.first = game.start;
}

function open({ board, label, why }) {
  game.open(board, label);
  state.riddles = Boolean(label?.riddle && !label.level);
  if (why) state.believe(why);
}

const { now } = game, marking = state.refuting.active;
state.told(async () => {
  const offered = await start();
  exchange.offer(offered.examples);
  const isUntouched = game.now === now && state.refuting.active === marking && !state.asked;
  if (!found && offered.board && isUntouched) game.open(boardFrom(offered.board));
});
