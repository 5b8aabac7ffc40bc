"""Dead ends: boards on which the rule allows no first press, or no last one.

Idea. Under the rule `unlit` only unlit bulbs may be pressed, and the pressed bulb is lit then. So
where all bulbs of a connected piece of the graph are lit, nothing can be pressed there; and where
all of them must be unlit in the end, no press can be the last one. A piece that has to change is
then out of reach, although the linear system may have a solution. Under the rule `lit` lit and
unlit change places (theory §2.5). There is no other obstacle to legal sequences with repeats on a
board whose linear system has a solution (the theorem of theory §2.6).

Cost. O(vertices + edges), by the components of the whole graph.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.puzzle.board import Board
from ponder.puzzle.components import component_numbers
from ponder.puzzle.graph import GridGraph
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.puzzle.press_set_refutations import DeadEnd
from ponder.types import Bits, Ints

_CONNECTED = ("cross", "plus", "king", "torus-plus", "torus-king")
"""Patterns whose full rectangles are one piece."""


def dead_end(board: Board, limits: Limits = NEVER) -> DeadEnd | None:
    """Return a piece of the board that no legal sequence can change although it must; TimeUp.

    >>> dead_end(Board.from_rows(["11"], "plus", goal="unlit")).end
    'start'
    >>> dead_end(Board.from_rows(["10"], "plus", goal="unlit")).end
    'goal'
    >>> dead_end(Board.from_rows(["00"], "plus"))
    """
    odd_later = board.odd_later
    if odd_later is None or not (board.change & odd_later).any():
        return None  # at either end all bulbs of the piece are so, and one of them must change
    limits.check()
    piece = pieces(board, limits)
    limits.check()
    sizes = np.bincount(piece)

    def ones(bits: Bits) -> Ints:
        return np.bincount(piece[bits], minlength=sizes.size)

    must_change = ones(board.change) > 0
    blocked = board.lit if board.rule == "unlit" else ~board.lit
    ends: tuple[tuple[Literal["start", "goal"], Bits], ...] = (
        ("start", blocked),
        ("goal", odd_later),
    )
    for end, stuck in ends:
        dead = np.flatnonzero(must_change & (ones(stuck) == sizes))
        if dead.size:
            return DeadEnd(end, np.flatnonzero(piece == dead[0]))
    return None


def pieces(board: Board, limits: Limits = NEVER) -> Ints:
    """Return the number of each bulb's piece, the connected part of the graph it lies in. TimeUp.

    >>> pieces(Board.from_rows(["0-0"], "plus")).tolist()
    [0, 1]
    """
    graph = board.graph
    if isinstance(graph, GridGraph) and graph.mask is None and graph.pattern in _CONNECTED:
        return np.zeros(graph.size, dtype=np.int64)
    everything = np.arange(graph.size, dtype=np.int64)
    return component_numbers(OrderingProblem(graph, everything, board.lit), limits)
