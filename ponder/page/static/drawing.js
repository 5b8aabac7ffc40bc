// The board as a picture: three canvases on top of each other, measured in cells.
//
//   under   what lies behind the bulbs: outlines of components, hatched witnesses
//   bulbs   the bulbs, redrawn one by one as they change, each within its own cell
//   over    strokes, dots, numerals, rings, the line bits in the margins
//
// A bulb glides from one state to the other; after a press the change runs outwards from it.

import { HOLE } from "./board.js";

const GLIDE = 140; // milliseconds from one state to the other
const WAVE = 16;   // milliseconds that a press takes to reach the next cell
const LONGEST_WAVE = 260;
const SHAKE = 320;

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
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#restyle());
  }

  // Lay the board out: `cell` is the side of a cell and `margin` the space around, in CSS pixels.
  fit(board, cell, margin) {
    const scale = window.devicePixelRatio || 1;
    this.cell = cell * scale;
    this.margin = margin * scale;
    this.scale = scale;
    const width = board.columns * cell + 2 * margin, height = board.rows * cell + 2 * margin;
    for (const canvas of Object.values(this.layers)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    this.#restyle();
    this.show(board, { still: true });
  }

  // Show another state; `from` is the cell whose press made it, if a press did.
  show(board, { from = null, still = false } = {}) {
    const before = this.board;
    this.board = board;
    const same = before && before.rows === board.rows && before.columns === board.columns &&
      this.glow.length === board.size;
    if (!same || still || this.still.matches) {
      const changed = same && !still ? board.cells.reduce((list, x, k) => {
        if (x !== before.cells[k]) list.push(k);
        return list;
      }, []) : null;
      this.glow = Float32Array.from(board.cells, (x) => (x === 1 ? 1 : 0));
      this.moving.clear();
      if (changed) changed.forEach((k) => this.#bulb(k));
      else this.#allBulbs();
      if (!changed || board.goal === "grid") this.#over();
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

  // Draw other marks: see `marks` in main.js for what they may hold.
  mark(marks) {
    this.marks = marks;
    this.#under();
    this.#over();
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
    const { columns } = this.board;
    const steps = Math.hypot(Math.floor(k / columns) - Math.floor(from / columns), (k % columns) - (from % columns));
    return Math.min(LONGEST_WAVE, steps * WAVE);
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
    else if (this.board.goal === "grid") this.#over();
  }

  #shakeStep(now) {
    if (!this.shaken) return false;
    const { k, start } = this.shaken;
    const share = (now - start) / SHAKE;
    if (share >= 1 || k >= this.board.size) {
      this.shaken = null;
      if (k < this.board.size) this.#bulb(k);
      this.#over();
      return false;
    }
    if (this.still.matches) this.#ring(this.layers.over.getContext("2d"), k, this.colours.refuse, 0.44);
    else this.#bulb(k, Math.sin(share * Math.PI * 5) * (1 - share) * 0.09 * this.cell);
    return true;
  }

  #partyStep(now) {
    if (!this.party) return false;
    const { from, start } = this.party;
    const time = (now - start) / 1000, reach = time * 24, { rows, columns } = this.board;
    if (reach > rows + columns + 6) {
      this.party = null;
      this.#allBulbs();
      return false;
    }
    for (let k = 0; k < this.board.size; k++) {
      const steps = Math.hypot(Math.floor(k / columns) - Math.floor(from / columns), (k % columns) - (from % columns));
      const near = reach - steps;
      if (near > -1 && near < 6) this.#bulb(k, 0, 1 + 0.16 * Math.sin(Math.PI * Math.min(1, Math.max(0, near / 5))));
    }
    return true;
  }

  // ------------------------------------------------------------------------------- bulbs

  #restyle() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    this.colours = Object.fromEntries(["lit", "lit-core", "lit-edge", "lit-rim", "glow", "unlit",
      "unlit-core", "ring", "dot", "mark", "card", "ink", "soft", "refuse", "legal"].map((name) => [name, colour(name)]));
    if (!this.cell) return;
    this.sprites = [this.#unlitSprite(), this.#litSprite()];
    if (this.board) {
      this.#allBulbs();
      this.#under();
      this.#over();
    }
  }

  #sprite(draw) {
    const side = Math.ceil(this.cell);
    const canvas = new OffscreenCanvas(side, side);
    const context = canvas.getContext("2d");
    context.translate(side / 2, side / 2);
    draw(context, this.cell);
    return canvas;
  }

  #litSprite() {
    const { colours } = this;
    return this.#sprite((context, side) => {
      const halo = context.createRadialGradient(0, 0, 0.3 * side, 0, 0, 0.5 * side);
      halo.addColorStop(0, colours.glow);
      halo.addColorStop(1, `${colours.glow.slice(0, 7)}00`); // not "transparent", which is black
      context.fillStyle = halo;
      context.fillRect(-side / 2, -side / 2, side, side);
      const face = context.createRadialGradient(-0.1 * side, -0.13 * side, 0.02 * side, 0, 0, 0.37 * side);
      face.addColorStop(0, colours["lit-core"]);
      face.addColorStop(0.55, colours.lit);
      face.addColorStop(1, colours["lit-edge"]);
      disc(context, 0.36 * side, face);
      circle(context, 0.36 * side, colours["lit-rim"], Math.max(this.scale, 0.022 * side));
    });
  }

  #unlitSprite() {
    const { colours } = this;
    return this.#sprite((context, side) => {
      const face = context.createRadialGradient(0.06 * side, 0.1 * side, 0.05 * side, 0, 0, 0.34 * side);
      face.addColorStop(0, colours["unlit-core"]);
      face.addColorStop(1, colours.unlit);
      disc(context, 0.33 * side, face);
      circle(context, 0.335 * side, colours.ring, Math.max(1.1 * this.scale, 0.045 * side));
    });
  }

  #allBulbs() {
    const { bulbs } = this.layers;
    bulbs.getContext("2d").clearRect(0, 0, bulbs.width, bulbs.height);
    for (let k = 0; k < this.board.size; k++) this.#bulb(k);
  }

  #bulb(k, shift = 0, size = 1) {
    const context = this.layers.bulbs.getContext("2d");
    const [x, y] = this.#corner(k), side = this.cell;
    context.clearRect(x, y, side, side);
    if (this.board.cells[k] === HOLE) return;
    const [unlit, lit] = this.sprites, glow = this.glow[k];
    const grown = side * size, inset = (grown - side) / 2;
    context.save();
    context.beginPath();
    context.rect(x, y, side, side);
    context.clip();
    if (glow < 1) context.drawImage(unlit, x + shift - inset, y - inset, grown, grown);
    if (glow > 0) {
      context.globalAlpha = glow;
      context.drawImage(lit, x + shift - inset, y - inset, grown, grown);
    }
    context.restore();
  }

  #corner(k) {
    const { columns } = this.board;
    return [this.margin + (k % columns) * this.cell, this.margin + Math.floor(k / columns) * this.cell];
  }

  #middle(k) {
    const [x, y] = this.#corner(k);
    return [x + this.cell / 2, y + this.cell / 2];
  }

  // ------------------------------------------------------------------------------- marks

  #under() {
    const { under } = this.layers;
    const context = under.getContext("2d");
    context.clearRect(0, 0, under.width, under.height);
    for (const k of this.marks.legal ?? []) {
      context.save();
      context.translate(...this.#middle(k));
      disc(context, 0.48 * this.cell, this.colours.legal);
      context.restore();
    }
    for (const { style, cells } of this.marks.groups ?? []) {
      if (style === "hatch") this.#hatch(context, cells);
      else this.#outline(context, cells, this.marks.pairs ?? []);
    }
  }

  // One shape around all cells of a group: those that stand side by side grow together, and those
  // that touch at a corner where they are a pair.
  #outline(context, cells, pairs) {
    const { width, height } = this.layers.under;
    const layer = new OffscreenCanvas(width, height), pen = layer.getContext("2d");
    const members = new Set(cells), { columns } = this.board, side = this.cell;
    const draw = (thickness, style, mode) => {
      pen.globalCompositeOperation = mode;
      pen.strokeStyle = pen.fillStyle = style;
      pen.lineCap = "round";
      pen.lineWidth = thickness;
      pen.beginPath();
      for (const k of cells) {
        const [x, y] = this.#middle(k), row = Math.floor(k / columns), column = k % columns;
        pen.moveTo(x, y);
        pen.lineTo(x + 0.01, y);
        for (const [dr, dc] of [[0, 1], [1, 0]]) {
          if (column + dc >= columns || !members.has((row + dr) * columns + column + dc)) continue;
          pen.moveTo(x, y);
          pen.lineTo(x + dc * side, y + dr * side);
        }
      }
      for (const [a, b] of pairs) {
        if (Math.abs((a % columns) - (b % columns)) > 1 || Math.abs(a - b) > columns + 1) continue;
        pen.moveTo(...this.#middle(a));
        pen.lineTo(...this.#middle(b));
      }
      pen.stroke();
    };
    const line = Math.max(1.5 * this.scale, 0.045 * side);
    draw(0.94 * side, this.colours.mark, "source-over");
    draw(0.94 * side - 2 * line, "#000", "destination-out");
    pen.globalAlpha = 0.16;
    draw(0.94 * side - 2 * line, this.colours.mark, "source-over");
    context.drawImage(layer, 0, 0);
  }

  #hatch(context, cells) {
    const side = this.cell, step = Math.max(4 * this.scale, 0.13 * side);
    context.save();
    context.beginPath();
    for (const k of cells) {
      const [x, y] = this.#corner(k);
      context.roundRect(x + 0.04 * side, y + 0.04 * side, 0.92 * side, 0.92 * side, 0.2 * side);
    }
    context.strokeStyle = this.colours.mark;
    context.lineWidth = Math.max(this.scale, 0.025 * side);
    context.stroke();
    context.clip();
    context.globalAlpha = 0.55;
    context.lineWidth = Math.max(this.scale, 0.03 * side);
    context.beginPath();
    const { width, height } = this.layers.under;
    for (let x = -height; x < width; x += step) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.stroke();
    context.restore();
  }

  #over() {
    const { over } = this.layers;
    const context = over.getContext("2d");
    context.clearRect(0, 0, over.width, over.height);
    const { marks, board, colours } = this, side = this.cell;
    if (board.goal === "grid") this.#goalRings(context);
    context.lineCap = "round";
    context.strokeStyle = colours.mark;
    context.lineWidth = Math.max(2 * this.scale, 0.09 * side);
    context.beginPath();
    for (const [a, b] of marks.pairs ?? []) {
      context.moveTo(...this.#middle(a));
      context.lineTo(...this.#middle(b));
    }
    context.stroke();
    if (marks.numbered) this.#numbers(context, marks.pairs);
    for (const [k, count] of marks.presses ?? []) this.#press(context, k, count);
    if (marks.next !== undefined && marks.next !== null) this.#ring(context, marks.next, colours.dot, 0.45, 0.07);
    if (marks.lines) this.#lines(context, marks);
    for (const group of marks.groups ?? []) if (group.label) this.#label(context, group);
  }

  // A few words at the lower edge of a group.
  #label(context, { cells, label }) {
    const { cell, colours, scale } = this, { over } = this.layers;
    const places = cells.map((k) => this.#middle(k));
    const bottom = Math.max(...places.map(([, y]) => y));
    const lowest = places.filter(([, y]) => y === bottom).map(([x]) => x);
    const size = Math.max(11 * scale, Math.min(14 * scale, 0.3 * cell));
    context.font = `600 ${size}px system-ui, sans-serif`;
    const width = context.measureText(label).width + size, height = 1.6 * size;
    const middle = (Math.min(...lowest) + Math.max(...lowest)) / 2;
    const x = Math.max(width / 2, Math.min(over.width - width / 2, middle));
    const y = Math.min(over.height - height / 2, bottom + 0.5 * cell);
    context.fillStyle = colours.mark;
    context.beginPath();
    context.roundRect(x - width / 2, y - height / 2, width, height, height / 2);
    context.fill();
    context.fillStyle = colours.card;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(label, x, y + 0.05 * size);
  }

  #goalRings(context) {
    for (let k = 0; k < this.board.size; k++)
      if (this.board.isBulb(k) && this.board.wantsLit(k)) {
        context.setLineDash([0.06 * this.cell, 0.07 * this.cell]);
        this.#ring(context, k, this.colours["lit-rim"], 0.44, 0.035);
        context.setLineDash([]);
      }
  }

  #ring(context, k, colour, radius, width = 0.06) {
    context.save();
    context.translate(...this.#middle(k));
    circle(context, radius * this.cell, colour, Math.max(1.5 * this.scale, width * this.cell));
    context.restore();
  }

  #press(context, k, count) {
    const side = this.cell, { colours } = this;
    context.save();
    context.translate(...this.#middle(k));
    if (count === 1) {
      disc(context, 0.125 * side, colours.card);
      disc(context, 0.095 * side, colours.dot);
    } else {
      disc(context, 0.2 * side, colours.card);
      disc(context, 0.175 * side, colours.dot);
      context.fillStyle = colours.card;
      context.font = `600 ${0.26 * side}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(count, 0, 0.015 * side);
    }
    context.restore();
  }

  #numbers(context, pairs) {
    context.font = `600 ${Math.max(9 * this.scale, 0.2 * this.cell)}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    pairs.forEach(([a, b], n) => {
      const [x, y] = this.#middle(a), [u, v] = this.#middle(b);
      context.save();
      context.translate((x + u) / 2, (y + v) / 2);
      disc(context, 0.14 * this.cell, this.colours.mark);
      context.fillStyle = this.colours.card;
      context.fillText(n + 1, 0, 0.01 * this.cell);
      context.restore();
    });
  }

  // A square for every row and column: filled where its bit is 1; the marked ones in the colour
  // of marks, with their sums.
  #lines(context, { lines, rows = [], columns = [], sums = [] }) {
    const { board, margin, cell, colours, scale } = this;
    const side = Math.min(0.24 * cell, 0.42 * margin), marked = [new Set(rows), new Set(columns)];
    const square = (x, y, filled, on) => {
      context.beginPath();
      context.roundRect(x - side / 2, y - side / 2, side, side, 0.22 * side);
      context.strokeStyle = context.fillStyle = on ? colours.mark : colours.soft;
      context.lineWidth = Math.max(scale, 0.1 * side);
      if (filled) context.fill();
      context.stroke();
      if (on) {
        context.globalAlpha = 0.35;
        context.beginPath();
        context.roundRect(x - side * 0.8, y - side * 0.8, side * 1.6, side * 1.6, 0.4 * side);
        context.stroke();
        context.globalAlpha = 1;
      }
    };
    lines[0].forEach((bit, r) => square(margin / 2, margin + (r + 0.5) * cell, bit, marked[0].has(r)));
    lines[1].forEach((bit, c) => square(margin + (c + 0.5) * cell, margin / 2, bit, marked[1].has(c)));
    const size = Math.max(11 * scale, Math.min(0.5 * margin, 0.42 * cell));
    context.font = `700 ${size}px system-ui, sans-serif`;
    context.fillStyle = colours.mark;
    context.textAlign = "center";
    context.textBaseline = "middle";
    if (sums[0] !== undefined && sums[0] !== null) context.fillText(sums[0], margin / 2, margin * 1.5 + board.rows * cell);
    if (sums[1] !== undefined && sums[1] !== null) context.fillText(sums[1], margin * 1.5 + board.columns * cell, margin / 2);
  }
}

function disc(context, radius, fill) {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
}

function circle(context, radius, colour, width) {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}
