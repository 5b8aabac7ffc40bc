// Play, the game: puzzles by name, the rule in a line, help on demand, what a win is worth.

import { check, at as $, on, write } from "./dom.js";
import { Board } from "./board.js";
import { glyph } from "./glyph.js";
import { shares } from "./host.js";
import { dayOf, gradeOf, today } from "./label.js";
import { LEVELS } from "./levels.js";
import { hashOf } from "./link.js";
import { bestOf, isHelped, numbers, streak } from "./records.js";
import { pictureOf } from "./picture.js";
import { GRADES, PUZZLES, SHAPES, SIDES, ruleInWords } from "./puzzles.js";
import { element } from "./shapes.js";
import { PATH, capital, dayWords, line, riddleWords, settledWords, stillWords, timeWords, wonWords } from "./words.js";

const OWN = "your-own";

export class Play {
  // `riddle` shows *Possible or not?*, `path` the levels.
  constructor(state, riddle, path) {
    this.state = state;
    this.riddle = riddle;
    this.path = path;
    $("puzzles").append(...PUZZLES.map((puzzle) => choice("puzzle", puzzle.key, puzzle.title, glyph(puzzle), title(puzzle))));
    $("grades").append(...GRADES.map((grade) => choice("grade", grade, capital(grade), capital(grade))));
    $("intro").append(...beginning());
    $("size").append(new Option(line("usual"), ""), ...SIDES.map((n) => new Option(line("side", { n }), n)), ...Object.keys(SHAPES).map((name) => new Option(line(name), name)));
    on("size", "change", ({ target }) => state.resize(target.value));
    for (const [id, name] of [["has-clock", "hasClock"], ["warns", "warns"]]) on(id, "change", ({ target }) => {
      state[name] = target.checked;
      state.changed();
    });
    on("puzzles", "change", ({ target }) => state.choose(target.value));
    on("grades", "change", ({ target }) => state.fresh(undefined, target.value));
    on("new", "click", () => state.fresh());
    on("next", "click", () => state.next());
    for (const id of ["again", "start-again"]) on(id, "click", () => state.startAgain());
    on("daily", "click", () => state.begin({ daily: today(), ...(state.riddles && { riddle: true }) }));
    on("hint", "click", () => state.hinting.next());
    on("show-me", "click", async () => {
      await state.showTheWay();
      $("stage").scrollIntoView({ block: "nearest" });
    });
    on("reveal", "click", () => state.reveal());
    on("to-draw", "click", () => state.go("draw"));
  }

  show() {
    const { state } = this, { game, round, isWon, board, isRiddle, refuting, level } = state, { isOver } = state;
    check("puzzles", state.puzzle);
    check("grades", state.gradeShown);
    write($("rules"), [ruleInWords(board.ruleKind, board.rule, board.goal), isRiddle ? riddleWords(board.goal) : ""].filter(Boolean).join(" "));
    $("rules").parentElement.classList.toggle("unseen", isOver);
    this.#glyph(board);
    const won = isRiddle && isOver ? settledWords(state) : isWon ? wonWords(game.presses.length, round) : "";
    write($("won"), won && level && !isHelped(level) ? `${won} ${PATH.won}` : won);
    for (const id of ["again", "next", "share-result"]) $(id).hidden = !isOver || (id === "share-result" && !shares) || (id === "next" && level === LEVELS.length);
    for (const id of ["redo", "start-again"]) $(id).hidden = isWon || refuting.active;
    $("undo").hidden = refuting.active;
    this.#main();
    $("intro").hidden = state.first !== game.start;
    const best = bestOf(hashOf(game.start));
    $("size").value = (state.puzzle === OWN && state.shape) || (state.side ?? "");
    [$("has-clock").checked, $("warns").checked] = [state.hasClock, state.warns];
    $("time").hidden = !state.hasClock || !game.presses.length && !round.spent && best === null;
    write($("time"), [round.spent ? timeWords(round.spent / 1000) : "", best === null ? "" : line("best", { n: best })].filter(Boolean).join(", "));
    write($("about"), this.#about());
    write($("kept"), this.#kept());
    $("draw-own").hidden = state.puzzle !== OWN;
    write($("gentle"), state.isPlay ? stillWords(state) : "");
    $("stuck").hidden = isOver || isRiddle;
    this.riddle.show();
    this.path.show(isOver);
    $("veil").hidden = round.open;
    $("reveal").hidden = round.open;
  }

  // The answer, once it is revealed: which bulbs are to be pressed.
  marks() {
    const { round, live, player, refuting, level } = this.state;
    if (refuting.active) return this.riddle.marks();
    const dotted = round.open || LEVELS[level - 1]?.dots;
    return dotted && !player.active ? { presses: live.marks } : {};
  }

  // One button is the main one: the path, until something was done; on it, what leads on.
  #main() {
    const { levels, solved } = numbers(today());
    const id = ["next", "check"].find((one) => !$(one).hidden) ?? (this.state.level ? null : shares && levels + solved === 0 ? "path" : "new");
    for (const one of ["next", "check", "path", "new"]) $(one).classList.toggle("primary", one === id);
  }

  // What a press changes, beside the rule.
  #glyph(board) {
    const shape = [board.ruleKind, board.offsets].join(" ");
    if (shape === this.shape) return;
    this.shape = shape;
    $("glyph").replaceChildren(glyph(board));
  }

  #about() {
    const { game, isHopeless } = this.state, { label, start: board } = game, size = board.sizeWords;
    if (label?.daily) return line("about-day", { size, grade: gradeOf(label), day: dayWords(dayOf(label.daily)) });
    if (label?.riddle) return line("about-riddle", { size });
    if (!label?.made || isHopeless) return board.isGrid ? line("about-own", { size, n: board.bulbs }) : size;
    return line("about-made", { size });
  }

  #kept() {
    const { isRiddle } = this.state, n = streak(today(), isRiddle);
    return n ? line(isRiddle ? "streak-riddles" : "streak", { n }) : "";
  }
}

// The game in three pictures: press an unlit bulb; its row and its column change; all are lit.
function beginning() {
  const board = Board.fromText("1010\n0001\n0100\n1010\n"), at = 5;
  const steps = [[board, { hand: at }], [board.pressed(at), { pointed: { at, cells: board.toggled(at) } }], [Board.fromText("1111\n".repeat(4)), {}]];
  return steps.flatMap(([shown, marks], k) => [...(k ? ["→"] : []), pictureOf(shown, marks, 88)]);
}

function choice(name, value, words, ...inside) {
  return element("label", {}, element("input", { type: "radio", name, value, "aria-label": words }), element("span", {}, ...inside));
}

function title({ key, title }) { return element("span", {}, element("b", {}, title), element("small", {}, line(key))); }
