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

const GOAL_LINES = { lit: "all-lit", unlit: "all-unlit", grid: "drawn" };
const WIRES = "wires";
const NEAR = ["plus", "king"]; // patterns whose wires join bulbs side by side
const REACH = 3; // bulbs of a stencil to each side
const KINDS = ["solvable", "ordered", "unordered"];

export class Draw {
  constructor(state, focus) {
    this.state = state;
    this.sketch = new Sketch(state, focus);
    this.brush = new Brush(state.game);
    const { game } = state, edit = (options) => game.edit(game.board.with(options));
    const upTo = Array.from({ length: LONGEST_SIDE }, (_, k) => [k + 1, k + 1]);
    options("rows", upTo);
    options("columns", upTo);
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
    this.stencil = stencilEditor($("stencil-grid"), (offsets) => edit({ offsets }));
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
    for (const id of ["rows", "columns"]) $(id).parentElement.hidden = !board.isGrid;
    $("holes").hidden = !board.isGrid;
    this.sketch.show();
    $("draw-goal").hidden = board.goal !== "grid";
    $("draw-goal").setAttribute("aria-pressed", drawingGoal);
    $("holes").setAttribute("aria-pressed", cuttingHoles);
    $("stencil").hidden = board.pattern !== "stencil";
    if (board.pattern === "stencil") this.stencil.show(board.offsets);
    write($("drawn-rule"), ruleInWords(board.ruleKind, board.rule, board.goal));
  }

  marks() { return { ...shownReason(this.state), ...lineBits(this.state), ...(this.state.board.isGrid ? {} : this.sketch.marks()) }; }

  start(k, other) { this.brush.start(k, { hole: other || this.state.cuttingHoles, goal: this.state.drawingGoal }); }
  over(k) { this.brush.over(k); }

  end() {
    this.brush.end();
    this.state.changed();
  }

  hole(k) { this.state.board.isGrid ? this.brush.cut(k) : this.sketch.remove(k); }

  act(k) {
    const { game, drawingGoal, cuttingHoles } = this.state, { board } = game;
    if (!board.isGrid && !drawingGoal) return this.sketch.act(k);
    if (board.isButton(k)) return undefined;
    if (cuttingHoles) return this.hole(k);
    return game.edit(drawingGoal ? board.withTarget(k, board.target[k] === LIT ? UNLIT : LIT) : board.withCell(k, board.isLit(k) ? UNLIT : LIT));
  }

  // Another pattern; of a grid of bulbs that are few, the same as bulbs and wires.
  #pattern(pattern) {
    const { state } = this, { game } = state, { board } = game;
    if (pattern !== WIRES) return game.edit(board.isGrid ? board.with({ pattern, offsets: null }) : Board.dark(4, 4, { pattern }));
    if (!board.isGrid) return undefined;
    if (board.bulbs > MOST_PLACES) return state.say(line("most-bulbs", { n: MOST_PLACES }));
    const found = asGraph(board), { positions, ...said } = JSON.parse(found.text);
    if (NEAR.includes(board.pattern)) return game.edit(found);
    return state.told(() => state.load(JSON.stringify(said))); // wires would run through bulbs
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

// Painting: a stroke gives all its cells the state that the first one gets. One step of the history.
class Brush {
  #stroke = null;

  constructor(game) { this.game = game; }

  // Begin at cell k: with lit and unlit, or with holes, on the board or on the goal.
  start(k, { hole, goal }) {
    const { board } = this.game;
    if (k >= board.size || (!hole && !board.isBulb(k))) return;
    const state = (goal && !hole ? board.target[k] : board.cells[k]);
    this.#stroke = { hole, goal, state: hole ? (state === HOLE ? UNLIT : HOLE) : state === LIT ? UNLIT : LIT };
    this.game.keep();
    this.over(k);
  }

  over(k) {
    if (!this.#stroke) return;
    const { board } = this.game, { state, hole, goal } = this.#stroke;
    if (hole) {
      if ((board.cells[k] === HOLE) !== (state === HOLE) && (state !== HOLE || board.bulbs > 1))
        this.game.amend(board.withCell(k, state));
    } else if (!board.isBulb(k)) {
      return;
    } else if (goal) {
      if (board.target[k] !== state) this.game.amend(board.withTarget(k, state));
    } else if (board.cells[k] !== state) {
      this.game.amend(board.withCell(k, state));
    }
  }

  end() { this.#stroke = null; }

  cut(k) { if (this.game.board.bulbs > 1) this.game.edit(this.game.board.withCell(k, HOLE)); }
}

// Fill `place` with buttons; `changed` is told the offsets. A stencil is symmetric: the cell
// opposite goes with each.
function stencilEditor(place, changed) {
  const buttons = new Map();
  const on = new Set();
  for (let r = -REACH; r <= REACH; r++)
    for (let c = -REACH; c <= REACH; c++) {
      const button = element("button", { type: "button", "aria-label": nameOf(r, c) });
      button.disabled = !r && !c;
      button.addEventListener("click", () => {
        const had = on.has(`${r},${c}`);
        for (const key of [`${r},${c}`, `${-r},${-c}`]) had ? on.delete(key) : on.add(key);
        changed([...on].map((key) => key.split(",").map(Number)));
      });
      buttons.set(`${r},${c}`, button);
      place.append(button);
    }
  return {
    show(offsets) {
      on.clear();
      for (const [r, c] of offsets) on.add(`${r},${c}`);
      for (const [key, button] of buttons)
        if (!button.disabled) button.setAttribute("aria-pressed", on.has(key));
    },
  };
}

function nameOf(r, c) {
  const parts = [];
  if (r) parts.push(line(r < 0 ? "up" : "down", { n: Math.abs(r) }));
  if (c) parts.push(line(c < 0 ? "left" : "right", { n: Math.abs(c) }));
  return parts.join(", ") || line("itself");
}
