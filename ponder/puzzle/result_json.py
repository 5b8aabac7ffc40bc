"""Results of schema `ponder.result/1` as they are read from a file: plain dictionaries."""

from __future__ import annotations

from ponder.puzzle.input_errors import fail, quoted
from ponder.puzzle.json_text import json_object
from ponder.types import Json

RESULT = "ponder.result/1"
"""What `order` and `solve` answer."""

SAYING = (
    "command", "board", "verdict", "claim", "count", "lower_bound", "upper_bound", "optimal",
    "at_most", "bound", "refutation", "proofs", "press_set", "evidence", "nullity",
)  # fmt: skip
"""Keys under which a result says something beside its presses."""


def parse_result(
    data: bytes, source: str = "result", schemas: tuple[str, ...] = (RESULT,)
) -> Json | None:
    """Return a result of schema `ponder.result/1`, or of others, as a plain dictionary.

    None when the content is no JSON object, or one that says nothing but its presses: a press
    list, perhaps. BoardError when it is no valid JSON, or no result: it says something without a
    schema, or the schema is another.

    >>> parse_result(b'{"schema": "ponder.result/1", "count": 3}')["count"]
    3
    >>> parse_result(b"[[0, 1]]") is None
    True
    """
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
        return None
    content = json_object(data, source)
    if "schema" not in content:
        said = next((key for key in SAYING if key in content), None)
        if said is not None:
            fail(f"no ponder result: it has the key {said!r}, and no schema", source)
        return None
    if content["schema"] not in schemas:
        known = " or ".join(map(repr, schemas))
        fail(f"no ponder result: schema is {quoted(content['schema'])}, expected {known}", source)
    return content
