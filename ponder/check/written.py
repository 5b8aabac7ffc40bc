"""Text forms: objects are written to JSON field by field, and read back from a stranger's file.

The type of a field says all: `need: Count` is a whole number in a range, `rows: Lines` a list of
lines, a `Literal` one of its words, `tuple[OddCut, ...]` a list of objects with a text form of
their own; what is `| None` may be left out. An object is read once, in full, before anything rests
on it. What that makes is as large as the text, but for a factor: lists stay lists, and nothing is
unpacked or laid out on the board. The items of every list are taken off the budget before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import (
    Annotated,
    Any,
    Literal,
    Self,
    TypeAlias,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from ponder.check.fields import (
    MOST_COUNT,
    bulbs,
    each_once,
    enum_value,
    fail,
    integer,
    mapping,
    number,
    press_counts,
    sequence,
    some_bulbs,
)
from ponder.check.limits import MOST_NUMBER, Budget
from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.system.errors import quoted
from ponder.system.types import Bits, Ints, Json

_NS_ITEM, _BYTES_ITEM = 10_000, 300  # of an item of a list that is read, without what is in it


@dataclass(frozen=True)
class Reading:
    """Whose words are read: the board that they are about, and the budget that they may spend."""

    board: Board
    budget: Budget = field(default_factory=lambda: Budget(sys.maxsize))


@dataclass(frozen=True, eq=False)
class Form:
    """How values of a type are written, how they are read, and what a JSON Schema says of them.

    `read` is given a value and the words that name it. `key` is the name in JSON where that is not
    the field's, "" for what is not written.
    """

    read: Callable[[Reading, object, str], Any]
    schema: Json
    write: Callable[[Board, Any], Any] = lambda board, value: value
    key: str | None = None
    optional: bool = False


def _lights(of: Reading, value: object, what: str) -> Ints:
    return some_bulbs(replace(of.board, graph=of.board.graph.of_lights), value, what)


def _line_numbers(of: Reading, value: object, what: str) -> Ints:
    found = [number(item, what) for item in sequence(value, what)]
    return each_once(np.array(found, dtype=np.int64), what, "a line")


def _counts(of: Reading, value: object, what: str) -> tuple[int, ...]:
    return tuple(number(item, what, MOST_COUNT) for item in sequence(value, what))


def _text(of: Reading, value: object, what: str) -> str:
    return value if isinstance(value, str) else fail(f"{what} is {quoted(value)}, not a text")


def press_counts_json(board: Board, counts: Bits | Ints) -> list[str] | list[int]:
    """Return press counts: a grid's rows of digits, `-` for holes, or numbers if one exceeds 9."""
    graph = board.graph
    if not isinstance(graph, GridGraph) or (counts.size and int(counts.max()) > 9):
        return [int(k) for k in counts]
    return graph.to_digits(counts)


_NATURAL: Json = {"type": "integer", "minimum": 0}
_NATURALS: Json = {"type": "array", "items": _NATURAL}
_PLACES: Json = {"type": "array", "items": {"$ref": "#/$defs/place"}, "uniqueItems": True}


def _labels(board: Board, found: Ints) -> Any:
    return board.graph.labels(found)


_BULBS = Form(lambda of, x, what: some_bulbs(of.board, x, what), _PLACES, _labels)

