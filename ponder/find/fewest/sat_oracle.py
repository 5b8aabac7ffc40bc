"""The SAT oracle of one press set: the fewest double presses that the cuts allow.

Idea (theory §7.6, §7.7, §7.13; the master problem of a logic-based Benders decomposition). Press
counts are m = s + 2e for a fixed press set s; choose e with the fewest double presses Σe such that
no cluster known to be refused occurs. Each refused cluster of the answer becomes a cut, and the
oracle is asked again (`ponder.find.solvers.pairs`): "yes" is an e that no cut forbids, "no" a
proof. A cut is about a block B of the refused cluster, and about the parity π(c) that the pieces of
the cluster outside B force on each bulb c ∈ B that they hang on. Who cuts off a cluster that could
not be decided must remember that nothing is proved from then on.

Letters: s, S, m, e, K, B, ℓ, π as in theory §7. Cost: that of the decisions, milliseconds each.
Reference. J. N. Hooker, G. Ottosson, "Logic-based Benders decomposition", Math. Prog. 96 (2003).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ponder.check.kinds import Refutation
from ponder.check.local_refutations import LocalRefutation
from ponder.check.t_join_formula import BlockCut
from ponder.find.fewest.clusters import Cluster, Clusters
from ponder.find.solvers.pairs import Decide, PairProof, PairQuestion
from ponder.model.ordering_problem import Unknown
from ponder.system.limits import Limits


@dataclass
class SatOracle:
    """The press counts s + 2e of one press set.

    `bound`  a proved lower bound on the number of double presses
    `proof`  of that, where the oracle has raised it
    `cap`    double presses of one bulb that the formula tells apart
    """

    clusters: Clusters
    press_set: list[int]
    bound: int
    decide: Decide
    proof: PairProof | None = None
    cap: int = 2
    cuts: dict[BlockCut, None] = field(default_factory=dict)

    def propose(self, limits: Limits) -> list[int] | None:
        """Return press counts that the cuts allow, with `bound` double presses, or raise it."""
        question = PairQuestion(tuple(self.press_set), self.bound, self.cap, tuple(self.cuts))
        answer = self.decide(question, limits)
        if isinstance(answer, PairProof):
            self.proof = answer
            self.bound += 2  # a legal number of double presses has the parity of the odd components
        if answer is None or isinstance(answer, PairProof):
            return None
        return [s + 2 * e for s, e in zip(self.press_set, answer, strict=True)]

    def refuse(self, cluster: Cluster, why: Refutation | Unknown) -> None:
        """Cut off a cluster of proposed counts."""
        if self.clusters.parity(cluster):  # it knows that from the start
            return
        cut = self._cut(cluster, why)
        most = max((m - self.press_set[v]) // 2 for v, m in zip(cut.bulbs, cut.counts, strict=True))
        self.cap = max(self.cap, most + 1)
        self.cuts[cut] = None

    def _cut(self, cluster: Cluster, why: Refutation | Unknown) -> BlockCut:
        """Return the cut about the block that is refused."""
        count = dict(zip(cluster.bulbs, cluster.counts, strict=True))
        inside = why.members.tolist() if isinstance(why, LocalRefutation) else list(cluster.bulbs)
        block = set(inside)
        forced = frozenset(v for v in inside if count[v] == 1 and self._outside(v, block, count))
        kind = why.kind if isinstance(why, Refutation) else "unknown"
        return BlockCut(kind, tuple(inside), tuple(count[v] for v in inside), forced)

    def _outside(self, contact: int, inside: set[int], count: dict[int, int]) -> int:
        """Return π: what the presses outside B that hang on one of its bulbs force on it."""
        hanging, seen = [contact], {contact}
        total = 0
        for v in hanging:  # grows while it is walked through
            m = count[v]
            for u in self.clusters.near[v]:
                if u not in count or (u in inside and u != contact):
                    continue
                if u not in seen:
                    seen.add(u)
                    hanging.append(u)
                total += m * count[u] if u < v else 0
            if v != contact:
                total += m * (m - 1) // 2 + m * self.clusters.odd[v]
        return total % 2
