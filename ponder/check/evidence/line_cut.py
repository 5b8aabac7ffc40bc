"""`line-cut`, `line-count`: some lines need more presses of colour 1 than others have room for.

For lines X of one kind and Y of the other Σ_X ⌊d/2⌋ is at most Σ_Y ⌊d/2⌋ + |presses in X outside Y|
in a press set with an order, by its half factor (theory §4.4). With all lines that says: as many
rows as columns are odd. Every sequence with these odd presses has 2·(H_Y − H_X + 2·excess) more,
by theorem 3 (§4.5): the flow is at most H_X − excess, H_X and H_Y being Σ⌊d/2⌋ over all of a kind.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ponder.check.fields import fail, later_parities
from ponder.check.kinds import Refuted
from ponder.check.limits import Budget
from ponder.check.line_refutations import (
    EARLY,
    OTHER,
    LineRefutation,
    alternating,
    cut_of,
    line_marks,
    named,
    same_lines,
)
from ponder.check.neighbourhoods import line_sums
from ponder.check.written import Count, Lines, Side
from ponder.model.board import Board
from ponder.system.errors import quoted
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json


class LineCut(LineRefutation):
    """These lines need more presses of colour 1 than there is room for."""

    kind = "line-cut"
    explained: ClassVar[tuple[str, ...]] = (
        *EARLY,
        "The marked lines need a certain number of early presses, and each must also fit into the "
        "line across it. The lines across have less room than that, so no order exists.",
    )
    side: Side
    rows: Lines
    columns: Lines
    need: Count
    room: Count

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check that the lines X need more presses of colour 1 than there is room for."""
        graph, side = alternating(board, counts, self.kind), self.side
        lines = self.rows, self.columns
        need, rest, room, others = cut_of(graph, counts > 0, side, lines, self.kind)
        for key, value in (("need", need), ("room", room)):
            if getattr(self, key) != value:
                said = quoted(getattr(self, key))
                fail(f"{self.kind}: {key} is {value} by the press set, not {said}")
        if need <= room:
            fail(
                f"{self.kind}: the {side} need {need} and there is room for {room}: "
                "no contradiction"
            )
        if later_parities(board, self.kind).any():
            return Refuted(counts)  # theorem 3 is about boards with every t(v) = 0
        return Refuted(counts, extra=max(2, 2 * (others - need - rest + 2 * (need - room))))

    def sentence(self, board: Board) -> str:
        """Return which lines need what others have no room for."""
        own, x = ("row", self.rows) if self.side == "rows" else ("column", self.columns)
        needs, its = inflect(x.size, "needs its", "need their").split()
        what = "an early press" if self.need == 1 else f"{self.need} early presses"
        room = f"room for only {self.room}" if self.room else "no room for one"
        return f"{named(own, x)} {needs} {what}, and {its} {OTHER[self.side]} have {room}"

    def argument(self, board: Board) -> str:
        """Return the inequality with its numbers."""
        x, y = (self.rows, self.columns) if self.side == "rows" else (self.columns, self.rows)
        own, other = ("row", "column") if self.side == "rows" else ("column", "row")
        return (
            f"{pluralise(x.size, own)} {inflect(x.size, 'needs', 'need')} "
            f"{pluralise(self.need, 'press')} of colour 1, but {pluralise(y.size, other)} "
            f"and the presses outside have room for only {self.room}"
        )

    def marks(self, board: Board) -> Json:
        """Return the lines of the cut, what one kind needs and the other has room for."""
        label = f"needs {self.need}, has room for {self.room}"
        return line_marks(self.side, self.rows, self.columns, (self.need, self.room), label)


class LineCount(LineRefutation):
    """The numbers of odd rows and of odd columns differ: the cut of all lines."""

    kind = "line-count"
    explained: ClassVar[tuple[str, ...]] = (
        *EARLY,
        "Count the early presses by rows, then by columns: both counts must agree. The numbers of "
        "all presses agree too, so as many rows as columns lose a half in the rounding. Those are "
        "the marked lines, which have an odd number of presses. Here the rows and the columns "
        "differ in number, so no order exists.",
    )
    odd_rows: Lines
    odd_columns: Lines

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check that these lines are odd, and the cut of all lines."""
        rows, columns = line_sums(alternating(board, counts, self.kind), counts)
        same_lines(self.odd_rows, rows & 1 == 1, "odd_rows")
        same_lines(self.odd_columns, columns & 1 == 1, "odd_columns")
        halves = int((rows // 2).sum()), int((columns // 2).sum())
        side: Side = "rows" if halves[0] > halves[1] else "columns"
        every = [np.arange(k.size, dtype=np.int64) for k in (rows, columns)]
        cut = LineCut(side, every[0], every[1], need=max(halves), room=min(halves))
        return cut.check(board, counts, budget)

    def sentence(self, board: Board) -> str:
        """Return which lines are odd, where they are few, or how many."""
        first, second = named("row", self.odd_rows), named("column", self.odd_columns)
        return (
            f"odd numbers of presses fall on {first} and on {second}; every order needs as many "
            "such rows as columns"
        )

    def marks(self, board: Board) -> Json:
        """Return the odd lines and both counts."""
        rows, columns = self.odd_rows.size, self.odd_columns.size
        label = f"{pluralise(rows, 'odd row')} against {pluralise(columns, 'odd column')}"
        return line_marks("rows", self.odd_rows, self.odd_columns, (rows, columns), label)
