"""What a statement of `verify` is about, in words: the question is named in full.

A statement that is read alone says what is proved of what. So a board is named in each by its
size, pattern, rule and goal, and by a SHA-256 for what these leave open (state, holes, edges). What
a result may choose freely (a press set, the odd vertices and given arcs of an orientation) is
listed where it is short, else counted and named by a SHA-256. docs/formats.md says of what.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from ponder.check.reader import place
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph, GridGraph
from ponder.model.wired_graph import Wired
from ponder.system.printable import pluralise, printable, shortened
from ponder.system.types import Bits, Ints

MOST_NAMED = 12  # bulbs, vertices or arcs that are listed by name
_DIGITS = 16  # of a SHA-256 in a statement
_MOST_LETTERS = 60  # of a pattern


def board_named(board: Board) -> str:
    """Return size, pattern, rule and goal of a board.

    >>> board_named(Board.from_rows(["00", "0-"], "plus"))
    '2×2 plus with 3 bulbs, rule unlit, goal lit'
    """
    goal = "drawn" if board.goal_name == "grid" else board.goal_name
    return f"{shape_named(board.graph)}, rule {board.rule}, goal {goal}"


def shape_named(graph: Graph) -> str:
    """Return what a board is without its state, rule and goal: its size and its pattern."""
    if isinstance(graph, GridGraph):
        rows, columns = graph.shape
        holes = "" if graph.mask is None else f" with {pluralise(graph.size, 'bulb')}"
        return f"{rows}×{columns} {shortened(graph.pattern, _MOST_LETTERS)}{holes}"
    if isinstance(graph, Wired):
        buttons = pluralise(graph.presses, "button")
        return f"wiring of {pluralise(graph.size, 'light')} and {buttons}"
    return f"graph of {pluralise(graph.size, 'bulb')} and {pluralise(graph.edge_count(), 'edge')}"


def press_set_named(board: Board, press_set: Bits) -> str:
    """Return the presses of a press set by their places, or their number and a SHA-256."""
    chosen = np.flatnonzero(press_set)
    named = _listed(" ", chosen.size, map(place, board.graph.labels(chosen[:MOST_NAMED])))
    digest = hashlib.sha256(np.packbits(press_set).tobytes()).hexdigest()
    return f"the press set of {pluralise(chosen.size, 'press')}{named or f' ({digits(digest)})'}"


def orientation_named(
    graph: EdgeGraph, odd: Bits, arcs: Ints, labels: Sequence[object] = ()
) -> tuple[str, str]:
    """Return the graph of an orientation by its size, and what is asked: T and the given arcs.

    The vertices have the `labels` that a caller has given them, or those of the graph.
    """

    def called(part: Ints) -> Iterable[str]:
        return (
            (printable(str(labels[v])) for v in part) if labels else map(place, graph.labels(part))
        )

    chosen, parities = np.flatnonzero(odd), "all out-degrees even"
    if chosen.size:
        names = _listed(": ", chosen.size, called(chosen[:MOST_NAMED]))
        parities = f"odd out-degrees at {pluralise(chosen.size, 'vertex')}{names}"
    given = "no arc given"
    if len(arcs):
        ends = ("->".join(called(arc)) for arc in arcs[:MOST_NAMED])
        given = f"{pluralise(len(arcs), 'arc')} given{_listed(': ', len(arcs), ends)}"
    named = f"graph of {pluralise(graph.size, 'vertex')} and {pluralise(len(graph.edges), 'edge')}"
    return named, f"{parities}; {given}"


def digits(digest: str) -> str:
    """Return the first digits of a SHA-256."""
    return f"SHA-256 {digest[:_DIGITS]}…"


def _listed(before: str, number: int, first: Iterable[str]) -> str:
    """Return names after a colon or blank; an empty text for none, too many, or too long ones."""
    named = before + before.replace(":", ",").join(first)
    return named if 0 < number <= MOST_NAMED and len(named) <= 20 * MOST_NAMED else ""
