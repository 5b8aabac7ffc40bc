"""Linear algebra over GF(2), 64 entries to a machine word.

Idea. Elimination goes through the columns one word at a time. Within a word only that word of every
row is reduced, and each row remembers in a second word *which pivot rows of the block were added to
it*. The whole width is then brought up to date by one product of that (m × 64) selector with the 64
pivot rows, by the Method of the Four Russians: for every 8 pivot rows all 256 sums are tabulated.

Letters: A the matrix, m × n, as words of shape (m, ⌈n/64⌉); r its rank, n − r its nullity. Bit j of
a row is bit j mod 64 of word j div 64; bits beyond the last column are 0. A *pivot* is a (row,
column) pair; after elimination the column has its only 1 in that row. Rows are never swapped.

A kernel vector y of a board's matrix, A y = 0, is a *quiet pattern*: pressing y changes nothing. A
is symmetric, so every press toggles an even number of bulbs of y (an *even parity cover*). Kernel
vectors lead from one press set to all others, and an odd one proves that there is none (Fredholm
alternative: A s = b has no solution ⇔ some y in ker A has y·b = 1). A basis may be far larger than
the board (a 4001 × 4001 row/column board has nullity 8000), so each technique has its own kind of
`Kernel`, which forms only the members asked for.

Cost: O(m·n·r / (64·8)) word operations; a random 4096 × 4096 matrix takes about 0.2 s.
References: Arlazarov, Dinic, Kronrod, Faradzhev 1970; Albrecht, Bard, Hart, "Algorithm 898", 2010.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ponder.model.graph import Graph
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, Limits
from ponder.system.machine import refuse_above_limit
from ponder.system.types import Bits, Ints, Words, indices

_WORD = np.dtype("<u8")  # little-endian, so that a word's bytes are its bits in order
_ROWS_AT_ONCE = 1024  # rows whose table entries are fetched together: they stay in the cache
_BATCH_BYTES = 1 << 26  # of kernel vectors that are formed together


def _words(bits: int) -> int:
    return (bits + 63) >> 6


def pack(bits: Bits) -> Words:
    """Pack the last axis: (…, n) bits to (…, ⌈n/64⌉) words."""
    octets = np.packbits(bits, axis=-1, bitorder="little")
    words = np.zeros((*bits.shape[:-1], _words(bits.shape[-1])), dtype=_WORD)
    words.view(np.uint8)[..., : octets.shape[-1]] = octets
    return words


def unpack(words: Words, count: int) -> Bits:
    """Unpack the last axis: (…, w) words to (…, count) bits, count ≤ 64·w."""
    octets = np.ascontiguousarray(words, dtype=_WORD).view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, count=count, bitorder="little")
    return np.asarray(bits.view(np.bool_))


def closed_adjacency(graph: Graph) -> Words:
    """Return A = adjacency(G) + I, or B of a wiring, (lights, ⌈presses/64⌉). Raises NeedsMemory."""
    if isinstance(graph, Wired):
        return incidences(graph.toggled, graph.owners, (graph.size, graph.presses))
    all_bulbs = np.arange(graph.size, dtype=np.int64)
    edges = graph.edges_within(all_bulbs)
    rows, columns = np.concatenate(
        [edges, edges[:, ::-1], np.stack([all_bulbs, all_bulbs], axis=1)]
    ).T
    return incidences(rows, columns, (graph.size, graph.size))


def incidences(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Words:
    """Return the matrix with ones at these places. Raises NeedsMemory if it is too large."""
    # the elimination works on a second one, with the right-hand side
    refuse_above_limit("a matrix without structure", 2 * shape[0] * (shape[1] + 7) // 8)
    words = np.zeros((shape[0], _words(shape[1])), dtype=_WORD)
    bits = np.uint64(1) << (columns & 63).astype(np.uint64)
    np.bitwise_or.at(words, (rows, columns >> 6), bits)
    return words


def product(left: Bits, right: Bits, limits: Limits = NEVER) -> Bits:
    """Return the product of an m × k and a k × n matrix of bits, (m, n). O(m·k·n / 512)."""
    count = right.shape[1]
    words = np.zeros((len(left), _words(count)), dtype=_WORD)
    _add_product(words, pack(left), pack(right), limits)
    return unpack(words, count)


@dataclass(frozen=True, eq=False)
class Echelon:
    """A matrix after elimination: every pivot column has its only 1 in its pivot row.

    `words` may hold right-hand sides beyond the first `columns`: they took part, but hold no pivot.
    """

    words: Words
    columns: int
    pivot_rows: Ints
    pivot_columns: Ints

    @property
    def rank(self) -> int:
        """The number of pivots."""
        return int(self.pivot_rows.size)

    @property
    def nullity(self) -> int:
        """The dimension of {x : A x = 0}."""
        return self.columns - self.rank

    def kernel(self) -> Bits:
        """Return a basis of {x : A x = 0}: a vector for each column without a pivot."""
        free = np.ones(self.columns, dtype=np.bool_)
        free[self.pivot_columns] = False
        refuse_above_limit("a basis of the kernel", self.nullity * self.columns)
        basis = np.zeros((self.nullity, self.columns), dtype=np.bool_)
        if self.nullity:
            basis[:, free] = np.eye(self.nullity, dtype=np.bool_)
            for start in range(0, self.rank, _ROWS_AT_ONCE):  # eight times as large, unpacked
                rows = self.pivot_rows[start : start + _ROWS_AT_ONCE]
                columns = self.pivot_columns[start : start + _ROWS_AT_ONCE]
                basis[:, columns] = unpack(self.words[rows], self.columns)[:, free].T
        return basis


def eliminate(matrix: Words, columns: int, limits: Limits = NEVER) -> Echelon:
    """Bring a matrix into reduced form in place, seeking pivots in its first `columns` columns.

    Raises TimeUp if the deadline passes.

    >>> a = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]], dtype=bool)
    >>> done = eliminate(pack(a), 3)
    >>> done.rank, done.kernel().astype(int).tolist()
    (2, [[1, 1, 1]])
    """
    height = matrix.shape[0]
    unused = np.ones(height, dtype=_WORD)  # 1 while the row holds no pivot
    pivot_rows: list[int] = []
    pivot_columns: list[int] = []
    for at in range(_words(columns)):
        if len(pivot_rows) == height:
            break
        limits.check()
        bits, rows, added = _reduce_word(matrix[:, at], unused, min(64, columns - 64 * at))
        if not rows:
            continue
        # Rows without a pivot are 0 in all earlier words, so only this one and later ones change.
        pivots = matrix[rows, at:]
        matrix[rows, at:] = 0
        _add_product(matrix[:, at:], added[:, None], pivots, limits)
        pivot_rows += rows
        pivot_columns += [64 * at + bit for bit in bits]
    places = np.array([pivot_rows, pivot_columns], dtype=np.int64)
    return Echelon(matrix, columns, places[0], places[1])


def solve(
    words: Words, columns: int, right: Bits, limits: Limits = NEVER
) -> tuple[Bits | None, Echelon]:
    """Solve A x = b; return x, (n,), or None when there is none, and A's reduced form.

    Raises TimeUp if the deadline passes.
    """
    width = _words(columns)
    augmented = np.zeros((words.shape[0], width + 1), dtype=_WORD)
    augmented[:, :width] = words
    augmented[:, width] = right
    done = eliminate(augmented, columns, limits)
    sides = done.words[:, width].astype(np.bool_)
    solution = np.zeros(columns, dtype=np.bool_)
    solution[done.pivot_columns] = sides[done.pivot_rows]
    sides[done.pivot_rows] = False
    return (None if sides.any() else solution), done


def _reduce_word(column: Words, unused: Words, width: int) -> tuple[list[int], list[int], Words]:
    """Eliminate within one word of every row; return pivot bits, pivot rows, and what was added.

    In the third, bit p of entry i says that the p-th pivot row, as it was before this block, is a
    summand of the new row i. Clears `unused` at pivot rows.
    """
    current = column.copy()
    added = np.zeros_like(current)
    hit, part = np.empty_like(current), np.empty_like(current)
    bits: list[int] = []
    rows: list[int] = []
    for bit in range(width):
        np.right_shift(current, np.uint64(bit), out=hit)
        np.bitwise_and(hit, unused, out=part)
        part &= np.uint64(1)
        row = int(part.argmax())
        if not part[row]:
            continue
        unused[row] = 0
        added[row] |= np.uint64(1 << len(rows))
        bits.append(bit)
        rows.append(row)
        hit &= np.uint64(1)
        hit[row] = 0
        np.multiply(hit, current[row], out=part)
        current ^= part
        np.multiply(hit, added[row], out=part)
        added ^= part
    return bits, rows, added


def _add_product(target: Words, left: Words, right: Words, limits: Limits) -> None:
    """Add the product of an m × k and a k × n matrix to `target`, in place."""
    selectors = np.ascontiguousarray(left).view(np.uint8)
    height, width = target.shape
    table = np.zeros((256, width), dtype=_WORD)
    fetched = np.empty((min(height, _ROWS_AT_ONCE), width), dtype=_WORD)
    for group in range((right.shape[0] + 7) // 8):
        limits.check()
        rows = right[8 * group : 8 * group + 8]
        for k, row in enumerate(rows):
            np.bitwise_xor(table[: 1 << k], row, out=table[1 << k : 2 << k])
        choice = selectors[:, group]
        for start in range(0, height, _ROWS_AT_ONCE):
            part = target[start : start + _ROWS_AT_ONCE]
            entries = fetched[: part.shape[0]]
            # mode="clip" spares a copy of the output; every index is in range
            chosen = choice[start : start + _ROWS_AT_ONCE]
            table.take(indices(chosen), axis=0, out=entries, mode="clip")
            part ^= entries


# ------------------------------------------------------------------------------------- kernels


class Kernel(ABC):
    """The kernel vectors of a graph with `size` bulbs: a vector space of dimension `nullity`."""

    size: int
    nullity: int
    limits: Limits = NEVER
    """The deadline for making members, after which `TimeUp` is raised: that of the search."""

    @abstractmethod
    def combine(self, coefficients: Bits) -> Bits:
        """Return sums of basis vectors: (m, nullity) coefficients to (m, size) kernel vectors.

        >>> quiet = SpannedKernel(np.array([[1, 1, 0], [0, 1, 1]], dtype=bool))
        >>> quiet.combine(np.array([[True, True], [False, True]])).astype(int).tolist()
        [[1, 0, 1], [0, 1, 1]]
        """

    def member(self, coefficients: Bits) -> Bits:
        """Return one sum of basis vectors: (nullity,) coefficients to a (size,) kernel vector."""
        quiet: Bits = self.combine(coefficients[None, :])[0]
        return quiet

    def basis(self) -> Bits:
        """Return a basis, (nullity, size). Raises NeedsMemory above `MOST_BYTES`."""
        refuse_above_limit("a basis of the quiet patterns", self.nullity * self.size)
        whole = np.empty((self.nullity, self.size), dtype=np.bool_)
        most = max(8, _BATCH_BYTES // max(1, self.size) // 8 * 8)
        for start in range(0, self.nullity, most):
            self.limits.check()
            chosen = np.arange(start, min(start + most, self.nullity))
            whole[start : start + most] = self.combine(unit_vectors(chosen, self.nullity))
        return whole

    def odd_member(self, change: Bits) -> Bits | None:
        """Return a kernel vector y with y·change = 1, or None: all are even.

        It is a basis vector, the lightest of the odd ones in the first batch that has any.
        """
        most = max(1, _BATCH_BYTES // max(1, self.size))
        start, count = 0, min(64, most)
        while start < self.nullity:
            self.limits.check()
            chosen = np.arange(start, min(start + count, self.nullity))
            start, count = start + count, min(2 * count, most)
            quiet = self.combine(unit_vectors(chosen, self.nullity))
            odd = quiet[parities(quiet & change)]
            if odd.size:
                lightest: Bits = odd[int(np.argmin(np.count_nonzero(odd, axis=1)))]
                return lightest
        return None


class SpannedKernel(Kernel):
    """A kernel whose basis is written out: (nullity, size) bits."""

    def __init__(self, basis: Bits, limits: Limits = NEVER) -> None:
        self.nullity: int = basis.shape[0]
        self.size: int = basis.shape[1]
        self.limits: Limits = limits
        self._basis = basis

    def combine(self, coefficients: Bits) -> Bits:
        """Return sums of basis vectors. O(m · nullity · size / 512)."""
        return product(coefficients, self._basis, self.limits)


def parities(bits: Bits) -> Bits:
    """Return whether each row (last axis) holds an odd number of ones: (…, n) to (…)."""
    # a reduction of bytes is many times faster than one of booleans
    return np.asarray(np.bitwise_xor.reduce(bits.view(np.uint8), axis=-1).astype(np.bool_))


def unit_vectors(places: Ints, length: int) -> Bits:
    """Return one row per place, with its only 1 there: (places, length)."""
    units = np.zeros((places.size, length), dtype=np.bool_)
    units[np.arange(places.size), places] = True
    return units
