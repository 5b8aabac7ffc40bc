"""`ponder play`: the page on which one draws a board, sees the answer, and plays."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

import click

from ponder.cli.options import Header, header_options, quiet_option
from ponder.errors import BoardError
from ponder.page.protocol import LONGEST_SIDE
from ponder.page.serve import listening, serve


@click.command(
    "play",
    epilog="""\b
Examples:
  ponder play
  ponder play board.txt
  ponder play board.txt --pattern plus
  ponder play --port 8000 --no-browser
""",
)
@click.argument("file", metavar="[FILE]", type=str, required=False)
@header_options
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="The port to answer on; 0: any that is free. [default: 4023, or any that is free]",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@quiet_option
def command(
    file: str | None, header: Header, port: int | None, no_browser: bool, quiet: bool
) -> int:
    """Serve the page on this machine alone, until Ctrl-C; open a browser on it.

    The first line of the output is the address of the page.
    """
    if file is None and (header.pattern or header.rule or header.goal):
        raise click.UsageError("--pattern, --rule and --goal belong to a FILE.")
    start = None if file is None else _text_of(file, header)
    with listening(port) as bound:

        def ready(address: str) -> None:
            click.echo(address)
            sys.stdout.flush()
            if not quiet:
                click.echo("Ctrl-C ends it.", err=True)
            if not no_browser:
                _open(address)

        with suppress(KeyboardInterrupt):
            serve(bound, start, ready)
    return 0


def _text_of(file: str, header: Header) -> str:
    """Return the board of a file as text; BoardError where the page could not show it."""
    from ponder.puzzle.formats import board_text  # and numpy, which the server does without
    from ponder.puzzle.graph import GridGraph

    board = header.read(file)
    graph = board.graph
    if not isinstance(graph, GridGraph):
        raise BoardError("the page draws grids, and this is a graph", file)
    if max(graph.shape) > LONGEST_SIDE:
        sides = f"{graph.shape[0]}×{graph.shape[1]}"
        most = f"{LONGEST_SIDE}×{LONGEST_SIDE}"
        raise BoardError(f"a board of {sides} is too large for the page (at most {most})", file)
    return board_text(board)


def _open(address: str) -> None:
    """Open a browser that has a window; one of the terminal would take the terminal."""
    windows = sys.platform in ("win32", "darwin", "cygwin")
    if windows or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
