"""Colours: night, day, and paper.

The same parts have the same names as in the page's style sheet (`page/static/page.css`). Warm
yellow is light, vermilion are presses, blue are reasons: colour-blind eyes tell these apart, and
shape and fill say the same again. On paper there is no colour: white is lit, black is unlit, and
whatever is drawn over bulbs has a white edge.
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


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, each as #rrggbb.

    `paper`      behind everything
    `ink`, `soft`            words; words and squares of less weight
    `lit` and its kin        a lit disc: the middle, the light spot, the edge, the rim, the glow
    `unlit`, `unlit_core`, `ring`   an unlit one
    `card`       around what is drawn over a bulb
    `dot`, `on_dot`          presses, and numerals on them
    `mark`, `on_mark`, `mark_fill`  reasons, words on them, what they enclose
    `flash`      behind the bulbs that a press has toggled
    `wire`       the edges of a graph
    `glowing`    whether lit discs glow, `cased`: whether strokes have an edge of `card`
    """

    paper: str
    ink: str
    soft: str
    lit: str
    lit_core: str
    lit_edge: str
    lit_rim: str
    glow: str
    unlit: str
    unlit_core: str
    ring: str
    card: str
    dot: str
    on_dot: str
    mark: str
    on_mark: str
    mark_fill: str
    flash: str
    wire: str
    glowing: bool = True
    cased: bool = False

    def colour(self, role: Role) -> str:
        """Return a colour by what it is for.

        >>> THEMES["print"].colour("lit")
        '#ffffff'
        """
        return str(getattr(self, role))


THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        paper="#f6f5f1", ink="#1d2530", soft="#56606c",
        lit="#f7bd3c", lit_core="#fff1c4", lit_edge="#eaa21f", lit_rim="#b97b0e", glow="#f5b52e",
        unlit="#dfe0dd", unlit_core="#eceae4", ring="#78818b", card="#fffefb",
        dot="#b93a08", on_dot="#fffefb", mark="#1c5bb8", on_mark="#fffefb", mark_fill="#d3dce8",
        flash="#fbe3ad", wire="#b9bec4",
    ),
    "dark": Theme(
        paper="#10141a", ink="#eae7df", soft="#a3adb8",
        lit="#ffcb52", lit_core="#fff7dc", lit_edge="#f0a32b", lit_rim="#ffdc8a", glow="#ffc24a",
        unlit="#171d25", unlit_core="#222a34", ring="#6d7885", card="#181e26",
        dot="#d9480f", on_dot="#fffefb", mark="#7db8ff", on_mark="#10141a", mark_fill="#22303f",
        flash="#4a3c1d", wire="#3b4550",
    ),
    "print": Theme(
        paper="#ffffff", ink="#000000", soft="#000000",
        lit="#ffffff", lit_core="#ffffff", lit_edge="#ffffff", lit_rim="#000000", glow="#ffffff",
        unlit="#000000", unlit_core="#000000", ring="#000000", card="#ffffff",
        dot="#000000", on_dot="#ffffff", mark="#000000", on_mark="#ffffff", mark_fill="#d4d4d4",
        flash="#c4c4c4", wire="#000000", glowing=False, cased=True,
    ),
}  # fmt: skip
