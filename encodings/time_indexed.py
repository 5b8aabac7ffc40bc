"""Time-indexed: one press per step, "each bulb is unlit when it is selected" read directly.

Letters     n presses and steps; others as in `ponder.formulas.time_steps`
Variables   press(b)@s, done(b)@s and the bits of the parity, for every step; colours; upto(b)@s:
            the press at step s is b or one listed before b
Clauses     those of `time_steps`; one press per step 4·n² − n; normal form n·(n − 1): consecutive
            presses that are no neighbours ascend, press(v)@s+1 → a neighbour of v is pressed at s,
            or upto(v−1)@s (theory §6.1).

Good for    the plainest reading; refutations of up to about 20 presses, or more where the colours
            decide; with parity=lines and colours also orders of hundreds of presses.
Reference   Kautz, Selman, "Planning as satisfiability" (ECAI 1992); Gent, Nightingale (2004).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ponder.formulas.cnf import Cnf, Family, clauses
from ponder.formulas.encoder import Encoder, Option, Options, press_names
from ponder.formulas.gadgets import Block
from ponder.formulas.time_steps import NORMAL, PARITY, TRACKING, Steps, by_degree
from ponder.model.ordering_problem import MOST_EDGES, OrderingProblem
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints


class TimeIndexed(Encoder):
    """One press per step."""

    name = "time_indexed"
    summary = "one press per step: the rule read directly; any graph"
    spec: ClassVar[tuple[Option, ...]] = (PARITY, *TRACKING, NORMAL)

    def encode(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Cnf:
        """Return the formula over n steps."""
        n, name = problem.size, press_names(problem)
        formula = Cnf(f"an order of {n} presses, one per step", limits=limits)
        meaning = "upto(b)@s: the press at step s is b or one listed before b"
        spec = Family("upto", meaning, n, lambda i, s: f"upto({name(i)})@{s}")
        steps = Steps(formula, problem, n, options, "light", spec)
        press, upto = steps.press, steps.extra[0]
        steps.once()
        rules = [*_ladder(press.now, upto.now), clauses(upto.now[-1:])]
        steps.at_each("exactly one press per step", *rules)
        steps.right_parity(options)
        if steps.wants_normal_form(options):
            problem.prepare(limits, MOST_EDGES)
            rules = _ascending(problem.adjacency, press, upto.now)
            steps.between("presses ascend unless they are neighbours", *rules)
        return formula

    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Ints:
        """Return the presses step by step."""
        return np.nonzero(formula.family("press").true(true))[1]


def _ladder(press: Ints, upto: Ints) -> list[Block]:
    """Return: upto is monotone, and a press is where it rises. 4·n − 2 clauses."""
    return [
        clauses(-upto[:-1], upto[1:]),
        clauses(-press, upto),
        clauses(-press[1:], -upto[:-1]),
        clauses(-upto[1:], upto[:-1], press[1:]),
        clauses(-upto[:1], press[:1]),
    ]


def _ascending(lists: tuple[Ints, Ints], press: Family, upto: Ints) -> list[Block]:
    """Return: consecutive presses ascend, or are neighbours by `lists`. n clauses."""
    rules = []
    for near, which in by_degree(lists):
        rule, first = clauses(-press.next[which], press.now[near]), which == 0
        rules += [rule[first], clauses(rule[~first], upto[which[~first] - 1])]
    return rules
