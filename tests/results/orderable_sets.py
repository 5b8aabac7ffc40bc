"""Which sets of bulbs have an order when just they are pressed: all 2^n at once; and random play.

Idea. With the goal all lit under `unlit`, the first press of a set must have an even number of its
neighbours in it (theory §2.1), and the rest must have an order. So S + v has one if S has, v ∉ S,
and |S ∩ N(v)| is even. The sets are the bits of one long word, 64 to a machine word; for each bulb
v all its steps S → S + v are one masked shift, and the sweep over the bulbs is repeated until
nothing is new.

A *board* has an order that presses each bulb at most once if one of its press sets has: the bits
are joined along the quiet patterns.

Random play presses one of the bulbs that may be pressed next, each as likely, until all are pressed
or none may be. Its chance on S is the mean of the chances on S − v over the v that may come first.

Cost. n words of 2^n bits a sweep, at most n sweeps: 25 bulbs take a second or two. Random play: n
times 2^n numbers, 20 bulbs in a second.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ponder.model.graph import Graph
from ponder.system.types import Bits, Ints, Words

_ALL = np.uint64(2**64 - 1)
_LOW = [  # within a word: the sets without element 0, 1, … 5
    np.uint64(0x5555555555555555),
    np.uint64(0x3333333333333333),
    np.uint64(0x0F0F0F0F0F0F0F0F),
    np.uint64(0x00FF00FF00FF00FF),
    np.uint64(0x0000FFFF0000FFFF),
    np.uint64(0x00000000FFFFFFFF),
]


_ONES = np.array([k.bit_count() for k in range(1 << 16)], dtype=np.uint8)


def ones(numbers: Ints | Words) -> Ints:
    """Return how many bits of each 64-bit number are set.

    >>> ones(np.array([0, 7, 2**40])).tolist()
    [0, 3, 1]
    """
    parts = _ONES[np.ascontiguousarray(numbers).view(np.uint16)].reshape(*numbers.shape, 4)
    found: Ints = parts.sum(axis=-1, dtype=np.int64)
    return found


def neighbour_masks(graph: Graph) -> list[int]:
    """Return N(v) of every bulb as a mask, v itself not in it."""
    return [sum(1 << int(u) for u in graph.neighbours(v) if u != v) for v in range(graph.size)]


def orderable_sets(near: list[int]) -> Words:
    """Return the sets that have an order, as a bit set over all masks.

    >>> orderable_sets([0b10, 0b01]).tolist()  # an edge: both ends together have none
    [7]
    """
    size = len(near)
    reached = np.zeros(1 << max(size - 6, 0), dtype=np.uint64)
    reached[0] = 1
    masks = [_even(mask, reached.size) for mask in near]
    before = -1
    while before != (count := count_of(reached)):
        before = count
        for v, mask in enumerate(masks):
            if v < 6:
                reached |= (reached & mask & _LOW[v]) << np.uint64(1 << v)
            else:
                halves = reached.reshape(-1, 2, 1 << (v - 6))
                halves[:, 1] |= halves[:, 0] & mask.reshape(halves.shape)[:, 0]
    return reached


def joined(sets: Words, patterns: list[int]) -> Words:
    """Return the sets that are in the list, or are when some of the patterns are added."""
    found = sets.copy()
    for pattern in patterns:
        moved = found[np.arange(found.size) ^ (pattern >> 6)]
        for k in range(6):
            if pattern >> k & 1:
                shift = np.uint64(1 << k)
                moved = ((moved & _LOW[k]) << shift) | ((moved >> shift) & _LOW[k])
        found |= moved
    return found


def count_of(sets: Words) -> int:
    """Return how many sets there are."""
    return int(_ONES[sets.view(np.uint16)].sum(dtype=np.int64))


def chances(near: list[int]) -> NDArray[np.float64]:
    """Return, for every mask, the chance that random play presses all of it.

    >>> chances([0b010, 0b101, 0b010]).tolist()  # a path: its middle may come first or never
    [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    """
    size = len(near)
    every = np.arange(1 << size)
    level = ones(every)
    chance = np.zeros(1 << size)
    chance[0] = 1.0
    for presses in range(1, size + 1):
        sets = every[level == presses]
        total, ways = np.zeros(sets.size), np.zeros(sets.size)
        for v, mask in enumerate(near):
            may = (sets >> v & 1 == 1) & (ones(sets & mask) % 2 == 0)
            total[may] += chance[sets[may] ^ (1 << v)]
            ways += may
        chance[sets] = total / np.maximum(ways, 1)
    return chance


def _even(mask: int, words: int) -> Words:
    """Return the sets that have an even number of elements in common with a mask."""
    within: Bits = ones(np.arange(64) & mask) % 2 == 0
    bits = np.uint64(sum(1 << k for k in np.flatnonzero(within).tolist()))
    high: Ints = np.arange(words) & (mask >> 6)
    return np.where(ones(high) % 2 == 0, bits, bits ^ _ALL)
