"""Sums over closed neighbourhoods: the one piece of arithmetic that all checks share.

The ordering problem of some presses (theory §2.9) is made here too, paid for by its sums.

closed_sums(m)(v) = Σ_{u ∈ N[v]} m(u). With m = press counts it says how often bulb v (or a light of
a wiring) is toggled, and one more than the degree of a press of v in the blow-up of m; with m the
characteristic vector of X, whether v is in N[X].

Letters: m press counts, N[v] = {v} ∪ neighbours. Cost: O(cells · offsets), or O(vertices + edges).
Written anew, apart from `Graph.apply`, so that the checker does its own adding up. Sums: all
callers know that Σ |m| is at most MOST_NUMBER, so none of them wraps.
"""

from __future__ import annotations

import numpy as np

from ponder.check.limits import Budget
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, EdgeGraph, Graph, GridGraph, StencilGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.system.types import Bits, Ints, bincount, indices


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


def _laid_out(graph: GridGraph, values: Ints | Bits) -> Ints:
    """Return the values as an (R, C) grid of 64 bits, 0 in holes."""
    cells = np.zeros(graph.shape[0] * graph.shape[1], dtype=np.int64)
    cells[graph.cells] = values
    return cells.reshape(graph.shape)


def _stencil_sums(graph: StencilGraph, values: Ints) -> Ints:
    height, width = graph.shape
    grid = _laid_out(graph, values)
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
    """Whether press counts, in any order and whatever the rule, lead to the goal."""
    return np.array_equal(closed_sums(board.graph, counts) & 1 == 1, board.change)


def beside(graph: Graph, v: int, bulbs: Ints) -> Bits:
    """Return which bulbs are in the closed neighbourhood of v. (k,) -> (k,)."""
    if isinstance(graph, CrossGraph):
        same_row, same_column = graph.rows[bulbs] == graph.rows[v], graph.columns[bulbs]
        return np.asarray(same_row | (same_column == graph.columns[v]))
    near = graph.neighbours(v)  # ascending
    at = np.searchsorted(near, bulbs)
    if not near.size:
        return np.asarray(bulbs == v)
    there = near.take(indices(at), mode="clip") == bulbs
    return np.asarray(there | (bulbs == v))


_NS_PASS = 20_000  # nanoseconds for a few operations on arrays, however short these are
_NS_SUM = 4  # … for a number that is added up
_NS_NEAR = 3000  # … for the neighbours of a bulb
_NS_END = 25  # … for each of them, kept in a list
_BYTES_END = 40  # of a neighbour that is kept in a list


def spend_sums(graph: Graph, budget: Budget, what: str, times: int = 1) -> None:
    """Take `times` sums over all closed neighbourhoods off a budget. Raises TooLarge."""
    # half a dozen simpler looks at all bulbs cost about as much as one of them
    ends = 2 * graph.size if isinstance(graph, CrossGraph) else 2 * graph.edge_count()
    budget.spend(times * (_NS_PASS + _NS_SUM * (graph.size + ends)), what)


def listing_cost(graph: Graph, v: int) -> int:
    """Return the nanoseconds that a list of the neighbours of a bulb takes."""
    match graph:
        case CrossGraph():
            return _NS_NEAR + 4 * _NS_END * sum(graph.shape)
        case StencilGraph():
            return _NS_NEAR + 14 * _NS_END * len(graph.offsets)
        case EdgeGraph():
            return _NS_NEAR + _NS_END * int(graph.degrees[v])
    raise TypeError(f"no neighbours in a {type(graph).__name__}")


def query_cost(graph: Graph) -> int:
    """Return the nanoseconds that `beside` takes."""
    return _NS_PASS + (listing_cost(graph, 0) if isinstance(graph, StencilGraph) else 0)


def all_neighbours(graph: Graph, budget: Budget, what: str) -> list[list[int]]:
    """Return the neighbours of every bulb. Raises TooLarge if these are too many to list."""
    ends = 2 * graph.edge_count()
    budget.hold(_BYTES_END * ends, what)
    of_grid = isinstance(graph, GridGraph) and graph.size * listing_cost(graph, 0)
    budget.spend(of_grid or _NS_NEAR * graph.size + _NS_END * ends, what)
    return [graph.neighbours(v).tolist() for v in range(graph.size)]


NS_WIRE = 500  # nanoseconds for a wire
_NS_HEARD, _BYTES_HEARD = 1200, 250  # for a pair of presses, one of which hears the other


def ordering_problem(board: Board, counts: Ints, budget: Budget) -> OrderingProblem:
    """Return the problem of pressing some bulbs once each, taken off a budget. Raises TooLarge."""
    graph, what = board.graph, "the ordering problem of some presses"
    spend_sums(graph, budget, what)
    if isinstance(graph, Wired):
        pressed = (counts > 0)[graph.owners]
        togglers = bincount(graph.toggled[pressed], minlength=graph.size)
        seats = graph.at[(graph.at >= 0) & (counts > 0)]
        heard = int(togglers[seats].sum())  # pairs of presses, the first of which hears the second
        budget.spend(NS_WIRE * (graph.presses + graph.edge_count()) + _NS_HEARD * heard, what)
        budget.hold(_BYTES_HEARD * heard, what)
    return OrderingProblem.of_board(board, counts > 0)
