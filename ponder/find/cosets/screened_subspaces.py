"""Press sets without odd components, among millions that are looked at for small ones alone.

Idea (theory §7.10). Of a light press set S and r light quiet patterns one transform gives all light
members of S + span. Laid side by side, those with an odd component of one bulb or two are dropped,
half a microsecond each (`small_components`), and the few that are left are labelled. Those without
odd components are what is sought. Of the others some of the least |S| + PRICE·(odd components) are
kept in a pool, from which S is drawn, the better the likelier. Patterns are drawn by what they do
to |S|, as in `annealing`.

Where boards are dense and quiet patterns of middling weight, as on tori of king, a step changes
most components, and looking at many press sets is worth more than a walk that weighs each step.
Where nearly all press sets have small odd components, as on wide boards of plus, nothing is found.

Letters: S, r as above; n bulbs; M patterns.
Cost. A step is a transform of 2^r, 1 to 4 ms, and 0.5 µs for each light member of 30×30 bulbs.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

import numpy as np

from ponder.check.small_components import SmallComponents, bits_of, planes_of_members
from ponder.find.cosets.coset import kernel_columns, press_sets_of, transform
from ponder.find.cosets.random_subspaces import CosetWalk
from ponder.find.linear.kernels import SpannedKernel
from ponder.find.linear.press_sets import PressSets
from ponder.model.board import Board
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits, Ints

SMALLEST, LARGEST = 8, 16  # r
AMONG = 256  # patterns from which these are drawn
HEATS = (2.0, 4.0, 8.0)  # temperatures of a draw, in presses
LISTED = 1 << 16  # light members that are looked at in a step, at most
LABELLED = 256  # and labelled
ABOVE = 16  # presses above the lightest known that are looked at while nothing is found
POOL, NEW, PRICE = 60, 3, 4  # press sets kept, new ones of a step, and the price of an odd one
PATIENCE, STARTING = 100, 0.1  # steps in vain of the walk to the first press set, and its time

Count: TypeAlias = Callable[[Bits, Limits], Ints]


class ScreenedWalk:
    """Looks for light press sets without odd components; `moves` are quiet patterns, (M, n).

    `count` says how many odd components press sets have, and whatever else should not be there.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> from ponder.find.ordering.odd_component_batches import OddComponents
    >>> board = Board.from_rows(["00000"] * 5, "plus")
    >>> sets = press_sets(board)
    >>> odd = OddComponents(board.graph, ~board.lit)
    >>> walk = ScreenedWalk(board, sets, sets.kernel_basis, odd.count)
    >>> [weight for weight, _ in walk.few(None, 5, Limits(None))]
    []
    """

    def __init__(
        self, board: Board, sets: PressSets, moves: Bits, count: Count, seed: int = 0
    ) -> None:
        assert board.odd_later is not None
        self.sets, self.moves, self._count = sets, moves, count
        near = [board.graph.neighbours(v).tolist() for v in range(board.graph.size)]
        self.small = SmallComponents(near, board.odd_later)
        self.rng: np.random.Generator = np.random.default_rng(seed)
        self._board, self._seed = board, seed
        self._real = moves.astype(np.float32)
        self._pool: list[tuple[float, Bits]] = []  # the least cost first
        self._pooled: set[bytes] = set()
        self._told: set[bytes] = set()

    def start_from(self, found: list[tuple[int, Bits]]) -> None:
        """Take some press sets without odd components into the pool, with their weights."""
        for weight, press_set in found[:NEW] if self._pool else ():
            self._keep(float(weight), press_set)

    def few(self, known: int | None, steps: int, limits: Limits) -> list[tuple[int, Bits]]:
        """Return press sets lighter than those `known`, with their weights, the lightest first.

        Each once, in all calls. After some steps; fewer when time is up.
        """
        found: list[tuple[int, Bits]] = []
        with suppress(TimeUp):
            for _ in range(steps):
                limits.check()
                for weight, press_set in self._step(known, limits):
                    if press_set.tobytes() not in self._told:
                        self._told.add(press_set.tobytes())
                        found.append((weight, press_set))
        return sorted(found, key=lambda item: item[0])

    def _step(self, known: int | None, limits: Limits) -> list[tuple[int, Bits]]:
        """Look at one subspace. Raises TimeUp."""
        around = PressSets(self._drawn(limits), SpannedKernel(self._patterns()))
        below = self._lightest + ABOVE if known is None else known
        light = transform(around).lighter(below, LISTED, limits)
        if not light.members.size:
            return []
        columns = kernel_columns(around.kernel_basis)
        planes = planes_of_members(around.particular, columns, light.members)
        left = np.flatnonzero(~bits_of(self.small.anywhere(planes), light.members.size))[:LABELLED]
        if not left.size:
            return []
        press_sets, weights = press_sets_of(around, light.members[left]), light.weights[left]
        odd = self._count(press_sets, limits)
        cost = weights + PRICE * odd
        for k in np.argsort(cost, kind="stable")[:NEW].tolist():
            self._keep(float(cost[k]), press_sets[k])
        return [(int(weights[k]), press_sets[k]) for k in np.flatnonzero(odd == 0).tolist()]

    def _drawn(self, limits: Limits) -> Bits:
        """Return a press set of the pool, at first a light one."""
        if not self._pool:
            walk = CosetWalk(self._board, self.sets, seed=self._seed)
            first = walk.light(limits.share(STARTING, 1.0), PATIENCE)
            self._lightest = int(np.count_nonzero(first))
            self._keep(np.inf, first)
        place = min(int(self.rng.exponential(POOL / 4)), len(self._pool) - 1)
        self._now = self._pool[place][1]
        return self._now

    def _patterns(self) -> Bits:
        """Return some patterns, by what they do to the weight of the press set that was drawn."""
        some = self.rng.permutation(len(self.moves))[:AMONG]
        change = self._real[some] @ np.where(self._now, -1, 1).astype(np.float32)
        by_chance = change / self.rng.choice(HEATS) - self.rng.gumbel(size=some.size)
        return self.moves[some[np.argsort(by_chance)[: self.rng.integers(SMALLEST, LARGEST + 1)]]]

    def _keep(self, cost: float, press_set: Bits) -> None:
        """Put a press set into the pool, once."""
        if press_set.tobytes() in self._pooled:
            return
        self._pooled.add(press_set.tobytes())
        bisect.insort(self._pool, (cost, press_set), key=lambda item: item[0])
        del self._pool[POOL:]
