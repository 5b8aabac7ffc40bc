"""Lower bounds on all press sets, against every press set; their evidence, true and spoilt."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ponder
from ponder.check.evidence.linear_relaxation import NeighbourhoodPacking
from ponder.check.limits import TooLarge
from ponder.check.verification import check_bound, verify
from ponder.find.cosets import linear_relaxation, lower_bounds
from ponder.find.cosets.folded_torus import _classes, folded, folded_bound
from ponder.find.cosets.linear_relaxation import relaxation
from ponder.find.cosets.lower_bounds import packing, quick_lower_bound
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.find.switching.switching_blocks import blocks_bound
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, grid_graph
from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Json
from tests import checking
from tests.boards import solved_by
from tests.bounding import accepted, half_pressed, sets_of, solvable, spent, spoilt
from tests.clocks import stopping
from tests.depth import deep

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


def least_presses(board: Board) -> int:
    """The least weight, by going through all subsets of the bulbs."""
    return min(int((counts > 0).sum()) for counts in checking.press_sets(board))


def all_bounds(board: Board) -> dict[str, SearchOutcome]:
    """Every bound that there is for a board, by its kind."""
    sets = sets_of(board)
    found = [bound() for _, bound in lower_bounds._bounds(board, sets, 0, NEVER, NEVER)]
    packed = packing(board)
    if packed.size:
        found.append(SearchOutcome("packing", None, packed.size, NeighbourhoodPacking(packed)))
    found.append(relaxation(board))
    known = [best for best in found if best is not None and best.evidence is not None]
    return {best.evidence.kind: best for best in known if best.evidence is not None}


@pytest.mark.parametrize("count", deep(2, 9))
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("shape", SHAPES)
def test_small_grids(count: int, pattern: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(shape[0] * 10 + shape[1])
    for _ in range(count):
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


# ------------------------------------------------------------------------------------- the limits


@pytest.fixture(autouse=True)
def all_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine asks for no fewer bounds than a quiet one."""
    monkeypatch.setattr(lower_bounds, "QUICK_SECONDS", 3600.0)


def test_small_cosets_need_no_bound() -> None:
    board = solvable(grid_graph("torus-king", (3, 3)), np.random.default_rng(1))
    assert quick_lower_bound(board, sets_of(board)) is None


@pytest.mark.parametrize(
    ("pattern", "side", "kind"),
    [
        ("king", 20, "switching-blocks"),
        ("cross", 33, "switching-blocks"),
        ("torus-king", 9, "switching-blocks"),
        ("torus-plus", 24, "folded-torus"),
        ("plus", 39, "coset-minimum"),
        ("torus-plus", 33, "linear-relaxation"),
    ],
)
def test_large_cosets(pattern: str, side: int, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower_bounds, "estimated", lambda nullity: 3600.0)  # seconds, see above
    if kind != "coset-minimum":  # in hours, lists on parts would prove more
        monkeypatch.setattr(lower_bounds, "in_parts", lambda *_: None)
    board = solvable(grid_graph(pattern, (side, side)), np.random.default_rng(1))
    best = quick_lower_bound(board, sets_of(board))
    assert best is not None
    assert best.evidence is not None
    assert best.evidence.kind == kind
    assert best.lower_bound is not None
    assert best.lower_bound > 0
    assert (best.lower_bound - np.count_nonzero(sets_of(board).particular)) % 2 == 0
    accepted(board, best.lower_bound, best.evidence)


def test_out_of_time() -> None:
    board = solvable(grid_graph("plus", (39, 39)), np.random.default_rng(1))
    assert quick_lower_bound(board, sets_of(board), SearchContext(limits=Limits(0.0))) is None
    with pytest.raises(TimeUp):
        relaxation(board, Limits(0.0))
    with pytest.raises(TimeUp):
        packing(board, limits=Limits(0.0))
    torus = solvable(grid_graph("torus-plus", (40, 40)), np.random.default_rng(1))
    with pytest.raises(TimeUp):
        folded_bound(torus, Limits(0.0))
    king = solvable(grid_graph("king", (20, 20)), np.random.default_rng(1))
    with pytest.raises(TimeUp):
        blocks_bound(king, sets_of(king).particular, limits=Limits(0.0))


