"""`ponder play`: the page on which one draws a board, sees the answer, and plays."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.errors import BoardError
from ponder.page.protocol import LONGEST_SIDE
from ponder.page.serve import listening, serve


@options.command(
    """
Examples:
  ponder play
  ponder play board.txt
  ponder play board.txt --pattern plus
  ponder play --port 8000 --no-browser
"""
)
def command(
    file: str | None = argument("[FILE]"),
    header: options.Header = gathered(options.Header),
    port: int | None = option(
        "--port N",
        "The port to answer on; 0: any that is free. [default: 4023, or any that is free]",
        type=options.Whole(0, 65535),
    ),
    no_browser: bool = option("--no-browser", "Do not open a browser."),
    quiet: bool = options.quiet_option,
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


def _text_of(file: str, header: options.Header) -> str:
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
