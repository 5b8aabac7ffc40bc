"""Reading a result file of unknown origin: every field is tested before it is used.

Each function takes a JSON value and the words that name it, and returns it in the type that it must
have, or raises `CheckFailed` with these words.

Numbers are whole ones in a range that is known where they are read. True is no number, nor is 1.0
or 1e3. Arrays hold 64 bits and wrap silently: no number of a result enters one before its
range is known. Lists stay lists: memory is proportional to the length of the text.

Every loop of the checker that can be long looks at a clock (`ponder.system.limits`), and every size
that a result may choose is compared with a cap before anything of that size is built (`demand`).
Both raise `LimitReached`; the result then stays *open*, and is never called false. Commands also
limit the memory of their process (`ponder.system.machine.limit_memory`).
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable, Sequence
from itertools import chain
from types import UnionType
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar, cast

import numpy as np

from ponder.model.board import Board
from ponder.model.graph import Graph, GridGraph
from ponder.system.errors import CheckFailed, quoted
from ponder.system.limits import LimitReached
from ponder.system.types import Bits, Ints, Json, Label, distinct

Word = TypeVar("Word", bound=str)
Side: TypeAlias = Literal["rows", "columns"]

SIDES: tuple[Side, Side] = ("rows", "columns")
MOST_NUMBER = 1 << 62  # no number of a result, and no sum of such numbers in an array, is larger
MOST_RESULT = 1 << 27  # bytes of the file of a result, unpacked
MOST_NEIGHBOURS = 1 << 24  # entries of the lists of all neighbours of a board
MOST_COUNT = 1 << 60  # presses: four times that, and a board, fit 64 bits
MOST_PRESSES_OF_A_BULB = 1000  # so a sum over any board is below 2^40
MOST_UNPACKED = 100_000_000  # bytes of a packed proof


class TooLarge(LimitReached):
    """A size exceeds a cap of the checker."""


def demand(size: int, most: int, items: str) -> None:
    """Compare a size with a cap. Raises TooLarge beyond it.

    >>> demand(3, 2, "presses")
    Traceback (most recent call last):
    ponder.check.reader.TooLarge: 3 presses are more than 2
    """
    if size > most:
        number = f"{size:,}" if size < 10**18 else "more than 10^18"
        raise TooLarge(f"{number} {items} are more than {most:,}")


def gathered(blocks: Iterable[Ints], most: int, items: str) -> Ints:
    """Join blocks of numbers, (…, m) each, to one array. Raises TooLarge beyond `most` columns."""
    held, size = [], 0
    for block in blocks:
        held.append(block)
        size += block.shape[-1]
        demand(size, most, items)
    return np.concatenate(held, axis=-1)


def fail(reason: str) -> NoReturn:
    """Reject the result."""
    raise CheckFailed(reason)


def place(label: Label) -> str:
    """Return a bulb's label as people write it, on one line."""
    if isinstance(label, tuple):
        return f"({label[0]},{label[1]})"
    return label if isinstance(label, str) and label.isprintable() else quoted(label)


def _typed(value: object, kinds: type | UnionType, field: str, named: str) -> Any:
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        fail(f"{field} is {quoted(value)}, not {named}")
    return value


def mapping(value: object, field: str) -> Json:
    """Return a JSON object."""
    return cast("Json", _typed(value, dict, field, "an object"))


def sequence(value: object, field: str, most: int | None = None) -> list[object]:
    """Return a JSON list, of at most so many items."""
    items: list[object] = list(_typed(value, list | tuple, field, "a list"))
    if most is not None:
        demand(len(items), most, f"entries of {field}")
    return items


def truth(value: object, field: str) -> bool:
    """Return a truth value."""
    return cast("bool", _typed(value, bool, field, "true or false"))


def text(value: object, field: str) -> str:
    """Return a string."""
    return cast("str", _typed(value, str, field, "a text"))


def integer(value: object, field: str) -> int:
    """Return a whole number of any size and sign, which never enters an array."""
    return cast("int", _typed(value, int, field, "a whole number"))


def number(value: object, field: str, most: int = MOST_NUMBER, least: int = 0) -> int:
    """Return a whole number from `least` to `most`."""
    if not least <= (read := integer(value, field)) <= most:
        end = f"2^{most.bit_length() - 1}" if most >= MOST_COUNT else str(most)
        fail(f"{field} is {quoted(value)}, not a whole number from {least} to {end}")
    return read


def count(value: object, field: str) -> int:
    """Return a number of presses."""
    return number(value, field, MOST_COUNT)


def enum_value(value: object, known: Sequence[Word], field: str) -> Word:
    """Return one of the known words."""
    for word in known:
        if isinstance(value, str) and value == word:
            return word
    fail(f"{field} is {quoted(value)}; known: {', '.join(known)}")


def bulbs(graph: Graph, value: object, field: str) -> Ints:
    """Return the bulbs that a list of labels names."""
    labels: Any
    if isinstance(value, np.ndarray) and value.dtype == np.int64 and value.shape[1:] == (2,):
        labels = value if isinstance(graph, GridGraph) else value.tolist()
    else:
        labels = sequence(value, field)
    named = _are_pairs if isinstance(graph, GridGraph) else _are_names
    if isinstance(labels, list) and not named(labels):
        wrong = next(label for label in labels if not named([label]))
        fail(f"{field}: there is no bulb {quoted(wrong)}")
    try:
        return graph.bulbs(labels)
    except KeyError as error:
        fail(f"{field}: there is no bulb {quoted(error.args[0] if error.args else '')}")


