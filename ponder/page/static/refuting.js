// *Possible or not?*: the player has said that the board cannot be done, and marks why. What is
// marked is judged by the engine, with the code that checks results.

import { ask } from "./host.js";
import { packed, unpacked } from "./link.js";

const UNMARKED = () => ({ bulbs: new Set(), rows: new Set(), columns: new Set() });

// Event: `change`.
export class Refuting extends EventTarget {
  start = null;    // the board that it is about; null until `Impossible` was said
  judged = null;   // what the engine says of the marks: `steps`, `marks` and `result`, or `missing`
  left = false;    // whether presses were taken back for it, which `Play on` makes again
  bulbs = new Set();
  rows = new Set();
  columns = new Set();
  #asked = 0;
  #past = [];      // the marks before each change of them
  #future = [];

  get active() { return this.start !== null; }
  get accepted() { return Boolean(this.judged?.accepted); }
  get marks() { return this.active && !this.accepted; }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }

  // `Impossible` is said of a board.
  begin(board, { left = false } = {}) {
    this.#begin();
    Object.assign(this, { start: board, left });
    this.#changed();
  }

  // Back to the game.
  end() {
    if (!this.active) return;
    this.#begin();
    this.start = null;
    this.#changed();
  }

  // Mark a bulb, or a line: `what` is bulbs, rows or columns.
  toggle(what, k) {
    if (!this.marks) return;
    const marks = new Set(this[what]);
    if (!marks.delete(k)) marks.add(k);
    this.#step({ [what]: marks });
  }

  clear() { this.#step(UNMARKED()); }

  undo() { this.#move(this.#past, this.#future); }
  redo() { this.#move(this.#future, this.#past); }

  // The marks as the engine reads them.
  get content() {
    return { board: this.start.text, bulbs: [...this.bulbs].map((k) => this.start.label(k)), rows: [...this.rows], columns: [...this.columns] };
  }

  // Have the marks judged, by one reason alone if it is given; an Error says why they cannot be.
  // Whether they are refused.
  async check(reason) {
    const asked = ++this.#asked, judged = await ask("refute", { ...this.content, ...(reason && { reason }) });
    if (asked !== this.#asked) return false;
    this.judged = judged;
    this.#changed();
    return !judged.accepted && this.bulbs.size + this.rows.size + this.columns.size > 0;
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
  get kept() {
    const { text, accepted, left } = this.active ? this : {};
    return this.active ? { text, accepted, left } : null;
  }

  #begin() {
    [this.#past, this.#future] = [[], []];
    this.#show(UNMARKED());
  }

  #step(marks) {
    this.#past.push(this.#marked);
    this.#future = [];
    this.#show(marks);
    this.#changed();
  }

  #move(from, to) {
    to.push(this.#marked);
    this.#show(from.pop());
    this.#changed();
  }

  get #marked() { return { bulbs: this.bulbs, rows: this.rows, columns: this.columns }; }

  // Other marks, which nobody has judged.
  #show(marks) {
    Object.assign(this, marks, { judged: null });
    this.#asked += 1;
  }

  #changed() { this.dispatchEvent(new Event("change")); }
}
