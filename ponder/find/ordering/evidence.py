"""A randomised test of whether an order exists: a determinant over GF(2^16) (theory §5.1–5.3).

Give every vertex its own random nonzero p_v. K is the matrix with 1/(p_u + p_v) for every edge uv
and, on the diagonal, the sum of v's edge weights plus 1/p_v where t(v) = 0: the Laplacian of H and
a root z, p_z = 0, joined to every v with t(v) = 0, without its row and column.

    An order exists  ⟺  det K ≠ 0 as a rational function of p (theory §5.2).

A nonsingular K is certain: an order exists. A singular one is evidence against: if an order exists,
a trial is singular with probability at most (|E| + |V|)/2^16; trials are independent.
Reference: B. Szegedy, C. Szegedy, "Symplectic spaces and ear-decomposition of matroids", 2006.
Cost of a trial: n³/3 steps where H is dense, skipping zeros: 0.4 s for 1000 vertices of degree 3.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ponder.check.witness import Randomised
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.limits import NEVER, Limits, NeedsMemory

Elements = NDArray[np.uint16]

BITS = 16
ERROR_BITS = 40  # a "no" errs with probability at most 2^−ERROR_BITS
MOST_VERTICES = 3000  # of a dense matrix
MOST_WEIGHT = 1 << 15  # of |E| + |V|: beyond it a trial says too little
_POLYNOMIAL = 0x1100B  # primitive: x generates all nonzero elements
_NONZERO = (1 << BITS) - 1


def evidence_against(
    problem: OrderingProblem, seed: int = 0, limits: Limits = NEVER
) -> Randomised | None:
    """Return evidence that no order exists; None if one exists, which is certain.

    Raises TimeUp, and NeedsMemory for a problem beyond `MOST_VERTICES` or `MOST_WEIGHT`.

    >>> path = [(0, 1), (1, 2)]
    >>> evidence_against(OrderingProblem.from_edges(3, path))
    >>> no = evidence_against(OrderingProblem.from_edges(3, [*path, (0, 2)]))
    >>> no.trials, round(no.log2_error, 1)
    (3, -40.2)
    """
    weight = problem.size + problem.edge_count
    if problem.size > MOST_VERTICES or weight > MOST_WEIGHT:
        raise NeedsMemory(f"{problem.size:,} presses are too many for the determinant test")
    exponent = math.log2(max(1, weight)) - BITS
    trials = math.ceil(ERROR_BITS / -exponent)
    random = np.random.default_rng(seed)
    for _ in range(trials):
        if nonsingular(random_matrix(problem, random), limits):
            return None
    return Randomised(BITS, trials, trials * exponent, seed)


def random_matrix(problem: OrderingProblem, random: np.random.Generator) -> Elements:
    """Return K for random distinct p."""
    p = (random.choice(_NONZERO, problem.size, replace=False) + 1).astype(np.uint16)
    u, v = problem.edges.T
    weights = inverse(p[u] ^ p[v])
    diagonal = np.where(problem.odd, np.uint16(0), inverse(p))
    np.bitwise_xor.at(diagonal, u, weights)
    np.bitwise_xor.at(diagonal, v, weights)
    matrix = np.diag(diagonal)
    matrix[u, v] = matrix[v, u] = weights
    return matrix


def nonsingular(matrix: Elements, limits: Limits = NEVER) -> bool:
    """Eliminate in place, leaving zeros out; return whether the determinant is nonzero."""
    for i in range(len(matrix)):
        limits.check()
        rows = i + np.flatnonzero(matrix[i:, i])
        if not rows.size:
            return False
        if rows[0] != i:
            matrix[[i, rows[0]]] = matrix[[rows[0], i]]
            rows = i + np.flatnonzero(matrix[i:, i])
        below = rows[1:]
        if below.size:
            columns = i + np.flatnonzero(matrix[i, i:])
            factors = _product(matrix[below, i], inverse(matrix[i, i]))
            matrix[np.ix_(below, columns)] ^= _product(factors[:, None], matrix[i, columns])
    return True


@cache
def _tables() -> tuple[Elements, NDArray[np.int32]]:
    """Return powers of x, 0 from twice the group's order on, and logarithms, that of 0 so large."""
    powers = np.zeros(4 * _NONZERO + 1, dtype=np.uint16)
    logarithms = np.full(_NONZERO + 1, 2 * _NONZERO, dtype=np.int32)
    element = 1
    for exponent in range(_NONZERO):
        powers[[exponent, exponent + _NONZERO]] = element
        logarithms[element] = exponent
        element <<= 1
        element ^= _POLYNOMIAL * (element >> BITS)
    return powers, logarithms


def _product(a: Elements, b: Elements) -> Elements:
    powers, logarithms = _tables()
    product: Elements = powers[logarithms[a] + logarithms[b]]
    return product


def inverse(a: Elements) -> Elements:
    """Return the inverses of nonzero elements."""
    powers, logarithms = _tables()
    inverted: Elements = powers[_NONZERO - logarithms[a]]
    return inverted
