"""Boards that need many presses, where a table of all 2^r points is too large to be kept.

Idea. As in `tabu_search`, wanted are admissible σ with a small maximum of σ̂. Here only the points
where σ̂ is large are looked at. One round: the blocks of `coset_transform` go through all 2^r points
and name the highest of them, which join a pool; then single signs are turned, each time the one
that lowers E = Σ_{x in the pool} exp(p·σ̂(x)) most; then the next round sees what that has raised
elsewhere. The maximum of a whole round is exact, so every σ that was gone through is a certificate.

Letters: r, σ, σ̂ as in `bulb_types`; m odd types.
Cost: 2.5 ns a point and round (2^32: 11 s of one processor), O(pool·m) for each sign turned.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from ponder.cosets.coset_transform import CosetTransform
from ponder.freeorder.bulb_types import BulbTypes, signs
from ponder.limits import NEVER, Limits, TimeUp
from ponder.types import Ints

LARGEST_RANK = 34
"""Ranks up to which all points are gone through."""

_POOL = 1 << 13
_TURNED = (0.02, 0.02, 0.01)
"""The share of the signs that a round turns, in turns."""

_PATIENCE = 15
_SHARPNESS = 6.0  # p times √m


def few_heavy_points(
    types: BulbTypes,
    seed: int = 0,
    limits: Limits = NEVER,
    enough: int = 0,
    start: Ints | None = None,
    progress: Callable[[int], None] = lambda height: None,
) -> tuple[Ints, int]:
    """Return the best σ that was gone through whole (for `types.places`), and its maximum.

    Its maximum is at x = 0. It begins with `start`, or at random; it ends at a maximum of `enough`,
    when many rounds in a row were no better, or when the time is up. TimeUp where that is before
    the end of the first round.

    >>> from ponder.freeorder.bulb_types import bulb_types
    >>> from ponder.puzzle.graph import grid_graph
    >>> few_heavy_points(bulb_types(grid_graph("plus", (4, 4))), enough=4)[1]
    4
    """
    rng = np.random.default_rng(seed)
    odd = types.sizes % 2
    sigma: Ints = odd * rng.choice([-1, 1], size=odd.size) if start is None else start
    pool = _Pool(types)
    best, height = pool.gone_through(sigma, limits)
    progress(height)
    idle = turn = 0
    with suppress(TimeUp):
        while height > enough and idle < _PATIENCE:
            sigma = pool.lowered(sigma, _TURNED[turn % len(_TURNED)], rng, limits)
            turned, now = pool.gone_through(sigma, limits)
            idle, turn = idle + 1, turn + 1
            if now < height:
                best, height, idle = turned, now, 0
                progress(height)
    return best, height


class _Pool:
    """Points where σ̂ was large in some round, the highest of each."""

    def __init__(self, types: BulbTypes) -> None:
        self.types = types
        self.bulbs = types.graph.size + types.free
        self.odd = np.flatnonzero(types.sizes % 2)
        self.points = np.empty(0, dtype=np.int64)

    def gone_through(self, sigma: Ints, limits: Limits) -> tuple[Ints, int]:
        """Return σ moved so that σ̂ is greatest at 0, and that maximum. TimeUp.

        The highest points join the pool.
        """
        kept = sigma != 0
        whole = CosetTransform(self.types.places[kept], sigma[kept], self.types.rank, self.bulbs)
        found = whole.lighter(self.bulbs + 1, _POOL, limits)
        self.points = np.unique(np.concatenate([self.points, found.members]))
        top = signs(found.members[:1], self.types.places)[0]
        return sigma * top, self.bulbs - 2 * int(found.weights[0])

    def lowered(self, sigma: Ints, share: float, rng: np.random.Generator, limits: Limits) -> Ints:
        """Turn such a share of the signs, each time the one that lowers the pool most."""
        found = sigma.copy()
        places = self.types.places[self.odd]
        around: NDArray[np.float32] = signs(self.points, places).astype(np.float32)
        values = around @ found[self.odd].astype(np.float32)
        sharpness = _SHARPNESS / np.sqrt(self.odd.size)
        turned = np.zeros(self.odd.size, dtype=np.bool_)
        for _ in range(max(1, int(share * self.odd.size))):
            limits.check()
            heat = np.exp(sharpness * (values - values.max()))
            gain = (heat @ around) * found[self.odd] * (1 + 0.05 * rng.random(self.odd.size))
            gain[turned] = -np.inf
            at = int(np.argmax(gain))
            if gain[at] <= 0:
                break
            turned[at] = True
            values -= 2 * around[:, at] * found[self.odd[at]]
            found[self.odd[at]] *= -1
        self._forget(values)
        return found

    def _forget(self, values: NDArray[np.float32]) -> None:
        """Keep the points that are highest now."""
        if values.size > 4 * _POOL:
            kept = np.argpartition(values, -2 * _POOL)[-2 * _POOL :]
            self.points = self.points[kept]
