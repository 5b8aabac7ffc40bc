"""The fewest legal presses against exhaustive search; every sequence replayed, every bound true."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from ponder.check.evidence.coset import LighterRefuted
from ponder.check.evidence.coset_minimum import UniquePressSet
from ponder.check.evidence.decomposition import Decomposition
from ponder.check.evidence.odd_components import OddComponents
from ponder.check.evidence.odd_witness import OddWitness
from ponder.check.kinds import Answer
from ponder.check.replay import replay
from ponder.find.cosets import annealing, coset
from ponder.find.cosets.annealing import CosetSearch
from ponder.find.cosets.minimum_weight import lightest
from ponder.find.fewest import fewest_presses, incumbent
from ponder.find.fewest.clusters import Cluster, Clusters
from ponder.find.fewest.fewest_presses import fewest
from ponder.find.fewest.incumbent import Incumbent
from ponder.find.fewest.legal_sequence import legal_sequences
from ponder.find.fewest.odd_components import savings
from ponder.find.fewest.plays import neighbour_index
from ponder.find.fewest.repair import repair
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.ordering.dead_ends import dead_end
from ponder.find.search.context import Log, SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.model.board import Board, Rule
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from ponder.model.ordering_problem import Order, Unknown
from ponder.system.limits import Limits, TimeUp
from ponder.system.types import Bits, bincount
from tests import brute
from tests.boards import numbered, random_edges, solved_by
from tests.clocks import stopping
from tests.deciding import InThisProcess
from tests.depth import deeper

Edges = list[tuple[int, int]]


@pytest.fixture(scope="module", autouse=True)
def _no_child_processes() -> Iterator[None]:
    """Questions about pairs are decided in this process, which is faster."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(incumbent, "Decider", InThisProcess)
        yield


def solved(board: Board, **options: object) -> SearchOutcome:
    """Solve a board that is known to be solvable."""
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    if board.rule == "any":
        return lightest(board, sets)
    found = fewest(board, sets, **options)  # type: ignore[arg-type]
    assert isinstance(found, SearchOutcome)
    return found


def bound_of(found: SearchOutcome) -> int:
    assert found.lower_bound is not None
    return found.lower_bound


def agrees(
    graph: Graph, edges: Edges, goal: int, rule: Rule, states: Iterable[int] | None = None
) -> int:
    """Compare states with exhaustive search; return how many of them are solvable."""
    size = graph.size
    known = brute.distances(size, edges, goal, rule)
    solvable = 0
    for state in range(1 << size) if states is None else states:
        board = numbered(graph, state, goal, rule)
        sets = press_sets(board)
        if isinstance(sets, OddWitness):
            assert state not in known
            continue
        if dead_end(board) is not None:
            assert state not in known
            continue
        found = lightest(board, sets) if rule == "any" else fewest(board, sets)
        assert found.presses is not None
        where = f"{edges} {state:b} -> {goal:b} {rule}"
        assert brute.replays(size, edges, state, goal, found.presses.tolist(), rule), where
        assert found.presses.size == known[state], where
        assert found.lower_bound == known[state], where
        assert found.optimal
        assert found.reason is None
        solvable += 1
    return solvable


def random_graph(rng: random.Random, most: int) -> tuple[int, Edges]:
    size, density = rng.randint(1, most), rng.uniform(0.2, 0.9)
    return size, random_edges(size, density, rng)


@pytest.mark.parametrize(("pattern", "shape"), [("plus", (3, 3)), deeper("king", (3, 3))])
def test_every_state_of_small_boards(pattern: str, shape: tuple[int, int]) -> None:
    edges = brute.grid_edges(*shape, pattern)
    graph = grid_graph(pattern, shape)
    assert agrees(graph, edges, (1 << graph.size) - 1, "unlit") > 0


@pytest.mark.deep
@pytest.mark.parametrize(
    ("pattern", "shape"), [("plus", (3, 4)), ("plus", (4, 4)), ("king", (3, 4)), ("cross", (3, 3))]
)
def test_every_state_of_larger_boards(pattern: str, shape: tuple[int, int]) -> None:
    edges = brute.grid_edges(*shape, pattern)
    graph = grid_graph(pattern, shape)
    assert agrees(graph, edges, (1 << graph.size) - 1, "unlit") > 0


@pytest.mark.parametrize(
    ("pattern", "shape", "count"), [("plus", (3, 4), 300), ("torus-plus", (3, 4), 150)]
)
def test_random_states(pattern: str, shape: tuple[int, int], count: int) -> None:
    edges = brute.grid_edges(*shape, pattern)
    graph = grid_graph(pattern, shape)
    rng = random.Random(5)
    states = [rng.randrange(1 << graph.size) for _ in range(count)]
    assert agrees(graph, edges, (1 << graph.size) - 1, "unlit", states) > 5


