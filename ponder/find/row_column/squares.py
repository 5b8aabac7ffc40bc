"""Peeling squares off a row/column press set: most of the presses of a dense one, by array work.

Idea (theory §4.3). A *square* is four presses at the crossings of rows r₁, r₂ with columns c₁, c₂.
Built in the order (r₁,c₁) (r₂,c₂) (r₁,c₂) (r₂,c₁) it leaves all four lines as they were. So any set
of disjoint squares can be built first, and only the rest S′ needs a flow and a walk. S′ may have no
half factor although S has one: a caller must then turn to S itself.

Round k pairs row i with row i ⊕ k, so that in 2^j − 1 rounds every row meets all others of its
block of 2^j, and takes all columns that the two have in common, two at a time: about p² of the
cells at density p, which so falls like 1/k. Large boards are peeled in blocks that the cache holds.

Cost: a round reads every cell once, about a nanosecond each. Rounds go on while they would repay
their cost on a random press set of the density at hand.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, indices

MOST_ROUNDS = 64
BLOCK = 1 << 22  # cells of a block, which has at least `MOST_ROUNDS` rows

COST_PER_CELL, COST_PER_ROUND = 1 / 1024, 64  # of a round, in presses of flow and walk. Measured


def peel_squares(grid: Bits, limits: Limits = NEVER) -> tuple[Ints, Bits]:
    """Take squares off an (R, C) grid of presses: (their cells in build order, the rest).

    Cells are row-major cell numbers, four per square.

    >>> cells, rest = peel_squares(np.ones((30, 31), dtype=bool))
    >>> cells[:4].tolist(), int(rest.sum())  # the last column is one too many
    ([0, 32, 1, 31], 30)
    """
    height, width = grid.shape
    if height > width:  # long rows, and few of them, make the rounds few and long
        cells, rest = peel_squares(grid.T, limits)
        rows, columns = np.divmod(cells, cells.dtype.type(height))
        return columns * width + rows, rest.T
    rest = grid.copy()
    kind = np.int32 if rest.size < 1 << 31 else np.int64
    cells = np.empty(int(np.count_nonzero(rest)), dtype=kind)
    step = max(1, BLOCK // max(1, MOST_ROUNDS * width)) * MOST_ROUNDS
    filled = 0
    for start in range(0, height, step):
        block = rest[start : start + step]
        for square in _peel(block, limits):
            piece = cells[filled : filled + square.size]
            np.add(square.reshape(-1), kind(start * width), out=piece)
            filled += square.size
    return cells[:filled], rest


def _peel(rest: Bits, limits: Limits) -> Iterator[NDArray[np.int32]]:
    """Take squares off a block of whole rows, in place; yield them as (squares, 4) cells."""
    height, width = rest.shape
    flat = rest.reshape(-1)
    left, cost = int(np.count_nonzero(rest)), COST_PER_CELL * flat.size + COST_PER_ROUND
    every = np.arange(height)
    for k in range(1, min(MOST_ROUNDS, 1 << (height - 1).bit_length())):
        if left * left < cost * flat.size:  # a random set of this density has p²·cells to take
            break
        limits.check()
        partner = every ^ k
        upper = np.flatnonzero((every < partner) & (partner < height))
        common = rest[upper]
        common &= rest[partner[upper]]
        places = np.flatnonzero(common).astype(np.int32)
        if not places.size:
            continue
        shared = np.count_nonzero(common, axis=1)
        odd = (shared & 1).astype(np.bool_)
        if odd.any():  # an odd column out stays: the last that its pair of rows shares
            stays = np.ones(places.size, dtype=np.bool_)
            stays[np.cumsum(shared)[odd] - 1] = False
            places = places[stays]
            shared -= odd
        # from places among the pairs of rows to cells of the block
        down = ((upper - np.arange(upper.size)) * width).astype(np.int32)
        across = ((partner - every)[upper] * width).astype(np.int32)
        above = places + np.repeat(down, indices(shared))
        below = above + np.repeat(across, indices(shared))
        flat[above] = False
        flat[below] = False
        left -= 2 * places.size
        square = np.empty((places.size // 2, 4), dtype=np.int32)
        square[:, 0], square[:, 2] = above[0::2], above[1::2]
        square[:, 3], square[:, 1] = below[0::2], below[1::2]
        yield square
