// Boards worth playing: from a seed, with an order where the rule asks for one, and graded.
//
// The same boards as `ponder generate --difficulty`, bit for bit: how they are made and graded is
// told in ponder/apps/studies/boards_to_play.py, and a test compares the two. A board here is anything
// with what `Board` of board.js has: cells, rows, columns, pattern, rule, goal, and its methods.

import { DAILY, GRADES, GRADING, PUZZLES, unwinnable } from "./puzzles.js";

const { attempts: ATTEMPTS, plays: PLAYS, most_graded: MOST_GRADED, listed: LISTED,
  fewest_planted: FEWEST_PLANTED } = GRADING;
const GOLD = 0x9e3779b9, TWO_32 = 2 ** 32, DAY = 864e5;

// Return the board of a grade and a seed (a whole number from 0 to 2^53 - 1), with the shape, holes,
// pattern, rule and goal of `template`: `{ board, presses, measure, percent, grade }`. `presses`
// are the cells of the press set that grades it, `measure` is "stuck" or "presses", and `grade` the grade that `percent` makes, which on a small board may not be the one asked for.
// An Error says in a sentence why there is none.
export function boardToPlay(template, grade, seed) {
  const never = unwinnable(template.rule, goalName(template));
  if (never) throw new Error(never.sentence);
  const game = gameOf(template), wanted = GRADES.indexOf(grade);
  const key = keyOf([template.rows, template.columns, wanted, seed % TWO_32,
    Math.floor(seed / TWO_32), ...Array.from(nameOf(template), (sign) => sign.charCodeAt(0))]);
  let [least, most] = game.shares[wanted];
  const [low, high] = [-1, ...game.limits, 100].slice(wanted, wanted + 2);
  let best = null, nearest = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const candidate = draw(key, attempt);
    const share = least + below(draw(candidate, 0), most - least + 1);
    const count = Math.max(FEWEST_PLANTED, Math.floor((share * game.size) / 100));
    const found = candidateOf(game, candidate, count);
    if (!found) continue;
    const far = Math.max(low + 1 - found.percent, found.percent - high, 0);
    if (!best || far < nearest) [best, nearest] = [found, far];
    if (!far) break;
    if (found.percent > high) most = share; else least = (least + share) >> 1;
  }
  if (!best) throw new Error("the board is too small to play: no presses change it");
  const cells = template.cells.slice();
  game.cells.forEach((cell, v) => { cells[cell] = best.state[v]; });
  const { measure, percent } = best;
  return { board: template.withCells(cells), presses: best.presses.map((v) => game.cells[v]),
    measure, percent, grade: best.grade };
}

// Return what makes the daily board of a date (UTC; a Date or "2026-11-22"): the puzzle, its rows
// and columns, the grade and the seed.
export function daily(date) {
  const text = (typeof date === "string" ? date : date.toISOString()).slice(0, 10);
  const day = Math.round(Date.parse(`${text}T00:00:00Z`) / DAY); // from 1970-01-01, a Thursday
  const grade = DAILY.week[(day + 3) % 7];
  const puzzle = PUZZLES[(day + DAILY.first) % DAILY.turns];
  const side = puzzle.sizes[GRADES.indexOf(grade)];
  return { puzzle, rows: side, columns: side, grade, seed: Number(text.replaceAll("-", "")) };
}

// What all candidates of a template share. Bulbs are numbered row by row, skipping holes.
function gameOf(template) {
  const cells = Array.from(template.cells.keys()).filter((cell) => template.isBulb(cell));
  const numbers = new Map(cells.map((cell, v) => [cell, v]));
  const near = cells.map((cell) => Array.from(template.toggled(cell), (other) => numbers.get(other)));
  const size = cells.length, free = template.rule === "any", graded = size <= MOST_GRADED;
  const { limits, shares } = graded && !free ? GRADING.stuck : GRADING.presses;
  return { cells, near, size, free, graded, limits, shares,
    goal: Uint8Array.from(cells, (cell) => (template.wantsLit(cell) ? 1 : 0)),
    after: template.rule === "unlit" ? 1 : 0, // the state of a bulb once it is pressed
    quiet: graded ? quietPatterns(near) : null };
}

