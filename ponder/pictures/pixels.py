"""A scene in pixels, by Pillow: drawn three times as large and then reduced; images as files.

Bulbs are drawn once for each state and copied. The font is the one that Pillow brings along, so
that a picture is the same on every machine. Cost: O(pixels).

An order on a grid: a bulb has few looks (lit, flashing, ringed, wanted lit). Each is drawn once as
a tile, in one small palette, and a frame is the one before with a few tiles copied over it. A graph
has wires behind its bulbs: its frames are drawn whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import prod
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ponder.model.graph import GridGraph
from ponder.pictures.frames import Film, Frame
from ponder.pictures.scene import Marks, Scene, square
from ponder.pictures.vocabulary import (
    DISC,
    THEMES,
    Box,
    Bulb,
    Circle,
    Role,
    Shape,
    Strokes,
    Theme,
    ThemeName,
    Words,
)
from ponder.system.errors import BoardError
from ponder.system.limits import NEVER, Limits

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

FINER = 3  # how many times larger is drawn than is shown
MOST_PIXELS = 12_000_000  # pixels of a picture, at most
MOST_MOVING = 800_000_000  # pixels of an animation, at most: Pillow holds a byte or two of each
COLOURS = 64  # of an animation
SMALL = 20  # pixels of a cell below which bulbs are plain, so that files are small

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
    return canvas.image.reduce(FINER)


class Canvas:
    """An image, `FINER` times as large, and what draws shapes on it."""

    def __init__(self, size: tuple[int, int], cell: float, theme: Theme) -> None:
        from PIL import Image, ImageDraw

        self.theme: Theme = theme
        self.unit: float = cell * FINER
        self.image = Image.new("RGB", (size[0] * FINER, size[1] * FINER), theme["paper"])
        self.pen: ImageDraw.ImageDraw = ImageDraw.Draw(self.image)
        self.sprites: dict[bool, Image.Image] = {}

    def draw(self, shape: Shape) -> None:
        """Draw one shape."""
        unit = self.unit
        match shape:
            case Bulb(x, y, lit):
                self._bulb(x, y, lit)
            case Circle(x, y, radius):
                box = self._around(x, y, radius + shape.width / 2)
                if shape.dashed and shape.stroke:
                    for angle in range(0, 360, 20):
                        stroke = self.theme[shape.stroke]
                        self.pen.arc(box, angle, angle + 10, stroke, self._thick(shape.width))
                else:
                    self.pen.ellipse(box, *self._painted(shape.fill, shape.stroke, shape.width))
            case Box(x, y, width, height, corner):
                corners = (x * unit, y * unit, (x + width) * unit, (y + height) * unit)
                painted = self._painted(shape.fill, shape.stroke, shape.line)
                self.pen.rounded_rectangle(corners, corner * unit, *painted)
            case Strokes(segments, stroke, width):
                for x, y, u, v in segments:
                    ends = (x * unit, y * unit, u * unit, v * unit)
                    self.pen.line(ends, self.theme[stroke], self._thick(width))
                    for end in ((x, y), (u, v)):
                        self.pen.ellipse(self._around(*end, width / 2), self.theme[stroke])
            case Words(x, y, text, size, colour):
                anchor = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
                place = x * unit, (y + 0.355 * size) * unit
                bold = max(1, round(0.03 * size * unit)) if shape.bold else 0
                font, ink = font_of(max(1, round(size * unit))), self.theme[colour]
                self.pen.text(
                    place, in_font(text), ink, font, anchor, stroke_width=bold, stroke_fill=ink
                )

    def _bulb(self, x: float, y: float, lit: bool) -> None:
        from PIL import Image

        side = max(1, round(self.unit))
        if lit not in self.sprites:
            self.sprites[lit] = Image.fromarray(bulb_pixels(side, lit, self.theme), "RGBA")
        corner = round(x * self.unit - side / 2), round(y * self.unit - side / 2)
        self.image.paste(self.sprites[lit], corner, self.sprites[lit])

    def _around(self, x: float, y: float, radius: float) -> tuple[float, float, float, float]:
        x, y, radius = x * self.unit, y * self.unit, radius * self.unit
        return x - radius, y - radius, x + radius, y + radius

    def _painted(
        self, fill: Role | None, stroke: Role | None, width: float
    ) -> tuple[str | None, str | None, int]:
        inside = None if fill is None else self.theme[fill]
        return (
            (inside, None, 0)
            if stroke is None
            else (inside, self.theme[stroke], self._thick(width))
        )

    def _thick(self, width: float) -> int:
        return max(FINER, round(width * self.unit))


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
        face, stops = ("lit_core", "lit", "lit_edge"), np.hypot(x + 0.1, y + 0.12) / 0.54
        rim, radius, width = theme["lit_rim"], DISC, 0.025
    else:
        face, stops = ("unlit_core", "unlit", "unlit"), np.hypot(x - 0.06, y - 0.1) / 0.4
        rim, radius, width = theme["ring"], DISC - 0.025, 0.05
    width = max(width, FINER / side)
    colours = np.array([rgb(theme[role]) for role in face])  # type: ignore[index]
    channels = [np.interp(stops, (0.0, 0.5, 1.0), colours[:, k]) for k in range(3)]
    shown = np.stack([*channels, np.zeros_like(away)], axis=-1)

    def beyond(distance: float) -> NDArray[np.float64]:
        """Return how much of each pixel lies beyond a circle: 0 inside, 1 outside."""
        return np.clip((away - distance) * side + 0.5, 0, 1)

    on_rim = beyond(radius - width / 2)[..., None]
    shown[..., :3] += on_rim * (rgb(rim) - shown[..., :3])
    inside = 1 - beyond(radius + width / 2)
    glow = 0.5 * np.clip((0.5 - away) / 0.2, 0, 1) if lit else np.zeros_like(away)
    shown[..., :3] = np.where(inside[..., None] > 0, shown[..., :3], rgb(theme["glow"]))
    shown[..., 3] = 255 * np.maximum(inside, glow)
    return np.asarray(np.rint(shown), dtype=np.uint8)


def rgb(colour: str) -> NDArray[np.float64]:
    """Return #rrggbb as three numbers."""
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], dtype=np.float64)


