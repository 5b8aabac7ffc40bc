"""`within-steps`: an LRAT proof that a wiring needs more than a number of presses.

A sequence of at most L legal presses that reaches the goal is a model of the formula of L steps,
which is made anew from the board; by the proof it has none (theory §7.15). Cost: that of both.
"""

from __future__ import annotations

from typing import ClassVar

from ponder.check.fields import fail, unpacked
from ponder.check.kinds import Bound
from ponder.check.limits import Budget
from ponder.check.lrat import check_lrat
from ponder.check.written import Number, Text
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.errors import CheckFailed
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints

_NS_LITERAL = 200  # nanoseconds for a literal of the formula


class WithinSteps(Bound):
    """A wiring: the formula of `steps` presses has no model, by an LRAT proof, packed."""

    kind = "within-steps"
    theory = "§7.15, own proof"
    commands = ("solve",)
    of_wirings: ClassVar[bool] = True
    steps: Number
    lrat: Text

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return how many presses are needed at least."""
        from ponder.formulas.planning import literals_within, within_steps

        graph, steps = board.graph, self.steps
        if not isinstance(graph, Wired):
            fail("within-steps: the board is not a wiring")
        budget.spend(_NS_LITERAL * literals_within(graph, steps), "making the formula")
        try:
            formula = within_steps(board, graph, steps)
            lrat = unpacked(self.lrat, budget)
            check_lrat(formula.clauses(), lrat, budget=budget)
        except CheckFailed as failure:
            fail(f"within-steps: that {steps} presses are too few: {failure}")
        return steps + 1

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return how many presses are too few."""
        return f"{self._too_few()}; the proof of a SAT solver was checked"

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return which formula the proof is about."""
        return f"{self._too_few()}: the formula of that has no model, by an LRAT proof, checked"

    def _too_few(self) -> str:
        few = f"{pluralise(self.steps, 'press')} {inflect(self.steps, 'does', 'do')}"
        return f"{few} not reach the goal"
