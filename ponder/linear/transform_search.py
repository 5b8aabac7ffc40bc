"""Search by transform: light press sets in a coset too large to be looked at.

Idea (theory §7.10). Take a random subspace of ker A of dimension 12 to 16, spanned half of the time
by some basis vectors and half of the time by random sums of them; transform the coset of the
present member over it; move to one of the lightest. Each step is the exact best of 2^12 to 2^16
neighbours, so it is hard to get stuck, and as light members lie on every way there is no need to
start anew.

Letters: d the nullity; x ∈ GF(2)^d a member's coordinates; τ_v the type of a bulb (`coset`), here a
row of bits, as d may be large; F(τ) = Σ_{v of type τ} (−1)^s(v) for the present member s; u_1 … u_k
a basis of the subspace, by coordinates.
Cost: O(types · k · (1 + d/64)) and a transform of 2^k for each step, 1 to 3 ms on boards of 900 to
2,000 bulbs.
"""

from __future__ import annotations

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.linear.coset import bulb_types
from ponder.linear.coset_transform import CosetTransform, parity
from ponder.linear.press_sets import PressSets
from ponder.types import Bits, Ints

_SMALLEST, _LARGEST = 12, 16
"""Dimensions of the subspaces."""


class TransformSearch:
    """A walk among the press sets of a board, from lightest to lightest.

    `press_set` is the present one, of `weight` presses.

    >>> from ponder import Board
    >>> from ponder.linear.press_sets import press_sets
    >>> search = TransformSearch(press_sets(Board.from_rows(["00000"] * 5, "plus")))
    >>> search.step(np.random.default_rng(1))
    >>> search.weight
    15
    """

    def __init__(self, sets: PressSets, limits: Limits = NEVER) -> None:
        self._sets, self.nullity = sets, sets.nullity
        columns, self._place = bulb_types(sets.kernel_basis, limits)
        self._columns = columns.astype(np.float32)
        self.move_to(np.zeros(sets.nullity, dtype=np.bool_))

    @property
    def press_set(self) -> Bits:
        """The present member. (n,)."""
        return self._sets.member(self.coordinates)

    def move_to(self, coordinates: Bits) -> None:
        """Make another member the present one."""
        self.coordinates = coordinates.copy()
        pressed = self.press_set
        self.weight = int(np.count_nonzero(pressed))
        # the bulbs of one type are pressed alike or not as s₀ says: only their sum counts
        signs = np.where(pressed, -1.0, 1.0)
        self._sums = np.bincount(self._place, weights=signs, minlength=len(self._columns))

    def subspace(self, rng: np.random.Generator, dimension: int | None = None) -> Bits:
        """Return a basis of a random subspace, by coordinates. (k, d)."""
        size = int(rng.integers(_SMALLEST, _LARGEST + 1)) if dimension is None else dimension
        size = min(size, self.nullity)
        words = np.zeros((size, self.nullity), dtype=np.bool_)
        if size == self.nullity or rng.random() < 0.5:
            words[np.arange(size), rng.permutation(self.nullity)[:size]] = True
            return words
        return np.asarray(rng.random(words.shape) < 0.5)

    def around(self, words: Bits) -> tuple[CosetTransform, Ints]:
        """Return the coset of the present member over a subspace, and the type of each sum.

        Its member y is the present one with Σ y_i·u_i added to the coordinates.
        """
        bits = self._columns @ words.T.astype(np.float32)
        numbers = (bits % 2) @ (2.0 ** np.arange(len(words)))
        different, place = np.unique(numbers.astype(np.int64), return_inverse=True)
        sums = np.bincount(place, weights=self._sums, minlength=different.size).astype(np.int64)
        transform = CosetTransform(different, sums, len(words), self._place.size)
        return transform, different[place]

    def nearest(self, words: Bits, most: int) -> tuple[Bits, Ints]:
        """Return some of the lightest members over a subspace: coordinates (m, d), weights (m,).

        There is always one: of more than `most` that are equally light the first by number.
        """
        transform = self.around(words)[0]
        found = transform.lighter(self._place.size + 1, most)
        members, weights = found.members, found.weights
        if not members.size:
            least = transform.lightest(most)
            members, weights = least.members, np.full(least.members.size, least.weight)
        chosen = (members[:, None] >> np.arange(len(words)) & 1).astype(np.float32)
        moved = (chosen @ words.astype(np.float32) % 2).astype(np.bool_)
        return self.coordinates ^ moved, weights

    def step(self, rng: np.random.Generator) -> None:
        """Move to one of the lightest members of a subspace around the present one."""
        words = self.subspace(rng)
        if not len(words):
            return
        transform, seen = self.around(words)
        found = transform.lightest(keep=64)
        member = int(rng.choice(found.members))
        chosen = (member >> np.arange(len(words)) & 1).astype(np.bool_)
        self.coordinates ^= np.logical_xor.reduce(words[chosen], axis=0, initial=False)
        self._sums *= 1 - 2 * parity(seen & member)
        self.weight = found.weight


def light(
    sets: PressSets,
    rng: np.random.Generator,
    limits: Limits = NEVER,
    patience: int = 300,
) -> Bits:
    """Return a light press set, (n,), when so many steps in a row have found none lighter.

    However little time is left, one is returned.

    >>> from ponder import Board
    >>> from ponder.linear.press_sets import press_sets
    >>> sets = press_sets(Board.from_rows(["00000"] * 5, "plus"))
    >>> int(np.count_nonzero(light(sets, np.random.default_rng(1))))
    15
    """
    if not sets.nullity or limits.expired:
        return sets.particular
    search = TransformSearch(sets, limits)
    best, weight, idle = search.coordinates.copy(), search.weight, 0
    if sets.nullity <= _LARGEST:
        patience = 1  # one step looks at all members
    while idle < patience and not limits.expired:
        search.step(rng)
        idle += 1
        if search.weight < weight:
            best, weight, idle = search.coordinates.copy(), search.weight, 0
    return sets.member(best)
