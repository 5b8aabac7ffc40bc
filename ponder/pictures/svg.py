"""A scene as SVG: text as text, colours as attributes, no script and no style sheet.

So every reader of SVG shows it alike (browsers, notebooks, Inkscape), and several pictures on one
page do not restyle each other: definitions have names that say their theme. A cell is 40 units; its
size on the screen is `Scene.cell`.

Animations are SMIL: what moves is an element whose attribute has a list of moments. A bulb that
changes is an unlit one with a lit one over it. Readers without animation show the board at the
start. Cost and size: O(shapes), O(bulbs + toggles) for an animation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from string import Template

import numpy as np

from ponder.pictures.frames import Film
from ponder.pictures.scene import Scene, square
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
from ponder.system.printable import pluralise
from ponder.system.types import Bits

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

AWAY = "-9999"  # where a shape waits that is not to be seen, in units


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
        self.name: ThemeName = theme
        self.theme: Theme = THEMES[theme]

    def scene(self, scene: Scene, told: str = "") -> Iterator[str]:
        """Yield the beginning of a scene; `told`: the description, where it is not the scene's."""
        told = told or scene.description or scene.title
        yield from self.head((scene.width, scene.height), scene.cell, scene.title, told)
        yield BULBS.substitute(name=self.name, **self.theme)

    def head(self, size: tuple[float, float], cell: int, title: str, told: str) -> Iterator[str]:
        """Yield the beginning of a document: width and height in cells, words, paper."""
        (width, height), (across, down) = map(number, size), (round(x * cell) for x in size)
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{across}" height="{down}" role="img" font-family="{FONT}">'
        )
        yield f"<title>{title.translate(ESCAPES)}</title>"
        yield f"<desc>{told.translate(ESCAPES)}</desc>"
        yield f'<rect width="{width}" height="{height}" fill="{self.theme["paper"]}"/>'

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


class Timeline:
    """When the frames of a film begin, for elements that loop."""

    def __init__(self, seconds: list[float]) -> None:
        ends = np.cumsum(seconds)
        whole, digits = float(ends[-1]), 4 + len(str(len(seconds)))
        starts = (f"{x / whole:.{digits}f}"[1:] for x in ends[:-1].tolist())
        self.moments: list[str] = ["0", *starts]
        self.once: str = f'calcMode="discrete" dur="{whole:.2f}s" repeatCount="indefinite"'

    def animate(self, attribute: str, values: Iterable[str], kind: str = "") -> str:
        """Return an animation of an attribute that has one value a frame; empty if none changes."""
        runs, at = list[tuple[int, str]](), 0
        for value, group in groupby(values):
            runs.append((at, value))
            at += len(list(group))
        if len(runs) < 2 and not kind:
            return ""
        name = f'animateTransform attributeName="transform" type="{kind}"'
        name = name if kind else f'animate attributeName="{attribute}"'
        times = ";".join(self.moments[k] for k, _ in runs)
        return f'<{name} {self.once} keyTimes="{times}" values="{";".join(v for _, v in runs)}"/>'

    def shown(self, when: Bits, attribute: str = "opacity", off: str = "0", on: str = "1") -> str:
        """Return an animation of what some frames show; empty where nothing changes."""
        return self.animate(attribute, (on if there else off for there in when.tolist()))


def order_animation(film: Film, theme: ThemeName = "light") -> str:
    """Return presses on a board as an SVG document that loops.

    >>> from ponder.model.board import Board
    >>> board = Board.from_rows(["00", "00"], "plus", "any")
    >>> order_animation(Film.of(board, np.array([0, 3])))[:38]
    '<svg xmlns="http://www.w3.org/2000/svg'
    """
    return "\n".join(_order(film, Writer(theme)))


def _order(film: Film, writer: Writer) -> Iterator[str]:
    scene, frames = film.scene, film.frames
    time = Timeline([frame.seconds for frame in frames])
    yield from writer.scene(scene, f"{pluralise(frames[-1].presses, 'press')}, played")
    yield from map(writer.shape, scene.under())
    states = np.array([frame.lit for frame in frames])
    flashing = np.zeros_like(states)
    for shown, frame in zip(flashing, frames, strict=True):
        shown[frame.toggled] = True
    for v, bulb in enumerate(scene.bulbs()):
        if inside := time.shown(flashing[:, v]):
            yield writer.shape(Circle(bulb.x, bulb.y, 0.5, "flash"), inside, ' opacity="0"')
    for v, bulb in enumerate(scene.bulbs()):
        if inside := time.shown(states[:, v]):
            yield writer.shape(replace(bulb, lit=False))
            more = f' opacity="{int(states[0, v])}"'
            yield writer.shape(replace(bulb, lit=True), inside, more)
        else:
            yield writer.shape(bulb)
    if "lines" in scene.marks:  # no goal but lit has line bits: nothing else is over bulbs
        yield from _squares(film, writer, time)
    else:
        yield from map(writer.shape, scene.over())
    places = [None if frame.pressed is None else scene.middle(frame.pressed) for frame in frames]
    ways = [f"{AWAY} {AWAY}" if at is None else " ".join(map(number, at)) for at in places]
    ring = writer.shape(Circle(0, 0, 0.45, None, "dot", 0.07))
    moves = time.animate("", ways, "translate")
    yield f'<g transform="translate({AWAY})">{moves}{ring}</g>'
    said = np.array(film.said)
    for line in scene.words():
        for text in dict.fromkeys(film.said):
            inside, more = time.shown(said == text), "" if text == film.said[0] else ' opacity="0"'
            yield writer.shape(replace(line, text=text), inside, more)
    yield "</svg>\n"


def _squares(film: Film, writer: Writer, time: Timeline) -> Iterator[str]:
    """Yield the line bits: an open square each, and a full one that comes and goes."""
    for side, places in enumerate(film.scene.line_places()):
        shown = np.array([frame.bits[side] for frame in film.frames if frame.bits is not None])
        for k, (x, y) in enumerate(places):
            yield from map(writer.shape, square(x, y, filled=False, marked=False))
            inside = time.shown(shown[:, k])
            if inside or shown[0, k]:
                (full,) = square(x, y, filled=True, marked=False)
                yield writer.shape(full, inside, f' opacity="{int(shown[0, k])}"')
