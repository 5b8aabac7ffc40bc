"""How few pairs of extra presses a press set needs: odd components, and where pairs are saved.

Idea. Fix a press set S and play it with press counts m = s + 2e. Two more presses of a bulb v
change the number of edges of the blow-up by 2m(v) + 1 + 2·(presses beside v), an odd number, and
no parity of |T|. So a cluster K of m, which consists of components X of S, *helpers* (bulbs
outside S with e > 0) and has e(K) = Σ_{v ∈ K} e(v) pairs, has

    charge(K) ≡ (number of odd components in K) + e(K)  (mod 2),

and this must be 0. Hence a cluster with o odd components costs at least one pair for each of them
unless it *saves*: o − e(K) ≥ 2, even by parity. Savings are rare, and this module finds all places
where they can be made. Without any, the odd components alone prove that S needs |S| + 2·(their
number) presses, and a repair that spends one pair on each is optimal.

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
V − 2 more. ∎

So, with y_H = 1 where all helpers H of some saving tree are pressed, and n_H the number of saving
trees with the helpers H, every legal m obeys

    Σ_v e(v) + Σ_H (n_H + 1)·y_H ≥ number of odd components,      Σ_v e(v) ≡ that number (mod 2),

for V ≤ 1 + Σ n_H ≤ Σ (n_H + 1) in every cluster that saves.

Letters: S, X, m, e, K, o, V as above; `link` joins two helpers that are neighbours or touch the
same even component. Cost: trees are grown from branches (a helper with two leaves, and so on),
of which random boards have few: 20 × 20 plus boards about ten. Where there are too many (50 × 50)
the search is given up after about 0.3 s, and the bound must do without.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeAlias

from ponder.clusters import Cluster, Clusters

MOST_WORK = 300_000
"""Pairs of branches looked at before the search for saving trees is given up."""

_Bulbs: TypeAlias = frozenset[int]
_Link: TypeAlias = tuple[int, int]  # to a helper, through an even component or directly (−1)
_Branch: TypeAlias = tuple[_Bulbs, _Bulbs, _Bulbs]  # helpers, odd components, even components
_Branches: TypeAlias = dict[int, set[_Branch]]  # by the helper at the open end


@dataclass(frozen=True)
class Savings:
    """The odd components of a press set, and the helpers that can save pairs between them.

    `odd`    the components X of S with charge 1
    `trees`  for each set of helpers how many saving trees it makes; None when they are too many
    """

    odd: tuple[Cluster, ...]
    trees: dict[frozenset[int], int] | None

    @property
    def least(self) -> int:
        """A lower bound on Σ e that needs no search."""
        count = len(self.odd)
        if self.trees is None:
            return min(count, 2 - count % 2)
        saved = sum(n + 1 for n in self.trees.values())
        # at least one pair when there is an odd component, and the parity of their number
        return max(count - saved + (saved & 1), min(count, 2 - count % 2))


def savings(clusters: Clusters, components: Sequence[Cluster]) -> Savings:
    """Find the odd ones among the components of a press set, and all saving trees.

    >>> from ponder.board import Board
    >>> board = Board.from_rows(["00000", "00000", "00000"], "plus")
    >>> clusters = Clusters(board)
    >>> pressed = [1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0]  # three pairs around a cell
    >>> found = savings(clusters, clusters.of(pressed))
    >>> len(found.odd), found.trees, found.least
    (3, {}, 3)
    """
    odd = [k for k, cluster in enumerate(components) if clusters.charge(cluster)]
    found = tuple(components[k] for k in odd)
    if len(odd) < 3:
        return Savings(found, {})
    owner = {v: k for k, cluster in enumerate(components) for v in cluster.bulbs}
    is_odd = set(odd)
    leaves: dict[int, set[int]] = {}
    links: dict[int, set[_Link]] = {}
    through: defaultdict[int, set[int]] = defaultdict(set)
    for w in range(len(clusters.near)):
        if w in owner:
            continue
        touched = {owner[u] for u in clusters.near[w] if u in owner}
        leaves[w] = touched & is_odd
        links[w] = {(u, -1) for u in clusters.near[w] if u not in owner}
        for k in touched - is_odd:
            through[k].add(w)
    for k, group in through.items():
        for w in group:
            links[w].update((u, k) for u in group if u != w)
    return Savings(found, _trees(leaves, links))


def _trees(leaves: dict[int, set[int]], links: dict[int, set[_Link]]) -> dict[_Bulbs, int] | None:
    """Grow all saving trees; None when there are too many branches.

    A branch of size k has k helpers, k + 1 odd components and one open place, at the helper it is
    filed under; an odd component that this helper touches makes it a tree.
    """
    smallest: _Branches = {}
    for w, odd in leaves.items():
        if len(odd) > 40:
            return None
        if len(odd) > 1:
            pairs = map(frozenset, combinations(sorted(odd), 2))
            smallest[w] = {(frozenset([w]), pair, frozenset()) for pair in pairs}
    by_size: list[_Branches] = [{}, smallest]
    largest, work = 1, MOST_WORK
    while largest >= len(by_size) // 2:  # two branches make one of twice their size and one more
        grown, work = _grow(by_size, leaves, links, work)
        if work < 0:
            return None
        if grown:
            largest = len(by_size)
        by_size.append(grown)
    trees: defaultdict[_Bulbs, set[_Bulbs]] = defaultdict(set)
    for branches in by_size:
        for w, filed in branches.items():
            for helpers, ends, _ in filed:
                for x in leaves[w] - ends:
                    trees[helpers].add(ends | {x})
    return {helpers: len(kinds) for helpers, kinds in trees.items()}


def _grow(
    by_size: list[_Branches],
    leaves: dict[int, set[int]],
    links: dict[int, set[_Link]],
    work: int,
) -> tuple[_Branches, int]:
    """Return the branches of the next size: a helper with a leaf and a branch, or two branches.

    Also what is left of the work that may be done; below 0 the branches are not all.
    """
    size = len(by_size)
    grown: defaultdict[int, set[_Branch]] = defaultdict(set)
    for end, filed in by_size[size - 1].items():
        for w, even in links[end]:
            work -= len(filed)
            if work < 0:
                return {}, work
            for helpers, odd, used in filed:
                if w not in helpers and even not in used:
                    longer, through = helpers | {w}, used if even < 0 else used | {even}
                    grown[w].update((longer, odd | {x}, through) for x in leaves[w] - odd)
    for small in range(1, (size - 1) // 2 + 1):
        ends = by_size[small]
        for end, filed in by_size[size - 1 - small].items():
            for w, even in links[end]:
                for other, second in links[w]:
                    if other not in ends or (even == second and even >= 0):
                        continue
                    work -= len(filed) * len(ends[other])
                    if work < 0:
                        return {}, work
                    middle = frozenset([w]), frozenset[int](), frozenset({even, second} - {-1})
                    for one, two in product(filed, ends[other]):
                        if not any(
                            a & b or a & c or b & c
                            for a, b, c in zip(one, two, middle, strict=True)
                        ):
                            helpers, odd, used = (
                                a | b | c for a, b, c in zip(one, two, middle, strict=True)
                            )
                            grown[w].add((helpers, odd, used))
    return dict(grown), work
