"""Press sets that need few presses by estimate, in cosets too large to be listed.

Idea (theory §7.10). A press set S needs |S| + 2·(odd components) presses, nearly always. Search by
transform (`ponder.linear.transform_search`): over a random subspace around the present press set,
the lightest press sets are found by one transform; the odd components of all of them are counted
in one batch (`ponder.ordering.odd_component_batches`), and the one with the least estimate is the
next. The press set itself is among them, or one as good: the estimate sinks slowly and never rises.

Many steps that look at few press sets get further than few steps that look at many: so on a large
board a step counts fewer of them.

Letters: S as in `odd_components`. Cost of a step: 2 ms for the transform, and the components of up
to 60 press sets, 10 ms on 30×30.
"""

from __future__ import annotations

import numpy as np

from ponder.limits import Limits, TimeUp
from ponder.linear.press_sets import PressSets
from ponder.linear.transform_search import TransformSearch
from ponder.ordering.odd_component_batches import OddComponents
from ponder.puzzle.board import Board
from ponder.types import Bits

COUNTED = 1 << 17
"""A step counts the components of so many bulbs: of `FEWEST` press sets at least and `MOST`."""
FEWEST, MOST = 8, 60


def few_by_estimate(
    board: Board,
    sets: PressSets,
    rng: np.random.Generator,
    limits: Limits,
    most: int = 12,
    patience: int = 80,
) -> list[tuple[int, Bits]]:
    """Return the press sets of least estimate that were met, and the estimates, least first.

    The search ends when so many steps in a row have found no better one, or when time is up.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus")
    >>> sets = press_sets(board)
    >>> found = few_by_estimate(board, sets, np.random.default_rng(1), Limits(None))
    >>> found[0][0], len(found)
    (15, 4)
    """
    if board.odd_later is None:
        raise ValueError("under the rule 'any' every order is legal: nothing to estimate")
    counter = OddComponents(board.graph, board.odd_later)
    counted = min(MOST, max(FEWEST, COUNTED // max(1, board.graph.size)))
    met: dict[bytes, tuple[int, Bits]] = {}
    try:
        search = TransformSearch(sets, limits)
        present = 1 << 40
        idle = 0
        while idle < patience:
            limits.check()
            coordinates, weights = search.nearest(search.subspace(rng), counted)
            press_sets = sets.particular ^ sets.kernel.combine(coordinates)
            estimates = weights + 2 * counter.count(press_sets, limits).odd
            for k in np.argsort(estimates, kind="stable")[:most].tolist():
                met[press_sets[k].tobytes()] = int(estimates[k]), press_sets[k]
            best = int(np.argmin(estimates))
            idle += 1
            if estimates[best] <= present:
                idle = idle if estimates[best] == present else 0
                present = int(estimates[best])
                search.move_to(coordinates[best])
            if len(met) > 100 * most:
                met = _least(met, most)
    except TimeUp:
        pass
    return list(_least(met, most).values())


def _least(met: dict[bytes, tuple[int, Bits]], most: int) -> dict[bytes, tuple[int, Bits]]:
    """Return the press sets of least estimate."""
    return dict(sorted(met.items(), key=lambda item: item[1][0])[:most])
