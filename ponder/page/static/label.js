// How a board came about: a puzzle, a grade and the seed that it was made from, or the day that it
// is the daily board of. An address has it as `rows-and-columns.hard.7k3f` (and `.8` where that
// side was chosen) or `daily.2026-11-22`, and as `riddle.daily.2026-11-22` for *Possible or not?*. A
// level of the path is `level.7`; an address is `#level=7`. `made`: the board was made here.

import { LEVELS } from "./levels.js";
import { GRADES, PUZZLES, SIDES, WEEK } from "./puzzles.js";

const MOST_SEED = 2 ** 32;
const RIDDLE = "riddle.";

export function labelText(label) {
  if (!label) return "";
  if (label.level) return `level.${label.level}`;
  const words = label.daily ? `daily.${label.daily}` : [label.puzzle, label.grade, label.seed.toString(36), ...(label.side ? [label.side] : [])].join(".");
  return label.riddle ? RIDDLE + words : words;
}

// Return the label that a text is; null where it is none.
export function labelOf(text) {
  if (text.startsWith(RIDDLE)) {
    const label = labelOf(text.slice(RIDDLE.length));
    return label && { ...label, riddle: true };
  }
  const [first, second, third, fourth] = text.split(".");
  if (first === "daily") return dayOf(second) ? { daily: second } : null;
  const seed = parseInt(third, 36), side = SIDES.find((one) => String(one) === fourth);
  const known = PUZZLES.some(({ key }) => key === first) && GRADES.includes(second);
  return known && seed >= 0 && seed < MOST_SEED ? { puzzle: first, grade: second, seed, ...(side && { side }) } : null;
}

// The label of a level, from 1 on; null where there is none.
export function levelLabel(level) {
  const known = LEVELS[level - 1];
  return known ? { level, ...(known.asks === "riddle" && { riddle: true }) } : null;
}

// The grade of a label's board; that of a day goes with the weekday.
export function gradeOf(label) { return label?.daily ? WEEK[(dayOf(label.daily).getUTCDay() + 6) % 7] : label?.grade; }

export function today() { return new Date().toISOString().slice(0, 10); }

// The day that a text is; null where it is none.
export function dayOf(text) {
  const day = new Date(/^\d{4}-/.test(text) ? `${text}T00:00:00Z` : NaN);
  return text && day.toJSON()?.slice(0, 10) === text ? day : null;
}
