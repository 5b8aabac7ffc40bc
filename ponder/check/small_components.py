"""Odd components of one bulb or two, in many press sets side by side: 64 of them to a word.

Idea (theory §7.10). A pressed bulb without a pressed neighbour is a component, odd if its t = 1;
two neighbours without any other are one, odd if their t agree. So such components are seen by
counting pressed neighbours: none, one or more. With a *plane* for every bulb, which has a bit for
each press set, that takes some and/or of whole planes. Components that touch no bulb together are
taken greedily: in a class of bulbs without common neighbours all at once that are beside no bulb
*touched* so far. Planes of the members of a coset are sums of planes, one for each coordinate, by
tables for eight coordinates at a time (after Arlazarov, Dinic, Kronrod and Faradzhev 1970).

This is speed alone: `odd_components.Pieces` finds these components too, one press set at a time.

Letters: t, T as in the theory; n bulbs, D neighbours at most, d coordinates.
Cost: for a press set and a bulb some d/64 + D/16 operations on words; 0.2 µs a press set of 30×30.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import count as count_from

import numpy as np

from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Words

AT_ONCE, MOST_BYTES = 1 << 15, 1 << 25  # press sets side by side, and bytes of their planes
_TABLE = 8  # coordinates of a table
_PART = 1 << 14  # words of the planes that are looked at together


def at_once(size: int) -> int:
    """Return how many press sets of `size` bulbs are laid side by side."""
    return max(64, min(AT_ONCE, MOST_BYTES // max(1, size) * 8 >> 6 << 6))


def planes_of(press_sets: Bits) -> Words:
    """Lay press sets side by side. (m, n) -> (n, ⌈m/64⌉); bits beyond the last are 0."""
    count, size = press_sets.shape
    padded = np.zeros((size, -(-count // 64) * 64), dtype=np.bool_)
    padded[:, :count] = press_sets.T
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def planes_of_members(base: Bits, columns: Ints, numbers: Ints) -> Words:
    """Lay members of a coset side by side, by their numbers and the kernel columns of all bulbs.

    Member x presses v iff base(v) + ⟨x, columns(v)⟩ = 1. (n,), (n,), (m,) -> (n, ⌈m/64⌉).

    >>> planes = planes_of_members(np.array([1, 0], dtype=bool), np.array([1, 3]), np.arange(4))
    >>> [f"{plane:064b}"[-4:] for plane in planes[:, 0].tolist()]
    ['0101', '0110']
    """
    digits = max(1, int(columns.max(initial=0)).bit_length())
    bits = planes_of((numbers[:, None] >> np.arange(digits) & 1).astype(np.bool_))
    planes = np.zeros((base.size, bits.shape[1]), dtype=np.uint64)
    planes[base] = ~planes[base]
    for first in range(0, digits, _TABLE):
        table = np.zeros((1, bits.shape[1]), dtype=np.uint64)
        for plane in bits[first : first + _TABLE]:
            table = np.concatenate([table, table ^ plane])
        planes ^= table[columns >> first & (len(table) - 1)]
    return planes


def bits_of(plane: Words, count: int) -> Bits:
    """Return the first bits of a plane, one for each press set."""
    return np.unpackbits(plane.view(np.uint8), count=count, bitorder="little").astype(np.bool_)


class SmallComponents:
    """Finds them in the press sets of one graph, given by the neighbours of all bulbs.

    >>> path = SmallComponents([[1], [0, 2], [1, 3], [2]], np.zeros(4, dtype=np.bool_))
    >>> planes = planes_of(np.array([[1, 1, 0, 1], [0, 1, 0, 1], [1, 1, 1, 0]], dtype=np.bool_))
    >>> bits_of(path.anywhere(planes), 3).tolist(), path.apart(planes, 3).tolist()
    ([True, False, False], [1, 0, 0])
    """

    def __init__(
        self, near: Sequence[Sequence[int]], odd_later: Bits, limits: Limits = NEVER
    ) -> None:
        self._limits = limits
        size, most = len(near), max(1, *map(len, near), 1)
        # (D, n): the neighbours of every bulb; `size` where it has fewer, for a plane of zeros
        self.near: Ints = np.full((most, size), size)
        for v, neighbours in enumerate(limits.over(near)):
            self.near[: len(neighbours), v] = neighbours
        all_bits = ~np.uint64(0)
        self._odd_alone = np.where(odd_later, all_bits, 0)[:, None]
        self._singles = bool(odd_later.any())
        parity = np.append(odd_later, False)
        self._alike = np.where(parity[self.near] == odd_later, all_bits, 0)[..., None]

    def anywhere(self, planes: Words) -> Words:
        """Return which press sets have one: these have no order. (n, m) -> (m,)."""
        marked = np.zeros(planes.shape[1], dtype=np.uint64)
        for _, alone, paired in self._small(planes):
            marked |= np.bitwise_or.reduce(alone | paired, axis=0)
        return marked

    def apart(self, planes: Words, count: int) -> Ints:
        """Return a lower bound on the double presses of each of `count` press sets. (count,).

        Of components that touch no bulb together each needs one. They are taken class by class,
        first those of one bulb, wherever nothing beside them is touched yet. Of those of two bulbs
        each end is taken by itself, and both count as one. Where any two bulbs have a neighbour in
        common there is at most one.
        """
        size = len(planes)
        if len(self._classes) == size:
            return bits_of(self.anywhere(planes), count).astype(np.int64)
        single, ends = (np.zeros((size + 1, planes.shape[1]), dtype=np.uint64) for _ in range(2))
        for bulbs, alone, paired in self._small(planes):
            single[bulbs], ends[bulbs] = alone, paired
        touched, total = np.zeros_like(single), np.zeros(count, dtype=np.int64)
        if self._singles:
            self._take(single, touched)
            total += _counted(single, count)
        self._take(ends, touched)
        whole = np.zeros_like(planes)
        for bulbs in self._in_parts(planes):
            partner = np.bitwise_or.reduce(ends[self.near[:, bulbs]], axis=0)
            whole[bulbs] = ends[bulbs] & partner
        return total + _counted(whole, count) // 2

    def _take(self, marked: Words, touched: Words) -> None:
        """Leave of some bulbs those that are taken, and mark the bulbs beside them as `touched`."""
        step = max(1, _PART // max(1, marked.shape[1]))
        for bulbs in self._classes:
            for start in range(0, bulbs.size, step):
                part = bulbs[start : start + step]
                taken = marked[part]
                for neighbours in self.near[:, part]:
                    taken &= ~touched[neighbours]
                for neighbours in self.near[:, part]:
                    touched[neighbours] |= taken
                touched[-1] = 0  # beside no bulb
                marked[part] = taken

    @cached_property
    def _classes(self) -> list[Ints]:
        """The bulbs in classes, in none of which two have a neighbour in common."""
        size = self.near.shape[1]
        near = np.concatenate([self.near, np.full((len(self.near), 1), size)], axis=1)
        kinds = np.full(size + 1, -1, dtype=np.int64)
        for v in self._limits.over(range(size)):
            used = set(kinds[near[:, near[:, v]]].ravel().tolist())
            kinds[v] = next(kind for kind in count_from() if kind not in used)
        return [np.flatnonzero(kinds[:-1] == kind) for kind in range(int(kinds.max()) + 1)]

    def _in_parts(self, planes: Words) -> Iterator[slice]:
        """Yield the bulbs in parts, whose planes fit a processor's cache."""
        step = max(1, _PART // max(1, planes.shape[1]))
        for start in range(0, len(planes), step):
            yield slice(start, min(start + step, len(planes)))

    def _small(self, planes: Words) -> Iterator[tuple[slice, Words, Words]]:
        """Yield bulbs, and in which press sets each is alone and odd, or one end of an odd pair."""
        ends = np.zeros((len(planes) + 1, planes.shape[1]), dtype=np.uint64)
        padded = np.concatenate([planes, ends[:1]])
        single = np.zeros_like(planes)
        for bulbs in self._in_parts(planes):
            once, twice = np.zeros_like(planes[bulbs]), np.zeros_like(planes[bulbs])
            for neighbours in self.near[:, bulbs]:
                beside = padded[neighbours]
                twice |= once & beside
                once |= beside
            np.bitwise_and(planes[bulbs], once & ~twice, out=ends[bulbs])
            if self._singles:
                np.bitwise_and(planes[bulbs] & ~once, self._odd_alone[bulbs], out=single[bulbs])
        for bulbs in self._in_parts(planes):
            paired = np.zeros_like(planes[bulbs])
            for neighbours, alike in zip(self.near[:, bulbs], self._alike[:, bulbs], strict=True):
                paired |= ends[neighbours] & alike
            yield bulbs, single[bulbs], paired & ends[bulbs]


def _counted(planes: Words, count: int) -> Ints:
    """Return how many bulbs of each press set are marked. (n, m) -> (count,)."""
    total = np.zeros(count, dtype=np.int64)
    for start in range(0, len(planes), 255):  # at most 255 ones fit a byte
        bytes_ = np.ascontiguousarray(planes[start : start + 255]).view(np.uint8)
        bits = np.unpackbits(bytes_, axis=1, count=count, bitorder="little")
        total += np.add.reduce(bits, axis=0, dtype=np.uint8)
    return total
