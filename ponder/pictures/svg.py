"""A scene as SVG: text as text, colours as attributes, no script and no style sheet.

So every reader of SVG shows it alike (browsers, notebooks, Inkscape), and several pictures on one
page do not restyle each other: definitions have names that say their theme. A cell is 40 units; its
size on the screen is `Scene.cell`.

Animations are SMIL: each shape stands there once, and its opacity has a list of moments. Readers
without animation show the first frame. Cost: O(shapes · frames); size: O(shapes + changes).
"""

from __future__ import annotations

from string import Template

import numpy as np

from ponder.pictures.frames import Film
from ponder.pictures.scene import Scene
from ponder.pictures.vocabulary import (
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

UNIT = 40  # units of a cell
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
BULBS = Template(
    "<defs>\n"
    '<radialGradient id="ponder-face-$name" cx=".37" cy=".34" r=".75">'
    '<stop offset="0" stop-color="$lit_core"/><stop offset=".5" stop-color="$lit"/>'
    '<stop offset="1" stop-color="$lit_edge"/></radialGradient>\n'
    '<radialGradient id="ponder-dark-$name" cx=".58" cy=".65" r=".6">'
    '<stop offset="0" stop-color="$unlit_core"/><stop offset=".5" stop-color="$unlit"/>'
    "</radialGradient>\n"
    '<radialGradient id="ponder-glow-$name">'
    '<stop offset=".6" stop-color="$glow" stop-opacity=".5"/>'
    '<stop offset="1" stop-color="$glow" stop-opacity="0"/></radialGradient>\n'
    '<g id="ponder-lit-$name"><circle r="20" fill="url(#ponder-glow-$name)"/>'
    '<circle r="14.4" fill="url(#ponder-face-$name)" stroke="$lit_rim"/></g>\n'
    '<circle id="ponder-unlit-$name" r="13.4" fill="url(#ponder-dark-$name)" stroke="$ring" '
    'stroke-width="2"/>\n</defs>'
)
"""Bulbs, which are used often."""


def scene_svg(scene: Scene, theme: ThemeName = "light") -> str:
    """Return a scene as an SVG document.

    >>> from ponder.model.board import Board
    >>> scene_svg(Scene(Board.from_rows(["01"]))).count("<use")
    2
    """
    writer, size = Writer(theme), (scene.width, scene.height)
    head = writer.head(size, scene.cell, scene.title, scene.description or scene.title)
    return "\n".join([head, *map(writer.shape, scene.shapes()), "</svg>\n"])


class Writer:
    """Writes shapes as elements in the colours of one theme."""

    def __init__(self, theme: ThemeName) -> None:
        self.name: ThemeName = theme
        self.theme: Theme = THEMES[theme]

    def head(self, size: tuple[float, float], cell: int, title: str, described: str) -> str:
        """Return the beginning of a document: width and height in cells, words, paper, bulbs."""
        (width, height), (across, down) = map(number, size), (round(x * cell) for x in size)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{across}" height="{down}" role="img" font-family="{FONT}">\n'
            f"<title>{title.translate(ESCAPES)}</title>\n"
            f"<desc>{described.translate(ESCAPES)}</desc>\n"
            f'<rect width="{width}" height="{height}" fill="{self.theme["paper"]}"/>\n'
            + BULBS.substitute(name=self.name, **self.theme)
        )

    def shape(self, shape: Shape, inside: str = "", more: str = "") -> str:
        """Return a shape as an element, with what is put into it, and further attributes."""
        match shape:
            case Bulb(x, y, lit):
                href = f"#ponder-{'lit' if lit else 'unlit'}-{self.name}"
                attributes = f'use href="{href}" x="{number(x)}" y="{number(y)}"'
                name = "use"
            case Words():
                return self._words(shape, inside, more)
            case Circle(x, y, radius):
                dashes = ' stroke-dasharray="2.6 2.9"' if shape.dashed else ""
                painted = self._painted(shape.fill, shape.stroke, shape.width)
                place = f'cx="{number(x)}" cy="{number(y)}"'
                attributes = f'circle {place} r="{number(radius)}" {painted}{dashes}'
                name = "circle"
            case Box(x, y, width, height, corner):
                attributes = (
                    f'rect x="{number(x)}" y="{number(y)}" width="{number(width)}" '
                    f'height="{number(height)}" rx="{number(corner)}" '
                    f"{self._painted(shape.fill, shape.stroke, shape.line)}"
                )
                name = "rect"
            case Strokes(segments, stroke, width):
                path = "".join(
                    f"M{number(x)} {number(y)}"
                    + ("h.01" if (x, y) == (u, v) else f"L{number(u)} {number(v)}")
                    for x, y, u, v in segments
                )
                attributes = (
                    f'path d="{path}" {self._painted(None, stroke, width)} '
                    'stroke-linecap="round" stroke-linejoin="round"'
                )
                name = "path"
        return f"<{attributes}{more}>{inside}</{name}>" if inside else f"<{attributes}{more}/>"

    def _words(self, words: Words, inside: str, more: str) -> str:
        weight = ' font-weight="650"' if words.bold else ""
        anchor = "" if words.anchor == "start" else f' text-anchor="{words.anchor}"'
        if words.halo:
            weight += f' stroke="{self.theme["paper"]}" stroke-width="{number(0.05)}"'
            weight += ' paint-order="stroke" stroke-linejoin="round"'
        low = words.y + 0.355 * words.size  # the base line: digits and capitals stand in the middle
        return (
            f'<text x="{number(words.x)}" y="{number(low)}" font-size="{number(words.size)}" '
            f'fill="{self.theme[words.colour]}"{weight}{anchor}{more}>'
            f"{words.text.translate(ESCAPES)}{inside}</text>"
        )

    def _painted(self, fill: Role | None, stroke: Role | None, width: float) -> str:
        text = f'fill="{self.theme[fill] if fill else "none"}"'
        if stroke is not None:
            text += f' stroke="{self.theme[stroke]}" stroke-width="{number(width)}"'
        return text


def number(cells: float) -> str:
    """Return a length in cells as units, to a hundredth."""
    return f"{UNIT * cells:.2f}".rstrip("0").rstrip(".")


def film_svg(film: Film, theme: ThemeName = "light") -> str:
    """Return a film as an SVG document that loops.

    >>> from ponder.model.board import Board
    >>> from ponder.pictures.frames import order_film
    >>> board = Board.from_rows(["00", "00"], "plus", "any")
    >>> film_svg(order_film(board, np.array([0, 3])))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    writer = Writer(theme)
    ends = np.cumsum(film.seconds)
    whole, digits = float(ends[-1]), 4 + len(str(len(ends)))
    starts = ["0", *(f"{x / whole:.{digits}f}"[1:] for x in ends[:-1].tolist())]
    looping = f'calcMode="discrete" dur="{whole:.2f}s" repeatCount="indefinite"'
    lines = [writer.head(film.size, film.cell, film.title, film.description)]
    for shape, shown in film.shapes:
        changes = np.flatnonzero(np.diff(shown, prepend=~shown[:1])).tolist()
        if len(changes) > 1:
            times = ";".join(starts[k] for k in changes)
            values = ";".join("1" if shown[k] else "0" for k in changes)
            inside = (
                f'<animate attributeName="opacity" {looping} keyTimes="{times}" values="{values}"/>'
            )
            lines.append(writer.shape(shape, inside, "" if shown[0] else ' opacity="0"'))
        elif shown[0]:
            lines.append(writer.shape(shape))
    return "\n".join([*lines, "</svg>\n"])
