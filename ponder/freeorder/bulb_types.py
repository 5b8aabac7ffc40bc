"""The types of a graph's bulbs: all that the weights of its cosets depend on.

Idea. Let g_1 … g_d be a basis of the quiet patterns. The type τ ∈ GF(2)^d of a bulb says which of
them contain it. Press k_τ of the n_τ bulbs of type τ, and put σ_τ = n_τ − 2k_τ, so that |σ_τ| ≤ n_τ
and σ_τ ≡ n_τ (mod 2). The member x ∈ GF(2)^d of the coset then has the weight

    (n + n₀ − σ̂(x)) / 2,      σ̂(x) = Σ_{τ≠0} (−1)^{⟨x,τ⟩} σ_τ,

where n₀ bulbs are in no quiet pattern, and all of those are pressed (theory §8.5).

Only odd types cost anything. Let V be the space that they span, r its dimension. The mean of σ̂ over
the cosets of V^⊥ is the same sum over the types in V alone, so no board is worse than that, and
σ_τ = 0 for the even types outside V reaches it: types in V, in coordinates of a basis of V made of
odd types, are the whole problem.

Letters: d nullity, n bulbs, n₀, n_τ as above, r rank of the odd types.
Cost: O(n·d/64) after the linear stage; d ≤ 62.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ponder.cosets.coset import types
from ponder.errors import PonderError
from ponder.limits import NEVER, Limits
from ponder.linear.press_sets import kernel
from ponder.puzzle.graph import Graph
from ponder.types import Bits, Ints

Number = TypeVar("Number", np.int64, np.float64)

MOST_NULLITY = 62
"""Types are numbers of so many bits."""


@dataclass(frozen=True, eq=False)
class BulbTypes:
    """The types of a graph, and those in the span V of the odd ones in coordinates of V."""

    graph: Graph
    basis: Bits
    """A basis of the quiet patterns, (d, n)."""
    bulbs: Ints
    """The type of every bulb, (n,)."""
    free: int
    """n₀: bulbs in no quiet pattern."""
    rank: int
    """r, the dimension of V."""
    places: Ints
    """The types in V, by their coordinates in V, ascending; the unit vectors are odd types."""
    sizes: Ints
    """n_τ for each of them."""
    names: Ints
    """τ for each of them, in coordinates of the basis of the quiet patterns."""

    @property
    def odd(self) -> bool:
        """Whether any type has an odd number of bulbs."""
        return self.rank > 0

    def signs(self) -> Ints:
        """Return (−1)^{⟨x,τ⟩} for all x ∈ GF(2)^r and all τ in V: (2^r, types)."""
        return signs(np.arange(1 << self.rank), self.places)

    def press_set(self, sigma: Ints) -> Bits:
        """Return a press set with given σ (for `places`; 0 for all other types), (n,).

        All free bulbs are pressed, and of each type the first k_τ = (n_τ − σ_τ)/2 bulbs.
        """
        wanted = dict(zip(self.names.tolist(), sigma.tolist(), strict=True))
        chosen: Bits = self.bulbs == 0
        for name in np.unique(self.bulbs[self.bulbs > 0]).tolist():
            members = np.flatnonzero(self.bulbs == name)
            chosen[members[: (members.size - wanted.get(name, 0)) // 2]] = True
        return chosen


def bulb_types(graph: Graph, limits: Limits = NEVER) -> BulbTypes:
    """Return the types of a graph. PonderError for a nullity above 62; TimeUp.

    >>> from ponder.puzzle.graph import grid_graph
    >>> found = bulb_types(grid_graph("plus", (4, 4)))
    >>> found.free, found.rank, found.places.size, int(found.sizes.sum())
    (0, 4, 12, 16)
    >>> bulb_types(grid_graph("plus", (5, 5))).odd
    False
    """
    quiet = kernel(graph, limits)
    if quiet.nullity > MOST_NULLITY:
        raise PonderError(f"a nullity of {quiet.nullity} is too large; at most {MOST_NULLITY}")
    basis = quiet.basis()
    bulbs = types(basis)
    names, sizes = np.unique(bulbs[bulbs > 0], return_counts=True)
    span = _Span(names[sizes % 2 == 1].tolist())
    inside = [(place, at) for at, name in enumerate(names.tolist()) if (place := span.place(name))]
    inside.sort()
    order = np.array([at for _, at in inside], dtype=np.int64)
    return BulbTypes(
        graph,
        basis,
        bulbs,
        int(np.count_nonzero(bulbs == 0)),
        span.rank,
        np.array([place for place, _ in inside], dtype=np.int64),
        sizes[order].astype(np.int64),
        names[order],
    )


def signs(points: Ints, places: Ints) -> Ints:
    """Return (−1)^{⟨x,τ⟩}: (m,), (t,) to (m, t).

    >>> signs(np.arange(4), np.array([1, 3])).tolist()
    [[1, 1], [-1, -1], [1, -1], [-1, 1]]
    """
    parity = np.bitwise_count(points[:, None] & places[None, :]) & 1
    found: Ints = 1 - 2 * parity.astype(np.int64)
    return found


def transform(table: NDArray[Number]) -> NDArray[Number]:
    """Return the Walsh–Hadamard transform: at x, Σ_y (−1)^{⟨x,y⟩} table[y]. O(m log m).

    >>> transform(np.array([1, 0, 0, 2])).tolist()
    [3, -1, -1, 3]
    """
    found = table.copy()
    half = 1
    while half < found.size:
        pairs = found.reshape(-1, 2, half)
        low, high = pairs[:, 0].copy(), pairs[:, 1].copy()
        np.add(low, high, out=pairs[:, 0])
        np.subtract(low, high, out=pairs[:, 1])
        half *= 2
    return found


class _Span:
    """The span of some numbers as vectors over GF(2), with coordinates of a basis among them."""

    def __init__(self, vectors: list[int]) -> None:
        self._rows: list[tuple[int, int]] = []  # leading bits differ; (row, its coordinates)
        for vector in vectors:
            rest, place = self._reduced(vector)
            if rest:
                self._rows.append((rest, place ^ 1 << len(self._rows)))
                self._rows.sort(reverse=True)

    @property
    def rank(self) -> int:
        return len(self._rows)

    def place(self, vector: int) -> int | None:
        """Return the coordinates of a vector, None for one outside."""
        rest, place = self._reduced(vector)
        return None if rest else place

    def _reduced(self, vector: int) -> tuple[int, int]:
        place = 0
        for row, its in self._rows:
            if vector ^ row < vector:
                vector, place = vector ^ row, place ^ its
        return vector, place
