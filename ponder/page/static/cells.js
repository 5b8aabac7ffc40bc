// The board as a grid of elements, for keyboards and screen readers: one `gridcell` a bulb, with
// its name; holes are not cells. They are transparent: what is seen is drawn on the canvases.

import { HOLE } from "./board.js";
import { root } from "./host.js";

const AT_ONCE = 600; // names that are changed at once; more of them when the browser has time

export class Cells {
  #elements = [];
  #named = [];
  #waiting = 0;

  constructor(grid) {
    this.grid = grid;
    this.focused = 0;
    grid.addEventListener("focusin", (event) => this.#rove(this.numberOf(event.target)));
  }

  numberOf(element) {
    const cell = element?.closest?.("[role=gridcell]");
    return cell ? this.#elements.indexOf(cell) : null;
  }

  element(k) { return this.#elements[k]; }

  // Show a board; `more` adds to the name of a cell: `, press` and the like.
  show(board, more) {
    const rebuild = this.board?.shape !== board.shape || board.cells.some((x, k) => (x === HOLE) !== !this.#elements[k]);
    this.board = board;
    this.more = more;
    if (rebuild) this.#build();
    this.#name();
  }

  focus(k) {
    this.#rove(k);
    this.#elements[k]?.focus();
  }

  #build() {
    const { board, grid } = this;
    const had = grid.contains(root.activeElement);
    this.#elements = new Array(board.count);
    this.#named = new Array(board.count);
    const rows = document.createDocumentFragment();
    const count = board.isGrid ? board.columns : board.count, percent = (share, of) => `${(100 * share) / of}%`;
    for (let r = 0; r < board.rows; r++) {
      const row = element("div", { role: "row", "aria-rowindex": r + 1 });
      row.style.top = board.isGrid ? percent(r, board.rows) : 0;
      row.style.height = percent(1, board.rows);
      for (let c = 0; c < count; c++) {
        const k = r * count + c;
        if (!board.isBulb(k)) continue;
        const cell = element("div", { role: "gridcell", tabindex: -1, "aria-colindex": c + 1 }), [x, y] = board.middle(k);
        cell.dataset.row = r;
        cell.dataset.col = c;
        cell.style.left = percent(x - 0.5, board.width);
        cell.style.width = percent(1, board.width);
        if (!board.isGrid) Object.assign(cell.style, { top: percent(y - 0.5, board.height), height: percent(1, board.height) });
        const more = board.moreOf(k);
        if (more) cell.setAttribute("aria-description", more);
        row.append(cell);
        this.#elements[k] = cell;
      }
      rows.append(row);
    }
    grid.replaceChildren(rows);
    grid.setAttribute("aria-rowcount", board.rows);
    grid.setAttribute("aria-colcount", count);
    this.#rove(this.#nearest(Math.min(this.focused, board.count - 1)));
    if (had) this.#elements[this.focused].focus();
  }

  #nearest(k) {
    for (let step = 0; step < this.board.count; step++) {
      if (this.#elements[k - step]) return k - step;
      if (this.#elements[k + step]) return k + step;
    }
    return 0;
  }

  #rove(k) {
    if (k === null) return;
    if (this.#elements[this.focused]) this.#elements[this.focused].tabIndex = -1;
    this.focused = k;
    if (this.#elements[k]) this.#elements[k].tabIndex = 0;
  }

  #name(from = 0) {
    cancelAnimationFrame(this.#waiting);
    const { board, more } = this;
    let changed = 0;
    for (let k = from; k < board.count; k++) {
      const cell = this.#elements[k];
      if (!cell) continue;
      const state = board.stateOf(k) + more(k);
      if (this.#named[k] === state) continue;
      if (++changed > AT_ONCE) {
        this.#waiting = requestAnimationFrame(() => this.#name(k));
        return;
      }
      this.#named[k] = state;
      cell.setAttribute("aria-label", `${board.nameOf(k)}, ${state}`);
    }
  }
}

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
