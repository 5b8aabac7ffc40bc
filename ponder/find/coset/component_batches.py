"""Odd components of thousands of press sets at a time: how many there are, and how many lie apart.

Idea (theory §3.1, §7.3). A component X of a press set S with |E(X)| ≢ |T ∩ X| is *odd*: then S has
no order, and X needs a double press in N[X]. Odd components whose N[X] do not meet need one each.
The pressed bulbs of many press sets are the vertices of one graph, labelled in O(log n) vectorised
rounds. Two N[X] meet at a *helper*, a bulb outside S that both touch: in rounds the odd component
with the least number among all that share a helper with it is taken, and these are left out. The
numbers go by |N[X]|. On row/column boards no edges are made: lines are vertices, presses join them.

Letters: n bulbs, |E| edges, T the bulbs whose later neighbours must be odd in number.
Cost. 50 µs to count the odd components of a press set of a 30×30 plus board, 90 µs for those apart.
Reference. M. Luby, "A simple parallel algorithm for the maximal independent set problem", 1986.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ponder.check.odd_components import MOST_NEAR
from ponder.check.small_components import SmallComponents
from ponder.find.coset.clusters import neighbour_lists
from ponder.model.components import labels
from ponder.model.graph import CrossGraph, Graph
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, bincount, indices

PIECE = 1 << 22  # pairs of a press set and an edge, or a bulb, that are looked at in one piece

Numbers = NDArray[np.signedinteger]


class ComponentBatches:
    """The odd components of many press sets of one graph, with parities `odd_later` (T).

    >>> from ponder.model.graph import grid_graph
    >>> path = ComponentBatches(grid_graph("plus", (1, 8)), np.zeros(8, dtype=np.bool_))
    >>> pressed = np.array([[1, 1, 0, 1, 1, 0, 1, 1], [1, 1, 0, 1, 1, 1, 1, 0]], dtype=np.bool_)
    >>> path.count(pressed).tolist(), [found.tolist() for found in path.apart(pressed)]
    ([3, 2], [[3, 2], [3, 2]])
    """

    def __init__(self, graph: Graph, odd_later: Bits, limits: Limits = NEVER) -> None:
        self.graph: Graph = graph
        self.odd_later: Bits = odd_later
        self.limits: Limits = limits

    @cached_property
    def _ends(self) -> tuple[Ints, Ints]:
        """The ends of all edges."""
        first, second = np.ascontiguousarray(self.graph.edges_within(np.arange(self.graph.size)).T)
        return first, second

    @cached_property
    def small(self) -> SmallComponents | None:
        """Components of one bulb or two; None where bulbs have many neighbours, so all meet."""
        if self.graph.edge_count() > MOST_NEAR * self.graph.size:
            return None
        near = neighbour_lists(self.graph, self.limits)
        if max(map(len, near), default=0) > MOST_NEAR:
            return None
        return SmallComponents(near, self.odd_later, self.limits)

    @cached_property
    def at_once(self) -> int:
        """The number of press sets in a piece."""
        edges = 0 if isinstance(self.graph, CrossGraph) else self.graph.edge_count()
        return max(1, PIECE // max(1, self.graph.size, edges))

    def count(self, press_sets: Bits) -> Ints:
        """Return how many odd components press sets have: (K, n) to (K,). Raises TimeUp."""
        odd = np.empty(len(press_sets), dtype=np.int64)
        for start in range(0, len(press_sets), self.at_once):
            self.limits.check()
            piece = slice(start, start + self.at_once)
            bits = press_sets[piece]
            if isinstance(self.graph, CrossGraph):
                odd[piece] = self._by_lines(self.graph, bits)
            else:
                places, _, least = self._labelled(bits)
                odd[piece] = bincount(places[least] // self.graph.size, minlength=len(bits))
        return odd

    def apart(self, press_sets: Bits) -> tuple[Ints, Ints]:
        """Return a lower bound on the double presses of each press set, and its odd components.

        The bound has the parity of their number. (K, n) to (K,), (K,). Raises TimeUp.
        """
        if self.small is None:
            odd = self.count(press_sets)
            return np.where(odd > 0, 2 - odd % 2, 0), odd
        doubles, odd = (np.empty(len(press_sets), dtype=np.int64) for _ in range(2))
        for start in range(0, len(press_sets), self.at_once):
            self.limits.check()
            piece = slice(start, start + self.at_once)
            doubles[piece], odd[piece] = self._apart(press_sets[piece], self.small.near)
        return doubles, odd

    def _labelled(self, bits: Bits) -> tuple[Ints, Ints, Ints]:
        """Label the graph of all pressed edges, whose vertices are the pressed bulbs of K sets.

        Returns the places of the vertices in `bits`, (K, n) read row by row; the least vertex of
        each one's component; and the least vertices of the odd components.
        """
        places = np.flatnonzero(bits)
        vertex = np.empty(bits.size, dtype=np.int64)
        vertex[places] = np.arange(places.size)
        first, second = self._ends
        pressed = np.flatnonzero(bits[:, first] & bits[:, second])
        owner, edge = np.divmod(pressed, max(1, first.size))
        start = owner * bits.shape[1]
        edges = vertex[np.stack([start + first[edge], start + second[edge]], axis=1)]
        label = labels(places.size, edges, self.limits)
        sums = bincount(label[edges[:, 0]], minlength=places.size)
        sums += bincount(label[vertex[np.flatnonzero(bits & self.odd_later)]], places.size)
        return places, label, np.flatnonzero(sums & 1)

    def _by_lines(self, graph: CrossGraph, bits: Bits) -> Ints:
        """Label the lines of all press sets; a component's edges are added up over its lines."""
        across, lines = graph.shape[0], sum(graph.shape)
        owner, bulb = np.nonzero(bits)
        row = owner * lines + graph.rows[bulb]
        column = owner * lines + across + graph.columns[bulb]
        label = labels(len(bits) * lines, np.stack([row, column], axis=1), self.limits)
        presses = bincount(row, minlength=label.size) + bincount(column, minlength=label.size)
        pairs = presses * (presses - 1) // 2
        sums = np.bincount(indices(label), weights=pairs & 1, minlength=label.size).astype(np.int64)
        sums += bincount(label[row[self.odd_later[bulb]]], minlength=label.size)
        return bincount(np.flatnonzero(sums & 1) // lines, minlength=len(bits))

    def _apart(self, press_sets: Bits, near: Ints) -> tuple[Ints, Ints]:
        """Label the components of all press sets, and take odd ones whose N[X] do not meet."""
        count, size = press_sets.shape
        places, label, names = self._labelled(press_sets)
        owner = places // size
        odd = bincount(owner[names], minlength=count)
        none = names.size
        number = np.full(places.size, none, dtype=np.int32)
        number[names] = np.arange(none, dtype=np.int32)
        of_bulb = np.full((count, size + 1), none, dtype=np.int32)
        of_bulb.ravel()[places + owner] = number[label]  # one column more
        touched = _touched(of_bulb, press_sets, near, none)
        around = bincount(number[label], minlength=none + 1)
        around += bincount(touched.ravel(), minlength=none + 1)
        order = np.argsort(around[:none], kind="stable")  # the smallest |N[X]| first
        place = np.full(none + 1, none, dtype=np.int32)
        place[order] = np.arange(none, dtype=np.int32)
        shared = np.count_nonzero(touched != none, axis=0) > 1
        left_out = _left_out(place[touched[:, shared]], none)
        taken = bincount(owner[names][order][~left_out], minlength=count)
        return taken + (odd - taken) % 2, odd


def _touched(of_bulb: Numbers, press_sets: Bits, near: Ints, none: int) -> Numbers:
    """Return which odd components each helper touches, each once. (D, helpers)."""
    rows, helpers = np.divmod(np.flatnonzero(~press_sets), press_sets.shape[1])
    first = rows * of_bulb.shape[1]
    flat = of_bulb.ravel()
    touched = np.stack([flat[first + neighbours[helpers]] for neighbours in near])
    touched = touched[:, (touched != none).any(axis=0)]
    for k in range(1, len(touched)):
        for before in touched[:k]:
            touched[k][touched[k] == before] = none
    return touched


def _left_out(touched: Numbers, none: int) -> Bits:
    """Return which odd components are left out, so that no helper touches two others. (none,)."""
    open_, left_out = np.ones(none + 1, dtype=np.bool_), np.zeros(none + 1, dtype=np.bool_)
    open_[none] = False
    while touched.size:
        alive = np.where(open_[touched], touched, none)
        beaten = np.zeros(none + 1, dtype=np.bool_)
        beaten[alive[alive != alive.min(axis=0)]] = True
        taken = open_ & ~beaten  # the least wherever they are touched
        lost = touched[:, taken[touched].any(axis=0)]
        lost = lost[open_[lost] & ~taken[lost]]
        left_out[lost] = True
        open_[lost] = False
        open_ &= ~taken
        touched = touched[:, open_[touched].any(axis=0)]
    return left_out[:none]
