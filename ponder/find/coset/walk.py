"""A walk through a coset that cannot be listed, by one random subspace of it at a time.

Idea (theory §7.10). Of a press set s and r quiet patterns one transform weighs all of s + span, so
each step looks at 2^12 to 2^16 press sets: the lightest of them are estimated, and the best is
next, unless it is worse. Under the rule `any` the estimate is the weight; with repeats it is the
weight and two presses for each odd component, which nearly all press sets need in the end.

Cost. A step is a transform, 1 to 3 ms, and the estimates, 5 to 50 ms where components are labelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ponder.find.coset.by_weight import light_members
from ponder.find.coset.component_batches import ComponentBatches
from ponder.find.linear.gf2 import unit_vectors
from ponder.find.linear.press_sets import PressSets
from ponder.system.limits import Limits
from ponder.system.types import Bits, Ints

SMALLEST, LARGEST = 12, 16  # r: the quiet patterns that span a subspace, where there are as many
LABELLED, FEWEST, MOST = 1 << 17, 8, 60  # bulbs that a step estimates; the press sets of a step
PATIENCE = 80  # steps in a row that found nothing better end a walk
DRAWN, TOGETHER = 1024, 64  # random press sets, and how many at a time
KEPT = 12  # press sets that are returned

_HELD = 1 << 26  # bytes of quiet patterns that are kept


def walk(
    sets: PressSets,
    estimate: Callable[[Bits, Ints], Ints],
    rng: np.random.Generator,
    limits: Limits,
    patience: int = PATIENCE,
) -> list[tuple[int, Bits]]:
    """Return the press sets of least estimate that were met, least first, one at least.

    `estimate` takes press sets and their weights: (m, n), (m,) to (m,). Time that is up ends it.

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
        if best <= present:  # it sinks slowly and never rises
            present, current = best, members[rng.choice(np.flatnonzero(estimates == best))]
        met = dict(sorted(met.items(), key=lambda item: item[1][0])[:KEPT])
    return list(met.values())


def without_odd(
    sets: PressSets,
    batches: ComponentBatches,
    rng: np.random.Generator,
    limits: Limits,
    most: int = DRAWN,
) -> Iterator[Bits]:
    """Yield random press sets without odd components, of `most` or until time is up."""
    for _ in range(most // TOGETHER):
        if limits.expired:
            return
        quiet = sets.kernel.combine(rng.random((TOGETHER, sets.nullity)) < 0.5)
        drawn = sets.particular ^ quiet
        yield from drawn[batches.count(drawn) == 0]


def _patterns(sets: PressSets, basis: Bits | None, rng: np.random.Generator) -> Bits:
    """Return random quiet patterns, (r, n), or some that follow each other: these are near."""
    d = sets.nullity
    r = min(d, int(rng.integers(SMALLEST, LARGEST + 1)))
    chance = rng.random()
    if r < d and chance < 0.25:
        return sets.kernel.combine(rng.random((r, d)) < 0.5)
    near = (rng.integers(d) + np.arange(r)) % d
    places = near if chance < 0.5 else rng.permutation(d)[:r]
    return sets.kernel.combine(unit_vectors(places, d)) if basis is None else basis[places]
