"""Every press set at once: is each member of the coset refuted, and how light can one be?

The press sets are s(x) = base + Σ x_i·basis_i for x ∈ GF(2)^d. Bulb v has a *kernel column* τ_v,
the basis vectors that contain it: s(x)(v) = base(v) + ⟨x, τ_v⟩. A Walsh-Hadamard transform of the
signed histogram of these columns (theory §7.8), in blocks of 16 coordinates, gives all weights. A
refutation covers the members that agree with its press set s(x₀) on its scope: x₀ + {y : ⟨y, τ_v⟩ =
0 for every v in the scope}, marked in a table of 2^d. Above MOST_NULLITY there is no table: each
member lighter than a bound is held against every part.

Letters: d nullity, x a member's coordinates and its index in the tables (bit i is x_i), n bulbs.
Sums: all of them count bulbs or lines, with signs, so none is larger than the board.
Cost: 6 ns a member (2^32: half a minute), O(n + 2^dim) a part; of m members O(m·d) a part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ponder.check.kinds import Refuted
from ponder.check.limits import Budget, TooLarge
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import PressSets, completed, echelon, reduced
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.types import Bits, Ints, bincount, distinct

MOST_NULLITY = 22  # above this nullity there is no table of all press sets
MOST_WEIGHED = 32  # above it light press sets are found by patterns of lines where there are some
MOST_LIGHTER = 1 << 23  # press sets lighter than is claimed, at most
_NS_MEMBER = 30  # nanoseconds for one press set that a part refutes
_NS_DEMAND = 8  # … for one that is held against a demand of a part
_NS_WEIGHT = 12  # … for one whose presses are counted
_NS_BULB = 30  # … for a bulb in a block of them
_NS_BIT = 10  # … for one and a line, where some are looked at
_NS_COLUMN = 100  # … for a bulb whose kernel column is looked at
_DIGITS = 16


@dataclass(frozen=True, eq=False)
class Coset:
    """All press sets by their coordinates: `base` (n,), `basis` (d, n), and d `pivots`, the i-th in
    basis vector i alone.
    """

    board: Board
    base: Bits
    basis: Bits
    pivots: list[int]

    @classmethod
    def of(cls, board: Board, found: PressSets) -> Coset:
        """Make the coset. Raises TooLarge if its basis is not written, CheckFailed if empty."""
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
        """Return the number of presses of every member. (2^d,). Raises TooLarge."""
        return ones(self.base, self.basis, budget or Budget())

    def lighter(self, bound: int, budget: Budget) -> tuple[Ints, Ints]:
        """Return indices and weights of all members of fewer than `bound` bulbs. Raises TooLarge.

        By the weights of all members, or by the patterns of lines where these are too many.
        """
        found = None
        if len(self.basis) > MOST_WEIGHED:
            found = light_press_sets(self.board, self.base, bound, budget)
        if found is None:
            return lighter(self.base, self.basis, bound, budget)
        bits = found[:, self.pivots] ^ self.base[self.pivots]
        units = np.int64(1) << np.arange(len(self.basis), dtype=np.int64)
        return bits @ units, np.count_nonzero(found, axis=1)

    def covered(self, parts: Iterable[Refuted], budget: Budget | None = None) -> Bits:
        """Return which members have no legal order, by the parts or by line counts. (2^d,)."""
        return self.extra(parts, budget) > 0

    def extra(
        self,
        parts: Iterable[Refuted],
        budget: Budget | None = None,
        members: Ints | None = None,
    ) -> Ints:
        """Return how many presses more than its weight each member needs at least.

        Of all members, (2^d,), or of some, given by their indices, (m,) -> (m,). 0 only where
        neither a part nor the line counts show that there is no legal order. Raises TooLarge.
        """
        budget = budget or Budget()
        found = self._unequal_lines(members, budget)
        columns = kernel_columns(self.basis)
        for part in parts:
            own, demands = self.index(part.counts), {i: 1 << i for i in range(len(self.basis))}
            if part.scope is not None:  # all kernel columns span GF(2)^d
                budget.spend(_NS_COLUMN * columns.size, "the kernel columns of the parts' bulbs")
                demands = echelon(distinct(columns[part.scope]).tolist())
            if members is None:
                free = [f for f in range(len(self.basis)) if f not in demands]
                budget.spend(_NS_MEMBER << len(free), "marking the press sets that parts refute")
                agree = np.array([own], dtype=np.int64)
                for f in free:
                    agree = np.concatenate([agree, agree ^ completed(1 << f, demands)])
            else:
                work = _NS_DEMAND * len(demands) * members.size
                budget.spend(work, "looking for a part's members")
                agree = np.ones(members.size, dtype=np.bool_)
                for demand in demands.values():
                    agree &= np.bitwise_count((members ^ own) & demand) & 1 == 0
            found[agree] = np.maximum(found[agree], part.extra)
        return found

    def _unequal_lines(self, members: Ints | None, budget: Budget) -> Ints:
        """Return 2·|H_R − H_C| where it matters: what theorem 3 calls for (theory §4.5)."""
        graph, odd_later = self.board.graph, self.board.odd_later
        if not isinstance(graph, CrossGraph) or odd_later is None or odd_later.any():
            count = _table(len(self.basis), budget) if members is None else members.size
            return np.zeros(count, dtype=np.int64)
        found = []
        for line, count in zip((graph.rows, graph.columns), graph.shape, strict=True):
            vectors = [self.base, *self.basis]
            parities = np.array([bincount(line[v], count) & 1 for v in vectors], dtype=np.bool_)
            base, basis = parities[0], parities[1:]
            if members is None:
                found.append(ones(base, basis, budget))
                continue
            budget.spend(_NS_BIT * count * members.size, "counting the odd lines of press sets")
            total = np.zeros(members.size, dtype=np.int64)
            for bit, column in zip(base.tolist(), kernel_columns(basis).tolist(), strict=True):
                total += np.bitwise_count(members & column) & 1 ^ int(bit)
            found.append(total)
        return np.asarray(np.abs(found[0] - found[1]))


def kernel_columns(basis: Bits) -> Ints:
    """Return the basis vectors that contain each bulb, as a number with one bit for each."""
    columns = np.zeros(basis.shape[1], dtype=np.int64)
    for i, vector in enumerate(basis):
        columns |= vector.astype(np.int64) << i
    return columns


def _table(d: int, budget: Budget) -> int:
    """Take a table of all members off the budget; return its size. Raises TooLarge."""
    if d > MOST_NULLITY:
        raise TooLarge(f"2^{d} press sets are too many to go through")
    budget.of_board.spend(_NS_WEIGHT << d, f"weighing 2^{d} of them")
    return 1 << d


def ones(base: Bits, basis: Bits, budget: Budget) -> Ints:
    """Return the 1s in base + Σ x_i·basis_i, by x: (m,), (d, m) -> (2^d,). Raises TooLarge."""
    _table(len(basis), budget)
    return np.concatenate([block for _, block in weight_blocks(base, basis, budget)])


def weight_blocks(base: Bits, basis: Bits, budget: Budget) -> Iterator[tuple[int, Ints]]:
    """Yield the same in blocks, each with the index of its first member. Raises TooLarge."""
    d = len(basis)
    digits = min(d, _DIGITS)
    work = (_NS_WEIGHT << d) + (_NS_BULB * base.size << (d - digits))
    budget.of_board.spend(work, f"weighing 2^{d} press sets")
    columns = kernel_columns(basis)
    inner, outer = columns & ((1 << digits) - 1), columns >> digits
    kind: type[np.signedinteger] = np.int16 if base.size < 1 << 15 else np.int64
    for block in range(1 << (d - digits)):
        odd = base ^ (np.bitwise_count(outer & block) & 1).astype(np.bool_)
        signed = bincount(inner[~odd], 1 << digits) - bincount(inner[odd], 1 << digits)
        table = signed.astype(kind).reshape(1 << (digits - digits // 2), -1)
        yield block << digits, (base.size - _transformed(table).ravel().astype(np.int64)) >> 1


def _transformed(table: NDArray[np.signedinteger]) -> NDArray[np.signedinteger]:
    """Return the Walsh-Hadamard transform of a table, read row by row, as Pease does it (1968)."""
    for _ in range(2):
        count = len(table)
        for _ in range(count.bit_length() - 1):
            upper, lower = table[: count // 2], table[count // 2 :]
            paired = np.empty((count // 2, 2, table.shape[1]), dtype=table.dtype)
            np.add(upper, lower, out=paired[:, 0])
            np.subtract(upper, lower, out=paired[:, 1])
            table = paired.reshape(count, -1)
        table = np.ascontiguousarray(table.T)
    return table


def least_weight(base: Bits, basis: Bits, budget: Budget) -> tuple[int, int]:
    """Return the least weight of all members, and how many have it. Raises TooLarge."""
    least, count = base.size + 1, 0
    for _, weights in weight_blocks(base, basis, budget):
        lightest = int(weights.min())
        if lightest < least:
            least, count = lightest, 0
        if lightest == least:
            count += int(np.count_nonzero(weights == least))
    return least, count


def lighter(base: Bits, basis: Bits, bound: int, budget: Budget) -> tuple[Ints, Ints]:
    """Return indices and weights of all members of fewer than `bound` bulbs. Raises TooLarge."""
    indices, weights, held = [], [], 0
    for first, block in weight_blocks(base, basis, budget):
        light = np.flatnonzero(block < bound)
        held += light.size
        budget.demand(held, MOST_LIGHTER, f"press sets of fewer than {bound} presses")
        indices.append(first + light)
        weights.append(block[light])
    return np.concatenate(indices), np.concatenate(weights)
