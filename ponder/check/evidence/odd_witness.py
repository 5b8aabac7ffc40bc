"""`odd-witness`: bulbs of which every press toggles evenly many, while their parity must change.

For y with A·y = 0 and y·b = 1 there is no s with A·s = b: the kernel of A is the orthogonal
complement of its image (theory §1.1). Cost: two sums over all closed neighbourhoods.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ponder.check.fields import fail, place
from ponder.check.kinds import Claim, Refutation, Refuted
from ponder.check.limits import Budget
from ponder.check.neighbourhoods import press_sums, spend_sums
from ponder.check.written import Lights
from ponder.model.board import Board
from ponder.system.printable import inflect
from ponder.system.types import Ints, Json


class OddWitness(Refutation):
    """Every press toggles an even number of these bulbs, yet their parity must change."""

    kind = "odd-witness"
    claim: ClassVar[Claim | None] = "C4"
    of_press_set: ClassVar[bool] = False
    theory = "§1.1, own proof"
    of_orders: ClassVar[bool] = False
    of_wirings: ClassVar[bool] = True
    explained: ClassVar[tuple[str, ...]] = (
        "Look only at the hatched bulbs. Each press, wherever it is made, changes an even number "
        "of them. So whether an odd or an even number of them is lit never changes.",
        "An odd number of them has to change, so no presses reach the goal.",
    )
    members: Lights

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check that every press toggles evenly many of the bulbs, whose parity has to change."""
        spend_sums(board.graph, budget, "the odd witness")
        witness = board.graph.of_lights.set_of(self.members)
        odd = press_sums(board.graph, witness) & 1
        if odd.any():
            bulb = place(board.graph.label(int(np.argmax(odd))))
            fail(f"odd-witness: a press of {bulb} toggles an odd number of the bulbs")
        if np.count_nonzero(witness & board.change) % 2 == 0:
            fail("odd-witness: an even number of the bulbs has to change, which presses can do")
        return Refuted(counts)

    def sentence(self, board: Board) -> str:
        """Return the argument with its numbers, one of which is odd and the other even."""
        lit = int(board.lit[self.members].sum())
        goal = int(board.goal[self.members].sum())
        which, aim = "odd" if lit % 2 else "even", f"{goal} must" if goal else "none may"
        return (
            f"every press changes an even number of these {self.members.size} bulbs; {lit} of them "
            f"{inflect(lit, 'is', 'are')} lit, and {aim} be: an {which} number stays {which}"
        )

    def argument(self, board: Board) -> str:
        """Return the equation."""
        return f"the indicator y of these {self.members.size} bulbs has A y = 0 and y·b = 1"

    def marks(self, board: Board) -> Json:
        """Return the witness, hatched, and how many of its bulbs must change."""
        change = int(board.change[self.members].sum())
        return {
            "groups": [{"style": "hatch", "bulbs": board.graph.of_lights.labels(self.members)}],
            "label": f"{change} of these must change: odd",
        }
