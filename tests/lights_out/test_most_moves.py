"""Most moves against brute force and the published table; certificates accepted and mutated."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from ponder.check.reader import TooLarge
from ponder.lights_out import most_moves as module
from ponder.lights_out import sign_search
from ponder.lights_out.bulb_types import bulb_types, signs, transform
from ponder.lights_out.check_most_moves import verify_most_moves
from ponder.lights_out.most_moves import MostMoves, last_patterns, most_moves
from ponder.lights_out.nullities import full_graph
from ponder.lights_out.sign_search import heavier_and_heavier
from ponder.lights_out.sign_tree import LeastSlack, Reached, refute
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import Graph
from ponder.system.errors import CheckFailed, PonderError
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Json
from tests.clocks import stopping
from tests.commands import here

# The published table (W. Boyles), where its bounds meet; at n = 19 it is above (n² + n₀)/2 = 181.
PUBLISHED = {
    4: 7, 5: 15, 11: 65, 14: 123, 17: 199, 24: 375, 34: 763, 35: 721, 41: 1191, 44: 1287,
    53: 1999, 54: 1947,
}  # fmt: skip
BY_TREES = {9: 37, 16: 124, 29: 443, 49: 1397, 50: 1344}


def by_brute_force(graph: Graph) -> int:
    """The largest distance of a state from the quiet patterns: breadth first over all sums."""
    rows = [graph.apply(row).astype(int).tolist() for row in np.eye(graph.size, dtype=np.bool_)]
    effects = [sum(bit << v for v, bit in enumerate(row)) for row in rows]
    seen, frontier, moves = {0}, {0}, 0
    while frontier := {state ^ effect for state in frontier for effect in effects} - seen:
        seen |= frontier
        moves += 1
    return moves


def checked(moves: MostMoves, **changes: object) -> tuple[int, int]:
    """What the checker says of an answer, written as JSON, perhaps with changes."""
    content: Json = json.loads(json.dumps(moves.to_json())) | changes
    nothing = np.zeros(moves.types.graph.size, dtype=np.bool_)
    return verify_most_moves(Board(moves.types.graph, nothing, ~nothing), content)


@pytest.mark.parametrize("searched", [18, -1])
@pytest.mark.parametrize("pattern", ["plus", "king", "torus-plus", "torus-king", "cross"])
def test_small_boards_by_brute_force(
    pattern: str, searched: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the search through all boards, and by types as where they are too many."""
    monkeypatch.setattr(module, "LARGEST_SEARCHED", searched)
    for size in ((1, 3), (2, 2), (2, 4), (3, 3), (3, 4)):
        graph = full_graph(pattern, size)
        moves = most_moves(graph)
        assert moves.exhausted == (searched > 0)
        assert (moves.lower, moves.upper) == (by_brute_force(graph),) * 2 == checked(moves)


def test_random_graphs_by_brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_SEARCHED", -1)
    rng = np.random.default_rng(5)
    ranks = 0
    for _ in range(40):
        n = int(rng.integers(3, 10))
        graph = EdgeGraph(n, [(a, b) for a in range(n) for b in range(a) if rng.random() < 0.5])
        moves = most_moves(graph)
        assert moves.lower == moves.upper == by_brute_force(graph)
        ranks += moves.types.rank > 0
        checked(moves)
    assert ranks > 3


def test_the_published_table_by_counts() -> None:
    for n, wanted in PUBLISHED.items():
        moves = most_moves(full_graph("plus", (n, n)))
        assert (moves.lower, moves.upper, moves.tree) == (wanted, wanted, None)
    assert most_moves(full_graph("plus", (19, 19)), stopping(200)).upper <= 181


@pytest.mark.parametrize("n", [9, 16, 29])
def test_heavy_boards_come_at_once(n: int) -> None:
    moves = most_moves(full_graph("plus", (n, n)), stopping(2000))
    assert moves.lower == BY_TREES[n] <= moves.upper


@pytest.mark.deep
@pytest.mark.parametrize("n", [9, 29, 49])
def test_the_published_table_by_trees(n: int) -> None:
    moves = most_moves(full_graph("plus", (n, n)))
    assert (moves.lower, moves.upper) == (BY_TREES[n],) * 2 == checked(moves)


