"""The odd components of many press sets at a time, by one labelling of all of them.

Idea. A press set S has no order if its graph has a component X with |E(X)| ≢ |T ∩ X|, an *odd* one
(theory §3.1), and on most boards nearly every press set without an order has one (§3.7). The
pressed bulbs of thousands of press sets are put side by side, as the vertices of one graph, which
is labelled in O(log) vectorised rounds (`ponder.model.components`). The parities of the components
are then two histograms over the labels. On a row/column board no edges are made: a line
with d presses is a clique of d(d − 1)/2 edges, the lines are the vertices, and presses join them.

Letters: |E| edges and n bulbs of the board; K press sets at a time; t, T the parities that the
later neighbours must have (`Board.odd_later`).

Cost. O(K·(n + |E|)·log n), in pieces of bounded memory. Measured, press sets in a second: plus
30×30 20,000, king 20×20 9,000, king 50×50 1,500, torus-king 12×12 60,000.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ponder.model.components import labels
from ponder.model.graph import CrossGraph, Graph
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, bincount, indices

PIECE = 1 << 22  # pairs of a press set and an edge, or a bulb, that are looked at in one piece


class OddComponents:
    """Counts the odd components of press sets of one graph, with parities `odd_later` (t).

    What the graph needs is made once; `count` may be called often.

    >>> from ponder.model.graph import grid_graph
    >>> path = OddComponents(grid_graph("plus", (1, 5)), np.zeros(5, dtype=np.bool_))
    >>> path.count(np.array([[1, 1, 0, 1, 1], [1, 1, 1, 0, 1]])).tolist()
    [2, 0]
    """

    def __init__(self, graph: Graph, odd_later: Bits) -> None:
        self.graph = graph
        self.odd_later = odd_later

    @cached_property
    def ends(self) -> tuple[Ints, Ints] | None:
        """The ends of all edges; None where these are too many to be listed."""
        if self.graph.edge_count() > PIECE:
            return None
        first, second = np.ascontiguousarray(self.graph.edges_within(np.arange(self.graph.size)).T)
        return first, second

    def count(self, press_sets: Bits, limits: Limits = NEVER) -> Ints:
        """Return how many odd components K press sets have: (K, n) bits or bytes to (K,).

        Raises TimeUp if the time is up; it is asked for between the pieces.
        """
        bits = np.asarray(press_sets).astype(np.bool_, copy=False)
        odd = np.empty(len(bits), dtype=np.int64)
        by_lines = isinstance(self.graph, CrossGraph)
        edges = 0 if by_lines or self.ends is None else self.ends[0].size
        step = max(1, PIECE // max(1, self.graph.size, edges))
        for start in range(0, len(bits), step):
            limits.check()
            piece = slice(start, start + step)
            if by_lines:
                odd[piece] = self._by_lines(bits[piece], limits)
            else:
                places, _, least = self.labelled(bits[piece], limits)
                owner = places[least] // self.graph.size
                odd[piece] = bincount(owner, minlength=odd[piece].size)
        return odd

    def labelled(self, bits: Bits, limits: Limits = NEVER) -> tuple[Ints, Ints, Ints]:
        """Label the graph of all pressed edges, whose vertices are the pressed bulbs of K sets.

        Returns the places of the vertices in `bits`, (K, n) read row by row; the least vertex of
        each one's component; and the least vertices of the odd components. Raises TimeUp.
        """
        places = np.flatnonzero(bits)
        vertex = np.empty(bits.size, dtype=np.int64)
        vertex[places] = np.arange(places.size)
        edges = vertex[np.stack(self._pressed(bits), axis=1)]
        label = labels(places.size, edges, limits)
        sums = bincount(label[edges[:, 0]], minlength=places.size)
        sums += bincount(label[vertex[np.flatnonzero(bits & self.odd_later)]], places.size)
        return places, label, np.flatnonzero(sums & 1)

    def _pressed(self, bits: Bits) -> tuple[Ints, Ints]:
        """Return the edges within the press sets, by their ends among K·n bulbs."""
        size = bits.shape[1]
        if self.ends is None:  # a large board: one press set after the other
            pairs = [np.empty((0, 2), dtype=np.int64)]
            for k, chosen in enumerate(bits):
                bulbs = np.flatnonzero(chosen)
                pairs.append(bulbs[self.graph.edges_within(bulbs)] + k * size)
            u, v = np.concatenate(pairs).T
            return u, v
        first, second = self.ends
        both = bits[:, first]
        both &= bits[:, second]
        owner, edge = np.divmod(np.flatnonzero(both), max(1, first.size))
        base = owner * size
        return base + first[edge], base + second[edge]

    def _by_lines(self, bits: Bits, limits: Limits) -> Ints:
        """Label the lines of all press sets; a component's edges are added up over its lines."""
        graph = self.graph
        assert isinstance(graph, CrossGraph)
        across, lines = graph.shape[0], sum(graph.shape)
        owner, bulb = np.nonzero(bits)
        row = owner * lines + graph.rows[bulb]
        column = owner * lines + across + graph.columns[bulb]
        label = labels(len(bits) * lines, np.stack([row, column], axis=1), limits)
        presses = bincount(row, minlength=label.size) + bincount(column, minlength=label.size)
        pairs = presses * (presses - 1) // 2
        sums = np.bincount(indices(label), weights=pairs & 1, minlength=label.size).astype(np.int64)
        sums += bincount(label[row[self.odd_later[bulb]]], minlength=label.size)
        return bincount(np.flatnonzero(sums & 1) // lines, minlength=len(bits))
