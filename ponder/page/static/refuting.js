// *Possible or not?*: the player has said that the board cannot be done, and marks why. What is
// marked is judged by the engine, with the code that checks results.

import { ask } from "./host.js";
import { History } from "./game.js";
import { packed, unpacked } from "./link.js";

const UNMARKED = () => ({ bulbs: new Set(), rows: new Set(), columns: new Set() });

// Event: `change`.
export class Refuting extends History {
  start = null;    // the board that it is about; null until `Impossible` was said
  judged = null;   // what the engine says of the marks: `steps`, `marks` and `result`, or `missing`
  left = false;    // whether presses were taken back for it, which `Play on` makes again
  now = UNMARKED();
  #asked = 0;

  get active() { return this.start !== null; }
  get accepted() { return Boolean(this.judged?.accepted); }
  get marks() { return this.active && !this.accepted; }
  get bulbs() { return this.now.bulbs; }
  get rows() { return this.now.rows; }
  get columns() { return this.now.columns; }

  begin(board, { left = false } = {}) {
    Object.assign(this, { start: board, left });
    this.reset(UNMARKED());
  }

  end() {
    if (!this.active) return;
    this.start = null;
    this.reset(UNMARKED());
  }

  // Mark a bulb, or a line: `what` is bulbs, rows or columns.
  toggle(what, k) {
    if (!this.marks) return;
    const marks = new Set(this[what]);
    if (!marks.delete(k)) marks.add(k);
    this.step({ ...this.now, [what]: marks });
  }

  clear() { this.step(UNMARKED()); }

  // Other marks, which nobody has judged.
  put(marks) {
    this.judged = null;
    this.#asked += 1;
    super.put(marks);
  }

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
    unpacked(code, kind === "b" ? size : rows + columns).forEach((bit, k) => {
      if (bit && kind === "b") this.bulbs.add(k);
      else if (bit) this[k < rows ? "rows" : "columns"].add(k < rows ? k : k - rows);
    });
    this.#changed();
  }

  get kept() {
    const { text, accepted, left } = this.active ? this : {};
    return this.active ? { text, accepted, left } : null;
  }

  #changed() { this.dispatchEvent(new Event("change")); }
}
