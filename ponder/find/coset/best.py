"""The best legal sequence that a search over a coset has found, and how better ones are made.

A first one is played (`plays`), on wide boards repaired part by part; others come from press counts
all of whose clusters have orders, as they are or after a repair (`repair`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from ponder.find.context import SearchContext
from ponder.find.coset.clusters import Clusters, Refusals
from ponder.find.coset.plays import legal_sequences, neighbours_of
from ponder.find.coset.repair import repair
from ponder.model.board import Board
from ponder.system.limits import Limits
from ponder.system.types import Bits, Ints

WIDE, PART, PARTS = 1 << 15, 1 << 12, 16  # bulbs of boards whose play is repaired part by part


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
        presses = self.clusters.sequence(counts)
        if presses is None:
            raise RuntimeError("internal error: the best press counts have no order")
        return presses

    def judge(self, counts: list[int]) -> Refusals:
        """Return the refused clusters of press counts; keep the counts when there are none."""
        refused = self.clusters.refused(counts)
        count = self.count
        if not refused and (count is None or sum(counts) < count):
            self.counts, self.by = counts, "clusters"
        return refused

    def repair(self, counts: list[int], spare: int, tries: int) -> None:
        """Build legal press counts from some, if fewer than the best ones will do."""
        for _ in range(tries):
            most, count = spare, self.count
            if count is not None:
                most = min(most, (count - 1 - sum(counts)) // 2)
            if most < 0 or self.limits.expired:
                return
            mended = repair(self.clusters, counts, most=most, rng=self.rng, limits=self.limits)
            if mended is not None:
                self.counts, self.by = mended, "repair"

    def play(self, press_set: Bits) -> None:
        """Play a press set. Raises TimeUp."""
        near, rng = neighbours_of(self.board, self.prompt), random.Random(self.seed)
        for presses in legal_sequences(self.board, press_set, near, rng, self.prompt):
            if self.count is None or presses.size < self.count:
                self.played, self.by = presses, "play"
        if self.played is None:
            raise RuntimeError("internal error: no legal sequence, and yet no dead end")

    def mend_play(self) -> Iterator[None]:
        """Mend the play of a wide board part by part, in half of the time left. Raises TimeUp."""
        if self.played is None or not self.played.size or self.board.graph.size < WIDE:
            return
        counts, half = self.clusters.learn(self.played), self.limits.share(0.5)
        together = max(PART, len(counts) // PARTS)
        for start in range(0, len(counts), together):
            if half.expired:
                return
            part = slice(start, start + together)
            tried = counts.copy()
            tried[part] = [m & 1 for m in counts[part]]
            self.repair(tried, together, 1)
            counts = self.counts or counts
            yield
