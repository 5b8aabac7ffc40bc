"""One press set under examination: its lower bound is raised stage by stage, as far as needed.

    SPLIT      split into clusters; the bound is |s| and a double press for each of some odd
               components that lie apart, then for all less what may be saved (`odd_components`)
    ORDERED    all clusters are ordered, or refused: where no component is odd, a refusal costs two
               double presses, for their number is even
    REPAIRED   a legal choice is built, one double press for each refused cluster (`repair`)
    (oracle)   the fewest that the cuts learnt so far allow (`sat_oracle`), round by round; where
               one takes long, fewer double presses are looked for, place by place

A `step` takes a press set one stage further, or asks its oracle once. The `Incumbent` of the call
keep all legal and all refused counts on the way.

Letters: s, e as in `odd_components`; |s| the weight. Cost: see `fewest_presses`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ponder.check.kinds import Refutation
from ponder.find.fewest.clusters import Cluster, Clusters, proves
from ponder.find.fewest.incumbent import Incumbent, Refusals
from ponder.find.fewest.odd_components import Savings, savings
from ponder.find.fewest.sat_oracle import SatOracle
from ponder.system.limits import Limits
from ponder.system.types import Bits

SPLIT, ORDERED, REPAIRED = range(3)  # how far a press set has been taken
TRIES = 4  # tries for each press set
_SINGLES = 1.0  # seconds for single double presses, and at most half of what is left
_SLICE = 2.0  # seconds of the oracle's first round; each further round may take twice as long
_MODELLED = 100_000  # bulbs and pairs of neighbours that an oracle may have
SPARE = 6  # double presses allowed beyond one for each refused cluster while nothing legal is known


@dataclass(order=True)
class SearchNode:
    """A press set under examination, ordered by the number of presses that it needs at least."""

    bound: int
    stage: int
    index: int
    press_set: list[int] = field(compare=False, repr=False)
    found: Savings = field(compare=False, repr=False)
    refused: int = field(compare=False, default=0)
    oracle: SatOracle | None = field(compare=False, default=None)
    learnt: Refusals = field(compare=False, default_factory=list)
    slices: int = field(compare=False, default=0)
    simple: int = field(compare=False, default=0)
    left_open: bool = field(compare=False, default=False)

    @classmethod
    def of(cls, clusters: Clusters, index: int, press_set: Bits) -> SearchNode:
        """Split a press set into clusters and bound what the odd ones cost. Raises TimeUp."""
        chosen = press_set.astype(int).tolist()
        found = savings(clusters, clusters.of(chosen))
        return cls(sum(chosen) + 2 * found.quick, SPLIT, index, chosen, found)

    @property
    def weight(self) -> int:
        """The number of presses, each bulb once."""
        return sum(self.press_set)

    def step(self, findings: Incumbent) -> bool:
        """Go one step further; return whether something is left to do. Raises TimeUp."""
        if self.stage == SPLIT:
            bound = self.weight + 2 * self.found.least
            if findings.incumbent is not None and bound > self.bound:
                self.bound = bound
                return True
            return self._order(findings)
        if self.stage == ORDERED:
            findings.repair(self.press_set, self.refused + SPARE, TRIES)
            self.stage = REPAIRED
            return True
        return self._ask_oracle(findings)

    def _order(self, findings: Incumbent) -> bool:
        self.bound = self.weight + 2 * self.found.least
        refused = findings.judge(self.press_set)
        if not refused:
            return False
        self.stage, self.refused = ORDERED, len(refused)
        proved = _proved(refused)
        if proved and not self.found.least:  # an even number, and not none
            chosen = np.array(self.press_set, dtype=np.bool_)
            findings.refuted.append((chosen, proved[0][1], self.bound))
            self.bound += 4
        self.learnt += proved or refused
        if not proved:
            findings.leave_open(self.weight)
        if findings.incumbent is None:
            findings.repair(self.press_set, len(refused) + SPARE, 1)
        return True

    def _ask_oracle(self, findings: Incumbent) -> bool:
        """Ask the oracle once, and learn from what is wrong with its answer."""
        findings.rounds += 1
        oracle = self.oracle or self._make_oracle(findings)
        if oracle is None:
            findings.leave_open(self.bound)
            return False
        self.oracle = oracle
        share = findings.limits.sooner(_SLICE * 2.0 ** min(self.slices, 12))
        counts = oracle.propose(share)
        bound = self.weight + 2 * oracle.bound
        if counts is None and bound <= self.bound:
            if not share.expired:  # undecided; asking again would not help
                findings.leave_open(self.bound)
                return False
            self.slices += 1
            findings.improve(self.press_set, self.found, self.bound)
        if bound > self.bound:
            if oracle.proof is not None and not self.left_open:
                findings.proofs[self.index] = (self.simple, oracle.proof)
            self.bound = bound
        if counts is not None:
            refused = findings.judge(counts)
            proved = _proved(refused)
            if refused and not proved and not self.left_open:
                self.left_open = True
                findings.leave_open(self.bound)
            for cluster, why in proved or refused:
                oracle.refuse(cluster, why)
            if refused:
                findings.repair(counts, len(refused), 1)
        return True

    def _make_oracle(self, findings: Incumbent) -> SatOracle | None:
        """Return an oracle that knows what has been learnt; None where it would be too large."""
        clusters, doubles = findings.clusters, (self.bound - self.weight) // 2
        if len(clusters.near) + sum(map(len, clusters.near)) > _MODELLED:
            return None
        self.simple = self.bound
        oracle = SatOracle(clusters, self.press_set, doubles, findings.decide())
        for cluster, why in [*self.learnt, *self._single_doubles(clusters, findings.limits)]:
            oracle.refuse(cluster, why)
        return oracle

    def _single_doubles(self, clusters: Clusters, limits: Limits) -> Refusals:
        """Return single double presses that mend no odd component: an oracle would try them."""
        found, counts = self.found, list(self.press_set)
        wrong: dict[Cluster, Refutation] = {}
        clock = limits.sooner(limits.within(2 * _SINGLES) / 2)
        for bulbs in sorted((found.components[k].bulbs for k in found.odd), key=len):
            for v in [*bulbs, *sorted(clusters.beside(bulbs))]:
                if clock.expired:
                    break
                counts[v] += 2
                cluster = clusters.at(counts, v)
                counts[v] -= 2
                why = clusters.answer(cluster)
                if proves(why):
                    wrong[cluster] = why
        return list(wrong.items())


def _proved(refused: Refusals) -> list[tuple[Cluster, Refutation]]:
    return [(cluster, why) for cluster, why in refused if proves(why)]
