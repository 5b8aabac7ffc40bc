"""Sums over closed neighbourhoods: the one piece of arithmetic that all checks share.

closed_sums(m)(v) = Σ_{u ∈ N[v]} m(u). With m = press counts it says

* how often bulb v is toggled: the presses reach the goal iff it is odd exactly where lit ≠ goal;
* the degree of a press of v in the blow-up of m: closed_sums(m)(v) − 1 (all but the press itself);
* whether v is in N[X], for m the characteristic vector of X.

Letters: m press counts, N[v] = {v} ∪ neighbours. Cost: O(cells · offsets), or O(vertices + edges).
Written anew, apart from `Graph.apply`, so that the checker does its own adding up.
"""

from __future__ import annotations

import numpy as np

from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph, EdgeGraph, Graph, StencilGraph
from ponder.types import Bits, Ints


def closed_sums(graph: Graph, values: Ints | Bits) -> Ints:
    """Return for every bulb the sum of the values over its closed neighbourhood. (n,) -> (n,).

    >>> closed_sums(CrossGraph((2, 3)), np.array([1, 0, 0, 0, 0, 2])).tolist()
    [1, 1, 3, 3, 2, 2]
    """
    values = values.astype(np.int64)
    if isinstance(graph, CrossGraph):
        rows = np.bincount(graph.rows, weights=values, minlength=graph.shape[0])
        columns = np.bincount(graph.columns, weights=values, minlength=graph.shape[1])
        sums: Ints = (rows[graph.rows] + columns[graph.columns]).astype(np.int64) - values
        return sums
    if isinstance(graph, StencilGraph):
        return _stencil_sums(graph, values)
    if isinstance(graph, EdgeGraph):
        u, v = graph.edges[:, 0], graph.edges[:, 1]
        total = np.bincount(u, weights=values[v], minlength=graph.size)
        total += np.bincount(v, weights=values[u], minlength=graph.size)
        return values + total.astype(np.int64)
    raise TypeError(f"no sums for a {type(graph).__name__}")


def _stencil_sums(graph: StencilGraph, values: Ints) -> Ints:
    height, width = graph.shape
    cells = np.zeros(height * width, dtype=np.int64)
    cells[graph.cells] = values
    grid = cells.reshape(height, width)
    total = grid.copy()
    for dr, dc in graph.offsets:
        if graph.wraps:
            total += np.roll(grid, (dr, dc), axis=(0, 1))
        elif abs(dr) < height and abs(dc) < width:
            total[max(dr, 0) : height + min(dr, 0), max(dc, 0) : width + min(dc, 0)] += grid[
                max(-dr, 0) : height + min(-dr, 0), max(-dc, 0) : width + min(-dc, 0)
            ]
    return total.reshape(-1)[graph.cells]


def reaches_goal(board: Board, counts: Ints) -> bool:
    """Whether press counts, in any order and whatever the rule, lead to the goal.

    >>> reaches_goal(Board.from_rows(["00", "01"]), np.array([1, 0, 0, 0]))
    True
    """
    toggled = (closed_sums(board.graph, counts) & 1).astype(np.bool_)
    return bool((toggled == board.change).all())


def beside(graph: Graph, v: int, bulbs: Ints) -> Bits:
    """Return which bulbs are in the closed neighbourhood of v. (k,) -> (k,).

    >>> beside(CrossGraph((2, 3)), 0, np.array([0, 2, 4])).tolist()
    [True, True, False]
    """
    if isinstance(graph, CrossGraph):
        same_row, same_column = graph.rows[bulbs] == graph.rows[v], graph.columns[bulbs]
        return np.asarray(same_row | (same_column == graph.columns[v]))
    if isinstance(graph, StencilGraph):
        (height, width), closed = graph.shape, {(0, 0), *graph.offsets}
        down, right = graph.rows[bulbs] - graph.rows[v], graph.columns[bulbs] - graph.columns[v]
        if graph.wraps:
            closed = {(dr % height, dc % width) for dr, dc in closed}
            down, right = down % height, right % width
        steps = zip(down.tolist(), right.tolist(), strict=True)
        return np.array([step in closed for step in steps], dtype=np.bool_)
    if isinstance(graph, EdgeGraph):
        at_v = graph.edges[(graph.edges == v).any(axis=1)]
        return np.isin(bulbs, np.append(at_v, v))
    raise TypeError(f"no neighbours in a {type(graph).__name__}")
