"""`ponder.orient`: against brute force, from every form of graph, and what is spoilt is refused."""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ponder
from ponder.find.orient import Outcome
from ponder.model.formats import parse_graph
from ponder.system.errors import BoardError
from tests.brute import parities_of_orders
from tests.commands import here
from tests.depth import deeper

Edges = list[tuple[int, int]]


def answer_of(outcome: Outcome) -> bool:
    """Whether there is an orientation; what was said is checked."""
    assert not isinstance(outcome, ponder.Unknown), outcome.reason
    outcome.verify()
    return isinstance(outcome, ponder.Orientation)


def hears_of(size: int, edges: Edges) -> list[list[int]]:
    return [[u + w - v for u, w in edges if v in (u, w)] for v in range(size)]


def test_given_arcs_against_brute_force() -> None:
    rng, refused = random.Random(5), 0
    pairs = list(combinations(range(5), 2))
    for _ in range(40):
        edges = [pair for pair in pairs if rng.random() < 0.7] or pairs
        chosen = rng.sample(edges, rng.randint(1, 3))
        fixed = [(u, v) if rng.random() < 0.5 else (v, u) for u, v in chosen]
        bits = tuple(rng.randrange(2) for _ in range(5))
        odd = [v for v in range(5) if bits[v]]
        able = bits in parities_of_orders(hears_of(5, edges), fixed)
        assert answer_of(ponder.orient((5, edges), odd, fixed=fixed)) == able, (edges, odd, fixed)
        free = bits in parities_of_orders(hears_of(5, edges))
        refused += free and not able
    assert refused > 3, "some of them the arcs alone forbid"


def test_arcs_in_a_circle_are_refused_by_the_circle() -> None:
    triangle = (3, [(0, 1), (1, 2), (0, 2)])
    refusal = ponder.orient(triangle, [0], fixed=[(0, 1), (1, 2), (2, 0)])
    assert isinstance(refusal, ponder.Refusal)
    assert refusal.certificate["kind"] == "fixed-circle"
    refusal.verify()
    both_ways = ponder.orient((2, [(0, 1)]), [0], fixed=[(0, 1), (1, 0)])
    assert isinstance(both_ways, ponder.Refusal)


def test_large_planted_graphs_are_oriented() -> None:
    rng = np.random.default_rng(3)
    for size, arcs_given in ((1000, 0), (60, 30)):
        pairs = np.sort(rng.integers(0, size, (2 * size, 2)), axis=1)
        edges = np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0)
        place = rng.permutation(size)
        forward = place[edges[:, 0]] < place[edges[:, 1]]
        arcs = np.where(forward[:, None], edges, edges[:, ::-1])
        odd = np.flatnonzero(np.bincount(arcs[:, 0], minlength=size) % 2)
        fixed = [(u, v) for u, v in arcs[:arcs_given].tolist()]
        assert answer_of(ponder.orient((size, edges), odd.tolist(), fixed=fixed))


class Friends:
    """What networkx gives of a graph, as far as it is asked for."""

    def __init__(self, edges: list[tuple[str, str]], directed: bool = False) -> None:
        self.edges, self.directed = edges, directed
        self.nodes = dict.fromkeys(name for edge in edges for name in edge)

    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return False


def test_graphs_of_every_form_are_one() -> None:
    called = ponder.orient(Friends([("a", "b"), ("b", "c")]), {"a", "c"})
    assert isinstance(called, ponder.Orientation)
    assert set(called.arcs) == {("a", "b"), ("c", "b")}
    assert sorted(called.order[:2]) == ["a", "c"]
    matrix = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    row, col = np.nonzero(matrix)
    entries = SimpleNamespace(ndim=2, shape=(3, 3), row=row, col=col, data=np.ones(4))
    sparse = SimpleNamespace(tocoo=lambda: entries)  # what scipy's matrices have
    pairs = (3, np.array([[0, 1], [2, 1]]))
    for given in (matrix, matrix.astype(bool), matrix.tolist(), sparse, pairs):
        answer = ponder.orient(given, [0, 2])
        assert isinstance(answer, ponder.Orientation)
        assert set(answer.arcs) == {(0, 1), (2, 1)}


