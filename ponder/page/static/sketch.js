// Drawing a graph or a wiring: a click lights a bulb or, where nothing is, adds one; a drag from one
// to another makes or takes a wire, a drag to an empty place moves. The same by buttons and keys:
// with `Join`, a bulb is chosen, then the other end; Shift and an arrow move; Delete removes.

import { LIT, UNLIT } from "./board.js";
import { at as $, on } from "./dom.js";
import { SIDE, freeSpot, withPlace, withSpot, withWire, withoutPlace } from "./graph.js";
import { line } from "./words.js";

const STILL = 0.3; // cells that a hand may move while it clicks
const STEP = 12;   // points of the lattice that an arrow moves
const MODES = ["joining", "removing"];

export class Sketch {
  mode = null;   // what a click does: null, `joining` or `removing`
  end = null;    // the first end of a wire, while `joining`
  drag = null;   // { k, from, at }: what is dragged, in cells

  constructor(state, focus) {
    this.state = state;
    this.focus = focus; // puts the focus on a place
    on("add-bulb", "click", () => this.#add(freeSpot(this.board)));
    on("add-button", "click", () => this.#add(freeSpot(this.board), true));
    for (const name of MODES) on(name, "click", () => {
      Object.assign(this, { mode: this.mode === name ? null : name, end: null });
      state.changed();
    });
    on("tidy", "click", () => state.told(() => this.laidOut(this.board)));
  }

  get board() { return this.state.game.board; }

  // Show a graph with places that the engine chooses.
  laidOut(board) {
    const { positions, ...said } = JSON.parse(board.text);
    return this.state.load(JSON.stringify(said));
  }

  show() {
    const { board, state } = this;
    if (!state.isDraw) Object.assign(this, { mode: null, end: null });
    $("sketch").hidden = board.isGrid;
    $("add-button").hidden = !board.isWiring;
    for (const name of MODES) $(name).setAttribute("aria-pressed", this.mode === name);
  }

  marks() {
    const { drag, end, board } = this, marks = {};
    if (end !== null && end < board.count) marks.next = end;
    if (drag && drag.k !== null && drag.moved) marks.strand = [drag.k, drag.at];
    return marks;
  }

  act(k) {
    const { board, state, end } = this;
    if (this.mode === "removing") return this.remove(k);
    if (this.mode === null) {
      if (board.isButton(k)) return state.say(line("pressed-elsewhere", { place: board.nameOf(k) }));
      return state.game.edit(board.withCell(k, board.isLit(k) ? UNLIT : LIT));
    }
    this.end = end === null ? k : null;
    if (end === null) return state.say(line("wire-from", { place: board.nameOf(k) }));
    return this.#edit(() => withWire(board, end, k));
  }

  remove(k) { this.#edit(() => withoutPlace(this.board, k)); }

  down(k, at, other) { this.drag = { k, from: at, at, other, moved: false }; }

  move(at) {
    const { drag } = this;
    if (!drag) return;
    drag.at = at;
    drag.moved ||= Math.hypot(at[0] - drag.from[0], at[1] - drag.from[1]) > STILL;
    this.state.changed();
  }

  up(k, at) {
    const { drag, board } = this;
    this.drag = null;
    if (!drag) return;
    if (!drag.moved) {
      if (drag.k === null) return void (this.mode === "removing" || drag.other || this.#add(board.spotAt(...at)));
      return drag.other ? this.remove(drag.k) : this.act(drag.k);
    }
    if (drag.k === null || drag.k === k) return this.state.changed();
    if (k !== null) return this.#edit(() => withWire(board, drag.k, k));
    return this.#edit(() => withSpot(board, drag.k, board.spotAt(...at)));
  }

  leave() {
    this.drag = null;
    this.state.changed();
  }

  key(k, [down, right]) {
    const [x, y] = this.board.plan.spots[k], inside = (at) => Math.max(0, Math.min(SIDE - 1, at));
    this.#edit(() => withSpot(this.board, k, [inside(x + STEP * right), inside(y + STEP * down)]));
  }

  #add(spot, isButton = false) {
    const { board } = this;
    this.#edit(() => withPlace(board, spot, isButton), () => this.focus(isButton ? board.count : board.size));
  }

  // Make an edit that may be impossible, then told in the status.
  #edit(make, after = () => {}) {
    this.state.told(() => {
      this.state.game.edit(make());
      after();
    });
  }
}
