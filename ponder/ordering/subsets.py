"""Orders of a small block by dynamic programming over all its subsets (theory §3.5).

Idea. In build order a vertex may be added to a set U of built vertices when |N(v) ∩ U| ≡ t(v). The
table of all 2^k subsets is one Python integer: bit U says whether the subset whose members are the
binary digits of U is *reachable* from ∅. Adding v to every subset that is ready for it is

    reachable |= (reachable & ready[v]) << 2^v

where ready[v] has the bit U iff v ∉ U and |N(v) ∩ U| ≡ t(v). Rounds over all v are repeated until
nothing changes: at most k of them; four or five in practice.

Reference. Held, Karp, "A dynamic programming approach to sequencing problems", J. SIAM 10 (1962).
Cost. k·2^k/8 bytes, and O(rounds · k · 2^k) bit operations, dozens at a time: 15 µs for 6 vertices,
5 ms for 20, 35 ms and 18 MB for 22.
"""

from __future__ import annotations

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.puzzle.ordering_problem import Order, OrderingProblem
from ponder.puzzle.refutation import Exhausted

MOST = 22  # the largest problem that is searched unless the caller wishes otherwise


def order_subsets(problem: OrderingProblem, limits: Limits = NEVER) -> Order | Exhausted:
    """Order a component or block, or prove that it has no order.

    Every further vertex doubles time and memory. Raises TimeUp if the time is up.

    >>> square = [(0, 1), (1, 2), (2, 3), (0, 3)]
    >>> order_subsets(OrderingProblem.from_edges(4, square, odd=[0, 2])).vertices.tolist()
    [1, 0, 2, 3]
    >>> order_subsets(OrderingProblem.from_edges(4, square, odd=[0, 1, 2, 3])).kind
    'exhausted'
    """
    near = [0] * problem.size
    for u, v in problem.edges.tolist():
        near[u] |= 1 << v
        near[v] |= 1 << u
    build = _build_order(near, problem.odd.tolist(), limits)
    return Exhausted(np.unique(problem.bulbs)) if build is None else Order.from_build(build)


def _build_order(near: list[int], odd: list[bool], limits: Limits) -> list[int] | None:
    """Return a build order, or None; near[v] has the bit u for every neighbour u of v."""
    size = len(near)
    everything = (1 << size) - 1
    ready = [_ready(v, near[v], odd[v], size) for v in limits.over(range(size), 4)]
    reachable, before = 1, 0
    while reachable != before and not reachable >> everything:
        before = reachable
        limits.check()
        for v in range(size):
            reachable |= (reachable & ready[v]) << (1 << v)
    if not reachable >> everything:
        return None
    table = reachable.to_bytes((everything >> 3) + 1, "little")
    order: list[int] = []
    subset = everything
    while subset:
        for v in range(size):
            rest = subset & ~(1 << v)
            fits = rest != subset and (near[v] & rest).bit_count() & 1 == odd[v]
            if fits and table[rest >> 3] >> (rest & 7) & 1:
                order.append(v)
                subset = rest
                break
    return order[::-1]


def _ready(v: int, near: int, odd: bool, size: int) -> int:
    """Return the table of the subsets without v that hold oddly (or evenly) many of `near`."""
    evens, odds = 1, 0  # of {0 … u − 1}; shifted by 2^u, those with u
    for u in range(size):
        if u == v:
            continue
        if near >> u & 1:
            evens, odds = evens | odds << (1 << u), odds | evens << (1 << u)
        else:
            evens, odds = evens | evens << (1 << u), odds | odds << (1 << u)
    return odds if odd else evens
