"""Row/column boards: sums of constraints of which 0 ≥ 1 is left (theory §6.5, with the proofs).

    line-count, line-cut            the half factor of one press set, one equality a line: the
                                    encoder `half_factor` with card=native
    line-parities, weighted-cuts    all press sets of a rectangle with an odd side:
                                    `ponder.formulas.press_sets`

Letters: d presses in a line; for the rectangles R, C, z, c, p, q, λ_X, μ as there.
Cost: linear in the formula; for weighted cuts in R·C for each cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO

import numpy as np

from ponder.encodings.half_factor import HalfFactor
from ponder.formulas import opb
from ponder.formulas.colours import HalvedLines, lines_of
from ponder.formulas.press_sets import SwitchedHalfFactor
from ponder.proofs.refused import Refused
from ponder.proofs.veripb import Sum, VeriPbProof
from ponder.system.errors import NoShortProof, PonderError
from ponder.system.types import Bits, Ints, bincount

CUTTING_PLANES = "cutting-plane proof"  # what kinds of refutations without a writer have not
NATIVE = ("card=native",)  # the option with which the half factor is one equality a line


def veripb_proof(refused: Refused) -> VeriPbProof:
    """Return formula and proof. Raises NoShortProof for a kind that has none.

    >>> from ponder.model.board import Board
    >>> board = Board.from_rows(["01", "00"])
    >>> found = veripb_proof(Refused(board, np.array([1, 1, 0, 0]) > 0, {"kind": "line-count"}))
    >>> print(*found.steps, sep="; ")
    pol 5 2 + 4 +
    """
    if refused.kind not in WRITERS:
        raise NoShortProof.of_kind(refused.kind, CUTTING_PLANES, WRITERS)
    return WRITERS[refused.kind](refused)


@dataclass(frozen=True, eq=False)
class _Half:
    """The equalities of the half factor: `number` is the place of every line, counted from 1."""

    lines: HalvedLines
    number: Ints

    @classmethod
    def of(cls, refused: Refused) -> _Half:
        lines = lines_of(refused.problem)
        placed = np.concatenate([np.empty(0, dtype=np.int64), *(w for _, w in lines.members)])
        number = np.empty(len(lines.labels), dtype=np.int64)
        number[placed] = np.arange(1, placed.size + 1)
        return cls(lines, number)

    def half(self, where: Ints) -> int:
        """Return the sum of ⌊d/2⌋ over the lines that `where` gives for every press."""
        return int((bincount(where) // 2).sum()) if where.size else 0

    def cut(self, own: Bits, other: Bits) -> Sum:
        """Return the sum over a cut: at least half of its own lines, at most half of the others."""
        total = Sum()
        # of an equality's two inequalities the first says at least, the second at most
        for inequalities in (2 * self.number[own] - 1, 2 * self.number[other]):
            for inequality in inequalities.tolist():
                total.add(inequality)
        inside = own[self.lines.rows] | own[self.lines.columns]
        beside = other[self.lines.rows] | other[self.lines.columns]
        total.literals((-1 - np.flatnonzero(inside & ~beside)).tolist())
        total.literals((1 + np.flatnonzero(beside & ~inside)).tolist())
        return total

    def chosen(self, word: str, numbers: list[int]) -> Bits:
        """Return which lines are among those that the board numbers so."""
        wanted = {f"{word}{x}" for x in numbers}
        return np.array([label in wanted for label in self.lines.labels], dtype=np.bool_)


def _lines(refused: Refused) -> VeriPbProof:
    """Return formula, by the encoder `half_factor`, and sum of a line cut; a count cuts by all."""
    half = _Half.of(refused)
    if refused.kind == "line-count":
        of_rows, of_columns = half.half(half.lines.rows), half.half(half.lines.columns)
        if of_rows == of_columns:
            raise PonderError("line-count: as many odd rows as odd columns, which refutes nothing")
        rows = np.arange(len(half.lines.labels)) < half.lines.rows.max(initial=-1) + 1
        own, other = (rows, ~rows) if of_rows > of_columns else (~rows, rows)
        left = str(abs(of_rows - of_columns))
    else:
        rows = half.chosen("row", refused.numbers("rows"))
        columns = half.chosen("column", refused.numbers("columns"))
        by_rows = refused.refutation.get("side") == "rows"
        own, other = (rows, columns) if by_rows else (columns, rows)
        left = "need - room"
    made = HalfFactor()
    options = made.options(NATIVE)
    formula = made.encode(refused.problem, options)
    comments = made.describe(refused.problem, options, refused.board)

    def write(file: IO[bytes]) -> None:
        opb.write(formula, file, comments)

    remark = f"{refused.kind}: what is left is 0 >= {left}"
    return VeriPbProof(write, 2 * half.number.size, (half.cut(own, other),), (remark,))


def _all_press_sets(refused: Refused) -> VeriPbProof:
    """Return formula and proof that all have too many odd rows, or an over-full weighted cut."""
    made = SwitchedHalfFactor.of(refused.board, refused.presses, refused.refutation.get("side"))
    k, columns = int(made.p.sum()), made.odd.size
    if k > columns:
        first = _odd_columns(made, at_least=True)
        first.literals(np.where(made.odd, made.c, -made.c).tolist())
        remark = f"line-parities: what is left is 0 >= {k - columns}"
        return VeriPbProof(made.write, made.inequalities, (first,), (remark,))
    if refused.kind == "line-parities":
        raise PonderError("line-parities: the odd lines do not exceed the lines across")
    cuts, weights = _cuts(refused, made.grid.shape[0])
    differences, total = _weighted(made, cuts, weights)
    price = int(np.sort(differences)[max(k, 1) - 1])
    first = _odd_columns(made, at_least=price > 0)
    total.add(made.inequalities + 1, abs(price))
    for c, odd, more in zip(
        made.c.tolist(), made.odd.tolist(), (differences - price).tolist(), strict=True
    ):
        # odd columns cost so much more: their number of times "is odd", or "is even", is ≥ 0
        is_odd = -c if odd else c
        total.literal(is_odd if more > 0 else -is_odd, abs(more))
    remark = "weighted-cuts: how many columns are odd; the cuts added up"
    return VeriPbProof(made.write, made.inequalities, (first, total), (remark,))


def _cuts(refused: Refused, height: int) -> tuple[Bits, Ints]:
    """Return the sets of rows (cuts, R) and their weights."""
    listed = refused.refutation.get("cuts")
    items = listed if isinstance(listed, list) else []
    cuts = np.zeros((len(items), height), dtype=np.bool_)
    for cut, item in zip(cuts, items, strict=True):
        cut[item["lines"]] = True
    return cuts, np.array([item["weight"] for item in items], dtype=np.int64)


def _odd_columns(made: SwitchedHalfFactor, *, at_least: bool) -> Sum:
    """Return the sum that says: at least, or at most, |p| columns are odd."""
    total = Sum()
    for i in range(made.grid.shape[0]):
        total.add(made.row(i, at_least=not at_least))
    for state, j in np.argwhere(made.column_numbers > 0).tolist():
        total.add(made.column(j, state, at_least=at_least), 2)
    return total


def _weighted(made: SwitchedHalfFactor, cuts: Bits, weights: Ints) -> tuple[Ints, Sum]:
    """Return how much more every column adds when it is odd, and the sum without any z."""
    total = Sum()
    for i, times in enumerate((weights @ cuts).tolist()):
        total.add(made.row(i, at_least=True), times)
    by_half = np.zeros((2, made.grid.shape[1]), dtype=np.int64)  # how often each is taken
    by_bulb = np.zeros(made.grid.shape, dtype=np.int64)
    left_over = np.zeros(made.grid.shape, dtype=np.int64)
    value = np.zeros((2, made.grid.shape[1]), dtype=np.int64)
    for cut, weight in zip(cuts, weights.tolist(), strict=True):
        for state in (0, 1):
            members = made.grid == (state == 0)
            inside = members & cut[:, None]
            presses = np.count_nonzero(inside, axis=0)
            half = made.halves[state] < presses
            by_half[state] += 2 * weight * half
            by_bulb += 2 * weight * (inside & ~half)
            left_over += 2 * weight * (members & ~cut[:, None] & half)
            value[state] += weight * (presses - 2 * np.minimum(made.halves[state], presses))
    for (state, j), times in np.ndenumerate(by_half):
        total.add(made.column(j, state, at_least=False), int(times))
    for i, j in np.argwhere(by_bulb).tolist():
        total.add(made.bulb(i, j), int(by_bulb[i, j]))
    for i, j in np.argwhere(left_over).tolist():
        total.literal(int(made.z[i, j]), int(left_over[i, j]))
    more = value[1] - value[0]
    return np.where(made.odd, -more, more), total


WRITERS: Mapping[str, Callable[[Refused], VeriPbProof]] = {
    "line-count": _lines,
    "line-cut": _lines,
    "line-parities": _all_press_sets,
    "weighted-cuts": _all_press_sets,
}  # by the kind of the refutation
