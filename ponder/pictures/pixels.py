"""A scene in pixels, by Pillow: drawn three times as large and then reduced; images as files.

Bulbs are drawn once for each state and copied. The font is the one that Pillow brings along, so
that a picture is the same on every machine; missing glyphs fall back to others.

Cost: O(pixels).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import prod
from typing import IO, TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.pictures.frames import Film, Frame
from ponder.pictures.scene import Marks, Scene, square
from ponder.pictures.shapes import (
    DISC,
    THEMES,
    Box,
    Bulb,
    Circle,
    Shape,
    Strokes,
    Theme,
    ThemeName,
    Words,
)
from ponder.system.errors import BoardError
from ponder.system.limits import NEVER, Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont


FINER = 3  # how many times larger is drawn than is shown
MOST_PIXELS = 12_000_000  # pixels of a picture, at most
MOST_MOVING = 800_000_000  # pixels of an animation, at most: Pillow holds a byte or two of each

_OTHER_SIGNS = str.maketrans({"×": "x", "…": "...", "“": '"', "”": '"', "≥": ">=", "≤": "<="})


def scene_image(scene: Scene, theme: ThemeName = "light", limits: Limits = NEVER) -> Image:
    """Return a scene as an image. Raises BoardError for too many pixels, TimeUp."""
    return shapes_image(scene.shapes(), scene.pixels, scene.cell, THEMES[theme], limits)


def shapes_image(
    shapes: Iterable[Shape],
    size: tuple[int, int],
    cell: float,
    theme: Theme,
    limits: Limits = NEVER,
) -> Image:
    """Return shapes on paper as an image of some width and height."""
    if size[0] * size[1] > MOST_PIXELS:
        pixels = f"{size[0]}×{size[1]} pixels"
        raise BoardError(f"a picture of {pixels} is too large: make cells smaller")
    canvas = Canvas(size, cell, theme)
    for shape in shapes:
        limits.check()
        canvas.draw(shape)
    return canvas.reduced()


class Canvas:
    """An image, `FINER` times as large, and what draws shapes on it."""

    def __init__(self, size: tuple[int, int], cell: float, theme: Theme) -> None:
        from PIL import Image, ImageDraw

        self.theme = theme
        self.unit: float = cell * FINER
        self.image = Image.new("RGB", (size[0] * FINER, size[1] * FINER), theme["paper"])
        self.pen: ImageDraw.ImageDraw = ImageDraw.Draw(self.image)
        self.sprites: dict[bool, Image.Image] = {}

    def reduced(self) -> Image:
        """Return what was drawn, in the size that was asked for."""
        return self.image.reduce(FINER)

    def draw(self, shape: Shape) -> None:
        """Draw one shape."""
        match shape:
            case Bulb():
                self._bulb(shape)
            case Circle():
                self._circle(shape)
            case Box():
                if shape.hatched:
                    self._hatched(shape)
                else:
                    self._box(shape)
            case Strokes():
                if self.theme.cased and shape.width < 0.3 and shape.stroke == "mark":
                    self._strokes(Strokes(shape.segments, "card", shape.width + 0.08))
                self._strokes(shape)
            case Words():
                self._words(shape)

    def _bulb(self, bulb: Bulb) -> None:
        from PIL import Image

        side = max(1, round(self.unit))
        if bulb.lit not in self.sprites:
            self.sprites[bulb.lit] = Image.fromarray(
                bulb_pixels(side, bulb.lit, self.theme), "RGBA"
            )
        corner = round(bulb.x * self.unit - side / 2), round(bulb.y * self.unit - side / 2)
        self.image.paste(self.sprites[bulb.lit], corner, self.sprites[bulb.lit])

    def _around(self, x: float, y: float, radius: float) -> tuple[float, float, float, float]:
        x, y, radius = x * self.unit, y * self.unit, radius * self.unit
        return x - radius, y - radius, x + radius, y + radius

    def _circle(self, circle: Circle) -> None:
        box = self._around(circle.x, circle.y, circle.radius + circle.width / 2)
        fill = self.theme.get(circle.fill)
        if circle.stroke is None:
            self.pen.ellipse(box, fill)
            return
        stroke, width = self.theme[circle.stroke], self._thickness(circle.width)
        if circle.dashed:
            for angle in range(0, 360, 20):
                self.pen.arc(box, angle, angle + 10, stroke, width)
        else:
            self.pen.ellipse(box, fill, stroke, width)

    def _thickness(self, width: float) -> int:
        return max(FINER, round(width * self.unit))

    def _box(self, box: Box) -> None:
        x, y = box.x * self.unit, box.y * self.unit
        corners = (x, y, x + box.width * self.unit, y + box.height * self.unit)
        fill, stroke = self.theme.get(box.fill), self.theme.get(box.stroke)
        width = self._thickness(box.line) if stroke else 0
        self.pen.rounded_rectangle(corners, box.corner * self.unit, fill, stroke, width)

    def _hatched(self, box: Box) -> None:
        """Draw a box that is filled with slanting lines, which go on in the next one."""
        from PIL import Image, ImageDraw

        x, y = round(box.x * self.unit), round(box.y * self.unit)
        width, height = round(box.width * self.unit), round(box.height * self.unit)
        inside, lines = (Image.new("L", (width, height), 0) for _ in range(2))
        corner = box.corner * self.unit
        ImageDraw.Draw(inside).rounded_rectangle((0, 0, width - 1, height - 1), corner, 150)
        pen, step = ImageDraw.Draw(lines), max(3 * FINER, round(0.15 * self.unit))
        first = -(x + y) % step - height - step
        for across in range(first - first % step - (x + y) % step, width + height + step, step):
            pen.line((across, 0, across - height, height), 255, max(FINER, round(step * 0.4)))
        mask = Image.new("L", (width, height), 0)
        mask.paste(inside, (0, 0), lines)
        self.image.paste(self.theme["mark"], (x, y, x + width, y + height), mask)
        self._box(Box(box.x, box.y, box.width, box.height, box.corner, None, box.stroke, box.line))

    def _strokes(self, strokes: Strokes) -> None:
        colour, width = self.theme[strokes.stroke], strokes.width
        thick = self._thickness(width)
        for x, y, u, v in strokes.segments:
            if (x, y) != (u, v):
                ends = (x * self.unit, y * self.unit, u * self.unit, v * self.unit)
                self.pen.line(ends, colour, thick)
                self.pen.ellipse(self._around(u, v, width / 2), colour)
            self.pen.ellipse(self._around(x, y, width / 2), colour)

    def _words(self, words: Words) -> None:
        font = font_of(max(1, round(words.size * self.unit)))
        place = words.x * self.unit, (words.y + 0.355 * words.size) * self.unit
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[words.anchor]
        colour = self.theme[words.colour]
        bold = max(1, round(0.03 * words.size * self.unit)) if words.bold else 0
        self.pen.text(
            place, in_font(words.text), colour, font, anchor, stroke_width=bold, stroke_fill=colour
        )


@cache
def font_of(size: int) -> FreeTypeFont:
    """Return the font of a size in pixels."""
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def in_font(text: str) -> str:
    """Return a text in signs that the font has."""
    known = text.translate(_OTHER_SIGNS)
    return "".join(sign if " " <= sign <= "~" else "?" for sign in known)


def bulb_pixels(side: int, lit: bool, theme: Theme) -> NDArray[np.uint8]:
    """Return a bulb as red, green, blue and opacity, (side, side, 4), on no paper."""
    steps = (np.arange(side) + 0.5) / side - 0.5
    x, y = np.meshgrid(steps, steps)
    away = np.hypot(x, y)
    if lit:
        spot = np.hypot(x + 0.1, y + 0.12) / 0.54
        face = _blend(spot, (0.0, 0.5, 1.0), (theme["lit_core"], theme["lit"], theme["lit_edge"]))
        rim, radius, width = theme["lit_rim"], DISC, 0.022 if theme.glowing else 0.05
    else:
        spot = np.hypot(x - 0.06, y - 0.1) / 0.4
        face = _blend(spot, (0.0, 1.0), (theme["unlit_core"], theme["unlit"]))
        rim, radius, width = theme["ring"], DISC - 0.025, 0.05
    width = max(width, 1.0 * FINER / side)
    found = np.empty((side, side, 4))
    on_rim = _covers(away - (radius - width / 2), side)
    found[..., :3] = face + on_rim[..., None] * (rgb(rim) - face)
    inside = 1 - _covers(away - (radius + width / 2), side)
    found[..., 3] = 255 * inside
    if lit and theme.glowing:
        glow = 0.5 * np.clip((0.5 - away) / 0.2, 0, 1)
        found[..., :3] = np.where(inside[..., None] > 0, found[..., :3], rgb(theme["glow"]))
        found[..., 3] = 255 * np.maximum(inside, glow)
    return np.asarray(np.rint(found), dtype=np.uint8)


def _covers(distance: NDArray[np.float64], side: int) -> NDArray[np.float64]:
    """Return how much of each pixel lies beyond an edge: 0 inside, 1 outside."""
    covered: NDArray[np.float64] = np.clip(distance * side + 0.5, 0, 1)
    return covered


def _blend(
    where: NDArray[np.float64], stops: tuple[float, ...], colours: tuple[str, ...]
) -> NDArray[np.float64]:
    channels = np.array([rgb(colour) for colour in colours]).T
    return np.stack([np.interp(where, stops, channel) for channel in channels], axis=-1)


def rgb(colour: str) -> NDArray[np.float64]:
    """Return #rrggbb as three numbers."""
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], dtype=np.float64)


