"""Odd-sized row/column boards: good settings fast, by local search.

Idea. Alternate majorities: given the row switches take for every column the state with fewer
presses, given the columns switch every row that this makes lighter, a dozen times, from 64 starts
at once. Then descend from the best by switching one row or two, in terms of the count bound (see
`count_bound`), to a setting that no such step betters. A round starts at random,
or from the best setting so far with a few rows switched.

Letters: as in `rectangle`.
Cost: O(R·C) for a majority, O(R²·C) for a step; large boards try a random part of the steps.
Reference: alternating majorities are the usual heuristic for Gale–Berlekamp switching.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ponder.limits import Limits
from ponder.switching.count_bound import count_bounds
from ponder.switching.rectangle import IMPOSSIBLE, Rectangle, made_even
from ponder.types import Bits

STARTS = 64
"""The starts of a round."""
MAJORITIES = 12
"""How often the majorities alternate."""
DESCENTS = 4
"""The starts of a round from which to descend."""


def descend(
    rectangle: Rectangle,
    *,
    once: bool,
    rounds: int,
    seed: int,
    limits: Limits,
    tell: Callable[[str], None],
) -> Iterator[tuple[Bits, int]]:
    """Yield settings that switching one row or two does not better, and their count bounds.

    TimeUp when the time is up.
    """
    rows = rectangle.shape[0]
    random = np.random.default_rng(seed)
    moves = _moves(rectangle.shape, random)
    best: Bits | None = None
    lowest = IMPOSSIBLE
    for at in range(rounds):
        starts = random.random((STARTS, rows)) < 0.5
        if best is not None and at % 4:
            starts = best ^ (random.random((STARTS, rows)) < random.uniform(2, 6) / rows)
        chosen = rectangle.game.majorities(starts.astype(np.int64), MAJORITIES, limits)
        pool = made_even(np.unique(chosen == 1, axis=0))
        bounds = count_bounds(rectangle, pool, once)
        for start in np.argsort(bounds, kind="stable")[:DESCENTS].tolist():
            here, bound = pool[start], int(bounds[start])
            while True:
                limits.check()
                tell(f"local search {at + 1}")
                near = made_even(here ^ moves)
                near_bounds = count_bounds(rectangle, near, once)
                step = int(near_bounds.argmin())
                if near_bounds[step] >= bound:
                    break
                here, bound = near[step], int(near_bounds[step])
            yield here, bound
            if bound < lowest:
                lowest, best = bound, here


def _moves(shape: tuple[int, int], random: np.random.Generator) -> Bits:
    """Return the switches of one row, and of two, or a random part of them on large boards."""
    rows, columns = shape
    single = np.eye(rows, dtype=np.bool_)
    first, second = np.triu_indices(rows if rows <= 64 else 0, 1)
    moves = np.concatenate([single, single[first] ^ single[second]])
    most = max(64, 2**20 // columns)
    return moves if len(moves) <= most else random.permutation(moves)[:most]
