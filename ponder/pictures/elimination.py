"""The row reduction as frames: what the matrix holds, what was done, what to mark.

A row of the matrix is called an equation, as the board has rows too, and a column a press. Both are
counted from 1 in the order of the bulbs. The terminal shows the same frames as `matrix_film`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ponder.find.linear.row_reduction import RowOperation, RowReduction, Stage
from ponder.model.board import Board
from ponder.model.render import Coordinates, label_text
from ponder.pictures.frames import Film
from ponder.pictures.vocabulary import Box, Circle, Role, Shape, Words
from ponder.system.printable import inflect, pluralise, shortened
from ponder.system.types import Bits


@dataclass(frozen=True, eq=False)
class Frame:
    """A | b at one moment, and in `words` what has been done last.

    `column`           the press in hand
    `source`           the equation that was added, or swapped up;  `targets`: others that changed
    `pivots`, `free`   what is known of the presses so far
    """

    rows: Bits
    words: str
    column: int | None = None
    source: int | None = None
    targets: tuple[int, ...] = ()
    pivots: tuple[tuple[int, int], ...] = ()
    free: tuple[int, ...] = ()


def frames_of(
    reduction: RowReduction, board: Board, *, whole_stages: bool = False, coords: Coordinates = "rc"
) -> Iterator[Frame]:
    """Yield the moments of an elimination: after every step, or only after every press.

    >>> from ponder.find.linear.row_reduction import row_reduction
    >>> board = Board.from_rows(["10"], "plus")
    >>> for frame in frames_of(row_reduction(board), board):
    ...     print(frame.rows.astype(int).tolist(), frame.words)
    [[1, 1, 0], [1, 1, 1]] 2 equations, one a bulb; 2 presses, one a column
    [[1, 1, 0], [0, 0, 1]] press 1 (0,0): add equation 1 to 2
    [[1, 1, 0], [0, 0, 1]] press 2 (0,1): in no equation from 2 on, free
    [[1, 1, 0], [0, 0, 1]] equation 2 says 0 = 1: no press set
    """
    rows = np.column_stack([reduction.matrix, reduction.change])
    pivots: list[tuple[int, int]] = []
    free: list[int] = []
    count = len(rows)
    title = f"{pluralise(count, 'equation')}, one a bulb; {pluralise(count, 'press')}, one a column"
    yield Frame(rows.copy(), title)
    for stage in reduction.stages:
        name = (
            f"press {stage.column + 1} {label_text(board, board.graph.label(stage.column), coords)}"
        )
        whole = whole_stages or not stage.steps
        for group in [stage.steps] if whole else [(step,) for step in stage.steps]:
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
    yield Frame(rows.copy(), last_words(reduction), pivots=tuple(pivots), free=tuple(free))


def _done(stage: Stage, steps: tuple[RowOperation, ...], following: int) -> str:
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


def last_words(reduction: RowReduction) -> str:
    """Return what the reduced matrix says."""
    wrong = reduction.contradiction
    if wrong is not None:
        return f"equation {wrong + 1} says 0 = 1: no press set"
    rank, nullity = len(reduction.pivots), len(reduction.free)
    if not nullity:
        return f"rank {rank}: every press has an equation of its own, one press set"
    free = f"{pluralise(nullity, 'press')} {inflect(nullity, 'is', 'are')} free"
    return f"rank {rank}: {free}, 2^{nullity} press sets"


MOST_FRAMES = 260  # frames at most; a board with more steps is shown press by press
LAST, WHOLE = 3.0, 45.0  # seconds of the last frame, and of all unless told otherwise
LEFT, TOP, GAP = 1.0, 2.4, 0.6  # cells to the left of the matrix and above it, and between A and b


def matrix_film(reduction: RowReduction, board: Board, speed: float | None = None) -> Film:
    """Return a row reduction as a film, `speed` steps a second: A | b as a field of squares.

    A full square is a 1. A vertical band marks the current press, a horizontal one the equation
    that is added. Above the matrix, a filled circle marks a press with a pivot and an open one a
    free press. The last column, set apart, is b.
    """
    size = len(reduction.matrix)
    whole_stages = len(reduction.steps) + 2 > MOST_FRAMES
    frames = list(frames_of(reduction, board, whole_stages=whole_stages))
    seconds = min(0.8, WHOLE / len(frames)) if speed is None else 1.0 / speed
    cell = max(5, min(24, 620 // (size + 4)))
    text = min(1.4, max(13 / cell, 0.6))
    longest = max(len(frame.words) for frame in frames)
    width = max(LEFT + size + GAP + 2, 2 * LEFT + 0.58 * text * min(longest, 80))
    most, low = max(20, int((width - 2 * LEFT) / (0.55 * text))), TOP + size + 0.4 + text
    layers: tuple[dict[Shape, Bits], ...] = ({}, {}, {})  # behind, the squares, words
    for k, frame in enumerate(frames):
        words = Words(LEFT, low, shortened(frame.words, most), text, "ink", anchor="start")
        behind, squares = _shapes(frame, size)
        for layer, shapes in zip(layers, (behind, squares, list[Shape]([words])), strict=True):
            for shape in shapes:
                layer.setdefault(shape, np.zeros(len(frames), dtype=np.bool_))[k] = True
    return Film(
        [timed for layer in layers for timed in layer.items()],
        [seconds] * (len(frames) - 1) + [LAST],
        (width, TOP + size + 2.4 * text + 0.6),
        cell,
        f"{board.name}: the row reduction of {size} equations",
        "Row by row",
    )


def _shapes(frame: Frame, size: int) -> tuple[list[Shape], list[Shape]]:
    """Return what lies behind the squares of a frame, and the squares with the marks above them."""

    def across(column: int) -> float:
        return LEFT + column + (GAP if column == size else 0)

    behind, squares = list[Shape](), list[Shape]()
    if frame.column is not None:
        behind.append(Box(across(frame.column), TOP, 1, size, 0, "mark_fill"))
    if frame.source is not None:
        behind.append(Box(LEFT, TOP + frame.source, size + GAP + 1, 1, 0, "flash"))
    for target in frame.targets:
        behind.append(Circle(LEFT - 0.5, TOP + target + 0.5, 0.28, "mark"))
    for column, width in ((0, size), (size, 1)):
        x, high = across(column) - 0.1, size + 0.2
        behind.append(Box(x, TOP - 0.1, width + 0.2, high, 0.2, stroke="ring", line=0.06))
    for row, column in np.argwhere(frame.rows).tolist():
        fill: Role = "dot" if (row, column) in frame.pivots else "ink"
        squares.append(Box(across(column) + 0.12, TOP + row + 0.12, 0.76, 0.76, 0.14, fill))
    for _, column in frame.pivots:
        squares.append(Circle(across(column) + 0.5, TOP - 0.7, 0.28, "dot"))
    for column in frame.free:
        squares.append(Circle(across(column) + 0.5, TOP - 0.7, 0.26, None, "mark", 0.1))
    return behind, squares
