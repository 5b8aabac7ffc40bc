// Hands on the board: mouse, pen, touch and keyboard, told as what they mean.
//
//   paints           whether a drag paints; else a press is made where the hand goes up again, if it
//                    has not moved: a swipe scrolls, and a bulb that is held shows what it changes
//   start(k, other)  a stroke begins at cell k; `other`: with the right button
//   over(k)          the stroke has reached cell k
//   end()            the stroke is over
//   act(k)           a press, Enter or Space on cell k, or the click of an assistive technology
//   hole(k)          Delete on cell k
//   sketch           where a graph is drawn: `down(k, at, other)`, `move(at)`, `up(k, at)`, `leave()`,
//                    `key(k, way)` for Shift and an arrow; `at`: a point of the board, in cells
//   point(k)         cell k is pointed at, held or has the focus; null: none

const STILL = 10; // pixels that a hand may move while it presses

export class Input {
  #stroke = null; // the last cell of a stroke
  #sketching = false;
  #held = null;   // { k, x, y, left, top } of a press that is not made yet

  constructor(grid, pane, picture, heard) {
    this.grid = grid;
    this.pane = pane;
    this.picture = picture;
    this.heard = heard;
    grid.addEventListener("pointerdown", (event) => this.#down(event));
    grid.addEventListener("pointermove", (event) => this.#move(event));
    grid.addEventListener("pointerup", (event) => this.#up(event));
    grid.addEventListener("pointercancel", () => this.#leave());
    grid.addEventListener("pointerleave", () => heard.point(null));
    grid.addEventListener("focusin", (event) => heard.point(picture.numberOf(event.target)));
    grid.addEventListener("focusout", () => heard.point(null));
    grid.addEventListener("contextmenu", (event) => event.preventDefault());
    grid.addEventListener("click", (event) => {
      if (event.detail === 0) this.#acted(event.target); // nobody's finger: a screen reader
    });
    grid.addEventListener("keydown", (event) => this.#key(event));
  }

  #cellAt(event) { return this.picture.board.placeAt(...this.picture.pointOf(event)); }

  #down(event) {
    const k = this.#cellAt(event);
    if (!event.isPrimary) return this.#leave(); // a second finger: a pinch
    if (this.heard.sketch && event.button % 2 === 0) return this.#sketch(event, k);
    if (k === null || (event.button !== 0 && event.button !== 2)) return;
    this.grid.classList.add("by-hand"); // the focus that is set here wants no outline
    event.preventDefault(); // no text is selected; the focus is set here
    if (this.picture.element(k)) this.picture.element(k).focus({ preventScroll: true });
    this.heard.point(k);
    const touch = event.pointerType === "touch", { pane } = this;
    if (this.heard.paints && !(touch && pane.classList.contains("scrolls"))) {
      this.grid.setPointerCapture(event.pointerId);
      this.#stroke = k;
      this.heard.start(k, event.button === 2);
    } else if (event.button === 0) {
      this.#held = { k, x: event.clientX, y: event.clientY, left: pane.scrollLeft, top: pane.scrollTop, pans: !touch };
      if (!touch) this.grid.setPointerCapture(event.pointerId);
    }
  }

  #sketch(event, k) {
    event.preventDefault();
    this.grid.classList.add("by-hand");
    if (k !== null) this.picture.focus(k);
    this.grid.setPointerCapture(event.pointerId);
    this.#sketching = true;
    this.heard.sketch.down(k, this.picture.pointOf(event), event.button === 2);
  }

  #move(event) {
    if (this.#sketching) return this.heard.sketch.move(this.picture.pointOf(event));
    if (this.#stroke === null) return this.#moveHeld(event);
    for (const one of event.getCoalescedEvents?.() ?? [event]) {
      const k = this.#cellAt(one);
      if (k === null || k === this.#stroke) continue;
      for (const between of line(this.#stroke, k, this.picture.board.columns)) this.heard.over(between);
      this.#stroke = k;
    }
  }

  // A press that moves is none: with the mouse it pans.
  #moveHeld(event) {
    const held = this.#held;
    if (!held) return void (event.pointerType === "touch" || this.heard.point(this.#cellAt(event)));
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (Math.hypot(dx, dy) > STILL) held.moved = true;
    if (!held.moved) return;
    this.heard.point(null);
    if (held.pans) [this.pane.scrollLeft, this.pane.scrollTop] = [held.left - dx, held.top - dy];
  }

  #up(event) {
    if (this.#sketching) {
      this.#sketching = false;
      return this.heard.sketch.up(this.#cellAt(event), this.picture.pointOf(event));
    }
    const held = this.#held, touch = event.pointerType === "touch";
    if (this.#stroke !== null) this.heard.end();
    this.#stroke = this.#held = null;
    if (held && !held.moved && this.#cellAt(event) === held.k) this.heard.act(held.k);
    if (touch) this.heard.point(null);
  }

  #leave() {
    if (this.#sketching) this.heard.sketch?.leave();
    this.#sketching = false;
    if (this.#stroke !== null) this.heard.end();
    this.#stroke = this.#held = null;
    this.heard.point(null);
  }

  #acted(target) {
    const k = this.picture.numberOf(target);
    if (k !== null) this.heard.act(k);
  }

  #key(event) {
    this.grid.classList.remove("by-hand");
    const k = this.picture.numberOf(event.target);
    if (k === null || event.altKey || event.metaKey) return;
    const { rows, columns, isGrid, count } = this.picture.board, ctrl = event.ctrlKey;
    if (!isGrid && !ctrl && (event.key in WAYS || event.key in STEPS)) {
      event.preventDefault();
      if (event.shiftKey && event.key in WAYS) return this.heard.sketch?.key(k, WAYS[event.key]);
      const next = event.key in WAYS ? this.picture.board.step(k, WAYS[event.key]) : STEPS[event.key](k, count);
      return next === null || this.picture.focus(next);
    }
    const row = Math.floor(k / columns);
    const moves = {
      ArrowUp: [-columns, 0], ArrowDown: [columns, rows * columns - 1],
      ArrowLeft: [-1, row * columns], ArrowRight: [1, (row + 1) * columns - 1],
    };
    const jumps = {
      Home: ctrl ? [0, 1] : [row * columns, 1], End: ctrl ? [rows * columns - 1, -1] : [(row + 1) * columns - 1, -1],
      PageUp: [k % columns, columns], PageDown: [(rows - 1) * columns + (k % columns), -columns],
    };
    if (event.key in moves && !ctrl) this.#walk(k, ...moves[event.key]);
    else if (event.key in jumps) this.#jump(...jumps[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && !ctrl) this.heard.act(k);
    else if ((event.key === "Delete" || event.key === "Backspace") && !ctrl) this.heard.hole(k);
    else return;
    event.preventDefault();
  }

  // To the next bulb in a direction, over holes, up to the last cell there.
  #walk(k, step, last) {
    const end = step === -this.picture.board.columns ? k % this.picture.board.columns : last;
    for (let next = k + step; step < 0 ? next >= end : next <= end; next += step)
      if (this.picture.element(next)) return this.picture.focus(next);
  }

  #jump(k, step) {
    while (this.picture.board.cells[k] !== undefined && !this.picture.element(k)) k += step;
    if (this.picture.element(k)) this.picture.focus(k);
  }
}

const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const STEPS = { // of a graph, in the order of its numbers: by these every bulb is reached
  Home: () => 0, End: (k, count) => count - 1, PageUp: (k) => Math.max(0, k - 1), PageDown: (k, count) => Math.min(count - 1, k + 1),
};

// The cells on the way from one to another, without the first.
function line(from, to, columns) {
  const [r, c] = [Math.floor(from / columns), from % columns];
  const [dr, dc] = [Math.floor(to / columns) - r, (to % columns) - c];
  const steps = Math.max(Math.abs(dr), Math.abs(dc));
  return Array.from({ length: steps }, (_, k) =>
    Math.round(r + (dr * (k + 1)) / steps) * columns + Math.round(c + (dc * (k + 1)) / steps));
}