def test_networkx_itself() -> None:
    networkx = pytest.importorskip("networkx")
    grid = networkx.grid_2d_graph(4, 5)
    answer = ponder.orient(grid, [(0, 0)])
    assert answer_of(answer) == ((grid.number_of_edges() + 1) % 2 == 0)


GENERATORS: dict[str, tuple[Any, ...]] = {
    "gnp_random_graph": (2000, 0.003, 1),
    "random_regular_graph": (4, 1000, 1),
    "barabasi_albert_graph": (2000, 3, 1),
    "watts_strogatz_graph": (1000, 6, 0.1, 1),
    "random_geometric_graph": (600, 0.055, 2, None, 2, 1),  # its maker compares all pairs
    "grid_2d_graph": (40, 50),
    "hypercube_graph": (10,),
    "complete_graph": (300,),
    "dense_gnm_random_graph": (200, 19700, 1),
    "lollipop_graph": (100, 100),
    "turan_graph": (100, 7),
    "wheel_graph": (400,),
    "windmill_graph": (50, 8),
    "complete_bipartite_graph": (30, 31),
    "connected_caveman_graph": (20, 8),
    "circular_ladder_graph": (300,),
    "paley_graph": (61,),
    "star_graph": (1999,),
}


LATER = {
    "gnp_random_graph", "random_geometric_graph", "watts_strogatz_graph", "hypercube_graph",
    "dense_gnm_random_graph", "connected_caveman_graph", "circular_ladder_graph",
}  # fmt: skip
"""The dearer of two that are alike."""


@pytest.mark.parametrize("name", [deeper(name) if name in LATER else name for name in GENERATORS])
def test_planted_parities_on_graphs_of_networkx(name: str) -> None:
    """There is an orientation; and with one vertex more there is none, as the count says."""
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph(getattr(networkx, name)(*GENERATORS[name]))
    order = random.Random(7).sample(nodes := list(graph), len(graph))
    place = {v: k for k, v in enumerate(order)}
    odd = {v for v in nodes if sum(place[u] > place[v] for u in graph[v]) % 2}
    answer = ponder.orient(graph, odd)
    assert answer_of(answer)
    assert isinstance(answer, ponder.Orientation)
    arcs = networkx.DiGraph(answer.arcs)
    assert networkx.is_directed_acyclic_graph(arcs)
    assert arcs.number_of_edges() == graph.number_of_edges()
    assert {v for v in arcs if arcs.out_degree(v) % 2} == odd
    assert not answer_of(ponder.orient(graph, odd ^ {nodes[0]}))


def test_parities_that_a_clique_cannot_have_are_refused() -> None:
    """Every second one of its vertices has an odd out-degree, in a lollipop as well."""
    networkx = pytest.importorskip("networkx")
    for graph in (networkx.complete_graph(120), networkx.lollipop_graph(60, 60)):
        odd = range(10 + graph.number_of_edges() % 2)
        answer = ponder.orient(graph, odd)
        assert isinstance(answer, ponder.Refusal)
        assert answer.certificate["rule"] == "orders"
        answer.verify()


@pytest.mark.parametrize(
    ("graph", "more", "reason"),
    [
        ((3, [(0, 3)]), {}, "an edge is a pair of vertices"),
        ((3, [(0, 1, 2)]), {}, "an edge is a pair of vertices"),
        ((3, [(0, "a")]), {}, "an edge is a pair of vertices"),
        ((3, [(0, 10**30)]), {}, "an edge is a pair of vertices"),
        ((2, [(1, 1)]), {}, "joins a vertex to itself"),
        ((2, [(0, 1), (1, 0)]), {}, "repeated"),
        ((True, []), {}, "number of vertices"),
        ((10**9, []), {}, "1000000000 vertices are too many"),
        ([[0, 1], [0, 0]], {}, "symmetric"),
        ([[1]], {}, "itself"),
        ([[0, 2], [2, 0]], {}, "zeros and ones"),
        ("a graph", {}, "zeros and ones"),
        (Friends([("a", "b")], directed=True), {}, "undirected"),
        ((2, [(0, 1)]), {"odd": [2]}, "no vertex 2"),
        ((2, [(0, 1)]), {"odd": [[]]}, "list of vertices"),
        ((3, [(0, 1)]), {"fixed": [(0, 2)]}, "along no edge"),
        ((3, [(0, 1)]), {"fixed": [(0, 1, 2)]}, "list of pairs"),
    ],
)
def test_bad_input_is_told_in_one_line(graph: Any, more: Any, reason: str) -> None:
    with pytest.raises(BoardError, match=reason) as told:
        ponder.orient(graph, more.pop("odd", []), **more)
    assert "\n" not in str(told.value)


