"""No σ stays below a height: a proof by branch and bound, case by case modulo 8.

Idea (theory §8.5, "heights by congruence"). Is there an admissible σ with σ̂(x) ≤ D for all x ∈
GF(2)^r? Modulo 8 all of σ̂ is known but for M mod 4 and ℓ ∈ GF(2)^r. In each of the 4·2^r cases
σ̂(x) ≤ u(x), the largest number ≤ D of its class. A *weight* λ ≥ 0 on the points refutes a case if

    Σ_x λ(x) u(x)  <  Σ_τ min over σ_τ of λ̂(τ)·σ_τ        (each σ_τ in its own interval).

λ comes from a linear program (the least t with σ̂ ≤ u + t), rounded to integers in which the
inequality is checked. It is tried on all cases; where none refutes one, a σ_τ is split in two.

Letters: r, σ, n_τ as in `bulb_types`; D the height. Cost: 4·2^r tests of all λ known, and a linear
program of 2^r rows for each λ that is new and each split.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ponder.find.context import Progress, silent
from ponder.lights_out.bulb_types import BulbTypes, hat, signs
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints, Json

LARGEST_RANK = 10  # ranks up to which the cases are gone through

_SCALES = (100, 10_000, 1_000_000)  # what a λ is multiplied by before it is rounded
_TOLERANCE = 1e-6
_PIVOTS = 5000  # of a linear program, at most, and before a fresh start

Floats = NDArray[np.float64]


@dataclass
class SignTree:
    """What refutes every case: the λ, and for each case a tree whose leaves name one.

    A tree is the number of a λ, or [type, value, tree for σ ≤ value, tree for σ > value], types by
    number.
    """

    height: int  # D: no admissible σ has σ̂ ≤ D everywhere
    cases: list[Any] = field(default_factory=list)  # for M = 0, …, 3 and then ℓ = 0, …, 2^r − 1
    weights: list[Ints] = field(default_factory=list)  # the λ, (2^r,) each

    def to_json(self, types: BulbTypes) -> Json:
        """Return what the checker reads: a bulb of each type of the basis, λ by its points."""
        first = [int(np.argmax(types.bulbs == name)) for name in types.names[types.units]]
        return {
            "kind": "sign-tree",
            "height": self.height,
            "basis": types.graph.labels(np.array(first, dtype=np.int64)),
            "weights": [
                [[x, int(weight[x])] for x in np.flatnonzero(weight).tolist()]
                for weight in self.weights
            ],
            "cases": self.cases,
        }


class Reached(Exception):
    """There is such a σ after all."""

    def __init__(self, sigma: Ints) -> None:
        super().__init__("a σ of that height exists")
        self.sigma: Ints = sigma


def refute(
    types: BulbTypes, height: int, limits: Limits = NEVER, progress: Progress = silent
) -> SignTree:
    """Prove that no admissible σ has σ̂ ≤ height everywhere; raises `Reached` if one has.

    Raises TimeUp.

    >>> from ponder.lights_out.bulb_types import bulb_types
    >>> from ponder.model.graph import grid_graph
    >>> len(refute(bulb_types(grid_graph("plus", (4, 4))), 1).cases)
    64
    """
    search, points = _Cases(types, height, limits), 1 << types.rank
    shift = hat(types.sizes % 2, types.places, types.rank)
    tree = SignTree(height, weights=search.weights)
    for case in range(4 * points):
        moved, parity = divmod(case, points)  # u: congruent to F − 2M + 4⟨x, ℓ⟩ modulo 8
        bits = np.bitwise_count(np.arange(points) & parity) & 1
        ceiling = height - (height - shift + 2 * moved - 4 * bits.astype(np.int64)) % 8
        tree.cases.append(search.tree(ceiling, search.low, search.high))
        progress(f"height {height}: {case + 1} of {4 * points} cases refuted")
    return tree


class _Cases:
    """The λ so far, and the linear program that finds more."""

    def __init__(self, types: BulbTypes, height: int, limits: Limits) -> None:
        self.limits = limits
        self.weights: list[Ints] = []
        self.signs = signs(np.arange(1 << types.rank), types.places)
        most = np.minimum(types.sizes, height)
        self.high: Ints = most - (most - types.sizes) % 2
        self.low: Ints = -self.high
        self.low[types.units] = 1
        self._coefficients = np.zeros((0, types.places.size), dtype=np.int64)
        self._known = np.zeros((0, 1 << types.rank), dtype=np.int64)
        self._program = LeastSlack(self.signs)

    def tree(self, ceiling: Ints, low: Ints, high: Ints) -> Any:
        """Refute one case: no σ between low and high has σ̂ ≤ ceiling."""
        self.limits.check()
        at = self._by_known(ceiling, low, high)
        if at is not None:
            return at
        slack, sigma, weight = self._program.solve(ceiling, low, high)
        if slack > _TOLERANCE and self._add(weight, ceiling, low, high):
            return len(self.weights) - 1
        open_types = np.flatnonzero(low < high)
        if not open_types.size:
            if (self.signs @ low <= ceiling).all():
                raise Reached(low)
            at = int(np.argmax(self.signs @ low - ceiling))
            self._take(np.eye(1, ceiling.size, at, dtype=np.int64)[0])
            return len(self.weights) - 1
        steps = (sigma - low) / 2
        rounded = np.clip(np.round(steps), 0, (high - low) // 2).astype(np.int64)
        if (self.signs @ (low + 2 * rounded) <= ceiling).all():
            raise Reached(low + 2 * rounded)
        away = np.abs(steps - np.round(steps))[open_types]
        split = int(open_types[np.argmax(away)])
        most = (high - low)[split] // 2 - 1
        value = int(low[split] + 2 * np.clip(np.floor(steps[split]), 0, most))
        below, above = high.copy(), low.copy()
        below[split], above[split] = value, value + 2
        return [split, value, self.tree(ceiling, low, below), self.tree(ceiling, above, high)]

    def _by_known(self, ceiling: Ints, low: Ints, high: Ints) -> int | None:
        """Return a λ known already that refutes the case."""
        least = np.where(self._coefficients > 0, low, high)
        gaps = (self._coefficients * least).sum(axis=1) - self._known @ ceiling
        at = int(np.argmax(gaps)) if gaps.size else -1
        return at if at >= 0 and gaps[at] > 0 else None

    def _add(self, weight: Floats, ceiling: Ints, low: Ints, high: Ints) -> bool:
        """Round a λ so that it still refutes, and keep it; whether that was possible."""
        top = float(weight.max())
        for scale in _SCALES if top > 0 else ():
            rounded = np.round(weight * (scale / top)).astype(np.int64)
            coefficients = rounded @ self.signs
            least = np.where(coefficients > 0, low, high)
            if int((coefficients * least).sum()) > int(rounded @ ceiling):
                self._take(rounded)
                return True
        return False

    def _take(self, weight: Ints) -> None:
        self.weights.append(weight)
        self._known = np.concatenate([self._known, weight[None]])
        self._coefficients = np.concatenate([self._coefficients, (weight @ self.signs)[None]])


class LeastSlack:
    """The least t ≥ 0 with table·σ ≤ ceiling + t for σ in a box, by the dual simplex method.

    With σ = low + y the rows are table·y − t ≤ ceiling − table·low and y ≤ high − low. Prices do
    not depend on the right sides, so each program begins at the vertex where the last one ended.
    The tableau T says basic = β − T·(the others), which are 0. O(2^r·types) a pivot.

    >>> program = LeastSlack(np.array([[1], [-1]]))
    >>> t, sigma, dual = program.solve(np.array([-3, -3]), np.array([-5]), np.array([5]))
    >>> round(t, 3), np.round(dual, 3).tolist()
    (3.0, [0.5, 0.5])
    """

    def __init__(self, table: Ints) -> None:
        self._table = table
        self._restart()

    def _restart(self) -> None:
        count, size = self._table.shape
        self._tableau = np.zeros((count + size, size + 1))
        self._tableau[:count, :size], self._tableau[:count, size] = self._table, -1
        self._tableau[count:, :size] = np.eye(size)
        self._prices = np.eye(1, size + 1, size)[0]
        self._prices[:size] = 1e-5 * np.random.default_rng(0).random(size)  # no ties: no circles
        self._right, self._beta = np.zeros((2, count + size))
        self._free = np.arange(size + 1)  # the variables y and t at first, then the slack ones
        self._basic = np.arange(size + 1, count + 2 * size + 1)
        self._pivots = 0

    def solve(self, ceiling: Ints, low: Ints, high: Ints) -> tuple[float, Floats, Floats]:
        """Return t, σ, and the dual λ ≥ 0 of the rows of the table; t = 0 where it fails."""
        count, size = self._table.shape
        if self._pivots > _PIVOTS:  # rounding errors have added up
            self._restart()
        right = np.concatenate([ceiling - self._table @ low, high - low]).astype(np.float64)
        moved = np.concatenate([np.zeros(size + 1), right - self._right])
        self._beta += self._tableau @ moved[self._free] + moved[self._basic]
        self._right = right
        for _ in range(_PIVOTS):
            row = int(np.argmin(self._beta))
            entries = self._tableau[row]
            able = np.flatnonzero(entries < -1e-9)
            if self._beta[row] > -1e-9 or not able.size:
                break
            ratios = self._prices[able] / -entries[able]
            ties = able[ratios <= ratios.min() + 1e-12]
            self._pivot(row, int(ties[np.argmin(entries[ties])]))
        values, prices = np.zeros((2, self._basic.size + self._free.size))
        values[self._basic], prices[self._free] = self._beta, self._prices
        dual = np.maximum(prices[size + 1 : size + 1 + count], 0.0)
        return float(values[size]), low + values[:size], dual

    def _pivot(self, row: int, column: int) -> None:
        """Exchange the basic variable of a row for that of a column."""
        tableau, pivot = self._tableau, self._tableau[row, column]
        above, beta, price = (
            tableau[:, column].copy(),
            self._beta[row] / pivot,
            self._prices[column],
        )
        pivot_row = tableau[row] / pivot
        tableau -= above[:, None] * pivot_row
        self._beta -= above * beta
        self._prices -= price * pivot_row
        tableau[:, column] = -above / pivot
        tableau[row] = pivot_row
        tableau[row, column] = 1 / pivot
        self._beta[row], self._prices[column] = beta, -price / pivot
        self._basic[row], self._free[column] = self._free[column], self._basic[row]
        self._pivots += 1
