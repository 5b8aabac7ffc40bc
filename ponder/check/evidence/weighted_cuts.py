"""`weighted-cuts`, `line-parities`: in every press set of a rectangle some lines are overfull.

R rows, an odd number, and C columns, an even one (or turned: `side` is what the rows are), every
t(v) = 0. All press sets have the same odd rows (theory §4.9). For sets X of rows with weights
λ_X > 0 some X is overfull where Σ λ_X·penalty_X > 0 in every press set (§4.11). Without any cut
that is so where more rows are odd than there are columns. Cost: O(RC) a cut.
"""

from __future__ import annotations

from typing import ClassVar

from ponder.check.fields import fail
from ponder.check.kinds import Refuted
from ponder.check.limits import Budget
from ponder.check.line_refutations import (
    EARLY,
    OTHER,
    SideRefutation,
    line_marks,
    named,
    same_lines,
)
from ponder.check.switches import Rectangle, WeightedCut, weighted
from ponder.check.written import Count, Lines
from ponder.model.board import Board
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json


class WeightedCuts(SideRefutation):
    """Whichever press set is taken, one of these sets of lines is overfull."""

    kind = "weighted-cuts"
    theory = "§4.11, own proof"
    explained: ClassVar[tuple[str, ...]] = (
        *EARLY,
        "There are several ways to choose the presses. In each of them, some lines need more early "
        "presses than the lines across have room for. So no order exists.",
    )
    cuts: tuple[WeightedCut, ...]

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check that the weighted penalties of every press set are positive: none has an order."""
        rectangle = Rectangle.of(board, counts > 0, self.side, self.kind)
        if rectangle.switched_rows:
            fail(f"{self.kind}: the {self.side} do not have the same parities in all press sets")
        if (value := weighted(rectangle, rectangle.odd_rows, self.cuts, 0, "order", budget)) <= 0:
            fail(
                f"{self.kind}: some press set has the weighted excess {value}, "
                "which refutes nothing"
            )
        return Refuted(counts)

    def sentence(self, board: Board) -> str:
        """Return which lines need too much, or that some do."""
        what, one = self._lines()
        needs = "needs more early ones than its" if one else "need more early ones than their"
        return f"however you choose the presses, {what} {needs} {OTHER[self.side]} allow"

    def argument(self, board: Board) -> str:
        """Return the sets of lines, or how many there are."""
        what, one = self._lines()
        room = f"the {OTHER[self.side]} and the presses outside have room for"
        need = "needs" if one else "need"
        return f"in every press set {what} {need} more presses of colour 1 than {room}"

    def _lines(self) -> tuple[str, bool]:
        """Return the lines of the only set, or how many sets there are, and if that is singular."""
        if len(self.cuts) == 1:
            lines = self.cuts[0].lines
            return named(self.side.removesuffix("s"), lines), lines.size == 1
        return f"one of {len(self.cuts)} sets of {self.side}", True

    def marks(self, board: Board) -> Json:
        """Return the lines of all sets."""
        lines = sorted({line for cut in self.cuts for line in cut.lines.tolist()})
        many = len(self.cuts)
        label = "too full" if many == 1 else f"{many} sets of {self.side}: one is too full"
        return {"rows": [], "columns": [], self.side: lines, "label": label}


class LineParities(SideRefutation):
    """All press sets share these odd lines, and there are more of them than lines across."""

    kind = "line-parities"
    theory = "§4.9, own proof"
    explained: ClassVar[tuple[str, ...]] = (
        *EARLY,
        "No choice of presses gives the rows and the columns halves that can meet. So no order "
        "exists.",
    )
    odd_lines: Lines
    others: Count

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check that these lines are odd, and outnumber the others: no cut is needed."""
        rectangle = Rectangle.of(board, counts > 0, self.side, self.kind)
        same_lines(self.odd_lines, rectangle.odd_rows, "odd_lines")
        if self.others != (width := rectangle.grid.shape[1]):
            fail(f"{self.kind}: there are {width} {OTHER[self.side]}")
        return WeightedCuts(self.side, ()).check(board, counts, budget)

    def sentence(self, board: Board) -> str:
        """Return both numbers."""
        other = "column" if self.side == "rows" else "row"
        return (
            f"however you choose the presses, odd numbers of them fall on the same "
            f"{self.odd_lines.size} {self.side}; an order needs as many such {other}s, and there "
            f"{inflect(self.others, 'is', 'are')} only {pluralise(self.others, other)}"
        )

    def marks(self, board: Board) -> Json:
        """Return the odd lines, and how many there are on either side."""
        own, others, none = self.odd_lines.size, self.others, self.odd_lines[:0]
        lines = (self.odd_lines, none) if self.side == "rows" else (none, self.odd_lines)
        return line_marks(self.side, *lines, (own, others), f"{own} odd, only {others} to match")
