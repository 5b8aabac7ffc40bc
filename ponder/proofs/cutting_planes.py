"""Row/column boards: the half factor's constraints added up, until 0 ≥ 1 is left (theory §6.5).

As pseudo-Boolean constraints the half factor is one equality Σ z = ⌊d/2⌋ for each line: 1 where the
press has colour 1.

*Line count.* If H_R > H_C, add "at least" for all rows and "at most" for all columns: every press
occurs once with +1 and once with −1, and 0 ≥ H_R − H_C is left; else the other way round.

*Line cut.* Add "at least" for the lines of X, "at most" for those of Y, z ≤ 1 for the presses in X
outside Y, and z ≥ 0 for those in Y outside X: 0 ≥ need − room is left.

Letters: d presses in a line; H_R, H_C the sums of ⌊d/2⌋ over rows and over columns.
Cost: linear in the formula, which has two terms a press. Resolution needs proofs that explode with
the board's size for the same formula as clauses; with the clauses' counters as extension variables
it needs long ones (theory §6.6). That is the difference between the two calculi.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO

import numpy as np

from ponder.encodings.half_factor import HalfFactor
from ponder.errors import NoShortProof, PonderError
from ponder.formulas import opb
from ponder.formulas.colours import Lines, lines_of
from ponder.proofs import switched_half_factor
from ponder.proofs.linear import Planes
from ponder.proofs.refused import Refused
from ponder.proofs.veripb import Sum
from ponder.types import Bits, Ints

IN_PLANES = "cutting-plane proof"
"""What kinds of refutations without a writer have not."""

NATIVE = ("card=native",)
"""The option with which the half factor is one equality a line."""


def planes(refused: Refused) -> Planes:
    """Return formula and proof; NoShortProof for a kind that has none.

    >>> from ponder.puzzle.board import Board
    >>> board = Board.from_rows(["01", "00"])
    >>> found = planes(Refused(board, np.array([1, 1, 0, 0]) > 0, {"kind": "line-count"}))
    >>> print(*found.sums, sep="; ")
    pol 5 2 + 4 +
    """
    if refused.kind not in WRITERS:
        raise NoShortProof.of_kind(refused.kind, IN_PLANES, WRITERS)
    return WRITERS[refused.kind](refused)


@dataclass(frozen=True, eq=False)
class _Half:
    """The equalities of the half factor: `number` is the place of every line, counted from 1.

    `rows`, `columns`  the lines of the presses, as `Lines` numbers them
    `names`            what the board calls them: rows by their number, columns after them
    """

    lines: Lines
    number: Ints

    @classmethod
    def of(cls, refused: Refused) -> _Half:
        lines = lines_of(refused.problem)
        placed = np.concatenate([np.empty(0, dtype=np.int64), *(w for _, w in lines.members)])
        number = np.empty(len(lines.labels), dtype=np.int64)
        number[placed] = np.arange(1, placed.size + 1)
        return cls(lines, number)

    def at_least(self, line: int) -> int:
        """Return the number of "at least half of the line", as an inequality."""
        return 2 * int(self.number[line]) - 1

    def at_most(self, line: int) -> int:
        """Return the number of "at most half of the line"."""
        return 2 * int(self.number[line])

    def half(self, where: Ints) -> int:
        """Return the sum of ⌊d/2⌋ over the lines that `where` gives for every press."""
        return int((np.bincount(where) // 2).sum()) if where.size else 0

    def chosen(self, word: str, numbers: list[int]) -> Bits:
        """Return which lines are among those that the board numbers so."""
        wanted = {f"{word}{x}" for x in numbers}
        return np.array([label in wanted for label in self.lines.labels], dtype=np.bool_)


def _line_count(refused: Refused) -> Planes:
    """Return the sum over all rows and all columns."""
    half = _Half.of(refused)
    rows, columns = half.lines.rows, half.lines.columns
    of_rows, of_columns = half.half(rows), half.half(columns)
    if of_rows == of_columns:
        raise PonderError("line-count: as many odd rows as odd columns, which refutes nothing")
    more, fewer = (rows, columns) if of_rows > of_columns else (columns, rows)
    total = Sum()
    for line in np.unique(more).tolist():
        total.add(half.at_least(line))
    for line in np.unique(fewer).tolist():
        total.add(half.at_most(line))
    left = abs(of_rows - of_columns)
    return _planes(refused, half, total, f"what is left is 0 >= {left}")


def _line_cut(refused: Refused) -> Planes:
    """Return the sum over the cut."""
    half = _Half.of(refused)
    rows = half.chosen("row", refused.numbers("rows"))
    columns = half.chosen("column", refused.numbers("columns"))
    in_rows, in_columns = rows[half.lines.rows], columns[half.lines.columns]
    if refused.refutation.get("side") == "rows":
        own, other, inside, beside = rows, columns, in_rows, in_columns
    else:
        own, other, inside, beside = columns, rows, in_columns, in_rows
    total = Sum()
    for line in np.flatnonzero(own).tolist():
        total.add(half.at_least(line))
    for line in np.flatnonzero(other).tolist():
        total.add(half.at_most(line))
    total.literals((-1 - np.flatnonzero(inside & ~beside)).tolist())
    total.literals((1 + np.flatnonzero(beside & ~inside)).tolist())
    return _planes(refused, half, total, "what is left is 0 >= need - room")


def _planes(refused: Refused, half: _Half, total: Sum, remark: str) -> Planes:
    """Return the formula, made by the encoder `half_factor`, and a proof of one sum."""
    made = HalfFactor()
    options = made.options(NATIVE)
    formula = made.encode(refused.problem, options)
    comments = made.describe(refused.problem, options, refused.board)

    def write(file: IO[bytes]) -> None:
        opb.write(formula, file, comments)

    return Planes(write, 2 * half.number.size, (total,), (f"{refused.kind}: {remark}",))


WRITERS: Mapping[str, Callable[[Refused], Planes]] = {
    "line-count": _line_count,
    "line-cut": _line_cut,
    "line-parities": switched_half_factor.line_parities,
    "weighted-cuts": switched_half_factor.weighted_cuts,
}
"""What is written for which kind of refutation."""
