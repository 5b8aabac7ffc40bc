"""All encoders against the brute force: the same question, so the same answer, and real orders."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, islice, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder.check.lrat import check_lrat
from ponder.encodings.precedence import Precedence
from ponder.encodings.registry import ENCODERS, encoder, encoders
from ponder.find.solvers.decoding import cuts, decode, order_of
from ponder.find.solvers.drat_to_lrat import lrat_of
from ponder.formulas import dimacs, opb, xor
from ponder.formulas.cardinality import CARD
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import CpSatEncoder, Encoder
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.model.ordering_problem import Order, OrderingProblem
from ponder.system.errors import PonderError
from ponder.system.types import bincount
from tests import brute
from tests.boards import is_order
from tests.dimacs import parse

Config = tuple[str, tuple[str, ...]]


NEEDS_EVEN = ("half_factor", "cpsat_half_factor")
"""Encodings for row/column boards alone: asked of the encodings in a test, not at collection."""

ANY_GRAPH: list[Config] = [
    *((name, ()) for name in ENCODERS if name not in NEEDS_EVEN),
    ("precedence", ("acyclic=lazy",)),
    ("precedence", ("acyclic=labels",)),
    ("precedence", ("acyclic=closure", "xor_cut=3")),
    ("time_indexed", ("parity=chain", "one=pairwise", "normal=off")),
]
VARIANTS: list[Config] = [
    ("time_indexed", ("normal=off",)),
    ("time_indexed", ("one=bitwise",)),
    ("time_indexed", ("one=sequential", "normal=off")),
    ("time_indexed", ("parity=chain", "xor_cut=3")),
    ("layered", ("normal=off", "xor_cut=3")),
    ("precedence", ("order=fill",)),
]
CROSS: list[Config] = [
    *((name, ()) for name in ENCODERS),
    ("time_indexed", ("colours=off",)),
    ("time_indexed", ("normal=on", "card=totalizer")),
    ("time_indexed", ("parity=light",)),
    ("layered", ("colours=off",)),
    ("layered", ("normal=on",)),
    ("layered", ("parity=chain",)),
    ("precedence", ("lines=off",)),
    ("precedence", ("acyclic=lazy",)),
    ("cpsat_positions", ("lines=off",)),
]


def answer(problem: OrderingProblem, config: Config) -> bool:
    """Whether the encoding has a solution.

    A solution must decode to a legal order, and a refutation by clauses must have a checked proof.
    """
    made = encoder(config[0])
    options = made.options(config[1])
    assert made.refutes(problem, options)
    if isinstance(made, CpSatEncoder):
        from ortools.sat.python import cp_model

        model = made.model(problem, options)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(model.model)
        if status == cp_model.INFEASIBLE:
            return False
        assert status == cp_model.OPTIMAL
        assert is_order(problem, order_of(problem, model.read(solver.value)))
        return True
    from pysat.solvers import Solver

    formula = made.encode(problem, options)
    clauses = list(formula.clauses())
    with Solver(name="minisat22", bootstrap_with=clauses) as sat:
        while sat.solve():
            found = sat.get_model()
            broken = cuts(made, problem, options, found)
            if not broken:
                assert is_order(problem, decode(made, problem, options, found))
                return True
            assert made.lazy(options)
            for way, back in zip(broken[::2], broken[1::2], strict=True):
                assert not {*way} & {*found}, "a cut must cut the model off"
                assert back == [-x for x in way], "the other way around is no order either"
            for clause in broken:
                assert made.is_cut(problem, options, clause)
                sat.add_clause(clause)
                clauses.append(clause)
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as sat:
        assert not sat.solve()
        proof = "\n".join([*sat.get_proof(), "0"])
        check_lrat(clauses, lrat_of(proof, formula.variables, clauses))
    return False


def truth(problem: OrderingProblem) -> bool:
    odd = np.flatnonzero(problem.odd).tolist()
    return orderable(problem.size, tuple(map(tuple, problem.edges.tolist())), tuple(odd))


orderable = cache(brute.orderable)  # every encoding is asked the same


def graphs(size: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every labelled graph on `size` vertices."""
    pairs = list(combinations(range(size), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        yield tuple(pair for pair, taken in zip(pairs, chosen, strict=True) if taken)


@cache
def canonical_graphs(size: int) -> list[tuple[tuple[int, int], ...]]:
    """One graph per isomorphism class; degrees, neighbours' degrees and triangles decide."""
    kept: dict[object, tuple[tuple[int, int], ...]] = {}
    for edges in graphs(size):
        near = brute.masks(size, edges)
        key = tuple(
            sorted(
                (m.bit_count(), sorted(near[u].bit_count() for u in range(size) if m >> u & 1))
                for m in near
            )
        )
        triangles = sum((near[u] & near[v]).bit_count() for u, v in edges)
        kept.setdefault((str(key), triangles), edges)
    return list(kept.values())


def every_case(size: int, edges: Sequence[tuple[int, int]]) -> Iterator[OrderingProblem]:
    for odd in product((0, 1), repeat=size):
        yield OrderingProblem.from_edges(size, edges, [v for v in range(size) if odd[v]])


@cache
def small_cases() -> list[tuple[OrderingProblem, bool]]:
    cases = [c for n in range(5) for edges in graphs(n) for c in every_case(n, edges)]
    return [(problem, truth(problem)) for problem in cases]


@pytest.mark.parametrize("config", ANY_GRAPH, ids=str)
def test_truth_table(config: Config) -> None:
    """Every labelled graph with up to 3 vertices, with every T, and of those with 4 some.

    The deep table has them all. No number of T's is a multiple of the step: every T has its turn.
    """
    both = set()
    step = 61 if config[0].startswith("cpsat") else 37
    for problem, expected in small_cases()[:75] + small_cases()[75::step]:
        both.add(expected)
        assert answer(problem, config) == expected, (problem.edges, problem.odd)
    assert both == {False, True}


@pytest.mark.parametrize("config", ANY_GRAPH + VARIANTS, ids=str)
def test_five_vertices(config: Config) -> None:
    """Every kind of graph with 5 vertices, each with one T that varies; the deep table has all."""
    classes = canonical_graphs(5)
    assert len(classes) == 34
    for k, edges in enumerate(classes):
        odd = [v for v in range(5) if (k * 7 + 5) >> v & 1 and k % 4]  # of every fourth, empty
        problem = OrderingProblem.from_edges(5, edges, odd)
        assert answer(problem, config) == truth(problem), (edges, odd)


@pytest.mark.deep
@pytest.mark.parametrize("config", ANY_GRAPH + VARIANTS, ids=str)
def test_truth_table_of_five_vertices(config: Config) -> None:
    """All 1024 labelled graphs with 5 vertices and all 32 T; and all with 4."""
    for size in (4, 5):
        for edges in graphs(size):
            for problem in every_case(size, edges):
                assert answer(problem, config) == truth(problem), (edges, problem.odd)


@cache
def one_way_cases() -> list[tuple[OrderingProblem, bool]]:
    """Every way in which 3 vertices hear each other, every T; every third with an edge fixed."""
    pairs, cases = list(permutations(range(3), 2)), []
    for k, heard in enumerate(product((False, True), repeat=6)):
        hears = [[u for (v, u), is_so in zip(pairs, heard, strict=True) if is_so and v == w]
                 for w in range(3)]  # fmt: skip
        for odd in product((False, True), repeat=3):
            problem = OrderingProblem.one_way(hears, np.array(odd))
            if k % 3 == 1 and len(problem.edges):
                edge = problem.edges[:: 1 if odd[0] else -1, :: 1 if odd[1] else -1][:1]
                problem = replace(problem, fixed=edge)
            fixed = [] if problem.fixed is None else [tuple(problem.fixed[0].tolist())]
            cases.append((problem, odd in brute.parities_of_orders(hears, fixed)))
    return cases


@pytest.mark.parametrize("config", ANY_GRAPH + VARIANTS, ids=str)
def test_one_way_truth_table(config: Config) -> None:
    both = set()
    for problem, expected in one_way_cases()[:: 41 if config[0].startswith("cpsat") else 23]:
        both.add((problem.fixed is None, expected))
        assert answer(problem, config) == expected, (problem.hears, problem.odd, problem.fixed)
    assert len(both) == 4


@pytest.mark.parametrize("config", ANY_GRAPH, ids=str)
def test_one_way_problems_of_five_vertices(config: Config) -> None:
    rng = np.random.default_rng(8)
    for _ in range(6):
        hears = [np.flatnonzero(rng.random(5) < 0.6).tolist() for _ in range(5)]
        hears = [[u for u in near if u != v] for v, near in enumerate(hears)]
        able, odd = brute.parities_of_orders(hears), rng.random(5) < 0.5
        problem = OrderingProblem.one_way(hears, odd)
        assert answer(problem, config) == (tuple(odd.tolist()) in able), (hears, odd)


def test_a_formula_of_one_way_is_another_formula() -> None:
    problem = OrderingProblem.one_way([[1], [0]], np.array([True, False]))
    half = replace(problem, heard=np.array([[True, False]]))
    fixed = replace(problem, heard=None, fixed=np.array([[0, 1]]))
    made = encoder("precedence")
    told = {str(made.describe(each, made.options())) for each in (problem, half, fixed)}
    assert len(told) == 3


@st.composite
def problems(draw: st.DrawFn) -> OrderingProblem:
    size = draw(st.integers(6, 8))
    pairs = list(combinations(range(size), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=20))
    odd = draw(st.lists(st.integers(0, size - 1), unique=True))
    return OrderingProblem.from_edges(size, edges, odd)


@settings(max_examples=15)
@given(problems())
def test_random_graphs(problem: OrderingProblem) -> None:
    expected = truth(problem)
    for config in ANY_GRAPH:
        assert answer(problem, config) == expected, config


# --------------------------------------------------------------------------- row/column boards


def cross(
    shape: tuple[int, int],
    counts: np.ndarray,
    odd: np.ndarray | None = None,
) -> OrderingProblem:
    graph = CrossGraph(shape)
    bulbs = np.repeat(np.arange(graph.size), counts)
    later = np.zeros(graph.size, dtype=np.bool_) if odd is None else odd
    return OrderingProblem(graph, bulbs, later[bulbs])


def press_sets(cells: int) -> Iterator[np.ndarray]:
    for bits in product((0, 1), repeat=cells):
        yield np.array(bits)


@pytest.mark.parametrize("config", [("half_factor", ()), ("cpsat_half_factor", ())], ids=str)
def test_half_factor_on_press_sets_of_3x3(config: Config) -> None:
    """Every third; the deep test below has them all, by every encoding."""
    for counts in islice(press_sets(9), 0, None, 3):
        problem = cross((3, 3), counts)
        assert answer(problem, config) == truth(problem), counts


@pytest.mark.deep
@pytest.mark.parametrize("config", CROSS, ids=str)
def test_every_press_set_of_3x3(config: Config) -> None:
    for counts in press_sets(9):
        problem = cross((3, 3), counts)
        assert answer(problem, config) == truth(problem), counts


def test_press_sets_of_3x3_by_every_encoding() -> None:
    for k, counts in enumerate(islice(press_sets(9), 0, None, 3)):
        problem = cross((3, 3), counts)
        config = CROSS[k % len(CROSS)]
        assert answer(problem, config) == truth(problem), (counts, config)


@pytest.mark.parametrize("count", [50, pytest.param(500, marks=pytest.mark.deep)])
def test_press_sets_of_4x4(count: int) -> None:
    """So many press sets, each by two encodings in turn."""
    rng = np.random.default_rng(4)
    for k in range(count):
        problem = cross((4, 4), (rng.random(16) < rng.uniform(0.2, 0.7)).astype(int))
        quick = ("half_factor", ())
        expected = answer(problem, quick)
        if problem.size <= 9:
            assert truth(problem) == expected
        config = CROSS[k % len(CROSS)]
        if problem.size <= 9 or "colours=off" not in config[1]:
            assert answer(problem, config) == expected, (config, problem.bulbs)


@settings(max_examples=6)
@given(st.data())
def test_goals_and_repeats_on_row_column_boards(data: st.DataObject) -> None:
    """Any parities and press counts up to 3: the blow-up, where colours are signed."""
    shape = data.draw(st.sampled_from([(1, 1), (1, 4), (2, 2), (2, 3), (3, 3)]))
    cells = shape[0] * shape[1]
    counts = np.array(data.draw(st.lists(st.integers(0, 3), min_size=cells, max_size=cells)))
    while counts.sum() > 8:  # of more, the proofs that there is no order are long
        counts[np.argmax(counts)] -= 1
    odd = np.array(data.draw(st.lists(st.booleans(), min_size=cells, max_size=cells)))
    problem = cross(shape, counts, odd)
    expected = truth(problem)
    for config in CROSS:
        if config[0] not in NEEDS_EVEN:
            assert answer(problem, config) == expected, config


@settings(max_examples=15)
@given(
    st.lists(st.lists(st.sampled_from("01-"), min_size=4, max_size=4), min_size=1, max_size=4),
    st.sampled_from(["unlit", "lit"]),
    st.sampled_from(["cross", "plus", "torus-king"]),
)
def test_boards_with_holes(rows: list[list[str]], rule: str, pattern: str) -> None:
    text = ["".join(row) for row in rows]
    if not any(set(row) - {"-"} for row in text):
        text[0] = "0" + text[0][1:]
    board = Board.from_rows(text, pattern, "lit" if rule == "lit" else "unlit")
    counts = board.lit
    if counts.sum() > 9:
        return
    problem = OrderingProblem.of_board(board, counts)
    expected = truth(problem)
    for config in ANY_GRAPH:
        assert answer(problem, config) == expected, config


def takes_any_graph(name: str) -> bool:
    """Whether an encoding is for more than row/column boards."""
    made = encoder(name)
    try:
        made.size(OrderingProblem.from_edges(2, [(0, 1)]), made.options())
    except PonderError:
        return False
    return True


def test_half_factor_says_what_it_needs() -> None:
    assert [name for name in ENCODERS if not takes_any_graph(name)] == [*NEEDS_EVEN]
    plain = cross((2, 2), np.array([1, 0, 0, 1]))
    for name in NEEDS_EVEN:
        for problem, reason in (
            (OrderingProblem.from_edges(2, []), "needs a row/column board"),
            (cross((2, 2), np.ones(4, int), np.ones(4, bool)), "needs an even number"),
            (cross((2, 2), np.array([2, 0, 0, 0])), "cannot press a bulb twice"),
        ):
            with pytest.raises(PonderError, match=reason):
                answer(problem, (name, ()))
        assert answer(plain, (name, ()))
    with pytest.raises(PonderError, match="needs a row/column board"):
        answer(OrderingProblem.from_edges(2, []), ("time_indexed", ("parity=lines",)))


@pytest.mark.parametrize(
    "card", [card for card in CARD if card not in ("native", "bitwise", "ladder")]
)
def test_every_cardinality_encoding(card: str) -> None:
    rng = np.random.default_rng(7)
    for _ in range(25):
        problem = cross((4, 4), (rng.random(16) < 0.5).astype(int))
        config = ("half_factor", (f"card={card}",))
        assert answer(problem, config) == answer(problem, ("half_factor", ()))


def test_large_half_factors_decode() -> None:
    """Random half factors of large boards: disjoint cycles, half of each line."""
    rng = np.random.default_rng(1)
    for size in (30, 31):
        while True:
            problem = cross((size, size), (rng.random(size * size) < 0.5).astype(int))
            rows, columns = problem.lines or (np.empty(0), np.empty(0))
            if (bincount(rows) % 2).sum() == (bincount(columns) % 2).sum():
                break
        assert answer(problem, ("half_factor", ()))


# ----------------------------------------------------------------------------- layers and hints


def test_sizes_of_cp_sat_models() -> None:
    problem = cross((3, 3), np.ones(9, int))
    made = encoder("cpsat_half_factor")
    size = made.size(problem, made.options())
    assert (size.variables, size.clauses) == (9, 6)


def test_too_few_layers_refute_nothing() -> None:
    """A path of three with T = ∅ has an order, but not in one layer."""
    problem = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    made = encoder("layered")
    assert isinstance(made, Encoder)
    from pysat.solvers import Solver

    satisfiable = {}
    for layers in (1, 2, 3):
        options = made.options([f"layers={layers}"])
        with Solver(bootstrap_with=made.encode(problem, options).clauses()) as solver:
            satisfiable[layers] = (solver.solve(), made.refutes(problem, options))
    assert satisfiable == {1: (False, False), 2: (True, False), 3: (True, True)}
    lines = made.describe(problem, made.options(["layers=2"]))
    assert any("refutes nothing" in line for line in lines)


@pytest.mark.parametrize("name", ["layered", "cpsat_time", "precedence"])
def test_schedules_end_with_a_refuter(name: str) -> None:
    made = encoder(name)
    problem = cross((6, 6), np.ones(36, int))
    tried = list(made.schedule(problem, made.options()))
    assert [made.refutes(problem, options) for options in tried][-1]
    assert not any(made.refutes(problem, options) for options in tried[:-1])


@pytest.mark.parametrize("name", ["cpsat_time", "cpsat_positions", "cpsat_half_factor"])
def test_a_true_hint_is_a_whole_solution_of_its_part(name: str) -> None:
    """A hint that is a legal order must be feasible: fixing the hinted variables keeps "yes"."""
    from ortools.sat.python import cp_model

    made = encoder(name)
    assert isinstance(made, CpSatEncoder)
    rng = np.random.default_rng(2)
    seen = 0
    while seen < 10:
        problem = cross((3, 4), (rng.random(12) < 0.6).astype(int))
        build = brute.build_order(problem.size, problem.edges.tolist())
        if build is None or not build:
            continue
        seen += 1
        model = made.model(problem, made.options(), Order.from_build(build))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.fix_variables_to_their_hinted_value = True
        assert solver.solve(model.model) == cp_model.OPTIMAL
        assert is_order(problem, order_of(problem, model.read(solver.value)))


# ------------------------------------------------------------------------ sizes, names, formulas


def some_problems() -> list[OrderingProblem]:
    rng = np.random.default_rng(3)
    plus = Board.from_grid(np.zeros((4, 4), dtype=np.bool_), "plus")
    return [
        OrderingProblem.from_edges(0, []),
        OrderingProblem.from_edges(1, [], [0]),
        OrderingProblem.from_edges(1, []),
        OrderingProblem.from_edges(7, [(0, v) for v in range(1, 7)], [0, 3]),
        OrderingProblem.of_board(plus, np.ones(16, dtype=np.bool_)),
        cross((4, 5), (rng.random(20) < 0.6).astype(int)),
        cross((2, 3), np.array([2, 1, 0, 3, 1, 1]), rng.random(6) < 0.5),
    ]


FORMULAS = [c for c in dict.fromkeys(ANY_GRAPH + VARIANTS + CROSS) if not c[0].startswith("cpsat")]
NATIVE: list[Config] = [
    ("layered", ("parity=chain", "xor=native")),
    ("time_indexed", ("parity=chain", "xor=native", "one=native", "normal=off")),
    ("precedence", ("xor=native", "card=native")),
]


@pytest.mark.parametrize("config", FORMULAS + NATIVE, ids=str)
def test_sizes_and_names(config: Config) -> None:
    """What is announced is what is built; every variable has one name; same input, same bytes."""
    for problem in some_problems():
        made = encoder(config[0])
        assert isinstance(made, Encoder)
        options = made.options(config[1])
        try:
            formula = made.encode(problem, options)
        except PonderError:
            assert config[0] == "half_factor" or "normal=on" in config[1]
            continue
        size = made.size(problem, options)
        assert size == formula.size
        blocks = [block for group in formula.groups for block in group.blocks()]
        assert size.clauses == sum(len(block) for block in blocks)
        assert all(len(b) and b.shape[1] and (b != 0).all() for b in blocks)
        assert max((int(np.abs(b).max()) for b in blocks), default=0) <= size.variables
        names = list(formula.names())
        assert [v for v, _ in sorted(names)] == list(range(1, size.variables + 1))
        assert len({name for _, name in names}) == len(names)
        assert all(name.isascii() and " " not in name for _, name in names)
        assert all(family.meaning for family in formula.families)
        assert len({family.name for family in formula.families}) == len(formula.families)
        if formula.kinds <= {"clause", "xor"}:
            written = dimacs_of(made, problem, config)
            assert written == dimacs_of(made, problem, config)
            assert size.bytes == len(b"".join(dimacs.body(formula)))
            variables, read, xors = parse(written)
            assert variables == size.variables
            assert len(read) + len(xors) == size.clauses
            if formula.kinds <= {"clause"}:
                assert read == list(formula.clauses())


def dimacs_of(made: Encoder, problem: OrderingProblem, config: Config) -> bytes:
    options = made.options(config[1])
    file = io.BytesIO()
    formula = made.encode(problem, options)
    dimacs.write(formula, file, made.describe(problem, options), names=True)
    return file.getvalue()


def test_documented_size_formulas() -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        problem = cross((5, 4), (rng.random(20) < 0.6).astype(int))
        n, m = problem.size, len(problem.edges)
        rows, columns = problem.lines or (np.empty(0), np.empty(0))
        lines = np.unique(rows).size + np.unique(columns).size
        members = [int(d) for x in (rows, columns) for d in bincount(x) if d]
        halves = sum(4 * (d // 2) * (d - d // 2) if d > 1 else 1 for d in members)
        counters = sum((d // 2) * (d - d // 2) for d in members)

        def size(name: str, *settings: str, of: OrderingProblem = problem) -> tuple[int, int]:
            made = encoder(name)
            assert isinstance(made, Encoder)
            found = made.size(of, made.options(settings))
            return found.variables, found.clauses

        assert size("half_factor") == (n + counters, halves)
        assert size("time_indexed", "colours=off") == (
            n * (3 * n + lines),
            15 * n * n - 7 * n + lines * (2 * n - 1),
        )
        assert size("time_indexed") == (
            n * (3 * n + lines) + n + counters,
            15 * n * n - 7 * n + lines * (2 * n - 1) - n * (n - 1) + 2 * n * n + halves,
        )
        assert size("time_indexed", "parity=light") == (
            4 * n * n,
            12 * n * n - 4 * n + 4 * m * (n - 1),
        )
        for k in (1, 4, n):
            assert size("layered", "colours=off", "normal=off", f"layers={k}") == (
                k * (2 * n + lines),
                10 * n * k - 5 * n + m * k + lines * (2 * k - 1),
            )
        starts, _ = problem.adjacency
        gadgets = [xor.xor(int(d), 5, guarded=True) for d in np.diff(starts) if d]
        alone = int((np.diff(starts) == 0).sum())  # isolated presses need even parity, and have it
        assert alone + len(gadgets) == n
        odd = int((np.diff(starts) % 2).sum())
        assert size("layered", "parity=chain", "normal=off", "layers=4") == (
            4 * (2 * n + sum(g.auxiliaries for g in gadgets)),
            15 * n + 4 * m + odd + 3 * sum(len(b) for g in gadgets for b in g.template),
        )
        whole = OrderingProblem.from_edges(6, list(combinations(range(6), 2)))
        xors = 6 * (1 * 16 + 0)
        assert size("precedence", "acyclic=closure", of=whole) == (15, 40 + xors)
        assert size("precedence", "acyclic=elimination", of=whole) == (15, 40 + xors)
        assert size("precedence", "acyclic=lazy", of=whole) == (15, 40 + xors)
        assert size("precedence", "acyclic=labels", of=whole) == (
            15 + 6 * 3 + 2 * 15 * 2,
            2 * 15 * (3 * 3 - 1) + xors,
        )


@pytest.mark.parametrize("config", NATIVE[:1], ids=str)
def test_native_xors_mean_the_same(config: Config) -> None:
    """`x` lines, read back from the file and expanded, give the same answers."""
    from pysat.solvers import Solver

    made = encoder(config[0])
    assert isinstance(made, Encoder)
    for edges in canonical_graphs(4):
        for problem in every_case(4, edges):
            variables, read, xors = parse(dimacs_of(made, problem, config))
            assert variables
            for literals in xors:
                gadget = xor.xor(len(literals), len(literals) + 2)
                for block in gadget.place(np.array([literals]), 0):
                    read += block.tolist()
            with Solver(bootstrap_with=read) as solver:
                assert bool(solver.solve()) == truth(problem)
                if truth(problem):
                    model = solver.get_model()
                    assert is_order(problem, decode(made, problem, made.options(config[1]), model))


def test_opb_of_native_half_factors() -> None:
    """The equations of the file, solved as they stand, give the same answers."""
    from ortools.sat.python import cp_model

    made = encoder("half_factor")
    assert isinstance(made, Encoder)
    options = made.options(["card=native"])
    rng = np.random.default_rng(11)
    for _ in range(20):
        problem = cross((3, 3), (rng.random(9) < 0.7).astype(int))
        file = io.BytesIO()
        formula = made.encode(problem, options)
        opb.write(formula, file, made.describe(problem, options))
        model = cp_model.CpModel()
        x = [model.new_bool_var(str(k)) for k in range(formula.variables + 1)]
        for line in file.getvalue().decode().splitlines():
            if not line.startswith("*"):
                *terms, relation, bound, _ = line.split()
                assert relation == "="
                model.add(sum(x[int(name[1:])] for name in terms[1::2]) == int(bound))
        solver = cp_model.CpSolver()
        found = solver.solve(model) == cp_model.OPTIMAL
        assert found == truth(problem)
        if found:
            true = [k for k in range(1, len(x)) if solver.value(x[k])]
            assert is_order(problem, decode(made, problem, options, true))


def test_models_satisfy_their_formula() -> None:
    from pysat.solvers import Solver

    from ponder.formulas.cnf import assignment

    problem = cross((4, 4), np.array([1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1]))
    for name, settings_ in FORMULAS:
        made = encoder(name)
        assert isinstance(made, Encoder)
        formula = made.encode(problem, made.options(settings_))
        with Solver(bootstrap_with=formula.clauses()) as solver:
            assert solver.solve()
            true = assignment(formula.variables, solver.get_model())
        assert formula.falsified(true) is None
        for literal in next(formula.clauses()):
            true[abs(literal)] = literal < 0
        assert formula.falsified(true) is not None


# -------------------------------------------------------------------------------- bad usage


def test_wrong_models_are_errors_not_orders() -> None:
    problem = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    for config in FORMULAS:
        if config[0] == "half_factor" or "parity=lines" in config[1]:
            continue
        made = encoder(config[0])
        assert isinstance(made, Encoder)
        options = made.options(config[1])
        formula: Cnf = made.encode(problem, options)
        with pytest.raises(PonderError, match="belongs to another board"):
            decode(made, problem, options, [formula.variables + 1])
        with pytest.raises(PonderError, match="the model is no"):
            decode(made, problem, options, [])


def test_a_cyclic_orientation_is_no_order() -> None:
    triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)], [0, 1, 2])
    made = Precedence()
    options = made.options(["acyclic=lazy"])
    cycle = [1, 3]  # before(0|1), before(1|2), not before(0|2)
    with pytest.raises(PonderError, match="not a permutation"):
        decode(made, triangle, options, cycle)
    square = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)], [0, 1, 2, 3])
    around = [1, 3, 4]  # 0→1, 1→2, 2→3 and not 0→3
    way, back = cuts(made, square, options, around)
    assert sorted(way) == [-4, -3, -1, 2]
    assert back == [-x for x in way]


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ("acyclic", "write key=value"),
        ("cyclic=lazy", "precedence has no option 'cyclic'; known: acyclic, order"),
        ("acyclic=maybe", "acyclic='maybe' is not a choice; known: elimination, closure"),
        ("xor_cut=2", "xor_cut='2' is not a whole number from 3 to 12"),
        ("xor_cut=x", "xor_cut='x' is not a whole number"),
        ("xor_cut=٣", "is not a whole number"),
    ],
)
def test_bad_options_are_one_line(setting: str, reason: str) -> None:
    with pytest.raises(PonderError, match=reason) as caught:
        encoder("precedence").options([setting])
    assert "\n" not in str(caught.value)


