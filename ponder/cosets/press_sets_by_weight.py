"""The press sets of a coset in order of weight: the one source, and how large it may be.

All weights of a coset come from one transform, block by block (`coset_transform`, theory §7.10), of
which the lightest press sets are kept, MOST_LISTED of them. What is not kept weighs at least
`beyond`, so that whatever goes through the list knows a bound on all press sets at every moment.
Larger cosets, and those for which there is no time, are not listed: `random_subspaces` walks
through them, and bounds on them come from `lower_bounds` alone.

Letters: s₀, d, x, τ as in `ponder.cosets.coset`. Cost: O(n + d·2^d), see `coset_transform`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ponder.cosets.coset import Members, agreeing, transform, types
from ponder.cosets.coset_transform import estimated
from ponder.limits import NEVER, Limits
from ponder.linear.press_sets import PressSets
from ponder.types import Bits, Ints

CROSSED_OFF = 20
"""Cosets of at most 2^CROSSED_OFF press sets are listed whole, and all of them can be refuted."""

SEARCHED = 24
"""In larger cosets a walk looks for good press sets before all are weighed."""

LISTED = 32
"""Cosets of at most 2^LISTED press sets are listed, where there is time."""

WEIGHED = 36
"""Of cosets of at most 2^WEIGHED the lightest press set is proved where nothing else is asked."""

MOST_LISTED = 1 << 20
"""So many press sets are listed, the lightest."""

SHARE = 0.75
"""The list is made where it is there within this share of the time."""


def listed_in_time(nullity: int, limits: Limits, most: int | None = None) -> bool:
    """Whether all press sets are to be weighed, and are before most of the time is over.

    >>> listed_in_time(32, Limits(60.0)), listed_in_time(32, Limits(1.0))
    (True, False)
    >>> listed_in_time(33, Limits(None))
    False
    """
    left = limits.left(SHARE)
    small = nullity <= (LISTED if most is None else most)
    return small and (left is None or estimated(nullity) < left or nullity <= CROSSED_OFF)


class ByWeight:
    """The press sets of a coset, lightest first, by their places in the list.

    `weights` and `numbers` (coordinates as binary digits) are those of the listed ones, of equal
    weight by number; `beyond` is what all others weigh at least, None where all are listed;
    `least` the least weight. TimeUp while the list is made.

    >>> from ponder import Board
    >>> from ponder.linear.press_sets import press_sets
    >>> source = ByWeight(press_sets(Board.from_rows(["111", "111"], "cross")))
    >>> source.weights.tolist(), source.numbers.tolist(), source.beyond
    ([0, 6], [0, 1], None)
    """

    def __init__(
        self,
        sets: PressSets,
        limits: Limits = NEVER,
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self.sets, size = sets, sets.particular.size
        light = transform(sets).lighter(size + 1, MOST_LISTED, limits, progress)
        self.weights, self.numbers = light.weights, light.members
        self.beyond = light.bound if light.bound <= size else None
        self.least = int(light.weights[0]) if light.weights.size else light.bound
        self._members, self._types = Members(sets), types(sets.kernel_basis)
        self._places: Ints | None = None

    def press_sets(self, places: Ints | slice) -> Bits:
        """Return the press sets at some places. (m,) -> (m, n)."""
        return self._members.of(self.numbers[places])

    def press_set(self, place: int) -> Bits:
        """Return the press set at a place. (n,)."""
        return np.asarray(self.press_sets(np.array([place]))[0])

    def lighter(self, bound: int) -> Iterator[Bits]:
        """Yield all press sets of fewer than `bound` presses, as far as they are listed."""
        for place in range(int(np.searchsorted(self.weights, bound))):
            yield self.press_set(place)

    def agreeing(self, place: int, scope: Iterable[int]) -> Ints:
        """Return the places of all listed press sets that agree with one on the bulbs of `scope`.

        >>> from ponder import Board
        >>> from ponder.linear.press_sets import press_sets
        >>> source = ByWeight(press_sets(Board.from_rows(["00000"] * 5, "plus")))
        >>> len(source.agreeing(0, [0])), len(source.agreeing(0, range(25)))
        (2, 1)
        """
        number, kinds = int(self.numbers[place]), set(self._types[list(scope)].tolist())
        if self.beyond is None and self.sets.nullity <= CROSSED_OFF:
            if self._places is None:
                self._places = np.argsort(self.numbers)
            return self._places[agreeing(number, kinds, self.sets.nullity)]
        apart = self.numbers ^ number
        same = np.arange(apart.size)
        for kind in kinds:
            same = same[np.bitwise_count(apart[same] & kind) & 1 == 0]
        return same
