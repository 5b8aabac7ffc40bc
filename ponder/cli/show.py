"""`ponder show`: draw a board, and the bulbs to press."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ponder.cli import options
from ponder.cli.options import gathered, option
from ponder.cli.terminal import drawn, legend, picture, say
from ponder.system.limits import Limits, TimeUp
from ponder.system.printable import names_listed, pluralise

if TYPE_CHECKING:
    from ponder.lights_out.covers import SingleCells
    from ponder.model.board import Board
    from ponder.model.render import Coordinates
    from ponder.system.types import Bits, Json

SCHEMA = "ponder.picture/1"
DRAWING_SECONDS = 3e-7  # to draw a bulb: so much earlier the search for the press set ends


DRAWN = 3  # bulbs whose press sets are drawn
LISTED = 400  # bulbs whose press sets are counted in the JSON answer, at most


@options.command(
    """
Examples:
  ponder show board.txt
  ponder show board.txt --presses               the press set that linear algebra gives
  ponder show board.txt --mark answer.json      the presses of a result or a press list
  ponder show graph.g6 --odd 1,5 --fixed 1:2    T and the given arcs of an orientation
  ponder show graph.g6 --mark orientation.json  a result of orient
  ponder show 5 --pattern plus --single-cells   which boards with one lit bulb can be put out

