"""Every press set at once: is each member of the coset refuted, and how light can one be?

The press sets are s(x) = base + Σ x_i·basis_i for the 2^d vectors x ∈ GF(2)^d (nullity d). Bulb v
has a *kernel column* τ_v ∈ GF(2)^d, the basis vectors that contain it, and s(x)(v) = base(v) + ⟨x,
τ_v⟩.

* A refutation covers the members that agree with its press set s(x₀) on its scope:
  x₀ + {y : ⟨y, τ_v⟩ = 0 for every v in the scope}, an affine subspace, marked in a table of 2^d.
* The number of ones in some bits of every member comes by a Walsh-Hadamard transform (theory §7.8):
  of the bulbs, that is the weights, and of the line parities.
* On row/column boards with every t(v) = 0 a member with unequally many odd rows and columns has
  no order (theory §4.4): such members need no refutation.
* Above MOST_NULLITY there is no table: a bound is then about the members lighter than it, which
  `coset_blocks` lists, and each of them is held against every part.

Sums: all of them count bulbs or lines, so none is larger than the board.

Letters: d nullity, x a member's coordinates and its index in the tables (bit i is x_i).
Cost: O(d·2^d + Σ_parts (n + 2^dim)) after `linear.press_sets`; of m members O(m·d·parts).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import PressSets, completed, echelon, reduced
from ponder.check.neighbourhoods import tally
from ponder.check.refutations import RefutedCounts
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph
from ponder.types import Bits, Ints

MOST_NULLITY = 22
"""Above this nullity there is no table of all press sets."""

_NS_MEMBER = 30  # nanoseconds for one press set that a part refutes
_NS_DEMAND = 8  # … for one that is held against a demand of a part
_NS_WEIGHT = 6  # … for one and a digit of its coordinates, where all are weighed
_NS_BIT = 10  # … for one and a bulb or a line, where some are weighed
_NS_COLUMN = 100  # … for a bulb whose kernel column is looked at


@dataclass(frozen=True, eq=False)
class Coset:
    """All press sets of a board, by their coordinates.

    `base` has shape (n,), `basis` (d, n). `pivots` are d bulbs, the i-th of them in the i-th
    basis vector alone: there the coordinates of a member can be read off.
    """

    board: Board
    base: Bits
    basis: Bits
    pivots: list[int]

    @classmethod
    def of(cls, board: Board, found: PressSets) -> Coset:
        """Make the coset; TooLarge when its basis is not written down, CheckFailed when empty."""
        return cls(board, found.one, *reduced(found.quiet))

    @property
    def size(self) -> int:
        """The number of press sets, 2^d."""
        return 1 << len(self.basis)

    def member(self, index: int) -> Bits:
        """Return the press set with these coordinates. (n,)."""
        chosen = [i for i in range(len(self.basis)) if index >> i & 1]
        return np.asarray(self.base ^ np.bitwise_xor.reduce(self.basis[chosen], axis=0))

    def index(self, counts: Ints) -> int:
        """Return the coordinates of a press set that is known to be a member."""
        bits = (counts[self.pivots] & 1) != self.base[self.pivots]
        return sum(1 << i for i, bit in enumerate(bits.tolist()) if bit)

    def weights(self, budget: Budget | None = None) -> Ints:
        """Return the number of presses of every member. (2^d,). TooLarge."""
        self._spend_table(budget or Budget())
        return ones(self.base, self.basis)

    def _spend_table(self, budget: Budget) -> None:
        d = len(self.basis)
        if d > MOST_NULLITY:
            raise TooLarge(f"2^{d} press sets are too many to go through")
        budget.spend(_NS_WEIGHT * (d + 1) * (self.size + self.base.size), f"weighing 2^{d} of them")

    def covered(self, parts: Iterable[RefutedCounts], budget: Budget | None = None) -> Bits:
        """Return which members have no legal order, by the parts or by line counts. (2^d,)."""
        return self.extra(parts, budget) > 0

    def extra(self, parts: Iterable[RefutedCounts], budget: Budget | None = None) -> Ints:
        """Return how many presses more than its weight each member needs at least. (2^d,).

        0 only where neither a part nor the line counts show that there is no legal order. TooLarge.
        """
        budget = budget or Budget()
        self._spend_table(budget)
        table = self._unequal_lines()
        columns = kernel_columns(self.basis)
        for part in parts:
            if part.scope.all():
                member = self.index(part.counts)
                table[member] = max(int(table[member]), part.extra)
                continue
            budget.spend(_NS_COLUMN * columns.size, "the kernel columns of the parts' bulbs")
            demands = echelon(np.unique(columns[part.scope]).tolist())
            free = [f for f in range(len(self.basis)) if f not in demands]
            budget.spend(_NS_MEMBER << len(free), "marking the press sets that parts refute")
            members = np.array([self.index(part.counts)], dtype=np.int64)
            for f in free:
                members = np.concatenate([members, members ^ completed(1 << f, demands)])
            table[members] = np.maximum(table[members], part.extra)
        return table

    def extra_of(self, members: Ints, parts: Iterable[RefutedCounts], budget: Budget) -> Ints:
        """Return the same for some members, given by their indices. (m,) -> (m,).

        >>> from ponder.check.linear import press_sets
        >>> board, budget = Board.from_rows(["0000", "0000"]), Budget()
        >>> coset = Coset.of(board, press_sets(board))
        >>> some = coset.extra_of(np.arange(coset.size), [], budget)
        >>> some.tolist() == coset.extra([], budget).tolist()
        True
        """
        lines = sum(getattr(self.board.graph, "shape", ()))
        budget.spend(_NS_BIT * lines * members.size, "counting the odd lines of press sets")
        found = self._unequal_lines(members)
        columns = kernel_columns(self.basis)
        for part in parts:
            budget.spend(_NS_COLUMN * columns.size, "the kernel columns of the parts' bulbs")
            demands = echelon(np.unique(columns[part.scope]).tolist())
            budget.spend(_NS_DEMAND * len(demands) * members.size, "looking for a part's members")
            apart, agree = members ^ self.index(part.counts), np.ones(members.size, dtype=np.bool_)
            for demand in demands.values():
                agree &= np.bitwise_count(apart & demand) & 1 == 0
            found[agree] = np.maximum(found[agree], part.extra)
        return found

    def _unequal_lines(self, members: Ints | None = None) -> Ints:
        """Return by how much the numbers of odd rows and odd columns differ, where that matters.

        Of all members, or of some.
        This is 2·|H_R − H_C|: the presses that theorem 3 calls for (theory §4.5).
        """
        graph, odd_later = self.board.graph, self.board.odd_later
        if not isinstance(graph, CrossGraph) or odd_later is None or odd_later.any():
            return np.zeros(self.size if members is None else members.size, dtype=np.int64)
        odd = [
            ones(parities[0], parities[1:])
            if members is None
            else _ones_of(parities[0], parities[1:], members)
            for parities in (
                _line_parities(self.base, self.basis, graph.rows, graph.shape[0]),
                _line_parities(self.base, self.basis, graph.columns, graph.shape[1]),
            )
        ]
        return np.asarray(np.abs(odd[0] - odd[1]))


def ones(base: Bits, basis: Bits) -> Ints:
    """Return the number of 1s in base + Σ x_i·basis_i for every x. (m,), (d, m) -> (2^d,).

    >>> ones(np.array([1, 0, 0], bool), np.array([[1, 1, 0], [0, 1, 1]], bool)).tolist()
    [1, 1, 3, 1]
    """
    d = len(basis)
    table = signed_columns(base, kernel_columns(basis), 1 << d)
    for i in range(d):
        halves = table.reshape(-1, 2, 1 << i)
        low, high = halves[:, 0].copy(), halves[:, 1].copy()
        halves[:, 0], halves[:, 1] = low + high, low - high
    return (base.size - table) // 2


def signed_columns(odd: Bits, columns: Ints, count: int) -> Ints:
    """Return how many more bulbs of each kernel column are even than odd. (m,), (m,) -> (count,).

    >>> signed_columns(np.array([False, True, True]), np.array([2, 0, 2]), 3).tolist()
    [-1, 0, 0]
    """
    return tally(columns[~odd], count) - tally(columns[odd], count)


def _ones_of(base: Bits, basis: Bits, members: Ints) -> Ints:
    """Return the number of 1s in base + Σ x_i·basis_i for some x. (m,), (d, m), (k,) -> (k,)."""
    total = np.zeros(members.size, dtype=np.int64)
    for bit, column in zip(base.tolist(), kernel_columns(basis).tolist(), strict=True):
        total += np.bitwise_count(members & column) & 1 ^ int(bit)
    return total


def kernel_columns(basis: Bits) -> Ints:
    """Return the basis vectors that contain each bulb, as a number with one bit for each."""
    columns = np.zeros(basis.shape[1], dtype=np.int64)
    for i, vector in enumerate(basis):
        columns |= vector.astype(np.int64) << i
    return columns


def _line_parities(base: Bits, basis: Bits, line: Ints, count: int) -> Bits:
    """Return the parity of every line in the base and in each basis vector. (1 + d, count)."""
    vectors: Sequence[Bits] = [base, *basis]
    return np.array([tally(line[v], count) & 1 for v in vectors], dtype=np.bool_)
