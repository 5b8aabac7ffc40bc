// A board as one SVG element. Its bulbs (and the buttons of a wiring) are the cells that keyboards and
// screen readers meet: one `gridcell` each, with its name; holes are not cells.

import { root } from "./host.js";
import { MARGIN, over, under } from "./marks.js";
import { UNIT, shortened, svg, units, words } from "./shapes.js";

const TURN = 150;          // milliseconds in which a bulb turns
const WAVE = 16, LONGEST_WAVE = 260; // milliseconds that a press takes to reach the next cell, and all cells
const MOST_ROUND = 2500;   // bulbs of a board that glow and move; on a larger one they are plain discs
const LIT = "url(#lit-bulb)", UNLIT = "url(#unlit-bulb)";

const still = matchMedia("(prefers-reduced-motion: reduce)");

// A picture that stays as it is, with marks; `side`: the pixels of its longer side.
export function pictureOf(board, marks, side) {
  const margin = marks.lines || marks.margins ? MARGIN : 0.2, drawn = svg("svg", { class: "picture", "aria-hidden": "true" });
  const cell = Math.min(96, side / (Math.max(board.width, board.height) + 2 * margin));
  const bulbs = Array.from({ length: board.count }, (_, k) => k).filter((k) => board.isBulb(k)).map((k) => bulb(board, k));
  drawn.append(...under(board, marks), ...bulbs, ...over(board, marks, cell));
  frame(drawn, board, margin);
  drawn.setAttribute("width", Math.round(cell * (board.width + 2 * margin)));
  drawn.setAttribute("height", Math.round(cell * (board.height + 2 * margin)));
  return drawn;
}

function frame(drawn, { width, height }, margin) {
  drawn.setAttribute("viewBox", [-margin, -margin, width + 2 * margin, height + 2 * margin].map(units).join(" "));
}

function bulb(board, k) {
  const [x, y] = board.middle(k), isPlain = board.size > MOST_ROUND;
  if (!board.isButton(k)) {
    const disc = svg("circle", { cx: units(x), cy: units(y), r: isPlain ? 14 : UNIT / 2, ...(isPlain && { class: "plain" }) });
    light(disc, board, k);
    return disc;
  }
  const name = shortened(board.label(k), 7), wide = Math.max(0.62, Math.min(0.9, 0.2 + 0.17 * name.length));
  const box = svg("rect", { x: units(x - wide / 2), y: units(y - 0.31), width: units(wide), height: units(0.62), rx: units(0.1) });
  return svg("g", { class: board.isLegal(k) ? "button ready" : "button" }, box, words([x, y], name, Math.min(0.3, 1.2 / name.length), ""));
}

function light(disc, board, k) {
  if (board.size > MOST_ROUND) disc.classList.toggle("on", board.isLit(k));
  else disc.setAttribute("fill", board.isLit(k) ? LIT : UNLIT);
}

export class Picture {
  #elements = [];
  #named = [];
  #layers = [svg("g", { "aria-hidden": "true" }), svg("g", { role: "none" }), svg("g", { "aria-hidden": "true" })];

