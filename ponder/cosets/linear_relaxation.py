"""A lower bound by linear programming: fractional press sets, and odd cuts that none may violate.

Idea (theory §1.6). Relax s(v) ∈ {0, 1} to 0 ≤ s(v) ≤ 1. Around every bulb v the presses have the
parity of b(v): for every F ⊆ N[v] with |F| ≢ b(v) they are not exactly F, so

    Σ_{u∈F} (1 − s(u)) + Σ_{u∈N[v]−F} s(u) ≥ 1.

These are exponentially many, and added as they are needed: F = ∅ where b(v) = 1 at first, then the
cuts that the optimum s* violates; for one v the worst F has the u with s*(u) > 1/2, and to mend its
parity the u nearest to 1/2 changes sides. The multipliers of the cuts, as whole numbers over a
common divisor, are the evidence: whatever they are, they prove a bound (weak duality), so rounding
costs little and risks nothing.

Letters: s, b, N[v] as in the theory; F a cut's odd side.
Cost: some linear programs of n variables: 1 s for n = 1600. Cuts of small neighbourhoods are weak:
s = 1/k satisfies all of those of k bulbs, so the bound is no more than n/3 where all have at least
three.
Reference: parity polytopes: Jeroslow 1975; for decoding: Feldman, Wainwright, Karger 2005.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.errors import ortools
from ponder.limits import NEVER, Limits
from ponder.puzzle.board import Board
from ponder.puzzle.bound_evidence import LinearRelaxation, OddCut
from ponder.types import Bits, Ints

Floats: TypeAlias = NDArray[np.float64]

DIVISOR = 2**12
ROUNDS = 12
VIOLATED = 0.02
_LOADING, _SQUARE, _EACH = 0.3, 4e-7, 2e-6  # seconds: once, for n² = 1, and for u ∈ N[v]


@dataclass(frozen=True, eq=False)
class Cuts:
    """Cuts: each a bulb v and the bulbs F ⊆ N[v], and how much they weigh.

    `weights` are whole numbers, multipliers times DIVISOR.
    """

    cuts: list[tuple[int, list[int]]]
    weights: list[int]

    def bound(self, board: Board) -> int:
        """Return what the cuts prove: no press set has fewer presses.

        Σ s ≥ Σ s − Σ λ(cut − 1), which is least with s(u) = 1 just where its factor is negative.
        """
        graph, n = board.graph, board.graph.size
        around = np.array([v for v, _ in self.cuts], dtype=np.int64)
        members, owner = graph.neighbourhoods(around)
        weights = np.array(self.weights, dtype=np.int64)
        factor = np.full(n, DIVISOR, dtype=np.int64)
        np.subtract.at(factor, members, weights[owner])
        constant = 0
        for (_, side), weight in zip(self.cuts, self.weights, strict=True):
            constant += weight * (1 - len(side))
            factor[side] += 2 * weight
        least = constant + int(np.minimum(factor, 0).sum())
        return max(0, -(-least // DIVISOR))

    def evidence(self) -> LinearRelaxation:
        """Return the evidence."""
        weighed = zip(self.cuts, self.weights, strict=True)
        cuts = (OddCut(v, np.array(side, dtype=np.int64), weight) for (v, side), weight in weighed)
        return LinearRelaxation(DIVISOR, tuple(cuts))


def seconds(board: Board) -> float:
    """Return about how many seconds the linear programs take.

    >>> 0.5 < seconds(Board.from_rows(["0" * 39] * 39, "plus")) < 2
    True
    """
    n = board.graph.size
    return _LOADING + _SQUARE * n**2 + _EACH * (n + 2 * board.graph.edge_count())


def relaxation(board: Board, limits: Limits = NEVER) -> Cuts | None:
    """Return the cuts that prove the most, or None where no program was solved in time.

    TimeUp; NeedsLibrary without OR-tools.

    >>> board = Board.from_rows(["0000"], "plus")
    >>> relaxation(board).bound(board)
    2
    """
    n = board.graph.size
    members, owner = board.graph.neighbourhoods(np.arange(n))
    starts = np.searchsorted(owner, np.arange(n + 1))
    program = _Program(n)
    more: list[tuple[int, list[int]]] = [(v, []) for v in np.flatnonzero(board.change).tolist()]
    best: Cuts | None = None
    proved = 0
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
        kept = np.flatnonzero(weights).tolist()
        cuts = Cuts([program.cuts[k] for k in kept], weights[kept].tolist())
        if best is None or cuts.bound(board) >= proved:
            best, proved = cuts, cuts.bound(board)
        more = _violated(s, board.change, members, starts)
    return best


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
