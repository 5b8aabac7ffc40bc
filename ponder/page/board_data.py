"""The boards that the page draws, and their text as its modules read it.

A grid is a board file with a full header, no blanks. A graph or a wiring is its JSON, every bulb
and every button with a place on the lattice of `graph_layout`: the one that the file gives, else
one that is found here, the same each time.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Final

import numpy as np

from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import GridGraph
from ponder.model.wired_graph import Wired
from ponder.page.protocol import LONGEST_SIDE
from ponder.pictures.graph_layout import fitted, layout, on_lattice
from ponder.pictures.scene import joined
from ponder.system.errors import BoardError

MOST_PLACES: Final = 100  # bulbs and buttons of a graph or a wiring at most: a phone shows no more


def drawable(board: Board, source: str = "board") -> Board:
    """Return a board that the page can draw. Raises BoardError, in a sentence, for any other."""
    graph = board.graph
    if board.pressed and isinstance(graph, Wired):
        ways = "use `ponder order FILE` for it"
        raise BoardError(f"the page plays no buttons with the goal `pressed`: {ways}", source)
    if isinstance(graph, GridGraph):
        if isinstance(graph, Wired):
            ways = "use `ponder order FILE` or `ponder solve FILE` for it"
            raise BoardError(f"the page does not play `toggles`: {ways}", source)
        if max(graph.shape) > LONGEST_SIDE:
            sides, most = f"{graph.shape[0]}×{graph.shape[1]}", f"{LONGEST_SIDE}×{LONGEST_SIDE}"
            raise BoardError(
                f"a board of {sides} is too large for the page (at most {most})", source
            )
    elif (count := joined(graph)[0]) > MOST_PLACES:
        things = "lights and buttons" if isinstance(graph, Wired) else "bulbs"
        reason = f"a graph of {count:,} {things} is too large for the page (at most {MOST_PLACES})"
        raise BoardError(reason, source)
    return board


def page_text(board: Board) -> str:
    """Return the text that the page reads.

    >>> page_text(Board.from_rows(["01"]))
    'pattern: cross\\nrule: unlit\\ngoal: lit\\n01\\n'
    """
    graph = board.graph
    if isinstance(graph, GridGraph):
        return board_text(board)
    drawn = copy(graph)
    if graph.positions is None:
        drawn.positions = layout(*joined(graph)).astype(np.float64)
    else:
        drawn.positions = on_lattice(fitted(graph.positions)).astype(np.float64)
    return board_text(replace(board, graph=drawn))
