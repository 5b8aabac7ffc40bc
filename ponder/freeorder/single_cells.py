"""Boards with one lit bulb, or one unlit: which can be put out, and how.

Idea. The board whose only lit bulb is v can be put out iff v is in no quiet pattern (theory §1.1).
All lit is always solvable (§8.2), so the board whose only unlit bulb is v can be put out iff the
one above can, and its press sets are those of v and of all lit, added. Each has 2^d press sets.

Letters: v a bulb, d the nullity.
Cost: the linear stage once for all v, and once for each press set that is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.cosets.coset import coordinates_of, weights
from ponder.limits import NEVER, Limits
from ponder.linear.press_sets import PressSets, kernel, press_sets
from ponder.linear.quiet_patterns import Kernel
from ponder.puzzle.board import Board
from ponder.puzzle.graph import Graph
from ponder.types import Bits

LISTED_NULLITY = 18
"""Nullities up to which a lightest press set is looked for among all of them."""


@dataclass(frozen=True, eq=False)
class SingleCells:
    """The boards of a graph with one lit bulb, or with one unlit bulb, and the goal all unlit."""

    graph: Graph
    quiet: Kernel
    solvable: Bits
    """Which bulbs may be the one, (n,): those in no quiet pattern."""

    def press_set(self, bulb: int, lit: bool = True, limits: Limits = NEVER) -> Bits | None:
        """Return a press set for the board whose only lit (or only unlit) bulb is this, (n,).

        A lightest one for nullities up to 18. None where there is none. TimeUp.

        >>> from ponder.puzzle.graph import grid_graph
        >>> found = single_cells(grid_graph("plus", (5, 5)))
        >>> found.press_set(0) is None, int(found.press_set(12).sum())
        (True, 11)
        """
        if not self.solvable[bulb]:
            return None
        state = np.zeros(self.graph.size, dtype=np.bool_)
        state[bulb] = True
        sets = press_sets(Board(self.graph, state if lit else ~state, np.zeros_like(state)), limits)
        assert isinstance(sets, PressSets)
        if not 0 < sets.nullity <= LISTED_NULLITY:
            return sets.particular
        lightest = int(np.argmin(weights(sets)))
        return sets.member(coordinates_of(lightest, sets.nullity))


def single_cells(graph: Graph, limits: Limits = NEVER) -> SingleCells:
    """Return which boards with one lit bulb can be put out. TimeUp, NeedsMemory.

    >>> from ponder.puzzle.graph import grid_graph
    >>> single_cells(grid_graph("plus", (5, 5))).solvable.reshape(5, 5)[:3].astype(int).tolist()
    [[0, 0, 0, 0, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 0]]
    """
    quiet = kernel(graph, limits)
    solvable: Bits = np.logical_not(np.any(quiet.basis(), axis=0))
    return SingleCells(graph, quiet, solvable)
