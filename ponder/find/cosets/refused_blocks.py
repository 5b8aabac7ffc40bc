"""Blocks of press sets that were refused an order, to be passed over where they are met again.

Idea (theory §7.10). On dense boards a press set without odd components mostly fails at a block of
three or four bulbs, which nearly all press sets around it have as well. Such a block B is known
again by the presses of B and of all bulbs beside those of its bulbs on which nothing else hangs:
what hangs at one bulb of B forces a parity there that follows from B alone, as all is even (theory
§3.3); at several it mostly does. So this guides a search, and proves nothing.

Letters: B as above; n bulbs. Cost: for each block and press set some twenty bulbs.
"""

from __future__ import annotations

import numpy as np

from ponder.model.graph import Graph
from ponder.system.types import Bits, Ints


class RefusedBlocks:
    """The blocks that were met on one graph.

    >>> from ponder.model.graph import grid_graph
    >>> blocks = RefusedBlocks(grid_graph("plus", (1, 5)))
    >>> pressed = np.array([[1, 1, 0, 0, 0], [1, 1, 0, 0, 1], [1, 1, 1, 0, 0]], dtype=np.bool_)
    >>> blocks.add(pressed[0], np.array([0, 1]))
    >>> blocks.count(pressed).tolist()
    [1, 1, 0]
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._known: dict[bytes, tuple[Ints, Bits]] = {}  # bulbs, and which of them are pressed

    def __len__(self) -> int:
        return len(self._known)

    def add(self, press_set: Bits, block: Ints) -> None:
        """Learn a block of a press set, by its bulbs."""
        near, owner = self._graph.neighbourhoods(block)
        hung = owner[press_set[near] & ~np.isin(near, block)]
        around = np.unique(np.concatenate([block, near[~np.isin(owner, hung)]]))
        pattern = press_set[around]
        self._known[around.tobytes() + pattern.tobytes()] = around, pattern

    def count(self, press_sets: Bits) -> Ints:
        """Return how many of the blocks each press set has. (m, n) -> (m,)."""
        found = np.zeros(len(press_sets), dtype=np.int64)
        for around, pattern in self._known.values():
            found += (press_sets[:, around] == pattern).all(axis=1)
        return found
