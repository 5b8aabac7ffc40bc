"""The linear stage of row/column boards: solve for the parities of the lines (theory §1.2).

Idea. (A s)(i,j) = r_i + c_j + s_ij, where r_i and c_j are the parities of s on row i and column j.
So a solution of A s = b is s_ij = b_ij + r_i + c_j, and only the R + C line parities are unknown.
Without holes they are written down (`_solve_full`); with holes they are the solutions of a
symmetric system M(r,c) = (β,γ), where β_i, γ_j are the line parities of b. ker A ≅ ker M, and a
vector (u,v) in ker M with u·β + v·γ = 1 gives the odd witness y_ij = u_i + v_j.

Cost: O(cells); with holes also one elimination of size R + C.
"""

from __future__ import annotations

import numpy as np

from ponder.find.linear import gf2
from ponder.find.linear.gf2 import Kernel, parities
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
    height, width = graph.shape
    sums = line_parities(graph.to_grid(change))
    if graph.mask is None:
        kernel = _LineKernel(graph, _full_basis(height, width), limits)
        lines = None if kernel.odd_lines(*sums) is not None else _solve_full(*sums)
    else:
        lines, basis = _solve_with_holes(graph.mask, np.concatenate(sums), limits)
        kernel = _LineKernel(graph, basis, limits)
    limits.check()
    if lines is None:
        return None, kernel
    rows, columns = np.split(lines, [height])
    if graph.mask is None:
        grid = change.reshape(graph.shape) ^ rows[:, None]
        grid ^= columns
        return grid.reshape(-1), kernel
    return change ^ rows[graph.rows] ^ columns[graph.columns], kernel


class _LineKernel(Kernel):
    """Kernel vectors y_ij = u_i + v_j, by a basis of their lines: (nullity, R + C)."""

    def __init__(self, graph: CrossGraph, basis: Bits, limits: Limits) -> None:
        self.graph, self.basis_of_lines, self.limits = graph, basis, limits
        self.size, self.nullity = graph.size, len(basis)

    def combine(self, coefficients: Bits) -> Bits:
        """Return sums of basis vectors. O(result)."""
        return self._vectors(gf2.product(coefficients, self.basis_of_lines, self.limits))

    def odd_member(self, change: Bits) -> Bits | None:
        """Return an odd kernel vector of few lines, or None. O(cells)."""
        lines = self.odd_lines(*line_parities(self.graph.to_grid(change)))
        return None if lines is None else self._vectors(lines[None])[0]

    def odd_lines(self, rows: Bits, columns: Bits) -> Bits | None:
        """Return the lines of the basis vector of the fewest lines that is odd with these sums."""
        odd = self.basis_of_lines[parities(self.basis_of_lines & np.concatenate([rows, columns]))]
        if not len(odd):
            return None
        lines: Bits = odd[np.argmin(np.count_nonzero(odd, axis=1))]
        return lines

    def _vectors(self, lines: Bits) -> Bits:
        u, v = np.split(lines, [self.graph.shape[0]], axis=1)
        if self.graph.mask is None:
            return (u[:, :, None] ^ v[:, None, :]).reshape(len(lines), self.size)
        return u[:, self.graph.rows] ^ v[:, self.graph.columns]


def _full_basis(height: int, width: int) -> Bits:
    """Pairs (row 0, row i), where the columns are odd in number, and of columns likewise."""
    rows, columns = (height - 1) * (width % 2), (width - 1) * (height % 2)
    refuse_above_limit("the quiet patterns of the lines", (rows + columns) * (height + width))
    basis = np.zeros((rows + columns, height + width), dtype=np.bool_)
    basis[:rows, 0] = basis[rows:, height] = True
    basis[np.arange(rows), 1 + np.arange(rows)] = True
    basis[rows + np.arange(columns), height + 1 + np.arange(columns)] = True
    return basis


def _solve_full(beta: Bits, gamma: Bits) -> Bits:
    """Return r and c of a solvable board: (C+1)·r_i = β_i + Σ s, (R+1)·c_j = γ_j + Σ s."""
    height, width = beta.size, gamma.size
    total = bool(beta[0] if width % 2 else gamma[0] if height % 2 else parities(beta))
    lines = []
    for sums, crossing in ((beta, width), (gamma, height)):
        if crossing % 2 == 0:
            lines.append(sums ^ total)
        else:
            lines.append(np.zeros_like(sums))
            lines[-1][0] = total
    return np.concatenate(lines)


def _solve_with_holes(mask: Bits, sums: Bits, limits: Limits) -> tuple[Bits | None, Bits]:
    """Return r and c by elimination of M, or None, and a basis of ker M."""
    height, width = mask.shape
    refuse_above_limit("the matrix of the lines", (height + width) ** 2)
    system = np.zeros((height + width, height + width), dtype=np.bool_)
    system[:height, height:] = mask
    system[height:, :height] = mask.T
    np.fill_diagonal(system, np.concatenate([mask.sum(axis=1) + 1, mask.sum(axis=0) + 1]) % 2)
    lines, echelon = gf2.solve(gf2.pack(system), height + width, sums, limits)
    return lines, echelon.kernel()
