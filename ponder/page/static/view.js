// The one place that draws: the board, its marks, and what stands around it in every place. What
// belongs to one place alone is drawn by its file: `play.js`, `solve.js`, `draw.js`.

import { at as $, write } from "./dom.js";
import { frame } from "./host.js";
import { Layout } from "./layout.js";
import { Picture } from "./picture.js";
import { element } from "./shapes.js";
import { cellWords, line, meanwhile, progressWords, reason, verdict } from "./words.js";

export class View {
  // `places` by name: each has `show()`, and `marks()` for what it marks on the board.
  constructor(state, places) {
    this.state = state;
    this.places = places;
    this.picture = new Picture($("grid"));
    this.layout = new Layout(this.picture, () => state.shownBoard, () => !state.isPlay || state.refuting.active);
    state.addEventListener("change", ({ detail }) => this.show(detail));
  }

  show({ pressed } = {}) {
    const { state, picture } = this, board = state.shownBoard;
    frame.dataset.place = state.place;
    $(state.place).checked = true;
    this.#answer();
    this.#around();
    for (const place of Object.values(this.places)) place.show();
    this.layout.lay(); // the last, as it fits the board into the room that words leave
    picture.show(board, pressed);
    this.mark();
    $("grid").ariaBusy = String(state.asked !== null);
    if (Number.isInteger(state.refused)) picture.shake(state.refused);
    if (pressed !== undefined && state.board.solved) picture.celebrate(pressed);
  }

  mark() {
    const { state } = this, marks = this.#marks(), counts = new Map(marks.presses);
    this.picture.mark(marks, (k) => cellWords({ marked: marks.marked?.has(k), hinted: k === state.hinted, count: counts.get(k) }));
  }

  #marks() {
    const { state } = this, { player, board } = state;
    const marks = { groups: [], presses: [], next: state.hinted, ...this.places[state.place].marks() };
    if (state.hinting.look.length) marks.groups = [...(marks.groups ?? []), { style: "outline", cells: state.hinting.look }];
    if (player.active && player.at) marks.next = player.sequence[player.at - 1];
    const at = state.pointed;
    if (!state.isDraw && !state.isWon && at !== null && at < board.count && board.isBulb(at)) marks.pointed = { at, cells: board.toggled(at) };
    return marks;
  }

  #answer() {
    const { state } = this, { player, live, board } = state, running = player.active && player.running;
    const words = running ? line("to-go", { n: player.sequence.length - player.at, k: player.at, m: player.sequence.length })
      : live.fresh ? verdict(board, live.known, state.game.presses.length) : $("answer").textContent;
    const told = state.tells;
    // Never empty where it is told: what is empty cannot take the focus.
    write($("answer"), told ? words || meanwhile(live.fresh ? live.known : {}) : "");
    $("answer").classList.toggle("stale", !running && !live.fresh);
    $("answer").setAttribute("aria-busy", String(told && !running && (!live.fresh || !words)));
    write($("why"), told && words ? reason(board, live.known) : "");
    const never = board.solved ? undefined : board.never;
    $("nearest").hidden = !never;
    if (never) write($("nearest"), line(`goal-${never.nearest}`));
    $("explain").hidden = !(told && live.fresh && live.known.refusal?.marks && !player.active);
  }

  #around() {
    const { state } = this, { game, board } = state;
    this.#progress(progressWords(board, game.presses.length), state.note);
    write($("clue"), state.hinting.words);
    $("undo").disabled = !state.canUndo;
    $("redo").disabled = !state.canRedo;
  }

  // The counts in large numbers, what is said beside them below.
  #progress(counts, note) {
    const words = [counts, note].filter(Boolean).join(" — "), place = $("progress");
    if (place.textContent === words) return;
    const parts = element("span", {}, ...counts.split(/(\d+)/).map((part, k) => (k % 2 ? element("b", {}, part) : part)));
    place.replaceChildren(parts, ...(note ? [element("span", { class: "unseen" }, " — "), element("span", { class: "note" }, note)] : []));
  }
}
