"""The fewest presses of a press set on row/column boards, against exhaustive search.

Every sequence is replayed here from the rules alone, every bound added up from its evidence.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ponder.check.linear import press_sets
from ponder.find.context import SearchOutcome
from ponder.find.row_column.fewest import Walks, _exchange, fewest_lines
from ponder.find.row_column.like_paths import LineState, Walk, schedule
from ponder.find.row_column.maximum_flow import half_factor
from ponder.find.row_column.ordering import Trails, split_undirected
from ponder.model.board import Board, Rule
from ponder.model.graph import CrossGraph
from ponder.studies.families import board_solved_by
from ponder.system.limits import TimeUp
from ponder.system.types import Bits, Ints, bincount
from tests import brute
from tests.clocks import stopping
from tests.depth import deeper

DENSITIES = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0]


def random_grid(rows: int, columns: int, density: float, seed: int) -> Bits:
    return np.random.default_rng(seed).random((rows, columns)) < density


grids = st.builds(
    random_grid,
    st.integers(1, 12),
    st.integers(1, 12),
    st.sampled_from(DENSITIES),
    st.integers(0, 2**32 - 1),
)


def plays(board: Board, presses: list[int]) -> bool:
    """Whether every press is legal and the last one leaves the goal.

    A bulb is toggled by the presses in its row and those in its column, its own counting once.
    """
    graph = board.graph
    assert isinstance(graph, CrossGraph)
    places = list(zip(graph.rows.tolist(), graph.columns.tolist(), strict=True))
    rows, columns, times = ([0] * size for size in (*graph.shape, graph.size))
    lit = board.lit.tolist()

    def now(v: int) -> bool:
        row, column = places[v]
        return bool(lit[v]) ^ bool((rows[row] + columns[column] - times[v]) % 2)

    for v in presses:
        if now(v) != (board.rule == "lit"):
            return False
        rows[places[v][0]] += 1
        columns[places[v][1]] += 1
        times[v] += 1
    return all(now(v) == want for v, want in enumerate(board.goal.tolist()))


def fewest(grid: Bits, mask: Bits | None = None, seed: int = 0) -> SearchOutcome:
    """Solve a press set; check the sequence and the evidence."""
    graph = CrossGraph((grid.shape[0], grid.shape[1]), mask)
    press_set = graph.from_grid(grid)
    board = board_solved_by(press_set, graph)
    outcome = fewest_lines(board, press_set, seed=seed)
    assert outcome.evidence is not None
    assert outcome.lower_bound is not None
    if press_sets(board).nullity == 0:
        assert outcome.evidence.check_bound(board, "solve", outcome.lower_bound) is None
    if outcome.presses is None:
        assert not outcome.optimal
        return outcome
    presses = outcome.presses.tolist()
    assert plays(board, presses)
    odd = bincount(outcome.presses, minlength=graph.size) % 2 == 1
    assert np.array_equal(odd, press_set)
    assert outcome.optimal == (len(presses) == outcome.lower_bound)
    assert outcome.optimal  # what is found meets the bound
    return outcome


@cache
def distances(rows: int, columns: int) -> dict[int, int]:
    """The fewest presses from every state of a full board to all lit."""
    size = rows * columns
    return brute.distances(size, brute.grid_edges(rows, columns, "cross"), (1 << size) - 1)


def table(rows: int, columns: int, mask: Bits | None = None) -> NDArray[np.int16]:
    """The fewest legal presses for every press set (bit masks of cells), −1 where there are none.

    Breadth first in build order: a press needs an even number of earlier presses that toggle its
    bulb, its own included.
    """
    size = rows * columns
    bulbs = [v for v in range(size) if mask is None or mask.reshape(-1)[v]]
    near = brute.masks(size, brute.grid_edges(rows, columns, "cross"))
    sets = np.arange(1 << size)
    parity = np.zeros(1 << size, dtype=np.int8)
    for v in range(size):
        parity ^= (sets >> v & 1).astype(np.int8)
    least = np.full(1 << size, -1, dtype=np.int16)
    least[0] = 0
    layer, presses = np.zeros(1, dtype=np.int64), 0
    while layer.size:
        presses += 1
        reached = []
        for v in bulbs:
            following = layer[parity[layer & (near[v] | 1 << v)] == 0] ^ (1 << v)
            following = following[least[following] < 0]
            least[following] = presses
            reached.append(following)
        layer = np.concatenate(reached)
    return least


def grid_of(presses: int, rows: int, columns: int) -> Bits:
    bits = presses >> np.arange(rows * columns) & 1
    return bits.astype(np.bool_).reshape(rows, columns)


def number_of(bits: Bits) -> int:
    return sum(1 << int(v) for v in np.flatnonzero(bits))


# Full boards with even sides: the bound is always met


def check_even_board(rows: int, columns: int, state: int) -> None:
    """One state against exhaustive search; the press set is A·b, there being no other."""
    size = rows * columns
    graph = CrossGraph((rows, columns))
    lit = (state >> np.arange(size) & 1).astype(np.bool_)
    board = Board(graph, lit, np.ones(size, dtype=np.bool_))
    press_set = graph.apply(board.change)
    outcome = fewest_lines(board, press_set)
    assert outcome.presses is not None
    assert outcome.presses.size == outcome.lower_bound == distances(rows, columns)[state]
    assert plays(board, outcome.presses.tolist())
    assert "attempts" not in outcome.statistics  # the first construction does


@pytest.mark.parametrize(("shape", "step"), [((2, 2), 1), ((4, 2), 1), ((2, 6), 29), ((4, 4), 199)])
def test_small_even_boards(shape: tuple[int, int], step: int) -> None:
    for state in range(0, 1 << shape[0] * shape[1], step):
        check_even_board(*shape, state)


@pytest.mark.parametrize(("side", "count"), [(6, 40), (10, 40), (30, 20), (100, 3)])
def test_random_even_boards(side: int, count: int) -> None:
    """Uniform boards; their press sets are uniform too."""
    rng = np.random.default_rng(side)
    for _ in range(count):
        board = Board.from_grid(rng.random((side, side)) < 0.5)
        press_set = board.graph.apply(board.change)
        outcome = fewest_lines(board, press_set)
        assert outcome.optimal
        assert outcome.presses is not None
        assert plays(board, outcome.presses.tolist())


@given(st.integers(1, 7), st.integers(1, 7), st.sampled_from(DENSITIES), st.integers(0, 2**32 - 1))
def test_even_boards_of_any_density(half: int, wide: int, density: float, seed: int) -> None:
    outcome = fewest(random_grid(2 * half, 2 * wide, density, seed))
    assert outcome.optimal
    assert "attempts" not in outcome.statistics


@given(grids)
def test_what_the_proof_says_of_every_split(grid: Bits) -> None:
    """Like paths are as many as the flow falls short; no press joins two lines that end them."""
    rows, columns = np.nonzero(grid)
    shape = (grid.shape[0], grid.shape[1])
    factor = half_factor(rows, columns, shape)
    walks = Walks.from_half_factor(rows, columns, factor, shape, np.empty(0, dtype=np.int64))
    assert len(walks.like) == factor.deficit
    ends = [end for walk in walks.like for end in (walk[0], walk[-1])]
    assert all((walk[0] < shape[0]) == (walk[-1] < shape[0]) for walk in walks.like)
    assert not grid[
        np.ix_([e for e in ends if e < shape[0]], [e - shape[0] for e in ends if e >= shape[0]])
    ].any()
    ends += [int(walk[k]) for walk in walks.mixed.walks() for k in (0, -1)]
    sums = np.concatenate([grid.sum(axis=1), grid.sum(axis=0)])
    assert sorted(ends) == np.flatnonzero(sums % 2).tolist()
    cycles = [[*walk, walk[0]] for trails in walks.cycles for walk in trails.walks()]
    parts = [*cycles, *walks.mixed.walks(), *walks.like]
    cells = [cell for walk in parts for cell in LineState.empty(shape, None).cells(walk).tolist()]
    assert sorted(cells) == np.flatnonzero(grid).tolist()
    for walk in parts:
        assert len({*walk}) == len(walk) - (walk[0] == walk[-1])


def test_exchange() -> None:
    """Presses go over to the like paths; then no mixed path joins two lines that end like paths."""
    happened = 0
    for seed in range(200):
        rng = Random(seed)
        rows, columns = rng.sample(range(10), 10), rng.sample(range(10, 20), 10)
        lengths = [2 * rng.randint(1, 3) for _ in range(3)]
        lines = [line for pair in zip(rows, columns, strict=True) for line in pair]
        mixed = Trails(np.array(lines[: sum(lengths)]), np.array(lengths))
        before = {tuple(sorted(pair)) for walk in mixed.walks() for pair in pairwise(walk)}
        ends_mixed = {walk[end] for walk in mixed.walks() for end in (0, -1)}
        pairs = {(r, c) for r in range(10) for c in range(10, 20)} - before
        pairs = {pair for pair in pairs if not ends_mixed & {*pair}}
        like = np.array(rng.sample(sorted(pairs), rng.randint(2, 12)))
        shorter, u, v, exchanges = _exchange(mixed, like[:, 0], like[:, 1], 20)
        kept = [tuple(sorted(pair)) for walk in shorter.walks() for pair in pairwise(walk)]
        given = [tuple(sorted(pair)) for pair in zip(u.tolist(), v.tolist(), strict=True)]
        assert Counter([*kept, *given]) == Counter([*before, *map(tuple, like.tolist())])
        ends = bincount(np.concatenate([u, v]), minlength=20) % 2
        assert not any(ends[a] and ends[b] for a, b in kept)
        assert shorter.lengths.size == 3
        happened += exchanges
    assert happened > 100


def test_an_exchange_happens() -> None:
    """Sparse boards on which the flow leaves a mixed path to be shortened."""
    exchanges = 0
    for seed in range(320, 340):
        grid = random_grid(40, 40, 0.03, seed)
        outcome = fewest(grid)
        exchanges += int(str(outcome.statistics["exchanges"]))
        assert "attempts" not in outcome.statistics
    assert exchanges > 0


# Odd sides and holes


def check_press_sets(rows: int, columns: int, mask: Bits | None = None) -> Counter[str]:
    """Every press set of a board; how often the bound was met, or not though it could be."""
    exact = table(rows, columns, mask)
    verdicts: Counter[str] = Counter()
    holes = 0 if mask is None else number_of(~mask.reshape(-1))
    for presses in range(exact.size):
        if presses & holes:
            continue
        outcome = fewest(grid_of(presses, rows, columns), mask)
        if exact[presses] < 0:
            assert outcome.presses is None
            verdicts["no sequence"] += 1
            continue
        assert outcome.lower_bound <= exact[presses]
        assert not outcome.optimal or outcome.lower_bound == exact[presses]
        verdicts["met" if outcome.optimal else "not met"] += 1
    return verdicts


def check_odd_boards(shape: tuple[int, int], without: int) -> None:
    """Where any legal sequence exists, the bound is met."""
    assert check_press_sets(*shape) == +Counter(
        {"met": (1 << shape[0] * shape[1]) - without, "no sequence": without}
    )


@pytest.mark.parametrize(
    ("shape", "without"),
    [((1, 1), 0), ((1, 5), 26), ((4, 1), 11), ((2, 3), 1), ((3, 2), 1), deeper((3, 3), 15)],
)
def test_every_press_set_of_odd_boards(shape: tuple[int, int], without: int) -> None:
    check_odd_boards(shape, without)


@given(grids, st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_holes(grid: Bits, seed: int, density: float) -> None:
    mask = grid | (np.random.default_rng(seed).random(grid.shape) < density)
    if mask.any():
        fewest(grid, mask)


@pytest.mark.parametrize(("shape", "count"), [((2, 4), 4), ((3, 3), 1), deeper((3, 4), 30)])
def test_every_press_set_of_boards_with_holes(shape: tuple[int, int], count: int) -> None:
    rng = np.random.default_rng(1)
    verdicts: Counter[str] = Counter()
    for _ in range(count):
        mask = rng.random(shape) < rng.choice([0.6, 0.7, 0.8, 0.9])
        if mask.any():
            verdicts += check_press_sets(*shape, mask)
    assert verdicts["not met"] <= verdicts["met"] / 100


@pytest.mark.parametrize("rule", ["unlit", "lit"])
def test_other_rules_and_stops(rule: Rule) -> None:
    """Lit bulbs to all unlit are the same game; the bound holds whenever the time ends."""
    graph = CrossGraph((6, 8))
    press_set = graph.from_grid(random_grid(6, 8, 0.4, 2))
    goal = np.full(48, rule == "unlit")
    board = Board(graph, graph.apply(press_set) ^ goal, goal, rule)
    full = fewest_lines(board, press_set)
    assert full.optimal
    for look in range(30):
        try:
            outcome = fewest_lines(board, press_set, limits=stopping(look))
        except TimeUp:
            continue
        assert outcome.lower_bound == full.lower_bound
        assert outcome.presses is None or plays(board, outcome.presses.tolist())


def legal_build(site: LineState, walk: Walk, cells: list[int]) -> bool:
    """Whether the cells can be built in turn, and in all each edge of the walk is built oddly."""
    height, width = site.pressed.shape
    bits = site.bits.tolist()
    pressed = site.pressed.reshape(-1).tolist()
    for cell in cells:
        row, column = cell // width, height + cell % width
        if (bits[row] + bits[column] + pressed[cell]) % 2:
            return False
        bits[row] ^= True
        bits[column] ^= True
        pressed[cell] ^= True
    changed = [k for k, bit in enumerate(site.pressed.reshape(-1).tolist()) if bit != pressed[k]]
    return changed == sorted(site.cells(walk).tolist())


@st.composite
def sites(draw: st.DrawFn, closed: bool = False, like: bool = False) -> tuple[LineState, Walk]:
    """A board with anything pressed, and a walk on it whose own bulbs were not."""
    height, width = draw(st.integers(2, 6)), draw(st.integers(2, 6))
    rows, columns = draw(st.permutations(range(height))), draw(st.permutations(range(width)))
    most = min(height, width)
    turned = draw(st.booleans())
    kinds = [rows, [height + column for column in columns]]
    if turned:
        kinds.reverse()
    count = draw(st.integers(2 if closed else 1, most))
    walk = [line for pair in zip(kinds[0][:count], kinds[1][:count], strict=True) for line in pair]
    if closed:
        walk.append(walk[0])
    elif like:
        walk.pop()
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    site = LineState.empty((height, width), rng.random((height, width)) < 0.7)
    site.bits[:] = rng.random(height + width) < draw(st.sampled_from([0, 0.2, 0.5, 1]))
    site.pressed[:] = rng.random((height, width)) < draw(st.sampled_from([0, 0.2, 0.5, 1]))
    if site.mask is not None:
        site.mask.reshape(-1)[site.cells(walk)] = True
    site.pressed.reshape(-1)[site.cells(walk)] = False
    if not closed:
        site.bits[[walk[0], walk[-1]]] = False
    return site, walk


def built(site: LineState, walk: Walk, cells: Ints | None) -> bool:
    """Whether there is an answer; then it is legal and on bulbs only."""
    if cells is None:
        return False
    assert legal_build(site, walk, cells.tolist())
    assert site.mask is not None
    assert site.mask.reshape(-1)[cells].all()
    return True


@given(sites())
def test_mixed_paths_can_always_be_built(case: tuple[LineState, Walk]) -> None:
    site, walk = case
    assert built(site, walk, site.build(walk))


@given(sites(closed=True))
def test_cycles_can_be_built_unless_rows_and_columns_differ(case: tuple[LineState, Walk]) -> None:
    site, walk = case
    kinds = {(line < len(site.pressed), bool(site.bits[line])) for line in walk}
    stuck = (
        len(kinds) == 2 and len({kind for kind, _ in kinds}) == len({bit for _, bit in kinds}) == 2
    )
    assert built(site, walk, site.build(walk)) != stuck


@given(sites(like=True))
def test_like_paths_with_two_more_presses(case: tuple[LineState, Walk]) -> None:
    site, walk = case
    if len(walk) < 3:
        return
    cells = site.build(walk)
    if built(site, walk, cells):
        assert cells is not None
        assert cells.size == len(walk) + 1


@given(sites(like=True), st.data())
def test_every_place_for_the_extra_presses(
    case: tuple[LineState, Walk], data: st.DataObject
) -> None:
    site, walk = case
    last = len(walk) - 1
    if last < 2:
        return
    i = data.draw(st.integers(1, last))
    built(site, walk, site._helped(walk, i))


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_schedule_leaves_the_site_alone(size: int, seed: int) -> None:
    """Like paths of two presses in one column each: rows are the helpers' business."""
    rng = Random(seed)
    walks = [[2 * k, 2 * size + k, 2 * k + 1] for k in range(size)]
    site = LineState.empty((2 * size, size), None)
    order = schedule(site, walks, rng)
    assert not site.bits.any()
    assert not site.pressed.any()
    assert order is not None
    done = LineState.empty((2 * size, size), None)
    for cells in order:
        walk = next(walk for walk in walks if done.cells(walk)[0] in cells)
        assert legal_build(done, walk, cells.tolist())
        done.flip(walk)


# Splitting undirected graphs


@given(st.integers(2, 9), st.data())
def test_split_undirected(size: int, data: st.DataObject) -> None:
    pairs = [(u, v) for u in range(size) for v in range(u)]
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    u, v = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    cycles, paths = (trails.walks() for trails in split_undirected(u, v))
    degree = Counter(end for edge in edges for end in edge)
    assert sorted(end for walk in paths for end in (walk[0], walk[-1])) == sorted(
        vertex for vertex, count in degree.items() if count % 2
    )
    used = Counter[frozenset[int]]()
    for walk in [*([*cycle, cycle[0]] for cycle in cycles), *paths]:
        assert len({*walk}) == len(walk) - (walk[0] == walk[-1])
        used.update(frozenset(edge) for edge in pairwise(walk))
    assert used == Counter(frozenset(edge) for edge in edges)
