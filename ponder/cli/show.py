"""`ponder show`: draw a board, and the bulbs to press."""

from __future__ import annotations

import json

import click
import numpy as np

from ponder.cli import options
from ponder.cli.shapes import dark, graph_of
from ponder.cli.terminal import drawn, picture, remark, say
from ponder.freeorder.single_cells import LISTED_NULLITY, SingleCells, single_cells
from ponder.limits import Limits, TimeUp
from ponder.linear.press_sets import press_sets
from ponder.printable import counted
from ponder.puzzle import render
from ponder.puzzle.press_lists import read_presses
from ponder.puzzle.press_set_refutations import OddWitness
from ponder.puzzle.render import Coordinates
from ponder.types import Json

SCHEMA = "ponder.picture/1"
DRAWING_SECONDS = 3e-7
"""What a bulb takes to be drawn: so much earlier the search for the press set ends."""


DRAWN = 3
"""Bulbs whose press sets are drawn."""

LISTED = 400
"""Bulbs whose press sets are counted in the JSON answer, at most."""


@click.command(
    "show",
    epilog="""\b
Examples:
  ponder show board.txt
  ponder show board.txt --presses               the press set that linear algebra gives
  ponder show board.txt --mark answer.json      the presses of a result or a press list
  ponder show 5 --pattern plus --single-cells   which boards with one lit bulb can be put out
""",
)
@options.board_argument
@options.header_options
@click.option("--presses", is_flag=True, help="Mark the bulbs to press (the linear stage).")
@click.option(
    "--mark", metavar="FILE", help="Mark the presses of a result, a press list or a grid."
)
@click.option(
    "--single-cells",
    is_flag=True,
    help="Of this shape (FILE may be a size): which boards with one lit bulb can be put out.",
)
@options.coords_option
@options.clock_option
@options.json_option
def command(
    file: str,
    header: options.Header,
    presses: bool,
    mark: str | None,
    single_cells: bool,
    coords: Coordinates,
    clock: Limits,
    as_json: bool,
) -> int:
    """Draw the board in FILE ("-": standard input), and with --presses the bulbs to press."""
    if single_cells:
        if presses or mark is not None:
            raise click.UsageError("--single-cells goes without --presses and --mark")
        return _show_single_cells(file, header.pattern, coords, clock, as_json)
    board = header.read(file, clock)
    marked, words, nullity, code = None, "", None, 0
    if mark is not None:
        bulbs = read_presses(mark, board, coords)
        marked, words = board.graph.set_of(bulbs), f"{counted(bulbs.size, 'press')} from {mark}"
    elif presses:
        try:
            sets = press_sets(board, clock.before(DRAWING_SECONDS * board.graph.size))
        except TimeUp as stopped:
            sets, code, words = None, 3, f"press set unknown: {stopped}"
        if isinstance(sets, OddWitness):
            marked = board.graph.set_of(sets.members)
            words = "no press set: " + sets.sentence(board)
        elif sets is not None:
            marked, nullity = sets.particular, sets.nullity
            words = f"press set of {counted(int(marked.sum()), 'bulb')}, " + (
                "the only one" if nullity == 0 else f"one of 2^{nullity} (nullity {nullity})"
            )
    if as_json:
        found: Json = {"schema": SCHEMA, "sha256": board.sha256}
        found["title"] = render.title(board)
        found["picture"] = render.draw(board, marked=marked, ascii_only=True)
        if marked is not None:
            found["marked"] = board.graph.labels(np.flatnonzero(marked))
            found["nullity"] = nullity
        if words:
            found["remark"] = words
        click.echo(json.dumps(found))
        return code
    say([f"{board.name}: {render.title(board)}", ""])
    say(picture(board, marked=marked))
    if board.goal_name == "grid":
        say(["", "goal", ""])
        say(picture(board, lit=board.goal))
    if words:
        say(["", words])
    return code


# ---------------------------------------------------------------------- single cells


def _show_single_cells(
    file: str, pattern: str | None, coords: Coordinates, clock: Limits, as_json: bool
) -> int:
    """Print the answer and return the exit code."""
    try:
        graph = graph_of(file, pattern, clock)
        found = single_cells(graph, clock)
        if as_json:
            click.echo(json.dumps(_single_cells_content(found, clock)))
        else:
            _say_single_cells(found, coords, clock)
    except TimeUp:
        remark("the time limit was reached")
        return 3
    return 0


def _say_single_cells(found: SingleCells, coords: Coordinates, clock: Limits) -> None:
    graph, count = found.graph, int(found.solvable.sum())
    unlit = dark(graph)
    boards = counted(graph.size, "board")
    of = f"{count} of the {boards} with one lit bulb can be put out"
    each = f", each by 2^{found.quiet.nullity} press sets" if count and found.quiet.nullity else ""
    say([of + each, "(and so can as many with one unlit bulb: those of the same bulbs)", ""])
    say(drawn(unlit, marked=found.solvable))
    for bulb in np.flatnonzero(found.solvable)[:DRAWN].tolist():
        for lit in (True, False):
            chosen = found.press_set(bulb, lit, clock)
            assert chosen is not None
            name = render.label_text(unlit, graph.label(bulb), coords)
            what = "a lightest press set" if _lightest(found) else "a press set"
            pressed = int(chosen.sum())
            share = f"{counted(pressed, 'bulb')}, {100 * pressed / graph.size:.0f} %"
            say(["", f"{name} {'lit' if lit else 'unlit'}: {what} of {share}", ""])
            say(drawn(unlit, lit=graph.set_of([bulb]) == lit, marked=chosen))
    if count:
        said = "A press set s pressed on the board s changes only the one bulb: s + A s = s + e."
        say(["", said])


def _lightest(found: SingleCells) -> bool:
    return found.quiet.nullity <= LISTED_NULLITY


def _single_cells_content(found: SingleCells, clock: Limits) -> Json:
    """Return the answer as a JSON object."""
    graph = found.graph
    chosen = np.flatnonzero(found.solvable)
    listed = []
    for bulb in chosen[:LISTED].tolist():
        sets = [found.press_set(bulb, lit, clock) for lit in (True, False)]
        lit, unlit = (int(s.sum()) for s in sets if s is not None)
        listed.append({"bulb": graph.label(bulb), "lit": lit, "unlit": unlit})
    return {
        "schema": "ponder.single-cells/1",
        "pattern": graph.pattern,
        "bulbs": graph.size,
        "nullity": found.quiet.nullity,
        "solvable": graph.labels(chosen),
        "lightest": _lightest(found),
        "presses": listed,
    }
