"""`ponder play`: the page on which one draws a board, sees the answer, and plays."""

from __future__ import annotations

import errno
import os
import socket
import sys
import threading
from contextlib import suppress

import click

from ponder.cli import params
from ponder.cli.boards import Header
from ponder.page.board_data import drawable, page_text
from ponder.page.server import Server
from ponder.system.errors import PonderError

HOST = "127.0.0.1"

PORT = 4023  # the port unless told otherwise, where it is free: April 2023


@params.command(
    """
Examples:
  ponder play
  ponder play board.txt
  ponder play board.txt --pattern plus
  ponder play --port 8000 --no-browser
"""
)
@click.argument("file", metavar="[FILE]", required=False)
@params.header_option
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    help="The port to answer on; 0: any that is free. [default: 4023, or any that is free]",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@params.quiet_option
def command(
    file: str | None, header: Header, port: int | None, no_browser: bool, quiet: bool
) -> int:
    """Serve the page, to this machine alone, until Ctrl-C.

    The first line of the output is the address of the page.
    """
    start = None if file is None else page_text(drawable(header.read(file), file))
    with listening(port) as bound, Server(bound, start) as server, suppress(KeyboardInterrupt):
        address = f"http://{HOST}:{bound.getsockname()[1]}/"
        click.echo(address)
        sys.stdout.flush()
        if not quiet:
            click.echo("Ctrl-C ends it.", err=True)
        if not no_browser:
            _open(address)
        server.serve_forever(0.1)
    return 0


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
