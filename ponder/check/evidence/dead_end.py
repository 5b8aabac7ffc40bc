"""`dead-end`: a piece of the board that must change, and where no press can be the first, or last.

The rule allows a first press of lit bulbs alone, or of unlit ones, and after the last press of a
bulb it is left in the other state (theory §2.5). Cost: a sum over all closed neighbourhoods.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from ponder.check.fields import fail, place
from ponder.check.kinds import Claim, Refutation, Refuted
from ponder.check.limits import Budget
from ponder.check.neighbourhoods import closed_sums, spend_sums
from ponder.check.written import Members
from ponder.model.board import Board
from ponder.system.printable import inflect
from ponder.system.types import Ints, Json


class DeadEnd(Refutation):
    """A whole piece of the board must change, and the rule allows it no first, or no last, press.

    `end`  "start" where no press can be the first, "goal" where none can be the last
    """

    kind = "dead-end"
    claim: ClassVar[Claim | None] = "C4"
    of_press_set: ClassVar[bool] = False
    theory = "§2.5, own proof"
    explained: ClassVar[tuple[str, ...]] = (
        "Think of the first press, or of the last one: the rule and the goal leave no bulb for it.",
    )
    end: Literal["start", "goal"]
    members: Members

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check that no bulb of a whole piece of the board is ever pressed."""
        spend_sums(board.graph, budget, "the dead end")
        piece = board.graph.set_of(self.members)
        leaving = ~piece & (closed_sums(board.graph, piece) > 0)
        if leaving.any():
            bulb = place(board.graph.label(int(np.argmax(leaving))))
            fail(f"dead-end: {bulb} is beside the bulbs and not one of them")
        if not (piece & board.change).any():
            fail("dead-end: none of the bulbs has to change")
        pressable = board.lit == (board.rule == "lit")
        allowed = pressable if self.end == "start" else board.goal == (board.rule == "unlit")
        if (piece & allowed).any():
            bulb = place(board.graph.label(int(np.argmax(piece & allowed))))
            which = "first" if self.end == "start" else "last"
            fail(f"dead-end: {bulb} can be the {which} of the bulbs to be pressed")
        return Refuted(counts)

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
