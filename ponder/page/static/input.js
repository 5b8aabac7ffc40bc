// Hands on the board: mouse, pen, touch and keyboard, told as what they mean.
//
//   start(k, other)  a stroke or a press begins at cell k; `other`: with the right button
//   over(k)          the stroke has reached cell k
//   end()            the stroke is over
//   act(k)           Enter or Space on cell k, or the click of an assistive technology
//   hole(k)          Delete on cell k

export class Input {
  constructor(grid, cells, heard) {
    this.grid = grid;
    this.cells = cells;
    this.heard = heard;
    this.at = null;
    grid.addEventListener("pointerdown", (event) => this.#down(event));
    grid.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) grid.addEventListener(name, () => this.#up());
    grid.addEventListener("contextmenu", (event) => event.preventDefault());
    grid.addEventListener("click", (event) => {
      if (event.detail === 0) this.#acted(event.target); // nobody's finger: a screen reader
    });
    grid.addEventListener("keydown", (event) => this.#key(event));
  }

  #cellAt(event) {
    const box = this.grid.getBoundingClientRect(), { rows, columns } = this.cells.board;
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : null;
  }

  #down(event) {
    const k = this.#cellAt(event);
    if (k === null || (event.button !== 0 && event.button !== 2)) return;
    event.preventDefault(); // no text is selected; the focus is set here
    if (this.cells.element(k)) this.cells.element(k).focus({ preventScroll: true });
    this.grid.setPointerCapture(event.pointerId);
    this.at = k;
    this.heard.start(k, event.button === 2);
  }

  #move(event) {
    if (this.at === null) return;
    for (const one of event.getCoalescedEvents?.() ?? [event]) {
      const k = this.#cellAt(one);
      if (k === null || k === this.at) continue;
      for (const between of line(this.at, k, this.cells.board.columns)) this.heard.over(between);
      this.at = k;
    }
  }

  #up() {
    if (this.at === null) return;
    this.at = null;
    this.heard.end();
  }

  #acted(target) {
    const k = this.cells.numberOf(target);
    if (k !== null) this.heard.act(k);
  }

  #key(event) {
    const k = this.cells.numberOf(event.target);
    if (k === null || event.altKey || event.metaKey) return;
    const { rows, columns } = this.cells.board, ctrl = event.ctrlKey;
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
    const end = step === -this.cells.board.columns ? k % this.cells.board.columns : last;
    for (let next = k + step; step < 0 ? next >= end : next <= end; next += step)
      if (this.cells.element(next)) return this.cells.focus(next);
  }

  #jump(k, step) {
    while (this.cells.board.cells[k] !== undefined && !this.cells.element(k)) k += step;
    if (this.cells.element(k)) this.cells.focus(k);
  }
}

// The cells on the way from one to another, without the first.
function line(from, to, columns) {
  const [r, c] = [Math.floor(from / columns), from % columns];
  const [dr, dc] = [Math.floor(to / columns) - r, (to % columns) - c];
  const steps = Math.max(Math.abs(dr), Math.abs(dc));
  return Array.from({ length: steps }, (_, k) =>
    Math.round(r + (dr * (k + 1)) / steps) * columns + Math.round(c + (dc * (k + 1)) / steps));
}
