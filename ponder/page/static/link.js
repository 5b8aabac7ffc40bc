// The board in the address: `#1.4x4.cross.unlit.lit.w2g`, checked when it is read.
//
//   1        the version of this form
//   4x4      rows and columns
//   cross    the pattern; a stencil as `stencil:-1,2:1,-2`
//   unlit    the rule
//   lit      the goal: lit, unlit, or `grid:` and its bits
//   w2g      a bit for every cell, 1 lit, as base64 for addresses
//   w2g      where the board has holes: a bit for every cell, 1 a hole
//
// A graph is `#2.8.unlit.lit.lit bits.spots.wires.seats.names`, a wiring the same with `7x4` for its
// bulbs and buttons: three signs for every spot, a bit for every pair that a wire may join, two signs
// for every seat, and names where they are not 0, 1, 2, …
//
// What stands behind a `;` is the board's label: how it came about (`label.js`); behind another, `why.`
// and the marks that show why it cannot be done (`refuting.js`). `#level=7` is a level of the path.

import { Board, HOLE, LIT, LONGEST_SIDE } from "./board.js";
import { GraphBoard, MOST_PLACES, SIDE, boardFrom, countsUp } from "./graph.js";
import { labelOf, levelLabel } from "./label.js";
import { LEVELS } from "./levels.js";
import { GOALS, PATTERNS, RULES } from "./puzzles.js";
import { line } from "./words.js";

const VERSION = "1";
const LEVEL = /^#?level=([1-9]\d{0,2})$/;
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MOST_OFFSETS = 48, LONGEST_NAME = 60;

export function hashOf(board, label = "") {
  if (label.startsWith("level.")) return `#${label.replace(".", "=")}`;
  if (!board.isGrid) return `#${graphText(board)}${label && `;${label}`}`;
  const bits = (cells, state) => packed(Array.from(cells, (x) => x === state));
  const pattern = board.pattern === "stencil"
    ? ["stencil", ...board.offsets.map((at) => at.join(","))].join(":") : board.pattern;
  const goal = board.goal === "grid" ? `grid:${bits(board.target, LIT)}` : board.goal;
  const parts = [VERSION, `${board.rows}x${board.columns}`, pattern, board.rule, goal, bits(board.cells, LIT)];
  if (board.cells.includes(HOLE)) parts.push(bits(board.cells, HOLE));
  return `#${parts.join(".")}${label && `;${label}`}`;
}

// Return the board of an address, its label, and the marks that it has, if any; an Error says what is wrong with it.
export function opened(hash) {
  const level = Number(LEVEL.exec(hash)?.[1]), text = /;(?!why\.)([\w.-]{1,60})(;|$)/.exec(hash)?.[1] ?? "", label = level ? levelLabel(level) : labelOf(text);
  let board = null;
  try { board = boardOf(hash); } catch (error) { throw new Error(line("no-board", { why: error.message })); }
  return { board, label, why: /;why\.([bl]\.[\w-]+)$/.exec(hash)?.[1] };
}

