"""The master problem of one press set: the fewest pairs of extra presses that the cuts allow.

Idea (theory §7.7; logic-based Benders decomposition). Press counts are m = s + 2e for a fixed press
set s; choose e with the fewest pairs Σe such that no cluster known to be refused occurs. The
clusters of the answer are then ordered (`clusters`); each refused one becomes a cut, and the
master is asked again. Its optimum is a lower bound at every moment, and the optimum itself once no
cluster is refused.

What it knows from the start (proofs: `odd_components`), p(X) the charge of a component X of S:

* every odd component has a pair: Σ_{v ∈ N[X]} e(v) ≥ 1;
* savings: Σ_v e(v) + Σ_H (n_H + 1)·y_H ≥ number of odd components;
* parity: let ℓ(v, u) be the parity of the pairs (press of v, later press of u). The out-degrees of
  v's presses sum to Σ_u ℓ(v, u) + C(m(v), 2), which must be ≡ m(v)·t(v), and
  ℓ(v, u) + ℓ(u, v) ≡ m(v)·m(u). As m ≡ s and C(m, 2) ≡ e, that is for each bulb and each edge

      Σ_{u ∈ N(v)} ℓ(v, u) ≡ e(v) + s(v)·t(v),    ℓ(v, u) + ℓ(u, v) ≡ s(v)·s(u),

  with ℓ = 0 where one of the two is not pressed. Summed over a component the first leaves only
  edges to helpers, and what is inside the component follows; so for each component X and helper w

      Σ_{v ∈ X, w ∉ S} ℓ(v, w) ≡ p(X) + Σ_{v ∈ X} e(v),    Σ_{u ∈ N(w)} ℓ(w, u) ≡ e(w).

  Such ℓ exist iff every cluster has an even charge (theory §7.5: a T-join).

What it learns from a refused cluster K with the pairs e*. The refutation is about a set B ⊆ K,
mostly a small block, and depends on nothing else but the parity that the pieces of K outside B
force on each bulb c ∈ B that they hang on (`LocalRefutation`), p(c) ≡ Σ_{u ∉ B} ℓ(c, u). So e is
refused, whatever is pressed elsewhere, unless

    e(v) ≠ e*(v) for some v ∈ B,  or Σ_{u ∉ B} ℓ(c, u) ≢ p(c) for some c ∈ B that is pressed once,
    or some u ∉ B is pressed beside a bulb of B that is pressed several times (theory §7.6).

Those sums are taken over D ∪ c, for D the part of S outside B that hangs on c, as over a component.

A cluster that could not be decided may be cut off too, so that the search goes on; `certain` then
says that the bound reached before is the last that is proved.

Letters: s, S, m, e, K, X, N(K), N[K], H, y_H, n_H as in `odd_components`.
Reference. J. N. Hooker, G. Ottosson, "Logic-based Benders decomposition", Math. Programming 96
(2003); T-joins: J. Edmonds, E. L. Johnson, "Matching, Euler tours and the Chinese postman", Math.
Programming 5 (1973). Cost: CP-SAT on n integers and a bit for each edge, usually a fraction of a
second; one worker, so that the same seed gives the same answer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ponder.cpsat import solve
from ponder.fewest.clusters import Cluster, Clusters
from ponder.fewest.odd_components import Savings
from ponder.puzzle.ordering_problem import Unknown
from ponder.puzzle.refutation import LocalRefutation, Refutation
from ponder.puzzle.solver_refutations import Randomised

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
        limits = clusters.limits
        self._pairs = [model.new_int_var(0, most, f"e{v}") for v in limits.over(bulbs)]
        self._once = {v: 1 for v, bit in enumerate(press_set) if bit}  # the counts without pairs
        self._ends = sum(map(len, clusters.near))
        self._pressed: dict[int, cp_model.IntVar] = {}
        self._vertex: dict[int, int] = {}  # of a bulb: its component, or itself
        self._joined: dict[tuple[int, int], cp_model.IntVar] = {}  # ℓ, by vertices
        self._split: dict[tuple[int, int], cp_model.IntVar] = {}  # ℓ, by bulb and helper
        self._hint: list[int] | None = None
        self._total = sum(self._pairs)
        model.add(self._total <= most)
        model.minimize(self._total)
        for k in limits.over(found.odd, 1):
            around = self._around(found.components[k].bulbs)
            model.add(sum(self._pairs[v] for v in around) >= 1)
        if found.trees is not None and found.odd:
            self._add_savings(found.trees, len(found.odd))
        self._add_parities(found)

    def _add_savings(self, trees: dict[frozenset[int], int], odd: int) -> None:
        saved = []
        for helpers, kinds in self.clusters.limits.over(trees.items()):
            all_pressed = self._model.new_bool_var("")
            used = [self._is_pressed(w) for w in sorted(helpers)]
            self._model.add_bool_or([all_pressed, *(~literal for literal in used)])
            saved.append((kinds + 1) * all_pressed)
        self._model.add(self._total + sum(saved) >= odd)

    def _add_parities(self, found: Savings) -> None:
        """Demand an even charge of every cluster.

        A helper that touches a component at several bulbs has one ℓ for all of them, until a cut
        asks for more (`_later`).
        """
        near, count = self.clusters.near, len(found.components)
        self._vertex = {v: k for k, x in enumerate(found.components) for v in x.bulbs}
        helpers = [w for w in range(len(near)) if w not in self._vertex]
        self._vertex |= {w: count + w for w in helpers}
        sums: list[Any] = [sum(self._pairs[v] for v in x.bulbs) for x in found.components]
        totals = dict(enumerate(sums)) | {count + w: self._pairs[w] for w in helpers}
        for w in self.clusters.limits.over(helpers, 1):
            for u in near[w]:
                one, two = count + w, self._vertex[u]
                if (one, two) in self._joined or (two >= count and u < w):
                    continue
                later = self._model.new_bool_var("")
                self._joined[one, two] = self._joined[two, one] = later
                for end, bulb in ((one, w), (two, u)):
                    totals[end] += later
                    if end >= count:
                        self._model.add_implication(later, self._is_pressed(bulb))
        odd = set(found.odd)
        for vertex, total in self.clusters.limits.over(totals.items()):
            self._add_parity(total, int(vertex in odd))

    def _later(self, bulb: int, helper: int) -> cp_model.IntVar:
        """Return ℓ of a bulb of S and a helper beside it."""
        known = self._split.get((bulb, helper))
        if known is not None:
            return known
        vertex = self._vertex[bulb]
        whole = self._joined[self._vertex[helper], vertex]
        touched = [v for v in self.clusters.near[helper] if self._vertex[v] == vertex]
        parts = [self._model.new_bool_var("") for _ in touched] if len(touched) > 1 else [whole]
        for v, part in zip(touched, parts, strict=True):
            self._split[v, helper] = part
        if len(touched) > 1:
            self._add_parity(sum(parts) + whole, 0)
            for part in parts:
                self._model.add_implication(part, self._is_pressed(helper))
        return self._split[bulb, helper]

    def _leaving(self, bulbs: Iterable[int], without: Collection[int] = ()) -> Any:
        """Return Σ e + Σ ℓ over bulbs of S and their edges to helpers, but for `without`."""
        s = self._once
        return sum(
            self._pairs[v]
            + sum(
                self._later(v, w) for w in self.clusters.near[v] if w not in s and w not in without
            )
            for v in bulbs
        )

    def _add_parity(self, total: Any, parity: int) -> cp_model.Constraint:
        halves = self._model.new_int_var(0, self.most + self._ends // 2, "")
        return self._model.add(total == 2 * halves + parity)

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
        if self.clusters.charge(cluster):  # it knows that from the start
            return
        if isinstance(why, Unknown | Randomised):
            self.certain = False
        count = dict(zip(cluster.bulbs, cluster.counts, strict=True))
        inside = why.members.tolist() if isinstance(why, LocalRefutation) else cluster.bulbs
        model, near = self._model, self.clusters.near
        other = []
        for v in self.clusters.limits.over(inside, 1):
            pairs = (count[v] - self.press_set[v]) // 2
            if pairs == 0:
                other.append(self._is_pressed(v))
            else:
                differs = model.new_bool_var("")
                model.add(self._pairs[v] != pairs).only_enforce_if(differs)
                other.append(differs)
            outside = sorted(set(near[v]).difference(inside))
            if count[v] > 1:
                other += (self._is_pressed(u) for u in outside)
            elif outside:
                differs = model.new_bool_var("")
                hanging = self._hanging(v, inside, self._once)
                same = self._forced(self._hanging(v, inside, count), count)
                same ^= self._forced(hanging, self._once)
                leaving = self._leaving(hanging, inside)
                self._add_parity(leaving, 1 - same).only_enforce_if(differs)
                other.append(differs)
        model.add_bool_or(other)

    def _hanging(self, contact: int, inside: Collection[int], count: dict[int, int]) -> list[int]:
        """Return a bulb of B and the pressed bulbs outside B that hang on it."""
        found = [contact]
        seen = {contact, *inside}
        for v in found:  # grows while it is walked through
            new = [u for u in self.clusters.near[v] if u in count and u not in seen]
            seen.update(new)
            found += new
        return found

    def _forced(self, hanging: list[int], count: dict[int, int]) -> int:
        """Return the parity of what the first of these bulbs has later among the others."""
        within = set(hanging)
        total = 0
        for v in hanging:
            m = count[v]
            total += m * sum(count[u] for u in self.clusters.near[v] if u in within and u < v)
            total += m * (m - 1) // 2
            total += m * self.clusters.odd[v] if v != hanging[0] else 0
        return total % 2

    def propose(self, seconds: float | None) -> Proposal:
        """Return the best counts that the cuts allow, found within some seconds.

        KeyboardInterrupt when the search was interrupted.
        """
        from ortools.sat.python import cp_model

        model = self._model
        model.add(self._total >= self.bound)  # or it would have to prove that again
        if self._hint is not None:
            model.clear_hints()  # type: ignore[no-untyped-call]
            for variable, value in zip(self._pairs, self._hint, strict=True):
                model.add_hint(variable, value)
        limits = self.clusters.limits
        solver, status = solve(model, self.seed, seconds, stop=lambda: limits.expired)
        if status == cp_model.INFEASIBLE:
            self.bound = max(self.bound, self.most + 1)
            return Proposal(None, done=True)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return Proposal(None, done=False)
        self.bound = max(self.bound, round(solver.best_objective_bound))
        self._hint = [int(solver.value(variable)) for variable in self._pairs]
        counts = [s + 2 * e for s, e in zip(self.press_set, self._hint, strict=True)]
        return Proposal(counts, done=status == cp_model.OPTIMAL)
