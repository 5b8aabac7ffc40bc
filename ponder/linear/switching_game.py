"""The switching game: the fewest ones that whole rows and columns, switched, leave in a rectangle.

Idea (theory §4.14). With signs M for the bits (+ for 0) and signs u for the rows, a column is left
in its better state, so Σ_j |Σ_i u_i·M_ij| = R·C − 2·(ones). All switches are free, and those of u
and of its complement are the same: one row stays. A local search (alternating majorities) finds few
ones; the search in two halves (`two_halves`) finds fewer, or proves that there are none. Where it
would take too many pairs, fewer of them prove a lower bound.

Letters: R ≤ C the sides (the rectangle is turned), M, u as above.
Cost: that of `two_halves`: 34 × 34 0.3 s.
Reference: Gale and Berlekamp's game; NP-hard (Roth, Viswanathan 2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.limits import NEVER, Limits
from ponder.linear.two_halves import Half, Pair, halves_fit
from ponder.types import Bits

Signs: TypeAlias = NDArray[np.int8]

STARTS = 256
"""The starts of a round, fewer where the rectangle is large."""
ROUNDS = 8
MAJORITIES = 8
FEW_ROWS = 20
"""With no more rows than this two rounds are enough, for all choices are soon looked at."""


@dataclass(frozen=True, eq=False)
class Game:
    """A rectangle after the best switches found.

    `rows`, `columns`  which lines are switched
    `ones`             the ones that are left
    `least`            no switches leave fewer
    """

    rows: Bits
    columns: Bits
    ones: int
    least: int


def play(
    grid: Bits,
    *,
    parity: int | None = None,
    seed: int = 0,
    most_pairs: int = 2**33,
    limits: Limits = NEVER,
) -> Game:
    """Return the switches that leave few ones, and a lower bound: the same where there is time.

    With `parity` the ones that are left must have it; both sides are odd then, so that one column
    more mends it. The search in two halves looks at no more than `most_pairs` pairs. TimeUp when
    the time is up.

    >>> game = play(np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]], dtype=bool))
    >>> game.ones, game.least, game.rows.astype(int).tolist(), game.columns.astype(int).tolist()
    (1, 1, [0, 1, 0], [1, 0, 1])
    """
    rows, columns = grid.shape
    if rows > columns:
        turned = play(grid.T, parity=parity, seed=seed, most_pairs=most_pairs, limits=limits)
        return Game(turned.columns, turned.rows, turned.ones, turned.least)
    if not rows:
        return Game(np.zeros(0, dtype=np.bool_), np.zeros(columns, dtype=np.bool_), 0, 0)
    signs = (1 - 2 * grid).astype(np.int8)
    u, least = _local_search(signs, np.random.default_rng(seed), limits), 0
    if most_pairs and halves_fit(grid.shape):
        u, least = _two_halves(signs, u, parity, most_pairs, limits)
    v, ones = _columns(signs, u, parity)
    return Game(u, v, ones, least)


def _columns(signs: Signs, u: Bits, parity: int | None) -> tuple[Bits, int]:
    """Return the best column switches for row switches, and the ones that are left."""
    sums = (1 - 2 * u.astype(np.int64)) @ signs
    v, ones = sums < 0, int(signs.size - np.abs(sums).sum()) // 2
    if parity is not None and ones % 2 != parity:
        mended = int(np.abs(sums).argmin())
        v[mended] ^= True
        ones += abs(int(sums[mended]))
    return v, ones


def _local_search(
    signs: Signs,
    rng: np.random.Generator,
    limits: Limits,
) -> Bits:
    """Return row switches with a large Σ_j |w_j|: by majorities, from the best ones shaken."""
    rows, starts = len(signs), max(8, min(STARTS, 2**18 // signs.size))
    real = signs.astype(np.float32)
    best, largest = np.ones(rows, dtype=np.float32), -1.0
    for at in range(ROUNDS if rows > FEW_ROWS else 2):
        u = np.where(rng.random((starts, rows)) < 0.5, np.float32(-1), np.float32(1))
        if at:
            shaken = rng.random((starts, rows)) < rng.uniform(1, 6) / rows
            u = np.where(shaken, -best, best)
        for _ in range(MAJORITIES):
            limits.check()
            v = np.where(u @ real < 0, np.float32(-1), np.float32(1))
            u = np.where(v @ real.T < 0, np.float32(-1), np.float32(1))
        size = np.abs(u @ real).sum(axis=1)
        if size.max() > largest:
            best, largest = u[int(size.argmax())], float(size.max())
    return best < 0


def _two_halves(
    signs: Signs,
    u: Bits,
    parity: int | None,
    most_pairs: int,
    limits: Limits,
) -> tuple[Bits, int]:
    """Return the best row switches found, from these, and a bound on the ones of all."""
    rows = len(signs)
    split = rows // 2
    halves = []
    for part in (slice(0, split), slice(split, rows)):
        count = len(signs[part])
        free = count - (part.stop == rows)  # the last row stays
        beta = np.zeros(1 << count, dtype=np.int32)
        halves.append(Half.of(signs[part], beta, np.arange(1 << free), limits=limits))
    pair = Pair(halves[0], halves[1], rows)

    found = least = _columns(signs, u, parity)[1]
    step = 1 if parity is None else 2

    def needed() -> int:
        """Return the Σ_j |w_j| of switches that leave fewer ones than are found, and than least."""
        return int(signs.size) - 2 * (min(found, least) - step)

    while least > 0 and pair.count(needed()) > most_pairs:
        least -= step
    for _, outer, inner in pair.scan(needed):
        limits.check()
        for code in (outer | inner << split).tolist():
            switched = np.array([code >> i & 1 for i in range(rows)], dtype=np.bool_)
            ones = _columns(signs, switched, parity)[1]
            if ones < found:
                u, found = switched, ones
    return u, max(0, min(least, found))
