"""Saving trees: where one double press serves several odd components, and how much all can save.

Idea (theory §7.4). A cluster *saves* if it has at least two odd components more than helpers. A
*saving tree* has odd components for leaves, and for inner vertices helpers with three tree
neighbours and even components with two; a cluster that saves V holds V − 1 of them. The helpers U
of all saving trees and the components that touch U fall apart into *groups*. With v(piece) = odd
components − helpers

    saved ≤ Σ_groups  max over W ⊆ helpers of the group  of  Σ_pieces of W  2·⌊v/2⌋.

Letters: helpers are bulbs outside the press set with double presses; two are *linked* if they are
neighbours or touch the same even component. Cost: where branches of trees are too many (50 × 50)
they are given up. O(2^|W|) for each group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeAlias

from ponder.check.odd_components import TRIED
from ponder.system.limits import Limits

Bulbs: TypeAlias = frozenset[int]
_Link: TypeAlias = tuple[int, int]  # to a helper, through an even component or directly (−1)
_Branch: TypeAlias = tuple[int, int, int]  # bits: helpers, odd components, even components
_Branches: TypeAlias = dict[int, set[_Branch]]  # by the helper at the open end


@dataclass(frozen=True)
class Helpers:
    """What bulbs outside S touch: odd components, others like them, even components."""

    leaves: dict[int, set[int]]
    near: dict[int, list[int]]
    even: dict[int, list[int]]
    touching: defaultdict[int, list[int]]

    def joins(self, w: int) -> set[object]:
        """Return what joins a helper to others: helpers beside it, and components it touches."""
        return {*self.near[w], *((k,) for k in self.leaves[w]), *((k,) for k in self.even[w])}

    def links(self, w: int) -> Iterator[_Link]:
        """Yield the helpers that a helper is linked to."""
        for u in self.near[w]:
            yield u, -1
        for k in self.even[w]:
            for u in self.touching[k]:
                if u != w:
                    yield u, k


def saving_trees(helpers: Helpers, most: int, limits: Limits) -> dict[Bulbs, int] | None:
    """Grow all saving trees: by the helpers used, how many; None when there are too many branches.

    A branch of size k has k helpers, k + 1 odd components and one open place, at the helper it is
    filed under; an odd component that this helper touches makes it a tree.
    """
    smallest: _Branches = {}
    for w, odd in helpers.leaves.items():
        if len(odd) > 40:
            return None
        if len(odd) > 1:
            smallest[w] = {(1 << w, 1 << x | 1 << y, 0) for x, y in combinations(odd, 2)}
    forest = _Forest(helpers, most, limits)
    forest.add(smallest)
    largest = 1
    while largest >= len(forest.by_size) // 2:  # two branches make one of their size and one more
        grown = forest.grown()
        if grown is None:
            return None
        if grown:
            largest = len(forest.by_size)
        forest.add(grown)
    trees: defaultdict[int, set[int]] = defaultdict(set)
    for branches in forest.by_size:
        for w, filed in branches.items():
            for used, ends, _ in filed:
                for x in helpers.leaves[w]:
                    if not ends >> x & 1:
                        trees[used].add(ends | 1 << x)
    return {
        frozenset(w for w in helpers.leaves if used >> w & 1): len(kinds)
        for used, kinds in trees.items()
    }


class _Forest:
    """All branches up to a size. `arriving` names, for each size and each helper w, the ends of
    branches that are linked to w, by their link. A large even component links hundreds of helpers,
    but two branches cannot both arrive through it.
    """

    def __init__(self, helpers: Helpers, work: int, limits: Limits) -> None:
        self.helpers, self.limits = helpers, limits
        self.by_size: list[_Branches] = [{}]
        self.arriving: list[dict[int, dict[int, list[int]]]] = [{}]
        self.work = work

    def add(self, branches: _Branches) -> None:
        arriving: defaultdict[int, dict[int, list[int]]] = defaultdict(dict)
        for end in self.limits.over(branches, 1):
            for w, through in self.helpers.links(end):
                arriving[w].setdefault(through, []).append(end)
        self.by_size.append(branches)
        self.arriving.append(dict(arriving))

    def grown(self) -> _Branches | None:
        """Return the branches of the next size; None when there was too much to look at."""
        size = len(self.by_size)
        grown: defaultdict[int, set[_Branch]] = defaultdict(set)
        for end, filed in self.limits.over(self.by_size[size - 1].items(), 1):
            for w, through in self.helpers.links(end):
                leaves = self.helpers.leaves[w]
                if not leaves:
                    continue
                self.work -= len(filed)
                even = _bit(through)
                for helpers, odd, used in filed:
                    if not (helpers >> w & 1 or used & even):
                        grown[w].update(
                            (helpers | 1 << w, odd | 1 << x, used | even)
                            for x in leaves
                            if not odd >> x & 1
                        )
            if self.work < 0:
                return None
        for small in range(1, (size - 1) // 2 + 1):
            if not self._joined(small, size - 1 - small, grown):
                return None
        return {w: branches for w, branches in grown.items() if branches}

    def _joined(self, small: int, large: int, grown: dict[int, set[_Branch]]) -> bool:
        """Join branches of two sizes by a helper; False when there was too much to look at."""
        ones, twos = self.by_size[small], self.by_size[large]
        for w, arriving in self.limits.over(self.arriving[small].items(), 1):
            for (through, ends), (second, others) in product(
                arriving.items(), self.arriving[large].get(w, {}).items()
            ):
                if through == second and through >= 0:
                    continue
                helper, even = 1 << w, _bit(through) | _bit(second)
                for end, other in product(ends, others):
                    self.work -= len(ones[end]) * len(twos[other])
                    if self.work < 0:
                        return False
                    for one in ones[end]:
                        helpers, odd, used = one[0] | helper, one[1], one[2] | even
                        if one[0] & helper or one[2] & even:
                            continue
                        for two in twos[other]:
                            if not (helpers & two[0] or odd & two[1] or used & two[2]):
                                grown[w].add((helpers | two[0], odd | two[1], used | two[2]))
        return True


def _bit(component: int) -> int:
    """Return the bit of an even component; none for −1."""
    return 1 << component if component >= 0 else 0


def most_saved(
    trees: Mapping[frozenset[int], int],
    odd: Mapping[int, AbstractSet[int]],
    joined: Mapping[int, AbstractSet[object]],
) -> int:
    """Return how many double presses can be saved at most: an even number.

    `trees` says how many saving trees the helpers Q have, `odd` which odd components each helper
    touches, `joined` its links: two are joined if each names the other, or both name one thing.
    """
    helpers = sorted(set().union(*trees)) if trees else []
    place = {w: i for i, w in enumerate(helpers)}
    links = [0] * len(helpers)
    by_thing: dict[object, int] = {}
    for i, w in enumerate(helpers):
        for thing in joined[w]:
            by_thing[thing] = by_thing.get(thing, 0) | 1 << i
    for i, w in enumerate(helpers):
        for thing in joined[w]:
            links[i] |= by_thing[thing]
            if isinstance(thing, int) and thing in place:
                links[i] |= 1 << place[thing]
    ends = [sum(1 << x for x in odd[w]) for w in helpers]
    total = 0
    for group in _pieces((1 << len(helpers)) - 1, links):
        total += _most_of_group(group, links, ends, trees, place)
    return total


def _most_of_group(
    group: int,
    links: list[int],
    ends: list[int],
    trees: Mapping[frozenset[int], int],
    place: Mapping[int, int],
) -> int:
    """Return the most that pressed helpers of one group save: exactly for small groups."""
    if group.bit_count() <= TRIED:
        most, chosen = 0, group
        while chosen:
            saved = sum(max(0, _value(piece, ends)) // 2 * 2 for piece in _pieces(chosen, links))
            most = max(most, saved)
            chosen = (chosen - 1) & group
        return most
    within = (q for q in trees if group >> place[next(iter(q))] & 1)
    odd = _value(group, ends) + group.bit_count()
    return min(sum(trees[q] + 1 for q in within), odd - 1) // 2 * 2


def _value(piece: int, ends: list[int]) -> int:
    """Return the odd components that some helpers touch, less the helpers."""
    touched, left = 0, piece
    while left:
        touched |= ends[(left & -left).bit_length() - 1]
        left &= left - 1
    return touched.bit_count() - piece.bit_count()


def _pieces(chosen: int, links: list[int]) -> Iterator[int]:
    """Yield the connected pieces of some helpers, as bits."""
    while chosen:
        piece = new = chosen & -chosen
        while new:
            reached = 0
            while new:
                reached |= links[(new & -new).bit_length() - 1]
                new &= new - 1
            new = reached & chosen & ~piece
            piece |= new
        yield piece
        chosen &= ~piece
