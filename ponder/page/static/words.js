// What the page says, in sentences: numbers before adjectives. All of its words are here, in English,
// and in `index.html`.
//
//   {count}               what stands here is put in
//   {count|bulb|bulbs}    the form that goes with a number

import { LEVELS } from "./levels.js";

// Short ones, by name, where the name alone would not do. What a module says of itself stands together.
const LINES = {
  // a board and its bulbs
  place: "row {r}, column {c}",
  "refused-unlit": "{place} is {state}: press only unlit bulbs",
  "refused-lit": "{place} is {state}: press only lit bulbs",
  again: "{place} was pressed already: here each bulb may be pressed once",
  marked: ", marked",
  press: ", press",
  "press-times": ", press, pressed {times}",
  rows: "row {n}",
  columns: "column {n}",

  // graphs and wirings
  bulb: "bulb {name}",
  button: "button {name}",
  blocked: "blocked: {place} is {state}",
  wired: "wired to {names}",
  "wired-to-buttons": "wired to button {names}",
  "no-wires": "no wires",
  "size-graph": "{n} {n|bulb|bulbs}, {m} {m|wire|wires}",
  "size-wiring": "{n} bulbs, {m} buttons",
  "no-button": "{place} has no button of its own: press a button that is wired to it",
  "seat-unlit": "{seat} is {state}: {button} works only while it is unlit",
  "seat-lit": "{seat} is {state}: {button} works only while it is lit",
  "full": "there is room for {n} bulbs and buttons",
  "last-bulb": "a board has at least one bulb",
  "two-ends": "a wire has two ends",
  "wire-ends": "on a wiring a wire joins a button and a bulb",
  "pressed-elsewhere": "{place} is pressed in Play and in Solve",
  "wire-from": "a wire from {place} to …",

  // play
  "rows-and-columns": "IBM Ponder This, 2023",
  "in-order": "plus, unlit bulbs only",
  "lights-out": "plus, any bulb, all off",
  "kings-move": "all eight around a bulb",
  "round-the-world": "plus, opposite edges joined",
  cards: "a row, each taken once",
  "your-own": "shape, holes, goal",
  usual: "as the grade says",
  side: "{n} wide",
  hexagon: "hexagon of 19",
  cube: "cube, 24 stickers",
  petersen: "Petersen graph",
  dodecahedron: "dodecahedron",
  torus: "torus, 5 × 5",
  hopeless: "This board cannot be solved.",
  "nothing-left": "nothing is left to press",
  possible: "It can be done: {place} is the first press of an order.",
  "possible-early": "It can be done.",
  "possible-from-start": "It can be done: {place} is the first press of an order. The board is back at its start; Undo brings your presses back.",
  "at-start": "The board is back at its start; Play on brings your presses back.",
  thinking: "thinking …",
  next: "next: {place}",
  best: "your best {n}",
  "about-day": "{size}, {grade} · the board of {day}, the same for everybody",
  "about-riddle": "{size} · half of these boards are possible, half are not",
  "about-own": "{size} · {n} {n|bulb|bulbs}",
  "about-made": "{size} · can always be solved",
  streak: "{n} {n|day|days} in a row on the daily board, counted in this browser only",
  "streak-riddles": "{n} {n|day|days} in a row on the daily Possible or not?, counted in this browser only",
  "goal-lit": "Make the goal all lit",
  "goal-unlit": "Make the goal all unlit",

  // solve and its player
  "to-go": "Press {k} of {m}.",
  "no-more": "this board has no solution to make a board of",
  "drawing-goal": "Drawing the goal: light the bulbs that must end lit.",
  alike: "You may press a dotted bulb when the squares of its row and its column match.",
  quiet: "Quiet pattern {k} of {m}: pressing its {n} {n|bulb|bulbs} changes nothing.",
  "quiet-none": "Only the empty one: every board of this shape has exactly one press set.",
  single: "{n} of {m} {m|bulb|bulbs} can be toggled alone: point at one.",
  "single-none": "0 of {m} {m|bulb|bulbs} can be toggled alone.",
  alone: "{place} alone: {n} {n|press|presses}.",
  pause: "Pause",
  "once-more": "Once more",
  start: "Start",
  position: "{k} of {m}",
  "pace-slow": "a press in {n} {n|second|seconds}",
  pace: "{n} a second",
  "why-unsolvable": "This board cannot be solved, and here is why. {why}",
  "why-no-order": "This board cannot be done in order, and here is why. {why}",

  // draw
  "all-lit": "all lit",
  "all-unlit": "all unlit",
  "all-pressed": "each pressed once",
  drawn: "drawn",
  cross: "rows and columns",
  king: "king's move",
  "torus-plus": "plus, edges joined",
  "torus-king": "king's move, edges joined",
  wires: "bulbs and wires",
  ordered: "with an order",
  unordered: "without order",
  "most-bulbs": "a graph here has at most {n} bulbs",
  looking: "looking for a board without order …",
  itself: "the bulb itself",
  up: "{n} up",
  down: "{n} down",
  left: "{n} left",
  right: "{n} right",

  // what comes in and goes out
  copied: "Copied: {what}.",
  "to-copy": "Copy {what} from here.",
  link: "the link to this board",
  "link-reason": "the link to this board and the reason",
  "link-result": "the result and the link",
  daily: "daily {day}",
  "daily-riddle": "daily, {day}",
  graded: "{puzzle}, {grade}",
  result: "ponder {name}, {n} {n|press|presses}",
  "result-best": "ponder {name}, {n} {n|press|presses}, best {m}",
  solving: "solving …",
  "too-large": "this is too large to be a board",
  "no-presses": "this result has no presses to show",
  another: "this result is of another board: open that first",
  "no-answer": "the server does not answer; trying again",
  "no-server": "the server does not answer; is `ponder play` still running?",

  // an address
  "no-board": "this address holds no board: {why}",
  damaged: "it is damaged",
  version: "it is of another version, or damaged",
  size: "a board has from 1 to {n} rows and columns",
  places: "a graph has from 1 to {n} bulbs and buttons",
  "no-level": "the path has levels from 1 to {n}",

  // keys
  "keys-play": "Arrows move, Enter presses. H hint, U undo, R redo, N new board or next, A again.",
  "keys-solve": "Arrows move, Enter presses. H hint, U undo, R redo. Drop or paste a board, its address or a saved result anywhere.",
  "keys-draw": "Arrows move, Enter toggles, Delete cuts a hole. Drag to paint. Drop or paste a board, its address or a saved result anywhere.",
  "keys-riddle": "Arrows move, Enter presses. I says impossible; then Enter marks, C checks. U undo, R redo, N new board or next.",
  "keys-riddle-lines": "Arrows move, Enter presses. I says impossible; then Enter marks, Space ticks a line, C checks. U undo, R redo, N new board or next.",
};

