"""The evidence `decomposition`: cuts, each checked, and proofs that a number of pairs is too small.

A *cut* (theory §7.6) is a block B of bulbs, pressed m times, with a parity π(c) for some c ∈ B
pressed once: no order of these presses alone has the parities t + π, by one of the rules of
`local_refutations`. The *formula* of a press set s and K pairs, with its cuts (`pair_formula`), is
made anew from the board. By an LRAT *proof* it has no model: every legal sequence with the odd
presses s has more than K pairs. `odd_components.least_presses` makes a bound of that.

Letters as in theory §7. Cost: 0.1 ms a cut, and what `exhausted` takes; the formula some 10 ms for
a hundred bulbs; the proof as `lrat` says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ponder.check.claims import LOCAL
from ponder.check.coset import Coset
from ponder.check.evidence.decomposition import BlockCut
from ponder.check.fields import (
    bulbs,
    count,
    enum_value,
    fail,
    integer,
    later_parities,
    objects,
    press_counts,
    quote,
    sequence,
    unpacked,
)
from ponder.check.limits import Budget
from ponder.check.local_refutations import check_block
from ponder.check.lrat import check_lrat
from ponder.check.neighbourhoods import reaches_goal, spend_sums
from ponder.check.pair_formula import TICK, PairFormula
from ponder.model.board import Board
from ponder.system.errors import CheckFailed
from ponder.system.types import Ints, Json, distinct

MOST_TIMES = 1000  # cuts that press a bulb more often than this are refused
MOST_PROOF = 200_000_000  # bytes of one LRAT proof
MOST_LITERALS = 30_000_000  # literals of one formula, by estimate
_NS_TICK = 600 * TICK  # nanoseconds between two ticks of a formula that is made
_NS_CUT = 50_000  # … for a cut, beside what its rule takes


@dataclass(frozen=True, eq=False)
class Stated:
    """That `pairs` pairs are not enough for a press set: its formula has no model, by a proof."""

    press_set: Ints
    pairs: int
    formula: PairFormula
    lrat: bytes


def pairs_needed(
    board: Board, near: list[list[int]], coset: Coset, bound: Json, budget: Budget
) -> dict[int, int]:
    """Return how many pairs some press sets need at least, by their places in the coset."""
    needed: dict[int, int] = {}
    for one in stated(board, near, bound, budget):
        try:
            check_lrat(one.formula.clauses, one.lrat, budget=budget)
        except CheckFailed as failure:
            fail(f"bound: that {one.pairs} pairs are not enough: {failure}")
        index = coset.index(one.press_set)
        needed[index] = max(needed.get(index, 0), one.pairs + 1)
    return needed


def stated(board: Board, near: list[list[int]], bound: Json, budget: Budget) -> Iterator[Stated]:
    """Yield what each of the proofs says; the cuts are checked, the proofs are not."""
    items = objects(bound.get("cuts", []), "bound: cuts", "bound: a cut")
    cuts = [_cut(board, cut, budget) for cut in items]
    for entry in objects(bound.get("proofs", []), "bound: proofs", "bound: a proof"):
        spend_sums(board.graph, budget, "the press sets of the proofs", 2)
        counts = press_counts(board, entry.get("press_counts"))
        if counts.max(initial=0) > 1 or not reaches_goal(board, counts):
            fail("bound: a proof is about press_counts that are not a press set")
        formula = _formula(board, near, counts.tolist(), cuts, entry, budget)
        lrat = unpacked(entry.get("lrat"), MOST_PROOF, budget)
        yield Stated(counts, formula.pairs, formula, lrat)


def _cut(board: Board, cut: Json, budget: Budget) -> BlockCut:
    """Read a cut and check that its block has no order. Raises CheckFailed if it may have one."""
    budget.spend(_NS_CUT, "the cuts")
    spend_sums(board.graph, budget, "the cuts")
    kind = enum_value(cut.get("kind"), LOCAL, "bound: the kind of a cut")
    members = bulbs(board, cut.get("bulbs"), "bound: the bulbs of a cut")
    forced = bulbs(board, cut.get("forced"), "bound: the forced bulbs of a cut")
    listed = sequence(cut.get("counts"), "bound: the counts of a cut")
    times = np.array([count(m, "bound: a press count") for m in listed], dtype=np.int64)
    if not members.size or distinct(members).size < members.size:
        fail("bound: a cut has no bulbs, or names one twice")
    if times.size != members.size or times.min() < 1 or times.max() > MOST_TIMES:
        fail("bound: a cut has no press count, or a wrong one, for one of its bulbs")
    once = set(members[times == 1].tolist())
    if distinct(forced).size < forced.size or not once.issuperset(forced.tolist()):
        fail("bound: a cut forces a bulb that it does not press once, or names one twice")
    counts = np.zeros(board.graph.size, dtype=np.int64)
    counts[members] = times
    odd = later_parities(board, kind).copy()
    odd[forced] ^= True
    check_block(board, kind, counts, odd, budget)
    pressed = tuple(members.tolist()), tuple(times.tolist())
    return BlockCut(kind, *pressed, frozenset(forced.tolist()))


def _formula(
    board: Board,
    near: list[list[int]],
    press_set: list[int],
    cuts: Sequence[BlockCut],
    entry: Json,
    budget: Budget,
) -> PairFormula:
    """Make the formula that a proof is about. Raises CheckFailed or TooLarge."""
    pairs = count(entry.get("pairs"), "bound: pairs")
    cap = count(entry.get("cap"), "bound: cap")
    if not 1 <= cap <= MOST_TIMES:
        fail(f"bound: a cap of {quote(cap)} pairs")
    places = [integer(i, "bound: the number of a cut") for i in sequence(entry.get("cuts"), "cuts")]
    if places and not 0 <= min(places) <= max(places) < len(cuts):
        fail(f"bound: a proof uses a cut that is not among the {len(cuts)} cuts")
    literals = 60 * (len(near) * cap + sum(map(len, near))) + 3 * len(near) * cap * (pairs + 2)
    budget.demand(literals, MOST_LITERALS, "literals in the formula, by estimate,")
    odd = [] if board.odd_later is None else [int(t) for t in board.odd_later]

    def tick() -> None:
        budget.spend(_NS_TICK, "making the formulas")

    try:
        formula = PairFormula(near, odd, press_set, pairs, cap, tick)
        for place in places:
            formula.add_cut(cuts[place])
    except CheckFailed as failure:
        fail(f"bound: that {pairs} pairs are not enough: {failure}")
    return formula
