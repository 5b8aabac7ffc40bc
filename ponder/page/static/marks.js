// Marks on a board, on the canvases under and over its bulbs. What is marked:
//
//   groups    cells that are looked at together, `{ style: "outline" | "hatch", cells }`
//   pairs     pairs of cells, joined by a stroke; `numbered`: and counted
//   presses   `[cell, count]`: a dot, or a numeral for more than one
//   next      the cell to press next: a ring
//   legal     cells that may be pressed: a faint halo
//   pointed   the cell that is pointed at, `{ at, cells }`: a ring, and what its press would change
//   lines     the line bits in the margins: of the rows, of the columns
//   strand    a wire that is being drawn: the cell at its one end, the point at the other
//   rows, columns, sums   lines that are marked there, and what is counted on each side

import { circle, disc, shortened, words } from "./shapes.js";

export function drawUnder(drawing) {
  const context = cleared(drawing.layers.under);
  const { groups = [], legal = [] } = drawing.marks;
  if (!drawing.board.isGrid) wires(context, drawing, drawing.board.plan.wires);
  for (const k of legal) at(context, drawing, k, () => disc(context, 0.48 * drawing.cell, drawing.colours.legal));
  for (const { style, cells } of groups) {
    if (style === "hatch") hatch(context, drawing, cells);
    else if (drawing.board.isGrid) outline(context, drawing, cells);
    else rims(context, drawing, cells);
  }
  if (drawing.marks.pointed) pointed(context, drawing, drawing.marks.pointed);
}

export function drawOver(drawing) {
  const context = cleared(drawing.layers.over);
  const { marks, colours } = drawing;
  if (!drawing.board.isGrid) names(context, drawing);
  if (drawing.board.goal === "grid") goal(context, drawing);
  strokes(context, drawing, marks.pairs ?? []);
  if (marks.numbered) numbers(context, drawing, marks.pairs);
  for (const [k, count] of marks.presses ?? []) press(context, drawing, k, count);
  if (marks.pointed) ring(drawing, marks.pointed.at, colours.mark, 0.44, 0.045);
  if (Number.isInteger(marks.next)) ring(drawing, marks.next, colours.dot, 0.45, 0.07);
  if (marks.lines) lines(context, drawing);
  if (marks.strand) strand(context, drawing, ...marks.strand);
}

export function ring(drawing, k, colour, radius, width = 0.06) {
  const context = drawing.layers.over.getContext("2d"), { cell, scale } = drawing;
  at(context, drawing, k, () => circle(context, radius * cell, colour, Math.max(1.5 * scale, width * cell)));
}

export function cleared(canvas) {
  const context = canvas.getContext("2d");
  context.save();
  context.resetTransform(); // wherever on the board the canvas is
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.restore();
  return context;
}

function at(context, drawing, k, draw) {
  context.save();
  context.translate(...drawing.middle(k));
  draw();
  context.restore();
}

// ------------------------------------------------------------------------------- groups

// One shape around all cells: those that stand side by side grow together. Cells that touch at a
// corner are joined by the stroke of their pair.
function outline(context, drawing, cells) {
  const { cell: side, colours, scale } = drawing, line = Math.max(1.5 * scale, 0.045 * side);
  context.save();
  contour(context, drawing, cells, 0.03 * side + line / 2, 0.3 * side);
  context.strokeStyle = context.fillStyle = colours.mark;
  context.lineWidth = line;
  context.stroke();
  context.globalAlpha = 0.16;
  context.fill("evenodd");
  context.restore();
}

// What a press of the bulb that is pointed at would change.
function pointed(context, drawing, { at: pressed, cells }) {
  if (!drawing.board.isGrid) {
    wires(context, drawing, cells.map((k) => [pressed, k]), drawing.colours.mark);
    for (const k of cells) at(context, drawing, k, () => disc(context, 0.5 * drawing.cell, drawing.colours.bg));
    for (const k of cells) at(context, drawing, k, () => disc(context, 0.5 * drawing.cell, drawing.colours.point));
    return;
  }
  contour(context, drawing, cells, 0.03 * drawing.cell, 0.3 * drawing.cell);
  context.fillStyle = drawing.colours.point;
  context.fill("evenodd");
}

