"""Orders on row/column boards against brute force; every order replayed, every cut added up."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.cut import Cut
from ponder.check.replay import check_order
from ponder.find.row_column import ordering
from ponder.find.row_column.maximum_flow import HalfFactor, half_factor, line_cut
from ponder.find.row_column.ordering import Trails, order_from_colours, order_lines, split
from ponder.model.graph import CrossGraph
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.studies.families import balance
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints
from tests import brute
from tests.depth import deeper


def problem_of(grid: Bits, mask: Bits | None = None) -> OrderingProblem:
    """The presses of a grid as a problem with T = ∅."""
    graph = CrossGraph((grid.shape[0], grid.shape[1]), mask)
    bulbs = np.flatnonzero(graph.from_grid(grid))
    return OrderingProblem(graph, bulbs, np.zeros(bulbs.size, dtype=np.bool_))


def replays(problem: OrderingProblem, order: Order) -> bool:
    """Whether each vertex occurs once, every press finds its bulb unlit, and all end up lit.

    The start is the one that the press set takes to all lit; a press toggles whole lines.
    """
    if sorted(order.vertices.tolist()) != list(range(problem.size)):
        return False
    graph = problem.graph
    assert isinstance(graph, CrossGraph)
    crosses = cross_masks(graph.shape)
    presses = graph.cells[order.bulbs(problem)].tolist()
    unlit = 0  # all lit; the start is got from the goal by pressing everything, in any order
    for cell in presses:
        unlit ^= crosses[cell]
    for cell in presses:
        if not unlit >> cell & 1:
            return False
        unlit ^= crosses[cell]
    return unlit == 0


@cache
def cross_masks(shape: tuple[int, int]) -> list[int]:
    """What a press of each cell toggles, as bit masks of cells."""
    rows, columns = shape
    row = [sum(1 << r * columns + c for c in range(columns)) for r in range(rows)]
    column = [sum(1 << r * columns + c for r in range(rows)) for c in range(columns)]
    return [row[r] | column[c] for r in range(rows) for c in range(columns)]


def refutes(grid: Bits, refutation: Cut) -> bool:
    """Whether the refutation's arithmetic holds, straight from its definition."""
    row_degrees, column_degrees = grid.sum(axis=1).tolist(), grid.sum(axis=0).tolist()
    if refutation.side == "columns":
        grid, row_degrees, column_degrees = grid.T, column_degrees, row_degrees
        x, y = refutation.columns.tolist(), refutation.rows.tolist()
    else:
        x, y = refutation.rows.tolist(), refutation.columns.tolist()
    need = sum(row_degrees[r] // 2 for r in x)
    room = sum(column_degrees[c] // 2 for c in y)
    room += sum(int(grid[r, c]) for r in x for c in range(grid.shape[1]) if c not in y)
    distinct = len({*x}) == len(x) and len({*y}) == len(y)
    return distinct and need > room


def verdict(grid: Bits, mask: Bits | None = None) -> str:
    """Order the presses and check the answer; its kind."""
    problem = problem_of(grid, mask)
    answer = order_lines(problem)
    if isinstance(answer, Order):
        assert replays(problem, answer)
        return "order"
    assert refutes(grid, answer)
    return "count" if answer.all_lines else "cut"


def sweep(rows: int, columns: int, step: int = 1) -> Counter[str]:
    """Compare every press set of a board with the brute-force table; count the verdicts.

    With a step of k, every k-th of them.
    """
    table = brute.orderable_sets(rows * columns, brute.grid_edges(rows, columns, "cross"))
    verdicts: Counter[str] = Counter()
    for presses, orderable in list(enumerate(table.tolist()))[::step]:
        bits = presses >> np.arange(rows * columns) & 1
        answer = verdict(bits.astype(np.bool_).reshape(rows, columns))
        assert (answer == "order") == orderable, f"press set {presses:b}"
        verdicts[answer] += 1
    return verdicts


def random_grid(rows: int, columns: int, density: float, seed: int) -> Bits:
    rng = np.random.default_rng(seed)
    return balance(rng.random((rows, columns)) < density, rng)


grids = st.builds(
    random_grid,
    st.integers(1, 12),
    st.integers(1, 12),
    st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.8, 1.0]),
    st.integers(0, 2**32 - 1),
)


SMALL = [(1, 5, 6), (4, 1, 5), (2, 2, 12), (2, 3, 40), (3, 3, 311), (2, 5, 336)]


@pytest.mark.parametrize("peeled", [1, 1 << 16])
@pytest.mark.parametrize(
    ("rows", "columns", "orderable"),
    [*SMALL, deeper(2, 6, 896), deeper(3, 4, 2192)],
)
def test_every_press_set_of_a_small_board(
    rows: int, columns: int, orderable: int, peeled: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ordering, "PEELED", peeled)
    assert sweep(rows, columns)["order"] == orderable


