"""Evidence: why no order, no solution or no shorter sequence exists; what all its kinds share.

One kind is one class in a file of `ponder/check/evidence/`: its fields (`written` reads and writes
them), what it claims (theory §2.4) and where that is proved, its check, a sentence for players and
one for mathematicians, and what a picture marks. It is a kind that results may hold because it
stands there. From the list of these, `kinds`, come the table of claims, the schema of results, the
page's arguments and the tables of docs/trust.md; nothing else knows a kind by its name.
"""

from __future__ import annotations

import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, TypeVar

import numpy as np

from ponder.check.fields import enum_value, fail, mapping, press_counts
from ponder.check.limits import Budget
from ponder.check.neighbourhoods import reaches_goal, spend_sums
from ponder.check.written import Form, Reading, Written, listed, press_counts_json
from ponder.model.board import Board
from ponder.model.ordering_problem import Order, Unknown
from ponder.model.wired_graph import Wired
from ponder.system.errors import quoted
from ponder.system.types import Bits, Ints, Json

Claim: TypeAlias = Literal["C1", "C2", "C3", "C4"]

CLAIMS: dict[Claim, str] = {
    "C1": "this press set has no legal order",
    "C2": "no legal sequence presses each bulb at most once",
    "C3": "no legal sequence has fewer presses",
    "C4": "no sequence of any length reaches the goal",
}


_KINDS: dict[object, dict[str, Any]] = {}  # by sort, once asked for


class Evidence(Written, ABC):
    """Base of all kinds of evidence.

    `kind`        the word that result files have
    `theory`      where it is proved that it proves what it claims
    `of_orders`   it is about orders, and says nothing under the rule `any`, where all are legal
    `of_wirings`  it may be about a wiring
    """

    kind: ClassVar[str]
    theory: ClassVar[str]
    of_orders: ClassVar[bool] = True
    of_wirings: ClassVar[bool] = False

    @classmethod
    def kinds(cls) -> dict[str, type[Self]]:
        """Return the kinds of this sort that results may hold, by their words."""
        if cls not in _KINDS:
            _KINDS[cls] = {one.kind: one for one in _every() if issubclass(one, cls)}
        return _KINDS[cls]

    @classmethod
    def suits(cls, board: Board) -> None:
        """Raise CheckFailed where evidence of this kind says nothing of a board."""
        if cls.of_orders and board.odd_later is None:
            fail(f"{cls.kind} is about an order, and under the rule 'any' every order is legal")
        if isinstance(board.graph, Wired) and not cls.of_wirings:
            fail(f"{cls.kind} says nothing of wirings")

    def to_json(self, board: Board) -> Json:
        """Return the text form: the kind, then the fields, with bulbs by their labels."""
        return {"kind": self.kind, **super().to_json(board)}


@cache
def _every() -> list[type[Evidence]]:
    """Return the kinds that the files of `evidence/` have, file by file."""
    package = import_module("ponder.check.evidence")
    for file in pkgutil.iter_modules(package.__path__):
        import_module(f"{package.__name__}.{file.name}")
    found: list[type[Evidence]] = [Evidence]
    for one in found:  # grows while it is walked through
        found += one.__subclasses__()
    known = [one for one in found if one.__module__.startswith(package.__name__)]
    return sorted(known, key=lambda one: one.__module__)


Some = TypeVar("Some", bound=Evidence)


def read_kind(kinds: Mapping[str, type[Some]], of: Reading, value: object, what: str) -> Some:
    """Read evidence of one of some kinds, if it says anything of the board.

    Raises CheckFailed, TooLarge.
    """
    kind = kinds[enum_value(mapping(value, what).get("kind"), list(kinds), f"{what}: kind")]
    kind.suits(of.board)
    return kind.read(of, value, kind.kind)


# ----------------------------------------------------------------------------------- refutations


