"""Half factor: row/column boards without order variables, by theorem 2 (theory §4.2, §6.3).

Applies where every t(v) = 0 (goal all lit under the rule `unlit`, all unlit under `lit`) and no
bulb is pressed twice: an order exists iff some presses (colour 1) are exactly ⌊d/2⌋ of every line.

Letters     n presses; d presses in a line (a row or a column)
Variables   colour(b): n; with card=sequential also ⌊d/2⌋·⌈d/2⌉ for every line.
Clauses     card=sequential: 4·⌊d/2⌋·⌈d/2⌉ a line (1 for d = 1). card=native: one constraint, OPB.

Good for    orders of any size: the smallest formula by far, since nothing says *when*. Refuting
            a *cut* is easy too; *unequal counts* are easy as OPB but hard for resolution.
"""

from __future__ import annotations

from typing import ClassVar

from ponder.formulas.cnf import Cnf
from ponder.formulas.colours import CARDINALITY, allot_colours, halve_lines
from ponder.formulas.encoder import Colours, Encoder, Option, Options
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits


class HalfFactor(Encoder):
    """Colours of presses, half of every line."""

    name = "half_factor"
    summary = "row/column boards, goal all lit: colours instead of an order; the smallest"
    spec: ClassVar[tuple[Option, ...]] = (CARDINALITY,)

    def encode(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Cnf:
        """Return n colours and one cardinality constraint a line."""
        if problem.lines is None:
            raise PonderError(f"{self.name} needs a row/column board: use another encoding")
        if problem.odd.any():
            raise PonderError(
                f"{self.name} needs an even number of presses after every press (goal all lit "
                "under `unlit`, all unlit under `lit`): use another encoding"
            )
        if problem.repeats:
            raise PonderError(f"{self.name} cannot press a bulb twice: use another encoding")
        formula = Cnf(f"a half factor of {pluralise(problem.size, 'press')}", limits=limits)
        colour = allot_colours(formula, problem)
        halve_lines(formula, problem, colour.now, options.word("card"))
        return formula

    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Colours:
        """Return the colours."""
        return Colours(formula.family("colour").true(true)[0])
