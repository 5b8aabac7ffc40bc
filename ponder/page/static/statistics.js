// Statistics: what this browser has counted, to be seen and erased.

import { at as $, on, write } from "./dom.js";
import { today } from "./label.js";
import { erase, numbers } from "./records.js";
import { element } from "./shapes.js";
import { KEPT } from "./words.js";

// Make the view; what is returned shows it.
export function statistics(state) {
  const page = $("kept-all");
  let sure = false;

  const show = () => {
    $("numbers").replaceChildren(...KEPT.rows(numbers(today())).map(([term, value]) =>
      element("div", {}, element("dt", {}, term), element("dd", {}, value))));
    write($("kept-erase"), sure ? KEPT.sure : KEPT.erase);
  };

  on("kept-close", "click", () => page.close());
  on("kept-erase", "keydown", (event) => { if (event.repeat) event.preventDefault(); }); // a key that is held asks nothing twice
  on("kept-erase", "click", () => {
    if (sure) erase();
    sure = !sure;
    show();
    state.changed();
  });
  return () => {
    sure = false;
    show();
    page.showModal();
  };
}
