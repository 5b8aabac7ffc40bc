"""How many legal orders and acyclic orientations there are, and all of them one by one.

Idea. What may come first of a set S of vertices are those v with deg_S(v) ≡ t(v); the rest is a
question about S − v. So the orders are the paths from all vertices to none in the table of subsets,
of which only those that are reached are kept, a level of equal size at a time. An orientation has
many orders; it is counted once by its sources, the sets I of independent vertices that may come
first: a(S) = Σ (−1)^(|I|+1) a(S − I) over I not empty. Orders of components are interleaved;
orientations of 2-connected blocks multiply, each with parities of its own: where a block hangs on a
cut vertex, its number of edges says the parity there.

Letters as in theory §2, §3: H the problem's graph, T the odd vertices, n = |V(H)|.

Cost. O(2^n·n) for orders and O(3^n) for orientations of a block, mostly far less. Beyond `MOST`
states a level is thinned out, and what is left is a lower bound.

Reference. D. E. Knuth, TAOCP 4A, 7.1.4 (paths); R. P. Stanley, "Acyclic orientations of graphs",
1973: over all T the orientations are |χ(−1)| together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import comb, factorial, prod
from typing import Any

import numpy as np

from ponder.find.ordering.blocks import BlockLayout, odd_component
from ponder.model.components import component_numbers, components
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.limits import NEVER, Limits, NeedsMemory
from ponder.system.types import Bits, Ints

MOST = 1 << 20  # states of a level
LARGEST = 30  # vertices of a component or a block; 30! < 2^63 / the error of the sums of floats
LISTED = 10_000  # vertices of a problem whose answers are listed: as many masks of as many bits
_WIDE = 1 << 63


@dataclass(frozen=True)
class Count:
    """How many there are, or where it is not `exact` how many at least."""

    number: int
    exact: bool = True

    def __str__(self) -> str:
        """Return the number, with `at least` where it is a bound.

        >>> print(Count(1200), "or", Count(3, exact=False))
        1,200 or at least 3
        """
        return f"{'' if self.exact else 'at least '}{self.number:,}"


@dataclass(frozen=True, eq=False)
class _Part:
    """A component or a block by bits: neighbours, parities, and who must come before whom."""

    near: list[int]
    odd: list[int]
    before: list[int]

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


def count_orders(problem: OrderingProblem, limits: Limits = NEVER) -> Count:
    """Return the number of legal orders of a problem. Raises TimeUp.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)], [0, 2])
    >>> print(count_orders(path))
    2
    """
    number, exact, seen = 1, True, 0
    for part in _components(problem):
        if part is None:
            return Count(0, exact=False)
        found = _orders_of(part, limits)
        seen += part.size
        number *= found.number * comb(seen, part.size)
        exact &= found.exact
    return Count(number, exact)


def count_orientations(problem: OrderingProblem, limits: Limits = NEVER) -> Count:
    """Return the number of acyclic orientations with the problem's parities. Raises TimeUp.

    >>> square = [(0, 1), (1, 2), (2, 3), (0, 3)]
    >>> print(count_orientations(OrderingProblem.from_edges(4, square, [])))
    2
    """
    parts = _blocks(problem, limits)
    open_ = Count(0, exact=False)
    found = [open_ if part is None else _orientations_of(part, limits) for part in parts]
    if any(each.exact and not each.number for each in found):
        return Count(0)
    return Count(prod(each.number for each in found), all(each.exact for each in found))


def count_parities(problem: OrderingProblem, limits: Limits = NEVER) -> Count:
    """Return for how many sets T there is an acyclic T-odd orientation, given arcs included.

    >>> print(count_parities(OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])))
    3
    """
    number, exact = 1, True
    for part in _blocks(problem, limits):
        if part is None:
            return Count(0, exact=False)
        states, full = np.array([0], dtype=np.int64), (1 << part.size) - 1
        for _ in range(part.size):  # a state: the vertices that are out, above them the odd ones
            coming = [np.empty(0, dtype=np.int64)]
            for v in range(part.size):
                left = full & ~states
                mine = states[(left >> v & 1 == 1) & (left & part.before[v] == 0)]
                odd = np.bitwise_count(full & ~mine & part.near[v]).astype(np.int64) & 1
                coming.append(mine | 1 << v | odd << v + part.size)
            limits.check()
            states = np.unique(np.concatenate(coming))
            exact &= states.size <= MOST
            states = states[:MOST]
        number *= states.size
    return Count(number, exact)


def all_orders(problem: OrderingProblem, limits: Limits = NEVER) -> Iterator[list[int]]:
    """Yield every legal order, as lists of vertices in play order. Raises TimeUp, NeedsMemory.

    >>> edge = OrderingProblem.from_edges(2, [(0, 1)], [0])
    >>> list(all_orders(edge))
    [[0, 1]]
    """
    yield from _walked(_whole(problem), limits, lambda v, last: True)


def all_orientations(problem: OrderingProblem, limits: Limits = NEVER) -> Iterator[list[int]]:
    """Yield for every acyclic orientation one of its orders. Raises TimeUp, NeedsMemory.

    >>> len(list(all_orientations(OrderingProblem.from_edges(3, [], []))))
    1
    """
    seen = set[bytes]()
    part = _whole(problem)
    u, v = problem.edges.T

    def wanted(w: int, last: int) -> bool:
        # two neighbours in the order that are none in the graph come in one way only
        return last < 0 or w > last or bool(part.near[w] >> last & 1)

    for order in _walked(part, limits, wanted):
        place = np.argsort(order)
        name = np.packbits(place[u] < place[v]).tobytes()
        if name not in seen:
            seen.add(name)
            yield order


def _whole(problem: OrderingProblem) -> _Part:
    """Return all of a problem as one part. Raises NeedsMemory where its masks would be long."""
    if problem.size > LISTED:
        raise NeedsMemory(
            f"{problem.size:,} vertices are too many to list answers (at most {LISTED:,})"
        )
    return _part(problem, list(range(problem.size)), problem.odd.tolist())


def _walked(part: _Part, limits: Limits, wanted: Callable[[int, int], bool]) -> Iterator[list[int]]:
    """Yield the orders in which each vertex is wanted after the one before it, −1 for none.

    Depth first. States from which no order leads on are remembered, up to MOST of them.
    """
    dead = set[int]()
    order: list[int] = []
    state = (1 << part.size) - 1
    # for every state on the way: what may still come first of it, and whether it leads on
    ways, some = [part.may_begin(state)], [False]
    if not state:
        yield []
        return
    while ways:
        limits.check()
        for v in ways[-1]:  # go on with the next vertex that may come
            if not wanted(v, order[-1] if order else -1):
                some[-1] = True  # it leads on in another order
            elif state == 1 << v:
                some[-1] = True
                yield [*order, v]
            elif state ^ 1 << v not in dead:
                order.append(v)
                state ^= 1 << v
                ways.append(part.may_begin(state))
                some.append(False)
                break
        else:
            ways.pop()  # none is left: go back, and remember a state that led nowhere
            if not some.pop() and len(dead) < MOST:
                dead.add(state)
            elif some:
                some[-1] = True
            if order:
                state ^= 1 << order.pop()


def _orders_of(part: _Part, limits: Limits) -> Count:
    states, exact = np.array([(1 << part.size) - 1], dtype=np.int64), True
    whole, about = np.ones(1, dtype=np.uint64), np.ones(1)  # modulo 2^64, and nearly
    for _ in range(part.size):
        limits.check()
        coming, given, near = [], [], []
        for v in range(part.size):
            here = part.first(states, v)
            coming.append(states[here] ^ 1 << v)
            given.append(whole[here])
            near.append(about[here])
        states, place = np.unique(np.concatenate(coming), return_inverse=True)
        if not states.size:
            return Count(0, exact)
        whole, about = np.zeros(states.size, dtype=np.uint64), np.zeros(states.size)
        np.add.at(whole, place, np.concatenate(given))
        np.add.at(about, place, np.concatenate(near))
        if states.size > MOST:
            most = np.argsort(-about, kind="stable")[:MOST]
            states, whole, about, exact = states[most], whole[most], about[most], False
    rest, near_to = int(whole[0]), int(about[0])
    return Count(near_to + (rest - near_to + _WIDE) % (2 * _WIDE) - _WIDE, exact)


def _orientations_of(part: _Part, limits: Limits) -> Count:
    edges = sum(near.bit_count() for near in part.near) // 2
    small = min(1 << edges, factorial(part.size)) < _WIDE
    kind: type = np.int64 if small else object  # beyond 2^63 whole numbers of Python
    levels: list[list[tuple[Ints, Ints]]] = [[] for _ in range(part.size + 1)]
    levels[part.size].append(
        (np.array([(1 << part.size) - 1], dtype=np.int64), np.ones(1, dtype=kind))
    )
    work = 0
    for size in range(part.size, 0, -1):
        if not levels[size]:
            continue
        states, weights = _merged(levels[size], kind)
        levels[size] = []
        rest, barred, given = states, np.zeros_like(states), -weights
        start = states
        for v in range(part.size):  # all sets of independent sources, with the sign of their size
            limits.check()
            here = part.first(start, v) & (barred >> v & 1 == 0)
            start = np.concatenate([start, start[here]])
            rest = np.concatenate([rest, rest[here] ^ 1 << v])
            barred = np.concatenate([barred, barred[here] | part.near[v]])
            given = np.concatenate([given, -given[here]])
            work += int(here.sum())
            if work > 8 * MOST:
                return Count(0, exact=False)
        left = np.bitwise_count(rest)  # sort what is left by its size
        for fewer in range(size):
            here = left == fewer
            if here.any():
                levels[fewer].append((rest[here], given[here]))
    return Count(int(_merged(levels[0], kind)[1].sum()) if levels[0] else 0)


def _merged(pieces: list[tuple[Ints, Ints]], kind: type) -> tuple[Ints, Ints]:
    """Return every state once, with the sum of its weights."""
    states, place = np.unique(np.concatenate([s for s, _ in pieces]), return_inverse=True)
    weights: Any = np.zeros(states.size, dtype=kind)
    np.add.at(weights, place, np.concatenate([w for _, w in pieces]))
    return states, weights


def _components(problem: OrderingProblem) -> Iterator[_Part | None]:
    """Yield the components; None for one too large."""
    for part in components(problem):
        fits = part.size <= LARGEST
        yield _part(problem, part.tolist(), problem.odd[part].tolist()) if fits else None


def _blocks(problem: OrderingProblem, limits: Limits) -> Iterator[_Part | None]:
    """Yield the blocks with the parities left to them, None for one too large; raises TimeUp."""
    layout = BlockLayout.of(problem, limits)
    for start, end in pairwise(layout.start.tolist()):
        part, odd = layout.vertex[start:end].tolist(), layout.odd[start:end].tolist()
        yield _part(problem, part, odd) if len(part) <= LARGEST else None
    if odd_component(problem, component_numbers(problem, limits)) is not None:
        yield _Part([0], [1], [0])  # a vertex that no edge can make odd


def _part(problem: OrderingProblem, part: list[int], odd: list[bool]) -> _Part:
    place = {v: k for k, v in enumerate(part)}
    near = [sum(1 << place[w] for w in problem.neighbours[v] if w in place) for v in part]
    before = [0] * len(part)
    for u, v in [] if problem.fixed is None else problem.fixed.tolist():
        if u in place and v in place:
            before[place[v]] |= 1 << place[u]
    return _Part(near, [int(bit) for bit in odd], before)
