"""The ordering problem: an acyclic orientation of H with given parities of the out-degrees.

An order is an acyclic orientation (edge u→v when u is pressed before v) in which v's out-degree is
odd iff v ∈ T (theory §2.1, theorem 1). Letters: H the graph of the presses, with vertices 0 … n−1;
t(v) the parity that v's later neighbours must have, T = {v : t(v) = 1}; m(v) how often bulb v is
pressed: m > 1 makes H the *blow-up*, with m(v) mutually adjacent copies of v and of its edges.

More general (theory §2.9), some edges have a given direction (`fixed`), and a vertex counts only
the neighbours that it *hears* (`heard`); the methods of `ordering/` know neither (`plain`).

*Play order* is the order of the presses; *build order* is its reverse. Read in build order, a
vertex may be built when the number of its neighbours already built has the parity t(v).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import cast

import numpy as np

from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph, neighbour_lists
from ponder.model.graph import CrossGraph, Graph
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, Limits, NeedsMemory
from ponder.system.types import Bits, Ints, Label, bincount, indices

MOST_EDGES = 3_000_000  # of H at most, for methods that go through them all


@dataclass(frozen=True, eq=False)
class OrderingProblem:
    """H and T. Vertex i stands for one press of bulb `bulbs[i]` of `graph`, perhaps one of several.

    Edges are made only when asked for: a row/column problem of millions of presses stays small.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)], [2])
    >>> path.size, path.edges.tolist(), path.odd.tolist()
    (3, [[0, 1], [1, 2]], [False, False, True])
    """

    graph: Graph
    bulbs: Ints
    odd: Bits
    fixed: Ints | None = field(default=None, kw_only=True)
    """(k, 2): edges of H with a given direction, the first vertex before the second."""
    heard: Bits | None = field(default=None, kw_only=True)
    """(m, 2): whether the first end of each edge counts the second, and the second the first."""

    @classmethod
    def from_edges(
        cls, size: int, edges: Iterable[tuple[int, int]] | Ints, odd: Iterable[int] = ()
    ) -> OrderingProblem:
        """Make the problem of any graph on vertices 0 … size−1 with T = `odd`."""
        graph = EdgeGraph(size, edges)
        return cls(graph, np.arange(size, dtype=np.int64), graph.set_of(list(odd)))

    @classmethod
    def of_board(cls, board: Board, counts: Bits | Ints) -> OrderingProblem:
        """Make the problem of pressing every bulb `counts` times: bits, or press counts.

        Raises ValueError under the rule `any`, where order does not matter.

        >>> board = Board.from_rows(["00", "00"], "plus")
        >>> problem = OrderingProblem.of_board(board, np.array([1, 0, 0, 2]))
        >>> problem.bulbs.tolist(), problem.edges.tolist()
        ([0, 3, 3], [[1, 2]])
        """
        odd_later = board.odd_later
        if odd_later is None:
            raise ValueError("under the rule 'any' every order is legal: nothing to order")
        if isinstance(board.graph, Wired):
            return cls._of_wiring(board.graph, board, np.flatnonzero(counts))
        if counts.dtype == np.bool_:
            bulbs = np.flatnonzero(counts)
        else:
            bulbs = np.repeat(np.arange(board.graph.size, dtype=np.int64), indices(counts))
        return cls(board.graph, bulbs, odd_later[bulbs])

    @classmethod
    def one_way(
        cls,
        hears: list[list[int]],
        odd: Bits,
        bulbs: Ints | None = None,
        names: list[Label] | None = None,
    ) -> OrderingProblem:
        """Make the problem in which v counts the later vertices of hears[v] alone.

        Vertex v stands for the press of bulbs[v] of those that have names; plain if all hear all.
        """
        size = len(hears)
        v = np.repeat(np.arange(size), [len(near) for near in hears])
        u = np.array([u for near in hears for u in near], dtype=np.int64)
        pressed = np.arange(size, dtype=np.int64) if bulbs is None else bulbs
        count = size if names is None else len(names)
        called = cast("list[int | str] | None", names)  # on a grid they are cells
        graph = EdgeGraph(count, np.stack([pressed[u], pressed[v]], axis=1), called)
        ends, keys = graph.edges_within(pressed), v * size + u
        heard = np.stack([np.isin(a * size + b, keys) for a, b in (ends.T, ends.T[::-1])], axis=1)
        return cls(graph, pressed, odd, heard=None if heard.all() else heard)

    @classmethod
    def _of_wiring(cls, graph: Wired, board: Board, chosen: Ints) -> OrderingProblem:
        """Make the problem of some presses of a wiring, once each (theory §2.9)."""
        hears = graph.hears(chosen)
        seats = graph.at[chosen]
        nowhere = board.rule == "lit"  # as it has to be there
        changes = np.append(board.lit, nowhere)[seats] != nowhere
        odd = changes ^ (np.array([len(near) for near in hears], dtype=np.int64) % 2 == 1)
        return cls.one_way(hears, odd, chosen, [graph.label(v) for v in range(graph.presses)])

    @property
    def plain(self) -> bool:
        """Whether this is the problem of theorem 1: no edge is fixed, all neighbours count."""
        return self.fixed is None and self.heard is None

    @property
    def board(self) -> Board:
        """A board of H whose bulbs, pressed once each, have the orders asked for (theory §2.2)."""
        graph = EdgeGraph(self.size, self.edges)
        return Board(graph, graph.apply(np.ones(self.size, dtype=np.bool_)) ^ ~self.odd, ~self.odd)

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
        alike = [bincount(line) for line in (*self.lines, self.bulbs)]
        rows, columns, copies = (int((d * (d - 1) // 2).sum()) for d in alike)
        return rows + columns - copies  # two copies of a bulb share both lines

    def prepare(self, limits: Limits = NEVER, most: int | None = None) -> None:
        """Make edges, adjacency and neighbours now, with a look at the clock between them.

        Raises NeedsMemory if there are more than `most` edges, and TimeUp if the time is up.
        """
        limits.check()
        if most is not None and self.edge_count > most:
            raise NeedsMemory(
                f"the {self.size:,} presses have {self.edge_count:,} pairs of neighbours, too many "
                f"to list: at most {most:,}"
            )
        for derived in ("edges", "adjacency", "neighbours"):
            getattr(self, derived)
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
        pairs += [same[np.stack(np.triu_indices(same.size, 1))] for same in copies if same.size > 1]
        if not pairs:
            return np.empty((0, 2), dtype=np.int64)
        ends = np.sort(np.concatenate(pairs, axis=1).T, axis=1)
        return ends[np.lexsort((ends[:, 1], ends[:, 0]))]

    @cached_property
    def adjacency(self) -> tuple[Ints, Ints]:
        """H in CSR form: (starts, near); v's neighbours are near[starts[v]:starts[v+1]]."""
        return neighbour_lists(self.size, self.edges)

    @cached_property
    def hears(self) -> tuple[Ints, Ints]:
        """The neighbours that every vertex counts, in CSR form."""
        if self.heard is None:
            return self.adjacency
        both = np.concatenate([self.edges, self.edges[:, ::-1]])[self.heard.T.reshape(-1)]
        by_vertex = both[np.lexsort((both[:, 1], both[:, 0]))]
        starts = np.cumsum(bincount(by_vertex[:, 0] + 1, minlength=self.size + 1))
        return starts, by_vertex[:, 1]

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """Every vertex's neighbours as Python lists, ascending; for algorithms on small graphs."""
        return _listed(self.adjacency)

    @cached_property
    def heard_lists(self) -> list[list[int]]:
        """The neighbours that every vertex counts, in lists like `neighbours`."""
        return _listed(self.hears)

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


def _listed(lists: tuple[Ints, Ints]) -> list[list[int]]:
    at, flat = (part.tolist() for part in lists)
    return [flat[start:end] for start, end in pairwise(at)]


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
    """No answer: the reason, and what is known so far. Never means "impossible"."""

    reason: str
    statistics: dict[str, object] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """That it is not known, and why."""
        return f"unknown: {self.reason}"

    def __str__(self) -> str:
        """Return the same sentence."""
        return self.sentence
