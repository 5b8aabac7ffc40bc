"""The server of `ponder play`: the page's files, and the questions that it asks.

    GET  /, /NAME               the page's files, from memory
    GET  /api/start             the board to begin with (or null), boards and puzzles on offer
    POST /api/TASK              `{"board": text, "timeout": seconds}` → the answer of a task
    POST /api/stream/TASK       the same, as it becomes known: one JSON object a line

A thread answers each connection; a search runs in a process (`workers`) that is killed when its
client goes away. Errors have a status of 4xx and are one line of JSON; 500 is a fault of this
program.

The loopback address keeps other machines out, but not the pages of other sites in the same browser:
such a page may send requests here (so `Origin` must be our own), and by a name that it points at
the loopback address it may even read the answers (so `Host` must be ours). The content security
policy lets the page load its own files and nothing else: no text of a board, a link or a file can
become a script, a style or a request.
"""

from __future__ import annotations

import json
import select
import socket
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from ponder.page import offers, static_files
from ponder.page.protocol import MOST_BODY, BadRequest, error_json, line_of, question_of
from ponder.page.workers import Workers

NAMES = ("127.0.0.1", "localhost")  # what the loopback address is called in a browser
JUDGED = ("host", "origin", "sec-fetch-site", "content-length")  # headers that may stand once
PATIENCE = 60  # seconds that a connection may be silent

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "cache-control": "no-cache",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class Server(ThreadingHTTPServer):
    """The server, at an address that it listens on already; `start` is the board to begin with."""

    daemon_threads = True

    def __init__(self, bound: socket.socket, start: str | None) -> None:
        super().__init__(bound.getsockname(), Handler, bind_and_activate=False)
        self.socket.close()
        self.socket: socket.socket = bound
        self.files: dict[str, tuple[bytes, str]] = static_files()
        self.offered: bytes = json.dumps(offers(start)).encode()
        self.workers: Workers = Workers()

    def handle_error(self, *_: object) -> None:
        """Say nothing of a connection that broke: the terminal belongs to the user."""

    def server_close(self) -> None:
        """End all searches."""
        self.workers.end()
        super().server_close()


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout: ClassVar[float | None] = PATIENCE
    close_connection: bool
    disable_nagle_algorithm = True  # else the lines of a stream wait for each other

    def do_GET(self) -> None:
        """Give a file of the page, or what it begins with."""
        self._guarded(self._get)

    def do_POST(self) -> None:
        """Answer a question."""
        self._guarded(self._post)

    def _guarded(self, answer: Any) -> None:
        try:
            try:
                if (reason := self._stranger()) is not None:
                    raise BadRequest(reason, 403)
                answer()
            except BadRequest as error:
                self._refuse(str(error), error.status)
            except OSError:
                raise
            except Exception as error:
                self._refuse(f"the server failed: {type(error).__name__}: {error}", 500)
        except OSError:  # the client has gone away
            self.close_connection = True

    def _stranger(self) -> str | None:
        """Return why a request is a stranger's, None when it is not."""
        for name in JUDGED:
            if len(self.headers.get_all(name, [])) > 1:
                return f"the header {name.title()} is repeated"
        port = self.server.server_address[1]
        homes = {f"{name}:{port}" for name in NAMES}
        if self.headers.get("host", "").lower() not in homes | {*NAMES}:
            return "this server answers to its own address only"
        origin, site = self.headers.get("origin"), self.headers.get("sec-fetch-site")
        foreign = origin is not None and origin.lower() not in {f"http://{home}" for home in homes}
        if foreign or (site == "cross-site" and self.command != "GET"):
            return "this server does not answer other sites"
        return None

    def _get(self) -> None:
        name = self.path.partition("?")[0].removeprefix("/") or "index.html"
        if name == "api/start":
            self._reply(200, self.server.offered, "application/json")
        elif name in self.server.files:
            self._reply(200, *self.server.files[name])
        else:
            raise BadRequest("there is nothing here", 405 if name.startswith("api/") else 404)

    def _post(self) -> None:
        stream = self.path.startswith("/api/stream/")
        if not self.path.startswith("/api/"):
            raise BadRequest("there is nothing here", 404)
        task = self.path.removeprefix("/api/stream/" if stream else "/api/")
        messages = self.server.workers.run(question_of(task, self._body()), self._gone)
        first = next(messages, None)
        if first is None:  # the client has gone away
            self.close_connection = True
            return
        if "error" not in first and stream:
            self.send_response(200)
            self._head("application/x-ndjson", ("transfer-encoding", "chunked"))
            self._chunk(line_of(first))
            for message in messages:
                self._chunk(line_of(message))
            self._chunk(b"")
            return
        last = [first, *messages][-1]
        if "error" in last:
            raise BadRequest(str(last["error"]), int(str(last.get("status", 422))))
        self._reply(200, json.dumps(last.get("end")).encode(), "application/json")

    def _body(self) -> bytes:
        length = self.headers.get("content-length", "0")
        if "transfer-encoding" in self.headers:
            raise BadRequest("the length of the body is not said", 411)
        if not length.isdecimal() or len(length) > 9 or int(length) > MOST_BODY:
            raise BadRequest(f"the body is larger than {MOST_BODY:,} bytes", 413)
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise OSError("the client went away")
        return body

    def _gone(self) -> bool:
        """Whether the client has closed its end."""
        with suppress(BlockingIOError):
            readable = select.select([self.connection], [], [], 0)[0]
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        return False

    def _refuse(self, reason: str, status: int) -> None:
        self.close_connection = True  # its body may not have been read
        self._reply(status, json.dumps(error_json(reason)).encode(), "application/json")

    def _reply(self, status: int, content: bytes, media_type: str) -> None:
        self.send_response(status)
        self._head(media_type, ("content-length", str(len(content))))
        self.wfile.write(content)

    def _head(self, media_type: str, length: tuple[str, str]) -> None:
        for name, value in (("content-type", media_type), length, *HEADERS.items()):
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()

    def _chunk(self, content: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(content), content))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no request as everything else is refused."""
        with suppress(OSError):
            self._refuse(message or "this is no request", int(code))

    def version_string(self) -> str:
        """Return what the server calls itself."""
        return "ponder"

    def log_message(self, *_: object) -> None:
        """Say nothing."""