def write_image(file: IO[bytes], image: Image) -> None:
    """Write one image as PNG."""
    image.save(file, "PNG", optimize=image.width * image.height < 1_000_000)


def write_images(file: IO[bytes], images: Iterable[Image], seconds: Sequence[float]) -> None:
    """Write images as a GIF that loops, each for its `seconds`.

    An image that does not differ from the one before makes that one last longer.

    >>> import io
    >>> from PIL import Image
    >>> written = io.BytesIO()
    >>> write_images(written, [Image.new("L", (8, 8), k) for k in (0, 9)], [0.5, 1.0])
    >>> Image.open(written).n_frames
    2
    """
    every = iter(images)
    first = next(every)
    shown = [max(10, 10 * round(100 * each)) for each in seconds]  # GIF counts hundredths
    first.save(file, "GIF", save_all=True, append_images=every, duration=shown, loop=0)


def order_images(
    film: Film, theme: ThemeName = "light", limits: Limits = NEVER
) -> tuple[Iterator[Image], list[float]]:
    """Return the images of an animation, made one at a time, and the seconds of each.

    Raises BoardError if they have too many pixels. Raises TimeUp on the way.
    """
    scene, count = film.scene, len(film.frames)
    pixels = count * prod(scene.pixels)
    if pixels > MOST_MOVING:
        raise BoardError(
            f"an animation of {count:,} images with {pixels:,} pixels is too large: write an SVG",
            scene.board.name,
        )
    drawn = _tiled if isinstance(scene.board.graph, GridGraph) else _redrawn
    images = limits.over(drawn(film, THEMES[theme]), 1)
    return images, [frame.seconds for frame in film.frames]


