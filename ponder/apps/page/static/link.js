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
// What stands behind a `;` is the board's label: how it came about (`label.js`); behind another, `why.`
// and the marks that show why it cannot be done (`refuting.js`).

import { Board, HOLE, LIT, LONGEST_SIDE } from "./board.js";
import { GOALS, PATTERNS, RULES } from "./puzzles.js";

const VERSION = "1";
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MOST_OFFSETS = 48;

export function hashOf(board, label = "") {
  const bits = (cells, state) => packed(Array.from(cells, (x) => x === state));
  const pattern = board.pattern === "stencil"
    ? ["stencil", ...board.offsets.map((at) => at.join(","))].join(":") : board.pattern;
  const goal = board.goal === "grid" ? `grid:${bits(board.target, LIT)}` : board.goal;
  const parts = [VERSION, `${board.rows}x${board.columns}`, pattern, board.rule, goal, bits(board.cells, LIT)];
  if (board.cells.includes(HOLE)) parts.push(bits(board.cells, HOLE));
  return `#${parts.join(".")}${label && `;${label}`}`;
}

// Return the label in an address; it is empty where there is none.
export function labelIn(hash) { return /;(?!why\.)([\w.-]{1,60})(;|$)/.exec(hash)?.[1] ?? ""; }

// Return the marks in an address; null where there are none.
export function whyIn(hash) { return /;why\.([bl]\.[\w-]+)$/.exec(hash)?.[1] ?? null; }

// Return the part of an address that holds a board, where a text is an address and nothing else.
export function hashIn(text) { return /^\s*[^\s#]*(#\d+\.\d+x\d+\.\S+)\s*$/.exec(text)?.[1] ?? null; }

// Return the board of an address, null where it names none; an Error says what is wrong with it.
export function boardOf(hash) {
  let text = hash.replace(/^#/, "");
  if (!text) return null;
  if (text.includes("%")) {
    try { text = decodeURIComponent(text); } catch { throw new Error("it is damaged"); }
  }
  const [version, shape, pattern, rule, goal, lit, holes, ...more] = text.split(";")[0].split(".");
  if (version !== VERSION || more.length) throw new Error("it is of another version, or damaged");
  const [, rows, columns] = (/^(\d{1,3})x(\d{1,3})$/.exec(shape ?? "") ?? []).map(Number);
  if (!(rows >= 1 && columns >= 1 && rows <= LONGEST_SIDE && columns <= LONGEST_SIDE))
    throw new Error(`its size is none from 1×1 to ${LONGEST_SIDE}×${LONGEST_SIDE}`);
  if (!RULES.includes(rule)) throw new Error("its rule is unknown");
  const size = rows * columns;
  const cells = Int8Array.from(unpacked(lit, size));
  if (holes !== undefined) unpacked(holes, size).forEach((hole, k) => { if (hole) cells[k] = HOLE; });
  if (cells.every((x) => x === HOLE)) throw new Error("it has no bulbs");
  const [goalName, goalBits] = (goal ?? "").split(":");
  if (!GOALS.includes(goalName)) throw new Error("its goal is unknown");
  const target = goalName === "grid"
    ? Int8Array.from(unpacked(goalBits, size), (x, k) => (cells[k] === HOLE ? HOLE : x)) : null;
  return new Board(rows, columns, cells, { ...patternOf(pattern), rule, goal: goalName, target });
}

function patternOf(text) {
  const [pattern, ...words] = (text ?? "").split(":");
  if (!Object.hasOwn(PATTERNS, pattern)) throw new Error("its pattern is unknown");
  if (pattern !== "stencil") return { pattern };
  const offsets = words.map((word) => {
    const [, dr, dc] = (/^(-?\d{1,2}),(-?\d{1,2})$/.exec(word) ?? []).map(Number);
    if (dr === undefined || Number.isNaN(dr)) throw new Error("its stencil is damaged");
    return [dr, dc];
  });
  const has = ([dr, dc]) => offsets.some(([r, c]) => r === dr && c === dc);
  if (offsets.length > MOST_OFFSETS || !offsets.every(([dr, dc]) => has([-dr, -dc])))
    throw new Error("its stencil is not symmetric, or too large");
  return { pattern, offsets };
}

export function packed(bits) {
  let text = "";
  for (let k = 0; k < bits.length; k += 6) {
    let sign = 0;
    for (let j = 0; j < 6; j++) sign = sign * 2 + (bits[k + j] ? 1 : 0);
    text += SIGNS[sign];
  }
  return text;
}

export function unpacked(text, size) {
  if (text?.length !== Math.ceil(size / 6)) throw new Error("its bulbs do not fit its size");
  const bits = [];
  for (const sign of text) {
    const value = SIGNS.indexOf(sign);
    if (value < 0) throw new Error("it holds a foreign sign");
    for (let j = 5; j >= 0; j--) bits.push((value >> j) & 1);
  }
  return bits.slice(0, size);
}
