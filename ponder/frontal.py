"""Generalised light chasing: a front moves over the bulbs, in any graph.

Idea. Take the bulbs in some order. A bulb's press is an affine function of *parameters*, and every
equation (closed neighbourhood) sums up the functions of its bulbs met so far. When the front
reaches the last bulb of an equation, the sum *is* that bulb's press; otherwise the press becomes a
new parameter. A further equation that ends there is a condition on the parameters: it expresses
one of them by the others, which is put into all open sums, and the parameter's place is used
again. So only sums that are open, begun and not ended, are in memory, whatever the number of
holes. A parameter that no open sum holds any more is free for ever, and its place is used again
too; there are `nullity` of them.

The way back: read the log of created, expressed and freed parameters backwards, which gives the
presses of the bulbs that were parameters; then chase once forwards with plain bits.

Letters
    n       the number of bulbs
    f       the most parameters in use at a time (R × C plus: the shorter side)
    w       the *width* of the front: the most equations open at a time
    e       the number of parameters that were expressed by others

A function is one Python integer: bit 0 is the constant, the others are places of parameters;
adding two of them takes some tens of nanoseconds, far less than a call of numpy would.

Cost: O(n·degree·f/64) for the functions, O(e·w·f/64) for the substitutions, O(n·degree + e·f/64)
for each solution.

Reference: Irons, "A frontal solution program for finite element analysis", 1970. Departures: over
GF(2), and equations that merely determine their last bulb (light chasing) cost no elimination.
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import or_

import numpy as np

from ponder.graph import Bits, Graph, GridGraph, Ints, StencilGraph
from ponder.quiet_patterns import Kernel


class Front:
    """A graph in the order in which the front moves. Everything is numbered by *places* in it."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.size = graph, graph.size
        self.order = bulb_order(graph)
        place = np.empty(self.size, dtype=np.int64)
        place[self.order] = np.arange(self.size)
        edges = place[graph.edges_within(np.arange(self.size, dtype=np.int64))].reshape(-1, 2)
        own = np.arange(self.size)
        heads = np.concatenate([edges[:, 0], edges[:, 1], own])
        tails = np.concatenate([edges[:, 1], edges[:, 0], own])
        by_head = np.lexsort((tails, heads))
        self._near = tails[by_head]
        self._starts = np.searchsorted(heads[by_head], np.arange(self.size + 1))

    @property
    def width(self) -> int:
        """w: the most equations open at a time."""
        opened = np.bincount(self._near[self._starts[:-1]], minlength=self.size).cumsum()
        ended = np.bincount(self._last, minlength=self.size).cumsum()
        return int((opened - ended).max(initial=0))

    def near(self) -> list[list[int]]:
        """Return the closed neighbourhood of every place, ascending."""
        flat = self._near.tolist()
        return [flat[a:b] for a, b in pairwise(self._starts.tolist())]

    def ending(self) -> list[list[int]]:
        """Return for every place the equations that end there."""
        flat = np.argsort(self._last, kind="stable").tolist()
        ends = np.bincount(self._last, minlength=self.size).cumsum().tolist()
        return [flat[a:b] for a, b in pairwise([0, *ends])]

    @property
    def _last(self) -> Ints:
        """The last place of every equation."""
        return self._near[self._starts[1:] - 1]


def bulb_order(graph: Graph) -> Ints:
    """Return an order in which a front is narrow: by rows or columns, or breadth first.

    Breadth first by increasing degree, from a vertex of least degree in each component
    (Cuthill, McKee 1969).
    """
    if isinstance(graph, GridGraph):
        by_rows, by_columns = grid_widths(graph)
        if by_columns < by_rows:
            return np.lexsort((graph.rows, graph.columns))
        return np.arange(graph.size, dtype=np.int64)
    near = [graph.neighbours(v).tolist() for v in range(graph.size)]
    by_degree = sorted(range(graph.size), key=lambda v: len(near[v]))
    seen = [False] * graph.size
    order: list[int] = []
    for root in by_degree:
        if seen[root]:
            continue
        seen[root] = True
        at = len(order)
        order.append(root)
        while at < len(order):
            for v in sorted(near[order[at]], key=lambda v: len(near[v])):
                if not seen[v]:
                    seen[v] = True
                    order.append(v)
            at += 1
    return np.array(order, dtype=np.int64)


def grid_widths(graph: GridGraph) -> tuple[int, int]:
    """Return about how wide a front on a grid is, by rows and by columns."""
    if not isinstance(graph, StencilGraph):
        return graph.size, graph.size
    rows, columns = graph.shape
    down = max((abs(dr) for dr, _ in graph.offsets), default=0)
    right = max((abs(dc) for _, dc in graph.offsets), default=0)
    sides = 2
    if graph.wraps:  # offsets count from 0, so that a step back is a long way forward
        down = max((min(dr, rows - dr) for dr, _ in graph.offsets), default=0)
        right = max((min(dc, columns - dc) for _, dc in graph.offsets), default=0)
        sides = 4
    by_rows = sides * (down * columns + right)
    return min(graph.size, by_rows), min(graph.size, sides * (right * rows + down))


