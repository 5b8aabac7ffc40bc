"""A scene as SVG: text as text, colours as attributes, no script and no style sheet.

So every reader of SVG shows it alike (browsers, notebooks, Inkscape, what makes PDF of it), and
several pictures on one page do not restyle each other: what is defined once and used often has a
name that says its theme. A cell is 40 units; its size on the screen is `Scene.cell`.

Cost: O(shapes), a 30×30 board in a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

import numpy as np

from ponder.pictures.scene import Scene
from ponder.pictures.shapes import (
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
from ponder.types import Bits

UNIT = 40  # units of a cell

FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


def scene_svg(scene: Scene, theme: ThemeName = "light") -> str:
    """Return a scene as an SVG document.

    >>> from ponder.puzzle.board import Board
    >>> scene_svg(Scene(Board.from_rows(["01"]))).count("<use")
    2
    """
    writer = Writer(theme)
    return "\n".join([*writer.scene(scene), *map(writer.shape, scene.shapes()), "</svg>\n"])


class Writer:
    """Writes shapes as elements in the colours of one theme."""

    def __init__(self, theme: ThemeName) -> None:
        self.name = theme
        self.theme: Theme = THEMES[theme]
        self.lit, self.unlit = f"ponder-lit-{theme}", f"ponder-unlit-{theme}"
        self.hatch = f"ponder-hatch-{theme}"

    def scene(self, scene: Scene, told: str = "") -> Iterator[str]:
        """Yield the beginning of a scene; `told`: the description, where it is not the scene's."""
        told = told or scene.description or scene.title
        size = scene.width, scene.height
        return self.head(size, scene.cell, scene.title, told, self.definitions())

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

    def definitions(self) -> Iterator[str]:
        """Yield what is used often: a lit bulb, an unlit one, hatching."""
        theme = self.theme
        yield "<defs>"
        yield self._gradient("face", ("lit_core", "lit", "lit_edge"), ".37", ".34", ".75")
        yield self._gradient("dark", ("unlit_core", "unlit", "unlit"), ".58", ".65", ".6")
        if theme.glowing:
            yield (
                f'<radialGradient id="ponder-glow-{self.name}">'
                f'<stop offset=".6" stop-color="{theme["glow"]}" stop-opacity=".5"/>'
                f'<stop offset="1" stop-color="{theme["glow"]}" stop-opacity="0"/></radialGradient>'
            )
        glow = f'<circle r="20" fill="url(#ponder-glow-{self.name})"/>' if theme.glowing else ""
        rim = 0.022 if theme.glowing else 0.05
        yield (
            f'<g id="{self.lit}">{glow}<circle r="{number(DISC)}" '
            f'fill="url(#ponder-face-{self.name})" stroke="{theme["lit_rim"]}" '
            f'stroke-width="{number(rim)}"/></g>'
        )
        yield (
            f'<circle id="{self.unlit}" r="{number(DISC - 0.025)}" '
            f'fill="url(#ponder-dark-{self.name})" stroke="{theme["ring"]}" '
            f'stroke-width="{number(0.05)}"/>'
        )
        yield (
            f'<pattern id="{self.hatch}" width="5" height="5" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate(45)"><path d="M0 0V5" stroke="{theme["mark"]}" '
            f'stroke-width="2.2" stroke-opacity=".6"/></pattern>'
        )
        yield "</defs>"

    def _gradient(self, name: str, roles: tuple[Role, ...], x: str, y: str, radius: str) -> str:
        first, then, last = (self.theme[role] for role in roles)
        return (
            f'<radialGradient id="ponder-{name}-{self.name}" cx="{x}" cy="{y}" r="{radius}">'
            f'<stop offset="0" stop-color="{first}"/><stop offset=".5" stop-color="{then}"/>'
            f'<stop offset="1" stop-color="{last}"/></radialGradient>'
        )

    def shape(self, shape: Shape) -> str:
        """Return a shape as an element."""
        match shape:
            case Bulb():
                return self.bulb(shape)
            case Circle():
                return self._circle(shape)
            case Box():
                return self._box(shape)
            case Strokes():
                return self._strokes(shape)
            case Words():
                return self.words(shape)

    def bulb(self, bulb: Bulb, inside: str = "", opacity: str = "1") -> str:
        """Return a bulb, with what is put into its element."""
        name = self.lit if bulb.lit else self.unlit
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

    def _circle(self, circle: Circle) -> str:
        dashes = ' stroke-dasharray="2.6 2.9"' if circle.dashed else ""
        painted = self._painted(self.theme.get(circle.fill), circle.stroke, circle.width)
        return f'<circle {at(circle.x, circle.y)} r="{number(circle.radius)}" {painted}{dashes}/>'

    def _box(self, box: Box) -> str:
        fill = f"url(#{self.hatch})" if box.hatched else self.theme.get(box.fill)
        painted = self._painted(fill, box.stroke, box.line)
        return (
            f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.width)}" '
            f'height="{number(box.height)}" rx="{number(box.corner)}" {painted}/>'
        )

    def _painted(self, fill: str | None, stroke: Role | None, width: float) -> str:
        text = f'fill="{fill or "none"}"'
        if stroke is not None:
            text += f' stroke="{self.theme[stroke]}" stroke-width="{number(width)}"'
        return text

    def _strokes(self, strokes: Strokes) -> str:
        path = "".join(
            f"M{number(x)} {number(y)}"
            + ("h.01" if (x, y) == (u, v) else f"L{number(u)} {number(v)}")
            for x, y, u, v in strokes.segments
        )
        thin = strokes.width < 0.3 and strokes.stroke == "mark" and self.theme.cased
        case = _path(path, self.theme["card"], strokes.width + 0.08) + "\n" if thin else ""
        return case + _path(path, self.theme[strokes.stroke], strokes.width)


class Timeline:
    """When the frames of a film begin, for elements that play for ever (SMIL)."""

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
