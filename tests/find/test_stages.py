"""The stages of `order` and `solve`: nothing that is proved is lost, every stage leaves a step."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

import ponder
from ponder.check.certificate import Answer
from ponder.check.coset import Lightest
from ponder.check.result import Result
from ponder.cli import run
from ponder.find import stages
from ponder.find.context import Known, SearchOutcome, SolveSession
from ponder.find.coset.clusters import Clusters
from ponder.find.order import order
from ponder.find.solve import solve
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import Unknown
from ponder.system.errors import PonderError
from ponder.system.limits import TimeUp


def verified(result: Result) -> Result:
    """Return a result that `verify` has accepted."""
    ponder.verify(result.board, json.loads(json.dumps(result.to_json())))
    return result


def odd_rectangle() -> Board:
    """A row/column board with many press sets."""
    graph = grid_graph("cross", (5, 7))
    presses = np.random.default_rng(5).random(graph.size) < 0.5
    return Board(graph, ~graph.apply(presses), np.ones(graph.size, dtype=np.bool_))


def out_of_time(*_: object, **__: object) -> None:
    raise TimeUp("the time limit was reached")


def test_a_coset_without_an_order_in_time_still_has_its_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def doubtful(self: Clusters, cluster: object) -> Answer:
        return Unknown("not decided")

    board = Board.from_rows(["0000"] * 4, "plus")
    full = order(board)
    assert full.optimal
    monkeypatch.setattr(Clusters, "_decide", doubtful)
    result = verified(order(board))
    assert result.verdict == "unknown"
    assert result.lower_bound == full.count
    assert isinstance(result.evidence, Lightest)


def test_the_bound_of_a_choice_survives_what_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    board = odd_rectangle()
    asked: list[tuple[Callable[[Board], Result], str]] = [
        (order, "ponder.find.order.order_grid"),
        (solve, "ponder.find.solve.fewest_lines"),
    ]
    for command, later in asked:
        full = command(board)
        assert full.optimal
        with monkeypatch.context() as patch:
            patch.setattr(later, out_of_time)
            result = verified(command(board))
        verdict = "unknown" if command is order else "solved"  # that is played all the same
        helped = ": more time may decide it" if command is order else ""
        assert result.verdict == verdict
        assert result.reason == f"the time limit was reached{helped}"
        assert result.lower_bound == full.count
        assert type(result.evidence) is type(full.evidence)


@pytest.mark.parametrize("command", [order, solve])
def test_the_only_press_set_is_a_bound_when_the_search_ends(
    monkeypatch: pytest.MonkeyPatch, command: Callable[[Board], Result]
) -> None:
    board = ponder.read("instances/plus-10x10-no-order.txt")
    monkeypatch.setattr("ponder.find.order.order_problem", out_of_time)
    monkeypatch.setattr("ponder.find.coset.search.CosetSearch.run", out_of_time)
    result = verified(command(board))
    assert (result.verdict, result.lower_bound) == ("unknown", 52)
    assert isinstance(result.evidence, Lightest)


def test_presses_without_time_for_a_replay_leave_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.from_rows(["0011", "1101", "0110", "0001"])
    full = order(board)
    monkeypatch.setattr("ponder.find.stages.replay", out_of_time)
    for result in (verified(order(board)), verified(solve(board))):
        assert (result.verdict, result.presses) == ("unknown", None)
        assert result.reason == "the time limit was reached: more time may decide it"
        assert result.lower_bound == full.count


def test_wrong_presses_never_leave() -> None:
    board = Board.from_rows(["0011", "1101", "0110", "0001"])
    with pytest.raises(PonderError):
        stages.result(SolveSession(), Known(board, answer=SearchOutcome("liar", np.array([0]))))


@pytest.mark.parametrize(
    ("name", "methods"),
    [
        ("any-5x5-all.txt", ["linear", "lightest"]),
        ("plus-5x5-order.txt", ["linear", "clusters"]),
        ("plus-5x5-no-solution.txt", ["linear"]),
        ("cross-5x5-order.txt", ["linear", "switches", "lines"]),
        ("cross-6x7-holes.txt", ["linear", "counting", "subsets", "clusters"]),
        ("ibm-2023-04-24x24.txt", ["linear", "lines"]),
    ],
)
def test_solve_explains_its_stages(
    name: str, methods: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    board = ponder.read(f"instances/{name}")
    result = solve(board)
    assert [step.method for step in result.steps] == methods
    assert run(["solve", f"instances/{name}", "--explain", "--quiet"]) == 0
    lines = capsys.readouterr().out.split("\n\n")[-1].splitlines()
    assert [line.split()[0] for line in lines] == methods
    for line, step in zip(lines, result.steps, strict=True):
        assert line.endswith(step.outcome)


def test_errors_of_the_library_name_no_flags() -> None:
    board = Board.from_rows(["00", "00"], "plus")
    with pytest.raises(PonderError, match="the method lines needs a row/column board") as refused:
        order(board, method="lines")
    assert "--" not in str(refused.value)
