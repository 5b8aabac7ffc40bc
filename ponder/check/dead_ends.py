"""Dead ends: a piece of the board on which no press can be the first, or none the last.

Checked: the bulbs are a whole piece of the board (no press outside toggles them, none of theirs
toggles a bulb outside), one of them has to change, and at the end that is named all of them are in
the state in which the rule allows no press: at the start lit under `unlit` (unlit under `lit`); in
the goal the opposite, since a press that is the last within the piece leaves its bulb so. Then
nothing in the piece is ever pressed, and it never changes.
"""

from __future__ import annotations

import numpy as np

from ponder.check.fields import bulb_set, fail, place, word
from ponder.check.limits import Budget
from ponder.check.neighbourhoods import closed_sums, spend_sums
from ponder.puzzle.board import Board
from ponder.types import Json


def check_dead_end(board: Board, refutation: Json, budget: Budget | None = None) -> None:
    """Check a refutation of kind `dead-end` (claim C4).

    >>> refutation: Json = {"end": "start", "bulbs": [[0, 0]]}
    >>> check_dead_end(Board.from_rows(["1"]), refutation)
    Traceback (most recent call last):
    ponder.errors.CheckFailed: dead-end: none of the bulbs has to change
    """
    if board.odd_later is None:
        fail("dead-end: under the rule 'any' every bulb may be pressed")
    spend_sums(board.graph, budget or Budget(), "the dead end")
    end = word(refutation.get("end"), ("start", "goal"), "dead-end: end")
    piece = bulb_set(board, refutation.get("bulbs"), "dead-end: bulbs")
    leaving = ~piece & (closed_sums(board.graph, piece) > 0)
    if leaving.any():
        bulb = place(board.graph.label(int(np.argmax(leaving))))
        fail(f"dead-end: {bulb} is beside the bulbs and not one of them")
    if not (piece & board.change).any():
        fail("dead-end: none of the bulbs has to change")
    pressable = board.lit == (board.rule == "lit")
    allowed = pressable if end == "start" else board.goal == (board.rule == "unlit")
    if (piece & allowed).any():
        bulb = place(board.graph.label(int(np.argmax(piece & allowed))))
        which = "first" if end == "start" else "last"
        fail(f"dead-end: {bulb} can be the {which} of the bulbs to be pressed")
