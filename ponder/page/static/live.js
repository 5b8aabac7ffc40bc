// What is known of the board as it stands, as the server tells it.

import { Answers } from "./answers.js";
import { ended } from "./host.js";
import { verdict } from "./words.js";

const STALE = 200; // milliseconds until the old answer goes, where no verdict comes

export const SECONDS = 6, LONG = 120; // of a search after an edit, and of one that is asked for

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
  error = null;
  ended = false;

  take(message) {
    this.ended ||= message.ended;
    this.error = message.error ?? null;
    this.waiting = message.waiting ?? null;
    if (message.progress) this.progress = message.progress;
    this.solvable ||= message.stage === "solvable" || Boolean(this.best);
    const { stage } = message;
    if (stage === "press-sets") this.sets = message;
    else if (stage && stage !== "solvable") this[stage] = message; // order, found, fewest, witness
    if (stage === "fewest" || stage === "witness") this.progress = null;
  }

  // The sequence to play: the fewest presses that are known.
  get best() {
    const [once, any] = [this.order?.presses, (this.fewest ?? this.found)?.presses];
    if (once && any) return any.length < once.length ? any : once;
    return any ?? once ?? null;
  }

  // Whether no sequence of any length works.
  get hopeless() { return Boolean(this.witness) || [this.order, this.fewest].some((x) => x?.hopeless); }

  // Why there is no sequence to show.
  get nothing() { return this.ended ? "no sequence was found in time" : "no sequence is known yet"; }

  get refusal() {
    if (this.fewest?.hopeless) return this.fewest;
    return this.witness ?? (this.order?.verdict === "impossible" ? this.order : null);
  }
}

// Event: `change`, whenever more is known.
export class Live extends EventTarget {
  known = new Known();  // what is shown
  fresh = false;        // whether it is about the board as it stands
  dots = [];            // cells of a lightest press set
  bits = null;          // the line bits: of the rows, of the columns
  #coming = this.known; // what is known of the board as it stands
  #answers = new Answers((message) => this.#take(message));
  #waiting = [];
  #timer = 0;
  #shape = "";

  constructor(game) {
    super();
    this.game = game;
    for (const name of ["online", "focus"]) window.addEventListener(name, () => this.#answers.again(), { signal: ended });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#answers.again(); }, { signal: ended });
    ended.addEventListener("abort", () => this.rest());
  }

  cellOf(label) { return this.game.board.cellOf(label); }
  get marks() { return this.dots.filter((k) => this.game.board.isBulb(k)).map((k) => [k, 1]); }

  // Ask about the board as it stands.
  ask(seconds = SECONDS) {
    this.fresh = false;
    this.#coming = new Known();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#replace(), STALE);
    if (this.game.board.bulbs) this.#answers.about(this.game.board, seconds);
    else { this.#answers.stop(); this.#coming.ended = true; }
  }

  // Ask nothing for now: the board changes by itself.
  rest() {
    this.fresh = false;
    clearTimeout(this.#timer);
    this.#answers.stop();
  }

  // Take back what has no place on another shape; after a press, keep press set and line bits
  // right until the server has a word on them.
  follow(pressed) {
    const { columns, shape } = this.game.board;
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.known = new Known();
      this.#undotted();
    } else if (pressed !== undefined && this.bits) {
      this.bits[0][Math.floor(pressed / columns)] ^= 1;
      this.bits[1][pressed % columns] ^= 1;
      this.dots = this.dots.includes(pressed) ? this.dots.filter((k) => k !== pressed) : [...this.dots, pressed];
    }
  }

  // Wait until something is known of the board as it stands.
  when(until) {
    if (this.fresh && until(this.known)) return Promise.resolve(this.known);
    return new Promise((resolve) => this.#waiting.push({ until, resolve }));
  }

  #take(message) {
    this.#coming.take(message);
    if (!this.fresh && verdict(this.game.board, this.#coming) !== null) this.#replace();
    if (!this.fresh) return;
    if (message.stage) this.#adopt();
    this.#changed();
    this.#waiting = this.#waiting.filter(({ until, resolve }) => !until(this.known) || resolve(this.known));
  }

  // Show what is known of this board in place of what was known of the one before. The old answer
  // stays, dimmed, until there is a verdict or STALE is over: nothing flickers.
  #replace() {
    if (this.fresh) return;
    this.known = this.#coming;
    this.fresh = true;
    if (!this.known.sets && !this.game.presses.length) this.#undotted();
    this.#adopt();
    this.#changed();
  }

  #adopt() {
    const { sets, witness } = this.known;
    if (sets) {
      this.dots = sets.presses.map((at) => this.cellOf(at));
      this.bits = sets.lines?.map((line) => line.map(Number)) ?? null;
    } else if (witness) this.#undotted();
  }

  #undotted() { Object.assign(this, { dots: [], bits: null }); }

  #changed() { this.dispatchEvent(new Event("change")); }
}
