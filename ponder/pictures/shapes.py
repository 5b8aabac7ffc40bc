"""The shapes of which a picture is made, in cells and by what their colours are for.

Whoever draws them (`svg`, `pixels`) knows colours and pixels, and nothing of boards; whoever makes
them (`scene`) knows boards, and nothing of files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ponder.pictures.themes import Role

Segment: TypeAlias = tuple[float, float, float, float]
"""From (x, y) to (x, y)."""


@dataclass(frozen=True)
class Bulb:
    """A lit or an unlit bulb."""

    x: float
    y: float
    lit: bool


@dataclass(frozen=True)
class Circle:
    """A disc where it has a `fill`, a ring where it has a `stroke`."""

    x: float
    y: float
    radius: float
    fill: Role | None = None
    stroke: Role | None = None
    width: float = 0.0
    dashed: bool = False


@dataclass(frozen=True)
class Box:
    """A rectangle with round corners; `hatched` ones are filled with slanting lines."""

    x: float
    y: float
    width: float
    height: float
    corner: float
    fill: Role | None = None
    stroke: Role | None = None
    line: float = 0.0
    hatched: bool = False


@dataclass(frozen=True)
class Strokes:
    """Straight lines with round ends; one of no length is a disc."""

    segments: tuple[Segment, ...]
    stroke: Role
    width: float


@dataclass(frozen=True)
class Words:
    """A line of text, `y` being its middle."""

    x: float
    y: float
    text: str
    size: float
    colour: Role
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "middle"


Shape: TypeAlias = Bulb | Circle | Box | Strokes | Words

DISC = 0.36
"""The radius of a lit disc; the ring of an unlit one is a little smaller."""


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is; system fonts differ, so a little more than most take.

    >>> text_width("5 pairs", 1.0) > text_width("2 rows", 1.0)
    True
    """
    narrow = sum(sign in "iljt.,:;'|!()[] fr1" for sign in text)
    wide = sum(sign in "mwMW@%—" for sign in text)
    return size * (0.6 * len(text) - 0.22 * narrow + 0.25 * wide)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Return a text as lines that are no wider than `width`, a long word apart.

    >>> wrapped("one two three four", 1.0, 6.0)
    ['one two', 'three four']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