def _tiled(film: Film, theme: Theme) -> Iterator[Image]:
    from PIL import Image

    scene, cell = film.scene, film.scene.cell
    if cell < SMALL:
        lit, unlit = theme["lit"], theme["unlit"]
        theme = {
            **theme,
            "lit_core": lit,
            "lit_edge": lit,
            "unlit_core": unlit,
            "glow": theme["paper"],
        }
    kinds = 16 if scene.board.goal_name == "grid" else 8
    drawn = [shapes_image(_look(k), (cell, cell), cell, theme) for k in range(kinds)]
    for filled in (False, True):
        open_or_full = square(0.5, 0.5, filled=filled, marked=False)
        drawn.append(shapes_image(open_or_full, (cell, cell), cell, theme))
    line = next(iter(scene.words()))
    size = scene.pixels[0], max(1, round(2 * line.size * cell))
    words = replace(line, y=line.size)
    drawn.append(shapes_image([words], size, cell, theme))
    strip = Image.new("RGB", (sum(x.width for x in drawn), max(cell, size[1])), theme["paper"])
    for k, image in enumerate(drawn):
        strip.paste(image, (k * cell, 0))
    palette = strip.quantize(COLOURS if cell >= SMALL else COLOURS // 2, dither=Image.Dither.NONE)
    tiles = [_packed(image, palette) for image in drawn]
    page = _packed(Image.new("RGB", scene.pixels, theme["paper"]), palette)
    places = [scene.middle(v) for v in range(scene.board.graph.size)]
    margins = [at for side in scene.line_places() for at in side] if "lines" in scene.marks else []
    shown, said = [-1] * (len(places) + len(margins)), ""
    for frame, text in zip(film.frames, film.said, strict=True):
        bits = np.concatenate(frame.bits).tolist() if margins and frame.bits is not None else []
        looks = [*_looks(scene, frame), *(kinds + int(bit) for bit in bits)]
        for at, look, before in zip([*places, *margins], looks, shown, strict=True):
            if look != before:
                page.paste(tiles[look], (_corner(at[0], cell), _corner(at[1], cell)))
        if text != said:
            strip = shapes_image([replace(words, text=text)], size, cell, theme)
            page.paste(_packed(strip, palette), (0, round((line.y - line.size) * cell)))
        shown, said = looks, text
        yield page.copy()


def _packed(image: Image, palette: Image) -> Image:
    from PIL.Image import Dither

    return image.quantize(palette=palette, dither=Dither.NONE)


def _corner(middle: float, cell: int) -> int:
    return round((middle - 0.5) * cell)


def _looks(scene: Scene, frame: Frame) -> list[int]:
    """Return for every bulb which tile shows it."""
    looks = frame.lit.astype(np.int64)
    looks[frame.toggled] += 2
    if frame.pressed is not None:
        looks[frame.pressed] += 4
    if scene.board.goal_name == "grid":
        looks += 8 * scene.board.goal
    return list(looks.tolist())


def _look(number: int) -> Iterator[Shape]:
    """Yield the shapes of a tile: 1 lit, 2 flashing, 4 ringed, 8 wanted lit by the goal."""
    if number & 2:
        yield Circle(0.5, 0.5, 0.5, "flash")
    yield Bulb(0.5, 0.5, lit=bool(number & 1))
    if number & 8:
        yield Circle(0.5, 0.5, 0.44, None, "lit_rim", 0.045, dashed=True)
    if number & 4:
        yield Circle(0.5, 0.5, 0.45, None, "dot", 0.07)


def _redrawn(film: Film, theme: Theme) -> Iterator[Image]:
    """Yield the frames of a graph, each drawn anew, in the colours of the fullest one."""
    scene, label = film.scene, film.scene.board.graph.label

    def drawn(frame: Frame, text: str) -> Image:
        marks: Marks = {} if frame.pressed is None else {"next": label(frame.pressed)}
        toggled = frame.toggled.tolist()
        now = replace(scene, marks=marks, lit=frame.lit, flashing=toggled, heading=text)
        return shapes_image(now.shapes(), scene.pixels, scene.cell, theme)

    colours = max(film.frames, key=lambda frame: (frame.toggled.size, np.count_nonzero(frame.lit)))
    palette = drawn(colours, film.said[-1]).quantize(2 * COLOURS)
    for frame, text in zip(film.frames, film.said, strict=True):
        yield _packed(drawn(frame, text), palette)
