"""`decomposition`: cuts, each checked, and proofs that a number of pairs is too small.

A *cut* (theory §7.6) is a block B of bulbs, pressed m times, with a parity π(c) for some c ∈ B
pressed once: no order of these presses alone has the parities t + π, by one of the rules of
`local_refutations`. The *formula* of a press set s and K pairs, with its cuts (`t_join_formula`),
is made anew from the board. By an LRAT *proof* it has no model: every legal sequence with the odd
presses s has more than K pairs (§7.13). `odd_components.least_presses` makes a bound of that.

Letters as in theory §7. Cost: 0.1 ms a cut, and what `exhausted` takes; the formula some 10 ms for
a hundred bulbs; the proof as `lrat` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ponder.check.fields import fail, later_parities, unpacked
from ponder.check.kinds import Bound, Parts
from ponder.check.limits import Budget
from ponder.check.linear import PressSets
from ponder.check.local_refutations import LocalRefutation, block_of
from ponder.check.lrat import check_lrat
from ponder.check.neighbourhoods import reaches_goal, spend_sums
from ponder.check.odd_components import least_presses
from ponder.check.t_join_formula import TICK, BlockCut, TJoinFormula
from ponder.check.written import Count, Counts, PressCounts, Text, Written
from ponder.model.board import Board
from ponder.system.errors import CheckFailed, quoted
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints

MOST_TIMES = 1000  # cuts that press a bulb more often than this are refused
MOST_LITERALS = 30_000_000  # literals of one formula, by estimate
_NS_TICK = 600 * TICK  # nanoseconds between two ticks of a formula that is made
_NS_CUT = 50_000  # … for a cut, beside what its rule takes


class TooFewPairs(Written):
    """Of one press set: a number of pairs is too small, by cuts and a proof about a formula.

    `cap`   pairs of one bulb that the formula tells apart
    `cuts`  by their numbers, in the order of the formula's clauses
    `lrat`  the proof, packed
    """

    press_set: PressCounts
    pairs: Count
    cap: Count
    cuts: Counts
    lrat: Text


@dataclass(frozen=True, eq=False)
class Stated:
    """That `pairs` pairs are not enough for a press set: its formula has no model, by a proof."""

    press_set: Ints
    pairs: int
    formula: TJoinFormula
    lrat: bytes


class Decomposition(Bound):
    """The costs of the odd components of every press set, and proofs that some pairs are too few.

    `parts` refute press sets, `cuts` are about blocks without an order, `proofs` about some pairs.
    """

    kind = "decomposition"
    theory = "§7.3 to §7.7, §7.13, own proof"
    commands = ("solve",)
    exact = False
    parts: Parts
    cuts: tuple[BlockCut, ...]
    proofs: tuple[TooFewPairs, ...]

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return what the odd components and the proofs show, at most `enough`."""

        def needed(near: list[list[int]], _: PressSets) -> dict[bytes, int]:
            pairs: dict[bytes, int] = {}
            for one in self.stated(board, near, budget):
                try:
                    check_lrat(one.formula.clauses, one.lrat, budget=budget)
                except CheckFailed as failure:
                    fail(f"bound: that {one.pairs} pairs are not enough: {failure}")
                chosen = (one.press_set % 2 == 1).tobytes()
                pairs[chosen] = max(pairs.get(chosen, 0), one.pairs + 1)
            return pairs

        return least_presses(board, command, enough, self.parts, budget, needed)

    def stated(self, board: Board, near: list[list[int]], budget: Budget) -> Iterator[Stated]:
        """Yield what each of the proofs says; the cuts are checked, the proofs are not."""
        for cut in self.cuts:
            check_cut(board, cut, budget)
        for proof in self.proofs:
            spend_sums(board.graph, budget, "the press sets of the proofs", 2)
            counts = proof.press_set
            if counts.max(initial=0) > 1 or not reaches_goal(board, counts):
                fail("bound: a proof is about press_counts that are not a press set")
            formula = self._formula(board, near, proof, budget)
            yield Stated(counts, formula.pairs, formula, unpacked(proof.lrat, budget))

    def _formula(
        self, board: Board, near: list[list[int]], proof: TooFewPairs, budget: Budget
    ) -> TJoinFormula:
        """Make the formula that a proof is about. Raises CheckFailed or TooLarge."""
        pairs, cap, known = proof.pairs, proof.cap, len(self.cuts)
        if not 1 <= cap <= MOST_TIMES:
            fail(f"bound: a cap of {quoted(cap)} pairs")
        if max(proof.cuts, default=-1) >= known:
            fail(f"bound: a proof uses a cut that is not among the {known} cuts")
        literals = 60 * (len(near) * cap + sum(map(len, near))) + 3 * len(near) * cap * (pairs + 2)
        budget.demand(literals, MOST_LITERALS, "literals in the formula, by estimate,")
        odd = [] if board.odd_later is None else [int(t) for t in board.odd_later]

        def tick() -> None:
            budget.spend(_NS_TICK, "making the formulas")

        try:
            formula = TJoinFormula(near, odd, proof.press_set.tolist(), pairs, cap, tick)
            for place in proof.cuts:
                formula.add_cut(self.cuts[place])
        except CheckFailed as failure:
            fail(f"bound: that {pairs} pairs are not enough: {failure}")
        return formula

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what has no order, and that it was checked."""
        groups = pluralise(len(self.cuts), "group")
        return f"with fewer presses some bulbs always lack an order ({groups}, a checked proof)"

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return how many cuts and proofs there are."""
        cuts, proofs = pluralise(len(self.cuts), "block"), pluralise(len(self.proofs), "proof")
        one, were = (
            inflect(len(self.cuts), "", "one of "),
            inflect(len(self.proofs), "was", "were"),
        )
        return (
            f"fewer presses leave {one}{cuts} without an order; {proofs} of this by a SAT solver "
            f"{were} checked"
        )


def check_cut(board: Board, cut: BlockCut, budget: Budget) -> None:
    """Check that a cut's block has no order. Raises CheckFailed if it may have one."""
    budget.spend(_NS_CUT, "the cuts")
    spend_sums(board.graph, budget, "the cuts")
    members, times = (np.array(some, dtype=np.int64) for some in (cut.bulbs, cut.counts))
    if times.size != members.size or times.min() < 1 or times.max() > MOST_TIMES:
        fail("bound: a cut has no press count, or a wrong one, for one of its bulbs")
    if not {*members[times == 1].tolist()}.issuperset(cut.forced):
        fail("bound: a cut forces a bulb that it does not press once")
    counts = np.zeros(board.graph.size, dtype=np.int64)
    counts[members] = times
    odd = later_parities(board, cut.kind).copy()
    odd[list(cut.forced)] ^= True
    LocalRefutation.kinds()[cut.kind].check_block(block_of(board, counts, odd), budget)
