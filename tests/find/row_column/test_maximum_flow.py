"""Maximum flow: against every cut of small boards, and against another algorithm's library."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.find.row_column.maximum_flow import largest_choice
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits, Ints


def instance(rows: int, columns: int, density: float, seed: int) -> tuple[Bits, Ints, Ints]:
    """Presses, and room on every line: none, enough, or something between."""
    random = np.random.default_rng(seed)
    grid = random.random((rows, columns)) < density
    return grid, random.integers(0, 1 + columns, rows), random.integers(0, 1 + rows, columns)


def solved(grid: Bits, row_room: Ints, column_room: Ints) -> tuple[Bits, Bits]:
    """The choice as a grid, and the cut; the choice keeps to the presses and to the room."""
    rows, columns = np.nonzero(grid)
    chosen, side = largest_choice(rows, columns, row_room, column_room)
    z = np.zeros_like(grid)
    z[rows[chosen], columns[chosen]] = True
    assert (z.sum(axis=1) <= row_room).all()
    assert (z.sum(axis=0) <= column_room).all()
    return z, side


def capacity(grid: Bits, row_room: Ints, column_room: Ints, side: Bits) -> int:
    """What can leave the source's side of a cut."""
    x, y = side[: len(grid)], side[len(grid) :]
    return int(row_room[~x].sum() + column_room[y].sum() + grid[x][:, ~y].sum())


sizes = st.integers(1, 4)
seeds = st.integers(0, 2**32 - 1)


@given(sizes, sizes, st.floats(0, 1), seeds)
def test_no_cut_is_smaller(rows: int, columns: int, density: float, seed: int) -> None:
    """Every cut of small boards; those as small as the flow all hold the lines returned."""
    grid, row_room, column_room = instance(rows, columns, density, seed)
    z, side = solved(grid, row_room, column_room)
    cuts = np.array(list(itertools.product([False, True], repeat=rows + columns)))
    sizes = np.array([capacity(grid, row_room, column_room, cut) for cut in cuts])
    assert z.sum() == sizes.min()
    assert (side == cuts[sizes == sizes.min()].all(axis=0)).all()


@given(st.integers(1, 40), st.integers(1, 40), st.floats(0, 1), seeds)
def test_another_algorithm_agrees(rows: int, columns: int, density: float, seed: int) -> None:
    flows = pytest.importorskip("ortools.graph.python.max_flow")
    grid, row_room, column_room = instance(rows, columns, density, seed)
    z, side = solved(grid, row_room, column_room)
    assert z.sum() == capacity(grid, row_room, column_room, side), "the cut proves it largest"
    other, lines = flows.SimpleMaxFlow(), rows + columns
    other.add_arcs_with_capacity(
        np.full(rows, lines, dtype=np.int32), np.arange(rows, dtype=np.int32), row_room
    )
    other.add_arcs_with_capacity(
        np.arange(rows, lines, dtype=np.int32), np.full(columns, lines + 1, np.int32), column_room
    )
    tails, heads = (at.astype(np.int32) for at in np.nonzero(grid))
    other.add_arcs_with_capacity(tails, heads + np.int32(rows), np.ones(tails.size, dtype=np.int64))
    assert other.solve(lines, lines + 1) == other.OPTIMAL
    assert z.sum() == other.optimal_flow()
    reached = np.isin(np.arange(lines), other.get_source_side_min_cut())
    assert (side == reached).all()


@pytest.mark.parametrize("wide", [1, 3])
def test_long_paths_are_found(wide: int) -> None:
    """Along a band the first choices must give way all along: many layers, and a perfect choice."""
    size = 60
    at = np.arange(size)
    below = at[:, None] - at
    band = (below >= 0) & (below <= wide)
    ones = np.ones(size, dtype=np.int64)
    for order in (at, at[::-1], np.random.default_rng(wide).permutation(size)):
        z, side = solved(band[order], ones, ones)
        assert z.sum() == size
        assert not side.any()


def test_it_hears_the_clock() -> None:
    room = np.ones(3, dtype=np.int64)
    with pytest.raises(TimeUp):
        largest_choice(np.arange(3), np.arange(3), room, room, Limits(0.0))
