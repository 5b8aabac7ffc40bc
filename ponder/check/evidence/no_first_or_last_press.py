"""`no-first-press`, `no-last-press`: none of B can be the first, or the last, of B to be pressed.

The first press of B has all its neighbours in B after it, the last one none: so every vertex of B
has deg_B(v) ≢ t_B(v), or every one has t_B(v) = 1 (theory §3.2, §3.3). Cost: O(B).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ponder.check.limits import FREE, Budget
from ponder.check.local_refutations import Block, LocalRefutation, Some, none_can_be, these_presses
from ponder.model.board import Board
from ponder.model.wired_graph import Wired


class NoFirstPress(LocalRefutation):
    """None of these bulbs can be the first of them to be pressed."""

    kind = "no-first-press"
    theory = "§3.2, §3.3, own proof"
    explained: ClassVar[tuple[str, ...]] = (
        "Before anything is pressed, the rule forbids every bulb that must be pressed. So no press "
        "can be the first.",
    )

    @classmethod
    def check_block(cls, block: Block, budget: Budget) -> None:
        """Check that none of the presses can be the first."""
        block.none_is("first", block.degrees & 1 == block.odd)

    @classmethod
    def impossible(
        cls, members: Some, hears: Sequence[Some], odd: Sequence[bool], budget: Budget = FREE
    ) -> bool:
        """Whether none of the presses can be the first."""
        return all((odd[v] + len(hears[v])) % 2 for v in members)

    def sentence(self, board: Board) -> str:
        """Return the reason: as the others come later, the lights say so at its turn."""
        none = none_can_be("first", self.members.size)
        state = "lit" if board.rule == "unlit" else "unlit"
        if isinstance(board.graph, Wired):  # a button may be pressed by the state of another place
            return f"{none}: whichever it were, the rule would forbid it"
        return f"{none}: whichever it were, it would be {state} at its turn"

    def argument(self, board: Board) -> str:
        """Return the parities."""
        return f"deg_B(v) ≢ t_B(v) (mod 2) for every v of B, {these_presses(self.members.size)}"


class NoLastPress(LocalRefutation):
    """None of these bulbs can be the last of them to be pressed."""

    kind = "no-last-press"
    theory = "§3.2, §3.3, own proof"
    explained: ClassVar[tuple[str, ...]] = (
        "A press leaves its bulb in one state, and after the last press nothing changes that. The "
        "goal wants each of these bulbs in the other state, so none of their presses can be the "
        "last.",
    )

    @classmethod
    def check_block(cls, block: Block, budget: Budget) -> None:
        """Check that none of the presses can be the last."""
        block.none_is("last", ~block.odd)

    @classmethod
    def impossible(
        cls, members: Some, hears: Sequence[Some], odd: Sequence[bool], budget: Budget = FREE
    ) -> bool:
        """Whether none of the presses can be the last."""
        return all(odd[v] for v in members)

    def sentence(self, board: Board) -> str:
        """Return the reason."""
        none = none_can_be("last", self.members.size)
        return f"{none}: each needs an odd number of neighbours after it"

    def argument(self, board: Board) -> str:
        """Return the parities."""
        return f"t_B(v) = 1 for every v of B, {these_presses(self.members.size)}"
