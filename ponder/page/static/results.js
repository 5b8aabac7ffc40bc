// A result that was saved, as `ponder order --json` prints it: shown on the board that it is about.

import { line } from "./words.js";

// Return the result that a text holds; null where it holds something else.
export function resultIn(text) {
  let content;
  try { content = JSON.parse(text); } catch { return null; }
  return String(content?.schema).startsWith("ponder.result/") ? content : null;
}

// What is saved: a result with its board, so that it can be opened again by itself.
export function withBoard(result, board) { return { ...result, board: { ...result.board, text: board.text } }; }

// Return the presses of a result as cells; an Error where they do not solve this board by its rule.
export function pressesOf({ presses }, board) {
  if (!Array.isArray(presses)) throw new Error(line("no-presses"));
  const cells = presses.map((label) => board.cellOf(label));
  let state = board;
  for (const k of cells) {
    if (!(k >= 0 && k < state.count) || !state.isLegal(k)) throw new Error(line("another"));
    state = state.pressed(k);
  }
  if (!state.solved) throw new Error(line("another"));
  return cells;
}
