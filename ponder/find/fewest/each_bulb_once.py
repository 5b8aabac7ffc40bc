"""Each bulb at most once, over all press sets: an order with the fewest presses, or claim C2.

Idea (theory §7.2, no repeats). Go through the press sets s₀ + ker A, lightest first. A refused
component K (`clusters`) refuses every press set that agrees on N[K], an affine subspace of the
coset: all those are crossed off at once. A component that could not be decided settles nothing: its
press set is passed over, and the lower bound stays at its weight. Beyond 2^CROSSED_OFF press sets
the patterns are too many: there the odd components of thousands are counted at a time (theory
§3.7), and the rest is split as above. Where the lightest does not come out soon, some press set
with an order is looked for first (`SomeOrder`, theory §7.10), and a lighter one before each list
that is longer.

Letters: s₀, d as in `coset`, K a cluster, N[K] with the bulbs beside it. Cost. O(d·2^d) for the
weights, some milliseconds to split a press set, 50 µs to count its odd components.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ponder.check.coset import Coset
from ponder.check.evidence import odd_components
from ponder.check.evidence.coset import CosetRefuted, LighterRefuted
from ponder.check.evidence.coset_minimum import CosetMinimum, UniquePressSet
from ponder.check.kinds import Answer, Bound, Refutation
from ponder.check.limits import Unlimited
from ponder.check.local_refutations import LocalRefutation
from ponder.check.odd_components import without_small
from ponder.check.small_components import SmallComponents, at_once, bits_of
from ponder.find.cosets.annealing import LARGEST_BLOCK, CosetSearch
from ponder.find.cosets.coset import CROSSED_OFF, IN_VAIN, ByWeight, LighterThan, listed_in_time
from ponder.find.cosets.walsh_hadamard import estimated
from ponder.find.fewest.clusters import Cluster, Clusters, proves, refuse_all_neighbours
from ponder.find.linear.press_sets import PressSets
from ponder.find.ordering.engine import find_order
from ponder.find.ordering.odd_component_batches import OddComponents
from ponder.find.search.context import TELLING, SearchContext
from ponder.find.search.outcome import Found, SearchOutcome, Steps, ended, improving
from ponder.model.board import Board
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.limits import NEVER, LimitReached, Limits, NeedsMemory, TimeUp
from ponder.system.types import Bits, Ints

SOON = 0.5  # seconds for the lightest press set, before any other with an order is looked for

FINDING_SECONDS, FINDING_SHARE = 5.0, 0.5  # for a first order: without a limit, and of one
IMPROVING_SECONDS, IMPROVING_SHARE = 0.4, 0.02  # for lighter ones: at least, and of a limit
LOOKING_ON = 0.2  # for lighter ones: of all the time so far, before more press sets are listed
ASIDE = 4  # candidates that quick methods leave open, kept for the exact search
LEFT_OPEN = 2  # press sets that teach nothing; the others of a restart are tried at its end

UNDECIDED = "some press sets could be neither ordered nor refuted"

_FIRST = 64  # press sets whose odd components are counted at first
LOOK = 5e-10  # seconds for a bulb of one of many press sets


def order_over_coset(
    board: Board,
    sets: PressSets,
    context: SearchContext | None = None,
    *,
    least: int = 0,
    remainder: int | None = None,
) -> SearchOutcome | CosetRefuted:
    """Return an order of the lightest press set that has one, or the proof that none has.

    `sets` are the board's press sets. If `least` presses are known to be needed, an order of
    `least` ends the search. The bound returned is the search's own, or one that the `remainder`
    modulo 4 of all sequences raises to the presses found. There is only a bound when time is up, on
    KeyboardInterrupt, when nothing was found and some press set could be neither ordered nor
    refuted, or when the press sets are too many to be listed. Raises ValueError under the rule
    `any`, where there is nothing to order.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0000"] * 4, "plus")
    >>> found = order_over_coset(board, press_sets(board))
    >>> found.presses.size, found.lower_bound, found.statistics["press_sets_split"]
    (4, 4, 1)
    """
    context = context or SearchContext()
    steps = some_order_found(board, sets, context, least, remainder)
    return ended(improving(steps, context.progress))


def some_order_found(
    board: Board, sets: PressSets, context: SearchContext, least: int, remainder: int | None = None
) -> Steps[SearchOutcome | CosetRefuted]:
    """Yield what is found on the way to that answer, and return it."""
    search = _CosetSearch(board, sets, context, least)
    search.spare = 0 if remainder is None else 3
    try:
        return (yield from search.run())
    except LimitReached as stopped:
        return search.best(str(stopped))
    except KeyboardInterrupt:
        return search.best("interrupted")


class _CosetSearch:
    """One call of `order_over_coset`: the press sets (`source`), and which of them are refuted."""

    def __init__(self, board: Board, sets: PressSets, context: SearchContext, least: int) -> None:
        self.board, self.sets, self.least = board, sets, least
        self.limits, self.progress = context.limits, context.progress
        self.some = SomeOrder(board, sets, context, least)
        self.clusters = Clusters(board, context)
        self.source: ByWeight | None = None
        self.spare = 0  # presses below those known, at which a bound already proves these best
        self.light: LighterThan | None = None  # all press sets below the presses known, if listed
        self.unlisted: tuple[int, int] | None = None  # presses and bound when it was asked for
        self.refuted = np.zeros(0, dtype=np.bool_)
        self.proved = 0  # what all press sets weigh that were not listed before
        self.parts: list[tuple[Bits, LocalRefutation]] = []
        self.agreed: list[tuple[int, list[int]]] = []  # of each, its number and its scope
        self._since_start = Limits(None)
        self.counted = sets.nullity > CROSSED_OFF  # whether odd components are counted in batches
        self.split = 0

    def run(self) -> Steps[SearchOutcome | CosetRefuted]:
        """Go through the press sets, lightest first. Raises TimeUp or NeedsMemory."""
        try:
            refuse_all_neighbours(self.board)
        except NeedsMemory:
            yield from self._find_some()
            raise
        self.some.clusters = self.clusters
        if not listed_in_time(self.sets.nullity, self.limits):
            clock = self.limits.before(TELLING * self.board.graph.size)
            while True:
                light = self.light
                yield from self.some.look(clock, until=self._list)
                if self.light is None or self.light is light:
                    return self.best("time is up" if self.limits.expired else self.some.reason)
                found = yield from self._go_through(self.light, None)
                met = self._enough(self.light.bound + self.spare)
                if met or not self.refuted.all() or self.limits.expired:
                    return found
        soon: Limits | None = self.limits.sooner(SOON)
        if estimated(self.sets.nullity) > SOON:
            soon = None
            yield from self._find_some()
            if self.least and self._enough(0):
                return self.best(self.some.reason)
        # a short list is made however little time is left
        limits = self.limits if self.counted else NEVER
        source = ByWeight(self.sets, limits, self.progress, board=self.board)
        return (yield from self._go_through(source, soon))

    def _list(self) -> bool:
        """List all press sets that are light enough to matter; False where that takes long."""
        count, least = self.some.weight, self.least
        least = least if self.light is None else max(least, self.light.bound)
        if count is None or self.some.idle < IN_VAIN or (count, least) == self.unlisted:
            return False
        self.unlisted = count, least
        self.some.screen()
        bound = max(1, count - self.spare)
        found = LighterThan.by_lines(self.board, self.sets, bound, least, self.limits, self.light)
        self.light = found or self.light
        return found is not None

    def _go_through(
        self, source: ByWeight, soon: Limits | None
    ) -> Steps[SearchOutcome | CosetRefuted]:
        """Go through a list of press sets. Raises TimeUp or NeedsMemory."""
        self.refuted = np.zeros(source.weights.size, dtype=np.bool_)
        self.source = source
        for place in self._places(source):
            if self.limits.expired:
                return self.best("time is up")
            if soon is not None and soon.expired:
                soon = None
                if not self._soon_done:
                    yield from self._find_some()
            weight = int(source.weights[place])
            if self._enough(weight):
                return self.best(UNDECIDED)
            if self.refuted[place]:
                continue
            yield Found(self.some.weight, max(weight, self.least), lambda: self.some.presses)
            self.split += 1
            press_set = source.press_set(place)
            counts = press_set.astype(int).tolist()
            refused = self.clusters.refused(counts)
            if not refused:
                presses = self.clusters.sequence(counts)
                if presses is None:
                    raise RuntimeError("internal error: the press set chosen has no order")
                return self.best(UNDECIDED, presses)
            self._cross_off(source, place, press_set, refused)
        if source.beyond is not None or not self.refuted.all():
            return self.best(UNDECIDED)
        return CosetRefuted(1 << self.sets.nullity, tuple(self.parts))

    @property
    def _soon_done(self) -> bool:
        """Whether all press sets are looked at within half of the time, or within seconds."""
        seconds = LOOK * self.board.graph.size * 2.0**self.sets.nullity
        left = self.limits.left(FINDING_SHARE)
        return self.counted and seconds < (FINDING_SECONDS if left is None else left)

    def _places(self, source: ByWeight) -> Iterator[int]:
        """Yield places without odd components, where these are counted. Raises TimeUp.

        What comes after the last that is listed is listed then, in its place.
        """
        if not self.counted:
            yield from range(self.refuted.size)
            return
        assert self.board.odd_later is not None
        components = OddComponents(self.board.graph, self.board.odd_later)
        near = [self.board.graph.neighbours(v).tolist() for v in range(self.board.graph.size)]
        small = SmallComponents(near, self.board.odd_later)
        size, before = _FIRST, 0
        while True:
            start = 0
            while start < self.refuted.size:
                places = np.arange(start, min(start + size, self.refuted.size))
                odd = bits_of(small.anywhere(source.planes(places)), places.size)
                self.refuted[places] |= odd
                left = places[~self.refuted[places]]
                self.refuted[left] = components.count(source.press_sets(left), self.limits) > 0
                left = left[~self.refuted[left]]
                self.refuted[left] = self._by_parts(source, left, before)
                yield start  # whatever it holds: who asks looks at the clock
                yield from left[~self.refuted[left] & (left > start)].tolist()
                start, size = start + size, min(4 * size, at_once(self.board.graph.size))
            longer = source.beyond is not None and not isinstance(source, LighterThan)
            if not longer or not self.refuted.all():
                return
            self.proved = source.beyond or 0
            if self._soon_done:
                source.go_on_with(self._without_small(near))
            else:
                self._look_on()
                source.go_on(self.limits, self.progress)
            self.refuted = np.zeros(source.numbers.size, dtype=np.bool_)
            before = len(self.agreed)

    def _look_on(self) -> None:
        """Look for a lighter order than the one at hand: the next list takes long."""
        if self.some.presses is None:
            return
        self.some.screen()
        clock = self.limits.sooner(LOOKING_ON * self._since_start.elapsed)
        for _ in self.some.look(clock):
            pass

    def _without_small(self, near: list[list[int]]) -> Ints:
        """Return all press sets without odd components of one bulb or two. Raises TimeUp."""
        assert self.board.odd_later is not None
        sets = self.sets
        coset = Coset(self.board, sets.particular, sets.kernel_basis, [])
        budget = Unlimited(lambda: self.limits.expired)
        return without_small(coset, near, self.board.odd_later, budget)

    def _by_parts(self, source: ByWeight, places: Ints, before: int) -> Bits:
        """Return which press sets agree with one that was refuted `before` they were listed."""
        refuted = np.zeros(places.size, dtype=np.bool_)
        for number, around in self.agreed[:before]:
            refuted |= source.agree(number, around, places)
        return refuted

    def _find_some(self) -> Steps[None]:
        """Look for an order of any press set, and for lighter ones."""
        if not self.sets.nullity:
            return  # the only press set has had its turn
        clock = self.limits.share(FINDING_SHARE, FINDING_SECONDS)
        yield from self.some.look(clock, first=True)
        left = self.limits.left(IMPROVING_SHARE) or 0.0
        if self.some.presses is not None:
            yield from self.some.look(self.limits.sooner(max(IMPROVING_SECONDS, left)))

    def _enough(self, weight: int) -> bool:
        """Whether an order is at hand, and none is shorter that presses at least `weight`."""
        known = self.some.weight
        return known is not None and known <= max(weight, self.least)

    def _cross_off(
        self,
        source: ByWeight,
        place: int,
        press_set: Bits,
        refused: list[tuple[Cluster, Refutation | Unknown]],
    ) -> None:
        """Refute all press sets that agree with one of its refused components."""
        for cluster, why in refused:
            if not proves(why):
                continue
            around = [*cluster.bulbs, *self.clusters.beside(cluster.bulbs)]
            same = source.agreeing(place, around)
            if not self.refuted[same].all():
                self.parts.append((press_set, why))  # first: an interruption may come between
                self.agreed.append((int(source.numbers[place]), around))
                self.refuted[same] = True

    def best(self, reason: str, presses: Ints | None = None) -> SearchOutcome:
        """Return these presses or those at hand, and what is proved of all others."""
        if presses is None or (self.some.weight is not None and self.some.weight < presses.size):
            presses = self.some.presses
        statistics: dict[str, object] = {
            "press_sets": f"2^{self.sets.nullity}",
            "press_sets_split": self.split,
            "candidates": self.some.candidates,
        }
        if self.source is None:
            return SearchOutcome("coset", presses, reason=reason, statistics=statistics)
        open_ = np.flatnonzero(~self.refuted)
        known = [int(self.source.weights[open_[0]])] if open_.size else []
        if self.refuted.size != self.source.weights.size:  # an interruption came between
            known = [self.proved]
        known += [] if self.source.beyond is None else [self.source.beyond]
        known += [] if presses is None else [int(presses.size)]
        bound = min(known, default=self.board.graph.size)
        met = presses is not None and bound == presses.size
        evidence = self._evidence(self.source, bound)
        return SearchOutcome("coset", presses, bound, evidence, None if met else reason, statistics)

    def _evidence(self, source: ByWeight, bound: int) -> Bound:
        """Return why no press set of fewer than `bound` presses has an order."""
        if self.sets.nullity == 0:
            return UniquePressSet()
        if bound <= source.least:
            return CosetMinimum()
        if not self.counted:
            return LighterRefuted(tuple(self.parts))
        parts = ((s, why) for s, why in self.parts if np.count_nonzero(s) < bound)
        return odd_components.OddComponents(tuple(parts))


class SomeOrder:
    """The best order found so far, of any press set; `presses` is None while there is none.

    Press sets without odd components come from a search of the coset. On dense boards nearly all of
    them have an order, so quick methods are asked alone. The exact search by spanning trees gets
    those left open, if the search ends without an order. Without `clusters` no candidate is given
    to the exact search: where there are too many bulbs for their neighbours to be listed.
    """

    def __init__(
        self, board: Board, sets: PressSets, context: SearchContext, least: int = 0
    ) -> None:
        self.board = board
        self.context = context
        self.least = least
        self.clusters: Clusters | None = None
        self.presses: Ints | None = None
        self.candidates: int = 0
        self._search = CosetSearch(board, sets, seed=context.seed, once=True)
        self._search.judge = self._judge
        self._aside: list[Bits] = []
        self._left_open = 0  # of those that this restart met, without an order or a block to learn

    @property
    def reason(self) -> str:
        """Why the search ended."""
        return self._search.reason

    def screen(self) -> None:
        """Look at more press sets from now on, each for a shorter time."""
        self._search.screens = True

    @property
    def idle(self) -> int:
        """How many restarts in a row were in vain."""
        return self._search.idle

    @property
    def weight(self) -> int | None:
        """The number of presses of the order at hand."""
        return None if self.presses is None else int(self.presses.size)

    def look(
        self, limits: Limits, *, first: bool = False, until: Callable[[], bool] = lambda: False
    ) -> Steps[None]:
        """Look for an order, and for lighter ones unless the `first` is enough, as far as is due.

        That is until `least` presses are met, time is up, or restarts in a row were in vain; or
        `until` says so after one of them.
        """
        for found in self._search.restarts(lambda: self.weight, limits):
            for weight, press_set in found:
                if self.weight is not None and weight >= self.weight:
                    break
                try:
                    if isinstance(self.take(press_set, limits), Order):
                        break
                except TimeUp:
                    return
            self._left_open = 0
            yield Found(self.weight, self.least, lambda: self.presses)
            if self.weight is not None and (first or self.weight <= self.least or until()):
                return
            if first and len(self._aside) == ASIDE:
                break
        # what quick methods could not order may still have an order
        while self.presses is None and self.clusters is not None and self._aside:
            if self.context.limits.expired:
                return
            press_set = self._aside.pop(0)
            self.presses = self.clusters.sequence(press_set.astype(int).tolist())

    def _judge(self, press_set: Bits, limits: Limits) -> Ints | None:
        """Order a press set that the search meets, if it is lighter than any that has an order.

        Returns a block that has none, if it is small. Raises TimeUp.
        """
        heavy = self.weight is not None and int(np.count_nonzero(press_set)) >= self.weight
        if heavy or self._left_open >= LEFT_OPEN:
            return None
        answer = self.take(press_set, limits)
        if isinstance(answer, LocalRefutation) and answer.members.size <= LARGEST_BLOCK:
            return answer.members
        self._left_open += not isinstance(answer, Order)
        return None

    def take(self, press_set: Bits, limits: Limits) -> Answer:
        """Order a press set by quick methods, and keep the order. Raises TimeUp."""
        self.candidates += 1
        problem = OrderingProblem.of_board(self.board, press_set)
        context = SearchContext(self.context.seed + self.candidates, limits, log=self.context.log)
        answer, _ = find_order(problem, context, quick=True)
        if isinstance(answer, Unknown) and len(self._aside) < ASIDE:
            self._aside.append(press_set)
        if isinstance(answer, Order):
            self.presses = answer.bulbs(problem)
        return answer
