"""The weights of a coset too large for one table, block by block: the checker's own transform.

Idea. Member x of base + Σ x_i·basis_i has (n − W(x))/2 bulbs, W the Walsh-Hadamard transform of the
signed histogram of the kernel columns (`coset`). The lowest 16 coordinates make a block. To fix the
others at y multiplies the sign of bulb v by (−1)^⟨y, the rest of τ_v⟩; then 2^16 numbers are
transformed, as a square table: one digit after the other is taken from the front of the row number
and put behind it (Pease's constant geometry), and after the rows the columns are turned into rows.

This is not how `ponder.cosets.coset_transform` goes about it: other blocks, another order of the
digits, nothing left out. Letters: n, x, τ_v as in `coset`, d the nullity.
Reference. M. C. Pease, "An adaptation of the fast Fourier transform for parallel processing", 1968.
Sums: all of them count bulbs, with signs, so none is larger than n.
Cost: 6 ns a member (2^32: half a minute), and next to no memory.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ponder.check.coset import kernel_columns, signed_columns
from ponder.check.limits import Budget
from ponder.types import Bits, Ints

_NS_MEMBER = 12  # nanoseconds for one press set
_NS_BULB = 30  # … for a bulb in a block
_DIGITS = 16

Table = NDArray[np.signedinteger]


def weight_blocks(base: Bits, basis: Bits, budget: Budget) -> Iterator[tuple[int, Ints]]:
    """Yield the weights of all members in blocks, each with the index of its first member.

    (n,), (d, n). TooLarge where that would take too long.

    >>> from ponder.check.limits import Budget
    >>> basis = np.array([[1, 1, 0], [0, 1, 1]], bool)
    >>> [(first, block.tolist()) for first, block in
    ...  weight_blocks(np.array([1, 0, 0], bool), basis, Budget())]
    [(0, [1, 1, 3, 1])]
    """
    d = len(basis)
    digits = min(d, _DIGITS)
    work = (_NS_MEMBER << d) + (_NS_BULB * base.size << (d - digits))
    budget.spend(work, f"weighing 2^{d} press sets")
    columns = kernel_columns(basis)
    inner, outer = columns & ((1 << digits) - 1), columns >> digits
    kind: type[np.signedinteger] = np.int16 if base.size < 1 << 15 else np.int64
    for block in range(1 << (d - digits)):
        odd = base ^ (np.bitwise_count(outer & block) & 1).astype(np.bool_)
        table: Table = signed_columns(odd, inner, 1 << digits).astype(kind)
        sums = _transformed(table.reshape(1 << (digits - digits // 2), -1)).ravel()
        yield block << digits, (base.size - sums.astype(np.int64)) >> 1


def least_weight(base: Bits, basis: Bits, budget: Budget) -> tuple[int, int]:
    """Return the least weight of all members, and how many have it; TooLarge.

    >>> from ponder.check.limits import Budget
    >>> basis = np.array([[1, 1, 0], [0, 1, 1]], bool)
    >>> least_weight(np.array([1, 0, 0], bool), basis, Budget())
    (1, 3)
    """
    least, count = base.size + 1, 0
    for _, weights in weight_blocks(base, basis, budget):
        lightest = int(weights.min())
        if lightest < least:
            least, count = lightest, 0
        if lightest == least:
            count += int(np.count_nonzero(weights == least))
    return least, count


def lighter(base: Bits, basis: Bits, bound: int, most: int, budget: Budget) -> tuple[Ints, Ints]:
    """Return the indices and the weights of all members of fewer than `bound` bulbs; TooLarge.

    At most `most` of them, times the limit.

    >>> from ponder.check.limits import Budget
    >>> basis = np.array([[1, 1, 0], [0, 1, 1]], bool)
    >>> [found.tolist() for found in lighter(np.array([1, 0, 0], bool), basis, 3, 5, Budget())]
    [[0, 1, 3], [1, 1, 1]]
    """
    indices, weights, held = [], [], 0
    for first, block in weight_blocks(base, basis, budget):
        light = np.flatnonzero(block < bound)
        held += light.size
        budget.demand(held, most, f"press sets of fewer than {bound} presses")
        indices.append(first + light)
        weights.append(block[light])
    return np.concatenate(indices), np.concatenate(weights)


def _transformed(table: Table) -> Table:
    """Return the Walsh-Hadamard transform of the numbers of a table, read row by row."""
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
