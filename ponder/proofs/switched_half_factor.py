"""Full R×C row/column boards with R odd, C even: all press sets and their half factors, linear.

All press sets differ by whole columns, an even number of them, and have the same row parities p
(theory §4.9). So one variable a column says whether it is switched, and one a bulb whether it is a
press of colour 1. Let S be the press set at hand, w_j its presses in column j; the *ones* of a
column are its bulbs in S, pressed unless it is switched, the *zeros* the others.

    z(i,j), c(j)
    2·Σ_j z(i,j) + p_i = presses of row i = Σ_{one} (1 − c_j) + Σ_{zero} c_j       each row
    Σ_{ones} z = ⌊w_j/2⌋·(1 − c_j),   Σ_{zeros} z = ⌊(R − w_j)/2⌋·c_j              each column
    z ≤ 1 − c_j  (ones),   z ≤ c_j  (zeros)                                        each bulb

A solution is a press set with a half factor, and the other way round: the rows' equations hold
modulo 2 iff an even number of columns is switched. So a refutation is claim C2.

*Line parities.* Rows "at most" and twice the columns "at least" add up to: the number of odd
columns is at least |p|. As |p| > C, with c_j ≤ 1 and c_j ≥ 0 there is left 0 ≥ |p| − C.

*Weighted cuts* λ_X (theory §4.11). Take rows "at least" Σ_{X ∋ i} λ_X times. For every X, column
and state the presses of colour 1 in X are at most half of the column, or at most the presses in X,
whichever is less: 2λ_X times the column's equation and z ≥ 0 outside X, or 2λ_X times the bulbs'
bounds. All z are gone, and a sum over the columns is left that must not be positive. It is least
when the |p| columns with the least differences are odd; so μ times "|p| columns are odd", for μ the
|p|-th least of the differences, and bounds of c_j leave 0 ≥ (that least value) > 0.

Letters: as in `ponder.check.switches`. Cost: linear in R·C, and R·C for each cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import IO

import numpy as np

from ponder.errors import PonderError
from ponder.proofs.linear import Linear, Planes, opb_lines
from ponder.proofs.refused import Refused
from ponder.proofs.veripb import Sum
from ponder.puzzle.graph import CrossGraph
from ponder.types import Bits, Ints


def line_parities(refused: Refused) -> Planes:
    """Return formula and proof of "too many rows are odd in every press set"."""
    switched = Switched.of(refused)
    total = switched.odd_columns(at_least=True)
    q = switched.odd
    total.literals(np.where(q, switched.c, -switched.c).tolist())
    left = int(switched.p.sum()) - q.size
    if left <= 0:
        raise PonderError("line-parities: the odd lines do not exceed the lines across")
    return switched.planes(refused, (total,), f"line-parities: what is left is 0 >= {left}")


def weighted_cuts(refused: Refused) -> Planes:
    """Return formula and proof of "some weighted cut is over-full in every press set"."""
    switched = Switched.of(refused)
    if int(switched.p.sum()) > switched.odd.size:
        return line_parities(refused)
    cuts, weights = _cuts(refused, switched.grid.shape[0])
    differences, total = switched.weighted(cuts, weights)
    k = int(switched.p.sum())
    price = int(np.sort(differences)[max(k, 1) - 1])
    first = switched.odd_columns(at_least=price > 0)
    total.add(switched.inequalities + 1, abs(price))
    for c, odd, more in zip(
        switched.c.tolist(), switched.odd.tolist(), (differences - price).tolist(), strict=True
    ):
        # odd columns cost so much more: their number of times "is odd", or "is even", is ≥ 0
        is_odd = -c if odd else c
        total.literal(is_odd if more > 0 else -is_odd, abs(more))
    return switched.planes(
        refused, (first, total), "weighted-cuts: how many columns are odd; the cuts added up"
    )


def _cuts(refused: Refused, height: int) -> tuple[Bits, Ints]:
    """Return the sets of rows (cuts, R) and their weights."""
    listed = refused.refutation.get("cuts")
    items = listed if isinstance(listed, list) else []
    cuts = np.zeros((len(items), height), dtype=np.bool_)
    for cut, item in zip(cuts, items, strict=True):
        cut[item["lines"]] = True
    return cuts, np.array([item["weight"] for item in items], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Switched:
    """The press set at hand, turned so that R is odd: (R, C)."""

    grid: Bits

    @classmethod
    def of(cls, refused: Refused) -> Switched:
        """Turn the press set; PonderError when the board is no such rectangle."""
        graph, side = refused.board.graph, refused.refutation.get("side")
        if not isinstance(graph, CrossGraph) or graph.mask is not None:
            raise PonderError(f"{refused.kind} is about full rectangles of rows and columns")
        grid = graph.to_grid(refused.presses)
        if side == "columns":
            grid = grid.T
        if grid.shape[0] % 2 == 0 or grid.shape[1] % 2:
            raise PonderError(f"{refused.kind}: the parities of the {side} may be switched")
        return cls(np.ascontiguousarray(grid))

    @cached_property
    def p(self) -> Bits:
        """The row parities."""
        return np.asarray(np.bitwise_xor.reduce(self.grid, axis=1))

    @cached_property
    def odd(self) -> Bits:
        """Which columns are odd if not switched."""
        return np.asarray(np.bitwise_xor.reduce(self.grid, axis=0))

    @cached_property
    def halves(self) -> Ints:
        """What half of a column is, unswitched and switched. (2, C)."""
        presses = np.count_nonzero(self.grid, axis=0)
        return np.stack([presses // 2, (self.grid.shape[0] - presses) // 2])

    @cached_property
    def z(self) -> Ints:
        """The variables of the bulbs. (R, C)."""
        return 1 + np.arange(self.grid.size).reshape(self.grid.shape)

    @cached_property
    def c(self) -> Ints:
        """The variables of the columns. (C,)."""
        return 1 + self.grid.size + np.arange(self.grid.shape[1])

    # ................................................................................. the formula

    def constraints(self) -> list[Linear]:
        """Return the rows, the columns' ones, the columns' zeros (equalities), then the bulbs."""
        made: list[Linear] = []
        sign = np.where(self.grid, 1, -1)  # of −(presses of the row), as a term of the column
        for i, row in enumerate(self.grid):
            terms = [(2, z) for z in self.z[i].tolist()]
            terms += list(zip(sign[i].tolist(), self.c.tolist(), strict=True))
            made.append(Linear(terms, "=", int(np.count_nonzero(row)) - int(self.p[i])))
        for state, j in np.argwhere(self.column_numbers > 0).tolist():
            half = int(self.halves[state, j])
            terms = [(1, z) for z in self.z[self.grid[:, j] == (state == 0), j].tolist()]
            if half:
                terms.append((-half if state else half, int(self.c[j])))
            made.append(Linear(terms, "=", 0 if state else half))
        columns = np.broadcast_to(self.c, self.grid.shape)
        for z, c, one in zip(
            self.z.ravel().tolist(), columns.ravel().tolist(), self.grid.ravel().tolist(),
            strict=True,
        ):  # fmt: skip
            made.append(Linear([(-1, z), (-1, c)], ">=", -1) if one else
                        Linear([(-1, z), (1, c)], ">=", 0))  # fmt: skip
        return made

    @cached_property
    def column_numbers(self) -> Ints:
        """The numbers, from 1, of the equalities about a column's ones and zeros; 0 for none."""
        ones = np.count_nonzero(self.grid, axis=0)
        there = np.stack([ones, self.grid.shape[0] - ones]) > 0
        number = self.grid.shape[0] + np.cumsum(there).reshape(there.shape)
        return np.where(there, number, 0)

    @property
    def equalities(self) -> int:
        """The number of rows, and of columns that have ones, or zeros."""
        return int(self.grid.shape[0] + np.count_nonzero(self.column_numbers))

    @property
    def inequalities(self) -> int:
        """The number of inequalities; every equality is two."""
        return int(2 * self.equalities + self.grid.size)

    def row(self, i: int, *, at_least: bool) -> int:
        """Return the number of a row's inequality."""
        return 2 * i + (1 if at_least else 2)

    def column(self, j: int, state: int, *, at_least: bool) -> int:
        """Return the number of a column's inequality about its ones (0) or zeros (1)."""
        return 2 * int(self.column_numbers[state, j]) - (1 if at_least else 0)

    def bulb(self, i: int, j: int) -> int:
        """Return the number of "no press, no colour"."""
        return int(2 * self.equalities + 1 + i * self.grid.shape[1] + j)

    # ................................................................................... the proofs

    def odd_columns(self, *, at_least: bool) -> Sum:
        """Return the sum that says: at least, or at most, |p| columns are odd."""
        total = Sum()
        for i in range(self.grid.shape[0]):
            total.add(self.row(i, at_least=not at_least))
        for state, j in np.argwhere(self.column_numbers > 0).tolist():
            total.add(self.column(j, state, at_least=at_least), 2)
        return total

    def weighted(self, cuts: Bits, weights: Ints) -> tuple[Ints, Sum]:
        """Return how much more every column adds when it is odd, and the sum without any z."""
        total = Sum()
        for i, times in enumerate((weights @ cuts).tolist()):
            total.add(self.row(i, at_least=True), times)
        by_half = np.zeros((2, self.grid.shape[1]), dtype=np.int64)  # how often each is taken
        by_bulb = np.zeros(self.grid.shape, dtype=np.int64)
        left_over = np.zeros(self.grid.shape, dtype=np.int64)
        value = np.zeros((2, self.grid.shape[1]), dtype=np.int64)
        for cut, weight in zip(cuts, weights.tolist(), strict=True):
            for state in (0, 1):
                members = self.grid == (state == 0)
                inside = members & cut[:, None]
                presses = np.count_nonzero(inside, axis=0)
                half = self.halves[state] < presses
                by_half[state] += 2 * weight * half
                by_bulb += 2 * weight * (inside & ~half)
                left_over += 2 * weight * (members & ~cut[:, None] & half)
                value[state] += weight * (presses - 2 * np.minimum(self.halves[state], presses))
        for state in (0, 1):
            for j, times in enumerate(by_half[state].tolist()):
                total.add(self.column(j, state, at_least=False), times)
        for i, j in np.argwhere(by_bulb).tolist():
            total.add(self.bulb(i, j), int(by_bulb[i, j]))
        for i, j in np.argwhere(left_over).tolist():
            total.literal(int(self.z[i, j]), int(left_over[i, j]))
        more = value[1] - value[0]
        return np.where(self.odd, -more, more), total

    def planes(self, refused: Refused, sums: tuple[Sum, ...], remark: str) -> Planes:
        """Return the formula with a proof."""
        board = refused.board
        puzzle = f"pattern {board.graph.pattern}, rule {board.rule}, goal {board.goal_name}"
        height, width = self.grid.shape
        side = refused.refutation.get("side")
        comments = (
            f"board sha256 {board.sha256}: {puzzle}",
            f"every press set of the {height} {side} of {width} bulbs, with a half factor",
            f"x1..x{height * width}: a press of colour 1, along the {side}",
            f"x{height * width + 1}..x{height * width + width}: all bulbs across are switched",
        )

        def write(file: IO[bytes]) -> None:
            file.writelines(opb_lines(int(self.c[-1]), self.constraints(), comments))

        return Planes(write, self.inequalities, sums, (remark,))
