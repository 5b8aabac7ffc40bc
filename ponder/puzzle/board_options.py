"""What a caller asks of a board in place of what its file says, and what the board is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ponder.printable import printable
from ponder.puzzle.graph import Graph
from ponder.types import Bits


@dataclass(frozen=True)
class BoardOptions:
    """Pattern, rule and goal that replace the file's; None leaves the file's.

    The goal is asked for when the graph is known, and given as one bit per bulb.

    >>> BoardOptions(rule="lit").pattern is None
    True
    """

    pattern: str | None = None
    rule: str | None = None
    goal: Callable[[Graph], Bits] | None = None


def board_name(source: str) -> str:
    """Return the name of a board that was read from a file.

    >>> board_name("boards/small.txt.gz")
    'small'
    """
    if source in ("board", "standard input"):
        return source
    return printable(Path(source).name.split(".")[0])
