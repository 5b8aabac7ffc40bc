"""How many literals parts of a formula have at most, before anything of its size is made.

Upper bounds by the numbers of presses, their degrees, and the lines they share, by the formulas of
the headers of `xor`, `cardinality`, `colours` and `time_steps`, rounded up. An encoder adds up what
it uses (`Encoder.literals_within`). Letters: n presses, d their degrees in the graph H of the
presses. Cost: O(n).
"""

from __future__ import annotations

from math import comb

import numpy as np

from ponder.formulas.encoder import Options
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.types import Ints, bincount

_WIDE = 64  # of more presses all choices are too many


def xor_literals(degree: int, options: Options) -> int:
    """Return the literals of an XOR, with a guard, cut in pieces."""
    if options.word("xor") == "native":
        return degree + 2
    cut = options.number("xor_cut")
    pieces = 1 if degree <= cut else 1 - (cut - degree) // (cut - 2)
    width = min(degree, cut)
    return pieces * (width + 1) << max(0, width - 1)


def xors_literals(degrees: Ints, options: Options) -> int:
    """Return the literals of one XOR over the neighbours of every press."""
    distinct, count = np.unique(degrees, return_counts=True)
    pairs = zip(distinct.tolist(), count.tolist(), strict=True)
    return sum(many * xor_literals(d, options) for d, many in pairs)


def exactly_literals(count: int, bound: int, card: str) -> int:
    """Return the literals of "exactly `bound` of `count`"."""
    if card == "pairwise":
        if count > _WIDE and 1 < bound < count - 1:
            return 1 << _WIDE  # or more
        more, fewer = bound + 1, count - bound + 1
        return count + more * comb(count, more) + fewer * comb(count, fewer)
    if card == "sequential":
        return 12 * bound * (count - bound) + 2 * count
    if card == "native":
        return count
    return 12 * count * (count + 4) * (count.bit_length() + 1)


def line_lengths(problem: OrderingProblem) -> list[int]:
    """Return the number of presses of every line that has one; none off row/column boards."""
    return [int(d) for line in problem.lines or () for d in bincount(line, 0) if d]


def halves_literals(problem: OrderingProblem, options: Options) -> int:
    """Return the literals of "half of every line"."""
    return sum(exactly_literals(d, d // 2, options.word("card")) for d in line_lengths(problem))


def step_literals(problem: OrderingProblem, options: Options, degrees: Ints, mode: str) -> int:
    """Return the literals of one step; `mode` is what parity=auto means off row/column boards."""
    n, pairs = problem.size, int(degrees.sum(dtype=np.int64))
    if options.word("parity") != "auto":
        mode = options.word("parity")
    elif problem.lines is not None:
        mode = "lines"
    tracked = {
        "lines": 28 * n + 8 * len(line_lengths(problem)),
        "light": 8 * n + 8 * pairs,
        "chain": xors_literals(degrees, options) + 4 * n,
    }
    fixed = 0 if problem.fixed is None else 3 * len(problem.fixed)
    return 12 * n + tracked[mode] + fixed + pairs + 3 * n  # the last two: normal form
