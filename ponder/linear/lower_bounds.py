"""A lower bound on the presses of every sequence, soon, from the linear stage alone.

A sequence presses each bulb of some press set, whatever the rule, the order and the repeats: what
bounds all press sets bounds all sequences. Where the coset is small its weights are listed
elsewhere. Where it is large, the best of these is returned

    switching blocks   king and row/column boards: games of switches, in blocks (`switching_blocks`)
    folded torus     tori with even sides, taken apart into smaller ones (`folded_torus`)
    packing          disjoint closed neighbourhoods (`neighbourhood_packing`)
    relaxation       a linear program with odd cuts (`linear_relaxation`), on boards up to 50 × 50,
                     where not even a transform of the whole coset can be hoped for

each rounded up to the parity that all press sets have (theory §1.6), with evidence that
`ponder.check` adds up again.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear.folded_torus import folded_bound
from ponder.linear.linear_relaxation import relaxation
from ponder.linear.neighbourhood_packing import packing
from ponder.linear.press_sets import PressSets
from ponder.switching.blocks import blocks_bound
from ponder.puzzle.answer import Best
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph
from ponder.types import Json

SMALL = 22
"""The weights of a coset of at most 2^SMALL press sets are soon listed: no bound is needed."""
TRANSFORMED = 32
"""Cosets of at most 2^TRANSFORMED press sets are not worth a linear program."""
SHARE = 0.25
"""What a bound may take of the time that is left."""
SECONDS = 10.0
"""What it may take where no time limit is set; a game of switches is played to its end."""


def soon(board: Board, sets: PressSets, *, seed: int = 0, limits: Limits = NEVER) -> Best | None:
    """Return the best lower bound that is soon found, or None for small cosets.

    Its `presses` are a light press set, if one was found on the way: the lightest where they meet
    the bound. They are in no order.

    >>> from ponder.linear.press_sets import press_sets
    >>> board = Board.from_rows(["0" * 20] * 20, "king")
    >>> found = soon(board, press_sets(board))
    >>> found.lower_bound, found.optimal
    (49, True)
    """
    if sets.nullity <= SMALL or (board.even_lines and isinstance(board.graph, CrossGraph)):
        return None  # on row/column boards with every t(v) = 0 the search has better bounds
    left = limits.left(SHARE)
    own = limits.sooner(SECONDS if left is None else left)
    found: list[Best] = []
    with suppress(TimeUp):
        games = blocks_bound(board, sets, seed=seed, limits=limits if left is None else own)
        found += [games] if games is not None else []
    with suppress(TimeUp):
        folds = folded_bound(board, own)
        found += [folds] if folds is not None else []
    if not any(best.lower_bound for best in found):
        found = [_by_neighbourhoods(board, sets, seed, own)]
    return max(found, key=lambda best: best.lower_bound or 0)


def _by_neighbourhoods(board: Board, sets: PressSets, seed: int, limits: Limits) -> Best:
    """Return the better of packing and relaxation."""
    parity = int(np.count_nonzero(sets.particular)) % 2
    bound = 0
    evidence: Json | None = None
    try:
        packed = packing(board, seed=seed, limits=limits)
        if packed.size:
            bound = int(packed.size)
            evidence = {"kind": "neighbourhood-packing", "bulbs": board.graph.labels(packed)}
        cuts = relaxation(board, limits) if sets.nullity > TRANSFORMED else None
        if cuts is not None and (proved := cuts.bound(board)) > bound:
            bound, evidence = proved, cuts.to_json(board)
    except TimeUp:
        pass
    if evidence is None:
        return Best("lower bound", None)
    return Best("lower bound", None, bound + (bound + parity) % 2, evidence)
