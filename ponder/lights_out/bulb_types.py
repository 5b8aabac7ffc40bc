"""The types of a graph's bulbs: all that the weights of its cosets depend on (theory §8.5).

Idea. Let g_1 … g_d be a basis of the kernel vectors. The type τ ∈ GF(2)^d of a bulb says which of
them contain it. Press k_τ of the n_τ bulbs of type τ, and put σ_τ = n_τ − 2k_τ: |σ_τ| ≤ n_τ and
σ_τ ≡ n_τ (mod 2), σ is *admissible*. The member x ∈ GF(2)^d of the coset then has the weight

    (n + n₀ − σ̂(x)) / 2,      σ̂(x) = Σ_{τ≠0} (−1)^{⟨x,τ⟩} σ_τ,

where n₀ bulbs are in no kernel vector, and all of those are pressed. Only odd types cost anything:
types in their span V, in coordinates of a basis of V made of odd types, are the whole problem.

Letters: d nullity, n bulbs, n₀, n_τ as above, r rank of the odd types.
Cost: O(n·d/64) after the linear stage; d ≤ 62.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ponder.check.coset import kernel_columns, walsh_hadamard
from ponder.find.linear import gf2
from ponder.find.linear.press_sets import kernel
from ponder.model.graph import Graph
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, distinct

Number = TypeVar("Number", np.int16, np.int64, np.float64)

MOST_NULLITY = 62  # a member's number and its weight share 64 bits


@dataclass(frozen=True, eq=False)
class BulbTypes:
    """The types of a graph, and those in the span V of the odd ones in coordinates of V."""

    graph: Graph
    basis: Bits  # of the kernel vectors, (d, n)
    bulbs: Ints  # the type of every bulb, (n,)
    free: int  # n₀: bulbs in no kernel vector
    rank: int  # r, the dimension of V
    places: Ints  # the types in V, by coordinates, ascending; the unit vectors are odd types
    sizes: Ints  # n_τ for each of them
    names: Ints  # τ for each of them, in coordinates of the basis of the kernel vectors

    @property
    def units(self) -> Ints:
        """Where the basis of V stands among the types."""
        return np.searchsorted(self.places, 1 << np.arange(self.rank, dtype=np.int64))

    def press_set(self, sigma: Ints) -> Bits:
        """Return a press set with given σ (for `places`; 0 for all other types), (n,).

        All free bulbs are pressed, and of each type the first k_τ = (n_τ − σ_τ)/2 bulbs.
        """
        wanted = dict(zip(self.names.tolist(), sigma.tolist(), strict=True))
        chosen: Bits = self.bulbs == 0
        for name in distinct(self.bulbs[self.bulbs > 0]).tolist():
            members = np.flatnonzero(self.bulbs == name)
            chosen[members[: (members.size - wanted.get(name, 0)) // 2]] = True
        return chosen


def bulb_types(graph: Graph, limits: Limits = NEVER) -> BulbTypes:
    """Return the types of a graph. Raises PonderError for a nullity above 62. Raises TimeUp.

    >>> from ponder.model.graph import grid_graph
    >>> types = bulb_types(grid_graph("plus", (4, 4)))
    >>> types.free, types.rank, types.places.size, int(types.sizes.sum())
    (0, 4, 12, 16)
    """
    quiet = kernel(graph, limits)
    if quiet.nullity > MOST_NULLITY:
        raise PonderError(f"a nullity of {quiet.nullity} is too large; at most {MOST_NULLITY}")
    basis = quiet.basis()
    bulbs = kernel_columns(basis)
    names, sizes = np.unique(bulbs[bulbs > 0], return_counts=True)
    rank, places = _coordinates(names, sizes % 2 == 1)
    order = np.argsort(places)[np.count_nonzero(places < 0) :]
    free = int(np.count_nonzero(bulbs == 0))
    kept = sizes[order].astype(np.int64)
    return BulbTypes(graph, basis, bulbs, free, rank, places[order], kept, names[order])


def _coordinates(names: Ints, odd: Bits) -> tuple[int, Ints]:
    """Return r, and the coordinates in V of every type, (m,), −1 for one outside.

    The types are the columns of a matrix, the odd ones first: their pivots are the basis of V.
    """
    columns = np.concatenate([names[odd], names[~odd]])
    bits = (columns >> np.arange(MOST_NULLITY)[:, None] & 1).astype(np.bool_)
    done = gf2.eliminate(gf2.pack(bits), int(np.count_nonzero(odd)))
    rows = gf2.unpack(done.words, columns.size)
    coordinates = (1 << np.arange(done.rank, dtype=np.int64)) @ rows[done.pivot_rows]
    coordinates[np.delete(rows, done.pivot_rows, axis=0).any(axis=0)] = -1
    places = np.empty_like(coordinates)
    places[np.concatenate([np.flatnonzero(odd), np.flatnonzero(~odd)])] = coordinates
    return done.rank, places


def signs(points: Ints, places: Ints) -> Ints:
    """Return (−1)^{⟨x,τ⟩}: (m,), (t,) to (m, t)."""
    parity = np.bitwise_count(points[:, None] & places[None, :]) & 1
    return np.asarray(1 - 2 * parity.astype(np.int64))


def hat(sigma: Ints, places: Ints, rank: int) -> Ints:
    """Return σ̂ at all x ∈ GF(2)^r: (t,), (t,) to (2^r,)."""
    table = np.zeros(1 << rank, dtype=np.int64)
    table[places] = sigma
    return transform(table)


def transform(table: NDArray[Number]) -> NDArray[Number]:
    """Return the Walsh–Hadamard transform: at x, Σ_y (−1)^{⟨x,y⟩} table[y]. O(m log m)."""
    digits = table.size.bit_length() - 1
    return walsh_hadamard(table.reshape(1 << (digits - digits // 2), -1).T).ravel()
