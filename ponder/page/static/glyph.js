// What a press changes, as a small picture: the bulb that is pressed, and those that change with it.

import { Board } from "./board.js";
import { svg as element } from "./shapes.js";

const MOST_REACH = 4; // cells to each side: of a stencil that reaches further, the middle is drawn

// Return the glyph of a puzzle or of a board as an SVG element. Its colours are in `page.css`.
export function glyph({ key, pattern, offsets = null }) {
  if (pattern === "graph" || pattern === "wiring") return wires(pattern === "wiring");
  const reach = pattern === "stencil" ? Math.min(MOST_REACH, Math.max(1, ...offsets.flat().map(Math.abs))) : 1;
  const side = pattern === "cross" ? 4 : 2 * reach + 1, wraps = pattern?.startsWith("torus");
  const rows = key === "cards" ? 1 : side, middle = (rows > 1) * reach * side + (wraps ? 0 : reach); // on a torus at the edge, so that it shows
  const board = pattern ? Board.dark(rows, side, { pattern, offsets }) : null;
  const changed = new Set(board ? board.toggled(middle) : [0, 2, 4, 6, 8]);
  const drawn = element("svg", { viewBox: `0 0 ${side * 10} ${side * 10}`, class: "glyph", "aria-hidden": "true" });
  for (let k = 0; k < rows * side; k++) {
    const kind = [changed.has(k) ? "on" : "off", ...(k === middle && board ? ["at"] : [])].join(" ");
    drawn.append(element("circle", { class: kind, cx: 10 * (k % side) + 5, cy: 10 * Math.floor(k / side) + 5 + 5 * (side - rows), r: 3.6 }));
  }
  return drawn;
}

// A bulb, or a button, and three bulbs to which wires lead; a fourth has none.
function wires(isWiring) {
  const drawn = element("svg", { viewBox: "0 0 30 30", class: "glyph", "aria-hidden": "true" }), ends = [[5, 6], [25, 6], [15, 25]];
  for (const [x, y] of ends) drawn.append(element("path", { class: "wire", d: `M15 13L${x} ${y}` }));
  for (const [x, y] of ends) drawn.append(element("circle", { class: "on", cx: x, cy: y, r: 3.8 }));
  drawn.append(isWiring ? element("rect", { class: "at", x: 11, y: 9, width: 8, height: 8, rx: 1.5 })
    : element("circle", { class: "on at", cx: 15, cy: 13, r: 3.8 }));
  return drawn;
}
