"""Press sets in order of what they need with repeats: weight, and double presses.

The list of a coset (`coset`) is gone through by a bound on presses: weight + 2·(double presses for
odd components that lie apart), computed for thousands of press sets at a time
(`double_press_bounds`). `take` gives press sets one by one, and `floor` says at any moment what
those that have not been given need at least.

Press sets are `promising` whose weight + 2·(odd components) is least. That is what nearly all of
them need in the end. (For cosets that are not listed see `annealing`.)

Cost. 4 µs for each press set on 30×30 that weighs less than is needed, and 0.2 ms for one in ten.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

import numpy as np

from ponder.find.cosets.coset import ByWeight
from ponder.find.cosets.double_press_bounds import DoublePressBounds
from ponder.find.linear.press_sets import PressSets
from ponder.find.search.context import Progress, silent
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

BOUNDED = 6  # smaller cosets are gone through sooner than bounded in batches
PROMISING = 12  # press sets that are named for a start
FEW = 1 << 12  # the lightest that are looked at before any is tried
_SPARE = 6  # presses above the least estimate that are looked at


class ByNeed:
    """The press sets of a coset, by lower bound.

    `by_weight` is the list, or a `source` that is given. `enough` presses are known to suffice:
    press sets that need as many are skipped.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["111", "111"], "cross")
    >>> source = ByNeed(board, press_sets(board))
    >>> source.floor, source.take()[1].astype(int).tolist(), source.floor
    (0, [0, 0, 0, 0, 0, 0], 6)
    """

    def __init__(
        self,
        board: Board,
        sets: PressSets,
        enough: Callable[[], int | None] = lambda: None,
        limits: Limits = NEVER,
        progress: Progress = silent,
        *,
        source: ByWeight | None = None,
    ) -> None:
        self._enough, self._limits = enough, limits
        source = source or ByWeight(sets, limits, progress)
        self.by_weight: ByWeight = source
        self._bounds: DoublePressBounds | None = None
        bounded = sets.nullity >= BOUNDED and DoublePressBounds.suits(board.graph)
        if bounded and board.odd_later is not None:
            self._bounds = DoublePressBounds(board.graph, board.odd_later, limits)
        self._heap: list[tuple[int, int, int]] = []  # bound, estimate, place
        self._known: set[int] = set()
        self._rest: int | None = source.least  # what all need that have not come to the heap

    @property
    def floor(self) -> int | None:
        """What all press sets need that have not been given; None when there are none."""
        least = self._heap[0][0] if self._heap else None
        if self._rest is None:
            return least
        return self._rest if least is None else min(least, self._rest)

    def take(self) -> tuple[int, Bits] | None:
        """Return the next press set with its number, or None after the last. Raises TimeUp."""
        rest, nearest = self._rest, self._heap[0][0] if self._heap else None
        if rest not in (None, self.by_weight.beyond) and (nearest is None or rest < nearest):
            self._look()
        if not self._heap:
            return None
        place = heapq.heappop(self._heap)[2]
        return int(self.by_weight.numbers[place]), self.by_weight.press_set(place)

    def promising(self) -> Iterator[tuple[int, Bits]]:
        """Yield press sets worth trying first, with estimates of their needs. Raises TimeUp."""
        if self._bounds is None:
            return
        tried: set[int] = set()
        total = self.by_weight.numbers.size
        for most in (FEW, total):
            self._look(most)
            best = heapq.nsmallest(PROMISING, self._heap, key=lambda item: item[1:])
            for _, estimate, place in best:
                if place not in tried:
                    tried.add(place)
                    yield estimate, self.by_weight.press_set(place)
            if total <= FEW:
                return

    def _look(self, count: int | None = None) -> None:
        """Put press sets that need few on the heap, of the first `count`. Raises TimeUp."""
        first, enough, before = count is not None, self._enough(), self._rest or 0
        most = 1 << 40 if enough is None else enough
        weights, beyond = self.by_weight.weights, self.by_weight.beyond
        last = weights.size if count is None else min(count, weights.size)
        rest = [] if beyond is None else [beyond]
        start, size = 0, 64
        while start < last:
            weight = int(weights[start])
            self._rest = max(before, min([*rest, weight]))
            if weight >= most:
                return
            self._limits.check()
            places = np.arange(start, min(start + size, weights.size))
            bound, estimate = self._bounded(places, most)
            low = bound < most
            if not low.all():
                rest.append(int(bound[~low].min()))
            for item in zip(*(x[low].tolist() for x in (bound, estimate, places)), strict=True):
                if item[2] not in self._known:
                    self._known.add(item[2])
                    heapq.heappush(self._heap, item)
            if first:
                most = min(most, int(estimate.min()) + _SPARE)
            start += size
            size = min(2 * size, 1 << 12 if self._bounds is None else self._bounds.at_once)
        if last < weights.size:
            rest.append(int(weights[last]))
        self._rest = max(before, min(rest)) if rest else None

    def _bounded(self, places: Ints, most: int) -> tuple[Ints, Ints]:
        """Return what press sets need at least and by estimate; roughly, where that is `most`."""
        bound = self.by_weight.weights[places]
        if self._bounds is None:
            return bound, bound
        press_sets = self.by_weight.press_sets(places)
        bound += 2 * self._bounds.dominoes(press_sets)
        estimate = np.full(bound.size, 1 << 40)
        near = np.flatnonzero(bound < most)
        doubles, odd = self._bounds.apart(press_sets[near])
        weight = self.by_weight.weights[places[near]]
        bound[near] = np.maximum(bound[near], weight + 2 * doubles)
        estimate[near] = weight + 2 * odd
        return bound, estimate
