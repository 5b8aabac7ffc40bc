"""Orders of a block by dynamic programming over all its subsets (theory §3.5).

Idea. In build order a vertex may be added to a set U of built vertices when |N(v) ∩ U| ≡ t(v). The
table of all 2^b states is one Python integer: bit U says whether the state whose binary digits are
those of U is *reachable* from ∅. Adding a vertex of kind i to every state that is ready for it is

    reachable |= (reachable & ready[i]) << 2^shift[i]

where ready[i] has the bit U iff not all of the kind are in U, and |N(v) ∩ U| ≡ t(v). Rounds over
all kinds are repeated until nothing changes; where no two vertices are alike four or five suffice.

Kinds, states and shifts are those of `ponder.check.subset_table`, with its reference.
Cost. k·2^b/8 bytes for k kinds, and O(rounds · k · 2^b) bit operations, dozens at a time: 20 µs for
6 vertices, 5 ms for 20, 35 ms and 18 MB for 22; K_300 has b = 16, K_2000 b = 20.
"""

from __future__ import annotations

import numpy as np

from ponder.check.limits import TooLarge
from ponder.check.subset_table import SubsetTable
from ponder.limits import NEVER, Limits
from ponder.puzzle.ordering_problem import MOST_EDGES, Order, OrderingProblem, Unknown
from ponder.puzzle.refutation import Exhausted

MOST = 24  # bits of the largest table that is filled


def order_subsets(problem: OrderingProblem, limits: Limits = NEVER) -> Order | Exhausted | Unknown:
    """Order a component or block, or prove that it has no order; Unknown if its table is too large.

    Every further bit doubles time and memory. Raises TimeUp when the time is up, and NeedsMemory.

    >>> square = [(0, 1), (1, 2), (2, 3), (0, 3)]
    >>> order_subsets(OrderingProblem.from_edges(4, square, odd=[0, 2])).vertices.tolist()
    [3, 1, 0, 2]
    >>> order_subsets(OrderingProblem.from_edges(4, square, odd=[0, 1, 2, 3])).kind
    'exhausted'
    """
    try:
        problem.prepare(limits, MOST_EDGES)
        table = SubsetTable.of(problem.neighbours, problem.odd.tolist(), most=MOST)
    except TooLarge as reason:
        return Unknown(str(reason))
    build = _build_order(table, limits)
    return Exhausted(np.unique(problem.bulbs)) if build is None else Order.from_build(build)


def _build_order(table: SubsetTable, limits: Limits) -> list[int] | None:
    """Return a build order, or None."""
    kinds = range(len(table.kinds))
    full = sum(len(kind) << shift for kind, shift in zip(table.kinds, table.shifts, strict=True))
    ready = [_ready(table, i) for i in limits.over(kinds, 4)]
    reachable, before = 1, 0
    while reachable != before and not reachable >> full:
        before = reachable
        limits.check()
        for i in kinds:
            reachable |= (reachable & ready[i]) << (1 << table.shifts[i])
    if not reachable >> full:
        return None
    reached = reachable.to_bytes((full >> 3) + 1, "little")
    members = [kind.copy() for kind in table.kinds]
    order: list[int] = []
    state = full
    while state:
        for i in kinds:
            rest = state - (1 << table.shifts[i])
            fits = members[i] and (table.low[i] & rest).bit_count() & 1 == table.odd[i]
            if fits and reached[rest >> 3] >> (rest & 7) & 1:
                order.append(members[i].pop())
                state = rest
                break
    return order[::-1]


def _ready(table: SubsetTable, i: int) -> int:
    """Return the table of the states to which a vertex of kind i may be added."""
    count, shift, low = len(table.kinds[i]), table.shifts[i], table.low[i]
    last = shift + count.bit_length() - 1  # the highest bit of the field of kind i
    evens, odds = 1, 0  # the states of the bits below u whose vertices it hears oddly, or evenly
    for u in range(table.bits):
        if low >> u & 1:
            evens, odds = evens | odds << (1 << u), odds | evens << (1 << u)
        else:
            evens, odds = evens | evens << (1 << u), odds | odds << (1 << u)
        if u == last:  # where all of the kind are in, none is left to add
            some = (1 << (count << shift)) - 1
            evens, odds = evens & some, odds & some
    return odds if table.odd[i] else evens
