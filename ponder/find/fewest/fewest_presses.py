"""The fewest legal presses on any graph, repeats allowed, with a proved lower bound (claim C3).

Idea (theory §7). The press counts are m = s + 2e for a press set s ∈ s₀ + ker A; they are legal iff
every cluster has an order (`clusters`). Press sets are examined best first, by a heap of lower
bounds on what they need, which are raised only as far as they must be:

    played     a legal sequence, whatever it takes (`legal_sequence`); on wide boards it is repaired
    listed     the weight |s|, of all press sets at once (`ponder.find.cosets.best_first`)
    examined   split, ordered, repaired, and asked of the oracle, one by one (`examination`)

The least of all bounds is proved at every moment, and so is the best sequence found (`findings`).
Letters: s, s₀, m, e as in `odd_components`; |s| the weight.
Cost. Splitting a press set takes 0.3 ms on a 19×19 board, the rest some milliseconds.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ponder.check.evidence.coset_minimum import UniquePressSet
from ponder.check.evidence.presses_modulo_four import raised
from ponder.check.kinds import Bound
from ponder.check.result import Step
from ponder.find.cosets.annealing import CosetSearch
from ponder.find.cosets.best_first import ByNeed
from ponder.find.cosets.coset import IN_VAIN, SEARCHED, LighterThan, listed_in_time
from ponder.find.fewest.clusters import Clusters, refuse_all_neighbours
from ponder.find.fewest.examination import SPARE, TRIES, SearchNode
from ponder.find.fewest.incumbent import Incumbent
from ponder.find.fewest.legal_sequence import legal_sequences
from ponder.find.fewest.odd_components import savings
from ponder.find.fewest.plays import neighbour_index
from ponder.find.linear.press_sets import PressSets
from ponder.find.search.context import TELLING, SearchContext
from ponder.find.search.outcome import Found, SearchOutcome, Steps, ended, improving
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits, NeedsMemory, TimeUp
from ponder.system.printable import pluralise
from ponder.system.types import Bits

_FIRST = 8  # press sets that are repaired at once as long as none has been
_WIDE = 1 << 15  # bulbs of a board whose repair takes seconds
_PART, _PARTS = 1 << 12, 16  # the fewest of its bulbs repaired together, and the most parts
_SEARCHING = 0.2  # of the time, for press sets of least estimate
_SAVED = 16  # presses that saving trees may save, where somebody looks for them


def fewest(
    board: Board,
    sets: PressSets,
    context: SearchContext | None = None,
    *,
    at_most: int | None = None,
    least: int = 0,
    remainder: int | None = None,
) -> SearchOutcome:
    """Return a legal sequence with the fewest presses, or the best one found and a lower bound.

    `sets` are the press sets of the board, which has no dead end. With `at_most` the search ends
    once it is known whether that many presses suffice. It also ends, with what is known, when time
    is up and on KeyboardInterrupt. If `least` presses are known to be needed, a sequence of `least`
    ends the search; so does one of its own bound, raised to the `remainder` that all sequences have
    modulo 4. The bound returned is the search's own, not raised. The log holds which stage found a
    better sequence, and how clusters are ordered. Raises ValueError under the rule `any`.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0000"], "plus")
    >>> found = fewest(board, press_sets(board))
    >>> found.presses.size, found.lower_bound
    (2, 2)
    """
    context = context or SearchContext()
    steps = fewest_found(board, sets, context, at_most, least, remainder)
    return ended(improving(steps, context.progress))


def fewest_found(
    board: Board,
    sets: PressSets,
    context: SearchContext,
    at_most: int | None,
    least: int,
    remainder: int | None = None,
) -> Steps[SearchOutcome]:
    """Yield what is found on the way to that outcome, and return it."""
    context = replace(context, limits=context.limits.before(TELLING * board.graph.size))
    search = _FewestPressesSearch(board, sets, context, at_most, least, remainder)
    reason: str | None
    try:
        search.play(context.prompt(board.graph.size))
        yield search.found
        reason = yield from search.run()
    except TimeUp:
        reason = "time is up"
    except NeedsMemory as stopped:
        reason = str(stopped)
    except KeyboardInterrupt:
        reason = "interrupted"
    return search.result(reason)


class _FewestPressesSearch:
    """One call of `fewest`: all press sets and what is known of them."""

    def __init__(
        self,
        board: Board,
        sets: PressSets,
        context: SearchContext,
        at_most: int | None,
        least: int,
        remainder: int | None,
    ) -> None:
        self.board, self.sets, self.at_most, self.known = board, sets, at_most, least
        self.remainder = remainder
        self.seed, self.limits, self.log = context.seed, context.limits, context.log
        self.progress = context.progress
        self.clusters = Clusters(board, context)
        self.findings = Incumbent(board, self.clusters, self.limits, random.Random(self.seed))
        self.heap: list[SearchNode] = []
        self.examined = 0
        self.busy: int | None = None  # what is proved of the press set in hand
        self._logged = (Limits(None), 0)
        self.coset = CosetSearch(board, sets, seed=self.seed)
        self.source: ByNeed | None = None
        self.light: LighterThan | None = None  # the light press sets that were listed by lines
        self.unlisted: tuple[int, int] | None = None  # presses and bound when they were asked for
        self.listed = True  # whether all press sets are to be weighed

    @property
    def _bound(self) -> int:
        """A lower bound on the presses of every legal sequence that this search has proved."""
        known = (self._open, self.busy, self.findings.undecided, self.findings.count)
        return min(bound for bound in known if bound is not None)

    @property
    def bound(self) -> int:
        """The better of that bound and the one from elsewhere."""
        return max(self.known, self._raised(self._bound))

    def _raised(self, bound: int) -> int:
        """Return the least number of presses from `bound` on that a sequence can have."""
        known = self.remainder is not None and bound > 0
        return raised(bound, self.remainder or 0) if known else bound

    @property
    def _open(self) -> int | None:
        """The least bound of press sets that are still open; None when there are none."""
        if self.source is not None:
            floor = self.source.floor
        else:  # what is proved before any press set is listed
            floor = 0 if self.sets.nullity else int(np.count_nonzero(self.sets.particular))
        known = [self.heap[0].bound] if self.heap else []
        return min(known if floor is None else [*known, floor], default=None)

    @property
    def _known_met(self) -> bool:
        """Whether the best sequence has as few presses as is known to be needed from elsewhere."""
        count = self.findings.count
        return count is not None and count <= self.known

    def play(self, limits: Limits) -> None:
        """Find a first legal sequence, by playing a press set that is at hand. Raises TimeUp."""
        near = neighbour_index(self.board, limits)
        if isinstance(near, list):
            self.clusters.near = near
        press_set, rng = self.sets.particular, random.Random(self.seed)
        for presses in legal_sequences(self.board, press_set, near, rng, limits):
            self.findings.offer(presses, "play")
        if self.findings.count is None:
            raise RuntimeError("internal error: no legal sequence, and yet no dead end")

    def run(self) -> Steps[str | None]:
        """Search until the answer is known; return why it is not, otherwise."""
        self.limits.check()
        refuse_all_neighbours(self.board)
        yield from self._mend_play()
        if (weight := int(np.count_nonzero(self.sets.particular))) <= self.known:
            yield from self._try_promising([(weight, self.sets.particular)])
        self.listed = listed_in_time(self.sets.nullity, self.limits)
        if not self.listed or self.sets.nullity > SEARCHED:
            yield from self._search_by_estimate(briefly=self.listed)
        if self.listed and not self._known_met:
            self.source = ByNeed(
                self.board, self.sets, lambda: self._enough, self.limits, self.progress
            )
            yield from self._try_promising(self.source.promising())
        while True:
            still_open, count = self._open, self.findings.count
            if self._known_met:
                return None
            if count is not None and (still_open is None or count <= self._raised(still_open)):
                undecided = self.findings.undecided
                doubt = undecided is not None and undecided < count
                return "some clusters could not be decided" if doubt else None
            if self.at_most is not None and (
                self.bound > self.at_most or (count is not None and count <= self.at_most)
            ):
                return None if self.bound == count else "the question was answered"
            if self.limits.expired:
                return "time is up"
            yield self.found
            self.busy = still_open  # an interruption must not lose the press set in hand
            advanced = self._advance()
            self.busy = None
            if not advanced and self._open == still_open:  # a look alone may settle it
                light = self.light  # all of it is done: more of them
                if self.listed or light is not None:
                    yield from self._search_by_estimate()
                if self.light is light:
                    return self.coset.reason

    def _search_by_estimate(self, *, briefly: bool = False) -> Steps[None]:
        """Mend press sets of least estimate; `briefly`, by one restart. Raises TimeUp."""
        clock = self.limits.share(_SEARCHING) if briefly else self.limits
        for found in self.coset.restarts(lambda: self.findings.count, clock):
            yield from self._try_promising(found)
            if briefly or self._known_met:
                return
            if not self.listed and self.coset.idle >= IN_VAIN and self._list():
                assert self.source is not None
                yield from self._try_promising(self.source.promising())
                return

    def _list(self) -> bool:
        """List more press sets that may need fewer than is known; False where that takes long."""
        count, least = self.findings.count, self.bound
        if count is None or (count, least) == self.unlisted:
            return False
        self.unlisted = count, least
        found = LighterThan.by_lines(
            self.board, self.sets, self._enough or 0, least, self.limits, self.light
        )
        if found is not None:
            self.light = found
            self.source = ByNeed(
                self.board, self.sets, lambda: self._enough, self.limits, source=found
            )
        return found is not None

    @property
    def _enough(self) -> int | None:
        """A bound that proves the best sequence best."""
        count = self.findings.count
        return count if count is None or self.remainder is None else max(1, count - 3)

    def _try_promising(self, promising: Iterable[tuple[int, Bits]]) -> Steps[None]:
        """Mend press sets that need few presses by estimate. Raises TimeUp."""
        for estimate, press_set in promising:
            count, counts = self.findings.count, press_set.astype(int).tolist()
            if count is not None and count <= estimate and count <= self._needed(counts, estimate):
                continue
            refused = self.findings.judge(counts)
            self.findings.repair(counts, len(refused) + SPARE, TRIES)
            yield self.found

    def _needed(self, counts: list[int], estimate: int) -> int:
        """Return what a press set needs after what may be saved: nearly always no more is needed.

        The estimate itself where that is too much to be saved.
        """
        if (self.findings.count or 0) + _SAVED < estimate:
            return estimate
        return sum(counts) + 2 * savings(self.clusters, self.clusters.of(counts)).least

    def _advance(self) -> bool:
        """Take the press set with the least bound one step further; False when there is none."""
        source = self.source
        floor = None if source is None else source.floor
        if source is not None and (
            not self.heap or (floor is not None and floor <= self.heap[0].bound)
        ):
            following = source.take()
            if following is None and self.listed and self._extend(source):
                return True
            following = following or source.take(ahead=True)
            if following is not None:
                self._examine(*following)
                return True
        if self.heap:
            self._step(heapq.heappop(self.heap))
            return True
        return False

    def _extend(self, source: ByNeed) -> bool:
        """Try many of the press sets that are listed, and list more; False where that is long."""
        if source.by_weight.beyond is None:
            return False
        for _ in self._try_promising(source.promising(many=True)):
            self.limits.check()
        return source.extend()

    @property
    def found(self) -> Found:
        """What is known at this moment."""
        self._log(self.findings.count)
        return Found(self.findings.count, self.bound, self.findings.sequence)

    def _log(self, count: int | None) -> None:
        """Tell which stage found a better sequence, and how long it took."""
        clock, known = self._logged
        if count is not None and count != known:
            self.log.append(Step(self.findings.by, pluralise(count, "press"), clock.elapsed))
            self._logged = (Limits(None), count)

    def _examine(self, index: int, press_set: Bits) -> None:
        """Split a press set into clusters and bound what the odd ones cost."""
        self.examined += 1
        member = SearchNode.of(self.clusters, index, press_set)
        self.findings.split = member.found
        if self.busy is not None:  # a batch may have said more
            self.busy = member.bound = max(member.bound, self.busy)
        if self.findings.incumbent is None and self.examined <= _FIRST:  # before any proof
            self._step(member)
        else:
            self._push(member)

    def _step(self, member: SearchNode) -> None:
        """Take a press set one step further."""
        if member.step(self.findings):
            self._push(member)

    def _mend_play(self) -> Steps[None]:
        """On a large board mend the play part by part, in half of the time left. Raises TimeUp."""
        presses = self.findings.at_hand
        if presses is None or self.board.graph.size < _WIDE or not presses.size:
            return
        counts, half = self.clusters.learn(presses), self.limits.share(0.5)
        together = max(_PART, len(counts) // _PARTS)
        for start in range(0, len(counts), together):
            if half.expired:
                break
            part = slice(start, start + together)
            tried = counts.copy()
            tried[part] = [m & 1 for m in counts[part]]
            self.findings.repair(tried, together, 1)
            counts = self.findings.incumbent or counts
            yield self.found

    def _push(self, member: SearchNode) -> None:
        count = self.findings.count
        if count is None or member.bound < count:
            heapq.heappush(self.heap, member)

    def result(self, reason: str | None) -> SearchOutcome:
        self.clusters.limits = NEVER  # the findings must still be reported
        findings, bound = self.findings, self._bound
        try:
            presses = findings.sequence()
        except KeyboardInterrupt:  # the findings are still reported
            presses, reason = findings.sequence(), "interrupted"
        self._log(findings.count)
        statistics: dict[str, object] = {
            "sequence_by": findings.by,
            "press_sets": f"2^{self.sets.nullity}",
            "press_sets_examined": self.examined,
            "master_rounds": findings.rounds,
            "cuts": len(findings.refusals),
        }
        evidence: Bound | None
        if self.source is not None:
            evidence = findings.evidence(self.source.by_weight, bound)
        else:
            evidence = None if self.sets.nullity else UniquePressSet()
        return SearchOutcome("clusters", presses, bound, evidence, reason, statistics)
