"""Lower bounds on all press sets, against every press set; their evidence, true and spoilt."""

from __future__ import annotations

import copy
import itertools
import json
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ponder
from ponder.check.bounds import check_bound
from ponder.check.limits import Budget, TooLarge
from ponder.check.verification import verify
from ponder.errors import CheckFailed
from ponder.limits import Limits, TimeUp
from ponder.linear import linear_relaxation, lower_bounds, switching_blocks
from ponder.linear.folded_torus import folded_bound
from ponder.linear.linear_relaxation import relaxation
from ponder.linear.lower_bounds import soon
from ponder.linear.neighbourhood_packing import packing
from ponder.linear.press_sets import PressSets, press_sets
from ponder.linear.switching_blocks import _part_count, blocks_bound
from ponder.linear.switching_game import play
from ponder.linear.two_halves import Half, Pair
from ponder.puzzle.answer import Best
from ponder.puzzle.board import Board
from ponder.puzzle.graph import EdgeGraph, Graph, grid_graph
from ponder.types import Json
from tests import checking
from tests.boards import solved_by
from tests.clocks import stopping

SHAPES = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (2, 5), (5, 2)]
PATTERNS = [
    "cross",
    "plus",
    "king",
    "torus-plus",
    "torus-king",
    "stencil 1,1 -1,-1",
    "stencil 0,2 0,-2",
]


def solvable(graph: Graph, rng: np.random.Generator) -> Board:
    """A board that some random presses solve."""
    return solved_by(graph, rng.random(graph.size) < rng.choice([0.1, 0.3, 0.5]), rule="any")


def sets_of(board: Board) -> PressSets:
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    return sets


def half_pressed(pattern: str, shape: tuple[int, int], seed: int = 1) -> Board:
    """A board that some random half of the presses solves."""
    graph = grid_graph(pattern, shape)
    return solved_by(graph, np.random.default_rng(seed).random(graph.size) < 0.5, rule="any")


def least_presses(board: Board) -> int:
    """The least weight, by going through all subsets of the bulbs."""
    return min(int((counts > 0).sum()) for counts in checking.press_sets(board))


def all_bounds(board: Board) -> dict[str, Best]:
    """Every bound that there is for a board, by its kind."""
    sets = sets_of(board)
    found = [blocks_bound(board, sets), folded_bound(board)]
    found.append(lower_bounds._by_neighbourhoods(board, sets, 0, Limits(None)))
    packed = packing(board)
    if packed.size:
        bulbs: Json = {"kind": "neighbourhood-packing", "bulbs": board.graph.labels(packed)}
        found.append(Best("packing", None, packed.size, bulbs))
    cuts = relaxation(board)
    if cuts is not None:
        found.append(Best("relaxation", None, cuts.bound(board), cuts.to_json(board)))
    known = [best for best in found if best is not None and best.evidence is not None]
    return {str(best.evidence["kind"]): best for best in known if best.evidence is not None}


def accepted(board: Board, bound: int | None, evidence: Json | None) -> None:
    """The checker accepts the bound, as it is written to a file, and none that is higher."""
    assert bound is not None
    written = json.loads(json.dumps(evidence))
    for command in ("order", "solve"):
        assert check_bound(board, command, bound, written) is None
        with pytest.raises(CheckFailed, match=r"bound: .* proves \d+, not"):
            check_bound(board, command, bound + 2, written)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("shape", SHAPES)
