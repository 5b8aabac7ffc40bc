"""A bound on the most moves by hand: each bulb belongs to the last pattern that contains it.

Idea (theory §8.5, "last patterns"). Take quiet patterns one after the other, and add each where
that leaves fewer of its *own* bulbs pressed, those in no later pattern. At most half of its own
bulbs stay pressed, and if their number is odd, less than half: δ is at least the number of patterns
with an odd number of own bulbs. Patterns are named by bulbs v_1 … v_k with independent types: own
of the i-th are the bulbs whose type is that of v_i plus types of earlier ones. So the next v_i is
chosen at random from a class of types that has an odd number of bulbs, as long as there is one.

Cost: O(d·m log m) a try, m types: 5 ms for 59×59.
"""

from __future__ import annotations

import numpy as np

from ponder.lights_out.bulb_types import BulbTypes
from ponder.system.types import Ints, indices

_TRIES = 20


def last_patterns(types: BulbTypes, seed: int = 0) -> tuple[Ints, int]:
    """Return bulbs that name quiet patterns, and how many of these have an odd number of own bulbs.

    >>> from ponder.lights_out.bulb_types import bulb_types
    >>> from ponder.model.graph import grid_graph
    >>> last_patterns(bulb_types(grid_graph("plus", (9, 9))))[1]
    6
    """
    rng = np.random.default_rng(seed)
    return max((_chosen(types.bulbs, rng) for _ in range(_TRIES)), key=lambda found: found[1])


def _chosen(bulbs: Ints, rng: np.random.Generator) -> tuple[Ints, int]:
    left, odd, chosen = bulbs.copy(), 0, []
    while left.any():
        names, first, own = np.unique(left, return_index=True, return_counts=True)
        able = np.flatnonzero((names > 0) & (own % 2 == 1))
        odd += bool(able.size)
        at = int(rng.choice(able if able.size else np.flatnonzero(names > 0)))
        chosen.append(int(indices(first)[at]))
        name = int(names[at])
        left = np.where(left >> (name.bit_length() - 1) & 1, left ^ name, left)
    return np.array(chosen, dtype=np.int64), odd
