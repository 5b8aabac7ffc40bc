"""Half factor for CP-SAT: row/column boards, one boolean per press, one linear equation per line.

The formula of `ponder.encodings.half_factor` (theorem 2, theory §4.2) without its counters.

Letters     n presses; d(l) presses in line l; Z the presses of colour 1.
Variables   colour(b): n.        Constraints   Σ colour over line l = ⌊d(l)/2⌋: one per line.
Decoding    by the colours, as in `half_factor`.

Good for    orders, and refutations of every kind: unequal counts, hopeless for clauses, are the
            difference of two sums of lines, which the linear relaxation sees at once; the
            relaxation is a flow problem, so its corners are integral.
"""

from __future__ import annotations

import numpy as np

from ponder.encodings.half_factor import half_factor_lines
from ponder.formulas.colours import model_colours
from ponder.formulas.encoder import Colours, CpSatEncoder, CpSatModel, Options, Value
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.limits import Limits


class CpSatHalfFactor(CpSatEncoder):
    """Colours of presses, half of every line."""

    name = "cpsat_half_factor"
    summary = "CP-SAT; row/column boards, goal all lit: one equation a line"

    def terms(self, problem: OrderingProblem, options: Options) -> int:
        """Return 2·n: every press is in two lines."""
        return 2 * problem.size

    def build(
        self, problem: OrderingProblem, options: Options, hint: Order | None, limits: Limits
    ) -> CpSatModel:
        """Make the model; the hint gives the colours that its order would have."""
        from ortools.sat.python.cp_model import CpModel

        half_factor_lines(problem, self.name)
        model = CpModel()
        colour, _ = model_colours(model, problem, hint, limits)

        def read(value: Value) -> Colours:
            return Colours(np.array([bool(value(literal)) for literal in colour], dtype=np.bool_))

        return CpSatModel(model, read)
