"""How rows may choose where they take sums of two patterns: strips of columns that are alike.

Idea (theory §1.8). Press sets differ in the cell (i, j) by U_i·x_j + y_i·V_j (`line_patterns`). Let
V_j be one of three profiles, or none. The columns of a profile v are a *strip*: the choice y_i
moves all bulbs of row i there or none, by the bit b_i = y_i·v. Of the three bits of a row any two
give the third. Let W_v(b) be the fewest bulbs that columns can leave in a strip, and m_v the least
of these. Let all strips have at most Σ m_v + s bulbs, and e ≤ f ≤ g be what they have above their
m_v: then e + 2f ≤ s. So all b with W_v(b) ≤ m_v + s/2 are listed, strip by strip. They come from
all choices of the strip's columns: given these, a row takes its better bit, or the other one at a
known price. Then the pairs with e ≤ f are gone through. Their sum has to leave few bulbs in the
third strip: mostly so few that it is listed there, which a table of digests denies at once.

Letters: U, V, x, y, b, W, m, s as above; w columns of a strip, p bits of a row's profile, so 2^pw
choices; the rows of a profile u see a sum of the x_j, w bits, through which their least bulbs are
tabled. A list of bits of R rows is a number of R ≤ 62 bits. Sums: all of them count bulbs.
Cost: 2^pw, some 4 ns each, and 8 ns for a pair. A torus of king 30 × 30 has 2^20 choices, and at s
= 14 ten million pairs: 0.2 s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np

from ponder.check.limits import Budget
from ponder.system.types import Bits, Ints

WHAT = "the choices of lines"
MOST_ROWS = 62  # a bit for each row makes a number of 64 bits
MOST_CHOICES = 28  # bits of the choices of a strip's columns
MOST_HEADS = 1 << 14  # choices of all patterns but one
MOST_BITS = 1 << 21  # lists of bits that are held for one strip
MOST_FOUND = 1 << 19  # choices of all rows that are returned
_NS_CHOICE = 4  # nanoseconds for a choice of a strip's columns and a profile of rows
_NS_HEAD = 10_000  # … for one of all patterns but one
_NS_BIT = 100  # … for a list of bits and a row
_NS_PAIR = 8  # … for a pair whose digest is looked up
_NS_SUM = 2  # … for one that is weighed, a column and one of its sums
_DIGEST = 24  # bits of a digest, at most
_BYTES_CHOICE = 24  # of a row, by the choices of one pattern
_BYTES_BIT = 60  # of a list of bits, while rows are gone through
_BYTES_ROW = 24  # of the choice of a row, in a choice of all rows
_AT_A_TIME, _IN_CACHE = 1 << 18, 1 << 14  # pairs


def bits_of_choices(rows: list[int], columns: list[int]) -> int | None:
    """Return the bits of all choices of a strip; None where rows take no sums of two patterns.

    Nor where they are too many, or the rows.
    """
    if max(columns, default=0).bit_length() != 2 or len(rows) > MOST_ROWS:
        return None
    bits = max(rows, default=0).bit_length() * max(columns.count(v) for v in (1, 2, 3))
    return bits if bits <= MOST_CHOICES else None


def choices_of_rows(
    grid: Bits, rows: list[int], columns: list[int], staying: list[int], spare: int, budget: Budget
) -> Ints:
    """Return all choices y_i of the rows that can leave at most `spare` bulbs in all strips.

    (N, R) numbers 0 … 3, 0 in `staying`; `rows` and `columns` are profiles. Raises TooLarge.

    >>> grid = np.zeros((3, 3), dtype=bool)
    >>> choices_of_rows(grid, [1, 2, 3], [1, 2, 3], [0, 1], 0, Budget()).tolist()
    [[0, 0, 0]]
    """
    every = [_Strip(grid[:, [j for j, own in enumerate(columns) if own == v]], rows, staying, v)
             for v in (1, 2, 3) if v in columns]  # fmt: skip
    for strip in every:
        strip.weigh(budget)  # before anything is made that grows with its choices
    slack = spare - sum(strip.least for strip in every)
    if slack < 0:
        return np.empty((0, len(rows)), dtype=np.int64)
    three = len(every) == 3
    enough = slack // 2 if three else slack
    for strip in every:
        strip.list_bits(enough, budget)
    found, count = [np.empty((0, 4), dtype=np.int64)], 0
    for one, two in permutations(every, 2) if three else [every]:
        third = next((other for other in every if other not in (one, two)), None)
        for first, second in _pairs(one, two, third, enough, slack, budget):
            bits = np.zeros((first.size, 4), dtype=np.int64)
            bits[:, one.profile], bits[:, two.profile] = first, second
            bits[:, one.profile ^ two.profile] = first ^ second
            found.append(bits)
            count += first.size
            budget.demand(count, MOST_FOUND, WHAT)
    budget.hold(_BYTES_ROW * count * (4 + len(rows)), WHAT)
    both = np.unique(np.concatenate(found)[:, 1:3], axis=0)
    places = np.arange(len(rows))
    return (both[:, :1] >> places & 1) + 2 * (both[:, 1:] >> places & 1)


@dataclass(eq=False)
class _Strip:
    """The columns of a profile: `cells` (R, w), the profiles of the rows, those that stay."""

    cells: Bits
    rows: list[int]
    staying: list[int]
    profile: int
    least: int = 0
    bits: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    above: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))  # W(b) − m, sorted

    def __post_init__(self) -> None:
        self.width = self.cells.shape[1]
        self.patterns = max(self.rows, default=0).bit_length()
        self.choices = 1 << self.width if self.patterns else 1  # of one pattern by all columns
        self.heads = 1 << self.width * max(0, self.patterns - 1)

    def weigh(self, budget: Budget) -> None:
        """Find the least number of bulbs, and that of each choice of all patterns but the last."""
        budget.demand(self.heads, MOST_HEADS, f"{WHAT}: choices of patterns")
        most = len(self.rows) * self.choices
        budget.hold(_BYTES_CHOICE * most, WHAT)
        self.work = _NS_CHOICE * (1 + len({*self.rows})) * self.choices + _NS_HEAD  # for one head
        work = self.heads * self.work + _NS_CHOICE * most
        budget.spend(work, f"{WHAT}: 2^{self.width * self.patterns} in a strip")
        self.every = np.arange(self.choices, dtype=np.int64)
        if self.patterns:
            own = self.cells @ (1 << np.arange(self.width, dtype=np.int64))
            self.bulbs = np.bitwise_count(self.every ^ own[:, None]).astype(np.int16)
        else:  # any number of columns, and no choice
            self.bulbs = self.cells.sum(axis=1, dtype=np.int16)[:, None]
        best = np.minimum(self.bulbs, self.width - self.bulbs)
        best[self.staying] = self.bulbs[self.staying]
        self.tables = {
            u: best[[i for i, own in enumerate(self.rows) if own == u]].sum(axis=0, dtype=np.int32)
            for u in {*self.rows}
        }
        self.by_head = np.array([self._of(head).min() for head in range(self.heads)])
        self.least = int(self.by_head.min())

    def _of(self, head: int) -> Ints:
        """Return the least bulbs by the choice of the last pattern, given those of all others."""
        total = np.zeros(self.choices, dtype=np.int64)
        for u, table in self.tables.items():
            total += table[self._seen(u, head, self.every)]
        return total

    def _seen(self, u: int, head: int | Ints, last: Ints) -> Ints:
        """Return what the rows of a profile see, given the choices of all patterns."""
        seen = last * (u >> max(0, self.patterns - 1) & 1)
        for k in range(self.patterns - 1):
            seen = seen ^ (head >> self.width * k & self.choices - 1) * (u >> k & 1)
        return seen

    def list_bits(self, enough: int, budget: Budget) -> None:
        """List all bits by which columns can leave at most `enough` bulbs more than the least."""
        heads, lasts = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        slacks, count = [np.empty(0, dtype=np.int64)], 0
        some = np.flatnonzero(self.by_head <= self.least + enough).tolist()
        budget.spend(len(some) * self.work, f"{WHAT}: the light ones of a strip")
        for one in some:
            total = self._of(one)
            light = np.flatnonzero(total <= self.least + enough)
            heads.append(np.full(light.size, one))
            lasts.append(light)
            slacks.append(self.least + enough - total[light])
            count += light.size
            budget.demand(count, MOST_BITS, WHAT)
        head, last, slack = (np.concatenate(some) for some in (heads, lasts, slacks))
        seen = {u: self._seen(u, head, last) for u in self.tables}
        at, bits = np.arange(head.size), np.zeros(head.size, dtype=np.int64)
        for i, u in enumerate(self.rows):
            if i in self.staying:
                continue
            budget.demand(at.size, MOST_BITS, WHAT)
            budget.hold(_BYTES_BIT * at.size, WHAT)
            budget.spend(_NS_BIT * at.size, WHAT)
            bulbs = self.bulbs[i, seen[u][at]].astype(np.int64)
            moved = 2 * bulbs > self.width
            dear = np.abs(self.width - 2 * bulbs)
            too = dear <= slack  # the dearer bit as well
            bits = np.concatenate([bits | moved.astype(np.int64) << i,
                                   bits[too] | (~moved[too]).astype(np.int64) << i])  # fmt: skip
            at = np.concatenate([at, at[too]])
            slack = np.concatenate([slack, slack[too] - dear[too]])
        order = np.lexsort((-slack, bits))
        bits, slack = bits[order], slack[order]
        first = np.ones(bits.size, dtype=np.bool_)
        first[1:] = bits[1:] != bits[:-1]
        bits, above = bits[first], enough - slack[first]
        order = np.argsort(above, kind="stable")
        self.bits, self.above = bits[order], above[order]

    def of(self, above: int) -> Ints:
        """Return the listed bits with W(b) = m + above."""
        ends = np.searchsorted(self.above, [above, above + 1])
        return self.bits[ends[0] : ends[1]]

    def table(self, most: int, budget: Budget) -> tuple[Bits, Callable[[Ints], Ints]]:
        """Return whether some b with W(b) ≤ m + most has a digest, by digests; and what makes one.

        The digest of a sum is the sum of the digests.
        """
        bits = self.bits[: np.searchsorted(self.above, most, side="right")]
        size = min(_DIGEST, max(8, bits.size.bit_length() + 6))
        budget.spend(_NS_PAIR * bits.size + (1 << size), f"{WHAT}: digests")

        def digest(some: Ints) -> Ints:
            folded = some.copy()
            for start in range(size, MOST_ROWS, size):
                folded ^= some >> start
            return folded & (1 << size) - 1

        table = np.zeros(1 << size, dtype=np.bool_)
        table[digest(bits)] = True
        return table, digest

    def left(self, bits: Ints) -> Ints:
        """Return W(b), the fewest bulbs that columns can leave, for many b."""
        kind: type[np.unsignedinteger] = np.uint32 if len(self.rows) <= 32 else np.uint64
        units = 1 << np.arange(len(self.rows), dtype=np.int64)
        moved = [
            kind(units[[bool((u & x).bit_count() & 1) for u in self.rows]].sum())
            for x in range(1, 1 << self.patterns)
        ]
        own = (units @ self.cells).astype(kind)
        total = np.zeros(bits.size, dtype=np.int64)
        for start in range(0, bits.size, _IN_CACHE):
            some = bits[start : start + _IN_CACHE].astype(kind)
            for column in own:
                apart = some ^ column
                fewest = np.bitwise_count(apart)
                for pattern in moved:
                    np.minimum(fewest, np.bitwise_count(apart ^ pattern), out=fewest)
                total[start : start + _IN_CACHE] += fewest
        return total


def _pairs(
    one: _Strip, two: _Strip, third: _Strip | None, enough: int, slack: int, budget: Budget
) -> Iterator[tuple[Ints, Ints]]:
    """Yield the bits of two strips that leave few enough bulbs in all three, the third most above.

    Or in both, where there is no third.
    """
    every = [
        (above, beside)
        for above in np.unique(one.above).tolist()
        for beside in np.unique(two.above).tolist()
        if (above + beside <= slack if third is None else above <= beside <= (slack - above) // 2)
    ]
    for above, beside in every:
        first, second = one.of(above), two.of(beside)
        left = slack - above - beside
        count = first.size * second.size
        if third is None:
            budget.spend(_NS_PAIR * count, WHAT)
            yield np.repeat(first, second.size), np.tile(second, first.size)
            continue
        table = digest = None
        if left <= enough:  # the third strip's bits are listed, and seldom have this digest
            table, digest = third.table(left, budget)
        each = _NS_PAIR if digest is not None else _NS_SUM * third.width << third.patterns
        budget.spend(each * count, f"{WHAT}: going through {count:,} pairs")
        for i, k in _tiles(first.size, second.size):
            if table is None or digest is None:
                both = (first[i, None] ^ second[k]).ravel()
                at = np.arange(both.size)
            else:
                seen = table[digest(first[i])[:, None] ^ digest(second[k])]
                at = np.flatnonzero(seen)
                budget.spend(_NS_SUM * at.size * third.width << third.patterns, WHAT)
            row, column = np.divmod(at, second[k].size)
            row, column = first[i][row], second[k][column]
            good = third.left(row ^ column) <= third.least + left
            yield row[good], column[good]


def _tiles(rows: int, columns: int) -> Iterator[tuple[slice, slice]]:
    """Yield all pairs of so many, some at a time."""
    wide = min(columns, _AT_A_TIME)
    high = _AT_A_TIME // wide
    for start in range(0, columns, wide):
        for row in range(0, rows, high):
            yield slice(row, row + high), slice(start, start + wide)
