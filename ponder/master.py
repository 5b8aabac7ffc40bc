"""The master problem of one press set: the fewest pairs of extra presses that the cuts allow.

Idea (theory §7; logic-based Benders decomposition). Press counts are m = s + 2e for a fixed press
set s; choose e with the fewest pairs Σe such that no cluster known to be refused occurs. The
clusters of the answer are then ordered (`clusters`); each refused one becomes a cut, and the
master is asked again. Its optimum is a lower bound at every moment, and the optimum itself once no
cluster is refused.

What it knows from the start (`savings` has the proofs), p(X) the charge of a component X of S:

* parity: Σ_v e(v) ≡ Σ_X p(X), and every odd component has a pair: Σ_{v ∈ N[X]} e(v) ≥ 1;
* savings: Σ_v e(v) + Σ_H (n_H + 1)·y_H ≥ number of odd components.

What it learns from a refused cluster K with the pairs e*:

* of odd charge: unless a bulb of N(K) is pressed, K is a union of clusters, whatever is pressed
  in it: Σ_{v ∈ K} e(v) ≡ Σ_{X ⊆ K} p(X). N(K) holds no bulb of S, so this is a constraint on e.
* otherwise: some bulb of N(K) is pressed, or e(v) ≠ e*(v) for some v ∈ K.

A cluster that could not be decided may be cut off too, so that the search goes on; `certain` then
says that the bound reached before is the last that is proved.

Letters: s, S, m, e, K, X, N(K), N[K], H, y_H, n_H as in `savings`.
Reference. J. N. Hooker, G. Ottosson, "Logic-based Benders decomposition", Math. Programming 96
(2003). Cost: CP-SAT on n integers, usually a fraction of a second; one worker, so that the same
seed gives the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ponder.clusters import Cluster, Clusters
from ponder.cpsat import solve
from ponder.ordering import Unknown
from ponder.refutation import Randomised, Refutation
from ponder.savings import Savings

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


@dataclass(frozen=True)
class Proposal:
    """What one round of the master found.

    `counts`  the press counts m with the fewest pairs that no cut forbids, or None
    `done`    the round was finished: without counts, no number of pairs up to the limit works
    """

    counts: list[int] | None
    done: bool


class Master:
    """The press counts s + 2e of one press set, with at most `most` pairs.

    `bound` is a lower bound on the number of pairs, `most` + 1 when that many do not do. It is
    proved as long as the master is `certain`: as every cut was.
    """

    def __init__(
        self, clusters: Clusters, press_set: Sequence[int], found: Savings, most: int, seed: int
    ) -> None:
        from ortools.sat.python import cp_model

        self.clusters, self.press_set, self.most, self.seed = clusters, press_set, most, seed
        self.bound = found.least
        self.certain = True
        self._model = model = cp_model.CpModel()
        bulbs = range(len(press_set))
        self._pairs = [model.new_int_var(0, most, f"e{v}") for v in bulbs]
        self._pressed: dict[int, cp_model.IntVar] = {}
        self._hint: list[int] | None = None
        halves = model.new_int_var(0, most, "")
        total = sum(self._pairs)
        model.add(total == 2 * halves + len(found.odd) % 2)
        model.add(total <= most)
        model.minimize(total)
        for k in found.odd:
            around = self._around(found.components[k].bulbs)
            model.add(sum(self._pairs[v] for v in around) >= 1)
        if found.trees is not None and found.odd:
            self._add_savings(found.trees, len(found.odd))

    def _add_savings(self, trees: dict[frozenset[int], int], odd: int) -> None:
        saved = []
        for helpers, kinds in trees.items():
            all_pressed = self._model.new_bool_var("")
            used = [self._is_pressed(w) for w in sorted(helpers)]
            self._model.add_bool_or([all_pressed, *(~literal for literal in used)])
            saved.append((kinds + 1) * all_pressed)
        self._model.add(sum(self._pairs) + sum(saved) >= odd)

    def _around(self, bulbs: Iterable[int]) -> list[int]:
        """Return N[K]."""
        inside = set(bulbs)
        return sorted(inside | self.clusters.beside(inside))

    def _is_pressed(self, bulb: int) -> cp_model.IntVar:
        """Return the literal e(bulb) ≥ 1."""
        literal = self._pressed.get(bulb)
        if literal is None:
            literal = self._pressed[bulb] = self._model.new_bool_var("")
            self._model.add(self._pairs[bulb] >= 1).only_enforce_if(literal)
            self._model.add(self._pairs[bulb] == 0).only_enforce_if(~literal)
        return literal

    def refuse(self, cluster: Cluster, why: Refutation | Unknown) -> None:
        """Cut off a cluster of proposed counts."""
        if isinstance(why, Unknown | Randomised):
            self.certain = False
        beside = [self._is_pressed(w) for w in sorted(self.clusters.beside(cluster.bulbs))]
        extra = {
            v: (m - self.press_set[v]) // 2
            for v, m in zip(cluster.bulbs, cluster.counts, strict=True)
        }
        model = self._model
        if self.clusters.charge(cluster):
            wanted = 1 - sum(extra.values()) % 2
            here = [self._pairs[v] for v in cluster.bulbs]
            if wanted:
                model.add_bool_or([*beside, *(self._is_pressed(v) for v in cluster.bulbs)])
            alone = model.new_bool_var("")
            model.add_bool_or([*beside, alone])
            halves = model.new_int_var(0, self.most, "")
            model.add(sum(here) == 2 * halves + wanted).only_enforce_if(alone)
            return
        other = list(beside)
        for v, e in extra.items():
            if e == 0:
                other.append(self._is_pressed(v))
                continue
            differs = model.new_bool_var("")
            model.add(self._pairs[v] != e).only_enforce_if(differs)
            other.append(differs)
        model.add_bool_or(other)

    def propose(self, seconds: float | None) -> Proposal:
        """Return the best counts that the cuts allow, found within some seconds.

        KeyboardInterrupt when the search was interrupted.
        """
        from ortools.sat.python import cp_model

        model = self._model
        if self._hint is not None:
            model.clear_hints()  # type: ignore[no-untyped-call]
            for variable, value in zip(self._pairs, self._hint, strict=True):
                model.add_hint(variable, value)
        solver, status = solve(model, self.seed, seconds)
        if status == cp_model.INFEASIBLE:
            self.bound = max(self.bound, self.most + 1)
            return Proposal(None, done=True)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Proposal(None, done=False)
        self.bound = max(self.bound, round(solver.best_objective_bound))
        self._hint = [int(solver.value(variable)) for variable in self._pairs]
        counts = [s + 2 * e for s, e in zip(self.press_set, self._hint, strict=True)]
        return Proposal(counts, done=status == cp_model.OPTIMAL)
