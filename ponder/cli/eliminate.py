"""`ponder eliminate`: the row reduction of a board, step by step."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import click
import numpy as np

from ponder.cli import elimination_text as text
from ponder.cli import options
from ponder.cli.elimination_text import show
from ponder.cli.terminal import drawn_over, say
from ponder.errors import BoardError
from ponder.linear.quiet_patterns import even_patterns
from ponder.linear.row_reduction import RowReduction, row_reduction
from ponder.pictures.elimination import MatrixFilm
from ponder.pictures.pixels import write_images
from ponder.pictures.shapes import ThemeName
from ponder.puzzle import render
from ponder.puzzle.board import Board
from ponder.puzzle.files import packed_file
from ponder.puzzle.render import Coordinates
from ponder.types import Json

SCHEMA = "ponder.elimination/1"

MOST_BULBS = 100
"""Bulbs of a board at most: more, and nobody looks at the matrix."""

FORMATS: tuple[options.Format, ...] = ("svg", "gif", "apng")


@click.command(
    "eliminate",
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
@options.board_argument
@options.header_options
@click.option("--auto", is_flag=True, help="Play on the terminal by itself.")
@options.speed_option("Steps a second, with --auto or -o.")
@click.option("--matrices", is_flag=True, help="List the matrix after every press.")
@click.option(
    "--why-always-solvable",
    "why",
    is_flag=True,
    help="Show on this board why all bulbs can always be toggled (instead of the steps).",
)
@click.option("-o", "--output", metavar="OUT", help="Write an animation: .svg, .gif or .apng.")
@options.theme_option("Of the animation.")
@options.coords_option
@options.json_option
def command(
    file: str,
    header: options.Header,
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
    ways = [auto, matrices, why, as_json, output is not None]
    if sum(ways) > 1:
        raise click.UsageError(
            "--auto, --matrices, --why-always-solvable, --json and -o: one of them"
        )
    if auto and not drawn_over(sys.stdout):
        raise click.UsageError("--auto draws on a terminal, and standard output is none")
    if output is not None:
        form = options.format_of(output, FORMATS)
        options.check_file(output)
    board = header.read(file)
    if board.graph.size > MOST_BULBS:
        raise BoardError(
            f"{board.graph.size:,} bulbs are too many to be looked at (at most {MOST_BULBS}); "
            "`ponder show --presses` solves large boards",
            board.name,
        )
    found = row_reduction(board)
    if output is not None:
        film = MatrixFilm(found, board, speed)
        with packed_file(output) as out:
            if form == "svg":
                out.write(film.document(theme).encode())
            else:
                write_images(out, film.images(theme), film.seconds, form)
        return 0
    if as_json:
        click.echo(json.dumps(_content(found, board)))
        return 0
    say([f"{board.name}: {render.title(board)}", ""])
    if why:
        say(text.why_lines(found, board))
        return 0
    if auto or (not matrices and drawn_over(sys.stdout) and sys.stdin.isatty() and file != "-"):
        show(found, board, coords, speed or 3.0 if auto else None)
    else:
        say(text.listing(found, board, coords, matrices))
    say(text.reading(found, board, coords))
    return 0


def _content(found: RowReduction, board: Board) -> Json:
    """Return the elimination as a JSON object."""
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
        "steps": [asdict(step) for step in found.steps],
        "pivots": [list(pivot) for pivot in found.pivots],
        "free": list(found.free),
        "reduced": rows(found.reduced),
        "press_set": bulbs(found.press_set),
        "odd_witness": bulbs(found.odd_witness),
        "quiet_patterns": [bulbs(quiet) for quiet in found.quiet_patterns],
        "even": [{"bulbs": int(x.bulbs.size), "edges": x.edges} for x in even],
    }
