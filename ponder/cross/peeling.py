"""Peeling squares off a row/column press set: most of the presses of a dense one, by array work.

Idea. A *square* is four presses at the crossings of rows r₁, r₂ with columns c₁, c₂. Built in the
order (r₁,c₁) (r₂,c₂) (r₁,c₂) (r₂,c₁) it is legal wherever all four lines hold an even number of
presses, and leaves them even (theory §4.3: it is an alternating cycle). So any set of disjoint
squares can be built first, and only the rest S′ needs a flow and a walk. S′ has the same odd lines.

The converse fails now and then: S′ may have no half factor although S has one. A caller must then
turn to S itself; so squares never decide against an order, they only save work.

Rounds. Round k pairs row i with row i ⊕ k, so that in 2^j − 1 rounds every row meets all others of
its block of 2^j, and takes all columns that the two have in common, two at a time. Of a
random board of density p a round takes about p² of the cells, so the density falls like 1/k; of
half a million presses on 1000 × 1000 cells a fifteenth is left for flow and walk.

Cost: a round reads every cell once, about a nanosecond each. Rounds go on while they would repay
their cost on a random press set of the density at hand.
"""

from __future__ import annotations

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.types import Bits, Ints

MOST_ROUNDS = 64
COST_PER_CELL, COST_PER_ROUND = 1 / 1024, 64
"""What a round costs, in presses whose flow and walk cost as much. Measured; not critical."""


def peel_squares(
    grid: Bits,
    limits: Limits = NEVER,
    *,
    per_cell: float = COST_PER_CELL,
    per_round: int = COST_PER_ROUND,
) -> tuple[Ints, Bits]:
    """Take squares off an (R, C) grid of presses: (their cells in build order, the rest).

    Cells are row-major cell numbers, four per square.

    >>> cells, rest = peel_squares(np.array([[1, 1, 1], [1, 1, 0]], dtype=bool), per_round=0)
    >>> cells.tolist(), rest.astype(int).tolist()
    ([0, 4, 1, 3], [[0, 0, 1], [0, 0, 0]])
    """
    height, width = grid.shape
    if height > width:  # long rows, and few of them, make the rounds few and long
        cells, rest = peel_squares(grid.T, limits, per_cell=per_cell, per_round=per_round)
        rows, columns = cells % height, cells // height
        return rows * width + columns, rest.T
    rest = grid.copy()
    flat = rest.reshape(-1)
    left, cost = int(np.count_nonzero(rest)), per_cell * flat.size + per_round
    peeled: list[Ints] = []
    every = np.arange(height)
    for k in range(1, min(MOST_ROUNDS, 1 << (height - 1).bit_length())):
        if left * left < cost * flat.size:  # a random set of this density has p²·cells to take
            break
        limits.check()
        partner = every ^ k
        upper = np.flatnonzero((every < partner) & (partner < height))
        common = rest[upper]
        common &= rest[partner[upper]]
        places = np.flatnonzero(common)
        if not places.size:
            continue
        shared = np.count_nonzero(common, axis=1)
        # An odd column out stays: the last that its pair of rows shares.
        places = np.delete(places, np.cumsum(shared)[(shared & 1).astype(np.bool_)] - 1)
        pair, column = np.divmod(places, width)
        above = upper[pair] * width + column
        below = partner[upper][pair] * width + column
        flat[above] = False
        flat[below] = False
        left -= 2 * places.size
        square = np.empty((places.size // 2, 4), dtype=np.int64)
        square[:, 0], square[:, 2] = above[0::2], above[1::2]
        square[:, 3], square[:, 1] = below[0::2], below[1::2]
        peeled.append(square.reshape(-1))
    return np.concatenate([np.empty(0, dtype=np.int64), *peeled]), rest
