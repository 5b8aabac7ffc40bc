"""Each bulb at most once, over all press sets: an order with the fewest presses, or claim C2.

Idea (theory §7.2, no repeats). Go through the press sets s₀ + ker A, lightest first. A press set
is legal iff each of its components has an order (`clusters`). A refused component K refuses every
press set that agrees on N[K], an affine subspace of the coset (`cuts`): all those are crossed off
at once and never looked at. So few press sets are split: as many as there are local patterns that
refuse, not 2^d.

A component that could not be decided settles nothing: its press set is passed over, and the lower
bound stays at its weight.

Letters: s₀, d, K, N[K] as in `cuts`. Cost. O(d·2^d) for the weights, some milliseconds for every
press set that is split. Beyond 2^LISTED press sets an integer model chooses them
(`ponder.linear.minimum_weight_model`), lightest first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ponder.fewest.clusters import Cluster, Clusters
from ponder.limits import Limits, TimeUp
from ponder.linear.coset import agreeing, coordinates_of, types, weights
from ponder.linear.minimum_weight import BY_MODEL, descend, lightest
from ponder.linear.press_sets import PressSets
from ponder.puzzle.answer import Best
from ponder.puzzle.board import Board
from ponder.puzzle.ordering_problem import Unknown
from ponder.puzzle.press_set_refutations import CosetRefuted
from ponder.puzzle.refutation import LocalRefutation, Refutation, parts_json
from ponder.types import Bits, Ints, Json

LISTED = 20
"""Cosets of at most 2^LISTED press sets are gone through; larger ones have an integer model."""

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
    clusters = Clusters(board, seed=seed, limits=limits)
    search: _Listed | _Modelled
    if sets.nullity <= LISTED:
        search = _Listed(board, sets, clusters)
    else:
        search = _Modelled(board, sets, clusters, seed, limits)
    try:
        return search.run(limits, say)
    except TimeUp as stopped:
        return search.unknown(str(stopped))
    except KeyboardInterrupt:
        return search.unknown("interrupted")


class _Listed:
    """All press sets by their coordinates, and which of them are refuted."""

    def __init__(self, board: Board, sets: PressSets, clusters: Clusters) -> None:
        self.board, self.sets, self.clusters = board, sets, clusters
        self.weights = weights(sets)
        self.types = types(sets.kernel_basis)
        self.refuted = np.zeros(1 << sets.nullity, dtype=np.bool_)
        self.parts: list[tuple[Bits, LocalRefutation]] = []
        self.undecided: int | None = None  # the weight of the lightest undecided press set
        self.split = 0

    def run(self, limits: Limits, progress: Callable[[str], None]) -> Best | CosetRefuted:
        """Go through the press sets, lightest first."""
        for index in np.argsort(self.weights, kind="stable").tolist():
            if self.refuted[index]:
                continue
            if limits.expired:
                return self.unknown("time is up")
            weight = int(self.weights[index])
            progress(f"{self.split} press sets split, {weight} presses or more")
            self.split += 1
            press_set = self.sets.member(coordinates_of(index, self.sets.nullity))
            refused = self.clusters.refused(press_set.astype(int).tolist())
            if not refused:
                return self._solved(press_set, weight)
            self._cross_off(index, press_set, refused)
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
        bound = weight if self.undecided is None else self.undecided
        reason = None if bound == weight else UNDECIDED
        return Best("coset", presses, bound, self._evidence(bound), reason, self._statistics())

    def _evidence(self, bound: int) -> Json:
        if self.sets.nullity == 0:
            return {"kind": "unique-press-set"}
        if bound == int(self.weights.min()):
            return {"kind": "coset-minimum"}
        return {"kind": "coset", "parts": parts_json(self.board, self.parts)}

    def _statistics(self) -> dict[str, object]:
        return {"press_sets": f"2^{self.sets.nullity}", "press_sets_split": self.split}

    def unknown(self, reason: str) -> Best:
        """Return what is known all the same: the least weight that is not refuted."""
        open_ = ~self.refuted
        least = int(np.min(self.weights, where=open_, initial=self.board.graph.size))
        return Best("coset", None, least, self._evidence(least), reason, self._statistics())


class _Modelled:
    """A coset too large to be listed: an integer model names the lightest press set left."""

    def __init__(
        self, board: Board, sets: PressSets, clusters: Clusters, seed: int, limits: Limits
    ) -> None:
        from ponder.linear.minimum_weight_model import CosetModel

        self.clusters, self.model = clusters, CosetModel(sets, seed, limits=limits)
        self.model.hint(descend(sets, np.random.default_rng(seed), limits))
        self.frozen: int | None = None  # the last bound proved before a press set was undecided
        self.nullity, self.split = sets.nullity, 0

    def run(self, limits: Limits, progress: Callable[[str], None]) -> Best:
        """Ask for press sets until one has an order."""
        while not limits.expired:
            chosen = self.model.propose(limits.left())
            if chosen is None:
                if self.model.infeasible:
                    return self.unknown("no press set is left, says CP-SAT; that is not proved")
                break
            progress(f"{self.split} press sets split, {self.bound} presses or more")
            self.split += 1
            counts = chosen.astype(int).tolist()
            refused = self.clusters.refused(counts)
            if not refused:
                return self._solved(chosen)
            if not any(isinstance(why, LocalRefutation) for _, why in refused):
                self.frozen = self.bound
            for cluster, why in refused:
                if isinstance(why, LocalRefutation) or self.frozen is not None:
                    around = [*cluster.bulbs, *self.clusters.beside(cluster.bulbs)]
                    self.model.refuse(chosen, around)
        return self.unknown("time is up")

    @property
    def bound(self) -> int:
        """What is proved of all press sets that have an order."""
        return self.model.bound if self.frozen is None else self.frozen

    def _solved(self, press_set: Bits) -> Best:
        presses = self.clusters.sequence(press_set.astype(int).tolist())
        if presses is None:
            raise RuntimeError("internal error: the press set chosen has no order")
        reason = None if self.bound == presses.size else UNDECIDED
        return self._best(presses, reason)

    def _statistics(self) -> dict[str, object]:
        return {"press_sets": f"2^{self.nullity}", "press_sets_split": self.split}

    def unknown(self, reason: str) -> Best:
        """Return what is known all the same."""
        return self._best(None, reason)

    def _best(self, presses: Ints | None, reason: str | None) -> Best:
        return Best("coset", presses, self.bound, dict(BY_MODEL), reason, self._statistics())
