// What the page says of a board, in sentences: numbers before adjectives.

export function counted(count, thing) { return `${count} ${thing}${count === 1 ? "" : "s"}`; }

export function presses(count) { return `${count} press${count === 1 ? "" : "es"}`; }

export function sentence(text) { return text ? text[0].toUpperCase() + text.slice(1).replace(/\.?$/, ".") : ""; }

// 2 to the power of k, as people write it.
function power(k) {
  return k < 14 ? String(2 ** k) : "2" + String(k).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
}

// Everything known of a board: the messages of the stream, put together.
export class Known {
  solvable = false; // whether some legal sequence reaches the goal
  sets = null;    // a lightest press set, the nullity, the line bits
  order = null;
  found = null;   // few presses, and a bound, as they move
  fewest = null;
  witness = null;
  progress = null;
  waiting = null; // for the engine
  ahead = 0;
  error = null;
  ended = false;

  take(message) {
    this.ended ||= message.ended;
    this.error = message.error ?? null;
    this.ahead = message.ahead ?? 0;
    this.waiting = message.waiting ?? null;
    if (message.progress) this.progress = message.progress;
    this.solvable ||= message.stage === "solvable" || Boolean(this.best);
    if (message.stage === "press-sets") this.sets = message;
    if (message.stage === "order") this.order = message;
    if (message.stage === "found") this.found = message;
    if (message.stage === "fewest") this.fewest = message;
    if (message.stage === "witness") this.witness = message;
    if (message.stage === "fewest" || message.stage === "witness") this.progress = null;
  }

  // The sequence to play: the fewest presses that are known.
  get best() {
    const [once, any] = [this.order?.presses, (this.fewest ?? this.found)?.presses];
    if (once && any) return any.length < once.length ? any : once;
    return any ?? once ?? null;
  }

  // Whether no sequence of any length works.
  get hopeless() { return Boolean(this.witness) || [this.order, this.fewest].some((x) => x?.claim === "C4"); }

  // Why there is no sequence to show.
  get nothing() {
    if (this.hopeless) return "there is no solution to show";
    return this.ended ? "no sequence was found in time" : "no sequence is known yet";
  }

  get refusal() {
    if (this.fewest?.claim === "C4") return this.fewest;
    return this.witness ?? (this.order?.verdict === "impossible" ? this.order : null);
  }
}

// The verdict, in one sentence; null while nothing is known.
export function verdict(board, known, made = 0) {
  if (known.error) return sentence(known.error);
  if (board.solved) return made ? `Solved in ${presses(made)}.` : "Solved: 0 presses to go.";
  if (known.hopeless || board.never) return "There is no solution.";
  const { order, fewest } = known;
  if (!order) return known.ahead ? `Waiting: ${known.ahead} ${known.ahead === 1 ? "search" : "searches"} ahead.` : null;
  const repeated = fewest?.presses ? fewest.count : null;
  if (order.verdict === "solved") {
    if (board.rule === "any") return `${presses(order.count)}, in any order.`;
    const less = repeated !== null && repeated < order.count ? `; ${presses(repeated)} with repeats` : "";
    return `${presses(order.count)}, each bulb at most once${less}.`;
  }
  if (order.verdict === "impossible") {
    if (repeated === null) return "There is no order with each bulb once.";
    return `There is no order with each bulb once. With repeats: ${fewest.optimal ? "" : "at most "}${presses(repeated)}.`;
  }
  if (repeated !== null) return `${presses(repeated)}, which may press some bulbs twice; still looking for better.`;
  return `At least ${presses(Math.max(order.lower_bound ?? 0, fewest?.lower_bound ?? 0))}; ${known.ended ? "no sequence was found in time" : "searching"}.`;
}

// What is known before there is a verdict.
export function meanwhile({ sets, progress, solvable, waiting }) {
  if (waiting) return sentence(waiting);
  if (!sets && solvable) return "It can be solved; counting presses.";
  if (!sets) return progress ? "Searching …" : "Thinking …";
  const count = sets.presses.length;
  return `${sets.lightest ? "At least " : "A press set has "}${presses(count)}; searching for an order.`;
}

