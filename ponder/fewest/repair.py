"""Legal press counts early: give every refused cluster the cheapest helper that mends it.

Idea. Two more presses of a bulb in N[K] change the parity of a refused cluster K and may join it
to others beside that bulb. Take the clusters in order of their presses; where one is refused, try
all bulbs of N[K]: choose the pair of presses that leaves the fewest refused clusters, then the one
whose new cluster is smallest, so that the repairs keep apart; parities tell most of it, and few
clusters have to be ordered. Where no pair helps, one of the best is drawn at random and the walk
goes on. Where a cluster is refused for a part of it, a block, only N[block] is looked at.

Ordering a cluster of thousands of presses takes seconds, so large ones come last: whatever joins
them, joins before they are ordered, and they are ordered once.

On random boards nearly every odd cluster takes one pair, which is optimal where no pairs can be
saved (`odd_components`). It is a heuristic: what it returns is legal by the orders of its clusters.

Cost. The clusters are walked through once; then a step looks at the bulbs of N[K] and at what each
of them touches, at some tens of them where K is large; as many steps as clusters and pairs.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence

from ponder.fewest.clusters import LARGE, Cluster, Clusters
from ponder.limits import Limits
from ponder.puzzle.ordering_problem import Answer, Order
from ponder.puzzle.refutation import LocalRefutation

_AMONG = 4  # how many of the best pairs are drawn from where none helps
_LOOKED = 60  # bulbs beside a large cluster that are looked at


def repair(
    clusters: Clusters,
    counts: Sequence[int],
    *,
    most: int,
    rng: random.Random,
    limits: Limits,
) -> list[int] | None:
    """Return press counts whose clusters all have orders: `counts` and at most `most` pairs more.

    None when that many pairs did not suffice or time is up (if time is up in the middle of a
    cluster, TimeUp).

    >>> from ponder.puzzle.board import Board
    >>> clusters = Clusters(Board.from_rows(["0000"], "plus"))
    >>> repair(clusters, [1, 1, 0, 0], most=1, rng=random.Random(0), limits=Limits(None))
    [1, 1, 2, 0]
    """
    walk = _Walk(clusters, list(counts), rng, limits)
    spent = 0
    while True:
        cluster = walk.smallest()
        if cluster is None:
            return walk.counts
        if limits.expired:
            return None
        where: Sequence[int] = cluster.bulbs
        if not walk.charge[cluster.bulbs[0]]:
            answer = clusters.answer(cluster)
            if isinstance(answer, Order):
                walk.settle(cluster)
                continue
            where = _block(cluster, answer)
        if spent == most:
            return None
        spent += 1
        walk.add_pair(walk.best_helper(cluster, where))


def _block(cluster: Cluster, why: Answer) -> Sequence[int]:
    """Return the bulbs that a refused cluster is refused for."""
    if isinstance(why, LocalRefutation) and why.members.size:
        found: list[int] = why.members.tolist()
        return found
    return cluster.bulbs


class _Walk:
    """Press counts, their clusters by their least bulbs, and which are not known to have an order.

    `charge`  of the clusters that are still open
    """

    def __init__(
        self, clusters: Clusters, counts: list[int], rng: random.Random, limits: Limits
    ) -> None:
        self.clusters, self.counts, self.rng, self.limits = clusters, counts, rng, limits
        self.of: dict[int, Cluster] = {}
        self.charge: dict[int, int] = {}
        self._owner: dict[int, int] = {}
        self._heap: list[tuple[int, int]] = []  # presses and least bulb; some are gone
        for cluster in clusters.of(counts):
            self._add(cluster)

    def _add(self, cluster: Cluster) -> None:
        least = cluster.bulbs[0]
        self.of[least] = cluster
        self.charge[least] = self.clusters.charge(cluster)
        self._owner.update(dict.fromkeys(cluster.bulbs, least))
        heapq.heappush(self._heap, (cluster.presses, least))

    def smallest(self) -> Cluster | None:
        """Return the open cluster with the fewest presses, the first of them."""
        while self._heap:
            presses, least = self._heap[0]
            cluster = self.of.get(least)
            if least in self.charge and cluster is not None and cluster.presses == presses:
                return cluster
            heapq.heappop(self._heap)
        return None

    def settle(self, cluster: Cluster) -> None:
        """Keep that a cluster has an order."""
        del self.charge[cluster.bulbs[0]]

    def touched(self, bulb: int) -> set[int]:
        """Return the clusters that a bulb is in or beside."""
        owner = self._owner
        found = {owner[u] for u in self.clusters.near[bulb] if u in owner}
        if bulb in owner:
            found.add(owner[bulb])
        return found

    def add_pair(self, bulb: int) -> None:
        """Press a bulb twice more, which joins the clusters that it touches."""
        joined = self.touched(bulb)
        self.counts[bulb] += 2
        for least in joined:
            del self.of[least]
            self.charge.pop(least, None)
        self._add(self.clusters.at(self.counts, bulb))

    def best_helper(self, cluster: Cluster, where: Sequence[int]) -> int:
        """Return the bulb in or beside a part of a refused cluster whose two presses help most.

        When time is up, any of the best by their parities.
        """
        around = sorted({*where, *self.clusters.beside(where)})
        if len(around) > _LOOKED and cluster.presses > LARGE:
            around = self.rng.sample(around, _LOOKED)
        options = []
        for w in around:
            joined = self.touched(w)
            refused = sum(self.charge.get(least, 0) for least in joined)
            even_and_refused = not self.charge[cluster.bulbs[0]]
            score = (refused + 1) % 2 - refused - even_and_refused
            presses = 2 + sum(self.of[least].presses for least in joined)
            options.append((score, presses, self.rng.random(), w))
        options.sort()
        for score, presses, _, w in options:
            if score >= 0 or self.limits.expired:
                break
            if presses > LARGE or self._mends(w):
                return w
        return self.rng.choice(options[:_AMONG])[3]

    def _mends(self, bulb: int) -> bool:
        """Whether two more presses of a bulb make a cluster that has an order."""
        self.counts[bulb] += 2
        joined = self.clusters.at(self.counts, bulb)
        self.counts[bulb] -= 2
        return isinstance(self.clusters.answer(joined), Order)
