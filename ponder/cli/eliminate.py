"""`ponder eliminate`: the row reduction of a board, step by step."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ponder.cli.options import (
    Finite,
    board_argument,
    coords_option,
    header_options,
    json_option,
)

if TYPE_CHECKING:
    from ponder.cli.options import Header
    from ponder.linear.row_reduction import RowReduction
    from ponder.pictures.themes import ThemeName
    from ponder.puzzle.board import Board
    from ponder.puzzle.render import Coordinates
    from ponder.types import Json

SCHEMA = "ponder.elimination/1"

MOST_BULBS = 100
"""Bulbs of a board at most: more, and nobody looks at the matrix."""

FORMATS = ("svg", "gif", "apng")


@click.command(
    "eliminate",
    short_help="Solve the linear equations of a board step by step, as on paper.",
    epilog="""\b
Examples:
  ponder eliminate board.txt                   by keys on a terminal; a listing elsewhere
  ponder eliminate board.txt --auto --speed 5
  ponder eliminate board.txt --matrices | less
  ponder eliminate board.txt --why-always-solvable
  ponder eliminate board.txt -o elimination.gif
  ponder eliminate board.txt --json

\b
One equation a bulb: an odd number of the presses that toggle it, iff it must change. Keys: space,
Enter, → or l one step on, ← or h one back, ↓ ↑ (j k) a press on or back, End or e to the end,
q to what is read off.

\b
JSON, ponder.elimination/1: `bulbs` (their names; equation and press i are those of bulb i),
`matrix` (rows of A as texts of 0 and 1), `change` (b), `steps` (`kind` swap or add, and from 0 the
`column` in hand, `source`, `target`: the rows that change places, or the row that is added and the
one it is added to), `pivots` (row, column), `free` (columns), `reduced` (rows of A | b at the end),
`press_set` (bulbs, or null), `odd_witness` (bulbs whose equations add up to 0 = 1, or null),
`quiet_patterns` (a basis, as bulbs), and of each of these in `even` its `bulbs` and `edges`: the
ones of A in its rows and columns are bulbs + 2·edges.

\b
Exit codes: 0 answered, 2 bad usage or bad input, 130 interrupted.
""",
)
@board_argument
@header_options
@click.option("--auto", is_flag=True, help="Play on the terminal by itself.")
@click.option(
    "--speed", type=Finite(0.1, 50), metavar="N", help="Steps a second, with --auto or -o."
)
@click.option("--matrices", is_flag=True, help="List the matrix after every press.")
@click.option(
    "--why-always-solvable",
    "why",
    is_flag=True,
    help="Show on this board why all bulbs can always be toggled (instead of the steps).",
)
@click.option("-o", "--output", metavar="OUT", help="Write an animation: .svg, .gif or .apng.")
@click.option(
    "--theme", type=click.Choice(["light", "dark", "print"]), default="light", show_default=True,
    help="Of the animation.",
)  # fmt: skip
@coords_option
@json_option
def command(
    file: str,
    header: Header,
    auto: bool,
    speed: float | None,
    matrices: bool,
    why: bool,
    output: str | None,
    theme: ThemeName,
    coords: Coordinates,
    as_json: bool,
) -> int:
    """Solve A s = b over GF(2) for the board in FILE ("-": standard input), and show every step."""
    from ponder.cli.terminal import ascii_only, drawn_over, painter, say
    from ponder.linear.row_reduction import row_reduction

    ways = [auto, matrices, why, as_json, output is not None]
    if sum(ways) > 1:
        raise click.UsageError(
            "--auto, --matrices, --why-always-solvable, --json and -o: one of them"
        )
    if auto and not drawn_over(sys.stdout):
        raise click.UsageError("--auto draws on a terminal, and standard output is none")
    if output is not None:
        _check_output(output)
    board = header.read(file)
    _refuse_large(board)
    found = row_reduction(board)
    if output is not None:
        _write(output, found, board, speed, theme)
        return 0
    if as_json:
        click.echo(json.dumps(_content(found, board)))
        return 0
    from ponder.cli import elimination_text as text
    from ponder.puzzle import render

    paint, plain = painter(), ascii_only()
    say([f"{board.name}: {render.title(board)}", ""])
    if why:
        say(text.why_lines(found, board, paint, plain))
        return 0
    if auto or (not matrices and drawn_over(sys.stdout) and sys.stdin.isatty() and file != "-"):
        from ponder.cli.elimination_screen import show

        show(found, board, coords, speed or 3.0 if auto else None)
    else:
        say(text.listing(found, board, coords, matrices, plain))
    say(text.reading(found, board, coords, paint, plain))
    return 0


def _refuse_large(board: Board) -> None:
    from ponder.errors import BoardError

    if board.graph.size > MOST_BULBS:
        raise BoardError(
            f"{board.graph.size:,} bulbs are too many to be looked at (at most {MOST_BULBS}); "
            "`ponder show --presses` solves large boards",
            board.name,
        )


def _check_output(output: str) -> None:
    from ponder.cli.places import check_file

    if Path(output).suffix.lower().removeprefix(".") not in FORMATS:
        raise click.UsageError("OUT ends in none of .svg, .gif, .apng")
    check_file(output)


def _write(
    output: str, found: RowReduction, board: Board, speed: float | None, theme: ThemeName
) -> None:
    """Write the animation."""
    from ponder.pictures.image_files import write_images
    from ponder.pictures.moving_matrix import MatrixFilm
    from ponder.puzzle.files import packed_file

    film = MatrixFilm(found, board, speed)
    form = Path(output).suffix.lower()
    with packed_file(output) as out:
        if form == ".svg":
            out.write(film.document(theme).encode())
        else:
            write_images(out, film.images(theme), film.seconds, "gif" if form == ".gif" else "apng")


def _content(found: RowReduction, board: Board) -> Json:
    """Return the elimination as a JSON object."""
    import numpy as np

    from ponder.linear.quiet_patterns import even_patterns

    label = board.graph.labels

    def bulbs(bits: object) -> object:
        return None if bits is None else label(np.flatnonzero(np.asarray(bits)))

    def rows(bits: object) -> list[str]:
        return ["".join("01"[bit] for bit in row) for row in np.asarray(bits).tolist()]

    even = even_patterns(board.graph, found.quiet_patterns)
    return {
        "schema": SCHEMA,
        "board": {"sha256": board.sha256, "bulbs": board.graph.size},
        "bulbs": label(np.arange(board.graph.size)),
        "matrix": rows(found.matrix),
        "change": rows([found.change])[0],
        "steps": [
            {"kind": x.kind, "column": x.column, "source": x.source, "target": x.target}
            for x in found.steps
        ],
        "pivots": [list(pivot) for pivot in found.pivots],
        "free": list(found.free),
        "reduced": rows(found.reduced),
        "press_set": bulbs(found.press_set),
        "odd_witness": bulbs(found.odd_witness),
        "quiet_patterns": [bulbs(quiet) for quiet in found.quiet_patterns],
        "even": [{"bulbs": int(x.bulbs.size), "edges": x.edges} for x in even],
    }
