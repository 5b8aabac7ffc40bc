"""What the server and its workers say to each other: one JSON object a line.

To a worker     {"job": 7, "task": "order", …}      begin; what else it needs depends on the task
                {"stop": 7}                         end it soon, its answer is not wanted any more
From a worker   {"ready": true}                     it has loaded what most tasks need
                {"job": 7, "say": {…}}              what is known so far
                {"job": 7, "end": {…}}              the answer
                {"job": 7, "error": "…", "status": 400}   why there is none
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from ponder.errors import PonderError

if TYPE_CHECKING:
    from ponder.types import Json

MOST_BODY = 1_000_000
"""Bytes of a request at most."""

MOST_BULBS = 65_536
"""Bulbs of a board at most."""

LONGEST_SIDE = 100
"""Rows and columns of a board on the page at most."""

MOST_SECONDS = 600.0
"""Seconds that a search may take at most."""

SECONDS = 5.0
"""Seconds that it takes unless told otherwise."""


class BadRequest(PonderError):
    """A request that cannot be answered: one line, and the status of the reply."""

    def __init__(self, reason: str, status: int = 400) -> None:
        super().__init__(reason)
        self.status = status


def line_of(message: Mapping[str, Any]) -> bytes:
    """Return a message as a line.

    >>> line_of({"stop": 7})
    b'{"stop":7}\\n'
    """
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def request_of(body: bytes) -> dict[str, Any]:
    """Return what a request's body says: a JSON object with a text `board`; BadRequest.

    >>> request_of(b'{"board": "01"}')
    {'board': '01', 'timeout': 5.0}
    >>> request_of(b'[]')
    Traceback (most recent call last):
    ...
    ponder.page.protocol.BadRequest: the body is no JSON object
    """
    try:
        content: Any = json.loads(body)
    except RecursionError:
        raise BadRequest("the body is no JSON: it is nested too deeply") from None
    except ValueError as error:  # also for bytes that are no UTF-8, and numbers of many digits
        raise BadRequest(f"the body is no JSON: {error}"[:200]) from None
    if not isinstance(content, dict):
        raise BadRequest("the body is no JSON object")
    board = content.get("board")
    if not isinstance(board, str):
        raise BadRequest("`board` is missing: the text of a board file")
    if not _is_text(board):
        raise BadRequest("`board` is no text: it holds half a character")
    timeout = content.get("timeout")
    return {**content, "timeout": SECONDS if timeout is None else _seconds(timeout)}


def _is_text(words: str) -> bool:
    try:
        words.encode()
    except UnicodeEncodeError:
        return False
    return True


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadRequest("`timeout` is a number of seconds")
    if not (abs(value) <= MOST_SECONDS and isfinite(value) and value >= 0):
        raise BadRequest(f"`timeout` is a number of seconds from 0 to {MOST_SECONDS:.0f}")
    return float(value)


def error_json(reason: str) -> Json:
    """Return an error as a client reads it: one line.

    >>> error_json("no\\nway")
    {'error': 'no way'}
    """
    return {"error": " ".join(reason.split())}
