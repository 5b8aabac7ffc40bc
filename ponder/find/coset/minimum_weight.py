"""The lightest press set, in any order: the minimum weight in a coset, and walks through one.

Idea (theory §8.1). Under the rule `any` every order is legal, so the fewest presses are the least
weight in s₀ + ker A. Up to a nullity of 32 all 2^d weights are computed in blocks; where press sets
differ by patterns of lines, these list the light ones (§1.8). Other cosets cannot be listed; their
bounds are those of `bounds`. They are searched by walks through random subspaces (§7.10): for a
press set s and r quiet patterns one transform weighs all of s + span, so each step weighs 2^12 to
2^16 press sets. The lightest are estimated, and the walk moves to the best unless it is worse than
s. Under the rule `any` the estimate is the weight; a search for a legal sequence adds some presses
for each odd component.

References. The problem is NP-hard (Berman, Borer, Hungerbühler, "Lights Out on graphs", 2021; as
decoding: Berlekamp, McEliece, van Tilborg, 1978). Cost: 4 ns for each of 2^d press sets; a step is
a transform, 1 to 3 ms, and the estimates, 5 to 50 ms where components are labelled.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ponder.check.coset import Lightest
from ponder.check.result import NOT_MET
from ponder.find.context import SearchContext, SearchOutcome, Snapshot, Steps, ended
from ponder.find.coset.by_weight import ByWeight, light_members
from ponder.find.linear.gf2 import unit_vectors
from ponder.find.linear.press_sets import PressSets
from ponder.model.board import Board
from ponder.system.limits import LimitReached, Limits
from ponder.system.types import Bits, Ints

MOST_NAMED = 1000  # all lightest press sets are named where they are no more
LIGHTEST = 1 << 12  # press sets that are listed, or all of the least weight
AT_ONCE = 16  # up to this nullity the lightest press set is found at once
IN_VAIN, LONG_PATIENCE = 3, 300  # walks in a row, and steps of a walk, without a lighter press set
SMALLEST, LARGEST = 12, 16  # r: the quiet patterns that span a subspace, at least and at most
LABELLED, FEWEST, MOST = 1 << 17, 8, 60  # bulbs that a step estimates; the press sets of a step
PATIENCE = 80  # steps in a row without improvement end a walk
KEPT = 12  # press sets that a walk returns

_HELD = 1 << 26  # bytes of quiet patterns that are kept


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
    return walk(sets, _weigh, rng, limits or Limits(0.0), LONG_PATIENCE)[0][1], False


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
        list_all: bool = False,
    ) -> None:
        self.board: Board = board
        self.sets: PressSets = sets
        self.context: SearchContext = context
        self.least: int = least
        self.list_all: bool = list_all
        self.press_set: Bits = sets.particular
        self.evidence: Lightest | None = None

    def outcome(self, reason: str | None = None) -> SearchOutcome:
        """Return the best press set, and whether it is proved to be the lightest."""
        presses = np.flatnonzero(self.press_set)
        bound = 0 if self.evidence is None else int(presses.size)
        open_reason = NOT_MET if bound < presses.size else None
        statistics: dict[str, object] = {} if reason is None else {"stopped": reason}
        return SearchOutcome("lightest", presses, bound, self.evidence, open_reason, statistics)

    def run(self) -> Steps[SearchOutcome]:
        """Search until the answer is known; return it. Raises TimeUp, NeedsMemory."""
        sets, limits = self.sets, self.context.limits
        if sets.nullity == 0:
            self.evidence = Lightest()
            return self.outcome()
        source = ByWeight(self.board, sets, limits)
        window = source.following(self.board.graph.presses + 1, LIGHTEST)
        while window is not None and not window.weights.size:
            window = source.following(self.board.graph.presses + 1, LIGHTEST)
        if window is not None:
            count = int(np.searchsorted(window.weights, window.weights[0], side="right"))
            named = self.list_all and count <= MOST_NAMED
            first = window.press_sets(np.arange(count if named else 1))
            listed = tuple(np.flatnonzero(press_set) for press_set in first) if named else None
            self.press_set, self.evidence = first[0], Lightest(count, listed)
            return self.outcome()
        idle, rng = 0, np.random.default_rng(self.context.seed)
        while idle < IN_VAIN and np.count_nonzero(self.press_set) > self.least:
            limits.check()
            weight, press_set = walk(sets, _weigh, rng, limits, LONG_PATIENCE)[0]
            idle += 1
            if weight < np.count_nonzero(self.press_set):
                self.press_set, idle = press_set, 0
                yield Snapshot(weight, self.least, lambda: np.flatnonzero(self.press_set))
        return self.outcome(f"no lighter press set in {IN_VAIN} walks")


def walk(
    sets: PressSets,
    estimate: Callable[[Bits, Ints], Ints],
    rng: np.random.Generator,
    limits: Limits,
    patience: int = PATIENCE,
) -> list[tuple[int, Bits]]:
    """Return the press sets of least estimate on the walk, least first, at least one.

    `estimate` takes press sets and their weights: (m, n), (m,) to (m,). On timeout the walk ends.

    >>> from ponder import Board
    >>> from ponder.find.linear.press_sets import press_sets
    >>> sets, rng = press_sets(Board.from_rows(["00000"] * 5, "plus")), np.random.default_rng(1)
    >>> walk(sets, lambda members, weights: weights, rng, Limits(None), 2)[0][0]
    15
    """
    d, size = sets.nullity, sets.particular.size
    basis = sets.kernel_basis if d * size <= _HELD else None
    current, present, idle = sets.particular, 1 << 40, 0
    met = {current.tobytes(): (present, current)}
    most = min(MOST, max(FEWEST, LABELLED // max(1, size)))
    while idle < patience and not limits.expired:
        patterns = _patterns(sets, basis, rng)
        numbers, weights, _ = light_members(current, patterns, most, Limits(None))
        chosen = (numbers[:most, None] >> np.arange(len(patterns)) & 1).astype(np.uint8)
        members = current ^ (chosen @ patterns.view(np.uint8) & 1).astype(np.bool_)
        estimates = estimate(members, weights[:most])
        for k in np.argsort(estimates, kind="stable")[:KEPT].tolist():
            met[members[k].tobytes()] = int(estimates[k]), members[k]
        best = int(estimates.min())
        idle = idle + 1 if best >= present else 0
        if best <= present:  # the estimate never rises
            present, current = best, members[rng.choice(np.flatnonzero(estimates == best))]
        met = dict(sorted(met.items(), key=lambda item: item[1][0])[:KEPT])
    return list(met.values())


def _patterns(sets: PressSets, basis: Bits | None, rng: np.random.Generator) -> Bits:
    """Return r random quiet patterns, or r consecutive ones, which lie close together: (r, n)."""
    d = sets.nullity
    r = min(d, int(rng.integers(SMALLEST, LARGEST + 1)))
    chance = rng.random()
    if r < d and chance < 0.25:
        return sets.kernel.combine(rng.random((r, d)) < 0.5)
    near = (rng.integers(d) + np.arange(r)) % d
    places = near if chance < 0.5 else rng.permutation(d)[:r]
    return sets.kernel.combine(unit_vectors(places, d)) if basis is None else basis[places]
