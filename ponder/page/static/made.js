// Boards worth playing, as the engine makes them: the board of a label (`label.js`). How they are
// made and graded is told in ponder/studies/boards_to_play.py.

import { boardFrom } from "./graph.js";
import { ask } from "./host.js";
import { LEVELS } from "./levels.js";

// Return the board of a label, and its label; a board of one's own is made like `own`. Before the
// engine is there it may be of another seed. An Error says in a sentence why there is none.
export async function madeBy(label, own, signal) {
  if (label.level) return { board: boardFrom(LEVELS[label.level - 1].board), label };
  const { board, seed = label.seed, answer } = await ask("new", { board: label.puzzle === "your-own" ? own.text : "0", ...label }, signal);
  const made = boardFrom(board);
  return { board: label.puzzle === "your-own" ? own.withCells(made.cells) : made, label: { ...label, ...(!label.daily && { seed }), answer, made: true } };
}

// Whether a board is that of its label: an address may say what it likes.
export async function isOf(label, board) {
  return label.made ?? (await madeBy(label, board).catch(() => null))?.board.text === board.text;
}

// Whether it is known already that a board can be done: where it came before the engine, its answer
// came too, as a digest.
export async function isPossible(board, { answer } = {}) {
  const digest = answer && await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(`${board.text}solved`));
  return Boolean(digest) && Array.from(new Uint8Array(digest), (x) => x.toString(16).padStart(2, "0")).join("") === answer;
}