Marks: ● lit, ○ unlit; ◉ and ◎ are such bulbs that are marked, to be pressed (1 0 # x where the
terminal has no such signs).
"""
)
def command(
    file: str = options.board_argument,
    header: options.Header = gathered(options.Header),
    presses: bool = option("--presses", "Mark the bulbs to press (the linear stage)."),
    mark: str | None = option(
        "--mark FILE", "Mark the presses of a result, a press list or a grid."
    ),
    odd: str | None = options.odd_option,
    fixed: str | None = options.fixed_option,
    single_cells: bool = option(
        "--single-cells",
        "Of this shape (FILE may be a size): which boards with one lit bulb can be put out.",
    ),
    coords: Coordinates = options.coords_option,
    clock: Limits = options.clock_option,
    as_json: bool = options.json_option,
) -> int:
    """Draw the board in FILE ("-": standard input), and with --presses the bulbs to press."""
    import numpy as np

    from ponder.check.evidence.odd_witness import OddWitness
    from ponder.find.linear.press_sets import press_sets
    from ponder.model import render
    from ponder.model.press_lists import read_presses
    from ponder.model.wired_graph import WiringGraph

    if odd is not None or fixed is not None:
        if presses or single_cells or mark is not None or header != options.Header(*[None] * 6):
            raise click.UsageError("--odd and --fixed are about a graph alone")
        return _show_question(file, odd or "", fixed or "", as_json)
    if single_cells:
        if presses or mark is not None:
            raise click.UsageError("--single-cells excludes --presses and --mark")
        return _show_single_cells(file, header, coords, clock, as_json)
    arrows = _arrows(mark, file)
    board = header.read(file, clock, wirings=True) if arrows is None else arrows[0]
    graph, named, lights = board.graph, None, None
    words, nullity, code = "", None, 0
    if arrows is not None:
        words = arrows[1]
    elif mark is not None:
        bulbs = read_presses(mark, board, coords)
        lights, named = graph.seats(graph.set_of(bulbs)), graph.labels(np.sort(bulbs))
        words = f"{pluralise(bulbs.size, 'press')} from {mark}"
    elif presses:
        try:
            sets = press_sets(board, clock.before(DRAWING_SECONDS * board.graph.size))
        except TimeUp as stopped:
            sets, code, words = None, 3, f"press set unknown: {stopped}"
        if isinstance(sets, OddWitness):
            lights = np.zeros_like(board.lit)
            lights[sets.members] = True
            named = graph.of_lights.labels(sets.members)
            words = "no press set: " + sets.sentence(board)
        elif sets is not None:
            marked, nullity = sets.particular, sets.nullity
            lights, named = graph.seats(marked), graph.labels(np.flatnonzero(marked))
            words = f"press set of {pluralise(int(marked.sum()), 'bulb')}, " + (
                "the only one" if nullity == 0 else f"one of 2^{nullity} (nullity {nullity})"
            )
    if as_json:
        found: Json = {"schema": SCHEMA, "sha256": board.sha256, "title": render.title(board)}
        found["picture"] = render.draw(board, marked=lights, ascii_only=True)
        if named is not None:
            found |= {"marked": named, "nullity": nullity}
        if words:
            found["remark"] = words
        click.echo(json.dumps(found))
        return code
    say([f"{board.name}: {render.title(board)}", ""])
    say(picture(board, marked=lights))
    if board.goal_name == "grid":
        say(["", "goal", ""])
        say(picture(board, lit=board.goal))
    if lights is not None:
        what = "bulbs of the odd witness" if nullity is None and presses else "bulbs to press"
        say(legend(f"{what}, lit and unlit"))
    if words:
        say(["", words])
    if named is not None and isinstance(graph, WiringGraph):
        say(render.wrapped(render.label_text(board, label) for label in named))
    return code


def _show_question(file: str, odd: str, fixed: str, as_json: bool) -> int:
    """Print a graph with T, the vertices of odd out-degree, marked, and the given arcs."""
    import numpy as np

    from ponder.model import render

    asked = options.asked_of(options.question_in(file), odd, fixed).question
    board, labels = asked.board, asked.graph.labels
    marked = labels(np.flatnonzero(asked.odd))
    arcs = [labels(arc) for arc in asked.fixed]
    if as_json:
        found: Json = {"schema": SCHEMA, "sha256": asked.sha256, "title": board.name}
        found["picture"] = render.draw(
            board, lit=board.lit & False, marked=asked.odd, ascii_only=True
        )
        click.echo(json.dumps({**found, "marked": marked, "arcs": arcs}))
        return 0
    edges = pluralise(len(asked.graph.edges), "edge")
    say([f"a graph of {pluralise(asked.graph.size, 'vertex')} and {edges}", ""])
    say(picture(board, lit=board.lit & False, marked=asked.odd))
    say(["", f"T, odd out-degrees: {names_listed(marked) or 'none'}"])
    if arcs:
        say(["given arcs: " + ", ".join(names_listed(arc, " -> ") for arc in arcs)])
    return 0


def _arrows(mark: str | None, file: str) -> tuple[Board, str] | None:
    """Return what a result of `orient` says, verified; None for any other file."""
    from ponder.check.orientation import SCHEMA as ORIENTATION
    from ponder.model.files import read_bytes
    from ponder.model.json_text import RESULT, parse_result

    if mark is None or mark == "-":
        return None
    data, source = read_bytes(mark)
    if data.lstrip()[:1] != b"{":
        return None
    content = parse_result(data, source, (RESULT, ORIENTATION))
    if content is None or content["schema"] != ORIENTATION:
        return None
    board, found = options.oriented(file, content, source)
    listed = found.get("presses")
    if not isinstance(listed, list):
        return board, "no such orientation, by a refutation that was checked"
    return board, "an acyclic orientation; every edge leads to the right in " + (
        names_listed(listed)
    )


def _show_single_cells(
    file: str, header: options.Header, coords: Coordinates, clock: Limits, as_json: bool
) -> int:
    """Print which bulbs can be toggled alone, and how; return the exit code."""
    from ponder.lights_out.covers import single_cells

    unlit = options.dark_board(file, header, clock)
    found = single_cells(unlit.graph, clock)
    if as_json:
        click.echo(json.dumps(_single_cells_content(found, clock)))
    else:
        _say_single_cells(found, unlit, coords, clock)
    return 0


def _press_sets(found: SingleCells, bulb: int, clock: Limits) -> list[Bits]:
    """Return a press set where the bulb alone is lit, and one where it alone is unlit."""
    sets = (found.press_set(bulb, lit, clock) for lit in (True, False))
    return [chosen for chosen in sets if chosen is not None]


def _say_single_cells(found: SingleCells, board: Board, coords: Coordinates, clock: Limits) -> None:
    import numpy as np

    from ponder.lights_out.covers import LISTED_NULLITY
    from ponder.model import render

    graph, count = found.graph, int(found.solvable.sum())
    boards = pluralise(graph.size, "board")
    of = f"{count} of the {boards} with one lit bulb can be put out"
    each = f", each by 2^{found.quiet.nullity} press sets" if count and found.quiet.nullity else ""
    say(
        [
            render.shape_text(graph),
            of + each,
            "(and so can as many with one unlit bulb: those of the same bulbs)",
            "",
        ]
    )
    say(drawn(board, marked=found.solvable))
    say(legend("bulbs that can be put out alone"))
    what = "a lightest press set" if found.quiet.nullity <= LISTED_NULLITY else "a press set"
    for bulb in np.flatnonzero(found.solvable)[:DRAWN].tolist():
        name, one = render.label_text(board, graph.label(bulb), coords), graph.set_of([bulb])
        for chosen, state, lit in zip(
            _press_sets(found, bulb, clock), ("lit", "unlit"), (one, ~one), strict=True
        ):
            pressed = int(chosen.sum())
            share = f"{pluralise(pressed, 'bulb')}, {100 * pressed / graph.size:.0f} %"
            say(["", f"{name} {state}: {what} of {share}", ""])
            say(drawn(board, lit=lit, marked=chosen))
            say(legend("bulbs to press, lit and unlit"))
    if count:
        said = "A press set s pressed on the board s changes only the one bulb: s + A s = s + e."
        say(["", said])


def _single_cells_content(found: SingleCells, clock: Limits) -> Json:
    import numpy as np

    from ponder.lights_out.covers import LISTED_NULLITY

    graph, chosen = found.graph, np.flatnonzero(found.solvable)
    listed = []
    for bulb in chosen[:LISTED].tolist():
        lit, unlit = (int(each.sum()) for each in _press_sets(found, bulb, clock))
        listed.append({"bulb": graph.label(bulb), "lit": lit, "unlit": unlit})
    return {
        "schema": "ponder.single-cells/1",
        "pattern": graph.pattern,
        "bulbs": graph.size,
        "nullity": found.quiet.nullity,
        "solvable": graph.labels(chosen),
        "lightest": found.quiet.nullity <= LISTED_NULLITY,
        "presses": listed,
    }
