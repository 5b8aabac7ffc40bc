"""How many presses a press set needs by its odd components: what may be repeated, and saved.

Fix a press set S and press counts m = s + 2e. Components X of S are odd or even, and pairs e > 0
are what odd ones cost (theory §7.3). Three lower bounds on the number of pairs Σe, each rounded up
to the parity of the number o of odd components:

    1              if o > 0, or if S is refuted in any other way
    disjoint N[X]  one pair for each of some odd components whose N[X] do not meet
    o − saved      with what all *saving trees* can save together (theory §7.4)

The trees are found in another way than the solver's, by *branches*, which lack a leaf. Helpers are
*linked* that are neighbours or beside the same even component. Letters as above, n bulbs. Cost:
that of `small_components` for what `light_members` rules out; O(n) for others, and branches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import comb

import numpy as np

from ponder.check.coset import MOST_LIGHTER, Coset, kernel_columns
from ponder.check.coset_parts import lighter_members
from ponder.check.fields import later_parities
from ponder.check.kinds import Parts, Refuted, check_part
from ponder.check.limits import Budget, TooLarge
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import PressSets, press_sets
from ponder.check.neighbourhoods import all_neighbours
from ponder.check.small_components import (
    SmallComponents,
    at_once,
    bits_of,
    looking,
    planes_of,
    planes_of_all,
    planes_of_members,
)
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.types import Bits, Ints, Words

MOST_JOINED = 1 << 20  # branches looked at for one press set before it is given up
BY_PARTS = -1  # one regime: odd components count at every nullity
TRIED = 10  # in groups of at most this size, all sets of helpers are tried
BRANCHES = "branches of saving trees"
MOST_NEAR = 64  # where a bulb has more neighbours nothing lies apart; so few are counted in bytes
_NS_BULB = 1000  # nanoseconds for a bulb of a press set that is split into components
_NS_NEAR = 150  # … for a neighbour of one
_NS_WEIGHED = 60  # … for a bulb of one that is only weighed
_NS_BRANCH = 3000  # … for a branch that is looked at
_NS_HELPER = 60  # … for a helper or a leaf of one
_NS_SET = 10_000  # … for a set of helpers of a group
_NS_MEET = 200  # … for two helpers that may be connected, and for a tree held against a group
_NS_COVERED = 3000  # … for a press set that is held against a part
_BYTES_LINK = 300  # of two helpers that are linked


def least_presses(
    board: Board,
    command: str,
    enough: int,
    parts: Parts,
    budget: Budget,
    needed: Callable[[list[list[int]], PressSets], Mapping[bytes, int]] = lambda near, sets: {},
) -> int:
    """Return a lower bound, at most `enough`, on the presses of legal sequences. Raises TooLarge.

    Of `order` on those that press each bulb at most once. `parts` refute press sets by other means;
    `needed` tells, by their bits, how many pairs some press sets need at least. Where there are too
    many to have numbers, those to be looked at are listed by patterns of lines.
    """
    sets, later = press_sets(board, budget), later_parities(board, "bound")
    near = all_neighbours(board.graph, budget.of_board, "the neighbours of all bulbs")
    proved, once = needed(near, sets), command == "order"
    made: Callable[[int], Bits]
    if sets.base is not None and sets.basis is None:
        listed = light_press_sets(board, sets.one, enough, budget.of_board)
        listed = sets.quiet if listed is None else listed  # which raises TooLarge
        made, weights, numbers = listed.__getitem__, listed.sum(axis=1), np.arange(len(listed))
        light = _left(
            numbers, weights, lambda some: planes_of(listed[some]), near, later, enough,
            budget.of_board, once,
        )  # fmt: skip
    else:
        coset = Coset.of(board, sets)
        made, light = coset.member, light_members(coset, near, later, enough, budget.of_board, once)
    work = _NS_BULB * len(near) + _NS_NEAR * sum(map(len, near))
    budget.of_board.spend(work * len(light), f"splitting {len(light)} press sets into components")
    checked = [check_part(board, part, budget) for part in parts]
    refuting = [part for part in checked if part.unchecked is None]
    work = len(refuting) * len(light) * (_NS_COVERED + 4 * len(near))
    budget.spend(work, "going through the parts")
    least = enough
    for index, weight in light:
        member = made(index)
        pieces = Pieces.of(member, near, later)
        refuted = any(part.covers(member) for part in refuting)
        if once:
            least = least if refuted or pieces.odd else min(least, weight)
            continue
        known = max(int(refuted), proved.get(member.tobytes(), 0))
        pairs = pieces.pairs((enough - weight + 1) // 2, known, budget.of_board)
        least = min(least, weight + 2 * pairs)
    return least


def members_left(coset: Coset, parts: Sequence[Refuted], budget: Budget) -> list[int]:
    """Return the members that nothing refutes, by index. Raises TooLarge.

    To a nullity of BY_PARTS, and on wirings, parts or line counts have to refute all; beyond, odd
    components of any size count as well.
    """
    board = coset.board
    if len(coset.basis) <= BY_PARTS or isinstance(board.graph, Wired):
        return np.flatnonzero(~coset.covered(parts, budget)).tolist()
    near = all_neighbours(board.graph, budget.of_board, "the neighbours of all bulbs")
    later = later_parities(board, "coset")
    left = without_small(coset, near, later, budget.of_board)
    left = left[coset.extra(parts, budget, left) == 0]
    work = _NS_BULB * len(near) + _NS_NEAR * sum(map(len, near))
    budget.of_board.spend(work * left.size, f"splitting {left.size} press sets into components")
    return [k for k in left.tolist() if not Pieces.of(coset.member(k), near, later).odd]


def without_small(coset: Coset, near: list[list[int]], odd: Bits, budget: Budget) -> Ints:
    """Return the members without an odd component of one bulb or two. Raises TooLarge."""
    small, columns = SmallComponents(near, odd), kernel_columns(coset.basis)
    budget.spend(looking(coset.size, near), f"looking at {coset.size} press sets")
    found: list[Ints] = []
    for first, planes in planes_of_all(coset.base, columns, len(coset.basis)):
        count = min(coset.size, 64 * planes.shape[1])
        found.append(first + np.flatnonzero(~bits_of(small.anywhere(planes), count)))
        budget.spend(0, "looking at press sets")  # who has a clock looks at it
        budget.demand(sum(map(len, found)), MOST_LIGHTER, "press sets without odd components")
    return np.concatenate(found)


def light_members(
    coset: Coset, near: list[list[int]], odd: Bits, enough: int, budget: Budget, once: bool = False
) -> list[tuple[int, int]]:
    """Return index and weight of all members that may need fewer than `enough`. Raises TooLarge.

    A member of weight w with p odd components that lie apart needs at least w + 2p presses, and
    none with an odd component has an order (`once`). Of the small ones (`small_components`).
    """
    size, most = coset.base.size, max((len(others) for others in near), default=0)
    try:
        indices, weights = lighter_members(coset, enough, budget)
    except TooLarge:
        if not once or most > MOST_NEAR:
            raise
        some = without_small(coset, near, odd, budget)  # few, where light ones are many
        budget.spend(_NS_WEIGHED * size * some.size, f"weighing {some.size} press sets")
        weighed = [(k, int(np.count_nonzero(coset.member(k)))) for k in some.tolist()]
        return [(k, weight) for k, weight in weighed if weight < enough]
    columns = kernel_columns(coset.basis)
    if len(coset.basis) == 0:
        return list(zip(indices.tolist(), weights.tolist(), strict=True))

    def planes(some: slice) -> Words:
        return planes_of_members(coset.base, columns, indices[some])

    return _left(indices, weights, planes, near, odd, enough, budget, once)


def _left(
    indices: Ints,
    weights: Ints,
    planes: Callable[[slice], Words],
    near: list[list[int]],
    odd: Bits,
    enough: int,
    budget: Budget,
    once: bool,
) -> list[tuple[int, int]]:
    """Return index and weight of those press sets that their small components do not rule out.

    `planes` lays some of them side by side.
    """
    count = indices.size
    budget.spend(looking(count, near), f"looking at {count} press sets")
    if max(map(len, near), default=0) > MOST_NEAR:  # nothing lies apart
        return list(zip(indices.tolist(), weights.tolist(), strict=True))
    small, step = SmallComponents(near, odd), at_once(len(near))
    found: list[tuple[int, int]] = []
    for start in range(0, count, step):
        some = slice(start, min(start + step, count))
        index, weight, side_by_side = indices[some], weights[some], planes(some)
        if once:
            left = ~bits_of(small.anywhere(side_by_side), index.size)
        else:
            left = weight + 2 * small.apart(side_by_side, index.size) < enough
        found += zip(index[left].tolist(), weight[left].tolist(), strict=True)
    return found


@dataclass(frozen=True)
class Pieces:
    """A press set in pieces: its components, the odd ones, and every bulb's `owner`, or −1."""

    near: list[list[int]]
    owner: list[int]
    members: list[list[int]]
    odd: list[int]

    @classmethod
    def of(cls, pressed: Bits, near: list[list[int]], odd_later: Bits) -> Pieces:
        """Walk through the components."""
        owner = [-1] * len(near)
        members: list[list[int]] = []
        odd: list[int] = []
        for start in np.flatnonzero(pressed).tolist():
            if owner[start] >= 0:
                continue
            name, piece, ends = len(members), [start], 0
            owner[start] = name
            for v in piece:  # grows while it is walked through
                for u in near[v]:
                    if pressed[u]:
                        ends += 1
                        if owner[u] < 0:
                            owner[u] = name
                            piece.append(u)
            members.append(piece)
            if (ends // 2 + int(np.count_nonzero(odd_later[piece]))) % 2:
                odd.append(name)
        return cls(near, owner, members, odd)

    def pairs(self, enough: int, known: int = 0, budget: Budget | None = None) -> int:
        """Return a lower bound on the pairs, `enough` or not; `known` is one by other evidence."""
        least = self.rounded(max(known, min(len(self.odd), 1), self._apart()))
        if least < enough and len(self.odd) > least:
            budget = budget or Budget()
            trees = self._saving_trees(budget)
            saved = saved_at_most(trees, self.near, self.owner, set(self.odd), budget)
            least = max(least, self.rounded(len(self.odd) - saved))
        return least

    def rounded(self, least: int) -> int:
        """Return the least number from `least` on that has the parity of the odd components."""
        return least + (len(self.odd) - least) % 2

    def _apart(self) -> int:
        """Return the number of some odd components with disjoint N[X], smallest N[X] first."""
        around = [{w for v in self.members[k] for w in (v, *self.near[v])} for k in self.odd]
        taken: set[int] = set()
        count = 0
        for near in sorted(around, key=len):
            if not near & taken:
                taken |= near
                count += 1
        return count

    def _saving_trees(self, budget: Budget) -> dict[frozenset[int], set[frozenset[int]]]:
        """Return all saving trees: the sets of leaves, by the helpers."""
        odd = set(self.odd)
        leaves: dict[int, set[int]] = {}
        links: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)
        beside: defaultdict[int, list[int]] = defaultdict(list)
        for w, owner in enumerate(self.owner):
            if owner >= 0:
                continue
            touched = {self.owner[u] for u in self.near[w]}
            leaves[w] = touched & odd
            links[w] |= {(u, -1) for u in self.near[w] if self.owner[u] < 0}
            for k in touched - odd - {-1}:
                beside[k].append(w)
        pairs = sum(comb(len(helpers), 2) for helpers in beside.values())
        budget.hold(_BYTES_LINK * pairs, "the links of helpers")
        budget.spend(_NS_BRANCH * pairs // 4, "finding all saving trees")
        for k, helpers in beside.items():
            for one, two in combinations(helpers, 2):
                links[one].add((two, k))
                links[two].add((one, k))
        return _trees(leaves, links, budget)


@dataclass(frozen=True)
class _Branch:
    """Part of a saving tree that lacks one leaf, at the helper `open`."""

    open: int
    helpers: frozenset[int]
    leaves: frozenset[int]
    even: frozenset[int]

    def fits(self, other: _Branch, through: int) -> bool:
        """Whether another branch can be joined at the open helper, by such a link."""
        return through not in other.even and not (
            self.helpers & other.helpers or self.leaves & other.leaves or self.even & other.even
        )

    def joined(self, other: _Branch, through: int) -> _Branch:
        return _Branch(
            self.open,
            self.helpers | other.helpers,
            self.leaves | other.leaves,
            self.even | other.even | ({through} - {-1}),
        )


def _trees(
    leaves: dict[int, set[int]], links: dict[int, set[tuple[int, int]]], budget: Budget
) -> dict[frozenset[int], set[frozenset[int]]]:
    """Join branches until nothing new comes of it, and complete each by every leaf it may take."""
    trees: defaultdict[frozenset[int], set[frozenset[int]]] = defaultdict(set)
    known: set[_Branch] = set()
    waiting: defaultdict[int, defaultdict[int, list[_Branch]]]
    waiting = defaultdict(lambda: defaultdict(list))
    budget.demand(sum(comb(len(touched), 2) for touched in leaves.values()), MOST_JOINED, BRANCHES)
    todo = [
        _Branch(w, frozenset([w]), frozenset(pair), frozenset())
        for w, touched in leaves.items()
        for pair in combinations(touched, 2)
    ]
    looked = 0
    while todo:
        branch = todo.pop()
        if branch in known:
            continue
        known.add(branch)
        size = len(branch.helpers) + len(branch.leaves) + len(branch.even)
        budget.spend(_NS_BRANCH + _NS_HELPER * size, "finding all saving trees")
        # close the branch by its missing leaf: a tree
        for x in leaves[branch.open] - branch.leaves:
            trees[branch.helpers].add(branch.leaves | {x})
        budget.spend(_NS_HELPER * (size + 4) * len(links[branch.open]), "finding all saving trees")
        for w, through in links[branch.open]:  # lengthen it to a linked helper w
            looked += 1
            if w in branch.helpers or through in branch.even:
                continue
            even = branch.even | ({through} - {-1})
            longer = _Branch(w, branch.helpers | {w}, branch.leaves, even)
            todo += (replace(longer, leaves=longer.leaves | {x}) for x in leaves[w] - longer.leaves)
            # or join it there with a branch that waits for one
            for second, others in waiting[w].items():
                if second not in even:
                    looked += len(others)
                    budget.spend(_NS_BRANCH * len(others) // 4, "finding all saving trees")
                    todo += (
                        longer.joined(two, second) for two in others if longer.fits(two, second)
                    )
            waiting[w][through].append(branch)
        budget.demand(looked + len(todo), MOST_JOINED, BRANCHES)
    return trees


Trees = Mapping[frozenset[int], Collection[frozenset[int]]]


def saved_at_most(
    trees: Trees, near: list[list[int]], owner: list[int], odd: set[int], budget: Budget
) -> int:
    """Return the most pairs that all saving trees can save together, group by group.

    The helpers of the trees and the components that they touch are a graph; its pieces are
    *groups*. Pressed helpers W of a group fall, with the components that they touch, into connected
    parts. A part that touches p odd components with q helpers saves at most p − q, rounded down to
    an even number. Of a group of more than `TRIED` helpers the lesser of two numbers counts: all
    its odd components but one, or Σ (n_H + 1) over sets H with n_H trees.
    """
    helpers = set(chain.from_iterable(trees))
    budget.spend(_NS_MEET * len(helpers) ** 2 // 2, "joining helpers in groups")
    touched = {w: {owner[u] for u in near[w]} - {-1} for w in helpers}
    beside = {w: helpers & set(near[w]) for w in helpers}
    total = 0
    for group in _parts(helpers, touched, beside):
        if len(group) > TRIED:
            budget.spend(_NS_MEET * len(trees), "going through saving trees")
            kinds = sum(len(leaves) + 1 for used, leaves in trees.items() if used <= group)
            ends = set().union(*(touched[w] for w in group)) & odd
            total += _even(min(kinds, len(ends) - 1))
            continue
        budget.spend(_NS_SET << len(group), "going through sets of helpers")
        total += max(
            sum(
                _even(len(set().union(*(touched[w] for w in part)) & odd) - len(part))
                for part in _parts(set(pressed), touched, beside)
            )
            for size in range(1, len(group) + 1)
            for pressed in combinations(sorted(group), size)
        )
    return total


def _even(value: int) -> int:
    return max(0, value - value % 2)


def _parts(
    helpers: set[int], touched: dict[int, set[int]], beside: dict[int, set[int]]
) -> list[set[int]]:
    """Return the helpers in connected parts: each new one joins all parts that it meets."""
    parts: list[tuple[set[int], set[int]]] = []
    for w in helpers:
        joined, things = {w}, set(touched[w])
        apart = []
        for part, others in parts:
            if others & touched[w] or part & beside[w]:
                joined |= part
                things |= others
            else:
                apart.append((part, others))
        parts = [*apart, (joined, things)]
    return [part for part, _ in parts]
