"""Full row/column boards with an odd side: no press set has a half factor, by sums (theory §6.5).

The formula is `ponder.formulas.switched_half_factor`.

*Line parities.* Rows "at most" and twice the columns "at least" add up to: the number of odd
columns is at least |p|. As |p| > C, with c_j ≤ 1 and c_j ≥ 0 there is left 0 ≥ |p| − C.

*Weighted cuts* λ_X (theory §4.11). Take rows "at least" Σ_{X ∋ i} λ_X times. For every X, column
and state the presses of colour 1 in X are at most half of the column, or at most the presses in X,
whichever is less: 2λ_X times the column's equation and z ≥ 0 outside X, or 2λ_X times the bulbs'
bounds. All z are gone, and a sum over the columns is left that must not be positive. It is least
when the |p| columns with the least differences are odd; so μ times "|p| columns are odd", for μ the
|p|-th least of the differences, and bounds of c_j leave 0 ≥ (that least value) > 0.

Cost: linear in R·C, and R·C for each cut.
"""

from __future__ import annotations

import numpy as np

from ponder.errors import PonderError
from ponder.formulas.switched_half_factor import SwitchedHalfFactor
from ponder.proofs.refused import Refused
from ponder.proofs.veripb import Planes, Sum
from ponder.types import Bits, Ints


def line_parities(refused: Refused) -> Planes:
    """Return formula and proof of "too many rows are odd in every press set"."""
    made = _formula(refused)
    total = _odd_columns(made, at_least=True)
    total.literals(np.where(made.odd, made.c, -made.c).tolist())
    left = int(made.p.sum()) - made.odd.size
    if left <= 0:
        raise PonderError("line-parities: the odd lines do not exceed the lines across")
    return _planes(made, total, remark=f"line-parities: what is left is 0 >= {left}")


def weighted_cuts(refused: Refused) -> Planes:
    """Return formula and proof of "some weighted cut is over-full in every press set"."""
    made = _formula(refused)
    if int(made.p.sum()) > made.odd.size:
        return line_parities(refused)
    cuts, weights = _cuts(refused, made.grid.shape[0])
    differences, total = _weighted(made, cuts, weights)
    k = int(made.p.sum())
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
    return _planes(made, first, total, remark=remark)


def _formula(refused: Refused) -> SwitchedHalfFactor:
    side = refused.refutation.get("side")
    return SwitchedHalfFactor.of(refused.board, refused.presses, side)


def _planes(made: SwitchedHalfFactor, *sums: Sum, remark: str) -> Planes:
    return Planes(made.write, made.inequalities, sums, (remark,))


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
    for state in (0, 1):
        for j, times in enumerate(by_half[state].tolist()):
            total.add(made.column(j, state, at_least=False), times)
    for i, j in np.argwhere(by_bulb).tolist():
        total.add(made.bulb(i, j), int(by_bulb[i, j]))
    for i, j in np.argwhere(left_over).tolist():
        total.literal(int(made.z[i, j]), int(left_over[i, j]))
    more = value[1] - value[0]
    return np.where(made.odd, -more, more), total
