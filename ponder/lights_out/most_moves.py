"""Most moves: how many presses the hardest solvable board of a graph needs, in any order.

Idea. That number is (n + n₀ − δ)/2, where δ is the least maximum that an admissible σ̂ can have
(theory §8.5; letters in `bulb_types`). So

    above   δ = 0 if every type has an even number of bulbs; else δ ≥ 1, and δ ≡ n − n₀ (mod 2):
            `parity`; more by `last_patterns`, without a search, and by a `sign_tree`, height by
            height
    below   a σ, from `sign_search`, is a board; its lightest press set is the certificate

and where both meet the number is known. Where no more than 2^18 boards can be told apart, all are
gone through (`atlas`; the evidence is then called `syndromes`).

Last patterns (theory §8.5). Take quiet patterns one after the other, and add each where that leaves
fewer of its *own* bulbs pressed, those in no later pattern. At most half of its own bulbs stay
pressed, less than half if their number is odd: δ is at least the number of patterns with an odd
number of own bulbs. Patterns are named by bulbs v_1 … v_k with independent types: own of the i-th
are the bulbs whose type is that of v_i plus types of earlier ones. So the next v_i is chosen at
random from a class of types that has an odd number of bulbs, as long as there is one.

Cost: O(n·d/64) for parity, O(d·m log m) a try of last patterns, m types (5 ms for 59×59); the
others as their modules say. Ranks above `sign_search.LARGEST_RANK` are left with the bound above
and the board where each σ is 0 or 1.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from ponder.find.context import Progress, silent
from ponder.lights_out.atlas import atlas_of
from ponder.lights_out.bulb_types import BulbTypes, bulb_types
from ponder.lights_out.sign_search import LARGEST_RANK, at_peak, heavier_and_heavier
from ponder.lights_out.sign_tree import LARGEST_RANK as TREE_RANK
from ponder.lights_out.sign_tree import Reached, SignTree, refute
from ponder.model.board import Board
from ponder.model.graph import Graph, GridGraph
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Bits, Ints, Json, indices

SCHEMA = "ponder.most-moves/1"
TRIES = 20  # of last patterns
LARGEST_SEARCHED = 18  # the largest m = n − d for which all boards are gone through

_SEARCH_SECONDS = 20.0  # of the search for heavy boards at most; half of a limit that is set
_BEFORE_A_TREE = 3.0  # of it at most where a tree follows, which finds what the search has missed


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
    named: Ints | None = None
    """Bulbs that name the patterns which show the upper bound, where it is by last patterns."""
    exhausted: bool = False
    """Whether all boards were gone through."""

    @property
    def optimal(self) -> bool:
        """Whether the bounds meet."""
        return self.lower == self.upper

    @property
    def evidence(self) -> Json:
        """What shows the upper bound: `parity`, `last-patterns`, `sign-tree` or `syndromes`."""
        if self.exhausted:
            return {"kind": "syndromes"}
        if self.tree is not None:
            return self.tree.to_json(self.types)
        if self.named is None:
            return {"kind": "parity"}
        return {"kind": "last-patterns", "bulbs": self.types.graph.labels(self.named)}

    def to_json(self) -> Json:
        """Return both bounds and their evidence, as `ponder verify` reads them."""
        graph, content = self.types.graph, Json(schema=SCHEMA)
        if isinstance(graph, GridGraph):
            content |= {"rows": graph.shape[0], "columns": graph.shape[1]}
        return content | {
            "pattern": graph.pattern,
            "bulbs": graph.size,
            "nullity": len(self.types.basis),
            "lower_bound": self.lower,
            "upper_bound": self.upper,
            "optimal": self.optimal,
            "press_set": graph.labels(np.flatnonzero(self.press_set)),
            "evidence": self.evidence,
        }


def most_moves(
    graph: Graph, limits: Limits = NEVER, seed: int = 0, progress: Progress = silent
) -> MostMoves:
    """Return bounds on the most moves of a graph. Raises PonderError for a nullity above 62.

    Raises TimeUp only before there is any bound.

    >>> from ponder.model.graph import grid_graph
    >>> moves = most_moves(grid_graph("plus", (4, 4)))
    >>> moves.lower, moves.upper, int(moves.press_set.sum())
    (7, 7, 7)
    """
    types = bulb_types(graph, limits)
    if graph.size - len(types.basis) <= LARGEST_SEARCHED:
        presses = hardest(graph, limits)
        many = int(np.count_nonzero(presses))
        return MostMoves(types, many, presses, many, exhausted=True)
    least, sigma = least_height(types), types.sizes % 2  # its maximum is at x = 0, as of all below
    height, tree, named = int(sigma.sum()), None, None
    bulbs, odd = last_patterns(types, seed)
    if odd > least:
        least, named = odd, bulbs

    def moves(height: int) -> int:
        return (graph.size + types.free - height) // 2

    if types.rank <= LARGEST_RANK and height > least:
        left = limits.left(0.5)
        seconds = _SEARCH_SECONDS if left is None else min(left, _SEARCH_SECONDS)
        seconds = min(seconds, _BEFORE_A_TREE) if types.rank <= TREE_RANK else seconds
        clock = limits.sooner(seconds)
        with suppress(TimeUp):
            for better, lower in heavier_and_heavier(types, seed, clock):
                if lower < height:
                    sigma, height = better, lower
                    progress(f"between {moves(height)} and {moves(least)}")
                if height <= least:
                    break
    while height > least and types.rank <= TREE_RANK:
        try:
            tree = refute(types, height - 2, limits, progress)
            least = height
        except Reached as reached:
            sigma, height = at_peak(types, reached.sigma)
        except TimeUp:
            break
    return MostMoves(types, moves(height), types.press_set(sigma), moves(least), tree, named)


def least_height(types: BulbTypes) -> int:
    """Return what δ is at least, by parity alone."""
    if not types.rank:
        return 0
    return 1 if (types.graph.size - types.free) % 2 else 2


def hardest(graph: Graph, limits: Limits = NEVER) -> Bits:
    """Return a lightest press set of a board that needs most presses, (n,). Raises TimeUp."""
    goal = np.zeros(graph.size, dtype=np.bool_)
    atlas = atlas_of(Board(graph, goal, goal, "any"), limits=limits)
    return graph.set_of(atlas.way_back(atlas.hardest_number))


def last_patterns(types: BulbTypes, seed: int = 0) -> tuple[Ints, int]:
    """Return bulbs that name quiet patterns, and how many of these have an odd number of own bulbs.

    >>> from ponder.model.graph import grid_graph
    >>> last_patterns(bulb_types(grid_graph("plus", (9, 9))))[1]
    6
    """
    rng = np.random.default_rng(seed)
    return max((_chosen(types.bulbs, rng) for _ in range(TRIES)), key=lambda choice: choice[1])


def _chosen(bulbs: Ints, rng: np.random.Generator) -> tuple[Ints, int]:
    left, odd, chosen = bulbs.copy(), 0, []
    while left.any():
        names, first, counts = np.unique(left, return_index=True, return_counts=True)
        able = np.flatnonzero((names > 0) & (counts % 2 == 1))
        odd += bool(able.size)
        at = int(rng.choice(able if able.size else np.flatnonzero(names > 0)))
        chosen.append(int(indices(first)[at]))
        name = int(names[at])
        left = np.where(left >> (name.bit_length() - 1) & 1, left ^ name, left)
    return np.array(chosen, dtype=np.int64), odd
