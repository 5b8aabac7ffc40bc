"""All orders of a few presses at once: a table of the sets of presses that may be built first.

A set U is *reachable* if it is empty, or some v ∈ U may be the last one built: U − v is reachable,
and v hears in it a number of presses of the right parity (theory §3.5). An order exists iff the set
of all presses is reachable. Presses of one *kind* can be exchanged: they hear the same and are
heard by the same, each other apart, and have one parity. So it only matters how many of each kind
are in U. The table of K_300 has 2^16 entries, and 300 presses have 2^300 subsets.

Letters. A *state* says how many of each kind are in U, in one field of bits for each kind; `low`
has the lowest bits of the fields of those that a kind hears: their parity is that of the presses.
The table is one Python integer, with a bit for each state.
Reference: Held, Karp, "A dynamic programming approach to sequencing problems", J. SIAM 10 (1962).
Cost for b bits, k kinds: k·2^b/8 bytes and O(rounds · k · 2^b) bit operations, dozens at a time:
20 µs for 6 presses, 5 ms for 20, 35 ms and 18 MB for 22.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ponder.check.reader import TooLarge, demand
from ponder.system.limits import NEVER, Limits

MOST_EXHAUSTED = 24  # bits of the states that are gone through
MOST_PRESSES = 1024


@dataclass(frozen=True, eq=False)
class SubsetTable:
    """The kinds of some presses, their members, and the fields of a state.

    >>> k4 = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
    >>> table = SubsetTable.from_near(k4, [False, False, False, True])
    >>> table.kinds, table.bits
    ([[0, 1, 2], [3]], 3)
    >>> table.has_order()  # an order has two that are odd
    False
    """

    kinds: list[list[int]]
    odd: list[bool]  # of every kind: whether it needs an odd number before it
    low: list[int]
    shifts: list[int]  # where the fields begin
    bits: int
    full: int  # the state of all presses

    @classmethod
    def from_near(
        cls,
        hears: Sequence[Collection[int]],
        odd: Sequence[bool],
        heard_by: Sequence[Collection[int]] | None = None,
        most: int = MOST_EXHAUSTED,
    ) -> SubsetTable:
        """Make the fields of presses; they hear those that hear them, but where `heard_by` differs.

        O(presses + pairs). Raises TooLarge for more than `most` bits.
        """
        demand(len(hears), MOST_PRESSES, "presses whose orders are gone through")
        kind_of: dict[object, int] = {}
        kinds: list[list[int]] = []
        masks = [_mask(near) for near in hears]
        for v, by in enumerate(heard_by or hears):
            # those of a kind hear each other, or none of them hears another
            heard = masks[v] if heard_by is None else _mask(by)
            keys = [(odd[v], bit > 0, masks[v] | bit, heard | bit) for bit in (0, 1 << v)]
            k = next((kind_of[key] for key in keys if key in kind_of), len(kinds))
            if k == most:
                raise TooLarge(f"more than {most} kinds of presses have too many subsets")
            if k == len(kinds):
                kinds.append([])
            kinds[k].append(v)
            kind_of.update(dict.fromkeys(keys, k))
        *shifts, bits = accumulate((len(kind).bit_length() for kind in kinds), initial=0)
        if bits > most:
            raise TooLarge(f"2^{bits} subsets of presses of {len(kinds)} kinds: too many subsets")
        fields = [(kind[-1], 1 << at) for kind, at in zip(kinds, shifts, strict=True)]
        low = [sum(bit for last, bit in fields if masks[kind[0]] >> last & 1) for kind in kinds]
        full = sum(len(kind) << at for kind, at in zip(kinds, shifts, strict=True))
        return cls(kinds, [odd[kind[0]] for kind in kinds], low, shifts, bits, full)

    def reachable(self, limits: Limits = NEVER) -> int:
        """Fill the table: bit U says whether the state U is reachable. Raises TimeUp."""
        ready = self._ready(limits)
        table, before = 1, 0
        while table != before and not table >> self.full:
            before = table
            # to add one of a kind to every state that is ready for it is a shift; in rounds over
            # all kinds until nothing changes: four or five where no two presses are alike
            for states, shift in ready:
                limits.check()
                table |= (table & states) << shift
        return table

    def has_order(self, limits: Limits = NEVER) -> bool:
        """Whether all presses have a legal order. Raises TimeUp."""
        return bool(self.reachable(limits) >> self.full)

    def _ready(self, limits: Limits) -> list[tuple[int, int]]:
        """Return, by kind, the states to which one may be added, and the shift that adds it."""
        ready = []
        rows = zip(self.kinds, self.odd, self.low, self.shifts, strict=True)
        for kind, odd, low, shift in rows:
            limits.check()
            last = shift + len(kind).bit_length() - 1  # the highest bit of its field
            evens, odds = 1, 0  # states of the bits below u, by the parity of what the kind hears
            for u in range(self.bits):
                toggled = (odds, evens) if low >> u & 1 else (evens, odds)
                evens, odds = evens | toggled[0] << (1 << u), odds | toggled[1] << (1 << u)
                if u == last:  # all of the kind are in: none is left to add
                    mask = (1 << (len(kind) << shift)) - 1
                    evens, odds = evens & mask, odds & mask
            ready.append((odds if odd else evens, 1 << shift))
        return ready


def _mask(places: Collection[int]) -> int:
    mask = 0
    for u in places:
        mask |= 1 << u
    return mask
