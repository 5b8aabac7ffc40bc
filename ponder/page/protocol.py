"""What the page asks in JSON: `{"board": text, "timeout": seconds}`, and what else its question
takes (QUESTIONS). Unknown keys are left out, as a reader of results does. The answer is a few
messages: what is known so far, at last `{"end": {…}}` or `{"error": "…", "status": 400}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from ponder.model.json_text import json_object
from ponder.system.errors import BoardError, PonderError

if TYPE_CHECKING:
    from ponder.system.types import Json

QUESTIONS: Final[dict[str, tuple[str, ...]]] = {
    "board": (),
    "order": (),
    "solve": (),
    "press-sets": (),
    "answer": (),
    "quiet": (),
    "single": ("bulb",),
    "no-order": ("seed",),
    "hint": ("presses", "sequence"),
    "animation": ("sequence",),
    "new": ("puzzle", "grade", "seed", "daily", "riddle"),
    "refute": ("bulbs", "rows", "columns"),
    "certificate": ("bulbs", "rows", "columns"),
}
"""What a client may ask for, the names in `tasks.TASKS`; and what it may say besides the board."""

MOST_BODY = 1_000_000  # bytes of a request at most
MOST_BULBS = 65_536  # bulbs of a board at most
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


@dataclass(frozen=True)
class Question:
    """What a client asks: a task, what it needs, seconds."""

    task: str
    asked: Json
    timeout: float


def question_of(task: str, body: bytes) -> Question:
    """Return what a request asks. Raises BadRequest if it is no question.

    >>> question_of("order", b'{"board": "01", "stop": 1}')
    Question(task='order', asked={'board': '01'}, timeout=5.0)
    >>> question_of("order", b'{"board": "01", "board": "10"}')
    Traceback (most recent call last):
    ...
    ponder.page.protocol.BadRequest: the body: the key 'board' is repeated
    """
    if task not in QUESTIONS:
        raise BadRequest("there is no such question", 404)
    try:
        content = json_object(body, "the body")
    except BoardError as error:
        raise BadRequest(str(error)) from None
    if not isinstance(content.get("board"), str):
        raise BadRequest("`board` is missing: the text of a board file")
    timeout = content.get("timeout")
    asked = {key: content[key] for key in ("board", *QUESTIONS[task]) if key in content}
    return Question(task, asked, SECONDS if timeout is None else _seconds(timeout))


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadRequest("`timeout` is a number of seconds")
    if not (abs(value) <= MOST_SECONDS and isfinite(value) and value >= 0):
        raise BadRequest(f"`timeout` is a number of seconds from 0 to {MOST_SECONDS:.0f}")
    return float(value)


def error_json(reason: str) -> Json:
    """Return an error as a client reads it: one line."""
    return {"error": " ".join(reason.split())}
