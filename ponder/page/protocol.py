"""What the page asks in JSON: `{"board": text, "timeout": seconds}`, and what else its task reads.
The answer is a few messages: what is known so far, at last `{"end": {…}}` or
`{"error": "…", "status": 400}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ponder.model.json_text import json_object
from ponder.system.errors import BoardError, PonderError

if TYPE_CHECKING:
    from ponder.system.types import Json

QUESTIONS: Final = (
    "board", "order", "solve", "press-sets", "answer", "quiet", "single", "hint", "animation",
    "no-order", "new", "refute", "certificate",
)  # fmt: skip
"""What a client may ask for, the names in `tasks.TASKS`."""

Question: TypeAlias = tuple[str, float, dict[str, Any]]  # a task, seconds, what it reads

MOST_BODY = 1_000_000  # bytes of a request at most
LONGEST_SIDE = 100  # rows and columns of a board on the page at most
MOST_SECONDS = 600.0  # seconds that a search may take at most
SECONDS = 5.0  # seconds that it takes unless told otherwise


class BadRequest(PonderError):
    """A request that cannot be answered: one line, and the status of the reply."""

    def __init__(self, reason: str, status: int = 400) -> None:
        super().__init__(reason)
        self.status: int = status


def line_of(message: Mapping[str, Any]) -> bytes:
    """Return a message as a line."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


def question_of(task: str, body: bytes) -> Question:
    """Return what a request asks. Raises BadRequest if it is no question.

    >>> question_of("solve", b'{"board": "01"}')
    ('solve', 5.0, {'board': '01'})
    >>> question_of("solve", b'{"board": "01", "board": "10"}')
    Traceback (most recent call last):
    ...
    ponder.page.protocol.BadRequest: the body: the key 'board' is repeated
    """
    if task not in QUESTIONS:
        raise BadRequest("there is no such question", 404)
    try:
        asked: dict[str, Any] = json_object(body, "the body")
    except BoardError as error:
        raise BadRequest(str(error)) from None
    if not isinstance(asked.get("board"), str):
        raise BadRequest("`board` is missing: the text of a board file")
    seconds = SECONDS if asked.get("timeout") is None else asked["timeout"]
    if type(seconds) not in (int, float) or not 0 <= seconds <= MOST_SECONDS:
        raise BadRequest(f"`timeout` is a number of seconds from 0 to {MOST_SECONDS:.0f}")
    return task, float(seconds), asked


def error_json(reason: str) -> Json:
    """Return an error as a client reads it: one line."""
    return {"error": " ".join(reason.split())}
