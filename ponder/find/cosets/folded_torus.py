"""A lower bound on tori with even sides: every second row and column is a torus of its own.

Idea (theory §1.6). On a torus A is a sum of translations, A = Σ_k T^k over the closed stencil.
Translations commute, and 2 = 0, so A² = Σ_k T^(2k): it only links cells whose rows and columns are
both even steps apart. Along an even side these are the classes of even and of odd numbers; along an
odd side doubling is a permutation, and there is one class. On each class, numbered by halves, A² is
the same stencil on the smaller torus. As A² s = A b, a press set s is on each class a press set of
the smaller board whose change is A b there. So |s| is at least the sum of their least weights,
which one transform each gives if the nullity is small. Folding is repeated until it is.

Letters: A, b, s as in the theory; T^k the translation by k.
Cost: one linear system and one transform (`coset`) for each class: 4^t of them after t foldings.
Torus-plus 40 × 40 (nullity 64) is 16 boards 10 × 10 of nullity 16.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import numpy as np

from ponder.check.coset import MOST_NULLITY
from ponder.check.evidence.folded_torus import FoldedTorus
from ponder.find.cosets.coset import transform
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.search.outcome import SearchOutcome
from ponder.model.board import Board
from ponder.model.graph import STENCILS, GridGraph, StencilGraph, grid_graph
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Ints

LEAST_SIDE = 3  # on shorter sides the steps of a stencil meet


def folded_bound(board: Board, limits: Limits = NEVER) -> SearchOutcome | None:
    """Return the sum of the least weights of the folded boards; None where none are small enough.

    When the time is up it is the sum of some of them. Raises TimeUp before.

    >>> board = Board.from_rows(["0" * 40] * 40, "torus-plus")
    >>> folded_bound(board).lower_bound
    320
    """
    boards, times = [board], 0
    while True:
        graph = boards[0].graph
        if not isinstance(graph, StencilGraph) or not _folds(graph):
            return None
        boards = [part for one in boards for part in folded(one)]
        times += 1
        sets = press_sets(boards[0], limits)
        if isinstance(sets, PressSets) and sets.nullity <= MOST_NULLITY:
            break
    bound = 0
    with suppress(TimeUp):  # what was added up until then counts
        for part in boards:
            limits.check()
            sets = press_sets(part, limits)
            if not isinstance(sets, PressSets):
                return None
            bound += transform(sets).lightest().weight
    return SearchOutcome("folded torus", None, bound, FoldedTorus(times))


def _folds(graph: StencilGraph) -> bool:
    """Whether this is a full torus of a named pattern that can be folded."""
    halves = [side // 2 if side % 2 == 0 else side for side in graph.shape]
    named = graph.wraps and graph.mask is None and graph.pattern in STENCILS
    return named and halves != [*graph.shape] and min(halves) >= LEAST_SIDE


def folded(board: Board) -> Iterator[Board]:
    """Yield the boards of the classes of cells: the change of each is A b there."""
    graph = board.graph
    assert isinstance(graph, GridGraph)
    change = graph.apply(board.change).reshape(graph.shape)
    for rows, columns in product(*map(_classes, graph.shape)):
        part = grid_graph(graph.pattern, (rows.size, columns.size))
        goal = np.ones(part.size, dtype=np.bool_)
        yield Board(part, goal ^ change[np.ix_(rows, columns)].reshape(-1), goal, "any")


def _classes(side: int) -> list[Ints]:
    """Return the numbers 0 … side − 1 in classes, each in steps of two around."""
    if side % 2:
        return [2 * np.arange(side) % side]
    return [np.arange(start, side, 2) for start in (0, 1)]
