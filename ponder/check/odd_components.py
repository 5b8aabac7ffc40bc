"""How many presses a press set needs by its odd components: what is repeated, and what is saved.

Fix a press set S and press counts m = s + 2e. Components X of S are odd or even, and pairs e > 0
are what odd ones cost (theory §7.3). Three lower bounds on the number of pairs Σe, each rounded up
to the parity of the number o of odd components:

    known          by other certificates: 1 if S is refuted in any way
    disjoint N[X]  one pair for each of some odd components whose N[X] do not meet
    o − saved      with what all *saving trees* can save together (theory §7.4)

A saving tree joins odd components by *helpers*, bulbs outside S that are pressed in pairs; its
leaves are odd components. Trees are found by *branches*, which lack a leaf. Helpers are *linked*
that are neighbours or beside the same even component. Letters as above, n bulbs. Cost: that of
`small_components` for what it rules out; O(n) for other press sets, and their branches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import comb
from typing import TypeAlias

import numpy as np

from ponder.check.certificate import Refuted
from ponder.check.coset import (
    MOST_LIGHTER,
    MOST_NULLITY,
    MOST_WEIGHED,
    Coset,
    kernel_columns,
    weight_blocks,
)
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import all_neighbours
from ponder.check.reader import MOST_NEIGHBOURS, TooLarge, demand, gathered, later_parities
from ponder.check.small_components import (
    SmallComponents,
    at_once,
    bits_of,
    planes_of,
    planes_of_members,
)
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Words

MOST_JOINED = 1 << 20  # branches looked at for one press set before it is given up
TRIED = 10  # in groups of at most this size, all sets of helpers are tried
MOST_NEAR = 64  # where a bulb has more neighbours nothing lies apart
_BRANCHES = "branches of saving trees"

Near: TypeAlias = list[list[int]]


def neighbours_of(board: Board, limits: Limits = NEVER) -> Near | None:
    """Return the neighbours of all bulbs; None on wirings, and where they are too many to list."""
    graph = board.graph
    if isinstance(graph, Wired) or 2 * graph.edge_count() > MOST_NEIGHBOURS:
        return None
    return all_neighbours(graph, limits)


def _narrow(near: Near) -> bool:
    """Whether a table with a row of equal length for each bulb is small."""
    return len(near) * max(map(len, near), default=0) <= MOST_NEIGHBOURS


def members_left(coset: Coset, parts: Sequence[Refuted], limits: Limits = NEVER) -> list[int]:
    """Return the numbers of the members that are not refuted. Raises LimitReached.

    A member is refuted by its line counts, by an odd component, or by a part that it agrees with.
    """
    board, near = coset.board, None
    if lines := coset.line_parities():
        left = _balanced(lines, limits)
    else:
        near = neighbours_of(board, limits)
        if near is not None and _narrow(near):
            left = without_small(coset, near, later_parities(board, "members"), limits)
        else:
            demand(len(coset.basis), MOST_NULLITY, "binary digits of press sets without a bound")
            left = np.arange(coset.size, dtype=np.int64)
    left = coset.left(parts, left, limits)
    if left.size and near is None:
        near = neighbours_of(board, limits)
    if near is None:
        return list(left.tolist())
    odd = later_parities(board, "members")
    numbers = limits.over(left.tolist(), 1)
    return [number for number in numbers if not Pieces.split(coset.member(number), near, odd).odd]


def _balanced(lines: list[tuple[Bits, Bits]], limits: Limits) -> Ints:
    """Return the members that have as many odd rows as odd columns. Raises LimitReached."""
    blocks = zip(*(weight_blocks(base, basis, limits) for base, basis in lines), strict=True)
    equal = (first + np.flatnonzero(rows == columns) for (first, rows), (_, columns) in blocks)
    return gathered(equal, MOST_LIGHTER, "press sets with equal line counts")


def without_small(coset: Coset, near: Near, odd: Bits, limits: Limits = NEVER) -> Ints:
    """Return the members without an odd component of one bulb or two. Raises LimitReached."""
    demand(len(coset.basis), MOST_WEIGHED, "binary digits of the number of press sets")
    small, columns = SmallComponents(near, odd, limits), kernel_columns(coset.basis)
    step = at_once(len(near))

    def left() -> Iterator[Ints]:
        for start in limits.over(range(0, coset.size, step), 1):
            members = np.arange(start, min(start + step, coset.size), dtype=np.int64)
            planes = planes_of_members(coset.base, columns, members)
            yield members[~bits_of(small.anywhere(planes), members.size)]

    return gathered(left(), MOST_LIGHTER, "press sets without small odd components")


@dataclass(frozen=True, eq=False)
class _Light:
    """Press sets by their numbers: their weights, what parts ask for beside these, and the bits."""

    numbers: Ints
    weights: Ints
    extra: Ints
    member: Callable[[int], Bits]
    planes: Callable[[Ints], Words]


def least_presses(
    board: Board,
    command: str,
    enough: int,
    parts: Sequence[Refuted] = (),
    needed: Mapping[bytes, int] | None = None,
    limits: Limits = NEVER,
) -> int:
    """Return a lower bound, at most `enough`, on the presses of legal sequences.

    Of `order` on those that press each bulb at most once. `parts` refute press sets by other means;
    `needed` tells, by their bits, how many pairs some press sets need at least. Raises CheckFailed,
    LimitReached.
    """
    once, near = command == "order", neighbours_of(board, limits)
    odd, needed = later_parities(board, "bound"), needed or {}
    light = _light(board, enough, parts, near, once, limits)
    kept = np.flatnonzero(light.extra == 0 if once else light.weights + light.extra < enough)
    if near is not None:
        kept = kept[_not_by_small(light, kept, near, odd, enough, once, limits)]
    least = enough
    chosen = (values[kept].tolist() for values in (light.numbers, light.weights, light.extra))
    for number, weight, extra in limits.over(zip(*chosen, strict=True), 1):
        member = light.member(number)
        known = max(extra // 2, needed.get(member.tobytes(), 0))
        if near is not None:
            pieces = Pieces.split(member, near, odd)
            if once and pieces.odd:
                continue
            if not once:
                known = pieces.pairs((enough - weight + 1) // 2, known, limits)
        least = min(least, weight + (0 if once else 2 * known))
    return least


def _light(
    board: Board,
    enough: int,
    parts: Sequence[Refuted],
    near: Near | None,
    once: bool,
    limits: Limits,
) -> _Light:
    """Return the press sets of fewer bulbs than `enough`, or those that may need fewer presses."""
    sets = press_sets(board, limits)
    if sets.base is not None and sets.basis is None:  # too many for numbers: listed as they are
        listed = light_press_sets(board, sets.one, enough, limits)
        rows = sets.quiet if listed is None else listed  # the first raises TooLarge
        extra = np.zeros(len(rows), dtype=np.int64)
        for part in limits.over(parts, 1):
            scope = slice(None) if part.scope is None else part.scope
            agree = (rows[:, scope] == (part.counts > 0)[scope]).all(axis=1)
            extra[agree] = np.maximum(extra[agree], part.extra)
        numbers, weights = np.arange(len(rows)), np.count_nonzero(rows, axis=1)
        return _Light(
            numbers, weights, extra, lambda number: rows[number], lambda part: planes_of(rows[part])
        )
    coset = Coset.from_press_sets(board, sets)
    try:
        numbers, weights = coset.lighter(enough, limits)
    except TooLarge:
        if not once or near is None or not _narrow(near):
            raise
        # few have no small odd component, where light ones are many
        numbers = without_small(coset, near, later_parities(board, "bound"), limits)
        numbered = limits.over(numbers.tolist())
        weights = np.array([np.count_nonzero(coset.member(k)) for k in numbered], dtype=np.int64)
        numbers, weights = numbers[weights < enough], weights[weights < enough]
    columns = kernel_columns(coset.basis)
    return _Light(
        numbers,
        weights,
        coset.extra(parts, numbers, limits),
        coset.member,
        lambda members: planes_of_members(coset.base, columns, members),
    )


def _not_by_small(
    light: _Light, places: Ints, near: Near, odd: Bits, enough: int, once: bool, limits: Limits
) -> Bits:
    """Return which press sets at the given places their small components do not rule out.

    A press set of weight w with p odd components that lie apart needs at least w + 2p presses, and
    none with an odd component has an order (`once`).
    """
    kept = np.ones(places.size, dtype=np.bool_)
    if places.size < 2 or max(map(len, near), default=0) > MOST_NEAR or not _narrow(near):
        return kept
    small, step = SmallComponents(near, odd, limits), at_once(len(near))
    for start in range(0, places.size, step):
        limits.check()
        part, which = slice(start, start + step), places[start : start + step]
        planes = light.planes(light.numbers[which])
        if once:
            kept[part] = ~bits_of(small.anywhere(planes), which.size)
        else:
            kept[part] = light.weights[which] + 2 * small.apart(planes, which.size) < enough
    return kept


# ------------------------------------------------------------------------------ one press set


@dataclass(frozen=True)
class Pieces:
    """A press set in pieces: its components, the odd ones, and every bulb's `owner`, or −1."""

    near: Near
    owner: list[int]
    members: list[list[int]]
    odd: list[int]

    @classmethod
    def split(cls, pressed: Bits, near: Near, odd_later: Bits) -> Pieces:
        """Walk through the components."""
        owner = [-1] * len(near)
        members: list[list[int]] = []
        odd: list[int] = []
        for start in np.flatnonzero(pressed).tolist():
            if owner[start] >= 0:
                continue
            name, piece, ends = len(members), [start], 0
            owner[start] = name
            for v in piece:  # the list grows during the loop
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

    def pairs(self, enough: int, known: int = 0, limits: Limits = NEVER) -> int:
        """Return a lower bound on the pairs, `enough` or not; `known` is one by other evidence.

        Raises LimitReached.
        """
        least = self.rounded(max(known, min(len(self.odd), 1), self._apart()))
        if least < enough and len(self.odd) > least:
            trees = self._saving_trees(limits)
            saved = saved_at_most(trees, self.near, self.owner, set(self.odd), limits)
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

    def _saving_trees(self, limits: Limits) -> dict[frozenset[int], set[frozenset[int]]]:
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
        demand(pairs, MOST_JOINED, "links of helpers")
        for k, helpers in beside.items():
            for first, second in combinations(helpers, 2):
                links[first].add((second, k))
                links[second].add((first, k))
        return _trees(leaves, links, limits)


