"""What a search for the fewest presses has found: legal press counts, refusals, the evidence.

The `Incumbent` of one call outlive its time: the best legal press counts, and evidence for a bound:

    coset-minimum    the bound is the least weight, and nothing has to be said
    coset            at most two above it: each lighter press set is refused, and costs two more
    odd-components   what the odd components of every press set cost (theory §7.3, §7.4), and a
                     refusal for each press set of which they say too little
    decomposition    the same, and for some press sets a proof by cuts that they need more

The simplest that proves the bound is given.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from ponder.check.evidence.coset import LighterRefuted
from ponder.check.evidence.coset_minimum import CosetMinimum, UniquePressSet
from ponder.check.evidence.odd_components import OddComponents
from ponder.check.kinds import Bound, Parts, Refutation
from ponder.find.cosets.coset import ByWeight
from ponder.find.fewest.clusters import Cluster, Clusters, proves
from ponder.find.fewest.odd_components import Savings
from ponder.find.fewest.repair import repair, repaired_around
from ponder.find.fewest.sat_oracle import Decider, PairProof, decomposition
from ponder.model.board import Board
from ponder.model.ordering_problem import Unknown
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits, Ints

_IN_VAIN = 1000  # places in a row where no double presses are saved: 8 ms each of 100×100 bulbs
_SAYING = 0.3  # seconds for the simplest evidence, which may be long

Refusals = list[tuple[Cluster, "Refutation | Unknown"]]


@dataclass(eq=False)
class Incumbent:
    """The best legal press counts, and what has been refused.

    `incumbent`  legal press counts, the fewest that the search by clusters has found so far
    `at_hand`    a legal sequence that came from elsewhere, the shortest so far
    `by`         which stage found the shorter of the two
    `proofs`     press sets that need more than was known of them before, that, and the last proof
    `refusals`   the clusters with a proof that they have no order
    `refuted`    press sets whose odd components say less than a refusal, with it, and how little
    `undecided`  what is proved of press sets with clusters that could not be decided
    `rounds`     how often an oracle was asked
    `split`      the odd components of the press set that was examined last
    """

    board: Board
    clusters: Clusters
    limits: Limits
    rng: random.Random
    incumbent: list[int] | None = None
    at_hand: Ints | None = None
    by: str = ""
    proofs: dict[int, tuple[int, PairProof]] = field(default_factory=dict)
    refusals: set[Cluster] = field(default_factory=set)
    refuted: list[tuple[Bits, Refutation, int]] = field(default_factory=list)
    undecided: int | None = None
    rounds: int = 0
    split: Savings | None = None

    def decide(self) -> Decider:
        """Return what decides whether a number of double presses may do for a press set."""
        return Decider(self.clusters.near, self.clusters.odd, self.clusters.seed)

    @property
    def count(self) -> int | None:
        """The number of presses of the shortest legal sequence known."""
        known = [] if self.incumbent is None else [sum(self.incumbent)]
        known += [] if self.at_hand is None else [self.at_hand.size]
        return min(known, default=None)

    def offer(self, presses: Ints, by: str) -> None:
        """Keep a legal sequence if it is shorter than what is known."""
        if self.count is None or presses.size < self.count:
            self.at_hand, self.by = presses, by

    def sequence(self) -> Ints | None:
        """Return the shortest legal sequence known: bulbs in play order."""
        counts, at_hand = self.incumbent, self.at_hand
        if counts is None or (at_hand is not None and at_hand.size <= sum(counts)):
            return at_hand
        presses = self.clusters.sequence(counts)
        if presses is None:
            raise RuntimeError("internal error: the best press counts have no order")
        return presses

    def judge(self, counts: list[int]) -> Refusals:
        """Return the refused clusters of press counts; keep the counts when there are none."""
        refused = self.clusters.refused(counts)
        if not refused and (self.count is None or sum(counts) < self.count):
            self.incumbent, self.by = counts, "clusters"
        for cluster, why in refused:
            if proves(why):
                self.refusals.add(cluster)
        return refused

    def repair(self, counts: list[int], spare: int, tries: int) -> None:
        """Build legal press counts from some, if fewer than the best ones will do."""
        for _ in range(tries):
            most = spare
            if self.count is not None:
                most = min(most, (self.count - 1 - sum(counts)) // 2)
            if most < 0 or self.limits.expired:
                return
            mended = repair(self.clusters, counts, most=most, rng=self.rng, limits=self.limits)
            if mended is not None:
                self.incumbent, self.by = mended, "repair"

    def improve(self, press_set: list[int], found: Savings, least: int) -> None:
        """Look for fewer double presses of a press set, place by place. Raises TimeUp.

        Until `least` presses are met, or long in vain; not where the best has another press set.
        """
        helpers, idle = sorted(found.trees or {}, key=sorted), 0
        while idle < _IN_VAIN and not self.limits.expired:
            counts = self.incumbent
            if counts is None or sum(counts) <= least or [m & 1 for m in counts] != press_set:
                return
            better = repaired_around(
                self.clusters, counts, helpers, rng=self.rng, limits=self.limits
            )
            idle += 1
            if better is not None:
                self.incumbent, self.by, idle = better, "repair", 0

    def leave_open(self, bound: int) -> None:
        """Keep that a press set could not be decided, of which `bound` is proved."""
        self.undecided = bound if self.undecided is None else min(self.undecided, bound)

    # ---------------------------------------------------------------------------------- evidence

    def evidence(self, source: ByWeight, bound: int) -> Bound:
        """Return the simplest evidence that proves the bound."""
        if bound <= source.least:
            return CosetMinimum() if source.sets.nullity else UniquePressSet()
        if bound <= source.least + 2:
            parts = self._parts(source, bound)
            if parts is not None:
                return LighterRefuted(parts)
        refuted = tuple((s, why) for s, why, proved in self.refuted if proved < bound)
        proofs = tuple(proof for simple, proof in self.proofs.values() if simple < bound)
        if proofs:
            return decomposition(refuted, proofs)
        if not source.sets.nullity and self.split is not None:
            components = (self.split.components[k] for k in self.split.odd)
            return OddComponents(refuted, tuple(np.array(x.bulbs) for x in components))
        return OddComponents(refuted)

    def _parts(self, source: ByWeight, bound: int) -> Parts | None:
        """Return a refutation of every press set lighter than `bound`; None where it is long."""
        clock = self.clusters.limits = Limits(_SAYING)
        parts: list[tuple[Bits, Refutation]] = []
        try:
            for chosen in source.lighter(bound):
                clock.check()
                clusters = self.clusters.of(chosen.astype(int).tolist())
                answers = (self.clusters.answer(cluster) for cluster in clusters)
                why = next((answer for answer in answers if proves(answer)), None)
                if why is None:
                    return None
                parts.append((chosen, why))
        except (TimeUp, KeyboardInterrupt):  # what is known is still said
            return None
        return tuple(parts)
