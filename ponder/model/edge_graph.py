"""Any graph as a board: its vertices are bulbs, with names, and sorted neighbour lists (CSR)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any

import numpy as np

from ponder.model.graph import Graph, sorted_edges
from ponder.system.errors import BoardError, fail, quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Label, Positions, bincount, indices, read_only

MOST_VERTICES = 1_000_000  # of a graph to be oriented: some 200 MB with their names


class EdgeGraph(Graph):
    """Any simple graph, by its edges; `names` are what users call the vertices.

    `positions`, (n, 2), says where they are drawn, x and y (downwards) in widths of a cell: no part
    of the puzzle, and None where nobody has said.

    >>> g = EdgeGraph(3, [(0, 1), (1, 2)])
    >>> g.neighbours(1).tolist(), g.edges_within(np.array([2, 1])).tolist()
    ([0, 2], [[0, 1]])
    """

    pattern = "graph"

    def __init__(
        self,
        size: int,
        edges: Iterable[tuple[int, int]] | Ints,
        names: Collection[int | str] | None = None,
        limits: Limits = NEVER,
        positions: Positions | None = None,
    ) -> None:
        self.size: int = size
        self.presses: int = size
        self.positions: Positions | None = positions
        pairs = np.asarray(edges if isinstance(edges, np.ndarray) else list(edges), dtype=np.int64)
        if pairs.size and not 0 <= pairs.min() <= pairs.max() < size:
            raise ValueError(f"an edge ends outside the {size} vertices")
        self.edges: Ints = read_only(sorted_edges(pairs.reshape(-1, 2)), fresh=True)
        limits.check()
        self._names = None if names is None or list(names) == list(range(size)) else list(names)
        self._starts, self._near = map(read_only, neighbour_lists(size, self.edges, limits))

    @property
    def named(self) -> bool:
        """Whether the vertices are called anything else than 0, 1, 2, …"""
        return self._names is not None

    @cached_property
    def names(self) -> list[int | str]:
        """The name of every vertex."""
        return list(range(self.size)) if self._names is None else self._names

    @cached_property
    def _bulb_of(self) -> dict[int | str, int]:
        return {name: v for v, name in enumerate(self.names)}

    def apply(self, presses: Bits) -> Bits:
        """Return A·s by counting along the edges. O(vertices + edges)."""
        if not len(self.edges):
            return presses.copy()
        u, v = self.edges[:, 0], self.edges[:, 1]
        count = bincount(u[presses[v]], minlength=self.size)
        count += bincount(v[presses[u]], minlength=self.size)
        return np.asarray(presses ^ (count & 1).astype(np.bool_))

    def neighbours(self, bulb: int) -> Ints:
        """Return the adjacent vertices."""
        return self._near[self._starts[bulb] : self._starts[bulb + 1]]

    @cached_property
    def degrees(self) -> Ints:
        """The number of edges at every vertex."""
        return np.diff(self._starts)

    def neighbourhoods(self, bulbs: Ints) -> tuple[Ints, Ints]:
        """Return the closed neighbourhoods, out of the neighbour lists."""
        degrees = self.degrees[bulbs]
        owner = np.repeat(np.arange(bulbs.size), indices(degrees))
        first = np.cumsum(degrees) - degrees
        near = self._near[self._starts[bulbs][owner] + np.arange(owner.size) - first[owner]]
        members = np.concatenate([near, bulbs])
        owner = np.concatenate([owner, np.arange(bulbs.size)])
        ascending = np.lexsort((members, owner))
        return members[ascending], owner[ascending]

    def edge_count(self) -> int:
        """Return the number of edges."""
        return len(self.edges)

    def edges_within(self, bulbs: Ints) -> Ints:
        """Return the edges with both ends among `bulbs`. O(vertices + edges)."""
        if not len(self.edges):
            return self.edges
        place = np.full(self.size, -1, dtype=np.int64)
        place[bulbs] = np.arange(bulbs.size)
        ends = place[self.edges]
        return sorted_edges(ends[(ends >= 0).all(axis=1)])

    def label(self, bulb: int) -> Label:
        """Return the vertex's name."""
        return bulb if self._names is None else self._names[bulb]

    def bulb(self, label: object) -> int:
        """Return the vertex of that name."""
        if isinstance(label, int | str) and not isinstance(label, bool):
            if self._names is not None:
                return self._bulb_of[label]
            if isinstance(label, int) and 0 <= label < self.size:
                return label
        raise KeyError(label)


