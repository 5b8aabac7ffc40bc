"""Most moves where few states can be told apart: a search through all of them (theory §8.5).

Idea. A solvable board is a coset of ker A, one of 2^m, m = n − d; with a basis of the quiet
patterns in reduced form every coset has one press set without pivots, an x ∈ GF(2)^m. Pressing
bulb v adds c_v: a unit vector, or at a pivot what else its basis vector presses. Breadth first
from x = 0 finds how many presses each board needs; the last that is reached needs most.

Letters: n bulbs, d nullity. Cost: O(n·2^m) for each number of presses, 1 s for m = 18, n = 30.
"""

from __future__ import annotations

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.linear import gf2
from ponder.types import Bits, Ints

LARGEST = 18
"""The largest m."""


def hardest(basis: Bits, size: int, limits: Limits = NEVER) -> Bits:
    """Return a lightest press set of a board that needs most presses, (n,). TimeUp.

    `basis` is one of the quiet patterns, (d, n).

    >>> hardest(np.ones((1, 3), dtype=bool), 3).astype(int).tolist()
    [0, 1, 0]
    """
    columns = _columns(basis, size)
    points = np.arange(1 << (size - len(basis)))
    needs = np.full(points.size, -1, dtype=np.int64)
    needs[0] = 0
    frontier, moves = points[:1], 0
    while frontier.size:
        last, moves = frontier, moves + 1
        for column in columns:
            limits.check()
            there = last ^ column
            needs[there[needs[there] < 0]] = moves
        frontier = np.flatnonzero(needs == moves)
    return _way_back(int(last[0]), needs, columns)


def _columns(basis: Bits, size: int) -> list[int]:
    """Return c_v for every bulb."""
    reduced = gf2.eliminate(gf2.pack(basis), size)
    columns = np.zeros(size, dtype=np.int64)
    rest = np.setdiff1d(np.arange(size), reduced.pivot_columns)
    columns[rest] = 1 << np.arange(rest.size)
    rows = gf2.unpack(reduced.words, size)[reduced.pivot_rows]
    columns[reduced.pivot_columns] = rows @ columns
    found: list[int] = columns.tolist()
    return found


def _way_back(point: int, needs: Ints, columns: list[int]) -> Bits:
    presses = np.zeros(len(columns), dtype=np.bool_)
    while needs[point]:
        v = next(v for v, c in enumerate(columns) if needs[point ^ c] == needs[point] - 1)
        presses[v] = True
        point ^= columns[v]
    return presses
