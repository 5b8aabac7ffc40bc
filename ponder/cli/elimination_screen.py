"""The row reduction on a terminal: one frame after the other, by keys or by itself."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

from ponder.cli.animate import HIDE, SHOW
from ponder.cli.elimination_text import matrix_lines
from ponder.cli.keys import typed
from ponder.cli.terminal import ascii_only, painter
from ponder.pictures.elimination import Frame, frames_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ponder.linear.row_reduction import RowReduction
    from ponder.puzzle.board import Board
    from ponder.puzzle.render import Coordinates

ASIDE, BACK = "\x1b[?1049h", "\x1b[?1049l"
"""Go to the terminal's second screen, and return to the first as it was."""

KEYS = {
    " ": 1, "\r": 1, "\n": 1, "l": 1, "\x1b[C": 1, "\x1bOC": 1,
    "h": -1, "\x7f": -1, "\x1b[D": -1, "\x1bOD": -1,
}  # fmt: skip
PRESSES = {
    "j": 1, "\x1b[B": 1, "\x1bOB": 1, "\x1b[6~": 1,
    "k": -1, "\x1b[A": -1, "\x1bOA": -1, "\x1b[5~": -1,
}  # fmt: skip
ENDS = {"e": -1, "\x1b[F": -1, "\x1bOF": -1, "\x1b[4~": -1, "\x1b[H": 0, "\x1bOH": 0, "\x1b[1~": 0}
QUIT = {"q", "Q", "\x1b", ""}

HELP = "space on   ← back   ↓ ↑ a press on, back   e to the end   q done"


def show(found: RowReduction, board: Board, coords: Coordinates, speed: float | None) -> None:
    """Show the steps until `q`; with a `speed` in steps a second by themselves, to the end."""
    frames = list(frames_of(found, board, coords=coords))
    out = sys.stdout
    try:
        out.write(ASIDE + HIDE)
        if speed is None:
            with typed() as key:
                _by_keys(frames, key)
        else:
            for frame in frames:
                _put(frame, "")
                time.sleep(1 / speed)
    finally:
        out.write(SHOW + BACK)
        out.flush()


def _by_keys(frames: list[Frame], next_key: Callable[[], str]) -> None:
    at = 0
    while True:
        _put(frames[at], f"{at} of {len(frames) - 1}   {HELP}")
        key = next_key()
        if key in QUIT or (key in KEYS and KEYS[key] > 0 and at == len(frames) - 1):
            return
        if key in KEYS:
            at = max(0, at + KEYS[key])
        elif key in PRESSES:
            at = _next_press(frames, at, PRESSES[key])
        elif key in ENDS:
            at = ENDS[key] % len(frames)


def _next_press(frames: list[Frame], at: int, way: int) -> int:
    """Return the last frame of the next press, or of the one before."""
    ends = [
        k
        for k in range(len(frames))
        if k + 1 == len(frames) or frames[k].column != frames[k + 1].column
    ]
    beyond = [k for k in ends if (k > at if way > 0 else k < at)]
    return (beyond[0] if way > 0 else beyond[-1]) if beyond else at


def _put(frame: Frame, below: str) -> None:
    """Draw a frame over the one before; of a tall matrix, the lines around those in hand."""
    columns, height = shutil.get_terminal_size()
    lines = matrix_lines(frame, painter(), ascii_only())
    room = max(3, height - 4)
    if len(lines) > room:
        middle = (frame.targets or (frame.source or 0,))[0]
        first = max(1, min(len(lines) - room + 1, middle + 1 - room // 2))
        lines = [lines[0], *lines[first : first + room - 1]]
    shown = [*lines, "", frame.words[:columns], below[:columns]]
    sys.stdout.write("\x1b[H" + "".join(f"{line}\x1b[K\n" for line in shown[:-1]))
    sys.stdout.write(f"{shown[-1]}\x1b[K\x1b[J")
    sys.stdout.flush()
