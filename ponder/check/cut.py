"""`cut`: some lines need more presses of colour 1 than other lines have room for.

In build order the presses of a line have the colours 0, 1, 0, 1, …, if every t(v) = 0 and no bulb
is pressed twice (theory §4.4). So for lines X of one kind, the `side`, and Y of the other
Σ_X ⌊d/2⌋ is at most Σ_Y ⌊d/2⌋ + |presses in X outside Y| in a press set with an order. With all
lines that says: as many rows as columns are odd. Every sequence with these odd presses has
2·(H_Y − H_X + 2·excess) more, by theorem 3 (§4.5). Here the excess is the first sum minus the
second, H_X and H_Y are Σ⌊d/2⌋ over all lines of the kind of X and of the other, and the maximum
flow is at most H_X − excess.

Letters: d(l), the number of presses in line l.
Cost: O(cells).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from ponder.check.certificate import Refutation, Refuted
from ponder.check.neighbourhoods import line_sums
from ponder.check.reader import SIDES, Side, enum_value, fail, later_parities, lines
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json


class CutSizes(NamedTuple):
    """What the lines X need, what room there is, and how many presses more than these it costs."""

    need: int
    room: int
    extra: int


@dataclass(frozen=True, eq=False)
class Cut(Refutation):
    """These lines of `side` need more presses of colour 1 than the others named have room for."""

    kind = "cut"
    side: Side
    rows: Ints
    columns: Ints

    def fields(self, board: Board) -> Json:
        """Return the lines by their numbers from 0 on."""
        return {"side": self.side, "rows": self.rows.tolist(), "columns": self.columns.tolist()}

    @classmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Read the lines."""
        side = enum_value(content.get("side"), SIDES, "cut: side")
        shape = cross_of(board, "cut").shape
        listed = (lines(content.get(k), n, f"cut: {k}") for k, n in zip(SIDES, shape, strict=True))
        return cls(side, *listed)

    @classmethod
    def of_all(cls, graph: CrossGraph, presses: Bits) -> Cut:
        """Return the cut of all lines, on the side that needs more."""
        rows, columns = line_sums(graph, presses)
        side: Side = "rows" if (rows // 2).sum() > (columns // 2).sum() else "columns"
        all_lines = (np.arange(n, dtype=np.int64) for n in graph.shape)
        return cls(side, *all_lines)

    @property
    def all_lines(self) -> bool:
        """Whether it may be a cut of all lines: the first of each kind are named, without gaps."""
        return all(k.size and k.max() == k.size - 1 for k in (self.rows, self.columns))

    def sizes(self, graph: CrossGraph, presses: Bits) -> CutSizes:
        """Return what the cut says of presses, none of them of a bulb twice."""
        grid, chosen = graph.to_grid(presses), []
        for listed, count in zip((self.rows, self.columns), graph.shape, strict=True):
            bits = np.zeros(count, dtype=np.bool_)
            bits[listed] = True
            chosen.append(bits)
        x, y = chosen
        if self.side == "columns":
            grid, x, y = grid.T, y, x
        along, across = (grid.sum(axis=axis, dtype=np.int64) // 2 for axis in (1, 0))
        need = int(along[x].sum())
        room = int(across[y].sum()) + int(np.count_nonzero(grid[np.ix_(x, ~y)]))
        extra = 2 * (int(across.sum()) - int(along.sum()) + 2 * (need - room))
        return CutSizes(need, room, extra)

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check that the lines X need more presses of colour 1 than there is room for."""
        graph, odd_later = cross_of(board, "cut"), later_parities(board, "cut")
        if (odd_later & (counts > 0)).any() or counts.max(initial=0) > 1:
            fail("cut: a pressed bulb needs an odd number of later neighbours, or is pressed twice")
        need, room, extra = self.sizes(graph, counts > 0)
        if need <= room:
            fail(f"cut: the {self.side} need {need} and there is room for {room}: no contradiction")
        # theorem 3 is about boards with every t(v) = 0
        return Refuted(counts, extra=2 if odd_later.any() else max(2, extra))


def cross_of(board: Board, kind: str) -> CrossGraph:
    """Return the graph of a row/column board."""
    if not isinstance(board.graph, CrossGraph):
        fail(f"{kind} is about row/column boards, the pattern is {board.graph.pattern}")
    return board.graph


def plain_cross(board: Board, kind: str) -> CrossGraph:
    """Return the graph of a row/column board with every t(v) = 0."""
    graph = cross_of(board, kind)
    if board.odd_later is None or board.odd_later.any():
        fail(f"{kind} holds where every press needs an even number of later neighbours")
    return graph
