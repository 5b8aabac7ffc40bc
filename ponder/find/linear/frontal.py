"""Generalised light chasing: a front moves over the bulbs, in any graph (theory §1.4).

Idea. A bulb's press is an affine function of *parameters*, and every equation (closed
neighbourhood) sums up the functions of its bulbs met so far. When the front reaches the last bulb
of an equation, the sum *is* that bulb's press; otherwise the press becomes a new parameter. A
further equation that ends there expresses one of the parameters by the others; a parameter that no
open sum holds any more is free for ever. The way back: read the log of created, expressed and freed
parameters backwards, then chase once forwards with plain bits. A function is a Python integer.

Letters: n bulbs; f the most parameters in use at a time (R × C plus: the shorter side); w the
*width* of the front, the most equations open at a time; e the parameters expressed by others.
Cost: O(n·degree·f/64 + e·w·f/64), O(n·degree + e·f/64) for each solution; memory e·f bits.
Reference: Irons, "A frontal solution program for finite element analysis", 1970.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import reduce
from itertools import pairwise
from operator import or_

import numpy as np

from ponder.find.linear.gf2 import Kernel
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph, GridGraph, StencilGraph
from ponder.system.limits import NEVER, Limits
from ponder.system.machine import MOST_BYTES, refuse_above_limit
from ponder.system.types import Bits, Ints, bincount, ones_of

_BLOCK = 1 << 12  # places whose neighbourhoods are made at a time


class Front:
    """A graph in the order in which the front moves. Everything is numbered by *places* in it.

    `order`        the bulb at every place
    `first`,`last` the first and the last place of every equation
    """

    def __init__(self, graph: Graph, limits: Limits = NEVER) -> None:
        self.graph: Graph = graph
        self.size: int = graph.size
        self.limits: Limits = limits
        self.order: Ints = bulb_order(graph, limits)
        self._place = np.empty(self.size, dtype=np.int64)
        self._place[self.order] = np.arange(self.size)
        self.first: Ints = np.arange(self.size)
        self.last: Ints = np.arange(self.size)
        for start, stop in self.blocks():
            places, owner = self._near(start, stop)
            begin = np.flatnonzero(np.diff(owner, prepend=-1))
            self.first[start:stop] = places[begin]
            self.last[start:stop] = places[np.append(begin[1:], places.size) - 1]

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield all places, some at a time. Raises TimeUp."""
        for start in range(0, self.size, _BLOCK):
            self.limits.check()
            yield start, min(start + _BLOCK, self.size)

    @property
    def width(self) -> int:
        """w: the most equations open at a time."""
        opened = bincount(self.first, minlength=self.size)
        opened -= bincount(self.last, minlength=self.size)
        return int(np.cumsum(opened, out=opened).max(initial=0))

    def near(self, start: int, stop: int) -> list[list[int]]:
        """Return the closed neighbourhoods of the places start … stop−1, ascending."""
        places, owner = self._near(start, stop)
        flat, ends = places.tolist(), bincount(owner, minlength=stop - start).cumsum()
        return [flat[a:b] for a, b in pairwise([0, *ends.tolist()])]

    def _near(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """Return the same flat: the members, and whose they are."""
        members, owner = self.graph.neighbourhoods(self.order[start:stop])
        places = self._place[members]
        if not np.array_equal(members, places):
            places = places[np.lexsort((places, owner))]
        return places, owner


def bulb_order(graph: Graph, limits: Limits = NEVER) -> Ints:
    """Return an order in which a front is narrow: by rows or columns, or breadth first.

    Breadth first by degree, from a vertex of least degree in each component (Cuthill, McKee 1969).
    """
    if not isinstance(graph, EdgeGraph):
        if isinstance(graph, GridGraph):
            by_rows, by_columns = grid_widths(graph)
            if by_columns < by_rows:
                return np.lexsort((graph.rows, graph.columns))
        return np.arange(graph.size, dtype=np.int64)
    degrees = graph.degrees.tolist()
    seen = bytearray(graph.size)
    order: list[int] = []
    for root in np.argsort(graph.degrees, kind="stable").tolist():
        at = len(order)
        if not seen[root]:
            seen[root] = True
            order.append(root)
        while at < len(order):
            limits.check()
            for v in sorted(graph.neighbours(order[at]).tolist(), key=degrees.__getitem__):
                if not seen[v]:
                    seen[v] = True
                    order.append(v)
            at += 1
    return np.array(order, dtype=np.int64)


def grid_widths(graph: GridGraph) -> tuple[int, int]:
    """Return about how wide a front on a grid is, by rows and by columns, in equations."""
    if not isinstance(graph, StencilGraph):
        return graph.size, graph.size
    reach = []
    for axis, side in enumerate(graph.shape):
        steps = [offset[axis] for offset in graph.offsets]
        # on a torus offsets count from 0, so that a step back is a long way forward
        steps = [min(step, side - step) if graph.wraps else abs(step) for step in steps]
        reach.append(max(steps, default=0))
    (rows, columns), (down, right) = graph.shape, reach
    sides = 4 if graph.wraps else 2
    by_rows, by_columns = sides * (down * columns + right), sides * (right * rows + down)
    return min(graph.size, by_rows), min(graph.size, by_columns)


def solve(front: Front, change: Bits) -> tuple[Bits | None, Kernel]:
    """Return a solution of A s = change, (n,), or None, and the kernel of A.

    `change` is (n,), by bulbs. Raises TimeUp if the deadline of the front passes, and NeedsMemory
    if the functions of the parameters need too much.

    >>> from ponder.model.graph import grid_graph
    >>> graph = grid_graph("plus", (5, 5))
    >>> presses, kernel = solve(Front(graph), np.ones(25, dtype=bool))
    >>> bool(graph.apply(presses).all()), kernel.nullity
    (True, 2)
    """
    kernel = _FrontalKernel(front, change)
    if not kernel.solvable:
        return None, kernel
    start = kernel.parameters(np.zeros(kernel.nullity, dtype=np.bool_), constant=True)
    return kernel.presses(start[None, :], change)[0], kernel


# what the log holds for a parameter instead of a function, which would be at least 2
_CREATED, _FREED = 0, 1


class _FrontalKernel(Kernel):
    """The elimination; kernel vectors by the parameters that stayed free.

    `determining`  the equation that determines each place, −1 where a parameter was created
    `log`          (parameter, function that expresses it), or `_CREATED` or `_FREED`
    """

    def __init__(self, front: Front, change: Bits) -> None:
        self.front, self.size, self.limits = front, front.size, front.limits
        self.determining = array("q")
        self.log: list[tuple[int, int]] = []
        self.solvable = True
        self._forwards(change[front.order].tobytes())
        self.nullity = sum(function == _FREED for _, function in self.log)

    def combine(self, coefficients: Bits) -> Bits:
        """Return sums of basis vectors: the log backwards for each, one chase for all."""
        if not len(coefficients):
            return np.zeros((0, self.size), dtype=np.bool_)
        starts = np.stack([self.parameters(row, constant=False) for row in coefficients])
        return self.presses(starts, None)

    def _places(self) -> Iterator[tuple[list[int], list[int]]]:
        """Yield every place's neighbourhood, and the equations that end there."""
        by_end = np.argsort(self.front.last, kind="stable")
        ends = np.append(0, bincount(self.front.last, minlength=self.size).cumsum())
        for start, stop in self.front.blocks():
            here = ends[start : stop + 1]
            flat, cuts = by_end[here[0] : here[-1]].tolist(), (here - here[0]).tolist()
            yield from zip(
                self.front.near(start, stop), [flat[a:b] for a, b in pairwise(cuts)], strict=True
            )

    def _forwards(self, constants: bytes) -> None:
        sums: dict[int, int] = {}  # of the open equations
        vacant: list[int] = []
        used = 0  # one bit for each parameter in use
        places = 0  # place 0 is the constant
        logged = 0  # the bytes of the functions in the log
        for near, equations in self._places():
            determining = equations[0] if equations else -1
            if equations:  # the first equation that ends here determines the press
                function = sums.pop(determining, constants[determining])
            else:  # no equation ends here: the press is a new parameter
                parameter = vacant.pop() if vacant else places + 1
                places = max(places, parameter)
                function = 1 << parameter
                self.log.append((parameter, _CREATED))
                used |= function
            self.determining.append(determining)
            for equation in near:  # add the press to the open equations around it
                if equation != determining:
                    sums[equation] = sums.get(equation, constants[equation]) ^ function
            for equation in equations[1:]:  # a condition on parameters
                self.limits.check()
                condition = sums.pop(equation)
                if condition > 1:
                    parameter = condition.bit_length() - 1
                    for open_equation, function in sums.items():
                        if function >> parameter & 1:
                            sums[open_equation] = function ^ condition
                    self.log.append((parameter, condition))
                    used ^= 1 << parameter
                    vacant.append(parameter)
                    logged += (condition.bit_length() >> 3) + 100
                    if logged > MOST_BYTES:
                        part = len(self.determining) / self.size
                        refuse_above_limit("the elimination of a wide front", int(logged / part))
                else:  # nothing new, so that some parameter is, or will be, free for ever
                    self.solvable = self.solvable and condition == 0
                    freed = used & ~reduce(or_, sums.values(), 0)
                    used ^= freed
                    vacant += self._free(freed)
        self._free(used)

    def _free(self, parameters: int) -> list[int]:
        freed = list(ones_of(parameters))
        self.log += [(parameter, _FREED) for parameter in freed]
        return freed

    def parameters(self, coefficients: Bits, constant: bool) -> Bits:
        """Return the presses of the parameters, given the freed ones: the log backwards."""
        state = int(constant)  # one bit for each parameter in use; the others are 0
        freed = coefficients.tolist()
        values = []
        for step, (parameter, condition) in enumerate(reversed(self.log)):
            if not step % _BLOCK:
                self.limits.check()
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
        packed = np.packbits(starts.T, axis=1, bitorder="little")
        given = iter([int.from_bytes(row.tobytes(), "little") for row in packed])
        sums = [0] * self.size
        if change is not None:
            ones = (1 << count) - 1
            sums = [ones if bit else 0 for bit in change[self.front.order].tobytes()]
        table = np.zeros((self.size, octets), dtype=np.uint8)
        for start, stop in self.front.blocks():
            presses: list[int] = []
            for here, near in enumerate(self.front.near(start, stop), start):
                determining = self.determining[here]
                press = next(given) if determining < 0 else sums[determining]
                presses.append(press)
                if press:
                    for equation in near:
                        sums[equation] ^= press
            data = b"".join([press.to_bytes(octets, "little") for press in presses])
            table[start:stop] = np.frombuffer(data, dtype=np.uint8).reshape(-1, octets)
        bits = np.unpackbits(table, axis=1, count=count, bitorder="little").view(np.bool_)
        by_bulb = np.empty((count, self.size), dtype=np.bool_)
        by_bulb[:, self.front.order] = bits.T
        return by_bulb
