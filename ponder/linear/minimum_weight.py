"""The lightest press set, in any order: the minimum weight in a coset (rule `any`).

Idea (theory §8.1). Under the rule `any` every order is legal, so the fewest presses are the least
weight in s₀ + ker A. Member x ∈ GF(2)^d presses bulb v iff s₀(v) + ⟨x, τ_v⟩ = 1, where the type
τ_v says which basis vectors contain v. With f(τ) = Σ_{v of type τ} (−1)^s₀(v) the Walsh-Hadamard
transform of f at x is (bulbs not pressed) − (bulbs pressed): the weights of all 2^d members in
O(n + d·2^d), without making one of them (theory §7.8). Larger cosets are left to CP-SAT
(`minimum_weight_model`), from the lightest of some members that are mended one basis vector at a
time.

Letters: s₀ a press set, d the nullity, x a member's coordinates, τ_v as above.
References. The problem is NP-hard (Berman, Borer, Hungerbühler, "Lights Out on graphs", 2021; as
decoding: Berlekamp, McEliece, van Tilborg, 1978). Cost: 0.2 s and 60 MB for d = 22.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ponder.errors import NeedsMemory
from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear import gf2
from ponder.linear.coset import coordinates_of, weights
from ponder.linear.press_sets import PressSets
from ponder.puzzle.answer import BY_WORD, NOT_MET, Best
from ponder.puzzle.board import Board
from ponder.types import Bits, Json

BY_MODEL: Json = {"kind": BY_WORD}
"""What stands for the evidence of a bound that is CP-SAT's word."""

LISTED = 22
"""The weights of cosets of at most 2^LISTED press sets are listed."""


_ONES = np.array([octet.bit_count() for octet in range(256)], dtype=np.uint8)


def lightest(
    board: Board,
    sets: PressSets,
    *,
    seed: int = 0,
    timeout: float | Limits | None = None,
    progress: Callable[[str], None] | None = None,
) -> Best:
    """Return a press set with the fewest presses, or with few and a lower bound.

    Its bulbs, in any order, are `presses`; it is the lightest where it is `optimal`. When time is
    up it is any one.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus", rule="any")
    >>> found = lightest(board, press_sets(board))
    >>> found.presses.size, found.lower_bound
    (15, 15)
    """
    try:
        if sets.nullity <= LISTED:
            listed = weights(sets)
            best = int(np.argmin(listed))
            press_set = sets.member(coordinates_of(best, sets.nullity))
            kind = "coset-minimum" if sets.nullity else "unique-press-set"
            return _best(press_set, int(listed[best]), {"kind": kind})
        limits = Limits.of(timeout)
        return _by_integer_model(sets, seed, limits, progress or (lambda text: None))
    except (TimeUp, NeedsMemory) as stopped:
        return _best(sets.particular, 0, dict(BY_MODEL), str(stopped))


def _best(press_set: Bits, bound: int, evidence: Json, stopped: str | None = None) -> Best:
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
    sets: PressSets, seed: int, limits: Limits, progress: Callable[[str], None]
) -> Best:
    """Minimise the weight by CP-SAT, from a light press set."""
    from ponder.linear.minimum_weight_model import CosetModel

    best = descend(sets, np.random.default_rng(seed), limits)
    progress(f"between 0 and {np.count_nonzero(best)} presses, 2^{sets.nullity} press sets")
    try:
        model = CosetModel(sets, seed, limits=limits)
    except TimeUp as stopped:
        return _best(best, 0, dict(BY_MODEL), str(stopped))
    model.hint(best)
    try:
        found = model.propose(limits.left())
    except KeyboardInterrupt:
        found = None
    if found is not None and np.count_nonzero(found) < np.count_nonzero(best):
        best = found
    count = int(np.count_nonzero(best))
    progress(f"between {model.bound} and {count} presses")
    return _best(best, min(model.bound, count), dict(BY_MODEL))
