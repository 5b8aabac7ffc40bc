"""JSON from a file: one object without repeated keys, or a line that says what is wrong with it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ponder.errors import BoardError
from ponder.puzzle.input_errors import fail, quoted

if TYPE_CHECKING:
    from ponder.types import Json

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def json_object(data: bytes, source: str) -> Json:
    """Return the object that `data` holds; BoardError with the line when it holds none.

    >>> json_object(b'{"nodes": 2}', "graph.json")
    {'nodes': 2}
    >>> json_object(b'{"nodes": 2,\\n"nodes": 3}', "graph.json")
    Traceback (most recent call last):
    ...
    ponder.errors.BoardError: graph.json: the key 'nodes' is repeated
    """

    def no_repeats(items: list[tuple[str, object]]) -> Json:
        content: Json = {}
        for key, value in items:
            if key in content:
                raise BoardError(f"the key {quoted(key)} is repeated", source)
            content[key] = value
        return content

    try:
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
