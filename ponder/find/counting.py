"""Counts of legal orders and of acyclic orientations, and lists of them.

Idea. A set S of vertices may begin with those v with deg_S(v) ≡ t(v); the rest is a question about
S − v. So the orders are the paths from all vertices to none in the table of subsets, of which only
those that are reached are kept, a level of equal size at a time. An orientation has many orders; it
is counted once by its sources, the sets I of independent vertices that may come first:
a(S) = Σ (−1)^(|I|+1) a(S − I) over I not empty. Orders of components are interleaved; orientations
of 2-connected blocks multiply, each with the parities left to it.

Letters as in theory §2, §3: H the problem's graph, T the odd vertices, n = |V(H)|.
Cost. O(2^n·n) for orders and O(3^n) for orientations of a block, mostly far less. Beyond `MOST`
states of a level the rest is dropped, and the count is a lower bound. If that is 0, or time is up,
the methods of `order` and `orient` search for one answer, or refute that there is any.
Reference. D. E. Knuth, TAOCP 4A, 7.1.4 (paths); R. P. Stanley, "Acyclic orientations of graphs",
1973: over all T the orientations are |χ(−1)| together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import comb, factorial, prod
from typing import Any, cast

import numpy as np

from ponder.check.certificate import Refutation
from ponder.check.witness import Randomised, Witness
from ponder.find.context import Progress, SolveSession, silent, told_to
from ponder.find.linear.press_sets import press_sets
from ponder.find.order import ENUMERATED, given_set, order_problem
from ponder.find.ordering.blocks import Blocks, odd_component
from ponder.find.orient import Asked, Orientation, Refusal
from ponder.model.arguments import need_board
from ponder.model.board import Board
from ponder.model.components import component_numbers, components
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Cancel, LimitReached, Limits, NeedsMemory
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, Place

MOST = 1 << 20  # states of a level
LARGEST = 30  # vertices of a component or a block
FINDING = 1.0  # seconds of a limit that are kept to look for one answer
LOOKING = 10.0  # seconds of that search where there is no limit
LISTED = 10_000  # vertices of a problem whose answers are listed: n masks of n bits


@dataclass(frozen=True)
class Count:
    """The number of answers; if not `exact`, a lower bound, with the `reason`.

    `if_any` is a lower bound that holds if there is an answer.

    >>> print(Count(1200), "or", Count(3, exact=False))
    1,200 or at least 3
    """

    number: int
    exact: bool = True
    reason: str | None = None
    if_any: int = 1

    def __str__(self) -> str:
        return f"{'' if self.exact else 'at least '}{self.number:,}"


@dataclass(frozen=True)
class OrderCount:
    """How many press sets were looked at, how many have an order, and all their legal `orders`.

    Where `orders` is a bound from below, so is `orderable`.
    """

    press_sets: int
    orderable: int
    orders: Count

    def __str__(self) -> str:
        many = pluralise(self.press_sets, "press set")
        have = f"{Count(self.orderable, self.orders.exact)} of {many} can be ordered"
        return f"{self.orders} legal {'order' if self.orders.number == 1 else 'orders'}; {have}"


def count_orders(
    board: Board,
    press_set: Any = None,
    *,
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> OrderCount:
    """Count the legal orders that press each bulb at most once, of all press sets or as in `order`.

    Exact while the table of subsets has room, some 24 presses that depend on each other, and time
    is left; else a lower bound, with the reason. Raises PonderError for a wiring, and for more than
    2^12 press sets.

    >>> print(count_orders(Board.from_rows(["0011", "1101", "0110", "0001"])))
    8 legal orders; 1 of 1 press set can be ordered
    """
    limits, counts, tell = Limits.begin(timeout, cancel), list[Count](), told_to(progress)
    reasons = list[str]()
    try:
        for chosen in _chosen(board, press_set, limits):
            limits.check()
            if board.odd_later is None:
                counts.append(Count(factorial(int(np.count_nonzero(chosen)))))
                continue
            problem = _problem(board, chosen)
            find = partial(order_problem, problem)
            counts.append(_or_one(orders_of_problem, find, problem, limits, tell))
    except LimitReached as stopped:
        reasons.append(str(stopped))
    reasons += [c.reason for c in counts if c.reason is not None]
    number = sum(c.number for c in counts)
    total = Count(number, not reasons, reasons[0] if reasons else None)
    return OrderCount(len(counts), sum(c.number > 0 for c in counts), total)


def _or_one(
    count: Callable[..., Count],
    find: Callable[[SolveSession], object],
    problem: OrderingProblem,
    limits: Limits,
    tell: Progress,
) -> Count:
    """Return a count; if it is open and 0, search for an answer, or a proof that none exists."""
    try:
        counted = count(problem, limits.before(FINDING), tell)
    except LimitReached as stopped:
        counted = Count(0, False, str(stopped))
    if counted.exact or counted.number:
        return counted
    with suppress(LimitReached):
        answer = find(SolveSession(limits=limits.share(1.0, LOOKING), progress=tell))
        answer = answer[0] if isinstance(answer, tuple) else answer  # without the method's name
        if isinstance(answer, Order | Orientation):
            return replace(counted, number=counted.if_any)
        if isinstance(answer, Refutation | Refusal) and not isinstance(answer, Randomised):
            return Count(0)
    return counted


def all_orders(
    board: Board[Place],
    press_set: Any = None,
    *,
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
) -> Iterator[list[Place]]:
    """Yield every legal order as a list of places, the press sets with fewest presses first.

    Raises as `count_orders` does, and TimeUp.

    >>> len(list(all_orders(Board.from_rows(["0011", "1101", "0110", "0001"]))))
    8
    """
    limits = Limits.begin(timeout, cancel)
    for chosen in _chosen(board, press_set, limits):
        if board.odd_later is None:
            raise PonderError("under the rule 'any' every order is legal: there is nothing to list")
        problem = _problem(board, chosen)
        for order in each_order(problem, limits):
            labels = board.graph.labels(problem.bulbs[np.array(order, dtype=np.int64)])
            yield cast("list[Place]", labels)


def count_orientations(
    graph: Any,
    odd: Iterable[Hashable],
    *,
    fixed: Iterable[tuple[Hashable, Hashable]] = (),
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> Count:
    """Count the acyclic orientations of a graph with odd out-degrees at exactly `odd`.

    Graph, `odd` and `fixed` are those of `ponder.orient`, and so are the errors. Exact for blocks
    of up to 30 vertices, while time is left; else a lower bound, with the reason.

    >>> print(count_orientations((4, [(0, 1), (1, 2), (2, 3), (3, 0)]), odd=[]))
    2
    """
    limits = Limits.begin(timeout, cancel)
    return count_asked(Asked.read(graph, odd, fixed), limits, told_to(progress))


def count_asked(asked: Asked, limits: Limits, tell: Progress = silent) -> Count:
    """Return how many orientations a question has."""
    problem = asked.question.problem
    return _or_one(orientations_of_problem, asked.outcome, problem, limits, tell)


def all_orientations(
    graph: Any,
    odd: Iterable[Hashable],
    *,
    fixed: Iterable[tuple[Hashable, Hashable]] = (),
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
) -> Iterator[Orientation]:
    """Yield each of these orientations once. Raises as `count_orientations` does, and TimeUp.

    >>> [found.order for found in all_orientations((3, [(0, 1), (1, 2)]), odd=[1, 2])]
    [[2, 1, 0]]
    """
    yield from orientations_of(Asked.read(graph, odd, fixed), Limits.begin(timeout, cancel))


def orientations_of(asked: Asked, limits: Limits) -> Iterator[Orientation]:
    """Yield all orientations that a question asks about. Raises TimeUp."""
    for order in each_orientation(asked.question.problem, limits):
        orientation = asked.outcome_of(Order(np.array(order, dtype=np.int64)), "counting")
        assert isinstance(orientation, Orientation)
        yield orientation


def _chosen(board: Board, press_set: Any, limits: Limits) -> Iterable[Bits]:
    """Return the press sets that are looked at, fewest presses first."""
    need_board(board)
    if press_set is not None:
        return [given_set(board, press_set)]
    sets = press_sets(board, limits)
    if isinstance(sets, Witness):
        return []
    if sets.nullity > ENUMERATED:
        reason = f"2^{sets.nullity} press sets are too many to count their orders: name one"
        raise PonderError(f"{reason} (`--press-set`)")
    return sets.lightest_first()


def _problem(board: Board, chosen: Bits) -> OrderingProblem:
    problem = OrderingProblem.of_board(board, chosen)
    if problem.heard is not None:
        raise PonderError("orders of a wiring are not counted: `ponder order` finds one")
    return problem


# -------------------------------------------------------------------------------- one problem


@dataclass(frozen=True, eq=False)
class _Part:
    """A component or a block by bits: neighbours, parities, and which must come before which."""

    near: list[int]
    odd: list[int]
    before: list[int]

    @classmethod
    def from_problem(cls, problem: OrderingProblem, part: list[int], odd: list[bool]) -> _Part:
        """Number the vertices of a part from 0."""
        place = {v: k for k, v in enumerate(part)}
        near = [sum(1 << place[w] for w in problem.neighbours[v] if w in place) for v in part]
        before = [0] * len(part)
        for u, v in [] if problem.fixed is None else problem.fixed.tolist():
            if u in place and v in place:
                before[place[v]] |= 1 << place[u]
        return cls(near, [int(bit) for bit in odd], before)

    @property
    def size(self) -> int:
        return len(self.near)

    def first(self, states: Ints, v: int) -> Bits:
        """Return which states have v and may begin with it."""
        fits = (states >> v & 1 == 1) & (states & self.before[v] == 0)
        odd = np.bitwise_count(states & self.near[v]) & 1
        return np.asarray(fits & (odd == self.odd[v]), dtype=np.bool_)

    def may_begin(self, state: int) -> Iterator[int]:
        """Yield the vertices that may come first of a state."""
        for v in range(self.size):
            free = state >> v & 1 and not state & self.before[v]
            if free and (state & self.near[v]).bit_count() & 1 == self.odd[v]:
                yield v


def orders_of_problem(
    problem: OrderingProblem, limits: Limits = NEVER, tell: Progress = silent
) -> Count:
    """Return the number of legal orders of a problem. Raises TimeUp.

    >>> print(orders_of_problem(OrderingProblem.from_edges(3, [(0, 1), (1, 2)], [0, 2])))
    2
    """
    number, exact, seen = 1, True, 0
    for members in components(problem):
        if members.size > LARGEST:
            return _too_large(members.size, "presses that depend on each other", tell)
        part = _Part.from_problem(problem, members.tolist(), problem.odd[members].tolist())
        states = np.array([(1 << part.size) - 1], dtype=np.int64)
        ways = np.ones(1, dtype=_kind(factorial(part.size)))
        for step in range(part.size):
            limits.check()
            tell(f"press {step + 1} of {part.size}: {states.size:,} sets")
            steps = [(part.first(states, v), 1 << v) for v in range(part.size)]
            pieces = [(states[here] ^ bit, ways[here]) for here, bit in steps]
            states, ways = _merged(pieces, ways.dtype)
            exact &= states.size <= MOST
            states, ways = states[:MOST], ways[:MOST]
        seen += part.size
        number *= int(ways.sum()) * comb(seen, part.size)
    return Count(number, exact, None if exact else f"more than {MOST:,} sets of presses")


def _too_large(size: int, things: str, tell: Progress) -> Count:
    """Return an open count, and show its reason as progress at once."""
    reason = f"{size} {things}: at most {LARGEST} are counted"
    tell(reason)
    return Count(0, False, reason)


def orientations_of_problem(
    problem: OrderingProblem, limits: Limits = NEVER, tell: Progress = silent
) -> Count:
    """Return the number of acyclic orientations with the problem's parities. Raises TimeUp."""
    if odd_component(problem, component_numbers(problem, limits)) is not None:
        return Count(0)
    layout, counts = Blocks.from_problem(problem, limits), list[Count]()
    for start, end in pairwise(layout.start.tolist()):
        members, odd = layout.vertex[start:end].tolist(), layout.odd[start:end].tolist()
        if len(members) > LARGEST:
            counts.append(_too_large(len(members), "vertices of a 2-connected block", tell))
        else:
            counts.append(_orientations(_Part.from_problem(problem, members, odd), limits, tell))
    if any(count.exact and not count.number for count in counts):
        return Count(0)
    reason = next((count.reason for count in counts if not count.exact), None)
    if_any = prod(max(1, count.number) for count in counts)
    return Count(prod(count.number for count in counts), reason is None, reason, if_any)


