// What is kept in this browser alone: the best game on each board, and the days of the daily board
// and of the daily *Possible or not?*.

const BEST = "ponder.best", DAYS = "ponder.days", RIDDLES = "ponder.riddles";
const MOST_BOARDS = 400, MOST_DAYS = 800;

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

// Keep the day of a label.
export function keepDay({ daily, riddle }) {
  const kept = riddle ? RIDDLES : DAYS, days = read(kept);
  if (!days.includes(daily)) write(kept, [...days, daily].sort().slice(-MOST_DAYS));
}

// Return how many days in a row were solved, up to a day or the day before it.
export function streak(day, riddle = false) {
  const days = new Set(read(riddle ? RIDDLES : DAYS));
  let at = days.has(day) ? day : dayBefore(day), count = 0;
  for (; days.has(at); at = dayBefore(at)) count++;
  return count;
}

function dayBefore(day) { return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10); }

// A browser may refuse to keep anything: then nothing is kept.
function read(name) {
  try {
    const found = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch { return []; }
}

function write(name, content) {
  try { localStorage.setItem(name, JSON.stringify(content)); } catch { /* it is forgotten */ }
}

// A short name of an address: FNV-1a, twice.
function digest(text) {
  return [0x811c9dc5, 0x2f0b4477].map((value) => {
    for (let k = 0; k < text.length; k++) value = Math.imul(value ^ text.charCodeAt(k), 0x01000193);
    return (value >>> 0).toString(36);
  }).join("");
}
