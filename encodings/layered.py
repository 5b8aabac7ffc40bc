"""Layered: a step presses an independent set of H, so that far fewer are enough (theory §6.1).

The number of layers (option `layers`) bounds the longest chain of neighbours, not the number of
presses. **Too few layers refute nothing**: "unsatisfiable" is a refutation only with as many layers
as presses (layers=0).

Letters     n, k, m, ℓ, c as in `ponder.formulas.time_steps`; d(v) neighbours of v; a(d), x(d) the
            auxiliaries and clauses of an XOR of d literals (`ponder.formulas.xor`)
Variables   press(b)@s, done(b)@s and the bits of the parity, for every layer
            parity=lines: k·(2·n + ℓ), and with colours n and their counters besides;
            parity=chain: k·(2·n + Σ a(d(v))).
Clauses     one layer per press 4·n·k − n, neighbours apart m·k, copies c·k, and
                lines   6·n·k − 4·n + ℓ·(2·k − 1); colours 2·n·k and the halves of the lines
                chain   (k − 1)·Σ x(d(v)), and one for every v that needs odd parity
            and normal form n·(k − 1): from layer 1 on a press has a neighbour in the layer before.

Good for    orders: with half as many layers again as the longest line has presses, 280 presses
            and 429 presses take 0.01 s each (CaDiCaL). Also the best of the encodings with steps
            for refutations, at k = n. Line bits and colours made the difference: 30×30 with 24
            layers went from no answer in 30 s to 0.03 s.

Reference   Rintanen, Heljanko, Niemelä, "Planning as satisfiability: parallel plans and algorithms
            for plan search" (Artificial Intelligence 170, 2006): the ∀-step semantics; the normal
            form is their "process semantics".
"""

from __future__ import annotations

import numpy as np

from ponder.formulas.clause_templates import clauses
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import Encoder, Option, Options
from ponder.formulas.time_steps import (
    CARDINALITY,
    COLOURS,
    LAYERS,
    NORMAL,
    XOR,
    XOR_CUT,
    InLayers,
    Steps,
    by_degree,
    layers_of,
    wide,
)
from ponder.limits import NEVER, Limits
from ponder.puzzle.ordering_problem import MOST_EDGES, OrderingProblem
from ponder.types import Bits, Ints


class Layered(InLayers, Encoder):
    """Independent sets of presses per step."""

    name = "layered"
    summary = "independent presses share a layer; any graph; few layers find, all layers refute"
    spec = (
        LAYERS,
        Option("parity", "auto", "how a press's parity is tracked", ("auto", "lines", "chain")),
        COLOURS,
        XOR,
        XOR_CUT,
        CARDINALITY,
        NORMAL,
    )

    def encode(self, problem: OrderingProblem, options: Options, limits: Limits = NEVER) -> Cnf:
        """Return the formula over the layers."""
        problem.prepare(limits, MOST_EDGES)
        layers = layers_of(problem, options)
        title = f"an order of {problem.size} presses in {layers} layers"
        formula = Cnf(title, limits=limits)
        steps = Steps.allot(formula, problem, layers, options, "chain")
        press = steps.press
        steps.once()
        u, v = problem.edges.T
        steps.at_each("neighbours are in different layers", clauses(-press.now[u], -press.now[v]))
        steps.right_parity(options)
        if steps.wants_normal_form(options):
            steps.between(
                "a neighbour in the layer before",
                *(
                    wide(-press.next[which], press.now[near])
                    for near, which in by_degree(problem.adjacency)
                ),
            )
        return formula

    def read(self, problem: OrderingProblem, options: Options, formula: Cnf, true: Bits) -> Ints:
        """Return the presses layer by layer."""
        return np.nonzero(formula.family("press").true(true))[1]