def write_image(file: IO[bytes], image: Image) -> None:
    """Write one image as PNG."""
    image.save(file, "PNG", optimize=image.width * image.height < 1_000_000)


def write_images(
    file: IO[bytes], images: Iterable[Image], seconds: Sequence[float], form: str
) -> None:
    """Write images as a `gif` or an `apng` that loops, each for its `seconds`.

    They may be made one at a time, but Pillow keeps them until it writes: with a palette that all
    share they take a byte a pixel, and the files are much smaller. A GIF has 256 colours at most.
    An image that does not differ from the one before makes that one last longer.

    >>> import io
    >>> from PIL import Image
    >>> written = io.BytesIO()
    >>> write_images(written, [Image.new("L", (8, 8), k) for k in (0, 9)], [0.5, 1.0], "gif")
    >>> Image.open(written).n_frames
    2
    """
    every = iter(images)
    first = next(every)
    shown = [max(10, 10 * round(100 * each)) for each in seconds]  # GIF counts hundredths
    kind, more = ("GIF", every) if form == "gif" else ("PNG", list(every))  # PNG looks twice
    first.save(file, kind, save_all=True, append_images=more, duration=shown, loop=0)


Tile: TypeAlias = NDArray[np.uint8]

SMALL, FEW, MANY = 20, 16, 128  # cells below SMALL pixels are drawn in FEW colours, others in MANY
# --------------------------------------------------------------- an order as images, frame by frame

# On a grid a bulb has few looks: lit or unlit, flashing or not, ringed or not, wanted lit by a goal
# or not. Each is drawn once, all are reduced to one small palette together, and from then on a
# frame is the one before with a few tiles copied over. GIF and PNG pack few colours and large equal
# areas best, so small cells have few colours. A graph has wires behind its bulbs: its frames are
# drawn whole. Cost: O(changes · pixels of a tile + pixels) a frame; 430 frames of 30×30 in 0.5 s.

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
