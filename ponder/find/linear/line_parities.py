"""The linear stage of row/column boards: solve for the parities of the lines (theory §1.2).

Idea. (A s)(i,j) = r_i + c_j + s_ij, where r_i and c_j are the parities of s on row i and column j.
So a solution of A s = b is s_ij = b_ij + r_i + c_j, and only the R + C line parities are unknown.
Without holes they are written down (`_solve_full`); with holes they are the solutions of a
symmetric system M(r,c) = (β,γ), where β_i, γ_j are the line parities of b. ker A ≅ ker M, and a
vector (u,v) in ker M with u·β + v·γ = 1 gives the odd witness y_ij = u_i + v_j.

Cost: O(cells); with holes also one elimination of size R + C.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from ponder.find.linear.kernels import Kernel, parities
from ponder.model.graph import CrossGraph, line_parities
from ponder.system.limits import NEVER, Limits
from ponder.system.machine import refuse_above_limit
from ponder.system.types import Bits


def solve(graph: CrossGraph, change: Bits, limits: Limits = NEVER) -> tuple[Bits | None, Kernel]:
    """Return a solution of A s = change, (n,), or None, and the kernel of A.

    `change` is (n,). Raises TimeUp if the deadline passes.

    >>> graph = CrossGraph((2, 3))
    >>> presses, kernel = solve(graph, np.array([1, 1, 1, 1, 0, 0], dtype=bool))
    >>> presses.tolist(), kernel.nullity
    ([True, False, False, False, False, False], 1)
    """
    limits.check()
    sums = line_parities(graph.to_grid(change))
    if graph.mask is None:
        lines, kernel = _solve_full(graph, *sums)
    else:
        lines, kernel = _solve_with_holes(graph, graph.mask, *sums, limits)
    kernel.limits = limits
    limits.check()
    if lines is None:
        return None, kernel
    rows, columns = lines
    if graph.mask is None:
        grid = change.reshape(graph.shape) ^ rows[:, None]
        grid ^= columns
        return grid.reshape(-1), kernel
    return change ^ rows[graph.rows] ^ columns[graph.columns], kernel


class _LineKernel(Kernel):
    """Kernel vectors y_ij = u_i + v_j, each given by its line vectors (u, v)."""

    def __init__(self, graph: CrossGraph, nullity: int) -> None:
        self.graph, self.size, self.nullity = graph, graph.size, nullity

    @abstractmethod
    def lines(self, coefficients: Bits) -> tuple[Bits, Bits]:
        """Return the line vectors: (m, nullity) to (m, R) and (m, C)."""

    @abstractmethod
    def odd_coefficients(self, rows: Bits, columns: Bits) -> Bits | None:
        """Return coefficients of a member that is odd with these line sums, or None."""

    def combine(self, coefficients: Bits) -> Bits:
        """Return sums of basis vectors. O(result)."""
        u, v = self.lines(coefficients)
        if self.graph.mask is None:
            return (u[:, :, None] ^ v[:, None, :]).reshape(len(coefficients), self.size)
        return u[:, self.graph.rows] ^ v[:, self.graph.columns]

    def odd_member(self, change: Bits) -> Bits | None:
        """Return an odd kernel vector of few lines, or None. O(cells)."""
        coefficients = self.odd_coefficients(*line_parities(self.graph.to_grid(change)))
        return None if coefficients is None else self.member(coefficients)


class _FullKernel(_LineKernel):
    """Sums of pairs (row 0, row i), where C is odd, and (column 0, column j), where R is."""

    def __init__(self, graph: CrossGraph) -> None:
        height, width = graph.shape
        self.row_pairs = height - 1 if width % 2 else 0
        self.column_pairs = width - 1 if height % 2 else 0
        super().__init__(graph, self.row_pairs + self.column_pairs)

    def lines(self, coefficients: Bits) -> tuple[Bits, Bits]:
        """Let the first line of either kind make the number of lines even."""
        count = len(coefficients)
        found = []
        for part, length in zip(
            np.split(coefficients, [self.row_pairs], axis=1), self.graph.shape, strict=True
        ):
            vectors = np.zeros((count, length), dtype=np.bool_)
            if part.shape[1]:
                vectors[:, 1:] = part
                vectors[:, 0] = parities(part)
            found.append(vectors)
        return found[0], found[1]

    def odd_coefficients(self, rows: Bits, columns: Bits) -> Bits | None:
        """Take two lines of one kind with different sums."""
        differs = [
            rows[1:] ^ rows[0] if self.row_pairs else rows[:0],
            columns[1:] ^ columns[0] if self.column_pairs else columns[:0],
        ]
        odd = np.concatenate(differs)
        if not odd.any():
            return None
        chosen = np.zeros(self.nullity, dtype=np.bool_)
        chosen[int(odd.argmax())] = True
        return chosen


def _solve_full(
    graph: CrossGraph, beta: Bits, gamma: Bits
) -> tuple[tuple[Bits, Bits] | None, Kernel]:
    """Return r and c, if any, and the kernel: (C+1)·r_i = β_i + Σ s, (R+1)·c_j = γ_j + Σ s."""
    height, width = graph.shape
    kernel = _FullKernel(graph)
    if height % 2 == 0 and width % 2 == 0:
        total = bool(parities(beta))
    else:
        if kernel.odd_coefficients(beta, gamma) is not None:
            return None, kernel
        total = bool(beta[0] if width % 2 else gamma[0])
    return (_line_parities(beta, total, width), _line_parities(gamma, total, height)), kernel


def _line_parities(sums: Bits, total: bool, crossing: int) -> Bits:
    """Return r from β and τ, where `crossing` is the number of columns (and so for c)."""
    if crossing % 2 == 0:
        return sums ^ total
    lines = np.zeros_like(sums)
    lines[0] = total
    return lines


class _HoledKernel(_LineKernel):
    """Kernel vectors from a written-out basis of ker M, (nullity, R + C)."""

    def __init__(self, graph: CrossGraph, basis: Bits) -> None:
        super().__init__(graph, len(basis))
        self.line_basis = basis

    def lines(self, coefficients: Bits) -> tuple[Bits, Bits]:
        from ponder.find.linear import gf2

        vectors = gf2.product(coefficients, self.line_basis, self.limits)
        height = self.graph.shape[0]
        return vectors[:, :height], vectors[:, height:]

    def odd_coefficients(self, rows: Bits, columns: Bits) -> Bits | None:
        """Take the basis vector of the fewest lines among the odd ones."""
        odd = parities(self.line_basis & np.concatenate([rows, columns]))
        if not odd.any():
            return None
        lines = np.where(odd, self.line_basis.sum(axis=1), self.line_basis.shape[1] + 1)
        chosen = np.zeros(self.nullity, dtype=np.bool_)
        chosen[int(lines.argmin())] = True
        return chosen


def _solve_with_holes(
    graph: CrossGraph, mask: Bits, beta: Bits, gamma: Bits, limits: Limits
) -> tuple[tuple[Bits, Bits] | None, Kernel]:
    """Return r and c by elimination of M, or None, and the kernel."""
    from ponder.find.linear import gf2

    height, width = graph.shape
    refuse_above_limit("the matrix of the lines", (height + width) ** 2)
    system = np.zeros((height + width, height + width), dtype=np.bool_)
    system[:height, height:] = mask
    system[height:, :height] = mask.T
    np.fill_diagonal(system, np.concatenate([mask.sum(axis=1) + 1, mask.sum(axis=0) + 1]) % 2)
    sides = np.concatenate([beta, gamma])
    found, echelon = gf2.solve(gf2.pack(system), height + width, sides, limits)
    kernel = _HoledKernel(graph, echelon.kernel())
    return None if found is None else (found[:height], found[height:]), kernel
