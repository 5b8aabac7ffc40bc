"""The best legal sequence known, and repair: legal press counts from refused ones.

Idea. A double press of a bulb in N[K] changes the parity of a refused cluster K and may join it to
others beside that bulb. Take the clusters in order of their presses (large ones take seconds to
order). Where one is refused, choose among all bulbs of N[K] the double press that leaves the fewest
refused clusters, then the one whose new cluster is smallest; where none helps, draw one of the
best. Where a cluster is refused for a part of it, a block, only N[block] is looked at. On random
boards nearly every odd cluster takes one double press. A first sequence is played (`plays`).

Cost. One pass over the clusters; each step looks at the bulbs of N[K], at some tens where K is
large. There are as many steps as clusters and double presses.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence

from ponder.check.block import Block
from ponder.find.context import SearchContext
from ponder.find.coset.clusters import LARGE, Cluster, Clusters, Refusals
from ponder.find.coset.plays import legal_sequences, neighbours_of
from ponder.model.board import Board
from ponder.model.ordering_problem import Order
from ponder.system.limits import Limits
from ponder.system.types import Bits, Ints

_AMONG = 4  # how many of the best double presses are drawn from where none helps
_LOOKED = 60  # bulbs beside a large cluster that are tried
_FAILED = 3000  # presses of clusters ordered without success, before any double press is taken


class BestSequence:
    """The shortest legal sequence known: press counts with orders, or presses in play order.

    `by` names the method that found it: `play`, `clusters` or `repair`.
    """

    def __init__(
        self, board: Board, clusters: Clusters, context: SearchContext, limits: Limits
    ) -> None:
        self.board: Board = board
        self.clusters: Clusters = clusters
        self.limits: Limits = limits
        self.seed: int = context.seed
        self.prompt: Limits = context.prompt(board.graph.size)
        self.rng: random.Random = random.Random(context.seed)
        self.counts: list[int] | None = None
        self.played: Ints | None = None
        self.by: str = ""

    @property
    def count(self) -> int | None:
        """The number of its presses."""
        known = [] if self.counts is None else [sum(self.counts)]
        known += [] if self.played is None else [int(self.played.size)]
        return min(known, default=None)

    def sequence(self) -> Ints | None:
        """Return its bulbs in play order."""
        counts, played = self.counts, self.played
        if counts is None or (played is not None and played.size <= sum(counts)):
            return played
        return self.clusters.sequence(counts)

    def judge(self, counts: list[int]) -> Refusals:
        """Return the refused clusters of press counts; keep the counts when there are none."""
        refused = self.clusters.refused(counts)
        count = self.count
        if not refused and (count is None or sum(counts) < count):
            self.counts, self.by = counts, "clusters"
        return refused

    def repair(self, counts: list[int], spare: int, tries: int) -> None:
        """Build legal press counts from given ones, unless they need more presses than the best."""
        for _ in range(tries):
            most, count = spare, self.count
            if count is not None:
                most = min(most, (count - 1 - sum(counts)) // 2)
            if most < 0 or self.limits.expired:
                return
            work = Repair(self.clusters, counts, self.rng, self.limits)
            if work.mend(most):
                self.counts, self.by = work.counts, "repair"

    def play(self, press_set: Bits) -> None:
        """Play a press set. Raises TimeUp."""
        near, rng = neighbours_of(self.board, self.prompt), random.Random(self.seed)
        for presses in legal_sequences(self.board, press_set, near, rng, self.prompt):
            if self.count is None or presses.size < self.count:
                self.played, self.by = presses, "play"
        assert self.played is not None  # as the board has no dead end


class Repair:
    """Press counts on their way to legal ones, and their clusters by their least bulbs.

    `open`   the parities of the clusters that are not known to have an order
    `owner`  which cluster a bulb is in

    >>> clusters = Clusters(Board.from_rows(["0000"], "plus"))
    >>> work = Repair(clusters, [1, 1, 0, 0], random.Random(0), Limits(None))
    >>> work.mend(1), work.counts
    (True, [1, 1, 2, 0])
    """

    def __init__(
        self, clusters: Clusters, counts: Sequence[int], rng: random.Random, limits: Limits
    ) -> None:
        self.clusters: Clusters = clusters
        self.counts: list[int] = list(counts)
        self.rng: random.Random = rng
        self.limits: Limits = limits
        self.by_least: dict[int, Cluster] = {}
        self.owner: dict[int, int] = {}
        self.open: dict[int, int] = {}
        self._heap: list[tuple[int, int, int, Cluster]] = []  # by size; some are gone
        self._added = 0
        for cluster in clusters.split(self.counts):
            self.add(cluster)

    def add(self, cluster: Cluster) -> None:
        """Add a cluster of which it is not known whether it has an order."""
        least = cluster.bulbs[0]
        self.by_least[least] = cluster
        self.open[least] = self.clusters.parity(cluster)
        self.owner.update(dict.fromkeys(cluster.bulbs, least))
        self._added += 1
        heapq.heappush(self._heap, (cluster.presses, least, self._added, cluster))

    def mend(self, most: int) -> bool:
        """Add at most `most` double presses; return whether all have orders. Raises TimeUp."""
        spent = 0
        while self._heap:
            _, least, _, cluster = self._heap[0]
            if least not in self.open or self.by_least[least] is not cluster:
                heapq.heappop(self._heap)
                continue
            if self.limits.expired:
                return False
            where: Sequence[int] = cluster.bulbs
            if not self.open[least]:
                answer = self.clusters.answer(cluster)
                if isinstance(answer, Order):
                    del self.open[least]
                    continue
                if isinstance(answer, Block) and answer.bulbs.size:
                    where = answer.bulbs.tolist()
            if spent == most:
                return False
            spent += 1
            helper = self._best_helper(cluster, where)
            for joined in self.touched(helper):  # two more presses join them
                self.open.pop(joined, None)
                for v in self.by_least.pop(joined).bulbs:
                    del self.owner[v]
            self.counts[helper] += 2
            self.add(self.clusters.at(self.counts, helper))
        return True

    def touched(self, bulb: int) -> set[int]:
        """Return the clusters that a bulb is in or beside."""
        owner = self.owner
        return {owner[u] for u in (bulb, *self.clusters.near[bulb]) if u in owner}

    def _best_helper(self, cluster: Cluster, where: Sequence[int]) -> int:
        """Return the bulb in or beside a part of a refused cluster whose two presses help most."""
        around = sorted({*where, *self.clusters.beside(where)})
        if len(around) > _LOOKED and cluster.presses > LARGE:
            around = self.rng.sample(around, _LOOKED)
        options = []
        for w in around:
            joined = self.touched(w)
            refused = sum(self.open.get(least, 0) for least in joined)
            even_and_refused = not self.open[cluster.bulbs[0]]
            score = (refused + 1) % 2 - refused - even_and_refused
            presses = 2 + sum(self.by_least[least].presses for least in joined)
            options.append((score, presses, self.rng.random(), w))
        options.sort()
        failed = 0
        for score, presses, _, w in options:
            if score >= 0 or failed > _FAILED or self.limits.expired:
                break
            if presses > LARGE or self._mends(w):
                return w
            failed += presses
        # a bulb that is pressed twice more already has shown that it does not help here
        fresh = [option for option in options if self.counts[option[3]] < 2]
        return self.rng.choice((fresh or options)[:_AMONG])[3]

    def _mends(self, bulb: int) -> bool:
        """Whether two more presses of a bulb make a cluster that has an order."""
        self.counts[bulb] += 2
        joined = self.clusters.at(self.counts, bulb)
        self.counts[bulb] -= 2
        return isinstance(self.clusters.answer(joined), Order)
