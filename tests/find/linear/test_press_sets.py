"""The linear stage: every technique against brute force, against each other, against tables."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.witness import Witness
from ponder.find.linear import frontal, light_chasing, line_parities
from ponder.find.linear.gf2 import Kernel
from ponder.find.linear.press_sets import PressSets, kernel, nullity, press_sets, solve_densely
from ponder.model import formats
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import CrossGraph, Graph, grid_graph
from ponder.system.errors import PonderError
from ponder.system.types import Bits
from tests import brute, oracles
from tests.boards import bits_of, edges_of

PATTERNS = [
    *("cross", "plus", "king", "torus-plus", "torus-king"),
    *("stencil 1,2 -1,-2", "stencil 2,0 -2,0 0,1 0,-1", "stencil 1,1 -1,-1 1,0 -1,0"),
]
SHAPES = [(1, 1), (1, 2), (1, 7), (5, 1), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 3), (3, 4)]


def board_for(graph: Graph, change: Bits) -> Board:
    """A board that needs exactly this change, from a goal that is neither lit nor unlit."""
    goal = np.random.default_rng(graph.size).random(graph.size) < 0.5
    return Board(graph, change ^ goal, goal)


def solutions(graph: Graph) -> dict[int, set[int]]:
    """All press sets by the change they make, by trying every set. Sets are bit masks."""
    near = brute.masks(graph.size, edges_of(graph))
    by_change = defaultdict(set)
    for presses in range(1 << graph.size):
        change = 0
        for v in range(graph.size):
            if presses >> v & 1:
                change ^= near[v] | 1 << v
        by_change[change].add(presses)
    return by_change


def mask_of(bits: Bits) -> int:
    return sum(1 << v for v in np.flatnonzero(bits).tolist())


def proves_nothing_works(graph: Graph, witness: Bits, change: Bits) -> bool:
    """Every press toggles an even number of the witness, whose parity must change."""
    near, y = brute.masks(graph.size, edges_of(graph)), mask_of(witness)
    even = all(((near[v] | 1 << v) & y).bit_count() % 2 == 0 for v in range(graph.size))
    return even and (y & mask_of(change)).bit_count() % 2 == 1


def agrees_with_brute_force(graph: Graph, step: int = 1) -> None:
    """The right answer for every change, or for one in so many."""
    expected = solutions(graph)
    for change in range(0, 1 << graph.size, step):
        wanted = bits_of(change, graph.size)
        answer = press_sets(board_for(graph, wanted))
        if change in expected:
            assert isinstance(answer, PressSets)
            members = [mask_of(s) for s in answer.members()]
            assert set(members) == expected[change]
            assert len(members) == len(expected[change]) == 2**answer.nullity
        else:
            assert isinstance(answer, Witness)
            assert proves_nothing_works(graph, graph.set_of(answer.bulbs), wanted)


def techniques(graph: Graph, change: Bits) -> dict[str, tuple[Bits | None, Kernel]]:
    """The answers of all techniques that can be used."""
    answers = {
        "dense": solve_densely(graph, change),
        "frontal": frontal.solve(frontal.Front(graph), change),
    }
    if isinstance(graph, CrossGraph):
        answers["line parities"] = line_parities.solve(graph, change)
    rows = light_chasing.chase_of(graph)
    if rows is not None:
        answers["chase"] = light_chasing.solve(rows, change)
    return answers


def rank(bits: Bits) -> int:
    """The rank of some vectors, by plain integers."""
    rows, count = [mask_of(row) for row in bits], 0
    while rows:
        row = rows.pop()
        if row:
            count += 1
            rows = [other ^ row if other & row & -row else other for other in rows]
    return count


def all_techniques_agree(graph: Graph, change: Bits) -> None:
    """Solutions, kernels and witnesses of all techniques hold, and say the same."""
    answers = techniques(graph, change)
    assert len({solution is None for solution, _ in answers.values()}) == 1
    assert len({quiet.nullity for _, quiet in answers.values()}) == 1
    for solution, quiet in answers.values():
        basis = quiet.basis()
        assert basis.shape == (quiet.nullity, graph.size)
        assert quiet.size == graph.size
        assert rank(basis) == quiet.nullity
        assert not any(graph.apply(y).any() for y in basis)
        witness = quiet.odd_member(change)
        assert (solution is None) != (witness is None)
        if solution is not None:
            assert np.array_equal(graph.apply(solution), change)
        if witness is not None:
            assert proves_nothing_works(graph, witness, change)
    sides = np.concatenate([quiet.basis() for _, quiet in answers.values()])
    assert rank(sides) == len(sides) // len(answers)  # they all span the same space


# ------------------------------------------------------------------------------ brute force


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_shape_of_holes(pattern: str) -> None:
    for cells in itertools.product([False, True], repeat=6):
        agrees_with_brute_force(grid_graph(pattern, (2, 3), np.array(cells).reshape(2, 3)), 3)


def test_every_tiny_graph() -> None:
    for size in range(5):
        pairs = list(itertools.combinations(range(size), 2))
        for chosen in itertools.product([False, True], repeat=len(pairs)):
            edges = [pair for pair, taken in zip(pairs, chosen, strict=True) if taken]
            agrees_with_brute_force(EdgeGraph(size, edges))


# ------------------------------------------------------------- the techniques and each other


@pytest.mark.parametrize("shape", [*SHAPES, (4, 4), (5, 5), (5, 8), (9, 4), (7, 7), (8, 6)])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_techniques_on_full_boards(pattern: str, shape: tuple[int, int]) -> None:
    graph = grid_graph(pattern, shape)
    rng = np.random.default_rng(shape[0] * shape[1])
    for change in (rng.random(graph.size) < 0.5, graph.apply(rng.random(graph.size) < 0.5)):
        all_techniques_agree(graph, change)


@given(
    st.sampled_from(PATTERNS),
    st.integers(1, 9),
    st.integers(1, 9),
    st.sampled_from([0.1, 0.5, 0.9]),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_techniques_on_boards_with_holes(
    pattern: str, rows: int, columns: int, density: float, luck: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    graph = grid_graph(pattern, (rows, columns), rng.random((rows, columns)) < density)
    change = rng.random(graph.size) < 0.5
    all_techniques_agree(graph, graph.apply(change) if luck else change)


@given(st.integers(0, 40), st.floats(0, 6), st.booleans(), st.integers(0, 2**32))
def test_techniques_on_graphs(size: int, degree: float, luck: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, max(1, size), size=(int(size * degree / 2), 2))
    graph = EdgeGraph(size, edges[edges[:, 0] != edges[:, 1]])
    change = rng.random(size) < 0.5
    all_techniques_agree(graph, graph.apply(change) if luck else change)


@pytest.mark.parametrize(("pattern", "density"), [("king", 0.7), ("plus", 0.6), ("plus", 0.85)])
def test_parameters_come_and_go(pattern: str, density: float) -> None:
    """Long, narrow boards with many holes: far more parameters than are ever in use."""
    rng = np.random.default_rng(3)
    graph = grid_graph(pattern, (7, 90), rng.random((7, 90)) < density)
    assert frontal.Front(graph).width < 20
    for _ in range(5):
        all_techniques_agree(graph, graph.apply(rng.random(graph.size) < 0.5))
        all_techniques_agree(graph, rng.random(graph.size) < 0.5)


def test_rows_are_chased_along_the_longer_side() -> None:
    for shape in [(3, 50), (50, 3)]:
        way = light_chasing.chase_of(grid_graph("plus", shape))
        assert way is not None
        assert way.unknowns == 3
    assert light_chasing.chase_of(grid_graph("king", (9, 9))) is None
    assert light_chasing.chase_of(grid_graph("plus", (2, 2))) is None
    torus = light_chasing.chase_of(grid_graph("torus-plus", (5, 9)))
    assert torus is not None
    assert torus.unknowns == 10


# --------------------------------------------------------------------------------- press sets


def some_sets(pattern: str = "plus", size: int = 4) -> tuple[Board, PressSets]:
    board = Board.from_grid(np.zeros((size, size), dtype=np.bool_), pattern)
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    return board, sets


@pytest.mark.parametrize("pattern", ["plus", "cross", "king"])
def test_members(pattern: str) -> None:
    board, sets = some_sets(pattern, 5)
    members = sets.members()
    assert len({s.tobytes() for s in members}) == len(members) == 2**sets.nullity
    assert all(np.array_equal(board.graph.apply(s), board.change) for s in members)
    assert np.array_equal(members[0], sets.particular)
    steps = {y.tobytes() for y in sets.kernel_basis}
    assert {(s ^ t).tobytes() for s, t in itertools.pairwise(members)} == steps
    assert np.array_equal(np.array(list(sets)), members)
    lightest = np.count_nonzero(sets.lightest_first(), axis=1)
    assert lightest.tolist() == sorted(np.count_nonzero(members, axis=1).tolist())


def test_member_by_coefficients() -> None:
    _, sets = some_sets("cross", 5)
    basis = sets.kernel_basis
    for seed in range(10):
        chosen = np.random.default_rng(seed).random(sets.nullity) < 0.5
        expected = sets.particular ^ np.bitwise_xor.reduce(basis[chosen], axis=0)
        assert np.array_equal(sets.member(chosen), expected)


def test_too_many_to_be_listed() -> None:
    _, sets = some_sets("cross", 13)
    assert sets.nullity == 24
    with pytest.raises(PonderError, match=r"2\^24 press sets"):
        sets.members()
    assert np.array_equal(next(iter(sets)), sets.particular)


def test_a_huge_kernel_stays_unmade() -> None:
    graph = grid_graph("cross", (1001, 1501))
    quiet = kernel(graph)
    assert quiet.nullity == 2500
    with pytest.raises(PonderError, match=r"3\.8 GB"):
        quiet.basis()
    chosen = np.zeros(2500, dtype=np.bool_)
    chosen[[0, 1700]] = True
    assert not graph.apply(quiet.member(chosen)).any()


def test_odd_witness_of_a_large_board_is_two_lines() -> None:
    graph = grid_graph("cross", (201, 301))
    witness = press_sets(board_for(graph, graph.set_of([5000])))
    assert isinstance(witness, Witness)
    assert witness.bulbs.size in (2 * 201, 2 * 301)


def test_witness_among_many_quiet_patterns() -> None:
    """More basis vectors than fit into one batch or one word."""
    graph = grid_graph("plus", (95, 95))
    quiet = kernel(graph)
    assert quiet.nullity == 62
    twice = EdgeGraph(2 * graph.size, [*edges_of(graph), *_shifted(edges_of(graph), graph.size)])
    assert nullity(twice) == 124
    change = np.zeros(2 * graph.size, dtype=np.bool_)
    change[-1] = True
    answer = press_sets(board_for(twice, change))
    odd_corner = quiet.basis()[:, -1].any()
    assert isinstance(answer, Witness) == odd_corner


def _shifted(edges: list[tuple[int, int]], by: int) -> list[tuple[int, int]]:
    return [(u + by, v + by) for u, v in edges]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_nothing_to_do_and_nothing_there(pattern: str) -> None:
    graph = grid_graph(pattern, (4, 5))
    sets = press_sets(board_for(graph, np.zeros(20, dtype=np.bool_)))
    assert isinstance(sets, PressSets)
    assert not graph.apply(sets.particular).any()
    empty = grid_graph(pattern, (2, 2), np.zeros((2, 2), dtype=np.bool_))
    nothing = press_sets(board_for(empty, np.zeros(0, dtype=np.bool_)))
    assert isinstance(nothing, PressSets)
    assert nothing.members().shape == (1, 0)


@given(st.sampled_from(PATTERNS), st.integers(1, 12), st.integers(1, 12))
def test_all_lit_to_all_unlit_always_works(pattern: str, rows: int, columns: int) -> None:
    """Sutner's theorem: a symmetric matrix with 1s on the diagonal reaches the all-ones vector."""
    graph = grid_graph(pattern, (rows, columns))
    board = Board(graph, np.ones(graph.size, dtype=np.bool_), np.zeros(graph.size, dtype=np.bool_))
    assert isinstance(press_sets(board), PressSets)


