"""The fewest legal presses of a wiring, repeats allowed: at most L, for one L after the other.

Whether at most L presses reach the goal is a formula (`formulas.planning`). Asked for the bound
that is proved, "no" raises it, by a proof that is checked at once, and "yes" is a best sequence.
Without a quick answer a solver is asked for any sequence, ever longer, or for one shorter than the
best, for twice as long each time round. So both bounds hold at every moment.

Reference. Kautz, Selman 1992; Biere, Cimatti, Clarke, Zhu, "Symbolic model checking without BDDs"
(TACAS 1999). Cost: that of the decisions.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ponder.check.evidence.within_steps import WithinSteps
from ponder.find.fewest.sat_oracle import decided
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.formulas.cnf import assignment
from ponder.formulas.planning import within_steps
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.limits import LimitReached, TimeUp
from ponder.system.printable import pluralise

PATIENCE = 1.0  # seconds for a question, at first
TIMES = 3  # each button is pressed so often, on average, before nothing longer is looked for then


def fewest_within_steps(
    board: Board,
    graph: Wired,
    best: SearchOutcome,
    context: SearchContext,
    at_most: int | None = None,
) -> SearchOutcome:
    """Return the best presses and bound, from those known; the rule is not `any`.

    It ends where these answer `at_most`, when time is up, and on KeyboardInterrupt.

    >>> from ponder.model.wired_graph import WiringGraph
    >>> board = Board(WiringGraph(2, [[0], [0, 1]], [0, 0]), *np.array([[0, 0], [1, 1]]) > 0)
    >>> none = SearchOutcome("none", None)
    >>> found = fewest_within_steps(board, board.graph, none, SearchContext())
    >>> found.presses.tolist(), found.lower_bound
    ([1], 1)
    """
    search = _StepSearch(board, graph, best, context)
    try:
        while not search.answers(at_most):
            search.go_on(at_most)
        reason = None if search.best.optimal else "the question was answered"
    except LimitReached as stopped:
        reason = str(stopped)
    except KeyboardInterrupt:
        reason = "interrupted"
    return replace(search.best, reason=reason)


class _StepSearch:
    """The best that is known, and how long, and how far, is looked next."""

    def __init__(
        self, board: Board, graph: Wired, best: SearchOutcome, context: SearchContext
    ) -> None:
        self.board, self.graph, self.context = board, graph, context
        self.best = replace(best, lower_bound=best.lower_bound or 0)
        self.patience, self.further = PATIENCE, 2

    def answers(self, at_most: int | None) -> bool:
        least, count = self.best.lower_bound or 0, self.best.count
        if at_most is None:
            return self.best.optimal
        return least > at_most or (count is not None and count <= at_most)

    def go_on(self, at_most: int | None) -> None:
        """Ask the question, then an easier one if that takes long. Raises TimeUp, NeedsMemory."""
        least, count = self.best.lower_bound or 0, self.best.count
        endless = count is None and self.context.limits.left() is None
        if endless and least > TIMES * self.graph.presses:
            raise TimeUp("none of fewer presses was found, and there is no limit to what is longer")
        if self._ask(least if at_most is None else at_most):
            return
        self._ask(least + self.further if count is None else count - 1)
        self.patience, self.further = 2 * self.patience, 2 * self.further

    def _ask(self, steps: int) -> bool:
        """Ask for at most `steps` presses; return whether there was an answer in time."""
        count, known = self.best.count, f"at least {self.best.lower_bound}"
        known += "" if count is None else f", at most {count}"
        self.context.progress(f"{known}: are {pluralise(steps, 'press')} enough?")
        limits = self.context.limits.sooner(self.patience)
        try:
            formula = within_steps(self.board, self.graph, steps, limits)
            clauses = list(formula.clauses())
            answer = decided(formula.variables, clauses, limits, self.context.seed)
        except TimeUp:
            answer = None
        if isinstance(answer, set):
            true = formula.family("press").true(assignment(formula.variables, answer))
            self.best = replace(self.best, presses=np.nonzero(true[:steps])[1])
        elif answer is not None:
            why = WithinSteps(steps, answer)
            self.best = replace(self.best, lower_bound=steps + 1, evidence=why)
        else:
            self.context.limits.check()
        return answer is not None
