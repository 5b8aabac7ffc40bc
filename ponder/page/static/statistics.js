// Statistics: what this browser has counted, to be seen, taken along in a file, and erased. Loaded once
// it is asked for.

import { at as $, on, write } from "./dom.js";
import { today } from "./label.js";
import { erase, exported, imported, numbers } from "./records.js";
import { download } from "./save.js";
import { element } from "./shapes.js";
import { KEPT, sentence } from "./words.js";

const MOST_BYTES = 1_000_000;

// Make the view; what is returned shows it.
export function statistics(state) {
  const page = $("kept-all");
  let sure = false;

  const show = (said = "") => {
    $("numbers").replaceChildren(...KEPT.rows(numbers(today())).map(([term, value]) =>
      element("div", {}, element("dt", {}, term), element("dd", {}, String(value)))));
    write($("kept-where"), KEPT.where);
    write($("kept-done"), said);
    write($("kept-erase"), sure ? KEPT.sure : KEPT.erase);
  };

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
  return () => {
    sure = false;
    show();
    page.showModal();
  };
}
