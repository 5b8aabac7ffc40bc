"""Time-indexed: one press per step, "each bulb is unlit when it is selected" read directly.

Letters     n presses and steps; m, ℓ, c as in `ponder.formulas.time_steps`; d(v) neighbours of v;
            a(d), x(d) the auxiliaries and clauses of an XOR of d literals (`ponder.formulas.xor`)
Variables   press(b)@s, done(b)@s and the bits of the parity, for every step, and upto(b)@s: the
            press at step s is b or one listed before b (one=ladder).
            parity=lines: n·(3·n + ℓ), and with colours n and their counters besides;
            parity=light: 4·n²; parity=chain: n·(3·n + Σ a(d(v))).
Clauses     one step per press 4·n² − n, one press per step (ladder) 4·n² − n, copies c·n, and
                lines   6·n² − 4·n + ℓ·(2·n − 1); colours 2·n² and the halves of the lines
                light   3·n² − n + 4·m·(n − 1)
                chain   (n − 1)·Σ x(d(v)), and one for every v that needs odd parity
            and normal form n·(n − 1): consecutive presses that are no neighbours ascend,
            press(v)@s+1 → a neighbour of v is pressed at s, or upto(v−1)@s (theory §6.1).

Good for    the plainest reading; refutations of up to about 20 presses, or more where the colours
            decide; with parity=lines and colours also orders of hundreds of presses. Line bits take
            1.3 million clauses at 280 presses, an XOR per press and step 9.0 million. Without
            colours 17 presses are refuted in 19 s with the normal form, and not in 60 s without it.

Reference   the sequential encoding of planning as satisfiability: Kautz, Selman, "Planning as
            satisfiability" (ECAI 1992). Ladder: Gent, Nightingale (2004).
"""

from __future__ import annotations

import numpy as np

from ponder.errors import PonderError
from ponder.formulas.cardinality import NATIVE, PYSAT, cardinality
from ponder.formulas.clause_templates import clauses
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import Encoder, Option, Options
from ponder.formulas.time_steps import (
    CARDINALITY,
    COLOURS,
    NORMAL,
    PARITY,
    XOR,
    XOR_CUT,
    Steps,
    ascending,
    ladder,
)
from ponder.formulas.variables import Spec, press_names
from ponder.limits import NEVER, Limits
from ponder.puzzle.ordering_problem import MOST_EDGES, OrderingProblem
from ponder.types import Bits, Ints


class TimeIndexed(Encoder):
    """One press per step."""

    name = "time_indexed"
    summary = "one press per step: the rule read directly; any graph"
    spec = (
        PARITY,
        COLOURS,
        XOR,
        XOR_CUT,
        CARDINALITY,
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
            steps.between(
                "presses ascend unless they are neighbours",
                *ascending(problem.adjacency, press, own.now),
            )
        return formula

    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Ints:
        """Return the presses step by step."""
        return np.nonzero(formula.family("press").true(true))[1]
