// Solve, the laboratory: the live answer, its reason drawn, the fewest presses, and what there is to
// explore.

import { HOLE } from "./board.js";
import { at as $, on, write } from "./dom.js";
import { cellsOf, lineBits, shownReason } from "./marking.js";
import { fewestWords, line, sentence } from "./words.js";

export class Solve {
  constructor(state) {
    this.state = state;
    const { explorer, game } = state;
    for (const id of ["show-presses", "show-legal", "count-pairs"]) on(id, "change", () => state.changed());
    on("fewest", "click", () => state.countFewest());
    on("show-order", "click", () => state.showTheWay());
    for (const kind of ["quiet", "single"]) on(kind, "click", () => explorer.toggle(kind, state.board));
    on("previous-pattern", "click", () => explorer.turn(-1));
    on("next-pattern", "click", () => explorer.turn(1));
    on("onward", "click", () => this.#onward(game));
  }

  show() {
    const { state } = this, { explorer, live, board } = state;
    const { number, proof, why } = state.isPlay ? { number: "", proof: "", why: "" } : fewestWords(board, live.known);
    write($("number"), number);
    write($("proof"), proof);
    for (const id of ["quiet", "single", "onward"]) $(id).closest("div").hidden = board.goal === "pressed" || (board.isWiring && id !== "quiet");
    write($("fewest-why"), why);
    $("fewest").setAttribute("aria-pressed", state.counted);
    for (const id of ["quiet", "single"]) $(id).setAttribute("aria-pressed", explorer.kind === id);
    write($("explored"), explorer.words);
    $("turn").hidden = explorer.pages < 2;
    $("counting").hidden = !shownReason(state).pairs?.length;
    write($("caption"), this.#caption());
  }

  marks() {
    const { state } = this, { explorer, board } = state;
    const marks = { ...shownReason(state), ...lineBits(state) };
    marks.numbered = $("count-pairs").checked && marks.pairs?.length > 0;
    if (explorer.kind === "quiet") marks.groups = [{ style: "hatch", cells: explorer.cells }];
    if (explorer.kind === "single") marks.legal = explorer.ringed;
    else if ($("show-legal").checked) marks.legal = board.pressable.filter((k) => board.isLegal(k));
    marks.presses = this.#presses();
    return marks;
  }

  // Which bulbs carry a dot, and how often they are pressed.
  #presses() {
    const { player, live, explorer, board, counted } = this.state, { best } = live.known;
    if (explorer.kind === "single") return explorer.presses.map((k) => [k, 1]);
    if (counted && (player.active || best)) {
      const left = player.active ? player.sequence.slice(player.at) : cellsOf(board, best);
      const counts = new Map();
      for (const k of left) counts.set(k, (counts.get(k) ?? 0) + 1);
      return [...counts];
    }
    return $("show-presses").checked ? live.marks : [];
  }

  #caption() {
    const { state } = this, drawn = state.live.known.refusal?.marks;
    if (state.isPlay) return "";
    if (state.drawingGoal) return line("drawing-goal");
    if (drawn?.label && !state.player.active && !state.explorer.kind) return sentence(drawn.label);
    return state.live.bits && $("show-presses").checked && !state.isDraw ? line("alike") : "";
  }

  async #onward(game) {
    const { state } = this, { board } = state;
    const found = await state.live.when((all) => all.sets || all.witness || all.error);
    if (!found.sets) return state.say(line("no-more"));
    const chosen = new Set(cellsOf(board, found.sets.presses));
    return game.load(board.withCells(board.cells.map((x, k) => (x === HOLE ? HOLE : Number(board.wantsLit(k) !== chosen.has(k))))));
  }
}
