"""That a board has no press sets but some: Gaussian elimination in cutting planes (theory §6.5).

For a bulb i that is not free some rows of A add up to i and free bulbs f, modulo 2: as inequalities
to x_i + Σ x_f + 2U = c, with a whole U. Let s be a press set. To "at most c" add the literal of i
that is true in s, and of these f those that are false. All coefficients are even now, so the bound
is *rounded*; with "at least c" there remains the clause "i is as in s, or a free bulb is not".
These clauses and "not s" leave "a free bulb is not as in s". For all 2^d of them that is 0 ≥ 1,
resolved bulb by bulb.

Letters: A, d (the nullity), U, c, s as here. Cost: n³/64 steps to eliminate; every sum names up to
n rows twice.
Reference: S. Gocht, J. Nordström, "Certifying parity reasoning efficiently using pseudo-Boolean
proofs", AAAI 2021.
"""

from __future__ import annotations

import numpy as np

from ponder.check.coset import Coset
from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import press_sets
from ponder.check.proofs import PRESS_SETS
from ponder.formulas.press_sets import OtherPressSet
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.proofs.veripb import Sum, VeriPbProof
from ponder.system.errors import NoShortProof
from ponder.system.limits import NEVER, Limits

MOST_BULBS = 2_500
MOST_LISTED = 1_000_000  # numbers in all sums, and bulbs in all press sets


def no_other(board: Board, limits: Limits = NEVER) -> VeriPbProof:
    """Return formula and proof that a board's press sets are all. Raises NoShortProof.

    >>> print(no_other(Board.from_rows(["010", "111", "010"], pattern="plus")).steps[-2])
    pol 4 6 + 8 + 14 + 18 + x9 + 2 d 2 * 3 + 5 + 7 + 13 + 17 +
    """
    graph = board.graph
    if isinstance(graph, Wired):
        raise NoShortProof("no proof of how many press sets a wiring has")
    if graph.size > MOST_BULBS:
        raise NoShortProof(f"no proof of how many press sets more than {MOST_BULBS:,} bulbs have")
    try:
        coset = Coset.of(board, press_sets(board, Budget()))
    except TooLarge as reason:
        raise NoShortProof(str(reason)) from None
    free = coset.pivots
    sums = _eliminated(board, set(free), limits)
    numbers = 2 * sum(row.bit_count() for row in sums.values())
    if numbers + (2 * graph.size << len(free)) > MOST_LISTED:
        size = f"2^{len(free)} press sets and {numbers:,} rows"
        raise NoShortProof(f"no proof that there is no other press set: it would name {size}")
    listed = np.array([coset.member(index) for index in range(coset.size)])
    formula = OtherPressSet(board, listed)
    steps, last = list[Sum](), formula.inequalities
    halves: dict[int, tuple[list[int], list[int]]] = {}  # at least c, at most c
    for i, row in sums.items():
        named = [v for v in range(graph.size) if row >> v & 1]
        halves[i] = [2 * v + 1 for v in named], [2 * v + 2 for v in named]
        if free:
            steps += [_sum(half) for half in halves[i]]
            last += 2
            halves[i] = [last - 1], [last]
    beside = {i: [f for f, one in zip(free, coset.basis, strict=True) if one[i]] for i in sums}
    left: dict[int, int] = {}
    for index, one in enumerate(limits.over(listed)):
        literals = [v + 1 if one[v] else -v - 1 for v in range(graph.size)]
        first = last + 1
        for i, (at_least, at_most) in halves.items():
            total = _sum(at_most)
            total.literals([literals[i], *(-literals[v] for v in beside[i])])
            total.round_half()
            for name in at_least:
                total.add(name)
            steps.append(total)
            last += 1
        closing = _sum([2 * graph.size + index + 1, *range(first, last + 1)])
        closing.saturate()
        steps.append(closing)
        last = left[index] = last + 1
    for k in reversed(range(len(free))):
        for index in range(1 << k):
            pair = _sum([left[index], left[index | 1 << k]])
            pair.saturate()
            steps.append(pair)
            last = left[index] = last + 1
    return VeriPbProof(
        formula.write, formula.inequalities, steps, (f"{PRESS_SETS}: no other exists",)
    )


def _sum(constraints: list[int]) -> Sum:
    total = Sum()
    for constraint in constraints:
        total.add(constraint)
    return total


def _eliminated(board: Board, free: set[int], limits: Limits) -> dict[int, int]:
    """Return, for each bulb that is not free, the rows that add up to it and free ones, as bits."""
    graph = board.graph
    rows = list[tuple[int, int]]()  # of A, and which of its rows were added up
    for v in range(graph.size):
        near = {v, *graph.neighbours(v).tolist()}
        rows.append((sum(1 << u for u in near), 1 << v))
    made: dict[int, int] = {}
    found: list[tuple[int, int, int]] = []
    for i in limits.over(range(graph.size)):
        if i in free:
            continue
        at = next(k for k, (row, _) in enumerate(rows) if row >> i & 1)
        row, of = rows.pop(at)
        rows = [(r ^ row, o ^ of) if r >> i & 1 else (r, o) for r, o in rows]
        found = [(j, r ^ row, o ^ of) if r >> i & 1 else (j, r, o) for j, r, o in found]
        found.append((i, row, of))
    made.update((i, of) for i, _, of in found)
    return made
