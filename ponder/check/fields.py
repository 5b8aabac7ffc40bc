"""Reading a result file, which nobody vouches for: every field is tested before it is used.

Each function takes a JSON value and the words that name it, and returns it in the type it must
have, or raises `CheckFailed` with those words. Nothing else is known here.

Numbers. A number is a whole one in a range that is known where it is read: `number`, with the most
it may be; line numbers, bulbs and press counts have readers of their own. True is no number, nor is
1.0 or 1e3. `whole` has no range: what it reads is compared, and never enters an array.
"""

from __future__ import annotations

import base64
import binascii
import reprlib
import zlib
from collections.abc import Sequence
from itertools import chain
from typing import NoReturn, TypeVar, cast

import numpy as np

from ponder.check.limits import MOST_NUMBER, Budget
from ponder.errors import CheckFailed
from ponder.puzzle.board import Board
from ponder.puzzle.graph import GridGraph
from ponder.types import Bits, Ints, Json, Label

Word = TypeVar("Word", bound=str)

MOST_COUNT = 1 << 60
"""The most presses that a result speaks of: four times that, and a board, fit 64 bits."""
MOST_PRESSES_OF_A_BULB = 1000
"""Press counts above this are refused: a sum over any board (`MOST_BULBS`) is below 2^40."""
_NS_BYTE = 10  # nanoseconds for a byte that is unpacked


def fail(reason: str) -> NoReturn:
    """Reject the result.

    >>> fail("no presses")
    Traceback (most recent call last):
    ponder.errors.CheckFailed: no presses
    """
    raise CheckFailed(reason)


def quote(value: object) -> str:
    """Return any value for an error message: printable, short, on one line.

    >>> quote([1, 2, 3]), quote("no")
    ('[1, 2, 3]', "'no'")
    """
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python refuses to print integers of thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= 80 else text[:79] + "…"


def place(label: Label) -> str:
    """Return a bulb's label as people write it, on one line.

    >>> place((3, 4)), place("hall"), place("up\\ndown")
    ('(3,4)', 'hall', "'up\\\\ndown'")
    """
    if isinstance(label, tuple):
        return f"({label[0]},{label[1]})"
    return label if isinstance(label, str) and label.isprintable() else quote(label)


def mapping(value: object, what: str) -> Json:
    """Return a JSON object.

    >>> mapping([], "bound")
    Traceback (most recent call last):
    ponder.errors.CheckFailed: bound is [], not an object
    """
    if not isinstance(value, dict):
        fail(f"{what} is {quote(value)}, not an object")
    return cast("Json", value)


def sequence(value: object, what: str) -> list[object]:
    """Return a JSON list.

    >>> sequence((1, 2), "parts")
    [1, 2]
    """
    if not isinstance(value, list | tuple):
        fail(f"{what} is {quote(value)}, not a list")
    return list(value)


def objects(value: object, what: str, each: str) -> list[Json]:
    """Return a list of objects, each of which is named `each`.

    >>> objects([{}, 1], "parts", "a part")
    Traceback (most recent call last):
    ponder.errors.CheckFailed: a part is 1, not an object
    """
    return [mapping(item, each) for item in sequence(value, what)]


def number(value: object, what: str, most: int = MOST_NUMBER) -> int:
    """Return a whole number from 0 to `most`.

    >>> number(-1, "need")
    Traceback (most recent call last):
    ponder.errors.CheckFailed: need is -1, not a whole number from 0 to 2^62
    >>> number(3, "need", 2)
    Traceback (most recent call last):
    ponder.errors.CheckFailed: need is 3, not a whole number from 0 to 2
    """
    if not 0 <= (found := whole(value, what)) <= most:
        range_ = f"2^{most.bit_length() - 1}" if most >= MOST_COUNT else str(most)
        fail(f"{what} is {quote(value)}, not a whole number from 0 to {range_}")
    return found


def amount(value: object, what: str) -> int:
    """Return a number of presses, or of what there are no more of.

    >>> amount(10**30, "lower_bound")
    Traceback (most recent call last):
    ...
    ponder.errors.CheckFailed: lower_bound is 1000...000, not a whole number from 0 to 2^60
    """
    return number(value, what, MOST_COUNT)


def whole(value: object, what: str) -> int:
    """Return a whole number of any size and sign: no truth value, and not 2.0.

    >>> whole(2.0, "count")
    Traceback (most recent call last):
    ...
    ponder.errors.CheckFailed: count is 2.0, not a whole number
    """
    if not isinstance(value, int) or isinstance(value, bool):
        fail(f"{what} is {quote(value)}, not a whole number")
    return value