class Refutation(Evidence):
    """Why a press set, all press sets, or the whole board has no legal order.

    `claim`         what it proves; None for evidence that is no proof
    `of_press_set`  a result names a press set beside it, which it is about
    `explained`     the argument in plain words, by paragraphs, for the page
    """

    claim: ClassVar[Claim | None] = "C1"
    of_press_set: ClassVar[bool] = True
    explained: ClassVar[tuple[str, ...]]

    @classmethod
    def of_claims(cls, *claims: Claim | None) -> dict[str, type[Self]]:
        """Return the kinds that prove one of these claims, by their words."""
        return {word: kind for word, kind in cls.kinds().items() if kind.claim in claims}

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check it, of the press counts that it comes with, none where it is about the board.

        Raises CheckFailed if it proves nothing, TooLarge.
        """
        fail(f"{self.kind} is evidence and not a proof: the verdict cannot be impossible")

    @abstractmethod
    def sentence(self, board: Board) -> str:
        """Return the reason in one sentence for a player; lines and bulbs count from 1."""

    def argument(self, board: Board) -> str:
        """Return the reason for a mathematician: the same sentence where that is exact enough."""
        return self.sentence(board)

    @property
    def bulbs(self) -> Ints | None:
        """The bulbs that the refutation is about (`members`), to be shown; None for none."""
        members: Ints | None = getattr(self, "members", None)
        return members

    def marks(self, board: Board) -> Json:
        """Return what to mark on the board (`ponder.pictures.marks`); {} for words alone."""
        return {}


@dataclass(frozen=True)
class Refuted:
    """Presses without a legal order, and the bulbs whose presses this depends on: all, if None.

    It holds of every press set that agrees with this one on the `scope`. `unchecked`: None, or why.
    A sequence with repeats has at least `extra` presses more than these.
    """

    counts: Ints
    scope: Bits | None = None
    unchecked: str | None = None
    extra: int = 2

    def covers(self, press_set: Bits) -> bool:
        """Whether a press set agrees with this one on the scope, so that it is refuted too."""
        differ = self.counts.astype(np.bool_) != press_set
        return not (differ if self.scope is None else differ[self.scope]).any()


Answer: TypeAlias = Order | Refutation | Unknown
"""What is said of one ordering problem."""

Part: TypeAlias = tuple[Bits, Refutation]
"""A press set and its refutation."""


def part_json(board: Board, part: Part) -> Json:
    """Return a refutation with the press set that it is about."""
    press_set, why = part
    return {**why.to_json(board), "press_counts": press_counts_json(board, press_set)}


@cache
def _of_one_press_set() -> dict[str, type[Refutation]]:
    return Refutation.of_claims("C1")


def read_part(
    of: Reading, value: object, what: str, kinds: Mapping[str, type[Refutation]] | None = None
) -> Part:
    """Read a refutation of one press set, or of one of some kinds, and whom it is about."""
    why = read_kind(kinds or _of_one_press_set(), of, value, what)
    counts = press_counts(of.board, mapping(value, what).get("press_counts"))
    if counts.size and counts.max() > 1:
        fail(f"{why.kind}: press_counts presses a bulb twice: it is not a press set")
    return counts.astype(np.bool_), why


def check_part(board: Board, part: Part, budget: Budget) -> Refuted:
    """Check a refutation, and that it is about a press set. Raises CheckFailed, TooLarge."""
    counts, why = part[0].astype(np.int64), part[1]
    spend_sums(board.graph, budget, "all the refutations of press sets", 5)
    if not reaches_goal(board, counts):
        fail(f"{why.kind}: its press_counts do not lead to the goal in any order")
    return why.check(board, counts, budget)


Parts: TypeAlias = Annotated[
    tuple[Part, ...], listed(Form(read_part, {"$ref": "#/$defs/refutation"}, part_json))
]

# ------------------------------------------------------------------------------- lower bounds


class Bound(Evidence):
    """Why no presses of the kind asked for are fewer than a number, the lower bound.

    `commands`  whose question it may answer
    `exact`     it proves one bound, and is not for a lower one
    `raises`    it raises a bound that rests on other evidence
    `says`      the sentence for players, where it has no numbers; `argues` for mathematicians
    """

    commands: ClassVar[tuple[str, ...]] = ("order", "solve")
    exact: ClassVar[bool] = True
    raises: ClassVar[bool] = False
    says: ClassVar[str | None] = None
    argues: ClassVar[str | None] = None

    @classmethod
    def of_command(cls, command: str) -> dict[str, type[Self]]:
        """Return the kinds that may answer what a command asks, by their words."""
        return {word: kind for word, kind in cls.kinds().items() if command in kind.commands}

    def check(self, board: Board, command: str, bound: int, budget: Budget) -> str | None:
        """Check a bound; return why it was not checked, if so. Raises CheckFailed, TooLarge."""
        proved = self.proves(board, command, bound, budget)
        if bound > proved or (bound < proved and self.exact):
            fail(f"bound: {self.kind} proves {proved}, not {quoted(bound)}")
        return None

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return what it proves; `enough` will do. Raises CheckFailed, TooLarge."""
        fail(f"bound: {self.kind} proves nothing")

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return why no fewer than `least` presses do; None where nothing more is to be said.

        `presses` are the best that were found.
        """
        return self.says

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return the same for a mathematician: the sentence, where that is exact enough."""
        return self.argues or self.sentence(presses, least)


def _read_bound(of: Reading, value: object, what: str) -> Bound:
    """Read the evidence that another one raises; that is none that raises another itself."""
    kinds = {word: kind for word, kind in Bound.kinds().items() if not kind.raises}
    return read_kind(kinds, of, value, what)


Because: TypeAlias = Annotated[
    Bound, Form(_read_bound, {"$ref": "#/$defs/bound"}, lambda board, why: why.to_json(board))
]
"""Evidence that another kind raises."""
