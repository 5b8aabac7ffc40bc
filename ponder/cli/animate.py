"""`ponder order --animate`: an order played in place, on a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ponder.pictures.frames import Frame
    from ponder.puzzle.board import Board
    from ponder.puzzle.result import Result

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"
"""Make the cursor go and come back."""

_LAST = 0.5  # seconds for the first and the last frame: they stay on the screen


def check_terminal() -> None:
    """Refuse to play where nothing can be drawn over; a usage error."""
    from ponder.cli.terminal import drawn_over

    if not drawn_over(sys.stdout):
        raise click.UsageError("--animate draws on a terminal, and standard output is none")


def animate(result: Result, speed: float | None) -> None:
    """Play the presses of a result where the cursor stands; Ctrl-C brings the cursor back."""
    from ponder.pictures.frames import frame_words, frames_of

    board, presses = result.board, result.presses
    if presses is None:
        return
    height = 0
    out = sys.stdout
    try:
        out.write(HIDE)
        for frame in frames_of(board, presses, speed):
            lines = [*_picture(board, frame), "", frame_words(board, frame, presses.size)]
            back = f"\x1b[{height}F" if height else ""
            out.write(back + "".join(f"{line}\x1b[K\n" for line in lines))
            out.flush()
            height = len(lines)
            time.sleep(_LAST if frame.pressed is None else frame.seconds)
    finally:
        out.write(SHOW + "\n")
        out.flush()


def _picture(board: Board, frame: Frame) -> list[str]:
    """Return a frame as lines that fit on the terminal."""
    from ponder.cli.terminal import picture
    from ponder.errors import BoardError

    marked = None if frame.pressed is None else board.graph.set_of([frame.pressed])
    lines = picture(board, lit=frame.lit, marked=marked, below=3)
    room = shutil.get_terminal_size().lines - 3
    if len(lines) > room:
        raise BoardError(f"its picture has {len(lines)} lines, the terminal {room}", board.name)
    return lines
