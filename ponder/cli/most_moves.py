"""`ponder most-moves`: how many presses the hardest board of a shape needs."""

from __future__ import annotations

import click

from ponder.cli import params
from ponder.cli.boards import Header
from ponder.cli.output import Progress, drawn, legend, say, say_json
from ponder.lights_out.atlas import atlas_of
from ponder.lights_out.most_moves import most_moves
from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.presets import puzzle_named
from ponder.model.render import shape_text, title
from ponder.model.wired_graph import Wired
from ponder.system.errors import BoardError
from ponder.system.limits import Limits
from ponder.system.printable import pluralise
from ponder.system.types import Json


@params.command(
    """
Examples:
  ponder most-moves 5
  ponder most-moves 4x7 --pattern torus-plus
  ponder most-moves 23 --timeout 30 --json > answer.json
  ponder verify 23 answer.json
  ponder most-moves 4x6 --rule unlit            only unlit bulbs are pressed: exact, small sizes
  ponder most-moves 4 --puzzle in-order         the same, by the pattern and rule of a puzzle

Under the rule any (the default) the number is the covering radius of the code of quiet patterns.
The lower bound is a board, given by one of its lightest press sets. The upper bound is a count of
the bulbs by type, with a proof by congruences where that is not enough (docs/theory.md, 8.5).
Exit codes: 0 both bounds are printed, 2 bad input, 3 not in time, 130 interrupted.
"""
)
@click.argument("file", metavar="SIZE")
@params.header_option
@params.seed_option
@params.clock_option
@params.json_option
@params.quiet_option
def command(file: str, header: Header, seed: int, clock: Limits, as_json: bool, quiet: bool) -> int:
    """Bound the most moves of a SIZE (N or RxC), or of the shape of a board FILE."""
    params.refuse({"lit"}, "does not matter: all boards of the shape are bounded")
    board = header.of_size(file).read(file, clock)
    if board.pressed:
        raise BoardError("the goal is to press every bulb: every board takes as many", board.name)
    if isinstance(board.graph, Wired):
        raise BoardError(
            "a wiring: most moves are known of neighbours that toggle each other", board.name
        )
    rule = header.rule or (puzzle_named(header.puzzle).rule if header.puzzle else "any")
    if rule != "any":
        return _of_all_boards(board, clock, as_json, quiet)
    with Progress(quiet) as progress:
        moves = most_moves(board.graph, clock, seed, progress.say)
    if as_json:
        say_json(moves.to_json())
        return 0
    bulbs, nullity = pluralise(board.graph.size, "bulb"), len(moves.types.basis)
    bounds = f"{moves.lower}" if moves.optimal else f"{moves.lower} to {moves.upper}"
    say([shape_text(board.graph), f"most moves: {bounds} ({bulbs}, nullity {nullity})"])
    say(["", f"a board that needs {moves.lower}, by a lightest press set:", ""])
    say(drawn(board, lit=~board.graph.apply(moves.press_set), marked=moves.press_set))
    say(legend("bulbs of the press set", board.graph))
    return 0


def _of_all_boards(board: Board, clock: Limits, as_json: bool, quiet: bool) -> int:
    """Search all boards of a shape at once, under a rule by which the order matters."""
    with Progress(quiet) as progress:
        atlas = atlas_of(board, progress.say, clock)
    if as_json:
        content: Json = {"schema": "ponder.all-boards/1", "pattern": board.graph.pattern}
        content |= {"rule": board.rule, "bulbs": board.graph.size, "nullity": atlas.nullity}
        content |= {"optimal": True, "lower_bound": atlas.largest, "upper_bound": atlas.largest}
        content |= {"solvable": atlas.solvable, "histogram": list(atlas.histogram)}
        say_json({**content, "hardest": board_text(atlas.hardest)})
        return 0
    say([shape_text(board.graph), f"most moves: {atlas.largest}, repeats allowed"])
    say([f"{atlas.solvable:,} of 2^{board.graph.size} boards can be solved", ""])
    say(["presses   boards"])
    say(f"{presses:>7}  {count:>7,}" for presses, count in enumerate(atlas.histogram))
    say(["", f"a hardest board: {title(atlas.hardest)}", "", *drawn(atlas.hardest)])
    return 0
