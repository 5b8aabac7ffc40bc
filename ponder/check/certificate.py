"""Certificates: why no order, no solution or no shorter sequence exists; what their kinds share.

A kind is a class: its fields, how they are read and written, and its check. A `Refutation` shows
that there is no order or no solution, and proves one of the claims C1, C2 or C4; a `Bound` shows
that presses are not fewer than a number. Some kinds are both. `ponder.check.verification` lists
them all; the sentences and pictures about them are elsewhere (`ponder.pictures.explain`) and prove
nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal, Self, TypeAlias, TypeVar

import numpy as np

from ponder.check.neighbourhoods import reaches_goal
from ponder.check.reader import enum_value, fail, mapping, press_counts_json
from ponder.model.board import Board
from ponder.model.ordering_problem import Order, Unknown
from ponder.model.wired_graph import Wired
from ponder.system.errors import quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json

Claim: TypeAlias = Literal["C1", "C2", "C3", "C4"]

CLAIMS: dict[Claim, str] = {
    "C1": "this press set has no legal order",
    "C2": "no legal sequence presses each bulb at most once",
    "C3": "no legal sequence has fewer presses than the lower bound",
    "C4": "no sequence of any length reaches the goal",
}


class Certificate(ABC):
    """Base of all kinds.

    `kind`        the word that result files have
    `of_orders`   it is about orders, and says nothing under the rule `any`, where all are legal
    `of_wirings`  it may be about a wiring
    """

    kind: ClassVar[str]
    of_orders: ClassVar[bool] = True
    of_wirings: ClassVar[bool] = False

    def fields(self, board: Board) -> Json:
        """Return the fields as JSON, with bulbs by their labels."""
        return {}

    @classmethod
    @abstractmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Return the certificate of a JSON object. Raises CheckFailed, TooLarge."""

    def to_json(self, board: Board) -> Json:
        """Return the JSON object."""
        return {"kind": self.kind, **self.fields(board)}


Kind = TypeVar("Kind", bound=Certificate)


def read_as(
    kinds: Iterable[type[Kind]], board: Board, value: object, field: str, limits: Limits = NEVER
) -> Kind:
    """Read a certificate whose kind is among `kinds` and fits the board.

    Raises CheckFailed, LimitReached.
    """
    content, known = mapping(value, field), {kind.kind: kind for kind in kinds}
    kind = known[enum_value(content.get("kind"), list(known), f"{field}: kind")]
    if kind.of_orders and board.odd_later is None:
        fail(f"{kind.kind} is about an order, and under the rule 'any' every order is legal")
    if isinstance(board.graph, Wired) and not kind.of_wirings:
        fail(f"{kind.kind} does not apply to wirings")
    return kind.read(board, content, limits)


class Refutation(Certificate):
    """Why a press set, all press sets, or the whole board has no legal order.

    `claim`         what it proves; None for a remark that proves nothing
    `of_press_set`  a result names a press set beside it, which it is about
    """

    claim: ClassVar[Claim | None] = "C1"
    of_press_set: ClassVar[bool] = True

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check it, of the press counts that it comes with, none where it is about the board.

        Raises CheckFailed if it proves nothing, LimitReached.
        """
        fail(f"{self.kind} is a remark and no proof: the verdict cannot be impossible")


@dataclass(frozen=True)
class Refuted:
    """Presses without a legal order, and the bulbs whose presses this depends on: all, if None.

    It holds of every press set that agrees with this one on the `scope`. `unchecked`: None, or why.
    A sequence whose odd presses are these has at least `extra` presses more.
    """

    counts: Ints
    scope: Bits | None = None
    unchecked: str | None = None
    extra: int = 2

    def covers(self, press_set: Bits) -> bool:
        """Whether a press set agrees with this one on the scope, so that it is refuted too."""
        differ = self.counts.astype(np.bool_) != press_set
        return not (differ if self.scope is None else differ[self.scope]).any()


class Bound(Certificate):
    """Why no presses of the kind asked for are fewer than a number, the lower bound."""

    def check_bound(
        self, board: Board, command: str, bound: int, limits: Limits = NEVER
    ) -> str | None:
        """Check a bound; return why it was not checked, if so. Raises CheckFailed, LimitReached."""
        proved = self.proves(board, command, bound, limits)
        if bound > proved:
            fail(f"bound: {self.kind} proves {proved}, not {quoted(bound)}")
        return None

    def proves(self, board: Board, command: str, enough: int, limits: Limits = NEVER) -> int:
        """Return what it proves; `enough` will do. Raises CheckFailed, LimitReached."""
        fail(f"bound: {self.kind} proves nothing")


Answer: TypeAlias = Order | Refutation | Unknown
"""What is said of one ordering problem."""

Part: TypeAlias = tuple[Bits, Refutation]
"""A press set and its refutation."""


def part_json(board: Board, part: Part) -> Json:
    """Return a refutation with the press set that it is about."""
    press_set, why = part
    return {**why.to_json(board), "press_counts": press_counts_json(board, press_set)}


def check_part(board: Board, part: Part, limits: Limits = NEVER) -> Refuted:
    """Check a refutation, and that it is about a press set. Raises CheckFailed, LimitReached."""
    limits.check()
    counts, why = part[0].astype(np.int64), part[1]
    if not reaches_goal(board, counts):
        fail(f"{why.kind}: its press_counts do not lead to the goal in any order")
    return why.check(board, counts, limits)