@dataclass(frozen=True)
class _Branch:
    """Part of a saving tree that lacks one leaf, at the helper `open`."""

    open: int
    helpers: frozenset[int]
    leaves: frozenset[int]
    even: frozenset[int]

    def fits(self, branch: _Branch, through: int) -> bool:
        """Whether another branch can be joined at the open helper, by such a link."""
        return through not in branch.even and not (
            self.helpers & branch.helpers or self.leaves & branch.leaves or self.even & branch.even
        )

    def joined(self, branch: _Branch, through: int) -> _Branch:
        return _Branch(
            self.open,
            self.helpers | branch.helpers,
            self.leaves | branch.leaves,
            self.even | branch.even | ({through} - {-1}),
        )


def _trees(
    leaves: dict[int, set[int]], links: dict[int, set[tuple[int, int]]], limits: Limits
) -> dict[frozenset[int], set[frozenset[int]]]:
    """Join branches until nothing new comes of it, and complete each by every leaf it may take."""
    trees: defaultdict[frozenset[int], set[frozenset[int]]] = defaultdict(set)
    known: set[_Branch] = set()
    waiting: defaultdict[int, defaultdict[int, list[_Branch]]]
    waiting = defaultdict(lambda: defaultdict(list))
    demand(sum(comb(len(touched), 2) for touched in leaves.values()), MOST_JOINED, _BRANCHES)
    todo = [
        _Branch(w, frozenset([w]), frozenset(pair), frozenset())
        for w, touched in leaves.items()
        for pair in combinations(touched, 2)
    ]
    looked = 0
    while todo:
        limits.check()
        branch = todo.pop()
        if branch in known:
            continue
        known.add(branch)
        # close the branch by its missing leaf: a tree
        for x in leaves[branch.open] - branch.leaves:
            trees[branch.helpers].add(branch.leaves | {x})
        for w, through in links[branch.open]:  # lengthen it to a linked helper w
            looked += 1
            if w in branch.helpers or through in branch.even:
                continue
            even = branch.even | ({through} - {-1})
            longer = _Branch(w, branch.helpers | {w}, branch.leaves, even)
            todo += (replace(longer, leaves=longer.leaves | {x}) for x in leaves[w] - longer.leaves)
            # or join it there with a branch that waits for one
            for second, branches in waiting[w].items():
                if second not in even:
                    looked += len(branches)
                    todo += (
                        longer.joined(two, second) for two in branches if longer.fits(two, second)
                    )
            waiting[w][through].append(branch)
        demand(looked + len(todo), MOST_JOINED, _BRANCHES)
    return trees


