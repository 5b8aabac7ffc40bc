// The board as a picture: three canvases on top of each other, measured in cells.
//
//   under   what lies behind the bulbs: outlines of components, hatched witnesses
//   bulbs   the bulbs, redrawn one by one as they change, each within its own cell
//   over    strokes, dots, numerals, rings, the line bits in the margins
//
// A bulb glides from one state to the other; after a press the change runs outwards from it.
//
// The canvases are as large as what is seen of the board, and a little more on each side: the whole
// of a large board, zoomed in on a phone, would be more pixels than a browser gives to a canvas.

import { HOLE } from "./board.js";
import { ended, styled } from "./host.js";
import { cleared, drawOver, drawUnder, ring } from "./marks.js";
import { button, litBulb, sprite, unlitBulb } from "./shapes.js";

const GLIDE = 140; // milliseconds from one state to the other
const WAVE = 16;   // milliseconds that a press takes to reach the next cell
const LONGEST_WAVE = 260;
const SHAKE = 320;
const BEYOND = 0.25; // of what is seen, drawn on each side of it
const WHOLE = 40; // pixels of the page that are whole pixels of the screen, at the usual scales

export class Drawing {
  constructor(layers) {
    this.layers = layers; // { under, bulbs, over }: canvases
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.board = null;
    this.marks = {};
    this.glow = new Float32Array(0);
    this.moving = new Map(); // cell → { from, start }
    this.shaken = null;
    this.frame = 0;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#restyle(), { signal: ended });
  }

  // Lay the board out: `cell` is the side of a cell and `margin` the space around, in CSS pixels;
  // `seen` is the part of all this that is seen, `{ left, top, width, height }`.
  fit(board, cell, margin, seen) {
    const scale = window.devicePixelRatio || 1;
    this.cell = cell * scale;
    this.margin = margin * scale;
    this.scale = scale;
    this.whole = [board.width, board.height].map((count) => Math.round(count * this.cell + 2 * this.margin));
    this.#place(seen);
    this.#dress();
    this.show(board, { still: true });
    drawUnder(this);
  }

  // Another part of the board is seen: it is drawn, unless it has been.
  see(seen) {
    if (!this.board || !this.seen || this.#ends(seen, 0).every(([from, to], k) => from >= this.seen[k][0] && to <= this.seen[k][1])) return;
    this.#place(seen);
    this.#redraw();
  }

  // From where to where a part reaches, across and down, in pixels of the canvases. It is widened to
  // whole pixels of the page and of the screen, else the browser would stretch what is drawn.
  #ends({ left, top, width, height }, beyond) {
    const whole = (round, length) => Math.round(round(length / WHOLE) * WHOLE * this.scale);
    return [[left, width], [top, height]].map(([from, length], k) => [
      Math.max(0, whole(Math.floor, from - beyond * length)),
      Math.min(this.whole[k], whole(Math.ceil, from + (1 + beyond) * length))]);
  }

