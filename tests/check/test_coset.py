"""Which press sets a list of refutations covers, and which bounds follow, against brute force."""

from __future__ import annotations

import numpy as np
import pytest

from ponder.check.coset import Coset
from ponder.check.linear import press_sets
from ponder.check.verification import check_bound, verify
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.system.errors import CheckFailed
from tests import checking
from tests.boards import solved_by
from tests.checking import impossible
from tests.kinds import check_refutation

SHAPES = [
    ("plus", (3, 4), 2),
    ("plus", (4, 4), 4),
    ("king", (3, 3), 3),
    ("torus-plus", (3, 4), 4),
    ("cross", (3, 3), 4),
    ("cross", (3, 4), 3),
]


def some_boards(pattern: str, shape: tuple[int, int], mixed: bool, count: int) -> list[Board]:
    """Solvable boards, the goal all lit or mixed."""
    graph, rng = grid_graph(pattern, shape), np.random.default_rng(7)
    found = []
    for _ in range(count):
        goal = rng.random(graph.size) < 0.5 if mixed else np.ones(graph.size, dtype=bool)
        found.append(solved_by(graph, rng.random(graph.size) < 0.5, goal))
    return found


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize(("pattern", "shape", "nullity"), SHAPES)
def test_covered(pattern: str, shape: tuple[int, int], nullity: int, mixed: bool) -> None:
    """With a part for every component without an order, exactly the members without an order are
    covered; with only some of the parts, no other member is."""
    for board in some_boards(pattern, shape, mixed, 3):
        members = checking.press_sets(board)
        assert len(members) == 1 << press_sets(board).nullity
        coset = Coset.of(board, press_sets(board))
        orderable = {coset.index(s): checking.play_order(board, s) is not None for s in members}
        parts = [
            check_refutation(board, part)
            for s in members
            for part in checking.without_order(board, s)
        ]
        covered = coset.covered(parts)
        for index, has_order in orderable.items():
            assert covered[index] == (not has_order)
        for some in (parts[::2], parts[:1], parts[1:], []):
            assert not (coset.covered(some) & ~covered).any()


def test_one_part_for_many_press_sets() -> None:
    """A local part covers every member that agrees on its scope: fewer parts than members."""
    shared = 0
    for board in some_boards("plus", (4, 4), False, 20):
        members = checking.press_sets(board)
        coset = Coset.of(board, press_sets(board))
        covered, parts = np.zeros(coset.size, dtype=bool), []
        for s in members:
            if not covered[coset.index(s)]:
                parts += checking.without_order(board, s)[:1]
                covered = coset.covered([check_refutation(board, part) for part in parts])
        if covered.all():
            verify(board, impossible(board, "C2", {"kind": "coset", "parts": parts}))
            shared += len(parts) < len(members)
            for k in range(len(parts)):
                rest = parts[:k] + parts[k + 1 :]
                complete = coset.covered([check_refutation(board, p) for p in rest]).all()
                if complete:
                    continue
                with pytest.raises(CheckFailed, match="press sets are not refuted"):
                    verify(board, impossible(board, "C2", {"kind": "coset", "parts": rest}))
    assert shared


@pytest.mark.parametrize("tables", [True, False])
@pytest.mark.parametrize("command", ["order", "solve"])
@pytest.mark.parametrize(("pattern", "shape", "nullity"), SHAPES)
def test_bound_by_parts(
    pattern: str,
    shape: tuple[int, int],
    nullity: int,
    command: str,
    tables: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The largest bound that all refutations prove is accepted, and no larger one.

    By a table of all press sets, and by the light ones alone, as where a table is too large.
    """
    if not tables:
        monkeypatch.setattr("ponder.check.evidence.coset.MOST_NULLITY", -1)
    for board in some_boards(pattern, shape, False, 2):
        members = checking.press_sets(board)
        parts = [part for s in members for part in checking.without_order(board, s)]
        least = []
        for s in members:
            if checking.play_order(board, s) is not None:
                least.append(int(s.sum()))
            elif command == "solve":
                apart = 0
                if pattern == "cross" and not np.any(board.odd_later):
                    grid = s.reshape(shape)
                    apart = abs(int((grid.sum(0) % 2).sum()) - int((grid.sum(1) % 2).sum()))
                least.append(int(s.sum()) + max(2, apart))
        if not least:
            continue
        bound: dict[str, object] = {"kind": "coset", "parts": parts}
        for lower_bound in range(min(least) + 3):
            if lower_bound <= min(least):
                assert check_bound(board, command, lower_bound, bound) is None
            else:
                with pytest.raises(CheckFailed, match="may need fewer"):
                    check_bound(board, command, lower_bound, bound)
        fewest = checking.shortest(board)
        if command == "solve" and fewest is not None and board.graph.size < 13:
            assert min(least) <= len(fewest)


def counted(side: str) -> dict[str, object]:
    """The count bound alone as evidence."""
    return {"kind": "switches", "side": side, "raised": []}


@pytest.mark.parametrize("command", ["order", "solve"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (3, 2), (2, 3), (3, 3), (5, 2), (3, 4), (1, 5)])
def test_switches(shape: tuple[int, int], command: str) -> None:
    """The least cost over the switches equals the least over all press sets."""
    bound = counted("rows" if shape[0] % 2 else "columns")
    for board in some_boards("cross", shape, False, 12):
        costs = []
        for s in checking.press_sets(board):
            grid = s.reshape(shape)
            apart = abs(int((grid.sum(0) % 2).sum()) - int((grid.sum(1) % 2).sum()))
            if command == "solve" or not apart:
                costs.append(int(s.sum()) + apart)
        if costs:
            for lower_bound in range(min(costs) + 1):
                assert check_bound(board, command, lower_bound, bound) is None
            with pytest.raises(CheckFailed, match=f"switches proves {min(costs)}, not"):
                check_bound(board, command, min(costs) + 1, bound)


@pytest.mark.parametrize("kind", ["coset-minimum", "unique-press-set"])
@pytest.mark.parametrize(("pattern", "shape", "nullity"), [*SHAPES, ("plus", (3, 3), 0)])
def test_lightest_press_set(kind: str, pattern: str, shape: tuple[int, int], nullity: int) -> None:
    for board in some_boards(pattern, shape, True, 3):
        members = checking.press_sets(board)
        least = min(int(s.sum()) for s in members)
        if kind == "unique-press-set" and len(members) > 1:
            with pytest.raises(CheckFailed, match=r"press sets, not one"):
                check_bound(board, "solve", least, {"kind": kind})
            continue
        assert check_bound(board, "solve", least, {"kind": kind}) is None
        with pytest.raises(CheckFailed, match=f"{kind} proves {least}, not {least + 1}"):
            check_bound(board, "solve", least + 1, {"kind": kind})


def test_evidence_for_an_unsolvable_board() -> None:
    board = Board.from_rows(["01", "00"], pattern="king")
    for kind in ("coset-minimum", "unique-press-set"):
        with pytest.raises(CheckFailed, match="cannot be reached by any presses"):
            check_bound(board, "solve", 0, {"kind": kind})
    for shape in ((1, 2), (3, 3)):
        goal = np.ones(shape[0] * shape[1], dtype=bool)
        lit = goal.copy()
        lit[0] = False
        cross = Board(grid_graph("cross", shape), lit, goal)
        assert not checking.press_sets(cross)
        with pytest.raises(CheckFailed, match="cannot be reached by any presses"):
            check_bound(cross, "solve", 0, counted("rows"))