@pytest.mark.deep
@pytest.mark.parametrize(("pattern", "shape"), [("torus-plus", (4, 4)), ("torus-plus", (4, 5))])
def test_random_states_of_larger_tori(pattern: str, shape: tuple[int, int]) -> None:
    edges = brute.grid_edges(*shape, pattern)
    graph = grid_graph(pattern, shape)
    rng = random.Random(6)
    states = [rng.randrange(1 << graph.size) for _ in range(300)]
    assert agrees(graph, edges, (1 << graph.size) - 1, "unlit", states) > 0


@pytest.mark.parametrize("seed", range(25))
def test_every_state_of_random_graphs(seed: int) -> None:
    rng = random.Random(seed)
    size, edges = random_graph(rng, 6)
    rule = rng.choice(["unlit", "lit", "unlit", "any"])
    agrees(EdgeGraph(size, edges), edges, rng.randrange(1 << size), rule)  # type: ignore[arg-type]


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(50))
def test_every_state_of_larger_random_graphs(seed: int) -> None:
    rng = random.Random(1000 + seed)
    size, edges = random_graph(rng, 10)
    goal = (1 << size) - 1 if seed % 2 else rng.randrange(1 << size)
    agrees(EdgeGraph(size, edges), edges, goal, rng.choice(["unlit", "lit"]))


def test_dead_ends_are_the_only_obstacle_on_small_graphs() -> None:
    """Every state that the linear system reaches is reached, or a dead end says why not."""
    seen = {"start": 0, "goal": 0}
    for size in (1, 2, 3):
        pairs = list(itertools.combinations(range(size), 2))
        for chosen in range(1 << len(pairs)):
            edges = [p for k, p in enumerate(pairs) if chosen >> k & 1]
            graph = EdgeGraph(size, edges)
            for goal, rule in itertools.product(range(1 << size), ("unlit", "lit")):
                known = brute.distances(size, edges, goal, rule)
                for state in range(1 << size):
                    board = numbered(graph, state, goal, rule)  # type: ignore[arg-type]
                    if isinstance(press_sets(board), OddWitness):
                        continue
                    dead = dead_end(board)
                    assert (dead is None) == (state in known)
                    if dead is not None:
                        seen[dead.end] += 1
                        assert dead.to_json(board)["end"] == dead.end
    assert min(seen.values()) > 10


def test_dead_ends_name_the_piece_that_is_stuck() -> None:
    graph = EdgeGraph(4, [(0, 1), (2, 3)])
    dead = dead_end(numbered(graph, 0b1100, 0b0011, "unlit"))
    assert dead is not None
    assert dead.members.tolist() == [2, 3]
    assert "lit" in dead.sentence(numbered(graph, 0b1100, 0b0011, "unlit"))


