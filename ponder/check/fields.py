"""Reading a result file of unknown origin: every field is tested before it is used.

Each function takes a JSON value and the words that name it, and returns it in the type it must
have, or raises `CheckFailed` with those words. Nothing else is known here.

Numbers. A number is a whole one in a range that is known where it is read: `number`, with the most
it may be; line numbers, bulbs and press counts have readers of their own. True is no number, nor is
1.0 or 1e3. `integer` has no range: its numbers are compared, and never enter an array.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Sequence
from itertools import chain
from types import UnionType
from typing import Any, NoReturn, TypeVar, cast

import numpy as np

from ponder.check.limits import MOST_NUMBER, Budget
from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.system.errors import CheckFailed, quoted
from ponder.system.types import Bits, Ints, Json, Label, distinct

Word = TypeVar("Word", bound=str)

MOST_COUNT = 1 << 60  # presses; four times that, and a board, fit 64 bits
MOST_PRESSES_OF_A_BULB = 1000  # so a sum over any board (`MOST_BULBS`) is below 2^40
MOST_UNPACKED = 200_000_000  # bytes of a packed proof, where nothing else is said
_NS_BYTE = 10  # nanoseconds for a byte that is unpacked


def fail(reason: str) -> NoReturn:
    """Reject the result."""
    raise CheckFailed(reason)


def place(label: Label) -> str:
    """Return a bulb's label as people write it, on one line."""
    if isinstance(label, tuple):
        return f"({label[0]},{label[1]})"
    return label if isinstance(label, str) and label.isprintable() else quoted(label)


def _typed(value: object, kinds: type | UnionType, what: str, named: str) -> Any:
    """Return a value of such a type; True is no number."""
    if not isinstance(value, kinds) or (kinds is int and isinstance(value, bool)):
        fail(f"{what} is {quoted(value)}, not {named}")
    return value


def mapping(value: object, what: str) -> Json:
    """Return a JSON object."""
    return cast("Json", _typed(value, dict, what, "an object"))


def sequence(value: object, what: str) -> list[object]:
    """Return a JSON list."""
    return list(_typed(value, list | tuple, what, "a list"))


def objects(value: object, what: str, each: str) -> list[Json]:
    """Return a list of objects, each of which is named `each`."""
    return [mapping(item, each) for item in sequence(value, what)]


def truth(value: object, what: str) -> bool:
    """Return a truth value."""
    return cast("bool", _typed(value, bool, what, "true or false"))


def integer(value: object, what: str) -> int:
    """Return a whole number of any size and sign: no truth value, and not 2.0."""
    return cast("int", _typed(value, int, what, "a whole number"))


def number(value: object, what: str, most: int = MOST_NUMBER) -> int:
    """Return a whole number from 0 to `most`."""
    if not 0 <= (found := integer(value, what)) <= most:
        range_ = f"2^{most.bit_length() - 1}" if most >= MOST_COUNT else str(most)
        fail(f"{what} is {quoted(value)}, not a whole number from 0 to {range_}")
    return found


def count(value: object, what: str) -> int:
    """Return a number of presses, or of what there are no more of."""
    return number(value, what, MOST_COUNT)


def enum_value(value: object, known: Sequence[Word], what: str) -> Word:
    """Return one of the known words."""
    for one in known:
        if isinstance(value, str) and value == one:
            return one
    fail(f"{what} is {quoted(value)}; known: {', '.join(known)}")


def bulbs(board: Board, value: object, what: str) -> Ints:
    """Return the bulbs that a list of labels names, or very many pairs as an (m, 2) array."""
    on_grid = isinstance(board.graph, GridGraph)
    named = _are_pairs if on_grid else lambda names: set(map(type, names)) <= {int, str}
    if isinstance(value, np.ndarray) and value.dtype == np.int64 and value.shape[1:] == (2,):
        labels = cast("list[object]", value if named is _are_pairs else value[:1].tolist())
    else:
        labels = sequence(value, what)
    if isinstance(labels, list) and not named(labels):
        wrong = next(label for label in labels if not named([label]))
        fail(f"{what}: there is no bulb {quoted(wrong)}")
    try:
        return board.graph.bulbs(labels)
    except KeyError as error:
        fail(f"{what}: there is no bulb {quoted(error.args[0] if error.args else '')}")
    except MemoryError:
        fail(f"{what}: too long a list")


