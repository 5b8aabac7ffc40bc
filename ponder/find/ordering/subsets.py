"""Orders of a block by dynamic programming over all its subsets (theory §3.5).

Idea. The table of the sets of vertices that may be built first, those that are alike counted, is
that of `ponder.check.subset_table`, with its letters, reference and cost: a refutation by it is a
computation that the checker repeats. Where all vertices together are reachable, an order is read
from the table, last vertex first.
"""

from __future__ import annotations

import numpy as np

from ponder.check.block import Block
from ponder.check.reader import TooLarge
from ponder.check.subset_table import MOST_EXHAUSTED, SubsetTable
from ponder.model.ordering_problem import MOST_EDGES, Order, OrderingProblem, Unknown
from ponder.system.limits import NEVER, Limits
from ponder.system.types import distinct


def order_subsets(problem: OrderingProblem, limits: Limits = NEVER) -> Order | Block | Unknown:
    """Order a component or block, or prove that it has no order; Unknown if its table is too large.

    Every further bit doubles time and memory. Raises TimeUp if the time is up, and NeedsMemory.

    >>> square = [(0, 1), (1, 2), (2, 3), (0, 3)]
    >>> order_subsets(OrderingProblem.from_edges(4, square, odd=[0, 2])).vertices.tolist()
    [3, 2, 0, 1]
    >>> order_subsets(OrderingProblem.from_edges(4, square, odd=[0, 1, 2, 3])).rule
    'orders'
    """
    try:
        problem.prepare(limits, MOST_EDGES)
        table = SubsetTable.of(problem.neighbours, problem.odd.tolist(), most=MOST_EXHAUSTED)
    except TooLarge as reason:
        return Unknown(str(reason))
    reachable, state = table.reachable(limits), table.full
    if not reachable >> state:
        return Block(distinct(problem.bulbs), "orders")
    reached = reachable.to_bytes((state >> 3) + 1, "little")
    left = [kind.copy() for kind in table.kinds]
    order: list[int] = []
    while state:
        for kind, odd, low, shift in zip(left, table.odd, table.low, table.shifts, strict=True):
            rest = state - (1 << shift)
            fits = kind and (low & rest).bit_count() & 1 == odd
            if fits and reached[rest >> 3] >> (rest & 7) & 1:
                order.append(kind.pop())
                state = rest
                break
    return Order(np.array(order, dtype=np.int64))
