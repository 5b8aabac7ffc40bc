"""An order as images, frame by frame, with one palette for all of them.

Idea. On a grid a bulb has few looks: lit or unlit, flashing or not, ringed or not, wanted lit by a
goal or not. Each is drawn once, all are reduced to one small palette together, and from then on a
frame is the one before with a few tiles copied over. GIF and PNG pack few colours and large equal
areas best, so small cells have few colours. A graph has wires behind its bulbs: its frames are
drawn whole.

Cost: O(changes · pixels of a tile + pixels) a frame; 430 frames of 30×30 in 0.5 s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.apps.pictures.frames import Film, Frame
from ponder.apps.pictures.pixels import MOST_MOVING, font_of, in_font, rgb, shapes_image
from ponder.apps.pictures.scene import Marks, Scene, square
from ponder.apps.pictures.shapes import THEMES, Bulb, Circle, Shape, Theme, ThemeName, Words
from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.system.errors import BoardError
from ponder.system.limits import NEVER, Limits

if TYPE_CHECKING:
    from PIL.Image import Image

Tile: TypeAlias = NDArray[np.uint8]

SMALL, FEW, MANY = 20, 16, 128  # cells below SMALL pixels are drawn in FEW colours, others in MANY
_SHADES = 6  # from paper to ink, for words


def order_images(
    film: Film, theme: ThemeName = "light", limits: Limits = NEVER
) -> tuple[Iterator[Image], list[float]]:
    """Return the images of an animation, made one at a time, and the seconds of each.

    Raises BoardError if they have too many pixels. Raises TimeUp on the way.

    >>> board = Board.from_rows(["00", "00"], "plus", "any")
    >>> images, seconds = order_images(Film.of(board, np.array([0, 3]), cell=10, label=False))
    >>> [image.size for image in images][:2], len(seconds)
    ([(28, 28), (28, 28)], 6)
    """
    scene, count = film.scene, len(film.frames)
    pixels = count * prod(scene.pixels)
    if pixels > MOST_MOVING:
        raise BoardError(
            f"an animation of {count:,} images with {pixels:,} pixels is too large: "
            "make cells smaller, or an SVG",
            scene.board.name,
        )
    drawn = _tiled if isinstance(scene.board.graph, GridGraph) else _redrawn
    images = limits.over(drawn(film, THEMES[theme]), 1)
    return images, [frame.seconds for frame in film.frames]


def _tiled(film: Film, theme: Theme) -> Iterator[Image]:
    from PIL import Image

    scene, said = film.scene, film.said
    tiles = _Tiles(scene, theme)
    page = np.full(tiles.shape, tiles.shades[0], dtype=np.uint8)
    shown, bits = np.full(len(tiles.corners), -1), np.full(len(tiles.margins), -1)
    for k, (frame, text) in enumerate(zip(film.frames, said, strict=True)):
        looks = _looks(scene.board, frame)
        for v in np.flatnonzero(looks != shown).tolist():
            tiles.put(page, tiles.corners[v], tiles.looks[looks[v]])
        shown = looks
        if "lines" in scene.marks and frame.bits is not None:
            now = np.concatenate(frame.bits).astype(np.int64)
            for j in np.flatnonzero(now != bits).tolist():
                tiles.put(page, tiles.margins[j], tiles.squares[now[j]])
            bits = now
        if text and (k == 0 or text != said[k - 1]):
            tiles.write(page, text)
        image = Image.fromarray(page.copy(), "P")
        image.putpalette(tiles.palette)
        yield image


def _looks(board: Board, frame: Frame) -> NDArray[np.int64]:
    """Return for every bulb which tile shows it."""
    looks = frame.lit.astype(np.int64)
    if board.goal_name == "grid":
        looks += 8 * board.goal
    if frame.pressed is not None:
        looks[frame.pressed] += 4
        if frame.toggled:
            looks[frame.pressed] += 2
            looks[board.graph.neighbours(frame.pressed)] += 2
    return looks


class _Tiles:
    """All that frames are made of, in the numbers of one palette."""

    def __init__(self, scene: Scene, theme: Theme) -> None:
        from PIL import Image

        self.scene, cell = scene, scene.cell
        small = cell < SMALL
        if small:
            theme = replace(theme, glowing=False)
            theme = theme.but({"lit_core": "lit", "lit_edge": "lit", "unlit_core": "unlit"})
        kinds = 16 if scene.board.goal_name == "grid" else 8
        side = 2 * (round(0.6 * cell) // 2)
        papers = theme, theme.but({"paper": "flash"})
        drawn = [
            shapes_image(_look(k), (cell, cell), cell, papers[k >> 1 & 1]) for k in range(kinds)
        ]
        middle = side / cell / 2
        drawn += [
            shapes_image(
                square(middle, middle, filled=filled, marked=False), (side, side), cell, theme
            )
            for filled in (False, True)
        ]
        drawn += [Image.new("RGB", (cell, cell), shade) for shade in _shades(theme)]
        drawn += [Image.new("RGB", (cell, cell), theme["dot"])] * kinds  # a ring is few pixels
        strip = Image.new("RGB", (cell * len(drawn), cell), theme["paper"])
        for k, image in enumerate(drawn):
            strip.paste(image, (k * cell, 0))
        packed = strip.quantize(FEW if small else MANY, dither=Image.Dither.NONE)
        self.palette = packed.getpalette() or []
        numbers = np.asarray(packed)
        cut = [numbers[:, k * cell : (k + 1) * cell] for k in range(len(drawn))]
        self.looks: list[Tile] = cut[:kinds]
        self.squares: list[Tile] = [tile[:side, :side] for tile in cut[kinds : kinds + 2]]
        self.shades = np.array([tile[0, 0] for tile in cut[kinds + 2 :][:_SHADES]], dtype=np.uint8)
        self.shape = scene.pixels[::-1]
        self._place(side)

    def _place(self, side: int) -> None:
        graph, cell, places = self.scene.board.graph, self.scene.cell, self.scene.places
        assert isinstance(graph, GridGraph)
        left = round((self.scene.left + places.margin) * cell)
        top, half = round(places.margin * cell), round(places.margin * cell / 2 - side / 2)
        self.corners = [
            (top + cell * r, left + cell * c)
            for r, c in zip(graph.rows.tolist(), graph.columns.tolist(), strict=True)
        ]
        first = cell // 2 - side // 2
        across = round(self.scene.left * cell) + half
        self.margins = [
            *((top + first + cell * r, across) for r in range(graph.shape[0])),
            *((half, left + first + cell * c) for c in range(graph.shape[1])),
        ]

    @staticmethod
    def put(page: Tile, corner: tuple[int, int], tile: Tile) -> None:
        y, x = corner
        page[y : y + tile.shape[0], x : x + tile.shape[1]] = tile

    def write(self, page: Tile, text: str) -> None:
        """Write words in the place of those before."""
        from PIL import Image, ImageDraw

        line = next(iter(self.scene.words()))
        assert isinstance(line, Words)
        cell, size = self.scene.cell, line.size * self.scene.cell
        top, height = round(line.y * cell - size), round(2 * size)
        fine = Image.new("L", (3 * page.shape[1], 3 * height), 0)
        place = (3 * line.x * cell, 3 * (1.355 * size))
        ImageDraw.Draw(fine).text(
            place, in_font(text), 255, font_of(round(3 * size)), "ls", stroke_width=1
        )
        grey = np.asarray(fine.reduce(3), dtype=np.int64)
        page[top : top + height] = self.shades[(grey * (_SHADES - 1) + 127) // 255]


def _look(number: int) -> Iterator[Shape]:
    """Yield the shapes of a tile: 1 lit, 2 flashing, 4 ringed, 8 wanted lit by the goal."""
    yield Bulb(0.5, 0.5, lit=bool(number & 1))
    if number & 8:
        yield Circle(0.5, 0.5, 0.44, None, "lit_rim", 0.045, dashed=True)
    if number & 4:
        yield Circle(0.5, 0.5, 0.45, None, "dot", 0.07)


def _shades(theme: Theme) -> list[tuple[int, int, int]]:
    paper, ink = rgb(theme["paper"]), rgb(theme["ink"])
    shades = (np.rint(paper + (ink - paper) * k / (_SHADES - 1)) for k in range(_SHADES))
    return [(int(red), int(green), int(blue)) for red, green, blue in shades]


def _redrawn(film: Film, theme: Theme) -> Iterator[Image]:
    """Yield the frames of a graph, each drawn anew, in the colours of the fullest one."""
    from PIL.Image import Dither

    scene, graph = film.scene, film.scene.board.graph

    def drawn(frame: Frame, text: str) -> Image:
        marks: Marks = {}
        flashing: list[int] = []
        if frame.pressed is not None:
            marks["next"] = graph.label(frame.pressed)
            if frame.toggled:
                flashing = [frame.pressed, *graph.neighbours(frame.pressed).tolist()]
        now = replace(scene, marks=marks, lit=frame.lit, flashing=flashing, heading=text)
        return shapes_image(now.shapes(), scene.pixels, scene.cell, theme)

    colours = max(film.frames, key=lambda frame: (frame.toggled, np.count_nonzero(frame.lit)))
    palette = drawn(colours, film.said[-1]).quantize(MANY)
    for frame, text in zip(film.frames, film.said, strict=True):
        yield drawn(frame, text).quantize(palette=palette, dither=Dither.NONE)
