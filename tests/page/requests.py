"""Requests to the server as they stand on the wire: any header, any body, any end."""

from __future__ import annotations

import json
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit


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

    def __init__(self, address: str, timeout: float = 60) -> None:
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
