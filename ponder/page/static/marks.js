// Marks on a board, under and over its bulbs, as SVG elements; `page.css` has their colours. What is
// marked:
//
//   groups    cells that are looked at together, `{ style: "outline" | "hatch", cells }`
//   pairs     pairs of cells, joined by a stroke; `numbered`: and counted
//   presses   `[cell, count]`: a dot, or a numeral for more than one
//   next      the cell to press next: a ring
//   hand      the cell at which an arrow points, as a mouse does
//   legal     cells that may be pressed: a faint halo
//   pointed   the cell that is pointed at, `{ at, cells }`: a ring, and what its press would change
//   arrows    pairs of cells: from the first to the second
//   numbers   `[cell, number]`: a numeral
//   margins   a number beside every row, and over every column
//   lines     the line bits in the margins: of the rows, of the columns
//   strand    a wire that is being drawn: the cell at its one end, the point at the other
//   rows, columns, sums   lines that are marked there, and what is counted on each side

import { circles, dots, path, shortened, squares, strokes, units, words } from "./shapes.js";

const SMALL = 36; // pixels of a cell in which a name stands beside its bulb
export const MARGIN = 0.72; // cells around a board with line bits

// What lies behind the bulbs.
export function under(board, { groups = [], legal = [], pointed }) {
  const middles = (cells) => cells.map((k) => board.middle(k)), found = [];
  if (!board.isGrid) found.push(...wires(board));
  if (legal.length) found.push(path(dots(middles(legal)), "halo legal"));
  for (const { style, cells } of groups) {
    if (style === "hatch") found.push(path(squares(middles(cells), 0.92), "hatch"));
    else for (const part of ["rim", "fill"]) found.push(path(joined(board, cells), `group ${part}`));
  }
  if (pointed && !board.isGrid) found.push(path(strokes(pointed.cells.map((k) => [board.middle(pointed.at), board.middle(k)])), "wire looked"));
  if (pointed) found.push(path(joined(board, pointed.cells), "group pointed"));
  return found;
}

// What lies over them; `cell`: the pixels of a cell.
export function over(board, { pairs = [], arrows = [], numbers = [], margins, numbered, presses = [], pointed, next, hand, lines, strand, ...sides }, cell) {
  const middle = (k) => board.middle(k), found = [];
  if (!board.isGrid) found.push(...names(board, cell));
  if (board.goal === "grid") {
    const wanted = Array.from(board.cells.keys()).filter((k) => board.isBulb(k) && board.wantsLit(k));
    found.push(path(circles(wanted.map(middle), 0.44), "wanted"));
  }
  const ends = pairs.map((pair) => pair.map(middle));
  if (ends.length) found.push(path(strokes(pairs.flatMap((pair) => wrapped(board, pair))), "pair"));
  if (arrows.length) found.push(path(strokes(arrows.flatMap((pair) => wrapped(board, pair))) + heads(arrows.flatMap((pair) => wrapped(board, pair).slice(-1))), "pair"));
  if (numbered) pairs.forEach((pair, n) => found.push(...numeral(between(board, pair), n + 1, 0.17, "mark")));
  const once = presses.filter(([, count]) => count === 1).map(([k]) => middle(k));
  if (once.length) for (const part of ["rim", "fill"]) found.push(path(dots(once), `press ${part}`));
  for (const [k, count] of presses) if (count > 1) found.push(...numeral(middle(k), count, 0.19, "dot"));
  for (const [k, number] of numbers) found.push(...numeral(middle(k), number, 0.22, "mark"));
  if (margins) found.push(...counts(margins, sides));
  if (pointed) found.push(path(circles([middle(pointed.at)], 0.44), "ring looked"));
  if (Number.isInteger(next)) found.push(path(circles([middle(next)], 0.45), "ring next"));
  if (Number.isInteger(hand)) found.push(path(pointer(middle(hand)), "hand"));
  if (lines) found.push(...lineBits(lines, sides));
  if (lines || margins) found.push(...totals(board, sides.sums));
  if (strand) found.push(path(strokes([[middle(strand[0]), strand[1]]]), "pair"));
  return found;
}

// Dots and strokes that make one shape of cells side by side.
function joined(board, cells) {
  const members = new Set(cells), ends = [], { columns } = board;
  if (board.isGrid) for (const k of cells) {
    const right = (k + 1) % columns !== 0 && members.has(k + 1), below = members.has(k + columns);
    if (right) ends.push([k, k + 1]);
    if (below) ends.push([k, k + columns]);
    if (right && below && members.has(k + columns + 1)) ends.push([k, k + columns + 1]); // no hole in the middle of four
  }
  return dots(cells.map((k) => board.middle(k))) + strokes(ends.map((pair) => pair.map((k) => board.middle(k))));
}

