"""A hint with its reason, in sentences that are true of this board: where to look, and which bulb.

The page has a sequence that solves the board as it stands (with the goal `pressed`, the board of
the bulbs that are left); a hint explains its first press v. Of
the presses to come, v's later changes are counted; the *island* of v are the bulbs still to be
pressed that are joined to v by changing each other. Where an order with each bulb once was lost,
the press that lost it is named, and why. Cost: O(bulbs), and that of `ponder.order` for each press
that is looked back on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ponder.check.witness import Witness
from ponder.find.linear.press_sets import kernel, press_sets
from ponder.find.order import order
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.page.refute import named
from ponder.pictures import explain
from ponder.pictures.answers import capital
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json

MOST_LOOKED_BACK: Final = (
    40  # after more presses, the press that lost the order is not searched for
)


def hint(start: Board, done: Sequence[int], coming: Sequence[int], limits: Limits = NEVER) -> Json:
    """Explain the next press: first the region (`where`), then the press (`which`), and its bulbs.

    Parameters
    ----------
    start
        The board that play began with.
    made
        The presses since, as bulbs.
    coming
        Presses that solve the board as it stands, at least one.

    >>> hint(Board.from_rows(["00", "01"]), [], [0])["where"]
    'Look at row 1: 1 bulb is still to be pressed there.'
    """
    board, first = after(start, done), coming[0]
    where, bulbs = _where(board, first, {*coming})
    which = _which(board, first, coming, limits)
    lost = lost_at(start, done, limits)
    return {"where": lost or where, "which": which, "bulbs": board.graph.labels(bulbs)}


def _which(board: Board, first: int, coming: Sequence[int], limits: Limits) -> str:
    """Return which bulb to press, and why now."""
    name, near = capital(named(board, first)), {*board.graph.neighbours(first).tolist()}
    must = "this press solves the board"
    if len(coming) > 1:
        must = f"a solution in {len(coming)} presses needs it"
    if board.pressed:
        must = "every bulb is pressed once"
    elif _in_every(board, first, limits):
        must = "every solution presses it"
    if board.rule == "any":
        return f"{name}: {must}, and the order does not matter."
    before, pressed = ("lit", "unlit") if board.lit[first] else ("unlit", "lit")
    later = sum(v in near or v == first for v in coming[1:])
    changes = inflect(later, "changes", "change")
    coming_changes = (
        f"{pluralise(later, 'press')} to come {changes}" if later else "no press to come changes"
    )
    end = before if later % 2 else pressed
    which = f"{name}: {must}. It is {before} now"
    which += "." if board.pressed else f", and {coming_changes} it, so it ends {end}."
    rivals = (v for v in coming[1:] if v in near and board.lit[v] == board.lit[first])
    if (rival := next(rivals, None)) is not None:
        rival_name = named(board, rival)
        which += f" Press {rival_name} first, and it is {pressed}: it would have to wait."
    return which


def after(board: Board, presses: Sequence[int] | Ints) -> Board:
    """Return a board after presses, legal or not."""
    odd = np.bincount(np.array(presses, dtype=np.int64), minlength=board.graph.size) % 2 == 1
    return replace(board, lit=board.lit ^ board.graph.apply(odd))


def lost_at(start: Board, done: Sequence[int], limits: Limits = NEVER) -> str | None:
    """Return after which press no order with each bulb once was left, and why; None if none was."""
    if start.rule == "any" or not done or len(done) > MOST_LOOKED_BACK:
        return None
    why = ""
    for k in range(len(done), -1, -1):  # back to where there is one
        result = order(after(start, done[:k]), timeout=limits.share(0.1))
        if result.verdict == "solved":
            undo = "Undo it, or a bulb must be pressed twice."
            return f"After press {k + 1} there is no order any more: {why}. {undo}" if why else None
        if result.refutation is None:
            return None
        why = explain.sentence(result.board, result.refutation, result.counts)
    return None


def _where(board: Board, first: int, coming: set[int]) -> tuple[str, Ints]:
    """Return where to look first, and the bulbs there: a row, the island, or what is around."""
    graph, label = board.graph, board.graph.label(first)
    around = np.array(sorted({first, *graph.neighbours(first).tolist()}))
    if board.pressed:
        return "Look around here: one of these bulbs can be pressed now.", around
    if isinstance(label, tuple) and (isinstance(graph, CrossGraph) or board.rule == "any"):
        at = label[0]
        labels = graph.labels(np.arange(graph.size))
        row = [v for v, label in enumerate(labels) if isinstance(label, tuple) and label[0] == at]
        left = len(coming.intersection(row))
        counted = f"{pluralise(left, 'bulb')} {inflect(left, 'is', 'are')}"
        return f"Look at row {at + 1}: {counted} still to be pressed there.", np.array(row)
    island = [first]
    for v in island:
        island += [w for w in graph.neighbours(v).tolist() if w in coming and w not in island]
    if len(island) > 1:
        these = f"Look at these {pluralise(len(island), 'bulb')}: all are to be pressed, "
        why = "and each changes another."
        if board.rule != "any":
            why = "each changes another, and one can be first."
        return these + why, np.array(sorted(island))
    alone = "Look around here: one of these bulbs is to be pressed, and none beside it."
    return alone, around


def _in_every(board: Board, bulb: int, limits: Limits) -> bool:
    """Whether all press sets have a bulb."""
    sets = press_sets(board, limits)
    if isinstance(sets, Witness):
        return False
    quiet = kernel(board.graph)
    moving = quiet.combine(np.eye(quiet.nullity, dtype=np.bool_)) if quiet.nullity else None
    return bool(next(iter(sets))[bulb]) and (moving is None or not moving[:, bulb].any())
