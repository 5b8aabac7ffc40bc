"""`odd-component`: the number of edges within B has another parity than its orders need.

The out-degrees of an order add up to the edges of B, and t_B says which of them are odd (theory
§3.1, §3.3): |E(B)| and the number of presses with t_B = 1 agree mod 2. Cost: O(B).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ponder.check.fields import fail
from ponder.check.limits import FREE, Budget
from ponder.check.local_refutations import Block, LocalRefutation, Some, pairs_within
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.system.printable import pluralise
from ponder.system.types import Json


class OddComponent(LocalRefutation):
    """The number of neighbouring pairs among these presses has the wrong parity."""

    kind = "odd-component"
    theory = "§3.1, §3.3, own proof"
    explained: ClassVar[tuple[str, ...]] = (
        "The lights alone say which bulbs must be pressed, whatever the order. The outlined bulbs "
        "are among them.",
        "Take two outlined neighbours. Whichever is pressed first changes the other before its "
        "turn. So each pair of neighbours puts one change before a press. The rule decides for "
        "each bulb whether an odd or an even number of changes must come before its press.",
        "Presses outside of the group that touch it are tied to one bulb of it each. Whether they "
        "change that bulb an odd or an even number of times before its press is the same in every "
        "order, and is taken off what the rule asks for.",
        "These counts add up over the group, and so fix whether the number of pairs must be odd or "
        "even. Here it has the other parity, so no order exists.",
    )

    @classmethod
    def check_block(cls, block: Block, budget: Budget) -> None:
        """Check that the two numbers differ in parity."""
        edges = int((block.counts * block.degrees).sum()) // 2
        demands = int(block.counts[block.odd].sum())
        if edges % 2 == demands % 2:
            fail(
                f"odd-component: {edges} neighbouring pairs and {demands} presses that need an odd "
                "number of later ones agree in parity"
            )

    @classmethod
    def impossible(
        cls, members: Some, hears: Sequence[Some], odd: Sequence[bool], budget: Budget = FREE
    ) -> bool:
        """Whether the presses hear one another mutually, and the two numbers differ in parity."""
        pairs = {(u, v) for v in members for u in hears[v]}
        mutual = {(v, u) for u, v in pairs} == pairs
        return mutual and (len(pairs) // 2 + sum(odd[v] for v in members)) % 2 == 1

    def _alone(self, board: Board) -> tuple[int, str, str]:
        """Return the pairs of B, and the parities asked for and forced, of one bulb if of none."""
        problem = OrderingProblem.of_board(board, board.graph.set_of(self.members))
        odd = bool(problem.odd[0])
        return problem.edge_count, *(("odd", "even") if odd else ("even", "odd"))

    def sentence(self, board: Board) -> str:
        """Return the count; of a bulb alone, also what it is whatever hangs on the bulb."""
        k, (pairs, need, have) = self.members.size, self._alone(board)
        if k == 1 and not pairs:
            zero = " (0 is even)" if have == "even" else ""
            changed = f"an {have} number of its neighbours{zero} must be pressed after this bulb"
            if isinstance(board.graph, Wired):
                return f"for the others to come out right, {changed}, and it needs an {need} number"
            end, goal = ("unlit", "lit") if board.goal[self.members[0]] else ("lit", "unlit")
            return f"for the others to come out right, {changed}; so it ends {end}, not {goal}"
        these = f"these {k} pressed bulbs have" if k > 1 else "the presses of this bulb make"
        need = "an even" if pairs % 2 else "an odd"
        return f"{these} {pluralise(pairs, 'neighbouring pair')}; every order needs {need} number"

    def marks(self, board: Board) -> Json:
        """Return B and its pairs, and whether they are odd in number; of one bulb, the parities."""
        pairs, (_, need, have) = len(pairs_within(board, self.members)), self._alone(board)
        label = f"{pluralise(pairs, 'pair')}: {'odd' if pairs % 2 else 'even'}"
        if self.members.size == 1 and not pairs:
            label = f"needs an {need} number, gets an {have} one"
        return {**super().marks(board), "label": label}
