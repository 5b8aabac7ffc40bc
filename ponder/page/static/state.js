// Everything that the page knows: one state. Whatever happens changes it here, and is followed by
// one event `change`, after which `view.js` draws it.

import { Explorer } from "./explore.js";
import { Game } from "./game.js";
import { boardFrom } from "./graph.js";
import { ask, ended, shares } from "./host.js";
import { gradeOf, labelText, levelLabel } from "./label.js";
import { Hinting } from "./hinting.js";
import { LEVELS } from "./levels.js";
import { boardOf, hashOf } from "./link.js";
import { LONG, Live } from "./live.js";
import { isOf, isPossible, madeBy } from "./made.js";
import { Player } from "./player.js";
import { FIRST, GRADES, PUZZLES, SHAPES } from "./puzzles.js";
import { count, doneLevels, keepBest, keepDay, keepHelped, keepLevel } from "./records.js";
import { Refuting } from "./refuting.js";
import { Round } from "./round.js";
import { RIDDLE_HINTS, line, toldHere } from "./words.js";

const TICK = 500; // milliseconds between two looks at the clock
const OWN = "your-own";
const KNOWN = { place: ["play", "solve", "draw"], grade: GRADES, shape: ["", ...Object.keys(SHAPES)] }; // what is kept may be damaged

// Event: `change`, with `pressed`: the cell whose press it was, if it was one.
export class State extends EventTarget {
  place = shares ? "play" : "draw";
  grade = "easy";
  side = null;           // the side of new boards; null: that of the grade
  hasClock = true;       // whether the time is shown
  warns = true;          // whether a wasted press is told
  own = null;            // the board that one has drawn, for `Your own`
  shape = "";            // the shape that was chosen in its place, by its name
  isOwn = false;         // whether `Your own` was chosen
  riddles = false;       // whether *Possible or not?* was chosen
  note = "";             // what is said beside the progress, until something happens
  hinted = null;         // the cell to press next
  pointed = null;        // the cell that is pointed at, held or has the focus
  counted = false;       // whether the fewest presses are counted on the board
  drawingGoal = false;
  cuttingHoles = false;
  asked = null;          // the label of a board that the engine is to make
  #wanted = new AbortController(); // ends the question for it
  #ofLabels = new Map(); // the last attempt at each board: what has helped is not forgotten
  #ofBoards = new WeakMap();
  first = null;          // the board that a first visit begins with

