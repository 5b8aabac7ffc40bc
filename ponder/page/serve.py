"""Serving the page on the loopback address until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from ponder.errors import PonderError
from ponder.page.workers import Workers, searches_at_once
from ponder.printable import one_line
from ponder.signals import ENDING

if TYPE_CHECKING:
    from ponder.page.server import Server

HOST = "127.0.0.1"

PORT = 4023
"""The port unless told otherwise, where it is free: April 2023."""


def listening(port: int | None) -> socket.socket:
    """Return a socket on the loopback address; PonderError where the port cannot be had.

    0 takes a free port; None takes PORT, or a free one where that is taken.

    >>> with listening(0) as found:
    ...     found.getsockname()[0]
    '127.0.0.1'
    """
    # asyncio sends small pieces at once (TCP_NODELAY) where the protocol is named, else 40 ms later
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((HOST, PORT if port is None else port))
        taken.listen(128)
    except OSError as error:
        taken.close()
        if port is None and error.errno == errno.EADDRINUSE:
            return listening(0)
        raise PonderError(f"port {port or PORT} cannot be had: {error.strerror or error}") from None
    return taken


def serve(bound: socket.socket, start: str | None, ready: Callable[[str], None]) -> None:
    """Serve the page until a signal ends it; `ready` is told its address when it answers.

    The signal then has the effect that it has outside: Ctrl-C is a KeyboardInterrupt.
    """
    ending = asyncio.run(_serve(bound, start, ready))
    if ending is not None:
        signal.raise_signal(ending)


class _Ending:
    """The signals that end a process, as events of the loop: never in the midst of something.

    They are handled from the beginning; the server is told as soon as there is one.
    """

    def __init__(self) -> None:
        self.received: int | None = None
        self.server: Server | None = None

    def handle(self, number: int) -> None:
        """Ask the server to end; not to wait for anybody, when asked again."""
        again, self.received = self.received is not None, number
        if self.server is not None:
            self.server.should_exit, self.server.force_exit = True, again

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen during a block; then whoever listened before does so again."""
        loop, before = asyncio.get_running_loop(), {}
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
    """Serve until a signal comes, and return it."""
    asyncio.get_running_loop().set_exception_handler(_Teller())
    workers, ending = Workers(searches_at_once()), _Ending()
    with ending.listening():
        try:
            await workers.start()  # they load what they need while the server loads its own
            from ponder.page.server import Server, application

            server = ending.server = Server(application(workers, start), workers.end)
            server.should_exit = ending.received is not None
            running = asyncio.ensure_future(server.serve(sockets=[bound]))
            while not server.started and not running.done():
                await asyncio.sleep(0.005)
            if not server.should_exit:
                ready(f"http://{HOST}:{bound.getsockname()[1]}/")
                workers.grow()
            await running
        finally:
            await workers.end()
    return ending.received


class _Teller:
    """Says in one line, and once, what befell the loop itself, such as too many connections."""

    def __init__(self) -> None:
        self.said: set[str] = set()

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        reason = context["message"] + ("" if error is None else f": {error}")
        if reason not in self.said:
            self.said.add(reason)
            print(f"ponder: {one_line(reason)}", file=sys.stderr, flush=True)