def test_registry() -> None:
    assert [made.name for made in encoders()] == list(ENCODERS)
    assert encoder("half-factor").name == "half_factor"
    with pytest.raises(PonderError, match=r"unknown encoding 'magic'; known: time_indexed"):
        encoder("magic")
    for made in encoders():
        assert made.summary
        assert made.__doc__
        for option in made.spec:
            assert option.help
            assert option.parse(str(option.default)) == option.default


def test_describe_tells_problems_apart() -> None:
    made = encoder("precedence")
    options = made.options(["acyclic=closure"])
    one = made.describe(cross((2, 2), np.array([1, 1, 0, 0])), options)
    two = made.describe(cross((2, 2), np.array([1, 0, 1, 0])), options)
    assert one[0].startswith("encoding precedence acyclic=closure order=degree")
    assert one[0] == two[0]
    assert one[1] != two[1]
    board = Board.from_rows(["01", "10"], "plus")
    problem = OrderingProblem.of_board(board, board.lit)
    assert made.describe(problem, options, board) == [
        f"board sha256 {board.sha256}: pattern plus, rule unlit, goal lit",
        *made.describe(problem, options),
    ]


@settings(max_examples=50)
@given(st.data())
def test_what_is_decoded_is_checked(data: st.DataObject) -> None:
    counts = np.array(data.draw(st.lists(st.integers(0, 2), min_size=9, max_size=9)))
    problem = cross((3, 3), counts)
    order = np.array(data.draw(st.permutations(range(problem.size))), dtype=np.int64)
    place = np.argsort(order)
    later = [0] * problem.size
    for u, v in problem.edges.tolist():
        later[u if place[u] < place[v] else v] += 1
    odd = np.array(later, dtype=np.int64) % 2 == 1
    fitting = OrderingProblem(problem.graph, problem.bulbs, odd)
    assert order_of(fitting, order).vertices.tolist() == order.tolist()
    if problem.size:
        with pytest.raises(PonderError, match="number of neighbours after it"):
            order_of(OrderingProblem(problem.graph, problem.bulbs, ~odd), order)
        with pytest.raises(PonderError, match="not a permutation"):
            order_of(fitting, order[1:])
