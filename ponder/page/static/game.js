// What has happened: edits and presses, to be undone and redone.
//
// A moment is a board, the board that play began with, the presses since, and the label of the
// start: how it came about (`label.js`), null where it was drawn. An edit begins anew.

import { hashOf } from "./link.js";

const MOST_MOMENTS = 500;

// What is so now, and what was so before. Event: `change`.
export class History extends EventTarget {
  past = [];
  #future = [];

  get canUndo() { return this.past.length > 0; }
  get canRedo() { return this.#future.length > 0; }

  // Keep the present moment, to return to it by `Undo`.
  keep() {
    this.past.push(this.now);
    if (this.past.length > MOST_MOMENTS) this.past.shift();
    this.#future = [];
  }

  // Show a moment without a step.
  put(moment, how = {}) {
    this.now = moment;
    this.dispatchEvent(new CustomEvent("change", { detail: how }));
  }

  step(moment, how) {
    this.keep();
    this.put(moment, how);
  }

  // Show a moment as the first one.
  reset(moment) {
    this.past = [];
    this.#future = [];
    this.put(moment);
  }

  undo() { this.#move(this.past, this.#future); }
  redo() { this.#move(this.#future, this.past); }

  #move(from, to) {
    if (!from.length) return;
    to.push(this.now);
    this.put(from.pop(), { isBack: true });
  }
}

export class Game extends History {
  constructor(board) {
    super();
    this.now = begun(board);
    this.origin = board; // what `Start again` returns to when nothing was played
  }

  get board() { return this.now.board; }
  get start() { return this.now.start; }
  get presses() { return this.now.presses; }
  get label() { return this.now.label; }
  // Whether there are presses to undo: those of this game, or of one that was left before its end.
  get canUndoPresses() {
    const last = this.past.at(-1);
    return Boolean(last) && (this.presses.length > 0 || (last.presses.length > 0 && !last.board.solved));
  }

  // Put another board in its place, as one step of the history.
  edit(board) { this.step(begun(board)); }

  // The same, as something new: `Start again` returns to it.
  load(board, label = null) {
    this.origin = board;
    this.step(begun(board, label));
  }

  // The same before anything has happened: there is nothing to undo.
  open(board, label = null) {
    this.origin = board;
    this.reset(begun(board, label));
  }

  get kept() { return { start: hashOf(this.start), presses: this.presses, label: this.label }; }

  // Return to what was kept, its presses to be undone; `boardOf` reads a start. Whatever is wrong with
  // it is an Error.
  restore({ start, presses, label }, boardOf) {
    this.open(boardOf(start), label);
    for (const k of presses) {
      if (!this.board.isBulb(k)) throw new Error("what was kept is damaged");
      this.press(k);
    }
  }

  // Replace the board without a step: a stroke that goes on.
  amend(board) { this.put(begun(board)); }

  press(k) {
    const { board, start, presses, label } = this.now;
    this.step({ board: board.pressed(k), start, presses: [...presses, k], label }, { pressed: k });
  }

  // The last moment before this one of which something is so; undefined where there is none.
  before(isSo) { return this.past.findLast(isSo); }

  // Go on from an earlier moment, as one step of the history.
  resume(moment) {
    this.origin = moment.start;
    this.step(moment);
  }

  // Show a moment of a sequence of presses that began at a moment: no step of the history.
  show(from, sequence) {
    const board = from.board.after(sequence);
    this.put({ ...from, board, presses: [...from.presses, ...sequence] }, { pressed: sequence.at(-1) });
  }

  startAgain() {
    const { start, presses, label } = this.now;
    this.step(presses.length ? begun(start, label) : begun(this.origin));
  }
}

function begun(board, label = null) { return { board, start: board, presses: [], label }; }
