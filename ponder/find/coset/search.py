"""The fewest presses over all press sets of a board, each bulb once or with repeats.

Idea (theory §7). Press counts are m = s + 2e for a press set s ∈ s₀ + ker A; they are legal iff
every cluster has an order (`clusters`). Press sets are examined best first, in one heap of lower
bounds on the presses that they need, which are raised only as far as they must be:

    listed     a window of press sets by weight (`by_weight`), a slice of it bounded by odd
               components of one bulb or two, thousands at a time
    labelled   a chunk of these bounded by all odd components (`component_batches`)
    split      one press set, by its odd components and what saving trees may save (§7.3, §7.4)
    ordered    all clusters are ordered, or refused
    repaired   legal counts are built, one double press for each refused cluster (`repair`);
               then the SAT oracle says how few double presses the cuts learnt allow (`oracle`)

With each bulb once (`order`) an odd component rules a press set out, and the rest is `ordered` or
refused. The least bound in the heap is proved at every moment, and so is the best sequence. Cosets
that cannot be listed are walked through (`minimum_weight`).

Letters: s, s₀, m, e as above; |s| the weight. Cost: 1 µs for each press set of 30×30 that is
listed, 0.1 ms for one that is labelled, some milliseconds for one that is split.
"""

from __future__ import annotations

import heapq
from enum import IntEnum
from itertools import count as numbers_from
from typing import Any

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Bound, Refutation
from ponder.check.coset import Lightest
from ponder.check.dual import raised
from ponder.check.members import Members
from ponder.check.odd_components import Pieces
from ponder.check.reader import TooLarge
from ponder.check.small_components import at_once, bits_of
from ponder.find.context import TELLING, Known, SearchOutcome, Snapshot, SolveSession, Steps
from ponder.find.coset.by_weight import WHOLE, ByWeight, Window
from ponder.find.coset.clusters import (
    Clusters,
)
from ponder.find.coset.component_batches import ComponentBatches
from ponder.find.coset.minimum_weight import walk
from ponder.find.coset.oracle import NEVER_MET, Examination, PairProof, decomposition
from ponder.find.coset.repair import BestSequence
from ponder.find.linear.press_sets import PressSets
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints, distinct

FIRST_SLICE = 256  # press sets that are bounded together at first
LABELLED = 1 << 11  # press sets that are labelled together
TRIED = 8  # press sets of a chunk that are repaired at once where their estimates are promising
TRIES, SPARE = 4, 6  # repairs of a press set; double presses beyond one for each refused cluster
DRAWING_SECONDS, DRAWING_SHARE = 1.0, 0.1  # for random press sets, until one has an order
DRAWN, DRAWN_LAST, DRAWN_TOGETHER = 1024, 1 << 17, 64  # at first, after walks, and at a time
WALKS = 3  # walks in a row without anything better end the search
WALKED_LAST, LAST_WALKS = 1000, 0.9  # more walks of `order`, in this share of a time limit's rest
WALKED_FIRST, FIRST_WALK = (
    60,
    0.2,
)  # beyond this nullity a walk comes first, for this share of the time
ODD_PRICES = 8, 30  # presses of an odd component in the estimates of `order`
LOOKED_AT = 24  # up to 2^24 press sets, those without small odd components are listed at once
PRICING_SECONDS = 5.0  # for the saving trees of one press set

NOT_LISTED = "the press sets are too many to be listed"
UNDECIDED = "some press sets could be neither ordered nor refuted"


class Stage(IntEnum):
    """How far press sets in the heap have been taken; of equal bounds the earliest goes first."""

    SLICE, CHUNK, LISTED, SPLIT, ORDERED, REPAIRED = range(6)


