"""The lightest press set, in any order: the minimum weight in a coset (rule `any`).

Idea (theory §8.1). Under the rule `any` every order is legal, so the fewest presses are the least
weight in s₀ + ker A. A walk (`random_subspaces`) finds a light press set at once. Up to a nullity
of WEIGHED all 2^d weights are then computed in blocks (`walsh_hadamard`): the least one is proved,
and it is known how many press sets have it. Where two pairs of parts of the board fix the press
sets, lists on these parts do it in less, and up to twice the nullity (§7.16); where press sets
differ by patterns of lines, these list the light ones (§1.8). In other large cosets
the walk sets out again and again, until some walks in a row have found none lighter; bounds come
from `lower_bounds`.

Letters: s₀ a press set, d the nullity.
References. The problem is NP-hard (Berman, Borer, Hungerbühler, "Lights Out on graphs", 2021; as
decoding: Berlekamp, McEliece, van Tilborg, 1978). Cost: 0.05 s for d = 24, 11 s for d = 32, three
minutes for d = 36, on one processor; 20 MB.
"""

from __future__ import annotations

import numpy as np

from ponder.check import coset_parts
from ponder.check.coset_parts import MOST_LIGHT, Light, least_in_parts
from ponder.check.evidence.coset_minimum import CosetMinimum, UniquePressSet
from ponder.check.kinds import Bound
from ponder.check.limits import Budget, TooLarge, Unlimited
from ponder.check.line_patterns import light_press_sets
from ponder.check.result import NOT_MET
from ponder.find.cosets.coset import (
    SEARCHED,
    STEP,
    WEIGHED,
    kernel_columns,
    listing_work,
    press_set_of,
    press_sets_of,
    transform,
)
from ponder.find.cosets.random_subspaces import CosetWalk, walks
from ponder.find.cosets.walsh_hadamard import CosetTransform, estimated
from ponder.find.linear.press_sets import PressSets
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import Found, SearchOutcome, Steps, ended, improving
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.limits import LimitReached, Limits
from ponder.system.types import Bits

MOST_NAMED = 1000  # all lightest press sets are named where they are no more

SEARCHING = 0.2  # of the time left, or that all weights take, for a light press set first
PARTS_SHARE, PARTS_SECONDS = 0.5, 600.0  # for lists on parts: of the time left, and without limit
_LISTED = 8e-9  # seconds for a member of a part
ROUNDS = 3  # walks without success end the search where not all are weighed


def lightest(
    board: Board,
    sets: PressSets,
    context: SearchContext | None = None,
    *,
    least: int = 0,
    every: bool = False,
) -> SearchOutcome:
    """Return a press set with the fewest presses, or with few and a lower bound.

    Its bulbs, in any order, are `presses`; it is the lightest where it is `optimal`. When time is
    up it is any one. If `least` presses are known to be needed, a press set of `least` ends a
    search without a proof. The evidence says how many are as light, and lists them if they are to
    be named, `every` one, and are no more than MOST_NAMED.

    >>> from ponder.find.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus", rule="any")
    >>> found = lightest(board, press_sets(board))
    >>> found.presses.size, found.lower_bound
    (15, 15)
    """
    context = context or SearchContext()
    steps = lightest_found(board, sets, context, least, every)
    return ended(improving(steps, context.progress))


def lightest_found(
    board: Board, sets: PressSets, context: SearchContext, least: int, every: bool
) -> Steps[SearchOutcome]:
    """Yield what is found on the way to that outcome, and return it."""
    seed, limits, say = context.seed, context.limits, context.progress
    if sets.nullity == 0:
        count = int(np.count_nonzero(sets.particular))
        return _best(sets.particular, count, UniquePressSet())
    press_set = sets.particular

    def weight() -> int:
        return int(np.count_nonzero(press_set))

    def found() -> Found:
        return Found(weight(), least, lambda: np.flatnonzero(press_set))

    try:
        if sets.nullity > SEARCHED:
            say(f"looking for a light one of 2^{sets.nullity} press sets")
            clock = _for_a_search(sets.nullity, limits)
            press_set = CosetWalk(board, sets, seed=seed).light(clock)
            yield found()
            proved = in_parts(board, sets, context, every)
            if proved := proved or _by_lines(board, sets, limits, least, weight(), every):
                return proved
        if sets.nullity <= WEIGHED:
            return _by_transform(sets, press_set, context, every)
        for walk in walks(board, sets, seed, weight, ROUNDS, first=1):
            if limits.expired or weight() <= least:
                break
            press_set = min(press_set, walk.light(limits), key=np.count_nonzero)
            yield found()
    except (LimitReached, KeyboardInterrupt) as stopped:
        return _best(press_set, 0, None, str(stopped) or "interrupted")
    return _best(press_set, 0, None, f"no lighter press set in {ROUNDS} walks")


