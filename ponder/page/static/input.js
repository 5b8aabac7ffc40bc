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
    grid.addEventListener("focusin", (event) => grid.classList.contains("by-hand") || heard.point(picture.numberOf(event.target)));
    grid.addEventListener("focusout", () => heard.point(null));
    grid.addEventListener("contextmenu", (event) => event.preventDefault());
    grid.addEventListener("click", (event) => {
      const k = picture.numberOf(event.target);
      if (event.detail === 0 && k !== null) heard.act(k); // nobody's finger: a screen reader
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
    this.picture.element(k)?.focus({ preventScroll: true });
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

  #key(event) {
    this.grid.classList.remove("by-hand");
    const k = this.picture.numberOf(event.target);
    if (k === null || event.altKey || event.metaKey) return;
    const { rows, columns, isGrid, count } = this.picture.board, ctrl = event.ctrlKey, all = Array.from({ length: count }, (_, at) => at).filter((at) => this.picture.element(at));
    if (!isGrid && !ctrl && (event.key in WAYS || event.key in STEPS)) {
      event.preventDefault();
      if (event.shiftKey && event.key in WAYS) return this.heard.sketch?.key(k, WAYS[event.key]);
      const next = event.key in WAYS ? this.picture.board.step(k, WAYS[event.key]) : all[STEPS[event.key](all.indexOf(k), all.length)];
      return next === null || this.picture.focus(next);
    }
    const r = Math.floor(k / columns), c = k % columns, bulbs = this.picture.board.pressable;
    const walks = { // from a row and a column on, by how many
      ArrowUp: [r - 1, c, -1, 0], ArrowDown: [r + 1, c, 1, 0], ArrowLeft: [r, c - 1, 0, -1], ArrowRight: [r, c + 1, 0, 1],
      Home: [r, 0, 0, 1], End: [r, columns - 1, 0, -1], PageUp: [0, c, 1, 0], PageDown: [rows - 1, c, -1, 0],
    };
    if (ctrl && (event.key === "Home" || event.key === "End")) this.picture.focus(bulbs.at(event.key === "Home" ? 0 : -1));
    else if (ctrl) return;
    else if (event.key in walks) this.#walk(...walks[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.heard.act(k);
    else if (event.key === "Delete" || event.key === "Backspace") this.heard.hole(k);
    else return;
    event.preventDefault();
  }

  // To the first bulb on a way, over holes.
  #walk(r, c, down, right) {
    const { rows, columns } = this.picture.board;
    for (; r >= 0 && r < rows && c >= 0 && c < columns; [r, c] = [r + down, c + right])
      if (this.picture.element(r * columns + c)) return this.picture.focus(r * columns + c);
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