def truth(value: object, what: str) -> bool:
    """Return a truth value.

    >>> truth(1, "optimal")
    Traceback (most recent call last):
    ponder.errors.CheckFailed: optimal is 1, not true or false
    """
    if not isinstance(value, bool):
        fail(f"{what} is {quote(value)}, not true or false")
    return value


def word(value: object, known: Sequence[Word], what: str) -> Word:
    """Return one of the known words.

    >>> word("rows", ("rows", "columns"), "side")
    'rows'
    """
    for one in known:
        if isinstance(value, str) and value == one:
            return one
    fail(f"{what} is {quote(value)}; known: {', '.join(known)}")


def bulbs(board: Board, value: object, what: str) -> Ints:
    """Return the bulbs that a list of labels names: pairs of whole numbers, or names of nodes.

    >>> bulbs(Board.from_rows(["01", "10"]), [[0, 0], [1, 0]], "presses").tolist()
    [0, 2]
    """
    labels = sequence(value, what)
    named = _are_pairs if isinstance(board.graph, GridGraph) else _are_names
    if not named(labels):
        wrong = next(label for label in labels if not named([label]))
        fail(f"{what}: there is no bulb {quote(wrong)}")
    try:
        return board.graph.bulbs(labels)
    except KeyError as error:
        fail(f"{what}: there is no bulb {quote(error.args[0] if error.args else '')}")
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


def _are_names(labels: list[object]) -> bool:
    return set(map(type, labels)) <= {int, str}


def bulb_set(board: Board, value: object, what: str) -> Bits:
    """Return the set of bulbs that a list of labels names, each once and at least one.

    >>> bulb_set(Board.from_rows(["01"]), [[0, 1]], "bulbs").tolist()
    [False, True]
    """
    members = bulbs(board, value, what)
    chosen = board.graph.set_of(members)
    if not members.size:
        fail(f"{what} is an empty list")
    if np.count_nonzero(chosen) < members.size:
        fail(f"{what} names a bulb twice")
    return chosen


def lines(value: object, count: int, what: str) -> Bits:
    """Return a set of lines, given as a list of their numbers from 0 to count − 1.

    >>> lines([0, 2], 3, "odd_rows").tolist()
    [True, False, True]
    """
    chosen = np.zeros(count, dtype=np.bool_)
    for item in sequence(value, what):
        line = whole(item, what)
        if not 0 <= line < count:
            fail(f"{what}: there is no line {quote(line)}, only 0 to {count - 1}")
        if chosen[line]:
            fail(f"{what} names line {line} twice")
        chosen[line] = True
    return chosen


def press_counts(board: Board, value: object) -> Ints:
    """Return how often each bulb is pressed.

    Either one string per row of the grid, a digit for each bulb and `-` for each hole, or a list
    with one number per bulb.

    >>> press_counts(Board.from_rows(["01", "10"]), ["10", "02"]).tolist()
    [1, 0, 0, 2]
    """
    items, graph = sequence(value, "press_counts"), board.graph
    if isinstance(graph, GridGraph) and items and isinstance(items[0], str):
        return _counts_of_rows(graph, items)
    if len(items) != graph.size:
        fail(f"press_counts has {len(items)} entries, the board has {graph.size} bulbs")
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
            fail(f"press_counts: row {r} is {quote(row)}, not {width} characters 0-9 and -")
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


def unpacked(value: object, most: int, budget: Budget) -> str:
    """Return the text of a proof inside a result (base 64, zlib); CheckFailed if it is none.

    TooLarge beyond `most` bytes or the budget: a text of 200 kB may unpack to 200 MB.

    >>> unpacked("eJwzVDBQMFIwVjDgAgAI1gGB", 100, Budget())
    '1 0 2 3 0\\n'
    >>> unpacked("eJwzVDBQMFIwVjDgAgAI1gGB", 9, Budget())
    Traceback (most recent call last):
    ...
    ponder.check.limits.TooLarge: 10 bytes of a packed proof, at least, are more than 9
    """
    if not isinstance(value, str):
        fail("there is no packed proof")
    room = min(most * budget.limit, budget.left // _NS_BYTE)
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(base64.b64decode(value, validate=True), room + 1)
        budget.demand(len(text), most, "bytes of a packed proof, at least,")
        budget.spend(_NS_BYTE * len(text), "unpacking the proofs")
        if not stream.eof or stream.unused_data:
            fail("the packed proof is cut short, or has something after its end")
        return text.decode("ascii")
    except (binascii.Error, ValueError, zlib.error):
        fail("the packed proof is no compressed text")
