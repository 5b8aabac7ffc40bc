"""Building walks of a row/column press set one after the other, some with helper presses.

Idea. A press set splits into *walks*, simple in the lines that they visit: cycles, *mixed paths*
between an odd row and an odd column, and *like paths* between two odd rows or two odd columns. The
presses of a walk take the colours 0, 1, 0, 1, … in turn, the bit that both lines must show; at an
inner line whose bit is σ, the press of colour σ goes first. A path that ends at a line whose bit is
0 needs the colour 0 there. Like paths, of even length, must get out of step once: two presses of a
*helper* bulb do it (theory §4.7). Whether a bulb of S serves as a helper depends on whether its own
press is still to come. So `schedule` looks for an order of the walks, last walk first: the state
that the earlier ones leave does not depend on their order.

Letters: R, C the numbers of rows and columns; lines are numbered rows first; a *cell* is
row·C + column; v_0 … v_m are the lines of a path, edge j joins v_j and v_{j+1}.
Cost: O(presses of the walk) per walk built, and O(R + C) per line tried for a helper.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import eq
from random import Random
from typing import TypeAlias

import numpy as np

from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints

Walk: TypeAlias = list[int]  # the lines of a walk in turn; a cycle returns to its first


@dataclass
class LineState:
    """What is built so far: the lines' bits and which bulbs were pressed an odd number of times.

    `bits` holds one bit per line, `pressed` an (R, C) grid, `mask` the grid of bulbs or None.
    """

    bits: Bits
    pressed: Bits
    mask: Bits | None = None

    @classmethod
    def empty(cls, shape: tuple[int, int], mask: Bits | None) -> LineState:
        """Return the site where nothing is built."""
        bits = np.zeros(sum(shape), dtype=np.bool_)
        return cls(bits, np.zeros(shape, dtype=np.bool_), mask)

    def cells(self, walk: Walk) -> Ints:
        """Return the cells of the walk's edges."""
        height, width = self.pressed.shape
        lines = np.array(walk, dtype=np.int64)
        low, high = np.minimum(lines[:-1], lines[1:]), np.maximum(lines[:-1], lines[1:])
        return np.asarray(low * width + high - height)

    def flip(self, walk: Walk) -> None:
        """Build the walk, or take it back: each of its presses once."""
        self.pressed.reshape(-1)[self.cells(walk)] ^= True
        for end in (walk[0], walk[-1]):  # a cycle flips its first line twice
            self.bits[end] ^= True

    def build(self, walk: Walk) -> Ints | None:
        """Return the cells to press for the walk to come next, ends at bit 0; None if stuck."""
        if walk[0] == walk[-1]:
            edges = self._cycle(walk)
        elif len(walk) % 2 == 0:
            edges = _chain(_forward(self._bits(walk), _colours(len(walk) - 1)))
        else:
            return self._like(walk)
        return None if edges is None else self.cells(walk)[edges]

    def _bits(self, walk: Walk) -> list[bool]:
        bits: list[bool] = self.bits[walk].tolist()
        return bits

    def _cycle(self, walk: Walk) -> list[int] | None:
        """Return the edges of a cycle in build order; None when all relations agree."""
        size = len(walk) - 1
        colours = _colours(size, first=walk[0] >= len(self.pressed))
        forward = _forward(self._bits(walk), colours)
        forward[0] = colours[-1] == self.bits[walk[0]]
        if all(forward) or not any(forward):
            return None
        start = forward.index(False)
        chain = _chain(forward[start:] + forward[:start])
        return [(start + edge) % size for edge in chain]

    def _like(self, walk: Walk) -> Ints | None:
        """Return a like path with a helper at an end, else at an inner line, or None."""
        last = len(walk) - 1
        places = ((walk, last), (walk[::-1], last), *((walk, i) for i in range(1, last)))
        helped = (self._helped(path, i) for path, i in places)
        return next((cells for cells in helped if cells is not None), None)

    def _helped(self, walk: Walk, i: int) -> Ints | None:
        """Return the path with a helper at its line i > 0, or None when there is no helper.

        Both edges at v_i get the same colour κ. Let h be the helper and σ the bit of v_i. If σ ≠ κ,
        press h, an edge, h, the other edge. If σ = κ, press an edge, h, the other edge, h. At an
        end, with one edge: h, it, h.
        """
        colour = (i - 1) & 1  # κ
        helper = self._helper(walk, i, colour)
        if helper is None:
            return None
        colours = [*_colours(i), *_colours(len(walk) - 1 - i, first=bool(colour))]
        bits = self._bits(walk)
        forward = _forward(bits, colours)
        # The helper is pressed before and after edge i − 1, its cell coming after the walk's own.
        h = len(walk) - 1
        left = _beside(_chain(forward[: i - 1]), [h, i - 1, h], i > 1 and forward[i - 1])
        right = [i + edge for edge in _chain(forward[i:])]
        edges = right + left if bits[i] == colour else left + right
        return np.append(self.cells(walk), self.cells([walk[i], helper]))[edges]

    def _helper(self, walk: Walk, i: int, colour: int) -> int | None:
        """Return a line w with w's bit + presses of (walk[i], w) + colour odd, if there is one."""
        height = len(self.pressed)
        line, is_row = walk[i], walk[i] < height
        place = np.s_[line, :] if is_row else np.s_[:, line - height]
        first = height if is_row else 0
        crossing = self.bits[height:] if is_row else self.bits[:height]
        fits = crossing ^ self.pressed[place] ^ bool(colour)
        if self.mask is not None:
            fits &= self.mask[place]
        for near in (walk[0], walk[-1], walk[i - 1], walk[min(i + 1, len(walk) - 1)]):
            if (near < height) != is_row:
                fits[near - first] = False
        w = int(np.argmax(fits))
        return w + first if fits[w] else None


