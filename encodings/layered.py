"""Layered: a step presses an independent set of H, so that far fewer are enough (theory §6.1).

The option `layers` bounds the longest chain of neighbours. **Too few layers refute nothing**:
"unsatisfiable" is a refutation only with as many layers as presses (layers=0).

Letters     n, k, m as in `ponder.formulas.time_steps`
Variables   press(b)@s, done(b)@s and the bits of the parity, for every layer; colours
Clauses     those of `time_steps`; neighbours apart m·k; normal form n·(k − 1): from layer 1 on a
            press has a neighbour in the layer before.

Good for    orders of any size, and of the encodings with steps the best for refutations, at k = n.
Reference   Rintanen, Heljanko, Niemelä, "Planning as satisfiability: parallel plans and algorithms
            for plan search" (AI 170, 2006): ∀-step semantics, normal form of the process semantics.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ponder.formulas.cnf import Cnf, clauses
from ponder.formulas.encoder import Encoder, Option, Options
from ponder.formulas.time_steps import LAYERS, NORMAL, TRACKING, InLayers, Steps, by_degree
from ponder.model.ordering_problem import MOST_EDGES, OrderingProblem
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints


class Layered(InLayers, Encoder):
    """Independent sets of presses per step."""

    name = "layered"
    summary = "independent presses share a layer; any graph; few layers find, all layers refute"
    spec: ClassVar[tuple[Option, ...]] = (
        LAYERS,
        Option("parity", "auto", "how a press's parity is tracked", ("auto", "lines", "chain")),
        *TRACKING,
        NORMAL,
    )

    def encode(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Cnf:
        """Return the formula over the layers."""
        problem.prepare(limits, MOST_EDGES)
        layers = self.layers(problem, options)
        title = f"an order of {pluralise(problem.size, 'press')} in {pluralise(layers, 'layer')}"
        formula = Cnf(title, limits=limits)
        steps = Steps(formula, problem, layers, options, "chain")
        press = steps.press
        steps.once()
        u, v = problem.edges.T
        steps.at_each("neighbours are in different layers", clauses(-press.now[u], -press.now[v]))
        steps.right_parity(options)
        if steps.wants_normal_form(options):
            near = by_degree(problem.adjacency)
            rules = (clauses(-press.next[which], press.now[around]) for around, which in near)
            steps.between("a neighbour in the layer before", *rules)
        return formula

    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Ints:
        """Return the presses layer by layer."""
        return np.nonzero(formula.family("press").true(true))[1]