// A path around cells, `inset` within them, with round corners. It follows the sides between a cell
// of the group and one outside, with the group on its right; where two cells touch at a corner it
// turns right, so that each has a path of its own.
function contour(context, drawing, cells, inset, radius) {
  const { columns } = drawing.board, members = new Set(cells), sides = new Map();
  const has = (r, c) => c >= 0 && c < columns && members.has(r * columns + c);
  const add = (r, c, way) => sides.set(`${r},${c},${way}`, [r, c, way]);
  for (const k of cells) {
    const r = Math.floor(k / columns), c = k % columns;
    if (!has(r - 1, c)) add(r, c, 0);         // along its top, to the right
    if (!has(r, c + 1)) add(r, c + 1, 1);     // down its right side
    if (!has(r + 1, c)) add(r + 1, c + 1, 2); // along its bottom, to the left
    if (!has(r, c - 1)) add(r + 1, c, 3);     // up its left side
  }
  context.beginPath();
  while (sides.size) {
    const [first] = sides.values(), corners = [];
    const isFirst = (r, c, way) => r === first[0] && c === first[1] && way === first[2];
    let [r, c, way] = first;
    do {
      sides.delete(`${r},${c},${way}`);
      [r, c] = [r + WAYS[way][0], c + WAYS[way][1]];
      const turn = [1, 0, 3].find((by) => sides.has(`${r},${c},${(way + by) % 4}`) || isFirst(r, c, (way + by) % 4));
      if (turn !== 0) corners.push([r, c, way, (way + turn) % 4]);
      way = (way + turn) % 4;
    } while (!isFirst(r, c, way));
    round(context, corners.map((corner) => inner(drawing, corner, inset)), radius);
  }
}

const WAYS = [[0, 1], [1, 0], [0, -1], [-1, 0]]; // right, down, left, up: row and column

// A corner of a path, moved into the group from both of its sides.
function inner({ cell, margin }, [r, c, from, to], inset) {
  const [dr, dc] = [WAYS[(from + 1) % 4], WAYS[(to + 1) % 4]].reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [margin + c * cell + dc * inset, margin + r * cell + dr * inset];
}

function round(context, corners, radius) {
  const half = ([x, y], [u, v]) => [(x + u) / 2, (y + v) / 2];
  context.moveTo(...half(corners.at(-1), corners[0]));
  corners.forEach((corner, k) => context.arcTo(...corner, ...half(corner, corners[(k + 1) % corners.length]), radius));
  context.closePath();
}

function hatch(context, drawing, cells) {
  const { board, cell: side, margin, colours, scale } = drawing;
  const [width, height] = [board.width, board.height].map((count) => count * side + 2 * margin);
  context.save();
  context.beginPath();
  for (const k of cells) {
    const [x, y] = drawing.corner(k);
    context.roundRect(x + 0.04 * side, y + 0.04 * side, 0.92 * side, 0.92 * side, 0.2 * side);
  }
  context.strokeStyle = colours.mark;
  context.lineWidth = Math.max(scale, 0.025 * side);
  context.stroke();
  context.clip();
  context.globalAlpha = 0.55;
  context.lineWidth = Math.max(scale, 0.03 * side);
  context.beginPath();
  for (let x = -height; x < width; x += Math.max(4 * scale, 0.13 * side)) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}

// ------------------------------------------------------------------------------- wires

// The wires of a graph, or those between pairs; a button's link to its seat is dashed.
function wires(context, drawing, pairs, colour = drawing.colours.ring) {
  const { board, cell, scale } = drawing, bold = colour === drawing.colours.mark;
  context.strokeStyle = colour;
  context.lineCap = "round";
  const stroke = (ends) => {
    context.beginPath();
    for (const [a, b] of ends) join(context, drawing, a, b);
    context.stroke();
  };
  context.lineWidth = Math.max((bold ? 2 : 1.3) * scale, (bold ? 0.05 : 0.03) * cell);
  stroke(pairs);
  if (!board.isWiring || bold) return;
  context.strokeStyle = drawing.colours.dot;
  context.setLineDash([0.02 * cell, 0.12 * cell]);
  context.lineWidth = Math.max(2 * scale, 0.07 * cell);
  for (const [k, seat] of board.plan.seats.entries()) if (seat >= 0) stroke([[board.size + k, seat]]);
  context.setLineDash([]);
}

// The way from one place to another: straight, or bent around those that lie between.
function join(context, drawing, a, b) {
  context.moveTo(...drawing.middle(a));
  context.quadraticCurveTo(...aside(drawing, a, b, 2), ...drawing.middle(b));
}

// A point beside the middle of such a way, `far` times as far as it bends.
function aside(drawing, a, b, far) {
  const [x, y] = drawing.middle(a), [u, v] = drawing.middle(b), bow = far * drawing.board.bow(a, b);
  return [(x + u) / 2 + bow * (v - y), (y + v) / 2 - bow * (u - x)];
}

// A wire that is being drawn.
function strand(context, drawing, k, [x, y]) {
  context.strokeStyle = drawing.colours.mark;
  context.lineWidth = Math.max(2 * drawing.scale, 0.07 * drawing.cell);
  context.beginPath();
  context.moveTo(...drawing.middle(k));
  context.lineTo(drawing.margin + x * drawing.cell, drawing.margin + y * drawing.cell);
  context.stroke();
}

