"""Speed of `fewest_lines` on row/column boards, the replay included.

    python -m tests.bench fewest

Even boards are uniformly random: their press sets are too, and four of five have no order without
repeats. A run solves a new board each time. The remark is what the last one needed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle

import numpy as np

from ponder.find.row_column.fewest import fewest_lines
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.studies.generate import board_solved_by
from ponder.system.types import Bits
from tests.bench import Case

BOARDS = 20
"""Different boards of a size that fit in memory many times."""


def random_boards(side: int, count: int = BOARDS) -> list[Board]:
    """Boards where every bulb is lit with probability 1/2."""
    rng = np.random.default_rng(side)
    return [Board.from_grid(rng.random((side, side)) < 0.5) for _ in range(count)]


def one_row(side: int) -> list[Board]:
    """The press set is one whole row: half of all lines end a like path."""
    presses = np.arange(side * side) < side
    return [board_solved_by(presses, CrossGraph((side, side)))]


def sparse(side: int) -> list[Board]:
    """A press set of about one press per line."""
    presses = np.random.default_rng(side).random(side * side) * side < 1
    return [board_solved_by(presses, CrossGraph((side, side)))]


def job(make: Callable[[], list[Board]]) -> Callable[[], object]:
    """Prepare solving: press sets are found and the flow's library is loaded outside the clock."""
    boards = [(board, board.graph.apply(board.change)) for board in make()]
    supply = cycle(boards)
    warm = np.zeros(4, dtype=np.bool_)
    fewest_lines(board_solved_by(warm, CrossGraph((2, 2))), warm)

    def solve() -> str:
        board, press_set = next(supply)
        found = fewest_lines(board, press_set)
        if found.presses is None or not found.optimal:
            return "bound not met"
        replay(board, found.presses)
        return f"{int(press_set.sum())} in S, {found.lower_bound} presses, proved and replayed"

    return solve


def replay(board: Board, presses: np.ndarray) -> None:
    """Check all presses at once: a bulb was toggled by the earlier presses in its lines."""
    graph = board.graph
    if not isinstance(graph, CrossGraph):
        raise TypeError("row/column boards only")
    toggled = ranks(graph.rows[presses]) + ranks(graph.columns[presses]) - ranks(presses)
    if ((board.lit[presses] + toggled) & 1).any():
        raise RuntimeError("a lit bulb is pressed")
    pressed: Bits = (np.bincount(presses, minlength=graph.size) & 1).astype(np.bool_)
    if not np.array_equal(board.lit ^ graph.apply(pressed), board.goal):
        raise RuntimeError("the goal is not reached")


def ranks(keys: np.ndarray) -> np.ndarray:
    """Return how many earlier keys are equal, for every place."""
    by_key = np.argsort(keys, kind="stable")
    sizes = np.bincount(keys)
    found = np.empty_like(keys)
    found[by_key] = np.arange(keys.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return found


CASES = [
    *(
        Case(
            f"fewest: random {side}x{side}", limit, partial(job, partial(random_boards, side)), 200
        )
        for side, limit in [(24, 0.02), (30, 0.02), (100, 0.1)]
    ),
    *(
        Case(
            f"fewest: random {side}x{side}", limit, partial(job, partial(random_boards, side, 3)), 6
        )
        for side, limit in [(300, 0.3), (1000, 3.0), (2000, 12.0)]
    ),
    Case("fewest: one row of 1000x1000", 3.0, partial(job, partial(one_row, 1000))),
    Case("fewest: sparse 1000x1000", 3.0, partial(job, partial(sparse, 1000))),
]