def test_what_takes_too_long_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither beyond the time, nor beyond what it takes to weigh all press sets."""
    board = solvable(grid_graph("plus", (39, 39)), np.random.default_rng(1))
    sets = sets_of(board)
    monkeypatch.setattr(lower_bounds, "in_parts", lambda *_: None)  # lists on parts prove it
    for slow, weighing in ((1e9, 1e10), (100.0, 50.0)):
        with monkeypatch.context() as patch:
            patch.setattr(linear_relaxation, "seconds", lambda board, slow=slow: slow)
            patch.setattr(lower_bounds, "estimated", lambda nullity, weighing=weighing: weighing)
            best = quick_lower_bound(board, sets)
        assert best is not None
        assert best.evidence is not None
        assert best.evidence.kind == "neighbourhood-packing"


def test_row_column_boards_under_any_rule_have_the_spectral_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the games are too large, a singular value proves more than blocks in parts."""
    monkeypatch.setattr(linear_relaxation, "seconds", lambda _: np.inf)
    board = solvable(grid_graph("cross", (101, 101)), np.random.default_rng(1))
    best = quick_lower_bound(board, sets_of(board))
    assert best is not None
    assert best.evidence is not None
    assert best.evidence.kind == "spectral"
    accepted(board, best.lower_bound, best.evidence)


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


def test_spoilt_packings() -> None:
    board = Board.from_rows(["010000", "000000"], "plus", rule="any")
    bound: Json = {"kind": "neighbourhood-packing", "bulbs": [[0, 0], [1, 3], [0, 5]]}
    assert check_bound(board, "solve", 3, bound) is None

    def names(*bulbs: list[int]) -> Any:
        return lambda wrong: wrong.update(bulbs=list(bulbs))

    spoilt(board, 2, bound, names([0, 1], [1, 3]), r"0 presses around \(0,1\) are not forbidden")
    spoilt(board, 2, bound, names([0, 2], [1, 3]), "proves 0, not 2")
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
    found = relaxation(board)
    assert found is not None
    assert found.lower_bound is not None
    assert found.evidence is not None
    bound, evidence = found.lower_bound, found.evidence.to_json(board)
    accepted(board, bound, found.evidence)

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


def test_spoilt_folds() -> None:
    board = half_pressed("torus-plus", (12, 10))
    best = folded_bound(board)
    assert best is not None
    assert best.evidence is not None
    accepted(board, best.lower_bound, best.evidence)
    bound, evidence = best.lower_bound or 0, best.evidence.to_json(board)
    assert evidence == {"kind": "folded-torus", "times": 1}
    for times, reason in [
        (2, "proves"),
        (3, "has no even side left|of less than 3"),
        (-1, "whole"),
    ]:
        spoilt(board, bound, evidence, lambda wrong, t=times: wrong.update(times=t), reason)
    plus = solvable(grid_graph("plus", (12, 10)), np.random.default_rng(1))
    with pytest.raises(CheckFailed, match="the pattern is plus"):
        check_bound(plus, "solve", bound, evidence)
    with pytest.raises(TooLarge):
        check_bound(board, "solve", bound, evidence, spent())
    cross = solvable(grid_graph("cross", (3, 3)), np.random.default_rng(1))
    with pytest.raises(CheckFailed, match="not a full torus"):
        check_bound(cross, "solve", bound, evidence)


def test_a_torus_folds_along_even_sides() -> None:
    torus = Board.from_rows(["000000"] * 5, "torus-plus")
    assert [part.graph.size for part in folded(torus)] == [15, 15]
    assert [steps.tolist() for steps in _classes(5)] == [[0, 2, 4, 1, 3]]
