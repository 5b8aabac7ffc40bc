"""Boards with one lit bulb: against the linear stage, one by one, and the command."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.lights_out.covers import single_cells
from ponder.lights_out.nullities import full_graph
from ponder.model.board import Board

SIZES = [("plus", (4, 4)), ("plus", (5, 5)), ("king", (4, 5)), ("cross", (3, 5)), ("plus", (3, 3))]


@pytest.mark.parametrize(("pattern", "size"), SIZES)
@pytest.mark.parametrize("lit", [True, False])
def test_every_bulb_by_the_linear_stage(pattern: str, size: tuple[int, int], lit: bool) -> None:
    graph = full_graph(pattern, size)
    found = single_cells(graph)
    for bulb in range(graph.size):
        state = np.zeros(graph.size, dtype=np.bool_)
        state[bulb] = True
        shown = state if lit else ~state
        sets = press_sets(Board(graph, shown, np.zeros_like(state)))
        chosen = found.press_set(bulb, lit)
        assert (chosen is not None) == isinstance(sets, PressSets) == found.solvable[bulb]
        if chosen is None or not isinstance(sets, PressSets):
            continue
        assert (graph.apply(chosen) == shown).all()
        every = [
            sets.member(np.array(x, dtype=np.bool_)) for x in product([0, 1], repeat=sets.nullity)
        ]
        assert chosen.sum() == min(int(one.sum()) for one in every)
        if lit:  # applied to itself it changes the one bulb
            assert np.flatnonzero(graph.apply(chosen) ^ chosen ^ chosen).tolist() == [bulb]
