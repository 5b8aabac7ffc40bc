"""Refutations by the lines of row/column boards on which every t(v) = 0: too much colour 1.

In build order the presses along a line have the colours 0, 1, 0, 1, …, so one with d presses has
⌊d/2⌋ of colour 1 (theory §4.4). Lines are marked in the margins, with what is counted on each side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ponder.check.evidence.refutation import Refutation
from ponder.check.evidence.written import NUMBERS, Written, records
from ponder.model.board import Board
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json


@dataclass(frozen=True, eq=False)
class LineCount(Refutation):
    """Row/column boards with every t(v) = 0: the number of rows with an odd number of presses
    differs from the number of such columns (theory §4.4). Claims C1 for the press set.
    """

    kind = "line-count"
    odd_rows: Ints = field(metadata=NUMBERS)
    odd_columns: Ints = field(metadata=NUMBERS)

    def sentence(self, board: Board) -> str:
        """Return which lines are odd, where they are few, or how many."""
        first, second = _named("row", self.odd_rows), _named("column", self.odd_columns)
        return (
            f"odd numbers of presses fall on {first} and on {second}; every order needs as many "
            "such rows as columns"
        )

    def marks(self, board: Board) -> Json:
        """Return the odd lines and both counts."""
        rows, columns = self.odd_rows.size, self.odd_columns.size
        label = f"{pluralise(rows, 'odd row')} against {pluralise(columns, 'odd column')}"
        return _marks("rows", self.odd_rows, self.odd_columns, (rows, columns), label)


@dataclass(frozen=True, eq=False)
class LineCut(Refutation):
    """Row/column boards with every t(v) = 0: lines X of one kind (`side`) and Y of the other with
    Σ_{X} ⌊d/2⌋ > Σ_{Y} ⌊d/2⌋ + |presses in X outside Y| (theory §4.4). Claims C1.
    """

    kind = "line-cut"
    side: Literal["rows", "columns"]
    rows: Ints = field(metadata=NUMBERS)
    columns: Ints = field(metadata=NUMBERS)
    need: int
    room: int

    def sentence(self, board: Board) -> str:
        """Return which lines need what others have no room for."""
        own, x = ("row", self.rows) if self.side == "rows" else ("column", self.columns)
        needs, its = inflect(x.size, "needs its", "need their").split()
        what = "an early press" if self.need == 1 else f"{self.need} early presses"
        room = f"room for only {self.room}" if self.room else "no room for one"
        return f"{_named(own, x)} {needs} {what}, and {its} {_OTHER[self.side]} have {room}"

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
        return _marks(self.side, self.rows, self.columns, (self.need, self.room), label)


@dataclass(frozen=True, eq=False)
class LineParities(Refutation):
    """Full R×C row/column boards with an odd number of lines of one kind (`side`), an even number
    of the other (`others`), and every t(v) = 0. All press sets have the same `odd_lines`, and these
    outnumber the others (theory §4.9). Claims C2.
    """

    kind = "line-parities"
    side: Literal["rows", "columns"]
    odd_lines: Ints = field(metadata=NUMBERS)
    others: int

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
        return _marks(self.side, *lines, (own, others), f"{own} odd, only {others} to match")


@dataclass(frozen=True, eq=False)
class WeightedCut(Written):
    """A set X of lines and its weight λ_X, a multiple of λ_X where there is a divisor."""

    lines: Ints = field(metadata=NUMBERS)
    weight: int


@dataclass(frozen=True, eq=False)
class WeightedCuts(Refutation):
    """Full R×C row/column boards with R odd, C even (or turned: `side` is what the rows are), every
    t(v) = 0: sets X of rows with weights λ_X > 0, such that Σ λ_X·penalty_X > 0 in every press set
    (theory §4.11). Claims C2.
    """

    kind = "weighted-cuts"
    side: Literal["rows", "columns"]
    cuts: tuple[WeightedCut, ...] = field(metadata=records(WeightedCut))

    def sentence(self, board: Board) -> str:
        """Return which lines need too much, or that some do."""
        what, lines = f"one of {len(self.cuts)} sets of {self.side}", self.cuts[0].lines
        if len(self.cuts) == 1:
            what = _named(self.side.removesuffix("s"), lines)
        one = len(self.cuts) > 1 or lines.size == 1
        needs = "needs more early ones than its" if one else "need more early ones than their"
        return f"however you choose the presses, {what} {needs} {_OTHER[self.side]} allow"

    def argument(self, board: Board) -> str:
        """Return the sets of lines, or how many there are."""
        what, need = f"one of {len(self.cuts)} sets of {self.side}", "needs"
        if len(self.cuts) == 1:
            lines = self.cuts[0].lines
            what = _named(self.side.removesuffix("s"), lines)
            need = inflect(lines.size, "needs", "need")
        room = f"the {_OTHER[self.side]} and the presses outside have room for"
        return f"in every press set {what} {need} more presses of colour 1 than {room}"

    def marks(self, board: Board) -> Json:
        """Return the lines of all sets."""
        lines = sorted({line for cut in self.cuts for line in cut.lines.tolist()})
        many = len(self.cuts)
        label = "too full" if many == 1 else f"{many} sets of {self.side}: one is too full"
        return {"rows": [], "columns": [], self.side: lines, "label": label}


_OTHER = {"rows": "columns", "columns": "rows"}
NAMED = 4  # lines that a sentence names at most; of more it says how many there are


def _named(kind: str, lines: Ints) -> str:
    """Return what people call some rows or columns, which they count from 1."""
    if not lines.size or lines.size > NAMED:
        return pluralise(lines.size, kind) if lines.size else f"no {kind}"
    *first, last = map(str, (lines + 1).tolist())
    return f"{kind}s {', '.join(first)} and {last}" if first else f"{kind} {last}"


def _marks(side: str, rows: Ints, columns: Ints, numbers: tuple[int, int], label: str) -> Json:
    """Return lines as marks, with a number for each kind: first that of the lines on the side."""
    row, column = numbers if side == "rows" else numbers[::-1]
    lines = {"rows": rows.tolist(), "columns": columns.tolist()}
    return {**lines, "row_number": row, "column_number": column, "label": label}
