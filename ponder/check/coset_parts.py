"""The least weight of a coset that is too large to be gone through: bulbs in parts of small rank.

Idea (theory §7.16). A² joins two bulbs iff their closed neighbourhoods share an odd number of
bulbs; its components are *parts*. On a grid of plus they are the four classes of even and odd rows
and columns, and a quiet pattern is known from two of them. On a part P the presses of a member
depend on r_P < d bits, and all their weights are known. Let parts P and Q together fix a member,
r_P + r_Q = d. Then members are pairs out of two lists, and those whose *slacks*, what P and Q have
above their least weights, add up to t or less are gone through with their presses elsewhere. With a
second pair R, S: a member of s presses more than all four least weights has a slack of at most t on
P and Q, or one of at most s − 1 − t on R and S. So two joins find all of them; s grows until there
is one. Whatever the parts, the answer is right; good ones give it sooner. All members of fewer than
some presses are found in the same way, by one s.

Letters: d nullity, r rank, s and t as above. Cost: 6 ns for each of 2^r members of a part, and some
0.1 µs a pair of members: 61×61 (2^40 press sets) 1 s, 79×79 (2^64) minutes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ponder.check import coset
from ponder.check.coset import MOST_LIGHTER, MOST_NULLITY, MOST_WEIGHED, Coset, weight_blocks
from ponder.check.limits import Budget, TooLarge
from ponder.check.linear import reduced
from ponder.model.components import labels
from ponder.model.graph import Graph
from ponder.model.wired_graph import Wired
from ponder.system.types import Bits, Ints, bincount, distinct

WHAT = "press sets by their lists on parts of the board"
MOST_PARTS = 8  # parts of which pairs are looked at
MOST_RANK = 34  # of such a part
MOST_LIGHT = 1 << 24  # of its members, the lightest are listed
MOST_WEIGHED_SOON = 26  # up to 2^… members are weighed sooner than they are listed by parts
MOST_LIGHTEST = 1 << 16  # members of least weight, which are told apart
_MOST_NEAR = 1 << 26  # pairs of bulbs in a closed neighbourhood
_WORTH = 4  # bits: 2^4 members are weighed while a pair, or a member of a part, is looked at
_NS_NEAR = 100  # nanoseconds for such a pair
_NS_PAIR, _NS_WORD = 10, 2  # … for two members of lists, and for 64 bulbs of them
_PAIRS, _SECOND = 1 << 14, 1 << 9  # pairs at a time, and members of the second list among them
_FIRST_PAIRS, _GROWTH = 1 << 16, 2  # pairs before one is found, and how their number grows
_UNLISTED = 1 << 60  # more than all pairs of lists: those of a slack to which they do not go

Words = NDArray[np.uint64]


class Light(NamedTuple):
    """All members of a part that have fewer than `bound` presses, the lightest first."""

    bound: int
    members: Ints
    weights: Ints


Lister = Callable[[Bits, Bits], Light]
"""Lists the members base + span(basis) of a part, numbered by their coordinates."""


class Lightest(NamedTuple):
    """The least weight, how many members have it, and these, (count, n)."""

    weight: int
    how_many: int
    members: Bits


def least_weight(graph: Graph, base: Bits, basis: Bits, budget: Budget) -> tuple[int, int]:
    """Return the least weight in base + span(basis), and how many members have it.

    By parts where all members are many; else, and where these do not suit, by their weights (which
    `coset.least_weight` goes through). Raises TooLarge.
    """
    found = None
    if len(basis) > MOST_NULLITY and not isinstance(graph, Wired):
        try:
            found = least_in_parts(graph, base, basis, budget)
        except TooLarge:
            if len(basis) > MOST_WEIGHED:
                raise
    return found[:2] if found else coset.least_weight(base, basis, budget)


def least_in_parts(
    graph: Graph, base: Bits, basis: Bits, budget: Budget, lister: Lister | None = None
) -> Lightest | None:
    """Return the lightest members of base + span(basis), or None where no parts suit.

    `lister` is the checker's own where none is given. Raises TooLarge.
    """
    joins = _joins(graph, base, basis, budget, lister)
    if joins is None:
        return None
    least = sum(sum(join.minima) for join in joins)
    slack, most = 0, _FIRST_PAIRS
    while True:
        pairs, shares = _split(joins, slack)
        while (following := _split(joins, slack + 1))[0] <= most:
            slack, (pairs, shares) = slack + 1, following
        if pairs >= _UNLISTED:
            raise TooLarge(f"press sets of more than {least + slack - 1} presses are too many")
        found = _Found(least + slack)
        _search(joins, shares, found, budget)
        if found.members:
            members = np.array([np.frombuffer(one, dtype=np.bool_) for one in found.members])
            return Lightest(found.weight, len(members), members)
        slack, most = slack + 1, max(_GROWTH * pairs, most)


def lighter_members(members: Coset, bound: int, budget: Budget) -> tuple[Ints, Ints]:
    """Return indices and weights of all members of fewer than `bound` bulbs. Raises TooLarge.

    By parts where there are many members, these suit and that takes less; else as `Coset` does.
    """
    found = lighter_in_parts(members, bound, budget)
    return members.lighter(bound, budget) if found is None else found


def lighter_in_parts(members: Coset, bound: int, budget: Budget) -> tuple[Ints, Ints] | None:
    """Return them, by index; None where parts do not suit, or take longer. Raises TooLarge."""
    graph, digits, joins = members.board.graph, len(members.basis), list[_Join]()
    most = 1 << max(0, digits - _WORTH)  # members of parts, and pairs of them, that are looked at
    weighed = None
    shift = graph.size.bit_length()  # digits of a weight
    if MOST_WEIGHED_SOON < digits <= 62 - shift and not isinstance(graph, Wired):
        weighed = listed(graph, members.basis, budget)
    if weighed is not None and weighed <= most:
        with suppress(TooLarge):
            joins = _joins(graph, members.base, members.basis, budget) or []
    slack = max(-1, bound - 1 - sum(sum(join.minima) for join in joins))
    pairs, shares = _split(joins, slack) if joins and slack >= 0 else (0, (0, 0))
    if not joins or pairs > most:
        return None
    found = _Lighter(bound - 1, members.pivots, shift)
    if slack >= 0:
        _search(joins, shares, found, budget)
    keys = distinct(np.concatenate([np.empty(0, dtype=np.int64), *found.listed]))
    return keys >> shift, keys & ((1 << shift) - 1)


def _joins(
    graph: Graph, base: Bits, basis: Bits, budget: Budget, lister: Lister | None = None
) -> list[_Join] | None:
    """Return both pairs of parts with their lists, or None where no parts suit. Raises TooLarge."""
    sides = _sides_of(graph, basis, budget)
    if sides is None:
        return None
    own = lister or (lambda part, vectors: light(part, vectors, budget))
    return [_Join(*both, base, basis, own) for both in (sides, sides[::-1])]


def _search(joins: list[_Join], shares: tuple[int, int], found: _Found, budget: Budget) -> None:
    for join, share, other in zip(joins, shares, joins[::-1], strict=True):
        join.search(share, other.minima[1], found, budget)


def listed(graph: Graph, basis: Bits, budget: Budget) -> int | None:
    """Return how many members of parts are weighed for that; None where no parts suit."""
    sides = _sides_of(graph, basis, budget)
    return None if sides is None else sum(1 << len(part.pivots) for side in sides for part in side)


def light(base: Bits, basis: Bits, budget: Budget) -> Light:
    """List the lightest members of base + span(basis), at most MOST_LIGHT. Raises TooLarge."""
    bound, held = base.size + 1, 0
    members, weights = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    budget.hold(40 * min(1 << len(basis), 2 * MOST_LIGHT), "the light press sets of a part")
    for first, block in weight_blocks(base, basis, budget):
        chosen = np.flatnonzero(block < bound)
        members.append(first + chosen)
        weights.append(block[chosen])
        held += chosen.size
        if held > 2 * MOST_LIGHT:
            bound, kept_members, kept_weights = _lightest(members, weights, bound)
            members, weights, held = [kept_members], [kept_weights], kept_members.size
    bound, found, their = _lightest(members, weights, bound)
    order = np.argsort(their, kind="stable")
    return Light(bound, found[order], their[order])


def _lightest(members: list[Ints], weights: list[Ints], bound: int) -> tuple[int, Ints, Ints]:
    """Lower the bound until at most MOST_LIGHT members are below it; return these."""
    all_members, all_weights = np.concatenate(members), np.concatenate(weights)
    lighter = np.cumsum(bincount(all_weights, bound))
    bound = int(np.searchsorted(lighter, MOST_LIGHT, side="right"))
    kept = all_weights < bound
    return bound, all_members[kept], all_weights[kept]


# -------------------------------------------------------------------------------------- the parts


def _parts(graph: Graph, budget: Budget) -> list[Ints]:
    """Return the components of A², as bulbs: those of an odd number of common neighbours."""
    members, owner = graph.neighbourhoods(np.arange(graph.size))
    sizes = bincount(owner, graph.size)
    near = int((sizes * (sizes - 1)).sum()) // 2
    if near > _MOST_NEAR:
        return []
    budget.spend(_NS_NEAR * near, "bulbs with common neighbours")
    starts, keys = np.cumsum(sizes) - sizes, [np.empty(0, dtype=np.int64)]
    for size in np.unique(sizes).tolist():
        rows = members[starts[sizes == size][:, None] + np.arange(size)]
        one, other = np.triu_indices(size, 1)
        keys.append((rows[:, one] * graph.size + rows[:, other]).ravel())
    pairs, times = np.unique(np.concatenate(keys), return_counts=True)
    edges = np.stack(np.divmod(pairs[times % 2 == 1], graph.size), axis=1)
    label = labels(graph.size, edges)
    return [np.flatnonzero(label == least) for least in np.unique(label)[: MOST_PARTS + 1]]


class _Part(NamedTuple):
    bulbs: Ints
    pivots: list[int]  # bulbs of it with independent kernel columns, as many as its rank


_Side = tuple[_Part, _Part]


def _sides_of(graph: Graph, basis: Bits, budget: Budget) -> tuple[_Side, _Side] | None:
    parts = _parts(graph, budget) if 0 < len(basis) <= 2 * MOST_RANK else []
    return _sides(parts, basis)


def _sides(parts: list[Ints], basis: Bits) -> tuple[_Side, _Side] | None:
    """Return two pairs of parts, each of which fixes the members, of ranks as small as can be."""
    if len(parts) > MOST_PARTS:
        return None
    packed = np.packbits(basis, axis=0, bitorder="little").T
    columns = [int.from_bytes(column.tobytes(), "little") for column in packed]
    ranked = [_Part(bulbs, _independent(bulbs.tolist(), columns)) for bulbs in parts]

    def fixes(one: _Part, other: _Part) -> bool:
        both = one.pivots + other.pivots
        enough = max(len(one.pivots), len(other.pivots)) <= MOST_RANK
        return enough and len(both) == len(basis) == len(_independent(both, columns))

    pairs = [pair for pair in combinations(range(len(ranked)), 2) if fixes(*_taken(ranked, pair))]
    choices = [both for both in combinations(pairs, 2) if not {*both[0]} & {*both[1]}]
    if not choices:
        return None

    def members(both: tuple[tuple[int, int], tuple[int, int]]) -> int:
        return sum(1 << len(ranked[part].pivots) for part in (*both[0], *both[1]))

    first, second = min(choices, key=members)
    return _taken(ranked, first), _taken(ranked, second)


def _taken(parts: list[_Part], pair: tuple[int, int]) -> _Side:
    return parts[pair[0]], parts[pair[1]]


def _independent(bulbs: list[int], columns: list[int]) -> list[int]:
    """Return the first bulbs whose kernel columns are independent."""
    pivots: dict[int, int] = {}
    found = []
    for bulb in bulbs:
        rest = columns[bulb]
        while rest and (lead := rest.bit_length()) in pivots:
            rest ^= pivots[lead]
        if rest:
            pivots[rest.bit_length()] = rest
            found.append(bulb)
    return found


# -------------------------------------------------------------------------------------- the joins


class _Found:
    """The lightest members so far, of at most so many presses."""

    def __init__(self, weight: int) -> None:
        self.weight = weight
        self.members: set[bytes] = set()

    def add(self, join: _Join, numbers: list[Ints], weights: Ints) -> None:
        """Keep what is as light, of some members by their numbers in both parts of a join."""
        weight = int(weights.min(initial=self.weight + 1))
        if weight > self.weight:
            return
        if weight < self.weight:
            self.weight, self.members = weight, set()
        best = np.flatnonzero(weights == weight)
        members = np.repeat(join.base[None], best.size, axis=0)
        for vectors, number in zip(join.vectors, numbers, strict=True):
            for i, vector in enumerate(vectors):
                members[number[best] >> i & 1 == 1] ^= vector
        self.members |= {one.tobytes() for one in members}
        if len(self.members) > MOST_LIGHTEST:
            raise TooLarge(f"more than {MOST_LIGHTEST} press sets of as few presses")


class _Lighter(_Found):
    """All members of at most so many presses: bits at some pivots, and the weight in the `shift`
    digits below.
    """

    def __init__(self, weight: int, pivots: list[int], shift: int) -> None:
        super().__init__(weight)
        self.pivots, self.shift = pivots, shift
        self.listed: list[Ints] = []
        self.count = 0
        self._tabled: tuple[_Join | None, list[Words]] = None, []

    def _tables(self, join: _Join) -> list[Words]:
        """Return sums of the bits that the vectors of both sides have, for one join at a time."""
        if self._tabled[0] is not join:
            units = np.int64(1) << np.arange(len(self.pivots), dtype=np.int64) + self.shift
            bits = (vectors[:, self.pivots] @ units for vectors in join.vectors)
            self._tabled = join, [_tables(some.view(np.uint64)[:, None]) for some in bits]
        return self._tabled[1]

    def add(self, join: _Join, numbers: list[Ints], weights: Ints) -> None:
        """Keep those that are light enough, maybe twice."""
        light = np.flatnonzero(weights <= self.weight)
        found = weights[light].astype(np.int64)
        for tables, number in zip(self._tables(join), numbers, strict=True):
            found ^= _combined(tables, number[light])[0].view(np.int64)
        self.listed.append(found)
        self.count += light.size
        if self.count > 2 * MOST_LIGHTER:
            raise TooLarge(f"more than {MOST_LIGHTER} press sets of at most {self.weight} presses")


class _Join:
    """Two parts that fix the members: their lists, and what their coordinates press elsewhere."""

    def __init__(self, side: _Side, other: _Side, base: Bits, basis: Bits, lister: Lister) -> None:
        pivots = side[0].pivots + side[1].pivots
        rows, places = reduced(np.concatenate([basis[:, pivots], basis], axis=1))
        rows = rows[np.argsort(places), len(pivots) :]  # row i is alone at pivot i
        first = len(side[0].pivots)
        self.base, self.vectors = base, (rows[:first], rows[first:])  # each vanishes on the other
        parts = zip(side, self.vectors, strict=True)
        self.lists = [lister(base[part.bulbs], own[:, part.bulbs]) for part, own in parts]
        if not all(one.weights.size for one in self.lists):
            raise TooLarge("a part has too many press sets of least weight")
        self.minima = [int(one.weights[0]) for one in self.lists]
        third = other[0].bulbs
        rest = np.concatenate([third, *(part.bulbs for part in side)])
        self.elsewhere = third, np.delete(np.arange(base.size), rest)
        some = min(one.bound - least for one, least in zip(self.lists, self.minima, strict=True))
        one, two = (
            bincount(one.weights[: self._cut(i, some - 1)] - self.minima[i], some)
            for i, one in enumerate(self.lists)
        )
        self.pairs = np.append(0, np.cumsum(np.convolve(one, two)[:some]))
        """How many pairs have a slack below each number, as far as all members are listed."""

    def _cut(self, which: int, slack: int) -> int:
        """Return how many members of a list have at most such a slack."""
        bound = self.minima[which] + slack
        return int(np.searchsorted(self.lists[which].weights, bound, side="right"))

    def search(self, slack: int, last: int, found: _Found, budget: Budget) -> None:
        """Find the lightest members of at most such a slack. Raises TooLarge.

        All have at least `last` presses at the bulbs that are looked at last.
        """
        words = sum(-(-bulbs.size // 64) for bulbs in self.elsewhere)
        budget.of_board.spend((_NS_PAIR + _NS_WORD * words) * int(self.pairs[slack + 1]), WHAT)
        one, two = self.vectors
        outside = [
            (
                _words(self.base[None, bulbs]),
                _tables(_words(one[:, bulbs])),
                _tables(_words(two[:, bulbs])),
            )
            for bulbs in self.elsewhere
        ]
        for spent in range(slack + 1):
            firsts, cut = self._cut(0, slack - spent), self._cut(1, spent)
            for start in range(self._cut(1, spent - 1), cut, _SECOND):
                seconds = np.arange(start, min(start + _SECOND, cut))
                step = _PAIRS // seconds.size
                for at in range(0, firsts, step):
                    budget.spend(0, WHAT)  # whoever has a clock looks at it
                    block = np.arange(at, min(at + step, firsts)), seconds
                    self._weigh(block, outside, last, found)

    def _weigh(
        self,
        block: tuple[Ints, Ints],
        outside: list[tuple[Words, Words, Words]],
        last: int,
        found: _Found,
    ) -> None:
        """Weigh all pairs of a block of both lists: first in one more part, then the few left."""
        numbers = [one.members[places] for one, places in zip(self.lists, block, strict=True)]
        own = [one.weights[places] for one, places in zip(self.lists, block, strict=True)]
        base, *tables = outside[0]
        here, there = (_combined(*both) for both in zip(tables, numbers, strict=True))
        here ^= base.T
        weights = own[0][:, None] + own[1]
        counted = np.zeros(weights.shape, dtype=np.int16 if len(base.T) < 1 << 9 else np.int64)
        for one, other in zip(here, there, strict=True):
            counted += np.bitwise_count(one[:, None] ^ other)
        weights += counted
        left = np.nonzero(weights <= found.weight - last)
        if not left[0].size:
            return
        base, *tables = outside[1]
        here, there = (_combined(*both) for both in zip(tables, numbers, strict=True))
        here ^= base.T
        total = weights[left].astype(np.int64)
        for one, other in zip(here, there, strict=True):
            total += np.bitwise_count(one[left[0]] ^ other[left[1]])
        found.add(
            self, [number[places] for number, places in zip(numbers, left, strict=True)], total
        )


def _split(joins: list[_Join], slack: int) -> tuple[int, tuple[int, int]]:
    """Return how to share a slack so that the joins have the fewest pairs, and how many."""
    one, other = (np.append(join.pairs, np.full(slack + 2, _UNLISTED)) for join in joins)
    costs = one[: slack + 2] + other[slack + 1 :: -1]
    best = int(np.argmin(costs))
    return int(costs[best]), (best - 1, slack - best)


def chosen_sums(vectors: Ints, numbers: Ints) -> Ints:
    """Return the sums of vectors, themselves bits, that the bits of numbers choose. (m,) -> (m,).

    >>> chosen_sums(np.array([1, 2, 7]), np.array([0, 3, 5])).tolist()
    [0, 3, 6]
    """
    tables = _tables(vectors.view(np.uint64)[:, None])
    found: Ints = _combined(tables, numbers)[0].view(np.int64)
    return found


def _words(bits: Bits) -> Words:
    """Return bits in words of 64, the last one filled up with 0: (m, n) -> (m, n/64)."""
    filled = np.zeros((len(bits), -(-bits.shape[1] // 64) * 64), dtype=np.bool_)
    filled[:, : bits.shape[1]] = bits
    return np.packbits(filled, axis=1).view(np.uint64)


def _tables(vectors: Words) -> Words:
    """Return the sums of each eight vectors, words first: (r, n/64) -> (r/8, n/64, 256)."""
    padded = np.pad(vectors, ((0, -len(vectors) % 8), (0, 0)))
    words = padded.reshape(len(padded) // 8, 8, padded.shape[1])
    tables = np.zeros((len(words), words.shape[2], 1), dtype=np.uint64)
    for i in range(8):
        tables = np.concatenate([tables, tables ^ words[:, i, :, None]], axis=2)
    return tables


def _combined(tables: Words, numbers: Ints) -> Words:
    """Return the sums that the bits of numbers choose: -> (n/64, m)."""
    found = np.zeros((tables.shape[1], numbers.size), dtype=np.uint64)
    for i, table in enumerate(tables):
        found ^= table[:, numbers >> 8 * i & 255]
    return found
