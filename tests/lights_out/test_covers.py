"""Covers change nothing, span all that change nothing, and tile; the command draws them."""

from __future__ import annotations

import numpy as np
import pytest

from ponder.find.linear import gf2
from ponder.find.linear.press_sets import kernel
from ponder.lights_out.covers import covers, press_set_of_one, single_cells, tile_sizes, tiling
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph, grid_graph

SIZES = [(2, 1), (4, 4), (5, 5), (9, 9), (4, 9), (11, 11), (11, 17), (14, 14), (19, 19), (6, 20)]


@pytest.mark.parametrize("size", SIZES)
def test_a_basis_of_the_kernel(size: tuple[int, int]) -> None:
    graph = grid_graph("plus", size)
    basis = covers(graph)
    whole = kernel(graph).basis()
    assert basis.nullity == len(whole)
    assert not any(graph.apply(cover).any() for cover in basis.basis)
    both = gf2.pack(np.concatenate([whole, basis.basis]))
    assert gf2.eliminate(both, graph.size).rank == basis.nullity


@pytest.mark.parametrize("size", SIZES)
def test_tiled_ones_have_dark_lines_and_mirror_images(size: tuple[int, int]) -> None:
    basis = covers(grid_graph("plus", size))
    for cover, tile in zip(basis.basis, basis.tiles, strict=True):
        if tile is None:
            continue
        (rows, columns), grid = tile, cover.reshape(size)
        assert not grid[rows :: rows + 1].any()
        assert not grid[:, columns :: columns + 1].any()
        first = grid[:rows, :columns]
        assert not grid_graph("plus", tile).apply(first.ravel()).any()
        if size[0] > rows:
            assert (grid[rows + 1 : 2 * rows + 1, :columns] == first[::-1]).all()
        if size[1] > columns:
            assert (grid[:rows, columns + 1 : 2 * columns + 1] == first[:, ::-1]).all()


def test_every_tiling_is_recognised() -> None:
    """As many covers are called tilings as tilings are independent, found here one by one."""
    for size in [(5, 5), (9, 9), (11, 11), (9, 14), (19, 4)]:
        graph = grid_graph("plus", size)
        lifted = [np.zeros((0, graph.size), dtype=np.bool_)]
        for rows in range(1, size[0] + 1):
            for columns in range(1, size[1] + 1):
                small = rows < size[0] or columns < size[1]
                if small and not (size[0] + 1) % (rows + 1) and not (size[1] + 1) % (columns + 1):
                    patterns = kernel(grid_graph("plus", (rows, columns))).basis()
                    lifted.append(tiling(patterns, (rows, columns), size))
        rank = gf2.eliminate(gf2.pack(np.concatenate(lifted)), graph.size).rank
        assert sum(tile is not None for tile in covers(graph).tiles) == rank


def test_5_by_5_as_published() -> None:
    """Four corners and bulbs between them, twice eight others; five bulbs in no cover."""
    regions = covers(grid_graph("plus", (5, 5))).regions().reshape(5, 5)
    assert regions.tolist() == [
        [1, 2, 3, 2, 1],
        [3, 0, 3, 0, 3],
        [2, 2, 0, 2, 2],
        [3, 0, 3, 0, 3],
        [1, 2, 3, 2, 1],
    ]


@pytest.mark.parametrize(
    "graph",
    [
        grid_graph("torus-plus", (5, 5)),
        grid_graph("king", (5, 4)),
        grid_graph("cross", (3, 5)),
        EdgeGraph(4, [(0, 1), (1, 2), (2, 0), (2, 3)]),
    ],
    ids=["torus", "king", "cross", "graph"],
)
def test_other_patterns_have_no_tiles(graph: Graph) -> None:
    basis = covers(graph)
    assert not list(tile_sizes(graph))
    assert set(basis.tiles) <= {None}
    columns = [tuple(column) for column in basis.basis.T.tolist()]
    regions = basis.regions().tolist()
    for a in range(graph.size):
        assert (regions[a] == 0) == (not any(columns[a]))
        for b in range(a):
            assert (regions[a] == regions[b]) == (columns[a] == columns[b])


def test_boards_with_one_lit_bulb() -> None:
    for size in ((4, 4), (5, 5), (3, 3)):
        graph = grid_graph("plus", size)
        solvable = single_cells(graph)
        for bulb in range(graph.size):
            presses = press_set_of_one(graph, bulb)
            assert (presses is not None) == solvable[bulb]
            if presses is not None:
                assert np.flatnonzero(graph.apply(presses)).tolist() == [bulb]