  // Put the canvases where a part is; whatever is drawn is told by its place on the board.
  #place(seen) {
    this.seen = this.#ends(seen, BEYOND);
    const [[left, right], [top, bottom]] = this.seen;
    for (const canvas of Object.values(this.layers)) {
      canvas.width = right - left;
      canvas.height = bottom - top;
      canvas.getContext("2d").translate(-left, -top);
      for (const [name, length] of Object.entries({ left, top, width: right - left, height: bottom - top }))
        canvas.style[name] = `${length / this.scale}px`;
    }
  }

  // Show another state; `from` is the cell whose press made it, if a press did.
  show(board, { from = null, still = false } = {}) {
    const before = this.board;
    if (before === board && !still) return;
    this.board = board;
    const same = before && before.shape === board.shape;
    if (!same) [this.marks, this.party] = [{}, null]; // of another board
    if (same && board.isWiring) for (const k of board.pressable) this.#bulb(k); // ready, or blocked
    if (!same || still || this.still.matches) {
      const changed = same && !still ? board.cells.reduce((list, x, k) => {
        if (x !== before.cells[k]) list.push(k);
        return list;
      }, []) : null;
      this.glow = Float32Array.from(board.cells, (x) => (x === 1 ? 1 : 0));
      this.moving.clear();
      if (changed) changed.forEach((k) => this.#bulb(k));
      else this.#allBulbs();
      if (!changed || board.goal === "grid") drawOver(this);
      return;
    }
    const now = performance.now();
    for (let k = 0; k < board.size; k++) {
      if (board.cells[k] === before.cells[k]) continue;
      if (board.cells[k] === HOLE || before.cells[k] === HOLE) {
        this.glow[k] = board.cells[k] === 1 ? 1 : 0;
        this.#bulb(k);
      } else {
        this.moving.set(k, { from: this.glow[k], start: now + this.#delay(k, from) });
      }
    }
    this.#animate();
  }

  // Draw other marks: see `marks.js` for what they may hold.
  mark(marks) {
    this.marks = marks;
    drawUnder(this);
    drawOver(this);
  }

  // Say no: the bulb shakes; where motion is not wanted it is ringed for a moment.
  shake(k) {
    this.shaken = { k, start: performance.now() };
    this.#animate();
  }

  // A wave of light from the last press: the goal is reached.
  celebrate(from) {
    if (this.still.matches) return;
    this.party = { from, start: performance.now() };
    this.#animate();
  }

  #delay(k, from) {
    if (from === null) return 0;
    return Math.min(LONGEST_WAVE, this.#steps(k, from) * WAVE);
  }

  // How many cells lie between the middles of two places.
  #steps(k, from) {
    const [x, y] = this.board.middle(k), [u, v] = this.board.middle(from);
    return Math.hypot(x - u, y - v);
  }

  #animate() {
    if (!this.frame) this.frame = requestAnimationFrame((now) => this.#step(now));
  }

  #step(now) {
    this.frame = 0;
    for (const [k, { from, start }] of this.moving) {
      const target = this.board.cells[k] === 1 ? 1 : 0;
      const share = Math.min(1, Math.max(0, (now - start) / GLIDE));
      this.glow[k] = from + (target - from) * share * (2 - share);
      if (share === 1) this.moving.delete(k);
      this.#bulb(k);
    }
    const shaking = this.#shakeStep(now), party = this.#partyStep(now);
    if (this.moving.size || shaking || party) this.#animate();
    else if (this.board.goal === "grid") drawOver(this);
  }

  #shakeStep(now) {
    if (!this.shaken) return false;
    const { k, start } = this.shaken;
    const share = (now - start) / SHAKE;
    if (share >= 1 || k >= this.board.count) {
      this.shaken = null;
      if (k < this.board.count) this.#bulb(k);
      drawOver(this);
      return false;
    }
    if (this.still.matches) ring(this, k, this.colours.refuse, 0.44);
    else this.#bulb(k, Math.sin(share * Math.PI * 5) * (1 - share) * 0.09 * this.cell);
    return true;
  }

  #partyStep(now) {
    if (!this.party) return false;
    const { from, start } = this.party;
    const time = (now - start) / 1000, reach = time * 24, { width, height } = this.board;
    if (reach > width + height + 6) {
      this.party = null;
      this.#allBulbs();
      return false;
    }
    for (let k = 0; k < this.board.size; k++) {
      const near = reach - this.#steps(k, from);
      if (near > -1 && near < 6) this.#bulb(k, 0, 1 + 0.16 * Math.sin(Math.PI * Math.min(1, Math.max(0, near / 5))));
    }
    return true;
  }

  // ------------------------------------------------------------------------------- bulbs

  #dress() {
    this.colours = coloursOf();
    this.sprites = [unlitBulb, litBulb].map((draw) => sprite(draw, this));
  }

  #restyle() {
    if (!this.board) return;
    this.#dress();
    this.#redraw();
  }

  #redraw() {
    this.#allBulbs();
    drawUnder(this);
    drawOver(this);
  }

  #allBulbs() {
    cleared(this.layers.bulbs);
    for (let k = 0; k < this.board.count; k++) this.#bulb(k);
  }

  #bulb(k, shift = 0, size = 1) {
    const context = this.layers.bulbs.getContext("2d");
    const [x, y] = this.corner(k), side = this.cell, [[left, right], [top, bottom]] = this.seen;
    if (x > right || y > bottom || x + side < left || y + side < top) return;
    const [unlit, lit] = this.sprites, glow = this.glow[k];
    const grown = side * size, inset = (grown - side) / 2;
    context.save();
    context.beginPath();
    if (this.board.isGrid || this.board.isButton(k)) context.rect(x, y, side, side);
    else context.arc(x + side / 2, y + side / 2, side / 2, 0, 2 * Math.PI); // others are near, at any angle
    context.clip();
    context.clearRect(x, y, side, side);
    if (this.board.cells[k] === HOLE) return context.restore();
    if (this.board.isButton(k)) {
      context.translate(x + shift + side / 2, y + side / 2);
      button(context, side, this.colours, this.scale, this.board.label(k), this.board.isLegal(k));
      return context.restore();
    }
    if (glow < 1) context.drawImage(unlit, x + shift - inset, y - inset, grown, grown);
    if (glow > 0) {
      context.globalAlpha = glow;
      context.drawImage(lit, x + shift - inset, y - inset, grown, grown);
    }
    context.restore();
  }

  corner(k) {
    return this.middle(k).map((at) => at - this.cell / 2);
  }

  middle(k) { return this.board.middle(k).map((at) => this.margin + at * this.cell); }
}

const COLOURS = ["lit", "lit-core", "lit-edge", "lit-rim", "glow", "unlit", "unlit-core", "ring", "dot", "mark", "card", "ink",
  "soft", "refuse", "legal", "point", "bg"];

// The colours of the page, by their names in `page.css`.
export function coloursOf() {
  const style = getComputedStyle(styled);
  return Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}