@pytest.mark.parametrize("step", [97, pytest.param(1, marks=pytest.mark.deep)])
def test_press_sets_of_4x4(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Squares are peeled wherever there are any, and some of the rests have no half factor."""
    monkeypatch.setattr(ordering, "PEELED", 1)
    flows: Counter[bool] = Counter()

    def counted(rows: Ints, columns: Ints, shape: tuple[int, int], deadline: Limits) -> HalfFactor:
        factor = half_factor(rows, columns, shape, deadline)
        flows[factor.exists] += 1
        return factor

    monkeypatch.setattr(ordering, "half_factor", counted)
    verdicts = sweep(4, 4, step)
    assert set(verdicts) == {"order", "count", "cut"}
    assert flows[True] == verdicts["order"]
    assert flows[False] > verdicts["cut"]  # the whole was tried after its rest


@given(grids, st.booleans())
def test_random_boards(grid: Bits, eager: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if eager:
            patch.setattr(ordering, "PEELED", 1)
        assert verdict(grid) != "count"
        assert verdict(grid) == verdict(grid.T)


@given(grids, st.integers(0, 2**32 - 1))
def test_holes(grid: Bits, seed: int) -> None:
    """A hole is a bulb that is never pressed: lines stay whole."""
    mask = grid | (np.random.default_rng(seed).random(grid.shape) < 0.5)
    if mask.any():
        assert verdict(grid, mask) == verdict(grid)


@given(grids)
def test_few_presses_against_brute_force(grid: Bits) -> None:
    """Boards of any shape with few presses, by the plain subset search."""
    problem = problem_of(grid)
    if problem.size <= 12:
        edges = problem.edges.tolist()
        assert (verdict(grid) == "order") == brute.orderable(problem.size, edges)


def test_presses_in_any_sequence() -> None:
    """The vertices of a problem need not be ascending bulbs."""
    grid = random_grid(8, 9, 0.5, 3)
    ascending = problem_of(grid)
    shuffled = np.random.default_rng(0).permutation(ascending.bulbs)
    problem = OrderingProblem(ascending.graph, shuffled, ascending.odd)
    answer = order_lines(problem)
    assert isinstance(answer, Order)
    assert replays(problem, answer)


@pytest.mark.parametrize("seed", range(20))
def test_an_order_from_colours(seed: int) -> None:
    """Every half factor stands for an order, the presses listed in any sequence."""
    grid = random_grid(6, 8, 0.5, seed)
    bulbs = np.random.default_rng(seed).permutation(np.flatnonzero(grid))
    graph = CrossGraph((6, 8))
    rows, columns = graph.places(bulbs)
    factor = half_factor(rows, columns, graph.shape)
    problem = OrderingProblem(graph, bulbs, np.zeros(bulbs.size, dtype=np.bool_))
    assert factor.exists
    assert replays(problem, order_from_colours(problem, factor.chosen))


def test_a_half_factor_on_either_side() -> None:
    """A line may hold either of its presses as colour 1, if each holds half."""
    problem = problem_of(np.ones((2, 2), dtype=np.bool_))
    for colour in ([True, False, False, True], [False, True, True, False]):
        assert replays(problem, order_from_colours(problem, np.array(colour)))
    with pytest.raises(ValueError, match="no half factor"):
        order_from_colours(problem, np.array([True, True, False, False]))


# Half factors


def crossings(grid: Bits) -> tuple[Ints, Ints]:
    """The rows and the columns of the presses."""
    rows, columns = np.nonzero(grid)
    return rows, columns


def largest_half(grid: Bits) -> int:
    """The largest Z with at most ⌊d/2⌋ presses on each line, by trying all subsets."""
    presses = np.argwhere(grid).tolist()
    best = 0
    for chosen in itertools.product([False, True], repeat=len(presses)):
        z = np.zeros_like(grid)
        for (r, c), taken in zip(presses, chosen, strict=True):
            z[r, c] = taken
        if all((2 * z.sum(axis=a) <= grid.sum(axis=a)).all() for a in (0, 1)):
            best = max(best, int(z.sum()))
    return best


@given(st.integers(1, 3), st.integers(1, 4), st.integers(0, 2**12 - 1))
def test_flow_value_by_brute_force(rows: int, columns: int, presses: int) -> None:
    bits = presses >> np.arange(rows * columns) & 1
    grid = bits.astype(np.bool_).reshape(rows, columns)
    if np.count_nonzero(grid) <= 8:
        assert half_factor(*crossings(grid), (rows, columns)).value == largest_half(grid)


@given(st.integers(1, 10), st.integers(1, 10), st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_half_factor_is_proved_largest(rows: int, columns: int, density: float, seed: int) -> None:
    """Z is within bounds, the cut's capacity equals f, on boards that are not balanced too."""
    grid = np.random.default_rng(seed).random((rows, columns)) < density
    at = crossings(grid)
    factor = half_factor(*at, (rows, columns))
    z = np.zeros_like(grid)
    z[at] = factor.chosen
    row_half, column_half = grid.sum(axis=1) // 2, grid.sum(axis=0) // 2
    assert (z.sum(axis=1) <= row_half).all()
    assert (z.sum(axis=0) <= column_half).all()
    assert z.sum() == factor.value
    x, y = factor.cut_rows, factor.cut_columns
    assert factor.value == row_half[~x].sum() + column_half[y].sum() + grid[x][:, ~y].sum()
    missing = (row_half - z.sum(axis=1)).sum() + (column_half - z.sum(axis=0)).sum()
    assert factor.deficit == missing
    assert factor.exists == (missing == 0)
    if not factor.exists:
        cut = line_cut(*at, factor)
        assert refutes(grid, cut)
        assert not any(refutes(grid, smaller) for smaller in with_one_line_less(grid, cut))


def with_one_line_less(grid: Bits, cut: Cut) -> list[Cut]:
    """The cuts with one line left out and their numbers put right."""
    smaller = []
    for rows, columns in [
        *((np.delete(cut.rows, i), cut.columns) for i in range(cut.rows.size)),
        *((cut.rows, np.delete(cut.columns, i)) for i in range(cut.columns.size)),
    ]:
        smaller.append(Cut(cut.side, rows, columns))
    return smaller


def test_a_cut_is_small() -> None:
    """Four places that have no order, amid a board that has: the cut shows one of them."""
    grid = np.zeros((46, 46), dtype=np.bool_)
    grid[0, 0:2] = grid[1, 2:4] = True  # two presses in a row, each alone in its column
    grid[2:4, 4] = grid[4:6, 5] = True
    grid[6:, 6:] = random_grid(40, 40, 0.5, 1)
    answer = order_lines(problem_of(grid))
    assert isinstance(answer, Cut)
    assert refutes(grid, answer)
    assert answer.rows.size + answer.columns.size == 3


# Squares


@given(grids)
def test_squares(grid: Bits) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordering, "PEELED", 1)
        cells, rest = ordering._squares(grid, NEVER)
    peeled = np.zeros_like(grid)
    rows, columns = np.divmod(cells.reshape(-1, 4), grid.shape[1])
    for r, c in zip(rows.tolist(), columns.tolist(), strict=True):
        assert r[0] != r[1]
        assert c[0] != c[1]
        assert {(r[2], c[2]), (r[3], c[3])} == {(r[0], c[1]), (r[1], c[0])}
        peeled[r, c] ^= True
    assert peeled.sum() == cells.size
    assert (peeled ^ rest == grid).all()
    for upper, lower in itertools.combinations(rest, 2):  # up to 16 rows: all pairs have met
        assert (upper & lower).sum() <= 1


