"""JSON in files: one object without repeated keys, or a line that says what is wrong with it.

A result of schema `ponder.result/1` is such an object, and stays a plain dictionary.

Long lists are read in pieces, with a look at the clock before each. A piece ends at a comma that
looks like one between two items; that it is one shows in the piece, which is JSON by itself. What
cannot be cut like that is read as one.

Pairs of whole numbers, edges or presses, may be millions: `pairs` has them as arrays. A piece that
holds nothing else, as one regular expression tells, makes no Python object for each number: 0.13 µs
a pair and 8 or 16 bytes, where lists take 0.6 µs and 200.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, cast

from ponder.errors import BoardError, LargeFile
from ponder.limits import NEVER, Limits
from ponder.puzzle.input_errors import fail, quoted

if TYPE_CHECKING:
    from ponder.types import Ints, Json

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
_NUMBER = "(?:0|[1-9][0-9]{0,17})"  # below 10^18
_PAIRS = re.compile(rf"(?: \[ {_NUMBER} , {_NUMBER} \] ,)++".replace(" ", r"[ \t\n\r]*+"))
"""Pairs of numbers, each with the comma after it."""
_NO_BRACKETS = bytes.maketrans(b"[]", b"  ")


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
    data: bytes,
    source: str,
    limits: Limits = NEVER,
    packs: Mapping[str, Pack] | None = None,
    most: int | None = None,
) -> Json:
    """Return the object that `data` holds; BoardError with the line when it holds none.

    The lists under some keys come packed, piece by piece, as lists of what `packs` makes of each
    piece. TimeUp when the deadline passes; LargeFile when more than `most` characters would become
    Python's objects, which pairs in arrays do not.

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
        room = len(text) if most is None else most
        content = None
        if len(text) > min(2 * PIECE, room):
            content = _Pieces(text, source, decoder, limits, room).content(packs)
        if content is None:
            if len(text) > room:
                raise LargeFile("is too long to be read as one", source)
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


@dataclass
class _Pieces:
    """An object whose lists are long; of `scanned` characters nothing but arrays was made."""

    text: str
    source: str
    decoder: json.JSONDecoder
    limits: Limits
    most: int
    scanned: int = 0

    def content(self, packs: Mapping[str, Pack]) -> Json | None:
        """Return the object; None where it is wrong, or a key is not plain."""
        content: Json = {}
        text = self.text
        at, mark = self._blank(0), "{"
        while text[at : at + 1] == mark:
            key = _KEY.match(text, self._blank(at + 1))
            if key is None or key[1] in content:
                return None
            try:
                value: object
                if text[key.end() : key.end() + 1] == "[":
                    value, at = self._list(key.end(), packs.get(key[1]))
                else:
                    value, at = self._value(key.end())
            except json.JSONDecodeError:
                return None
            content[key[1]] = value
            at, mark = self._blank(at), ","
        whole = text[at : at + 1] == "}" and self._blank(at + 1) == len(text)
        return content if whole else None

    def _blank(self, at: int) -> int:
        """Return where the blanks from `at` on end."""
        blank = _BLANK.match(self.text, at)
        return at if blank is None else blank.end()

    def _value(self, at: int) -> tuple[object, int]:
        """Return the value at `at`, and where it ends; JSONDecodeError if there is none."""
        room = max(self.most + self.scanned - at, 0)
        if room >= len(self.text) - at:
            return cast("tuple[object, int]", self.decoder.raw_decode(self.text, at))
        try:
            value, length = self.decoder.raw_decode(self.text[at : at + room])
        except json.JSONDecodeError:
            raise LargeFile("is too long to be read as one", self.source) from None
        return value, at + length

    def _list(self, start: int, pack: Pack | None) -> tuple[list[object], int]:
        """Return the list that begins at `start`, and where it ends; JSONDecodeError if none does.

        A comma before `at` is followed by an item, or else the text is no JSON.
        """
        text, found, before = self.text, list[object](), self.scanned
        at, ended = start + 1, False
        while not ended:
            self.limits.check()
            scan = _PAIRS.match(text, at, at + PIECE) if pack is pairs else None
            if scan is not None:
                found.append(_numbers(scan[0]))
                self.scanned += scan.end() - at
                at = scan.end()
                continue
            if at - self.scanned > self.most:
                raise LargeFile("is too long to be read as one", self.source)
            comma = text.rfind("],", at, at + PIECE) + 1 or text.rfind(",", at, at + PIECE)
            items: list[object] = []
            with suppress(json.JSONDecodeError):
                items, end = self.decoder.decode(f"[{text[at : max(comma, at)]}]"), comma + 1
            if not items:  # the list may end in this piece
                with suppress(json.JSONDecodeError):
                    items, end = self.decoder.raw_decode(f"[{text[at : at + PIECE]}")
                    end, ended = at + end - 1, True
            if not items:  # an empty list, or one that cannot be cut here
                self.scanned = before
                value, end = self._value(start)
                items = cast("list[object]", value)
                return (items if pack is None else [pack(items)]), end
            found += items if pack is None else [pack(items)]
            at = end
        return found, at


def _numbers(text: str) -> Ints:
    """Return the pairs of numbers of a text that `_PAIRS` has matched."""
    import numpy as np

    flat = text.encode("ascii").translate(_NO_BRACKETS).rstrip(b" \t\n\r,")
    return np.fromstring(flat, dtype=np.int64, sep=",").reshape(-1, 2)


def json_lines(content: Json) -> Iterator[str]:
    """Yield the text of an object with a line for every key: readable where it is small.

    A value that is an iterator is made of pieces of text, which are a list's between its brackets.

    >>> "".join(json_lines({"a": [1], "b": iter(["1, ", "2"])}))
    '{\\n  "a": [1],\\n  "b": [1, 2]\\n}'
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
) -> Json | None:
    """Return a result of schema `ponder.result/1`, or of others, as a plain dictionary.

    Very many presses come as an (m, 2) array. LargeFile when all else has more than `most`
    characters. None when the content is no JSON object, or one that says nothing but its presses:
    a press list, perhaps. BoardError when it is no valid JSON, or no result: it says something
    without a schema, or the schema is another.
    """
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
        return None
    content = json_object(data, source, packs={"presses": pairs}, most=most)
    if isinstance(content.get("presses"), list):
        content["presses"] = _joined(cast("list[Ints | list[object]]", content["presses"]))
    if "schema" not in content:
        said = next((key for key in SAYING if key in content), None)
        if said is not None:
            fail(f"no ponder result: it has the key {said!r}, and no schema", source)
        return None
    if content["schema"] not in schemas:
        known = " or ".join(map(repr, schemas))
        fail(f"no ponder result: schema is {quoted(content['schema'])}, expected {known}", source)
    return content


def _joined(pieces: list[Ints | list[object]]) -> Ints | list[object]:
    """Return presses that were read piece by piece: an array, or a list if they are few or wrong.

    Where pairs stand beside something else, one is wrong on every board: what is kept shows it.
    """
    import numpy as np

    lists = [piece for piece in pieces if isinstance(piece, list)]
    arrays = [piece for piece in pieces if not isinstance(piece, list)]
    if lists:
        return [*(arrays[0][:1].tolist() if arrays else ()), *chain.from_iterable(lists)]
    if len(arrays) == 1:
        return cast("list[object]", arrays[0].tolist())
    pieces.clear()
    joined = np.empty((sum(map(len, arrays)), 2), dtype=np.int64)
    end = len(joined)
    while arrays:  # a piece is gone when it is there: one copy of all is in memory
        piece = arrays.pop()
        joined[end - len(piece) : end] = piece
        end -= len(piece)
    return joined
