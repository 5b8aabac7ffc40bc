"""Legal press counts early: give every refused cluster the cheapest helper that mends it.

Idea. Two more presses of a bulb in N[K] change the parity of a refused cluster K and may join it
to others beside that bulb. Take the refused cluster with the fewest presses and try all bulbs of
N[K]: choose the pair of presses that leaves the fewest refused clusters, then the one whose new
cluster is smallest, so that the repairs keep apart; parities tell most of it, and few clusters have
to be ordered. Where no pair helps, one of the best is drawn at random and the walk goes on.

On random boards nearly every odd cluster takes one pair, which is optimal where no pairs can be
saved (`odd_components`). It is a heuristic: what it returns is legal by the orders of its clusters.

Cost. The clusters are walked through once; then a step looks at the |N[K]| clusters that a pair
would make, mostly remembered ones, and at nothing else; as many steps as refused clusters.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable, Sequence

from ponder.fewest.clusters import Cluster, Clusters
from ponder.limits import Limits
from ponder.puzzle.ordering_problem import Order

_AMONG = 4  # how many of the best pairs are drawn from where none helps


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
    mended = list(counts)
    refused = _Refused(cluster for cluster, _ in clusters.refused(mended))
    for spent in range(most + 1):
        worst = refused.smallest()
        if worst is None:
            return mended
        if spent == most or limits.expired:
            return None
        helper = _best_helper(clusters, mended, worst, refused, rng, limits)
        mended[helper] += 2
        joined = clusters.at(mended, helper)
        refused.remove(joined)
        if not isinstance(clusters.answer(joined), Order):
            refused.add(joined)
    return None


class _Refused:
    """The refused clusters of press counts, by their least bulbs, and the smallest of them."""

    def __init__(self, clusters: Iterable[Cluster]) -> None:
        self.by_bulb: dict[int, Cluster] = {}
        self._heap: list[tuple[int, int]] = []  # presses and least bulb; some are gone
        for cluster in clusters:
            self.add(cluster)

    def add(self, cluster: Cluster) -> None:
        self.by_bulb[cluster.bulbs[0]] = cluster
        heapq.heappush(self._heap, (cluster.presses, cluster.bulbs[0]))

    def within(self, bulbs: Sequence[int]) -> list[int]:
        """Return the least bulbs of those that lie in a larger cluster."""
        return [v for v in bulbs if v in self.by_bulb]

    def remove(self, joined: Cluster) -> None:
        """Forget those that are part of a larger cluster now."""
        for v in self.within(joined.bulbs):
            del self.by_bulb[v]

    def smallest(self) -> Cluster | None:
        """Return the cluster with the fewest presses, the first of them."""
        while self._heap:
            presses, least = self._heap[0]
            cluster = self.by_bulb.get(least)
            if cluster is not None and cluster.presses == presses:
                return cluster
            heapq.heappop(self._heap)
        return None


def _best_helper(
    clusters: Clusters,
    counts: list[int],
    worst: Cluster,
    refused: _Refused,
    rng: random.Random,
    limits: Limits,
) -> int:
    """Return the bulb in or beside a refused cluster whose two further presses help most.

    When time is up, any of the best by their parities.
    """
    options = []
    for w in limits.over(sorted({*worst.bulbs, *clusters.beside(worst.bulbs)}), 1):
        counts[w] += 2
        joined = clusters.at(counts, w)
        counts[w] -= 2
        gone = len(refused.within(joined.bulbs))
        odd = clusters.charge(joined)
        options.append((odd - gone, joined.presses, rng.random(), w, joined))
    options.sort(key=lambda option: option[:3])
    for score, *_, w, joined in options:
        if score >= 0 or limits.expired:
            break
        if isinstance(clusters.answer(joined), Order):
            return w
    return rng.choice(options[:_AMONG])[3]
