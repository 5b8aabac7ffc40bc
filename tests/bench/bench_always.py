"""How soon there is a legal sequence, and how far it is from its bound later on.

Random solvable boards. "A sequence": the linear stage and the first legal sequence, whatever its
length. "Gap": of three boards after 20 s, (presses − bound) / presses.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ponder.find.fewest.fewest_presses import fewest
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.find.solve import solve
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.system.limits import Limits
from tests.bench import Case
from tests.boards import solved_by

KNIGHT = "stencil 1,2 -1,-2 2,1 -2,-1 1,-2 -1,2 2,-1 -2,1"


def solvable(pattern: str, side: int, seed: int, goal: float = 1.0) -> Board:
    """A board that a random press set solves."""
    rng = np.random.default_rng(seed)
    graph = grid_graph(pattern, (side, side))
    return solved_by(graph, rng.random(graph.size) < 0.5, rng.random(graph.size) < goal)


def first(pattern: str, side: int, goal: float = 1.0) -> Callable[[], Callable[[], object]]:
    """The first sequences of several boards."""

    def prepare() -> Callable[[], object]:
        boards = iter([solvable(pattern, side, seed, goal) for seed in range(10)])

        def job() -> str:
            board = next(boards)
            sets = press_sets(board)
            if not isinstance(sets, PressSets):
                raise RuntimeError("the board has no press set")
            found = fewest(board, sets, SearchContext(limits=Limits(0.0)))
            if not isinstance(found, SearchOutcome) or found.presses is None:
                return "no sequence"
            pressed = int(np.count_nonzero(sets.particular))
            return f"nullity {sets.nullity}, {found.presses.size} presses, {pressed} bulbs"

        return job

    return prepare


def gap(pattern: str, side: int) -> Callable[[], Callable[[], object]]:
    """How far sequence and bound are apart after 20 s."""

    def prepare() -> Callable[[], object]:
        boards = [solvable(pattern, side, seed) for seed in range(3)]

        def job() -> str:
            gaps = []
            for board in boards:
                result = solve(board, timeout=20.0)
                count, bound = result.count or 0, result.lower_bound or 0
                gaps.append((count - bound) / count if count else 1.0)
            return "gap " + ", ".join(f"{100 * one:.1f} %" for one in gaps)

        return job

    return prepare


_GAPS = [("king", 30), ("king", 50), ("torus-plus", 20), ("torus-plus", 30), ("torus-plus", 50)]

CASES = [
    *(
        Case(f"a sequence, {pattern} {side}x{side}", 2.0, first(pattern, side), 10, 4)
        for pattern, side in [*_GAPS, ("plus", 100), ("king", 100), ("torus-plus", 100)]
    ),
    Case("a sequence, torus-king 100x100", 2.0, first("torus-king", 100), 10, 4),
    Case("a sequence, knight 100x100", 2.0, first(KNIGHT, 100), 10, 4),
    Case("a sequence, row/column 100x100, any goal", 2.0, first("cross", 100, 0.5), 10, 4),
    Case("a sequence, row/column 101x101, any goal", 2.0, first("cross", 101, 0.5), 10, 4),
    Case("a sequence, king 300x300", 20.0, first("king", 300), 3, 4),
    *(
        Case(f"gap after 20 s, {pattern} {side}x{side}", 66.0, gap(pattern, side), 1, 4)
        for pattern, side in [*_GAPS, ("plus", 100), ("king", 100)]
    ),
]
