"""A coset s₀ + ker A by coordinates: the one source of press sets in order of weight.

Idea. Member x ∈ GF(2)^d presses bulb v iff s₀(v) + ⟨x, τ_v⟩ = 1, where the *kernel column* τ_v ∈
GF(2)^d says which basis vectors contain v. So the weights depend on the signed histogram of the
columns alone, and its Walsh–Hadamard transform is all of them at once (theory §7.8). The members
that agree on some bulbs are an affine subspace, given by those bulbs' columns. A large coset keeps
its lightest MOST_LISTED press sets (`coset_transform`). All others weigh at least `beyond`, which
bounds all press sets at every moment. Larger cosets: `annealing`.

Letters: s₀ a press set, d the nullity, x a member's coordinates, τ_v as above.
Cost. O(n + d·2^d) for all weights, 0.05 s for d = 22. `agreeing`: an elimination of as many words
of d bits as there are bulbs, and 2^(d − rank) for the members.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ponder.check.coset import MOST_LIGHTER, Coset
from ponder.check.coset_parts import MOST_WEIGHED_SOON, chosen_sums, lighter_in_parts
from ponder.check.limits import Budget, TooLarge, Unlimited
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import reduced
from ponder.check.odd_components import BY_PARTS
from ponder.check.small_components import planes_of, planes_of_members
from ponder.find.cosets.walsh_hadamard import CosetTransform, Lighter, estimated, lightest_first
from ponder.find.linear.kernels import SpannedKernel
from ponder.find.linear.press_sets import PressSets
from ponder.find.search.context import Progress, silent
from ponder.model.board import Board
from ponder.system.limits import NEVER, Limits, NeedsMemory
from ponder.system.types import Bits, Ints, Words

AT_ONCE = 16  # of at most 2^AT_ONCE press sets the lightest is found while somebody waits
CROSSED_OFF = BY_PARTS  # up to 2^CROSSED_OFF press sets are listed whole, and crossed off
SEARCHED = 24  # in larger cosets a walk looks for good press sets before all are weighed
LISTED = 32  # cosets of at most 2^LISTED press sets are listed, where there is time
WEIGHED = 36  # up to 2^WEIGHED the lightest is proved where nothing else is asked
MOST_LISTED = 1 << 20  # the lightest press sets are listed, at most this many,
SPARED = 12  # or of 2^d at most 2^(d − SPARED), where that is more: weighing takes longer
LONGER = 3  # times that a list is made twice as long for press sets of one weight
IN_PARTS, GROWTH, MOST_IN_PARTS = 1 << 18, 8, 1 << 22  # listed by parts: first, then more, at most
IN_PARTS_SECONDS, IN_PARTS_SHARE = 2.4e-6, 0.5  # for each, and of the time left for all of them
MOST_MADE = 1 << 14  # press sets that are made at a time
IN_VAIN = 1  # restarts of a search after which all light press sets are listed by lines
LISTING, LISTING_SECONDS = 0.3, 30.0  # for that: of the time left, and at most
FIRST_TRY, STEP = 0.25, 2  # for all, a part of it; else bounds are raised, step by step,
SOME = 1 << 10  # until so many are listed
SHARE = 0.75  # the list is made where it is there within this share of the time


def listed_in_time(nullity: int, limits: Limits) -> bool:
    """Whether all press sets are to be weighed, and are before most of the time is over."""
    left = limits.left(SHARE)
    soon = nullity <= CROSSED_OFF or left is None or estimated(nullity) < left
    return nullity <= LISTED and soon


def listing_work(limits: Limits) -> int:
    """Return the nanoseconds for a list by patterns of lines, one at least."""
    left = limits.left(LISTING)
    return 1 + int(1e9 * (LISTING_SECONDS if left is None else min(LISTING_SECONDS, left)))


def kernel_columns(basis: Bits) -> Ints:
    """Return the basis vectors of each bulb as the bits of a number. (d, n) -> (n,), d ≤ 62."""
    found = np.zeros(basis.shape[1], dtype=np.int64)
    for i, row in enumerate(basis):
        found[row] |= 1 << i
    return found


def transform(sets: PressSets) -> CosetTransform:
    """Return what the weights of a coset depend on; a number and a weight must fit in 62 bits."""
    return CosetTransform.of(kernel_columns(sets.kernel_basis), sets.particular, sets.nullity)


def press_set_of(sets: PressSets, number: int) -> Bits:
    """Return the press set whose coordinates are the binary digits of a number, the least first."""
    return sets.member((number >> np.arange(sets.nullity) & 1).astype(np.bool_))


def press_sets_of(sets: PressSets, numbers: Ints) -> Bits:
    """Return the press sets of some numbers, as `press_set_of` does. (m,) -> (m, n)."""
    chosen = (numbers[:, None] >> np.arange(sets.nullity) & 1).astype(np.bool_)
    return sets.particular ^ sets.kernel.combine(chosen)


def lightest_member(sets: PressSets) -> Bits:
    """Return the first press set of least weight, by its number; of cosets that take no time."""
    return press_set_of(sets, int(transform(sets).lightest().members[0]))


def agreeing(number: int, scope: Iterable[int], nullity: int) -> Ints:
    """Return all members x ∈ GF(2)^d with ⟨x, τ⟩ = ⟨number, τ⟩ for every column τ in `scope`."""
    pivots: dict[int, int] = {}  # reduced echelon form: leading bit -> row
    for row in set(scope):
        for bit, other in pivots.items():
            if row >> bit & 1:
                row ^= other
        if row:
            lead = row.bit_length() - 1
            for bit, other in pivots.items():
                if other >> lead & 1:
                    pivots[bit] = other ^ row
            pivots[lead] = row
    found = np.array([number], dtype=np.int64)
    for free in range(nullity):
        if free not in pivots:
            # the free coordinate together with the leading ones that make up for it
            step = 1 << free
            for lead, row in pivots.items():
                if row >> free & 1:
                    step |= 1 << lead
            found = np.concatenate([found, found ^ step])
    return found


class Listed(NamedTuple):
    """Some press sets, the lightest first: weights, numbers, and what all others weigh at least."""

    weights: Ints
    numbers: Ints
    beyond: int | None


class ByWeight:
    """The press sets of a coset, lightest first, by their places in the list.

    `weights` and `numbers` (coordinates as binary digits) are those of the listed ones, of equal
    weight by number; all others weigh `beyond` or more, None if all are listed; `least` is the
    least weight. Raises TimeUp while the list is made.

    >>> from ponder import Board
    >>> from ponder.find.linear.press_sets import press_sets
    >>> source = ByWeight(press_sets(Board.from_rows(["111", "111"], "cross")))
    >>> source.weights.tolist(), source.numbers.tolist(), source.beyond
    ([0, 6], [0, 1], None)
    """

    def __init__(
        self,
        sets: PressSets,
        limits: Limits = NEVER,
        progress: Progress = silent,
        *,
        board: Board | None = None,
    ) -> None:
        self.sets = sets
        self._board = board
        self._most = max(MOST_LISTED, 1 << max(0, sets.nullity - SPARED))
        self._in_parts = IN_PARTS  # press sets that are listed next by parts, without a limit
        self._held = 0  # press sets that were listed before
        self._now = self._list(0, limits, progress)
        self.least: int = int(self.weights[0]) if self.weights.size else self.beyond or 0

    # One attribute holds all three: an interruption never leaves a list beside another's bound.

    @property
    def weights(self) -> Ints:
        """The weights of those that are listed, ascending."""
        return self._now.weights

    @property
    def numbers(self) -> Ints:
        """Their coordinates, as binary digits."""
        return self._now.numbers

    @property
    def beyond(self) -> int | None:
        """What all others weigh at least; None where there are none."""
        return self._now.beyond

    def _list(self, least: int, limits: Limits, progress: Progress) -> Listed:
        """List press sets of at least so many bulbs. Raises TimeUp."""
        sets, size = self.sets, self.sets.particular.size
        whole = transform(sets)
        light = self._listed_in_parts(whole, least, limits)
        if light is None:
            light = whole.lighter(size + 1, self._most, limits, progress, least)
        return Listed(light.weights, light.members, light.bound if light.bound <= size else None)

    def _listed_in_parts(self, whole: CosetTransform, least: int, limits: Limits) -> Lighter | None:
        """List them by the presses on parts of the board (theory §7.16); None where that is slow.

        Raises TimeUp.
        """
        sets, size, d = self.sets, self.sets.particular.size, self.sets.nullity
        if self._board is None or d <= MOST_WEIGHED_SOON:
            return None
        most, left = self._in_parts, limits.left(IN_PARTS_SHARE)
        self._in_parts = min(GROWTH * most, MOST_IN_PARTS)
        if left is not None:  # what was listed is gone through again
            most = max(IN_PARTS, min(most, int(left / IN_PARTS_SECONDS) - self._held))
        known = np.eye(d, dtype=np.bool_)  # each vector by the basis
        rows, pivots = reduced(np.concatenate([sets.kernel_basis, known], axis=1))
        members = Coset(self._board, sets.particular, rows[:, :size], pivots)
        bound = whole.expected(least, most)
        while True:
            try:
                found = lighter_in_parts(members, bound, Unlimited(lambda: limits.expired))
            except TooLarge:
                limits.check()
                return None
            if found is None:
                return None
            heavy = found[1] >= least
            indices, weights = found[0][heavy], found[1][heavy]
            if weights.size or bound > size:
                break
            bound += STEP
        units = np.int64(1) << np.arange(d, dtype=np.int64)
        numbers, weights = lightest_first(chosen_sums(rows[:, size:] @ units, indices), weights, d)
        return Lighter(bound, numbers, weights)

    def extend(self, limits: Limits, progress: Progress) -> bool:
        """List those that come next as well; False where there are too many. Raises TimeUp."""
        self._held = self.weights.size
        seconds = min(IN_PARTS_SECONDS * (self._held + IN_PARTS), estimated(self.sets.nullity))
        left = limits.left()
        late = left is not None and left < seconds
        if self.beyond is None or late or self._held >= MOST_LIGHTER:
            return False
        try:
            more = self._following(limits, progress)
        except NeedsMemory:
            return False
        weights = np.concatenate([self.weights, more.weights])
        self._now = Listed(weights, np.concatenate([self.numbers, more.numbers]), more.beyond)
        return True

    def go_on(self, limits: Limits, progress: Progress) -> None:
        """List those that come next, in place of those that were listed.

        Raises TimeUp, and NeedsMemory where those of one weight are too many.
        """
        self._now = self._following(limits, progress)

    def _following(self, limits: Limits, progress: Progress) -> Listed:
        """Return those that come next. Raises TimeUp and NeedsMemory."""
        assert self.beyond is not None
        for _ in range(LONGER):
            found = self._list(self.beyond, limits, progress)
            if found.weights.size or found.beyond is None:
                return found
            self._most *= 2
        raise NeedsMemory(f"there are too many press sets of {self.beyond} presses")

    def go_on_with(self, numbers: Ints) -> None:
        """List these press sets in place of all: the others are ruled out, or were listed."""
        weights = [np.empty(0, dtype=np.int64)]
        for start in range(0, numbers.size, MOST_MADE):
            places = slice(start, start + MOST_MADE)
            weights.append(np.count_nonzero(press_sets_of(self._spanned, numbers[places]), axis=1))
        weight = np.concatenate(weights)
        numbers, weight = lightest_first(numbers, weight, self.sets.nullity)
        self._now = Listed(weight, numbers, None)

    @cached_property
    def _spanned(self) -> PressSets:
        """The same press sets by a basis that is written out."""
        return PressSets(self.sets.particular, SpannedKernel(self.sets.kernel_basis))

    @cached_property
    def _columns(self) -> Ints:
        return kernel_columns(self.sets.kernel_basis)

    @cached_property
    def _places(self) -> Ints:
        """The place of each number, where all are listed."""
        return np.argsort(self.numbers)

    def press_sets(self, places: Ints | slice) -> Bits:
        """Return the press sets at some places. (m,) -> (m, n)."""
        return press_sets_of(self._spanned, self.numbers[places])

    def planes(self, places: Ints | slice) -> Words:
        """Return the press sets at some places side by side. (m,) -> (n, words)."""
        return planes_of_members(self.sets.particular, self._columns, self.numbers[places])

    def press_set(self, place: int) -> Bits:
        """Return the press set at a place. (n,)."""
        return press_set_of(self.sets, int(self.numbers[place]))

    def lighter(self, bound: int) -> Iterator[Bits]:
        """Yield all press sets of fewer than `bound` presses, as far as they are listed."""
        for place in range(int(np.searchsorted(self.weights, bound))):
            yield self.press_set(place)

    def agreeing(self, place: int, scope: Iterable[int]) -> Ints:
        """Return the places of listed press sets that agree with one on the bulbs of `scope`."""
        number = int(self.numbers[place])
        if self.numbers.size == 1 << self.sets.nullity:  # all of them
            kinds = set(self._columns[list(scope)].tolist())
            return self._places[agreeing(number, kinds, self.sets.nullity)]
        return np.flatnonzero(self.agree(number, scope, np.arange(self.numbers.size)))

    def agree(self, number: int, scope: Iterable[int], places: Ints) -> Bits:
        """Return which press sets at some places agree with one, listed or not, on `scope`."""
        apart, same = self.numbers[places] ^ number, np.arange(places.size)
        for kind in set(self._columns[list(scope)].tolist()):
            same = same[np.bitwise_count(apart[same] & kind) & 1 == 0]
        found = np.zeros(places.size, dtype=np.bool_)
        found[same] = True
        return found


class LighterThan(ByWeight):
    """All press sets of fewer than `bound` bulbs, found otherwise: `listed`, (m, n) bits."""

    def extend(self, limits: Limits, progress: Progress) -> bool:
        """Leave the list as it is: who asked for it asks for another."""
        return False

    @classmethod
    def by_lines(
        cls,
        board: Board,
        sets: PressSets,
        bound: int,
        least: int,
        limits: Limits,
        before: LighterThan | None = None,
    ) -> LighterThan | None:
        """List them by patterns of lines (theory §1.8); None where that is not done, or is long.

        Where all are too many, the bound is raised from `least` on, until some are listed. Those
        that stand in the list `before` are left out.
        """
        work = listing_work(limits)
        least = max(least, 0 if before is None else before.bound)
        found, budget = None, Budget(most=work)
        for below in [bound, *range(least + STEP, bound, STEP)]:
            own = Budget(most=1 + int(FIRST_TRY * work)) if below == bound else budget
            try:
                listed = light_press_sets(board, sets.particular, below, own)
            except TooLarge:
                if below != bound:
                    break
                continue
            if listed is None:
                return None
            found = cls(sets, listed, below, before)
            if below == bound or found.weights.size >= SOME:
                break
        return found

    def __init__(
        self, sets: PressSets, listed: Bits, bound: int, before: LighterThan | None = None
    ) -> None:
        self.sets, self.bound = sets, bound
        weights = np.count_nonzero(listed, axis=1)
        self.first: int = 0
        if before is not None:
            self.first = before.first + before.weights.size
            new = weights >= before.bound
            listed, weights = listed[new], weights[new]
        order = np.argsort(weights, kind="stable")
        self._listed = listed[order]
        self._now = Listed(weights[order], self.first + np.arange(order.size), bound)
        self.least = 0  # nothing is proved by the weights of all

    def press_sets(self, places: Ints | slice) -> Bits:
        """Return the press sets at some places. (m,) -> (m, n)."""
        return np.asarray(self._listed[places])

    def planes(self, places: Ints | slice) -> Words:
        """Return the press sets at some places side by side. (m,) -> (n, words)."""
        return planes_of(self.press_sets(places))

    def press_set(self, place: int) -> Bits:
        """Return the press set at a place. (n,)."""
        return np.asarray(self._listed[place])

    def agreeing(self, place: int, scope: Iterable[int]) -> Ints:
        """Return the places of listed press sets that agree with one on the bulbs of `scope`."""
        around = self._listed[:, list(scope)]
        return np.flatnonzero((around == around[place]).all(axis=1))
