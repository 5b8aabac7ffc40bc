"""The row reduction as frames: what the matrix holds, what was done, what to mark.

A row of the matrix is called an equation, so that it is not taken for a row of the board, and a
column a press. Both are counted from 1 in the order of the bulbs. Terminal, SVG and pixels draw
the same frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ponder.linear.row_reduction import RowReduction, Stage, Step
from ponder.printable import agreeing, counted
from ponder.puzzle.board import Board
from ponder.puzzle.render import Coordinates, label_text
from ponder.types import Bits


@dataclass(frozen=True, eq=False)
class Frame:
    """A | b at one moment."""

    rows: Bits
    words: str
    """What has been done last."""

    column: int | None = None
    """The press in hand."""

    source: int | None = None
    """The equation that was added, or swapped up."""

    targets: tuple[int, ...] = ()
    """The equations that changed, besides."""

    pivots: tuple[tuple[int, int], ...] = ()
    free: tuple[int, ...] = ()
    """What is known of the presses so far."""


def frames_of(
    found: RowReduction, board: Board, *, whole_stages: bool = False, coords: Coordinates = "rc"
) -> Iterator[Frame]:
    """Yield the moments of an elimination: after every step, or only after every press.

    >>> from ponder.linear.row_reduction import row_reduction
    >>> board = Board.from_rows(["10"], "plus")
    >>> for frame in frames_of(row_reduction(board), board):
    ...     print(frame.rows.astype(int).tolist(), frame.words)
    [[1, 1, 0], [1, 1, 1]] 2 equations, one a bulb; 2 presses, one a column
    [[1, 1, 0], [0, 0, 1]] press 1 (0,0): add equation 1 to 2
    [[1, 1, 0], [0, 0, 1]] press 2 (0,1): in no equation from 2 on, free
    [[1, 1, 0], [0, 0, 1]] equation 2 says 0 = 1: no press set
    """
    rows = found.start()
    pivots: list[tuple[int, int]] = []
    free: list[int] = []
    yield Frame(rows.copy(), _size_words(len(rows)))
    for stage in found.stages:
        name = (
            f"press {stage.column + 1} {label_text(board, board.graph.label(stage.column), coords)}"
        )
        for group in _groups(stage, whole_stages):
            for step in group:
                step.apply(rows)
            if group is stage.steps or group[-1] is stage.steps[-1]:
                if stage.pivot is None:
                    free.append(stage.column)
                else:
                    pivots.append((stage.pivot, stage.column))
            yield Frame(
                rows.copy(),
                f"{name}: {_done(stage, group, len(pivots) + 1)}",
                stage.column,
                stage.pivot,
                tuple(step.target for step in group),
                tuple(pivots),
                tuple(free),
            )
    yield Frame(rows.copy(), last_words(found), pivots=tuple(pivots), free=tuple(free))


def _groups(stage: Stage, whole: bool) -> Sequence[tuple[Step, ...]]:
    return [stage.steps] if whole or not stage.steps else [(step,) for step in stage.steps]


def _size_words(count: int) -> str:
    return f"{counted(count, 'equation')}, one a bulb; {counted(count, 'press')}, one a column"


def _done(stage: Stage, steps: tuple[Step, ...], following: int) -> str:
    """Return what some steps do, in words."""
    if stage.pivot is None:
        return f"in no equation from {following} on, free"
    if not steps:
        return f"in equation {stage.pivot + 1} alone"
    words = []
    if steps[0].kind == "swap":
        words.append(f"exchange equations {steps[0].source + 1} and {steps[0].target + 1}")
        steps = steps[1:]
    if steps:
        targets = ", ".join(str(step.target + 1) for step in steps)
        words.append(f"add equation {stage.pivot + 1} to {targets}")
    return "; ".join(words)


def last_words(found: RowReduction) -> str:
    """Return what the reduced matrix says.

    >>> import numpy as np
    >>> from ponder.linear.row_reduction import reduce_rows
    >>> last_words(reduce_rows(np.array([[1]], dtype=bool), np.array([True])))
    'rank 1: every press has an equation of its own, one press set'
    """
    wrong = found.contradiction
    if wrong is not None:
        return f"equation {wrong + 1} says 0 = 1: no press set"
    if not found.nullity:
        return f"rank {found.rank}: every press has an equation of its own, one press set"
    free = f"{counted(found.nullity, 'press')} {agreeing(found.nullity, 'is', 'are')} free"
    return f"rank {found.rank}: {free}, 2^{found.nullity} press sets"