def neighbour_lists(size: int, edges: Ints, limits: Limits = NEVER) -> tuple[Ints, Ints]:
    """Return lists of neighbours, ascending, in CSR form (starts, near). O(m log m). Raises TimeUp.

    `edges`, (m, 2), has each edge once. v's neighbours are near[starts[v]:starts[v+1]].
    """
    u, v = edges[:, 0], edges[:, 1]
    keys = np.concatenate([u * size + v, v * size + u])
    keys.sort()
    limits.check()
    starts = np.zeros(size + 1, dtype=np.int64)
    for ends in (u, v):
        starts[1:] += bincount(ends, minlength=size)
        limits.check()
    return np.cumsum(starts), keys % max(size, 1)


def graph_given(given: Any) -> tuple[list[Any], EdgeGraph]:
    """Return the names of the vertices, and the graph, of any value that describes a graph.

    Pairs of vertices; (n, edges) of 0 … n−1; a graph of networkx; a symmetric matrix of zeros and
    ones of numpy or scipy. The graph has the names where all are strings or whole numbers. Raises
    BoardError for anything else, for loops, and for edges that are repeated.

    >>> graph_given([("a", "b"), ("b", "c")])[1].names
    ['a', 'b', 'c']
    """
    if isinstance(given, EdgeGraph):
        return list(given.names), given
    if isinstance(given, list | set | frozenset) and given and all(map(_is_pair, given)):
        try:
            labels = list(dict.fromkeys(end for edge in given for end in edge))
        except TypeError:
            fail("a vertex is a list or another value that cannot be a name", "graph")
        return _named(labels, given)
    if hasattr(given, "is_directed") and hasattr(given, "nodes"):
        if given.is_directed() or given.is_multigraph():
            fail("the graph must be simple and undirected", "graph")
        return _named(list(given.nodes), given.edges)
    if isinstance(given, tuple) and len(given) == 2 and not hasattr(given[0], "__len__"):
        size, edges = given
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 0:
            fail(f"the number of vertices is {quoted(size)}", "graph")
        if size > MOST_VERTICES:
            fail(f"{size} vertices are too many: at most {MOST_VERTICES:,}", "graph")
        return list(range(int(size))), _simple(int(size), edges)
    sparse = hasattr(given, "tocoo")  # a matrix of scipy; else what numpy takes for one
    try:
        matrix: Any = given.tocoo() if sparse else np.asarray(given)
    except ValueError:  # rows of different lengths
        matrix = np.empty(0)
    values = matrix.data if sparse else matrix
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1]
    if not square or values.dtype.kind not in "biuf" or not np.isin(values, (0, 1)).all():
        fail(
            "write (n, edges), a list of pairs of vertices, a graph of networkx, or a square "
            "matrix of zeros and ones",
            "graph",
        )
    places = (matrix.row[values != 0], matrix.col[values != 0]) if sparse else np.nonzero(matrix)
    pairs = np.unique(np.stack(places, axis=1).astype(np.int64), axis=0)
    if not np.array_equal(pairs, np.unique(pairs[:, ::-1], axis=0)):
        fail("the adjacency matrix must be symmetric", "graph")
    size = int(matrix.shape[0])
    return list(range(size)), _simple(size, pairs[pairs[:, 0] <= pairs[:, 1]])


def _is_pair(edge: object) -> bool:
    return isinstance(edge, tuple) and len(edge) == 2


def _named(labels: list[Any], edges: Iterable[Any]) -> tuple[list[Any], EdgeGraph]:
    labels = [int(label) if isinstance(label, np.integer) else label for label in labels]
    number = {label: v for v, label in enumerate(labels)}
    plain = all(isinstance(name, str | int) and not isinstance(name, bool) for name in labels)
    pairs = [(number[u], number[v]) for u, v in edges]
    return labels, _simple(len(labels), pairs, labels if plain else None)


def _simple(size: int, edges: Any, names: list[Any] | None = None) -> EdgeGraph:
    """Return the graph of pairs of numbers. Raises BoardError for other pairs, loops, repeats."""
    try:
        pairs = np.array(list(edges))
        if pairs.size and (pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu"):
            raise ValueError
        graph = EdgeGraph(size, pairs.reshape(-1, 2).astype(np.int64), names)
    except (TypeError, ValueError, OverflowError):
        raise BoardError(f"an edge is a pair of vertices 0 … {size - 1}", "graph") from None
    if (graph.edges[:, 0] == graph.edges[:, 1]).any():
        fail("an edge joins a vertex to itself", "graph")
    if len(graph.edges) < len(pairs):
        fail("an edge is repeated: the graph must be simple", "graph")
    return graph
