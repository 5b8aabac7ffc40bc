"""The kernel of a board's matrix, whatever the technique that found it.

A y = 0 says that pressing y changes nothing (y is a *quiet pattern*), and, A being symmetric, that
every press toggles an even number of bulbs of y (an *even parity cover*). Kernel vectors lead from
one press set to all others, and an odd one proves that there is none (Fredholm alternative):

    A s = b has no solution  ⇔  some y in ker A has y·b = 1.

Letters: A = adjacency(G) + I, n × n; k the nullity, dim ker A.

The basis of a large kernel may be far larger than the board (a 4001 × 4001 row/column board has
nullity 8000), so a technique keeps whatever describes it and forms only the members asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ponder.find.linear import gf2
from ponder.system.limits import NEVER, Limits
from ponder.system.machine import refuse_above_limit
from ponder.system.types import Bits, Ints

_BATCH_BYTES = 1 << 26


class Kernel(ABC):
    """The kernel vectors of a graph with `size` bulbs: a vector space of dimension `nullity`."""

    size: int
    nullity: int
    limits: Limits = NEVER
    """When the members must be there, or `TimeUp`: that of the search for the kernel."""

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
        return gf2.product(coefficients, self._basis, self.limits)


def parities(bits: Bits) -> Bits:
    """Return whether each row (last axis) holds an odd number of ones: (…, n) to (…)."""
    # a reduction of bytes is many times faster than one of booleans
    return np.asarray(np.bitwise_xor.reduce(bits.view(np.uint8), axis=-1).astype(np.bool_))


def unit_vectors(places: Ints, length: int) -> Bits:
    """Return one row per place, with its only 1 there: (places, length)."""
    units = np.zeros((places.size, length), dtype=np.bool_)
    units[np.arange(places.size), places] = True
    return units
