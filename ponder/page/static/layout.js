// How large the board is: as large as its place allows, within limits.

import { frame as page, root, tall } from "./host.js";

const LARGEST_CELL = 80, SMALLEST_CELL = 11;
const NARROW = 860; // pixels, as in page.css: below, the answer stands under the board
const BELOW = 112;  // pixels that are kept for the words under the board

let laid = "";

export function layout(drawing, board) {
  const [pane, frame, grid, stage] = ["pane", "frame", "grid", "stage"].map((id) => root.getElementById(id));
  const room = page.clientWidth > NARROW
    ? Math.max(240, tall() - stage.offsetTop - BELOW) : Infinity;
  const share = board.hasLineBits ? 0.72 : 0.2; // of a cell, for the margin
  const fitting = Math.min(pane.clientWidth / (board.columns + 2 * share), room / (board.rows + 2 * share));
  const cell = Math.max(SMALLEST_CELL, Math.min(LARGEST_CELL, Math.floor(fitting)));
  const margin = Math.round(Math.max(board.hasLineBits ? 18 : 4, Math.min(36, share * cell)));
  const key = [board.rows, board.columns, cell, margin, window.devicePixelRatio].join();
  if (key === laid) return;
  laid = key;
  const width = board.columns * cell, height = board.rows * cell;
  Object.assign(frame.style, { width: `${width + 2 * margin}px`, height: `${height + 2 * margin}px` });
  Object.assign(grid.style, { left: `${margin}px`, top: `${margin}px`, width: `${width}px`, height: `${height}px` });
  pane.classList.toggle("scrolls", width + 2 * margin > pane.clientWidth);
  drawing.fit(board, cell, margin);
}
