// A board: its shape, which bulbs are lit, what is wanted, and what a press does.
//
// Cells are numbered row by row from 0. A board never changes: what would change it makes a new
// one, so that the history is a list of boards. `graph.js` has the boards that are no grids. Where
// the goal is `pressed`, each bulb is pressed once, and what is left is the board without it.

import { PATTERNS, unwinnable } from "./puzzles.js";
import { line } from "./words.js";

export const LONGEST_SIDE = 100;
export const UNLIT = 0, LIT = 1, HOLE = -1;

export class Board {
  // `cells` holds UNLIT, LIT or HOLE; `target` the wanted states where the goal is a grid;
  // `offsets` the stencil where the pattern is one.
  constructor(rows, columns, cells, { pattern = "cross", rule = "unlit", goal = "lit",
    target = null, offsets = null } = {}) {
    this.rows = rows;
    this.columns = columns;
    this.cells = cells;
    this.pattern = pattern;
    this.rule = rule;
    this.goal = goal;
    this.target = goal === "grid" ? target ?? Int8Array.from(cells, (x) => (x === HOLE ? HOLE : LIT)) : null;
    this.offsets = pattern === "stencil" ? offsets ?? PATTERNS.plus.offsets : PATTERNS[pattern]?.offsets ?? null;
  }

  static dark(rows, columns, options) { return new Board(rows, columns, new Int8Array(rows * columns), options); }

  // The same with other cells; a GraphBoard makes one of its kind.
  made(cells, options) { return new Board(this.rows, this.columns, cells, options); }

  // Where things are, in cells, and what they are called. Whatever has a number below `count` can
  // be pointed at: bulbs, holes, and the buttons of a wiring.
  get isGrid() { return true; }
  get isWiring() { return false; }
  get count() { return this.size; }
  get width() { return this.columns; }
  get height() { return this.rows; }
  get shape() { return `${this.rows}x${this.columns}`; }
  get sizeWords() { return `${this.rows} × ${this.columns}`; }
  get ruleKind() { return this.pattern; }
  get never() { return unwinnable(this.rule, this.goal); } // why nobody can win it; or undefined
  get pressable() { return Array.from(this.cells.keys()).filter((k) => this.isBulb(k)); }

  isButton() { return false; }
  seat(k) { return k; }
  middle(k) { return [(k % this.columns) + 0.5, Math.floor(k / this.columns) + 0.5]; }
  placeAt(x, y) {
    const row = Math.floor(y), column = Math.floor(x);
    return row >= 0 && row < this.rows && column >= 0 && column < this.columns ? row * this.columns + column : null;
  }
  label(k) { return [Math.floor(k / this.columns), k % this.columns]; }
  cellOf([row, column]) { return column < this.columns ? row * this.columns + column : -1; }
  bulbOf(label) { return this.cellOf(label); }
  nameOf(k) { return line("place", { r: Math.floor(k / this.columns) + 1, c: (k % this.columns) + 1 }); }
  stateOf(k) { return this.isLit(k) ? "lit" : "unlit"; }
  moreOf() { return ""; }

  // Why a press is refused, in words; null where it is allowed.
  refusal(k) { return this.isLegal(k) ? null : line(`refused-${this.rule}`, { place: this.nameOf(k), state: this.stateOf(k) }); }

  get size() { return this.cells.length; }

  get options() {
    const { pattern, rule, goal, target, offsets } = this;
    return { pattern, rule, goal, target, offsets: pattern === "stencil" ? offsets : null };
  }

  isBulb(k) { return this.cells[k] !== HOLE; }
  isLit(k) { return this.cells[k] === LIT; }
  wantsLit(k) { return this.goal === "lit" || (this.goal === "grid" && this.target[k] === LIT); }

  get bulbs() { return this.cells.reduce((n, x) => n + (x !== HOLE), 0); }
  get lit() { return this.cells.reduce((n, x) => n + (x === LIT), 0); }
  get solved() { return this.cells.every((x, k) => x === HOLE || (this.goal !== "pressed" && (x === LIT) === this.wantsLit(k))); }

  // Whether the line bits say which presses are legal: row/column boards with the plain goals.
  get hasLineBits() {
    return this.pattern === "cross" && ["unlit to lit", "lit to unlit"].includes(`${this.rule} to ${this.goal}`);
  }

  // The bulbs that a press of bulb k toggles, itself among them.
  toggled(k) {
    const { rows, columns } = this, row = Math.floor(k / columns), column = k % columns, found = new Set([k]);
    if (this.pattern === "cross") {
      for (let c = 0; c < columns; c++) found.add(row * columns + c);
      for (let r = 0; r < rows; r++) found.add(r * columns + column);
    } else {
      const wraps = PATTERNS[this.pattern]?.wraps;
      for (const [dr, dc] of this.offsets) {
        let r = row + dr, c = column + dc;
        if (wraps) { r = (r + rows) % rows; c = (c + columns) % columns; }
        if (r >= 0 && r < rows && c >= 0 && c < columns) found.add(r * columns + c);
      }
    }
    return [...found].filter((other) => this.isBulb(other));
  }

  isLegal(k) { return this.isBulb(k) && (this.rule === "any" || (this.rule === "lit") === this.isLit(k)); }

  pressed(k) {
    const cells = this.cells.slice();
    for (const other of this.toggled(k)) cells[other] ^= 1;
    if (this.goal === "pressed") cells[k] = HOLE;
    return this.withCells(cells);
  }