def test_linear_programs_against_their_duals() -> None:
    """Weak duality: whatever λ ≥ 0 of sum 1 says is at most t, and the best says t."""
    rng = np.random.default_rng(2)
    points = np.arange(32)
    places = np.sort(rng.choice(np.arange(1, 32), 9, replace=False))
    table = signs(points, places)
    program = LeastSlack(table)
    for _ in range(60):
        low, high = -rng.integers(0, 4, 9), rng.integers(0, 4, 9)
        ceiling = rng.integers(-5, 8, 32)
        t, sigma, dual = program.solve(ceiling, low, high)
        assert (table @ sigma <= ceiling + t + 1e-6).all()
        assert ((sigma > low - 1e-6) & (sigma < high + 1e-6)).all()
        pull = dual @ table
        said = np.where(pull > 0, pull * low, pull * high).sum() - dual @ ceiling
        assert said == pytest.approx(max(t, 0), abs=2e-3)


# ------------------------------------------------------------------------------------ certificates


def test_last_patterns_are_checked() -> None:
    """More patterns with odd numbers of own bulbs prove less moves; no forged list does."""
    moves = most_moves(full_graph("torus-plus", (3, 3)))
    named, odd = last_patterns(moves.types)
    assert odd == len(named) - 1 == 3
    upper = (9 + moves.types.free - odd) // 2
    proved = MostMoves(moves.types, 3, moves.press_set, upper, named=named)
    assert checked(proved) == (3, 3)
    places: Any = proved.evidence["bulbs"]
    for bulbs in (places[:1], [*places, places[0]], [[9, 9]], [[True, 0]], "x"):
        with pytest.raises(CheckFailed):
            checked(proved, evidence={"kind": "last-patterns", "bulbs": bulbs})


@pytest.mark.parametrize(("n", "upper"), [(19, 174), (30, 441), (47, 1096)])
def test_last_patterns_of_large_squares(n: int, upper: int) -> None:
    types = bulb_types(full_graph("plus", (n, n)))
    assert (n * n + types.free - last_patterns(types)[1]) // 2 == upper


def test_a_search_through_all_boards_is_checked() -> None:
    moves = most_moves(full_graph("torus-king", (3, 6)))
    assert (moves.lower, moves.upper) == checked(moves) == (3, 3)
    for changes in (
        {"upper_bound": 2, "lower_bound": 2},
        {"upper_bound": 4, "lower_bound": 4},
        {"evidence": {"kind": "parity"}},
    ):
        with pytest.raises(CheckFailed):
            checked(moves, **changes)
    with pytest.raises(TooLarge):
        checked(most_moves(full_graph("plus", (6, 6))), evidence={"kind": "syndromes"})


