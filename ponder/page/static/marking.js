// What to mark on a board, out of what is known of it; `marks.js` draws it.

// The cells of a list of places.
export function cellsOf(board, list) { return (list ?? []).map((label) => board.cellOf(label)); }

// The reason why there is no order, as the server draws it.
export function reasonMarks(board, drawn) {
  return {
    groups: (drawn.groups ?? []).map(({ style, bulbs }) => ({ // a witness is hatched: bulbs; all else are presses
      style, cells: style === "hatch" ? bulbs.map((label) => board.bulbOf(label)) : cellsOf(board, bulbs) })),
    pairs: (drawn.pairs ?? []).map((pair) => cellsOf(board, pair)),
    rows: drawn.rows, columns: drawn.columns, sums: [drawn.row_number, drawn.column_number],
  };
}

// What a step of a proof shows.
export function stepMarks(board, { presses, arrows, numbers, margins, pointed, numbered, lines, ...drawn }) {
  const at = pointed && board.cellOf(pointed);
  return {
    ...reasonMarks(board, drawn), margins, numbered, lines, presses: cellsOf(board, presses).map((k) => [k, 1]),
    arrows: (arrows ?? []).map((pair) => cellsOf(board, pair)),
    numbers: (numbers ?? []).map(([label, number]) => [board.cellOf(label), number]),
    ...(pointed && { pointed: { at, cells: board.toggled(at) } }),
  };
}

// The reason, where it is to be seen now.
export function shownReason({ live, board, drawingGoal, explorer, player }) {
  const drawn = live.known.refusal?.marks;
  return !drawn || drawingGoal || explorer.kind || player.active ? {} : reasonMarks(board, drawn);
}

// The line bits, where they say which presses are legal.
export function lineBits({ live: { bits }, shownBoard: board }) {
  return board.hasLineBits && bits && bits[0].length === board.rows && bits[1].length === board.columns ? { lines: bits } : {};
}