def solve(front: Front, change: Bits) -> tuple[Bits | None, Kernel]:
    """Return a solution of A s = change, (n,), or None, and the kernel of A."""
    elimination = _Elimination(front, change)
    kernel = _FrontalKernel(elimination)
    if not elimination.solvable:
        return None, kernel
    start = elimination.parameters(np.zeros(elimination.nullity, dtype=np.bool_), constant=True)
    return elimination.presses(start[None, :], change)[0], kernel


# what the log holds for a parameter instead of a function, which would be at least 2
_CREATED, _FREED = 0, 1


class _Elimination:
    """The way forwards, and both parts of the way back.

    `near`         closed neighbourhoods
    `determining`  the equation that determines each place, −1 where a parameter was created
    `log`          (parameter, function that expresses it), or `_CREATED` or `_FREED`
    `nullity`      how many parameters were freed
    """

    def __init__(self, front: Front, change: Bits) -> None:
        self.front = front
        self.near = front.near()
        self.determining: list[int] = []
        self.log: list[tuple[int, int]] = []
        self.solvable = True
        self.nullity = 0
        self._forwards(front.ending(), change[front.order].astype(np.int64).tolist())

    def _forwards(self, ending: list[list[int]], constants: list[int]) -> None:
        """Move the front over all bulbs."""
        sums: dict[int, int] = {}  # of the open equations
        vacant: list[int] = []
        used = 0  # one bit for each parameter in use
        places = 0  # place 0 is the constant
        for here, equations in enumerate(ending):
            determining = equations[0] if equations else -1
            if equations:
                function = sums.pop(determining, constants[determining])
            else:
                if vacant:
                    parameter = vacant.pop()
                else:
                    parameter = places = places + 1
                function = 1 << parameter
                self.log.append((parameter, _CREATED))
                used |= function
            self.determining.append(determining)
            for equation in self.near[here]:
                if equation != determining:
                    sums[equation] = sums.get(equation, constants[equation]) ^ function
            for equation in equations[1:]:
                condition = sums.pop(equation)
                if condition > 1:
                    parameter = condition.bit_length() - 1
                    for other, function in sums.items():
                        if function >> parameter & 1:
                            sums[other] = function ^ condition
                    self.log.append((parameter, condition))
                    used ^= 1 << parameter
                    vacant.append(parameter)
                else:  # nothing new, so that some parameter is, or will be, free for ever
                    self.solvable = self.solvable and condition == 0
                    freed = _places(used & ~reduce(or_, sums.values(), 0))
                    for parameter in freed:
                        self.log.append((parameter, _FREED))
                        used ^= 1 << parameter
                    vacant += freed
                    self.nullity += len(freed)
        for parameter in _places(used):
            self.log.append((parameter, _FREED))
            self.nullity += 1

    def parameters(self, coefficients: Bits, constant: bool) -> Bits:
        """Return the presses of the bulbs that were parameters, in order: the log backwards.

        `coefficients`, (nullity,), are the freed parameters' values; without the `constant` the
        change is 0.
        """
        state = int(constant)  # one bit for each parameter in use; the others are 0
        freed = coefficients.tolist()
        values = []
        for parameter, condition in reversed(self.log):
            if condition == _CREATED:
                values.append(state >> parameter & 1)
                state &= ~(1 << parameter)
            elif condition == _FREED:
                state |= freed.pop() << parameter
            else:
                state |= ((condition & state).bit_count() & 1) << parameter
        return np.array(values[::-1], dtype=np.bool_)

    def presses(self, starts: Bits, change: Bits | None) -> Bits:
        """Chase forwards: (m, parameters) to (m, n). `change` is the same for all m."""
        count = len(starts)
        octets = (count + 7) // 8
        ones = (1 << count) - 1
        packed = np.packbits(starts.T, axis=1, bitorder="little")
        given = iter([int.from_bytes(row.tobytes(), "little") for row in packed])
        sums = [0] * self.front.size
        if change is not None:
            sums = [ones if bit else 0 for bit in change[self.front.order].tolist()]
        presses: list[int] = []
        for near, determining in zip(self.near, self.determining, strict=True):
            press = next(given) if determining < 0 else sums[determining]
            presses.append(press)
            if press:
                for equation in near:
                    sums[equation] ^= press
        data = b"".join([press.to_bytes(octets, "little") for press in presses])
        table = np.frombuffer(data, dtype=np.uint8).reshape(self.front.size, octets)
        bits = np.unpackbits(table, axis=1, count=count, bitorder="little").view(np.bool_)
        by_bulb = np.empty((count, self.front.size), dtype=np.bool_)
        by_bulb[:, self.front.order] = bits.T
        return by_bulb


class _FrontalKernel(Kernel):
    """Quiet patterns by the parameters that stayed free."""

    def __init__(self, elimination: _Elimination) -> None:
        self._elimination = elimination
        self.size, self.nullity = elimination.front.size, elimination.nullity

    def combine(self, coefficients: Bits) -> Bits:
        """Return sums of basis vectors: the log backwards for each, one chase for all."""
        if not len(coefficients):
            return np.zeros((0, self.size), dtype=np.bool_)
        back = self._elimination.parameters
        starts = np.stack([back(row, constant=False) for row in coefficients])
        return self._elimination.presses(starts, None)


def _places(bits: int) -> list[int]:
    """Return where an integer has ones."""
    found = []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found
