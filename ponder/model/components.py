"""Connected components of H, in O(log) vectorised rounds: hooking and pointer jumping.

Idea. Every vertex points at a smaller one of its component or at itself, a *root*. Each round
hooks every root to its smallest neighbouring root and flattens the trees, until no edge joins two
trees. On a row/column board the lines take the place of the vertices, and presses that of edges.

Reference. Shiloach, Vishkin, J. Algorithms 3 (1982). Cost. O((vertices + edges) · log vertices).
"""

from __future__ import annotations

import numpy as np

from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints, bincount

_CONNECTED = ("cross", "plus", "king", "torus-plus", "torus-king")  # rectangles in one piece


def components(problem: OrderingProblem) -> list[Ints]:
    """Return the components of H as ascending arrays of vertices, in order of their least.

    >>> [k.tolist() for k in components(OrderingProblem.from_edges(5, [(0, 3), (2, 4)]))]
    [[0, 3], [1], [2, 4]]
    """
    number = component_numbers(problem)
    together = np.argsort(number, kind="stable")
    cuts = np.cumsum(bincount(number))[:-1]
    return np.split(together, cuts) if problem.size else []


def component_numbers(problem: OrderingProblem, limits: Limits = NEVER) -> Ints:
    """Number components in order of least vertices; return every vertex's. Raises TimeUp.

    On a row/column board two presses are connected iff their lines are: no edges are made.
    """
    if problem.lines is None:
        label = labels(problem.size, problem.edges, limits)
    else:
        rows, columns = problem.lines
        across = int(rows.max(initial=-1)) + 1
        lines = np.stack([rows, columns + across], axis=1)
        line = labels(int(lines.max(initial=-1)) + 1, lines, limits)[rows]
        least = np.full(line.max(initial=-1) + 1, problem.size)
        np.minimum.at(least, line, np.arange(problem.size))
        label = least[line]
    numbers: Ints = (np.cumsum(label == np.arange(label.size)) - 1)[label]
    return numbers


def pieces(board: Board, limits: Limits = NEVER) -> Ints:
    """Return the number of each bulb's piece, its connected part of the graph. Raises TimeUp."""
    graph = board.graph
    if isinstance(graph, GridGraph) and graph.mask is None and graph.pattern in _CONNECTED:
        return np.zeros(graph.size, dtype=np.int64)
    everything = np.arange(graph.size, dtype=np.int64)
    return component_numbers(OrderingProblem(graph, everything, board.lit), limits)


def labels(size: int, edges: Ints, limits: Limits = NEVER) -> Ints:
    """Return the least vertex of every vertex's component, (size,); `edges` is (m, 2).

    The roots of a component halve in two rounds: one that no root joins and that joins none has a
    neighbour which has just joined a smaller root.
    """
    label = np.arange(size)
    while len(edges):
        limits.check()
        u, v = edges[:, 0], edges[:, 1]
        np.minimum.at(label, np.maximum(u, v), np.minimum(u, v))
        label = followed(label)
        edges = label[edges]
        edges = edges[edges[:, 0] != edges[:, 1]]
    return label


def followed(pointer: Ints) -> Ints:
    """Follow pointers to their ends, which point to themselves, by doubling."""
    while True:
        further = pointer[pointer]
        if np.array_equal(further, pointer):
            return pointer
        pointer = further
