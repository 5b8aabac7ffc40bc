"""`ponder eliminate`: the row reduction of a board, step by step, and the answer that it gives."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click
import numpy as np

from ponder.check.witness import Witness
from ponder.cli import params
from ponder.cli.boards import Header
from ponder.cli.output import ascii_only, drawn, legend, painter, say
from ponder.find.linear.row_reduction import RowReduction, row_reduction
from ponder.model import render
from ponder.model.board import Board
from ponder.model.render import Coordinates, Paint, Role, no_paint
from ponder.model.wired_graph import no_wiring
from ponder.pictures import explain
from ponder.pictures.elimination import Frame, frames_of, last_words, matrix_film
from ponder.pictures.pixels import write_picture
from ponder.system.errors import BoardError
from ponder.system.printable import pluralise

SPACED = 30  # bulbs up to which the entries of a matrix stand apart
SHOWN = 16  # quiet patterns that are drawn at most
MARKS = "v: has an equation of its own, o: free; right of the bar: what must change"
MOST_BULBS = 100  # bulbs of a board at most: the matrix of more says nothing to the eye


@params.command(
    """
Examples:
  ponder eliminate board.txt                   a step at each Enter, on a terminal; >> for the rest
  ponder eliminate board.txt --matrices | less
  ponder eliminate board.txt -o steps.gif

Each bulb has one equation: an odd number of the presses that toggle it, iff it must change.
Exit codes: 0 answered, 2 bad usage or bad input, 130 interrupted.
"""
)
@params.file_argument
@params.header_option
@click.option("--matrices", is_flag=True, help="List the matrix after every press.")
@click.option("-o", "--output", metavar="OUT", help="Write an animation: .svg or .gif.")
@params.speed(help="Steps a second.  [default: 1.25, of many steps more]")
@params.coords_option
def command(
    file: str,
    header: Header,
    matrices: bool,
    output: str | None,
    speed: float | None,
    coords: Coordinates,
) -> int:
    """Solve A s = b over GF(2) for the board in FILE ("-": standard input), and show every step."""
    board = header.read(file)
    no_wiring(board.graph, board.name)
    if board.graph.size > MOST_BULBS:
        raise BoardError(
            f"{board.graph.size:,} bulbs are too many to show step by step (at most {MOST_BULBS}); "
            "`ponder draw --show presses` solves large boards",
            board.name,
        )
    reduction = row_reduction(board)
    if output is not None:
        if not output.lower().endswith((".svg", ".gif")):
            raise click.UsageError("OUT must end in .svg or .gif")
        write_picture(matrix_film(reduction, board, speed), output)
        return 0
    say([f"{board.name}: {render.title(board)}", ""])
    waiting = file != "-" and sys.stdin.isatty() and sys.stdout.isatty()
    for lines in _steps(reduction, board, coords, matrices or waiting):
        say(lines)
        if waiting:
            typed: str = click.prompt("", "", show_default=False, prompt_suffix="")
            waiting = not typed.startswith(">>")
    say(_answer(reduction, board, coords))
    return 0


def _steps(
    reduction: RowReduction, board: Board, coords: Coordinates, matrices: bool
) -> Iterator[list[str]]:
    """Yield the lines of each step, a press; with the matrix that it leaves, or only the last."""
    plain, paint = ascii_only(), painter()
    first, *frames, last = frames_of(reduction, board, whole_stages=True, coords=coords)
    yield [first.words, "", *_matrix(first, no_paint, plain)[1:], "", MARKS, ""]
    for frame in frames:
        words, *more = render.wrapped(frame.words.split(" "), indent="    ")
        below = ["", *_matrix(frame, paint, plain), ""] if matrices else []
        yield [words.strip(), *more, *below]
    if not matrices:
        yield ["", *_matrix(last, paint, plain), ""]


def _matrix(frame: Frame, paint: Paint, plain: bool) -> list[str]:
    """Return A | b as lines below marks of presses: v has an equation of its own, o is free."""
    count, zero = len(frame.rows), "." if plain else "·"
    pivots, known = set(frame.pivots), {column: "v" for _, column in frame.pivots}
    known |= dict.fromkeys(frame.free, "o")
    space = " " if count <= SPACED else ""
    width = len(str(count)) + 1
    above = space.join(known.get(column, " ") for column in range(count))
    lines = [f"{'':{width}} {above}".rstrip()]
    for row, bits in enumerate(frame.rows.tolist()):
        signs = []
        for column, bit in enumerate(bits):
            in_hand = column == frame.column and column < count
            role: Role = "marked" if (row, column) in pivots else "good" if in_hand else "plain"
            role = role if bit or in_hand else "unlit"
            signs.append(paint("1" if bit else zero, role))
        head = f"{row + 1:{width}}"
        if row == frame.source or row in frame.targets:
            head = paint(head, "lit" if row == frame.source else "marked")
        lines.append(f"{head} {space.join(signs[:-1])} | {signs[-1]}")
    return lines


def _answer(reduction: RowReduction, board: Board, coords: Coordinates) -> list[str]:
    """Return what is read off at the end: the press sets, or why there is none."""
    witness, presses = reduction.odd_witness, reduction.press_set
    lines = [last_words(reduction), ""]
    if witness is not None:
        bulbs = np.flatnonzero(witness)
        lines += [f"it is the sum of the equations of {pluralise(bulbs.size, 'bulb')}:"]
        lines += render.wrapped(explain.sentence(board, Witness(bulbs)).split(" "))
        lines += ["", *drawn(board, marked=witness), *legend("these bulbs"), ""]
    elif presses is not None:
        without = ", without free presses" if len(reduction.free) else ""
        lines += [f"the press set{without}: {pluralise(int(presses.sum()), 'bulb')}", ""]
        lines += [*drawn(board, marked=presses), *legend("bulbs to press"), ""]
    for number, quiet in enumerate(reduction.quiet_patterns[:SHOWN], 1):
        free = render.label_text(board, board.graph.label(reduction.free[number - 1]), coords)
        bulbs_of = pluralise(int(quiet.sum()), "bulb")
        lines += [f"quiet pattern {number}, of the free press {free}: {bulbs_of}, changes nothing"]
        lines += ["", *drawn(board, marked=quiet), ""]
    return lines[:-1]
