"""How large a formula will be, before anything of its size is made.

A result that rests on a SAT solver's proof names an encoder and its options, and the checker makes
the formula anew. Here the number of its literals is bounded from above by the presses, their
degrees, and the lines they share, by the formulas of the encoders' headers, rounded up.

Letters: n presses, d their degrees in the graph H of the presses, k steps or layers. Cost:
O(presses + neighbouring pairs), and O(n³/64) where `precedence` eliminates vertices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from ponder.check.limits import Budget
from ponder.check.neighbourhoods import closed_sums, spend_sums
from ponder.puzzle.components import component_numbers
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.types import Ints, bincount

if TYPE_CHECKING:
    from ponder.formulas.encoder import Options

MOST_PRESSES = 10_000
MOST_LITERALS = 10_000_000  # about 1 GB as the lists of `drat`
_NS_LOOK = 1500  # nanoseconds for a look at a press, or neighbour, that may be eliminated next
_NS_FORMULA = 2_000_000  # … for a formula, however small
_NS_LITERAL = 200  # … for a literal of one
_WIDE = 64  # of more presses all choices are too many


def demand_size(name: str, options: Options, problem: OrderingProblem, budget: Budget) -> None:
    """Take the making of a formula, of single presses, off the budget. Raises TooLarge."""
    budget.demand(problem.size, MOST_PRESSES, "presses")
    spend_sums(problem.graph, budget, "counting the neighbours of presses")
    degrees = degrees_of(problem)
    budget.demand(int(degrees.sum(dtype=np.int64)), MOST_LITERALS, "pairs of neighbouring presses")
    if name == "precedence" and options.word("acyclic") in ("elimination", "closure"):
        tries = int(degrees.max(initial=0)) + 1 if options.word("order") == "fill" else 1
        budget.spend(_NS_LOOK * tries * problem.size**2, "eliminating the presses one by one")
    count = 0
    for count in LITERALS[name](options, problem, degrees):
        budget.demand(count, MOST_LITERALS, "literals in the formula, by estimate,")
    budget.spend(_NS_FORMULA + _NS_LITERAL * count, "making the formulas")


def degrees_of(problem: OrderingProblem) -> Ints:
    """Return d for every press, by counting alone."""
    pressed = problem.graph.set_of(problem.bulbs)
    return closed_sums(problem.graph, pressed)[problem.bulbs] - 1


def _xor(degree: int, options: Options) -> int:
    """Return the literals of an XOR, with a guard, cut in pieces."""
    if options.word("xor") == "native":
        return degree + 2
    cut = options.number("xor_cut")
    pieces = 1 if degree <= cut else 1 - (cut - degree) // (cut - 2)
    width = min(degree, cut)
    return pieces * (width + 1) << max(0, width - 1)


def _some_of(count: int, bound: int, card: str) -> int:
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


def _lines(problem: OrderingProblem) -> list[int]:
    return [int(d) for line in problem.lines or () for d in bincount(line, 0) if d]


def _halves(options: Options, problem: OrderingProblem) -> int:
    return sum(_some_of(d, d // 2, options.word("card")) for d in _lines(problem))


def _xors(options: Options, degrees: Ints) -> int:
    """Return the literals of one XOR over the neighbours of every press."""
    distinct, count = np.unique(degrees, return_counts=True)
    pairs = zip(distinct.tolist(), count.tolist(), strict=True)
    return sum(many * _xor(d, options) for d, many in pairs)


def _in_steps(options: Options, problem: OrderingProblem, degrees: Ints, mode: str) -> int:
    """Return the literals of one step; `mode` is what parity=auto means off row/column boards."""
    n, pairs = problem.size, int(degrees.sum(dtype=np.int64))
    if options.word("parity") != "auto":
        mode = options.word("parity")
    elif problem.lines is not None:
        mode = "lines"
    tracked = {
        "lines": 28 * n + 8 * len(_lines(problem)),
        "light": 8 * n + 8 * pairs,
        "chain": _xors(options, degrees) + 4 * n,
    }
    fixed = 0 if problem.fixed is None else 3 * len(problem.fixed)
    return 12 * n + tracked[mode] + fixed + pairs + 3 * n  # the last two: normal form


def _time_indexed(options: Options, problem: OrderingProblem, degrees: Ints) -> list[int]:
    n, one = problem.size, options.word("one")
    once = 12 * n if one == "ladder" else _some_of(n, 1, one)
    return [n * (_in_steps(options, problem, degrees, "light") + once) + _halves(options, problem)]


def _layered(options: Options, problem: OrderingProblem, degrees: Ints) -> list[int]:
    layers = options.number("layers") or problem.size
    each = _in_steps(options, problem, degrees, "chain") + int(degrees.sum(dtype=np.int64))
    return [layers * each + _halves(options, problem)]


def _half_factor(options: Options, problem: OrderingProblem, degrees: Ints) -> list[int]:
    return [_halves(options, problem)]


def _precedence(options: Options, problem: OrderingProblem, degrees: Ints) -> Iterator[int]:
    """Yield the literals of the parities, then those of the acyclicity as well."""
    if problem.lines is not None and options.word("lines") == "on":
        count = sum(d * _xor(d, options) for d in _lines(problem)) + _halves(options, problem)
    else:
        count = _xors(options, degrees)
    count += 0 if problem.fixed is None else len(problem.fixed)
    yield count
    match options.word("acyclic"):
        case "labels":
            bits = max(1, problem.size.bit_length())
            count += 12 * int(degrees.sum(dtype=np.int64)) * bits
        case "lazy":  # every triangle is seen from three presses
            count += sum(d * (d - 1) for d in degrees.tolist())
        case "closure":
            sizes = bincount(component_numbers(problem), 0).tolist()
            count += 6 * sum(comb(size, 3) for size in sizes)
        case _:
            from ponder.formulas.vertex_elimination import eliminated

            later = eliminated(problem, "elimination", options.word("order"))
            count += 6 * sum(comb(some.size, 2) for some in later)
    yield count


LITERALS: Mapping[str, Callable[[Options, OrderingProblem, Ints], Iterable[int]]] = {
    "time_indexed": _time_indexed,
    "layered": _layered,
    "half_factor": _half_factor,
    "precedence": _precedence,
}
"""Upper bounds on the literals of a formula; the last counts all, the others are cheap."""
