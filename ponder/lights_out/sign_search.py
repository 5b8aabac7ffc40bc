"""Boards that need many presses: two searches over the signs σ of the types.

Idea. Wanted are admissible σ (see `bulb_types`) with a small maximum of σ̂ over x ∈ GF(2)^r. Both
searches lower E = Σ_x exp(p·σ̂(x)) instead, which for a large p is ruled by the maximum.

*With a table* of all 2^r points: a step adds ±2 to one σ_τ, which makes of E cosh(2p)·E ± sinh(2p)·
Σ_x (−1)^{⟨x,τ⟩} exp(p·σ̂(x)), and the sums for all τ are one Walsh–Hadamard transform. The best step
that is not forbidden is taken, and forbidden to be undone for a while (tabu search; Glover 1986).

*With a pool*, where a table is too large to be kept: a round goes through all points by blocks of
the transform, and the highest of them join the pool; then single signs are turned, each time the
one that lowers E over the pool most. A round's maximum is exact: its σ is a certificate.

Letters: r, σ, σ̂ as in `bulb_types`; m odd types. Cost: O(r·2^r) a step, 20 µs for r = 8, 2 ms for
r = 16; with a pool 10 ns a point and round, O(pool·m) for each sign turned.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np

from ponder.lights_out.bulb_types import BulbTypes, hat, signs, transform
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints, distinct

LARGEST_TABLE = 16  # ranks up to which a table of 2^r numbers is searched
LARGEST_RANK = 32  # ranks up to which all points are gone through

_STEPS = 4000
_TABLE_SHARPNESS = (0.12, 0.3, 0.6)  # the p of a step, in turns; in units of 8/√m
_BLOCK = 20  # digits of the points of a block
_POOL = 1 << 13
_TURNED = (0.02, 0.02, 0.01)  # the share of the signs that a round turns, in turns
_PATIENCE = 15
_POOL_SHARPNESS = 6.0  # the p of a pool; in units of 1/√m

Height = tuple[Ints, int]  # σ, for `types.places`, and the maximum of σ̂


def at_peak(types: BulbTypes, sigma: Ints) -> Height:
    """Return σ moved so that σ̂ is greatest at 0, and that maximum, by a table."""
    heights = hat(sigma, types.places, types.rank)
    top = np.array([int(np.argmax(heights))])
    return sigma * signs(top, types.places)[0], int(heights[top[0]])


def heavier_and_heavier(
    types: BulbTypes, seed: int = 0, limits: Limits = NEVER
) -> Iterator[Height]:
    """Yield σ whose maxima, each at x = 0, fall. Raises TimeUp.

    >>> from ponder.lights_out.bulb_types import bulb_types
    >>> from ponder.model.graph import grid_graph
    >>> min(height for _, height in heavier_and_heavier(bulb_types(grid_graph("plus", (9, 9)))))
    8
    """
    rng = np.random.default_rng(seed)
    table = types.rank <= LARGEST_TABLE
    lowest = types.graph.size + 1
    for sigma, height in (_with_table if table else _with_pool)(types, rng, limits):
        if height < lowest:
            lowest = height
            yield at_peak(types, sigma) if table else (sigma, height)


def _random_signs(types: BulbTypes, rng: np.random.Generator) -> Ints:
    """Return σ of 1 and −1 for odd types, 0 for even ones."""
    odd = types.sizes % 2
    return np.asarray(odd * rng.choice([-1, 1], size=odd.size))


def _with_table(types: BulbTypes, rng: np.random.Generator, limits: Limits) -> Iterator[Height]:
    """Yield σ and its maximum, for 4000 steps."""
    best = _random_signs(types, rng)
    table = _Table(types, best)
    lowest = int(table.hat.max())
    for step in range(_STEPS):
        yield table.sigma.copy(), int(table.hat.max())
        limits.check()
        if step and step % 600 == 0:  # somewhere else, mostly not far from the best
            sigma = _random_signs(types, rng)
            if rng.random() < 0.7:
                sigma = np.where(rng.random(best.size) < 0.85, best, sigma)
            table = _Table(types, sigma)
        table.step(_TABLE_SHARPNESS[step // 200 % len(_TABLE_SHARPNESS)], step, rng)
        if int(table.hat.max()) < lowest:
            best, lowest = table.sigma.copy(), int(table.hat.max())


class _Table:
    """A σ, its σ̂ at all points, and the steps that are forbidden for now."""

    def __init__(self, types: BulbTypes, sigma: Ints) -> None:
        self.places, self.sizes = types.places, types.sizes
        self.scale = 8.0 / np.sqrt(max(1, int(np.count_nonzero(self.sizes % 2))))
        self.points = np.arange(1 << types.rank)
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
        self.hat += direction[at] * signs(self.points, self.places[at : at + 1])[:, 0]
        self.until[at] = now + 5 + int(rng.integers(0, 10))


def _with_pool(types: BulbTypes, rng: np.random.Generator, limits: Limits) -> Iterator[Height]:
    """Yield σ and its maximum, at 0, until many rounds in a row were no better."""
    sigma, points = _random_signs(types, rng), np.empty(0, dtype=np.int64)
    lowest, idle = types.graph.size + 1, 0
    for turn in count():
        high, height = _highest(types, sigma, limits)
        points = distinct(np.concatenate([points, high]))
        sigma = sigma * signs(high[:1], types.places)[0]
        points ^= high[0]  # the points of the moved σ
        idle = 0 if height < lowest else idle + 1
        lowest = min(lowest, height)
        yield sigma, height
        if idle == _PATIENCE:
            return
        sigma, points = _lowered(types, sigma, points, _TURNED[turn % len(_TURNED)], rng, limits)


def _highest(types: BulbTypes, sigma: Ints, limits: Limits) -> tuple[Ints, int]:
    """Return points where σ̂ is high, the highest first, and the maximum, by all 2^r."""
    digits = min(types.rank, _BLOCK)
    inner, outer = types.places & ((1 << digits) - 1), types.places >> digits
    points, heights = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    floor = -types.graph.size
    kind: Any = np.int16 if types.places.size < 1 << 15 else np.int64  # each σ is −1, 0 or 1 here
    for block in range(1 << (types.rank - digits)):
        limits.check()
        turned = sigma * (1 - 2 * (np.bitwise_count(outer & block) & 1).astype(np.int64))
        table = np.zeros(1 << digits, dtype=kind)
        np.add.at(table, inner, turned.astype(kind))
        values: Ints = transform(table)
        high = np.flatnonzero(values > floor)
        points = np.concatenate([points, high + (block << digits)])
        heights = np.concatenate([heights, values[high]])
        if points.size > _POOL:
            kept = np.argsort(-heights, kind="stable")[:_POOL]
            points, heights = points[kept], heights[kept]
            floor = int(heights[-1])
    order = np.argsort(-heights, kind="stable")
    return points[order], int(heights[order[0]])


def _lowered(
    types: BulbTypes,
    sigma: Ints,
    points: Ints,
    share: float,
    rng: np.random.Generator,
    limits: Limits,
) -> tuple[Ints, Ints]:
    """Turn such a share of the signs, each time the one that lowers the points most."""
    odd = np.flatnonzero(types.sizes % 2)
    around = signs(points, types.places[odd]).astype(np.float32)
    chosen = sigma[odd].astype(np.float32)
    values = around @ chosen
    turned = np.zeros(odd.size, dtype=np.bool_)
    for _ in range(max(1, int(share * odd.size))):
        limits.check()
        heat = np.exp(_POOL_SHARPNESS / np.sqrt(odd.size) * (values - values.max()))
        gain = (heat @ around) * chosen * (1 + 0.05 * rng.random(odd.size))
        gain[turned] = -np.inf
        at = int(np.argmax(gain))
        if gain[at] <= 0:
            break
        turned[at] = True
        values -= 2 * around[:, at] * chosen[at]
        chosen[at] *= -1
    lowered = sigma.copy()
    lowered[odd] = chosen.astype(np.int64)
    if values.size > 4 * _POOL:  # those that are highest now stay
        points = points[np.argpartition(values, -2 * _POOL)[-2 * _POOL :]]
    return lowered, points
