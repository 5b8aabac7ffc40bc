"""The lightest press set, in any order: the minimum weight in a coset (rule `any`).

Idea (theory §8.1). Under the rule `any` every order is legal, so the fewest presses are the least
weight in s₀ + ker A. Up to a nullity of 32 all 2^d weights are computed in blocks; where press sets
differ by patterns of lines, these list the light ones (§1.8). In other cosets a walk finds a light
press set, and bounds come from elsewhere (`bounds`).

References. The problem is NP-hard (Berman, Borer, Hungerbühler, "Lights Out on graphs", 2021; as
decoding: Berlekamp, McEliece, van Tilborg, 1978). Cost: 6 ns for each of 2^d press sets.
"""

from __future__ import annotations

import numpy as np

from ponder.check.coset import Lightest
from ponder.check.result import NOT_MET
from ponder.find.context import Found, SearchContext, SearchOutcome, Steps, ended
from ponder.find.coset.by_weight import ByWeight, Window, light_members
from ponder.find.coset.walk import walk
from ponder.find.linear.press_sets import PressSets
from ponder.model.board import Board
from ponder.system.limits import LimitReached, Limits
from ponder.system.types import Bits, Ints

MOST_NAMED = 1000  # all lightest press sets are named where they are no more
AT_ONCE = 16  # up to this nullity the lightest press set is found while somebody waits
WALKS, PATIENCE = 3, 300  # walks in a row, and steps of one, that found nothing lighter


def lightest_press_set(
    sets: PressSets, limits: Limits | None = None, seed: int = 0
) -> tuple[Bits, bool]:
    """Return a light press set, and whether it is proved that none is lighter.

    It is to a nullity of AT_ONCE; beyond a walk ends when time is up, at once without `limits`.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> found, proved = lightest_press_set(press_sets(Board.from_rows(["111", "111"])))
    >>> int(found.sum()), proved
    (0, True)
    """
    if sets.nullity <= AT_ONCE:
        numbers, _, _ = light_members(sets.particular, sets.kernel_basis, 1, Limits(None))
        return sets.member((numbers[0] >> np.arange(sets.nullity) & 1).astype(np.bool_)), True
    rng = np.random.default_rng(seed)
    return walk(sets, _weigh, rng, limits or Limits(0.0), PATIENCE)[0][1], False


def _weigh(press_sets: Bits, weights: Ints) -> Ints:
    return weights


def lightest(board: Board, sets: PressSets, context: SearchContext) -> SearchOutcome:
    """Return the lightest press set, or the best one when time is up."""
    search = LightestSearch(board, sets, context)
    try:
        return ended(search.run())
    except LimitReached as stopped:
        return search.outcome(str(stopped))


class LightestSearch:
    """A search for the lightest press set; `outcome` says at any moment what is known.

    If `least` presses are known to be needed, a press set of `least` ends a search without a
    proof. The evidence says how many are as light, and lists them if they are to be named, `every`
    one, and are no more than MOST_NAMED.

    >>> from ponder.find.context import ended
    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus", rule="any")
    >>> found = ended(LightestSearch(board, press_sets(board), SearchContext()).run())
    >>> found.presses.size, found.lower_bound
    (15, 15)
    """

    def __init__(
        self,
        board: Board,
        sets: PressSets,
        context: SearchContext,
        *,
        least: int = 0,
        every: bool = False,
    ) -> None:
        self.board: Board = board
        self.sets: PressSets = sets
        self.context: SearchContext = context
        self.least: int = least
        self.every: bool = every
        self.press_set: Bits = sets.particular
        self.evidence: Lightest | None = None

    def outcome(self, reason: str | None = None) -> SearchOutcome:
        """Return the best press set, and whether it is proved to be the lightest."""
        presses = np.flatnonzero(self.press_set)
        bound = 0 if self.evidence is None else int(presses.size)
        said = NOT_MET if bound < presses.size else None
        statistics: dict[str, object] = {} if reason is None else {"stopped": reason}
        return SearchOutcome("lightest", presses, bound, self.evidence, said, statistics)

    def run(self) -> Steps[SearchOutcome]:
        """Search until the answer is known; return it. Raises TimeUp, NeedsMemory."""
        sets, limits = self.sets, self.context.limits
        if sets.nullity == 0:
            self.evidence = Lightest()
            return self.outcome()
        source = ByWeight(self.board, sets, limits)
        window = source.following(self.board.graph.presses + 1)
        while window is not None and not window.weights.size:
            window = source.following(self.board.graph.presses + 1)
        if window is not None:
            self._take(window)
            return self.outcome()
        idle, rng = 0, np.random.default_rng(self.context.seed)
        while idle < WALKS and np.count_nonzero(self.press_set) > self.least:
            limits.check()
            weight, press_set = walk(sets, _weigh, rng, limits, PATIENCE)[0]
            idle += 1
            if weight < np.count_nonzero(self.press_set):
                self.press_set, idle = press_set, 0
                yield Found(weight, self.least, lambda: np.flatnonzero(self.press_set))
        return self.outcome(f"no lighter press set in {WALKS} walks")

    def _take(self, window: Window) -> None:
        """Take the lightest press sets of all."""
        count = int(np.searchsorted(window.weights, window.weights[0], side="right"))
        named = self.every and count <= MOST_NAMED
        first = window.press_sets(np.arange(count if named else 1))
        listed = tuple(np.flatnonzero(press_set) for press_set in first) if named else None
        self.press_set, self.evidence = first[0], Lightest(count, listed)