def _orientations(part: _Part, limits: Limits, tell: Progress) -> Count:
    edges = sum(near.bit_count() for near in part.near) // 2
    kind = _kind(min(1 << edges, factorial(part.size)))
    levels: list[list[tuple[Ints, Any]]] = [[] for _ in range(part.size + 1)]
    everything = np.array([(1 << part.size) - 1], dtype=np.int64)
    levels[part.size].append((everything, np.ones(1, dtype=kind)))
    work = 0
    for size in range(part.size, 0, -1):
        start, weights = _merged(levels[size], kind)
        tell(f"{size} of {part.size} vertices are left: {start.size:,} sets")
        levels[size] = []
        rest, barred, given = start, np.zeros_like(start), -weights
        for v in range(part.size):  # all sets of independent sources, with the sign of their size
            limits.check()
            here = part.first(start, v) & (barred >> v & 1 == 0)
            start = np.concatenate([start, start[here]])
            rest = np.concatenate([rest, rest[here] ^ 1 << v])
            barred = np.concatenate([barred, barred[here] | part.near[v]])
            given = np.concatenate([given, -given[here]])
            work += int(here.sum())
            if work > 8 * MOST:
                return Count(0, False, f"more than {8 * MOST:,} sets of sources")
        left = np.bitwise_count(rest)
        for fewer in range(size):
            here = left == fewer
            levels[fewer].append((rest[here], given[here]))
    return Count(int(_merged(levels[0], kind)[1].sum()))


