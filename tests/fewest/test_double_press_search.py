"""The search for fewer pairs: press counts stay legal whatever happens, and pairs are saved."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from ponder.check.replay import replay
from ponder.fewest.clusters import Cluster, Clusters
from ponder.fewest.double_press_search import DoublePressSearch
from ponder.fewest.fewest_presses import fewest
from ponder.fewest.legal_sequence import legal_sequences
from ponder.fewest.plays import near_of
from ponder.fewest.repair import repair
from ponder.limits import NEVER, Limits, TimeUp
from ponder.linear.press_sets import PressSets, press_sets
from ponder.puzzle.board import Board
from ponder.puzzle.effort import Effort
from ponder.puzzle.graph import EdgeGraph, Graph, grid_graph
from ponder.puzzle.ordering_problem import Answer
from ponder.puzzle.result import Best
from tests.boards import solved_by
from tests.clocks import stopping


def start(graph: Graph, seed: int) -> tuple[Board, Clusters, list[int], list[int]]:
    """A random press set, and legal press counts for it."""
    pressed = np.random.default_rng(seed).random(graph.size) < 0.5
    board = solved_by(graph, pressed)
    clusters, press_set = Clusters(board), pressed.astype(int).tolist()
    rng = random.Random(seed)
    counts = repair(clusters, press_set, most=graph.size, rng=rng, limits=NEVER)
    assert counts is not None
    return board, clusters, press_set, counts


def check(board: Board, press_set: list[int], search: DoublePressSearch) -> None:
    """The counts are legal, belong to the press set, and are as many as the search says."""
    counts = search.counts
    assert [m & 1 for m in counts] == press_set
    assert sum(counts) == sum(press_set) + 2 * search.doubles
    sequence = Clusters(board).sequence(counts)
    assert sequence is not None
    replay(board, sequence)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pattern", ["plus", "torus-plus", "king", "stencil 1,2 -1,-2 2,1 -2,-1"])
def test_counts_stay_legal(pattern: str, seed: int) -> None:
    board, clusters, press_set, counts = start(grid_graph(pattern, (9, 10)), seed)
    search = DoublePressSearch(clusters, counts, press_set, random.Random(seed), NEVER)
    before = search.doubles
    for _ in range(4):
        saved = search.steps(25)
        assert saved == (search.doubles < before)
        before = search.doubles
        check(board, press_set, search)


def test_one_pair_in_the_middle_saves_two() -> None:
    """Stars in a row: each of the centres mends its three odd components at once."""
    edges, size = [], 0
    for _ in range(6):
        edges += [(size, size + k) for k in (1, 2, 3)] + [
            (size + k, size + k + 3) for k in (1, 2, 3)
        ]
        size += 7
    graph = EdgeGraph(size, edges)
    press_set = [int(v % 7 > 0) for v in range(size)]
    counts = [3 if v % 7 > 3 else bit for v, bit in enumerate(press_set)]
    board = solved_by(graph, np.array(press_set, dtype=np.bool_))
    search = DoublePressSearch(Clusters(board), counts, press_set, random.Random(1), NEVER)
    assert search.doubles == 18
    assert search.steps(300)
    assert search.doubles == 6
    check(board, press_set, search)


@pytest.mark.parametrize("calls", range(0, 60, 7))
@pytest.mark.parametrize("error", [TimeUp, KeyboardInterrupt])
def test_an_end_in_the_middle_of_a_step_undoes_it(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException], calls: int
) -> None:
    board, clusters, press_set, counts = start(grid_graph("plus", (9, 10)), 1)
    search = DoublePressSearch(clusters, counts, press_set, random.Random(0), NEVER)
    answer, count = Clusters.answer, itertools.count()

    def ended(self: Clusters, cluster: Cluster) -> Answer:
        if next(count) == calls:
            raise error
        return answer(self, cluster)

    with monkeypatch.context() as patched:
        patched.setattr(Clusters, "answer", ended)
        with pytest.raises(error):
            search.steps(10_000)
    check(board, press_set, search)
    search.steps(20)
    check(board, press_set, search)


@pytest.mark.parametrize("pattern", ["plus", "king", "torus-plus"])
def test_a_played_sequence_is_mended_bit_by_bit(
    monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    """As on large boards: the orders of its clusters are known, and stay so if nothing changes."""
    board, clusters, *_ = start(grid_graph(pattern, (20, 20)), 3)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    presses = next(legal_sequences(board, sets.particular, near_of(board), random.Random(0)))
    counts = clusters.learn(presses)
    assert counts == np.bincount(presses, minlength=board.graph.size).tolist()
    found = clusters.sequence(counts)
    assert found is not None
    replay(board, found)
    odd = sets.particular.astype(int).tolist()
    search = DoublePressSearch(clusters, counts, odd, random.Random(0), NEVER)
    search.steps(100)
    check(board, odd, search)

    monkeypatch.setattr("ponder.fewest.fewest_presses._WIDE", 0)
    best = fewest(board, sets, Effort(limits=stopping(300)))
    assert isinstance(best, Best)
    assert best.presses is not None
    assert best.presses.size <= presses.size
    replay(board, best.presses)


def test_no_time_no_step() -> None:
    board, clusters, press_set, counts = start(grid_graph("plus", (9, 10)), 2)
    search = DoublePressSearch(clusters, counts, press_set, random.Random(0), Limits(0.0))
    assert not search.steps(100)
    assert search.counts == counts
    check(board, press_set, search)
