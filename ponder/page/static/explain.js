// Why?: a refusal on a page of its own, with its picture and the argument in plain words.

import { at as $, on, write } from "./dom.js";
import { pictureOf } from "./picture.js";
import { lineBits, reasonMarks } from "./marking.js";
import { download, pngOf, saved } from "./save.js";
import { element } from "./shapes.js";
import { line, sentence } from "./words.js";

const SIDE = 360; // pixels of the picture at most

export function explainsRefusals(state) {
  const page = $("explanation");
  on("explain", "click", () => {
    const { live, board } = state, { refusal } = live.known, { marks, explained } = refusal;
    write($("explanation-title"), sentence(refusal.why));
    const formal = refusal.argument && refusal.argument !== refusal.why ? [line("formal", { why: refusal.argument })] : [];
    $("explanation-text").replaceChildren(...[...explained, ...formal].map((words) => element("p", {}, words)));
    $("explanation-text").classList.toggle("formal", formal.length > 0);
    page.showModal();
    $("explanation-picture").replaceChildren(pictureOf(board, { ...reasonMarks(board, marks), ...lineBits(state) }, SIDE));
  });
  on("explanation-save", "click", async () => {
    const { live } = state, { why } = live.known.refusal;
    const words = line(live.known.hopeless ? "why-unsolvable" : "why-no-order", { why: sentence(why) });
    download("why.png", await pngOf(saved($("explanation-picture").firstChild, words), 3), "image/png");
  });
  on("explanation-close", "click", () => page.close());
}
