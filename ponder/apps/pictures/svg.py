"""A scene as SVG: text as text, colours as attributes, no script and no style sheet.

So every reader of SVG shows it alike (browsers, notebooks, Inkscape, makers of PDF), and several
pictures on one page do not restyle each other: definitions have names that say their theme. A cell
is 40 units; its size on the screen is `Scene.cell`.

Cost: O(shapes), a 30×30 board in a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files
from string import Template

import numpy as np

from ponder.apps.pictures import shapes
from ponder.apps.pictures.scene import Scene
from ponder.apps.pictures.shapes import (
    THEMES,
    Box,
    Bulb,
    Circle,
    Role,
    Shape,
    Strokes,
    ThemeName,
    Words,
)
from ponder.system.types import Bits

UNIT = 40  # units of a cell

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


def scene_svg(scene: Scene, theme: ThemeName = "light") -> str:
    """Return a scene as an SVG document.

    >>> from ponder.model.board import Board
    >>> scene_svg(Scene(Board.from_rows(["01"]))).count("<use")
    2
    """
    writer = Writer(theme)
    return "\n".join([*writer.scene(scene), *map(writer.shape, scene.shapes()), "</svg>\n"])


class Writer:
    """Writes shapes as elements in the colours of one theme."""

    def __init__(self, theme: ThemeName) -> None:
        self.name = theme
        self.theme: shapes.Theme = THEMES[theme]

    def scene(self, scene: Scene, told: str = "") -> Iterator[str]:
        """Yield the beginning of a scene; `told`: the description, where it is not the scene's."""
        told = told or scene.description or scene.title
        size = scene.width, scene.height
        return self.head(size, scene.cell, scene.title, told, [self.definitions()])

    def head(
        self,
        size: tuple[float, float],
        cell: int,
        title: str,
        told: str,
        definitions: Iterable[str] = (),
    ) -> Iterator[str]:
        """Yield the beginning of a document: width and height in cells, words, paper."""
        (width, height), (across, down) = map(number, size), (round(x * cell) for x in size)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{across}" height="{down}" role="img" font-family="{FONT}">'
        )
        yield f"<title>{escape(title, quote=False)}</title>"
        yield f"<desc>{escape(told, quote=False)}</desc>"
        yield from definitions
        yield f'<rect width="{width}" height="{height}" fill="{self.theme["paper"]}"/>'

    def definitions(self) -> str:
        """Return what is used often: a lit bulb, an unlit one, hatching."""
        text = files(__package__).joinpath("definitions.svg").read_text("utf-8")
        if not self.theme.glowing:
            text = "".join(line for line in text.splitlines(True) if "glow" not in line)
        rim = number(0.022 if self.theme.glowing else 0.05)
        return Template(text).substitute(name=self.name, rim=rim, **self.theme.colours).rstrip()

    def shape(self, shape: Shape) -> str:
        """Return a shape as an element."""
        match shape:
            case Bulb():
                return self.bulb(shape)
            case Words():
                return self.words(shape)
            case Circle(x, y):
                dashes = ' stroke-dasharray="2.6 2.9"' if shape.dashed else ""
                painted = self._painted(self.theme.get(shape.fill), shape.stroke, shape.width)
                return f'<circle {at(x, y)} r="{number(shape.radius)}" {painted}{dashes}/>'
            case Box(x, y):
                fill = self.theme.get(shape.fill)
                fill = f"url(#ponder-hatch-{self.name})" if shape.hatched else fill
                return (
                    f'<rect x="{number(x)}" y="{number(y)}" width="{number(shape.width)}" '
                    f'height="{number(shape.height)}" rx="{number(shape.corner)}" '
                    f"{self._painted(fill, shape.stroke, shape.line)}/>"
                )
            case Strokes():
                path = "".join(
                    f"M{number(x)} {number(y)}"
                    + ("h.01" if (x, y) == (u, v) else f"L{number(u)} {number(v)}")
                    for x, y, u, v in shape.segments
                )
                thin = shape.width < 0.3 and shape.stroke == "mark" and self.theme.cased
                case = _path(path, self.theme["card"], shape.width + 0.08) + "\n" if thin else ""
                return case + _path(path, self.theme[shape.stroke], shape.width)

    def bulb(self, bulb: Bulb, inside: str = "", opacity: str = "1") -> str:
        """Return a bulb, with what is put into its element."""
        name = f"ponder-{'lit' if bulb.lit else 'unlit'}-{self.name}"
        use = f'<use href="#{name}" x="{number(bulb.x)}" y="{number(bulb.y)}"'
        use += "" if opacity == "1" else f' opacity="{opacity}"'
        return f"{use}>{inside}</use>" if inside else f"{use}/>"

    def words(self, words: Words, inside: str = "", more: str = "") -> str:
        """Return a line of text, with what is put into its element."""
        weight = ' font-weight="650"' if words.bold else ""
        anchor = "" if words.anchor == "start" else f' text-anchor="{words.anchor}"'
        low = words.y + 0.355 * words.size  # the base line: digits and capitals stand in the middle
        return (
            f'<text x="{number(words.x)}" y="{number(low)}" font-size="{number(words.size)}" '
            f'fill="{self.theme[words.colour]}"{weight}{anchor}{more}>'
            f"{escape(words.text, quote=False)}{inside}</text>"
        )

    def _painted(self, fill: str | None, stroke: Role | None, width: float) -> str:
        text = f'fill="{fill or "none"}"'
        if stroke is not None:
            text += f' stroke="{self.theme[stroke]}" stroke-width="{number(width)}"'
        return text


class Timeline:
    """When the frames of a film begin, for elements that loop (SMIL)."""

    def __init__(self, seconds: list[float], digits: int) -> None:
        ends = np.cumsum(seconds)
        whole = float(ends[-1])
        self.moments: list[str] = [
            "0",
            *(f"{x / whole:.{digits}f}"[1:] for x in ends[:-1].tolist()),
        ]
        self.once: str = f'calcMode="discrete" dur="{whole:.2f}s" repeatCount="indefinite"'

    def timed(self, changes: list[int]) -> str:
        """Return the attributes of an animation that changes at the beginning of some frames."""
        return f'{self.once} keyTimes="{";".join(self.moments[k] for k in changes)}"'

    def animate(self, attribute: str, changes: list[int], values: Iterable[str]) -> str:
        """Return an animation of an attribute, with the value that it has from each change on."""
        joined = ";".join(values)
        return f'<animate attributeName="{attribute}" {self.timed(changes)} values="{joined}"/>'

    def shown(self, when: Bits, attribute: str, off: str, on: str) -> str:
        """Return an animation of what some frames show; empty where nothing changes."""
        changes = [0, *(np.flatnonzero(when[1:] != when[:-1]) + 1).tolist()]
        values = (on if when[k] else off for k in changes)
        return self.animate(attribute, changes, values) if len(changes) > 1 else ""


def _path(path: str, colour: str, width: float) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{number(width)}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def at(x: float, y: float) -> str:
    """Return the attributes that put a circle somewhere."""
    return f'cx="{number(x)}" cy="{number(y)}"'


def number(cells: float) -> str:
    """Return a length in cells as units, to a hundredth."""
    return f"{UNIT * cells:.2f}".rstrip("0").rstrip(".")