  constructor() {
    super();
    this.game = new Game(boardFrom(FIRST[0][1]));
    this.live = new Live(this.game);
    this.player = new Player(this.game);
    this.explorer = new Explorer();
    this.hinting = new Hinting(this);
    this.refuting = new Refuting();
    this.#attempt(new Round(this.game.start));
    this.game.addEventListener("change", ({ detail }) => this.#moved(detail));
    this.live.addEventListener("change", () => this.#learned());
    this.player.addEventListener("change", () => this.#played());
    for (const part of [this.explorer, this.refuting]) part.addEventListener("change", () => this.changed());
    const ticking = setInterval(() => { if (this.isTimed) this.changed(); }, TICK);
    ended.addEventListener("abort", () => clearInterval(ticking));
  }

  get board() { return this.game.board; }
  get shownBoard() { return this.drawingGoal ? this.board.withCells(this.board.target) : this.board; }
  get isPlay() { return this.place === "play"; }
  get isDraw() { return this.place === "draw"; }
  get isWon() { return this.isPlay && this.board.solved && this.game.presses.length > 0 && !this.player.running; }
  get isOver() { return this.isWon || this.refuting.accepted; }
  get isTimed() {
    const { game, board, refuting, player } = this, begun = game.presses.length > 0 || this.isRiddle;
    return this.isPlay && begun && !refuting.accepted && !board.solved && !player.active && !document.hidden;
  }

  // Whether it is asked if the board can be done, each bulb pressed at most once.
  get isRiddle() {
    const label = this.asked ?? this.game.label;
    return this.isPlay && (label ? Boolean(label.riddle) : this.riddles);
  }

  // Whether no presses solve the board, from its start either.
  get isHopeless() {
    const { known, fresh } = this.live, isSo = known.witness || (known.hopeless && !this.game.presses.length);
    return Boolean((fresh && isSo) || this.round.fewest?.hopeless);
  }

  // The level of the path that this is, by its number; 0 for none.
  get level() { return (this.isPlay && (this.asked ?? this.game.label)?.level) || 0; }

  // Whether answers may be seen here.
  get tells() { return !this.isPlay || this.round.open; }

  // The puzzle that this board is one of, and its grade.
  get puzzle() {
    const { start } = this.game, label = this.asked ?? this.game.label;
    const same = (puzzle) => ["pattern", "rule", "goal"].every((key) => puzzle[key] === start[key]);
    if (label?.puzzle) return label.puzzle;
    return (!this.isOwn && PUZZLES.find((one) => same(one) && (one.key !== "cards" || start.rows === 1))?.key) || OWN;
  }
  get gradeShown() { return gradeOf(this.asked ?? this.game.label) ?? this.grade; }

  changed(detail = {}) {
    const { round, game: { label } } = this;
    round.tick(this.isTimed);
    round.revealed ||= round.late && this.isPlay && !this.isOver; // what was seen at the end helps from now on
    if (label?.level && !round.unaided) keepHelped(label.level);
    this.dispatchEvent(new CustomEvent("change", { detail }));
  }

  // In Play presses are undone, not the choice of a board; while one marks, marks.
  get canUndo() { return this.isPlay && !this.refuting.marks ? this.game.canUndoPresses : this.#undone.canUndo; }
  get canRedo() { return this.#undone.canRedo; }
  undo() { if (this.canUndo) this.#undone.undo(); }
  redo() { if (this.canRedo) this.#undone.redo(); }
  get #undone() { return this.refuting.marks ? this.refuting : this.game; }

  // The answer is asked for: no help, once the board is done.
  reveal() {
    this.round[this.isOver ? "late" : "revealed"] = true;
    this.changed();
  }

  say(words) {
    this.note = words;
    this.changed();
  }

  // Do something that may fail; an Error is told in the status.
  async told(work) {
    try {
      await work();
    } catch (error) {
      if (error.name !== "AbortError") this.say(toldHere(error.message));
    }
  }

  go(place) {
    if (place === this.place) return;
    this.#move(place);
    this.changed();
  }

  // Take the board of an address; `plays`: in Play.
  receive({ board, label, why }, plays) {
    if (plays) this.#move("play");
    [this.isOwn, this.shape] = [false, ""];
    this.#heed(label);
    this.game.load(board, label);
    return why && this.believe(why);
  }

  #move(place) {
    const { isOver } = this;
    if (place === "draw" && this.board.goal === "pressed" && this.game.presses.length) this.game.startAgain(); // with all its bulbs
    if (this.isDraw && !this.game.label) [this.own, this.isOwn, this.shape] = [this.game.start, true, ""];
    if (this.player.active) this.player.end();
    this.explorer.close();
    this.refuting.end();
    this.hinting.end();
    this.place = place;
    if (!this.isPlay) this.round[isOver ? "late" : "seen"] = true;
    Object.assign(this, { drawingGoal: false, cuttingHoles: false, counted: false, hinted: null, note: "" });
  }

  // Another puzzle: a fresh board, or the one that was drawn.
  choose(puzzle) {
    if (puzzle !== OWN) return this.fresh(puzzle);
    [this.isOwn, this.shape] = [true, ""];
    return this.game.load(this.own ?? this.game.start);
  }

  // Boards of another side (null: that of the grade), or of another shape.
  resize(value) {
    this.side = Number(value) || null;
    this.shape = this.side ? "" : value;
    this.fresh(this.shape ? OWN : this.puzzle === OWN ? PUZZLES[0].key : this.puzzle);
  }

  // Boards that can be done, or that may be: a fresh board, or the one that was drawn.
  chooseRiddles(riddles) {
    this.riddles = riddles;
    if (!this.game.label && this.puzzle === OWN) {
      this.refuting.end();
      this.changed();
    } else this.fresh();
  }

  // Where a label says whether it is asked if a board can be done, later boards ask so too.
  #heed(label) { if (!label?.level) this.riddles = Boolean(label?.riddle); }

  // Go to a level of the path; unless told which, to the first that is not done.
  walk(level) {
    const done = doneLevels(), left = LEVELS.findIndex((_, k) => !done.has(k + 1));
    return this.begin(levelLabel(level ?? Math.max(0, left) + 1));
  }

  // Back to the game that one has left for the path.
  leave() {
    const left = this.game.before(offPath);
    if (left) this.game.resume(left);
    else this.fresh();
  }

  // The next level, or another board.
  next() {
    if (!this.level) return this.fresh();
    return this.level < LEVELS.length ? this.walk(this.level + 1) : undefined;
  }

  // Another board of a puzzle and a grade.
  fresh(puzzle = this.level ? this.game.before(offPath)?.label?.puzzle ?? PUZZLES[0].key : this.puzzle, grade = this.game.label?.grade ?? this.grade) {
    this.grade = grade;
    const { riddles: riddle } = this, side = puzzle !== OWN && this.side, [seed] = crypto.getRandomValues(new Uint32Array(1));
    this.begin({ puzzle, grade, seed, ...(side && { side }), ...(riddle && { riddle }) });
  }

  // Ask the engine for the board of a label; what is asked for last comes.
  begin(label) {
    this.#drop();
    this.asked = label;
    this.live.rest(); // the board that is left needs no answer
    this.changed();
    return this.told(async () => {
      const own = this.shape ? boardFrom(SHAPES[this.shape]) : this.own ?? this.game.start;
      const made = await madeBy(label, own, this.#wanted.signal).catch((error) => ({ error }));
      if (this.asked !== label) return;
      this.asked = null;
      if (made.error) {
        this.live.ask();
        throw made.error;
      }
      this.isOwn = label.puzzle === OWN;
      this.#heed(label);
      this.game.load(made.board, made.label);
    });
  }

  // Whoever plays on wants no other board.
  #drop() {
    this.#wanted.abort();
    this.#wanted = new AbortController();
    this.asked = null;
  }

  // Give the board the nearest goal that its rule can reach.
  makeWinnable() { this.game.edit(this.board.with({ goal: this.board.never.nearest, target: null })); }

  startAgain() {
    const proved = this.refuting.accepted;
    this.refuting.end();
    if (!proved) this.game.startAgain();
    this.#attempt(this.round.again);
    this.changed();
  }

  // Read a board file's text, as the command line does, and show it.
  async load(text) {
    const { board } = await ask("board", { board: text });
    [this.isOwn, this.riddles, this.shape] = [false, false, ""];
    this.game.load(boardFrom(board));
  }

  // Press a bulb, or mark it where it is marked why the board cannot be done.
  act(k) {
    if (this.refuting.marks) this.refuting.toggle("bulbs", k);
    else if (!this.refuting.accepted) {
      const isRepeated = this.isRiddle && this.game.presses.includes(k); // each is pressed at most once
      const why = isRepeated ? line("again", { place: this.board.nameOf(k) }) : this.board.refusal(k);
      if (why === null) return this.game.press(k);
      this.refused = k;
      this.say(why);
      this.refused = null;
    }
  }

  // `Impossible` is said: the start board is shown, to be marked.
  async refute() {
    const { game, live, refuting, hinting, asked } = this, left = game.presses.length > 0;
    this.#drop();
    if (left) game.startAgain();
    else if (asked) live.ask();
    hinting.end(); // it may have said that nobody can do the board
    this.note = left ? line("at-start") : ""; // and no more of a press
    refuting.begin(game.start, { left });
    const isKnown = await isPossible(game.start, game.label ?? {}), { order } = isKnown ? {} : await live.when((all) => all.order || all.witness || all.ended || all.error);
    if (refuting.start !== game.start || !(isKnown || order?.presses?.length)) return;
    refuting.end(); // it can be done: on with the game
    this.round.wrong += 1;
    if (isKnown) return this.say(line("possible-early"));
    this.hinted = live.cellOf(order.presses[0]);
    this.say(line(left ? "possible-from-start" : "possible", { place: game.board.nameOf(this.hinted) }));
  }

  // Back to the game, as it was when `Impossible` was said.
  playOn() {
    const { left } = this.refuting;
    this.refuting.end();
    this.hinting.end();
    this.note = "";
    if (left) this.game.undo();
    else this.changed();
  }

  // Have what is marked judged; an accepted reason is a win, if the player has `found` it.
  judge(found = true) {
    if (found) this.note = "";
    return this.told(async () => {
      const { round } = this;
      if (await this.refuting.check(LEVELS[this.level - 1]?.reason) && found) round.refused += 1;
      if (this.refuting.accepted) this.hinting.end();
      if (found && this.refuting.accepted) this.#settled("proved");
      this.changed();
    });
  }

  // Show marks that somebody else has made, judged.
  async believe(text) {
    this.riddles = true;
    this.refuting.begin(this.game.start);
    await this.told(() => this.refuting.mark(text));
    if (this.refuting.active) await this.judge(false);
  }

  // The sequence to be played from here, as cells; null, with the reason told, where there is none.
  async sequence() {
    if (this.board.solved) return void this.say(line("nothing-left"));
    const { fresh, known } = this.live, isKnown = (all) => all.ended || all.fewest || all.hopeless || all.error;
    if (!fresh || !isKnown(known)) this.say(known.waiting ?? line("thinking"));
    const found = await this.live.when(isKnown);
    this.note = "";
    if (!found.best) return void this.say(found.error ?? (this.isHopeless ? line("hopeless") : found.hopeless ? RIDDLE_HINTS.lost : found.nothing));
    return found.best.map((at) => this.live.cellOf(at));
  }

  async showTheWay() { this.watch(await this.sequence()); }

  // Show a sequence, if there is one, being played, from the board as it stands.
  watch(sequence) {
    if (!sequence) return;
    if (this.isDraw) this.go("solve");
    this.round.shown = true;
    this.player.begin(sequence);
  }

  countFewest() {
    const { fresh, known } = this.live;
    this.counted = !this.counted;
    if (this.counted && !(fresh && (known.fewest?.optimal || known.hopeless))) this.live.ask(LONG);
    this.changed();
  }

  // What a reload needs.
  get kept() {
    const { place, grade, hasClock, warns, isOwn, riddles, shape, refuting, round, game, own } = this;
    return { place, grade, hasClock, warns, isOwn, riddles, shape, marked: refuting.kept, round: round.kept, game: game.kept, own: own && hashOf(own) };
  }

  restore({ game, round, own, marked, hasClock = true, warns = true, isOwn, riddles, ...more }) {
    this.game.restore(game);
    for (const [name, known] of Object.entries(KNOWN)) if (known.includes(more[name])) this[name] = more[name];
    Object.assign(this, { side: this.game.label?.side ?? null, hasClock, warns, isOwn, riddles, own: own && boardOf(own) });
    this.#attempt(new Round(this.game.start, round));
    if (marked) {
      this.refuting.begin(this.game.start, marked);
      this.refuting.mark(marked.text);
      if (marked.accepted) this.judge(false);
    }
    this.changed();
  }

  #moved({ pressed, isBack }) {
    const { player, live, explorer, game, refuting } = this;
    if (player.active && !player.showing) player.end();
    this.hinted = null;
    this.hinting.end();
    if (game.start !== refuting.start || game.presses.length) refuting.end();
    if (this.asked) this.#drop();
    this.counted &&= player.active;
    this.note = "";
    if (this.board.goal !== "grid") this.drawingGoal = false;
    if (game.start !== this.round.start) this.#resume(isBack);
    explorer.keepFor(this.board);
    live.follow(pressed);
    if (player.active && player.running) live.rest();
    else live.ask();
    this.changed({ pressed });
    if (pressed !== undefined) this.#wonBy();
  }

  // The attempt at this board that was left, where it goes on; else another one.
  #resume(isBack) {
    const { start, presses, label } = this.game, left = label ? this.#ofLabels.get(labelText(label)) : this.#ofBoards.get(start);
    const round = isBack || presses.length ? left : left?.again;
    this.#attempt(Object.assign(round ?? new Round(start), { start, ...(!this.isPlay && { seen: true }) }));
  }

  #attempt(round) {
    const { start, label } = this.game;
    this.round = round;
    if (label) this.#ofLabels.set(labelText(label), round);
    else this.#ofBoards.set(start, round);
  }

  #learned() {
    const { live, game, round } = this, { fewest, hopeless } = live.known;
    if (live.fresh && !game.presses.length && (fewest?.optimal || hopeless)) round.fewest = fewest ?? null;
    else if (this.isPlay && game.presses.length && live.fresh && live.known.ended) this.#askFewest();
    this.changed();
  }

  // The fewest presses from the start: to compare with, where they are not known yet.
  #askFewest() {
    const { round, game } = this;
    if (round.fewest || round.asked) return;
    round.asked = true;
    ask("solve", { board: game.start.text, timeout: 20 }).then((found) => {
      if (found.verdict === "solved") round.fewest = found;
      this.changed();
    }, () => {});
  }

  #wonBy() {
    const { game } = this;
    if (!this.board.solved || !this.isPlay) return;
    this.#askFewest();
    if (this.#settled("solved")) keepBest(hashOf(game.start), game.presses.length);
    this.changed();
  }

  // A board is done: `solved`, or `proved` impossible. Whether the player has done it.
  #settled(how) {
    const { round, player, game: { label, start } } = this;
    if (this.level) keepLevel(this.level);
    if (round.shown || round.revealed || round.seen || player.active) return false;
    count(how);
    if (label?.daily) isOf(label, start).then((isSo) => { if (isSo) { keepDay(label); this.changed(); } });
    return true;
  }

  #played() {
    const { player, live } = this;
    if (!player.running && !player.showing && !live.fresh) live.ask();
    this.changed();
  }
}

// Whether a moment of the game is none of the path.
function offPath({ label }) { return !label?.level; }