@cache
def by_tree() -> MostMoves:
    """A certificate with a sign tree: 9 × 9 up to a height that falls at once."""
    types = bulb_types(full_graph("plus", (9, 9)))
    best = most_moves(types.graph, stopping(2000))
    return MostMoves(types, best.lower, best.press_set, (81 + 1 - 6) // 2, refute(types, 4))


def test_mutated_certificates_are_rejected() -> None:
    moves = by_tree()
    assert checked(moves) == (37, 38)
    press_set: Any = moves.to_json()["press_set"]
    false: tuple[dict[str, object], ...] = (
        {"lower_bound": 38, "optimal": True}, {"upper_bound": 37, "optimal": True},
        {"lower_bound": 38}, {"upper_bound": 37}, {"upper_bound": True}, {"nullity": 9},
        {"rows": 8}, {"bulbs": 80}, {"pattern": "king"}, {"optimal": True}, {"optimal": 0},
        {"press_set": press_set * 2}, {"press_set": press_set[1:]}, {"press_set": None},
        {"evidence": {"kind": "parity"}}, {"evidence": []}, {"schema": "ponder.result/1"},
    )  # fmt: skip
    for changes in false:
        with pytest.raises(CheckFailed):
            checked(moves, **changes)
    tree: Any = json.loads(json.dumps(moves.evidence))
    cases, weights, basis = tree["cases"], tree["weights"], tree["basis"]
    wrong: list[dict[str, object]] = [
        {"height": 6}, {"height": -1}, {"height": 10**9}, {"cases": cases[1:]}, {"weights": []},
        {"basis": basis[:-1]}, {"basis": [*basis[:-1], basis[0]]}, {"basis": [[4, 4], *basis[1:]]},
        {"weights": [[[point, -1] for point, _ in weights[0]], *weights[1:]]},
        {"weights": [[[0, 2**59]], *weights[1:]]}, {"weights": [[], *weights[1:]]},
    ]  # fmt: skip
    leaf: object
    for leaf in (len(weights), -1, "x", None, True, [0, 0, 0], [99, 0, 0, 0], [0, 9**9, 0, 0]):
        wrong.append({"cases": [leaf, *cases[1:]]})
    for changes in wrong:
        with pytest.raises(CheckFailed):
            checked(moves, evidence=tree | changes)


# --------------------------------------------------------------------------------------- searches


def test_a_height_that_is_reached_is_not_refuted() -> None:
    types = bulb_types(full_graph("plus", (9, 9)))
    with pytest.raises(Reached) as reached:
        refute(types, 16)
    sigma = reached.value.sigma
    assert (signs(np.arange(1 << types.rank), types.places) @ sigma).max() <= 16
    assert ((sigma - types.sizes) % 2 == 0).all()
    assert (np.abs(sigma) <= types.sizes).all()
    with pytest.raises(TimeUp):
        refute(types, 6, Limits(0.0))


@pytest.mark.parametrize("digits", [16, 0])
def test_what_the_search_says_is_so(digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every σ is admissible, and reaches its maximum at 0; with a table, and by a pool."""
    monkeypatch.setattr(sign_search, "LARGEST_TABLE", digits)
    for pattern, n in (("plus", 4), ("plus", 9), ("torus-plus", 5), ("plus", 16)):
        types = bulb_types(full_graph(pattern, (n, n)))
        heights = []
        if types.rank:
            for sigma, height in heavier_and_heavier(types, 1):
                assert ((np.abs(sigma) <= types.sizes) & ((types.sizes - sigma) % 2 == 0)).all()
                table = np.zeros(1 << types.rank, dtype=np.int64)
                table[types.places] = sigma
                assert height == transform(table).max() == transform(table)[0]
                heights.append(height)
        assert heights == sorted(set(heights), reverse=True)


@pytest.mark.deep
def test_a_rank_without_a_table() -> None:
    """30×30, rank 20: better than chance, and checked."""
    moves = most_moves(full_graph("plus", (30, 30)), stopping(200), seed=1)
    assert 350 <= moves.lower == np.count_nonzero(moves.press_set) < moves.upper == 441
    assert checked(moves) == (moves.lower, 441)
    with pytest.raises(CheckFailed):
        checked(moves, lower_bound=moves.lower + 1)


def test_large_nullities_are_refused_in_one_sentence() -> None:
    with pytest.raises(PonderError, match="too large"):
        most_moves(full_graph("cross", (63, 63)))


def test_the_commands(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = here(capsys, "most-moves", "5", "--json")
    content = json.loads(out)
    assert (code, content["lower_bound"], content["optimal"]) == (0, 15, True)
    file = f"{tmp_path}/five.json"
    for least, size, wanted in ((15, "5", 0), (15, "6", 1), (16, "5", 1)):
        content["lower_bound"] = content["upper_bound"] = least
        with open(file, "w", encoding="utf-8") as to:
            json.dump(content, to)
        assert here(capsys, "verify", size, file)[0] == wanted
    code, out, _ = here(capsys, "most-moves", "3x4", "--rule", "unlit", "--json")
    assert (code, json.loads(out)["upper_bound"]) == (0, 14)
    for *options, size in (["0"], ["--pattern", "toggles 0,1", "3"]):  # wirings are refused
        assert here(capsys, "most-moves", *options, size)[0] == 2
