"""Boards on pages for printing: several a page, numbered, with the numbers of rows and columns.

All boards of a sheet have cells of one size, the largest with which each fits into its slot: a page
is a picture whose unit is that cell. Cost: O(bulbs) for each size of a cell that is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ponder.model.graph import GridGraph
from ponder.pictures.scene import NARROW, Scene
from ponder.pictures.shapes import Shape, Strokes, Words
from ponder.system.errors import BoardError

PAPERS = {"a4": (794, 1123), "letter": (816, 1056)}
"""Width and height in pixels, of which an inch has 96."""

_MARGIN, _GAP, _TITLE, _NUMBER = 57, 26, 40, 24
_LARGEST, _SMALLEST = 60, 4  # pixels of a cell


@dataclass(frozen=True)
class Layout:
    """The pages of a sheet: their paper, and how many boards lie beside and below each other."""

    paper: str = "a4"
    columns: int = 2
    rows: int = 3

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a page in pixels."""
        return PAPERS[self.paper]

    @property
    def slot(self) -> tuple[float, float]:
        """Width and height in pixels of what a board may take, its number included."""
        width, height = (side - 2 * _MARGIN for side in self.size)
        across = (width - (self.columns - 1) * _GAP) / self.columns
        return across, (height - _TITLE - (self.rows - 1) * _GAP) / self.rows

    def fitted(self, scenes: Sequence[Scene]) -> list[Scene]:
        """Return scenes whose cells have one size. Raises BoardError where one fits no slot."""
        width, height = self.slot[0] + 0.5, self.slot[1] - _NUMBER + 0.5
        for cell in range(_LARGEST, _SMALLEST - 1, -1):
            tried = [replace(scene, cell=cell) for scene in scenes]
            if all(s.width * cell <= width and s.height * cell <= height for s in tried):
                return tried
        widest = max(scenes, key=lambda scene: max(scene.places.width, scene.places.height))
        raise BoardError(
            f"too large for a page of {self.rows}×{self.columns} boards", widest.board.name
        )


@dataclass(frozen=True)
class Page:
    """One page as a picture: its shapes, and the pixels of its unit, a cell."""

    shapes: tuple[Shape, ...]
    cell: int


def pages(scenes: Sequence[Scene], title: str, layout: Layout) -> Iterator[Page]:
    """Yield the pages of a sheet. Raises BoardError for a board that fits no slot.

    >>> from ponder.model.board import Board
    >>> scene = Scene(Board.from_rows(["01", "10"]))
    >>> [page.cell for page in pages([scene] * 7, "Boards", Layout())]
    [60, 60]
    """
    fitted = layout.fitted(scenes)
    many, (across, down), cell = layout.rows * layout.columns, layout.slot, fitted[0].cell
    for first in range(0, len(fitted), many):
        shapes: list[Shape] = []
        if title:
            middle = (layout.size[0] / 2 / cell, (_MARGIN + 10) / cell)
            shapes.append(Words(*middle, title, 20 / cell, "ink", bold=True))
        for place, scene in enumerate(fitted[first : first + many]):
            row, column = divmod(place, layout.columns)
            x = (_MARGIN + column * (across + _GAP)) / cell
            y = (_MARGIN + _TITLE + row * (down + _GAP)) / cell
            told = Words(x, y + 9 / cell, f"{first + place + 1}.", 15 / cell, "ink", True, "start")
            x += (across / cell - scene.width) / 2
            inside = [*scene.shapes(), *_coordinates(scene)]
            shapes += [told, *(shifted(shape, x, y + _NUMBER / cell) for shape in inside)]
        yield Page(tuple(shapes), cell)


def shifted(shape: Shape, x: float, y: float) -> Shape:
    """Return a shape moved by some cells to the right and down."""
    if isinstance(shape, Strokes):
        ends = tuple((a + x, b + y, c + x, d + y) for a, b, c, d in shape.segments)
        return replace(shape, segments=ends)
    return replace(shape, x=shape.x + x, y=shape.y + y)


def _coordinates(scene: Scene) -> Iterator[Shape]:
    """Yield the numbers of rows and columns, from 1, where no line bits are in their place."""
    graph, places = scene.board.graph, scene.places
    if not isinstance(graph, GridGraph) or places.margin != NARROW:
        return
    for k in range(graph.shape[0]):
        yield Words(scene.left + 0.2, places.margin + k + 0.5, str(k + 1), 0.26, "soft")
    for k in range(graph.shape[1]):
        yield Words(scene.left + places.margin + k + 0.5, 0.2, str(k + 1), 0.26, "soft")
