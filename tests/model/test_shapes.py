"""Shapes by name: what they are, as graph theory says; what they refuse; the same by every door."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import ponder
from ponder.model import shapes
from ponder.model.board import MOST_BULBS
from ponder.model.edge_graph import EdgeGraph
from ponder.model.formats import board_text, parse_board
from ponder.model.shapes import SHAPES, shape_of, sized_shape
from tests.commands import here

EXAMPLES = [sized_shape(each.key, *each.sides_of_example) for each in SHAPES]
Capture = pytest.CaptureFixture[str]


def graph_of(word: str) -> nx.Graph:
    graph = ponder.shape(word).graph
    known = nx.Graph()
    known.add_nodes_from(range(graph.size))
    known.add_edges_from(graph.edges_within(np.arange(graph.size)).tolist())
    return known


def _units(n: int) -> nx.Graph:
    """Three numbers that add up to n; an edge moves a unit from one to another."""
    units = nx.Graph()
    for a, b in ((k, m) for k in range(n + 1) for m in range(n + 1 - k)):
        near = ((a + 1, b), (a, b + 1), (a + 1, b - 1))
        units.add_edges_from(((a, b), (x, y)) for x, y in near if x + y <= n and y >= 0)
    return units


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("petersen", nx.petersen_graph()),
        ("dodecahedron", nx.dodecahedral_graph()),
        ("octahedron", nx.octahedral_graph()),
        ("hypercube:4", nx.hypercube_graph(4)),
        ("tree:4", nx.balanced_tree(2, 3)),
        ("wheel:7", nx.wheel_graph(8)),
        ("star:7", nx.star_graph(7)),
        ("prism:6", nx.circular_ladder_graph(6)),
        ("bipartite:3x4", nx.complete_bipartite_graph(3, 4)),
        ("complete:6", nx.complete_graph(6)),
        ("cycle:8", nx.cycle_graph(8)),
        ("path:6", nx.path_graph(6)),
        ("torus:4x6", nx.grid_2d_graph(4, 6, periodic=True)),
        ("cylinder:3x8", nx.grid_2d_graph(3, 8, periodic=(False, True))),
        ("triangle:5", _units(4)),
    ],
)  # fmt: skip
def test_a_shape_is_the_graph_of_its_name(word: str, known: nx.Graph) -> None:
    assert nx.is_isomorphic(graph_of(word), known)


@pytest.mark.parametrize(
    ("word", "vertices", "edges", "euler"),
    [("cube:3", 54, 108, 2), ("klein:5x6", 30, 60, 0), ("projective:6x7", 42, 82, 1)],
)
def test_faces_of_four_close_a_surface(word: str, vertices: int, edges: int, euler: int) -> None:
    """Vertices − edges + faces; the cube's corners are triangles."""
    graph = graph_of(word)
    assert (len(graph), graph.number_of_edges()) == (vertices, edges)
    if word == "cube:3":
        assert {degree for _, degree in graph.degree} == {4}
        assert sum(nx.triangles(graph).values()) == 3 * 8
        squares = 6 * 4 + 12 * 2  # inside the faces, and over their edges
        assert vertices - edges + squares + 8 == euler


def test_a_band_with_a_twist_is_not_the_one_without() -> None:
    plain, twisted = (graph_of(f"{name}:3x7") for name in ("cylinder", "mobius"))
    assert Counter(d for _, d in plain.degree) == Counter(d for _, d in twisted.degree)
    assert not nx.is_isomorphic(plain, twisted)
    assert not nx.is_isomorphic(graph_of("klein:4x5"), graph_of("torus:4x5"))


@pytest.mark.parametrize("each", EXAMPLES, ids=lambda each: each.word)
def test_every_shape_is_drawn_solved_and_written(
    each: ponder.model.shapes.SizedShape, tmp_path: Path, capsys: Capture
) -> None:
    board = ponder.shape(each.word)
    again = parse_board(board_text(board))
    assert again == board
    assert ponder.draw(board).startswith("<svg")
    result = ponder.order(board)
    ponder.verify(board, result)
    if isinstance(board.graph, EdgeGraph):
        places = board.graph.positions
        assert places is not None
        assert isinstance(again.graph, EdgeGraph)
        assert again.graph.positions is not None
        assert np.allclose(places, again.graph.positions)
        apart = np.linalg.norm(places[:, None] - places[None], axis=2)
        assert apart[~np.eye(len(places), dtype=bool)].min() > 0.65
    code, out, _ = here(capsys, "draw", each.word)
    assert code == 0
    assert out.count("○") == board.graph.size


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("hex", "needs a size RxC: write hex:4"),
        ("hexagon:3x4", "is one number"),
        ("petersen:5", "has one size"),
        ("cycle:2", "the smallest size of cycle is 3"),
        ("tree:99", "too large"),
        ("complete:900000000", "too large"),
        ("torus:99999x99999", "too large"),
        ("hex:0", "smallest"),
    ],
)
def test_a_size_that_there_is_not_is_refused_in_a_line(
    word: str, reason: str, capsys: Capture
) -> None:
    code, out, err = here(capsys, "order", word)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert reason in err
    with pytest.raises(ponder.PonderError, match=reason.partition(":")[0]):
        ponder.shape(word)


def test_other_words_are_files_and_unknown_names_are_asked_back(capsys: Capture) -> None:
    assert shape_of("board.txt") is None
    assert shape_of("./cube") is None
    assert "--pattern" in here(capsys, "order", "torus:4", "--pattern", "king")[2]


def test_a_state_by_the_names_of_bulbs(capsys: Capture) -> None:
    words = ["--puzzle", "lights-out", "--lit"]
    drawn = here(capsys, "draw", "cube:2", *words, "U1,F4")[1]
    assert "●U1 ○U2" in drawn
    assert "2 lit" in drawn
    assert "2 lit" in here(capsys, "draw", "4", "--lit", "0,1; 2,3")[1]
    code, _, err = here(capsys, "draw", "cube:2", "--lit", "U9")
    assert (code, err) == (2, "ponder: --lit:1: there is no bulb 'U9'\n")
    board = ponder.shape("cube", 2, puzzle="lights-out", lit=["U1", "F4"])
    assert ponder.solve(board).verdict in ("solved", "impossible")


@pytest.mark.parametrize("said", ['"x"', "[[0, 1]]", "[[0], [1]]", '[["a", 1], [1, 1]]',
                                  "[[0, 1], [1, NaN]]", "[[0, 1], [1, 1e99]]"])  # fmt: skip
def test_positions_that_are_none_are_refused(said: str) -> None:
    text = f'{{"nodes": 2, "edges": [[0, 1]], "positions": {said}}}'
    with pytest.raises(ponder.BoardError, match="`positions` must be a list of 2 pairs"):
        parse_board(text)


def test_a_grid_of_a_shape_is_as_large_as_any() -> None:
    """`shapes` loads no arrays, so it has the number of its own."""
    assert shapes.MOST_CELLS == MOST_BULBS
