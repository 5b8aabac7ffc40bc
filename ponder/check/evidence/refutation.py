"""Refutations: why no legal order, or no sequence at all, exists; what all kinds share.

Each kind says what it claims (`CLAIMS`, theory §2.4) and carries what a checker needs and no more.
Those by a set of pressed bulbs stand here, others in `press_set_refutations`, `line_refutations`
and `solver_refutations`. The proofs are in the theory.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from ponder.check.evidence.written import BULBS, HIDDEN, Evidence
from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.model.ordering_problem import Order, Unknown
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, Json, Label, distinct

Claim: TypeAlias = Literal["C1", "C2", "C3", "C4"]

CLAIMS: dict[Claim, str] = {
    "C1": "this press set has no legal order",
    "C2": "no legal sequence presses each bulb at most once",
    "C3": "no legal sequence has fewer presses",
    "C4": "no sequence of any length reaches the goal",
}


@dataclass(frozen=True, eq=False)
class Refutation(Evidence):
    """Why a press set (or, for `odd-witness`, the whole board) has no legal order."""

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
        """Return what to mark on the board (`apps.pictures.marks`); {} where words must do."""
        return {}


Answer: TypeAlias = Order | Refutation | Unknown
"""What is said of one ordering problem."""

MOST_PAIRS = 400  # pairs of neighbours that are marked at most; more of them would hide the board


@dataclass(frozen=True, eq=False)
class LocalRefutation(Refutation):
    """Base of the refutations that live on a set B of pressed bulbs. They claim C1.

    B is a component of the pressed graph H, or a part of one such that every piece of the component
    outside B hangs on a single bulb of B, pressed once. All copies of a bulb are in B together. An
    order of B has the parities t_B that what hangs on its bulbs leaves to it (theory §3.3).
    """

    members: Ints = field(metadata=BULBS)

    def marks(self, board: Board) -> Json:
        """Return B, outlined, and its pairs of neighbours."""
        pairs = pairs_within(board, self.members)
        return {
            "groups": [{"style": "outline", "bulbs": board.graph.labels(self.members)}],
            "pairs": pairs if len(pairs) <= MOST_PAIRS else [],
            "label": pluralise(self.members.size, "bulb"),
        }


def pairs_within(board: Board, bulbs: Ints) -> list[list[Label]]:
    """Return the pairs of neighbours among some bulbs."""
    among = distinct(bulbs)
    return [board.graph.labels(among[pair]) for pair in board.graph.edges_within(among)]


@dataclass(frozen=True, eq=False)
class OddComponent(LocalRefutation):
    """The number of edges within B and the number of its vertices with t_B = 1 differ mod 2, where
    the out-degrees add up to the edges (theory §3.1).
    """

    kind = "odd-component"
    pairs: int = field(metadata=HIDDEN)
    odd: int = field(metadata=HIDDEN)

    @classmethod
    def from_json(cls, board: Board, content: Json) -> Self:
        """Return the object of a text form; the pairs are counted again."""
        members = NoFirstPress.from_json(board, content).members
        pairs = len(board.graph.edges_within(distinct(members)))
        return cls(members, pairs, (pairs + 1) % 2)  # the two differ mod 2

    def sentence(self, board: Board) -> str:
        """Return the count."""
        k = self.members.size
        if k == 1 and not self.pairs:
            return (
                "this bulb has to be pressed before an odd number of its neighbours, but none of "
                "them is pressed"
            )
        these = f"these {k} pressed bulbs have" if k > 1 else "the presses of this bulb make"
        need = "an even" if self.odd % 2 == 0 else "an odd"
        pairs = pluralise(self.pairs, "neighbouring pair")
        return f"{these} {pairs}; every order needs {need} number"

    def marks(self, board: Board) -> Json:
        """Return B and its pairs, and whether they are odd in number."""
        pairs = len(pairs_within(board, self.members))
        label = f"{pluralise(pairs, 'pair')}: {'odd' if pairs % 2 else 'even'}"
        return {**super().marks(board), "label": label}


@dataclass(frozen=True, eq=False)
class NoFirstPress(LocalRefutation):
    """Every vertex of B has deg_B(v) ≢ t_B(v): none can be the first of B to be pressed, which has
    all its neighbours in B after it (theory §3.2).
    """

    kind = "no-first-press"

    def sentence(self, board: Board) -> str:
        """Return the reason."""
        return (
            f"{_none(self.members.size, 'first')}: "
            "each has the wrong number of neighbours among them, all of which would come later"
        )

    def argument(self, board: Board) -> str:
        """Return the parities."""
        return f"deg_B(v) ≢ t_B(v) (mod 2) for every v of B, {_set(self.members.size)}"


@dataclass(frozen=True, eq=False)
class NoLastPress(LocalRefutation):
    """Every v ∈ B has t_B(v) = 1, but its last press has no later neighbour in B (theory §3.2)."""

    kind = "no-last-press"

    def sentence(self, board: Board) -> str:
        """Return the reason."""
        return (
            f"{_none(self.members.size, 'last')}: each needs an odd number of neighbours after it"
        )

    def argument(self, board: Board) -> str:
        """Return the parities."""
        return f"t_B(v) = 1 for every v of B, {_set(self.members.size)}"


@dataclass(frozen=True, eq=False)
class Exhausted(LocalRefutation):
    """No order of B has the parities t_B, by dynamic programming over all subsets of B, those alike
    taken together (theory §3.5); a checker fills the same table.
    """

    kind = "exhausted"

    def sentence(self, board: Board) -> str:
        """Return what was searched."""
        k = self.members.size
        these = f"these {k} bulbs" if k > 1 else "the presses of this bulb"
        return f"all orders of {these} were searched: none is legal"


def _set(bulbs: int) -> str:
    return f"these {bulbs} pressed bulbs" if bulbs > 1 else "the presses of this bulb"


def _none(bulbs: int, place: str) -> str:
    """Return that none of the bulbs can be pressed in a place, the first or the last."""
    if bulbs == 1:
        return f"no press of this bulb can be its {place}"
    return f"none of these {bulbs} bulbs can be the {place} of them to be pressed"


Parts: TypeAlias = tuple[tuple[Bits, Refutation], ...]  # press sets, each with its refutation


def parts_json(board: Board, parts: Iterable[tuple[Bits, Refutation]]) -> list[Json]:
    """Return refutations with the press sets that they are about."""
    return [
        {**why.to_json(board), "press_counts": press_counts_json(board, press_set)}
        for press_set, why in parts
    ]


def press_counts_json(board: Board, counts: Bits | Ints) -> list[str] | list[int]:
    """Return press counts: a grid's rows of digits, `-` for holes, or numbers if one exceeds 9."""
    graph = board.graph
    if not isinstance(graph, GridGraph) or (counts.size and int(counts.max()) > 9):
        return [int(k) for k in counts]
    return graph.to_digits(counts)


def press_counts_from(board: Board, text: list[Any]) -> Ints:
    """Return press counts from their text form: digits row by row, or a number for each bulb."""
    if text and isinstance(text[0], str):
        text = list("".join(text).replace("-", ""))
    return np.array([int(count) for count in text], dtype=np.int64)
