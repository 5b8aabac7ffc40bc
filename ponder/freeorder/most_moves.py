"""Most moves: how many presses the hardest solvable board of a graph needs, in any order.

Idea. That number is (n + n₀ − δ)/2, where δ is the least maximum that an admissible σ̂ can have
(theory §8.5; letters in `bulb_types`). So

    above   δ = 0 if every type has an even number of bulbs; else δ ≥ 1, and δ ≡ n − n₀ (mod 2): no
            search at all, `parity`; more by `sign_tree`, which refutes heights one by one
    below   a σ, found by `sign_search`, is a board; its lightest press set is the certificate

and where both meet the number is known.

Cost: O(n·d/64) for the bound above by parity; the others as their modules say. Ranks above
`sign_search.LARGEST_RANK` are left with the bound above and a board whose presses are all needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ponder.freeorder.bulb_types import BulbTypes, bulb_types, signs
from ponder.freeorder.sign_search import LARGEST_RANK, few_heavy
from ponder.freeorder.sign_tree import LARGEST_RANK as TREE_RANK
from ponder.freeorder.sign_tree import Reached, SignTree, refute
from ponder.limits import NEVER, Limits, TimeUp
from ponder.puzzle.graph import Graph
from ponder.types import Bits, Ints

_SEARCH_SECONDS = 20.0
"""What the search for heavy boards takes at most, unless a limit is set: then half of it."""


@dataclass(frozen=True, eq=False)
class MostMoves:
    """Both bounds, and what shows them."""

    types: BulbTypes
    lower: int
    press_set: Bits
    """A lightest press set of a board that needs `lower` presses, (n,)."""
    upper: int
    tree: SignTree | None = None
    """What refutes the heights below the upper bound; None where parity does."""

    @property
    def optimal(self) -> bool:
        """Whether the bounds meet."""
        return self.lower == self.upper


def most_moves(
    graph: Graph,
    limits: Limits = NEVER,
    seed: int = 0,
    progress: Callable[[str], None] = lambda text: None,
    known: Bits | None = None,
) -> MostMoves:
    """Return bounds on the most moves of a graph. PonderError for a nullity above 62; TimeUp.

    TimeUp only before there is any bound. `known` is the press set of an earlier answer.

    >>> from ponder.puzzle.graph import grid_graph
    >>> found = most_moves(grid_graph("plus", (4, 4)))
    >>> found.lower, found.upper, int(found.press_set.sum())
    (7, 7, 7)
    """
    types = bulb_types(graph, limits)
    least = least_height(types)
    best = _Best(types, least, progress)
    if known is not None:
        best.take_press_set(known)
    if types.rank <= LARGEST_RANK and best.height > least:
        seconds = _SEARCH_SECONDS if limits.left() is None else (limits.left(0.5) or 0.0)
        clock = limits.sooner(seconds)
        best.take(few_heavy(types, seed, clock, least, progress=best.report)[0])
    best.report(best.height)
    tree = None
    while best.height > least and types.rank <= TREE_RANK:
        try:
            tree = refute(types, best.height - 2, limits, best.say)
            least = best.height
        except Reached as reached:
            best.take(reached.sigma)
        except TimeUp:
            break
    return best.answer(least, tree)


def least_height(types: BulbTypes) -> int:
    """Return what δ is at least, by parity alone.

    >>> from ponder.puzzle.graph import grid_graph
    >>> [least_height(bulb_types(grid_graph("plus", (n, n)))) for n in (4, 5, 9)]
    [2, 0, 2]
    """
    if not types.odd:
        return 0
    return 1 if (types.graph.size - types.free) % 2 else 2


class _Best:
    """The σ of the least maximum so far."""

    def __init__(self, types: BulbTypes, least: int, progress: Callable[[str], None]) -> None:
        self.types, self.least, self.progress = types, least, progress
        self.sigma: Ints = types.sizes % 2
        self.height = int(self.sigma.sum())  # at x = 0, where all signs are +

    def take(self, sigma: Ints) -> None:
        """Take a σ, if it is better."""
        height = self._height(sigma)
        if height < self.height:
            self.sigma, self.height = sigma, height

    def _height(self, sigma: Ints) -> int:
        from ponder.freeorder.bulb_types import transform

        if self.types.rank > LARGEST_RANK:
            return int(np.abs(sigma).sum())
        table = np.zeros(1 << self.types.rank, dtype=np.int64)
        table[self.types.places] = sigma
        return int(transform(table).max())

    def take_press_set(self, presses: Bits) -> None:
        """Take the σ of a press set whose other types are even, if it is better."""
        names = self.types.names.tolist()
        pressed = [int(presses[self.types.bulbs == name].sum()) for name in names]
        self.take(self.types.sizes - 2 * np.array(pressed, dtype=np.int64))

    def report(self, height: int) -> None:
        """Say both bounds."""
        self.say(f"between {self._moves(min(height, self.height))} and {self._moves(self.least)}")

    def say(self, text: str) -> None:
        self.progress(text)

    def _moves(self, height: int) -> int:
        return (self.types.graph.size + self.types.free - height) // 2

    def answer(self, least: int, tree: SignTree | None) -> MostMoves:
        """Return the bounds; the press set is the lightest of its coset, σ̂ being greatest at 0."""
        types, sigma = self.types, self.sigma
        if 0 < types.rank <= LARGEST_RANK:
            from ponder.freeorder.bulb_types import transform

            table = np.zeros(1 << types.rank, dtype=np.int64)
            table[types.places] = sigma
            top = np.array([int(np.argmax(transform(table)))])
            sigma = sigma * signs(top, types.places)[0]
        return MostMoves(
            types, self._moves(self.height), types.press_set(sigma), self._moves(least), tree
        )