def _are_pairs(labels: list[object]) -> bool:
    """Whether all labels are pairs of whole numbers that fit 64 bits."""
    if not set(map(type, labels)) <= {list, tuple}:
        return False
    pairs = cast("list[list[object]]", labels)
    ends = list(chain.from_iterable(pairs))
    if not set(map(len, pairs)) <= {2} or not set(map(type, ends)) <= {int}:
        return False
    numbers = cast("list[int]", ends)
    return max(map(abs, numbers), default=0) <= MOST_NUMBER


def later_parities(board: Board, what: str) -> Bits:
    """Return t, the parities that the rule asks for. Raises CheckFailed under the rule `any`."""
    if board.odd_later is None:
        fail(f"{what}: under the rule 'any' every order is legal")
    return board.odd_later


def each_once(found: Ints, what: str, thing: str) -> Ints:
    """Return numbers of things, of which none is named twice."""
    if distinct(found).size < found.size:
        fail(f"{what} names {thing} twice")
    return found


def some_bulbs(board: Board, value: object, what: str) -> Ints:
    """Return the bulbs that a list of labels names, each once and at least one."""
    members = each_once(bulbs(board, value, what), what, "a bulb")
    return members if members.size else fail(f"{what} is an empty list")


def set_of_lines(listed: Ints, count: int, what: str) -> Bits:
    """Return a set of lines that are listed by their numbers, from 0 to count − 1."""
    if (outside := listed >= count).any():
        line = listed[np.argmax(outside)]
        fail(f"{what}: there is no line {line}, only 0 to {count - 1}")
    chosen = np.zeros(count, dtype=np.bool_)
    chosen[listed] = True
    return chosen


def press_counts(board: Board, value: object) -> Ints:
    """Return the presses of each bulb, from rows of digits with `-` for holes, or numbers."""
    items, graph = sequence(value, "press_counts"), board.graph
    if isinstance(graph, GridGraph) and items and isinstance(items[0], str):
        return _counts_of_rows(graph, items)
    if len(items) != graph.presses:
        fail(f"press_counts has {len(items)} entries, the board has {graph.presses} bulbs")
    counts = [number(item, "press_counts: an entry") for item in items]
    if max(counts, default=0) > MOST_PRESSES_OF_A_BULB:
        fail(f"press_counts: more than {MOST_PRESSES_OF_A_BULB} presses of one bulb")
    return np.array(counts, dtype=np.int64)


def _counts_of_rows(graph: GridGraph, rows: list[object]) -> Ints:
    height, width = graph.shape
    if len(rows) != height:
        fail(f"press_counts has {len(rows)} rows, the board has {height}")
    for r, row in enumerate(rows):
        if not isinstance(row, str) or len(row) != width or not row.isascii():
            fail(f"press_counts: row {r} is {quoted(row)}, not {width} characters 0-9 and -")
    text = "".join(cast("list[str]", rows)).encode("ascii")
    digits = np.frombuffer(text, dtype=np.uint8).astype(np.int64) - ord("0")
    holes = np.ones(digits.size, dtype=np.bool_)
    holes[graph.cells] = False
    wrong = np.where(holes, digits != ord("-") - ord("0"), (digits < 0) | (digits > 9))
    if wrong.any():
        r, c = divmod(int(np.argmax(wrong)), width)
        need = "'-', for there is no bulb" if holes[r * width + c] else "a digit"
        fail(f"press_counts: cell ({r},{c}) is {chr(text[r * width + c])!r}, not {need}")
    return digits[graph.cells]


def unpacked(packed: str, budget: Budget, most: int | None = None) -> bytes:
    """Return a packed proof (base 64, zlib) in ASCII. Raises CheckFailed or TooLarge."""
    most = most or MOST_UNPACKED
    room = min(most * budget.limit, budget.left // _NS_BYTE)
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(base64.b64decode(packed, validate=True), room + 1)
        budget.demand(len(text), most, "bytes of a packed proof, at least,")
        budget.spend(_NS_BYTE * len(text), "unpacking the proofs")
        if not stream.eof or stream.unused_data:
            fail("the packed proof is cut short, or has something after its end")
        return text.decode("ascii").encode()
    except (binascii.Error, ValueError, zlib.error):
        fail("the packed proof is not compressed text")
