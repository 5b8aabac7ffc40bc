"""JSON from a file: one object without repeated keys, or a line that says what is wrong with it.

A result of schema `ponder.result/1` is such an object, and stays a plain dictionary.

Long lists are read in pieces, with a look at the clock before each. A piece ends at a comma that
looks like one between two items; that it is one shows in the piece, which is JSON by itself. What
cannot be cut like that is read as one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from ponder.errors import BoardError
from ponder.limits import NEVER, Limits
from ponder.puzzle.input_errors import fail, quoted

if TYPE_CHECKING:
    from ponder.types import Json

Pack: TypeAlias = Callable[[list[object]], object]

PIECE = 1 << 20  # characters of a long list that are read together

RESULT = "ponder.result/1"
"""What `order` and `solve` answer."""

SAYING = (
    "command", "board", "verdict", "claim", "count", "lower_bound", "upper_bound", "optimal",
    "at_most", "bound", "refutation", "proofs", "press_set", "evidence", "nullity",
)  # fmt: skip
"""Keys under which a result says something beside its presses."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_BLANK = re.compile(r"[ \t\n\r]*")
_KEY = re.compile(r'"([A-Za-z_]*)"[ \t\n\r]*:[ \t\n\r]*')


def json_object(
    data: bytes, source: str, limits: Limits = NEVER, packs: Mapping[str, Pack] | None = None
) -> Json:
    """Return the object that `data` holds; BoardError with the line when it holds none.

    The lists under some keys come packed, piece by piece, as lists of what `packs` makes of each
    piece. TimeUp when the deadline passes.

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

    decoder, packs = json.JSONDecoder(object_pairs_hook=no_repeats), packs or {}
    try:
        text = data.decode("utf-8")
        long = len(text) > 2 * PIECE
        content = _in_pieces(text, decoder, packs, limits) if long else None
        if content is None:
            content = decoder.decode(text)
            if isinstance(content, dict):
                for key in packs.keys() & content:
                    items = content[key]
                    content[key] = [packs[key](items)] if isinstance(items, list) else items
        limits.check()
        if b"\\u" in data and _SURROGATE.search(data) is not None:
            json.dumps(content, ensure_ascii=False, default=str).encode("utf-8")
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


def _in_pieces(
    text: str, decoder: json.JSONDecoder, packs: Mapping[str, Pack], limits: Limits
) -> Json | None:
    """Return an object whose lists are long; None where it is wrong, or a key is not plain."""
    content: Json = {}
    at, mark = _blank(text, 0), "{"
    while text[at : at + 1] == mark:
        key = _KEY.match(text, _blank(text, at + 1))
        if key is None or key[1] in content:
            return None
        try:
            if text[key.end() : key.end() + 1] == "[":
                value, at = _long_list(text, key.end(), decoder, packs.get(key[1]), limits)
            else:
                value, at = decoder.raw_decode(text, key.end())
        except json.JSONDecodeError:
            return None
        content[key[1]] = value
        at, mark = _blank(text, at), ","
    whole = text[at : at + 1] == "}" and _blank(text, at + 1) == len(text)
    return content if whole else None


def _blank(text: str, at: int) -> int:
    """Return where the blanks from `at` on end."""
    blank = _BLANK.match(text, at)
    return at if blank is None else blank.end()


def _long_list(
    text: str, start: int, decoder: json.JSONDecoder, pack: Pack | None, limits: Limits
) -> tuple[list[object], int]:
    """Return the list that begins at `start`, and where it ends; JSONDecodeError if none does."""
    found: list[object] = []
    at, ended = start + 1, False
    while not ended:
        limits.check()
        comma = text.rfind("],", at, at + PIECE) + 1 or text.rfind(",", at, at + PIECE)
        items: list[object] = []
        with suppress(json.JSONDecodeError):
            items, end = decoder.decode(f"[{text[at : max(comma, at)]}]"), comma + 1
        if not items:  # the list may end in this piece
            with suppress(json.JSONDecodeError):
                items, end = decoder.raw_decode(f"[{text[at : at + PIECE]}")
                end, ended = at + end - 1, True
        if not items:  # an empty list, or one that cannot be cut here
            items, end = decoder.raw_decode(text, start)
            return (items if pack is None else [pack(items)]), end
        found += items if pack is None else [pack(items)]
        at = end
    return found, at


def parse_result(
    data: bytes, source: str = "result", schemas: tuple[str, ...] = (RESULT,)
) -> Json | None:
    """Return a result of schema `ponder.result/1`, or of others, as a plain dictionary.

    None when the content is no JSON object, or one that says nothing but its presses: a press
    list, perhaps. BoardError when it is no valid JSON, or no result: it says something without a
    schema, or the schema is another.
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
