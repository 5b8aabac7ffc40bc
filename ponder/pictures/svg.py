"""A scene as SVG: text as text, colours as attributes, no script and no style sheet.

So every reader of SVG shows it alike (browsers, notebooks, Inkscape, makers of PDF), and several
pictures on one page do not restyle each other: definitions have names that say their theme. A cell
is 40 units; its size on the screen is `Scene.cell`.

Cost: O(shapes), a 30×30 board in a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from importlib.resources import files
from itertools import groupby, product
from string import Template

import numpy as np

from ponder.model.graph import CrossGraph, GridGraph, StencilGraph
from ponder.pictures import shapes
from ponder.pictures.frames import Film
from ponder.pictures.scene import Scene, square
from ponder.pictures.shapes import (
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
from ponder.system.printable import pluralise
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


# ------------------------------------------------------------------- an order that plays by itself

# SMIL, no script, one element for what moves. The toggled bulbs of a press always have the same
# shape, so the flash is one shape that jumps from press to press, cut off at the edge (on a torus
# it is there nine times). So is the ring. A bulb that changes is an unlit one with a lit one over
# it, whose opacity has a list of moments. Readers without animation show the board at the start. On
# a graph each bulb has a flash of its own.
#
# Cost and size: O(bulbs + toggles); a 30×30 row/column board with 429 presses takes half a
# megabyte.

AWAY = "-9999"  # where a shape waits that is not to be seen, in units


def order_animation(film: Film, theme: ThemeName = "light") -> str:
    """Return presses on a board as an SVG document that loops.

    >>> from ponder.model.board import Board
    >>> board = Board.from_rows(["00", "00"], "plus", "any")
    >>> order_animation(Film.of(board, np.array([0, 3])))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    return "\n".join(_Document(film, theme).lines())


