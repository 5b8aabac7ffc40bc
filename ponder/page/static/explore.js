// Looking at a shape rather than at one board: quiet patterns, and bulbs that can be toggled alone.

import { ask } from "./host.js";
import { cellsOf } from "./marking.js";
import { capital, line } from "./words.js";

// What is explored: `kind` is null, `quiet` or `single`. Event: `change`.
export class Explorer extends EventTarget {
  kind = null;
  words = "";
  cells = [];    // marked as a group: a quiet pattern
  ringed = [];   // bulbs that can be toggled alone
  presses = [];  // how one of them is
  #turn = 0;
  #patterns = [];
  #shape = "";
  #abort = null;

  get pages() { return this.kind === "quiet" ? this.#patterns.length : 0; }

  async toggle(kind, board) {
    const off = this.kind === kind;
    this.close();
    if (off) return;
    Object.assign(this, { kind, words: "…" });
    this.#shape = shapeOf(board);
    this.#changed();
    await this.#ask(async (signal) => {
      const { nullity, patterns, bulbs } = await ask(kind, { board: board.text }, signal);
      if (kind === "quiet") {
        this.nullity = nullity;
        this.#patterns = patterns.map((labels) => cellsOf(board, labels));
        this.#turn = 0;
        return this.#show();
      }
      this.looking = null;
      this.ringed = bulbs.map((label) => board.bulbOf(label));
      this.words = line(bulbs.length ? "single" : "single-none", { n: bulbs.length, m: board.bulbs });
      return this.#changed();
    });
  }

  close() {
    this.#abort?.abort();
    Object.assign(this, { kind: null, words: "", cells: [], ringed: [], presses: [] });
    this.#changed();
  }

  // Another board: what was found holds as long as shape and pattern are the same.
  keepFor(board) { if (this.kind && this.#shape !== shapeOf(board)) this.close(); }

  turn(by) {
    this.#turn = (this.#turn + by + this.pages) % this.pages;
    this.#show();
  }

  async look(board, k) {
    if (this.kind !== "single" || !this.ringed.includes(k) || this.looking === k) return;
    this.looking = k;
    await this.#ask(async (signal) => {
      const found = await ask("single", { board: board.text, bulb: board.label(k) }, signal);
      this.presses = cellsOf(board, found.presses);
      this.words = capital(line("alone", { place: board.nameOf(k), n: this.presses.length }));
      this.#changed();
    });
  }

  async #ask(work) {
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    try {
      await work(signal);
    } catch (error) {
      if (signal.aborted) return;
      this.words = error.message;
      this.#changed();
    }
  }

  #show() {
    const shown = this.#patterns[this.#turn];
    this.cells = shown ?? [];
    this.words = shown ? line("quiet", { k: this.#turn + 1, m: this.nullity, n: shown.length }) : line("quiet-none");
    this.#changed();
  }

  #changed() { this.dispatchEvent(new Event("change")); }
}

function shapeOf(board) {
  const { pattern, offsets } = board.options;
  return JSON.stringify([board.shape, pattern, offsets, Array.from(board.cells, (x) => (x < 0 ? 1 : 0)).join("")]);
}