def schedule(
    site: LineState, walks: list[Walk], rng: Random | None = None, limits: Limits = NEVER
) -> list[Ints] | None:
    """Return the cells to press, walk by walk in build order, or None when stuck.

    The site is left as it was found. Last walk first: of the remaining walks, one that can be built
    after all others is put last. Like paths have precedence; the others come in the order of `rng`,
    an eighth at a time.
    """
    like = [walk for walk in walks if len(walk) % 2 and walk[0] != walk[-1]]
    easy = [walk for walk in walks if len(walk) % 2 == 0 or walk[0] == walk[-1]]
    if rng is not None:
        rng.shuffle(like)
        rng.shuffle(easy)
    for walk in walks:
        site.flip(walk)
    backwards: list[Ints] = []
    while like or easy:
        left = _put_last(site, like, len(like), backwards, limits)
        if len(left) == len(like):
            most = 1 + len(easy) // 8 if like else len(easy)
            delayed = _put_last(site, easy, most, backwards, limits)
            if len(delayed) == len(easy):
                for walk in like + easy:
                    site.flip(walk)
                return None
            easy = delayed
        like = left
    return backwards[::-1]


def _put_last(
    site: LineState, walks: list[Walk], most: int, backwards: list[Ints], limits: Limits
) -> list[Walk]:
    """Put up to `most` of the walks last that can be; return those left. The site has all built."""
    left: list[Walk] = []
    for k, walk in enumerate(walks):
        limits.check()
        if k - len(left) == most:
            return left + walks[k:]
        site.flip(walk)
        built = site.build(walk)
        if built is None:
            site.flip(walk)
            left.append(walk)
        else:
            backwards.append(built)
    return left


def _colours(edges: int, first: bool = False) -> list[int]:
    return [(edge + first) & 1 for edge in range(edges)]


def _forward(bits: list[bool], colours: list[int]) -> list[bool]:
    """Return, for every edge j > 0, whether j − 1 goes before it, by the bits of the lines."""
    return [False, *map(eq, colours[:-1], bits[1:-1])]


def _chain(forward: list[bool]) -> list[int]:
    """Return edges 0 … n−1 in build order: runs without a forward relation are reversed."""
    build: list[int] = []
    run: list[int] = []
    for edge, later in enumerate(forward):
        if later:
            build += run[::-1]
            run = []
        run.append(edge)
    return build + run[::-1]


def _beside(rest: list[int], core: list[int], rest_first: bool) -> list[int]:
    return rest + core if rest_first else core + rest
