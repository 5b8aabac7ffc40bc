// What has happened: edits and presses, to be undone and redone.
//
// A moment is a board, the board that play began with, and the presses since. An edit begins anew.

export const MOST_MOMENTS = 500;

export class Game extends EventTarget {
  #past = [];
  #future = [];

  constructor(board) {
    super();
    this.now = begun(board);
    this.origin = board; // what `Reset` returns to when nothing was played
  }

  get board() { return this.now.board; }
  get presses() { return this.now.presses; }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }

  // Put another board in its place, as one step of the history.
  edit(board) { this.#step(begun(board), {}); }

  // The same, as something new: `Reset` returns to it.
  load(board) {
    this.origin = board;
    this.#step(begun(board), {});
  }

  // Go on with a board after the presses that have led to it.
  resume(board, presses) {
    let start = board;
    for (const k of presses) start = start.pressed(k); // a press undoes itself
    this.origin = start;
    this.now = { board, start, presses };
    this.#changed({});
  }

  // Replace the board without a step: a stroke that goes on.
  amend(board) {
    this.now = begun(board);
    this.#changed({});
  }

  press(k) {
    const { board, start, presses } = this.now;
    this.#step({ board: board.pressed(k), start, presses: [...presses, k] }, { pressed: k });
  }

  // Show a moment of a sequence of presses that began at a moment: no step of the history.
  show(from, sequence) {
    let { board } = from;
    for (const k of sequence) board = board.pressed(k);
    const pressed = sequence.at(-1);
    this.now = { board, start: from.start, presses: [...from.presses, ...sequence] };
    this.#changed({ pressed });
  }

  // Keep the present moment, to return to it by `Undo`.
  keep() {
    this.#past.push(this.now);
    this.#future = [];
  }

  undo() { this.#move(this.#past, this.#future); }
  redo() { this.#move(this.#future, this.#past); }

  reset() {
    const { start, presses } = this.now;
    this.#step(begun(presses.length ? start : this.origin), {});
  }

  #step(moment, how) {
    this.#past.push(this.now);
    if (this.#past.length > MOST_MOMENTS) this.#past.shift();
    this.#future = [];
    this.now = moment;
    this.#changed(how);
  }

  #move(from, to) {
    if (!from.length) return;
    to.push(this.now);
    this.now = from.pop();
    this.#changed({});
  }

  #changed(how) { this.dispatchEvent(new CustomEvent("change", { detail: how })); }
}

function begun(board) { return { board, start: board, presses: [] }; }

// Why a press is refused, in words; null where it is allowed.
export function refusal(board, k) {
  if (board.isLegal(k)) return null;
  const row = Math.floor(k / board.columns) + 1, column = (k % board.columns) + 1;
  const state = board.isLit(k) ? "lit" : "unlit";
  return `row ${row}, column ${column} is ${state}: only ${board.rule} bulbs may be pressed`;
}
