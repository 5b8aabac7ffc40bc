"""`ponder play`: the page on which one draws a board, sees the answer, and plays."""

from __future__ import annotations

import errno
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import remark
from ponder.system.errors import PonderError, quoted
from ponder.system.printable import one_line
from ponder.system.signals import ENDING

if TYPE_CHECKING:
    import asyncio

    from ponder.page.server import Server

HOST = "127.0.0.1"

PORT = 4023  # the port unless told otherwise, where it is free: April 2023


@options.command(
    """
Examples:
  ponder play
  ponder play board.txt
  ponder play board.txt --pattern plus
  ponder play --port 8000 --no-browser
  ponder play --host 0.0.0.0                    for a phone on the same network
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
    host: str = option(
        "--host ADDRESS",
        "Answer other devices on your network, too: an IPv4 address of this machine, or 0.0.0.0. "
        "Whoever has the printed address, with its token, can use the page.",
        default=HOST,
        show_default=False,
    ),
    no_browser: bool = option("--no-browser", "Do not open a browser."),
    quiet: bool = options.quiet_option,
) -> int:
    """Serve the page, to this machine alone unless --host says more, until Ctrl-C.

    The first line of the output is the address of the page.
    """
    if file is None and any(vars(header).values()):
        raise click.UsageError("--pattern, --rule, --goal and --puzzle need a FILE.")
    start = None if file is None else _text_of(file, header)
    with listening(port, host) as bound:

        def ready(address: str) -> None:
            click.echo(address)
            sys.stdout.flush()
            if host != HOST:
                remark("warning: whoever has this address can use the page and this machine's time")
            if not quiet:
                click.echo("Ctrl-C ends it.", err=True)
            if not no_browser:
                _open(address)

        with suppress(KeyboardInterrupt):
            serve(bound, start, ready)
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


def listening(port: int | None, host: str = HOST) -> socket.socket:
    """Return a socket: the port 0 is any, None is PORT or any that is free. Raises PonderError."""
    # asyncio sends small pieces at once (TCP_NODELAY) where the protocol is named, else 40 ms later
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, PORT if port is None else port))
        taken.listen(128)
    except (OSError, UnicodeError) as error:
        taken.close()
        reason = getattr(error, "strerror", None) or error
        if port is None and getattr(error, "errno", 0) == errno.EADDRINUSE:
            return listening(0, host)
        place = f"port {port or PORT}:" if host == HOST else f"{quoted(host)}, port {port or PORT}:"
        raise PonderError(f"cannot use {place} {reason}") from None
    return taken


def serve(bound: socket.socket, start: str | None, ready: Callable[[str], None]) -> None:
    """Serve the page until a signal ends it; `ready` is told its address when it answers.

    The signal then has the effect that it has outside: Ctrl-C is a KeyboardInterrupt.
    """
    import asyncio  # it takes as long to load as all that `--help` needs

    ending = asyncio.run(_serve(bound, start, ready))
    if ending is not None:
        signal.raise_signal(ending)


def name_of(bound: socket.socket) -> str:
    """Return the address under which other devices reach a socket; that of the network for all."""
    name = str(bound.getsockname()[0])
    if name != "0.0.0.0":
        return name
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, suppress(OSError):
        asking.connect(("192.0.2.1", 9))  # nothing is sent: the system only chooses a way
        return str(asking.getsockname()[0])
    return HOST


class _Ending:
    """The signals that end a process, as events of the loop, also before there is a server."""

    def __init__(self) -> None:
        self.received: int | None = None
        self.server: Server | None = None

    def handle(self, number: int) -> None:
        """Ask the server to end; not to wait for anybody, when asked again."""
        again, self.received = self.received is not None, number
        if self.server is not None:
            self.server.should_exit, self.server.force_exit = True, again

    @contextmanager
    def listening(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Listen during a block; then whoever listened before does so again."""
        before = {}
        for number in ENDING:
            handler = signal.getsignal(number)
            if handler is not signal.SIG_IGN:
                with suppress(NotImplementedError, ValueError, RuntimeError):  # no POSIX, a thread
                    loop.add_signal_handler(number, self.handle, number)
                    before[number] = handler
        try:
            yield
        finally:
            for number, handler in before.items():
                loop.remove_signal_handler(number)
                signal.signal(number, handler)


async def _serve(
    bound: socket.socket, start: str | None, ready: Callable[[str], None]
) -> int | None:
    import asyncio

    from ponder.page.workers import Workers, searches_at_once

    loop, workers, ending = asyncio.get_running_loop(), Workers(searches_at_once()), _Ending()
    loop.set_exception_handler(_teller(ending))
    with ending.listening(loop):
        try:
            await workers.start()  # they load what they need while the server loads its own
            from ponder.page.server import Server, application

            name = name_of(bound)
            address, token = f"http://{name}:{bound.getsockname()[1]}/", None
            if not bound.getsockname()[0].startswith("127."):
                token = secrets.token_urlsafe(16)
            page = application(workers, start, name, token)
            server = ending.server = Server(page, workers.end)
            server.should_exit = ending.received is not None
            running = asyncio.ensure_future(server.serve(sockets=[bound]))
            while not server.started and not running.done():
                await asyncio.sleep(0.005)
            if not server.should_exit:
                ready(address if token is None else f"{address}?token={token}")
                workers.grow()
            await running
        finally:
            await workers.end()
    return ending.received


def _teller(ending: _Ending) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Return what says in one line, and once, what befell the loop: too many connections, say."""
    said: set[str] = set()

    def tell(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "protocol" in context:  # what one connection brings on itself: it has ended
            return
        if ending.received is not None:  # asyncio would listen again, at a socket that is closed
            return
        error = context.get("exception")
        reason = context["message"] + ("" if error is None else f": {error}")
        if reason not in said:
            said.add(reason)
            print(f"ponder: {one_line(reason)}", file=sys.stderr, flush=True)

    return tell
