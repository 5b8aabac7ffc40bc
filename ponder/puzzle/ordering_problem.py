"""The ordering problem: an acyclic orientation of H with given parities of the out-degrees.

An order is an acyclic orientation (edge u→v when u is pressed before v) in which v's out-degree is
odd iff v ∈ T (theory §2.1, theorem 1): the acyclic T-odd orientation problem.

Letters
    H       the graph of the presses; its vertices are 0 … n−1
    t, T    t(v) is the parity that v's later neighbours must have; T = {v : t(v) = 1}
    m(v)    how often bulb v is pressed; m > 1 makes H the *blow-up*: m(v) copies of v, mutually
            adjacent, and adjacent to the copies of v's neighbours

*Play order* is the order of the presses; *build order* is its reverse. Read in build order, a
vertex may be built when the number of its neighbours already built has the parity t(v).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ponder.errors import NeedsMemory
from ponder.limits import NEVER, Limits
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph, EdgeGraph, Graph, neighbour_lists
from ponder.types import Bits, Ints

if TYPE_CHECKING:
    from ponder.puzzle.refutation import Refutation

MOST_EDGES = 3_000_000
"""Methods that go through all edges of H refuse more; those of a row/column board are counted."""


@dataclass(frozen=True, eq=False)
class OrderingProblem:
    """H and T. Vertex i stands for one press of bulb `bulbs[i]` of `graph`.

    A bulb that occurs k times in `bulbs` is pressed k times. Edges are made only when asked for,
    so that a row/column problem of millions of presses stays small.

    >>> triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> triangle.size, triangle.edges.tolist(), triangle.odd.tolist()
    (3, [[0, 1], [0, 2], [1, 2]], [False, False, False])
    """

    graph: Graph
    bulbs: Ints
    odd: Bits

    @classmethod
    def from_edges(
        cls, size: int, edges: Iterable[tuple[int, int]] | Ints, odd: Iterable[int] = ()
    ) -> OrderingProblem:
        """Make the problem of any graph on vertices 0 … size−1 with T = `odd`.

        >>> OrderingProblem.from_edges(3, [(0, 1)], [2]).odd.tolist()
        [False, False, True]
        """
        graph = EdgeGraph(size, edges)
        return cls(graph, np.arange(size, dtype=np.int64), graph.set_of(list(odd)))

    @classmethod
    def of_board(cls, board: Board, counts: Bits | Ints) -> OrderingProblem:
        """Make the problem of pressing every bulb of the board `counts` times.

        `counts` is a press set (bits) or press counts, one per bulb. ValueError under the rule
        `any`, where order does not matter.

        >>> board = Board.from_rows(["00", "00"], "plus")
        >>> problem = OrderingProblem.of_board(board, np.array([1, 0, 0, 2]))
        >>> problem.bulbs.tolist(), problem.edges.tolist()
        ([0, 3, 3], [[1, 2]])
        """
        odd_later = board.odd_later
        if odd_later is None:
            raise ValueError("under the rule 'any' every order is legal: nothing to order")
        if counts.dtype == np.bool_:
            bulbs = np.flatnonzero(counts)
        else:
            bulbs = np.repeat(np.arange(board.graph.size, dtype=np.int64), counts)
        return cls(board.graph, bulbs, odd_later[bulbs])

    @property
    def size(self) -> int:
        """The number of vertices of H, that is of presses."""
        return int(self.bulbs.size)

    @cached_property
    def repeats(self) -> bool:
        """Whether some bulb is pressed more than once."""
        return int(np.count_nonzero(self.graph.set_of(self.bulbs))) < self.size

    @cached_property
    def edge_count(self) -> int:
        """The number of edges of H; on a row/column board without making any."""
        if self.lines is None:
            return len(self.edges)
        alike = [np.bincount(line) for line in (*self.lines, self.bulbs)]
        rows, columns, copies = (int((d * (d - 1) // 2).sum()) for d in alike)
        return rows + columns - copies  # two copies of a bulb share both lines

    def prepare(self, limits: Limits = NEVER, most: int | None = None) -> None:
        """Make edges, adjacency and neighbours now, with a look at the clock between them.

        NeedsMemory when there are more than `most` edges, TimeUp when the time is up.

        >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
        >>> path.prepare(most=1)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        ponder.errors.NeedsMemory: the 3 presses have 2 pairs of neighbours, too many ...
        """
        limits.check()
        if most is not None and self.edge_count > most:
            raise NeedsMemory(
                f"the {self.size:,} presses have {self.edge_count:,} pairs of neighbours, too many "
                f"to list: at most {most:,}"
            )
        for made in ("edges", "adjacency", "neighbours"):
            getattr(self, made)
            limits.check()

    @cached_property
    def edges(self) -> Ints:
        """The edges of H as an (m, 2) array of vertices i < j, in lexicographic order."""
        if not self.repeats:
            return self.graph.edges_within(self.bulbs)
        distinct, place = np.unique(self.bulbs, return_inverse=True)
        copies = [np.flatnonzero(place == k) for k in range(distinct.size)]
        pairs = [
            np.stack([np.repeat(copies[a], copies[b].size), np.tile(copies[b], copies[a].size)])
            for a, b in self.graph.edges_within(distinct).tolist()
        ]
        pairs += [own[np.stack(np.triu_indices(own.size, 1))] for own in copies if own.size > 1]
        if not pairs:
            return np.empty((0, 2), dtype=np.int64)
        ends = np.sort(np.concatenate(pairs, axis=1).T, axis=1)
        return ends[np.lexsort((ends[:, 1], ends[:, 0]))]

    @cached_property
    def adjacency(self) -> tuple[Ints, Ints]:
        """H in CSR form: (starts, near); v's neighbours are near[starts[v]:starts[v+1]]."""
        return neighbour_lists(self.size, self.edges)

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """Every vertex's neighbours as Python lists, ascending; for algorithms on small graphs."""
        starts, near = self.adjacency
        flat, at = near.tolist(), starts.tolist()
        return [flat[at[v] : at[v + 1]] for v in range(self.size)]

    @cached_property
    def lines(self) -> tuple[Ints, Ints] | None:
        """The row and the column of every press on a row/column board, else None."""
        if isinstance(self.graph, CrossGraph):
            return self.graph.places(self.bulbs)
        return None

    @property
    def even_lines(self) -> bool:
        """Whether theory §4 applies: presses on rows and columns, T empty, no bulb twice."""
        return isinstance(self.graph, CrossGraph) and not self.odd.any() and not self.repeats

    def restricted(self, vertices: Ints, odd: Bits | None = None) -> OrderingProblem:
        """Return the problem on some vertices (ascending), with new parities where given.

        The vertices are renumbered 0 …; no vertex outside may matter to them, or `odd` must
        account for it.

        >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)], [2])
        >>> rest = path.restricted(np.array([1, 2]))
        >>> rest.edges.tolist(), rest.odd.tolist()
        ([[0, 1]], [False, True])
        """
        place = np.full(self.size, -1, dtype=np.int64)
        place[vertices] = np.arange(vertices.size)
        ends = place[self.edges]
        graph = EdgeGraph(vertices.size, ends[(ends >= 0).all(axis=1)])
        parities = self.odd[vertices] if odd is None else odd
        return OrderingProblem(graph, np.arange(vertices.size, dtype=np.int64), parities)


@dataclass(frozen=True, eq=False)
class Order:
    """A legal order: the vertices of the problem in play order (first press first)."""

    vertices: Ints
    statistics: dict[str, object] = field(default_factory=dict)

    @classmethod
    def from_build(cls, vertices: Ints | list[int], **statistics: object) -> Order:
        """Make an order from a build order, which is its reverse."""
        return cls(np.asarray(vertices, dtype=np.int64)[::-1], statistics)

    def bulbs(self, problem: OrderingProblem) -> Ints:
        """Return the bulbs to press, first press first."""
        return problem.bulbs[self.vertices]


@dataclass(frozen=True, eq=False)
class Unknown:
    """No answer: the reason, and what is known all the same. Never means "impossible"."""

    reason: str
    statistics: dict[str, object] = field(default_factory=dict)


Answer: TypeAlias = "Order | Refutation | Unknown"
