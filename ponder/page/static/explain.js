// A proof, a step a row: a large picture that shows what the step counts, and its sentence. And Why?: a
// refusal on a page of its own.

import { at as $, on, write } from "./dom.js";
import { pictureOf } from "./picture.js";
import { lineBits, reasonMarks, stepMarks } from "./marking.js";
import { download, pngOf, saved } from "./save.js";
import { element } from "./shapes.js";
import { line, sentence } from "./words.js";

const SIDE = 320; // pixels of a picture at most

// Return the steps of a proof as elements of a list.
export function stepsOf(board, steps) {
  return steps.map(({ words, marks }) => {
    const label = marks.label ? [element("figcaption", {}, sentence(marks.label))] : [];
    return element("li", {}, element("figure", {}, pictureOf(board, stepMarks(board, marks), SIDE), ...label), element("p", {}, words));
  });
}

export function explainsRefusals(state) {
  const page = $("explanation");
  on("explain", "click", () => {
    const { live, board } = state, { why, steps } = live.known.refusal;
    write($("explanation-title"), sentence(why));
    $("explanation-steps").replaceChildren(...stepsOf(board, steps));
    page.showModal();
  });
  on("explanation-save", "click", async () => {
    const { live, board } = state, { why, marks } = live.known.refusal;
    const words = line(live.known.hopeless ? "why-unsolvable" : "why-no-order", { why: sentence(why) });
    const picture = pictureOf(board, { ...reasonMarks(board, marks), ...lineBits(state) }, SIDE);
    download("why.png", await pngOf(saved(picture, words), 3), "image/png");
  });
  on("explanation-close", "click", () => page.close());
}
