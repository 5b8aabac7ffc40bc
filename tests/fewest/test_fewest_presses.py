"""The fewest legal presses against exhaustive search; every sequence replayed, every bound true."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from ponder.check.odd_components import Pieces
from ponder.fewest import odd_components, saved_pairs
from ponder.fewest.clusters import Cluster, Clusters
from ponder.fewest.dead_ends import DeadEnd, dead_end
from ponder.fewest.fewest_presses import fewest
from ponder.fewest.odd_components import Savings, savings
from ponder.fewest.repair import repair
from ponder.limits import Limits, TimeUp
from ponder.linear.press_sets import PressSets, press_sets
from ponder.puzzle.answer import Best
from ponder.puzzle.board import Board, Rule
from ponder.puzzle.graph import EdgeGraph, Graph, grid_graph
from ponder.puzzle.ordering_problem import Answer, Order, Unknown
from ponder.puzzle.press_set_refutations import OddWitness
from ponder.puzzle.result import Step
from tests import brute
from tests.boards import bits_of, edges_of, numbered, random_edges
from tests.deciding import decided

Edges = list[tuple[int, int]]


def solved(board: Board, **options: object) -> Best:
    """Solve a board that is known to be solvable."""
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    found = fewest(board, sets, decide=decided(board), **options)  # type: ignore[arg-type]
    assert isinstance(found, Best)
    return found


def bound_of(found: Best) -> int:
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
        found = fewest(board, sets, decide=decided(board))
        if isinstance(found, DeadEnd):
            assert state not in known
            continue
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


@pytest.mark.parametrize(("pattern", "shape"), [("plus", (3, 3)), ("king", (3, 3))])
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
    ("pattern", "shape", "count"), [("plus", (3, 4), 600), ("torus-plus", (3, 4), 150)]
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


# --------------------------------------------------------------------------------- saving trees


def saving_board(pieces: int) -> tuple[EdgeGraph, Edges, int]:
    """A hub beside some pairs of bulbs: one helper serves them all when their number is odd."""
    edges = [(0, 1 + 2 * k) for k in range(pieces)]
    edges += [(1 + 2 * k, 2 + 2 * k) for k in range(pieces)]
    return EdgeGraph(1 + 2 * pieces, edges), edges, sum(0b11 << (1 + 2 * k) for k in range(pieces))


@pytest.mark.parametrize("pieces", [1, 2, 3, 4, 5])
def test_a_hub_saves_pairs(pieces: int) -> None:
    graph, edges, pressed = saving_board(pieces)
    goal = (1 << graph.size) - 1
    lit = graph.apply(bits_of(pressed, graph.size)) ^ bits_of(goal, graph.size)
    state = sum(1 << v for v in np.flatnonzero(lit).tolist())
    assert agrees(graph, edges, goal, "unlit", [state]) == 1
    clusters = Clusters(numbered(graph, state, goal))
    found = savings(clusters, clusters.of([int(b) for b in bits_of(pressed, graph.size)]))
    assert len(found.odd) == pieces
    triples = len(list(itertools.combinations(range(pieces), 3)))
    assert found.trees == ({frozenset([0]): triples} if triples else {})


def fewest_pairs(clusters: Clusters, press_set: list[int], most: int) -> int:
    """The fewest pairs that leave no cluster of odd charge, by trying all of them."""
    for pairs in range(most + 1):
        for extra in itertools.combinations_with_replacement(range(len(press_set)), pairs):
            counts = list(press_set)
            for v in extra:
                counts[v] += 2
            if not any(clusters.charge(cluster) for cluster in clusters.of(counts)):
                return pairs
    return most + 1


@pytest.mark.parametrize("seed", range(30))
def test_savings_never_claim_too_much(seed: int) -> None:
    """`least`, and the inequality of the module, hold at the true optimum of the parities."""
    rng = random.Random(seed)
    size = 9
    edges = [p for p in itertools.combinations(range(size), 2) if rng.random() < 0.25]
    clusters = Clusters(numbered(EdgeGraph(size, edges), 0, rng.randrange(1 << size)))
    press_set = [rng.randrange(2) for _ in range(size)]
    found = savings(clusters, clusters.of(press_set))
    least = fewest_pairs(clusters, press_set, 3)
    assert found.least <= least
    assert least > 3 or least % 2 == len(found.odd) % 2
    if found.trees == {}:
        assert least >= min(4, len(found.odd))


def hubs(touched: list[list[int]], joined: Edges, odd: int, even: int) -> tuple[EdgeGraph, int]:
    """Helpers that touch odd components, pairs of bulbs, and even ones, single bulbs.

    The graph and its press set; component k < odd is a pair.
    """
    first = [len(touched) + 2 * k for k in range(odd)]
    first += [len(touched) + 2 * odd + k for k in range(even)]
    edges = [(v, v + 1) for v in first[:odd]] + joined
    edges += [(w, first[k]) for w, which in enumerate(touched) for k in which]
    size = len(touched) + 2 * odd + even
    return EdgeGraph(size, edges), (1 << size) - (1 << len(touched))


def savings_of(graph: EdgeGraph, pressed: int) -> Savings:
    clusters = Clusters(numbered(graph, 0, (1 << graph.size) - 1))
    return savings(clusters, clusters.of([int(b) for b in bits_of(pressed, graph.size)]))


@pytest.mark.parametrize(
    ("touched", "joined", "odd", "even", "least"),
    [
        ([[0, 1, 2, 3], [4, 5, 6, 7]], [], 8, 0, 4),  # one helper saves an even number: 2, not 3
        ([[0, 1, 2], [2, 3, 4]], [], 5, 0, 3),  # both want the third component
        ([[0, 1, 2], [3, 4, 5]], [(0, 1)], 6, 0, 2),  # here both save
        ([[0, 1, 4], [2, 3, 4]], [], 4, 1, 2),  # through an even component
        ([[0, 1], [2, 3], [4, 5]], [(0, 1), (1, 2)], 6, 0, 4),
    ],
)
def test_what_groups_of_helpers_save(
    touched: list[list[int]], joined: Edges, odd: int, even: int, least: int
) -> None:
    graph, pressed = hubs(touched, joined, odd, even)
    found = savings_of(graph, pressed)
    assert len(found.odd) == odd
    counts = [int(b) for b in bits_of(pressed, graph.size)]
    assert found.least == least == fewest_pairs(found.clusters, counts, least)
    pieces = Pieces.of(
        bits_of(pressed, graph.size), found.clusters.near, np.zeros(graph.size, bool)
    )
    assert pieces.pairs(100) == least  # the checker's own count


def test_groups_never_claim_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound by groups, exact or rough, against all ways to spend pairs: of boards twice over.

    Two copies need twice the pairs of one, and what is claimed too much of one shows in two.
    """
    rng, sharper = random.Random(7), 0
    for _ in range(100):
        odd, even, count = rng.randint(3, 4), rng.randint(0, 1), rng.randint(1, 3)
        touched = [
            rng.sample(range(odd + even), min(odd + even, rng.randint(2, 4))) for _ in range(count)
        ]
        joined = [p for p in itertools.combinations(range(count), 2) if rng.random() < 0.3]
        graph, pressed = hubs(touched, joined, odd, even)
        size = graph.size
        one = savings_of(graph, pressed)
        needed = fewest_pairs(one.clusters, [int(b) for b in bits_of(pressed, size)], odd)
        edges = edges_of(graph)
        twice = EdgeGraph(2 * size, [*edges, *((u + size, v + size) for u, v in edges)])
        found = savings_of(twice, pressed | pressed << size)
        assert found.least <= 2 * needed
        assert found.trees is not None
        plain = 2 * odd - sum(kinds + 1 for kinds in found.trees.values())
        sharper += found.least > max(plain + plain % 2, found.quick)
        with monkeypatch.context() as patch:
            patch.setattr(saved_pairs, "TRIED", 0)
            assert savings_of(twice, pressed | pressed << size).least <= found.least
    assert sharper >= 10


