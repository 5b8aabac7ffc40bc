"""How many legal orders and acyclic orientations there are, and which: `ponder.count_orders` etc.

A board's press sets are taken one by one, a graph's question is one problem; the counting is that
of `ponder.find.ordering.counting`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from math import factorial
from typing import Any

import numpy as np

from ponder.check.evidence.odd_witness import OddWitness
from ponder.find.linear.press_sets import press_sets
from ponder.find.order import ENUMERATED, given_set
from ponder.find.ordering import counting
from ponder.find.ordering.counting import Count
from ponder.find.orient import Asked, Orientation
from ponder.model.arguments import need_board
from ponder.model.board import Board
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.errors import PonderError
from ponder.system.limits import Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Label


@dataclass(frozen=True)
class OrderCount:
    """How many press sets were looked at, how many have an order, and all their legal `orders`.

    Where `orders` is a bound from below, so is `orderable`.
    """

    press_sets: int
    orderable: int
    orders: Count

    def __str__(self) -> str:
        """Return the same in a sentence."""
        many = pluralise(self.press_sets, "press set")
        have = f"{Count(self.orderable, self.orders.exact)} of {many} can be ordered"
        return f"{self.orders} legal {'order' if self.orders.number == 1 else 'orders'}; {have}"


def count_orders(
    board: Board, press_set: Any = None, *, timeout: float | Limits | None = None
) -> OrderCount:
    """Count the legal orders that press each bulb at most once, of all press sets or of one.

    Exact while the table of subsets has room, some 24 presses that depend on each other, else at
    least. Raises BoardError for a wiring, and for more than 2^12 press sets; TimeUp.

    >>> print(count_orders(Board.from_rows(["0011", "1101", "0110", "0001"])))
    8 legal orders; 1 of 1 press set can be ordered
    """
    limits = Limits.of(timeout)
    looked, orderable, number, exact = 0, 0, 0, True
    for chosen in _chosen(board, press_set, limits):
        if board.odd_later is None:
            found = Count(factorial(int(np.count_nonzero(chosen))))
        else:
            found = counting.count_orders(_problem(board, chosen), limits)
        looked, orderable = looked + 1, orderable + (found.number > 0)
        number, exact = number + found.number, exact and found.exact
    return OrderCount(looked, orderable, Count(number, exact))


def all_orders(
    board: Board, press_set: Any = None, *, timeout: float | Limits | None = None
) -> Iterator[list[Label]]:
    """Yield every legal order as a list of places, the press sets with fewest presses first.

    Raises as `count_orders` does.

    >>> len(list(all_orders(Board.from_rows(["0011", "1101", "0110", "0001"]))))
    8
    """
    limits = Limits.of(timeout)
    for chosen in _chosen(board, press_set, limits):
        if board.odd_later is None:
            raise PonderError("under the rule 'any' every order is legal: there is nothing to list")
        problem = _problem(board, chosen)
        for order in counting.all_orders(problem, limits):
            yield board.graph.labels(problem.bulbs[np.array(order, dtype=np.int64)])


def count_orientations(
    graph: Any,
    odd: Iterable[Hashable],
    *,
    fixed: Iterable[tuple[Hashable, Hashable]] = (),
    timeout: float | Limits | None = None,
) -> Count:
    """Count the acyclic orientations of a graph with odd out-degrees at exactly `odd`.

    Graph, `odd` and `fixed` are those of `ponder.orient`, and so are the errors. Raises TimeUp.

    >>> print(count_orientations((4, [(0, 1), (1, 2), (2, 3), (3, 0)]), odd=[]))
    2
    """
    problem = Asked.of(graph, odd, fixed).question.problem
    return counting.count_orientations(problem, Limits.of(timeout))


def all_orientations(
    graph: Any,
    odd: Iterable[Hashable],
    *,
    fixed: Iterable[tuple[Hashable, Hashable]] = (),
    timeout: float | Limits | None = None,
) -> Iterator[Orientation]:
    """Yield each of these orientations once. Raises as `count_orientations` does.

    >>> [found.order for found in all_orientations((3, [(0, 1), (1, 2)]), odd=[1, 2])]
    [[2, 1, 0]]
    """
    yield from orientations_of(Asked.of(graph, odd, fixed), Limits.of(timeout))


def orientations_of(asked: Asked, limits: Limits) -> Iterator[Orientation]:
    """Yield all orientations that a question asks about. Raises TimeUp."""
    for order in counting.all_orientations(asked.question.problem, limits):
        found = asked.outcome_of(Order(np.array(order, dtype=np.int64)), "counting")
        assert isinstance(found, Orientation)
        yield found


def _chosen(board: Board, press_set: Any, limits: Limits) -> Iterable[Bits]:
    """Return the press sets that are looked at, fewest presses first."""
    need_board(board)
    if press_set is not None:
        return [given_set(board, press_set)]
    sets = press_sets(board, limits)
    if isinstance(sets, OddWitness):
        return []
    if sets.nullity > ENUMERATED:
        said = f"2^{sets.nullity} press sets are too many to count their orders: name one"
        raise PonderError(f"{said} (`--press-set`)")
    return sets.lightest_first()


def _problem(board: Board, chosen: Bits) -> OrderingProblem:
    problem = OrderingProblem.of_board(board, chosen)
    if problem.heard is not None:
        raise PonderError("orders of a wiring are not counted: `ponder order` finds one")
    return problem
