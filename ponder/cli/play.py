"""`ponder play`: the page on which one draws a board, sees the answer, and plays."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
from contextlib import suppress

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.system.errors import PonderError

HOST = "127.0.0.1"

PORT = 4023  # the port unless told otherwise, where it is free: April 2023


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
    """Serve the page, to this machine alone, until Ctrl-C.

    The first line of the output is the address of the page.
    """
    if file is None and any(vars(header).values()):
        raise click.UsageError("--pattern, --rule, --goal and --puzzle need a FILE.")
    start = None if file is None else _text_of(file, header)
    with listening(port) as bound:
        from ponder.page.server import Server

        with Server(bound, start) as server, suppress(KeyboardInterrupt):
            address = f"http://{HOST}:{bound.getsockname()[1]}/"
            click.echo(address)
            sys.stdout.flush()
            if not quiet:
                click.echo("Ctrl-C ends it.", err=True)
            if not no_browser:
                _open(address)
            server.serve_forever(0.1)
    return 0


def _text_of(file: str, header: options.Header) -> str:
    """Return the board of a file as text. Raises BoardError where the page could not show it."""
    from ponder.page.boards import drawable, page_text  # and numpy: the server needs none

    return page_text(drawable(header.read(file, wirings=True), file))


def _open(address: str) -> None:
    """Open a browser that has a window; one of the terminal would take the terminal."""
    windows = sys.platform in ("win32", "darwin", "cygwin")
    if windows or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def listening(port: int | None) -> socket.socket:
    """Return a socket: the port 0 is any, None is PORT or any that is free. Raises PonderError."""
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((HOST, PORT if port is None else port))
        taken.listen(128)
    except OSError as error:
        taken.close()
        if port is None and error.errno == errno.EADDRINUSE:
            return listening(0)
        raise PonderError(f"cannot use port {port or PORT}: {error.strerror or error}") from None
    return taken
