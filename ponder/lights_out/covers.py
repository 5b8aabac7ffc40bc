"""Even parity covers (quiet patterns) of a board: those that tile, and which bulbs they contain.

Idea. A cover of a small plus board tiles a larger one (theory §8.3). So an R × C board takes the
covers of every (p−1) × (q−1) board with p | R + 1 and q | C + 1, and a basis of its covers is drawn
best with those first, from the smallest tiles to the largest; only the rest are the board's own.
Bulbs of one *type* are in the same covers, whatever basis is taken, so they are one region.

The board whose only lit bulb is v can be put out iff v is in no cover (§1.1). All lit is always
solvable (§8.2), so the board whose only unlit bulb is v can be put out iff the one above can.

Letters: k = nullity, n = bulbs. Cost: O(d·n·k/64) where d tiles fit; the basis is k·n bits.
Reference: W. Boyles 2021 (theorem 2, figures of the 5 × 5 board).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ponder.find.linear import gf2
from ponder.find.linear.press_sets import PressSets, kernel, press_sets
from ponder.find.solve import solve
from ponder.lights_out.nullities import nullity_of
from ponder.model.board import Board
from ponder.model.graph import Graph, StencilGraph, grid_graph
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

Size = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Covers:
    """A basis of the covers of a graph, (k, n), and the board that each is tiled from, if any."""

    graph: Graph
    basis: Bits
    tiles: tuple[Size | None, ...]

    @property
    def nullity(self) -> int:
        """The dimension k."""
        return len(self.basis)

    def regions(self) -> Ints:
        """Return the region of each bulb, (n,): 0 in no cover, the others by first bulb."""
        if not self.nullity:
            return np.zeros(self.graph.size, dtype=np.int64)
        packed = gf2.pack(np.ascontiguousarray(self.basis.T))
        _, first, code = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        empty = ~packed[first].any(axis=1)
        rank = np.argsort(np.argsort(np.where(empty, -1, first)))
        return (rank + (not empty.any()))[code.ravel()]


def covers(graph: Graph, limits: Limits = NEVER) -> Covers:
    """Return a basis of the covers, smallest tiles first. Raises TimeUp or NeedsMemory.

    >>> quiet = covers(grid_graph("plus", (9, 9)))
    >>> quiet.nullity, quiet.tiles[0], quiet.tiles[-1]
    (8, (4, 4), None)
    """
    basis = kernel(graph, limits).basis()
    if not len(basis):
        return Covers(graph, basis, ())
    tiled, sizes = [], []
    for size in tile_sizes(graph):
        limits.check()
        small = kernel(grid_graph("plus", size), limits).basis()
        assert isinstance(graph, StencilGraph)  # no other board is tiled
        tiled.append(tiling(small, size, graph.shape))
        sizes += [size] * len(small)
    candidates = np.concatenate([*tiled, basis])
    names = [*sizes, *[None] * len(basis)]
    columns = gf2.pack(np.ascontiguousarray(candidates.T))
    kept = gf2.eliminate(columns, len(candidates), limits).pivot_columns
    return Covers(graph, candidates[kept], tuple(names[at] for at in kept))


def tile_sizes(graph: Graph) -> Iterator[Size]:
    """Yield the boards with covers whose copies tile a full plus board, the smallest first."""
    if not isinstance(graph, StencilGraph) or graph.pattern != "plus" or graph.mask is not None:
        return
    down, right = (
        [length for length in range(1, side + 1) if (side + 1) % (length + 1) == 0]
        for side in graph.shape
    )
    for size in sorted(product(down, right), key=lambda size: (size[0] * size[1], -size[0])):
        if size != graph.shape and nullity_of("plus", size):
            yield size


def tiling(patterns: Bits, size: Size, shape: Size) -> Bits:
    """Return the tilings of a board by patterns: (k, tile bulbs) to (k, board bulbs)."""
    rows, columns = size
    framed = np.zeros((len(patterns), rows + 2, columns + 2), dtype=np.bool_)
    framed[:, 1:-1, 1:-1] = patterns.reshape(len(patterns), rows, columns)
    whole = framed[:, _mirrored(rows, shape[0])][:, :, _mirrored(columns, shape[1])]
    return np.ascontiguousarray(whole.reshape(len(patterns), shape[0] * shape[1]))


def _mirrored(length: int, side: int) -> Ints:
    """Return which line of a framed tile each line of the board shows: 1 … L, frame, L … 1, …."""
    place = np.arange(1, side + 1) % (2 * (length + 1))
    return np.minimum(place, 2 * (length + 1) - place)


def single_cells(graph: Graph, limits: Limits = NEVER) -> Bits:
    """Return which boards with one lit bulb can be put out, (n,): bulbs that are in no cover."""
    return np.asarray(~kernel(graph, limits).basis().any(axis=0))


def press_set_of_one(graph: Graph, bulb: int, limits: Limits = NEVER) -> Bits | None:
    """Return presses, as few as are found, that put out the board whose only lit bulb is this."""
    state = np.zeros(graph.size, dtype=np.bool_)
    state[bulb] = True
    board = Board(graph, state, np.zeros_like(state), "any")
    sets = press_sets(board, limits)
    if not isinstance(sets, PressSets):
        return None
    result = solve(board, timeout=limits.left())
    return sets.particular if result.presses is None else graph.set_of(result.presses)
