// Why?: a refusal on a page of its own, with its picture and the argument in plain words.

import { at as $, on, write } from "./dom.js";
import { drawPicture } from "./picture.js";
import { reasonMarks } from "./marking.js";
import { download } from "./save.js";
import { sentence } from "./words.js";

const SIDE = 360; // pixels of the picture at most

// On row/column boards under the plain rules all arguments begin alike.
const EARLY = [
  "A bulb that must be pressed may be pressed only while its row and its column agree: an even number of presses is left in both, or an odd number in both. Call a press early if those numbers are even.",
  "In each line the number that is left falls by one with each press, so even and odd take turns, down to one. Half of the presses in a line are early, rounded down.",
];

// The argument behind each kind of refusal, a paragraph each.
const ARGUMENTS = {
  "odd-witness": [
    "Look only at the hatched bulbs. Each press, wherever it is made, changes an even number of them. So whether an odd or an even number of them is lit never changes.",
    "The goal needs the other parity, so no presses reach it.",
  ],
  "odd-component": [
    "The lights alone say which bulbs must be pressed, whatever the order. The outlined bulbs are among them.",
    "Take two outlined neighbours. Whichever is pressed first changes the other before its turn. So each pair of neighbours puts one change before a press. The rule decides for each bulb whether an odd or an even number of changes must come before its press.",
    "These counts add up over the group, and so fix whether the number of pairs must be odd or even. Here it has the other parity, so no order exists.",
  ],
  "no-first-press": ["Before anything is pressed, the rule forbids every bulb that must be pressed. So no press can be the first."],
  "no-last-press": ["A press leaves its bulb in one state, and after the last press nothing changes that. The goal wants each of these bulbs in the other state, so none of their presses can be the last."],
  "dead-end": ["Think of the first press, or of the last one: the rule and the goal leave no bulb for it."],
  "line-count": [
    ...EARLY,
    "Count the early presses by rows, then by columns: both counts must agree. The numbers of all presses agree too, so as many rows as columns lose a half in the rounding. Those are the marked lines, which have an odd number of presses. Here the rows and the columns differ in number, so no order exists.",
  ],
  "line-cut": [
    ...EARLY,
    "The marked lines need a certain number of early presses, and each must also fit into the line across it. The lines across have less room than that, so no order exists.",
  ],
  "weighted-cuts": [
    ...EARLY,
    "There are several ways to choose the presses. In each of them, some lines need more early presses than the lines across have room for. So no order exists.",
  ],
  "line-parities": [...EARLY, "No choice of presses gives the rows and the columns halves that can meet. So no order exists."],
  coset: ["There are several ways to choose the presses. Each was ruled out by a reason of its own, and the picture shows the first. So no order exists."],
  states: ["Legal presses lead from here to a limited number of arrangements of lights. All of them were looked at, and none is the goal."],
  exhausted: ["All orders of these presses were tried, step by step. Each gets stuck before its end."],
  "sat-proof": ["The question was written as a formula, and a solver proved that it has no solution. Another program checks that proof line by line."],
  randomised: ["This is evidence, not a proof: random trials found no order, and the chance that all of them are wrong is known to be tiny."],
};
const OTHERWISE = ["`ponder verify` checks this reason without any of the code that found it."];

export function explainsRefusals(state) {
  const page = $("explanation");
  on("explain", "click", () => {
    const { live, board } = state, { refusal } = live.known, { marks } = refusal;
    write($("explanation-title"), sentence(refusal.why));
    const formal = refusal.argument && refusal.argument !== refusal.why ? [`For mathematicians: ${refusal.argument}.`] : [];
    $("explanation-text").replaceChildren(...[...(ARGUMENTS[marks.kind] ?? OTHERWISE), ...formal].map((words) =>
      Object.assign(document.createElement("p"), { textContent: words })));
    $("explanation-text").classList.toggle("formal", formal.length > 0);
    page.showModal();
    drawPicture($("explanation-picture"), board, { ...reasonMarks(board, marks), lines: state.live.bits }, { side: SIDE });
  });
  on("explanation-save", "click", async () => {
    const { board, live } = state, { why, marks } = live.known.refusal;
    const what = live.known.hopeless ? "This board cannot be solved" : "This board cannot be done in order";
    const canvas = document.createElement("canvas");
    drawPicture(canvas, board, { ...reasonMarks(board, marks), lines: live.bits }, { side: 3 * SIDE, words: `${what}, and here is why. ${sentence(why)}` });
    canvas.toBlob((found) => download("why.png", found, "image/png"), "image/png");
  });
  on("explanation-close", "click", () => page.close());
}
