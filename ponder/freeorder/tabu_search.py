"""Boards that need many presses: a search over the signs σ of the types.

Idea. Wanted are admissible σ (see `bulb_types`) with a small maximum of σ̂ over x ∈ GF(2)^r. The
search lowers E = Σ_x exp(p·σ̂(x)) instead, which for a large p is ruled by the maximum. A step adds
±2 to one σ_τ, and σ̂ changes by ±2·(−1)^{⟨x,τ⟩}; since this is ±2,

    E(σ ± 2τ) = cosh(2p)·E ± sinh(2p)·Σ_x (−1)^{⟨x,τ⟩} exp(p·σ̂(x)),

and the sums for all τ together are one Walsh–Hadamard transform. So each round knows what every
step would give, takes the best that is not forbidden, and forbids it to be undone for a while
(tabu search; Glover 1986).

Letters: r as in `bulb_types`. Cost: O(r·2^r) a step, 20 µs for r = 8, 2 ms for r = 16.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ponder.freeorder.bulb_types import BulbTypes, hat, transform
from ponder.limits import NEVER, Limits
from ponder.types import Ints

LARGEST_RANK = 16
"""Ranks up to which a table of 2^r numbers is searched; above there is `heavy_points`."""

_STEPS = 4000
_SHARPNESS = (0.12, 0.3, 0.6)
"""The p of a round, in turns; in units of 8/√(number of odd types)."""


def few_heavy(
    types: BulbTypes,
    seed: int = 0,
    limits: Limits = NEVER,
    enough: int = 0,
    progress: Callable[[int], None] = lambda height: None,
) -> tuple[Ints, int]:
    """Return the best σ that was found (for `types.places`), and its maximum over all x.

    Ends at a maximum of `enough` or below, after 4000 steps, or when the time is up.

    >>> from ponder.freeorder.bulb_types import bulb_types
    >>> from ponder.puzzle.graph import grid_graph
    >>> few_heavy(bulb_types(grid_graph("plus", (9, 9))), enough=8)[1]
    8
    """
    rng = np.random.default_rng(seed)
    search = _Search(types)
    best, height = search.start(rng), search.height
    for step in range(_STEPS):
        if height <= enough or limits.expired:
            break
        sharpness = _SHARPNESS[step // 200 % len(_SHARPNESS)]
        if step and step % 600 == 0:  # somewhere else, not far from the best
            search.jump(best, rng)
        search.step(sharpness, step, rng)
        if search.height < height:
            best, height = search.sigma.copy(), search.height
            progress(height)
    return best, height


class _Search:
    """A σ, its σ̂, and the steps that are forbidden for now."""

    def __init__(self, types: BulbTypes) -> None:
        self.places, self.sizes = types.places, types.sizes
        self.rank = types.rank
        self.until = np.zeros(self.places.size, dtype=np.int64)
        self.scale = 8.0 / np.sqrt(max(1, int(np.count_nonzero(self.sizes % 2))))
        self.corner = np.arange(1 << types.rank)

    def start(self, rng: np.random.Generator) -> Ints:
        """Begin at random signs of the odd types."""
        odd = self.sizes % 2
        self.sigma: Ints = odd * rng.choice([-1, 1], size=odd.size)
        self.hat = hat(self.sigma, self.places, self.rank)
        return np.array(self.sigma)

    def jump(self, best: Ints, rng: np.random.Generator) -> None:
        """Begin again near the best, or at random."""
        self.start(rng)
        if rng.random() < 0.7:
            again = rng.random(best.size) < 0.85
            self.sigma = np.where(again, best, self.sigma)
            self.hat = hat(self.sigma, self.places, self.rank)
        self.until[:] = 0

    @property
    def height(self) -> int:
        """The maximum of σ̂."""
        return int(self.hat.max())

    def step(self, sharpness: float, now: int, rng: np.random.Generator) -> None:
        """Take the best step that is allowed."""
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
