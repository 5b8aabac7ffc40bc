"""Cuts: what a refused cluster says about all other choices.

Idea (theory §7). A cluster K of press counts m that has no legal order has none in any other
choice that agrees with m on K and presses nothing beside it. So some bulb of N[K] must have
another count. A cut is this fact with its proof; a list of them is the evidence of a lower bound,
and each can be checked by itself. With press sets instead of counts the members of the coset
s₀ + ker A that agree on N[K] are an affine subspace, all refused at once.

Letters: K cluster, N[K] = K and the bulbs beside it, d the nullity; bulb v has the *type*
τ_v ∈ GF(2)^d, the basis vectors that contain it, and member x has s(x)(v) = s₀(v) + ⟨x, τ_v⟩.

Cost. `agreeing`: an elimination of |N[K]| words of d bits, and 2^(d − rank) for the members.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ponder.board import Board
from ponder.clusters import Cluster
from ponder.graph import Bits, Ints
from ponder.refutation import Json, Refutation


@dataclass(frozen=True)
class Cut:
    """Pressing exactly this cluster and nothing beside it has no legal order."""

    cluster: Cluster
    refutation: Refutation

    def to_json(self, board: Board) -> Json:
        """Return the bulbs with their counts, and the refutation."""
        return {
            "bulbs": board.graph.labels(self.cluster.bulbs),
            "counts": list(self.cluster.counts),
            "refutation": self.refutation.to_json(board),
        }


def types(basis: Bits) -> Ints:
    """Return which basis vectors contain each bulb, as a number with one bit for each.

    (d, n) -> (n,), for d ≤ 62.

    >>> types(np.array([[1, 1, 0], [0, 1, 1]], dtype=bool)).tolist()
    [1, 3, 2]
    """
    found = np.zeros(basis.shape[1], dtype=np.int64)
    for i, row in enumerate(basis):
        found[row] |= 1 << i
    return found


def agreeing(member: int, scope: Iterable[int], nullity: int) -> Ints:
    """Return all members x ∈ GF(2)^d with ⟨x, τ⟩ = ⟨member, τ⟩ for every type τ in `scope`.

    >>> agreeing(0b01, [0b10], 2).tolist()
    [1, 0]
    """
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
    found = np.array([member], dtype=np.int64)
    for free in range(nullity):
        if free not in pivots:
            # the free coordinate together with the leading ones that make up for it
            step = 1 << free
            for lead, row in pivots.items():
                if row >> free & 1:
                    step |= 1 << lead
            found = np.concatenate([found, found ^ step])
    return found
