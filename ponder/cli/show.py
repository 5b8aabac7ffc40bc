"""`ponder show`: draw a board, and the bulbs to press."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ponder.cli.options import (
    board_argument,
    coords_option,
    header_options,
    json_option,
    timeout_option,
)
from ponder.printable import counted

if TYPE_CHECKING:
    from ponder.cli.options import Header
    from ponder.puzzle.render import Coordinates


SCHEMA = "ponder.picture/1"
DRAWING_SECONDS = 3e-7
"""What a bulb takes to be drawn: so much earlier the search for the press set ends."""


@click.command(
    "show",
    short_help="Draw a board, and the bulbs to press.",
    epilog="""\b
Examples:
  ponder show board.txt
  ponder show board.txt --presses               the press set that linear algebra gives
  ponder show board.txt --mark answer.json      the presses of a result or a press list
  ponder show 5 --pattern plus --single-cells   which boards with one lit bulb can be put out
""",
)
@board_argument
@header_options
@click.option("--presses", is_flag=True, help="Mark the bulbs to press (the linear stage).")
@click.option(
    "--mark", metavar="FILE", help="Mark the presses of a result, a press list or a grid."
)
@click.option(
    "--single-cells",
    is_flag=True,
    help="Of this shape (FILE may be a size): which boards with one lit bulb can be put out.",
)
@coords_option
@timeout_option
@json_option
def command(
    file: str,
    header: Header,
    presses: bool,
    mark: str | None,
    single_cells: bool,
    coords: Coordinates,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Draw the board in FILE ("-": standard input), and with --presses the bulbs to press."""
    from ponder.limits import Limits, TimeUp

    clock = Limits(timeout)
    if single_cells:
        from ponder.cli.single_cells import show_single_cells

        if presses or mark is not None:
            raise click.UsageError("--single-cells goes without --presses and --mark")
        return show_single_cells(file, header.pattern, coords, clock, as_json)
    from ponder.cli.terminal import picture, say
    from ponder.linear.press_sets import press_sets
    from ponder.puzzle import render
    from ponder.puzzle.press_lists import read_presses
    from ponder.puzzle.press_set_refutations import OddWitness

    board = header.read(file, clock)
    marked, remark, nullity, code = None, "", None, 0
    if mark is not None:
        bulbs = read_presses(mark, board, coords)
        marked, remark = board.graph.set_of(bulbs), f"{counted(bulbs.size, 'press')} from {mark}"
    elif presses:
        try:
            sets = press_sets(board, clock.before(DRAWING_SECONDS * board.graph.size))
        except TimeUp as stopped:
            sets, code, remark = None, 3, f"press set unknown: {stopped}"
        if isinstance(sets, OddWitness):
            marked = board.graph.set_of(sets.members)
            remark = "no press set: " + sets.sentence(board)
        elif sets is not None:
            marked, nullity = sets.particular, sets.nullity
            remark = f"press set of {counted(int(marked.sum()), 'bulb')}, " + (
                "the only one" if nullity == 0 else f"one of 2^{nullity} (nullity {nullity})"
            )
    if as_json:
        import numpy as np

        found: dict[str, object] = {"schema": SCHEMA, "sha256": board.sha256}
        found["title"] = render.title(board)
        found["picture"] = render.draw(board, marked=marked, ascii_only=True)
        if marked is not None:
            found["marked"] = board.graph.labels(np.flatnonzero(marked))
            found["nullity"] = nullity
        if remark:
            found["remark"] = remark
        click.echo(json.dumps(found))
        return code
    say([f"{board.name}: {render.title(board)}", ""])
    say(picture(board, marked=marked))
    if board.goal_name == "grid":
        say(["", "goal", ""])
        say(picture(board, lit=board.goal))
    if remark:
        say(["", remark])
    return code
