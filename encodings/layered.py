from __future__ import annotations

import numpy as np

from ponder.cardinality import NATIVE, OWN, PYSAT, cardinality
from ponder.cnf import Cnf, Spec, clauses
from ponder.encoders import Encoder, Option, Options
from ponder.graph import Bits, Ints
from ponder.ordering import OrderingProblem
from ponder.steps import Steps, by_degree, lines_of


class Layered(Encoder):
    """Independent sets per step."""

    name = "layered"
    summary = "independent sets per layer"
    spec = (
        Option("layers", 0, "number of layers; 0: as many as presses", least=0),
        Option(
            "parity", "auto", "how a press's parity is tracked", ("auto", "lines", "chain")
        ),
        Option("xor", "chain", "XORs cut into pieces, or whole", ("chain", "native")),
        Option("xor_cut", 5, "the most literals in a piece of an XOR", least=3),
        Option("normal", "on", "only orders in normal form", ("on", "off")),
    )

    def encode(self, problem: OrderingProblem, options: Options) -> Cnf:
        n = problem.size
        layers = options.number("layers") or n
        mode = options.word("parity")
        if mode == "auto":
            mode = "lines" if problem.lines is not None else "chain"
        if mode == "chain" and options.word("xor") == "native":
            mode = "native"
        formula = Cnf(f"an order of {n} presses, one per step")
        steps = Steps.allot(formula, problem, layers, mode, options.number("xor_cut"), [])
        press = steps.press
        steps.once()
        u, v = problem.edges.T
        steps.each("adj", clauses(-press.now[u], -press.now[v]))
        steps.right_parity()
        if options.word("normal") == "on":
            blocks = []
            for near, which in by_degree(problem):
                cols = [-press.next[which][:, None], press.now[near]]
                blocks.append(np.concatenate(cols, axis=1).astype(np.int32))
            steps.between("normal form", *blocks)
        return formula

    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Ints:
        steps, vertices = np.nonzero(formula.families[0].true(true))
        return vertices
