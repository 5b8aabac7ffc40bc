"""A lower bound on the presses of every sequence, soon, from the linear stage alone.

A sequence presses each bulb of some press set, whatever the rule, the order and the repeats: what
bounds all press sets bounds all sequences. Each of these is asked that has something to say of the
board and fits the time, and the best is kept:

    switching blocks   king and row/column boards: games of switches, in blocks (`switching.blocks`)
    folded torus       tori with even sides, taken apart into smaller ones (`folded_torus`)
    spectral           row/column boards with an odd side: a singular value (`singular_value`)
    packing            disjoint closed neighbourhoods (`neighbourhood_packing`)
    relaxation         a linear program with odd cuts (`linear_relaxation`)

each rounded up to the parity that all press sets have (theory §1.6), with evidence that
`ponder.check` adds up again. Where all press sets are weighed in the end (`coset`),
that proves more than any of them: so one that takes longer is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from ponder.cosets import linear_relaxation, neighbourhood_packing
from ponder.cosets.coset import listed_in_time
from ponder.cosets.coset_transform import estimated
from ponder.cosets.folded_torus import folded_bound
from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear.press_sets import PressSets
from ponder.puzzle.answer import Best
from ponder.puzzle.board import Board
from ponder.puzzle.bound_evidence import NeighbourhoodPacking, Spectral
from ponder.puzzle.evidence import Bound
from ponder.puzzle.graph import CrossGraph
from ponder.switching import singular_value
from ponder.switching.blocks import blocks_bound

SHARE = 0.25
"""What the bounds may take of the time that is left."""
SECONDS = 10.0
"""What they may take where no time limit is set; a game of switches is played to its end."""

_LEAST, _FOLDING = 0.02, 0.1  # seconds that any bound takes, and smaller tori


def soon(board: Board, sets: PressSets, *, seed: int = 0, limits: Limits = NEVER) -> Best | None:
    """Return the best lower bound that is found sooner than all press sets are weighed, or None.

    Its `presses` are a light press set, if one was found on the way: the lightest where they meet
    the bound. They are in no order.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0" * 20] * 20, "king")
    >>> found = soon(board, press_sets(board))
    >>> found.lower_bound, found.optimal
    (49, True)
    """
    if _full(board) and board.even_lines:
        return None  # the search asks them itself: it chooses among games of switches
    left = limits.left(SHARE)
    own = limits.sooner(SECONDS if left is None else left)
    games = limits if left is None else own
    if listed_in_time(sets.nullity, limits):
        own = games = own.sooner(estimated(sets.nullity))
    best = Best("lower bound", None)
    if (own.left() or 0.0) < _LEAST:
        return None
    for seconds, bound in _bounds(board, sets, seed, own, games):
        if seconds > (own.left() or 0.0):
            continue
        with suppress(TimeUp):
            found = bound()
            best = max(best, found or best, key=lambda best: best.lower_bound or 0)
        if best.optimal:
            break
    return None if best.lower_bound is None else best


def _bounds(
    board: Board, sets: PressSets, seed: int, own: Limits, games: Limits
) -> Iterator[tuple[float, Callable[[], Best | None]]]:
    """Yield the bounds that suit a board, each with the seconds that it takes at least."""
    odd = bool(np.count_nonzero(sets.particular) % 2)

    def rounded(bound: int, evidence: Bound) -> Best | None:
        if not bound:
            return None
        return Best("lower bound", None, bound + (bound + odd) % 2, evidence)

    def spectral() -> Best | None:
        assert isinstance(board.graph, CrossGraph)
        grid = board.graph.to_grid(sets.particular)
        grid = grid if len(grid) <= grid.shape[1] else grid.T
        return rounded(singular_value.spectral_bound(grid), Spectral())

    def packing() -> Best | None:
        packed = neighbourhood_packing.packing(board, seed=seed, limits=own)
        return rounded(int(packed.size), NeighbourhoodPacking(packed))

    def relaxation() -> Best | None:
        cuts = linear_relaxation.relaxation(board, own)
        return None if cuts is None else rounded(cuts.bound(board), cuts.evidence())

    yield _LEAST, lambda: blocks_bound(board, sets.particular, seed=seed, limits=games)
    yield _FOLDING, lambda: folded_bound(board, own)
    if isinstance(board.graph, CrossGraph) and _full(board):
        yield singular_value.seconds(board.graph.shape), spectral
    yield neighbourhood_packing.seconds(board), packing
    yield linear_relaxation.seconds(board), relaxation


def _full(board: Board) -> bool:
    """Whether this is a full row/column rectangle."""
    return isinstance(board.graph, CrossGraph) and board.graph.mask is None
