"""Each bulb at most once, over all press sets: an order with the fewest presses, or claim C2.

Idea (theory §7.2, no repeats). Go through the press sets s₀ + ker A, lightest first. A press set
is legal iff each of its components has an order (`clusters`). A refused component K refuses every
press set that agrees on N[K], an affine subspace of the coset (`cuts`): all those are crossed off
at once and never looked at. So few press sets are split: as many as there are local patterns that
refuse, not 2^d.

A component that could not be decided settles nothing: its press set is passed over, and the lower
bound stays at its weight.

An order of some press set, which need not be the lightest, is often found at once (`some_order`)
where the lightest is far. So where the lightest does not come out soon, or the coset is too large
to be listed, such an order is looked for first; it is the answer when nothing better is proved in
time. Beyond 2^PROVED press sets the lightest is out of reach, and the search ends when lighter
ones are no longer found easily.

Letters: s₀, d, K, N[K] as in `cuts`. Cost. O(d·2^d) for the weights, some milliseconds for every
press set that is split. Beyond 2^LISTED press sets an integer model chooses them
(`ponder.linear.minimum_weight_model`), lightest first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ponder.errors import NeedsMemory
from ponder.fewest.clusters import Cluster, Clusters, refuse_all_neighbours
from ponder.fewest.some_order import SomeOrder
from ponder.limits import Limits, TimeUp
from ponder.linear.coset import agreeing, coordinates_of, types, weights
from ponder.linear.minimum_weight import BY_MODEL, descend, lightest
from ponder.linear.press_sets import PressSets
from ponder.puzzle.answer import Best
from ponder.puzzle.board import Board
from ponder.puzzle.bound_evidence import CosetMinimum, LighterRefuted, UniquePressSet
from ponder.puzzle.evidence import Bound
from ponder.puzzle.ordering_problem import Unknown
from ponder.puzzle.press_set_refutations import CosetRefuted
from ponder.puzzle.refutation import LocalRefutation, Refutation
from ponder.types import Bits, Ints

LISTED = 20
"""Cosets of at most 2^LISTED press sets are gone through; larger ones have an integer model."""

PROVED = 32
"""Of at most 2^PROVED press sets the lightest is looked for even when an order is at hand."""

SOON = 0.5
"""Seconds for the lightest press set, before any other with an order is looked for."""

FINDING_SECONDS, FINDING_SHARE = 5.0, 0.5
"""Time for a first order of any press set: without a limit, and of what is left of one."""

IMPROVING_SECONDS, IMPROVING_SHARE = 0.4, 0.02
"""Time for lighter ones: at least, and of what is left of a limit."""

NOT_PROVED = "the lightest of so many press sets is not known"

UNDECIDED = "some press sets could be neither ordered nor refuted"


def once(
    board: Board,
    sets: PressSets,
    *,
    seed: int = 0,
    timeout: float | Limits | None = None,
    progress: Callable[[str], None] | None = None,
) -> Best | CosetRefuted:
    """Return an order of the lightest press set that has one, or the proof that none has.

    `sets` are the board's press sets. There is only a bound when time is up, on KeyboardInterrupt,
    or when nothing was found and some press set could be neither ordered nor refuted.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0000"] * 4, "plus")
    >>> found = once(board, press_sets(board))
    >>> found.presses.size, found.lower_bound, found.statistics["press_sets_split"]
    (4, 4, 1)
    """
    say = progress or (lambda text: None)
    if board.rule == "any":
        return lightest(board, sets, seed=seed, timeout=timeout, progress=progress)
    limits = Limits.of(timeout)
    search: _Listed | _Modelled | _Unlisted
    try:
        refuse_all_neighbours(board)
    except NeedsMemory as refused:
        some = SomeOrder(board, sets, seed=seed, limits=limits)
        search = _Unlisted(sets, some, str(refused))
    else:
        clusters = Clusters(board, seed=seed, limits=limits)
        some = SomeOrder(board, sets, clusters, seed=seed, limits=limits)
        if sets.nullity <= LISTED:
            search = _Listed(board, sets, clusters, some)
        else:
            search = _Modelled(board, sets, clusters, some, seed)
    try:
        return search.run(limits, say)
    except TimeUp as stopped:
        return search.unknown(str(stopped))
    except KeyboardInterrupt:
        return search.unknown("interrupted")


def _some_order(some: SomeOrder, limits: Limits, say: Callable[[str], None]) -> None:
    """Look for an order of any press set, and for lighter ones."""
    if not some.sets.nullity:
        return  # the only press set has had its turn
    left = limits.left(FINDING_SHARE)
    some.find(limits.sooner(FINDING_SECONDS if left is None else left), say)
    share = limits.left(IMPROVING_SHARE) or 0.0
    some.improve(limits.sooner(max(IMPROVING_SECONDS, share)), say)


class _Listed:
    """All press sets by their coordinates, and which of them are refuted."""

    def __init__(self, board: Board, sets: PressSets, clusters: Clusters, some: SomeOrder) -> None:
        self.board, self.sets, self.clusters, self.some = board, sets, clusters, some
        self.weights = weights(sets)
        self.types = types(sets.kernel_basis)
        self.refuted = np.zeros(1 << sets.nullity, dtype=np.bool_)
        self.parts: list[tuple[Bits, LocalRefutation]] = []
        self.undecided: int | None = None  # the weight of the lightest undecided press set
        self.split = 0

    def run(self, limits: Limits, progress: Callable[[str], None]) -> Best | CosetRefuted:
        """Go through the press sets, lightest first."""
        soon: Limits | None = limits.sooner(SOON)
        for index in np.argsort(self.weights, kind="stable").tolist():
            if self.refuted[index]:
                continue
            if limits.expired:
                return self.unknown("time is up")
            if soon is not None and soon.expired:
                soon = None
                _some_order(self.some, limits, progress)
            weight = int(self.weights[index])
            if self.some.weight is not None and weight >= self.some.weight:
                break
            progress(f"{self.split} press sets split, {weight} presses or more")
            self.split += 1
            press_set = self.sets.member(coordinates_of(index, self.sets.nullity))
            refused = self.clusters.refused(press_set.astype(int).tolist())
            if not refused:
                return self._solved(press_set, weight)
            self._cross_off(index, press_set, refused)
        if self.some.weight is not None:
            return self._best(self.some.presses, self.some.weight, UNDECIDED)
        if self.undecided is not None:
            return self.unknown(UNDECIDED)
        return CosetRefuted(self.refuted.size, tuple(self.parts))

    def _cross_off(
        self, index: int, press_set: Bits, refused: list[tuple[Cluster, Refutation | Unknown]]
    ) -> None:
        """Refute all press sets that agree with one of its refused components."""
        for cluster, why in refused:
            if not isinstance(why, LocalRefutation):
                continue
            around = [*cluster.bulbs, *self.clusters.beside(cluster.bulbs)]
            same = agreeing(index, self.types[around].tolist(), self.sets.nullity)
            if not self.refuted[same].all():
                self.parts.append((press_set, why))  # first: an interruption may come between
                self.refuted[same] = True
        if not self.refuted[index] and self.undecided is None:
            self.undecided = int(self.weights[index])

    def _solved(self, press_set: Bits, weight: int) -> Best:
        presses = self.clusters.sequence(press_set.astype(int).tolist())
        if presses is None:
            raise RuntimeError("internal error: the press set chosen has no order")
        return self._best(presses, weight, UNDECIDED)

    def _best(self, presses: Ints | None, least: int, reason: str) -> Best:
        """Return presses, and that no press set of fewer than `least` presses has an order."""
        bound = least if self.undecided is None else min(self.undecided, least)
        met = presses is not None and bound == presses.size
        return Best(
            "coset",
            presses,
            bound,
            self._evidence(bound),
            None if met else reason,
            self._statistics(),
        )

    def _evidence(self, bound: int) -> Bound:
        if self.sets.nullity == 0:
            return UniquePressSet()
        if bound == int(self.weights.min()):
            return CosetMinimum()
        return LighterRefuted(tuple(self.parts))

    def _statistics(self) -> dict[str, object]:
        return {"press_sets": f"2^{self.sets.nullity}", "press_sets_split": self.split}

    def unknown(self, reason: str) -> Best:
        """Return what is known all the same: an order at hand, the least weight not refuted."""
        open_ = ~self.refuted
        least = int(np.min(self.weights, where=open_, initial=self.board.graph.size))
        if self.some.weight is not None:
            least = min(least, self.some.weight)
        return self._best(self.some.presses, least, reason)


class _Unlisted:
    """A board with too many bulbs for the search by clusters: some order, or none."""

    def __init__(self, sets: PressSets, some: SomeOrder, refused: str) -> None:
        self.sets, self.some, self.refused = sets, some, refused

    def run(self, limits: Limits, progress: Callable[[str], None]) -> Best:
        """Look for some order; there is no bound."""
        _some_order(self.some, limits, progress)
        return self.unknown(self.refused)

    def unknown(self, reason: str) -> Best:
        """Return what is known."""
        statistics: dict[str, object] = {"press_sets": f"2^{self.sets.nullity}"}
        return Best("coset", self.some.presses, reason=reason, statistics=statistics)


class _Modelled:
    """A coset too large to be listed: an integer model names the lightest press set left."""

    def __init__(
        self, board: Board, sets: PressSets, clusters: Clusters, some: SomeOrder, seed: int
    ) -> None:
        self.sets, self.clusters, self.some, self.seed = sets, clusters, some, seed
        self.bound = 0  # what is proved of all press sets that have an order
        self.frozen = False  # whether some press set is undecided: then the bound stays
        self.split = 0

    def run(self, limits: Limits, progress: Callable[[str], None]) -> Best:
        """Find some order, then ask for press sets until one has an order."""
        from ponder.linear.minimum_weight_model import CosetModel

        _some_order(self.some, limits, progress)
        if self.some.presses is not None and self.sets.nullity > PROVED:
            return self.unknown(NOT_PROVED)
        model = CosetModel(self.sets, self.seed, limits=limits)
        start = self.some.press_set
        if start is None:
            start = descend(self.sets, np.random.default_rng(self.seed), limits)
        model.hint(start)
        while not limits.expired:
            chosen = model.propose(limits.left())
            if chosen is None and model.infeasible:
                if self.some.presses is None:
                    return self.unknown("no press set is left, says CP-SAT; that is not proved")
                break
            if not self.frozen:
                self.bound = model.bound
            if chosen is None or self._met:
                break
            progress(f"{self.split} press sets split, {self.bound} presses or more")
            self.split += 1
            counts = chosen.astype(int).tolist()
            refused = self.clusters.refused(counts)
            if not refused:
                return self._solved(chosen)
            if not any(isinstance(why, LocalRefutation) for _, why in refused):
                self.frozen = True
            for cluster, why in refused:
                if isinstance(why, LocalRefutation) or self.frozen:
                    around = [*cluster.bulbs, *self.clusters.beside(cluster.bulbs)]
                    model.refuse(chosen, around)
        return self.unknown("time is up" if limits.expired else UNDECIDED)

    @property
    def _met(self) -> bool:
        """Whether the order at hand is proved to be the shortest."""
        return self.some.weight is not None and self.bound >= self.some.weight

    def _solved(self, press_set: Bits) -> Best:
        presses = self.clusters.sequence(press_set.astype(int).tolist())
        if presses is None:
            raise RuntimeError("internal error: the press set chosen has no order")
        if self.some.weight is not None and self.some.weight <= presses.size:
            presses = self.some.presses
        return self._best(presses, UNDECIDED)

    def unknown(self, reason: str) -> Best:
        """Return what is known all the same: an order at hand, and the bound."""
        return self._best(self.some.presses, reason)

    def _best(self, presses: Ints | None, reason: str) -> Best:
        count = None if presses is None else int(presses.size)
        bound = self.bound if count is None else min(self.bound, count)
        statistics = {
            "press_sets": f"2^{self.sets.nullity}",
            "press_sets_split": self.split,
            "candidates": self.some.candidates,
        }
        met = bound == count
        return Best("coset", presses, bound, BY_MODEL, None if met else reason, statistics)
