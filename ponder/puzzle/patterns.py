"""The patterns that have a name, and what is said of them: the one place where they are listed.

The readers of boards, the help texts, the published schemas and the page take the names from here.
`cross` (a press toggles its row and column) is a family of its own; every other name stands for a
stencil: offsets (dr, dc) that go both ways, on a rectangle or wrapped around a torus.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Offset: TypeAlias = tuple[int, int]

PLUS: tuple[Offset, ...] = ((-1, 0), (0, -1), (0, 1), (1, 0))
KING: tuple[Offset, ...] = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))

STENCILS: Mapping[str, tuple[tuple[Offset, ...], bool]] = {
    "plus": (PLUS, False),
    "king": (KING, False),
    "torus-plus": (PLUS, True),
    "torus-king": (KING, True),
}
"""The offsets of every name, and whether they wrap."""

NAMED = ("cross", *STENCILS)

PATTERNS = (*NAMED, "stencil <dr,dc> …")
"""What a board may say."""

EXAMPLES = ", ".join([*NAMED, "'stencil 0,1 0,-1 …'"])
"""The same as one types it."""

ALSO_PATTERNS = {
    "+": "plus",
    "lights-out": "plus",
    "lights out": "plus",
    "rows": "cross",
    "lines": "cross",
    "moore": "king",
    "torus": "torus-plus",
}
"""What people call them elsewhere, to be asked whether they mean that."""
