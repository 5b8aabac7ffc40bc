// *Possible or not?* on the page: its buttons, a box for every line, what is marked, and the proof in
// pictures once it is accepted.

import { check, at as $, on, write } from "./dom.js";
import { cellsOf, reasonMarks } from "./marking.js";
import { pictureOf } from "./picture.js";
import { element } from "./shapes.js";
import { howToMark, judgedWords, line } from "./words.js";

const SIDE = 132;       // pixels of a picture of the proof at most
const MOST_PAIRS = 400; // more strokes would hide the board

export class Refute {
  #shown = null; // the proof that is on the page

  constructor(state) {
    this.state = state;
    const { refuting } = state;
    on("riddles", "change", ({ target }) => state.chooseRiddles(target.value === "riddles"));
    on("impossible", "click", () => state.refute());
    on("check", "click", () => state.judge());
    on("unmark", "click", () => refuting.clear());
    on("play-on", "click", () => state.playOn());
    on("show-needed", "change", () => state.changed());
    for (const side of ["rows", "columns"])
      on(`${side}-boxes`, "change", ({ target }) => refuting.toggle(side, Number(target.value)));
  }

  show() {
    const { state } = this, { refuting, board, isRiddle, isWon } = state, { active, accepted, marks } = refuting;
    check("riddles", isRiddle ? "riddles" : "orders");
    $("hint").hidden = isWon || accepted || (active ? !state.level : isRiddle && !state.level);
    $("impossible").hidden = !isRiddle || active || isWon;
    for (const id of ["check", "unmark", "play-on"]) $(id).hidden = !marks;
    for (const id of ["share-reason", "save-reason", "save-certificate"]) $(id).hidden = !accepted;
    write($("reason"), active ? judgedWords(state) : "");
    $("marking").hidden = !marks;
    const { ways, more } = marks ? howToMark(state) : { ways: [], more: [] };
    list($("ways"), ways);
    list($("more-ways"), more);
    $("more").hidden = !more.length;
    $("needed").hidden = !state.live.dots.length;
    this.#boxes("rows", "row", marks && board.hasLineBits ? board.rows : 0);
    this.#boxes("columns", "column", marks && board.hasLineBits ? board.columns : 0);
    this.#proof();
  }

  // What is marked on the board; once it is accepted, what proves it.
  marks() {
    const { refuting, live, board } = this.state, { judged, accepted, bulbs } = refuting;
    if (accepted) return stepMarks(board, judged, judged.steps.length - 1);
    const pairs = [], count = !live.known.witness; // where no presses reach the goal, pairs mean nothing
    for (const k of count ? bulbs : []) for (const other of board.toggled(k)) if (k < other && bulbs.has(other)) pairs.push([k, other]);
    return {
      marked: bulbs,
      groups: bulbs.size ? [{ style: "outline", cells: [...bulbs] }] : [],
      pairs: pairs.length > MOST_PAIRS ? [] : pairs,
      presses: $("show-needed").checked ? live.dots.map((k) => [k, 1]) : [],
    };
  }

  // Boxes for the lines of one kind; their marks.
  #boxes(side, one, count) {
    const place = $(`${side}-boxes`), marked = this.state.refuting[side];
    place.hidden = !count;
    if (place.childElementCount !== count)
      place.replaceChildren(...Array.from({ length: count }, (_, k) =>
        element("input", { type: "checkbox", value: k, "aria-label": line(one, { n: k + 1 }) })));
    const looked = this.state.hinting.lines[side] ?? [];
    for (const box of place.children) {
      box.checked = marked.has(Number(box.value));
      box.classList.toggle("looked", looked.includes(Number(box.value)));
    }
  }

  // The proof, a picture and its words a step: they come one after the other.
  #proof() {
    const { judged, accepted } = this.state.refuting, place = $("proof-steps"), shown = accepted ? judged : null;
    place.hidden = !accepted;
    if (shown === this.#shown) return;
    this.#shown = shown;
    place.replaceChildren(...(shown?.steps ?? []).map((words, k) => {
      const { start } = this.state.refuting, step = element("li", {}, pictureOf(start, stepMarks(start, shown, k), SIDE), element("p", {}, words));
      step.style.setProperty("--step", k);
      return step;
    }));
  }
}

function list(place, sentences) {
  if (place.childElementCount !== sentences.length || place.textContent !== sentences.join(""))
    place.replaceChildren(...sentences.map((words) => element("li", {}, words)));
}

// What a step of a proof shows.
function stepMarks(board, { steps, marks }, k) {
  const last = k === steps.length - 1, drawn = reasonMarks(board, marks), cells = drawn.groups[0]?.cells ?? [];
  const presses = cellsOf(board, marks.presses).map((at) => [at, 1]);
  if (marks.kind === "witness") {
    const lit = cells.filter((at) => board.isLit(at));
    const at = cells.find((one) => board.toggled(one).length > 1) ?? cells[0];
    if (last) return drawn;
    return k === 0 ? { ...drawn, pointed: { at, cells: board.toggled(at) } } : { groups: [{ style: "outline", cells: lit }] };
  }
  if (drawn.rows) {
    const lines = marks.lines;
    if (last) return { ...drawn, presses, lines };
    const across = longest(board, presses.map(([at]) => at));
    if (k === 1) return { presses, lines, groups: [{ style: "outline", cells: across }] };
    return { presses, lines, ...(k > 1 && { rows: drawn.rows, columns: drawn.columns }) };
  }
  if (k === 0) return { groups: drawn.groups, presses };
  if (cells.length === 1) { // with what hangs on it
    const needed = new Set(presses.map(([at]) => at)), [only] = cells;
    return { groups: drawn.groups, presses, pairs: board.toggled(only).filter((at) => at !== only && needed.has(at)).map((at) => [only, at]) };
  }
  if (last) return { ...drawn, presses, numbered: marks.rule === "parity" };
  if (k > 1 || !drawn.pairs.length) return { groups: drawn.groups, presses };
  const [one] = drawn.pairs[0];
  const near = marks.rule === "parity" ? drawn.pairs.slice(0, 1) : drawn.pairs.filter((pair) => pair.includes(one));
  return { groups: drawn.groups, pairs: near, next: one };
}

// The presses of a line that has most of them.
function longest(board, cells) {
  const lines = [...Array(board.rows + board.columns).keys()].map((line) => cells.filter((k) =>
    (line < board.rows ? Math.floor(k / board.columns) === line : k % board.columns === line - board.rows)));
  return lines.reduce((best, line) => (line.length > best.length ? line : best), []);
}
