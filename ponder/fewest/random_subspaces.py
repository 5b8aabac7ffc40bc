"""Some press set with an order, and lighter ones: one random subspace of the coset at a time.

Idea. In a coset too large to be listed, take a press set s and r quiet patterns, and look at the
2^r press sets s + span at once: one transform has their weights (theory §7.8), and a quadratic form
says which of them have an even number of edges. Of those that might do, the lightest are labelled
together, and their odd components counted (`ponder.ordering.odd_component_batches`). While none is
free of odd components, go to the one that has the fewest; from then on go to lighter and lighter
ones that are free of them. Where the pressed graph is dense, nearly all such press sets have an
order, and a few draws find one (theory §7.10); where it is thin there may be none at all, which
this search cannot tell.

The form. Let q(s) = |E(S)| + |T ∩ S| mod 2; an order needs q = 0 (theory §3.1, all components
together). For quiet patterns y, y' and a press set s, with A = adjacency + I,

    q(s + y) = q(s) + q(y) + s·y,      for sᵀ(A + I)y = b·y + s·y, and b·y = 0;
    q(y + y') = q(y) + q(y') + y·y'.

So q on s + span is known from r values q(y) and from products of patterns and s.

Letters: s a press set, d the nullity, r the dimension of a subspace, b, T as in theory.
Cost. A step is a transform of 2^r weights, some 0.3 ms, and the labels of up to `LABELLED` press
sets, 5 to 50 ms.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ponder.limits import Limits
from ponder.linear.coset import weights
from ponder.linear.press_sets import PressSets
from ponder.linear.quiet_patterns import SpannedKernel, parities, unit_vectors
from ponder.ordering.odd_component_batches import OddComponents
from ponder.puzzle.board import Board
from ponder.types import Bits, Ints

DIMENSION = 10
"""r: so many quiet patterns span a subspace, where there are as many."""

LABELLED = 1 << 17
"""A step labels so many bulbs, in at least `FEWEST` press sets and at most `MOST`."""
FEWEST, MOST = 8, 256

PATIENCE = 40
"""A walk is given up when so many subspaces had no press set with fewer odd components."""

_HELD = 1 << 26  # bytes of quiet patterns that are kept


class Subspaces:
    """Walks through a coset by random subspaces.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["00000"] * 5, "plus")
    >>> walk = Subspaces(board, press_sets(board), seed=1)
    >>> found = walk.without_odd(Limits(None))
    >>> walk.components.count(found[None]).odd.tolist()
    [0]
    """

    def __init__(self, board: Board, sets: PressSets, *, seed: int = 0) -> None:
        if board.odd_later is None:
            raise ValueError("under the rule 'any' every order is legal: nothing to order")
        self.board, self.sets = board, sets
        self.odd_later = board.odd_later
        self.rng = np.random.default_rng(seed)
        self.components = OddComponents(board.graph, board.odd_later)
        self.labelled = min(MOST, max(FEWEST, LABELLED // board.graph.size))
        kept = sets.nullity * board.graph.size <= _HELD
        self._basis = sets.kernel_basis if kept else None
        self._charges: dict[int, bool] = {}
        self._drawn = False  # whether press sets were drawn before

    def without_odd(self, limits: Limits) -> Bits | None:
        """Return a press set without odd components, or None: time is up, or the walk was stuck.

        Another call sets out from another random press set. TimeUp as well.
        """
        chances = self.rng.random((self.labelled, self.sets.nullity)) < 0.5
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
            around, lightest = self._around(current)
            chosen = around[self.rng.permutation(len(around))[: self.labelled]]
            if not len(chosen):
                continue
            members = lightest.particular ^ lightest.kernel.combine(chosen)
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
        around, lightest = self._around(press_set, int(np.count_nonzero(press_set)))
        chosen = around[: self.labelled]
        if not len(chosen):
            return
        members = lightest.particular ^ lightest.kernel.combine(chosen)
        odd = self.components.count(members, limits).odd
        yield from members[odd == 0]

    def _around(self, press_set: Bits, below: int | None = None) -> tuple[Bits, PressSets]:
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
