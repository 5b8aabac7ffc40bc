"""How many double presses many press sets need at least, thousands of them at a time.

Idea (theory §7.3). Odd components X whose N[X] do not meet need a double press each. Where two
meet, it is at a bulb outside S that both touch, their *helper*.

    small     components of one bulb or two are seen without any labelling
              (`ponder.check.small_components`): 1 µs for a press set of a 30×30 plus board
    apart     all components are labelled. Then, in rounds, whatever odd component has the least
              number of all that it shares a helper with is taken, and these are left out. The
              numbers go by |N[X]|. 90 µs for the same

Letters: S, X, N[X], T as in `odd_components`; n bulbs, D neighbours at most.
Reference. M. Luby, "A simple parallel algorithm for the maximal independent set problem", 1986.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ponder.check.odd_components import MOST_NEAR
from ponder.check.small_components import SmallComponents
from ponder.find.ordering.odd_component_batches import PIECE, OddComponents
from ponder.model.graph import Graph
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, bincount

Numbers = NDArray[np.signedinteger]


class DoublePressBounds:
    """Bounds for the press sets of one graph, with parities `odd_later` (T).

    >>> from ponder.model.graph import grid_graph
    >>> path = DoublePressBounds(grid_graph("plus", (1, 8)), np.zeros(8, dtype=np.bool_))
    >>> pressed = np.array([[1, 1, 0, 1, 1, 0, 1, 1], [1, 1, 0, 1, 1, 1, 1, 0]], dtype=np.bool_)
    >>> [found.tolist() for found in path.apart(pressed)]
    [[3, 2], [3, 2]]
    """

    def __init__(self, graph: Graph, odd_later: Bits, limits: Limits = NEVER) -> None:
        self.size: int = graph.size
        self.limits = limits
        self._components = OddComponents(graph, odd_later)
        edges = graph.edges_within(np.arange(graph.size)).tolist()
        self._widest: int = max(1, graph.size, len(edges))
        near: list[list[int]] = [[] for _ in range(graph.size)]
        for u, v in edges:
            near[u].append(v)
            near[v].append(u)
        self.small: SmallComponents = SmallComponents(near, odd_later)

    @classmethod
    def suits(cls, graph: Graph) -> bool:
        """Whether the bounds can be expected to say anything, at a cost like that stated."""
        if graph.edge_count() > min(PIECE, MOST_NEAR * graph.size):
            return False
        ends = graph.edges_within(np.arange(graph.size)).ravel()
        return bool(bincount(ends, minlength=1).max() <= MOST_NEAR)

    @property
    def at_once(self) -> int:
        """The number of press sets in a piece."""
        return max(8, PIECE // self._widest)

    def apart(self, press_sets: Bits) -> tuple[Ints, Ints]:
        """Return a close lower bound for each press set, and the number of its odd components.

        The bound has the parity of that number. Raises TimeUp.
        """
        doubles, odd = (np.empty(len(press_sets), dtype=np.int64) for _ in range(2))
        for start in range(0, len(press_sets), self.at_once):
            self.limits.check()
            piece = slice(start, start + self.at_once)
            doubles[piece], odd[piece] = self._apart(press_sets[piece])
        return doubles, odd

    def _apart(self, press_sets: Bits) -> tuple[Ints, Ints]:
        """Label the components of all press sets, and take odd ones whose N[X] do not meet."""
        count, size = press_sets.shape
        places, label, names = self._components.labelled(press_sets, self.limits)
        owner = places // size
        odd = bincount(owner[names], minlength=count)
        none = names.size
        number = np.full(places.size, none, dtype=np.int32)
        number[names] = np.arange(none, dtype=np.int32)
        of_bulb = np.full((count, size + 1), none, dtype=np.int32)
        of_bulb.ravel()[places + owner] = number[label]  # one column more
        touched = self._touched(of_bulb, press_sets, none)
        around = bincount(number[label], minlength=none + 1)
        around += bincount(touched.ravel(), minlength=none + 1)
        # number them anew, the smallest |N[X]| first
        order = np.argsort(around[:none], kind="stable")
        place = np.full(none + 1, none, dtype=np.int32)
        place[order] = np.arange(none, dtype=np.int32)
        shared = np.count_nonzero(touched != none, axis=0) > 1
        left_out = _left_out(place[touched[:, shared]], none)
        taken = bincount(owner[names][order][~left_out], minlength=count)
        return taken + (odd - taken) % 2, odd

    def _touched(self, of_bulb: Numbers, press_sets: Bits, none: int) -> Numbers:
        """Return which odd components each helper touches, each once. (D, helpers)."""
        rows, helpers = np.divmod(np.flatnonzero(~press_sets), self.size)
        first = rows * of_bulb.shape[1]
        flat = of_bulb.ravel()
        touched = np.stack([flat[first + near[helpers]] for near in self.small.near])
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