  constructor(grid) {
    this.grid = grid;
    this.focused = 0;
    grid.append(...this.#layers);
    grid.addEventListener("focusin", (event) => this.#rove(this.numberOf(event.target)));
  }

  numberOf(target) {
    const cell = target?.closest?.("[role=gridcell]");
    return cell ? this.#elements.indexOf(cell) : null;
  }

  element(k) { return this.#elements[k]; }

  focus(k) {
    this.#rove(k);
    this.#elements[k]?.focus();
  }

  // Lay the board out: `cell` is the side of a cell in pixels, `margin` the space around it in cells.
  fit(board, cell, margin) {
    this.cell = cell;
    frame(this.grid, board, margin);
  }

  pointOf({ clientX, clientY }) {
    const box = this.grid.getBoundingClientRect(), { x, y, width, height } = this.grid.viewBox.baseVal;
    return [(x + ((clientX - box.left) / box.width) * width) / UNIT, (y + ((clientY - box.top) / box.height) * height) / UNIT];
  }

  // Show a board; `from` is the cell whose press made it, if a press did.
  show(board, from = null) {
    const before = this.board;
    if (before === board) return;
    this.board = board;
    const same = before?.shape === board.shape && board.cells.every((x, k) => (x < 0) === (before.cells[k] < 0));
    if (!same) return void this.#build();
    const changed = Array.from(board.cells.keys()).filter((k) => board.cells[k] !== before.cells[k]);
    for (const k of changed) light(this.#elements[k], board, k);
    if (board.isWiring) for (const k of board.pressable) this.#elements[k].classList.toggle("ready", board.isLegal(k));
    if (still.matches || board.size > MOST_ROUND) return;
    for (const k of changed) {
      const delay = from === null ? 0 : Math.min(LONGEST_WAVE, WAVE * this.#steps(k, from));
      this.#elements[k].animate({ opacity: [0.3, 1] }, { duration: TURN, delay, fill: "backwards" });
    }
  }

  // Mark it; `more` adds to the name of a cell: `, press` and the like.
  mark(marks, more) {
    const { board } = this;
    this.#layers[0].replaceChildren(...under(board, marks));
    this.#layers[2].replaceChildren(...over(board, marks, this.cell));
    this.#elements.forEach((cell, k) => {
      const state = board.stateOf(k) + more(k);
      if (this.#named[k] !== state) cell.setAttribute("aria-label", `${board.nameOf(k)}, ${state}`);
      this.#named[k] = state;
    });
  }

  // Say no: the bulb shakes, or is dimmed for a moment.
  shake(k) {
    const shifts = [0, 4, -3, 2, -1, 0].map((x) => `translate(${x}px)`);
    this.#elements[k]?.animate(still.matches ? { opacity: [0.4, 0.4] } : { transform: shifts }, 320);
  }

  // A wave of light from the last press: the goal is reached.
  celebrate(from) {
    if (still.matches || this.board.size > MOST_ROUND) return;
    this.#elements.forEach((cell, k) =>
      cell.animate({ transform: ["scale(1)", "scale(1.16)", "scale(1)"] }, { duration: 210, delay: 42 * this.#steps(k, from) }));
  }

  #steps(k, from) {
    const [x, y] = this.board.middle(k), [u, v] = this.board.middle(from);
    return Math.hypot(x - u, y - v);
  }

  #build() {
    const { board, grid } = this, had = grid.contains(root.activeElement);
    [this.#elements, this.#named] = [new Array(board.count), new Array(board.count)];
    const across = board.isGrid ? board.columns : board.count, rows = [];
    for (let r = 0; r < board.rows; r++) {
      const row = svg("g", { role: "row", "aria-rowindex": r + 1 });
      for (let c = 0; c < across; c++) {
        const k = r * across + c;
        if (!board.isBulb(k)) continue;
        const cell = bulb(board, k), about = board.moreOf(k);
        const named = { role: "gridcell", tabindex: -1, "aria-colindex": c + 1, "data-row": r, "data-col": c };
        for (const [name, value] of Object.entries(named)) cell.setAttribute(name, value);
        if (about) cell.setAttribute("aria-description", about);
        row.append(cell);
        this.#elements[k] = cell;
      }
      rows.push(row);
    }
    this.#layers[1].replaceChildren(...rows);
    grid.setAttribute("aria-rowcount", board.rows);
    grid.setAttribute("aria-colcount", across);
    const at = Math.min(this.focused, board.count - 1), far = (k) => Math.abs(k - at);
    this.#rove(this.#elements.reduce((nearest, _, k) => (far(k) < far(nearest) ? k : nearest), Infinity));
    if (had) (this.#elements[this.focused] ?? root.getElementById("undo")).focus();
  }

  #rove(k) {
    if (!this.#elements[k]) return;
    this.#elements[this.focused]?.setAttribute("tabindex", -1);
    this.focused = k;
    this.#elements[k]?.setAttribute("tabindex", 0);
  }
}
