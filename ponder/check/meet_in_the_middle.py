"""Which choices of many lines make large sums: meet in the middle (theory §1.8, §4.14).

Each line takes one of its options, which adds to every column of a grid. The lines are split in two
halves, whose N choices are listed. The best of a sum is no more than the sum of the bests: so with
the second half sorted by its best each choice of the first goes with a prefix of it. Of these pairs
a third of the columns is added up, the rest bounded as before, and the pairs that are left are
added up in full.

Cost: O(N·C) for C columns, some 20 ns for each pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints

Sums: TypeAlias = NDArray[np.signedinteger[Any]]

MOST_SUMS = 1 << 27  # of one half: bytes, four times over
_AT_A_TIME, _SUMS = 1 << 15, 1 << 22  # pairs that are looked at together, and their sums


def pairs_reaching(
    halves: tuple[Sums, Sums], best: Callable[[Sums], Ints], needed: int, limits: Limits = NEVER
) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of choices of two halves that make at least `needed`, by their places.

    Each half has what its choices add to the columns, (…, C, N), in a type that holds the sums of
    both. `best` adds up the best of all columns, (…, C, M…) -> (M…). Raises TimeUp.
    """
    orders = [np.argsort(-best(half), kind="stable") for half in limits.over(halves, 1)]
    first, second = (np.take(half, at, axis=-1) for half, at in zip(halves, orders, strict=True))
    prefix = np.searchsorted(-best(second), best(first) - needed, side="right")
    exact = max(1, first.shape[-2] // 3)
    rests = [best(half[..., exact:, :]) for half in limits.over((first, second), 1)]
    together = max(1, min(_AT_A_TIME, _SUMS // first[..., 0].size))
    row = 0
    while row < prefix.size and prefix[row]:
        end = row + max(1, together // int(prefix[row]))
        for start in range(0, int(prefix[row]), together):
            limits.check()
            stop = min(start + together, int(prefix[row]))
            sums = first[..., :exact, row:end, None] + second[..., :exact, None, start:stop]
            most = best(sums) + rests[1][start:stop]
            i, k = np.nonzero(most + (rests[0][row:end, None] - needed) >= 0)
            i, k = i + row, k + start
            left = np.flatnonzero(best(first[..., i] + second[..., k]) >= needed)
            if left.size:
                yield orders[0][i[left]], orders[1][k[left]]
        row = end
