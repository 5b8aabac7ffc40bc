"""Sums over closed neighbourhoods: the one piece of arithmetic that all checks share.

closed_sums(m)(v) = Σ_{u ∈ N[v]} m(u). With m = press counts it says how often bulb v (or a light of
a wiring) is toggled, and one more than the degree of a press of v in the blow-up of m; with m the
characteristic vector of X, whether v is in N[X].

Letters: m press counts, N[v] = {v} ∪ neighbours. Cost: O(cells · offsets), or O(vertices + edges).
Written apart from `Graph.apply`, so that the checker does its own adding up. Sums: all callers know
that Σ |m| is at most MOST_NUMBER, so none of them wraps.
"""

from __future__ import annotations

import numpy as np

from ponder.check.reader import MOST_NEIGHBOURS, demand
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import CrossGraph, Graph, GridGraph, StencilGraph
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints


def closed_sums(graph: Graph, values: Ints | Bits) -> Ints:
    """Return for every bulb the sum of the values over its closed neighbourhood. (n,) -> (n,).

    >>> closed_sums(CrossGraph((2, 3)), np.array([1, 0, 0, 0, 0, 2])).tolist()
    [1, 1, 3, 3, 2, 2]
    """
    values = values.astype(np.int64)
    if isinstance(graph, CrossGraph):
        rows, columns = line_sums(graph, values)
        return rows[graph.rows] + columns[graph.columns] - values
    if isinstance(graph, StencilGraph):
        return _stencil_sums(graph, values)
    if isinstance(graph, EdgeGraph):
        total = values.copy()
        for here, there in (graph.edges.T, graph.edges.T[::-1]):
            np.add.at(total, here, values[there])
        return total
    if isinstance(graph, Wired):
        total = np.zeros(graph.size, dtype=np.int64)
        np.add.at(total, graph.toggled, values[graph.owners])
        return total
    raise TypeError(f"no sums for a {type(graph).__name__}")


def press_sums(graph: Graph, values: Ints | Bits) -> Ints:
    """Return for every press the sum of the values over the lights that it toggles."""
    if not isinstance(graph, Wired):
        return closed_sums(graph, values)
    total = np.zeros(graph.presses, dtype=np.int64)
    np.add.at(total, graph.owners, values[graph.toggled].astype(np.int64))
    return total


def line_sums(graph: GridGraph, values: Ints | Bits) -> tuple[Ints, Ints]:
    """Return the sums over every row and over every column."""
    grid = _laid_out(graph, values)
    return grid.sum(axis=1, dtype=np.int64), grid.sum(axis=0, dtype=np.int64)


def _laid_out(graph: GridGraph, values: Ints | Bits) -> Ints | Bits:
    """Return the values as an (R, C) grid, 0 in holes."""
    if graph.mask is None:
        return values.reshape(graph.shape)
    cells = np.zeros(graph.shape[0] * graph.shape[1], dtype=np.int64)
    cells[graph.cells] = values
    return cells.reshape(graph.shape)


def _stencil_sums(graph: StencilGraph, values: Ints) -> Ints:
    height, width = graph.shape
    grid = _laid_out(graph, values)
    total = grid.astype(np.int64)
    for dr, dc in graph.offsets:
        if graph.wraps:
            total += np.roll(grid, (dr, dc), axis=(0, 1))
        elif abs(dr) < height and abs(dc) < width:
            total[max(dr, 0) : height + min(dr, 0), max(dc, 0) : width + min(dc, 0)] += grid[
                max(-dr, 0) : height + min(-dr, 0), max(-dc, 0) : width + min(-dc, 0)
            ]
    return total.reshape(-1)[graph.cells]


def reaches_goal(board: Board, counts: Ints | Bits) -> bool:
    """Whether press counts, in any order and whatever the rule, lead to the goal."""
    if board.pressed and (counts != 1).any():
        return False
    return np.array_equal(closed_sums(board.graph, counts) & 1 == 1, board.change)


def all_neighbours(graph: Graph, limits: Limits = NEVER) -> list[list[int]]:
    """Return the neighbours of every bulb. Raises TooLarge if these are too many to list."""
    demand(2 * graph.edge_count(), MOST_NEIGHBOURS, "neighbours of all bulbs")
    return [graph.neighbours(v).tolist() for v in limits.over(range(graph.size))]