def _are_names(labels: list[object]) -> bool:
    return set(map(type, labels)) <= {int, str}


def _are_pairs(labels: list[object]) -> bool:
    if not set(map(type, labels)) <= {list, tuple}:
        return False
    pairs = cast("list[list[object]]", labels)
    ends = list(chain.from_iterable(pairs))
    if not set(map(len, pairs)) <= {2} or not set(map(type, ends)) <= {int}:
        return False
    return max(map(abs, cast("list[int]", ends)), default=0) <= MOST_NUMBER


def each_once(numbers: Ints, field: str, thing: str = "a bulb") -> Ints:
    """Return numbers of things, of which none is named twice."""
    if distinct(numbers).size < numbers.size:
        fail(f"{field} names {thing} twice")
    return numbers


def some_bulbs(graph: Graph, value: object, field: str) -> Ints:
    """Return the bulbs that a list of labels names, each once and at least one."""
    members = each_once(bulbs(graph, value, field), field)
    return members if members.size else fail(f"{field} is an empty list")


def lines(value: object, count: int, field: str) -> Ints:
    """Return numbers of lines, of which there are `count`, each once."""
    items = sequence(value, field)
    if len(items) > count:
        fail(f"{field} names more lines than there are, {count}")
    listed = [number(item, f"{field}: a line", max(count - 1, 0)) for item in items]
    return each_once(np.array(listed, dtype=np.int64), field, "a line")


def later_parities(board: Board, kind: str) -> Bits:
    """Return t, the parities that the rule asks for. Raises CheckFailed under the rule `any`."""
    if board.odd_later is None:
        fail(f"{kind}: under the rule 'any' every order is legal")
    return board.odd_later


def press_counts(board: Board, value: object) -> Ints:
    """Return the presses of each bulb, from rows of digits with `-` for holes, or numbers."""
    items, graph = sequence(value, "press_counts"), board.graph
    if isinstance(graph, GridGraph) and items and isinstance(items[0], str):
        return _counts_of_rows(graph, items)
    if len(items) != graph.presses:
        fail(f"press_counts has {len(items)} entries, the board has {graph.presses} bulbs")
    most = MOST_PRESSES_OF_A_BULB
    return np.array([number(item, "press_counts: an entry", most) for item in items], np.int64)


def press_set(board: Board, value: object) -> Bits:
    """Return press counts none of which is more than 1."""
    counts = press_counts(board, value)
    if counts.max(initial=0) > 1:
        fail("press_counts presses a bulb twice: it is not a press set")
    return np.asarray(counts == 1)


def _counts_of_rows(graph: GridGraph, rows: list[object]) -> Ints:
    height, width = graph.shape
    if len(rows) != height:
        fail(f"press_counts has {len(rows)} rows, the board has {height}")
    for r, row in enumerate(rows):
        if not isinstance(row, str) or len(row) != width or not row.isascii():
            fail(f"press_counts: row {r} is {quoted(row)}, not {width} characters 0-9 and -")
    digits = np.frombuffer("".join(cast("list[str]", rows)).encode("ascii"), dtype=np.uint8)
    holes = np.ones(digits.size, dtype=np.bool_)
    holes[graph.cells] = False
    wrong = np.where(holes, digits != ord("-"), (digits < ord("0")) | (digits > ord("9")))
    if wrong.any():
        r, c = divmod(int(np.argmax(wrong)), width)
        need = "'-', for there is no bulb" if holes[r * width + c] else "a digit"
        fail(f"press_counts: cell ({r},{c}) is {chr(digits[r * width + c])!r}, not {need}")
    return digits[graph.cells].astype(np.int64) - ord("0")


def press_counts_json(board: Board, counts: Bits | Ints) -> list[str] | list[int]:
    """Return press counts: a grid's rows of digits, `-` for holes, or numbers if one exceeds 9."""
    graph = board.graph
    if not isinstance(graph, GridGraph) or (counts.size and int(counts.max()) > 9):
        return [int(k) for k in counts]
    return graph.to_digits(counts)


def packed(proof: str) -> str:
    """Return a proof compressed, as letters and digits."""
    return base64.b64encode(zlib.compress(proof.encode("ascii"), 6)).decode("ascii")


def unpacked(value: object, field: str) -> str:
    """Return a proof that was packed. Raises CheckFailed, or TooLarge beyond MOST_UNPACKED."""
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(base64.b64decode(text(value, field), validate=True), MOST_UNPACKED)
        if stream.unconsumed_tail:
            raise TooLarge(f"{field}: more than {MOST_UNPACKED:,} bytes, unpacked")
        if not stream.eof or stream.unused_data:
            fail(f"{field} is cut short, or has something after its end")
        return data.decode("ascii")
    except (binascii.Error, ValueError, zlib.error):
        fail(f"{field} is not compressed text")
