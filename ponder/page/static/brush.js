// Painting: a stroke gives all its cells the state that the first one gets. One step of the history.

import { HOLE, LIT, UNLIT } from "./board.js";

export class Brush {
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
