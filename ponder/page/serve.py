"""Serving the page on the loopback address until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable

from ponder.errors import PonderError
from ponder.page.workers import Workers, searches_at_once

HOST = "127.0.0.1"

PORT = 4023
"""The port unless told otherwise, where it is free: April 2023."""

LEAVING = 1
"""Seconds that open requests have when the server ends."""


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
    """Serve the page; `ready` is told its address when it answers. KeyboardInterrupt ends it."""
    asyncio.run(_serve(bound, start, ready))


async def _serve(bound: socket.socket, start: str | None, ready: Callable[[str], None]) -> None:
    workers = Workers(searches_at_once())
    try:
        await workers.start()  # they load what they need while the server loads its own
        import uvicorn

        from ponder.page.server import application

        config = uvicorn.Config(
            application(workers, start),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=LEAVING,
        )
        server = uvicorn.Server(config)
        running = asyncio.ensure_future(server.serve(sockets=[bound]))
        while not server.started and not running.done():
            await asyncio.sleep(0.005)
        if server.started:
            ready(f"http://{HOST}:{bound.getsockname()[1]}/")
            await workers.grow()
        await running
    finally:
        await workers.end()
