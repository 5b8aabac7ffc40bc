"""Splitting and counting against brute force, and every refutation by its bare definition."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.block import Block
from ponder.find.ordering.blocks import Block as Kernel
from ponder.find.ordering.blocks import Blocks, biconnected_blocks, odd_component
from ponder.find.ordering.engine import order_subsets
from ponder.model.board import Board
from ponder.model.components import component_numbers, components
from ponder.model.graph import CrossGraph, Graph, grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem
from tests import brute
from tests.boards import is_order, random_edges
from tests.depth import deep

Edges = list[tuple[int, int]]


def decide(problem: OrderingProblem) -> Order | Block:
    """Split, search the blocks, glue."""
    layout = biconnected_blocks(problem)
    if not isinstance(layout, Blocks):
        return layout
    orders = []
    for block in layout.blocks:
        answer = order_subsets(block)
        if isinstance(answer, Block):
            return answer
        assert isinstance(answer, Order)
        orders.append(answer)
    return layout.glue(orders)


def refuted_components(problem: OrderingProblem) -> list[tuple[list[int], Block]]:
    """Every component that falls alone, and why."""
    refuted = []
    for part in components(problem):
        why = biconnected_blocks(
            OrderingProblem(problem.graph, problem.bulbs[part], problem.odd[part])
        )
        if isinstance(why, Block):
            refuted.append((part.tolist(), why))
    return refuted


def reach(near: list[int], start: int, within: int) -> int:
    """The vertices of `within` that are connected to `start` there (masks)."""
    reached, frontier = 0, 1 << start
    while frontier:
        reached |= frontier
        grown = 0
        for v in range(len(near)):
            if frontier >> v & 1:
                grown |= near[v] & within
        frontier = grown & ~reached
    return reached


def pairs_within(near: list[int], part: int) -> int:
    return sum((near[v] & part).bit_count() for v in range(len(near)) if part >> v & 1) // 2


def holds(problem: OrderingProblem, edges: Edges, why: Block) -> bool:
    """Check a refutation by the words of `Block`, with sets as masks."""
    n, near = problem.size, brute.masks(problem.size, edges)
    odd = sum(1 << v for v in range(n) if problem.odd[v])
    members = set(why.bulbs.tolist())
    assert sorted(members) == why.bulbs.tolist()
    inside = sum(1 << v for v in range(n) if int(problem.bulbs[v]) in members)
    block = [v for v in range(n) if inside >> v & 1]
    if not block:
        return False
    component = reach(near, block[0], (1 << n) - 1)
    if inside & ~component:
        return False
    parity = {v: odd >> v & 1 for v in block}
    outside = component & ~inside
    while outside:
        piece = reach(near, outside.bit_length() - 1, outside)
        outside &= ~piece
        hangs_on = [v for v in block if near[v] & piece]
        if len(hangs_on) != 1:
            return False
        (c,) = hangs_on
        parity[c] ^= (pairs_within(near, piece | 1 << c) + (odd & piece).bit_count()) & 1
    match why.rule:
        case "parity":
            return (pairs_within(near, inside) + sum(parity.values())) % 2 == 1
        case "first":
            return all((near[v] & inside).bit_count() % 2 != parity[v] for v in block)
        case "last":
            return all(parity[v] for v in block)
        case "orders":
            place = {v: i for i, v in enumerate(block)}
            inner = [(place[u], place[v]) for u, v in edges if u in place and v in place]
            return not brute.orderable(len(block), inner, [place[v] for v in block if parity[v]])
    return False


def test_the_check_of_refutations_can_fail() -> None:
    k4 = list(itertools.combinations(range(4), 2))
    problem = OrderingProblem.from_edges(6, [*k4, (3, 4), (4, 5)])
    assert holds(problem, [*k4, (3, 4), (4, 5)], Block(np.arange(4), "first"))
    for wrong in (
        Block(np.arange(3), "first"),  # no block: the rest hangs on three of its vertices
        Block(np.arange(1, 5), "first"),
        Block(np.empty(0, dtype=np.int64), "first"),
        Block(np.arange(4), "last"),
        Block(np.arange(6), "parity"),
        Block(np.array([3, 4]), "orders"),
    ):
        assert not holds(problem, [*k4, (3, 4), (4, 5)], wrong)


def judged(problem: OrderingProblem, edges: Edges) -> str:
    """Compare the verdict with brute force, check the evidence, and return the kind."""
    answer = decide(problem)
    possible = brute.orderable(problem.size, edges, np.flatnonzero(problem.odd).tolist())
    where = (problem.bulbs.tolist(), edges, problem.odd.tolist(), answer)
    if isinstance(answer, Order):
        assert possible, where
        assert is_order(problem, answer), where
        return "order"
    assert not possible, where
    assert holds(problem, edges, answer), where
    return answer.rule


def subset(n: int, mask: int) -> list[int]:
    return [v for v in range(n) if mask >> v & 1]


# ----------------------------------------------------------------------- against brute force


@pytest.mark.parametrize("count", deep(500, 10_000))
def test_random_graphs(count: int) -> None:
    """Small ones with any T; all kinds of answers occur."""
    rng = random.Random(6)
    kinds: Counter[str] = Counter()
    for _ in range(count):
        n = rng.randint(0, 9)
        edges = random_edges(n, rng.uniform(0.15, 0.7), rng)
        share = rng.choice([0.0, 0.5, 0.9, 1.0])
        odd = [v for v in range(n) if rng.random() < share]
        kinds[judged(OrderingProblem.from_edges(n, edges, odd), edges)] += 1
    assert {"order", "parity", "first", "last"} <= set(kinds)


# ----------------------------------------------------------------------------- glued blocks


def glued(rng: random.Random, largest: int) -> tuple[int, Edges, list[set[int]]]:
    """A graph made by hanging 2-connected graphs and bridges on each other, and its blocks."""
    names = list(range(largest))
    rng.shuffle(names)
    used, edges, blocks = 1, [], []
    while True:
        k = rng.choice([2, 2, 3, 4, 4, 5])
        if used + k - 1 > largest:
            break
        members = [names[rng.randrange(used)], *names[used : used + k - 1]]
        used += k - 1
        ring = {(i, (i + 1) % k) for i in range(k)} if k > 2 else {(0, 1)}
        ring |= set(random_edges(k, 0.4, rng)) if k > 3 else set()
        edges += [(members[i], members[j]) for i, j in ring]
        blocks.append(set(members))
    number = {name: i for i, name in enumerate(sorted(names[:used]))}
    plain = {(min(number[u], number[v]), max(number[u], number[v])) for u, v in edges}
    return used, sorted(plain), [{number[v] for v in block} for block in blocks]


def solvable_odd(n: int, edges: Edges, rng: random.Random) -> list[int]:
    """The parities of a random order."""
    place = rng.sample(range(n), n)
    later = Counter(u if place[u] < place[v] else v for u, v in edges)
    return [v for v in range(n) if later[v] % 2]


@pytest.mark.parametrize("seed", range(40))
def test_glued_blocks(seed: int) -> None:
    rng = random.Random(seed)
    n, edges, blocks = glued(rng, 10)
    for _ in range(3):
        odd = solvable_odd(n, edges, rng)
        if rng.random() < 0.6:  # keeps the parity of the component, not more
            odd = sorted(set(odd) ^ set(rng.sample(range(n), min(n, 2))))
        problem = OrderingProblem.from_edges(n, edges, odd)
        judged(problem, edges)
        layout = biconnected_blocks(problem)
        if not isinstance(layout, Blocks):
            assert set(layout.bulbs.tolist()) in blocks
            continue
        by_size = {frozenset(block) for block in blocks}
        cycles = 0
        for block in layout.blocks:
            members = frozenset(block.vertices.tolist())
            assert members in by_size
            inner = {(u, v) for u, v in edges if u in members and v in members}
            assert {(members_of(block, i), members_of(block, j)) for i, j in block.edges} == inner
            cycles += 1
        harder = [b for b in by_size if sum(u in b and v in b for u, v in edges) > len(b)]
        assert cycles == len(harder)


def members_of(block: Kernel, position: int) -> int:
    return int(block.vertices[position])


@pytest.mark.parametrize("seed", range(20))
def test_forced_parities_are_those_of_every_order(seed: int) -> None:
    rng = random.Random(1000 + seed)
    n, edges, _ = glued(rng, 10)
    odd = solvable_odd(n, edges, rng)
    build = brute.build_order(n, edges, odd)
    assert build is not None
    layout = biconnected_blocks(OrderingProblem.from_edges(n, edges, odd))
    assert isinstance(layout, Blocks)
    for block in layout.blocks:
        members = set(block.vertices.tolist())
        for v, parity in zip(block.vertices.tolist(), block.odd.tolist(), strict=True):
            built = set(build[: build.index(v)]) & members
            inside = sum((min(u, v), max(u, v)) in edges for u in built)
            assert inside % 2 == parity


# ---------------------------------------------------------------------- boards and blow-ups


@given(st.data())
def test_press_counts_on_boards(data: st.DataObject) -> None:
    """Copies are whole in every block, and row/column boards go by their lines."""
    rows, columns = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 4))
    pattern = data.draw(st.sampled_from(["cross", "plus", "king", "torus-plus"]))
    cells = st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns)
    mask = np.array(data.draw(cells)).reshape(rows, columns)
    if not mask.any():
        mask[0, 0] = True
    graph = grid_graph(pattern, (rows, columns), mask)
    n = graph.size
    goal = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=np.bool_)
    counts = data.draw(st.lists(st.sampled_from([0, 0, 1, 1, 2, 3]), min_size=n, max_size=n))
    while sum(counts) > 10:
        counts[counts.index(max(counts))] -= 1
    board = Board(graph, goal, goal, data.draw(st.sampled_from(["lit", "unlit"])))
    problem = OrderingProblem.of_board(board, np.array(counts, dtype=np.int64))
    judged(problem, blow_up(graph, problem.bulbs.tolist()))


def blow_up(graph: Graph, bulbs: list[int]) -> Edges:
    near = [set(graph.neighbours(v).tolist()) | {v} for v in range(graph.size)]
    return [
        (i, j)
        for i, j in itertools.combinations(range(len(bulbs)), 2)
        if bulbs[j] in near[bulbs[i]]
    ]


def test_odd_components_by_lines_and_by_edges() -> None:
    """Those of row/column boards are counted without edges, of any size."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        graph = CrossGraph((int(rng.integers(1, 12)), int(rng.integers(1, 12))))
        bulbs = np.flatnonzero(rng.random(graph.size) < rng.choice([0.1, 0.2, 0.5]))
        if seed % 2:
            bulbs = np.sort(np.concatenate([bulbs, bulbs[rng.random(bulbs.size) < 0.3]]))
        odd = rng.random(bulbs.size) < rng.choice([0.0, 0.5])
        problem = OrderingProblem(graph, bulbs, odd)
        by_edges = OrderingProblem.from_edges(bulbs.size, problem.edges, np.flatnonzero(odd))
        number = component_numbers(problem)
        assert number.tolist() == component_numbers(by_edges).tolist()
        why, other = odd_component(problem, number), odd_component(by_edges, number)
        assert (why is None) == (other is None)
    graph = CrossGraph((1000, 1000))
    problem = OrderingProblem(graph, np.arange(graph.size), graph.set_of([7]))
    assert isinstance(biconnected_blocks(problem), Block)