def saved_at_most(
    trees: Mapping[frozenset[int], Collection[frozenset[int]]],
    near: Near,
    owner: list[int],
    odd: set[int],
    limits: Limits = NEVER,
) -> int:
    """Return the most pairs that all saving trees can save together, group by group.

    The helpers of the trees and the components that they touch are a graph; its pieces are
    *groups*. Pressed helpers W of a group fall, with the components that they touch, into connected
    parts. A part that touches p odd components with q helpers saves at most p − q, rounded down to
    an even number. Of a group of more than `TRIED` helpers the lesser of two numbers counts: all
    its odd components but one, or Σ (n_H + 1) over sets H with n_H trees.
    """
    helpers = set(chain.from_iterable(trees))
    touched = {w: {owner[u] for u in near[w]} - {-1} for w in helpers}
    beside = {w: helpers & set(near[w]) for w in helpers}
    total = 0
    for group in limits.over(_parts(helpers, touched, beside), 1):
        if len(group) > TRIED:
            kinds = sum(len(leaves) + 1 for used, leaves in trees.items() if used <= group)
            ends = set().union(*(touched[w] for w in group)) & odd
            total += _even(min(kinds, len(ends) - 1))
            continue
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
    """Split the helpers into connected parts; those at one component are linked, too."""
    touching: defaultdict[int, set[int]] = defaultdict(set)
    for w in helpers:
        for component in touched[w]:
            touching[component].add(w)
    left, parts = set(helpers), []
    while left:
        part = [left.pop()]
        for w in part:  # the list grows during the loop
            near = beside[w].union(*(touching[component] for component in touched[w])) & left
            left -= near
            part.extend(near)
        parts.append(set(part))
    return parts