# -------------------------------------------------------------------------------------- tables


def test_nullity_tables() -> None:
    def table(pattern: str, last: int) -> list[int]:
        return [nullity(grid_graph(pattern, (n, n))) for n in range(1, last + 1)]

    assert table("plus", 64) == oracles.PLUS_NULLITY[:64]
    assert table("torus-plus", 24) == oracles.TORUS_PLUS_NULLITY[:24]
    assert table("cross", 9) == oracles.CROSS_NULLITY


def test_nullity_table_by_other_techniques() -> None:
    for n in range(1, 25):
        torus, plus = grid_graph("torus-plus", (n, n)), grid_graph("plus", (n, n))
        nothing = np.zeros(n * n, dtype=np.bool_)
        for technique in ("dense", "frontal"):
            assert (
                techniques(torus, nothing)[technique][1].nullity
                == oracles.TORUS_PLUS_NULLITY[n - 1]
            )
            assert techniques(plus, nothing)[technique][1].nullity == oracles.PLUS_NULLITY[n - 1]


@pytest.mark.parametrize("n", [65, 99, 101, 128, 191, 255])
def test_nullity_by_polynomials(n: int) -> None:
    assert nullity(grid_graph("plus", (n, n))) == oracles.plus_nullity_by_polynomials(n)


def test_how_many_row_column_boards_are_solvable() -> None:
    for shape, exponent in oracles.CROSS_SOLVABLE.items():
        assert shape[0] * shape[1] - nullity(grid_graph("cross", shape)) == exponent


@pytest.mark.parametrize("size", [4, 9, 11, 14, 16])
def test_fewest_presses_of_the_all_ones_problem(size: int) -> None:
    _, sets = some_sets("plus", size)
    fewest = int(np.count_nonzero(sets.lightest_first()[0]))
    assert fewest == oracles.PLUS_ALL_ONES_FEWEST[size - 1]


@pytest.mark.parametrize("size", sorted(oracles.IBM_PRESSES))
def test_ibm_boards(size: int) -> None:
    name = "example-4x4" if size == 4 else f"{size}x{size}"
    sets = press_sets(formats.read(f"instances/ibm-2023-04-{name}.txt"))
    assert isinstance(sets, PressSets)
    assert sets.nullity == 0
    assert np.count_nonzero(sets.particular) == oracles.IBM_PRESSES[size]
