// Hints with their reason, step by step: first where to look, then which bulb, then it is pressed.

import { ask } from "./host.js";
import { cellsOf } from "./marking.js";

export class Hinting {
  board = null;  // the board that the hint is about
  words = "";    // why, in a sentence or two
  look = [];     // cells to look at
  lines = {};    // `rows` and `columns` to look at
  press = null;  // the cell to press, once it is told
  #told = null;
  #at = 0;

  // Go on with the hint for a board, from the moment of a game and a sequence that solves it: whether
  // the press is to be made now.
  async further({ board, start, presses }, sequence) {
    if (this.board === board && this.press !== null) return true;
    if (this.board === board) {
      this.words = this.#told.which;
      [this.press] = sequence;
      return false;
    }
    const labels = (cells) => cells.map((k) => start.label(k));
    this.#told = await ask("hint", { board: start.text, presses: labels(presses), sequence: labels(sequence) });
    Object.assign(this, { board, words: this.#told.where, look: cellsOf(board, this.#told.bulbs), press: null });
    return false;
  }

  // Say these sentences of a board, the next one each time, with the last one the cells and the lines
  // to look at: whether something new is said.
  tell(board, sentences, { look, rows, columns }) {
    const isNew = this.board !== board || this.#at < sentences.length - 1;
    this.#at = this.board === board ? Math.min(this.#at + 1, sentences.length - 1) : 0;
    const isLast = this.#at > 0 && this.#at === sentences.length - 1;
    Object.assign(this, { board, words: sentences[this.#at], look: isLast ? look : [], lines: isLast ? { rows, columns } : {}, press: null });
    return isNew;
  }

  end() { Object.assign(this, { board: null, words: "", look: [], lines: {}, press: null }); }
}
