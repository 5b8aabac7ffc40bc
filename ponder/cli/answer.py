"""How `order` and `solve` show a result: for people, as JSON, as a trace, or played."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator

import click

from ponder.check.kinds import CLAIMS
from ponder.check.replay import play
from ponder.check.result import CP_SAT_SAYS, Result
from ponder.cli import options
from ponder.cli.terminal import (
    ascii_only,
    coloured,
    drawn_over,
    painter,
    picture,
    remark,
    say,
)
from ponder.model import render
from ponder.model.board import Board
from ponder.model.files import whole_file
from ponder.model.render import Coordinates, draw, seconds_text
from ponder.pictures.answers import argument, paragraph, words_of
from ponder.system.errors import BoardError
from ponder.system.signals import received
from ponder.system.types import Bits

INTERRUPTED = "interrupted"  # the reason of a search that Ctrl-C ended; what it knew is printed
LONG_TRACE = 20  # a trace of more presses goes to a pager when output is a terminal


def present(result: Result, showing: options.Showing, *, explain: bool = False) -> int:
    """Print a result and return the exit code."""
    if showing.trace_to is not None and result.presses is not None:
        with whole_file(showing.trace_to) as file:
            file.writelines(_trace(result, showing.coords, draw))
    elif showing.trace_to is not None:
        remark(f"no presses to trace ({result.verdict}): {showing.trace_to}", showing.quiet)
    if showing.as_json:
        for piece in result.json_text():
            click.echo(piece, nl=False)
        click.echo()
    else:
        say(_text(result, showing))
        if explain:
            if (said := argument(result)) is not None:
                say(paragraph(said))
            told = "  {:<10} {:>9}  {}".format
            say(["", *(told(x.method, seconds_text(x.seconds), x.outcome) for x in result.steps)])
        if showing.trace and showing.trace_to is None and result.presses is not None:
            lines = _trace(result, showing.coords, picture)
            if sys.stdout.isatty() and result.presses.size > LONG_TRACE:
                click.echo_via_pager(lines, color=coloured(sys.stdout))
            else:
                say(line.rstrip("\n") for line in lines)
    # some methods answer with what they have, and do not say that it is for a Ctrl-C
    unfinished = result.verdict != "impossible" and not result.optimal
    if result.reason == INTERRUPTED or (unfinished and received() is not None):
        return 130
    return 3 if result.verdict == "unknown" else 0


def compete(result: Result) -> int:
    """Print a result as SAT competitions have it, and return their exit code: 10, 20 or 0.

    The presses are the numbers of the bulbs in play order (row by row from 1, holes left out).
    """
    say([f"c {result.board.name} {result.board.sha256}", f"c method {result.method}"])
    if result.reason is not None:
        say([f"c {result.reason}"])
    if result.refutation is not None:
        say([f"c {result.refutation.argument(result.board)}"])
    if result.verdict == "impossible" and result.claim is not None:
        say([f"c {result.claim}: {CLAIMS[result.claim]}"])
    if result.verdict == "solved":
        presses = [] if result.presses is None else (result.presses + 1).tolist()
        words = [str(number) for number in [*presses, 0]]
        say(["s SATISFIABLE"])
        say(f"v {' '.join(words[k : k + 12])}" for k in range(0, len(words), 12))
        return 10
    say(["s UNSATISFIABLE" if result.verdict == "impossible" else "s UNKNOWN"])
    return 20 if result.verdict == "impossible" else 0


def _text(result: Result, showing: options.Showing) -> Iterator[str]:
    board, paint = result.board, painter()
    if not showing.quiet:
        yield f"{board.name}: {render.title(board)}"
        yield ""
    yield from words_of(result, showing.coords, paint, ascii_only=ascii_only())
    if (said := result.statistics.get(CP_SAT_SAYS)) is not None and not showing.quiet:
        yield from paragraph(f"OR-tools CP-SAT says, and nothing here proves it: {said}")
    if not showing.quiet:
        ended = f"; {result.reason}" if result.reason and result.verdict == "solved" else ""
        yield ""
        yield paint(f"{result.method}, {seconds_text(result.seconds)}{ended}", "dim")


def _trace(
    result: Result, coordinates: Coordinates, draw: Callable[..., list[str]]
) -> Iterator[str]:
    """Yield the board at the start and after each press, as text with line ends."""
    board, presses = result.board, result.presses
    if presses is None:
        return
    yield "\nstart\n\n" + "\n".join(draw(board)) + "\n"
    states = play(board, presses)
    for k, (bulb, state) in enumerate(zip(presses.tolist(), states, strict=True), 1):
        label = render.label_text(board, board.graph.label(bulb), coordinates)
        marked = board.graph.seats(board.graph.set_of([bulb]))
        picture = draw(board, lit=state, marked=marked)
        yield f"\npress {k}: {label}\n\n" + "\n".join(picture) + "\n"


# ------------------------------------------------------------------- played on a terminal

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"  # make the cursor go and come back
_LAST = 0.5  # seconds for the first and the last frame: they stay on the screen


def check_terminal() -> None:
    """Refuse to play where nothing can be drawn over; a usage error."""
    if not drawn_over(sys.stdout):
        raise click.UsageError("--animate needs a terminal, and standard output is not one")


def animate(result: Result, speed: float | None) -> None:
    """Play the presses of a result where the cursor stands; Ctrl-C brings the cursor back."""
    from ponder.pictures.frames import frame_words, frames_of

    board, presses = result.board, result.presses
    if presses is None:
        return
    height = 0
    out = sys.stdout
    try:
        out.write(HIDE)
        for frame in frames_of(board, presses, speed):
            lines = [
                *_fitting(board, frame.lit, frame.pressed),
                "",
                frame_words(board, frame, presses.size),
            ]
            back = f"\x1b[{height}F" if height else ""
            out.write(back + "".join(f"{line}\x1b[K\n" for line in lines))
            out.flush()
            height = len(lines)
            time.sleep(_LAST if frame.pressed is None else frame.seconds)
    finally:
        out.write(SHOW + "\n")
        out.flush()


def _fitting(board: Board, lit: Bits, pressed: int | None) -> list[str]:
    graph = board.graph
    marked = None if pressed is None else graph.seats(graph.set_of([pressed]))
    lines = picture(board, lit=lit, marked=marked, below=3)
    room = shutil.get_terminal_size().lines - 3
    if len(lines) > room:
        raise BoardError(f"its picture has {len(lines)} lines, the terminal {room}", board.name)
    return lines
