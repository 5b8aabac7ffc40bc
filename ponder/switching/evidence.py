"""Odd-sized row/column boards: what proves the bound on all press sets, or that none has an order.

Idea (theory §4.9–4.11). The count bound can be checked by repeating the search in two halves. Where
cuts have raised it, weighted cuts say by how much. Where rounded weights fall short, the press sets
whose count bound is too small are listed one by one, each with the cut of its own flow, if the
coset is small. What is left rests on CP-SAT alone.

Letters: as in `rectangle`.
Cost: one linear relaxation for each setting that was raised; a flow for each press set listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

import numpy as np

from ponder.cross.half_factor import checked_cut, half_factor_of
from ponder.limits import Limits, TimeUp
from ponder.puzzle.bound_evidence import BoundByWord, LighterRefuted, RaisedParities, Switches
from ponder.puzzle.evidence import Bound
from ponder.puzzle.line_refutations import LineCut, LineParities, WeightedCuts
from ponder.puzzle.press_set_refutations import CosetRefuted
from ponder.puzzle.refutation import Refutation
from ponder.puzzle.solver_refutations import IntegerModel
from ponder.switching.cuts import RaisedSetting, SettingColumns, weigh
from ponder.switching.rectangle import IMPOSSIBLE, Rectangle
from ponder.types import Bits

LOG2_LISTED = 16
"""The largest nullity of a coset that is listed as evidence, press set by press set."""

Raised = Mapping[bytes, RaisedSetting]
"""The settings that were raised, by the bytes of their row switches."""


def bound_evidence(
    rectangle: Rectangle, once: bool, below: int, raised: Raised, limits: Limits
) -> Bound:
    """Return the strongest evidence that no press set costs less than `below`.

    That has been proved by minimising every setting. See `choose` for the kinds.
    """
    lifts = []
    for setting in raised.values():
        if setting.bound < below:
            if limits.expired:
                return BoundByWord()
            weighted = weigh(rectangle, setting, once)
            if weighted is None or weighted.value <= (below - 2) * weighted.divisor:
                break
            odd_lines = np.flatnonzero(rectangle.parities_under(setting.u))
            lifts.append(RaisedParities(odd_lines, weighted.divisor, weighted.cuts))
    else:
        return Switches(rectangle.side, tuple(lifts))
    if rectangle.log2_size > LOG2_LISTED:
        return BoundByWord()
    try:
        return LighterRefuted(tuple(_listed(rectangle, once, below, limits)))
    except TimeUp:
        return BoundByWord()


def refutation(rectangle: Rectangle, raised: Raised, limits: Limits) -> Refutation:
    """Return the shortest evidence that no press set has a half factor, which has been proved."""
    if not rectangle.row_switches:
        odd_rows = np.flatnonzero(rectangle.parities)
        if odd_rows.size > rectangle.shape[1]:
            return LineParities(rectangle.side, odd_rows, rectangle.shape[1])
        setting = next(iter(raised.values()))
        weighted = weigh(rectangle, setting, once=True, presses_count=False)
        if weighted is not None and weighted.value > 0:
            return WeightedCuts(rectangle.side, weighted.cuts)
    if rectangle.log2_size <= LOG2_LISTED:
        with suppress(TimeUp):
            parts = tuple(_listed(rectangle, True, IMPOSSIBLE, limits))
            return CosetRefuted(2**rectangle.log2_size, parts)
    return IntegerModel(rectangle.log2_size)


def _listed(
    rectangle: Rectangle, once: bool, below: int, limits: Limits
) -> Iterator[tuple[Bits, LineCut]]:
    """List the press sets whose count bound is under `below`, each with the cut that raises it.

    Goes through the whole coset. With `once` only press sets with k_r = k_c are listed. TimeUp
    when the time is up.
    """
    rows = rectangle.shape[0]
    if rectangle.row_switches:
        settings = _vectors(rows, 0)
    else:
        settings = np.zeros((1, rows), dtype=np.bool_)
    for u in settings:
        columns = SettingColumns(rectangle, u)
        presses = columns.presses
        chosen = _vectors(presses.even.size, columns.k_r % 2)
        size = presses.all_even + chosen @ presses.more
        apart = np.abs(np.count_nonzero(chosen, axis=1) - columns.k_r)
        listed = (apart == 0) & (size < below) if once else size + apart < below
        for odd in chosen[listed]:
            limits.check()
            grid = columns.grid ^ odd
            yield rectangle.to_board(grid), _cut(rectangle, grid)


def _cut(rectangle: Rectangle, grid: Bits) -> LineCut:
    """Return the minimum cut of a press set's flow in the board's terms, not made smaller."""
    rows, columns = np.nonzero(grid)
    factor = half_factor_of(grid)
    return checked_cut(rectangle.side, rows, columns, factor.cut_rows, factor.cut_columns)


def _vectors(length: int, parity: int) -> Bits:
    """Return all 0/1 vectors whose sum has the parity, (2^(length−1), length)."""
    free = (np.arange(2 ** (length - 1))[:, None] >> np.arange(length - 1) & 1).astype(np.bool_)
    last = np.bitwise_xor.reduce(free, axis=1)[:, None] ^ bool(parity)
    return np.concatenate([free, last], axis=1)
