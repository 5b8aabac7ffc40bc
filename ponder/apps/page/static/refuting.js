// *Possible or not?*: the player has said that the board cannot be done, and marks why. What is
// marked is judged by the engine, with the code that checks results.

import { ask } from "./host.js";
import { packed, unpacked } from "./link.js";

const SIDES = ["rows", "columns"];

// Event: `change`.
export class Refuting extends EventTarget {
  start = null;    // the board that it is about; null until `Impossible` was said
  judged = null;   // what the engine says of the marks: `steps`, `marks` and `result`, or `missing`
  refused = 0;     // how often a marking was refused, or `Impossible` said of a possible board
  bulbs = new Set();
  rows = new Set();
  columns = new Set();
  #asked = 0;

  get active() { return this.start !== null; }
  get accepted() { return Boolean(this.judged?.accepted); }
  get marks() { return this.active && !this.accepted; }

  // `Impossible` is said of a board.
  begin(board, refused = 0) {
    this.#clear();
    Object.assign(this, { start: board, refused });
    if (!board.isWiring) ask("refute", { ...this.content, first: false }).catch(() => {}); // what checks is loaded meanwhile
    this.#changed();
  }

  // Back to the game.
  end() {
    if (!this.active) return;
    this.#clear();
    this.start = null;
    this.#changed();
  }

  // Mark a bulb, or a line: `what` is bulbs, rows or columns.
  toggle(what, k) {
    if (!this.marks) return;
    if (!this[what].delete(k)) this[what].add(k);
    this.judged = null;
    this.#asked += 1;
    this.#changed();
  }

  clear() {
    this.#clear();
    this.#changed();
  }

  // The marks as the engine reads them.
  get content() {
    return { board: this.start.text, bulbs: [...this.bulbs].map((k) => this.start.label(k)), rows: [...this.rows], columns: [...this.columns] };
  }

  // Have the marks judged; an Error says why they cannot be.
  async check() {
    const asked = ++this.#asked, judged = await ask("refute", { ...this.content, first: false });
    if (asked !== this.#asked) return;
    this.judged = judged;
    if (!judged.accepted) this.refused += 1;
    this.#changed();
  }

  // The marks for an address: `b` and a bit for every cell, or `l` and a bit for every line.
  get text() {
    const bits = (size, members) => Array.from({ length: size }, (_, k) => members.has(k));
    const { rows, columns, size } = this.start;
    if (this.bulbs.size || !this.start.isGrid) return `b.${packed(bits(size, this.bulbs))}`;
    return `l.${packed([...bits(rows, this.rows), ...bits(columns, this.columns)])}`;
  }

  // Mark what an address says; an Error where it is damaged.
  mark(text) {
    const [kind, code] = text.split("."), { rows, columns, size } = this.start;
    const bits = unpacked(code, kind === "b" ? size : rows + columns);
    bits.forEach((bit, k) => {
      if (!bit) return;
      if (kind === "b") this.bulbs.add(k);
      else if (k < rows) this.rows.add(k);
      else this.columns.add(k - rows);
    });
    this.#changed();
  }

  // What a reload needs.
  get kept() { return this.active ? { text: this.text, refused: this.refused, accepted: this.accepted } : null; }

  #clear() {
    for (const what of ["bulbs", ...SIDES]) this[what] = new Set();
    this.judged = null;
    this.#asked += 1;
  }

  #changed() { this.dispatchEvent(new Event("change")); }
}
