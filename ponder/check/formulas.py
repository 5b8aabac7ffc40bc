"""How large a formula will be, before anything of its size is made.

A result that rests on a SAT solver's proof names an encoder and its options, and the checker makes
the formula anew. The encoder says how many literals it has at most. Cost: O(presses + neighbouring
pairs), and what the encoder needs to say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ponder.check.limits import Budget
from ponder.check.neighbourhoods import closed_sums, spend_sums
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.types import Ints

if TYPE_CHECKING:
    from ponder.formulas.encoder import Encoder, Options

MOST_PRESSES = 10_000
MOST_LITERALS = 10_000_000  # about 1 GB as the lists of `drat`
_NS_LOOK = 1500  # nanoseconds for a look at a press, or neighbour, that may be eliminated next
_NS_FORMULA = 2_000_000  # … for a formula, however small
_NS_LITERAL = 200  # … for a literal of one


def demand_size(made: Encoder, options: Options, problem: OrderingProblem, budget: Budget) -> None:
    """Take the making of a formula, of single presses, off the budget. Raises TooLarge."""
    budget.demand(problem.size, MOST_PRESSES, "presses")
    spend_sums(problem.graph, budget, "counting the neighbours of presses")
    degrees = degrees_of(problem)
    budget.demand(int(degrees.sum(dtype=np.int64)), MOST_LITERALS, "pairs of neighbouring presses")
    looks = made.looks(problem, options, degrees)
    budget.spend(_NS_LOOK * looks, "eliminating the presses one by one")
    count = 0
    for count in made.literals_within(problem, options, degrees):
        budget.demand(count, MOST_LITERALS, "literals in the formula, by estimate,")
    budget.spend(_NS_FORMULA + _NS_LITERAL * count, "making the formulas")


def degrees_of(problem: OrderingProblem) -> Ints:
    """Return d for every press, by counting alone."""
    pressed = problem.graph.set_of(problem.bulbs)
    return closed_sums(problem.graph, pressed)[problem.bulbs] - 1