// Return the part of an address that holds a board, where a text is an address and nothing else.
export function hashIn(text) { return /^\s*[^\s#]*(#(?:\d+\.\d+(?:x\d+)?\.\S+|level=\d+))\s*$/.exec(text)?.[1] ?? null; }

// Return the board of an address, null where it names none; an Error says what is wrong with it.
export function boardOf(hash) {
  let text = hash.replace(/^#/, "");
  if (!text) return null;
  if (text.startsWith("level=")) {
    const level = LEVELS[LEVEL.exec(text)?.[1] - 1];
    if (!level) throw new Error(line("no-level", { n: LEVELS.length }));
    return boardFrom(level.board);
  }
  if (text.includes("%")) {
    try { text = decodeURIComponent(text); } catch { hold(false); }
  }
  const [version, ...parts] = text.split(";")[0].split(".");
  if (version === "2") return graphOf(parts);
  const [shape, pattern, rule, goal, lit, holes, ...more] = parts;
  if (version !== VERSION || more.length) throw new Error(line("version"));
  const [, rows, columns] = (/^(\d{1,3})x(\d{1,3})$/.exec(shape ?? "") ?? []).map(Number), size = rows * columns;
  if (!(size >= 1 && rows <= LONGEST_SIDE && columns <= LONGEST_SIDE)) throw new Error(line("size", { n: LONGEST_SIDE }));
  const cells = Int8Array.from(unpacked(lit, size));
  if (holes !== undefined) unpacked(holes, size).forEach((hole, k) => { if (hole) cells[k] = HOLE; });
  hold(RULES.includes(rule) && cells.some((x) => x !== HOLE));
  return new Board(rows, columns, cells, { ...patternOf(pattern), rule, ...goalOf(goal, cells) });
}

function hold(isSo) { if (!isSo) throw new Error(line("damaged")); }

function goalOf(text, cells) {
  const [goal, bits] = (text ?? "").split(":");
  hold(GOALS.includes(goal));
  return { goal, target: goal === "grid" ? Int8Array.from(unpacked(bits, cells.length), (x, k) => (cells[k] === HOLE ? HOLE : x)) : null };
}

function patternOf(text) {
  const [pattern, ...words] = (text ?? "").split(":");
  hold(Object.hasOwn(PATTERNS, pattern));
  if (pattern !== "stencil") return { pattern };
  const offsets = words.map((word) => (/^(-?\d{1,2}),(-?\d{1,2})$/.exec(word) ?? []).slice(1).map(Number));
  const has = ([dr, dc]) => offsets.some(([r, c]) => r === dr && c === dc);
  hold(offsets.length <= MOST_OFFSETS && offsets.every(([dr, dc]) => has([-dr, -dc])));
  return { pattern, offsets };
}

function graphText(board) {
  const { plan, size, count, rule, goal, cells, target } = board, joined = new Set(plan.wires.map(([a, b]) => `${a},${b}`));
  const signs = (list, count) => list.map((at) => Array.from({ length: count }, (_, k) => SIGNS[Math.floor(at / 64 ** (count - 1 - k)) % 64]).join("")).join("");
  const bits = (list) => packed(Array.from(list, (x) => x === LIT));
  const plain = countsUp(plan.names.slice(0, size)) && countsUp(plan.names.slice(size));
  return [
    2, board.isWiring ? `${size}x${count - size}` : size, rule, goal === "grid" ? `grid:${bits(target)}` : goal, bits(cells),
    signs(plan.spots.map(([x, y]) => SIDE * x + y), 3), packed(pairsOf(size, count, board.isWiring).map(([a, b]) => joined.has(`${a},${b}`))),
    signs((plan.seats ?? []).map((seat) => seat + 1), 2), ...(plain ? [] : [plan.names.map(nameText).join(",")]),
  ].join(".");
}

// All pairs that a wire may join, in the order of their bits.
function pairsOf(size, count, isWiring) {
  const pairs = [];
  if (isWiring) for (let b = size; b < count; b++) for (let a = 0; a < size; a++) pairs.push([b, a]);
  else for (let b = 1; b < size; b++) for (let a = 0; a < b; a++) pairs.push([a, b]);
  return pairs;
}

// A name; a word of digits begins with `'`, and so does one that begins with it. `~` is a `%`.
function nameText(name) {
  const text = typeof name === "string" && /^('|-?\d+$)/.test(name) ? `'${name}` : String(name);
  return encodeURIComponent(text).replace(/[.~!*()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll("%", "~");
}

function nameOf(text) {
  let name = "";
  try { name = decodeURIComponent(text.replaceAll("~", "%")); } catch { /* told of below */ }
  hold(name && name.length <= LONGEST_NAME);
  return /^-?\d{1,15}$/.test(name) ? Number(name) : name.replace(/^'/, "");
}

function graphOf([shape, rule, goal, lit, spots, wires, seats, names, ...more]) {
  const [, lights, buttons] = /^(\d{1,3})(?:x(\d{1,3}))?$/.exec(shape ?? "") ?? [], isWiring = buttons !== undefined;
  const size = Number(lights), count = size + Number(buttons ?? 0);
  if (!(size >= 1 && count <= MOST_PLACES) || more.length) throw new Error(line("places", { n: MOST_PLACES }));
  const numbers = (text = "", length, signs, most) => {
    hold(text.length === signs * length && /^[\w-]*$/.test(text));
    const found = Array.from({ length }, (_, k) => Array.from(text.slice(signs * k, signs * (k + 1))).reduce((sum, sign) => 64 * sum + SIGNS.indexOf(sign), 0));
    hold(found.every((at) => at < most));
    return found;
  };
  const pairs = pairsOf(size, count, isWiring), joined = unpacked(wires, pairs.length), places = numbers(spots, count, 3, SIDE * SIDE);
  const named = names?.split(",").map(nameOf), differ = (list) => new Set(list).size === list.length;
  hold(RULES.includes(rule) && differ(places) && !(isWiring && goal === "pressed"));
  hold(!named || (named.length === count && differ(named.slice(0, size)) && differ(named.slice(size))));
  const cells = Int8Array.from(unpacked(lit, size));
  return new GraphBoard({
    names: named ?? Array.from({ length: count }, (_, k) => (k < size ? k : k - size)),
    spots: places.map((at) => [Math.floor(at / SIDE), at % SIDE]), wires: pairs.filter((_, k) => joined[k]),
    seats: isWiring ? numbers(seats, count - size, 2, size + 1).map((seat) => seat - 1) : null,
  }, cells, { rule, ...goalOf(goal, cells) });
}

export function packed(bits) {
  const groups = bits.map(Number).join("").match(/.{1,6}/g) ?? [];
  return groups.map((six) => SIGNS[parseInt(six.padEnd(6, "0"), 2)]).join("");
}

export function unpacked(text, size) {
  hold(text?.length === Math.ceil(size / 6) && /^[\w-]*$/.test(text));
  const groups = Array.from(text, (sign) => SIGNS.indexOf(sign).toString(2).padStart(6, "0"));
  return Array.from(groups.join(""), Number).slice(0, size);
}
