"""Time limits without time, for the search: a clock stops at its k-th look, for k = 1, 2, 3, …

Every method and every encoding looks, ends with "unknown" wherever it is stopped, or with an
answer that holds; and what would need too much memory is refused before it is made.
"""

from __future__ import annotations

import io

import numpy as np
import pytest

from ponder.check.certificate import Answer, Refutation
from ponder.check.replay import check_order
from ponder.encodings.cpsat_time import CpSatTime
from ponder.encodings.registry import encoder
from ponder.find.context import METHODS, Method, SearchContext
from ponder.find.coset.clusters import Clusters
from ponder.find.order import order
from ponder.find.solvers import by_encoding
from ponder.find.solvers.by_encoding import SolverSettings, order_encoded
from ponder.find.solvers.clause_arrays import Formula
from ponder.formulas import cnf, dimacs, opb
from ponder.formulas.encoder import Encoder
from ponder.formulas.vertex_elimination import eliminated
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.errors import PonderError
from ponder.system.limits import NEVER, Limits, NeedsMemory, TimeUp
from tests.boards import solved_by
from tests.clocks import Looks, stopping

RECIPES = [
    ("half_factor", ()),
    ("layered", ()),
    ("layered", ("parity=chain", "normal=on")),
    ("precedence", ()),
    ("precedence", ("lines=off",)),
    ("precedence", ("acyclic=lazy", "order=fill")),
    ("precedence", ("order=fill",)),
    ("time_indexed", ()),
    ("time_indexed", ("parity=light", "normal=off")),
    ("cpsat_time", ()),
]


def on_cross(shape: tuple[int, int] = (4, 4)) -> OrderingProblem:
    """The presses of a row/column board; they have an order."""
    zeros = Board.from_rows(["0" * shape[1]] * shape[0])
    pressed = np.zeros(zeros.graph.size, dtype=np.bool_)
    pressed[[0, 1, shape[1], shape[1] + 1, 2 * shape[1] + 2]] = True
    return OrderingProblem.of_board(zeros, pressed)


def on_plus() -> OrderingProblem:
    board = Board.from_rows(["0" * 5] * 4, "plus")
    pressed = np.random.default_rng(3).random(20) < 0.75  # 18 presses, 26 pairs, an order
    return OrderingProblem.of_board(board, pressed)


def holds(problem: OrderingProblem, partial: Answer, full: Answer) -> None:
    """What a run that was cut short says is what the whole run says, or nothing."""
    if isinstance(partial, Order):
        check_order(problem, partial.vertices)
        assert isinstance(full, Order)
    elif isinstance(partial, Unknown):
        assert partial.reason
    else:
        assert isinstance(partial, Refutation)
        assert isinstance(full, Refutation)


def looks_numbers(seen: int, most: int = 25) -> list[int]:
    """The first looks, and some of the later ones."""
    return sorted({*range(1, min(seen, most) + 1), *np.linspace(1, seen, most, dtype=int).tolist()})


@pytest.mark.parametrize(
    ("name", "settings", "problem"),
    [
        (name, settings, problem)
        for name, settings in RECIPES
        for problem in (on_cross(), on_plus())
        if problem.lines is not None or not name.endswith("half_factor")
    ],
)
def test_formulas_and_models_are_made_under_the_clock(
    name: str, settings: tuple[str, ...], problem: OrderingProblem
) -> None:
    """Whichever look it is, the making ends with TimeUp, or is done and right."""
    coder = encoder(name)
    options = coder.options(settings)

    def make(deadline: Limits) -> object:
        fresh = OrderingProblem(problem.graph, problem.bulbs, problem.odd)
        if isinstance(coder, CpSatTime):
            return coder.model(fresh, options, deadline).model.proto
        return list(coder.encode(fresh, options, deadline).clauses())

    whole = make(NEVER)
    looks = Looks(None)
    assert str(make(looks.clock)) == str(whole)
    assert looks.seen > 2
    for look in range(1, looks.seen + 1):
        with pytest.raises(TimeUp):
            make(stopping(look))


@pytest.mark.parametrize("name", ["half_factor", "layered", "precedence", "cpsat_time"])
def test_an_encoding_that_is_cut_short_is_unknown(name: str) -> None:
    """Any look: making, solving, decoding, checking the proof."""
    problem = on_cross()
    kind: by_encoding.SolverKind = "sat" if isinstance(encoder(name), Encoder) else "cpsat"
    looks = Looks(None)
    full = order_encoded(problem, kind, SolverSettings(name), SearchContext(limits=looks.clock))
    assert isinstance(full, Order)
    for look in looks_numbers(looks.seen, 4):
        answer = order_encoded(
            problem, kind, SolverSettings(name), SearchContext(limits=stopping(look))
        )
        holds(problem, answer, full)
    assert isinstance(
        order_encoded(problem, kind, SolverSettings(name), SearchContext(limits=stopping(1))),
        Unknown,
    )


@pytest.mark.parametrize("method", METHODS)
def test_no_method_begins_without_time(method: Method) -> None:
    board = Board.from_rows(["0011", "1101", "0110", "0001"])
    for clock in (0.0, stopping(1)):
        result = order(board, method=method, timeout=clock)
        assert result.verdict == "unknown"
        assert result.reason


def random_board(size: int, density: float, seed: int) -> Board:
    """A random graph with a press set of half of its bulbs."""
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(np.triu(rng.random((size, size)) < density, 1))
    problem = OrderingProblem.from_edges(size, pairs)
    return solved_by(problem.graph, rng.random(size) < 0.5)


def dense_board() -> Board:
    """A graph of one large cluster, where every look at a helper is long."""
    return random_board(30, 0.3, 5)


