"""The types that every room uses: arrays of bits and numbers, JSON objects, bulbs' labels."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Bits: TypeAlias = NDArray[np.bool_]
"""A set of bulbs, or several (the last axis has one bit per bulb)."""

Ints: TypeAlias = NDArray[np.int64]
"""Bulbs by number, counts, positions."""

Words: TypeAlias = NDArray[np.uint64]
"""Bits packed 64 to a word, the first in the lowest place."""

Json: TypeAlias = dict[str, object]
"""A JSON object, as results and certificates are."""

Label: TypeAlias = "tuple[int, int] | int | str"
"""What people call a bulb: (row, column) on a grid, a number or a name in a graph."""
