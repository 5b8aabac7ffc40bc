"""Press sets in order of weight: all of a small coset, or those that an integer model names.

Both sources give press sets one by one (`take`), and say at any moment what those that have not
been given need at least (`floor`). A `Listed` coset goes by weight; what `Modelled` has to name is
the least of weight + 2·[a refused component occurs], for a refusal costs two presses, so its floor
rises with what is refused.

Letters: s₀, d as in `ponder.linear.coset`. Cost. `Listed`: O(n + d·2^d) for all weights, O(n·d) for
each press set that is taken. `Modelled`: one run of CP-SAT for each.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ponder.fewest.clusters import Clusters
from ponder.fewest.cuts import proves
from ponder.limits import Limits
from ponder.linear.coset import coordinates_of, weights
from ponder.linear.minimum_weight import descend
from ponder.linear.minimum_weight_model import CosetModel
from ponder.linear.press_sets import PressSets
from ponder.types import Bits


class Listed:
    """All press sets of a coset, by the weight that each has.

    >>> from ponder.linear.press_sets import press_sets
    >>> from ponder import Board
    >>> source = Listed(press_sets(Board.from_rows(["111", "111"], "cross")))
    >>> source.floor, source.take()[1].astype(int).tolist(), source.floor
    (0, [0, 0, 0, 0, 0, 0], 6)
    """

    def __init__(self, sets: PressSets) -> None:
        self.nullity = sets.nullity
        self._sets, self._basis = sets, sets.kernel_basis
        self._weights = weights(sets)
        self._order = np.argsort(self._weights, kind="stable")
        self._taken = 0
        self.least = int(self._weights[self._order[0]])
        self.floor: int | None = self.least

    def take(self) -> tuple[int, Bits] | None:
        """Return the next press set with its number; None when all have been given."""
        if self._taken == self._order.size:
            return None
        index = int(self._order[self._taken])
        self._taken += 1
        later = self._order[self._taken : self._taken + 1]
        self.floor = int(self._weights[later[0]]) if later.size else None
        return index, self._member(index)

    def lighter(self, bound: int) -> Iterator[Bits]:
        """Yield all press sets of fewer than `bound` presses, given or not."""
        for index in self._order.tolist():
            if self._weights[index] >= bound:
                return
            yield self._member(index)

    def _member(self, index: int) -> Bits:
        """Return the press set with this number."""
        quiet = self._basis[coordinates_of(index, self.nullity)]
        return np.asarray(self._sets.particular ^ np.bitwise_xor.reduce(quiet, axis=0))


class Modelled:
    """A coset too large to be listed: CP-SAT names the press set that is cheapest so far."""

    def __init__(self, sets: PressSets, clusters: Clusters, seed: int, limits: Limits) -> None:
        self.nullity, self.floor = sets.nullity, 0
        self._sets, self._clusters, self._seed, self._limits = sets, clusters, seed, limits
        self._model: CosetModel | None = None
        self._seen: set[bytes] = set()
        self._last: Bits | None = None
        self._done = False

    def take(self) -> tuple[int, Bits] | None:
        """Return another press set, numbered as they come; None when the model knows no better.

        TimeUp when there is no time for it.
        """
        if self._done:
            return None
        model = self._ready()
        chosen = model.propose(self._limits.left(0.5))
        self._limits.check()
        self.floor = model.bound
        if chosen is None or chosen.tobytes() in self._seen:  # the surcharge is paid
            self._done = True
            return None
        self._seen.add(chosen.tobytes())
        self._last = chosen
        return len(self._seen), chosen

    def _ready(self) -> CosetModel:
        """Return the model, which knows what is refused in the last press set."""
        if self._model is None:
            self._model = CosetModel(self._sets, self._seed, surcharge=2, limits=self._limits)
            rng = np.random.default_rng(self._seed)
            self._model.hint(descend(self._sets, rng, self._limits))
        if self._last is not None:
            for cluster, why in self._clusters.refused(self._last.astype(int).tolist()):
                if proves(why):
                    around = [*cluster.bulbs, *self._clusters.beside(cluster.bulbs)]
                    self._model.refuse(self._last, around)
        return self._model
