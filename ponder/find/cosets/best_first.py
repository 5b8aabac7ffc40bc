"""Press sets in order of what they need with repeats: weight, and double presses.

The list of a coset (`coset`), made longer where all of it is done, is gone through by a bound on
presses that is raised in two steps, thousands of press sets at a time and those of the least bound
first: the weight, then 2·(double presses for small odd components that lie apart) more, then for
all odd components that lie apart (`double_press_bounds`). `take` gives press sets one by one, and
`floor` says at any moment what those that have not been given need at least.

Press sets are `promising` whose weight + 2·(odd components) is least. That is what nearly all of
them need in the end. (For cosets that are not listed see `annealing`.)

Cost. 1 µs for each press set on 30×30 that weighs less than is needed, and 0.1 ms for one in ten.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from ponder.check.small_components import at_once
from ponder.find.cosets.coset import ByWeight
from ponder.find.cosets.double_press_bounds import DoublePressBounds
from ponder.find.linear.press_sets import PressSets
from ponder.find.search.context import Progress, silent
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints, distinct

BOUNDED = 6  # smaller cosets are gone through sooner than bounded in batches
FIRST = 256  # press sets that are bounded together at first
FEWEST = 64  # press sets that are labelled together, where there are as many
NEVER_MET = 1 << 40  # more presses than any press set needs
PROMISING, MANY = 12, 400  # press sets that are named for a start, and then
FEW = 1 << 12  # the lightest that are looked at before any is tried
_SPARE = 6  # presses above the least estimate that are looked at
_LOOKING, _TRYING = 0.1, 0.1  # of the time, for all that are listed, and to try some


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
        self._enough, self._limits, self._progress = enough, limits, progress
        source = source or ByWeight(sets, limits, progress, board=board)
        self.by_weight: ByWeight = source
        self._bounds: DoublePressBounds | None = None
        bounded = sets.nullity >= BOUNDED and DoublePressBounds.suits(board.graph)
        if bounded and board.odd_later is not None:
            self._bounds = DoublePressBounds(board.graph, board.odd_later, limits)
        self._heap: list[tuple[int, int, int]] = []  # bound, estimate, place
        self._listed = 0  # places that have a better bound than their weight
        self._rough: dict[int, list[Ints]] = {}  # by that bound, those that have no better one
        self._passed = NEVER_MET  # what all need that were passed over
        self._least = NEVER_MET  # the least estimate
        self._size = FIRST
        self._tried: set[int] = set()

    @property
    def floor(self) -> int | None:
        """What all press sets need that have not been given; None when there are none."""
        least = min(self._open(), self._passed)
        least = min(least, self._heap[0][0]) if self._heap else least
        return None if least == NEVER_MET else least

    def take(self, *, ahead: bool = False) -> tuple[int, Bits] | None:
        """Return the next press set with its number, or None after the last. Raises TimeUp.

        None as well where press sets come before it that are not listed, unless `ahead` of these.
        """
        self._look(lambda: self._heap[0][0] if self._heap else self._most)
        if not self._heap or (self._open() < self._heap[0][0] and not ahead):
            return None
        place = heapq.heappop(self._heap)[2]
        return int(self.by_weight.numbers[place]), self.by_weight.press_set(place)

    def promising(self, *, many: bool = False) -> Iterator[tuple[int, Bits]]:
        """Yield press sets worth trying, with estimates of their needs, once. Raises TimeUp.

        For a start a few, first of the lightest. Then `many`, for a part of the time.
        """
        if self._bounds is None:
            return
        total = self.by_weight.numbers.size
        for last in (total,) if many or total <= FEW else (FEW, total):
            looking = self._limits if last <= FEW else self._limits.share(_LOOKING)
            with suppress(TimeUp):
                self._look(lambda: min(self._most, self._least + _SPARE), last, looking)
            self._limits.check()
            trying = self._limits.share(_TRYING) if many else self._limits
            most = MANY if many else PROMISING
            for _, estimate, place in heapq.nsmallest(most, self._heap, key=lambda item: item[1:]):
                if place not in self._tried and not trying.expired:
                    self._tried.add(place)
                    yield estimate, self.by_weight.press_set(place)

    def extend(self) -> bool:
        """List more press sets; False where that takes too long. Raises TimeUp."""
        return self.by_weight.extend(self._limits, self._progress)

    @property
    def _most(self) -> int:
        """What is enough: press sets that need as many are passed over."""
        enough = self._enough()
        return NEVER_MET if enough is None else enough

    def _open(self, last: int | None = None) -> int:
        """What all need at least whose bound may be raised, or that are not listed.

        Of the `last` lightest alone, where that is given.
        """
        weights, beyond = self.by_weight.weights, self.by_weight.beyond
        known = [*self._rough]
        if last is None and beyond is not None:
            known.append(beyond)
        if self._listed < (weights.size if last is None else min(last, weights.size)):
            known.append(int(weights[self._listed]))
        return min(known, default=NEVER_MET)

    def _look(
        self, most: Callable[[], int], last: int | None = None, limits: Limits = NEVER
    ) -> None:
        """Raise all bounds below `most`, of the `last` lightest press sets. Raises TimeUp."""
        while (least := self._open(last)) < most():
            self._limits.check()
            limits.check()
            total = self.by_weight.weights.size
            if self._rough and least == min(self._rough):
                self._label(most())
            elif self._listed < total:
                self._list(total if last is None else min(last, total))
            else:
                return  # on with those that are not listed

    def _list(self, last: int) -> None:
        """Bound the next press sets by their small components."""
        places = np.arange(self._listed, min(self._listed + self._size, last))
        self._size = min(2 * self._size, at_once(self.by_weight.sets.particular.size))
        bound = self.by_weight.weights[places]
        self._listed += places.size
        if self._bounds is None:
            self._push(bound, bound, places)
            return
        planes = self.by_weight.planes(places)
        bound = bound + 2 * self._bounds.small.apart(planes, places.size)
        for value in distinct(bound).tolist():
            self._rough.setdefault(value, []).append(places[bound == value])

    def _label(self, most: int) -> None:
        """Bound press sets of the least bounds, some at least, by all their components."""
        assert self._bounds is not None
        chosen: list[Ints] = []
        known: list[Ints] = []
        step, count = self._bounds.at_once, 0
        while self._rough and (value := min(self._rough)) < most and count < FEWEST:
            places = np.concatenate(self._rough.pop(value))
            if places.size > step:
                self._rough[value] = [places[step:]]
            chosen.append(places[:step])
            known.append(np.full(chosen[-1].size, value))
            count += chosen[-1].size
        places = np.concatenate(chosen)
        doubles, odd = self._bounds.apart(self.by_weight.press_sets(places))
        weights = self.by_weight.weights[places]
        bound = np.maximum(np.concatenate(known), weights + 2 * doubles)
        self._push(bound, weights + 2 * odd, places)

    def _push(self, bound: Ints, estimate: Ints, places: Ints) -> None:
        """Put press sets on the heap, but for those that need as many as is enough."""
        low = bound < self._most
        self._passed = min(self._passed, int(bound[~low].min(initial=NEVER_MET)))
        self._least = min(self._least, int(estimate.min(initial=NEVER_MET)))
        for item in zip(*(x[low].tolist() for x in (bound, estimate, places)), strict=True):
            heapq.heappush(self._heap, item)
