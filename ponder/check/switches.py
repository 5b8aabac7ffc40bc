"""Full rectangles with an odd side: all press sets at once, by counting and by weighted cuts.

Every t(v) = 0. Turn the board so that the lines of `side`, odd in number, are its R rows, each of
C bulbs. Two press sets differ by whole rows and columns, an even number of each (rows only if C is
odd too, see `line_refutations`). Switching a row of odd length changes its parity, switching an
even number of columns does not: so the row parities p name the press sets that differ by columns
alone, a *setting*. Within a setting every column is free. It has w presses or R − w; one of the
two is even, its *even state*. An even number of switched columns means k ≡ |p| mod 2, for k the
number of columns in their odd states. Hence a sum over columns, each with its value in either
state, is least for k odd columns at Σ(even value) + the k smallest of (odd value − even value).

Three such sums, for a press set x with a_j presses of column j in a set X of rows. By theorem 3
(theory §4.5) x needs |x| + 2·(H_R + H_C − 2f) presses, and has an order only if H_R = H_C = f
(§4.2). With p − X and p ∩ X the odd rows outside and inside X, q_j the parity of column j:

* |x| itself; `order` needs k = |p| (see `LineCount`).
* |x| + |k − |p||, the *count bound* (theory §4.10): `solve` cannot beat it, as 2·|H_R − H_C| is
  |k − |p||.
* penalty_X = |p − X| − |p ∩ X| + Σ_j (2a_j − q_j − 4·min(⌊d_j/2⌋, a_j)) ≤ 2·(H_R + H_C − 2f).
  Proof. The flow passes the cut that has X, and each column on its better side, with the source:
  f ≤ Σ_{i∉X} ⌊d_i/2⌋ + Σ_j min(⌊d_j/2⌋, a_j). Now 2⌊d/2⌋ is d less its parity, and
  Σ_X d − Σ_{not X} d + Σ_j d_j = 2·Σ_j a_j. ∎

*Weighted cuts*: weights λ_X ≥ 0 of sum Λ, in units of 1/D. As a penalty that is allowed counts
for `order` as 0 and for `solve` as itself, no press set of the setting costs less than the least

    order:  |x| + Σ λ_X·penalty_X                     over k = |p|
    solve:  |x| + Σ λ_X·penalty_X + (1 − Λ)·|k − |p||    over k ≡ |p|, if Λ ≤ 1.

All costs have the parity of |x₀|: switches are even in number and cross an odd number of bulbs
(rows are only switched where C is odd), repeats come in pairs. So a bound may be rounded up to it.
If C is even there is one setting; when Σ λ_X·penalty_X alone is always positive, no press set has
an order (claim C2, `weighted-cuts`; theory §4.11).

Sums. No number of presses in X, and no excess of a column, is larger than 2R + 1 in size; so with
the weights all sums are below 16·RC·(D + Σ weights), which is held against MOST_NUMBER.

Cost: if both sides are odd, that of `ponder.check.switch_settings`, which finds the settings whose
count bound is too small, else O(RC); and O(RC) for each cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.check.fields import fail, lines, number, objects, word
from ponder.check.limits import Budget, fits
from ponder.check.line_refutations import plain_cross
from ponder.check.linear import press_sets
from ponder.check.switch_settings import IMPOSSIBLE, SwitchSettings
from ponder.puzzle.board import Board
from ponder.types import Bits, Ints, Json

SIDES = ("rows", "columns")
_NS_CUT = 4  # nanoseconds for a bulb in a weighted cut
_NS_BULB = 30  # … for a bulb, each time that the weighted cuts of a setting are added up
_NS_RAISED = 60_000  # … for a setting, however small


@dataclass(frozen=True, eq=False)
class Rectangle:
    """One press set as an (R, C) grid, R odd, and what the rows are called on the board."""

    grid: Bits
    side: str

    @classmethod
    def of(cls, board: Board, presses: Bits, side: object, what: str) -> Rectangle:
        """Turn a board's press set so that the lines of `side` are the rows."""
        graph = plain_cross(board, what)
        named = word(side, SIDES, f"{what}: side")
        shape = graph.shape if named == "rows" else graph.shape[::-1]
        if graph.mask is not None or shape[0] % 2 == 0:
            fail(f"{what}: the board is no full rectangle with an odd number of {named}")
        grid = graph.to_grid(presses)
        return cls(np.ascontiguousarray(grid if named == "rows" else grid.T), named)

    @property
    def switched_rows(self) -> int:
        """How many rows can be switched independently; the last one makes their number even."""
        return self.grid.shape[0] - 1 if self.grid.shape[1] % 2 else 0

    @property
    def odd_rows(self) -> Bits:
        """The row parities p. (R,)."""
        return np.asarray(np.bitwise_xor.reduce(self.grid, axis=1))

    def setting(self, odd_rows: Bits) -> int | None:
        """Return the number of the setting whose odd rows these are; None if there is none."""
        u = odd_rows ^ self.odd_rows
        if np.count_nonzero(u) % 2 or (u.any() and not self.switched_rows):
            return None
        return sum(1 << int(i) for i in np.flatnonzero(u[:-1]))

    def with_odd_rows(self, odd_rows: Bits) -> Bits:
        """Return a press set of that setting, with every column in its even state. (R, C)."""
        grid = self.grid ^ (odd_rows ^ self.odd_rows)[:, None]
        return np.asarray(grid ^ np.bitwise_xor.reduce(grid, axis=0))