// Why, in a sentence or two.
export function reason(board, known) {
  if (known.error || board.solved) return "";
  const never = board.never;
  if (never) return never.sentence;
  if (known.refusal?.why) return sentence(known.refusal.why);
  if (known.order?.verdict === "solved" && known.sets) {
    const { nullity } = known.sets;
    const which = nullity ? `One of ${power(nullity)} press sets` : "The only press set";
    return `${which}; ${known.order.optimal ? "no order has fewer" : `every order has at least ${presses(known.order.lower_bound ?? 0)}`}.`;
  }
  return known.ended ? sentence(known.order?.reason ?? "") : "";
}

// The fewest presses: the number, what is proved of it, and from what it follows.
export function fewestWords(board, known) {
  if (board.solved) return { number: "0", proof: "", why: "Nothing is left to press." };
  if (known.hopeless)
    return { number: "", proof: "none works", why: "" };
  const { fewest, sets } = known;
  if (!fewest) return { ...closing(known), why: "" };
  const { count, lower_bound: least, optimal } = fewest;
  if (count === null) return { number: `≥ ${least ?? 0}`, proof: "", why: sentence(fewest.reason ?? "") };
  const proof = optimal ? "proved" : `at most; at least ${least ?? 0} proved`;
  const must = sets?.presses.length ?? 0;
  let why = "";
  if (optimal && sets?.nullity === 0 && count === must) why = "Every solution presses these bulbs; no press is wasted.";
  else if (optimal && sets?.nullity === 0) why = `${counted(must, "bulb")} must be pressed an odd number of times; the rule costs ${count - must} extra ${count - must === 1 ? "press" : "presses"}.`;
  else if (!optimal) why = sentence(fewest.reason ?? "");
  return { number: String(count), proof, why };
}

// The bounds of a search that goes on.
function closing({ found, best, progress }) {
  if (!found) return { number: "", proof: progress ? "searching" : "" };
  const least = found.lower_bound, count = best?.length;
  return { number: count === undefined ? `≥ ${least}` : count > least ? `${least} – ${count}` : `${count}`, proof: "searching" };
}

export function progressWords(board, count) {
  const words = `${board.lit} of ${board.bulbs} lit, ${presses(count)}`;
  return board.solved ? `${words}: solved` : words;
}