const SMALL = 36;         // pixels of a cell in which a name stands within its bulb
const ON_LIT = "#1d2530"; // words on a lit bulb, by day and by night

// The names of bulbs, at their feet, with a rim in the colour of the page where wires run.
function names(context, drawing) {
  const { board, cell, colours, scale } = drawing, size = Math.max(9 * scale, Math.min(15 * scale, 0.26 * cell));
  context.lineJoin = "round";
  for (let k = 0; k < board.size; k++) {
    const name = board.label(k), text = shortened(name, 8);
    at(context, drawing, k, () => {
      if (cell < SMALL * scale) return words(context, shortened(name, 3), 0.32 * cell, board.isLit(k) ? ON_LIT : colours.soft);
      context.translate(0.36 * cell, 0.4 * cell);
      context.font = `600 ${size}px system-ui, sans-serif`;
      Object.assign(context, { textAlign: "center", textBaseline: "middle", strokeStyle: colours.bg, lineWidth: 4 * scale });
      context.strokeText(text, 0, 0.05 * size);
      words(context, text, size, colours.soft);
    });
  }
}

// Rings around bulbs of a graph that are looked at together.
function rims(context, drawing, cells) {
  const { cell, colours, scale } = drawing;
  for (const k of cells) at(context, drawing, k, () => {
    context.globalAlpha = 0.16;
    disc(context, 0.48 * cell, colours.mark);
    context.globalAlpha = 1;
    circle(context, 0.48 * cell, colours.mark, Math.max(1.5 * scale, 0.045 * cell));
  });
}

// ------------------------------------------------------------------------------- single marks

function goal(context, drawing) {
  const { board, cell, colours } = drawing;
  context.setLineDash([0.06 * cell, 0.07 * cell]);
  for (let k = 0; k < board.size; k++)
    if (board.isBulb(k) && board.wantsLit(k)) ring(drawing, k, colours["lit-rim"], 0.44, 0.035);
  context.setLineDash([]);
}

function strokes(context, drawing, pairs) {
  context.lineCap = "round";
  context.strokeStyle = drawing.colours.mark;
  context.lineWidth = Math.max(2 * drawing.scale, 0.09 * drawing.cell);
  context.beginPath();
  for (const [a, b] of pairs) join(context, drawing, a, b);
  context.stroke();
}

function numbers(context, drawing, pairs) {
  const { cell, colours, scale } = drawing;
  pairs.forEach(([a, b], n) => {
    context.save();
    context.translate(...aside(drawing, a, b, 1));
    disc(context, Math.max(8 * scale, 0.17 * cell), colours.mark);
    words(context, n + 1, Math.max(10 * scale, 0.22 * cell), colours.card);
    context.restore();
  });
}

function press(context, drawing, k, count) {
  const { cell: side, colours } = drawing;
  at(context, drawing, k, () => {
    disc(context, (count === 1 ? 0.125 : 0.2) * side, colours.card);
    disc(context, (count === 1 ? 0.095 : 0.175) * side, colours.dot);
    if (count > 1) words(context, count, 0.26 * side, colours.card);
  });
}

// A square for every row and column: filled where its bit is 1; the marked ones in the colour of
// marks, with their sums.
function lines(context, drawing) {
  const { board, margin, cell, colours, scale, marks } = drawing;
  const { lines: bits, rows = [], columns = [], sums = [] } = marks;
  const side = Math.min(0.24 * cell, 0.42 * margin);
  const square = (x, y, filled, on) => {
    context.beginPath();
    context.roundRect(x - side / 2, y - side / 2, side, side, 0.22 * side);
    context.strokeStyle = context.fillStyle = on ? colours.mark : colours.soft;
    context.lineWidth = Math.max(scale, 0.1 * side);
    if (filled) context.fill();
    context.stroke();
    if (!on) return;
    context.globalAlpha = 0.35;
    context.beginPath();
    context.roundRect(x - side * 0.8, y - side * 0.8, side * 1.6, side * 1.6, 0.4 * side);
    context.stroke();
    context.globalAlpha = 1;
  };
  const across = (k) => margin + (k + 0.5) * cell;
  bits[0].forEach((bit, r) => square(margin / 2, across(r), bit, rows.includes(r)));
  bits[1].forEach((bit, c) => square(across(c), margin / 2, bit, columns.includes(c)));
  const size = Math.max(11 * scale, Math.min(0.5 * margin, 0.42 * cell));
  const sum = (number, x, y) => {
    if (!Number.isInteger(number)) return;
    context.save();
    context.translate(x, y);
    words(context, number, size, colours.mark, 700);
    context.restore();
  };
  sum(sums[0], margin / 2, margin * 1.5 + board.rows * cell);
  sum(sums[1], margin * 1.5 + board.columns * cell, margin / 2);
}
