"""What `ponder show --single-cells` prints: the boards with one lit bulb that can be put out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
import numpy as np

from ponder.cli.shapes import graph_of
from ponder.cli.terminal import ascii_only, painter, remark, say
from ponder.freeorder.single_cells import LISTED_NULLITY, single_cells
from ponder.limits import TimeUp
from ponder.printable import counted
from ponder.puzzle import render
from ponder.puzzle.board import Board

if TYPE_CHECKING:
    from ponder.freeorder.single_cells import SingleCells
    from ponder.limits import Limits
    from ponder.puzzle.render import Coordinates
    from ponder.types import Json

DRAWN = 3
"""Bulbs whose press sets are drawn."""

LISTED = 400
"""Bulbs whose press sets are counted in the JSON answer, at most."""


def show_single_cells(
    file: str, pattern: str | None, coords: Coordinates, clock: Limits, as_json: bool
) -> int:
    """Print the answer and return the exit code."""
    try:
        graph = graph_of(file, pattern, clock)
        found = single_cells(graph, clock)
        if as_json:
            click.echo(json.dumps(_content(found, clock)))
        else:
            _draw(found, coords, clock)
    except TimeUp:
        remark("the time limit was reached")
        return 3
    return 0


def _draw(found: SingleCells, coords: Coordinates, clock: Limits) -> None:
    graph, count = found.graph, int(found.solvable.sum())
    nothing = np.zeros(graph.size, dtype=np.bool_)
    dark = Board(graph, nothing, nothing)
    paint, plain = painter(), ascii_only()
    boards = counted(graph.size, "board")
    of = f"{count} of the {boards} with one lit bulb can be put out"
    each = f", each by 2^{found.quiet.nullity} press sets" if count and found.quiet.nullity else ""
    say([of + each, "(and so can as many with one unlit bulb: those of the same bulbs)", ""])
    say(render.draw(dark, marked=found.solvable, paint=paint, ascii_only=plain))
    for bulb in np.flatnonzero(found.solvable)[:DRAWN].tolist():
        for lit in (True, False):
            chosen = found.press_set(bulb, lit, clock)
            assert chosen is not None
            state = nothing.copy()
            state[bulb] = True
            name = render.label_text(dark, graph.labels(np.array([bulb]))[0], coords)
            pressed = int(chosen.sum())
            what = "a lightest press set" if _lightest(found) else "a press set"
            say(
                [
                    "",
                    f"{name} {'lit' if lit else 'unlit'}: {what} of {_share(pressed, graph.size)}",
                    "",
                ]
            )
            shown = state if lit else ~state
            say(render.draw(dark, lit=shown, marked=chosen, paint=paint, ascii_only=plain))
    if count:
        say(
            ["", "A press set s pressed on the board s changes only the one bulb: s + A s = s + e."]
        )


def _lightest(found: SingleCells) -> bool:
    return found.quiet.nullity <= LISTED_NULLITY


def _share(pressed: int, bulbs: int) -> str:
    return f"{counted(pressed, 'bulb')}, {100 * pressed / bulbs:.0f} %"


def _content(found: SingleCells, clock: Limits) -> Json:
    """Return the answer as a JSON object."""
    graph = found.graph
    chosen = np.flatnonzero(found.solvable)
    listed = []
    for bulb in chosen[:LISTED].tolist():
        sets = [found.press_set(bulb, lit, clock) for lit in (True, False)]
        lit, unlit = (int(s.sum()) for s in sets if s is not None)
        listed.append({"bulb": graph.labels(np.array([bulb]))[0], "lit": lit, "unlit": unlit})
    return {
        "schema": "ponder.single-cells/1",
        "pattern": graph.pattern,
        "bulbs": graph.size,
        "nullity": found.quiet.nullity,
        "solvable": graph.labels(chosen),
        "lightest": _lightest(found),
        "presses": listed,
    }