export function timeWords(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

// What a win was worth.
export function wonWords(count, { fewest, shown, revealed, seen, hints }) {
  if (shown) return `That is how it goes, in ${presses(count)}.`;
  const help = revealed || seen ? " The answer was open." : hints ? ` With ${counted(hints, "hint")}.` : "";
  const least = fewest?.optimal ? fewest.count : fewest?.lower_bound;
  if (fewest && count <= least) return `Solved in ${count}, the fewest possible.${help}`;
  return `Solved in ${count}.${least ? ` At least ${least} are needed.` : ""}${help}`;
}

// What can still be done from here, told gently: nothing as long as no press was wasted.
export function stillWords({ board, game, live, round }) {
  const made = game.presses.length;
  if (board.solved) return "";
  const never = board.never;
  if (never) return never.sentence;
  if (!live.fresh) return "";
  if (live.known.hopeless) return made ? "Nothing leads on from here. Undo takes a press back." : "Nobody can win this board.";
  const { best } = live.known;
  if (!best || !round.fewest || made + best.length <= round.fewest.count) return "";
  return `${best.length} more can still do it.`;
}

// ------------------------------------------------------------------------------- Possible or not?

// What the rule adds where it is asked if a board can be done.
export const RIDDLE = "Each bulb at most once. Or show that nobody can.";

// The ways to show that a board cannot be done, as one marks them.
export function howToMark({ board, live }) {
  const { sets, witness, order } = live.known, { rule } = board;
  const hatched = "No presses reach the goal. Mark bulbs of which every press changes an even number, and of which an odd number must change.";
  if (witness) return [hatched];
  if (rule === "any" && order) return [];
  const lines = "Tick the rows and columns that hold an odd number of dots. Every order needs as many such rows as columns.";
  const cut = "If they balance: half of the dots of a line, rounded down, are pressed early. Tick lines that need more early presses than the lines across have room for.";
  const even = board.goal !== "grid" && board.goal !== rule ? "an even number" : "an even number, or an odd one, as the lights decide,";
  const pairs = `Mark a group: dotted bulbs, and every dot that changes one of them. Each order needs ${even} of pairs that change each other.`;
  const first = board.goal !== "grid" ? `Or a group that is all ${rule === "unlit" ? "lit" : "unlit"}: none of it can be pressed first.` : "";
  const ways = sets?.nullity ? `The dots are one of ${power(sets.nullity)} ways to choose the presses: the reason must hold for all.` : "";
  return [...(board.hasLineBits ? [lines, cut] : []), pairs, first, ways].filter(Boolean);
}

// What is said of the marks.
export function judgedWords({ board, refuting, live }) {
  const { judged, first } = refuting;
  if (judged?.accepted) return judged.steps.slice(judged.marks.kind === "odd-witness" ? -2 : -1).join(" ");
  if (judged) return `Not yet: ${judged.missing}.`;
  if (first !== null) return `It can be done: ${board.nameOf(first)} is the first press of an order.`;
  if (live.known.witness) return "Mark the bulbs that show it, then Check.";
  return `Mark ${board.hasLineBits ? "the lines or the bulbs" : "the bulbs"} that show it, then Check.`;
}

// How a board of *Possible or not?* was settled.
export function settledWords({ game, refuting, round, isWon }) {
  const help = round.revealed || round.seen || round.shown ? " The answer was open." : "";
  const wrong = refuting.refused ? ` ${sentence(wrongWords(refuting.refused))}` : "";
  return `${isWon ? `It can be done: solved in ${game.presses.length}.` : "Impossible, and proved."}${wrong}${help}`;
}

// The same for others, without saying which: a line that reads well aloud.
export function settledLine({ refuting, round }, name) {
  const seconds = Math.round(round.spent / 1000), minutes = Math.floor(seconds / 60);
  const time = [minutes && counted(minutes, "minute"), (seconds % 60 || !minutes) && counted(seconds % 60, "second")].filter(Boolean).join(" and ");
  return `ponder, Possible or not? ${sentence(name)} Settled in ${time}, ${wrongWords(refuting.refused)}.`;
}

function wrongWords(count) { return count ? `after ${counted(count, "wrong claim")}` : "with no wrong claim"; }

// ------------------------------------------------------------------------------- the path

export const PATH = {
  name: "Path",
  title: (level, count, chapter) => `Level ${level} of ${count} · ${chapter}`,
  level: (level) => `Level ${level}`,
  shared: (level) => `Level ${level} of the path`,
  light: (count) => `${presses(count)} ${count === 1 ? "is" : "are"} enough.`,
  riddle: "Possible or not? Light it, each bulb at most once. Or say Impossible, and mark why.",
  open: "Without a hint, it gives a star.",
  done: "Done. Once more without a hint, it gives a star.",
  star: "Done, with a star: no hint was needed.",
  won: "A star!",
  solved: "solved", starred: "solved, with a star",
  tally: (done, count, stars) => `${done} of ${count} levels, ${counted(stars, "star")}`,
  end: "Here the path ends. Draw a board of your own, or read in two screens why all of this is true.",
  ideas: "Why it is true",
};

// Hints on a board of which it is asked if it can be done.
export const RIDDLE_HINTS = {
  lost: "No order leads on from here. Undo a press, or start again.",
  impossible: "Nobody can do this board. Say Impossible, and mark why.",
  mark: (names) => `Mark these, then Check: ${names.join("; ")}.`,
  line: { rows: (line) => `row ${line}`, columns: (line) => `column ${line}` },
};

// ------------------------------------------------------------------------------- what is kept

function streakWords(now, longest) { return longest ? `${counted(now, "day")} in a row, ${longest} at most` : "not yet"; }

export const KEPT = {
  title: "Statistics",
  rows: ({ levels, of, stars, solved, proved, hints, best, daily, dailyLongest, riddle, riddleLongest }) => [
    ["Levels done", `${levels} of ${of}`],
    ["Stars", stars],
    ["Boards solved", solved],
    ["Boards proved impossible", proved],
    ["Boards with a best game", best],
    ["Hints used", hints],
    ["Daily board", streakWords(daily, dailyLongest)],
    ["Daily Possible or not?", streakWords(riddle, riddleLongest)],
  ],
  where: "Counted in this browser only. A file takes it to another.",
  erase: "Erase", sure: "Erase all of it?",
  erased: "Everything that was counted is erased.",
  saved: "Saved as ponder-statistics.json.",
  taken: "Taken in: what is better of the two was kept.",
  foreign: "this file holds no statistics of ponder's",
  lost: "This browser keeps nothing for the page: its storage is blocked or full. You can play on, but your progress is lost when you close the page.",
};
