// Why?: a refusal on a page of its own, with its picture and the argument in plain words.

import { at as $, on, write } from "./dom.js";
import { drawPicture } from "./picture.js";
import { reasonMarks } from "./marking.js";
import { download } from "./save.js";
import { sentence } from "./words.js";

const SIDE = 360; // pixels of the picture at most

// The argument behind each kind of refusal, a paragraph each.
const ARGUMENTS = {
  "odd-witness": [
    "Look only at the hatched bulbs. However you press, each press changes an even number of them, so the number of hatched bulbs that still have to change stays odd or even as it is now.",
    "It is odd now, and it would have to be zero at the end. Zero is even, so no presses whatever get there.",
  ],
  "odd-component": [
    "Which bulbs must be pressed follows from the lights alone: the order makes no difference to what a set of presses changes. Those bulbs are outlined.",
    "Take two outlined neighbours. Whichever is pressed first changes the other, so every pair of neighbours is one change that comes too early for one of the two. The rule lets each bulb be changed beforehand only an even or only an odd number of times.",
    "Added up over the group, that fixes whether the number of pairs is odd or even. Here it is the wrong one, so no order exists.",
  ],
  "no-first-press": ["Each bulb that must be pressed is closed to the rule at the start, so no press can be the first."],
  "no-last-press": [
    "Each press leaves the bulb that was pressed in one known state, and the last press leaves it so for good. No bulb may end in that state, so no press can be the last.",
  ],
  "line-count": [
    "On such a board each press is early or late for its row and for its column: early ones come while an even number of presses in that line are still to come.",
    "A line with an odd number of presses has one late press more than early ones, or one fewer. Counting the early presses by rows and by columns has to give the same number. Here the two totals cannot meet, so no order exists.",
  ],
  "line-cut": [
    "The marked rows need a certain number of early presses. Those presses stand where the marked rows meet the columns, and each column has room for only so many.",
    "There is less room than is needed, however the presses are placed in order. So no order exists.",
  ],
  exhausted: ["Every state that can be reached from here was tried, one after the other. None of them is the goal."],
  "sat-proof": ["The question was written as a formula, and a solver proved that no values fulfil it. Another program checked that proof line by line."],
  randomised: ["This is evidence and no proof: random trials found nothing, and the chance that they are mistaken is known."],
};
const OTHERWISE = ["An independent checker has checked this reason."];

export function explainsRefusals(state) {
  const page = $("explanation");
  on("explain", "click", () => {
    const { live, board } = state, { refusal } = live.known, { marks } = refusal;
    write($("explanation-title"), sentence(refusal.why));
    const paragraphs = (ARGUMENTS[marks.kind] ?? OTHERWISE).map((words) => {
      const made = document.createElement("p");
      made.textContent = words;
      return made;
    });
    $("explanation-text").replaceChildren(...paragraphs);
    page.showModal();
    drawPicture($("explanation-picture"), board, { ...reasonMarks(board, marks), lines: state.live.bits }, { side: SIDE });
  });
  on("explanation-save", "click", async () => {
    const { board, live } = state, { why, marks } = live.known.refusal;
    const canvas = document.createElement("canvas");
    drawPicture(canvas, board, { ...reasonMarks(board, marks), lines: live.bits }, { side: 3 * SIDE, words: sentence(why) });
    canvas.toBlob((found) => download("why.png", found, "image/png"), "image/png");
  });
  on("explanation-close", "click", () => page.close());
}
