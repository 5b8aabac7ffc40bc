"""Boards that need many presses: two searches over the signs σ of the types.

Idea. Wanted are admissible σ (see `bulb_types`) with a small maximum of σ̂ over x ∈ GF(2)^r. Both
searches lower E = Σ_x exp(p·σ̂(x)) instead, which for a large p is ruled by the maximum.

*With a table* of all 2^r points: a step adds ±2 to one σ_τ, which makes of E cosh(2p)·E ± sinh(2p)·
Σ_x (−1)^{⟨x,τ⟩} exp(p·σ̂(x)), and the sums for all τ are one Walsh–Hadamard transform. The best step
that is not forbidden is taken, and forbidden to be undone for a while (tabu search; Glover 1986).

*With a pool*, where a table is too large to be kept: a round goes through all points by the blocks
of `coset_transform`, and the highest of them join the pool; then single signs are turned, each time
the one that lowers E over the pool most. A round's maximum is exact: its σ is a certificate.

Letters: r, σ, σ̂ as in `bulb_types`; m odd types. Cost: O(r·2^r) a step, 20 µs for r = 8, 2 ms for
r = 16; with a pool 2.5 ns a point and round (2^32: 11 s), O(pool·m) for each sign turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ponder.find.coset.by_weight import light_members
from ponder.lights_out.bulb_types import BulbTypes, hat, signs, transform
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Ints, distinct

LARGEST_TABLE = 16  # ranks up to which a table of 2^r numbers is searched
LARGEST_RANK = 34  # ranks up to which all points are gone through

_STEPS = 4000
_TABLE_SHARPNESS = (0.12, 0.3, 0.6)  # the p of a step, in turns; in units of 8/√m
_POOL = 1 << 13
_TURNED = (0.02, 0.02, 0.01)  # the share of the signs that a round turns, in turns
_PATIENCE = 15
_POOL_SHARPNESS = 6.0  # the p of a pool; in units of 1/√m


def at_peak(types: BulbTypes, sigma: Ints) -> tuple[Ints, int]:
    """Return σ moved so that σ̂ is greatest at 0, and that maximum, by a table."""
    heights = hat(sigma, types.places, types.rank)
    top = np.array([int(np.argmax(heights))])
    return sigma * signs(top, types.places)[0], int(heights[top[0]])


def heaviest_by_local_search(
    types: BulbTypes,
    seed: int = 0,
    limits: Limits = NEVER,
    enough: int = 0,
    start: Ints | None = None,
    progress: Callable[[int], None] = lambda height: None,
) -> tuple[Ints, int]:
    """Return the best σ that was found (for `types.places`), and its maximum, which is at x = 0.

    Begins with `start`, or at random. Ends at a maximum of `enough`, where the search gives up, or
    when time is up. Raises TimeUp above rank 16 if that is before the end of the first round.

    >>> from ponder.lights_out.bulb_types import bulb_types
    >>> from ponder.model.graph import grid_graph
    >>> heaviest_by_local_search(bulb_types(grid_graph("plus", (9, 9))), enough=8)[1]
    8
    """
    rng = np.random.default_rng(seed)
    if start is None:
        start = _random_signs(types, rng)
    table = types.rank <= LARGEST_TABLE
    tried = (_with_table if table else _with_pool)(types, start, rng, limits)
    best, height = next(tried)
    progress(height)
    while height > enough:
        try:
            sigma, now = next(tried)
        except (StopIteration, TimeUp):
            break
        if now < height:
            best, height = sigma, now
            progress(height)
    return at_peak(types, best) if table else (best, height)


def _random_signs(types: BulbTypes, rng: np.random.Generator) -> Ints:
    """Return σ of 1 and −1 for odd types, 0 for even ones."""
    odd = types.sizes % 2
    sigma: Ints = odd * rng.choice([-1, 1], size=odd.size)
    return sigma


def _with_table(
    types: BulbTypes, start: Ints, rng: np.random.Generator, limits: Limits
) -> Iterator[tuple[Ints, int]]:
    """Yield σ and its maximum, from the start on for 4000 steps. Raises TimeUp."""
    table = _Table(types, start)
    best = start
    now = height = int(table.hat.max())
    for step in range(_STEPS):
        yield table.sigma.copy(), now
        limits.check()
        if step and step % 600 == 0:  # somewhere else, mostly not far from the best
            sigma = _random_signs(types, rng)
            if rng.random() < 0.7:
                sigma = np.where(rng.random(best.size) < 0.85, best, sigma)
            table = _Table(types, sigma)
        table.step(_TABLE_SHARPNESS[step // 200 % len(_TABLE_SHARPNESS)], step, rng)
        now = int(table.hat.max())
        if now < height:
            best, height = table.sigma.copy(), now
    yield table.sigma, now


class _Table:
    """A σ, its σ̂ at all points, and the steps that are forbidden for now."""

    def __init__(self, types: BulbTypes, sigma: Ints) -> None:
        self.places, self.sizes = types.places, types.sizes
        self.scale = 8.0 / np.sqrt(max(1, int(np.count_nonzero(self.sizes % 2))))
        self.corner = np.arange(1 << types.rank)
        self.sigma: Ints = sigma.copy()
        self.hat = hat(sigma, self.places, types.rank)
        self.until = np.zeros(self.places.size, dtype=np.int64)

    def step(self, sharpness: float, now: int, rng: np.random.Generator) -> None:
        p = sharpness * self.scale
        heat = np.exp(p * (self.hat - self.hat.max()).astype(np.float64))
        pull = transform(heat)[self.places]
        # σ_τ goes down where the pull is positive: that lowers E; a small noise breaks ties
        direction = np.where(pull > 0, -2, 2)
        blocked = np.abs(self.sigma + direction) > self.sizes
        gain = np.abs(pull) * (1.0 + 0.01 * rng.random(pull.size))
        gain[blocked | (self.until > now)] = -1.0
        at = int(np.argmax(gain))
        if gain[at] < 0:
            self.until[:] = 0
            return
        self.sigma[at] += direction[at]
        parity = np.bitwise_count(self.corner & self.places[at]) & 1
        self.hat += direction[at] * (1 - 2 * parity.astype(np.int64))
        self.until[at] = now + 5 + int(rng.integers(0, 10))


def _with_pool(
    types: BulbTypes, start: Ints, rng: np.random.Generator, limits: Limits
) -> Iterator[tuple[Ints, int]]:
    """Yield σ and its maximum, at 0, until many rounds in a row were no better. Raises TimeUp."""
    pool = _Pool(types)
    sigma, lowest, idle = start, pool.bulbs + 1, 0
    for turn in count():
        found, height = pool.gone_through(sigma, limits)
        idle = 0 if height < lowest else idle + 1
        lowest = min(lowest, height)
        yield found, height
        if idle == _PATIENCE:
            return
        sigma = pool.lowered(sigma, _TURNED[turn % len(_TURNED)], rng, limits)


class _Pool:
    """Points where σ̂ was large in some round, the highest of each."""

    def __init__(self, types: BulbTypes) -> None:
        self.types = types
        self.bulbs = types.graph.size + types.free
        self.odd = np.flatnonzero(types.sizes % 2)
        self.points = np.empty(0, dtype=np.int64)

    def gone_through(self, sigma: Ints, limits: Limits) -> tuple[Ints, int]:
        """As `at_peak`, by all points; the highest of them join the pool. Raises TimeUp."""
        kept = sigma != 0
        times = np.abs(sigma[kept])
        columns, base = np.repeat(self.types.places[kept], times), np.repeat(sigma[kept] < 0, times)
        basis = (columns >> np.arange(self.types.rank)[:, None] & 1).astype(np.bool_)
        members, weights, _ = light_members(base, basis, _POOL, limits)
        self.points = distinct(np.concatenate([self.points, members[:_POOL]]))
        top = signs(members[:1], self.types.places)[0]
        return sigma * top, base.size - 2 * int(weights[0])

    def lowered(self, sigma: Ints, share: float, rng: np.random.Generator, limits: Limits) -> Ints:
        """Turn such a share of the signs, each time the one that lowers the pool most."""
        found = sigma.copy()
        places = self.types.places[self.odd]
        around: NDArray[np.float32] = signs(self.points, places).astype(np.float32)
        values = around @ found[self.odd].astype(np.float32)
        sharpness = _POOL_SHARPNESS / np.sqrt(self.odd.size)
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
        if values.size > 4 * _POOL:  # those that are highest now stay
            self.points = self.points[np.argpartition(values, -2 * _POOL)[-2 * _POOL :]]
        return found