def least_cost(
    board: Board, command: str, enough: int, bound: Json, budget: Budget | None = None
) -> int:
    """Return what the evidence `switches` proves, or at most `enough`: no press set costs less.

    CheckFailed for malformed evidence, TooLarge where the settings are too many.
    """
    what, budget = "bound: switches", budget or Budget()
    plain_cross(board, what)
    base = press_sets(board, budget).one
    rectangle = Rectangle.of(board, base, bound.get("side"), what)
    # even row switches leave the columns even; costs have the parity of |x₀|, more than `most` is
    # enough
    even, parity = rectangle.with_odd_rows(rectangle.odd_rows), int(np.count_nonzero(base)) & 1
    most = enough - 2 + (enough + parity) % 2
    settings_of = SwitchSettings(even, rectangle.odd_rows, rectangle.switched_rows, command)
    raised = _raised(rectangle, command, bound.get("raised"), budget)
    named = np.array(sorted(raised), dtype=np.int64)
    proved = np.array([raised[setting] for setting in named.tolist()], dtype=np.int64)
    proved += (proved + parity) % 2
    least = enough
    for settings, costs in settings_of.cheap(most, budget):
        here = np.isin(named, settings)
        at = np.searchsorted(settings, named[here])
        costs[at] = np.maximum(costs[at], proved[here])
        least = min(least, int(costs.min(initial=IMPOSSIBLE)))
    return least


def check_weighted_cuts(
    board: Board, counts: Ints, refutation: Json, budget: Budget | None = None
) -> None:
    """Check that the weighted penalties of every press set are positive: none has an order."""
    what = "weighted-cuts"
    rectangle = Rectangle.of(board, counts & 1 == 1, refutation.get("side"), what)
    if rectangle.switched_rows:
        fail(f"{what}: the {rectangle.side} do not have the same parities in all press sets")
    cuts, weights = _cuts(rectangle, refutation.get("cuts"), what, budget or Budget())
    value = _weighted(rectangle, rectangle.odd_rows, cuts, weights, 0, "order")
    if value <= 0:
        fail(f"{what}: some press set has the weighted excess {value}, which refutes nothing")


# ------------------------------------------------------------------------------- weighted cuts


def _raised(rectangle: Rectangle, command: str, value: object, budget: Budget) -> dict[int, int]:
    """Return the settings that have weighted cuts, with what these prove of them."""
    what = "switches: raised"
    found: dict[int, int] = {}
    items = objects(value, what, f"{what}: an entry")
    work = len(items) * (_NS_RAISED + _NS_BULB * rectangle.grid.size)
    budget.spend(work, f"{what}: {len(items)} settings")
    for fields in items:
        odd_rows = lines(fields.get("odd_lines"), rectangle.grid.shape[0], f"{what}: odd_lines")
        setting = rectangle.setting(odd_rows)
        if setting is None:
            fail(f"{what}: in no press set these {rectangle.side} are odd, and no others")
        if setting in found:
            fail(f"{what}: the same odd lines twice")
        divisor = number(fields.get("divisor"), f"{what}: divisor")
        if not divisor:
            fail(f"{what}: the divisor is 0")
        cuts, weights = _cuts(rectangle, fields.get("cuts"), what, budget)
        value_ = _weighted(rectangle, odd_rows, cuts, weights, divisor, command)
        found[setting] = -(-value_ // divisor)
    return found


def _cuts(rectangle: Rectangle, value: object, what: str, budget: Budget) -> tuple[Bits, list[int]]:
    """Return the sets of rows, (cuts, R), and their weights."""
    items = objects(value, f"{what}: cuts", f"{what}: a cut")
    work = (_NS_CUT * len(items) + _NS_BULB) * rectangle.grid.size
    budget.spend(work, f"{what}: adding up {len(items)} cuts")
    budget.hold(16 * len(items) * sum(rectangle.grid.shape), f"{what}: {len(items)} cuts")
    height = rectangle.grid.shape[0]
    rows = [lines(item.get("lines"), height, f"{what}: lines") for item in items]
    weights = [number(item.get("weight"), f"{what}: weight") for item in items]
    return np.array(rows, dtype=np.bool_).reshape(len(items), height), weights


def _weighted(
    rectangle: Rectangle,
    odd_rows: Bits,
    cuts: Bits,
    weights: list[int],
    divisor: int,
    command: str,
) -> int:
    """Return the least of D·|x| + Σ weight·penalty (`solve`: + (D − Σ weights)·|k − |p||)."""
    grid = rectangle.with_odd_rows(odd_rows)
    height, width = grid.shape
    total = sum(weights)
    if command == "solve" and total > divisor:
        fail(f"weighted cuts: the weights are more than the divisor {divisor}")
    fits((divisor + total) * 16 * grid.size, "the weights of the cuts")
    weight = np.array(weights, dtype=np.int64)
    even = grid.sum(axis=0, dtype=np.int64)
    inside = cuts.astype(np.int64) @ grid.astype(np.int64)
    sizes = cuts.sum(axis=1, dtype=np.int64)
    outside = sizes[:, None] - inside  # in X when the column is in its odd state
    of_even = divisor * even + weight @ (2 * inside - 4 * np.minimum(even // 2, inside))
    odd = height - even
    of_odd = divisor * odd + weight @ (2 * outside - 1 - 4 * np.minimum(odd // 2, outside))
    k = int(np.count_nonzero(odd_rows))
    in_cut = (cuts & odd_rows).sum(axis=1, dtype=np.int64)
    least = np.zeros(width + 1, dtype=np.int64)
    np.cumsum(np.sort(of_odd - of_even), out=least[1:])
    least += int(of_even.sum(dtype=np.int64)) + int(weight @ (k - 2 * in_cut))
    if command == "order":
        return int(least[k]) if k <= width else IMPOSSIBLE
    apart = np.abs(np.arange(width + 1, dtype=np.int64) - k)
    return int((least + (divisor - total) * apart)[apart % 2 == 0].min())