// Take `count` presses back from the goal if there are as many; null for the goal itself.
function candidateOf(game, key, count) {
  const { near, size, free, after, limits } = game;
  const making = draw(key, 1), state = game.goal.slice();
  let pressed = new Uint8Array(size);
  for (let step = 0; step < count; step++) {
    const last = [];
    for (let v = 0; v < size; v++) if (!pressed[v] && (free || state[v] === after)) last.push(v);
    if (!last.length) break;
    const bulb = last[below(draw(making, step), last.length)];
    pressed[bulb] = 1;
    for (const other of near[bulb]) state[other] ^= 1;
  }
  if (state.every((bit, v) => bit === game.goal[v])) return null;
  if (game.quiet) pressed = lightest(game.quiet, pressed);
  const presses = Array.from(pressed.keys()).filter((v) => pressed[v]);
  let measure = "presses", percent = Math.floor((100 * presses.length) / size);
  if (game.graded && !free) {
    measure = "stuck";
    percent = Math.floor((100 * stuck(game, state, presses, key)) / PLAYS);
  }
  const grade = GRADES[limits.filter((limit) => percent > limit).length];
  return { state, presses, measure, percent, grade };
}

// Return how many of PLAYS random legal plays of the presses halt before the last.
function stuck(game, state, presses, key) {
  const place = new Map(presses.map((v, k) => [v, k]));
  const near = presses.map((v) => game.near[v].filter((u) => place.has(u)).map((u) => place.get(u)));
  let halted = 0;
  for (let play = 0; play < PLAYS; play++) {
    const own = draw(key, play + 2);
    const legal = presses.map((v) => state[v] !== game.after), left = presses.map(() => true);
    for (let step = 0; step < presses.length; step++) {
      const open = [];
      for (let k = 0; k < left.length; k++) if (left[k] && legal[k]) open.push(k);
      if (!open.length) { halted++; break; }
      const chosen = open[below(draw(own, step), open.length)];
      left[chosen] = false;
      for (const k of near[chosen]) legal[k] = !legal[k];
    }
  }
  return halted;
}

// Return the lightest press set that does what `pressed` does; of several the one that presses the
// first bulb in which they differ.
function lightest(quiet, pressed) {
  let best = null, least = Infinity;
  for (const pattern of quiet) {
    let weight = 0;
    for (let v = 0; v < pressed.length; v++) weight += pattern[v] ^ pressed[v];
    if (weight > least) continue;
    const found = pattern.map((bit, v) => bit ^ pressed[v]);
    const first = weight === least ? found.findIndex((bit, v) => bit !== best[v]) : -1;
    if (weight < least || found[first]) [best, least] = [found, weight];
  }
  return best;
}

// Return all press sets that change nothing, null where they are too many: the kernel of the
// matrix of presses over GF(2), by Gauss-Jordan elimination. Rows are integers, bit v for bulb v.
function quietPatterns(near) {
  const bit = (v) => 1n << BigInt(v);
  const rows = near.map((some) => some.reduce((row, v) => row | bit(v), 0n));
  const pivots = [], free = [];
  for (let v = 0; v < near.length; v++) {
    const at = rows.findIndex((row, k) => k >= pivots.length && row & bit(v));
    if (at < 0) { free.push(v); continue; }
    const to = pivots.length, pivot = rows[at];
    [rows[at], rows[to]] = [rows[to], pivot];
    rows.forEach((row, k) => { if (k !== to && row & bit(v)) rows[k] = row ^ pivot; });
    pivots.push(v);
  }
  if (free.length > LISTED) return null;
  const patterns = [new Uint8Array(near.length)];
  for (const v of free) {
    const basis = new Uint8Array(near.length);
    basis[v] = 1;
    pivots.forEach((p, k) => { if (rows[k] & bit(v)) basis[p] = 1; });
    patterns.push(...patterns.map((pattern) => pattern.map((x, k) => x ^ basis[k])));
  }
  return patterns;
}

// `lit`, `unlit`, or `grid` for a goal that is neither, whatever the board calls it.
function goalName(board) {
  const wanted = Array.from(board.cells.keys()).filter((cell) => board.isBulb(cell))
    .map((cell) => board.wantsLit(cell));
  return wanted.every(Boolean) ? "lit" : wanted.some(Boolean) ? "grid" : "unlit";
}

// Pattern, rule and goal as the key of all random numbers takes them in.
function nameOf(board) {
  const sorted = board.pattern !== "stencil" ? []
    : board.offsets.filter(([r, c]) => r || c).sort(([r, c], [s, d]) => r - s || c - d);
  return [board.pattern, ...sorted.map((at) => at.join(",")), board.rule, goalName(board)].join(" ");
}

// Random numbers: a counter put through a hash of 32 bits (C. Wellons' lowbias32).

function mix(x) {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

function draw(key, counter) { return mix((key + Math.imul(counter, GOLD)) | 0); }

function below(drawn, count) { return Math.floor((drawn * count) / TWO_32); }

function keyOf(words) { return words.reduce((key, word) => draw((key ^ word) >>> 0, 1), 0); }
