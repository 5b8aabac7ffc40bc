"""The graph that a command is about: that of a board file, or the full board of a size."""

from __future__ import annotations

import re

from ponder.cli.options import Header
from ponder.freeorder.nullities import full_graph
from ponder.limits import Limits
from ponder.puzzle.graph import Graph


def is_size(word: str) -> bool:
    """Whether a word is a size, N or RxC, and no file name.

    >>> is_size("5"), is_size("4x6"), is_size("board.txt")
    (True, True, False)
    """
    return re.fullmatch(r"\d{1,9}(?:[x×]\d{1,9})?", word, re.ASCII) is not None


def graph_of(word: str, pattern: str | None, clock: Limits) -> Graph:
    """Return the graph of a size (of plus boards unless a pattern is named), or of a board file.

    >>> from ponder.limits import NEVER
    >>> graph_of("4x6", None, NEVER).size
    24
    """
    if not is_size(word):
        return Header(pattern, None, None).read(word, clock).graph
    sides = [int(side) for side in re.split("[x×]", word)]
    return full_graph(pattern or "plus", (sides[0], sides[-1]))
