// A small grid on which a stencil is drawn: what a press toggles, seen from the bulb in the middle.

import { element } from "./shapes.js";
import { line } from "./words.js";

const REACH = 3;

// Fill `place` with buttons; `changed` is told the offsets. A stencil is symmetric: the cell
// opposite goes with each.
export function stencilEditor(place, changed) {
  const buttons = new Map();
  const on = new Set();
  for (let r = -REACH; r <= REACH; r++)
    for (let c = -REACH; c <= REACH; c++) {
      const button = element("button", { type: "button", "aria-label": nameOf(r, c) });
      button.disabled = !r && !c;
      button.addEventListener("click", () => {
        const had = on.has(`${r},${c}`);
        for (const key of [`${r},${c}`, `${-r},${-c}`]) had ? on.delete(key) : on.add(key);
        changed([...on].map((key) => key.split(",").map(Number)));
      });
      buttons.set(`${r},${c}`, button);
      place.append(button);
    }
  return {
    show(offsets) {
      on.clear();
      for (const [r, c] of offsets) on.add(`${r},${c}`);
      for (const [key, button] of buttons)
        if (!button.disabled) button.setAttribute("aria-pressed", on.has(key));
    },
  };
}

function nameOf(r, c) {
  const parts = [];
  if (r) parts.push(line(r < 0 ? "up" : "down", { n: Math.abs(r) }));
  if (c) parts.push(line(c < 0 ? "left" : "right", { n: Math.abs(c) }));
  return parts.join(", ") || line("itself");
}