def test_small_grids(pattern: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(shape[0] * 10 + shape[1])
    for _ in range(6):
        board = solvable(grid_graph(pattern, shape), rng)
        least = least_presses(board)
        for best in all_bounds(board).values():
            assert best.lower_bound is not None
            assert best.lower_bound <= least
            accepted(board, best.lower_bound, best.evidence)
            if best.presses is not None:
                chosen = board.graph.set_of(best.presses)
                assert np.array_equal(board.graph.apply(chosen), board.change)


@given(st.integers(1, 9), st.integers(0, 2**36 - 1), st.integers(0, 2**9 - 1))
def test_any_small_graph(size: int, edge_bits: int, pressed: int) -> None:
    pairs = itertools.combinations(range(size), 2)
    edges = [pair for k, pair in enumerate(pairs) if edge_bits >> k & 1]
    graph = EdgeGraph(size, edges)
    presses = np.array([pressed >> v & 1 for v in range(size)], dtype=bool)
    board = solved_by(graph, presses, rule="any")
    least = least_presses(board)
    for best in all_bounds(board).values():
        assert best.lower_bound is not None
        assert best.lower_bound <= least
        accepted(board, best.lower_bound, best.evidence)


@pytest.mark.parametrize("pattern", ["plus", "king", "cross", "torus-plus"])
def test_all_press_sets_have_one_parity(pattern: str) -> None:
    rng = np.random.default_rng(4)
    for shape in SHAPES:
        board = solvable(grid_graph(pattern, shape), rng)
        assert len({int(counts.sum()) % 2 for counts in checking.press_sets(board)}) == 1


# ------------------------------------------------------------------------------ product patterns


def weights_of(sets: PressSets) -> Any:
    """All weights, one member after the other."""
    for chosen in itertools.product([False, True], repeat=sets.nullity):
        yield int(np.count_nonzero(sets.member(np.array(chosen, dtype=bool))))


@pytest.mark.parametrize("shape", [(2, 2), (2, 5), (5, 5), (8, 2), (2, 3), (4, 5), (3, 3), (5, 7)])
@pytest.mark.parametrize("pattern", ["king", "cross"])
def test_king_and_cross_boards_are_exact(pattern: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    for _ in range(5):
        board = solvable(grid_graph(pattern, shape), rng)
        sets = sets_of(board)
        best = blocks_bound(board, sets)
        assert best is not None
        assert best.optimal
        assert best.count == min(weights_of(sets))
        accepted(board, best.lower_bound, best.evidence)


def test_blocks_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that is too large for two halves is bounded in parts, which is less but holds."""
    monkeypatch.setattr(switching_blocks, "MOST_PAIRS", 60)
    board = solvable(grid_graph("king", (20, 23)), np.random.default_rng(2))
    best = blocks_bound(board, sets_of(board))
    assert best is not None
    assert best.evidence is not None
    assert len(best.evidence["blocks"]) > 4  # type: ignore[arg-type]
    accepted(board, best.lower_bound, best.evidence)
    monkeypatch.undo()
    whole = blocks_bound(board, sets_of(board))
    assert whole is not None
    assert whole.optimal
    assert best.lower_bound is not None
    assert whole.lower_bound is not None
    assert 0.8 * whole.lower_bound < best.lower_bound <= whole.lower_bound


def test_a_block_of_thousands_of_lines_has_parts() -> None:
    """The pairs of its halves are no number that a machine has: rule any, row/column 1999×1999."""
    assert _part_count(50, 50, 1 << 31) == 2
    assert _part_count(1999, 1999, 1 << 31) == 106
    assert _part_count(1, 100_000, 1 << 31) == 1


def test_other_boards_have_no_blocks() -> None:
    holes = np.arange(25).reshape(5, 5) != 7
    for graph in (*(grid_graph(p, (5, 5)) for p in ("plus", "torus-plus")), EdgeGraph(3, [(0, 1)])):
        board = solvable(graph, np.random.default_rng(3))
        assert blocks_bound(board, sets_of(board)) is None
    for pattern in ("king", "cross"):
        board = solvable(grid_graph(pattern, (5, 5), holes), np.random.default_rng(3))
        assert blocks_bound(board, sets_of(board)) is None


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 2), (3, 5), (6, 4), (7, 7)])
def test_the_switching_game(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(7)
    for density in (0.1, 0.3, 0.5, 0.9):
        grid = rng.random(shape) < density
        least = min(
            int(np.minimum(ones, shape[0] - ones).sum())
            for u in itertools.product([False, True], repeat=shape[0])
            for ones in [np.count_nonzero(grid ^ np.array(u)[:, None], axis=0)]
        )
        game = play(grid)
        assert game.ones == game.least == least
        assert np.count_nonzero(grid ^ game.rows[:, None] ^ game.columns) == least
        for most_pairs in (0, 1, 5):
            assert play(grid, most_pairs=most_pairs).least <= least


def test_two_halves_with_fewer_columns_first() -> None:
    """Every choice of signs with a large sum is found, whatever columns come first."""
    rng = np.random.default_rng(5)
    signs = np.where(rng.random((12, 17)) < 0.5, -1, 1).astype(np.int8)
    halves = [
        Half.of(part, np.zeros(1 << 6, dtype=np.int32), np.arange(1 << 6))
        for part in (signs[:6], signs[6:])
    ]
    pair = Pair(halves[0], halves[1], 12)
    u = 1 - 2 * (np.arange(1 << 12)[:, None] >> np.arange(12) & 1)
    sizes = np.abs(u @ signs).sum(axis=1)
    for needed in (int(sizes.max()), int(sizes.max()) - 10, int(np.median(sizes))):
        codes: list[int] = []
        for _, outer, inner in pair.scan(partial(int, needed)):
            codes += (outer | inner << 6).tolist()
        assert sorted(codes) == np.flatnonzero(sizes >= needed).tolist()
        assert pair.count(needed) >= len(codes)


# ------------------------------------------------------------------------------------- the limits


def test_small_cosets_need_no_bound() -> None:
    board = solvable(grid_graph("torus-king", (3, 3)), np.random.default_rng(1))
    assert soon(board, sets_of(board)) is None


@pytest.mark.parametrize(
    ("pattern", "side", "kind"),
    [
        ("king", 20, "switching-blocks"),
        ("cross", 33, "switching-blocks"),
        ("torus-king", 9, "switching-blocks"),
        ("torus-plus", 40, "folded-torus"),
        ("plus", 39, "neighbourhood-packing"),
        ("torus-plus", 33, "linear-relaxation"),
    ],
)
def test_large_cosets(pattern: str, side: int, kind: str) -> None:
    board = solvable(grid_graph(pattern, (side, side)), np.random.default_rng(1))
    best = soon(board, sets_of(board))
    assert best is not None
    assert best.evidence is not None
    assert best.evidence["kind"] == kind
    assert best.lower_bound is not None
    assert best.lower_bound > 0
    assert (best.lower_bound - np.count_nonzero(sets_of(board).particular)) % 2 == 0
    accepted(board, best.lower_bound, best.evidence)


def test_out_of_time() -> None:
    board = solvable(grid_graph("plus", (39, 39)), np.random.default_rng(1))
    best = soon(board, sets_of(board), limits=Limits(0.0))
    assert best is not None
    assert best.lower_bound is None
    assert relaxation(board, Limits(0.0)) is None
    with pytest.raises(TimeUp):
        packing(board, limits=Limits(0.0))
    torus = solvable(grid_graph("torus-plus", (40, 40)), np.random.default_rng(1))
    with pytest.raises(TimeUp):
        folded_bound(torus, Limits(0.0))
    king = solvable(grid_graph("king", (20, 20)), np.random.default_rng(1))
    with pytest.raises(TimeUp):
        blocks_bound(king, sets_of(king), limits=Limits(0.0))


def test_large_boards_are_not_relaxed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_relaxation, "MOST_BULBS", 8)
    board = solvable(grid_graph("plus", (3, 3)), np.random.default_rng(1))
    assert relaxation(board) is None


def test_the_answer_has_the_better_bound() -> None:
    """King 20×20, nullity 39: the lightest press set is found, and bounds orders and sequences."""
    rng = np.random.default_rng(1)
    board = solvable(grid_graph("king", (20, 20)), rng)
    result = ponder.solve(board)
    assert result.optimal
    assert result.bound is not None
    assert result.bound["kind"] == "switching-blocks"
    assert verify(board, json.loads(json.dumps(result.to_json()))).complete
    played = Board(board.graph, board.lit, board.goal)
    for command in (ponder.solve, ponder.order):
        found = command(played, timeout=stopping(500))
        assert found.lower_bound is not None
        assert result.count is not None
        assert found.lower_bound >= result.count
        report = verify(played, json.loads(json.dumps(found.to_json())))
        assert not [s for s in report.statements if "fewer than" in s.text and s.unchecked]


# --------------------------------------------------------------------------------- spoilt evidence


def spoilt(board: Board, bound: int, evidence: Json, change: Any, reason: str) -> None:
    wrong = copy.deepcopy(evidence)
    change(wrong)
    with pytest.raises(CheckFailed, match=reason):
        check_bound(board, "solve", bound, wrong)


def test_spoilt_packings() -> None:
    board = Board.from_rows(["010000", "000000"], "plus", rule="any")
    bound: Json = {"kind": "neighbourhood-packing", "bulbs": [[0, 0], [1, 3], [0, 5]]}
    assert check_bound(board, "solve", 3, bound) is None

    def names(*bulbs: list[int]) -> Any:
        return lambda wrong: wrong.update(bulbs=list(bulbs))

    spoilt(board, 2, bound, names([0, 1], [1, 3]), r"the bulb \(0,1\) need not change")
    spoilt(board, 2, bound, names([0, 2], [1, 3]), r"two of the closed neighbourhoods meet in")
    spoilt(board, 2, bound, names([0, 0], [0, 0]), "names a bulb twice")
    spoilt(board, 2, bound, names([0, 9]), "there is no bulb")
    spoilt(board, 4, bound, names([0, 0], [0, 5]), "proves 2, not 4")
    spoilt(board, 0, bound, names(), "is an empty list")
    spoilt(board, 1, bound, names([0, 0], [0, 5]), "proves 2, not 1")


def test_the_parity_of_a_bound() -> None:
    """One more than the packing where the press sets have that parity, and not else."""
    rng = np.random.default_rng(8)
    seen = set()
    for _ in range(20):
        board = solvable(grid_graph("plus", (4, 5)), rng)
        packed = packing(board)
        if not packed.size:
            continue
        bound: Json = {"kind": "neighbourhood-packing", "bulbs": board.graph.labels(packed)}
        odd = int(np.count_nonzero(sets_of(board).particular)) % 2 != packed.size % 2
        seen.add(odd)
        if odd:
            assert check_bound(board, "solve", packed.size + 1, bound) is None
        else:
            with pytest.raises(CheckFailed, match=f"proves {packed.size}, not"):
                check_bound(board, "solve", packed.size + 1, bound)
    assert seen == {False, True}


def test_spoilt_relaxations() -> None:
    board = half_pressed("plus", (3, 5))
    cuts = relaxation(board)
    assert cuts is not None
    bound, evidence = cuts.bound(board), cuts.to_json(board)
    accepted(board, bound, evidence)

    def put(key: str, value: object) -> Any:
        def change(wrong: Json) -> None:
            wrong["cuts"][0][key] = value  # type: ignore[index]

        return change

    first = evidence["cuts"][0]  # type: ignore[index]
    v = board.graph.bulb(first["bulb"])
    still = board.graph.label(int(np.flatnonzero(~board.change)[0]))
    beside = board.graph.label(int(board.graph.neighbours(v)[0]))
    spoilt(board, bound, evidence, put("without", [beside]), "1 presses around .* not forbidden")
    spoilt(board, bound, evidence, put("without", [[2, 4], [0, 0]]), "not beside")
    spoilt(board, bound, evidence, put("without", [beside, beside]), "names a bulb twice")
    spoilt(board, bound, evidence, put("bulb", still), "not forbidden|not beside")

    def weightless(wrong: Json) -> None:
        for cut in wrong["cuts"]:  # type: ignore[attr-defined]
            cut["weight"] = 0

    spoilt(board, bound, evidence, weightless, "proves 0, not")
    spoilt(board, bound, evidence, put("weight", 10**9), "proves 0, not")
    spoilt(board, bound, evidence, put("weight", -1), "weight is -1, not a whole number")
    spoilt(board, bound, evidence, put("bulb", [7, 7]), "there is no bulb")
    spoilt(board, bound, evidence, lambda wrong: wrong.update(divisor=0), "the divisor is 0")
    spoilt(board, bound, evidence, lambda wrong: wrong.update(divisor=10**6), "proves")
    with pytest.raises(TooLarge, match="too large to add up"):
        check_bound(board, "solve", bound, {**evidence, "divisor": 1 << 61})
    spoilt(board, bound, evidence, lambda wrong: wrong.update(cuts=7), "cuts is 7, not a list")


def test_spoilt_blocks() -> None:
    board = half_pressed("king", (8, 8))
    best = blocks_bound(board, sets_of(board))
    assert best is not None
    assert best.evidence is not None
    assert best.lower_bound is not None
    bound, evidence = best.lower_bound, best.evidence

    def put(k: int, key: str, value: object) -> Any:
        def change(wrong: Json) -> None:
            wrong["blocks"][k][key] = value  # type: ignore[index]

        return change

    blocks = evidence["blocks"]
    assert isinstance(blocks, list)
    game = next(
        k for k, block in enumerate(blocks) if len(block["rows"]) * len(block["columns"]) > 30
    )
    for k, block in enumerate(blocks):
        spoilt(board, bound, evidence, put(k, "least", block["least"] + 1), "may have .* presses")
    spoilt(board, bound, evidence, put(game, "rows", [0, 1, 2]), "in common|by whole lines")
    spoilt(board, bound, evidence, put(game, "rows", [0, 0]), "names line 0 twice")
    spoilt(board, bound, evidence, put(game, "columns", [8]), "there is no line 8")
    spoilt(board, bound, evidence, put(game, "least", 0), "proves")

    def twice(wrong: Json) -> None:
        wrong["blocks"].append(wrong["blocks"][game])  # type: ignore[attr-defined, index]

    spoilt(board, bound, evidence, twice, "two blocks have a cell in common")
    whole = {"rows": [*range(8)], "columns": [*range(8)], "least": 0}
    spoilt(board, 0, evidence, lambda wrong: wrong.update(blocks=[whole]), "by whole lines")
    plus = solvable(grid_graph("plus", (8, 8)), np.random.default_rng(1))
    with pytest.raises(CheckFailed, match="no product of rows and columns"):
        check_bound(plus, "solve", bound, evidence)
    with pytest.raises(TooLarge):
        check_bound(board, "solve", bound, evidence, spent())


def spent() -> Budget:
    budget = Budget()
    budget.left = 10
    return budget


def test_spoilt_folds() -> None:
    board = half_pressed("torus-plus", (12, 10))
    best = folded_bound(board)
    assert best is not None
    assert best.evidence == {"kind": "folded-torus", "times": 1}
    accepted(board, best.lower_bound, best.evidence)
    bound = best.lower_bound or 0
    for times, reason in [
        (2, "proves"),
        (3, "has no even side left|of less than 3"),
        (-1, "whole"),
    ]:
        spoilt(board, bound, best.evidence, lambda wrong, t=times: wrong.update(times=t), reason)
    plus = solvable(grid_graph("plus", (12, 10)), np.random.default_rng(1))
    with pytest.raises(CheckFailed, match="the pattern is plus"):
        check_bound(plus, "solve", bound, best.evidence)
    with pytest.raises(TooLarge):
        check_bound(board, "solve", bound, best.evidence, spent())
    cross = solvable(grid_graph("cross", (3, 3)), np.random.default_rng(1))
    with pytest.raises(CheckFailed, match="no full torus"):
        check_bound(cross, "solve", bound, best.evidence)
