"""All orders of a few presses at once: a table of the sets of presses that may be built first.

A set U is *reachable* if it is empty, or some v ∈ U may be the last one built: U − v is reachable,
and v hears in it a number of presses of the right parity (theory §3.5). An order exists iff the set
of all presses is reachable. Presses of one *kind* can be exchanged: they hear the same and are
heard by the same, each other apart, and have one parity. So it only matters how many of each kind
are in U. The table of K_300 has 2^16 entries, and 300 presses have 2^300 subsets.

Letters. A *state* says how many of each kind are in U, in one field of bits for each kind; `low`
has the lowest bits of the fields of those that a kind hears: their parity is that of the presses.
Reference: Held, Karp, "A dynamic programming approach to sequencing problems", J. SIAM 10 (1962).
Cost for b bits: O(2^b · kinds) and 2^b bytes; b is the number of presses where no two are alike.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from ponder.check.limits import Budget, TooLarge

MOST_EXHAUSTED = 24  # bits of the states that are gone through, unless limits are higher
MOST_TABLED = 30  # bits of the states of the largest table that is ever made: 1 GB
_NS_STATE = 12  # nanoseconds for a state and one of the kinds
_NS_LAYER = 20_000  # … for all states of as many presses and one of the kinds, however few


@dataclass(frozen=True, eq=False)
class SubsetTable:
    """The kinds of some presses, their members, and the fields of a state.

    >>> k4 = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
    >>> table = SubsetTable.of(k4, [False, False, False, True])
    >>> table.kinds, table.bits
    ([[0, 1, 2], [3]], 3)
    >>> table.orderable()  # the second and the fourth of them have an odd number before them
    False
    """

    kinds: list[list[int]]
    odd: list[bool]  # of every kind: whether it needs an odd number before it
    low: list[int]
    shifts: list[int]  # where the fields begin
    bits: int

    @classmethod
    def of(
        cls,
        hears: Sequence[Collection[int]],
        odd: Sequence[bool],
        heard_by: Sequence[Collection[int]] | None = None,
        most: int = MOST_TABLED,
    ) -> SubsetTable:
        """Make the fields of presses; they hear those that hear them, but where `heard_by` differs.

        O(presses + pairs). Raises TooLarge for more than `most` bits.
        """
        kind_of: dict[object, int] = {}
        kinds: list[list[int]] = []
        for v, (near, by) in enumerate(zip(hears, heard_by or hears, strict=True)):
            # those of a kind hear each other, or none of them hears another
            owns = (frozenset[int](), frozenset([v]))
            keys = [(odd[v], len(own), own.union(near), own.union(by)) for own in owns]
            k = next((kind_of[key] for key in keys if key in kind_of), len(kinds))
            if k == most:
                raise TooLarge(f"more than {most} kinds of presses have too many subsets")
            if k == len(kinds):
                kinds.append([])
            kinds[k].append(v)
            kind_of.update(dict.fromkeys(keys, k))
        *shifts, bits = accumulate((len(kind).bit_length() for kind in kinds), initial=0)
        if bits > most:
            raise TooLarge(f"presses of {len(kinds)} kinds have 2^{bits} subsets, too many")
        fields = [(kind[-1], 1 << at) for kind, at in zip(kinds, shifts, strict=True)]
        near_first = (set(hears[kind[0]]) for kind in kinds)
        low = [sum(bit for last, bit in fields if last in near) for near in near_first]
        return cls(kinds, [odd[kind[0]] for kind in kinds], low, shifts, bits)

    def spend(self, budget: Budget) -> None:
        """Take what `orderable` needs off the budget. Raises TooLarge."""
        budget.demand(1 << self.bits, 1 << MOST_EXHAUSTED, "subsets of presses")
        budget.hold(4 << self.bits, "a table of all orders of a few presses")
        layers = sum(map(len, self.kinds)) * _NS_LAYER
        work = len(self.kinds) * (layers + (_NS_STATE << self.bits))
        budget.spend(work, "going through all orders of a few presses")

    def orderable(self) -> bool:
        """Whether the presses have an order: fill the table, layer by layer in build order."""
        reached = np.zeros(1 << self.bits, dtype=np.bool_)
        layer = np.zeros(1, dtype=np.uint32)  # the empty set
        for _ in range(sum(map(len, self.kinds))):
            following = []
            for kind, odd, low, shift in zip(
                self.kinds, self.odd, self.low, self.shifts, strict=True
            ):
                one, full = np.uint32(1 << shift), np.uint32(len(kind) << shift)
                field = np.uint32((1 << len(kind).bit_length()) - 1 << shift)
                some = layer[layer & field < full]
                longer = some[np.bitwise_count(some & np.uint32(low)) & 1 == odd] + one
                longer = longer[~reached[longer]]
                reached[longer] = True
                following.append(longer)
            layer = np.concatenate(following)
        return layer.size > 0
