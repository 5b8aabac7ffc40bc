"""Any graph: a randomised polynomial test of whether there is an order (theory §5.1–5.3).

Give every vertex its own random nonzero p_v in GF(2^k). K is the matrix with 1/(p_u + p_v) for
every edge uv and, on the diagonal, the sum of v's edge weights plus 1/p_v where t(v) = 0: the
Laplacian of H and a root z, p_z = 0, joined to every v with t(v) = 0, without its row and column.

    An order exists  ⟺  det K ≠ 0 as a rational function of p (theory §5.2).

A "yes" is certain, but it shows no order (`spanning_tree_search`). A trial is singular, although
there is an order, with probability at most (|E| + |V|)/2^k; trials are independent.
Reference: B. Szegedy, C. Szegedy, "Symplectic spaces and ear-decomposition of matroids", 2006.
Cost with n vertices, dense: a trial n³/3 steps of 0.6 ns; sparse: a king board of 6000 presses 3 s.
"""

from __future__ import annotations

import math

import numpy as np

from ponder.check.evidence.randomised import Randomised
from ponder.find.linear.gf2k import Elements, Field, Poll, field, nonsingular
from ponder.find.linear.gf2k_multifrontal import condense
from ponder.model.ordering_problem import OrderingProblem

ERROR_BITS = 64  # a "no" errs with probability at most 2^−ERROR_BITS


def spanning_matrix(
    field: Field, problem: OrderingProblem, p: Elements
) -> tuple[Elements, Elements]:
    """Return K as the weights of the edges and the diagonal: 1/(p_u + p_v), and their sums.

    `p` are distinct nonzero elements, one a vertex. The diagonal has the root's 1/p_v in it.
    """
    u, v = problem.edges[:, 0], problem.edges[:, 1]
    weights = field.inverse(p[u] ^ p[v])
    diagonal = np.where(problem.odd, field.dtype.type(0), field.inverse(p))
    np.bitwise_xor.at(diagonal, u, weights)
    np.bitwise_xor.at(diagonal, v, weights)
    return weights, diagonal


def is_nonsingular(
    problem: OrderingProblem, field: Field, rng: np.random.Generator, poll: Poll
) -> bool:
    """Make one trial: draw p, and eliminate."""
    p = field.distinct(problem.size, rng)
    weights, diagonal = spanning_matrix(field, problem, p)
    _, matrix = condense(field, problem.edges, weights, diagonal, poll=poll)
    return nonsingular(field, matrix, poll)


def evidence_against(
    problem: OrderingProblem, rng: np.random.Generator, seed: int, poll: Poll = lambda: None
) -> Randomised | None:
    """Return the evidence that there is no order; None where there is one, which is certain.

    Trials are made until one is nonsingular or they suffice for a "no". Field and trials are chosen
    so that the error bound is below 2^−64, as cheaply as possible. Raises MemoryError if the matrix
    would be too large. A connected part at a time is cheaper. `seed` is for the record.

    >>> path, rng = [(0, 1), (1, 2)], np.random.default_rng(0)
    >>> evidence_against(OrderingProblem.from_edges(3, path), rng, 0)
    >>> no = evidence_against(OrderingProblem.from_edges(3, [*path, (0, 2)]), rng, 0)
    >>> no.bits, no.trials, round(no.log2_error, 1)
    (16, 5, -67.1)
    """
    weight = len(problem.edges) + problem.size
    bits = cheapest_bits(weight)
    exponent = math.log2(weight) - bits  # of the bound on one trial's error
    trials = math.ceil(ERROR_BITS / -exponent)
    for _ in range(trials):
        poll()
        if is_nonsingular(problem, field(bits), rng, poll):
            return None
    return Randomised(bits, trials, trials * exponent, seed)


def cheapest_bits(weight: int) -> int:
    """Return the field in which a "no" costs least: trials times bits². `weight` is |E| + |V|."""

    def cost(bits: int) -> float:
        spare = bits - math.log2(weight)
        return math.ceil(ERROR_BITS / spare) * bits**2 if spare >= 1 else math.inf

    return min((16, 32, 64), key=cost)