def test_squares_take_most_of_a_dense_board() -> None:
    grid = random_grid(500, 400, 0.5, 0)
    assert ordering._squares(grid, NEVER)[0].size > 0.8 * np.count_nonzero(grid)
    problem = problem_of(grid)
    answer = order_lines(problem)
    assert isinstance(answer, Order)
    check_order(problem, answer.vertices)


# Trails


def walks(trails: Trails) -> list[list[int]]:
    return [w.tolist() for w in np.split(trails.vertices, trails.starts[1:])][: trails.lengths.size]


@given(st.integers(1, 8), st.data())
def test_split(size: int, data: st.DataObject) -> None:
    pairs = [(u, v) for u in range(size) for v in range(size) if u != v]
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    surplus = [sum(u == v for u, _ in edges) - sum(u == v for _, u in edges) for v in range(size)]
    tails, heads = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    if max(map(abs, surplus)) > 1:
        with pytest.raises(ValueError, match="more than one"):
            split(tails, heads, size)
        return
    cycles, paths = (walks(trails) for trails in split(tails, heads, size))
    assert all(len({*walk}) == len(walk) for walk in cycles + paths)
    used = [edge for path in paths for edge in itertools.pairwise(path)]
    used += [edge for cycle in cycles for edge in itertools.pairwise([*cycle, cycle[0]])]
    assert sorted(used) == sorted(edges)
    assert sorted(path[0] for path in paths) == [v for v in range(size) if surplus[v] == 1]
    assert sorted(path[-1] for path in paths) == [v for v in range(size) if surplus[v] == -1]