@pytest.mark.parametrize("seed", range(6))
def test_random_plus_boards_are_proved(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = Board.from_grid(rng.random((10, 10)) < 0.5, "plus")
    found = solved(board)
    assert found.presses is not None
    assert found.optimal
    edges = brute.grid_edges(10, 10, "plus")
    lit = sum(1 << v for v in np.flatnonzero(board.lit).tolist())
    assert brute.replays(100, edges, lit, (1 << 100) - 1, found.presses.tolist())


def test_no_bulbs_and_nothing_to_do() -> None:
    assert solved(numbered(EdgeGraph(0, []), 0, 0)).optimal
    assert solved(Board.from_rows(["11", "11"], "plus")).lower_bound == 0


def test_repair_does_not_press_one_bulb_again_and_again() -> None:
    """A pair of bulbs that two presses more did not mend got two more, until nothing could."""
    rng = np.random.default_rng(3)
    graph = grid_graph("plus", (40, 40))
    presses = rng.random(graph.size) < 0.5
    clusters = Clusters(Board(graph, ~graph.apply(presses), np.ones(graph.size, dtype=np.bool_)))
    press_set = presses.astype(int).tolist()
    odd = len(savings(clusters, clusters.of(press_set)).odd)
    mended = repair(clusters, press_set, most=odd, rng=random.Random(0), limits=Limits(None))
    assert mended is not None
    assert sum(mended) <= sum(press_set) + 2 * odd
    assert max(mended) <= 4


def test_what_a_repair_has_missed_is_found_place_by_place() -> None:
    """Too many double presses become fewer: legal ones of the same press set, down to the least."""
    rng = np.random.default_rng(4)
    graph = grid_graph("plus", (16, 16))
    presses, improved = rng.random(graph.size) < 0.5, 0
    board = Board(graph, ~graph.apply(presses), np.ones(graph.size, dtype=np.bool_))
    clusters, press_set = Clusters(board), presses.astype(int).tolist()
    found = savings(clusters, clusters.of(press_set))
    least = sum(press_set) + 2 * found.least
    for seed in range(6):
        incumbent = Incumbent(board, clusters, Limits(None), random.Random(seed))
        worse = press_set
        for v in rng.choice(graph.size, 12, replace=False).tolist():
            worse = [m + 2 * (u == v) for u, m in enumerate(worse)]
        incumbent.repair(worse, 200, 1)
        before = incumbent.count
        assert before is not None
        incumbent.improve(press_set, found, least)
        counts = incumbent.incumbent
        assert counts is not None
        assert not clusters.refused(counts)
        assert [m & 1 for m in counts] == press_set
        assert least <= sum(counts) <= before
        improved += sum(counts) < before
        assert incumbent.sequence() is not None
        other = [1 - m for m in press_set]
        incumbent.improve(other, found, 0)  # of another press set: nothing is done
        assert incumbent.incumbent == counts
    assert improved


# ------------------------------------------------------------------------- cosets not to be listed


def king_board(side: int, seed: int) -> Board:
    graph = grid_graph("king", (side, side))
    presses = np.random.default_rng(seed).random(graph.size) < 0.5
    return Board(graph, ~graph.apply(presses), np.ones(graph.size, dtype=np.bool_))


def test_a_bound_known_from_elsewhere_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    board = king_board(5, 1)
    least = solved(board).count
    assert least is not None
    monkeypatch.setattr(fewest_presses, "SEARCHED", 2)
    monkeypatch.setattr(
        fewest_presses, "ByNeed", lambda *args: pytest.fail("the bound is met already")
    )
    found = solved(board, least=least)
    assert (found.count, found.reason) == (least, None)
    assert (found.lower_bound or 0) < least  # its own: the other is somebody else's
    said: list[str] = []
    with pytest.raises(pytest.fail.Exception):
        solved(board, least=least - 1, context=SearchContext(progress=said.append))
    assert said[-1].startswith(f"between {least - 1} and {least} presses")


def test_searches_of_a_large_coset_start_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first restart is not the last one; what is found is legal, and as few as any estimate."""
    board = king_board(11, 0)
    found_by: list[int] = []
    restart = CosetSearch.annealed

    def counted(*args: Any) -> list[tuple[int, Bits]]:
        found = restart(*args)
        found_by.append(found[0][0])
        return found

    monkeypatch.setattr(fewest_presses, "SEARCHED", 20)  # the nullity is 21
    monkeypatch.setattr("ponder.find.cosets.coset.LISTED", 20)
    monkeypatch.setattr(annealing, "RESTARTS", 5)
    monkeypatch.setattr(CosetSearch, "annealed", counted)
    found = solved(board)
    assert len(found_by) >= 3
    assert found.count == min(found_by)
    # with all its light press sets gone through, line by line, a board of king is proved
    assert (found.reason, found.lower_bound) == (None, found.count)
    monkeypatch.setattr(coset, "light_press_sets", lambda *_: None)
    assert solved(board).reason == "nothing better in 5 restarts, and no proof that this is best"


# --------------------------------------------------------------------- limits and interruptions


def hard_board() -> Board:
    rng = np.random.default_rng(3)
    return Board.from_grid(rng.random((12, 12)) < 0.5, "plus")


def check_partial(board: Board, found: SearchOutcome) -> None:
    assert found.presses is None or bound_of(found) <= found.presses.size
    if found.presses is not None:
        size = board.graph.size
        edges = [tuple(e) for e in board.graph.edges_within(np.arange(size)).tolist()]
        lit = sum(1 << v for v in np.flatnonzero(board.lit).tolist())
        assert brute.replays(size, edges, lit, (1 << size) - 1, found.presses.tolist())


def test_a_run_without_time_still_has_a_bound() -> None:
    board = hard_board()
    found = solved(board, context=SearchContext(limits=Limits(0.0)))
    assert found.reason == "time is up"
    check_partial(board, found)
    assert found.lower_bound == int(press_sets(board).particular.sum())  # type: ignore[union-attr]


@pytest.mark.parametrize("after", range(4))
def test_stopped_and_interrupted_runs_return_what_they_have(after: int) -> None:
    board = hard_board()
    optimum = solved(board)
    found = solved(board, context=SearchContext(limits=stopping(10**after)))
    check_partial(board, found)
    assert bound_of(found) <= bound_of(optimum)
    assert found.optimal or found.reason == "time is up"

    said: list[str] = []

    def interrupt(text: str) -> None:
        said.append(text)
        if len(said) > after:
            raise KeyboardInterrupt

    found = solved(board, context=SearchContext(progress=interrupt))
    check_partial(board, found)
    assert found.optimal or found.reason == "interrupted"
    assert said[0].startswith("between ")


def test_the_gap_closes_and_every_stage_is_told() -> None:
    """The progress line says how far bound and sequence are apart; the log, who found a better."""
    said: list[str] = []
    log = Log()
    found = solved(hard_board(), context=SearchContext(progress=said.append, log=log))
    gaps = [re.fullmatch(r"between (\d+) and (\d+) presses(, gap [\d.]+ %)?", x) for x in said]
    assert all(gaps)
    bounds, counts = (np.array([int(gap[k]) for gap in gaps if gap]) for k in (1, 2))
    assert (np.diff(bounds) >= 0).all()
    assert (np.diff(counts) <= 0).all()
    assert [gap[3] is None for gap in gaps if gap] == (bounds == counts).tolist()
    finders = [step for step in log.steps if step.outcome.endswith(" presses")]
    assert finders[0].method == "play"
    assert found.presses is not None
    assert finders[-1].outcome == f"{found.presses.size} presses"
    assert found.statistics["sequence_by"] == finders[-1].method
    assert {"counting", "subsets"} <= {step.method for step in log.steps}


@pytest.mark.parametrize("calls", range(20))
def test_an_interruption_at_any_moment_leaves_a_true_bound(
    monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    """Wherever Ctrl-C comes, in the middle of a step too, no press set may be forgotten."""
    graph = grid_graph("plus", (4, 4))
    pressed = np.random.default_rng(calls).random(16) < 0.5
    goal = np.ones(16, dtype=np.bool_)
    board = Board(graph, goal ^ graph.apply(pressed), goal)
    optimum = solved(board)
    decide, count = Clusters._decide, itertools.count()

    def interrupted(self: Clusters, cluster: Cluster) -> Answer:
        if next(count) == calls:
            raise KeyboardInterrupt
        return decide(self, cluster)

    monkeypatch.setattr(Clusters, "_decide", interrupted)
    found = solved(board)
    check_partial(board, found)
    assert bound_of(found) <= bound_of(optimum)


def test_a_press_set_in_hand_keeps_the_bound_of_its_odd_components(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Time is up while its clusters are ordered: more than the weight is known by then."""
    board = hard_board()
    optimum = solved(board)

    def late(self: Clusters, cluster: Cluster) -> Answer:
        raise TimeUp

    monkeypatch.setattr(Clusters, "answer", late)
    found = solved(board)
    assert found.presses is not None  # it was played before
    check_partial(board, found)
    weight = int(press_sets(board).particular.sum())  # type: ignore[union-attr]
    assert weight < bound_of(found) <= bound_of(optimum)
    assert isinstance(found.evidence, OddComponents)


def test_bulbs_without_neighbours_are_no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is pressed once iff it must change: no cluster, and no look at an answer."""
    board = numbered(EdgeGraph(50, [(7, 8)]), 0b1111 << 20, (1 << 50) - 1)
    asked = []
    decide = Clusters._decide

    def listed(self: Clusters, cluster: Cluster) -> Answer:
        asked.append(cluster.bulbs)
        return decide(self, cluster)

    monkeypatch.setattr(Clusters, "_decide", listed)
    found = solved(board)
    assert found.optimal
    assert found.presses is not None
    pressed = set(found.presses.tolist()) - {7, 8}
    assert found.presses.size == len(pressed) + 1
    assert pressed == set(range(50)) - {7, 8, *range(20, 24)}
    assert len(asked) <= 2


def test_repair_looks_only_at_what_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that walked through the whole board made millions of bulbs a matter of days."""
    board = Board.from_rows(["00000000"] * 2, "plus")
    clusters, walks = Clusters(board), []
    chosen = [int(v % 8 in (0, 1, 3, 4, 6, 7) and v < 8) for v in range(16)]
    of = Clusters.of

    def counted(self: Clusters, counts: Sequence[int]) -> list[Cluster]:
        walks.append(1)
        return of(self, counts)

    monkeypatch.setattr(Clusters, "of", counted)
    mended = repair(clusters, chosen, most=5, rng=random.Random(0), limits=Limits(None))
    assert mended is not None
    assert sum(mended) >= 6 + 2
    assert len(walks) == 1
    assert not clusters.refused(mended)


def test_at_most() -> None:
    board = Board.from_rows(["0000"], "plus")  # needs two presses
    assert solved(board, at_most=1).lower_bound == 2
    found = solved(board, at_most=2)
    assert found.presses is not None
    assert found.presses.size == 2
    roomy = solved(hard_board(), at_most=1000)
    assert roomy.presses is not None
    assert roomy.presses.size <= 1000


def test_same_seed_same_answer() -> None:
    one, two = (solved(hard_board(), context=SearchContext(7)) for _ in range(2))
    assert one.presses is not None
    assert two.presses is not None
    assert one.presses.tolist() == two.presses.tolist()


def test_undecided_clusters_never_raise_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where refusals are no proofs, the bound stays true and sequences are still found."""
    decide = Clusters._decide

    def doubtful(self: Clusters, cluster: Cluster) -> Answer:
        answer = decide(self, cluster)
        return answer if isinstance(answer, Order) else Unknown("not decided")

    edges = brute.grid_edges(3, 3, "plus")
    known = brute.distances(9, edges, 511)
    monkeypatch.setattr(Clusters, "_decide", doubtful)
    below = 0
    for state in range(0, 512, 3):
        board = numbered(grid_graph("plus", (3, 3)), state, 511)
        if state in known:
            found = solved(board)
            assert found.presses is not None
            assert bound_of(found) <= known[state] <= found.presses.size
            assert found.optimal or found.reason == "some clusters could not be decided"
            below += not found.optimal
    assert below > 0


# ------------------------------------------------------------------------------------ evidence


def test_evidence_is_the_simplest_that_proves_the_bound() -> None:
    edges = brute.grid_edges(3, 4, "plus")
    rng = random.Random(2)
    kinds = set()
    for state in (rng.randrange(1 << 12) for _ in range(80)):
        board = numbered(grid_graph("plus", (3, 4)), state, (1 << 12) - 1)
        sets = press_sets(board)
        if isinstance(sets, OddWitness):
            continue
        found = solved(board)
        evidence = found.evidence
        assert evidence is not None
        kinds.add(evidence.kind)
        weight = int(sets.particular.sum())
        if isinstance(evidence, UniquePressSet):
            assert found.lower_bound == weight
        elif isinstance(evidence, LighterRefuted):
            assert found.lower_bound == weight + 2
        elif isinstance(evidence, OddComponents):
            assert bound_of(found) > weight + 2
        else:
            assert isinstance(evidence, Decomposition)
            assert bound_of(found) > weight + 2
            for cut in evidence.cuts:
                copies = [v for v, m in zip(cut.bulbs, cut.counts, strict=True) for _ in range(m)]
                blow_up = [
                    (i, j)
                    for i, j in itertools.combinations(range(len(copies)), 2)
                    if copies[i] == copies[j] or (copies[i], copies[j]) in edges
                ]
                assert not brute.orderable(len(copies), blow_up)
    assert kinds >= {"unique-press-set", "coset", "odd-components"}


@pytest.mark.parametrize(("pattern", "side"), [("plus", 20), ("king", 20), ("torus-plus", 18)])
def test_a_played_sequence_is_mended_part_by_part(
    monkeypatch: pytest.MonkeyPatch, pattern: str, side: int
) -> None:
    """As on large boards: the orders of its clusters are known, and stay so if nothing changes."""
    graph = grid_graph(pattern, (side, side))
    board = solved_by(graph, np.random.default_rng(3).random(graph.size) < 0.5)
    clusters, sets = Clusters(board), press_sets(board)
    assert isinstance(sets, PressSets)
    played = next(legal_sequences(board, sets.particular, neighbour_index(board), random.Random(0)))
    counts = clusters.learn(played)
    assert counts == bincount(played, minlength=board.graph.size).tolist()
    found = clusters.sequence(counts)
    assert found is not None
    replay(board, found)

    monkeypatch.setattr(fewest_presses, "_WIDE", 0)
    monkeypatch.setattr(fewest_presses, "_PART", 40)
    counted: list[int | None] = []
    repair_part = incumbent.Incumbent.repair

    def noted(self: incumbent.Incumbent, counts: list[int], spare: int, tries: int) -> None:
        repair_part(self, counts, spare, tries)
        counted.append(self.count)

    monkeypatch.setattr(incumbent.Incumbent, "repair", noted)
    best = fewest(board, sets, SearchContext(limits=stopping(3000)))
    assert best.presses is not None
    assert best.presses.size <= played.size
    assert len(counted) >= 10  # one for each part at least
    assert counted == sorted(counted, key=lambda count: -(count or 0))
    replay(board, best.presses)