def test_trees_are_given_up_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A branch is as long as its last helper's number: on millions of bulbs half a megabyte."""
    graph, _, pressed = saving_board(5)
    clusters = Clusters(numbered(graph, 0, (1 << graph.size) - 1))
    chosen = [int(b) for b in bits_of(pressed, graph.size)]
    monkeypatch.setattr(odd_components, "MOST_BYTES", 10)
    found = savings(clusters, clusters.of(chosen))
    assert len(found.odd) == 5
    assert found.trees is None
    assert found.least == found.quick == 1


# --------------------------------------------------------------------- limits and interruptions


def hard_board() -> Board:
    rng = np.random.default_rng(3)
    return Board.from_grid(rng.random((12, 12)) < 0.5, "plus")


def check_partial(board: Board, found: Best) -> None:
    assert found.presses is None or bound_of(found) <= found.presses.size
    if found.presses is not None:
        size = board.graph.size
        edges = [tuple(e) for e in board.graph.edges_within(np.arange(size)).tolist()]
        lit = sum(1 << v for v in np.flatnonzero(board.lit).tolist())
        assert brute.replays(size, edges, lit, (1 << size) - 1, found.presses.tolist())


def test_a_run_without_time_still_has_a_bound() -> None:
    board = hard_board()
    found = solved(board, timeout=0.0)
    assert found.reason == "time is up"
    check_partial(board, found)
    assert found.lower_bound == int(press_sets(board).particular.sum())  # type: ignore[union-attr]


