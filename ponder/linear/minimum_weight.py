"""The lightest press set, in any order: the minimum weight in a coset (rule `any`).

Idea (theory §8.1). Under the rule `any` every order is legal, so the fewest presses are the least
weight in s₀ + ker A. A search by transform (`transform_search`) finds a light press set at once.
Up to a nullity of WEIGHED all 2^d weights are then computed in blocks (`coset_transform`): the
least one is proved, and it is known how many press sets have it. Larger cosets are left to CP-SAT
(`minimum_weight_model`), which starts from the press set found.

Letters: s₀ a press set, d the nullity.
References. The problem is NP-hard (Berman, Borer, Hungerbühler, "Lights Out on graphs", 2021; as
decoding: Berlekamp, McEliece, van Tilborg, 1978). Cost: 0.05 s for d = 24, 11 s for d = 32, three
minutes for d = 36, on one processor; 20 MB.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ponder.errors import NeedsMemory
from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear import gf2
from ponder.linear.coset import Members, coordinates_of, transform
from ponder.linear.coset_transform import estimated
from ponder.linear.press_sets import PressSets
from ponder.linear.transform_search import light
from ponder.puzzle.answer import NOT_MET, Best
from ponder.puzzle.board import Board
from ponder.puzzle.bound_evidence import BoundByWord, CosetMinimum, UniquePressSet
from ponder.puzzle.evidence import Bound
from ponder.types import Bits

BY_MODEL = BoundByWord()
"""What stands for the evidence of a bound that is CP-SAT's word."""

WEIGHED = 36
"""The press sets of cosets of at most 2^WEIGHED are all weighed."""

MOST_NAMED = 1000
"""All lightest press sets are named where they are no more."""

SEARCHED = 28
"""Smaller cosets are weighed sooner than searched."""

SEARCHING = 0.2
"""The share of the time that is left for looking for a light press set first, or of the time that
weighing all press sets takes, where there is enough for that."""

_ONES = np.array([octet.bit_count() for octet in range(256)], dtype=np.uint8)


def lightest(
    board: Board,
    sets: PressSets,
    *,
    seed: int = 0,
    timeout: float | Limits | None = None,
    progress: Callable[[str], None] | None = None,
    every: bool = False,
) -> Best:
    """Return a press set with the fewest presses, or with few and a lower bound.

    Its bulbs, in any order, are `presses`; it is the lightest where it is `optimal`. When time is
    up it is any one. The evidence says how many are as light, and lists them if they are to be
    named, `every` one, and are no more than MOST_NAMED.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus", rule="any")
    >>> found = lightest(board, press_sets(board))
    >>> found.presses.size, found.lower_bound
    (15, 15)
    """
    say = progress or (lambda text: None)
    limits = Limits.of(timeout)
    if sets.nullity == 0:
        count = int(np.count_nonzero(sets.particular))
        return _best(sets.particular, count, UniquePressSet())
    press_set = sets.particular
    try:
        if sets.nullity > SEARCHED:
            say(f"looking for a light one of 2^{sets.nullity} press sets")
            clock = _for_a_search(sets.nullity, limits)
            press_set = light(sets, np.random.default_rng(seed), clock)
        if sets.nullity <= WEIGHED:
            return _by_transform(board, sets, press_set, limits, say, every)
        return _by_integer_model(sets, press_set, seed, limits, say)
    except (TimeUp, NeedsMemory, KeyboardInterrupt) as stopped:
        return _best(press_set, 0, None, str(stopped) or "interrupted")


def _for_a_search(nullity: int, limits: Limits) -> Limits:
    """Return the time for a light press set, which is in vain where all of them are weighed."""
    left, weighing = limits.left(), estimated(nullity)
    if nullity <= WEIGHED and (left is None or weighing < left / 2):
        return limits.sooner(SEARCHING * weighing)
    return limits.sooner(limits.left(SEARCHING))


def _by_transform(
    board: Board,
    sets: PressSets,
    press_set: Bits,
    limits: Limits,
    progress: Callable[[str], None],
    every: bool,
) -> Best:
    """Weigh all press sets; from a light one, in case that the time is not enough."""
    keep = MOST_NAMED if every else 1
    found = transform(sets).lightest(keep, limits, progress)
    if not found.complete:
        if found.weight < np.count_nonzero(press_set):
            press_set = sets.member(coordinates_of(int(found.members[0]), sets.nullity))
        return _best(press_set, 0, None, "not all press sets were looked at")
    press_set = sets.member(coordinates_of(int(found.members[0]), sets.nullity))
    listed = None
    if every and found.count <= keep:
        listed = tuple(np.flatnonzero(one) for one in Members(sets).of(found.members))
    return _best(press_set, found.weight, CosetMinimum(found.count, listed))


def _best(press_set: Bits, bound: int, evidence: Bound | None, stopped: str | None = None) -> Best:
    """Return what is known of the lightest press set."""
    presses = np.flatnonzero(press_set)
    reason = None if bound == presses.size else NOT_MET
    statistics: dict[str, object] = {} if stopped is None else {"stopped": stopped}
    return Best("lightest", presses, bound, evidence, reason, statistics)


def descend(
    sets: PressSets, rng: np.random.Generator, limits: Limits = NEVER, starts: int = 20
) -> Bits:
    """Return a light press set, (n,): random members, mended by the basis vector that helps most.

    However little time is left, one is returned.

    >>> from ponder.linear.press_sets import press_sets
    >>> sets = press_sets(Board.from_rows(["00000"] * 5, "plus"))
    >>> int(np.count_nonzero(descend(sets, np.random.default_rng(1))))
    15
    """
    basis = sets.kernel_basis
    packed = gf2.pack(basis)
    size = np.count_nonzero(basis, axis=1)
    best = sets.particular
    for start in range(starts):
        if limits.expired:
            break
        current = sets.particular.copy()
        if start:
            current ^= sets.kernel.member(rng.random(sets.nullity) < 0.5)
        # adding y changes the weight by |y| − 2·|y ∩ current|
        while sets.nullity and not limits.expired:
            octets = (packed & gf2.pack(current)).view(np.uint8)
            common = _ONES[octets].sum(axis=1, dtype=np.int64)
            change = size - 2 * common
            step = int(np.argmin(change))
            if change[step] >= 0:
                break
            current ^= basis[step]
        if np.count_nonzero(current) < np.count_nonzero(best):
            best = current
    return best


def _by_integer_model(
    sets: PressSets, best: Bits, seed: int, limits: Limits, progress: Callable[[str], None]
) -> Best:
    """Minimise the weight by CP-SAT, from a light press set."""
    from ponder.linear.minimum_weight_model import CosetModel

    progress(f"between 0 and {np.count_nonzero(best)} presses, 2^{sets.nullity} press sets")
    try:
        model = CosetModel(sets, seed, limits=limits)
    except TimeUp as stopped:
        return _best(best, 0, BY_MODEL, str(stopped))
    model.hint(best)
    try:
        found = model.propose(limits.left())
    except KeyboardInterrupt:
        found = None
    if found is not None and np.count_nonzero(found) < np.count_nonzero(best):
        best = found
    count = int(np.count_nonzero(best))
    progress(f"between {model.bound} and {count} presses")
    return _best(best, min(model.bound, count), BY_MODEL)
