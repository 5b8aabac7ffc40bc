"""Row/column boards with an odd side: against all press sets, and cut short anywhere."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest

import ponder
from ponder.check.result import Result
from ponder.find.context import Chosen, SearchContext, SearchOutcome
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.row_column.maximum_flow import half_factor_of
from ponder.find.row_column.odd_sides import OddSides, Question
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.limits import TimeUp
from ponder.system.types import Bits
from tests.boards import cross_pressed
from tests.clocks import Looks, stopping
from tests.depth import deep

SHAPES = [(3, 3), (3, 4), (4, 3), (5, 5), (4, 5), (5, 6), (3, 9), (1, 1), (1, 6), (7, 1)]


def random_presses(shape: tuple[int, int], seed: int) -> Bits:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.random(shape) < rng.choice([0.1, 0.2, 0.35, 0.5]))


def truth(board: Board, question: Question) -> int | None:
    """The least cost of all press sets, one flow for each."""
    sets, graph = press_sets(board), board.graph
    assert isinstance(sets, PressSets)
    assert isinstance(graph, CrossGraph)
    costs = []
    for member in sets.members():
        deficit = half_factor_of(graph.to_grid(member)).deficit
        if question == "any" or not (question == "order" and deficit):
            twice = 0 if question == "any" else 2 * deficit
            costs.append(int(np.count_nonzero(member)) + twice)
    return min(costs, default=None)


@pytest.mark.parametrize("question", ["order", "solve", "any"])
@pytest.mark.parametrize("count", deep(3, 60))
def test_against_all_press_sets(count: int, question: Question) -> None:
    for seed, (at, shape) in itertools.product(range(count), enumerate(SHAPES)):
        presses = random_presses(shape, 100 * at + seed)
        board = cross_pressed(presses)
        choice = OddSides(board, presses.reshape(-1), question, SearchContext(seed=seed))
        choice.run()
        outcome, best = choice.outcome(), truth(board, question)
        if isinstance(outcome, Chosen):
            assert best is not None
            assert (outcome.lower_bound or 0) <= best <= outcome.cost
            assert np.array_equal(board.graph.apply(outcome.press_set), board.change)
        elif isinstance(outcome, SearchOutcome):
            assert best is None or (outcome.lower_bound or 0) <= best
        else:
            assert best is None


@pytest.mark.parametrize("command", [ponder.order, ponder.solve])
@pytest.mark.parametrize("shape", [(5, 5), (5, 7), (7, 7), (6, 7), (9, 3)])
def test_commands_close_small_boards(
    shape: tuple[int, int], command: Callable[[Board], Result]
) -> None:
    for seed in range(4):
        board = cross_pressed(random_presses(shape, seed))
        result = command(board)
        ponder.verify(board, json.loads(json.dumps(result.to_json())))
        assert result.optimal or result.verdict == "impossible"


@pytest.mark.parametrize("question", ["order", "solve"])
def test_a_choice_that_is_cut_short_still_holds(question: Question) -> None:
    presses = np.random.default_rng(3).random((9, 11)) < 0.5
    board, looks = cross_pressed(presses), Looks(None)

    def chosen(context: SearchContext) -> SearchOutcome:
        choice = OddSides(board, presses.reshape(-1), question, context)
        with suppress(TimeUp):
            choice.run()
        outcome = choice.outcome("time is up")
        assert isinstance(outcome, SearchOutcome)
        return outcome

    best = chosen(SearchContext(limits=looks.clock))
    assert isinstance(best, Chosen)
    assert best.cost == best.lower_bound
    assert looks.seen > 8
    for look in itertools.chain(range(1, 10), range(10, looks.seen, max(1, looks.seen // 20))):
        outcome = chosen(SearchContext(limits=stopping(look)))
        assert (outcome.lower_bound or 0) <= best.cost
        if isinstance(outcome, Chosen):
            assert outcome.cost >= best.cost


def test_large_boards_have_a_choice_without_a_proof() -> None:
    presses = np.random.default_rng(1).random((55, 57)) < 0.3
    board = cross_pressed(presses)
    result = ponder.solve(board, timeout=3.0)
    assert result.verdict == "solved"
    assert not result.optimal or result.evidence is not None
