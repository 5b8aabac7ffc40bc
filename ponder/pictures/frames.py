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
MOST_STATES = 60_000_000  # bulbs times presses of an animation, at most


@dataclass(frozen=True, eq=False)
class Frame:
    """A moment.

    `lit`      the state
    `presses`  how many were made
    `pressed`  the bulb that is ringed, if one is
    `toggled`  the bulbs that its press has changed, which flash
    `seconds`  how long it is shown
    `bits`     the line bits of the presses that are left, on boards that have such
    """

    lit: Bits
    presses: int
    pressed: int | None
    toggled: Ints
    seconds: float
    bits: tuple[Bits, Bits] | None = None


def frames_of(board: Board, presses: Ints, speed: float | None = None) -> Iterator[Frame]:
    """Yield an order's frames, `speed` presses a second. Raises BoardError for far too many.

    >>> board = Board.from_rows(["00", "00"], "plus", "any")
    >>> for frame in frames_of(board, np.array([0, 3]), speed=2):
    ...     print(frame.presses, frame.pressed, frame.toggled, frame.lit.astype(int).tolist())
    0 None [] [0, 0, 0, 0]
    0 0 [] [0, 0, 0, 0]
    1 0 [0 1 2] [1, 1, 1, 0]
    1 3 [] [1, 1, 1, 0]
    2 3 [1 2 3] [1, 0, 0, 1]
    2 None [] [1, 0, 0, 1]
    """
    if board.graph.size * presses.size > MOST_STATES:
        raise BoardError(
            f"{presses.size:,} presses on {board.graph.size:,} bulbs are too many for an animation",
            board.name,
        )
    seconds = 1 / speed if speed else max(QUICKEST, min(SLOWEST, WHOLE / max(presses.size, 1)))
    left = bincount(presses, minlength=board.graph.size) % 2 == 1
    state, bits, none = board.lit, line_bits(board, left), np.zeros(0, dtype=np.int64)
    yield Frame(state, 0, None, none, max(seconds, HELD / 3), bits)
    for k, (bulb, after) in enumerate(zip(presses.tolist(), play(board, presses), strict=True), 1):
        if seconds >= AIMED:
            yield Frame(state, k - 1, bulb, none, 0.4 * seconds, bits)
        toggled, state = np.flatnonzero(state != after), after
        if bits is not None and isinstance(board.graph, GridGraph):
            bits = bits[0].copy(), bits[1].copy()
            bits[0][board.graph.rows[bulb]] ^= True
            bits[1][board.graph.columns[bulb]] ^= True
        yield Frame(state, k, bulb, toggled, seconds * (0.6 if seconds >= AIMED else 1.0), bits)
    yield Frame(state, presses.size, None, none, HELD, bits)


@dataclass(frozen=True, eq=False)
class Film:
    """The frames of an order, and what stays.

    `said`   the words below each frame
    `scene`  the board at the start, with line bits, and the longest words
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
        cell: int | None = None,
        limits: Limits = NEVER,
    ) -> Film:
        """Lay an order out, on a board of `side` pixels or with cells of `cell`. Raises TimeUp."""
        frames = list(limits.over(frames_of(board, presses, speed), 1))
        bits = frames[0].bits
        marks = {} if bits is None else {"lines": [bit.tolist() for bit in bits]}
        said = [
            f"press {frame.presses} of {presses.size}, {np.count_nonzero(frame.lit)} lit"
            for frame in frames
        ]
        scene = Scene(board, marks, max(said, key=len), cell=cell or cell_size(board, side))
        return cls(frames, said, scene)
