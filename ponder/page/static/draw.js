// Draw, the editor: click and drag, holes, the pattern, the rule and the goal.

import { Board, HOLE, LIT, LONGEST_SIDE, UNLIT, randomBoard, randomOrderedBoard } from "./board.js";
import { at as $, on, write } from "./dom.js";
import { MOST_PLACES, asGraph } from "./graph.js";
import { ask } from "./host.js";
import { lineBits, shownReason } from "./marking.js";
import { GOALS, PATTERNS, RULES, ruleInWords } from "./puzzles.js";
import { element } from "./shapes.js";
import { Sketch } from "./sketch.js";
import { line } from "./words.js";

const GOAL_LINES = { lit: "all-lit", unlit: "all-unlit", pressed: "all-pressed", grid: "drawn" };
const WIRES = "wires";
const NEAR = ["plus", "king"]; // patterns whose wires join bulbs side by side
const REACH = 3; // bulbs of a stencil to each side
const KINDS = ["solvable", "ordered", "unordered"];

export class Draw {
  #stroke = null;

  constructor(state, focus) {
    this.state = state;
    this.sketch = new Sketch(state, focus);
    const { game } = state, edit = (options) => game.edit(game.board.with(options));
    for (const side of ["rows", "columns"]) options(side, Array.from({ length: LONGEST_SIDE }, (_, k) => [k + 1, k + 1]));
    options("pattern", [...Object.keys(PATTERNS), WIRES].map((x) => [x, line(x)]));
    options("rule", RULES.map((x) => [x, line(x)]));
    options("goal", GOALS.map((x) => [x, line(GOAL_LINES[x])]));
    options("kind", KINDS.map((x) => [x, line(x)]));
    for (const side of ["rows", "columns"])
      on(side, "change", () => game.edit(game.board.resized(Number($("rows").value), Number($("columns").value))));
    on("pattern", "change", () => this.#pattern($("pattern").value));
    on("rule", "change", () => edit({ rule: $("rule").value }));
    on("goal", "change", () => {
      state.drawingGoal = $("goal").value === "grid";
      edit({ goal: $("goal").value, target: null });
    });
    this.showStencil = stencilEditor($("stencil-grid"), () => game.board.offsets, (offsets) => edit({ offsets }));
    on("clear", "click", () => game.edit(game.board.dark));
    on("random", "click", () => this.#random($("kind").value));
    for (const [id, name] of [["holes", "cuttingHoles"], ["draw-goal", "drawingGoal"]]) on(id, "click", () => {
      state[name] = !state[name];
      state.changed();
    });
  }

  show() {
    const { board, drawingGoal, cuttingHoles } = this.state;
    for (const name of ["rows", "columns", "pattern", "rule", "goal"]) $(name).value = board[name];
    if (!board.isGrid) $("pattern").value = WIRES;
    for (const place of [$("rows").parentElement, $("columns").parentElement, $("holes")]) place.hidden = !board.isGrid;
    this.sketch.show();
    for (const option of $("goal").options) option.disabled = board.isWiring && option.value === "pressed";
    $("draw-goal").hidden = board.goal !== "grid";
    $("draw-goal").setAttribute("aria-pressed", drawingGoal);
    $("holes").setAttribute("aria-pressed", cuttingHoles);
    $("stencil").hidden = board.pattern !== "stencil";
    if (board.pattern === "stencil") this.showStencil();
    write($("drawn-rule"), ruleInWords(board.ruleKind, board.rule, board.goal));
  }

  marks() { return { ...shownReason(this.state), ...lineBits(this.state), ...(this.state.board.isGrid ? {} : this.sketch.marks()) }; }

  // Painting: a stroke gives all its cells the state that the first one gets, lit and unlit (on the board
  // or on the goal) or holes. One step of the history.
  start(k, other) {
    const { game, cuttingHoles, drawingGoal } = this.state, { board } = game, cuts = other || cuttingHoles, onGoal = drawingGoal && !cuts;
    const before = (onGoal ? board.target : board.cells)[k];
    if (k >= board.size || (cuts ? before !== HOLE && board.bulbs === 1 : !board.isBulb(k))) return;
    this.#stroke = { cuts, onGoal, state: cuts && before !== HOLE ? HOLE : before === UNLIT ? LIT : UNLIT };
    game.keep();
    this.over(k);
  }

  over(k) {
    if (!this.#stroke) return;
    const { game } = this.state, { board } = game, { cuts, onGoal, state } = this.#stroke, before = (onGoal ? board.target : board.cells)[k];
    const isChanged = cuts ? (before === HOLE) !== (state === HOLE) : before !== HOLE && before !== state;
    if (!isChanged || (state === HOLE && board.bulbs === 1)) return;
    game.amend(onGoal ? board.withTarget(k, state) : board.withCell(k, state));
  }

  end() {
    this.#stroke = null;
    this.state.changed();
  }

  hole(k) {
    if (!this.state.board.isGrid) return this.sketch.remove(k);
    this.start(k, true);
    return this.end();
  }

  act(k) {
    if (!this.state.board.isGrid && !this.state.drawingGoal) return this.sketch.act(k);
    this.start(k, false);
    return this.end();
  }

  // Another pattern; of a grid of bulbs that are few, the same as bulbs and wires.
  #pattern(pattern) {
    const { state } = this, { game } = state, { board } = game;
    if (pattern !== WIRES) return game.edit(board.isGrid ? board.with({ pattern, offsets: null }) : Board.dark(4, 4, { pattern }));
    if (!board.isGrid) return undefined;
    if (board.bulbs > MOST_PLACES) return state.say(line("most-bulbs", { n: MOST_PLACES }));
    if (NEAR.includes(board.pattern)) return game.edit(asGraph(board));
    return state.told(() => this.sketch.laidOut(asGraph(board))); // wires would run through bulbs
  }

  #random(kind) {
    const { state } = this, { game } = state;
    if (kind === "solvable") return game.load(randomBoard(game.board));
    if (kind === "ordered") return game.load(randomOrderedBoard(game.board));
    state.say(line("looking"));
    return state.told(async () => state.load((await ask("no-order", { board: game.board.text, timeout: 10 })).board));
  }
}

function options(select, entries) {
  $(select).replaceChildren(...entries.map(([value, words]) => new Option(words, value)));
}

// Fill `place` with buttons for the offsets that `now` returns; `changed` is told others. A stencil is
// symmetric: the cell opposite goes with each. What is returned shows them.
function stencilEditor(place, now, changed) {
  const has = (offsets, [r, c]) => offsets.some(([down, right]) => down === r && right === c), buttons = [];
  for (let r = -REACH; r <= REACH; r++)
    for (let c = -REACH; c <= REACH; c++) {
      const button = element("button", { type: "button", "aria-label": nameOf(r, c) }), ends = [[r, c], [-r, -c]];
      button.disabled = !r && !c;
      button.addEventListener("click", () =>
        changed(has(now(), [r, c]) ? now().filter((at) => !has(ends, at)) : [...now(), ...ends]));
      buttons.push({ button, at: [r, c] });
      place.append(button);
    }
  return () => {
    for (const { button, at } of buttons) if (!button.disabled) button.setAttribute("aria-pressed", has(now(), at));
  };
}

function nameOf(r, c) {
  const parts = [r && line(r < 0 ? "up" : "down", { n: Math.abs(r) }), c && line(c < 0 ? "left" : "right", { n: Math.abs(c) })];
  return parts.filter(Boolean).join(", ") || line("itself");
}