def test_no_time_is_unknown() -> None:
    answer = ponder.orient((3, [(0, 1), (1, 2)]), [0], timeout=0.0)
    assert isinstance(answer, ponder.Unknown)


# ------------------------------------------------------------------------------------------ files


@pytest.mark.parametrize(
    ("text", "names", "edges"),
    [
        (b"\xef\xbb\xbf3,1\n5:\n\n", [1, 3, 5], [[0, 1]]),
        (b"0 1 {}\n1 2 {'weight': 3}\n", [0, 1, 2], [[0, 1], [1, 2]]),
        (b">>graph6<<DQc\n", [0, 1, 2, 3, 4], [[0, 2], [0, 4], [1, 3], [3, 4]]),
        (b"@", [0], []),
        (b":Fa@x^\n", [*range(7)], [[0, 1], [0, 2], [1, 2], [5, 6]]),
        (b'{"nodes": ["x", "y"], "edges": [["x", "y"]]}', ["x", "y"], [[0, 1]]),
    ],
)
def test_graphs_are_read_from_every_format(text: bytes, names: Any, edges: Any) -> None:
    graph = parse_graph(text)
    assert (graph.names, graph.edges.tolist()) == (names, edges)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"1 2\n1 2 3\n", 2),
        (b"1 2\n3\n", 2),
        (b"DQc\nDqK\n", None),
        (b"1 2\n2 2\n", 2),
        (b"1 2\n2 1\n", 2),
        (b"1 2\n\xff\n", 2),
        (b"01 2\n1 3\n", 1),
        (b"# nothing\n", None),
        (b"?", None),
        (b">>graph6<<Bw~", 1),
        (b"[1,2", 1),
        (b"p edge 2 1\ne 1 3\n", 2),
        (b"p edge 2 1\ne 1 1\n", 2),
        (b"p edge 2 1\nf 1 2\n", 2),
        (b"p edge 0 0\n", None),
        (b"p edge 1000001 0\n", None),
        (b'{"nodes": 1000001, "edges": []}', None),
    ],
)
def test_a_file_that_is_no_graph_is_refused_by_its_line(text: bytes, line: int | None) -> None:
    with pytest.raises(BoardError) as told:
        parse_graph(text, "file")
    assert (told.value.source, told.value.line) == ("file", line)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, kept = tmp_path / "path.edges", tmp_path / "answer.json"
    file.write_bytes(b"a b\nb c  # the end\n")
    code, out, _ = here(capsys, "orient", str(file), "--odd", "a,c")
    assert (code, "a -> b" in out, "c -> b" in out) == (0, True, True)
    code, out, _ = here(capsys, "orient", str(file), "--odd", "a,b", "--fixed", "b:a", "--json")
    kept.write_text(out, encoding="utf-8")
    assert json.loads(out)["verdict"] == "impossible"
    assert here(capsys, "verify", str(file), str(kept))[0] == 0
    kept.write_text(out.replace("impossible", "oriented"), encoding="utf-8")
    assert here(capsys, "verify", str(file), str(kept))[0] == 1
    assert here(capsys, "orient", str(file), "--timeout", "0")[0] == 3
    for wrong in (["--odd", "z"], ["--fixed", "a-b"], ["--fixed", "a:c"]):
        code, _, err = here(capsys, "orient", str(file), *wrong)
        assert (code, err.count("\n")) == (2, 1)
