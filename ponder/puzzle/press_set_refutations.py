"""Refutations that speak of all press sets: there is none, none can be played, or none ordered.

The proof of each kind stands at its class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ponder.printable import agreeing
from ponder.puzzle.board import Board
from ponder.puzzle.refutation import LocalRefutation, Refutation, parts_json
from ponder.types import Bits, Ints, Json


@dataclass(frozen=True, eq=False)
class OddWitness(Refutation):
    """A set y of bulbs that every press toggles an even number of times although its parity
    must change: A y = 0 and y·b = 1. Claims C4 under every rule.

    Proof. A press of v toggles |N[v] ∩ y| bulbs of y, which is (A y)(v) = 0 mod 2. So the parity
    of the lit bulbs in y never changes; but it must change by y·b = 1. ∎
    """

    kind = "odd-witness"
    members: Ints

    @property
    def bulbs(self) -> Ints:
        """The witness."""
        return self.members

    def to_json(self, board: Board) -> Json:
        """Return kind and bulbs."""
        return {"kind": self.kind, "bulbs": board.graph.labels(self.members)}

    def sentence(self, board: Board) -> str:
        """Return the parity argument with its numbers."""
        lit = int(board.lit[self.members].sum())
        goal = int(board.goal[self.members].sum())
        return (
            f"every press toggles an even number of these {self.members.size} bulbs; "
            f"{lit} of them {agreeing(lit, 'is', 'are')} lit and {goal} must be: the parity never "
            "changes"
        )


@dataclass(frozen=True, eq=False)
class DeadEnd(Refutation):
    """A connected piece of the graph that must change, and where no press can be the first
    (`end` = "start") or none the last ("goal"). Claims C4.

    Proof. The first press within the piece meets a bulb in its state at the start; the last one
    leaves its bulb in the state of the goal. The rule allows neither in any bulb of the piece. ∎
    """

    kind = "dead-end"
    members: Ints
    end: Literal["start", "goal"]

    @property
    def bulbs(self) -> Ints:
        """The piece."""
        return self.members

    def to_json(self, board: Board) -> Json:
        """Return kind, which end, and the bulbs."""
        return {"kind": self.kind, "end": self.end, "bulbs": board.graph.labels(self.members)}

    def sentence(self, board: Board) -> str:
        """Return which press is impossible."""
        size, changing = self.members.size, int(np.count_nonzero(board.change[self.members]))
        state, other = ("lit", "unlit") if board.rule == "unlit" else ("unlit", "lit")
        if size == 1 and self.end == "start":
            return f"this bulb has to change, but it is {state}, and may not be pressed then"
        if size == 1:
            return f"this bulb has to change and end {other}, but a press leaves it {state}"
        of = "these" if changing == size else f"{changing} of these"
        who = f"{of} {size} bulbs {agreeing(changing, 'has', 'have')} to change"
        if self.end == "start":
            return f"{who}, but all {size} are {state}: none may be pressed first"
        return (
            f"{who}, but all {size} must end {other}, and a press leaves its bulb {state}: none "
            "can be the last"
        )


@dataclass(frozen=True, eq=False)
class CosetRefuted(Refutation):
    """No press set has an order. Claims C2.

    Proof. `parts` holds press sets, each with its refutation. One that lives on a component K
    (`LocalRefutation`) refutes every press set that agrees with it on N[K], where K is pressed and
    nothing beside it. On row/column boards with every t(v) = 0 the press sets whose numbers of odd
    rows and odd columns differ are refuted by that (`LineCount`) and not listed. Together they
    leave none of the 2^d members s₀ + ker A, as whoever checks counts again. ∎
    """

    kind = "coset"
    press_sets: int
    parts: tuple[tuple[Bits, Refutation], ...]

    def to_json(self, board: Board) -> Json:
        """Return the parts, each a refutation with its press set."""
        return {
            "kind": self.kind,
            "press_sets": self.press_sets,
            "parts": parts_json(board, self.parts),
        }

    def sentence(self, board: Board) -> str:
        """Return how many press sets fall to which argument."""
        parts = len(self.parts)
        every = "both press sets" if self.press_sets == 2 else f"all {self.press_sets} press sets"
        if all(isinstance(why, LocalRefutation) for _, why in self.parts):
            if parts == 1:
                return f"in {every} " + self.parts[0][1].sentence(board)
            if parts:
                return f"{parts} patterns refute {every}"
        if not parts:
            return f"in {every} the numbers of odd rows and odd columns differ"
        return (
            f"of the {self.press_sets} press sets, {parts} {agreeing(parts, 'is', 'are')} refuted "
            "one by one; in all others the numbers of odd rows and odd columns differ"
        )

    @property
    def bulbs(self) -> Ints | None:
        """The bulbs of the only pattern, where one is enough."""
        return self.parts[0][1].bulbs if len(self.parts) == 1 else None