@pytest.mark.parametrize("after", range(4))
def test_stopped_and_interrupted_runs_return_what_they_have(after: int) -> None:
    board = hard_board()
    optimum = solved(board)
    asked = itertools.count()
    found = solved(board, stop=lambda: next(asked) >= after)
    check_partial(board, found)
    assert bound_of(found) <= bound_of(optimum)
    assert found.optimal or found.reason == "stopped"

    said: list[str] = []

    def interrupt(text: str) -> None:
        said.append(text)
        if len(said) > after:
            raise KeyboardInterrupt

    found = solved(board, progress=interrupt)
    check_partial(board, found)
    assert found.optimal or found.reason == "interrupted"
    assert said[0].startswith("between ")


def test_the_gap_closes_and_every_stage_is_told() -> None:
    """The progress line says how far bound and sequence are apart; the log, who found a better."""
    said: list[str] = []
    steps: list[Step] = []
    found = solved(hard_board(), progress=said.append, log=steps.append)
    gaps = [re.fullmatch(r"between (\d+) and (\d+) presses(, gap [\d.]+ %)?", x) for x in said]
    assert all(gaps)
    bounds, counts = (np.array([int(gap[k]) for gap in gaps if gap]) for k in (1, 2))
    assert (np.diff(bounds) >= 0).all()
    assert (np.diff(counts) <= 0).all()
    assert [gap[3] is None for gap in gaps if gap] == (bounds == counts).tolist()
    assert steps[0].method == "play"
    assert found.presses is not None
    assert steps[-1].outcome == f"{found.presses.size} presses"
    assert found.statistics["sequence_by"] == steps[-1].method


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
    assert found.evidence is not None
    assert found.evidence["kind"] == "odd-components"


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
    one, two = solved(hard_board(), seed=7), solved(hard_board(), seed=7)
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
        kinds.add(evidence["kind"])
        weight = int(sets.particular.sum())
        if evidence["kind"] == "unique-press-set":
            assert found.lower_bound == weight
        elif evidence["kind"] == "coset":
            assert found.lower_bound == weight + 2
        elif evidence["kind"] == "odd-components":
            assert bound_of(found) > weight + 2
        else:
            assert evidence["kind"] == "decomposition"
            assert bound_of(found) > weight + 2
            cuts = evidence["cuts"]
            assert isinstance(cuts, list)
            for cut in cuts:
                bulbs = board.graph.bulbs(cut["bulbs"]).tolist()
                copies = [v for v, m in zip(bulbs, cut["counts"], strict=True) for _ in range(m)]
                blow_up = [
                    (i, j)
                    for i, j in itertools.combinations(range(len(copies)), 2)
                    if copies[i] == copies[j] or (copies[i], copies[j]) in edges
                ]
                assert not brute.orderable(len(copies), blow_up)
    assert kinds >= {"unique-press-set", "coset", "odd-components"}
