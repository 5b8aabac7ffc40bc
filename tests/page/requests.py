"""Requests to the server as they stand on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from ponder.model.formats import board_text
from ponder.studies.families import Family
from tests.processes import HANG

HARD = board_text(Family("plus").draw((30, 30), 3))
"""A board on which a search does not end in minutes."""


@dataclass
class Reply:
    """A reply to a request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """A connection to the server."""

    def __init__(self, address: str) -> None:
        self.port = urlsplit(address).port
        self.connection = HTTPConnection("127.0.0.1", self.port, timeout=HANG)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """Send a request and return its reply."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request(method, path, body, named)
        return self.reply()

    def reply(self) -> Reply:
        """Return the reply to what was sent."""
        reply = self.connection.getresponse()
        pairs = {name.lower(): value for name, value in reply.getheaders()}
        return Reply(reply.status, pairs, reply.read())

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, **headers)

    def post(self, path: str, content: object, **headers: str) -> Reply:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        return self.ask("POST", path, body, **headers)

    def stream(self, **content: object) -> Iterator[dict[str, Any]]:
        """Ask for all that is known of a board; yield it as it is said."""
        self.connection.request("POST", "/api/stream/answer", json.dumps(content).encode())
        reply = self.connection.getresponse()
        assert reply.status == 200
        while line := reply.readline():
            yield json.loads(line)

    def close(self) -> None:
        self.connection.close()


@contextmanager
def searching(address: str) -> Iterator[None]:
    """Ask for a search without end, which runs when the block begins; go away at its end."""
    with closing(Client(address)) as client:
        said = client.stream(board=HARD, timeout=600)
        while "stage" not in next(said):
            pass
        yield
