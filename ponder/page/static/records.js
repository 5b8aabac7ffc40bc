// What is kept in this browser alone: the game as it stands, the best game on each board, the days of
// the daily board and of the daily *Possible or not?*, the levels of the path that are done, those
// in which something helped, and what was counted.

import { dayOf } from "./label.js";
import { LEVELS } from "./levels.js";

const GAME = "ponder.game", BEST = "ponder.best", DAYS = "ponder.days", RIDDLES = "ponder.riddles", DONE = "ponder.levels", HELPED = "ponder.helped", COUNTS = "ponder.counts";
const isPair = (entry) => Array.isArray(entry) && ["number", "boolean"].includes(typeof entry[1]), isDay = (entry) => dayOf(entry) !== null;
const ENTRIES = { [BEST]: isPair, [DAYS]: isDay, [RIDDLES]: isDay, [DONE]: isPair, [HELPED]: Number, [COUNTS]: isPair }; // others are damaged
const COUNTED = ["solved", "proved", "hints"];
const MOST_BOARDS = 400, MOST_DAYS = 800;

// Event: `lost`, once, when the browser first keeps nothing. Then all is kept until the page is left.
export const storage = new EventTarget();
const memory = new Map();
let told = false;

export function keepGame(game) { write(GAME, game); }

// Return what a page that is opened anew goes on with; null for nothing.
export function lastGame() {
  const found = stored(GAME);
  return found?.game ? found : null;
}

// Return the fewest presses with which the board of an address was solved here; null for never.
export function bestOf(hash) { return new Map(read(BEST)).get(digest(hash)) ?? null; }

// Keep a game: whether it is the best so far.
export function keepBest(hash, count) {
  const key = digest(hash), kept = new Map(read(BEST)), before = kept.get(key);
  if (before !== undefined && before <= count) return false;
  kept.delete(key);
  kept.set(key, count);
  write(BEST, [...kept].slice(-MOST_BOARDS));
  return true;
}

export function keepDay({ daily, riddle }) {
  const kept = riddle ? RIDDLES : DAYS, days = read(kept);
  if (!days.includes(daily)) write(kept, [...days, daily].sort().slice(-MOST_DAYS));
}

// Return how many days in a row were solved, up to a day or the day before it.
export function streak(day, riddle = false) {
  const days = new Set(read(riddle ? RIDDLES : DAYS));
  return upTo(days.has(day) ? day : dayBefore(day), days);
}

// Return the most days in a row that were solved.
function longest(riddle) {
  const days = new Set(read(riddle ? RIDDLES : DAYS));
  return Math.max(0, ...Array.from(days, (day) => upTo(day, days)));
}

function upTo(day, days) { return days.has(day) ? 1 + upTo(dayBefore(day), days) : 0; }

function dayBefore(day) { return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10); }

// Return the levels that are done, each with whether it has its star.
export function doneLevels() { return new Map(read(DONE)); }

// Whether a level has lost its star: once for all, or it would be earned by what the help has said.
export function isHelped(level) { return read(HELPED).includes(level); }

export function keepHelped(level) { if (!isHelped(level)) write(HELPED, [...read(HELPED), level]); }

export function keepLevel(level) {
  const done = doneLevels(), star = !isHelped(level);
  if (!done.has(level) || star) write(DONE, [...done.set(level, star)]);
}

// Count something: boards `solved` or `proved` impossible, `hints`.
export function count(what) {
  const counts = new Map(read(COUNTS));
  write(COUNTS, [...counts.set(what, (counts.get(what) ?? 0) + 1)]);
}

export function numbers(day) {
  const done = doneLevels(), counts = new Map(read(COUNTS));
  return {
    levels: done.size, of: LEVELS.length, stars: [...done.values()].filter(Boolean).length,
    ...Object.fromEntries(COUNTED.map((what) => [what, counts.get(what) ?? 0])), best: read(BEST).length,
    daily: streak(day), dailyLongest: longest(false), riddle: streak(day, true), riddleLongest: longest(true),
  };
}

export function erase() {
  for (const name of [GAME, ...Object.keys(ENTRIES)]) {
    memory.delete(name);
    try { localStorage.removeItem(name); } catch { /* nothing was kept there */ }
  }
}

function read(name) {
  const found = stored(name);
  return Array.isArray(found) ? found.filter(ENTRIES[name]) : [];
}

function stored(name) {
  if (memory.has(name)) return memory.get(name);
  try { return JSON.parse(localStorage.getItem(name)); } catch { return null; }
}

function write(name, content) {
  try {
    localStorage.setItem(name, JSON.stringify(content));
    memory.delete(name);
  } catch {
    memory.set(name, content);
    if (!told) storage.dispatchEvent(new Event("lost"));
    told = true;
  }
}

// A short name of an address: FNV-1a, twice.
function digest(text) {
  return [0x811c9dc5, 0x2f0b4477].map((value) => {
    for (let k = 0; k < text.length; k++) value = Math.imul(value ^ text.charCodeAt(k), 0x01000193);
    return (value >>> 0).toString(36);
  }).join("");
}
