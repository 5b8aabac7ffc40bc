"""Refutations that speak of all press sets: there is none, none can be played, or none ordered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np

from ponder.check.evidence.line_refutations import LineCount, LineCut
from ponder.check.evidence.refutation import (
    Exhausted,
    LocalRefutation,
    NoFirstPress,
    NoLastPress,
    OddComponent,
    Parts,
    Refutation,
    parts_json,
    press_counts_from,
)
from ponder.check.evidence.solver_refutations import SatProof
from ponder.check.evidence.written import BULBS, LIGHTS, form
from ponder.model.board import Board
from ponder.system.printable import inflect
from ponder.system.types import Ints, Json

OF_ONE_PRESS_SET: tuple[type[Refutation], ...] = (
    LineCount,
    LineCut,
    OddComponent,
    NoFirstPress,
    NoLastPress,
    Exhausted,
    SatProof,
)
"""The kinds that are about one press set, as each part of evidence about several is."""


def _parts(board: Board, texts: list[Any]) -> Parts:
    kinds = {one.kind: one for one in OF_ONE_PRESS_SET}
    return tuple(
        (
            press_counts_from(board, text["press_counts"]).astype(np.bool_),
            kinds[text["kind"]].from_json(board, text),
        )
        for text in texts
    )


PARTS = form(parts_json, _parts)  # press sets, each with its refutation


@dataclass(frozen=True, eq=False)
class OddWitness(Refutation):
    """A set y of bulbs that every press toggles an even number of times although its parity
    must change: A y = 0 and y·b = 1 (theory §1.1). Claims C4 under every rule.
    """

    kind = "odd-witness"
    members: Ints = field(metadata=LIGHTS)

    def sentence(self, board: Board) -> str:
        """Return the argument with its numbers, one of which is odd and the other even."""
        lit = int(board.lit[self.members].sum())
        goal = int(board.goal[self.members].sum())
        which = "odd" if lit % 2 else "even"
        return (
            f"every press changes an even number of these {self.members.size} bulbs; {lit} of them "
            f"{inflect(lit, 'is', 'are')} lit, and {goal} must be: an {which} number stays {which}"
        )

    def argument(self, board: Board) -> str:
        """Return the equation."""
        return f"the indicator y of these {self.members.size} bulbs has A y = 0 and y·b = 1"

    def marks(self, board: Board) -> Json:
        """Return the witness, hatched, and how many of its bulbs must change."""
        change = int(board.change[self.members].sum())
        return {
            "groups": [{"style": "hatch", "bulbs": board.graph.labels(self.members)}],
            "label": f"{change} of these must change: odd",
        }


@dataclass(frozen=True, eq=False)
class DeadEnd(Refutation):
    """A connected piece of the graph that must change, and where no press can be the first
    (`end` = "start") or none the last ("goal"; theory §2.5). Claims C4.
    """

    kind = "dead-end"
    end: Literal["start", "goal"]
    members: Ints = field(metadata=BULBS)

    def sentence(self, board: Board) -> str:
        """Return which press is impossible."""
        size, changing = self.members.size, int(np.count_nonzero(board.change[self.members]))
        state, other = ("lit", "unlit") if board.rule == "unlit" else ("unlit", "lit")
        if size == 1 and self.end == "start":
            return f"this bulb has to change, but no {state} bulb may be pressed"
        if size == 1:
            return f"this bulb has to change and end {other}, but a press leaves it {state}"
        of = "these" if changing == size else f"{changing} of these"
        who = f"{of} {size} bulbs {inflect(changing, 'has', 'have')} to change"
        if self.end == "start":
            return f"{who}, but all {size} are {state}: none may be pressed first"
        return (
            f"{who}, but all {size} must end {other}, and a press leaves its bulb {state}: none "
            "can be the last"
        )

    def marks(self, board: Board) -> Json:
        """Return the piece, outlined, and the state of its bulbs."""
        state = "lit" if board.rule == "unlit" else "unlit"
        return {
            "groups": [{"style": "outline", "bulbs": board.graph.labels(self.members)}],
            "label": f"all {state}" if self.end == "start" else f"none may end {state}",
        }


@dataclass(frozen=True, eq=False)
class States(Refutation):
    """A wiring of few lights: the goal is none of the `reached` states. Claims C4."""

    kind = "states"
    reached: int

    def sentence(self, board: Board) -> str:
        """Return how many states there are."""
        which = inflect(self.reached, "it is not", "none of them is")
        states = inflect(self.reached, "state", "states")
        return f"legal presses reach {self.reached:,} {states} of the lights, and {which} the goal"


@dataclass(frozen=True, eq=False)
class CosetRefuted(Refutation):
    """No press set has an order. Claims C2.

    `parts` holds press sets, each with its refutation. One that lives on a component K
    (`LocalRefutation`) refutes every press set that agrees with it on N[K]. On row/column boards
    with every t(v) = 0 those whose numbers of odd rows and columns differ are not listed
    (`LineCount`). Together they leave none of the 2^d members s₀ + ker A (theory §3.6).
    """

    kind = "coset"
    press_sets: int | None
    parts: Parts = field(metadata=PARTS)

    @classmethod
    def from_json(cls, board: Board, content: Json) -> Self:
        """Return the object of a text form, which need not say how many press sets there are."""
        return super().from_json(board, {"press_sets": None, **content})

    def sentence(self, board: Board) -> str:
        """Return what is wrong with every choice of presses."""
        if len(self.parts) == 1 and isinstance(self.parts[0][1], LocalRefutation):
            return f"however you choose the presses, {self.parts[0][1].sentence(board)}"
        if self.press_sets is None:
            return "every way to choose the presses was ruled out"
        return f"there are {self.press_sets} ways to choose the presses, and each was ruled out"

    def argument(self, board: Board) -> str:
        """Return how many press sets fall to which argument."""
        parts = len(self.parts)
        many = "" if self.press_sets is None else f" {self.press_sets}"
        every = "both press sets" if self.press_sets == 2 else f"all{many} press sets"
        if all(isinstance(why, LocalRefutation) for _, why in self.parts):
            if parts == 1:
                return f"in {every} " + self.parts[0][1].argument(board)
            if parts:
                return f"{every} contain one of {parts} refuted components each"
        if not parts:
            return f"in {every} the numbers of odd rows and odd columns differ"
        return (
            f"of the{many} press sets, {parts} {inflect(parts, 'is', 'are')} refuted "
            "one by one; in all others the numbers of odd rows and odd columns differ"
        )

    @property
    def bulbs(self) -> Ints | None:
        """The bulbs of the only pattern, where one is enough."""
        return self.parts[0][1].bulbs if len(self.parts) == 1 else None

    def marks(self, board: Board) -> Json:
        """Return the marks of the first part, and how many more there are."""
        if not self.parts:
            return {}
        marks, others = self.parts[0][1].marks(board), len(self.parts) - 1
        if others and "label" in marks:
            marks["label"] = f"{marks['label']}; {others} more like it"
        return marks
