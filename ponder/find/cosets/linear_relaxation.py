"""A lower bound by linear programming: fractional press sets, and odd cuts that none may violate.

Idea (theory §1.6). Relax s(v) ∈ {0, 1} to 0 ≤ s(v) ≤ 1. For every F ⊆ N[v] with |F| ≢ b(v)

    Σ_{u∈F} (1 − s(u)) + Σ_{u∈N[v]−F} s(u) ≥ 1.

These cuts are added as they are needed: F = ∅ where b(v) = 1 at first, then those that the optimum
s* violates. For one v the worst F has the u with s*(u) > 1/2; to mend its parity the u nearest to
1/2 changes sides. The multipliers of the cuts, whole numbers over a divisor, are the evidence.

Letters: s, b, N[v] as in the theory; F a cut's odd side.
Cost: some linear programs of n variables: 1 s for n = 1600.
Reference: parity polytopes: Jeroslow 1975; for decoding: Feldman, Wainwright, Karger 2005.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.check.evidence.linear_relaxation import LinearRelaxation, OddCut
from ponder.find.search.outcome import SearchOutcome
from ponder.model.board import Board
from ponder.system.errors import ortools
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

Floats: TypeAlias = NDArray[np.float64]

DIVISOR = 2**12
ROUNDS = 12
VIOLATED = 0.02
_LOADING, _SQUARE, _EACH = 0.3, 4e-7, 2e-6  # seconds: once, for n² = 1, and for u ∈ N[v]


def seconds(board: Board) -> float:
    """Return about how many seconds the linear programs take."""
    n = board.graph.size
    return _LOADING + _SQUARE * n**2 + _EACH * (n + 2 * board.graph.edge_count())


def relaxation(board: Board, limits: Limits = NEVER) -> SearchOutcome | None:
    """Return the bound of the cuts that prove the most, or None where none was found in time.

    Raises TimeUp, and NeedsLibrary without OR-tools.

    >>> relaxation(Board.from_rows(["0000"], "plus")).lower_bound
    2
    """
    n = board.graph.size
    members, owner = board.graph.neighbourhoods(np.arange(n))
    starts = np.searchsorted(owner, np.arange(n + 1))
    program = _Program(n)
    more: list[tuple[int, list[int]]] = [(v, []) for v in np.flatnonzero(board.change).tolist()]
    best: SearchOutcome | None = None
    for _ in range(ROUNDS):
        if not more:
            break
        for v, side in more:
            program.add(v, side, members[starts[v] : starts[v + 1]].tolist())
        limits.check()
        solved = program.solve(limits.left())
        if solved is None:
            break
        s, multipliers = solved
        weights = np.maximum(0, np.floor(multipliers * DIVISOR)).astype(np.int64)
        weighed = ((*program.cuts[k], int(weights[k])) for k in np.flatnonzero(weights))
        cuts = tuple(
            OddCut(v, np.array(side, dtype=np.int64), weight) for v, side, weight in weighed
        )
        bound = _proved(board, cuts)
        if best is None or bound >= (best.lower_bound or 0):
            best = SearchOutcome("relaxation", None, bound, LinearRelaxation(DIVISOR, cuts))
        more = _violated(s, board.change, members, starts)
    return best


def _proved(board: Board, cuts: tuple[OddCut, ...]) -> int:
    """Return what cuts prove: Σ s ≥ Σ s − Σ λ(cut − 1), least where s picks the factors below 0."""
    around = np.array([cut.bulb for cut in cuts], dtype=np.int64)
    members, owner = board.graph.neighbourhoods(around)
    weights = np.array([cut.weight for cut in cuts], dtype=np.int64)
    factor = np.full(board.graph.size, DIVISOR, dtype=np.int64)
    np.subtract.at(factor, members, weights[owner])
    constant = 0
    for cut in cuts:
        constant += cut.weight * (1 - cut.without.size)
        factor[cut.without] += 2 * cut.weight
    least = constant + int(np.minimum(factor, 0).sum())
    return max(0, -(-least // DIVISOR))


class _Program:
    """The linear program so far: n variables, and the cuts that were added."""

    def __init__(self, n: int) -> None:
        pywraplp = ortools("linear_solver.pywraplp", "a linear program")
        self.solver = pywraplp.Solver.CreateSolver("GLOP")
        self.optimal = pywraplp.Solver.OPTIMAL
        self.presses = [self.solver.NumVar(0, 1, "") for _ in range(n)]
        self.solver.Minimize(self.solver.Sum(self.presses))
        self.cuts: list[tuple[int, list[int]]] = []
        self.rows: list[Any] = []

    def add(self, v: int, side: list[int], near: list[int]) -> None:
        """Add the cut around v with these bulbs of N[v] on the odd side."""
        row = self.solver.Constraint(1 - len(side), self.solver.infinity())
        for u in near:
            row.SetCoefficient(self.presses[u], -1 if u in side else 1)
        self.cuts.append((v, side))
        self.rows.append(row)

    def solve(self, seconds: float | None) -> tuple[Floats, Floats] | None:
        """Return the optimum and the multipliers of the cuts, or None when time is up."""
        if seconds is not None:
            self.solver.SetTimeLimit(max(1, int(1000 * seconds)))
        if self.solver.Solve() != self.optimal:
            return None
        s = np.array([press.solution_value() for press in self.presses])
        return s, np.array([row.dual_value() for row in self.rows])


def _violated(s: Floats, change: Bits, members: Ints, starts: Ints) -> list[tuple[int, list[int]]]:
    """Return the cuts that s violates, at most one around each bulb."""
    found = []
    for v in range(change.size):
        near = members[starts[v] : starts[v + 1]]
        here = s[near]
        inside = here > 0.5
        if np.count_nonzero(inside) % 2 == change[v]:
            inside[np.argmin(np.abs(here - 0.5))] ^= True
        if np.where(inside, 1 - here, here).sum() < 1 - VIOLATED:
            found.append((v, near[inside].tolist()))
    return found
