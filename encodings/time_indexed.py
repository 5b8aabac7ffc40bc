from __future__ import annotations

import numpy as np

from ponder.cardinality import NATIVE, OWN, PYSAT, cardinality
from ponder.cnf import Cnf, Spec, clauses, press_names
from ponder.encoders import Encoder, Option, Options
from ponder.graph import Bits, Ints
from ponder.ordering import OrderingProblem
from ponder.steps import Steps, by_degree


class TimeIndexed(Encoder):
    """One press per step."""

    name = "time_indexed"
    summary = "one press per step: the rule read directly; any graph"
    spec = (
        Option(
            "parity", "auto", "how a press's parity is tracked", ("auto", "lines", "light", "chain")
        ),
        Option("xor", "chain", "XORs cut into pieces, or whole", ("chain", "native")),
        Option("xor_cut", 5, "the most literals in a piece of an XOR", least=3),
        Option("card", "ladder", "how to say one press per step", ("ladder", *OWN[1:], *[k for k in PYSAT if k != "ladder"], NATIVE)),
        Option("normal", "on", "only orders in normal form", ("on", "off")),
    )

    def encode(self, problem: OrderingProblem, options: Options) -> Cnf:
        n = problem.size
        names = press_names(problem)
        mode = options.word("parity")
        if mode == "auto":
            mode = "lines" if problem.lines is not None else "light"
        if mode == "chain" and options.word("xor") == "native":
            mode = "native"
        formula = Cnf(f"an order of {n} presses, one per step")
        card, normal = options.word("card"), options.word("normal") == "on"
        if card == "ladder":
            extra = [Spec("upto", "upto(b)@s: the press at step s is b or one listed before b", n, lambda i, s: f"upto({names[i]})@{s}")]
        else:
            gadget = None if card == NATIVE else cardinality(n, 1, card, exactly=True)
            extra = [Spec("one", "one(i)@s: auxiliaries of `exactly one press at step s`", gadget.auxiliaries if gadget else 0, lambda i, s: f"one({i})@{s}")]
        steps = Steps.allot(formula, problem, n, mode, options.number("xor_cut"), extra)
        press, aux = steps.press, steps.extra[0]
        steps.once()
        if card == "ladder" and n:
            p, u = press.now, aux.now
            steps.each("one press per step",
                clauses(-u[:-1], u[1:]), clauses(-p, u), clauses(-p[1:], -u[:-1]),
                np.concatenate([clauses(-u[1:], u[:-1], p[1:])]), clauses(-u[:1], p[:1]), clauses(u[-1:]))
        elif card == NATIVE:
            steps.formula.add("one press per step", press.now[None,:].astype(np.int32), kind="exactly", bound=1, copies=n, stride=press.stride)
        elif n:
            steps.each("one press per step", *gadget.place(press.now[None, :], aux.first))
        steps.right_parity()
        if normal and card == "ladder":
            blocks = []
            for near, which in by_degree(problem):
                for inner in (which > 0, which == 0):
                    v = which[inner]
                    cols = [-press.next[v][:, None], press.now[near[inner]]]
                    if v.size and v[0] > 0:
                        cols.append(aux.now[v - 1][:, None])
                    if v.size:
                        blocks.append(np.concatenate(cols, axis=1).astype(np.int32))
            steps.between("normal form: consecutive presses ascend unless neighbours", *blocks)
        return formula

    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Ints:
        steps, vertices = np.nonzero(formula.families[0].true(true))
        return vertices
