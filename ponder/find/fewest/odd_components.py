"""How few double presses a press set needs: each odd component costs one, but for what is saved.

Idea (theory §7.3). Fix a press set S and play it with press counts m = s + 2e. A cluster K of m
consists of components X of S and of *helpers*, bulbs outside S with e > 0. It costs a double press
for each of its o(K) odd components, unless helpers serve several of them (`saving_trees`).

Letters: as above. Cost: that of growing saving trees, within `MOST_WORK`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from ponder.find.fewest.clusters import Cluster, Clusters
from ponder.find.fewest.saving_trees import Bulbs, Helpers, most_saved, saving_trees

MOST_WORK = 300_000  # pairs of branches looked at before the search for saving trees is given up

MOST_BYTES = 300_000_000
"""What the branches may take: one has a bit for every bulb up to its last helper, and one for every
component up to its last, so that on millions of bulbs there is room for few."""


@dataclass(frozen=True, eq=False)
class Savings:
    """The odd components of a press set, and the helpers that can save double presses between them.

    `odd`  the components X of S with parity 1, as places in `components`
    """

    clusters: Clusters
    components: Sequence[Cluster]
    odd: tuple[int, ...]

    @cached_property
    def quick(self) -> int:
        """A lower bound on Σ e that takes no time: odd components with disjoint N[X], greedily."""
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

    def _rounded(self, doubles: int) -> int:
        """Return the next number of double presses of the right parity."""
        return doubles + (len(self.odd) - doubles) % 2

    @property
    def trees(self) -> dict[frozenset[int], int] | None:
        """For each set of helpers how many saving trees it makes; None when they are too many."""
        return None if self._grown is None else self._grown[0]

    @cached_property
    def _grown(self) -> tuple[dict[Bulbs, int], Helpers] | None:
        """The saving trees, and the helpers that they are made of."""
        odd = set(self.odd)
        helpers = Helpers({}, {}, {}, defaultdict(list))
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
        trees = saving_trees(helpers, most, limits)
        return None if trees is None else (trees, helpers)


def savings(clusters: Clusters, components: Sequence[Cluster]) -> Savings:
    """Find the odd ones among the components of a press set.

    >>> from ponder.model.board import Board
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