@pytest.mark.parametrize("seed", range(30))
def test_the_most_readable_refutation_is_told(seed: int) -> None:
    """Odd components before blocks, fewest bulbs first; it is refuted iff a component is."""
    rng = random.Random(seed)
    n = rng.randint(4, 16)
    edges = random_edges(n, rng.uniform(0.05, 0.3), rng)
    odd = [v for v in range(n) if rng.random() < 0.3]
    problem = OrderingProblem.from_edges(n, edges, odd)
    kinds = ["parity", "first", "last"]
    refuted = [why for _, why in refuted_components(problem)]
    refuted.sort(key=lambda why: (why.rule != "parity", why.bulbs.size, kinds.index(why.rule)))
    answer = biconnected_blocks(problem)
    assert isinstance(answer, Blocks) == (not refuted)
    if isinstance(answer, Block):
        assert holds(problem, edges, answer)
        assert (answer.rule, answer.bulbs.size) == (refuted[0].rule, refuted[0].bulbs.size)


# ---------------------------------------------------------------------------- special shapes


def test_one_bulb_pressed_several_times() -> None:
    """k copies are a clique, in which the last press has no neighbour after it, and so on."""
    for k in range(6):
        for odd in range(1 << k):
            edges = list(itertools.combinations(range(k), 2))
            parities = np.array([odd >> v & 1 for v in range(k)], dtype=np.bool_)
            for graph in (CrossGraph((1, 1)), grid_graph("plus", (1, 1))):
                judged(OrderingProblem(graph, np.zeros(k, dtype=np.int64), parities), edges)


@pytest.mark.parametrize("shape", ["path", "ring", "ladder of rings"])
def test_long_shapes_need_no_recursion(shape: str) -> None:
    n = 20_001
    edges = list(itertools.pairwise(range(n)))
    if shape == "ring":
        edges.append((0, n - 1))
    elif shape != "path":
        edges += [(v, v + 2) for v in range(0, n - 2, 2)]
    odd = solvable_odd(n, edges, random.Random(1))
    problem = OrderingProblem.from_edges(n, edges, odd)
    layout = biconnected_blocks(problem)
    assert isinstance(layout, Blocks)
    assert not layout.blocks
    assert is_order(problem, layout.glue([]))


def test_glue_wants_one_order_for_each_block() -> None:
    k4 = list(itertools.combinations(range(4), 2))
    layout = biconnected_blocks(OrderingProblem.from_edges(4, k4, [0, 1]))
    assert isinstance(layout, Blocks)
    with pytest.raises(ValueError, match="shorter"):
        layout.glue([])
