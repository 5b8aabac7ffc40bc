"""One press set with repeats: its lower bound is raised stage by stage, as far as needed.

The odd components are priced already. Then all clusters are ordered, or refused: where no component
is odd, a refusal costs two double presses, for their number is even. After a repair the oracle says
how few double presses the cuts learnt so far allow, round by round (`oracle`).

Letters: s the press set, |s| its weight. Cost: milliseconds a round.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ponder.check.certificate import Refutation
from ponder.check.odd_components import Pieces
from ponder.find.coset.clusters import Refusals, proves
from ponder.find.coset.oracle import PairProof, SatOracle
from ponder.find.coset.repair import BestSequence
from ponder.system.limits import Limits

NEVER_MET = 1 << 40  # more presses than any press set needs
SLICE_SECONDS = 2.0  # for the first question to an oracle; each further one may take twice as long
MODELLED = 100_000  # bulbs and pairs of neighbours that an oracle may have


@dataclass(eq=False)
class Examination:
    """A press set under examination, and what is proved of it.

    `index`      its number among those examined
    `bound`      no legal sequence with these odd presses has fewer presses
    `learnt`     refused clusters
    `why`        a refutation of one, where odd components say less; `before`, their bound
    `simple`     the bound before the oracle raised it by the last `proof`
    `undecided`  the bound when a cluster, or the oracle, could not be decided
    """

    index: int
    press_set: list[int]
    bound: int
    pieces: Pieces
    learnt: Refusals = field(default_factory=list)
    why: Refutation | None = None
    before: int = 0
    simple: int = 0
    proof: PairProof | None = None
    undecided: int = NEVER_MET
    oracle: SatOracle | None = None
    slices: int = 0

    @property
    def weight(self) -> int:
        """The number of presses, each bulb once."""
        return sum(self.press_set)

    def order(self, best: BestSequence) -> bool:
        """Order all clusters; return whether one is refused. Raises TimeUp."""
        refused = best.judge(self.press_set)
        proved: Refusals = [(cluster, why) for cluster, why in refused if proves(why)]
        self.learnt = proved or refused
        if refused and not proved:
            self.undecided = self.weight
        for _, why in proved[:1]:
            if not self.pieces.odd and isinstance(why, Refutation):
                # an even number of double presses, and not none
                self.why, self.before = why, self.bound
                self.bound = max(self.bound, self.weight + 4)
        return bool(refused)

    def ask_oracle(self, best: BestSequence, limits: Limits) -> bool:
        """Ask the oracle once and learn from its answer; return whether to go on. Raises TimeUp."""
        oracle = self.oracle
        if oracle is None:
            near = best.clusters.near
            if len(near) + sum(map(len, near)) > MODELLED:
                self.undecided = min(self.undecided, self.bound)
                return False
            self.simple = self.bound
            doubles = (self.bound - self.weight) // 2
            oracle = self.oracle = SatOracle(best.clusters, self.press_set, doubles)
            for cluster, why in self.learnt:
                oracle.refuse(cluster, why)
            oracle.refuse_single_doubles(self.pieces, limits)
        share = limits.sooner(SLICE_SECONDS * 2.0 ** min(self.slices, 12))
        counts = oracle.propose(share)
        bound = self.weight + 2 * oracle.bound
        if bound > self.bound:
            if self.undecided == NEVER_MET:
                self.proof = oracle.proof
            self.bound = bound
        elif counts is None:
            if not share.expired:  # undecided; asking again would not help
                self.undecided = min(self.undecided, self.bound)
                return False
            self.slices += 1
        if counts is not None:
            refused = best.judge(counts)
            proved = [(cluster, why) for cluster, why in refused if proves(why)]
            if refused and not proved:
                self.undecided = min(self.undecided, self.bound)
            for cluster, why in proved or refused:
                oracle.refuse(cluster, why)
            if refused:
                best.repair(counts, len(refused), 1)
        return True
