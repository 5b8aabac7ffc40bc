"""The types that all packages use: arrays of bits and numbers, JSON objects, bulbs' labels.

Whole numbers have 64 bits (`Ints`) on every machine. What numpy counts by itself has as many as the
machine has: 32 in a browser. `indices` and `bincount` lead from one to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.limits import NeedsMemory

Bits: TypeAlias = NDArray[np.bool_]  # sets of bulbs: the last axis has a bit per bulb
Positions: TypeAlias = NDArray[np.float64]  # (n, 2), x and y of what is drawn
Ints: TypeAlias = NDArray[np.int64]  # bulbs by number, counts, positions
Words: TypeAlias = NDArray[np.uint64]  # bits packed 64 to a word, the first in the lowest place
Json: TypeAlias = dict[str, object]  # a JSON object, as results and certificates are
Label: TypeAlias = "tuple[int, int] | int | str"  # (row, column) on a grid, else a number or a name
Cell: TypeAlias = tuple[int, int]  # (row, column) on a grid
Indices: TypeAlias = NDArray[np.intp]  # whole numbers as this machine counts what is in its memory

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # `Board` alone is a board with any labels
    Place = TypeVar("Place", bound=Label, covariant=True, default=Label)
else:
    from typing import TypeVar

    Place = TypeVar("Place", bound=Label, covariant=True)

_MOST = np.iinfo(np.intp).max
_NARROW = np.iinfo(np.int64).max > _MOST


def read_only(array: NDArray[Any], *, fresh: bool = False) -> NDArray[Any]:
    """Return an array that cannot be written: a copy, but of a `fresh` one, which is held here."""
    if array.flags.writeable or array.base is not None:
        array = array if fresh else array.copy()
        array.flags.writeable = False
    return array


def indices(numbers: NDArray[Any]) -> Indices:
    """Return numbers as numpy counts and slices take them. Raises NeedsMemory if too large."""
    if _NARROW and numbers.size and int(numbers.max()) > _MOST:
        raise NeedsMemory(f"numbers beyond {_MOST:,} do not fit this machine's memory")
    return numbers.astype(np.intp, copy=False)


def bincount(numbers: NDArray[Any], minlength: int = 0) -> Ints:
    """Return how often each number ≥ 0 occurs, in 64 bits."""
    return np.bincount(indices(numbers), minlength=minlength).astype(np.int64, copy=False)


def ones_of(number: int) -> Iterator[int]:
    """Yield the places of the ones of a whole number ≥ 0, ascending."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def distinct(numbers: Ints) -> Ints:
    """Return the different numbers, ascending. `np.unique` does, but loads `numpy.ma`: 20 ms.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ascending = np.sort(numbers, axis=None)
    first = np.ones(ascending.size, dtype=np.bool_)
    first[1:] = ascending[1:] != ascending[:-1]
    return ascending[first]
