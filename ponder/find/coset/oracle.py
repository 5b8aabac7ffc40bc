"""The SAT oracle of one press set: the fewest double presses that the cuts allow.

Idea (theory §7.6, §7.7, §7.13; the master problem of a logic-based Benders decomposition). Press
counts are m = s + 2e for a fixed press set s; choose e with the fewest double presses Σe such that
no cluster known to be refused occurs. Each refused cluster of the answer becomes a cut, and the
oracle is asked again: "yes" is an e that no cut forbids, "no" an LRAT proof. The formula is the
checker's own (`ponder.check.t_join_formula`). A cut is about a block B of the refused cluster, and
about the parity π(c) that the pieces of the cluster outside B force on each bulb c ∈ B that they
hang on.

Letters: s, m, e, K, B, π as in theory §7. Cost: that of the SAT solver, milliseconds a question.
Reference. J. N. Hooker, G. Ottosson, "Logic-based Benders decomposition", Math. Prog. 96 (2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ponder.check.block import Block, Rule
from ponder.check.certificate import Part, Refutation
from ponder.check.lrat import check_lrat
from ponder.check.members import Members, TooFewPairs
from ponder.check.odd_components import Pieces
from ponder.check.t_join_formula import BlockCut, TJoinFormula
from ponder.find.coset.clusters import Cluster, Clusters, Refusals
from ponder.find.coset.repair import BestSequence
from ponder.model.ordering_problem import Unknown
from ponder.system.errors import CheckFailed, SolverError
from ponder.system.limits import Limits, TimeUp

SOLVER = "cadical195"
MODELLED = 100_000  # bulbs and pairs of neighbours that an oracle may have
NEVER_MET = 1 << 40  # more presses than any press set needs


@dataclass(frozen=True, eq=False)
class PairProof:
    """Of one press set: a number of pairs is too small, by cuts and a LRAT proof.

    `cap` is more than the pairs of any bulb in a cut: more pairs of a bulb are not told apart.
    """

    press_set: tuple[int, ...]
    pairs: int
    cap: int
    cuts: tuple[BlockCut, ...]
    lrat: str


def decomposition(parts: tuple[Part, ...], proofs: Sequence[PairProof]) -> Members:
    """Return the evidence of some proofs, with each cut once."""
    numbers: dict[BlockCut, int] = {}
    stated = []
    for proof in proofs:
        cuts = tuple(numbers.setdefault(cut, len(numbers)) for cut in proof.cuts)
        presses = np.array(proof.press_set, dtype=np.bool_)
        stated.append(TooFewPairs(presses, proof.pairs, proof.cap, cuts, proof.lrat))
    return Members(parts, tuple(numbers), tuple(stated))


@dataclass
class SatOracle:
    """The press counts s + 2e of one press set.

    `bound`  a proved lower bound on the number of double presses
    `proof`  of that, where the oracle has raised it
    """

    clusters: Clusters
    press_set: list[int]
    bound: int
    proof: PairProof | None = None
    cap: int = 2
    cuts: dict[BlockCut, None] = field(default_factory=dict)

    def propose(self, limits: Limits) -> list[int] | None:
        """Return press counts that the cuts allow, with `bound` double presses, or raise it.

        None as well when the solver gives up or time is up.
        """
        clusters = self.clusters
        try:
            formula = TJoinFormula(
                clusters.near, clusters.odd, self.press_set, self.bound, self.cap, limits
            )
            for cut in self.cuts:
                formula.add_cut(cut)
            answer = self.decide(formula, limits)
        except TimeUp:
            return None
        if isinstance(answer, str):
            press_set, cuts = tuple(self.press_set), tuple(self.cuts)
            self.proof = PairProof(press_set, self.bound, self.cap, cuts, answer)
            self.bound += 2  # a legal number of double presses has the parity of the odd components
        if not isinstance(answer, set):
            return None
        pairs = []  # e, read off the true variables
        for levels, parity in zip(formula.at_least, formula.parity, strict=True):
            count = sum(x in answer for x in levels)
            pairs.append(count + (count == self.cap and (parity in answer) != count % 2))
        return [s + 2 * e for s, e in zip(self.press_set, pairs, strict=True)]

    def decide(self, formula: TJoinFormula, limits: Limits) -> set[int] | str | None:
        """Return the true variables of a model, a LRAT proof that there is none, or None.

        The proof is checked. Raises TimeUp.
        """
        from ponder.find.solvers.clause_arrays import Formula, Sat, Unsat
        from ponder.find.solvers.drat_to_lrat import lrat_of
        from ponder.find.solvers.sat import solve
        from ponder.proofs.lrat_trimming import trimmed

        clauses = formula.clauses
        question = Formula.from_clauses(formula.variables, clauses)
        seed = self.clusters.seed
        outcome = solve(question, solver=SOLVER, timeout=limits, seed=seed, proof=True)
        if isinstance(outcome, Sat):
            return set(outcome.literals[outcome.literals > 0].tolist())
        if not isinstance(outcome, Unsat) or outcome.proof is None:
            return None
        proof = lrat_of(outcome.proof, formula.variables, clauses, limits)
        proof = trimmed(proof, len(clauses), limits)
        try:
            check_lrat(clauses, limits.over(proof.splitlines()))
        except CheckFailed as failure:
            raise SolverError(f"the proof of {SOLVER} is refused: {failure}") from None
        return proof

    def refuse(self, cluster: Cluster, why: Refutation | Unknown) -> None:
        """Cut off a cluster of proposed counts."""
        if self.clusters.parity(cluster):  # the formula knows that from the start
            return
        count = dict(zip(cluster.bulbs, cluster.counts, strict=True))
        inside = why.bulbs.tolist() if isinstance(why, Block) else list(cluster.bulbs)
        block = set(inside)
        forced = frozenset(v for v in inside if count[v] == 1 and self._outside(v, block, count))
        # of what is unknown no proof is kept
        rule: Rule = why.rule if isinstance(why, Block) else "orders"
        times = tuple(count[v] for v in inside)
        self.cap = max(self.cap, *(1 + (count[v] - self.press_set[v]) // 2 for v in inside))
        self.cuts[BlockCut(rule, tuple(inside), times, forced)] = None

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


@dataclass(eq=False)
class Examination:
    """A press set with repeats: its lower bound is raised stage by stage, as far as needed.

    The odd components are priced already. Then all clusters are ordered, or refused: where no
    component is odd, a refusal costs two double presses, for their number is even. After a repair
    the oracle says how few double presses the cuts learnt so far allow, round by round.

    `bound`      no legal sequence with these odd presses has fewer presses
    `learnt`     refused clusters
    `why`        a refutation of one, where odd components say less; `before`, their bound
    `simple`     the bound before the oracle raised it by the last `proof`
    `undecided`  the bound when a cluster, or the oracle, could not be decided
    """

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

    @property
    def weight(self) -> int:
        """The number of presses, each bulb once."""
        return sum(self.press_set)

    def order(self, best: BestSequence) -> bool:
        """Order all clusters; return whether one is refused. Raises TimeUp."""
        refused = best.judge(self.press_set)
        proved = [(cluster, why) for cluster, why in refused if isinstance(why, Block)]
        self.learnt = [*proved] or refused
        if refused and not proved:
            self.undecided = self.weight
        elif proved and not self.pieces.odd:  # an even number of double presses, and not none
            self.why, self.before = proved[0][1], self.bound
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
        counts = oracle.propose(limits)
        bound = self.weight + 2 * oracle.bound
        if bound > self.bound:
            if self.undecided == NEVER_MET:
                self.proof = oracle.proof
            self.bound = bound
        elif counts is None:  # undecided; asking again would not help
            self.undecided = min(self.undecided, self.bound)
            return False
        if counts is not None:
            refused = best.judge(counts)
            proved = [(cluster, why) for cluster, why in refused if isinstance(why, Block)]
            if refused and not proved:
                self.undecided = min(self.undecided, self.bound)
            for cluster, why in proved or refused:
                oracle.refuse(cluster, why)
            if refused:
                best.repair(counts, len(refused), 1)
        return True
