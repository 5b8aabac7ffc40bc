"""Half factor: row/column boards without order variables, by theorem 2 (theory §4.2, §6.3).

Applies where every t(v) = 0 (goal all lit under the rule `unlit`, all unlit under `lit`) and no
bulb is pressed twice. Then an order exists iff some presses Z (colour 1) make up exactly ⌊d/2⌋ of
the d presses of every line: along a line, in build order, the colours run 0, 1, 0, 1, …

Letters     n presses; d(l) presses in line l (a row or a column); Z the presses of colour 1
Variables   colour(b), one a press: n. With card=sequential one counter a line:
            n + Σ over lines of ⌊d/2⌋·⌈d/2⌉.
Clauses     card=sequential: Σ over lines of 4·⌊d/2⌋·⌈d/2⌉ (1 for a line with d = 1).
            card=native: one cardinality constraint a line and no auxiliaries; write it as OPB.

Good for    orders of any size: the smallest formula by far, since nothing says *when*. Refuting a
            *cut* is easy too; refuting *unequal counts* (more odd rows than odd columns) is easy
            as OPB (add up the lines) but a pigeonhole-like formula as CNF, hard for resolution.
"""

from __future__ import annotations

from ponder.errors import PonderError
from ponder.formulas.cardinality import CARD
from ponder.formulas.cnf import Cnf
from ponder.formulas.colours import Lines, allot_colours, halve_lines, line_colours, lines_of
from ponder.formulas.encoder import Colours, Encoder, Option, Options
from ponder.limits import NEVER, Limits
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.types import Bits


class HalfFactor(Encoder):
    """Colours of presses, half of every line."""

    name = "half_factor"
    summary = "row/column boards, goal all lit: colours instead of an order; the smallest"
    spec = (Option("card", "sequential", "how to say `exactly half of a line`", CARD),)

    def encode(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Cnf:
        """Return n colours and one cardinality constraint a line."""
        lines = half_factor_lines(problem, self.name)
        formula = Cnf(f"a half factor of {problem.size} presses", limits=limits)
        colour = allot_colours(formula, problem)
        literals = line_colours(problem, lines, colour.now)
        halve_lines(formula, lines, literals, options.word("card"))
        return formula

    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Colours:
        """Return the colours."""
        return Colours(formula.family("colour").true(true)[0])


def half_factor_lines(problem: OrderingProblem, name: str) -> Lines:
    """Return the lines. Raises PonderError where theorem 2 does not apply."""
    if problem.lines is None:
        raise PonderError(f"{name} needs a row/column board (pattern cross): use another encoding")
    if problem.odd.any():
        raise PonderError(
            f"{name} needs an even number of presses after every press (goal all lit under "
            "`unlit`, all unlit under `lit`): use another encoding"
        )
    if problem.repeats:
        raise PonderError(f"{name} cannot press a bulb twice: use another encoding")
    return lines_of(problem)
