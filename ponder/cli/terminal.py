"""Where text goes: answers to standard output, progress and remarks to standard error.

Colours only on a terminal, and never with NO_COLOR. The progress line appears after one second;
on a terminal it is redrawn in place, elsewhere it is written ever more rarely.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

import click

from ponder.system.machine import single_threaded_platform
from ponder.system.printable import LONGEST_REASON, abridged, one_line, printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ponder.model.board import Board
    from ponder.model.render import Paint, Role
    from ponder.system.types import Bits

_AT_ONCE = 1 << 20  # characters that are written together
_PLAIN = bytes([10, *range(32, 127)])  # what any output can show
_OWN_COLOURS = re.compile(r"(\x1b\[[0-9;]*m)")
_STYLES: dict[Role, dict[str, Any]] = {
    "lit": {"fg": "yellow"},
    "unlit": {"dim": True},
    "marked": {"fg": "cyan", "bold": True},
    "good": {"fg": "green", "bold": True},
    "bad": {"fg": "red", "bold": True},
    "dim": {"dim": True},
}


def coloured(stream: TextIO) -> bool:
    """Whether colours may be written to the stream."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def drawn_over(stream: TextIO) -> bool:
    """Whether the stream is a terminal on which the cursor can be moved."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def picture(
    board: Board, lit: Bits | None = None, marked: Bits | None = None, below: int | None = None
) -> list[str]:
    """Return a board as lines for standard output: half blocks where it is a coloured terminal."""
    if coloured(sys.stdout) and not ascii_only():
        columns, lines = shutil.get_terminal_size()
        scale = scale_for(board, columns, lines - (1 if below is None else below))
        if scale is None and below is None:  # it may scroll
            scale = scale_for(board, columns, 1 << 30)
        if scale is not None:
            return half_blocks(board, scale, board.lit if lit is None else lit, marked)
    return drawn(board, lit, marked)


def drawn(board: Board, lit: Bits | None = None, marked: Bits | None = None) -> list[str]:
    """Return a board as lines for standard output, a mark for every bulb."""
    from ponder.model import render

    return render.draw(board, lit, marked, paint=painter(), ascii_only=ascii_only())


def legend(meaning: str) -> list[str]:
    """Return a line that says what `drawn` marks."""
    from ponder.model import render

    return render.legend(meaning, ascii_only=ascii_only())


def painter() -> Paint:
    """Return the function that colours text for standard output."""
    from ponder.model.render import no_paint

    if not coloured(sys.stdout):
        return no_paint

    def paint(text: str, role: Role) -> str:
        return click.style(text, **_STYLES.get(role, {}))

    return paint


def ascii_only() -> bool:
    """Whether standard output cannot show the round marks."""
    try:
        "●○◉◎×".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def say(lines: Iterable[str]) -> None:
    """Write lines to standard output; marks that it cannot show become `?`, control characters
    escapes, but for the colours of `painter` on a terminal.
    """
    shown = _coloured_line if coloured(sys.stdout) else printable
    encoding = sys.stdout.encoding or "ascii"
    for text in _gathered(lines):
        if text.encode("utf-8", "surrogatepass").translate(None, _PLAIN):
            text = "\n".join(map(shown, text.split("\n")))
            text = text.encode(encoding, "replace").decode(encoding)
        click.echo(text, color=True)


def _gathered(lines: Iterable[str]) -> Iterator[str]:
    """Yield many lines as one text; nothing of no line."""
    some: list[str] = []
    size = 0
    for line in lines:
        some.append(line)
        size += len(line)
        if size > _AT_ONCE:
            yield "\n".join(some)
            some, size = [], 0
    if some:
        yield "\n".join(some)


def _coloured_line(line: str) -> str:
    parts = _OWN_COLOURS.split(line)
    return "".join(part if k % 2 else printable(part) for k, part in enumerate(parts))


def remark(text: str | None, quiet: bool = False) -> None:
    """Say something on standard error, on one line, with control characters escaped."""
    if text is not None and not quiet:
        with suppress(OSError):  # nobody hears it: no reason to lose the answer
            click.echo(abridged(one_line(f"ponder: {text}"), LONGEST_REASON), err=True)


class Progress:
    """A progress line for anything over a second; `say`, which solvers call, is an assignment.

    With `every` text there is a line at once for each, on whatever standard error is.
    """

    def __init__(self, quiet: bool = False, first: float = 1.0, *, every: bool = False) -> None:
        self._every = every and not quiet
        self._text = "working"
        self._start = time.perf_counter()
        self._over = threading.Event()
        self._shown = 0
        self._first = first
        self._thread = None
        if not quiet and not every and not single_threaded_platform():
            self._thread = threading.Thread(target=self._run, daemon=True)

    def say(self, text: str) -> None:
        """Tell what is going on."""
        if self._every and text != self._text:
            self._write(self._line(text)[1] + "\n")
        self._text = text

    def __enter__(self) -> Self:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            if self._shown:
                self._write("\r" + " " * self._shown + "\r")

    def _line(self, text: str) -> tuple[float, str]:
        """Return the seconds so far, and a text behind them."""
        from ponder.model.render import seconds_text

        elapsed = time.perf_counter() - self._start
        return elapsed, printable(f"{seconds_text(elapsed)}  {text}")

    def _run(self) -> None:
        live = sys.stderr.isatty()
        wait = self._first
        while not self._over.wait(wait):
            elapsed, line = self._line(self._text)
            if live:
                line = line[:100]
                self._write("\r" + line.ljust(self._shown))
                self._shown = len(line)
                wait = 0.2
            else:
                self._write(line + "\n")
                wait = elapsed  # 1 s, 2 s, 4 s, 8 s, …

    @staticmethod
    def _write(text: str) -> None:
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()


# ------------------------------------------------------------------------------- half blocks

# A board in half blocks: two pixels to a character, so that they are square. The larger the cell
# that the terminal has room for, the more it shows:
#
#     4 pixels   a square for a lit bulb, a ring for an unlit one, the mark in the middle
#     2 pixels   a square in one of two colours, the mark in its corner
#     1 pixel    a colour, marked or not
#
# Colour carries the state in the two small ones. The colours are the terminal's own.

SCALES = (4, 2, 1)

_PAPER, _LIT, _UNLIT, _MARK, _LIT_MARK, _UNLIT_MARK = range(6)
_COLOURS = {_LIT: 93, _UNLIT: 90, _MARK: 91, _LIT_MARK: 95, _UNLIT_MARK: 31}
"""Bright yellow, grey, red, and for single pixels magenta and dark red; plus 10: as background."""


def scale_for(board: Board, columns: int, lines: int) -> int | None:
    """Return the pixels of a cell on a terminal of some size; None where not even one fits."""
    from ponder.model.graph import GridGraph

    if not isinstance(board.graph, GridGraph):
        return None
    height, width = board.graph.shape
    for scale in SCALES:
        if width * scale <= columns and (height * scale + 1) // 2 <= lines:
            return scale
    return None


def half_blocks(board: Board, scale: int, lit: Bits, marked: Bits | None = None) -> list[str]:
    """Return the lines of a picture of a grid board, with colours."""
    import numpy as np

    pixels = _pixels(board, scale, lit, marked)
    if len(pixels) % 2:
        pixels = np.vstack([pixels, np.zeros((1, pixels.shape[1]), dtype=np.int64)])
    return [_line(upper, lower) for upper, lower in zip(pixels[::2], pixels[1::2], strict=True)]


def _pixels(board: Board, scale: int, lit: Bits, marked: Bits | None) -> NDArray[np.int64]:
    """Return what each pixel shows, (R·scale, C·scale)."""
    import numpy as np

    from ponder.model.graph import GridGraph

    graph = board.graph
    assert isinstance(graph, GridGraph)
    state, there = graph.to_grid(lit), graph.to_grid(np.ones_like(lit))
    mark = np.zeros_like(state) if marked is None else graph.to_grid(marked)
    face = np.where(there, np.where(state, _LIT, _UNLIT), _PAPER)
    if scale == 1:
        single = np.where(state, _LIT_MARK, _UNLIT_MARK)
        return np.where(there & mark, single, face)
    pixels = np.repeat(np.repeat(face, scale, axis=0), scale, axis=1)
    if scale == 2:
        pixels[::2, ::2][mark] = _MARK
        return pixels
    pixels[3::4] = pixels[:, 3::4] = _PAPER
    pixels[1::4, 1::4] = np.where(mark, _MARK, np.where(state, face, _PAPER))
    return pixels


def _line(upper: NDArray[np.int64], lower: NDArray[np.int64]) -> str:
    text, style = "", ""
    for above, below in zip(upper.tolist(), lower.tolist(), strict=True):
        if above == below == _PAPER:
            sign, wanted = " ", ""
        elif above == _PAPER:
            sign, wanted = "▄", f"{_COLOURS[below]}"
        elif below == _PAPER:
            sign, wanted = "▀", f"{_COLOURS[above]}"
        else:
            sign, wanted = "▀", f"{_COLOURS[above]};{_COLOURS[below] + 10}"
        if wanted != style:
            text += ("\x1b[0m" if style else "") + (f"\x1b[{wanted}m" if wanted else "")
            style = wanted
        text += sign
    return (text + ("\x1b[0m" if style else "")).rstrip()