// The strokes between two cells: of a pair over the edge of a torus, one to the edge at either end.
function wrapped(board, [from, to]) {
  const ends = [from, to].map((k) => board.middle(k)), way = [0, 1].map((axis) => ends[1][axis] - ends[0][axis]);
  if (!board.isGrid || !board.pattern.startsWith("torus") || way.every((far) => Math.abs(far) < 2)) return [ends];
  const [dx, dy] = way.map((far) => (Math.abs(far) < 2 ? far : -Math.sign(far))), half = 0.62;
  return ends.map(([x, y], k) => (k ? [[x - half * dx, y - half * dy], [x, y]] : [[x, y], [x + half * dx, y + half * dy]]));
}

// Where the number of a pair stands: in the middle of it, or of its first half.
function between(board, pair) {
  const [[[x, y], [u, v]]] = wrapped(board, pair);
  return [(x + u) / 2, (y + v) / 2];
}

// The heads of arrows that lead to the middles of bulbs.
function heads(ends) {
  return strokes(ends.flatMap(([[x, y], [u, v]]) => {
    const far = Math.hypot(u - x, v - y) || 1, [dx, dy] = [(u - x) / far, (v - y) / far], tip = [u - 0.12 * dx, v - 0.12 * dy];
    return [1, -1].map((side) => [tip, [tip[0] - 0.2 * dx + 0.13 * side * dy, tip[1] - 0.2 * dy - 0.13 * side * dx]]);
  }));
}

// The wires of a graph; a button's link to its seat is dotted.
function wires(board) {
  const way = (pairs) => strokes(pairs.map((pair) => pair.map((k) => board.middle(k)))), { plan, size } = board;
  const seats = (plan.seats ?? []).flatMap((seat, k) => (seat < 0 ? [] : [[size + k, seat]]));
  return [path(way(board.wires), "wire"), path(way(seats), "seat")];
}

// The names of bulbs: at their feet, or on them where they are small.
function names(board, cell) {
  return Array.from({ length: board.size }, (_, k) => k).filter((k) => board.isBulb(k)).map((k) => {
    const [x, y] = board.middle(k), small = cell < SMALL;
    return small ? words([x, y], shortened(board.label(k), 3), 0.32, board.isLit(k) ? "name on-lit" : "name")
      : words([x + 0.36, y + 0.42], shortened(board.label(k), 8), Math.min(0.28, 17 / cell), "name");
  });
}

function numeral(at, number, radius, className) {
  return [path(circles([at], radius), `numeral ${className}`), words(at, number, 1.45 * radius, `on-${className}`)];
}

function pointer([x, y]) {
  const way = [[0, 0], [0, 0.62], [0.15, 0.49], [0.26, 0.72], [0.38, 0.66], [0.27, 0.44], [0.46, 0.42]];
  return `M${way.map(([dx, dy]) => `${units(x + dx)} ${units(y + dy)}`).join("L")}z`;
}

// A square for every row and column: filled where its bit is 1; the marked ones in the colour of
// marks.
function lineBits(bits, { rows, columns }) {
  const out = MARGIN / 2, side = 0.24, places = [[], [], [], []]; // open, filled; the same of marked ones
  const put = (at, bit, isMarked) => places[Number(bit) + 2 * Number(isMarked ?? 0)].push(at);
  bits[0].forEach((bit, r) => put([-out, r + 0.5], bit, rows?.includes(r)));
  bits[1].forEach((bit, c) => put([c + 0.5, -out], bit, columns?.includes(c)));
  return ["bit", "bit full", "bit looked", "bit full looked"].map((name, k) => path(squares(places[k], side), name));
}

// What is counted on each side, at its end.
function totals(board, sums = []) {
  const out = MARGIN / 2, places = [[-out, board.rows + out], [board.columns + out, -out]];
  return places.flatMap((at, k) => (Number.isInteger(sums[k]) ? [words(at, `=${sums[k]}`, 0.34, "sum")] : []));
}

// A number beside every line; those of the marked lines stand out.
function counts([byRow, byColumn], { rows, columns }) {
  const out = MARGIN / 2, put = (number, at, isMarked) => (isMarked ? numeral(at, number, 0.2, "mark") : [words(at, number, 0.32, "count")]);
  return [
    ...byRow.flatMap((number, r) => put(number, [-out, r + 0.5], rows?.includes(r))),
    ...byColumn.flatMap((number, c) => put(number, [c + 0.5, -out], columns?.includes(c))),
  ];
}