export function capital(text) { return text && text[0].toUpperCase() + text.slice(1); }

function phrase(text, values) {
  return values ? text.replace(/\{(\w+)(?:\|(\w[^|]*)\|([^}]*))?\}/g, (_, name, one, many) =>
    (one === undefined ? values[name] : Number(values[name]) === 1 ? one : many)) : text;
}

export function line(name, values) { return phrase(LINES[name] ?? name, values); }

// A message as the page tells it: of no file, and without advice for the command line.
export function toldHere(text) {
  const advice = /[:;,] [^:;,]*(--[a-z]|`(ponder|order|solve|verify|draw)\b).*$/;
  return text.replace(/^board:(?:(\d+)(?=:)| )/, (_, n) => (n ? `line ${n}` : "")).replace(advice, "");
}

export function sentence(text) { return capital(text ?? "").replace(/(?<=[^.?!])$/, "."); }

// A day: 22 Nov, or in full, to be read aloud.
export function dayWords(day, month = "short") {
  return day.toLocaleDateString("en-GB", { day: "numeric", month, timeZone: "UTC" });
}

// What a cell's name has after its state.
export function cellWords({ marked, hinted, count = 0 }) {
  if (marked) return line("marked");
  if (count > 1) return line("press-times", { times: ["twice", "three times"][count - 2] ?? `${count} times` });
  return count || hinted ? line("press") : "";
}

// 2 to the power of k, as people write it.
function power(k) {
  return k < 14 ? String(2 ** k) : "2" + String(k).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
}

// The verdict, in one sentence; null while nothing is known.
export function verdict(board, known, made = 0) {
  if (known.error) return sentence(known.error);
  if (board.solved) return made ? phrase("Solved in {n} {n|press|presses}.", { n: made }) : "Solved: 0 presses to go.";
  if (known.hopeless || board.never) return made ? "There is no solution from here." : "There is no solution.";
  const { order, fewest } = known;
  if (!order) return null;
  const m = fewest?.presses ? fewest.count : null, n = order.count;
  if (order.verdict === "solved") {
    if (board.rule === "any") return phrase("{n} {n|press|presses}, in any order.", { n });
    if (m === null || m >= n) return phrase(`{n} {n|press|presses}, each bulb ${board.goal === "pressed" ? "exactly" : "at most"} once.`, { n });
    return phrase("{n} {n|press|presses}, each bulb at most once; {m} {m|press|presses} with repeats.", { n, m });
  }
  if (order.verdict === "impossible") {
    if (m === null) return "There is no order with each bulb once.";
    return phrase(`There is no order with each bulb once. With repeats: ${fewest.optimal ? "" : "at most "}{m} {m|press|presses}.`, { m });
  }
  if (m !== null) return phrase("{m} {m|press|presses}, which may press some bulbs twice; still looking for better.", { m });
  const least = Math.max(order.lower_bound ?? 0, fewest?.lower_bound ?? 0);
  const outcome = known.ended ? "no sequence was found in time" : "searching";
  return phrase("At least {n} {n|press|presses}; {outcome}.", { n: least, outcome });
}

// What is known before there is a verdict.
export function meanwhile({ sets, progress, solvable, waiting }) {
  if (waiting) return sentence(waiting);
  if (!sets && solvable) return "It can be solved; counting presses.";
  if (!sets) return progress ? "Searching …" : "Thinking …";
  const n = sets.presses.length;
  return sets.lightest ? phrase("At least {n} {n|press|presses}; searching for an order.", { n })
    : phrase("A press set has {n} {n|press|presses}; searching for an order.", { n });
}

export function reason(board, known) {
  if (known.error || board.solved) return "";
  const never = board.never;
  if (never) return never.sentence;
  if (known.refusal?.why) return sentence(known.refusal.why);
  if (known.order?.verdict === "solved" && known.sets && board.goal !== "pressed") {
    const { nullity } = known.sets, { optimal, lower_bound: n } = known.order;
    const bound = optimal ? "no order has fewer" : phrase("every order has at least {n} {n|press|presses}", { n: n ?? 0 });
    return `${nullity ? `One of ${power(nullity)} press sets` : "The only press set"}; ${bound}.`;
  }
  return known.ended ? sentence(known.order?.reason) : "";
}

// The fewest presses: the number, what is proved of it, and from what it follows.
export function fewestWords(board, known) {
  if (board.solved) return { number: "0", proof: "", why: "Nothing is left to press." };
  if (known.hopeless) return { number: "", proof: "none works", why: "" };
  const { fewest, sets } = known;
  if (!fewest) return { ...closing(known), why: "" };
  const { count, lower_bound: least, optimal } = fewest;
  if (count === null) return { number: `≥ ${least ?? 0}`, proof: "", why: sentence(fewest.reason) };
  const proof = optimal ? "proved" : phrase("at most; at least {n} proved", { n: least ?? 0 });
  const n = sets?.presses.length ?? 0;
  const why = !optimal ? sentence(fewest.reason) : sets?.nullity !== 0 ? ""
    : count === n ? "Every solution presses these bulbs; no press is wasted."
      : phrase("{n} {n|bulb|bulbs} must be pressed an odd number of times; the rule costs {m} extra {m|press|presses}.", { n, m: count - n });
  return { number: String(count), proof, why };
}

// The bounds of a search that goes on.
function closing({ found, best, progress }) {
  if (!found) return { number: "", proof: progress ? "searching" : "" };
  const least = found.lower_bound, count = best?.length;
  return { number: count === undefined ? `≥ ${least}` : count > least ? `${least} – ${count}` : `${count}`, proof: "searching" };
}

// How many bulbs are as the goal wants them.
export function progressWords(board, n) {
  const done = board.cells.reduce((sum, x, k) => sum + (board.isGrid ? x >= 0 : true) * ((x === 1) === board.wantsLit(k)), 0);
  if (board.goal === "pressed") return phrase(`{n} of {all} pressed${board.solved ? ": solved" : ""}`, { n, all: board.bulbs + n });
  const words = phrase(`{done} of {all} ${board.goal === "grid" ? "right" : board.goal}, {n} {n|press|presses}`, { done, all: board.bulbs, n });
  return board.solved ? `${words}: solved` : words;
}

export function timeWords(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function wonWords(n, { fewest, shown, revealed, seen, hints }) {
  if (shown) return phrase("That is how it goes, in {n} {n|press|presses}.", { n });
  const m = fewest?.optimal ? fewest.count : fewest?.lower_bound;
  const won = phrase(!fewest || !m ? "Solved in {n}." : n <= m ? "Solved in {n}, the fewest possible."
    : fewest.optimal ? "Solved in {n}; {m} is the fewest possible." : "Solved in {n}; it takes at least {m}.", { n, m });
  return together(won, helpWords(revealed || seen, hints));
}

function helpWords(isOpen, hints) { return isOpen ? "The answer was open." : hints ? phrase("With {n} {n|hint|hints}.", { n: hints }) : ""; }

function together(...sentences) { return sentences.filter(Boolean).join(" "); }

// What can still be done from here, told gently: nothing as long as no press was wasted.
export function stillWords({ board, game, live, round, warns, isHopeless }) {
  if (board.solved) return "";
  const never = board.never;
  if (never) return never.sentence;
  if (!live.fresh) return "";
  if (isHopeless) return line("hopeless");
  if (live.known.hopeless) return warns ? "The board cannot be solved from here. Undo the last press." : "";
  const { fewest } = live.known, n = fewest?.lower_bound ?? 0;
  if (!warns || !fewest || !round.fewest || game.presses.length + n <= round.fewest.count) return "";
  return phrase(`A press was wasted. From here it takes ${fewest.optimal ? "" : "at least "}{n} more.`, { n });
}

// ------------------------------------------------------------------------------- Possible or not?

// What the rule adds where it is asked if a board can be done.
export const riddleWords = (goal) => `${goal === "pressed" ? "Do it" : "Press each bulb at most once"}, or show that it cannot be done.`;

// What may be marked to show that a board cannot be done: a sentence for each kind of reason.
const WAYS = {
  "odd-witness": "No presses reach the goal. Mark bulbs so that every press changes 0, 2 or 4 … of them (an even number), while an odd number of them must change.",
  "line-count": "Tick all rows and columns that hold an odd number of dots, and no others. Every order needs as many such rows as columns.",
  "line-cut": "Half of the dots of a line, rounded down, are pressed early. Tick lines that need more early presses than the lines across have room for, and those lines across, but no line that you can do without.",
  "odd-component": "Mark one connected group of dots, all of it. If it has an odd number of neighbouring pairs, no order exists.",
};
const FIRST = { unlit: "Mark one connected group of dots that are all lit: none of them can be pressed first.", lit: "Mark one connected group of dots that are all unlit: none of them can be pressed first." };
const LAST = { unlit: "Mark one connected group of dots that must all end unlit: a press leaves its bulb lit, so none of them can be the last.", lit: "Mark one connected group of dots that must all end lit: a press leaves its bulb unlit, so none of them can be the last." };
const ONCE = "Mark one connected group of dots, all of it. Every order needs its neighbouring pairs and its {state} bulbs both even in number, or both odd.";
const PARITY = "Mark one connected group of dots, all of it. The lights decide whether every order needs an even or an odd number of neighbouring pairs in it.";

// How to mark it: what this level is about; on any other board the first way to try, and `more` ways.
export function howToMark({ board, live, level }) {
  const { sets, witness, order } = live.known, { rule, goal } = board, reason = LEVELS[level - 1]?.reason;
  if (witness) return { ways: [WAYS["odd-witness"]], more: [] };
  if (rule === "any" && order) return { ways: [], more: [] };
  const dots = sets ? [sets.nullity ? phrase("The red dots are one of {number} ways to choose which bulbs are pressed: the reason must hold for all.", { number: power(sets.nullity) })
    : "A red dot: this bulb must be pressed, in every solution."] : [];
  const ways = { ...WAYS, "no-first-press": FIRST[rule], "no-last-press": LAST[rule] };
  if (reason) return { ways: [...dots, ways[reason]], more: [] };
  const isPlain = ["lit", "unlit"].includes(goal) && goal !== rule;
  const pairs = isPlain ? WAYS["odd-component"] : goal === "pressed" ? phrase(ONCE, { state: rule === "lit" ? "unlit" : "lit" }) : PARITY;
  const groups = [FIRST[rule], ...(isPlain || goal === "pressed" ? [] : [LAST[rule]])];
  return board.hasLineBits ? { ways: [...dots, WAYS["line-count"]], more: [WAYS["line-cut"], pairs, ...groups] } : { ways: [...dots, pairs], more: groups };
}

export function judgedWords({ board, refuting, live, level }) {
  const { judged } = refuting, reason = LEVELS[level - 1]?.reason;
  if (judged?.accepted) return judged.steps.at(-1).words;
  if (judged) return phrase("Not yet. {missing}", { missing: sentence(judged.missing) });
  if (live.known.witness) return "Mark bulbs of which every press changes an even number, then Check.";
  if (reason === "line-cut") return "Tick lines that need more early presses than fit, then Check.";
  return board.hasLineBits ? "Tick the rows and columns with an odd number of dots, then Check." : "Mark a connected group of dots, then Check.";
}

// How a board of *Possible or not?* was settled.
export function settledWords({ game, round, isWon }) {
  const { revealed, seen, shown, hints, wrong: claims, refused } = round;
  const won = isWon ? phrase("It can be done: solved in {n}.", { n: game.presses.length }) : "Impossible, and proved.";
  const n = isWon ? claims : refused, wrong = isWon ? phrase("After {n} wrong {n|claim|claims}.", { n }) : phrase("After {n} refused {n|check|checks}.", { n });
  return together(won, n && wrong, helpWords(revealed || seen || shown, hints));
}

// The same for others, without saying which: a line that reads well aloud.
export function settledLine({ round }, name) {
  const all = Math.round(round.spent / 1000), minutes = Math.floor(all / 60), seconds = all % 60;
  const time = [minutes && phrase("{n} {n|minute|minutes}", { n: minutes }), (seconds || !minutes) && phrase("{n} {n|second|seconds}", { n: seconds })].filter(Boolean);
  const spent = time.length > 1 ? phrase("{first} and {second}", { first: time[0], second: time[1] }) : time[0];
  const n = round.refused + round.wrong + 1, attempt = n === 1 ? "at the first attempt" : phrase("at attempt {n}", { n });
  return phrase("ponder, Possible or not? {name} Settled in {time}, {attempt}.", { name: sentence(name), time: spent, attempt });
}

export const PATH = {
  name: "Path",
  title: (k, m, chapter) => phrase("Level {k} of {m} · {chapter}", { k, m, chapter }),
  level: (k) => phrase("Level {k}", { k }),
  shared: (k) => phrase("Level {k} of the path", { k }),
  light: (n) => phrase("{n} {n|press is|presses are} enough.", { n }),
  riddle: "Possible or not? Light the board, pressing each bulb at most once, or say Impossible and mark why.",
  star(asks, star, isHelped) { // whether there is one; undefined where the level is not done
    if (star) return "Done, with a star.";
    if (isHelped) return star === undefined ? "Its star is lost; you can still do it." : "Done. Its star was lost on the way.";
    return asks === "light" ? "Without Hint or Show me how, it gives a star." : "Without a hint, a wrong Impossible or a refused Check, it gives a star.";
  },
  won: "A star!",
  solved: "solved", starred: "solved, with a star",
  tally: (k, m, n) => phrase("{k} of {m} levels, {n} {n|star|stars}", { k, m, n }),
  end: "The path ends here. Draw a board of your own, or read on two screens why all of this is true.",
  ideas: "Why it is true",
};

// Hints on a board of which it is asked if it can be done.
export const RIDDLE_HINTS = {
  lost: "No order leads on from here. Undo a press, or start again.",
  impossible: "Nobody can do this board. Say Impossible, and mark why.",
  lines: (n) => phrase("Here rows and columns show it: tick {n} of them.", { n }),
  bulbs: (n) => phrase("Here bulbs show it: mark {n} of them.", { n }),
  mark: (names) => phrase("Mark these, then Check: {names}.", { names: names.join("; ") }),
};

function streakWords(n, m) { return m ? phrase("{n} {n|day|days} in a row, {m} at most", { n, m }) : "not yet"; }

export const KEPT = {
  rows: ({ levels, of, stars, solved, proved, hints, best, daily, dailyLongest, riddle, riddleLongest }) => [
    ["Levels done", line("position", { k: levels, m: of })],
    ["Stars", stars],
    ["Boards solved", solved],
    ["Boards proved impossible", proved],
    ["Boards with a best game", best],
    ["Hints used", hints],
    ["Daily board", streakWords(daily, dailyLongest)],
    ["Daily Possible or not?", streakWords(riddle, riddleLongest)],
  ],
  erase: "Erase", sure: "Erase all of it?",
  lost: "This browser keeps nothing for the page: its storage is blocked or full. You can play on, but your progress is lost when you close the page.",
};
