"""Rings of pieces: graphs without an order, which no count of the whole graph and no end explains.

A *piece* is a random graph of m vertices, m ≡ 2 (mod 4): each has three neighbours, but two that
have two, and from each of these two one edge leaves the piece. A *hub* is a single bulb. Two pieces
and two hubs are joined to a ring, and every bulb is pressed; T = ∅.

    next to each other    piece, piece, hub, hub     no order
    alternating           piece, hub, piece, hub     an order, mostly

**Lemma.** In an order both edges of a piece lead into it (from the earlier press to the later).
*Proof.* The out-degrees in the piece are even, and add up to its (3m − 2)/2 inner edges, an even
number, and those that leave it: none or both. If both do, the first press of the piece has none of
its three neighbours before it and three after it, an odd number. ∎ Two pieces that are joined would
need their edge to lead into both.

The whole ring has 3m + 2 edges, an even number; a hub may come first, and a piece's bulb last; and
no bulb cuts the ring (a piece with a bridge is drawn again). So it is one block that passes every
count (theory §3). What refutes it is a sum of parities over a *part* of it that has to be found,
and as clauses such a sum is long: the inside of a random piece is an expander, as in the formulas
of Tseitin.

Reference. A. Urquhart, "Hard examples for resolution", JACM 1987. Cost. O(m²), for the bridges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.puzzle.board import Board
from ponder.puzzle.graph import EdgeGraph
from ponder.studies.generate import CannotGenerate, Family, board_solved_by
from ponder.types import Ints

MOST = 1_000
"""Larger pieces are refused."""


@dataclass(frozen=True)
class Ring(Family):
    """Rings of two pieces of `piece` bulbs and two hubs; every bulb is pressed.

    CannotGenerate unless `piece` is 6, 10, 14, …

    >>> Ring(6).board(seed=0).graph.size
    14
    """

    piece: int
    alternating: bool = False

    def __post_init__(self) -> None:
        if self.piece % 4 != 2 or not 6 <= self.piece <= MOST:
            raise CannotGenerate(
                f"a piece has 6, 10, 14, … bulbs, at most {MOST:,}, not {self.piece}"
            )

    def board(self, seed: int) -> Board:
        """Return the board of a seed; its bulbs are numbered at random."""
        rng = np.random.default_rng(seed)
        size = 2 * self.piece + 2
        names = rng.permutation(size)
        edges = np.sort(names[self._edges(rng)], axis=1)
        graph = EdgeGraph(size, edges[np.lexsort((edges[:, 1], edges[:, 0]))])
        kind = "alternating" if self.alternating else "ring"
        return board_solved_by(np.ones(size, dtype=np.bool_), graph, f"{kind}-{self.piece}-{seed}")

    def _edges(self, rng: np.random.Generator) -> Ints:
        """Return the edges; the pieces come first, then the hubs."""
        m = self.piece
        first, second = random_piece(m, rng), random_piece(m, rng) + m
        hubs = (2 * m, 2 * m + 1)
        if self.alternating:
            around = [(m - 1, hubs[0]), (hubs[0], m), (2 * m - 1, hubs[1]), (hubs[1], 0)]
        else:
            around = [(m - 1, m), (2 * m - 1, hubs[0]), hubs, (hubs[1], 0)]
        return np.concatenate([first, second, np.array(around, dtype=np.int64)])


def random_piece(size: int, rng: np.random.Generator) -> Ints:
    """Return the edges of a graph of degree 3, but 2 at the first and the last vertex.

    Stubs are paired at random until the graph is simple, and with an edge between those two
    vertices connected whichever edge is left out: some ten times.

    >>> np.bincount(random_piece(10, np.random.default_rng(0)).reshape(-1)).tolist()
    [2, 3, 3, 3, 3, 3, 3, 3, 3, 2]
    """
    degrees = np.full(size, 3)
    degrees[[0, -1]] = 2
    stubs = np.repeat(np.arange(size), degrees)
    while True:
        edges = np.sort(rng.permutation(stubs).reshape(-1, 2), axis=1)
        if (edges[:, 0] == edges[:, 1]).any() or len(np.unique(edges, axis=0)) < len(edges):
            continue
        closed = np.vstack([edges, [0, size - 1]])
        left_out = (np.delete(closed, k, axis=0) for k in range(len(closed)))
        if all(_connected(others, size) for others in left_out):
            return edges


def _connected(edges: Ints, size: int) -> bool:
    """Whether every vertex is reached from the first."""
    reached = np.arange(size) == 0
    while True:
        ends = reached[edges]
        new = edges[ends[:, 0] ^ ends[:, 1]].reshape(-1)
        if not new.size:
            return bool(reached.all())
        reached[new] = True
