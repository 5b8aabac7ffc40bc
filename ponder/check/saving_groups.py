"""How many pairs all saving trees of a press set can save together: group by group.

The helpers of the saving trees (see `odd_components`) and the components that they touch are a
graph; its pieces are *groups*. Pressed helpers W of a group fall, with the components that they
touch, into connected parts; a part that touches p odd components with q helpers is worth p − q, and
saves at most that, rounded down to an even number. That clusters save nothing else is a theorem
(theory §7.4, "groups"): so the most that any W saves is counted for each group. Where a group has
more than `TRIED` helpers, the lesser of two rougher numbers is: all its odd components but one, or
(n_H + 1) for every set H of helpers with n_H trees; both rounded down as well.

Cost: 2^TRIED sets of helpers for a group at most.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain, combinations

from ponder.check.limits import Budget

TRIED = 10
"""All sets of helpers are gone through for groups of so many at most."""

_NS_SET = 10_000  # nanoseconds for a set of helpers
_NS_MEET = 200  # … for two helpers that may be connected, and for a tree held against a group

Trees = Mapping[frozenset[int], Collection[frozenset[int]]]


def saved_at_most(
    trees: Trees, near: list[list[int]], owner: list[int], odd: set[int], budget: Budget
) -> int:
    """Return the most pairs that can be saved.

    `trees` are the leaves by the helpers, `owner` the component of every pressed bulb, else −1.

    >>> path = [[1], [0, 2], [1]]  # a helper between two bulbs, and another helper
    >>> saved_at_most({}, path, [0, -1, 1], {0, 1}, Budget())
    0
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
