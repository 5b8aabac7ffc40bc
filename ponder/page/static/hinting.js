// Hints with their reason, step by step: first where to look, then which bulb, then it is pressed.

import { ask } from "./host.js";
import { cellsOf } from "./marking.js";
import { count } from "./records.js";
import { RIDDLE_HINTS, line, sentence } from "./words.js";

export class Hinting {
  board = null;  // the board that the hint is about
  words = "";    // why, in a sentence or two
  look = [];     // cells to look at
  lines = {};    // `rows` and `columns` to look at
  press = null;  // the cell to press, once it is told
  #told = null;
  #at = 0;

  constructor(state) { this.state = state; }

  end() { Object.assign(this, { board: null, words: "", look: [], lines: {}, press: null }); }

  async next() {
    const { state } = this;
    if (state.isRiddle) return this.#whether();
    const found = await state.sequence();
    return found && this.#towards(found);
  }

  // In a level of the path: that the board cannot be done, why, and what to mark; or the next press.
  async #whether() {
    const { state } = this, { board, live, refuting, level, isWon } = state;
    if (!level || refuting.accepted || isWon) return;
    const { refusal, order, error, nothing } = await live.when((all) => all.order || all.witness || all.error);
    if (board !== state.board) return;
    if (!refusal) {
      refuting.end();
      return order?.presses ? this.#towards(cellsOf(board, order.presses)) : state.say(error ?? nothing);
    }
    await state.told(async () => {
      const found = await ask("refute", { board: board.text, tell: true });
      if (board === state.board) this.#tell(found, sentence(refusal.why));
      state.changed();
    });
  }

  // Say the next sentence; with the last one the cells and the lines to look at.
  #tell({ bulbs: labels, rows, columns }, why) {
    const { lost, impossible, lines, bulbs, mark } = RIDDLE_HINTS, { board, game, refuting } = this.state;
    const look = cellsOf(board, labels);
    const named = (side, list) => list.map((k) => line(side, { n: k + 1 }));
    const names = [...look.map((k) => board.nameOf(k)), ...named("rows", rows), ...named("columns", columns)];
    const first = !refuting.active ? impossible : (look.length ? bulbs : lines)(names.length);
    const sentences = game.presses.length ? [lost] : [first, why, mark(names)], last = sentences.length - 1;
    if (this.board !== board || this.#at < last) this.#counted();
    this.#at = this.board === board ? Math.min(this.#at + 1, last) : 0;
    const isLast = this.#at > 0 && this.#at === last;
    Object.assign(this, { board, words: sentences[this.#at], look: isLast ? look : [], lines: isLast ? { rows, columns } : {}, press: null });
  }

  #counted() {
    this.state.round.hints += 1;
    count("hints");
  }

  // The next hint towards the first press of a sequence that solves the board.
  async #towards([press, ...later]) {
    const { state } = this, { game, board } = state, words = line("next", { place: board.nameOf(press) });
    if (board.isWiring) {
      this.#counted();
      state.hinted = press;
      return state.say(words);
    }
    if (this.board === board && this.press !== null) return game.press(this.press);
    if (this.board === board) {
      Object.assign(this, { words: this.#told.which, press });
      state.hinted = press;
      return state.say(words);
    }
    await state.told(async () => {
      const { start, presses } = board.goal === "pressed" ? { start: board, presses: [] } : game, labels = (cells) => cells.map((k) => start.label(k));
      const told = await ask("hint", { board: start.text, presses: labels(presses), sequence: labels([press, ...later]) });
      if (game.board !== board) return;
      this.#told = told;
      Object.assign(this, { board, words: told.where, look: cellsOf(board, told.bulbs), press: null });
      this.#counted();
      state.hinted = null;
      state.say("");
    });
  }
}
