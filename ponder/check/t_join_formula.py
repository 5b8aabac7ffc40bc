"""T-join parities as a formula: are K pairs enough for a press set, perhaps? (theory §7.5, §7.13).

Idea. Press counts are m = s + 2e for a press set s; two more presses of one bulb are a *pair*. From
every legal m with Σe ≤ K a model is read off, so where the formula has none, K pairs are not
enough. That every cluster has even parity is a T-join (§7.5): the ℓ of the edges, the z of a tree.
The search for a proof and the checker both make it here from the board.

Letters: variables p(v,k), b(v), ℓ(v,w), z(v) and clauses 1 to 6 as there, S the bulbs with s = 1, a
*helper* is a bulb outside S; literals are signed whole numbers. In a cut the sum at c is taken over
D ∪ c, for D the part of S that hangs on c. There remain ℓ to helpers and b in D, or z(v) where a
tree edge leaves D ∪ c. Cost: XORs in pieces of five literals, a totalizer (Bailleux and Boufkhad
2003) of O(n·slack) clauses; in all about 100 clauses a bulb.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product

from ponder.check.block import Rule
from ponder.check.reader import demand
from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits

XOR_CUT = 5  # the most literals of a piece of an XOR
MOST_CLAUSES = 1 << 22  # clauses and variables of a formula
MOST_WALKED = 1 << 25  # bulbs of cuts and their neighbours, a measure of the literals of cuts
_STEPS = 256  # variables, clauses and steps of walks between two looks at the clock


@dataclass(frozen=True)
class BlockCut:
    """A block B that has no order, whatever is pressed elsewhere (theory §7.6).

    `rule`    of `ponder.check.block`, which B breaks
    `bulbs`   B
    `counts`  how often each bulb of B is pressed
    `forced`  the bulbs c of B with π(c) = 1, each pressed once
    """

    rule: Rule
    bulbs: tuple[int, ...]
    counts: tuple[int, ...]
    forced: frozenset[int]


class TJoinFormula:
    """The clauses for one press set, at most `pairs` pairs, and the cuts that are added.

    Raises CheckFailed if the odd components alone need more pairs. `near` are the neighbours of
    every bulb, `odd` is t. Raises LimitReached.

    >>> near = [[1], [0, 2], [1]]
    >>> formula = TJoinFormula(near, [0, 0, 0], [1, 1, 0], 1, 2)
    >>> formula.variables, len(formula.clauses)
    (13, 28)
    """

    def __init__(
        self,
        near: Sequence[Sequence[int]],
        odd: Sequence[int],
        press_set: Sequence[int],
        pairs: int,
        cap: int,
        limits: Limits = NEVER,
    ) -> None:
        self.near: Sequence[Sequence[int]] = near
        self.odd: Sequence[int] = odd
        self.press_set: Sequence[int] = press_set
        self.pairs: int = pairs
        self.cap: int = cap
        self.variables: int = 0
        self._limits = limits
        self._walked = 0
        self._next = _STEPS
        self.clauses: list[list[int]] = []
        self._sums: dict[tuple[int, ...], int] = {}
        bulbs = range(len(near))
        self.at_least: list[list[int]] = [[self._new() for _ in range(cap)] for _ in bulbs]
        self.parity: list[int] = [self._new() for _ in bulbs]
        self.later: dict[tuple[int, int], int] = {}
        self.tree: list[list[int]] = [[] for _ in bulbs]  # the children
        self.parent: list[int] = [-1] * len(near)
        self.hanging: dict[int, int] = {}  # z, but for the roots
        self.root_parity: dict[int, int] = {}  # of the roots: what z is there
        self._counts()
        self._edges()
        odd_ones = self._components()
        self._total(odd_ones)

    def _new(self) -> int:
        self.variables += 1
        self._pace()
        return self.variables

    def _pace(self) -> None:
        size = self.variables + len(self.clauses)
        if size + self._walked > self._next:
            self._next = size + self._walked + _STEPS
            self._limits.check()
            demand(size, MOST_CLAUSES, "clauses and variables of a formula")
            demand(self._walked, MOST_WALKED, "bulbs and neighbours of the cuts of a formula")

    def _counts(self) -> None:
        for levels, parity in zip(self.at_least, self.parity, strict=True):
            for low, high in pairwise(levels):
                self.clauses.append([low, -high])
            for k, high in enumerate(levels):
                reached = [-levels[k - 1]] if k else []
                self.clauses.append([*reached, high, parity if k % 2 else -parity])

    def _edges(self) -> None:
        """Make the ℓ of all neighbours of which one is a helper, and the sums of the helpers."""
        for w, pressed in enumerate(self.press_set):
            for u in self.near[w]:
                if u < w and not (pressed and self.press_set[u]):
                    later = self.later[u, w] = self.later[w, u] = self._new()
                    self.clauses += (
                        [-later, self.at_least[end][0]] for end in (u, w) if not self.press_set[end]
                    )
        for w, pressed in enumerate(self.press_set):
            if not pressed:
                self._xor([*(self.later[w, u] for u in self.near[w]), self.parity[w]], 0)

    def _local(self, v: int) -> list[int]:
        """Return b(v), and ℓ to the helpers beside a bulb of S."""
        around = (self.later[v, w] for w in self.near[v] if not self.press_set[w])
        return [self.parity[v], *around]

    def _components(self) -> list[list[int]]:
        """Walk through the components, demand their parity; return N[X] of the odd ones."""
        around = []
        seen = [not pressed for pressed in self.press_set]
        for start in range(len(seen)):
            if seen[start]:
                continue
            seen[start] = True
            members = [start]
            for v in members:  # grows while it is walked through
                for u in self.near[v]:
                    if not seen[u]:
                        seen[u] = True
                        self.parent[u] = v
                        self.tree[v].append(u)
                        members.append(u)
            odd = self.root_parity[start] = self._parity_of(members)
            for v in reversed(members[1:]):
                below = [self.hanging[u] for u in self.tree[v]]
                z = self.hanging[v] = self._new()
                self._xor([*self._local(v), *below, z], 0)
            self._xor([*self._local(start), *(self.hanging[u] for u in self.tree[start])], odd)
            if odd:
                near = sorted({w for v in members for w in (v, *self.near[v])})
                self.clauses.append([self.at_least[v][0] for v in near])
                around.append(near)
        return around

    def _parity_of(self, members: Collection[int]) -> int:
        """Return |E| + |T| mod 2 of bulbs of S."""
        inside = set(members)
        ends = sum(u in inside for v in members for u in self.near[v])
        return (ends // 2 + sum(self.odd[v] for v in members)) % 2

    def _total(self, around: list[list[int]]) -> None:
        """Count the pairs beyond one for each of some disjoint N[X], the smallest first."""
        taken: set[int] = set()
        groups: list[list[int]] = []
        for near in sorted(around, key=lambda bulbs: (len(bulbs), bulbs)):
            if taken.isdisjoint(near):
                taken.update(near)
                groups.append(near)
        slack = self.pairs - len(groups)
        if slack < 0:
            raise CheckFailed(f"{self.pairs} pairs are too few: {len(groups)} groups lie apart")
        groups += ([v] for v in range(len(self.near)) if v not in taken)
        counters = []
        for bulbs in sorted(groups):
            least = int(bulbs[0] in taken)
            levels = [self.at_least[v] for v in bulbs]
            counters.append(self._counter(levels, slack + least)[least:])
        self._counter(counters, slack)

    def _counter(self, parts: list[list[int]], most: int) -> list[int]:
        """Return literals "at least 1", "at least 2", … of a sum that is at most so much."""
        self.clauses += ([-part[most]] for part in parts if len(part) > most)
        parts = [part[:most] for part in parts]
        while len(parts) > 1:
            merged = [self._sum(a, b, most) for a, b in zip(parts[::2], parts[1::2], strict=False)]
            parts = merged + parts[len(parts) - len(parts) % 2 :]
        return parts[0] if parts else []

    def _sum(self, first: list[int], second: list[int], most: int) -> list[int]:
        total = [self._new() for _ in range(min(len(first) + len(second), most))]
        for i, j in product(range(len(first) + 1), range(len(second) + 1)):
            if 0 < i + j <= most + 1:
                clause = [-x for x in (*first[max(i, 1) - 1 : i], *second[max(j, 1) - 1 : j])]
                self.clauses.append(clause + total[i + j - 1 : i + j])
                self._pace()
        return total

    def _xor(self, literals: Sequence[int], parity: int) -> None:
        """Demand that the number of true literals has this parity."""
        rest = list(literals)
        while len(rest) > XOR_CUT:
            link = self._new()
            self._piece([*rest[: XOR_CUT - 1], link], 0)
            rest = [*rest[XOR_CUT - 1 :], link]
        self._piece(rest, parity)

    def _piece(self, literals: Sequence[int], parity: int) -> None:
        for signs in _signs(len(literals), parity):
            self.clauses.append([sign * x for sign, x in zip(signs, literals, strict=True)])

    def _sum_literal(self, literals: Iterable[int], parity: int) -> int | bool:
        """Return a literal that is true iff the number of true literals has this parity."""
        kept: set[int] = set()
        for x in literals:
            kept ^= {x}
        if not kept:
            return parity == 0
        key = tuple(sorted(kept))
        known = key[0] if len(key) == 1 else self._sums.get(key)
        if known is None:
            known = self._sums[key] = self._new()
            self._xor([*key, known], 0)
        return known if parity else -known

    def add_cut(self, cut: BlockCut) -> None:
        """Add the clause of a cut. Raises CheckFailed if it says nothing about this press set."""
        inside = set(cut.bulbs)
        clause: list[int] = []
        for v, count in zip(cut.bulbs, cut.counts, strict=True):
            pairs, rest = divmod(count - self.press_set[v], 2)
            if rest or not 0 <= pairs < self.cap:
                raise CheckFailed(f"a cut presses a bulb {count} times, which says nothing here")
            if pairs:
                clause.append(-self.at_least[v][pairs - 1])
            clause.append(self.at_least[v][pairs])
            self._walked += 1 + len(self.near[v])
            self._pace()
            outside = [u for u in self.near[v] if u not in inside]
            if count > 1:
                if any(self.press_set[u] for u in outside):
                    raise CheckFailed("a cut is about a bulb beside one that is always pressed")
                clause += (self.at_least[u][0] for u in outside)
            elif outside or v in cut.forced:
                differs = self._leaving(v, inside, int(v not in cut.forced))
                if differs is True:
                    raise CheckFailed("a cut needs parities that are impossible here")
                if differs is not False:
                    clause.append(differs)
        self.clauses.append(clause)

    def _leaving(self, contact: int, inside: set[int], parity: int) -> int | bool:
        """Return the literal Σ_{u∉B} ℓ(c,u) ≡ parity, for c ∈ B pressed once.

        At each v of a tree `_local(v)`, the z of its children and its own z (at a root, a constant)
        add up to 0. Added up over D ∪ c, the z of edges within fall away, and those remain that
        leave it. So the sum of `_local` over D ∪ c is a sum of few z, and it holds the ℓ asked for.
        """
        hanging, seen = [contact], {contact}
        for v in hanging:  # grows while it is walked through
            self._walked += 1 + len(self.near[v])
            self._pace()
            for u in self.near[v]:
                if self.press_set[u] and u not in seen:
                    if u not in inside:
                        seen.add(u)
                        hanging.append(u)
                    elif v != contact:
                        raise CheckFailed("a cut is about a block with a way around it")
        literals = [self.parity[contact]]
        literals += (
            self.later[contact, w]
            for w in self.near[contact]
            if w in inside and not self.press_set[w]
        )
        parity ^= self._parity_of(hanging) ^ self.odd[contact]
        for v in hanging:
            if v in self.root_parity:
                parity ^= self.root_parity[v]
            elif self.parent[v] not in seen:
                literals.append(self.hanging[v])
            literals += (self.hanging[u] for u in self.tree[v] if u not in seen)
        return self._sum_literal(literals, parity)


@lru_cache(maxsize=64)
def _signs(count: int, parity: int) -> list[tuple[int, ...]]:
    """Return the signs of the clauses of an XOR: each forbids an assignment of the other parity."""
    return [
        tuple(-1 if bit else 1 for bit in values)
        for values in product((0, 1), repeat=count)
        if sum(values) % 2 != parity
    ]