class _Document:
    """A film as elements."""

    def __init__(self, film: Film, theme: ThemeName) -> None:
        self.scene, self.frames, self.said = film.scene, film.frames, film.said
        self.board, self.writer = film.scene.board, Writer(theme)
        seconds = [frame.seconds for frame in self.frames]
        self.time = Timeline(seconds, 4 + len(str(len(seconds))))

    def lines(self) -> Iterator[str]:
        told = f"{pluralise(self.frames[-1].presses, 'press')}, played"
        yield from self.writer.scene(self.scene, told)
        graph = self.board.graph
        yield from map(self.writer.shape, self.scene.under())
        yield from self._flash(graph) if isinstance(graph, GridGraph) else self._flashes()
        yield from self._bulbs()
        if "lines" in self.scene.marks:  # no goal but lit has line bits: nothing else is over bulbs
            yield from self._squares()
        else:
            yield from map(self.writer.shape, self.scene.over())
        yield self._ring()
        yield from self._words()
        yield "</svg>\n"

    def _shown(self, when: Bits) -> str:
        return self.time.shown(when, "opacity", "0", "1")

    def _moved(self, wanted: Bits) -> str:
        """Return an animation that leads to the pressed bulb of each frame that is wanted."""
        centres = self.scene.places.centres + np.array([self.scene.left, 0.0])
        changes, values = list[int](), list[str]()
        for k, (frame, there) in enumerate(zip(self.frames, wanted.tolist(), strict=True)):
            place = f"{AWAY} {AWAY}"
            if frame.pressed is not None and there:
                x, y = centres[frame.pressed].tolist()
                place = f"{number(x)} {number(y)}"
            if not values or place != values[-1]:
                changes.append(k)
                values.append(place)
        return (
            f'<animateTransform attributeName="transform" type="translate" '
            f'{self.time.timed(changes)} values="{";".join(values)}"/>'
        )

    def _bulbs(self) -> Iterator[str]:
        """Yield the bulbs; those that change in both states."""
        states = np.array([frame.lit for frame in self.frames])
        for v, bulb in enumerate(self.scene.bulbs()):
            shown = states[:, v]
            inside = self._shown(shown)
            if not inside:
                yield self.writer.bulb(bulb)
                continue
            yield self.writer.bulb(Bulb(bulb.x, bulb.y, lit=False))
            yield self.writer.bulb(Bulb(bulb.x, bulb.y, lit=True), inside, "01"[int(shown[0])])

    def _flash(self, graph: GridGraph) -> Iterator[str]:
        """Yield the one flash of a grid, cut off where there is no bulb."""
        name = f"ponder-board-{self.board.sha256[:12]}-{self.scene.cell}"
        left, margin = self.scene.left + self.scene.places.margin, self.scene.places.margin
        cells = "".join(
            f"M{number(left + first)} {number(margin + row)}h{number(last - first)}"
            f"v{number(1)}h-{number(last - first)}z"
            for row, first, last in _runs(graph)
        )
        yield f'<clipPath id="{name}"><path d="{cells}"/></clipPath>'
        moves = self._moved(np.array([frame.toggled for frame in self.frames]))
        yield (
            f'<g clip-path="url(#{name})"><path d="{_footprint(graph)}" '
            f'fill="{self.writer.theme["flash"]}" transform="translate({AWAY})">{moves}</path></g>'
        )

    def _flashes(self) -> Iterator[str]:
        """Yield a flash for every bulb of a graph that is ever toggled."""
        graph = self.board.graph
        toggled = np.zeros((len(self.frames), graph.size), dtype=np.bool_)
        for shown, frame in zip(toggled, self.frames, strict=True):
            if frame.toggled and frame.pressed is not None:
                shown[[frame.pressed, *graph.neighbours(frame.pressed).tolist()]] = True
        for v, bulb in enumerate(self.scene.bulbs()):
            if inside := self._shown(toggled[:, v]):
                colour = self.writer.theme["flash"]
                yield (
                    f'<circle {at(bulb.x, bulb.y)} r="{number(0.56)}" fill="{colour}" '
                    f'opacity="0">{inside}</circle>'
                )

    def _squares(self) -> Iterator[str]:
        """Yield the line bits: an open square each, and a full one that comes and goes."""
        margin, left = self.scene.places.margin, self.scene.left
        for side in (0, 1):
            shown = np.array([frame.bits[side] for frame in self.frames if frame.bits is not None])
            for k in range(shown.shape[1]):
                along = margin + k + 0.5
                x, y = (left + along, margin / 2) if side else (left + margin / 2, along)
                for box in square(x, y, filled=False, marked=False):
                    yield self.writer.shape(box)
                inside = self._shown(shown[:, k])
                if inside or shown[0, k]:
                    full = next(iter(square(x, y, filled=True, marked=False)))
                    opacity = "01"[int(shown[0, k])]
                    yield f'<g opacity="{opacity}">{inside}{self.writer.shape(full)}</g>'

    def _ring(self) -> str:
        ring = self.writer.shape(Circle(0, 0, 0.45, None, "dot", 0.07))
        moves = self._moved(np.ones(len(self.frames), dtype=np.bool_))
        return f'<g transform="translate({AWAY})">{moves}{ring}</g>'

    def _words(self) -> Iterator[str]:
        for line in self.scene.words():
            assert isinstance(line, Words)
            first = 0
            for text, group in groupby(self.said):
                after = first + len(list(group))
                changes = [k for k in (0, first, after) if k < len(self.said)]
                values = ["0", "1", "0"][: len(changes)]
                if first == 0:
                    changes, values = changes[1:], values[1:]
                inside = self.time.animate("opacity", changes, values)
                more = "" if first == 0 else ' opacity="0"'
                yield self.writer.words(replace(line, text=text), inside, more)
                first = after


def _runs(graph: GridGraph) -> Iterator[tuple[int, int, int]]:
    """Yield the cells that have bulbs as (row, first column, last column + 1)."""
    for row, numbers in enumerate(graph.numbers):
        there = np.flatnonzero(np.diff(np.r_[False, numbers >= 0, False]))
        for first, last in there.reshape(-1, 2).tolist():
            yield row, first, last


def _footprint(graph: GridGraph) -> str:
    """Return what a press toggles, as a path around the pressed bulb."""
    height, width = graph.shape
    if isinstance(graph, CrossGraph):
        across, down, half = number(width), number(height), number(0.5)
        row = f"M-{across} -{half}H{across}V{half}H-{across}z"
        return row + f"M-{half} -{down}V{down}H{half}V-{down}z"
    assert isinstance(graph, StencilGraph)
    around = [-1, 0, 1] if graph.wraps else [0]
    offsets = {
        (dr + down * height, dc + across * width)
        for dr, dc in ((0, 0), *graph.offsets)
        for down, across in product(around, around)
    }
    side = number(1)
    return "".join(
        f"M{number(dc - 0.5)} {number(dr - 0.5)}h{side}v{side}h-{side}z"
        for dr, dc in sorted(offsets)
    )
