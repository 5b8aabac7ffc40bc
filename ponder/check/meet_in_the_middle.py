"""Choices of an option for every line with large sums: meet in the middle (theory §1.8, §4.14).

Each line takes one of its options, which adds to every column of a grid. The lines are split in two
halves, and the N choices of each half are listed and scored. The score of a pair is at most the sum
of its two scores. So with the second half sorted by score, each choice of the first is paired with
a prefix. For these pairs a third of the columns is added up and the rest bounded as before; the
remaining pairs are added up in full.

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
    """Yield the pairs of choices of two halves that score at least `needed`, by their numbers.

    Each half has what its choices add to the columns, (…, C, N), in a type that holds the sums of
    both. `best` is the score: the sum over columns of the best, (…, C, M…) -> (M…). Raises TimeUp.
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
