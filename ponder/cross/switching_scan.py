"""Odd-sized row/column boards: a scan of all settings, which leaves the few that may be cheap.

Idea (theory §4.10). Put a multiplier μ on the constraint k_c = k_r: |μ| ≤ 1, or any μ if every bulb
is pressed at most once. Then the count bound of a setting (see `ponder.cross.switching_count`) is
at least

    Σ_j (R + μ − |D_j + μ|)/2 − μ·k_r,

without any sorting, and the D_j are linear in the signs of u. Two tables of half the rows each, all
their signed sums, are added: each setting takes C additions of bytes, and few settings have a bound
below the best cost known. The μ that leaves the fewest is chosen by a sample.

Letters: as in `ponder.cross.switching_rectangle`; μ the multiplier (a Lagrange multiplier).
Cost: 2^(R−1)·C additions, 0.1 ns each (21×21: 0.02 s, 31×31: 4 s).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ponder.cross.switching_rectangle import Rectangle
from ponder.types import Bits


def best_multiplier(rectangle: Rectangle, u: Bits, highest: int, cost: int) -> int:
    """Return the μ, |μ| ≤ highest, with which the fewest settings stay, by a sample u (N, R).

    The bounds of all settings are about normally distributed; `cost` should lie as many standard
    deviations below their mean as possible.
    """
    rows, columns = rectangle.shape
    extra = rectangle.extra(u)
    k_r = np.count_nonzero(rectangle.parities_under(u), axis=1)

    def tail(multiplier: int) -> float:
        bounds = (columns * (rows + multiplier) - np.abs(extra + multiplier).sum(axis=1)) / 2
        bounds -= multiplier * k_r
        return float((bounds.mean() - cost) / (bounds.std() + 1e-9))

    return max(sorted(range(-highest, highest + 1), key=abs), key=tail)


def scan(
    rectangle: Rectangle, multiplier: int, cost: Callable[[], int]
) -> Iterator[tuple[int, Bits]]:
    """Yield, chunk by chunk, how many settings are done, and those whose bound is below cost().

    The first `low` rows run through a table of sums (C, 2^low), the others one combination at a
    time; the last row makes u even. Bounds have the parity of the cost: better is better by two.
    |D_j + μ| must fit into a signed byte: R + |μ| ≤ 127.
    """
    rows, columns = rectangle.shape
    signs = rectangle.signs
    # the table should stay in the cache, but be long enough to pay for numpy's calls
    low = min(rows - 1, max(8, 20 - columns.bit_length()))
    evener = _signed_sums(np.full((low, 1), -1, dtype=np.int8), multiply=True)
    table = _signed_sums(signs[:low])
    tables = [table + evener * signs[-1][:, None], table - evener * signs[-1][:, None]]
    others = _signed_sums(signs[low:-1]) + np.int8(multiplier)
    # Σ ±1 over the rows, + for p = 0, is R − 2k_r
    balance = (1 - 2 * rectangle.parities).astype(np.int8)[:, None]
    low_balance = _signed_sums(balance[:low]).astype(np.int64)[0]
    balances = [low_balance + evener[0] * int(balance[-1, 0]) * sign for sign in (1, -1)]
    other_balance = _signed_sums(balance[low:-1]).astype(np.int64)[0]
    wide = np.int32 if (rows + abs(multiplier)) * columns > 16000 else np.int16
    # twice the bound is fixed − (Σ|D_j + μ| − μ·balance)
    fixed = columns * (rows + multiplier) - multiplier * rows
    starts = [(-multiplier * balance).astype(wide) for balance in balances]
    sums = np.empty_like(table)
    total = np.empty(table.shape[1], dtype=wide)
    part = np.empty(table.shape[1], dtype=np.uint8)
    together = 255 // (rows + abs(multiplier))  # columns whose absolute sums fit into a byte
    bits = np.arange(rows - 1)
    for high in range(others.shape[1]):
        odd = high.bit_count() % 2
        np.add(tables[odd], others[:, high, None], out=sums)
        np.abs(sums, out=sums)
        total[:] = starts[odd]
        for start in range(0, columns, together):
            block = sums[start : start + together].view(np.uint8)
            np.add.reduce(block, axis=0, dtype=np.uint8, out=part)
            np.add(total, part, out=total)
        least = fixed + multiplier * int(other_balance[high]) - 2 * (cost() - 2)
        found = np.flatnonzero(np.greater_equal(total, max(least, -32768)))
        codes = found + (high << low)
        u = np.zeros((len(found), rows), dtype=np.bool_)
        u[:, :-1] = codes[:, None] >> bits & 1
        u[:, -1] = np.bitwise_xor.reduce(u, axis=1)
        yield (high + 1) << low, u


def _signed_sums(signs: NDArray[np.int8], *, multiply: bool = False) -> NDArray[np.int8]:
    """Return ± the rows of `signs`, summed in all combinations: (m, C) -> (C, 2^m).

    Bit i of the combination's number says that row i is subtracted. With `multiply`, the products
    of the chosen rows instead.
    """
    sums = np.full((signs.shape[1], 1), int(multiply), dtype=np.int8)
    for row in signs[:, :, None]:
        pair = [sums, sums * row] if multiply else [sums + row, sums - row]
        sums = np.concatenate(pair, axis=1)
    return np.ascontiguousarray(sums)
