"""Even parity covers (quiet patterns) of a board, those that tile, and the types of its bulbs.

Idea. A cover of a small plus board tiles a larger one (theory §8.3). So an R × C board takes the
covers of every (p−1) × (q−1) board with p | R + 1 and q | C + 1, and a basis of its covers is drawn
best with those first, from the smallest tiles to the largest; only what is left is the board's own.

The *type* of a bulb says which covers of the basis it belongs to. Bulbs of one type are in the same
covers, whatever basis is taken, so they are one region; type 0 is the bulbs in no cover, which
toggle nothing that others cannot (theory §7.2, §8.5).

Letters: k = nullity, n = bulbs. Cost: O(d·n·k/64) where d tiles fit; the basis is k·n bits.

Reference: W. Boyles 2021 (theorem 2, figures of the 5 × 5 board).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.linear import gf2
from ponder.linear.press_sets import kernel
from ponder.puzzle.graph import Graph, StencilGraph, grid_graph
from ponder.types import Bits, Ints

Size = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Covers:
    """A basis of the covers of a graph."""

    graph: Graph
    basis: Bits
    """(k, n)."""
    tiles: tuple[Size | None, ...]
    """For each of them the board that it is tiled from, None for one of the board's own."""

    @property
    def nullity(self) -> int:
        """The dimension k."""
        return len(self.basis)

    def regions(self) -> Ints:
        """Return the region of each bulb, (n,): 0 in no cover, the others by first bulb.

        >>> covers(grid_graph("plus", (5, 5))).regions().reshape(5, 5)[:3].tolist()
        [[1, 2, 3, 2, 1], [3, 0, 3, 0, 3], [2, 2, 0, 2, 2]]
        """
        if not self.nullity:
            return np.zeros(self.graph.size, dtype=np.int64)
        packed = gf2.pack(np.ascontiguousarray(self.basis.T))
        _, first, code = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        empty = ~packed[first].any(axis=1)
        rank = np.argsort(np.argsort(np.where(empty, -1, first)))
        numbers: Ints = (rank + (not empty.any()))[code.ravel()]
        return numbers


def covers(graph: Graph, limits: Limits = NEVER) -> Covers:
    """Return a basis of the covers, those from the smallest tiles first. TimeUp, NeedsMemory.

    >>> found = covers(grid_graph("plus", (9, 9)))
    >>> found.nullity, found.tiles[0], found.tiles[-1]
    (8, (4, 4), None)
    """
    own = kernel(graph, limits).basis()
    if not len(own):
        return Covers(graph, own, ())
    tiled, sizes = [], []
    for size in tile_sizes(graph):
        limits.check()
        small = kernel(grid_graph("plus", size), limits).basis()
        assert isinstance(graph, StencilGraph)  # no other board is tiled
        tiled.append(tiling(small, size, graph.shape))
        sizes += [size] * len(small)
    candidates = np.concatenate([*tiled, own])
    names = [*sizes, *[None] * len(own)]
    columns = gf2.pack(np.ascontiguousarray(candidates.T))
    kept = gf2.eliminate(columns, len(candidates), limits).pivot_columns
    return Covers(graph, candidates[kept], tuple(names[at] for at in kept))


def tile_sizes(graph: Graph) -> Iterator[Size]:
    """Yield the boards with covers whose copies tile a full plus board, the smallest first.

    >>> list(tile_sizes(grid_graph("plus", (9, 9))))
    [(4, 4), (9, 4), (4, 9)]
    """
    if not isinstance(graph, StencilGraph) or graph.pattern != "plus" or graph.mask is not None:
        return
    from ponder.freeorder.nullities import nullity_of

    rows, columns = graph.shape
    sizes = [
        (p - 1, q - 1) for p in _divisors(rows + 1) for q in _divisors(columns + 1) if p > 1 < q
    ]
    for size in sorted(sizes, key=lambda size: (size[0] * size[1], -size[0])):
        if size != (rows, columns) and nullity_of("plus", size):
            yield size


def tiling(patterns: Bits, size: Size, shape: Size) -> Bits:
    """Return the tilings of a board by patterns: (k, tile bulbs) to (k, board bulbs).

    >>> tiling(np.array([[True, True]]), (2, 1), (5, 3)).astype(int).reshape(5, 3).tolist()
    [[1, 0, 1], [1, 0, 1], [0, 0, 0], [1, 0, 1], [1, 0, 1]]
    """
    rows, columns = size
    framed = np.zeros((len(patterns), rows + 2, columns + 2), dtype=np.bool_)
    framed[:, 1:-1, 1:-1] = patterns.reshape(len(patterns), rows, columns)
    whole = framed[:, _mirrored(rows, shape[0])][:, :, _mirrored(columns, shape[1])]
    return np.ascontiguousarray(whole.reshape(len(patterns), shape[0] * shape[1]))


def _mirrored(length: int, side: int) -> Ints:
    """Return which line of a framed tile each line of the board shows: 1 … L, frame, L … 1, …."""
    place = np.arange(1, side + 1) % (2 * (length + 1))
    return np.minimum(place, 2 * (length + 1) - place)


def _divisors(number: int) -> list[int]:
    return [d for d in range(1, number + 1) if number % d == 0]
