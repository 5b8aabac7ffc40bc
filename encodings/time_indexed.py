"""Time-indexed: one press per step, "each bulb is unlit when it is selected" read directly.

Letters     n presses and steps; others as in `ponder.formulas.time_steps`
Variables   press(b)@s, done(b)@s and the bits of the parity, for every step; colours; upto(b)@s:
            the press at step s is b or one listed before b (one=ladder)
Clauses     those of `time_steps`; one press per step (ladder) 4·n² − n; normal form n·(n − 1):
            consecutive presses that are no neighbours ascend, press(v)@s+1 → a neighbour of v is
            pressed at s, or upto(v−1)@s (theory §6.1).

Good for    the plainest reading; refutations of up to about 20 presses, or more where the colours
            decide; with parity=lines and colours also orders of hundreds of presses.
Reference   Kautz, Selman, "Planning as satisfiability" (ECAI 1992); Gent, Nightingale (2004).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ponder.formulas.cardinality import NATIVE, PYSAT, cardinality
from ponder.formulas.clause_templates import clauses
from ponder.formulas.cnf import Cnf, Spec, press_names
from ponder.formulas.encoder import (
    Encoder,
    Option,
    Options,
    exactly_literals,
    halves_literals,
    step_literals,
)
from ponder.formulas.time_steps import NORMAL, PARITY, TRACKING, Steps, ascending, ladder
from ponder.model.ordering_problem import MOST_EDGES, OrderingProblem
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints


class TimeIndexed(Encoder):
    """One press per step."""

    name = "time_indexed"
    summary = "one press per step: the rule read directly; any graph"
    spec = (
        PARITY,
        *TRACKING,
        Option(
            "one",
            "ladder",
            "how to say one press per step",
            ("ladder", "pairwise", "sequential", *(k for k in PYSAT if k != "ladder"), NATIVE),
        ),
        NORMAL,
    )

    def encode(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Cnf:
        """Return the formula over n steps."""
        n, one = problem.size, options.word("one")
        name = press_names(problem)
        formula = Cnf(f"an order of {n} presses, one per step", limits=limits)
        gadget = None
        if one == "ladder":
            meaning = "upto(b)@s: the press at step s is b or one listed before b"
            spec = Spec("upto", meaning, n, lambda i, s: f"upto({name(i)})@{s}")
        elif one == NATIVE:
            spec = Spec("one", "none", 0, lambda i, s: f"one({i})@{s}")
        else:
            gadget = cardinality(n, 1, one, exactly=True)
            meaning = "one(i)@s: auxiliaries of `exactly one press at step s`"
            spec = Spec("one", meaning, gadget.auxiliaries, lambda i, s: f"one({i})@{s}")
        steps = Steps.allot(formula, problem, n, options, "light", spec)
        press, own = steps.press, steps.extra[0]
        steps.once()
        label = "exactly one press per step"
        if gadget is not None:
            steps.at_each(label, *gadget.place(press.now[None, :], own.first))
        elif one == NATIVE:
            whole = press.now[None, :].astype(np.int32)
            steps.at_each(label, whole, kind="exactly", bound=1)
        else:
            steps.at_each(label, *ladder(press.now, own.now), clauses(own.now[-1:]))
        steps.right_parity(options)
        if one != "ladder" and options.word("normal") == "on":
            raise PonderError("normal=on needs one=ladder")
        if one == "ladder" and steps.wants_normal_form(options):
            problem.prepare(limits, MOST_EDGES)
            rules = ascending(problem.adjacency, press, own.now)
            steps.between("presses ascend unless they are neighbours", *rules)
        return formula

    def literals_within(
        self, problem: OrderingProblem, options: Options, degrees: Ints
    ) -> Iterator[int]:
        """Yield n steps, one press in each, and the lines."""
        n, one = problem.size, options.word("one")
        once = 12 * n if one == "ladder" else exactly_literals(n, 1, one)
        each = step_literals(problem, options, degrees, "light") + once
        yield n * each + halves_literals(problem, options)

    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Ints:
        """Return the presses step by step."""
        return np.nonzero(formula.family("press").true(true))[1]