def _kind(most: int) -> Any:
    """Return the type of counts up to `most`: beyond 2^63 whole numbers of Python."""
    return np.int64 if most < 1 << 63 else object


def _merged(pieces: list[tuple[Ints, Any]], kind: Any) -> tuple[Ints, Any]:
    """Return every state once, with the sum of its weights."""
    nothing = np.empty(0, dtype=np.int64)
    states, place = np.unique(
        np.concatenate([nothing, *(states for states, _ in pieces)]), return_inverse=True
    )
    weights: Any = np.zeros(states.size, dtype=kind)
    np.add.at(weights, place, np.concatenate([nothing.astype(kind), *(w for _, w in pieces)]))
    return states, weights


def each_order(problem: OrderingProblem, limits: Limits = NEVER) -> Iterator[list[int]]:
    """Yield every legal order, as lists of vertices in play order. Raises TimeUp, NeedsMemory.

    >>> list(each_order(OrderingProblem.from_edges(2, [(0, 1)], [0])))
    [[0, 1]]
    """
    yield from _walked(problem, limits, lambda part, v, last: True)


def each_orientation(problem: OrderingProblem, limits: Limits = NEVER) -> Iterator[list[int]]:
    """Yield for every acyclic orientation one of its orders. Raises TimeUp, NeedsMemory."""
    seen = set[bytes]()
    u, v = problem.edges.T

    def wanted(part: _Part, w: int, last: int) -> bool:
        # two neighbours in the order that are none in the graph come in one way only
        return last < 0 or w > last or bool(part.near[w] >> last & 1)

    for order in _walked(problem, limits, wanted):
        place = np.argsort(order)
        name = np.packbits(place[u] < place[v]).tobytes()
        if name not in seen:
            seen.add(name)
            yield order


