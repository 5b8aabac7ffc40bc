// Boards worth playing, as the engine makes them: the board of a label (`label.js`). How they are
// made and graded is told in ponder/studies/boards_to_play.py.

import { boardFrom } from "./graph.js";
import { ask } from "./host.js";
import { LEVELS } from "./levels.js";

// Return the board of a label; a board of one's own is made like `own`. An Error says in a sentence
// why there is none.
export async function madeBy(label, own, signal) {
  if (label.level) return boardFrom(LEVELS[label.level - 1].board);
  const { board } = await ask("new", { board: own.text, ...label }, signal);
  const made = boardFrom(board);
  return label.puzzle === "your-own" ? own.withCells(made.cells) : made;
}
