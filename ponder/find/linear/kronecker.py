"""The linear stage of product patterns (king, torus-king): two problems of one dimension.

Idea. Where the closed neighbourhood of a cell is some rows times some columns, pressing the R × C
grid S toggles P S Qᵀ: P (R × R) says which rows a row reaches, Q (C × C) which columns a column
reaches, A = P ⊗ Q. With generalised inverses (P P⁺ P = P) S = P⁺ B Q⁺ᵀ solves P S Qᵀ = B. Let U be
a basis of ker P in reduced form, V one of ker Q, and N the places of P that are no u's own. A basis
of ker A, whose vectors are odd with b where U B or B Vᵀ has a 1, is

    u ⊗ e_j  for all u ∈ U and all columns j,     e_i ⊗ v  for all i ∈ N and all v ∈ V.

Cost: O((R³ + C³)/512) for eliminating P and Q, O(R·C·(R + C)/512) for each solution: 2000 × 2000 in
0.25 s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.find.linear import gf2
from ponder.find.linear.kernels import Kernel
from ponder.model.graph import Graph, StencilGraph
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

LONGEST = 4096  # grids with a longer side are left to techniques that need no R × R matrix


@dataclass(frozen=True, eq=False)
class Factors:
    """A = P ⊗ Q: which rows a row reaches, (R, R), and which columns a column reaches, (C, C)."""

    rows: Bits
    columns: Bits


def factors_of(graph: Graph) -> Factors | None:
    """Return the factors of a product pattern on a full grid or torus, or None."""
    if not isinstance(graph, StencilGraph) or graph.mask is not None or max(graph.shape) > LONGEST:
        return None
    closed = {(0, 0), *graph.offsets}
    down, right = {dr for dr, _ in closed}, {dc for _, dc in closed}
    if len(closed) != len(down) * len(right):
        return None
    height, width = graph.shape
    return Factors(_reached(height, down, graph.wraps), _reached(width, right, graph.wraps))


def _reached(length: int, steps: set[int], wraps: bool) -> Bits:
    """Return which places of a line lie some step from each."""
    apart = np.arange(length)[None, :] - np.arange(length)[:, None]
    if wraps:
        return np.isin(apart % length, [step % length for step in steps])
    return np.isin(apart, list(steps))


class _Half:
    """One factor P: a generalised inverse, a basis of its kernel, and the other places."""

    def __init__(self, factor: Bits, limits: Limits) -> None:
        size = len(factor)
        beside = np.concatenate([factor, np.eye(size, dtype=np.bool_)], axis=1)
        done = gf2.eliminate(gf2.pack(beside), size, limits)
        self.inverse = np.zeros((size, size), dtype=np.bool_)
        made = gf2.unpack(done.words, 2 * size)[:, size:]
        self.inverse[done.pivot_columns] = made[done.pivot_rows]
        self.kernel = done.kernel()
        self.others: Ints = np.sort(done.pivot_columns)


def solve(
    graph: Graph, factors: Factors, change: Bits, limits: Limits = NEVER
) -> tuple[Bits | None, Kernel]:
    """Return a solution of A s = change, (n,), or None, and the kernel of A.

    `change` is (n,). Raises TimeUp if the deadline passes.

    >>> from ponder.model.graph import grid_graph
    >>> graph = grid_graph("king", (2, 3))
    >>> presses, kernel = solve(graph, factors_of(graph), np.ones(6, dtype=bool))
    >>> presses.tolist(), kernel.nullity
    ([False, True, False, False, False, False], 3)
    """
    rows, columns = _Half(factors.rows, limits), _Half(factors.columns, limits)
    kernel = _ProductKernel(rows, columns, limits)
    grid = change.reshape(len(factors.rows), len(factors.columns))
    half = gf2.product(rows.inverse, grid, limits)
    found = np.ascontiguousarray(gf2.product(columns.inverse, half.T, limits).T).reshape(-1)
    return (found if np.array_equal(graph.apply(found), change) else None), kernel


class _ProductKernel(Kernel):
    """Kernel vectors u ⊗ e_j, row by row of U, then e_i ⊗ v, row by row of N."""

    def __init__(self, rows: _Half, columns: _Half, limits: Limits) -> None:
        self.rows, self.columns, self.limits = rows, columns, limits
        self.shape = len(rows.inverse), len(columns.inverse)
        self.size = self.shape[0] * self.shape[1]
        self.by_rows = len(rows.kernel) * self.shape[1]
        self.nullity = self.by_rows + rows.others.size * len(columns.kernel)

    def combine(self, coefficients: Bits) -> Bits:
        """Return sums of basis vectors: Uᵀ X + Y V, with Y in the rows N."""
        found = np.empty((len(coefficients), self.size), dtype=np.bool_)
        for at, chosen in enumerate(coefficients):
            x, y = np.split(chosen, [self.by_rows])
            x = x.reshape(len(self.rows.kernel), self.shape[1])
            y = y.reshape(self.rows.others.size, len(self.columns.kernel))
            grid = found[at].reshape(self.shape)
            grid[:] = gf2.product(self.rows.kernel.T, x, self.limits)
            grid[self.rows.others] ^= gf2.product(y, self.columns.kernel, self.limits)
        return found

    def odd_member(self, change: Bits) -> Bits | None:
        """Return the lightest odd vector of the basis, or None. No other is made."""
        grid = change.reshape(self.shape)
        u, v = self.rows.kernel, self.columns.kernel
        odd_u = gf2.product(u, grid, self.limits)
        odd_v = gf2.product(grid[self.rows.others], v.T, self.limits)
        size_u, size_v = np.count_nonzero(u, axis=1)[:, None], np.count_nonzero(v, axis=1)
        never = self.size + 1
        weights = [np.where(odd_u, size_u, never), np.where(odd_v, size_v, never)]
        weight = np.concatenate([part.reshape(-1) for part in weights])
        if weight.min(initial=never) == never:
            return None
        chosen = np.zeros(self.nullity, dtype=np.bool_)
        chosen[int(weight.argmin())] = True
        return self.member(chosen)
