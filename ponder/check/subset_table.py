"""All orders of a few presses at once: a table of the sets of presses that may be built first.

A set U is *reachable* if it is empty, or some v ∈ U may be the last one built: U − v is reachable,
and v hears in it a number of presses of the right parity (theory §3.5). An order exists iff the set
of all presses is reachable. Some presses may be *free* to hear a wrong number; how many do in the
best order is counted level by level (§3.9). Presses of one *kind* can be exchanged: they hear the
same and are heard by the same, each other apart, and have one parity. So it only matters how many
of each kind are in U. The table of K_300 has 2^16 entries, and 300 presses have 2^300 subsets.

Letters. A *state* says how many of each kind are in U, in one field of bits for each kind; `low`
has the lowest bits of the fields of those that a kind hears: their parity is that of the presses.
The table is one Python integer, with a bit for each state.
Reference: Held, Karp, "A dynamic programming approach to sequencing problems", J. SIAM 10 (1962).
Cost for b bits, k kinds: k·2^b/8 bytes and O(rounds · k · 2^b) bit operations, dozens at a time:
20 µs for 6 presses, 5 ms for 20, 35 ms and 18 MB for 22. b is 16 for K_300, and 20 for K_2000.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import or_

from ponder.check.limits import Budget, TooLarge

MOST_EXHAUSTED = 24  # bits of the states that are gone through, unless limits are higher
MOST_TABLED = 28  # bits of the states of the largest table that is ever made: 1 GB
_NS_ROUND = 2000  # nanoseconds for one of the kinds and all states, however few
_STATES_NS = 16  # states for which that takes a nanosecond


@dataclass(frozen=True, eq=False)
class SubsetTable:
    """The kinds of some presses, their members, and the fields of a state.

    >>> k4 = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
    >>> table = SubsetTable.of(k4, [False, False, False, True])
    >>> table.kinds, table.bits
    ([[0, 1, 2], [3]], 3)
    >>> table.reachable() >> table.full  # an order has two that are odd
    0
    """

    kinds: list[list[int]]
    odd: list[bool]  # of every kind: whether it needs an odd number before it
    free: list[bool]  # … and whether it may have a wrong one
    low: list[int]
    shifts: list[int]  # where the fields begin
    bits: int
    full: int  # the state of all presses

    @classmethod
    def of(
        cls,
        hears: Sequence[Collection[int]],
        odd: Sequence[bool],
        heard_by: Sequence[Collection[int]] | None = None,
        most: int = MOST_TABLED,
        free: Sequence[bool] | None = None,
    ) -> SubsetTable:
        """Make the fields of presses; they hear those that hear them, but where `heard_by` differs.

        O(presses + pairs). Raises TooLarge for more than `most` bits.
        """
        free = free or [False] * len(hears)
        kind_of: dict[object, int] = {}
        kinds: list[list[int]] = []
        for v, (near, by) in enumerate(zip(hears, heard_by or hears, strict=True)):
            # those of a kind hear each other, or none of them hears another
            owns = (frozenset[int](), frozenset([v]))
            keys = [(odd[v], free[v], len(own), own.union(near), own.union(by)) for own in owns]
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
        near_first = (set(hears[kind[0]]) for kind in kinds)
        low = [sum(bit for last, bit in fields if last in near) for near in near_first]
        full = sum(len(kind) << at for kind, at in zip(kinds, shifts, strict=True))
        odds, frees = ([some[kind[0]] for kind in kinds] for some in (odd, free))
        return cls(kinds, odds, frees, low, shifts, bits, full)

    def spend(self, budget: Budget, levels: int = 1) -> None:
        """Take what `reachable`, or `fewest_wrong` up to some levels, needs off the budget.

        Raises TooLarge.
        """
        kinds, size = len(self.kinds), sum(map(len, self.kinds))
        budget.demand(1 << self.bits, 1 << MOST_EXHAUSTED, f"subsets of {size} presses")
        what = "going through all orders of a few presses"
        budget.hold((kinds + 8 << self.bits) // 8, what)
        rounds = levels * (size + 4)
        budget.spend(kinds * rounds * (_NS_ROUND + (1 << self.bits) // _STATES_NS), what)

    def reachable(self, poll: Callable[[], None] = lambda: None) -> int:
        """Fill the table: bit U says whether the state U is reachable. `poll` is called often."""
        return self._closed(1, self._ready(poll)[0], poll)

    def fewest_wrong(self, most: int, poll: Callable[[], None] = lambda: None) -> int:
        """Return how many free presses hear a wrong number in the best order, at most `most`.

        >>> k4 = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
        >>> SubsetTable.of(k4, [True] * 4, free=[True] * 4).fewest_wrong(4)
        2
        """
        rightly, wrongly = self._ready(poll)
        found = 1
        for wrong in range(most):
            found = self._closed(found, rightly, poll)
            if found >> self.full:
                return wrong
            found |= reduce(or_, ((found & states) << one for states, one in wrongly), 0)
        return most

    def _ready(self, poll: Callable[[], None]) -> tuple[list[tuple[int, int]], ...]:
        """Return, by kind, the states to which one may be added rightly, and wrongly if free."""
        rightly, wrongly = [], []
        fields = zip(self.kinds, self.odd, self.free, self.low, self.shifts, strict=True)
        for kind, odd, free, low, shift in fields:
            poll()
            last = shift + len(kind).bit_length() - 1  # the highest bit of its field
            evens, odds = 1, 0  # states of the bits below u, by the parity of what the kind hears
            for u in range(self.bits):
                others = (odds, evens) if low >> u & 1 else (evens, odds)
                evens, odds = evens | others[0] << (1 << u), odds | others[1] << (1 << u)
                if u == last:  # all of the kind are in: none is left to add
                    some = (1 << (len(kind) << shift)) - 1
                    evens, odds = evens & some, odds & some
            rightly.append((odds if odd else evens, 1 << shift))
            if free:
                wrongly.append((evens if odd else odds, 1 << shift))
        return rightly, wrongly

    def _closed(self, found: int, ready: list[tuple[int, int]], poll: Callable[[], None]) -> int:
        """Add to the states found all that they lead to.

        To add one of a kind to every state that is ready for it is a shift, in rounds over all
        kinds until nothing changes: four or five where no two presses are alike.
        """
        before = 0
        while found != before and not found >> self.full:
            before = found
            poll()
            for states, one in ready:
                found |= (found & states) << one
        return found
