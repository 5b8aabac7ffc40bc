"""Most moves: how many presses the hardest solvable board of a graph needs, in any order.

Idea. That number is (n + n₀ − δ)/2, where δ is the least maximum that an admissible σ̂ can have
(theory §8.5; letters in `bulb_types`). So

    above   δ = 0 if every type has an even number of bulbs; else δ ≥ 1, and δ ≡ n − n₀ (mod 2): no
            search at all, `parity`; more by `branch_and_bound`, which refutes heights one by one
    below   a σ, found by `sign_search`, is a board; its lightest press set is the certificate

and where both meet the number is known. Where no more than 2^18 boards can be told apart, all are
gone through (`hardest`; the evidence is then called `syndromes`).

Cost: O(n·d/64) for the bound above by parity; the others as their modules say. Ranks above
`sign_search.LARGEST_RANK` are left with the bound above and the board where each σ is 0 or 1.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from ponder.errors import NeedsLibrary
from ponder.freeorder.branch_and_bound import LARGEST_RANK as TREE_RANK
from ponder.freeorder.branch_and_bound import Reached, SignTree, refute
from ponder.freeorder.bulb_types import BulbTypes, bulb_types
from ponder.freeorder.sign_search import LARGEST_RANK, at_peak, few_heavy
from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear import gf2
from ponder.puzzle.graph import Graph
from ponder.types import Bits, Ints

LARGEST_SEARCHED = 18  # the largest m = n − d for which all boards are gone through

_SEARCH_SECONDS = 20.0
"""What the search for heavy boards takes at most, unless a limit is set: then half of it."""

_BEFORE_A_TREE = 3.0
"""What it takes at most where a tree follows, which finds what the search has missed."""


@dataclass(frozen=True, eq=False)
class MostMoves:
    """Both bounds, and what shows them."""

    types: BulbTypes
    lower: int
    press_set: Bits
    """A lightest press set of a board that needs `lower` presses, (n,)."""
    upper: int
    tree: SignTree | None = None
    """What refutes the heights below the upper bound, where it is by a sign tree."""
    exhausted: bool = False
    """Whether all boards were gone through."""

    @property
    def upper_by(self) -> str:
        """What shows the upper bound: `parity`, `sign-tree` or `syndromes`."""
        if self.exhausted:
            return "syndromes"
        return "parity" if self.tree is None else "sign-tree"

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
    if graph.size - len(types.basis) <= LARGEST_SEARCHED:
        presses = hardest(types.basis, graph.size, limits)
        moves = int(np.count_nonzero(presses))
        return MostMoves(types, moves, presses, moves, exhausted=True)
    least = least_height(types)
    best = _Best(types, least, progress)
    start = None
    if known is not None:  # its σ in V; all other types are taken for even
        pressed = [np.count_nonzero(known[types.bulbs == name]) for name in types.names]
        start = types.sizes - 2 * np.array(pressed, dtype=np.int64)
    if types.rank <= LARGEST_RANK and best.height > least:
        seconds = _SEARCH_SECONDS if limits.left() is None else (limits.left(0.5) or 0.0)
        clock = limits.sooner(seconds)
        if types.rank <= TREE_RANK:
            clock = clock.sooner(_BEFORE_A_TREE)
        with suppress(TimeUp):
            best.take(*few_heavy(types, seed, clock, least, start, best.report))
    best.report(best.height)
    tree = None
    while best.height > least and types.rank <= TREE_RANK:
        try:
            tree = refute(types, best.height - 2, limits, progress)
            least = best.height
        except Reached as reached:
            best.take(*at_peak(types, reached.sigma))
        except (TimeUp, NeedsLibrary):
            break
    return best.answer(least, tree)


def least_height(types: BulbTypes) -> int:
    """Return what δ is at least, by parity alone."""
    if not types.odd:
        return 0
    return 1 if (types.graph.size - types.free) % 2 else 2


class _Best:
    """The σ of the least maximum so far, moved so that the maximum is at x = 0."""

    def __init__(self, types: BulbTypes, least: int, progress: Callable[[str], None]) -> None:
        self.types, self.least, self.progress = types, least, progress
        self.sigma: Ints = types.sizes % 2
        self.height = int(self.sigma.sum())

    def take(self, sigma: Ints, height: int) -> None:
        """Take a σ with its maximum, which is at 0, if it is better."""
        if height < self.height:
            self.sigma, self.height = sigma, height

    def report(self, height: int) -> None:
        """Say both bounds."""
        lower = self._moves(min(height, self.height))
        self.progress(f"between {lower} and {self._moves(self.least)}")

    def _moves(self, height: int) -> int:
        return (self.types.graph.size + self.types.free - height) // 2

    def answer(self, least: int, tree: SignTree | None) -> MostMoves:
        """Return the bounds, and the press set: the lightest of its coset."""
        presses = self.types.press_set(self.sigma)
        return MostMoves(self.types, self._moves(self.height), presses, self._moves(least), tree)


def hardest(basis: Bits, size: int, limits: Limits = NEVER) -> Bits:
    """Return a lightest press set of a board that needs most presses, (n,). Raises TimeUp.

    `basis` is one of the kernel vectors, (d, n). With one in reduced form every solvable board has
    one press set without pivots, an x ∈ GF(2)^m. Pressing bulb v adds c_v: a unit vector, or at a
    pivot what else its basis vector presses. Breadth first from x = 0 finds how many presses each
    board needs; the last that is reached needs most. O(n·2^m) for each number of presses.
    """
    columns = _columns(basis, size)
    points = np.arange(1 << (size - len(basis)))
    needs = np.full(points.size, -1, dtype=np.int64)
    needs[0] = 0
    frontier, moves = points[:1], 0
    while frontier.size:
        last, moves = frontier, moves + 1
        for column in columns:
            limits.check()
            there = last ^ column
            needs[there[needs[there] < 0]] = moves
        frontier = np.flatnonzero(needs == moves)
    return _way_back(int(last[0]), needs, columns)


def _columns(basis: Bits, size: int) -> list[int]:
    """Return c_v for every bulb."""
    reduced = gf2.eliminate(gf2.pack(basis), size)
    columns = np.zeros(size, dtype=np.int64)
    rest = np.setdiff1d(np.arange(size), reduced.pivot_columns)
    columns[rest] = 1 << np.arange(rest.size, dtype=np.int64)
    rows = gf2.unpack(reduced.words, size)[reduced.pivot_rows]
    columns[reduced.pivot_columns] = rows @ columns
    return columns.tolist()


def _way_back(point: int, needs: Ints, columns: list[int]) -> Bits:
    presses = np.zeros(len(columns), dtype=np.bool_)
    while needs[point]:
        v = next(v for v, c in enumerate(columns) if needs[point ^ c] == needs[point] - 1)
        presses[v] = True
        point ^= columns[v]
    return presses