class CosetSearch:
    """One search over all press sets of a board, which has no dead end.

    It ends at a sequence that attains the lower bound of `known`, or once the `at_most` of the
    session is decided. `outcome` is the best answer so far. Raises ValueError under the rule `any`.

    >>> from ponder.find.context import ended
    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0000"] * 4, "plus")
    >>> outcome = ended(CosetSearch(SolveSession(), Known(board, solved=press_sets(board))).run())
    >>> outcome.presses.size, outcome.lower_bound
    (4, 4)
    """

    def __init__(self, session: SolveSession, known: Known) -> None:
        board = known.board
        self.board: Board = board
        self.sets: PressSets = known.sets
        self.once: bool = session.command == "order"  # each bulb is pressed at most once
        self.least: int = known.bound.lower_bound or 0
        self.remainder: int | None = known.remainder
        self.at_most: int | None = session.at_most
        self.limits: Limits = session.limits.before(TELLING * board.graph.size)
        self.clusters: Clusters = Clusters(board, session)
        self.clusters.limits = self.limits
        assert board.odd_later is not None
        self.odd_later: Bits = board.odd_later
        self.batches: ComponentBatches = ComponentBatches(board.graph, board.odd_later, self.limits)
        self.seed: int = session.seed
        self.best: BestSequence = BestSequence(board, self.clusters, session, self.limits)
        self.source: ByWeight | None = None
        self.heap: list[tuple[int, Stage, int, Any]] = []
        self.stuck: bool = False  # whether no more press sets can be listed
        self.busy: int | None = None  # the bound of the press sets under examination
        self.passed: int = NEVER_MET  # the least bound that exceeds the best sequence
        self.undecided: int = NEVER_MET  # the least bound of undecided press sets
        self.parts: list[tuple[Bits, Refutation]] = []  # press sets that have no order, and why
        self.scopes: list[list[int]] = []  # the bulbs that each of the refutations depends on
        self.kept: dict[Examination, None] = {}  # press sets whose odd components do not suffice
        self.examined: int = 0
        self.rounds: int = 0
        self._size = FIRST_SLICE
        self._tick = numbers_from()

    # ------------------------------------------------------------------------------ what is known

    @property
    def proved(self) -> int:
        """A lower bound on the presses of every legal sequence that this search has proved."""
        listed = 0 if self.source is None else self.source.bound
        known = [self.passed, self.undecided, self.heap[0][0] if self.heap else NEVER_MET]
        known += [] if self.source is not None and self.source.done else [listed]
        known += [] if self.busy is None else [self.busy]
        return min(known)

    @property
    def bound(self) -> int:
        """The better of that bound, raised, and the one from elsewhere."""
        count, proved = self.best.count, self.proved
        if self.remainder is not None and 0 < proved < NEVER_MET:
            proved = raised(proved, self.remainder)
        proved = max(self.least, min(proved, self.board.graph.presses) if self.once else proved)
        return proved if count is None else min(count, proved)

    @property
    def enough(self) -> int:
        """A bound that proves the best sequence best: press sets that need as many are passed."""
        count = self.best.count
        if count is None:
            return NEVER_MET
        return count if self.remainder is None else max(1, count - 3)

    def snapshot(self) -> Snapshot:
        """Return what is known at this moment."""
        return Snapshot(self.best.count, self.bound, self.best.sequence)

    def outcome(self, reason: str | None = None) -> SearchOutcome:
        """Return the best presses, and what is proved of all others with its evidence."""
        self.clusters.limits = NEVER  # the best must still be reported
        count, proved, method = self.best.count, self.proved, "coset" if self.once else "clusters"
        listed = self.source is not None and self.source.done and not self.heap
        if self.once and count is None and listed and proved == NEVER_MET and self.busy is None:
            return SearchOutcome(method, refutation=Members(tuple(self.parts)), claim="C2")
        bound = min(proved, self.board.graph.presses if count is None else count)
        statistics: dict[str, object] = {
            "sequence_by": self.best.by,
            "press_sets": f"2^{self.sets.nullity}",
            "press_sets_examined": self.examined,
            "oracle_rounds": self.rounds,
        }
        if self.undecided < NEVER_MET and (count is None or self.undecided < count):
            reason = reason or UNDECIDED
        if count == bound:
            reason = None
        why = self._evidence(bound)
        proved_bound = None if self.once and why is None else bound
        return SearchOutcome(method, self.best.sequence(), proved_bound, why, reason, statistics)

    def _evidence(self, bound: int) -> Bound | None:
        """Return the simplest evidence that proves the bound."""
        if self.source is None or (bound == 0 and self.source.least != 0):
            return None
        unique = not self.sets.nullity and bound == np.count_nonzero(self.sets.particular)
        if unique or bound == self.source.least:
            return Lightest()
        parts, proofs = tuple(self.parts), list[PairProof]()
        for node in self.kept:
            if node.why is not None and node.before < bound:
                parts += ((np.array(node.press_set, dtype=np.bool_), node.why),)
            if node.proof is not None and node.simple < bound:
                proofs.append(node.proof)
        if proofs:
            return decomposition(parts, proofs)
        return Members(parts)

    # --------------------------------------------------------------------------------- the search

    def run(self) -> Steps[SearchOutcome]:
        """Search until the answer is known; return it. Raises TimeUp, NeedsMemory."""
        if not self.once:
            self.best.play(self.sets.particular)
            yield self.snapshot()
        self.limits.check()
        near = self.clusters.near  # at first, for it may need too much memory
        source = self.source = ByWeight(self.board, self.sets, self.limits)
        if self.once and self.sets.nullity > WHOLE:
            self._draw(self.limits.share(DRAWING_SHARE, DRAWING_SECONDS), DRAWN)
        if self.sets.nullity > WALKED_FIRST:  # lists are long: to be ended by a good sequence
            yield from self._walk(1, self.limits.share(FIRST_WALK))
        while not self._answered:
            self.limits.check()
            yield self.snapshot()
            due = not self.heap or self.heap[0][0] >= source.bound
            if due and not source.done and not self.stuck:
                self.busy = source.bound
                window = self._window(source, near)
                if window is None:  # the rest cannot be listed
                    self.stuck = True
                    yield from self._walk(WALKS, self.limits)
                    if self.once and self.best.count is None:
                        self._draw(self.limits, DRAWN_LAST)
                elif window.weights.size:
                    self.push(int(window.weights[0]), Stage.SLICE, (window, 0))
                self.busy = None
                continue
            if not self.heap:
                if self.stuck and self.once and self.best.count and self.limits.left() is not None:
                    yield from self._walk(WALKED_LAST, self.limits.share(LAST_WALKS), again=True)
                break
            self.busy = self.heap[0][0]  # an interruption must not lose what is in hand
            bound, stage, _, work = heapq.heappop(self.heap)
            self._advance(bound, stage, work)
            self.busy = None
        return self.outcome(NOT_LISTED if self.stuck else None)

    @property
    def _answered(self) -> bool:
        count, bound = self.best.count, self.bound
        if self.at_most is not None and (
            bound > self.at_most or (count is not None and count <= self.at_most)
        ):
            return True
        return count is not None and count <= bound

    def push(self, bound: int, stage: Stage, work: Any) -> None:
        """Put something on the heap, unless it needs as many presses as is enough."""
        if bound >= self.enough:
            self.passed = min(self.passed, bound)
        else:
            heapq.heappush(self.heap, (bound, stage, next(self._tick), work))

    def _window(self, source: ByWeight, near: list[list[int]]) -> Window | None:
        """List more press sets; None where that takes too long."""
        soon = self.sets.nullity <= LOOKED_AT and self.batches.small is not None
        if self.once and source.bound and soon:
            return source.without_small(near, self.odd_later)
        return source.following(min(self.enough, source.size + 1))

    def _advance(self, bound: int, stage: Stage, work: Any) -> None:
        """Take something one stage further."""
        if stage == Stage.SLICE:
            self._bound_slice(*work)
        elif stage == Stage.CHUNK:
            self._label(bound, work)
        elif stage == Stage.LISTED:
            window, place = work
            self._split(bound, window.press_sets(np.array([place]))[0])
        else:
            self._examine(work, bound, stage)

    def _examine(self, node: Examination, bound: int, stage: Stage) -> None:
        """Take a press set that is pressed with repeats one stage further."""
        node.bound, open_ = bound, True
        if stage == Stage.SPLIT:
            open_ = node.order(self.best)
        elif stage == Stage.ORDERED:
            self.best.repair(node.press_set, len(node.learnt) + SPARE, TRIES)
        else:
            self.rounds += 1
            open_ = node.ask_oracle(self.best, self.limits)
        self.undecided = min(self.undecided, node.undecided)
        if node.why is not None or node.proof is not None:
            self.kept[node] = None
        if open_:
            self.push(node.bound, Stage(min(stage + 1, Stage.REPAIRED)), node)

    # ------------------------------------------------------------------------- thousands at a time

    def _bound_slice(self, window: Window, start: int) -> None:
        """Bound the next press sets of a window by their small components."""
        stop = min(start + self._size, window.weights.size)
        self._size = min(4 * self._size, at_once(self.board.graph.size))
        places = np.arange(start, stop)
        bounds = window.weights[start:stop]
        small = self.batches.small
        if small is not None:
            planes = window.planes(places)
            if self.once:
                left = ~bits_of(small.anywhere(planes), places.size)
                places, bounds = places[left], bounds[left]
            else:
                bounds = bounds + 2 * small.apart(planes, places.size)
        for bound in distinct(bounds).tolist():
            self.push(bound, Stage.CHUNK, (window, places[bounds == bound]))
        if stop < window.weights.size:
            self.push(int(window.weights[stop]), Stage.SLICE, (window, stop))

    def _label(self, bound: int, work: Any) -> None:
        """Bound press sets of the least bounds by all their odd components."""
        window, places = work
        step = min(self.batches.at_once, LABELLED)
        if places.size > step:
            self.push(bound, Stage.CHUNK, (window, places[step:]))
            places = places[:step]
        press_sets = window.press_sets(places)
        if self.once:
            left = self.batches.count(press_sets) == 0
            for place in places[left].tolist():
                self.push(bound, Stage.LISTED, (window, place))
            return
        doubles, odd = self.batches.apart(press_sets)
        weights = window.weights[places]
        bounds, estimates = np.maximum(bound, weights + 2 * doubles), weights + 2 * odd
        for place, better in zip(places.tolist(), bounds.tolist(), strict=True):
            self.push(better, Stage.LISTED, (window, place))
        for k in np.argsort(estimates, kind="stable")[:TRIED].tolist():
            if not self._promising(int(estimates[k]), press_sets[k]):
                break

    def _promising(self, estimate: int, press_set: Bits) -> bool:
        """Mend a press set if its estimate is less than is known; return whether it was."""
        count = self.best.count
        if count is not None and estimate >= count:
            return False
        counts = press_set.astype(int).tolist()
        refused = self.best.judge(counts)
        if not self.once:
            self.best.repair(counts, len(refused) + SPARE, TRIES)
        return True

    # ------------------------------------------------------------------------------- one at a time

    def _split(self, bound: int, press_set: Bits) -> None:
        """Split a press set into components and bound what the odd ones cost."""
        if self.once:
            self._order_once(bound, press_set)
            return
        self.examined += 1
        pieces = Pieces.split(press_set, self.clusters.near, self.odd_later)
        node = Examination(press_set.astype(int).tolist(), bound, pieces)
        if self.best.count is None or self.examined <= TRIED:
            self._promising(node.weight + 2 * len(pieces.odd), press_set)
        count = self.best.count
        wanted = NEVER_MET if count is None else max(0, (count - node.weight + 1) // 2)
        try:
            pairs = pieces.pairs(wanted, 0, self.limits.sooner(PRICING_SECONDS))
        except (TooLarge, TimeUp):
            self.limits.check()
            pairs = pieces.rounded(min(len(pieces.odd), 1))
        self.push(max(bound, node.weight + 2 * pairs), Stage.SPLIT, node)

    def _order_once(self, bound: int, press_set: Bits) -> None:
        """Order a press set whose bulbs are pressed once each, or learn why it has no order."""
        for (refuted, _), scope in zip(self.parts, self.scopes, strict=True):
            if (refuted[scope] == press_set[scope]).all():
                return
        self.examined += 1
        counts = press_set.astype(int).tolist()
        refused = self.best.judge(counts)
        for cluster, why in refused:
            if isinstance(why, Block):
                scope = [*cluster.bulbs, *self.clusters.beside(cluster.bulbs)]
                self.scopes.append(scope)
                self.parts.append((press_set, why))
                return
        if refused:
            self.undecided = min(self.undecided, bound)

    # --------------------------------------------------------- press sets that are not listed

    def _draw(self, limits: Limits, most: int) -> None:
        """Draw press sets at random until one has an order."""
        rng = np.random.default_rng([self.seed, most])
        for _ in range(most // DRAWN_TOGETHER):
            if limits.expired:
                return
            quiet = self.sets.kernel.combine(rng.random((DRAWN_TOGETHER, self.sets.nullity)) < 0.5)
            drawn = self.sets.particular ^ quiet
            for press_set in drawn[self.batches.count(drawn) == 0]:
                if not self.best.judge(press_set.astype(int).tolist()):
                    return

    def _walk(self, walks: int, limits: Limits, *, again: bool = False) -> Steps[None]:
        """Walk through the coset until so many walks in a row were in vain.

        Those of a second call (`again`) go other ways, at each price of odd components in turn.
        """
        idle, rng = 0, np.random.default_rng([self.seed, 1] if again else self.seed)
        price = ODD_PRICES[0] if self.once else 2

        def estimate(press_sets: Bits, weights: Ints) -> Ints:
            return np.asarray(weights + price * self.batches.count(press_sets))

        while idle < walks and not self._answered:
            before = self.best.count
            if again:
                price = ODD_PRICES[idle % 2]
            for value, press_set in walk(self.sets, estimate, rng, limits):
                self.limits.check()
                if not self._promising(value, press_set):
                    break
                yield self.snapshot()
            idle = idle + 1 if self.best.count == before else 0
