"""An order as a film: what each moment of an animation shows, however it is drawn.

A press is aimed at and then made: first the bulb is ringed, in the state in which the rule lets it
be pressed; then what it toggles has changed, and flashes. Where there are many presses, or little
time for each, only the second is shown. The last frame is held.

Cost: O(presses · bulbs) for all frames, which are made one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ponder.check.replay import play
from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.pictures.marks import line_bits
from ponder.pictures.scene import SIDE, Scene, cell_size
from ponder.system.errors import BoardError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, bincount

SLOWEST, QUICKEST, WHOLE = 0.8, 0.04, 14.0  # seconds for a press at most, at least; for all
AIMED = 0.25  # seconds for a press from which on it is first aimed at
HELD = 3.0  # seconds that the last frame is held; the first one a third of that


MOVING_SIDE = 480  # pixels of the longer side of a board, in images


@dataclass(frozen=True, eq=False)
class Frame:
    """A moment.

    `lit`      the state
    `presses`  how many were made
    `pressed`  the bulb that is ringed, if one is;  `toggled`: its press is made, and flashes
    `seconds`  how long it is shown
    `bits`     the line bits of the presses that are left, on boards that have such
    """

    lit: Bits
    presses: int
    pressed: int | None
    toggled: bool
    seconds: float
    bits: tuple[Bits, Bits] | None = None


MOST_STATES = 60_000_000  # bulbs times presses of an animation, at most


def frames_of(board: Board, presses: Ints, speed: float | None = None) -> Iterator[Frame]:
    """Yield an order's frames, `speed` presses a second. Raises BoardError for far too many.

    >>> board = Board.from_rows(["00", "00"], "plus", "any")
    >>> for frame in frames_of(board, np.array([0, 3]), speed=2):
    ...     print(frame.presses, frame.pressed, frame.toggled, frame.lit.astype(int).tolist())
    0 None False [0, 0, 0, 0]
    0 0 False [0, 0, 0, 0]
    1 0 True [1, 1, 1, 0]
    1 3 False [1, 1, 1, 0]
    2 3 True [1, 0, 0, 1]
    2 None False [1, 0, 0, 1]
    """
    if board.graph.size * presses.size > MOST_STATES:
        raise BoardError(
            f"{presses.size:,} presses on {board.graph.size:,} bulbs are too many for an animation",
            board.name,
        )
    seconds = seconds_each(presses.size, speed)
    left = bincount(presses, minlength=board.graph.size) % 2 == 1
    state, bits = board.lit, line_bits(board, left)
    yield Frame(state, 0, None, False, max(seconds, HELD / 3), bits)
    for k, (bulb, after) in enumerate(zip(presses.tolist(), play(board, presses), strict=True), 1):
        if seconds >= AIMED:
            yield Frame(state, k - 1, bulb, False, 0.4 * seconds, bits)
        state, bits = after, None if bits is None else _flipped(board, bits, bulb)
        yield Frame(state, k, bulb, True, seconds * (0.6 if seconds >= AIMED else 1.0), bits)
    yield Frame(state, presses.size, None, False, HELD, bits)


def seconds_each(presses: int, speed: float | None = None) -> float:
    """Return the seconds that a press is given."""
    if speed is not None:
        return 1 / speed
    return max(QUICKEST, min(SLOWEST, WHOLE / max(presses, 1)))


def frame_words(board: Board, frame: Frame, presses: int) -> str:
    """Return how far an animation is."""
    return f"press {frame.presses} of {presses}, {np.count_nonzero(frame.lit)} lit"


def _flipped(board: Board, bits: tuple[Bits, Bits], bulb: int) -> tuple[Bits, Bits]:
    graph = board.graph
    assert isinstance(graph, GridGraph)
    rows, columns = bits[0].copy(), bits[1].copy()
    rows[graph.rows[bulb]] ^= True
    columns[graph.columns[bulb]] ^= True
    return rows, columns


@dataclass(frozen=True, eq=False)
class Film:
    """The frames of an order, and what stays.

    `said`   the words below each frame; all empty where none are wanted
    `scene`  the board at the start, with line bits if they are shown, and the longest words
    """

    frames: list[Frame]
    said: list[str]
    scene: Scene

    @classmethod
    def of(
        cls,
        board: Board,
        presses: Ints,
        side: int = SIDE,
        *,
        speed: float | None = None,
        label: bool = True,
        lines: bool = True,
        cell: int | None = None,
        limits: Limits = NEVER,
    ) -> Film:
        """Lay an order out, on a board of `side` pixels or with cells of `cell`. Raises TimeUp.

        `speed` in presses a second; `label`: with words on its progress; `lines`: with remaining
        line bits.
        """
        frames = list(limits.over(frames_of(board, presses, speed), 1))
        bits = frames[0].bits if lines else None
        marks = {} if bits is None else {"lines": [bit.tolist() for bit in bits]}
        said = [frame_words(board, frame, presses.size) if label else "" for frame in frames]
        heading = max(said, key=len)
        return cls(frames, said, Scene(board, marks, heading, cell=cell or cell_size(board, side)))
