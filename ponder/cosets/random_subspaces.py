"""A walk through a coset too large to be listed, by one random subspace of it at a time.

Idea. Take a press set s and r quiet patterns, and look at the 2^r press sets s + span at once: one
transform has their weights (theory §7.8). Each step is the exact best of 2^12 to 2^16 neighbours,
so it is hard to get stuck, and as light members lie on every way there is no need to start anew.
What is walked towards depends on the question:

    `light`            light press sets, in any order: move to one of the lightest
    `few_by_estimate`  few presses with repeats: |s| + 2·(odd components), which nearly all press
                       sets need (theory §7.10). The lightest are labelled together
                       (`ponder.ordering.odd_component_batches`), and the least estimate is next
    `without_odd`      a press set without odd components, which on dense boards nearly always has
                       an order: of those that have an even number of edges, by a quadratic form,
                       some are labelled, and one with the fewest odd components is next
    `lighter`          from such a press set on, lighter ones

The form. Let q(s) = |E(S)| + |T ∩ S| mod 2; an order needs q = 0 (theory §3.1, all components
together). For quiet patterns y, y' and a press set s, with A = adjacency + I,

    q(s + y) = q(s) + q(y) + s·y,      for sᵀ(A + I)y = b·y + s·y, and b·y = 0;
    q(y + y') = q(y) + q(y') + y·y'.

So q on s + span is known from r values q(y) and from products of patterns and s.

Letters: s a press set, d the nullity, r the dimension of a subspace, b, T as in theory.
Cost. A step is a transform of 2^r weights, 1 to 3 ms, and the labels of up to `LABELLED` bulbs, 5
to 50 ms. Many steps that label few press sets get further than few steps that label many.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from ponder.cosets.coset import coordinates_of, transform, weights
from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear.press_sets import PressSets
from ponder.linear.quiet_patterns import SpannedKernel, parities, unit_vectors
from ponder.ordering.odd_component_batches import OddComponents
from ponder.puzzle.board import Board
from ponder.types import Bits, Ints

DIMENSION = 14
"""r: so many quiet patterns span a subspace in which orders are looked for, ..."""
SMALLEST, LARGEST = 12, 16
"""... and from so many to so many one in which light press sets are."""

LABELLED = 1 << 17
"""A step labels so many bulbs, in at least `FEWEST` press sets, and in at most ..."""
FEWEST = 8
MOST_EVEN, MOST_ESTIMATED = 256, 60
"""... so many, in search of orders, and of few presses with repeats."""

PATIENCE = 40
"""A walk is given up when so many subspaces had no press set with fewer odd components."""

_HELD = 1 << 26  # bytes of quiet patterns that are kept


class Walk:
    """Walks through the press sets of a board.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus")
    >>> walk = Walk(board, press_sets(board), seed=1)
    >>> int(np.count_nonzero(walk.light(Limits(None))))
    15
    >>> found = walk.without_odd(Limits(None))
    >>> walk.components.count(found[None]).odd.tolist()
    [0]
    """

    def __init__(self, board: Board, sets: PressSets, *, seed: int | list[int] = 0) -> None:
        self.board, self.sets = board, sets
        self.rng = np.random.default_rng(seed)
        kept = sets.nullity * board.graph.size <= _HELD
        self._basis = sets.kernel_basis if kept else None
        self._charges: dict[int, bool] = {}
        self._drawn = False  # whether press sets were drawn before

    @cached_property
    def odd_later(self) -> Bits:
        """The parities that the later neighbours must have; ValueError under the rule `any`."""
        if self.board.odd_later is None:
            raise ValueError("under the rule 'any' every order is legal: nothing to order")
        return self.board.odd_later

    @cached_property
    def components(self) -> OddComponents:
        """What counts the odd components."""
        return OddComponents(self.board.graph, self.odd_later)

    # ------------------------------------------------------------------------ light press sets

    def light(self, limits: Limits = NEVER, patience: int = 300) -> Bits:
        """Return a light press set, (n,), when so many steps in a row have found none lighter.

        However little time is left, one is returned.
        """
        best = current = self.sets.particular
        weight, idle = int(np.count_nonzero(best)), 0
        if self.sets.nullity <= LARGEST:
            patience = min(1, self.sets.nullity)  # one step looks at all members
        while idle < patience and not limits.expired:
            around = self.subspace(current)
            found = transform(around).lightest(keep=64)
            number = int(self.rng.choice(found.members))
            current = around.member(coordinates_of(number, around.nullity))
            idle += 1
            if found.weight < weight:
                best, weight, idle = current, found.weight, 0
        return best

    def few_by_estimate(
        self, limits: Limits, most: int = 12, patience: int = 80
    ) -> list[tuple[int, Bits]]:
        """Return the press sets of least estimate that were met, and the estimates, least first.

        The search ends when so many steps in a row have found no better one, or when time is up.

        >>> from ponder.linear.press_sets import press_sets
        >>> board = Board.from_rows(["00000"] * 5, "plus")
        >>> found = Walk(board, press_sets(board), seed=1).few_by_estimate(Limits(None))
        >>> found[0][0], len(found)
        (15, 4)
        """
        met: dict[bytes, tuple[int, Bits]] = {}
        current, present, idle = self.sets.particular, 1 << 40, 0
        at_once = self._at_once(MOST_ESTIMATED)
        try:
            while idle < patience:
                limits.check()
                members, weight = self.nearest(self.subspace(current), at_once)
                estimates = weight + 2 * self.components.count(members, limits).odd
                for k in np.argsort(estimates, kind="stable")[:most].tolist():
                    met[members[k].tobytes()] = int(estimates[k]), members[k]
                best = int(np.argmin(estimates))
                idle = idle + 1 if estimates[best] >= present else 0
                if estimates[best] <= present:  # it sinks slowly and never rises
                    present, current = int(estimates[best]), members[best]
                if len(met) > 100 * most:
                    met = _least(met, most)
        except TimeUp:
            pass
        return list(_least(met, most).values())

    def subspace(self, press_set: Bits) -> PressSets:
        """Return the press sets around one that differ by a random subspace."""
        d = self.sets.nullity
        r = min(d, int(self.rng.integers(SMALLEST, LARGEST + 1)))
        if r == d or self.rng.random() < 0.5:
            patterns = self._patterns(self.rng.permutation(d)[:r])
        else:
            patterns = self.sets.kernel.combine(self.rng.random((r, d)) < 0.5)
        return PressSets(press_set, SpannedKernel(patterns))

    def nearest(self, around: PressSets, most: int) -> tuple[Bits, Ints]:
        """Return some of the lightest press sets of a subspace, (m, n), and their weights, (m,).

        There is always one: of more than `most` that are equally light the first by number.
        """
        listed = transform(around)
        found = listed.lighter(self.board.graph.size + 1, most)
        members, weight = found.members, found.weights
        if not members.size:
            least = listed.lightest(most)
            members, weight = least.members, np.full(least.members.size, least.weight)
        chosen = (members[:, None] >> np.arange(around.nullity) & 1).astype(np.bool_)
        return around.particular ^ around.kernel.combine(chosen), weight

    # ----------------------------------------------------------------- without odd components

    def without_odd(self, limits: Limits) -> Bits | None:
        """Return a press set without odd components, or None: time is up, or the walk was stuck.

        Another call sets out from another random press set. TimeUp as well.
        """
        at_once = self._at_once(MOST_EVEN)
        chances = self.rng.random((at_once, self.sets.nullity)) < 0.5
        if not self._drawn:
            chances[0] = False  # the press set that is known
        self._drawn = True
        drawn = self.sets.particular ^ self.sets.kernel.combine(chances)
        odd = self.components.count(drawn, limits).odd
        best = int(np.argmin(odd))
        current: Bits = drawn[best]
        left = int(odd[best])
        stuck = 0
        while left:
            if stuck == PATIENCE or limits.expired:
                return None
            stuck += 1
            even, around = self._even(current)
            chosen = even[self.rng.permutation(len(even))[:at_once]]
            if not len(chosen):
                continue
            members = around.particular ^ around.kernel.combine(chosen)
            odd = self.components.count(members, limits).odd
            best = int(np.argmin(odd))
            if odd[best] < left:
                stuck = 0
            if odd[best] <= left:
                current, left = members[best], int(odd[best])
        return current

    def lighter(self, press_set: Bits, limits: Limits) -> Iterator[Bits]:
        """Yield some press sets near one that are lighter and without odd components.

        They come lightest first; none, when this subspace has none.
        """
        even, around = self._even(press_set, int(np.count_nonzero(press_set)))
        chosen = even[: self._at_once(MOST_EVEN)]
        if not len(chosen):
            return
        members = around.particular ^ around.kernel.combine(chosen)
        odd = self.components.count(members, limits).odd
        yield from members[odd == 0]

    def _even(self, press_set: Bits, below: int | None = None) -> tuple[Bits, PressSets]:
        """Draw a subspace; return coordinates of press sets with even edges, and the subspace.

        Lightest first, and only those of fewer than `below` presses.
        """
        d = self.sets.nullity
        r = min(d, DIMENSION)
        if self.rng.random() < 0.5:  # patterns that follow each other are near each other
            places = (self.rng.integers(d) + np.arange(r)) % d
        else:
            places = self.rng.choice(d, r, replace=False)
        patterns = self._patterns(places)
        sub = PressSets(press_set, SpannedKernel(patterns))
        weight = weights(sub)
        fits = ~self._odd_edges(press_set, patterns, places)
        if below is not None:
            fits &= weight < below
        members = np.flatnonzero(fits)
        members = members[np.argsort(weight[members], kind="stable")]
        return (members[:, None] >> np.arange(r) & 1).astype(np.bool_), sub

    def _at_once(self, most: int) -> int:
        """Return how many press sets a step labels."""
        return min(most, max(FEWEST, LABELLED // max(1, self.board.graph.size)))

    def _patterns(self, places: Ints) -> Bits:
        if self._basis is not None:
            return self._basis[places]
        return self.sets.kernel.combine(unit_vectors(places, self.sets.nullity))

    def _odd_edges(self, press_set: Bits, patterns: Bits, places: Ints) -> Bits:
        """Return q of all press sets of the subspace, (2^r,), by coordinates as binary digits."""
        steps = self._charge_of(patterns, places) ^ parities(patterns & press_set)
        found = np.zeros(1 << len(patterns), dtype=np.bool_)
        found[0] = self._charge(press_set[None])[0]
        for i, (pattern, step) in enumerate(zip(patterns, steps.tolist(), strict=True)):
            products = parities(patterns[:i] & pattern)
            sums = np.zeros(1 << i, dtype=np.bool_)  # of the products with each member
            for j, product in enumerate(products.tolist()):
                sums[1 << j : 2 << j] = sums[: 1 << j] ^ product
            found[1 << i : 2 << i] = found[: 1 << i] ^ sums ^ step
        return found

    def _charge_of(self, patterns: Bits, places: Ints) -> Bits:
        """Return q of quiet patterns, remembered by their place in the basis."""
        unknown = [k for k, place in enumerate(places.tolist()) if place not in self._charges]
        if unknown:
            charges = self._charge(patterns[unknown]).tolist()
            self._charges |= dict(zip(places[unknown].tolist(), charges, strict=True))
        return np.array([self._charges[place] for place in places.tolist()], dtype=np.bool_)

    def _charge(self, chosen: Bits) -> Bits:
        """Return q = |E| + |T| mod 2 of some sets of bulbs."""
        edges = self.components.edges(chosen)
        return (edges & 1).astype(np.bool_) ^ parities(chosen & self.odd_later)


def _least(met: dict[bytes, tuple[int, Bits]], most: int) -> dict[bytes, tuple[int, Bits]]:
    """Return the press sets of least estimate."""
    return dict(sorted(met.items(), key=lambda item: item[1][0])[:most])
