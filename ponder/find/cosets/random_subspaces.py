"""A walk through a coset too large to be listed, by one random subspace of it at a time.

Idea (theory §7.10). Of a press set s and r quiet patterns one transform weighs all of s + span, so
each step is the exact best of 2^12 to 2^16 neighbours. What is walked towards:

    `light`            light press sets, in any order: move to one of the lightest
    `few_by_estimate`  few presses with repeats: |s| + 2·(odd components), which nearly all press
                       sets need; the lightest are labelled together, and the least is next

Cost. A step is a transform, 1 to 3 ms, and the labels of up to `LABELLED` bulbs, 5 to 50 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from ponder.find.cosets.coset import press_set_of, press_sets_of, transform
from ponder.find.linear.kernels import SpannedKernel, unit_vectors
from ponder.find.linear.press_sets import PressSets
from ponder.find.ordering.odd_component_batches import OddComponents
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints

SMALLEST, LARGEST = 12, 16  # r: the quiet patterns that span a subspace, where there are as many
LABELLED, FEWEST = 1 << 17, 8  # bulbs that a step labels; the fewest press sets of a step
MOST_ESTIMATED = 60  # and at most

_HELD = 1 << 26  # bytes of quiet patterns that are kept


class CosetWalk:
    """Walks through the press sets of a board.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus")
    >>> walk = CosetWalk(board, press_sets(board), seed=1)
    >>> int(np.count_nonzero(walk.light(Limits(None))))
    15
    >>> walk.few_by_estimate(Limits(None))[0][0]
    15
    """

    def __init__(self, board: Board, sets: PressSets, *, seed: int | list[int] = 0) -> None:
        self.board = board
        self.sets = sets
        self.rng: np.random.Generator = np.random.default_rng(seed)

    @cached_property
    def _basis(self) -> Bits | None:
        kept = self.sets.nullity * self.board.graph.size <= _HELD
        return self.sets.kernel_basis if kept else None

    @cached_property
    def odd_later(self) -> Bits:
        """The parities t of the later neighbours. Raises ValueError under the rule `any`."""
        if self.board.odd_later is None:
            raise ValueError("under the rule 'any' every order is legal: nothing to order")
        return self.board.odd_later

    @cached_property
    def components(self) -> OddComponents:
        """What counts the odd components."""
        return OddComponents(self.board.graph, self.odd_later)

    # ------------------------------------------------------------------------ light press sets

    def light(self, limits: Limits = NEVER, patience: int = 300) -> Bits:
        """Return a light press set, (n,), when a number of steps in a row have found none lighter.

        However little time is left, one is returned.
        """
        best = current = self.sets.particular
        weight, idle = int(np.count_nonzero(best)), 0
        if self.sets.nullity <= LARGEST:
            patience = min(1, self.sets.nullity)  # one step looks at all members
        while idle < patience and not limits.expired:
            around = self.subspace(current)
            found = transform(around).lightest(keep=64)
            current = press_set_of(around, int(self.rng.choice(found.members)))
            idle += 1
            if found.weight < weight:
                best, weight, idle = current, found.weight, 0
        return best

    def few_by_estimate(
        self, limits: Limits, most: int = 12, patience: int = 80
    ) -> list[tuple[int, Bits]]:
        """Return the press sets of least estimate that were met, and the estimates, least first.

        The search ends when some steps in a row have found no better one, or when time is up.
        """
        met: dict[bytes, tuple[int, Bits]] = {}
        current, present, idle = self.sets.particular, 1 << 40, 0
        at_once = min(MOST_ESTIMATED, max(FEWEST, LABELLED // max(1, self.board.graph.size)))
        try:
            while idle < patience:
                limits.check()
                members, weight = self.nearest(self.subspace(current), at_once)
                estimates = weight + 2 * self.components.count(members, limits)
                for k in np.argsort(estimates, kind="stable")[:most].tolist():
                    met[members[k].tobytes()] = int(estimates[k]), members[k]
                best = int(np.argmin(estimates))
                idle = idle + 1 if estimates[best] >= present else 0
                if estimates[best] <= present:  # it sinks slowly and never rises
                    present, current = int(estimates[best]), members[best]
                met = dict(sorted(met.items(), key=lambda item: item[1][0])[:most])
        except TimeUp:
            pass
        return list(met.values())

    def subspace(self, press_set: Bits) -> PressSets:
        """Return the press sets around one that differ by a random subspace."""
        d = self.sets.nullity
        r = min(d, int(self.rng.integers(SMALLEST, LARGEST + 1)))
        chance = self.rng.random()
        if r < d and chance < 0.25:
            patterns = self.sets.kernel.combine(self.rng.random((r, d)) < 0.5)
        else:  # patterns that follow each other are near each other
            near = (self.rng.integers(d) + np.arange(r)) % d
            places = near if chance < 0.5 else self.rng.permutation(d)[:r]
            if self._basis is not None:
                patterns = self._basis[places]
            else:
                patterns = self.sets.kernel.combine(unit_vectors(places, d))
        return PressSets(press_set, SpannedKernel(patterns))

    def nearest(self, around: PressSets, most: int) -> tuple[Bits, Ints]:
        """Return some of the lightest press sets of a subspace, at least one: (m, n); weights."""
        listed = transform(around)
        found = listed.lighter(self.board.graph.size + 1, most)
        members, weight = found.members, found.weights
        if not members.size:
            least = listed.lightest(most)
            members, weight = least.members, np.full(least.members.size, least.weight)
        return press_sets_of(around, members), weight


def walks(
    board: Board,
    sets: PressSets,
    seed: int,
    known: Callable[[], int | None],
    rounds: int,
    first: int = 0,
) -> Iterator[CosetWalk]:
    """Yield walks, the first by the seed alone, until `rounds` in a row found nothing better."""
    idle, number = 0, first
    while idle < rounds:
        before = known()
        yield CosetWalk(board, sets, seed=[seed, number] if number else seed)
        idle, number = idle + 1 if known() == before else 0, number + 1
