"""Refutations that speak of all press sets: there is none, or none of them has an order.

The proof of each kind stands at its class.
"""

from __future__ import annotations

from dataclasses import dataclass

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
