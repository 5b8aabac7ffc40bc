"""The row reduction as an animation: A | b as a field of squares, an SVG or images.

A filled square is a 1. The press in hand is a band down the matrix, the equation that is added one
across it. Above the matrix a filled mark stands at a press that has an equation of its own, an
open one at a free press; the last column, apart from the others, is b. Small boards show every
step, large ones every press, so that there are no more than MOST_FRAMES frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.pictures.elimination import Frame, frames_of
from ponder.pictures.shapes import Box, Circle, Shape, Words
from ponder.pictures.svg import FONT, Writer, number
from ponder.pictures.themes import THEMES, ThemeName

if TYPE_CHECKING:
    from PIL.Image import Image

    from ponder.linear.row_reduction import RowReduction
    from ponder.puzzle.board import Board

MOST_FRAMES = 260
"""Frames at most; a board with more steps is shown press by press."""

LAST = 3.0
"""Seconds that the last frame stays."""

WHOLE = 45.0
"""Seconds that the whole takes unless told otherwise, at most."""

LEFT, TOP, GAP = 1.0, 2.4, 0.6
"""Cells to the left of the matrix and above it, and between A and b."""


class MatrixFilm:
    """The frames of a row reduction, laid out in cells."""

    def __init__(
        self, found: RowReduction, board: Board, speed: float | None = None, cell: int | None = None
    ) -> None:
        self.size = len(found.matrix)
        whole = len(found.steps) + 2 > MOST_FRAMES
        self.frames = list(frames_of(found, board, whole_stages=whole))
        each = min(0.8, WHOLE / len(self.frames)) if speed is None else 1.0 / speed
        self.seconds = [each] * (len(self.frames) - 1) + [LAST]
        self.cell = cell or max(5, min(24, 620 // (self.size + 4)))
        self.text = min(1.4, max(13 / self.cell, 0.6))
        longest = max(len(frame.words) for frame in self.frames)
        self.width = max(LEFT + self.size + GAP + 2, 2 * LEFT + 0.58 * self.text * min(longest, 80))
        self.height = TOP + self.size + 2.4 * self.text + 0.6
        self.title = f"{board.name}: the row reduction of {self.size} equations"

    def images(self, theme: ThemeName = "light", limits: Limits = NEVER) -> Iterator[Image]:
        """Yield the frames as images. TimeUp."""
        from ponder.pictures.pixels import shapes_image

        size = round(self.width * self.cell), round(self.height * self.cell)
        for frame in self.frames:
            limits.check()
            yield shapes_image(self.shapes(frame), size, self.cell, THEMES[theme])

    def shapes(self, frame: Frame) -> Iterator[Shape]:
        """Yield what is seen of a frame."""
        yield from self._bands(frame)
        yield from self._field()
        for row, column in np.argwhere(frame.rows).tolist():
            yield self._square(row, column, (row, column) in frame.pivots)
        yield from self._known(frame)
        yield self._words(frame.words)

    def document(self, theme: ThemeName = "light", limits: Limits = NEVER) -> str:
        """Return all frames as an SVG that is played for ever. TimeUp."""
        return "\n".join(self._document(Writer(theme), limits))

    def _document(self, writer: Writer, limits: Limits) -> Iterator[str]:
        width, height = number(self.width), number(self.height)
        across, down = round(self.width * self.cell), round(self.height * self.cell)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{across}" height="{down}" role="img" font-family="{FONT}">'
        )
        yield f"<title>{escape(self.title)}</title>"
        yield f"<desc>{escape(self.frames[-1].words)}</desc>"
        yield f'<rect width="{width}" height="{height}" fill="{writer.theme.paper}"/>'
        for k, frame in enumerate(self.frames):
            limits.check()
            yield self._shown([k], "".join(map(writer.shape, self._bands(frame))))
        yield from map(writer.shape, self._field())
        shown = np.array([frame.rows for frame in self.frames])
        for row, column in np.argwhere(shown.any(axis=0)).tolist():
            limits.check()
            when = np.flatnonzero(shown[:, row, column])
            pivot = [k for k in when.tolist() if (row, column) in self.frames[k].pivots]
            plain = np.setdiff1d(when, pivot).tolist()
            yield self._shown(plain, writer.shape(self._square(row, column, False)))
            yield self._shown(pivot, writer.shape(self._square(row, column, True)))
        for k, frame in enumerate(self.frames):
            over = [*self._known(frame), self._words(frame.words)]
            yield self._shown([k], "".join(map(writer.shape, over)))
        yield "</svg>\n"

    def _shown(self, when: list[int], inside: str) -> str:
        """Return elements that are seen in some of the frames only."""
        if not when or not inside:
            return ""
        if len(when) == len(self.frames):
            return inside
        seen = np.zeros(len(self.frames), dtype=np.int64)
        seen[when] = 1
        changes = [0, *(np.flatnonzero(np.diff(seen)) + 1).tolist()]
        ends = np.cumsum(self.seconds)
        times = ";".join("0" if not k else f"{ends[k - 1] / ends[-1]:.5f}"[1:] for k in changes)
        values = ";".join("inline" if seen[k] else "none" for k in changes)
        return (
            f'<g display="none">{inside}<animate attributeName="display" calcMode="discrete" '
            f'dur="{ends[-1]:.2f}s" repeatCount="indefinite" keyTimes="{times}" '
            f'values="{values}"/></g>'
        )

    def _corner(self, row: int, column: int) -> tuple[float, float]:
        return LEFT + column + (GAP if column == self.size else 0), TOP + row

    def _square(self, row: int, column: int, pivot: bool) -> Box:
        x, y = self._corner(row, column)
        return Box(x + 0.12, y + 0.12, 0.76, 0.76, 0.14, fill="dot" if pivot else "ink")

    def _field(self) -> Iterator[Shape]:
        """Yield the frames around A and b."""
        for column, width in ((0, self.size), (self.size, 1)):
            x, y = self._corner(0, column)
            yield Box(x - 0.1, y - 0.1, width + 0.2, self.size + 0.2, 0.2, stroke="ring", line=0.06)

    def _bands(self, frame: Frame) -> Iterator[Shape]:
        """Yield what lies behind the equations and the press in hand."""
        if frame.column is None:
            return
        x, y = self._corner(0, frame.column)
        yield Box(x, y, 1, self.size, 0, fill="mark_fill")
        if frame.source is not None:
            yield Box(LEFT, TOP + frame.source, self.size + GAP + 1, 1, 0, fill="flash")
        for target in frame.targets:
            y = TOP + target
            yield Circle(LEFT - 0.5, y + 0.5, 0.28, fill="mark")

    def _known(self, frame: Frame) -> Iterator[Shape]:
        """Yield the marks above the presses: with an equation of its own, or free."""
        for _, column in frame.pivots:
            yield Circle(self._corner(0, column)[0] + 0.5, TOP - 0.7, 0.28, fill="dot")
        for column in frame.free:
            x = self._corner(0, column)[0] + 0.5
            yield Circle(x, TOP - 0.7, 0.26, stroke="mark", width=0.1)

    def _words(self, words: str) -> Words:
        most = max(20, int((self.width - 2 * LEFT) / (0.55 * self.text)))
        said = words if len(words) <= most else words[: most - 1] + "…"
        y = TOP + self.size + 0.4 + self.text
        return Words(LEFT, y, said, self.text, "ink", anchor="start")