def test_what_time_cut_short_is_not_remembered() -> None:
    """A cluster that there was no time for is undecided, not unknown for good."""
    board = dense_board()
    counts = [1] * 30
    clusters = Clusters(board, SearchContext(limits=stopping(5)))
    with pytest.raises(TimeUp):
        clusters.refused(counts)
    clusters.limits = NEVER
    assert [why for _, why in clusters.refused(counts) if isinstance(why, Unknown)] == []


def test_writers_look_at_the_clock() -> None:
    coder = encoder("layered")
    assert isinstance(coder, Encoder)
    formula = coder.encode(on_plus(), coder.options())
    for write in (dimacs.write, opb.write):
        looks = Looks(None)
        formula.limits = looks.clock
        write(formula, io.BytesIO(), names=True)
        assert looks.seen > 5
        for look in range(1, looks.seen + 1):
            formula.limits = stopping(look)
            with pytest.raises(TimeUp):
                write(formula, io.BytesIO(), names=True)
    plain = Formula.from_clauses(
        formula.variables, coder.encode(on_plus(), coder.options()).blocks()
    )
    with pytest.raises(TimeUp):
        plain.write(io.BytesIO(), stopping(1))


# ------------------------------------------------------------------------------ options, sizes


@pytest.mark.parametrize("name", ["layered", "cpsat_time"])
def test_more_layers_than_presses_are_one_for_each(name: str) -> None:
    """It used to fill the memory: 999,999,999 copies of everything."""
    problem = on_plus()
    coder = encoder(name)
    many, all_ = coder.options(["layers=999999999"]), coder.options()
    assert coder.size(problem, many) == coder.size(problem, all_)
    assert coder.refutes(problem, many)
    with pytest.raises(PonderError, match="layers='9999999999' is not a whole number"):
        coder.options(["layers=9999999999"])


def test_an_xor_is_cut_into_small_pieces() -> None:
    with pytest.raises(PonderError, match="xor_cut='30' is not a whole number from 3 to 12"):
        encoder("precedence").options(["xor_cut=30"])


@pytest.mark.parametrize("name", ["layered", "precedence", "time_indexed"])
def test_too_many_neighbours_are_counted_and_not_made(name: str) -> None:
    """A row/column board with 10^9 pairs: refused at once; in `order` that is unknown."""
    graph = grid_graph("cross", (1000, 1000))
    zeros = np.zeros(graph.size, dtype=np.bool_)
    board = Board(graph, zeros, zeros)
    problem = OrderingProblem.of_board(board, ~zeros)
    coder = encoder(name)
    options = coder.options(["colours=off"] if name == "time_indexed" else [])
    with pytest.raises(NeedsMemory, match=r"999,000,000 pairs|too large|variables"):
        coder.size(problem, options)
    kind: by_encoding.SolverKind = "sat" if isinstance(coder, Encoder) else "cpsat"
    settings = ("colours=off",) if name == "time_indexed" else ()
    answer = order_encoded(problem, kind, SolverSettings(name, settings))
    assert isinstance(answer, Unknown)
    assert "DIMACS" in answer.reason or "too" in answer.reason


def test_edges_are_counted_without_being_made() -> None:
    problem = on_cross()
    fresh = OrderingProblem(problem.graph, problem.bulbs, problem.odd)
    assert fresh.edge_count == len(problem.edges)
    twice = OrderingProblem(problem.graph, np.repeat(problem.bulbs, 2), np.repeat(problem.odd, 2))
    assert twice.edge_count == len(twice.edges)
    with pytest.raises(NeedsMemory):
        fresh.prepare(NEVER, 2)


def test_sizes_are_looked_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = on_plus()
    monkeypatch.setattr(by_encoding, "MOST_LITERALS", 100)
    answer = order_encoded(problem, solver_settings=SolverSettings("layered"))
    assert isinstance(answer, Unknown)
    assert "too large to be solved here" in answer.reason
    monkeypatch.setattr("ponder.encodings.cpsat_time.MOST_TERMS", 10)
    answer = order_encoded(problem, "cpsat", solver_settings=SolverSettings("cpsat_time"))
    assert isinstance(answer, Unknown)
    assert "the model cpsat_time is too large" in answer.reason
    monkeypatch.setattr(cnf, "MOST_TEMPLATE", 10)
    with pytest.raises(NeedsMemory, match="literals or more at a time"):
        encoder("half_factor").size(on_cross(), encoder("half_factor").options())


def test_proofs_too_large_to_check_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    monkeypatch.setattr(by_encoding, "MOST_PROOF", 0)
    answer = order_encoded(triangle)
    assert isinstance(answer, Unknown)
    assert "too large to be checked here" in answer.reason


def test_elimination_ends_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = on_plus()
    looks = Looks(None)
    eliminated(problem, "fill", looks.clock)
    for look in range(1, looks.seen + 1):
        with pytest.raises(TimeUp):
            eliminated(problem, "fill", stopping(look))
    monkeypatch.setattr("ponder.formulas.vertex_elimination.MOST_EDGES", 5)
    with pytest.raises(NeedsMemory, match="more than 5 pairs"):
        eliminated(problem, "degree")
    monkeypatch.setattr("ponder.formulas.vertex_elimination.MOST", 5)
    with pytest.raises(NeedsMemory, match="presses are too many for elimination"):
        eliminated(problem, "degree")


def test_a_clock_that_stops_sooner_hears_the_stop() -> None:
    assert NEVER.sooner(None).left() is None
    left = Limits(100.0).sooner(5.0).left()
    assert left is not None
    assert left <= 5.0
    assert stopping(1).sooner(50.0).expired
    with pytest.raises(TimeUp):
        list(stopping(2).over("abc", 1))
