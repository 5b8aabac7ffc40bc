"""A board on a terminal in half blocks: two pixels to a character, so that they are square.

The larger the cell that the terminal has room for, the more it shows:

    4 pixels   a square for a lit bulb, a ring for an unlit one, the mark in the middle
    2 pixels   a square in one of two colours, the mark in its corner
    1 pixel    a colour, marked or not

Colour carries the state in the two small ones, so they are for coloured terminals only; everywhere
else the marks of `ponder.puzzle.render` are written. The colours are the terminal's own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ponder.puzzle.board import Board
from ponder.puzzle.graph import GridGraph
from ponder.types import Bits

SCALES = (4, 2, 1)

_PAPER, _LIT, _UNLIT, _MARK, _LIT_MARK, _UNLIT_MARK = range(6)
_COLOURS = {_LIT: 93, _UNLIT: 90, _MARK: 91, _LIT_MARK: 95, _UNLIT_MARK: 31}
"""Bright yellow, grey, red, and for single pixels magenta and dark red; plus 10: as background."""


def scale_for(board: Board, columns: int, lines: int) -> int | None:
    """Return the pixels of a cell on a terminal of some size; None where not even one fits.

    >>> board = Board.from_rows(["0" * 30] * 30)
    >>> [scale_for(board, *size) for size in ((130, 70), (80, 40), (40, 20), (20, 20))]
    [4, 2, 1, None]
    """
    if not isinstance(board.graph, GridGraph):
        return None
    height, width = board.graph.shape
    for scale in SCALES:
        if width * scale <= columns and (height * scale + 1) // 2 <= lines:
            return scale
    return None


def half_blocks(board: Board, scale: int, lit: Bits, marked: Bits | None = None) -> list[str]:
    """Return the lines of a picture of a grid board, with colours.

    >>> board = Board.from_rows(["01", "1-"])
    >>> [line.replace(chr(27), "^") for line in half_blocks(board, 1, board.lit)]
    ['^[90;103m▀^[0m^[93m▀^[0m']
    """
    pixels = _pixels(board, scale, lit, marked)
    if len(pixels) % 2:
        pixels = np.vstack([pixels, np.zeros((1, pixels.shape[1]), dtype=np.int64)])
    return [_line(upper, lower) for upper, lower in zip(pixels[::2], pixels[1::2], strict=True)]


def _pixels(board: Board, scale: int, lit: Bits, marked: Bits | None) -> NDArray[np.int64]:
    """Return what each pixel shows, (R·scale, C·scale)."""
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
    """Return two rows of pixels as a line of characters."""
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
