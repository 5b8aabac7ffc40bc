"""Most moves against brute force and the published table; certificates accepted and mutated."""

from __future__ import annotations

import json
import re
from functools import cache

import numpy as np
import pytest

from ponder.check.limits import TooLarge
from ponder.check.most_moves import verify_most_moves
from ponder.cli.most_moves import content_of
from ponder.lights_out.bulb_types import bulb_types, signs
from ponder.lights_out.heights_by_congruence import Reached, refute
from ponder.lights_out.last_patterns import last_patterns
from ponder.lights_out.most_moves import MostMoves, most_moves
from ponder.lights_out.nullities import full_graph
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, Graph
from ponder.system.errors import CheckFailed, PonderError
from ponder.system.types import Json
from tests.clocks import stopping
from tests.commands import here

# The published table (W. Boyles), where its bounds meet; at n = 19 it is above (n² + n₀)/2 = 181.
PUBLISHED = {
    4: 7, 5: 15, 9: 37, 11: 65, 14: 123, 16: 124, 17: 199, 24: 375, 29: 443, 34: 763, 35: 721,
    41: 1191, 44: 1287, 49: 1397, 50: 1344, 53: 1999, 54: 1947,
}  # fmt: skip
BY_PARITY = [n for n in PUBLISHED if n not in (9, 16, 29, 49, 50)]


def by_brute_force(graph: Graph) -> int:
    """The largest distance of a state from the quiet patterns: breadth first over all sums."""
    n = graph.size
    rows = [graph.apply(row).astype(int).tolist() for row in np.eye(n, dtype=np.bool_)]
    one = [sum(bit << v for v, bit in enumerate(row)) for row in rows]
    seen, frontier, moves = {0}, {0}, 0
    while True:
        frontier = {state ^ toggle for state in frontier for toggle in one} - seen
        if not frontier:
            return moves
        seen |= frontier
        moves += 1


def dark(graph: Graph) -> Board:
    nothing = np.zeros(graph.size, dtype=np.bool_)
    return Board(graph, nothing, ~nothing)


@cache
def answer(n: int) -> MostMoves:
    return most_moves(full_graph("plus", (n, n)))


SMALL = [
    (pattern, (rows, columns))
    for pattern in ("plus", "king", "torus-plus", "torus-king", "cross")
    for rows in range(1, 5)
    for columns in range(rows, 5)
    if rows * columns <= 12
]


