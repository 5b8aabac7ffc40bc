// Hints with their reason, step by step: first where to look, then which bulb, then it is pressed.

import { ask } from "./host.js";
import { cellsOf } from "./marking.js";
import { translated } from "./words.js";

export class Hinting {
  board = null;  // the board that the hint is about
  words = "";    // why, in a sentence or two
  look = [];     // cells to look at
  press = null;  // the cell to press, once it is told
  #told = null;
  #at = 0;

  // Go on with the hint for a board, from the moment of a game and a sequence that solves it: whether
  // the press is to be made now.
  async further({ board, start, presses }, sequence) {
    if (this.board === board && this.press !== null) return true;
    if (this.board === board) {
      this.words = translated(this.#told.which);
      [this.press] = sequence;
      return false;
    }
    const labels = (cells) => cells.map((k) => start.label(k));
    if (board.isWiring) { // without reasons: the press at once
      Object.assign(this, { board, words: "", look: [], press: sequence[0] });
      return false;
    }
    this.#told = await ask("hint", { board: start.text, presses: labels(presses), sequence: labels(sequence) });
    Object.assign(this, { board, words: translated(this.#told.where), look: cellsOf(board, this.#told.bulbs), press: null });
    return false;
  }

  // Say these sentences of a board, the next one each time; `look` are the cells to look at.
  tell(board, sentences, look = []) {
    this.#at = this.board === board ? Math.min(this.#at + 1, sentences.length - 1) : 0;
    Object.assign(this, { board, words: sentences[this.#at], look: this.#at === sentences.length - 1 ? look : [], press: null });
  }

  end() { Object.assign(this, { board: null, words: "", look: [], press: null }); }
}