def _walked(
    problem: OrderingProblem, limits: Limits, wanted: Callable[[_Part, int, int], bool]
) -> Iterator[list[int]]:
    """Yield the orders in which each vertex is wanted after the one before it, −1 for none.

    Depth first. States from which no order leads on are remembered, up to MOST of them.
    """
    if problem.size > LISTED:
        raise NeedsMemory(
            f"{problem.size:,} vertices are too many to list answers (at most {LISTED:,})"
        )
    part = _Part.from_problem(problem, list(range(problem.size)), problem.odd.tolist())
    dead, order, state = set[int](), list[int](), (1 << part.size) - 1
    if not state:
        yield []
        return
    # for every state on the way: what may still come first of it, and whether it leads on
    ways, leads = [part.may_begin(state)], [False]
    while ways:
        limits.check()
        for v in ways[-1]:  # go on with the next vertex that may come
            if not wanted(part, v, order[-1] if order else -1):
                leads[-1] = True  # it leads on in another order
            elif state == 1 << v:
                leads[-1] = True
                yield [*order, v]
            elif state ^ 1 << v not in dead:
                order.append(v)
                state ^= 1 << v
                ways.append(part.may_begin(state))
                leads.append(False)
                break
        else:
            ways.pop()  # none is left: go back, and remember a state that led nowhere
            if not leads.pop() and len(dead) < MOST:
                dead.add(state)
            elif leads:
                leads[-1] = True
            if order:
                state ^= 1 << order.pop()
