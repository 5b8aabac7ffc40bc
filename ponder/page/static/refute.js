// *Possible or not?* on the page: its buttons, a box for every line, what is marked, and the proof in
// pictures once it is accepted.

import { check, at as $, on, write } from "./dom.js";
import { stepsOf } from "./explain.js";
import { stepMarks } from "./marking.js";
import { element } from "./shapes.js";
import { howToMark, judgedWords, line } from "./words.js";

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
    for (const side of ["rows", "columns"]) this.#boxes(side, marks && board.hasLineBits ? board[side] : 0);
    this.#proof();
  }

  // What is marked on the board; once it is accepted, what proves it.
  marks() {
    const { refuting, live, board } = this.state, { judged, accepted, bulbs } = refuting;
    if (accepted) return { ...stepMarks(board, judged.marks), numbered: judged.marks.rule === "parity" };
    const pairs = [], count = !live.known.witness; // where no presses reach the goal, pairs mean nothing
    for (const k of count ? bulbs : []) for (const other of board.toggled(k)) if (k < other && bulbs.has(other)) pairs.push([k, other]);
    return {
      marked: bulbs,
      groups: bulbs.size ? [{ style: "outline", cells: [...bulbs] }] : [],
      pairs: pairs.length > MOST_PAIRS ? [] : pairs,
      presses: $("show-needed").checked ? live.marks : [],
    };
  }

  // Boxes for the lines of one kind; their marks.
  #boxes(side, count) {
    const place = $(`${side}-boxes`), marked = this.state.refuting[side];
    place.hidden = !count;
    if (place.childElementCount !== count)
      place.replaceChildren(...Array.from({ length: count }, (_, k) =>
        element("input", { type: "checkbox", value: k, "aria-label": line(side, { n: k + 1 }) })));
    const looked = this.state.hinting.lines[side] ?? [];
    for (const box of place.children) {
      box.checked = marked.has(Number(box.value));
      box.classList.toggle("looked", looked.includes(Number(box.value)));
    }
  }

  // The proof, a step a row.
  #proof() {
    const { judged, accepted } = this.state.refuting, place = $("proof-steps"), shown = accepted ? judged : null;
    place.hidden = !accepted;
    if (shown === this.#shown) return;
    this.#shown = shown;
    place.replaceChildren(...stepsOf(this.state.refuting.start, shown?.steps ?? []));
  }
}

function list(place, sentences) {
  if (place.childElementCount !== sentences.length || place.textContent !== sentences.join(""))
    place.replaceChildren(...sentences.map((words) => element("li", {}, words)));
}
