"""The shapes of which a picture is made, in cells, and the colours of what they are for.

The modules that draw them (`svg`, `pixels`) know colours and pixels, but no boards. The one that
makes them (`scene`) knows boards, but no files.

Themes are day, night, and paper; what the parts are called is as in the page's style sheet
(`page/static/page.css`). Warm yellow is light, vermilion are presses, blue are reasons:
colour-blind eyes tell these apart, and shape and fill say the same again. On paper there is no
colour: white is lit, black is unlit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

ThemeName: TypeAlias = Literal["light", "dark", "print"]
THEME_NAMES: tuple[ThemeName, ...] = get_args(ThemeName)

Role: TypeAlias = Literal[
    "paper", "ink", "soft", "lit", "lit_core", "lit_edge", "lit_rim", "glow", "unlit",
    "unlit_core", "ring", "card", "dot", "on_dot", "mark", "on_mark", "mark_fill", "flash", "wire",
]  # fmt: skip
"""What a colour is for."""

Theme: TypeAlias = dict[Role, str]

Segment: TypeAlias = tuple[float, float, float, float]  # from (x, y) to (x, y)


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
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    corner: float
    fill: Role | None = None
    stroke: Role | None = None
    line: float = 0.0


@dataclass(frozen=True)
class Strokes:
    """Straight lines with round ends; one of no length is a disc."""

    segments: tuple[Segment, ...]
    stroke: Role
    width: float


@dataclass(frozen=True)
class Words:
    """A line of text, `y` being its middle; a `halo` of paper parts it from what lies below."""

    x: float
    y: float
    text: str
    size: float
    colour: Role
    bold: bool = False
    anchor: Literal["start", "middle", "end"] = "middle"
    halo: bool = False


Shape: TypeAlias = Bulb | Circle | Box | Strokes | Words

DISC = 0.36  # the radius of a lit disc, as in `svg`; an unlit one is a little smaller


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is; system fonts differ, so a little more than most take."""
    narrow = sum(sign in "iljt.,:;'|!()[] fr1" for sign in text)
    wide = sum(sign in "mwMW@%—" for sign in text)
    return size * (0.6 * len(text) - 0.22 * narrow + 0.25 * wide)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Return a text as lines that are no wider than `width`, a long word apart."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


_COLOURS: dict[Role, tuple[str, str, str]] = {
    # role          light      dark       print
    "paper":      ("#f6f5f1", "#10141a", "#ffffff"),
    "ink":        ("#1d2530", "#eae7df", "#000000"),  # words
    "soft":       ("#56606c", "#a3adb8", "#000000"),  # words and squares of less weight
    "lit":        ("#f7bd3c", "#ffcb52", "#ffffff"),  # a lit disc,
    "lit_core":   ("#fff1c4", "#fff7dc", "#ffffff"),  # its light spot,
    "lit_edge":   ("#eaa21f", "#f0a32b", "#ffffff"),
    "lit_rim":    ("#b97b0e", "#ffdc8a", "#000000"),
    "glow":       ("#f5b52e", "#ffc24a", "#ffffff"),
    "unlit":      ("#dfe0dd", "#171d25", "#000000"),  # an unlit one
    "unlit_core": ("#eceae4", "#222a34", "#000000"),
    "ring":       ("#78818b", "#6d7885", "#000000"),
    "card":       ("#fffefb", "#181e26", "#ffffff"),  # around what is drawn over a bulb
    "dot":        ("#b93a08", "#d9480f", "#000000"),  # presses
    "on_dot":     ("#fffefb", "#fffefb", "#ffffff"),  # numerals on them
    "mark":       ("#1c5bb8", "#7db8ff", "#000000"),  # reasons
    "on_mark":    ("#fffefb", "#10141a", "#ffffff"),  # words on them
    "mark_fill":  ("#d3dce8", "#22303f", "#d4d4d4"),  # what they enclose
    "flash":      ("#fbe3ad", "#4a3c1d", "#c4c4c4"),  # behind the bulbs that a press has toggled
    "wire":       ("#b9bec4", "#3b4550", "#000000"),  # the edges of a graph
}  # fmt: skip

THEMES: dict[ThemeName, Theme] = {
    name: {role: shades[k] for role, shades in _COLOURS.items()}
    for k, name in enumerate(THEME_NAMES)
}
