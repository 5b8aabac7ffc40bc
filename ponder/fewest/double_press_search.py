"""Fewer double presses: a few clusters taken apart and mended anew, again and again.

Idea. A large neighbourhood search. Press counts m = s + 2e are legal, and stay so: in a small
region all double presses are taken away, and `repair` mends the clusters there in another way, at
random and with no more of them than before. What needs fewer is kept, and what needs as many too,
so that the search walks about; all else is undone. The press set s stays as it is.

Letters: s, m, e as in `odd_components`.
Reference. P. Shaw, "Using constraint programming and local search methods to solve vehicle routing
problems", 1998, for the neighbourhoods.
Cost. 1 to 3 ms for each step, whatever the size of the board; connected parts of s of more than
`LARGE` presses are left alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ponder.fewest.clusters import LARGE, Clusters
from ponder.fewest.repair import RepairWalk
from ponder.limits import Limits

_REGIONS = (2, 4, 8, 16)  # clusters that are taken apart together
_WIDE = 8 * LARGE  # presses of a cluster that may be taken apart
_NOISES = (0.0, 0.5, 3.0)
_STALE = 200  # steps until the helpers are listed anew


class DoublePressSearch:
    """A search that starts from legal press counts `counts` of a press set.

    `counts` are legal after each step, and `doubles` says how many double presses they have.

    >>> from ponder.puzzle.board import Board
    >>> from ponder.puzzle.graph import EdgeGraph
    >>> star = EdgeGraph(7, [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6)])
    >>> clusters = Clusters(Board(star, star.set_of([]), star.set_of(range(7))))
    >>> s, wasteful = [0, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 3, 3, 3]
    >>> search = DoublePressSearch(clusters, wasteful, s, random.Random(0), Limits(None))
    >>> search.doubles, search.steps(50), search.counts
    (3, True, [2, 1, 1, 1, 1, 1, 1])
    """

    def __init__(
        self,
        clusters: Clusters,
        counts: Sequence[int],
        press_set: Sequence[int],
        rng: random.Random,
        limits: Limits,
    ) -> None:
        self._clusters, self._press_set, self._rng = clusters, press_set, rng
        self._walk = RepairWalk(clusters, list(counts), rng, limits)
        for cluster in clusters.of(counts):
            self._walk.add(cluster)
        self._walk.open.clear()
        self._walk.log.clear()
        self._limits = limits
        self.doubles: int = (sum(counts) - sum(press_set)) // 2
        self._helpers: list[int] = []
        self._made = 0

    @property
    def counts(self) -> list[int]:
        """The press counts now."""
        return self._walk.counts.copy()

    def steps(self, most: int) -> bool:
        """Make steps while there is time; return whether double presses were saved."""
        before = self.doubles
        for _ in range(most):
            if not self.doubles or self._limits.expired:
                break
            if self._made % _STALE == 0:
                both = zip(self._walk.counts, self._press_set, strict=True)
                self._helpers = [v for v, (m, s) in enumerate(both) if m > s]
            self._made += 1
            helper = self._rng.choice(self._helpers)
            if self._walk.counts[helper] > self._press_set[helper]:
                self._step(helper)
        return self.doubles < before

    def _step(self, helper: int) -> None:
        """Mend the clusters around a helper in another way."""
        walk = self._walk
        region = self._region(helper)
        walk.noise = self._rng.choice(_NOISES)
        mended = False
        try:
            spare = self._take_apart(region)
            small = all(walk.of[least].presses <= LARGE for least in walk.open)
            mended = small and walk.mend(spare)
            if mended:
                self.doubles -= spare - walk.spent
                walk.log.clear()
        finally:  # whatever ends it, the counts are legal
            if not mended:
                walk.roll_back()
                walk.open.clear()

    def _region(self, helper: int) -> list[int]:
        """Return some clusters around a bulb, by their least bulbs: none of the very large ones."""
        walk, most = self._walk, self._rng.choice(_REGIONS)
        found: dict[int, None] = {}
        edge = [walk.owner[helper]]
        while edge and len(found) < most:
            least = edge.pop(self._rng.randrange(len(edge)))
            cluster = walk.of[least]
            if least in found or cluster.presses > _WIDE:
                continue
            found[least] = None
            for w in sorted(self._clusters.beside(cluster.bulbs)):
                edge += walk.touched(w) - found.keys()
        return list(found)

    def _take_apart(self, region: list[int]) -> int:
        """Take the double presses out of some clusters; return how many there were."""
        walk, s = self._walk, self._press_set
        doubles, pressed = 0, []
        for least in region:
            for v in walk.remove(least).bulbs:
                doubles += (walk.counts[v] - s[v]) // 2
                walk.counts[v] = s[v]
                if s[v]:
                    pressed.append(v)
        for v in pressed:
            if v not in walk.owner:
                walk.add(self._clusters.at(walk.counts, v))
        return doubles
