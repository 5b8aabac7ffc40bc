"""Refutations by the lines of row/column boards on which every t(v) = 0: too much colour 1.

In build order the presses along a line have the colours 0, 1, 0, 1, … (theory §4). The proof of
each kind stands at its class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ponder.printable import agreeing, counted
from ponder.puzzle.board import Board
from ponder.puzzle.refutation import Refutation
from ponder.types import Ints, Json


@dataclass(frozen=True, eq=False)
class LineCount(Refutation):
    """Row/column boards with every t(v) = 0: the number of rows with an odd number of presses
    differs from the number of such columns. Claims C1 for the press set.

    Proof. In build order the colours (line parities so far) alternate 0,1,0,1,… along each line,
    so a line with d presses has ⌊d/2⌋ presses of colour 1. Summed over rows and over columns this
    counts the same presses: Σ_rows ⌊d/2⌋ = Σ_columns ⌊d/2⌋, that is |S| − (odd rows) =
    |S| − (odd columns). ∎
    """

    kind = "line-count"
    odd_rows: Ints
    odd_columns: Ints

    def to_json(self, board: Board) -> Json:
        """Return the odd lines by their numbers."""
        return {
            "kind": self.kind,
            "odd_rows": self.odd_rows.tolist(),
            "odd_columns": self.odd_columns.tolist(),
        }

    def sentence(self, board: Board) -> str:
        """Return both counts."""
        rows, columns = self.odd_rows.size, self.odd_columns.size
        first = counted(rows, "row") if rows else "no row"
        second = counted(columns, "column") if columns else "no column"
        return (
            f"{first} but {second} {agreeing(columns or 1, 'holds', 'hold')} an odd number of "
            "presses; every order needs equally many"
        )


@dataclass(frozen=True, eq=False)
class LineCut(Refutation):
    """Row/column boards with every t(v) = 0: lines X of one kind and Y of the other with
    Σ_{X} ⌊d/2⌋ > Σ_{Y} ⌊d/2⌋ + |presses in X outside Y|. Claims C1 for the press set.

    Proof. The presses of colour 1 in X number Σ_X ⌊d/2⌋ (see `LineCount`). Those in Y are at most
    Σ_Y ⌊d/2⌋, and the others are presses in X outside Y. ∎

    `side` says which kind of line X is.
    """

    kind = "line-cut"
    side: Literal["rows", "columns"]
    rows: Ints
    columns: Ints
    need: int
    room: int

    def to_json(self, board: Board) -> Json:
        """Return the lines of the cut and which side is too demanding."""
        return {
            "kind": self.kind,
            "side": self.side,
            "rows": self.rows.tolist(),
            "columns": self.columns.tolist(),
            "need": self.need,
            "room": self.room,
        }

    def sentence(self, board: Board) -> str:
        """Return the inequality with its numbers."""
        x, y = (self.rows, self.columns) if self.side == "rows" else (self.columns, self.rows)
        own, other = ("row", "column") if self.side == "rows" else ("column", "row")
        return (
            f"{counted(x.size, own)} {agreeing(x.size, 'needs', 'need')} "
            f"{counted(self.need, 'press')} of colour 1, but {counted(y.size, other)} "
            f"and the presses outside leave room for only {self.room}"
        )


@dataclass(frozen=True, eq=False)
class LineParities(Refutation):
    """Full R×C row/column boards with an odd number of lines of one kind, an even number of the
    other, and every t(v) = 0: every press set has the same `odd_lines`, and these outnumber the
    lines of the other kind. Claims C2.

    Proof. Say R is odd and C even, and let S be any press set: b(i,j) = r_i + c_j + s_ij, with r_i
    and c_j the parities of S along row i and column j. Summing column j, Σ_i b(i,j) =
    |S| + R·c_j + c_j = |S|, so every column of b has the parity of |S|. Summing row i,
    Σ_j b(i,j) = C·r_i + |S| + r_i = r_i + |S|. So r_i depends on b alone. An order needs as many
    odd columns as odd rows (see `LineCount`), and there are only C columns. ∎

    `side` is the kind of the lines that are odd in number, `others` the number of the other lines.
    """

    kind = "line-parities"
    side: Literal["rows", "columns"]
    odd_lines: Ints
    others: int

    def to_json(self, board: Board) -> Json:
        """Return the odd lines and how many lines could match them."""
        return {
            "kind": self.kind,
            "side": self.side,
            "odd_lines": self.odd_lines.tolist(),
            "others": self.others,
        }

    def sentence(self, board: Board) -> str:
        """Return both numbers."""
        other = "column" if self.side == "rows" else "row"
        return (
            f"every press set has the same {self.odd_lines.size} odd {self.side}; an order needs "
            f"as many odd {other}s, and there {agreeing(self.others, 'is', 'are')} only "
            f"{counted(self.others, other)}"
        )


@dataclass(frozen=True, eq=False)
class WeightedCuts(Refutation):
    """Full R×C row/column boards with R odd, C even (or turned), every t(v) = 0: sets X of rows
    with positive weights λ_X, whose weighted excess is more than 0 in every press set. Claims C2.

    Proof. All press sets agree on the row parities p (see `LineParities`) and differ by column
    switches. Let one of them have w_j presses in column j, a_j of them in X. The presses of
    colour 1 in X (see `LineCount`) number Σ_{i∈X} (d_i − p_i)/2 = (Σ_j a_j − |p ∩ X|)/2, but at
    most Σ_j min(⌊w_j/2⌋, a_j). So an order demands

        excess_X = Σ_j (a_j − 2·min(⌊w_j/2⌋, a_j)) − |p ∩ X| ≤ 0  for every X,

    hence Σ λ_X·excess_X ≤ 0. That is a constant and a sum over columns, each of which may be
    switched (w_j ↦ R − w_j, a_j ↦ |X| − a_j), and exactly |p| columns are odd. As R is odd, each
    column has an even and an odd state; so the least value is the sum over the even states plus
    the |p| least differences (odd − even). It is more than 0. ∎

    `side` is what the rows are on the board: the lines that are odd in number.
    """

    kind = "weighted-cuts"
    side: Literal["rows", "columns"]
    lines: tuple[Ints, ...]
    weights: tuple[int, ...]

    def to_json(self, board: Board) -> Json:
        """Return every set of lines with its weight."""
        return {
            "kind": self.kind,
            "side": self.side,
            "cuts": [
                {"lines": lines.tolist(), "weight": weight}
                for lines, weight in zip(self.lines, self.weights, strict=True)
            ],
        }

    def sentence(self, board: Board) -> str:
        """Return the sets of lines, or how many there are."""
        if len(self.lines) == 1:
            which = " ".join(map(str, self.lines[0].tolist()))
            many = agreeing(self.lines[0].size, self.side.removesuffix("s"), self.side)
            need = agreeing(self.lines[0].size, "needs", "need")
            return f"whichever press set: {many} {which} {need} more colour 1 than fits"
        return f"whichever press set: one of {len(self.lines)} sets of {self.side} is over-full"