Count = Annotated[int, Form(lambda of, x, what: number(x, what, MOST_COUNT), _NATURAL)]
"""Presses, or what there are no more of."""
Number = Annotated[int, Form(lambda of, x, what: number(x, what, MOST_NUMBER), _NATURAL)]
Whole = Annotated[int, Form(lambda of, x, what: integer(x, what), {"type": "integer"})]
"""A number of any size and sign: it is compared, and never enters an array."""
Text = Annotated[str, Form(_text, {"type": "string"})]
Lines = Annotated[
    Ints, Form(_line_numbers, {**_NATURALS, "uniqueItems": True}, lambda board, x: x.tolist())
]
"""Numbers of rows or columns, each once; `fields.set_of_lines` is told how many there are."""
Bulbs = Annotated[Ints, _BULBS]
"""At least one, each once."""
Members = Annotated[Ints, replace(_BULBS, key="bulbs")]
Lights = Annotated[
    Ints, Form(_lights, _PLACES, lambda board, x: board.graph.of_lights.labels(x), "bulbs")
]
AnyBulbs = Annotated[
    Ints,
    Form(lambda of, x, what: each_once(bulbs(of.board, x, what), what, "a bulb"), _PLACES, _labels),
]
"""Each once, or none."""
Bulb = Annotated[
    int,
    Form(
        lambda of, x, what: int(bulbs(of.board, [x], what)[0]),
        {"$ref": "#/$defs/place"},
        lambda board, v: board.graph.label(v),
    ),
]
PressCounts = Annotated[
    Ints,
    Form(
        lambda of, x, what: press_counts(of.board, x),
        {"$ref": "#/$defs/press_counts"},
        press_counts_json,
        "press_counts",
    ),
]
Counts = Annotated[tuple[int, ...], Form(_counts, _NATURALS)]
Side: TypeAlias = Literal["rows", "columns"]


NOT_WRITTEN = {"written": False}  # metadata of a field that has no text form


@dataclass_transform(frozen_default=True, eq_default=False)
class Written:
    """An object with a text form: its fields, in their order. Every subclass is a dataclass."""

    def __init_subclass__(cls, *, eq: bool = False, kw_only: bool = False) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, eq=eq, kw_only=kw_only)(cls)

    def to_json(self, board: Board) -> Json:
        """Return the text form, with bulbs by their labels; what is None is left out."""
        found: Json = {}
        for name, form in forms(type(self)).items():
            if (value := getattr(self, name)) is not None:
                found[form.key or name] = form.write(board, value)
        return found

    @classmethod
    def read(cls, of: Reading, value: object, what: str) -> Self:
        """Return the object of a text form. Raises CheckFailed for one that has none, TooLarge."""
        content, values = mapping(value, what), dict[str, Any]()
        for name, form in forms(cls).items():
            key = form.key or name
            absent = form.optional and content.get(key) is None
            values[name] = None if absent else form.read(of, content.get(key), f"{what}: {key}")
        return cls(**values)


_FORMS: dict[object, dict[str, Form]] = {}  # by class, once asked for


def forms(of: type[Written]) -> dict[str, Form]:
    """Return the form of each field, by the field's name."""
    if of not in _FORMS:
        hints = get_type_hints(of, include_extras=True)
        every = [x.name for x in fields(cast("Any", of)) if x.metadata != NOT_WRITTEN]
        _FORMS[of] = {name: form_of(hints[name]) for name in every}
    return _FORMS[of]


def form_of(hint: Any) -> Form:
    """Return the form of a type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        found: Form = hint.__metadata__[0]
        return found
    if origin is Literal:
        words: Json = {"enum": list(args)}
        return Form(lambda of, x, what: enum_value(x, args, what), words)
    if origin is tuple:
        return listed(form_of(args[0]))
    if type(None) in args:
        return replace(form_of(args[0]), optional=True)
    return Form(hint.read, schema_of(hint), lambda board, x: x.to_json(board))


def listed(item: Form) -> Form:
    """Return the form of a tuple whose items are of another form."""

    def read(of: Reading, value: object, what: str) -> tuple[Any, ...]:
        items = sequence(value, what)
        of.budget.spend(_NS_ITEM * len(items), f"reading {what}")
        of.budget.hold(_BYTES_ITEM * len(items), what)
        return tuple(item.read(of, one, f"{what}: an entry") for one in items)

    schema: Json = {"type": "array", "items": item.schema}
    return Form(read, schema, lambda board, x: [item.write(board, one) for one in x])


def schema_of(of: type[Written]) -> Json:
    """Return what a JSON Schema says of an object."""
    written = {form.key or name: form for name, form in forms(of).items()}
    required = [key for key, form in written.items() if not form.optional]
    found = {key: form.schema for key, form in written.items()}
    absent = {
        key: {"anyOf": [{"type": "null"}, found[key]]} for key in found if key not in required
    }
    return {"type": "object", "required": required, "properties": found | absent}
