"""uvicorn as the page needs it: strangers' bytes are answered in JSON, and say nothing here.

uvicorn tells of every odd request on standard error, with tracebacks, or with the advice to install
a library. The terminal belongs to whoever started `ponder play`, not to who connects: uvicorn's
log is silent, and what it would have told is answered to the client, in one line. A fault of this
program is answered with 500 (`server`).

Its end is ours as well. The searches end first, so that requests under way get their last word and
nobody waits for what will not come; signals are heard by `serve`.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ponder.page.guard import HEADERS
from ponder.page.protocol import error_json, line_of

LEAVING = 1
"""Seconds that open requests have when the server ends."""


class Http(H11Protocol):
    """HTTP/1.1; what is none gets an error that a program can read, as long as one can be sent."""

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP. Where an answer is under way already, only the end is left."""
        if self.cycle is not None:
            self.cycle.disconnected = True  # whoever works at the answer may stop
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = line_of(error_json("this is no HTTP request"))
            headers = {
                **HEADERS,
                "content-type": "application/json",
                "content-length": str(len(body)),
                "connection": "close",
            }
            head = h11.Response(
                status_code=400, headers=list(headers.items()), reason=b"Bad Request"
            )
            for event in (head, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class Server(uvicorn.Server):
    """A server that calls `ending` before it waits for the requests that are open."""

    def __init__(self, application: Callable[..., object], ending: Callable[[], Awaitable[None]]):
        super().__init__(
            uvicorn.Config(
                application,
                http=Http,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=LEAVING,
            )
        )
        self.ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: the searches, then the requests, then the connections."""
        await self.ending()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to `serve`."""
        yield
