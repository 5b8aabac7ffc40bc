// Why?: a refusal on a page of its own, with its picture and the argument in plain words.

import { at as $, on, write } from "./dom.js";
import { drawPicture } from "./picture.js";
import { reasonMarks } from "./marking.js";
import { download } from "./save.js";
import { line, sentence } from "./words.js";

const SIDE = 360; // pixels of the picture at most

export function explainsRefusals(state) {
  const page = $("explanation");
  on("explain", "click", () => {
    const { live, board } = state, { refusal } = live.known, { marks, explained } = refusal;
    write($("explanation-title"), sentence(refusal.why));
    const formal = refusal.argument && refusal.argument !== refusal.why ? [line("formal", { why: refusal.argument })] : [];
    $("explanation-text").replaceChildren(...[...explained, ...formal].map((words) =>
      Object.assign(document.createElement("p"), { textContent: words })));
    $("explanation-text").classList.toggle("formal", formal.length > 0);
    page.showModal();
    drawPicture($("explanation-picture"), board, { ...reasonMarks(board, marks), lines: state.live.bits }, { side: SIDE });
  });
  on("explanation-save", "click", async () => {
    const { board, live } = state, { why, marks } = live.known.refusal;
    const words = line(live.known.hopeless ? "why-unsolvable" : "why-no-order", { why: sentence(why) });
    const canvas = document.createElement("canvas");
    drawPicture(canvas, board, { ...reasonMarks(board, marks), lines: live.bits }, { side: 3 * SIDE, words });
    canvas.toBlob((found) => download("why.png", found, "image/png"), "image/png");
  });
  on("explanation-close", "click", () => page.close());
}
