// What has happened: edits and presses, to be undone and redone.
//
// A moment is a board, the board that play began with, the presses since, and the label of the
// start: how it came about (`label.js`), null where it was drawn. An edit begins anew.

import { labelText } from "./label.js";
import { hashOf, opened } from "./link.js";

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

  // Show a moment as the first one, or as the one after others.
  reset(moment, past = []) {
    this.past = past.slice(-MOST_MOMENTS);
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
    this.now = this.origin = begun(board); // what `Start again` returns to when nothing was played
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
  load(board, label = null) { this.step(this.origin = begun(board, label)); }

  // The same before anything has happened: there is nothing to undo.
  open(board, label = null) { this.reset(this.origin = begun(board, label)); }

  get kept() { return { start: hashOf(this.start), presses: this.presses, label: this.label }; }

  // Return to what was kept, its presses to be undone: none is made again, so none wins. Whatever is
  // wrong with it is an Error.
  restore({ start, presses, label }) {
    const { board } = opened(start), known = opened(hashOf(board, labelText(label))).label;
    const moments = [begun(board, known && { ...known, made: label.made, answer: label.answer })];
    for (const k of presses) {
      const last = moments.at(-1);
      if (!last.board.isLegal(k)) throw new Error("what was kept is damaged");
      moments.push(after(last, k));
    }
    [this.origin] = moments;
    this.reset(moments.pop(), moments);
  }

  // Replace the board without a step: a stroke that goes on.
  amend(board) { this.put(begun(board)); }

  press(k) { this.step(after(this.now, k), { pressed: k }); }

  // The last moment before this one of which something is so; undefined where there is none.
  before(isSo) { return this.past.findLast(isSo); }

  // Go on from an earlier moment, as one step of the history.
  resume(moment) {
    this.origin = begun(moment.start, moment.label);
    this.step(moment);
  }

  // Show a moment of a sequence of presses that began at a moment: no step of the history.
  show(from, sequence) {
    this.put(sequence.reduce(after, from), { pressed: sequence.at(-1) });
  }

  startAgain() {
    const { start, presses, label } = this.now;
    this.step(presses.length || label ? begun(start, label) : this.origin);
  }
}

function after(moment, k) { return { ...moment, board: moment.board.pressed(k), presses: [...moment.presses, k] }; }

function begun(board, label = null) { return { board, start: board, presses: [], label }; }
