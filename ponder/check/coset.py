"""All press sets of a board: their weights, and which of them a partial refutation covers.

`lightest`: the least weight of all press sets bounds every legal sequence from below, as each
sequence presses each bulb of one press set.

The press sets are s(x) = base + Σ x_i·basis_i for x ∈ GF(2)^d. Bulb v has a *kernel column* τ_v,
the basis vectors that contain it: s(x)(v) = base(v) + ⟨x, τ_v⟩. A Walsh-Hadamard transform of the
signed histogram of these columns (theory §7.8), in blocks of 17 coordinates, gives all weights. A
refutation covers the members that agree with its press set s(x₀) on its scope: those with
⟨x + x₀, τ_v⟩ = 0 for every v in the scope.

Letters: d nullity, x a member's coordinates and its number (bit i is x_i), n bulbs. Sums: all of
them count bulbs or lines, with signs, so none is larger than the board.
Cost: 3.5 ns a member (2^32: 15 s); for a part O(d) operations on arrays of the members.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ponder.check.certificate import Bound, Refuted
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import PressSets, echelon, press_sets, reduced
from ponder.check.neighbourhoods import reaches_goal
from ponder.check.reader import TooLarge, bulbs, count, fail, gathered, sequence
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.errors import quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json, bincount, distinct

MOST_NULLITY = 22  # above this nullity there is no table of all press sets
MOST_WEIGHED = 32  # up to this nullity all press sets can be weighed
BY_LINES = 16  # above it the patterns of lines are asked first for light ones
MOST_LIGHTER = 1 << 23  # press sets lighter than is claimed, at most
_DIGITS = 17  # coordinates of a block, which is still in the cache
MOST_LISTED = 1 << 16


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
    def from_press_sets(cls, board: Board, sets: PressSets) -> Coset:
        """Make the coset. Raises TooLarge if its basis is not written, CheckFailed if empty."""
        return cls(board, sets.one, *reduced(sets.quiet))

    @property
    def size(self) -> int:
        """The number of press sets, 2^d."""
        return 1 << len(self.basis)

    def member(self, number: int) -> Bits:
        """Return the press set with these coordinates. (n,)."""
        chosen = [i for i in range(len(self.basis)) if number >> i & 1]
        return np.asarray(self.base ^ np.bitwise_xor.reduce(self.basis[chosen], axis=0))

    def index(self, counts: Ints | Bits) -> int:
        """Return the coordinates of a press set that is known to be a member."""
        bits = (counts[self.pivots] & 1) != self.base[self.pivots]
        return sum(1 << i for i, bit in enumerate(bits.tolist()) if bit)

    def lighter(self, bound: int, limits: Limits = NEVER) -> tuple[Ints, Ints]:
        """Return numbers and weights of all members of fewer than `bound` bulbs.

        By the patterns of lines where there are some, else by the weights of all members. Raises
        LimitReached.
        """
        light = by_lines(self.board, self.base, len(self.basis), bound, limits)
        if light is not None:
            bits = light[:, self.pivots] ^ self.base[self.pivots]
            units = np.int64(1) << np.arange(len(self.basis), dtype=np.int64)
            return bits @ units, np.count_nonzero(light, axis=1)
        blocks = weight_blocks(self.base, self.basis, limits)
        light_ones = ((first, block, np.flatnonzero(block < bound)) for first, block in blocks)
        numbers, weights = gathered(
            (np.stack([first + at, block[at]]) for first, block, at in light_ones),
            MOST_LIGHTER,
            f"press sets of fewer than {bound} presses",
        )
        return numbers, weights

    def agreeing(self, part: Refuted, members: Ints) -> Bits:
        """Return which members a part refutes. (m,) -> (m,)."""
        columns = kernel_columns(self.basis)
        demands = [1 << i for i in range(len(self.basis))]
        if part.scope is not None:
            demands = list(echelon(distinct(columns[part.scope]).tolist()).values())
        differ, agree = members ^ self.index(part.counts), np.ones(members.size, dtype=np.bool_)
        for requirement in demands:
            agree &= np.bitwise_count(differ & requirement) & 1 == 0
        return agree

    def left(self, parts: Iterable[Refuted], members: Ints, limits: Limits = NEVER) -> Ints:
        """Return the members that no part refutes. (m,) -> (k,). Raises TimeUp."""
        for part in limits.over(parts, 1):
            if not members.size:
                break
            members = members[~self.agreeing(part, members)]
        return members

    def extra(self, parts: Iterable[Refuted], members: Ints, limits: Limits = NEVER) -> Ints:
        """Return how many presses more than its weight each member needs. (m,) -> (m,).

        0 only where neither a part nor the line counts show that there is no legal order.
        """
        most = self.unequal_lines(members, limits)
        for part in limits.over(parts, 1):
            agree = self.agreeing(part, members)
            most[agree] = np.maximum(most[agree], part.extra)
        return most

    def line_parities(self) -> list[tuple[Bits, Bits]]:
        """Return line parities of base and basis, rows and columns; none where they say nothing.

        Where every t(v) = 0 on rows and columns, an order has as many odd rows as odd columns.
        """
        graph, odd_later = self.board.graph, self.board.odd_later
        if not isinstance(graph, CrossGraph) or odd_later is None or odd_later.any():
            return []
        parities = []
        for line, size in zip((graph.rows, graph.columns), graph.shape, strict=True):
            vectors = [self.base, *self.basis]
            odd = np.array([bincount(line[v], size) & 1 for v in vectors], dtype=np.bool_)
            parities.append((odd[0], odd[1:]))
        return parities

    def unequal_lines(self, members: Ints, limits: Limits = NEVER) -> Ints:
        """Return 2·|H_R − H_C| where it matters: what theorem 3 calls for (theory §4.5). (m,)."""
        difference = np.zeros(members.size, dtype=np.int64)
        for sign, (base, basis) in zip((1, -1), self.line_parities(), strict=False):
            columns = zip(base.tolist(), kernel_columns(basis).tolist(), strict=True)
            for bit, column in limits.over(columns, 1):
                odd = np.bitwise_count(members & column).astype(np.int64) & 1 ^ int(bit)
                difference += sign * odd
        return np.asarray(np.abs(difference))


def kernel_columns(basis: Bits) -> Ints:
    """Return the basis vectors that contain each bulb, as a number with one bit for each."""
    columns = np.zeros(basis.shape[1], dtype=np.int64)
    for i, vector in enumerate(basis):
        columns |= vector.astype(np.int64) << i
    return columns


def weight_blocks(base: Bits, basis: Bits, limits: Limits = NEVER) -> Iterator[tuple[int, Ints]]:
    """Yield the weights of base + Σ x_i·basis_i in blocks, each with the number of its first x.

    (m,), (d, m) -> (2^17,) at a time. Raises LimitReached.
    """
    d = len(basis)
    if d > MOST_WEIGHED:
        raise TooLarge(f"2^{d} press sets are too many to weigh")
    digits = min(d, _DIGITS)
    low = digits // 2
    columns = kernel_columns(basis)
    inner, outer = columns & ((1 << digits) - 1), columns >> digits
    places = inner & ((1 << low) - 1), inner >> low
    kind: type[np.signedinteger] = np.int16 if base.size < 1 << 14 else np.int64
    for block in range(1 << (d - digits)):
        limits.check()
        odd = base ^ (np.bitwise_count(outer & block) & 1).astype(np.bool_)
        table = np.zeros((1 << low, 1 << digits - low), dtype=kind)
        np.add.at(table, places, np.where(odd, kind(-1), kind(1)))
        yield block << digits, (base.size - walsh_hadamard(table).ravel()) >> 1


def walsh_hadamard(table: NDArray[Any]) -> NDArray[Any]:
    """Return the Walsh-Hadamard transform of the transpose of a table, read row by row.

    As Pease does it (1968), first along one axis, then along the other. (a, b) -> (b, a).
    """
    for passes in range(2):
        table = np.ascontiguousarray(table.T) if passes else table
        count = len(table)
        for _ in range(count.bit_length() - 1):
            upper, lower = table[: count // 2], table[count // 2 :]
            paired = np.empty((count // 2, 2, table.shape[1]), dtype=table.dtype)
            np.add(upper, lower, out=paired[:, 0])
            np.subtract(upper, lower, out=paired[:, 1])
            table = paired.reshape(count, -1)
    return table


def by_lines(
    board: Board, base: Bits, nullity: int, bound: int, limits: Limits = NEVER
) -> Bits | None:
    """Return all press sets of fewer than `bound` bulbs, (m, n), by the patterns of lines.

    Returns None if there are none or too many, or if weighing all press sets is as fast.
    """
    try:
        return light_press_sets(board, base, bound, limits) if nullity > BY_LINES else None
    except TooLarge:
        return None


def least_weight(base: Bits, basis: Bits, limits: Limits = NEVER) -> tuple[int, int]:
    """Return the least weight of all members, and how many have it. Raises LimitReached."""
    least, number = base.size + 1, 0
    for _, weights in weight_blocks(base, basis, limits):
        lightest = int(weights.min())
        if lightest < least:
            least, number = lightest, 0
        if lightest == least:
            number += int(np.count_nonzero(weights == least))
    return least, number


@dataclass(frozen=True, eq=False)
class Lightest(Bound):
    """The bound is the least weight; `press_sets` press sets have it, and `listed` may list all."""

    kind = "lightest"
    of_orders: ClassVar[bool] = False
    of_wirings: ClassVar[bool] = True
    press_sets: int | None = None
    listed: tuple[Ints, ...] | None = None

    def fields(self, board: Board) -> Json:
        """Return the number of press sets, and the list."""
        content: Json = {} if self.press_sets is None else {"press_sets": self.press_sets}
        if self.listed is not None:
            content["listed"] = [board.graph.labels(bulbs) for bulbs in self.listed]
        return content

    @classmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Read the number of press sets, and the list."""
        number, listed = content.get("press_sets"), content.get("listed")
        number = None if number is None else count(number, "lightest: press_sets")
        if listed is None:
            return cls(number)
        rows = sequence(listed, "lightest: listed", MOST_LISTED)
        return cls(number, tuple(bulbs(board.graph, row, "lightest: listed") for row in rows))

    def proves(self, board: Board, command: str, enough: int, limits: Limits = NEVER) -> int:
        """Return the least weight, and check how many press sets have it."""
        sets = press_sets(board, limits)
        light = by_lines(board, sets.one, sets.nullity, enough + 1, limits)
        if light is None:
            least, number = least_weight(sets.one, sets.quiet, limits)
        else:
            weights = np.count_nonzero(light, axis=1)
            least = int(weights.min(initial=enough))
            number = int(np.count_nonzero(weights == least))
            if not number:  # the claimed least weight is too small
                fail(f"lightest: no press set has {quoted(enough)} bulbs or fewer")
        if self.press_sets not in (None, number):
            claimed = quoted(self.press_sets)
            fail(f"lightest: {number} press sets have {least} presses, not {claimed}")
        if self.listed is not None:
            self._check_listed(board, least, number, limits)
        return least

    def _check_listed(self, board: Board, least: int, number: int, limits: Limits) -> None:
        different = set()
        for row in limits.over(self.listed or (), 1):
            press_set = board.graph.set_of(row)
            if row.size != least or not reaches_goal(board, press_set):
                fail(f"lightest: a listed press set is wrong or does not have {least} presses")
            different.add(press_set.tobytes())
        if len(different) != number:
            fail(f"lightest: {len(different)} press sets are listed, but there are {number}")

    def check_bound(
        self, board: Board, command: str, bound: int, limits: Limits = NEVER
    ) -> str | None:
        """Check that the bound is the least weight itself."""
        proved = self.proves(board, command, bound, limits)
        if bound != proved:
            fail(f"bound: {self.kind} proves {proved}, not {quoted(bound)}")
        return None
