"""The graph that a command is about: that of a board file, or the full board of a size."""

from __future__ import annotations

import re

import numpy as np

from ponder.cli.options import Header
from ponder.freeorder.nullities import full_graph
from ponder.limits import Limits
from ponder.puzzle.board import Board
from ponder.puzzle.graph import Graph


def sides_of(word: str) -> tuple[int, int] | None:
    """Return the sides that a size says, N or RxC; None for any other word: a file name.

    >>> sides_of("5"), sides_of("4x6"), sides_of("board.txt")
    ((5, 5), (4, 6), None)
    """
    match = re.fullmatch(r"(\d{1,9})(?:[x×](\d{1,9}))?", word, re.ASCII)
    return None if match is None else (int(match[1]), int(match[2] or match[1]))


def graph_of(word: str, pattern: str | None, clock: Limits) -> Graph:
    """Return the graph of a size (of plus boards unless a pattern is named), or of a board file.

    >>> from ponder.limits import NEVER
    >>> graph_of("4x6", None, NEVER).size
    24
    """
    sides = sides_of(word)
    if sides is None:
        return Header(pattern, None, None).read(word, clock).graph
    return full_graph(pattern or "plus", sides)


def dark(graph: Graph) -> Board:
    """Return the unlit board of a graph, which is to be lit.

    >>> from ponder.limits import NEVER
    >>> int(dark(graph_of("2", None, NEVER)).change.sum())
    4
    """
    nothing = np.zeros(graph.size, dtype=np.bool_)
    return Board(graph, nothing, ~nothing)
