"""Press sets in order of what they need: all of a coset, or those that an integer model names.

Both sources give press sets one by one (`take`), and say at any moment what those that have not
been given need at least (`floor`). A `Listed` coset is weighed as a whole (`coset_transform`) and
goes by a bound on presses: weight + 2·(pairs for odd components that lie apart), computed for
thousands of press sets at a time (`pair_bounds`). What `Modelled` has to name is the least of
weight + 2·[a refused component occurs], for a refusal costs two presses, so its floor rises with
what is refused.

The list also names press sets that are `promising`: weight + 2·(odd components) is least. That is
what nearly all of them need in the end. (For larger cosets see `estimate_search`.)

Letters: s₀, d as in `ponder.linear.coset`. Cost. `Listed`: O(n + d·2^d) for all weights; 4 µs for
each press set on 30×30 that weighs less than is needed, and 0.2 ms for one in ten of them.
`Modelled`: one run of CP-SAT for each.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

import numpy as np

from ponder.fewest.clusters import Clusters
from ponder.fewest.cuts import proves
from ponder.fewest.pair_bounds import PairBounds
from ponder.limits import Limits
from ponder.linear.coset import Members, transform
from ponder.linear.coset_transform import estimated
from ponder.linear.minimum_weight import descend
from ponder.linear.minimum_weight_model import CosetModel
from ponder.linear.press_sets import PressSets
from ponder.types import Bits, Ints

MOST_LISTED = 1 << 20
"""Of larger cosets so many press sets are listed, the lightest."""

BOUNDED = 6
"""Smaller cosets are gone through sooner than bounded in batches."""

PROMISING = 12
"""So many press sets are named for a start."""

FEW = 1 << 12
"""So many of the lightest are looked at before any is tried."""

_SPARE = 6  # presses above the least estimate that are looked at


def weighed_in_time(nullity: int, limits: Limits) -> bool:
    """Whether the weights of all press sets are known before most of the time is over.

    >>> weighed_in_time(32, Limits(60.0)), weighed_in_time(32, Limits(1.0))
    (True, False)
    """
    left = limits.left(0.75)
    return left is None or estimated(nullity) < left


class Listed:
    """The press sets of a coset, by what each needs at least.

    `least` is the least weight. `enough` says how many presses are known to suffice: press sets
    that need as many are passed over.

    >>> from ponder.linear.press_sets import press_sets
    >>> from ponder import Board
    >>> board = Board.from_rows(["111", "111"], "cross")
    >>> source = Listed(press_sets(board), Clusters(board))
    >>> source.floor, source.take()[1].astype(int).tolist(), source.floor
    (0, [0, 0, 0, 0, 0, 0], 6)
    """

    def __init__(
        self,
        sets: PressSets,
        clusters: Clusters,
        enough: Callable[[], int | None] = lambda: None,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.nullity, self._clusters, self._enough = sets.nullity, clusters, enough
        size = sets.particular.size
        limits = clusters.limits
        light = transform(sets).lighter(size + 1, MOST_LISTED, limits, progress)
        self._weights, self._numbers = light.weights, light.members
        self._listed_below = light.bound if light.bound <= size else None
        self.least = int(light.weights[0]) if light.weights.size else light.bound
        self._members = Members(sets)
        board = clusters.board
        self._bounds: PairBounds | None = None
        if (
            sets.nullity >= BOUNDED
            and board.odd_later is not None
            and PairBounds.suits(board.graph)
        ):
            self._bounds = PairBounds(board.graph, board.odd_later, limits)
        self._heap: list[tuple[int, int, int]] = []  # bound, estimate, number
        self._known: set[int] = set()
        self._rest: int | None = self.least  # what all need that have not come to the heap

    @property
    def floor(self) -> int | None:
        """What all press sets need that have not been given; None when there are none."""
        least = self._heap[0][0] if self._heap else None
        if self._rest is None:
            return least
        return self._rest if least is None else min(least, self._rest)

    def take(self) -> tuple[int, Bits] | None:
        """Return the next press set with its number; None when all have been given. TimeUp."""
        rest, nearest = self._rest, self._heap[0][0] if self._heap else None
        if rest not in (None, self._listed_below) and (nearest is None or rest < nearest):
            self._look()
        if not self._heap:
            return None
        number = heapq.heappop(self._heap)[2]
        return number, self._member(number)

    def promising(self) -> Iterator[tuple[int, Bits]]:
        """Yield press sets that are worth trying first, and an estimate of what each needs. TimeUp.

        At first some of the lightest, then some of all.
        """
        if self._bounds is None:
            return
        tried: set[int] = set()
        for most in (FEW, self._numbers.size):
            self._look(most)
            best = heapq.nsmallest(PROMISING, self._heap, key=lambda item: item[1:])
            for _, estimate, number in best:
                if number not in tried:
                    tried.add(number)
                    yield estimate, self._member(number)
            if self._numbers.size <= FEW:
                return

    def lighter(self, bound: int) -> Iterator[Bits]:
        """Yield all press sets of fewer than `bound` presses, given or not, if they are listed."""
        for number, weight in zip(self._numbers.tolist(), self._weights.tolist(), strict=True):
            if weight >= bound:
                return
            yield self._member(number)

    def _look(self, count: int | None = None) -> None:
        """Put press sets on the heap that need fewer than is known to be enough. TimeUp.

        Of the lightest `count` only those that need little more than the least estimate.
        """
        first, enough, before = count is not None, self._enough(), self._rest or 0
        most = 1 << 40 if enough is None else enough
        last = self._numbers.size if count is None else min(count, self._numbers.size)
        rest = [] if self._listed_below is None else [self._listed_below]
        start, size = 0, 64
        while start < last:
            weight = int(self._weights[start])
            self._rest = max(before, min([*rest, weight]))
            if weight >= most:
                return
            self._clusters.limits.check()
            piece = slice(start, start + size)
            bound, estimate = self._bounded(piece, most)
            low = bound < most
            if not low.all():
                rest.append(int(bound[~low].min()))
            for item in zip(
                *(x[low].tolist() for x in (bound, estimate, self._numbers[piece])), strict=True
            ):
                if item[2] not in self._known:
                    self._known.add(item[2])
                    heapq.heappush(self._heap, item)
            if first:
                most = min(most, int(estimate.min()) + _SPARE)
            start += size
            size = min(2 * size, 1 << 12 if self._bounds is None else self._bounds.at_once)
        if last < self._numbers.size:
            rest.append(int(self._weights[last]))
        self._rest = max(before, min(rest)) if rest else None

    def _bounded(self, piece: slice, most: int) -> tuple[Ints, Ints]:
        """Return what press sets need at least and by estimate; roughly, where that is `most`."""
        bound = self._weights[piece].copy()
        if self._bounds is None:
            return bound, bound
        press_sets = self._members.of(self._numbers[piece])
        bound += 2 * self._bounds.dominoes(press_sets)
        estimate = np.full(bound.size, 1 << 40)
        near = np.flatnonzero(bound < most)
        pairs, odd = self._bounds.apart(press_sets[near])
        weight = self._weights[piece][near]
        bound[near] = np.maximum(bound[near], weight + 2 * pairs)
        estimate[near] = weight + 2 * odd
        return bound, estimate

    def _member(self, number: int) -> Bits:
        """Return the press set with this number."""
        return np.asarray(self._members.of(np.array([number]))[0])


class Modelled:
    """A coset too large to be listed: CP-SAT names the press set that is cheapest so far."""

    def __init__(self, sets: PressSets, clusters: Clusters, seed: int, limits: Limits) -> None:
        self.nullity, self.floor = sets.nullity, 0
        self._sets, self._clusters, self._seed, self._limits = sets, clusters, seed, limits
        self._model: CosetModel | None = None
        self._seen: set[bytes] = set()
        self._last: Bits | None = None
        self._done = False

    def take(self) -> tuple[int, Bits] | None:
        """Return another press set, numbered as they come; None when the model knows no better.

        TimeUp when there is no time for it.
        """
        if self._done:
            return None
        model = self._ready()
        chosen = model.propose(self._limits.left(0.5))
        self._limits.check()
        self.floor = model.bound
        if chosen is None or chosen.tobytes() in self._seen:  # the surcharge is paid
            self._done = True
            return None
        self._seen.add(chosen.tobytes())
        self._last = chosen
        return len(self._seen), chosen

    def _ready(self) -> CosetModel:
        """Return the model, which knows what is refused in the last press set."""
        if self._model is None:
            self._model = CosetModel(self._sets, self._seed, surcharge=2, limits=self._limits)
            rng = np.random.default_rng(self._seed)
            self._model.hint(descend(self._sets, rng, self._limits))
        if self._last is not None:
            for cluster, why in self._clusters.refused(self._last.astype(int).tolist()):
                if proves(why):
                    around = [*cluster.bulbs, *self._clusters.beside(cluster.bulbs)]
                    self._model.refuse(self._last, around)
        return self._model
