// What can be taken away: the board as text, a result, a picture.

import { drawPicture } from "./picture.js";
import { line } from "./words.js";

const CELL = 40, GAP = 20;
const PNG_SIDE = 1200; // pixels

export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A picture as SVG; `dots` are the cells of a press set.
export function picture(board, dots = []) {
  const shapes = bulbs(board, (k) => [circle(board, k, 14, board.isLit(k) ? "l" : "u")]);
  return svg(board, [...shapes, ...dots.map((k) => circle(board, k, 4, "d"))]);
}

// A picture as PNG, in the colours of the page.
export function pngOf(board, dots = []) {
  const canvas = document.createElement("canvas");
  drawPicture(canvas, board, { presses: dots.map((k) => [k, 1]) }, { side: PNG_SIDE });
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function bulbs(board, draw) {
  return Array.from({ length: board.count }, (_, k) => k).filter((k) => board.isBulb(k)).flatMap(draw);
}

function at(board, k) { return board.middle(k).map((x) => Math.round(10 * (GAP + CELL * x)) / 10); }

function named(board, k, x, y) {
  const text = String(board.label(k)).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<text x="${x}" y="${y}">${text}</text>`;
}

// The wires of a graph, behind its bulbs, and the names of these.
function wired(board, shapes) {
  if (board.isGrid) return shapes;
  const wires = board.plan.wires.map((ends) => `M${ends.map((k) => at(board, k).join(" ")).join("L")}`).join("");
  const names = Array.from(board.cells.keys(), (k) => named(board, k, ...at(board, k).map((x, axis) => x + [15, 20][axis])));
  return [`<path class="w" d="${wires}"/>`, ...shapes, ...names];
}

function circle(board, k, radius, kind, inside = "") {
  const [x, y] = at(board, k);
  if (board.isButton(k) && kind === "u") return `<rect class="b" x="${x - 13}" y="${y - 13}" width="26" height="26" rx="5"/>${named(board, k, x, y + 4)}`;
  return `<circle class="${kind}" cx="${x}" cy="${y}" r="${radius}">${inside}</circle>`;
}

function svg(board, shapes) {
  const [width, height] = [board.width, board.height].map((count) => Math.round(count * CELL) + 2 * GAP);
  const style = ".p{fill:#f6f5f1}.l{fill:#f7bd3c;stroke:#b97b0e;stroke-width:1.2}.u{fill:#dfe0dd;stroke:#78818b;stroke-width:1.8}" +
    ".w{fill:none;stroke:#78818b;stroke-width:1.8}.b{fill:#fffefb;stroke:#1d2530;stroke-width:1.4}text{font:600 11px system-ui,sans-serif;fill:#56606c;text-anchor:middle}.d{fill:#b93a08}.n{fill:none;stroke:#b93a08;stroke-width:2.5}" +
    "@media(prefers-color-scheme:dark){.p{fill:#10141a}.u{fill:#171d25;stroke:#6d7885}}";
  const title = board.isGrid ? line("title-grid", { r: board.rows, c: board.columns }) : line("title-graph", { size: board.sizeWords });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<title>${title}</title><style>${style}</style>` +
    `<rect class="p" width="100%" height="100%"/>\n${wired(board, shapes).join("\n")}\n</svg>\n`;
}
