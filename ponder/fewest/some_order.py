"""Some press set with an order, when the lightest is far: found by draws, and made lighter.

Idea (theory §7.10). Press sets without odd components come from a walk through the coset
(`random_subspaces`). Where the pressed graph is dense nearly all of them have an order, so a
candidate is given to quick methods alone. One that they cannot order is put aside for the exact
search by spanning trees, which is asked when the walk has come to its end without an order. Then
lighter ones are looked for; only the last of them is ordered.

What is found is an order, replayed like any other; that it is the shortest nobody says here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ponder.cosets.random_subspaces import CosetWalk
from ponder.fewest.clusters import Clusters
from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear.press_sets import PressSets
from ponder.ordering.blocks import split
from ponder.ordering.engine import IN_A_HURRY, find_order
from ponder.puzzle.board import Board
from ponder.puzzle.effort import Effort, Log
from ponder.puzzle.ordering_problem import Order, OrderingProblem, Unknown
from ponder.puzzle.refutation import Refutation
from ponder.types import Bits, Ints

ASIDE = 4
"""So many candidates that quick methods leave open are kept for the exact search."""

STALE = 0.25
"""The search for lighter press sets ends when it has found none for so many seconds, ..."""
STALE_SHARE = 0.5
"""... and for this share of the time that it has taken."""

ROUNDS = 4
"""New walks end when so many in a row have found nothing better."""

ORDERING_SHARE = 0.5
"""The same search orders what it finds at once as long as that takes no more of its time."""


class SomeOrder:
    """The best order found so far, of any press set; `presses` is None while there is none.

    Without `clusters` no candidate is given to the exact search: where there are too many bulbs for
    their neighbours to be listed.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "king")
    >>> sets = press_sets(board)
    >>> some = SomeOrder(board, sets, seed=1)
    >>> some.find(Limits(5.0))
    True
    >>> some.improve(Limits(0.2))
    >>> some.presses.size
    4
    """

    def __init__(
        self,
        board: Board,
        sets: PressSets,
        clusters: Clusters | None = None,
        *,
        seed: int = 0,
        limits: Limits = NEVER,
        log: Log | None = None,
    ) -> None:
        self.board, self.sets, self.clusters = board, sets, clusters
        self.seed, self.limits, self.log = seed, limits, log or Log()
        self.press_set: Bits | None = None
        self.presses: Ints | None = None
        self.candidates = 0
        self._aside: list[Bits] = []

    @cached_property
    def walk(self) -> CosetWalk:
        """The walk through the coset."""
        return CosetWalk(self.board, self.sets, seed=self.seed)

    @property
    def weight(self) -> int | None:
        """The number of presses of the order at hand."""
        return None if self.presses is None else int(self.presses.size)

    def find(self, limits: Limits, progress: Callable[[str], None] = lambda text: None) -> bool:
        """Look for a first order until there is one or time is up; say whether there is one."""
        if self.presses is not None:
            return True
        try:
            while not limits.expired and len(self._aside) < ASIDE:
                progress(f"looking for a press set with an order, {self.candidates} tried")
                press_set = self.walk.without_odd(limits)
                if press_set is not None and self.take(press_set, limits):
                    return True
        except TimeUp:
            pass
        # what quick methods could not order may still have an order
        while self.clusters is not None and self._aside and not self.limits.expired:
            press_set = self._aside.pop(0)
            presses = self.clusters.sequence(press_set.astype(int).tolist())
            if presses is not None:
                self.press_set, self.presses = press_set, presses
                return True
        return False

    def improve(self, limits: Limits, progress: Callable[[str], None] = lambda text: None) -> None:
        """Look for lighter press sets with an order, until time is up or it finds no more."""
        if self.press_set is None:
            return
        clock, found_at, ordering = Limits(None), 0.0, 0.0
        current = self.press_set
        unordered: list[Bits] = []  # lighter than the order at hand
        try:
            while clock.elapsed - found_at <= max(STALE, STALE_SHARE * clock.elapsed):
                limits.check()
                at_once = ordering <= ORDERING_SHARE * clock.elapsed
                good = self.take if at_once else self.fits
                began = clock.elapsed
                for press_set in self.walk.lighter(current, limits):
                    if good(press_set, limits):
                        current, found_at = press_set, clock.elapsed
                        unordered = [] if at_once else [*unordered, press_set]
                        progress(f"an order of {self.weight} presses, looking for fewer")
                        break
                if at_once:
                    ordering += clock.elapsed - began
        except TimeUp:
            pass
        step = 1
        while unordered and not self.limits.expired:
            if self.take(unordered[-1], self.limits):
                break
            del unordered[-step:]
            step *= 2

    def start_again(self, limits: Limits, progress: Callable[[str], None] = lambda _: None) -> None:
        """Look for lighter ones among press sets of least estimate, each round by another walk.

        It ends when some rounds in a row have found nothing better, or when time is up.
        """
        idle = number = 0
        while idle < ROUNDS and not limits.expired:
            number += 1
            walk = CosetWalk(self.board, self.sets, seed=[self.seed, number])
            before = self.weight
            for estimate, press_set in walk.few_by_estimate(limits):
                if self.weight is not None and estimate >= self.weight:
                    break
                try:
                    if np.count_nonzero(press_set) == estimate and self.take(press_set, limits):
                        break
                except TimeUp:
                    return
            idle = 0 if self.weight != before else idle + 1
            progress(f"an order of {self.weight} presses, looking for fewer")

    def fits(self, press_set: Bits, limits: Limits) -> bool:
        """Return whether counting alone refuses no block of a press set; TimeUp."""
        problem = OrderingProblem.of_board(self.board, press_set)
        return not isinstance(split(problem, limits), Refutation)

    def take(self, press_set: Bits, limits: Limits) -> bool:
        """Order a press set by quick methods, and keep the order; False where they find none."""
        self.candidates += 1
        problem = OrderingProblem.of_board(self.board, press_set)
        effort = Effort(self.seed + self.candidates, limits, log=self.log)
        answer, _ = find_order(problem, effort, without=IN_A_HURRY)
        if isinstance(answer, Unknown) and len(self._aside) < ASIDE:
            self._aside.append(press_set)
        if not isinstance(answer, Order):
            return False
        self.press_set, self.presses = press_set, answer.bulbs(problem)
        return True
