"""Evidence: what a result carries so that others can check what it says; what all kinds share.

One kind is one class: its fields, their text form, and a sentence (`kinds` lists them all). A field
is written to JSON under its own name, or as its `Form` says; None is left out. `from_json` is for
display alone: the checker reads the text form by itself, and trusts no class.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from ponder.model.board import Board
from ponder.system.errors import BoardError
from ponder.system.types import Ints, Json

Way: TypeAlias = Callable[[Board, Any], Any]  # to write a value of a board as JSON, or to read it


def as_it_is(board: Board, value: Any) -> Any:
    """Return the value."""
    return value


@dataclass(frozen=True)
class Form:
    """The text form of a field: how it is written and read, and under which name if not its own."""

    write: Way = as_it_is
    read: Way = as_it_is
    name: str | None = None


def form(
    write: Way = as_it_is, read: Way = as_it_is, name: str | None = None
) -> Mapping[str, Form]:
    """Return a form as metadata: `members: Ints = field(metadata=form(write, read))`."""
    return {"form": Form(write, read, name)}


def labels(name: str | None = None) -> Mapping[str, Form]:
    """Return the form of numbers of bulbs, which are written as labels."""
    return form(lambda board, x: board.graph.labels(x), lambda board, x: board.graph.bulbs(x), name)


def every(of: Mapping[str, Form]) -> Mapping[str, Form]:
    """Return the form of a tuple whose items are of another form."""
    item = of["form"]
    return form(
        lambda board, items: [item.write(board, x) for x in items],
        lambda board, texts: tuple(item.read(board, x) for x in texts),
    )


def records(of: type[Written]) -> Mapping[str, Form]:
    """Return the form of a tuple of objects, each with a text form of its own."""
    return every(form(lambda board, part: part.to_json(board), of.from_json))


BULBS = labels("bulbs")
LIGHTS = form(
    lambda board, x: board.graph.of_lights.labels(x),
    lambda board, x: board.graph.of_lights.bulbs(x),
    "bulbs",
)
NUMBERS = form(lambda board, x: x.tolist(), lambda board, x: np.array(x, dtype=np.int64))
HIDDEN: Mapping[str, None] = {"form": None}  # what follows from the rest, and is not written


@dataclass(frozen=True, eq=False)
class Written:
    """An object that is written to JSON field by field, in their order."""

    def to_json(self, board: Board) -> Json:
        """Return the text form, with bulbs by their labels."""
        found: Json = {}
        for one, its in _forms(type(self)):
            if (value := getattr(self, one.name)) is not None:
                found[its.name or one.name] = its.write(board, value)
        return found

    @classmethod
    def from_json(cls, board: Board, content: Json) -> Self:
        """Return a text form's object, for display. Raises BoardError if a field is unreadable."""
        values = {}
        for one, its in _forms(cls):
            key = its.name or one.name
            if key not in content and one.default is not MISSING:
                continue
            try:
                values[one.name] = its.read(board, content[key])
            except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
                raise BoardError(f"the evidence has no readable {key}") from None
        return cls(**values)


def _forms(of: type[Written]) -> list[tuple[Field[Any], Form]]:
    """Return the fields that are written, each with its form."""
    found = [(one, one.metadata.get("form", Form())) for one in fields(of)]
    return [(one, its) for one, its in found if its is not None]


@dataclass(frozen=True, eq=False)
class Evidence(Written, ABC):
    """Base of all kinds of evidence. `kind` is the word that result files have."""

    kind: ClassVar[str]

    def to_json(self, board: Board) -> Json:
        """Return the text form: the kind, then the fields, with bulbs by their labels."""
        return {"kind": self.kind, **super().to_json(board)}


@dataclass(frozen=True, eq=False)
class Bound(Evidence):
    """Why no presses of the kind asked for are fewer than a number, the lower bound."""

    says: ClassVar[str | None] = None
    argues: ClassVar[str | None] = None

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return why no fewer than `least` presses do; None where nothing more is to be said.

        `presses` are the best that were found.
        """
        return self.says

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return the same for a mathematician: the sentence, where that is exact enough."""
        return self.argues or self.sentence(presses, least)
