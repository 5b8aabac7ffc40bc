"""Boards with many press sets, and what their lower bounds have to pass."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

from ponder.check.certificate import Bound
from ponder.check.verification import check_bound
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.model.graph import Graph, grid_graph
from ponder.system.errors import CheckFailed
from ponder.system.types import Json
from tests.boards import solved_by


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


def accepted(board: Board, bound: int | None, evidence: Bound | None) -> None:
    """The checker accepts the bound, as it is written to a file, and none that is higher."""
    assert bound is not None
    assert evidence is not None
    written = json.loads(json.dumps(evidence.to_json(board)))
    for command in ("order", "solve"):
        assert check_bound(board, command, bound, written) is None
        with pytest.raises(CheckFailed, match=r"bound: .* proves \d+, not"):
            check_bound(board, command, bound + 2, written)


def spoilt(board: Board, bound: int, evidence: Json, change: Any, reason: str) -> None:
    wrong = copy.deepcopy(evidence)
    change(wrong)
    with pytest.raises(CheckFailed, match=reason):
        check_bound(board, "solve", bound, wrong)
