"""Requests to the server as they stand on the wire: any header, any body, any end."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from ponder.model.formats import board_text
from ponder.studies.generate import OnPattern
from tests.processes import HANG

HARD = board_text(OnPattern(30, 30).board(3))
"""A board on which a search does not end in minutes."""

FOR_EVER = {"board": HARD, "timeout": 600}
"""What to ask for a search that only an event can end."""


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
    """A connection to the server that is kept open."""

    def __init__(self, address: str, timeout: float = HANG) -> None:
        self.host, self.port = urlsplit(address).hostname or "", urlsplit(address).port
        self.connection = HTTPConnection(self.host, self.port, timeout=timeout)

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> None:
        """Send a request, and do not wait for its reply."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request(method, path, body, named)

    def reply(self) -> Reply:
        """Return the reply to what was sent."""
        found = self.connection.getresponse()
        pairs = {name.lower(): value for name, value in found.getheaders()}
        return Reply(found.status, pairs, found.read())

    def get(self, path: str, **headers: str) -> Reply:
        self.send("GET", path, None, **headers)
        return self.reply()

    def post(self, path: str, content: object, **headers: str) -> Reply:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send("POST", path, body, **headers)
        return self.reply()

    def close(self) -> None:
        self.connection.close()

    def stream(self, **content: object) -> Iterator[dict[str, Any]]:
        """Ask for all that is known of a board; yield it as it is said."""
        self.send("POST", "/api/stream/answer", json.dumps(content).encode())
        reply = self.connection.getresponse()
        assert reply.status == 200
        while line := reply.readline():
            yield json.loads(line)


@contextmanager
def searching(address: str, **more: object) -> Iterator[Iterator[dict[str, Any]]]:
    """Ask for a search without end, and go away at the end of the block.

    A process searches when the block begins; what it says from then on.
    """
    with closing(Client(address)) as client:
        said = client.stream(**FOR_EVER, **more)
        while "stage" not in next(said):
            pass
        yield said


def exchange(address: str, *pieces: bytes, leave: bool = False) -> bytes:
    """Send bytes as they are, to a server of any kind, and return all that comes back.

    With `leave` the client goes away after the last piece and hears nothing.
    """
    found = urlsplit(address)
    reply = bytearray()
    with socket.create_connection((found.hostname, found.port), HANG) as connection:
        try:
            for piece in pieces:
                connection.sendall(piece)
            while not leave and (part := connection.recv(1 << 16)):
                reply += part
        except ConnectionError:  # the server has ended what it did not want to hear
            pass
    return bytes(reply)
