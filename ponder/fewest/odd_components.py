"""How few pairs of extra presses a press set needs: odd components, and where pairs are saved.

Idea. Fix a press set S and play it with press counts m = s + 2e. Two more presses of a bulb v
change the number of edges of the blow-up by 2m(v) + 1 + 2·(presses beside v), an odd number, and
no parity of |T|. So a cluster K of m, which consists of components X of S, *helpers* (bulbs
outside S with e > 0) and has e(K) = Σ_{v ∈ K} e(v) pairs, has

    parity(K) ≡ (number of odd components in K) + e(K)  (mod 2),

and this must be 0. Hence a cluster with o odd components costs at least one pair for each of them
unless it *saves*: o − e(K) ≥ 2, even by parity. Savings are rare, and this module finds all places
where they can be made. Without any, the odd components alone prove that S needs |S| + 2·(their
number) presses, and a repair that spends one pair on each is optimal (theory §7.3).

Theorem. Give every odd component the value +1, every even one 0, and every helper −1, joined as
they touch each other. A cluster that saves V = o − e(K) ≥ 2 contains at least V − 1 sets of the
following kind, with different sets of odd components. A *saving tree* is a tree whose leaves are
odd components, whose inner vertices are helpers with exactly three tree neighbours and even
components with exactly two: h helpers and h + 2 odd components, none of them twice.

Proof. K has at most e(K) helpers, so its vertices are a connected set of value ≥ V. *A minimal
connected set of value ≥ 2 is a saving tree:* take any spanning tree; were a side of one of its
edges worth ≤ 0, the other side alone would do, and were it worth ≥ 2, it alone would do; so both
sides of every edge are worth exactly 1, the value is 2, and a vertex of degree d in the tree is
worth 2 − d: helpers have degree 3, even components 2, odd components 1. *There are V − 1 of them:*
by induction on the size. Make the set minimal for its value V ≥ 3; then every side of an edge of a
spanning tree is worth ≥ 1 and leaves are odd components. If some helper has degree 2 in the tree,
its two sides are worth a + b = V + 1 and, both being ≥ 2 (each is V − (the other with the helper),
which is worth ≥ 1), hold a − 1 and b − 1 saving trees of different components: V − 1 together. If
every helper has degree ≥ 3, then every side contains, from its end of the edge on, a *clean
branch* of value 1: an odd component itself, an even component with a clean branch behind it, or a
helper with two of them. A leaf x hangs on a helper with two other sides; x, the helper and two
clean branches are a saving tree with x. Without x the set is connected and worth V − 1, and holds
V − 2 more (theory §7.4). ∎

So, with y_H = 1 where all helpers H of some saving tree are pressed, and n_H the number of saving
trees with the helpers H, every legal m obeys

    Σ_v e(v) + Σ_H (n_H + 1)·y_H ≥ number of odd components,      Σ_v e(v) ≡ that number (mod 2),

for V ≤ 1 + Σ n_H ≤ Σ (n_H + 1) in every cluster that saves. What can be saved at most is found more
sharply group by group (`saved_pairs`).

Letters: S, X, m, e, K, o, V as above; `link` joins two helpers that are neighbours or touch the
same even component. Cost: trees are grown from branches (a helper with two leaves, and so on),
of which random boards have few: 20 × 20 plus boards about ten. Where there are too many (50 × 50)
the search is given up after about 0.3 s, and the bound must do without.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import comb
from typing import TypeAlias

from ponder.fewest.clusters import Cluster, Clusters
from ponder.fewest.saved_pairs import most_saved
from ponder.limits import Limits

MOST_WORK = 300_000
"""Pairs of branches looked at before the search for saving trees is given up."""

MOST_BYTES = 300_000_000
"""What the branches may take: one has a bit for every bulb up to its last helper, and one for every
component up to its last, so that on millions of bulbs there is room for few."""

_Bulbs: TypeAlias = frozenset[int]
_Link: TypeAlias = tuple[int, int]  # to a helper, through an even component or directly (−1)
_Branch: TypeAlias = tuple[int, int, int]  # bits: helpers, odd components, even components
_Branches: TypeAlias = dict[int, set[_Branch]]  # by the helper at the open end


@dataclass(frozen=True, eq=False)
class Savings:
    """The odd components of a press set, and the helpers that can save pairs between them.

    `odd`  the components X of S with parity 1, as places in `components`
    """

    clusters: Clusters
    components: Sequence[Cluster]
    odd: tuple[int, ...]

    @cached_property
    def quick(self) -> int:
        """A lower bound on Σ e that takes no time: odd components with disjoint N[X].

        None of these shares its pair. They are taken greedily, the smallest first.
        """
        around = []
        for k in self.clusters.limits.over(self.odd):
            bulbs = self.components[k].bulbs
            around.append({*bulbs, *self.clusters.beside(bulbs)})
        taken: set[int] = set()
        count = 0
        for near in sorted(around, key=len):
            if taken.isdisjoint(near):
                taken |= near
                count += 1
        return self._rounded(count)

    @cached_property
    def least(self) -> int:
        """The best lower bound on Σ e that needs no search in S."""
        least = self.quick
        if self._grown is not None:
            trees, helpers = self._grown
            joined = {w: helpers.joins(w) for q in trees for w in q}
            saved = most_saved(trees, helpers.leaves, joined)
            least = max(least, self._rounded(len(self.odd) - saved))
        return least

    def _rounded(self, pairs: int) -> int:
        """Return the next number of pairs of the right parity."""
        return pairs + (len(self.odd) - pairs) % 2

    @property
    def trees(self) -> dict[frozenset[int], int] | None:
        """For each set of helpers how many saving trees it makes; None when they are too many."""
        return None if self._grown is None else self._grown[0]

    @cached_property
    def _grown(self) -> tuple[dict[_Bulbs, int], _Helpers] | None:
        """The saving trees, and the helpers that they are made of."""
        odd = set(self.odd)
        helpers = _Helpers({}, {}, {}, defaultdict(list))
        if len(odd) < 3:
            return {}, helpers
        owner = {v: k for k, cluster in enumerate(self.components) for v in cluster.bulbs}
        limits = self.clusters.limits
        octets = 1 + (self.clusters.board.graph.size + 2 * len(self.components)) // 8
        most = pairs = min(MOST_WORK, MOST_BYTES // octets)
        for w, near in limits.over(enumerate(self.clusters.near)):
            if w in owner:
                continue
            touched = {owner[u] for u in near if u in owner}
            helpers.leaves[w] = touched & odd
            pairs -= comb(len(helpers.leaves[w]), 2)
            if pairs < 0:
                return None
            helpers.near[w] = [u for u in near if u not in owner]
            helpers.even[w] = sorted(touched - odd)
            for k in helpers.even[w]:
                helpers.touching[k].append(w)
        trees = _trees(helpers, most, limits)
        return None if trees is None else (trees, helpers)


def savings(clusters: Clusters, components: Sequence[Cluster]) -> Savings:
    """Find the odd ones among the components of a press set.

    >>> from ponder.puzzle.board import Board
    >>> board = Board.from_rows(["00000", "00000", "00000"], "plus")
    >>> clusters = Clusters(board)
    >>> pressed = [1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0]  # three pairs around a cell
    >>> found = savings(clusters, clusters.of(pressed))
    >>> len(found.odd), found.quick, found.trees, found.least
    (3, 1, {}, 3)
    """
    numbered = clusters.limits.over(enumerate(components))
    odd = tuple(k for k, cluster in numbered if clusters.parity(cluster))
    return Savings(clusters, components, odd)


@dataclass(frozen=True)
class _Helpers:
    """What each bulb outside S touches: odd components, others like it, even components.

    `touching` names the bulbs that touch an even component.
    """

    leaves: dict[int, set[int]]
    near: dict[int, list[int]]
    even: dict[int, list[int]]
    touching: defaultdict[int, list[int]]

    def joins(self, w: int) -> set[object]:
        """Return what joins a helper to others: helpers beside it, and components it touches."""
        return {*self.near[w], *((k,) for k in self.leaves[w]), *((k,) for k in self.even[w])}

    def links(self, w: int) -> Iterator[_Link]:
        """Yield the helpers that a helper is linked to."""
        for u in self.near[w]:
            yield u, -1
        for k in self.even[w]:
            for u in self.touching[k]:
                if u != w:
                    yield u, k


def _trees(helpers: _Helpers, most: int, limits: Limits) -> dict[_Bulbs, int] | None:
    """Grow all saving trees; None when there are more than so many branches to look at.

    A branch of size k has k helpers, k + 1 odd components and one open place, at the helper it is
    filed under; an odd component that this helper touches makes it a tree.
    """
    smallest: _Branches = {}
    for w, odd in helpers.leaves.items():
        if len(odd) > 40:
            return None
        if len(odd) > 1:
            smallest[w] = {(1 << w, 1 << x | 1 << y, 0) for x, y in combinations(odd, 2)}
    forest = _Forest(helpers, most, limits)
    forest.add(smallest)
    largest = 1
    while largest >= len(forest.by_size) // 2:  # two branches make one of their size and one more
        grown = forest.grown()
        if grown is None:
            return None
        if grown:
            largest = len(forest.by_size)
        forest.add(grown)
    trees: defaultdict[int, set[int]] = defaultdict(set)
    for branches in forest.by_size:
        for w, filed in branches.items():
            for used, ends, _ in filed:
                for x in helpers.leaves[w]:
                    if not ends >> x & 1:
                        trees[used].add(ends | 1 << x)
    return {_members(used): len(kinds) for used, kinds in trees.items()}


def _members(mask: int) -> _Bulbs:
    return frozenset(i for i in range(mask.bit_length()) if mask >> i & 1)


class _Forest:
    """All branches up to a size. `arriving` names, for each size and each helper w, the ends of
    branches that are linked to w, by what they are linked through: a large even component links
    hundreds of helpers, but two branches cannot both arrive through it.
    """

    def __init__(self, helpers: _Helpers, work: int, limits: Limits) -> None:
        self.helpers, self.limits = helpers, limits
        self.by_size: list[_Branches] = [{}]
        self.arriving: list[dict[int, dict[int, list[int]]]] = [{}]
        self.work = work

    def add(self, branches: _Branches) -> None:
        """File the branches of the next size."""
        arriving: defaultdict[int, dict[int, list[int]]] = defaultdict(dict)
        for end in self.limits.over(branches, 1):
            for w, through in self.helpers.links(end):
                arriving[w].setdefault(through, []).append(end)
        self.by_size.append(branches)
        self.arriving.append(dict(arriving))

    def grown(self) -> _Branches | None:
        """Return the branches of the next size; None when there was too much to look at.

        A helper with a leaf and a branch, or with two branches.
        """
        size = len(self.by_size)
        grown: defaultdict[int, set[_Branch]] = defaultdict(set)
        for end, filed in self.limits.over(self.by_size[size - 1].items(), 1):
            for w, through in self.helpers.links(end):
                leaves = self.helpers.leaves[w]
                if not leaves:
                    continue
                self.work -= len(filed)
                even = _bit(through)
                for helpers, odd, used in filed:
                    if not (helpers >> w & 1 or used & even):
                        grown[w].update(
                            (helpers | 1 << w, odd | 1 << x, used | even)
                            for x in leaves
                            if not odd >> x & 1
                        )
            if self.work < 0:
                return None
        for small in range(1, (size - 1) // 2 + 1):
            if not self._joined(small, size - 1 - small, grown):
                return None
        return {w: branches for w, branches in grown.items() if branches}

    def _joined(self, small: int, large: int, grown: dict[int, set[_Branch]]) -> bool:
        """Join branches of two sizes by a helper; False when there was too much to look at."""
        ones, twos = self.by_size[small], self.by_size[large]
        for w, arriving in self.limits.over(self.arriving[small].items(), 1):
            for (through, ends), (second, others) in product(
                arriving.items(), self.arriving[large].get(w, {}).items()
            ):
                if through == second and through >= 0:
                    continue
                helper, even = 1 << w, _bit(through) | _bit(second)
                for end, other in product(ends, others):
                    self.work -= len(ones[end]) * len(twos[other])
                    if self.work < 0:
                        return False
                    for one in ones[end]:
                        helpers, odd, used = one[0] | helper, one[1], one[2] | even
                        if one[0] & helper or one[2] & even:
                            continue
                        for two in twos[other]:
                            if not (helpers & two[0] or odd & two[1] or used & two[2]):
                                grown[w].add((helpers | two[0], odd | two[1], used | two[2]))
        return True


def _bit(component: int) -> int:
    """Return the bit of an even component; none for −1."""
    return 1 << component if component >= 0 else 0
