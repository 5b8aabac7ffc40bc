"""JSON from a file: one object without repeated keys, or a line that says what is wrong with it.

Long lists are read in pieces, with a look at the clock before each. A piece ends at a comma that
looks like one between two items; that it is one shows in the piece, which is JSON by itself. What
cannot be cut like that is read as one. If a regular expression finds that the presses of a result
are pairs of whole numbers, they become arrays, and the rest is read without them: 0.13 µs and 16
bytes a pair, where lists take 0.6 µs and 200.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import accumulate, chain
from typing import TYPE_CHECKING, TypeAlias, cast

from ponder.system.errors import BoardError, LargeFile, fail, quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.machine import single_threaded_platform

if TYPE_CHECKING:
    from ponder.system.types import Ints, Json

Pack: TypeAlias = Callable[[list[object]], object]

PIECE = 1 << 20  # characters of a long list that are read together
RESULT = "ponder.result/1"  # what `order` and `solve` answer

SAYING = (
    "command", "board", "verdict", "claim", "count", "lower_bound", "upper_bound", "optimal",
    "at_most", "bound", "refutation", "proofs", "press_set", "evidence", "nullity",
)  # fmt: skip
"""Keys under which a result says something beside its presses."""

_DEEPEST = 1000  # brackets in brackets, where Python cannot tell how deep its stack is
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_BLANK = re.compile(r"[ \t\n\r]*")
_KEY = re.compile(r'"([A-Za-z_]*)"[ \t\n\r]*:[ \t\n\r]*')
_PRESSES = re.compile(rb'"presses"[ \t\n\r]*:[ \t\n\r]*\[')
_NUMBER = rb"(?:0|[1-9][0-9]{0,17})"  # below 10^18
_PAIR = rb" \[ %s , %s \] ," % (_NUMBER, _NUMBER)
_PAIRS = re.compile(rb"(?:%s)++" % _PAIR.replace(b" ", rb"[ \t\n\r]*+"))


def pairs(items: list[object]) -> Ints | list[object]:
    """Return pairs of whole numbers ≥ 0 below 2^62 as an (m, 2) array; anything else as it is."""
    import numpy as np

    if set(map(type, items)) <= {list} and set(map(len, cast("list[list[object]]", items))) <= {2}:
        ends = list(chain.from_iterable(cast("list[list[object]]", items)))
        if set(map(type, ends)) <= {int}:
            numbers = cast("list[int]", ends)
            if not numbers or 0 <= min(numbers) <= max(numbers) < 1 << 62:
                return np.array(numbers, dtype=np.int64).reshape(-1, 2)
    return items


def json_object(
    data: bytes, source: str, limits: Limits = NEVER, packs: Mapping[str, Pack] | None = None
) -> Json:
    """Return the object in `data`. Raises BoardError with the line if there is none, TimeUp.

    The lists under some keys come packed, piece by piece, as lists of what `packs` makes of each.

    >>> json_object(b'{"nodes": 2}', "graph.json")
    {'nodes': 2}
    >>> json_object(b'{"nodes": 2,\\n"nodes": 3}', "graph.json")
    Traceback (most recent call last):
    ponder.system.errors.BoardError: graph.json: the key 'nodes' is repeated
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
        if (
            single_threaded_platform() and _depth(data) > _DEEPEST
        ):  # in a browser that ends the program
            raise RecursionError
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


def _depth(data: bytes) -> int:
    """Return how deep brackets are nested, those in texts left out."""
    brackets = re.sub(rb'"(?:[^"\\]|\\.)*+"|[^][{}"]++', b"", data)
    return max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0)


def memory_of(data: bytes) -> int:
    """Return about how many bytes the objects of a JSON text take, rather too many. O(bytes).

    >>> memory_of(b"[[],[],[]]")
    470
    """
    held = {b"{": 230, b"[": 90, b",": 40, b'"': 20}
    return 3 * len(data) + sum(size * data.count(sign) for sign, size in held.items())


def json_lines(content: Json) -> Iterator[str]:
    """Yield the text of an object with a line for every key: readable where it is small.

    A value that is an iterator is made of pieces of text, which are a list's between its brackets.
    """
    begin = "{\n"
    for key, value in content.items():
        yield f"{begin}  {json.dumps(key)}: "
        if isinstance(value, Iterator):
            yield "["
            yield from value
            yield "]"
        else:
            yield json.dumps(value)
        begin = ",\n"
    yield "\n}"


def parse_result(
    data: bytes,
    source: str = "result",
    schemas: tuple[str, ...] = (RESULT,),
    most: int | None = None,
    room: int | None = None,
) -> Json | None:
    """Return a result of schema `ponder.result/1`, or of others, as a plain dictionary.

    Very many presses come as an (m, 2) array. Raises LargeFile if all else is more than `most`
    bytes, or would take more than `room` bytes of memory. None for no JSON object, or one that says
    nothing but its presses. Raises BoardError if it is no valid JSON, or no result: it says
    something without a schema, or the schema is another.
    """
    content = _with_many_presses(data, source, most) if len(data) > 2 * PIECE else None
    if content is None:
        _check_room(data, source, most, room)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
        return None
    content = content or json_object(data, source)
    if "schema" not in content:
        said = next((key for key in SAYING if key in content), None)
        if said is not None:
            fail(f"no ponder result: it has the key {said!r}, and no schema", source)
        return None
    if content["schema"] not in schemas:
        known = " or ".join(map(repr, schemas))
        fail(f"no ponder result: schema is {quoted(content['schema'])}, expected {known}", source)
    return content


def _check_room(data: bytes, source: str, most: int | None, room: int | None) -> None:
    if most is not None and len(data) > most:
        raise LargeFile("is too long to be read as one", source)
    if room is not None and memory_of(data) > room:
        raise LargeFile(f"needs more than {room // 10**6} MB of memory to be read", source)


def _with_many_presses(data: bytes, source: str, most: int | None) -> Json | None:
    """Return a result whose presses are pairs of numbers, which a mark that nobody can know
    replaces while the rest is read; None if it is to be read as others are.
    """
    import secrets

    import numpy as np

    key = _PRESSES.search(data)
    if key is None:
        return None
    mark, found, at = secrets.token_hex(), list["Ints"](), key.end()
    while (piece := _PAIRS.match(data, at, at + PIECE)) is not None:
        flat = piece[0].translate(bytes.maketrans(b"[]", b"  "))[:-1]
        found.append(np.fromstring(flat, dtype=np.int64, sep=",").reshape(-1, 2))
        at = piece.end()
    if not found or (most is not None and len(data) - (at - key.end()) > most):
        return None
    try:
        content = json_object(b'%s"%s",%s' % (data[: key.end()], mark.encode(), data[at:]), source)
    except BoardError:
        return None  # it is wrong elsewhere, or that was no key
    listed = content.get("presses")
    if not isinstance(listed, list) or listed[:1] != [mark]:
        return None
    last = pairs(listed[1:])
    if isinstance(last, list):  # one is wrong on every board: what is kept shows it
        return content | {"presses": [*found[0][:1].tolist(), *last]}
    return content | {"presses": np.concatenate([*found, last])}