@pytest.mark.parametrize("searched", [True, False])
@pytest.mark.parametrize(("pattern", "size"), SMALL)
def test_small_boards_by_brute_force(
    pattern: str, size: tuple[int, int], searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the search through all boards, and by types as where they are too many."""
    if not searched:
        monkeypatch.setattr("ponder.lights_out.most_moves.LARGEST_SEARCHED", -1)
        # The trees are small: two processes take a second to start, and nothing to do.
        monkeypatch.setattr("ponder.lights_out.heights_by_congruence._SPAWN_FROM", 99)
    graph = full_graph(pattern, size)
    found = most_moves(graph)
    assert found.exhausted == searched
    assert (found.lower, found.upper) == (by_brute_force(graph),) * 2
    content = json.loads(json.dumps(content_of(found)))
    assert verify_most_moves(dark(graph), content) == (found.lower, found.upper)


@pytest.mark.deep
@pytest.mark.parametrize("pattern", ["plus", "king", "torus-plus", "torus-king"])
@pytest.mark.parametrize("size", [(4, 4), (3, 5), (4, 5), (2, 8), (3, 6)])
def test_larger_boards_by_brute_force(pattern: str, size: tuple[int, int]) -> None:
    graph = full_graph(pattern, size)
    found = most_moves(graph)
    assert (found.lower, found.upper) == (by_brute_force(graph),) * 2


def test_random_graphs_by_brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ponder.lights_out.most_moves.LARGEST_SEARCHED", -1)
    rng = np.random.default_rng(5)
    met = 0
    for _ in range(60):
        n = int(rng.integers(3, 11))
        edges = [(a, b) for a in range(n) for b in range(a) if rng.random() < 0.5]
        graph = EdgeGraph(n, edges)
        found = most_moves(graph)
        truth = by_brute_force(graph)
        assert found.lower <= truth <= found.upper
        assert found.optimal
        met += found.types.rank > 0
        verify_most_moves(dark(graph), json.loads(json.dumps(content_of(found))))
    assert met > 3


@pytest.mark.parametrize("n", BY_PARITY)
def test_the_published_table_by_parity(n: int) -> None:
    found = answer(n)
    assert (found.lower, found.upper) == (PUBLISHED[n],) * 2
    assert found.tree is None


@pytest.mark.parametrize("n", [9, 16, 29])
def test_heavy_boards_are_found_at_once(n: int) -> None:
    found = most_moves(full_graph("plus", (n, n)), stopping(2000))
    assert found.lower == PUBLISHED[n] <= found.upper


@pytest.mark.deep
@pytest.mark.parametrize("n", [9, 29, 49])
def test_the_published_table_by_trees(n: int) -> None:
    found = most_moves(full_graph("plus", (n, n)))
    assert (found.lower, found.upper) == (PUBLISHED[n],) * 2
    content = json.loads(json.dumps(content_of(found)))
    assert verify_most_moves(dark(full_graph("plus", (n, n))), content) == (found.lower,) * 2


def test_19_by_19_is_below_what_was_published() -> None:
    found = most_moves(full_graph("plus", (19, 19)), stopping(200))
    assert found.upper <= 181 < 197


def test_last_patterns_are_checked() -> None:
    """More patterns with odd numbers of own bulbs prove less moves; no forged list does."""
    graph = full_graph("torus-plus", (3, 3))
    found = most_moves(graph)
    types = found.types
    named, odd = last_patterns(types)
    assert odd == len(named) - 1 == 3
    proved = MostMoves(types, 3, found.press_set, (9 + types.free - odd) // 2, named=named)
    content = json.loads(json.dumps(content_of(proved)))
    assert verify_most_moves(dark(graph), content) == (3, 3)
    places = content["evidence"]["bulbs"]
    for bulbs, reason in (
        (places[:1], "at most 4 presses, not 3"),
        ([*places, places[0]], "independent"),
        ([[9, 9]], "bulb"),
    ):
        with pytest.raises(CheckFailed, match=reason):
            verify_most_moves(
                dark(graph), content | {"evidence": content["evidence"] | {"bulbs": bulbs}}
            )


@pytest.mark.parametrize(("n", "upper"), [(19, 174), (30, 441), (47, 1096)])
def test_last_patterns_of_large_squares(n: int, upper: int) -> None:
    types = bulb_types(full_graph("plus", (n, n)))
    assert (n * n + types.free - last_patterns(types)[1]) // 2 == upper


@cache
def tree_content() -> tuple[Board, Json]:
    """A certificate with a sign tree, of a small graph: 9 × 9 up to a height that falls at once."""
    graph = full_graph("plus", (9, 9))
    types = bulb_types(graph)
    best = most_moves(graph, stopping(2000))
    found = MostMoves(types, best.lower, best.press_set, (81 + 1 - 6) // 2, refute(types, 4))
    return dark(graph), json.loads(json.dumps(content_of(found)))


def test_a_search_through_all_boards_is_checked() -> None:
    graph = full_graph("torus-king", (3, 6))
    found = most_moves(graph)
    assert (found.lower, found.upper, found.upper_by) == (3, 3, "syndromes")
    content = json.loads(json.dumps(content_of(found)))
    assert verify_most_moves(dark(graph), content) == (3, 3)
    for change, reason in (
        ({"upper_bound": 2, "lower_bound": 2}, "a board needs 3 presses, more than 2"),
        ({"upper_bound": 4, "lower_bound": 4}, "solved by 3 presses, fewer than 4"),
        ({"evidence": {"kind": "parity"}}, "at most 8 presses, not 3"),
    ):
        with pytest.raises(CheckFailed, match=reason):
            verify_most_moves(dark(graph), content | change)
    many = full_graph("plus", (5, 5))
    claim = json.loads(json.dumps(content_of(most_moves(many)))) | {
        "evidence": {"kind": "syndromes"}
    }
    with pytest.raises(TooLarge, match=r"2\^23 boards"):
        verify_most_moves(dark(many), claim)


def test_a_sign_tree_is_checked() -> None:
    """It is made in processes, as its rank is 8."""
    board, content = tree_content()
    assert verify_most_moves(board, content) == (37, 38)


def test_mutated_certificates_are_rejected() -> None:
    board, content = tree_content()
    rng = np.random.default_rng(3)

    def refused(change: str, mutated: Json, reason: str = "") -> None:
        with pytest.raises(CheckFailed) as failed:
            verify_most_moves(board, mutated)
        assert re.search(reason, str(failed.value)), change

    for field, value, reason in (
        ("lower_bound", 38, "optimal"),
        ("upper_bound", 37, "optimal"),
        ("nullity", 9, "nullity"),
        ("rows", 8, "rows"),
        ("bulbs", 80, "bulbs"),
        ("pattern", "king", "about"),
        ("optimal", True, "optimal"),
        ("press_set", content["press_set"] * 2, "twice"),  # type: ignore[operator]
        ("press_set", content["press_set"][1:], "solved by 36"),  # type: ignore[index]
        ("evidence", {"kind": "parity"}, "at most 40"),
        ("schema", "ponder.result/1", "schema"),
    ):
        refused(field, {**content, field: value}, reason)
    over = {**content, "lower_bound": 38, "optimal": True}
    refused("lower bound", over, "fewer than 38")
    under = {**content, "upper_bound": 37, "optimal": True}
    refused("upper bound", under, "at most 38 presses, not 37")

    def evidence(**changes: object) -> Json:
        return {**content, "evidence": own | changes}

    own: Json = content["evidence"]  # type: ignore[assignment]
    cases: list[object] = own["cases"]  # type: ignore[assignment]
    weights: list[list[list[int]]] = own["weights"]  # type: ignore[assignment]
    refused("height", evidence(height=6))
    refused("cases", evidence(cases=cases[1:]), "trees")
    refused("weights", evidence(weights=weights[: len(weights) // 2]))
    refused("basis", evidence(basis=own["basis"][:-1]))  # type: ignore[index]
    refused("basis", evidence(basis=[own["basis"][0]] * 8), "independent")  # type: ignore[index]
    refused("basis", evidence(basis=[[4, 4], *own["basis"][1:]]), "even|independent|free")  # type: ignore[index]
    for _ in range(40):
        at = int(rng.integers(len(cases)))
        other = [len(weights), [0, 0, cases[at]], [99, 0, 0, 0], [0, 9, 0, 0], -1, "x", None]
        wrong = other[int(rng.integers(len(other)))]
        refused(f"case {at}: {wrong}", evidence(cases=[*cases[:at], wrong, *cases[at + 1 :]]))
    for at in range(min(10, len(weights))):
        refused("a weight of nothing", evidence(weights=[*weights[:at], [], *weights[at + 1 :]]))
        points = [[point, -1] for point, _ in weights[at]]
        refused("negative", evidence(weights=[*weights[:at], points, *weights[at + 1 :]]), "whole")


@pytest.mark.parametrize("spawn_from", [99, pytest.param(6, marks=pytest.mark.deep)])
def test_a_height_that_is_reached_is_not_refuted(
    spawn_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ponder.lights_out.heights_by_congruence._SPAWN_FROM", spawn_from)
    types = bulb_types(full_graph("plus", (9, 9)))
    with pytest.raises(Reached) as reached:
        refute(types, 16)
    sigma = reached.value.sigma
    assert (signs(np.arange(1 << types.rank), types.places) @ sigma).max() <= 16
    assert ((sigma - types.sizes) % 2 == 0).all()
    assert (np.abs(sigma) <= types.sizes).all()


def test_large_nullities_are_refused_in_one_sentence() -> None:
    with pytest.raises(PonderError, match="too large"):
        most_moves(full_graph("cross", (63, 63)))


def test_command(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = here(capsys, "most-moves", "5", "--json")
    content = json.loads(out)
    assert code == 0
    assert (content["lower_bound"], content["upper_bound"], content["optimal"]) == (15, 15, True)
    file = f"{tmp_path}/five.json"
    with open(file, "w", encoding="utf-8") as to:
        to.write(out)
    assert here(capsys, "verify", "5", file)[0] == 0
    assert here(capsys, "verify", "6", file)[0] == 1
    content["lower_bound"] = content["upper_bound"] = 16
    with open(file, "w", encoding="utf-8") as to:
        json.dump(content, to)
    code, _, err = here(capsys, "verify", "5", file)
    assert code == 1
    assert "rejected" in err
    _, out, _ = here(capsys, "most-moves", "4x5", "--pattern", "torus-plus")
    assert "\nmost moves: " in out
    board = f"{tmp_path}/board.txt"
    with open(board, "w", encoding="utf-8") as to:
        to.write("pattern: king\n1-1\n111\n")
    assert here(capsys, "most-moves", board)[0] == 0
    assert here(capsys, "most-moves", "0")[0] == 2


NINE = 2000
"""Looks at the clock within which 37 moves are found on the 9×9 board, many times over."""


@pytest.mark.parametrize(
    "arguments", [(), ("5", "--upto", "6"), ("--upto", "6"), ("5", "--table", "x")]
)
def test_bad_usage(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = here(capsys, "most-moves", *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
