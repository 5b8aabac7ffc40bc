"""The press sets that may need few presses: all others are ruled out many at a time.

A press set of weight w with p odd components that lie apart needs at least w + 2p presses (see
`odd_components`). Components of one or two bulbs are seen by counting neighbours (`pairs_apart`).
Most press sets of a large coset are ruled out in this way; those that are left are looked at one by
one.

Letters: t as in `Board.odd_later`, n bulbs, d the nullity. Cost: 40 ns for each bulb of each press
set lighter than is claimed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ponder.check.coset import Coset
from ponder.check.coset_blocks import lighter
from ponder.check.limits import Budget
from ponder.types import Bits, Ints

MOST_LIGHTER = 1 << 21
"""Press sets lighter than is claimed, at most."""

MOST_NEAR = 64
"""Where a bulb has more neighbours nothing lies apart; so few are counted in bytes."""

_NS_BULB = 40  # nanoseconds for a bulb of a press set
_NS_NEAR = 4  # … for a neighbour of one
_AT_ONCE = 1 << 20  # bulbs


def light_members(
    coset: Coset,
    near: list[list[int]],
    odd_later: Bits,
    enough: int,
    budget: Budget,
    *,
    once: bool = False,
) -> list[tuple[int, int]]:
    """Return the index and weight of all members that may need fewer than `enough`. TooLarge.

    `near` lists the neighbours of every bulb. `once`: where no bulb is pressed again, a member
    that needs a pair is none of them.
    """
    indices, weights = lighter(coset.base, coset.basis, enough, MOST_LIGHTER, budget)
    size = coset.base.size
    most = max((len(others) for others in near), default=0)
    work = (_NS_BULB + _NS_NEAR * min(most, MOST_NEAR)) * indices.size * size
    budget.spend(work, f"looking at {indices.size} press sets")
    if most > MOST_NEAR or len(coset.basis) == 0:  # nothing lies apart, or there is only one
        return list(zip(indices.tolist(), weights.tolist(), strict=True))
    beside = np.full((most, size), size, dtype=np.int64)
    for v, others in enumerate(near):
        beside[: len(others), v] = others
    found: list[tuple[int, int]] = []
    step = max(1, _AT_ONCE // max(1, size))
    for start in range(0, indices.size, step):
        index, weight = indices[start : start + step], weights[start : start + step]
        pairs = pairs_apart(_made(coset, index), beside, odd_later)
        left = pairs == 0 if once else weight + 2 * pairs < enough
        found += zip(index[left].tolist(), weight[left].tolist(), strict=True)
    return found


def _made(coset: Coset, indices: Ints) -> Bits:
    """Return members side by side: (n, members)."""
    made = np.repeat(coset.base[:, None], indices.size, axis=1)
    for i, vector in enumerate(coset.basis):
        made[vector] ^= (indices >> i & 1).astype(np.bool_)
    return made


def pairs_apart(pressed: Bits, beside: Ints, odd_later: Bits) -> Ints:
    """Return the p of every press set. (n, m), (D, n) with n for no neighbour -> (m,).

    Odd are a pressed bulb with no pressed neighbour, if its t = 1, and two neighbours with no
    others, if their t agree. Let c(w) bulbs of such components touch an unpressed bulb w. Without
    one component for each of the c(w) − 1 further ones at each w, no bulb is beside two of them,
    so p = (odd components of one or two bulbs) − Σ_w max(0, c(w) − 1).

    >>> path = np.array([[3, 0, 1], [1, 2, 3]])
    >>> pairs_apart(np.array([[1], [1], [0]], bool), path, np.zeros(3, bool)).tolist()
    [1]
    """
    size, count = pressed.shape

    def around(marked: Bits) -> NDArray[np.uint8]:
        padded = np.zeros((size + 1, count), dtype=np.uint8)
        padded[:-1] = marked
        total = np.zeros((size, count), dtype=np.uint8)
        for others in beside:
            total += padded[others]
        return total

    later = odd_later[:, None]
    beside_pressed = around(pressed)
    alone = pressed & (beside_pressed == 0) & later
    ends = pressed & (beside_pressed == 1)
    doubles = (ends & ~later & (around(ends & ~later) > 0)) | (
        ends & later & (around(ends & later) > 0)
    )
    touching = around(alone | doubles).astype(np.int8)
    touching[pressed] = 0
    too_many = np.maximum(touching - 1, 0).sum(axis=0, dtype=np.int64)
    components = alone.sum(axis=0, dtype=np.int64) + doubles.sum(axis=0, dtype=np.int64) // 2
    return np.asarray(np.maximum(components - too_many, 0))