  // A press undoes itself; a bulb that is gone comes back as the rule wants it.
  before(presses) {
    const back = (board, k) => board.withCell(k, LIT).pressed(k).withCell(k, board.rule === "lit" ? LIT : UNLIT);
    return presses.reduceRight((board, k) => (this.goal === "pressed" ? back(board, k) : board.pressed(k)), this);
  }

  after(presses) { return presses.reduce((board, k) => board.pressed(k), this); }

  withCells(cells) {
    const target = this.target && Int8Array.from(this.target, (x, k) => (cells[k] === HOLE ? HOLE : x === HOLE ? LIT : x));
    return this.made(cells, { ...this.options, target });
  }

  withCell(k, state) {
    const cells = this.cells.slice();
    cells[k] = state;
    return this.withCells(cells);
  }

  withTarget(k, state) {
    const target = this.target.slice();
    target[k] = state;
    return this.with({ target });
  }

  with(options) { return this.made(this.cells, { ...this.options, ...options }); }

  // The board cut or widened at the right and at the bottom; what is new is unlit.
  resized(rows, columns) {
    const fit = (old, fresh) => Int8Array.from({ length: rows * columns }, (_, k) => {
      const r = Math.floor(k / columns), c = k % columns;
      return r < this.rows && c < this.columns ? old[r * this.columns + c] : fresh;
    });
    const cells = fit(this.cells, UNLIT);
    if (cells.every((x) => x === HOLE)) cells.fill(UNLIT);
    const made = new Board(rows, columns, cells, { ...this.options, target: this.target && fit(this.target, LIT) });
    return made.withCells(cells);
  }

  get dark() { return this.withCells(this.cells.map((x) => (x === HOLE ? HOLE : UNLIT))); }

  // As a board file.
  get text() {
    const { pattern, rule, goal, cells, target, offsets } = this;
    const words = pattern === "stencil" ? offsets.map((at) => ` ${at}`) : [];
    const [head, tail] = goal === "grid" ? [[], ["goal:", ...rowsOf(this, target)]] : [[`goal: ${goal}`], []];
    return [`pattern: ${pattern}${words.join("")}`, `rule: ${rule}`, ...head, ...rowsOf(this, cells), ...tail].join("\n") + "\n";
  }

  // From a board file in the form in which the server writes it: a full header, no blanks.
  static fromText(text) {
    const header = {}, grids = [[]];
    for (const line of text.trimEnd().split("\n")) {
      const [, key, value] = /^(\w+):(.*)$/.exec(line) ?? [];
      if (key === "goal" && !value.trim()) { header.goal = "grid"; grids.push([]); }
      else if (key) header[key] = value.trim();
      else grids.at(-1).push(line);
    }
    const [rows, target] = grids;
    const cellsOf = (lines) => Int8Array.from(lines.join(""), (x) => (x === "-" ? HOLE : Number(x)));
    const [pattern, ...words] = (header.pattern ?? "cross").split(/\s+/);
    const offsets = words.map((word) => word.split(",").map(Number));
    return new Board(rows.length, rows[0].length, cellsOf(rows), {
      pattern, rule: header.rule ?? "unlit", goal: header.goal ?? "lit",
      target: target && cellsOf(target), offsets: pattern === "stencil" ? offsets : null,
    });
  }
}

function rowsOf(board, cells) {
  const signs = Array.from(cells, (x) => (x === HOLE ? "-" : x)), { rows, columns } = board;
  return Array.from({ length: rows }, (_, r) => signs.slice(r * columns, (r + 1) * columns).join(""));
}

// A random board that some presses lead to its goal.
export function randomBoard(board) {
  if (board.goal === "pressed") return randomOrderedBoard(board);
  const share = 0.2 + 0.4 * Math.random();
  return wanted(board).after(board.pressable.filter(() => Math.random() < share));
}

// A random board with an order: it is played backwards from the goal, each bulb at most once.
// A press is legal when the bulb has the rule's state before, that is, where it toggles itself, the
// other one after. Where each bulb is to be pressed, they are put back one by one.
export function randomOrderedBoard(board) {
  const before = board.rule === "unlit" ? UNLIT : LIT, isOnce = board.goal === "pressed";
  const fits = (k) => {
    const seat = board.seat(k), own = !board.isWiring || board.toggled(k).includes(seat);
    return isOnce || board.rule === "any" || seat < 0 || (cells[seat] === before) !== own;
  };
  const { cells } = wanted(board), waiting = shuffled(board.pressable), back = new Set();
  const share = isOnce ? 1 : 0.15 + 0.35 * Math.random(), most = Math.max(1, Math.round(share * waiting.length));
  for (let count = 0; count < most; count++) {
    const at = waiting.findIndex(fits);
    if (at < 0) break;
    const [k] = waiting.splice(at, 1);
    for (const other of board.toggled(k)) if (!isOnce || back.has(other)) cells[other] ^= 1;
    if (isOnce) cells[k] = before;
    back.add(k);
  }
  return board.withCells(cells);
}

function wanted(board) {
  return board.withCells(board.cells.map((x, k) => (x === HOLE ? HOLE : board.wantsLit(k) ? LIT : UNLIT)));
}

function shuffled(list) {
  return list.map((k) => ({ k, at: Math.random() })).sort((one, other) => one.at - other.at).map(({ k }) => k);
}
