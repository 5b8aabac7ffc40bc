"""The most pairs that saving trees can save, group by group.

Idea (theory §7.4). Let U be the helpers of all saving trees of a press set S. The graph of U and of
the components of S that touch U falls apart into *groups*. Whatever the press counts are, the
clusters that save contain disjoint connected pieces of groups, of a value v = (odd components) −
(helpers) ≥ 2 each, and all that is saved is at most the sum of 2·⌊v/2⌋. A piece is made by the
helpers that are pressed in a group, so

    saved ≤ Σ_groups  max over W ⊆ helpers of the group  of  Σ_pieces of W  2·⌊v/2⌋.

On random boards groups have one to five helpers, and all W are tried. For a group of more than
`TRIED` helpers this is taken instead: at most all odd components but one, and at most Σ (n_Q + 1)
over the helpers Q of its trees.

Letters: S, U, W, v as above; n_Q how many saving trees have the helpers Q.
Cost. O(2^|W|) for each group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

TRIED = 10
"""Of groups of so many helpers at most all choices are tried."""


def most_saved(
    trees: Mapping[frozenset[int], int],
    odd: Mapping[int, AbstractSet[int]],
    joined: Mapping[int, AbstractSet[object]],
) -> int:
    """Return how many pairs can be saved at most: an even number.

    `trees` says how many saving trees the helpers Q have; `odd` which odd components each helper
    touches, `joined` what joins it to other helpers: two are joined if each names the other, or
    both name one thing.

    >>> star = {1: {10, 11, 12}, 2: {12, 13, 14}}
    >>> most_saved({frozenset([1]): 1}, star, star), most_saved({}, star, star)
    (2, 0)
    >>> most_saved({frozenset([1]): 1, frozenset([2]): 1}, star, star)  # joined by 12
    2
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
    """Return the most that pressed helpers of one group save."""
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
