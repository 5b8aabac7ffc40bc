"""A scene in pixels, by Pillow: drawn three times as large and then reduced; images as files.

Bulbs are drawn once for each state and copied. The font is the one that Pillow brings along, so
that a picture is the same on every machine. Cost: O(pixels).

A film of an order on a grid has few kinds of tiles (a bulb that is lit, flashing, ringed). Each is
drawn once, in one small palette, and a frame is the one before with a few tiles copied over it.
Other films have shapes that lie across: their frames are drawn whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import prod
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ponder.model.files import packed_file
from ponder.pictures.frames import Film, TimedShape
from ponder.pictures.scene import Scene
from ponder.pictures.svg import film_svg, scene_svg
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
        from PIL import Image as Pillow
        from PIL import ImageDraw

        self.theme: Theme = theme
        self.unit: float = cell * FINER
        self.image: Image = Pillow.new("RGB", (size[0] * FINER, size[1] * FINER), theme["paper"])
        self.pen: ImageDraw.ImageDraw = ImageDraw.Draw(self.image)
        self.sprites: dict[bool, Image] = {}

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
                bold = round(0.025 * unit) if shape.halo else 0
                bold = max(1, round(0.03 * size * unit)) if shape.bold else bold
                font, ink = font_of(max(1, round(size * unit))), self.theme[colour]
                edge = self.theme["paper"] if shape.halo else ink
                self.pen.text(
                    place, in_font(text), ink, font, anchor, stroke_width=bold, stroke_fill=edge
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
        if stroke is None:
            return inside, None, 0
        return inside, self.theme[stroke], self._thick(width)

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
    from PIL.ImageColor import getrgb

    steps = (np.arange(side) + 0.5) / side - 0.5
    x, y = np.meshgrid(steps, steps)
    away = np.hypot(x, y)
    if lit:
        face, stops = ("lit_core", "lit", "lit_edge"), np.hypot(x + 0.1, y + 0.12) / 0.54
        rim, radius, width = theme["lit_rim"], DISC, 0.025
        glow = 0.5 * np.clip((0.5 - away) / 0.2, 0, 1)
    else:
        face, stops = ("unlit_core", "unlit", "unlit"), np.hypot(x - 0.06, y - 0.1) / 0.4
        rim, radius, width = theme["ring"], DISC - 0.025, 0.05
        glow = np.zeros_like(away)
    width = max(width, FINER / side)
    colours = np.array([getrgb(theme[role]) for role in face])  # type: ignore[index]
    shown = np.stack([np.interp(stops, (0, 0.5, 1), channel) for channel in colours.T], axis=-1)
    shown[away > radius - width / 2] = getrgb(rim)
    shown[away > radius + width / 2] = getrgb(theme["glow"])
    opacity = 255 * np.where(away > radius + width / 2, glow, 1)
    return np.asarray(np.rint(np.dstack([shown, opacity])), dtype=np.uint8)


def write_picture(
    picture: Scene | Film, file: str, theme: ThemeName = "light", limits: Limits = NEVER
) -> None:
    """Write a scene (SVG, PNG) or a film (SVG, GIF), by the ending. Raises BoardError, TimeUp."""
    drawing = file.lower().endswith(".svg")
    with packed_file(file) as out:
        if isinstance(picture, Scene) and drawing:
            out.write(scene_svg(picture, theme).encode())
        elif isinstance(picture, Scene):
            image = scene_image(picture, theme, limits)
            image.save(out, "PNG", optimize=image.width * image.height < 1_000_000)
        elif drawing:
            out.write(film_svg(picture, theme).encode())
        else:
            write_images(out, film_images(picture, theme, limits), picture.seconds)


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
    images_left = iter(images)
    first = next(images_left)
    shown = [max(10, 10 * round(100 * pause)) for pause in seconds]  # GIF counts hundredths
    first.save(file, "GIF", save_all=True, append_images=images_left, duration=shown, loop=0)


def film_images(film: Film, theme: ThemeName = "light", limits: Limits = NEVER) -> Iterator[Image]:
    """Return the images of a film, made one at a time.

    Raises BoardError if they have too many pixels. Raises TimeUp on the way.
    """
    count = len(film.seconds)
    pixels = count * prod(film.pixels)
    if pixels > MOST_MOVING:
        raise BoardError(
            f"an animation of {count:,} images with {pixels:,} pixels is too large: write an SVG"
        )
    return limits.over((_tiled if film.tiled else _redrawn)(film, THEMES[theme]), 1)


def _redrawn(film: Film, theme: Theme) -> Iterator[Image]:
    """Yield the frames, each drawn whole, in the colours of the fullest one and of the theme."""
    import PIL.Image

    shown = np.array([times for _, times in film.shapes])

    def drawn(k: int) -> Image:
        shapes = (film.shapes[j][0] for j in np.flatnonzero(shown[:, k]))
        return shapes_image(shapes, film.pixels, film.cell, theme)

    fullest = drawn(int(shown.sum(axis=0).argmax()))
    width, height = fullest.size
    coloured = PIL.Image.new("RGB", (width, height + len(theme)))  # with a row of each colour below
    coloured.paste(fullest, (0, 0))
    for k, colour in enumerate(theme.values()):
        coloured.paste(colour, (0, height + k, width, height + k + 1))
    palette = coloured.quantize(2 * COLOURS)
    for k in range(len(film.seconds)):
        yield _packed(drawn(k), palette)


def _tiled(film: Film, theme: Theme) -> Iterator[Image]:
    """Yield the frames, each the one before with the tiles copied over it that differ."""
    from PIL import Image

    cell = film.cell
    if cell < SMALL:
        lit, unlit, paper = theme["lit"], theme["unlit"], theme["paper"]
        plain: Theme = {"lit_core": lit, "lit_edge": lit, "unlit_core": unlit, "glow": paper}
        theme = theme | plain
    drawn: dict[tuple[Shape, ...], Image.Image] = {}
    changes: list[list[tuple[tuple[int, int], tuple[Shape, ...]]]] = [[] for _ in film.seconds]
    for (x, y, width, height), timed in _tiles(film).items():
        size, corner = (
            (round(width * cell), round(height * cell)),
            (round(x * cell), round(y * cell)),
        )
        moved = [_moved(shape, x, y) for shape, _ in timed]
        shown = np.array([times for _, times in timed])
        differ = (shown[:, 1:] != shown[:, :-1]).any(axis=0)
        for k in [0, *(np.flatnonzero(differ) + 1).tolist()]:
            look = tuple(moved[j] for j in np.flatnonzero(shown[:, k]))
            changes[k].append((corner, look))
            if look not in drawn:
                drawn[look] = shapes_image(look, size, cell, theme)
    samples = [image for image in drawn.values() if image.width == cell]
    samples.append(next(image for image in drawn.values() if image.width != cell))  # words
    width, height = (max(image.size[k] for image in samples) for k in (0, 1))
    strip = Image.new("RGB", (width + len(samples) * cell, height), theme["paper"])
    for k, image in enumerate(samples):
        strip.paste(image, (k * cell, 0))
    palette = strip.quantize(COLOURS if cell >= SMALL else COLOURS // 2, dither=Image.Dither.NONE)
    tiles = {look: _packed(image, palette) for look, image in drawn.items()}
    page = _packed(Image.new("RGB", film.pixels, theme["paper"]), palette)
    for changed in changes:
        for corner, look in changed:
            page.paste(tiles[look], corner)
        yield page.copy()


def _tiles(film: Film) -> dict[tuple[float, float, float, float], list[TimedShape]]:
    """Return the shapes by the tile that they lie in: its corner, width and height, in cells."""
    tiles: dict[tuple[float, float, float, float], list[TimedShape]] = {}
    for shape, shown in film.shapes:
        match shape:
            case Words(_, y, _, size):
                tile = 0.0, y - size, film.size[0], 2 * size
            case Box(x, y, width, height):
                tile = x + width / 2 - 0.5, y + height / 2 - 0.5, 1.0, 1.0
            case Circle(x, y) | Bulb(x, y):
                tile = x - 0.5, y - 0.5, 1.0, 1.0
            case _:
                raise TypeError(shape)
        tiles.setdefault(tile, []).append((shape, shown))
    return tiles


def _moved(shape: Any, x: float, y: float) -> Shape:
    """Return a shape as it lies in a tile with the upper left corner (x, y)."""
    moved: Shape = replace(shape, x=round(shape.x - x, 6), y=round(shape.y - y, 6))
    return moved


def _packed(image: Image, palette: Image) -> Image:
    from PIL.Image import Dither

    return image.quantize(palette=palette, dither=Dither.NONE)
