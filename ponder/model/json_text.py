"""JSON from a file: one object without repeated keys, or a line that says what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import accumulate

from ponder.model.files import utf8
from ponder.system.errors import BoardError, fail, quoted
from ponder.system.types import Json

RESULT = "ponder.result/2"  # what `order` and `solve` answer
OLD = "a result of ponder 0.1 (ponder.result/1): make it again"
COUNTS = "ponder.counts/1"  # the last line of the answers to many questions
ORIENTATION = "ponder.orientation/1"  # and `orient`

SAYING = (
    "command", "board", "verdict", "claim", "count", "lower_bound", "upper_bound", "optimal",
    "at_most", "bound", "refutation", "proofs", "press_set", "evidence", "nullity",
)  # fmt: skip
"""Keys under which a result says something beside its presses."""

_DEEPEST = 1000  # brackets in brackets: a browser ends where Python's stack does
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def json_object(data: bytes, source: str) -> Json:
    """Return the object in `data`. Raises BoardError with the line if there is none.

    >>> json_object(b'{"nodes": 2}', "graph.json")
    {'nodes': 2}
    >>> json_object(b'{"nodes": 2,\\n"nodes": 3}', "graph.json")
    Traceback (most recent call last):
    ponder.system.errors.BoardError: graph.json: the key 'nodes' is repeated
    """

    def no_repeats(items: list[tuple[str, object]]) -> Json:
        content = dict(items)
        if len(content) < len(items):
            keys = [key for key, _ in items]
            repeated = next(key for k, key in enumerate(keys) if key in keys[:k])
            raise BoardError(f"the key {quoted(repeated)} is repeated", source)
        return content

    try:
        if _depth(data) > _DEEPEST:
            raise RecursionError
        content = json.loads(data.decode("utf-8"), object_pairs_hook=no_repeats)
        if _SURROGATE.search(data) is not None:
            json.dumps(content, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        fail(f"no valid JSON: {error.msg} (column {error.colno})", source, error.lineno)
    except UnicodeDecodeError as error:
        fail("no valid JSON: it is not in UTF-8", source, data.count(b"\n", 0, error.start) + 1)
    except UnicodeEncodeError as error:
        bad = error.object[error.start : error.start + 1]
        fail(f"no valid JSON: {quoted(bad)} is half of a surrogate pair, no character", source)
    except RecursionError:
        fail("no valid JSON: it is nested too deeply", source)
    except ValueError:  # Python refuses to read integers of thousands of digits
        fail("no valid JSON: a number of thousands of digits", source)
    if not isinstance(content, dict):
        fail("the JSON must be one object", source, 1)
    return content


def _depth(data: bytes) -> int:
    """Return how deep brackets are nested; fewer brackets than the limit are not looked at."""
    if data.count(b"[") + data.count(b"{") <= _DEEPEST:
        return 0
    brackets = re.sub(rb'"(?:[^"\\]|\\.)*+"', b"", data).translate(None, _NO_BRACKETS)
    return max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0)


def json_lines(content: Json) -> Iterator[str]:
    """Yield the text of an object with a line for every key: readable where it is small."""
    begin = "{\n"
    for key, value in content.items():
        yield f"{begin}  {json.dumps(key)}: {json.dumps(value)}"
        begin = ",\n"
    yield "\n}"


def parse_result(
    data: bytes, source: str = "result", schemas: tuple[str, ...] = (RESULT,)
) -> Json | None:
    """Return a result of schema `ponder.result/2`, or of others, as a plain dictionary.

    None for no JSON object, or one that says nothing but its presses. Raises BoardError if it is no
    valid JSON, or no result: it says something without a schema, or the schema is another; and for
    a list of results, in JSON or JSON lines.
    """
    data = utf8(data, source).removeprefix(b"\xef\xbb\xbf")
    lines = [line for raw in data.splitlines() if (line := raw.lstrip())]
    if (data.lstrip()[:1] == b"[" and data.lstrip(b"[ \t\r\n")[:1] == b"{") or (
        len(lines) > 1 and all(line[:1] == b"{" for line in lines)
    ):
        fail("a list of answers: give one of them in a file of its own", source)
    if data.lstrip()[:1] != b"{":
        return None
    content = json_object(data, source)
    if "schema" not in content:
        stated_key = next((key for key in SAYING if key in content), None)
        if stated_key is not None:
            fail(f"no ponder result: it has the key {stated_key!r}, and no schema", source)
        return None
    if content["schema"] == "ponder.result/1":
        fail(OLD, source)
    if content["schema"] not in schemas:
        known = " or ".join(map(repr, schemas))
        fail(f"no ponder result: schema is {quoted(content['schema'])}, expected {known}", source)
    return content
