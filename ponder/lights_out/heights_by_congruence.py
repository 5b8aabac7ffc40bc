"""No σ stays below a height: a proof by branch and bound, case by case modulo 8.

Idea (theory §8.5, "heights by congruence"). Is there an admissible σ with σ̂(x) ≤ D for all x ∈
GF(2)^r? Modulo 8 all of σ̂ is known but for M mod 4 and ℓ ∈ GF(2)^r. In each of the 4·2^r cases
σ̂(x) ≤ u(x), the largest number ≤ D of its class. A *weight* λ ≥ 0 on the points refutes a case if

    Σ_x λ(x) u(x)  <  Σ_τ min over σ_τ of λ̂(τ)·σ_τ        (each σ_τ in its own interval).

λ comes from a linear program (the least t with σ̂ ≤ u + t), rounded to integers in which the
inequality is checked. It is tried on all cases; where none refutes one, a σ_τ is split in two.

Letters: r, σ, n_τ as in `bulb_types`; D the height. Cost: 4·2^r tests of all λ known, and a linear
program of 2^r rows for each λ that is new and each split: 10 s for r = 8, D = 6.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ponder.find.context import Progress, silent
from ponder.lights_out.bulb_types import BulbTypes, hat, signs
from ponder.system.errors import ortools
from ponder.system.limits import NEVER, Limits
from ponder.system.pool import in_parallel
from ponder.system.types import Ints

if TYPE_CHECKING:
    from ponder.system.types import Json

LARGEST_RANK = 10  # ranks up to which the cases are gone through

_SCALES = (100, 10_000, 1_000_000)  # what a λ is multiplied by before it is rounded
_PROGRAMS = "linear_solver.python.model_builder"
_TOLERANCE = 1e-6
_SPAWN_FROM = 6  # ranks from which the cases are worth processes of their own
_CHUNK = 32  # cases that share their λ in a process; more find more, fewer hear the clock sooner


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
        names = types.names[_unit_places(types)].tolist()
        first = [int(np.argmax(types.bulbs == name)) for name in names]
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
        self.sigma = sigma


def refute(
    types: BulbTypes, height: int, limits: Limits = NEVER, progress: Progress = silent
) -> SignTree:
    """Prove that no admissible σ has σ̂ ≤ height everywhere; raises `Reached` if one has.

    Raises TimeUp, and NeedsLibrary without OR-tools.

    >>> from ponder.lights_out.bulb_types import bulb_types
    >>> from ponder.model.graph import grid_graph
    >>> types = bulb_types(grid_graph("plus", (4, 4)))
    >>> len(refute(types, 1).cases)
    64
    """
    ortools(_PROGRAMS, "a sign tree")  # before there are processes
    found = SignTree(height)
    cases = range(4 << types.rank)
    jobs = [(types, height, cases[start : start + _CHUNK]) for start in cases[::_CHUNK]]
    processes = None if types.rank >= _SPAWN_FROM else 1
    for trees, weights, reached in in_parallel(_refuted, jobs, processes, limits):
        if reached is not None:
            raise Reached(reached)
        found.cases += [_moved(tree, len(found.weights)) for tree in trees]
        found.weights += weights
        progress(f"height {height}: {len(found.cases)} of {len(cases)} cases refuted")
    return found


def _refuted(job: tuple[BulbTypes, int, range]) -> tuple[list[Any], list[Ints], Ints | None]:
    """Return the trees of some cases of a height and their λ, or a σ that reaches it."""
    types, height, cases = job
    search = _Cases(types, height)
    points = 1 << types.rank
    shift = hat(types.sizes % 2, types.places, types.rank)
    trees = []
    for case in cases:
        moved, parity = divmod(case, points)  # u: congruent to F − 2M + 4⟨x, ℓ⟩ modulo 8
        bits = np.bitwise_count(np.arange(points) & parity) & 1
        ceiling = height - (height - shift + 2 * moved - 4 * bits.astype(np.int64)) % 8
        try:
            trees.append(search.tree(ceiling, search.low, search.high))
        except Reached as reached:
            return [], [], reached.sigma
    return trees, search.weights, None


def _moved(tree: Any, by: int) -> Any:
    """Return a tree whose λ are counted from another one on."""
    if isinstance(tree, int):
        return tree + by
    split, value, below, above = tree
    return [split, value, _moved(below, by), _moved(above, by)]


def _unit_places(types: BulbTypes) -> Ints:
    """Return where the basis of V stands among the types."""
    return np.searchsorted(types.places, 1 << np.arange(types.rank, dtype=np.int64))


class _Cases:
    """The λ found so far, and the linear program that finds more."""

    def __init__(self, types: BulbTypes, height: int) -> None:
        self.weights: list[Ints] = []
        self.signs = signs(np.arange(1 << types.rank), types.places)
        most = np.minimum(types.sizes, height)
        self.high: Ints = most - (most - types.sizes) % 2
        self.low: Ints = -self.high
        self.low[_unit_places(types)] = 1
        self._coefficients = np.zeros((0, types.places.size), dtype=np.int64)
        self._known = np.zeros((0, 1 << types.rank), dtype=np.int64)
        self._program = _Program(self.signs)

    def tree(self, ceiling: Ints, low: Ints, high: Ints) -> Any:
        """Refute one case: no σ between low and high has σ̂ ≤ ceiling."""
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
        whole = np.clip(np.round(steps), 0, (high - low) // 2).astype(np.int64)
        if (self.signs @ (low + 2 * whole) <= ceiling).all():
            raise Reached(low + 2 * whole)
        away = np.abs(steps - np.round(steps))[open_types]
        split = int(open_types[np.argmax(away)])
        most = (high - low)[split] // 2 - 1
        value = int(low[split] + 2 * np.clip(np.floor(steps[split]), 0, most))
        below, above = high.copy(), low.copy()
        below[split], above[split] = value, value + 2
        return [
            split, value, self.tree(ceiling, low, below), self.tree(ceiling, above, high)
        ]  # fmt: skip

    def _by_known(self, ceiling: Ints, low: Ints, high: Ints) -> int | None:
        """Return a λ known already that refutes the case."""
        least = np.where(self._coefficients > 0, low, high)
        gaps = (self._coefficients * least).sum(axis=1) - self._known @ ceiling
        at = int(np.argmax(gaps)) if gaps.size else -1
        return at if at >= 0 and gaps[at] > 0 else None

    def _add(self, weight: Any, ceiling: Ints, low: Ints, high: Ints) -> bool:
        """Round a λ so that it still refutes, and keep it; whether that was possible."""
        top = float(weight.max())
        if top <= 0:
            return False
        for scale in _SCALES:
            whole = np.round(weight * (scale / top)).astype(np.int64)
            coefficients = whole @ self.signs
            least = np.where(coefficients > 0, low, high)
            if int((coefficients * least).sum()) > int(whole @ ceiling):
                self._take(whole)
                return True
        return False

    def _take(self, whole: Ints) -> None:
        self.weights.append(whole)
        self._known = np.concatenate([self._known, whole[None]])
        self._coefficients = np.concatenate([self._coefficients, (whole @ self.signs)[None]])


class _Program:
    """The least t with σ̂ ≤ u + t, for σ in a box: a linear program, and its dual λ."""

    def __init__(self, table: Ints) -> None:
        model_builder = ortools(_PROGRAMS, "a sign tree")
        self._model = model_builder.Model()
        self._solver = model_builder.Solver("GLOP")
        self._optimal = model_builder.SolveStatus.OPTIMAL
        self._sigma = [self._model.new_num_var(-1, 1, "") for _ in range(table.shape[1])]
        self._slack = self._model.new_num_var(0, 1 << 20, "")
        whole = model_builder.LinearExpr.weighted_sum
        self._rows = [
            self._model.add(whole([*self._sigma, self._slack], [*row, -1]) <= 0)
            for row in table.tolist()
        ]
        self._model.minimize(self._slack)

    def solve(self, ceiling: Ints, low: Ints, high: Ints) -> tuple[float, Any, Any]:
        """Return t, σ, and λ ≥ 0."""
        for row, upper in zip(self._rows, ceiling.tolist(), strict=True):
            row.upper_bound = upper
        for variable, least, most in zip(self._sigma, low.tolist(), high.tolist(), strict=True):
            variable.lower_bound, variable.upper_bound = least, most
        if self._solver.solve(self._model) != self._optimal:
            return 0.0, (low + high) / 2, np.zeros(len(self._rows))
        sigma = np.array([self._solver.value(variable) for variable in self._sigma])
        duals = np.array([self._solver.dual_value(row) for row in self._rows])
        return float(self._solver.objective_value), sigma, np.maximum(0.0, -duals)
