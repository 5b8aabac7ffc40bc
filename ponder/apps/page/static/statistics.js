// Statistics: what this browser has counted, to be seen, taken along in a file, and erased.

import { element } from "./cells.js";
import { at as $, on, write } from "./dom.js";
import { shares } from "./host.js";
import { today } from "./label.js";
import { erase, exported, imported, numbers, storage } from "./records.js";
import { download } from "./save.js";
import { KEPT, sentence } from "./words.js";

const MOST_BYTES = 1_000_000;

export function statistics(state) {
  const page = $("kept-all");
  let sure = false, saidOf = null;

  const show = (said = "") => {
    $("numbers").replaceChildren(...KEPT.rows(numbers(today())).map(([term, value]) =>
      element("div", {}, element("dt", {}, term), element("dd", {}, String(value)))));
    write($("kept-where"), KEPT.where);
    write($("kept-done"), said);
    write($("kept-erase"), sure ? KEPT.sure : KEPT.erase);
  };

  $("statistics").hidden = !shares;
  on("statistics", "click", () => {
    sure = false;
    show();
    page.showModal();
  });
  on("kept-close", "click", () => page.close());
  on("kept-export", "click", () => {
    download("ponder-statistics.json", exported(), "application/json");
    show(KEPT.saved);
  });
  on("kept-import", "click", () => $("kept-file").click());
  on("kept-file", "change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    const isOne = file.size <= MOST_BYTES && imported(await file.text());
    target.value = "";
    show(isOne ? KEPT.taken : sentence(KEPT.foreign));
    state.changed();
  });
  on("kept-erase", "click", () => {
    if (sure) erase();
    sure = !sure;
    show(sure ? "" : KEPT.erased);
    state.changed();
  });
  // It is said once, until another board is there.
  storage.addEventListener("lost", () => {
    saidOf = state.game.start;
    write($("lost"), KEPT.lost);
  });
  state.addEventListener("change", () => { if (saidOf && saidOf !== state.game.start) write($("lost"), ""); });
}
