"""The ordering problem of some presses (theory §2.9), made anew from the board and paid for before.

Cost: O(wires), and what hears what of the presses of a wiring.
"""

from __future__ import annotations

from ponder.check.limits import Budget
from ponder.check.neighbourhoods import spend_sums
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.system.types import Ints, bincount

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