def in_parts(
    board: Board, sets: PressSets, context: SearchContext, every: bool = False
) -> SearchOutcome | None:
    """Return the lightest press set by lists on parts.

    None where these do not suit, or where a share of the time is not enough for them.
    """
    if isinstance(board.graph, Wired):
        return None
    clock, say = context.limits.share(PARTS_SHARE, PARTS_SECONDS), context.progress
    if sets.nullity <= WEIGHED:
        clock = clock.sooner(estimated(sets.nullity))
    budget = Unlimited(lambda: clock.expired)

    def listed(base: Bits, basis: Bits) -> Light:
        part = CosetTransform.of(kernel_columns(basis), base, len(basis))
        found = part.lighter(base.size + 1, MOST_LIGHT, clock, say)
        return Light(found.bound, found.members, found.weights)

    try:
        members = coset_parts.listed(board.graph, sets.kernel_basis, budget)
        if members is None or members * _LISTED > clock.within(PARTS_SECONDS):
            return None
        found = least_in_parts(board.graph, sets.particular, sets.kernel_basis, budget, listed)
    except LimitReached:
        return None
    return None if found is None else _lightest(found.members, every)


def _by_lines(
    board: Board, sets: PressSets, limits: Limits, least: int, known: int, every: bool
) -> SearchOutcome | None:
    """Return the lightest press set by patterns of lines; None where these do not suit, or soon.

    None has fewer than `least` bulbs, and one has as many as are `known`.
    """
    budget = Budget(most=listing_work(limits))
    for bound in [*range(least + 1, known, STEP), known + 1]:
        try:
            listed = light_press_sets(board, sets.particular, bound, budget)
        except TooLarge:
            return None
        if listed is None:
            return None
        if len(listed):
            weights = np.count_nonzero(listed, axis=1)
            return _lightest(listed[weights == weights.min()], every)
    return None


def _lightest(members: Bits, every: bool) -> SearchOutcome:
    """Return the first of all lightest press sets, (m, n)."""
    first = members[np.lexsort(members.T)]
    named = every and len(first) <= MOST_NAMED
    listed = tuple(np.flatnonzero(one) for one in first) if named else None
    return _best(first[0], int(np.count_nonzero(first[0])), CosetMinimum(len(first), listed))


def _for_a_search(nullity: int, limits: Limits) -> Limits:
    """Return the time for a light press set, which is in vain where all of them are weighed."""
    left, weighing = limits.left(), estimated(nullity)
    if nullity <= WEIGHED and (left is None or weighing < left / 2):
        return limits.sooner(SEARCHING * weighing)
    return limits.share(SEARCHING)


def _by_transform(
    sets: PressSets, press_set: Bits, context: SearchContext, every: bool
) -> SearchOutcome:
    """Weigh all press sets; from a light one, in case that the time is not enough."""
    keep = MOST_NAMED if every else 1
    found = transform(sets).lightest(keep, context.limits, context.progress)
    if found.weight < np.count_nonzero(press_set) or found.complete:
        press_set = press_set_of(sets, int(found.members[0]))
    if not found.complete:
        return _best(press_set, 0, None, "not all press sets were looked at")
    listed = None
    if every and found.count <= keep:
        listed = tuple(np.flatnonzero(one) for one in press_sets_of(sets, found.members))
    return _best(press_set, found.weight, CosetMinimum(found.count, listed))


def _best(
    press_set: Bits, bound: int, evidence: Bound | None, stopped: str | None = None
) -> SearchOutcome:
    presses = np.flatnonzero(press_set)
    reason = None if bound == presses.size else NOT_MET
    statistics: dict[str, object] = {} if stopped is None else {"stopped": stopped}
    return SearchOutcome("lightest", presses, bound, evidence, reason, statistics)
