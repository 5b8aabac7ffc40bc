"""Ordering by encodings: right answers with evidence, limits kept, nothing taken on trust."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ponder import order, verify
from ponder.check.evidence.sat_proof import SatProof
from ponder.check.lrat import check_lrat
from ponder.encodings.half_factor import HalfFactor
from ponder.encodings.precedence import Precedence
from ponder.find.search.context import SearchContext
from ponder.find.solvers.by_encoding import SolverSettings, UnprovedUnsat, fitting, order_encoded
from ponder.find.solvers.decoding import answer_of_output
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.errors import CheckFailed, PonderError, SolverError
from ponder.system.limits import Limits
from tests import brute
from tests.boards import all_pressed, even_problem, instance
from tests.processes import fake

TRIANGLE = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
PATH = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
ANY_GRAPH = ["time_indexed", "layered", "precedence", "cpsat_time", "cpsat_positions"]
EVERY = [*ANY_GRAPH, "half_factor", "cpsat_half_factor"]


def ask(
    problem: OrderingProblem, encoding: str, *options: str, **more: object
) -> Order | SatProof | Unknown:
    family = "cpsat" if encoding.startswith("cpsat") else "sat"
    recipe = SolverSettings(encoding, options)
    return order_encoded(problem, family, recipe, SearchContext(**more))  # type: ignore


@settings(max_examples=6)
@given(st.data())
def test_graphs_by_every_encoding(data: st.DataObject) -> None:
    """Orders are replayed and refutations verified through the text form."""
    size = data.draw(st.integers(0, 6))
    pairs = [(u, v) for u in range(size) for v in range(u + 1, size)]
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    odd = data.draw(st.lists(st.integers(0, size - 1), unique=True)) if size else []
    board = all_pressed(size, edges, odd)
    everything = np.arange(size, dtype=np.int64)
    expected = brute.orderable(size, edges, odd)
    for name in ANY_GRAPH:
        method = "cpsat" if name.startswith("cpsat") else "sat"
        by = SolverSettings(name)
        found = order(board, method=method, solver_settings=by, press_set=everything)  # type: ignore
        assert (found.verdict == "solved") == expected, name
        report = verify(board, json.loads(json.dumps(found.to_json())))
        if not expected:
            assert (found.verdict, found.claim) == ("impossible", "C1")
            assert report.complete  # what CP-SAT says was proved again


@pytest.mark.parametrize("name", EVERY)
def test_row_column_boards_by_every_encoding(name: str) -> None:
    found = ask(even_problem(instance("cross-6x6-no-order-cut")), name)
    if isinstance(found, SatProof):
        assert found.encoding == name
    else:
        assert isinstance(found, UnprovedUnsat)
        assert f"by the model {name} of" in found.reason
    found = ask(even_problem(instance("ibm-2023-04-example-4x4")), name)
    assert isinstance(found, Order)
    assert found.statistics["encoding"] == name


def test_the_fitting_encodings() -> None:
    row_column = even_problem(instance("ibm-2023-04-example-4x4"))
    odd = OrderingProblem(row_column.graph, row_column.bulbs, ~row_column.odd)
    assert [fitting(x, "sat") for x in (TRIANGLE, row_column, odd)] == [
        "precedence",
        "half_factor",
        "layered",
    ]
    assert [fitting(x, "cpsat") for x in (TRIANGLE, row_column, odd)] == [
        "cpsat_positions",
        "cpsat_half_factor",
        "cpsat_time",
    ]
    for family, name in (("sat", "cpsat_time"), ("cpsat", "layered")):
        with pytest.raises(PonderError, match="use it with the method"):
            order_encoded(TRIANGLE, family, SolverSettings(name))  # type: ignore[arg-type]


def test_several_horizons_and_too_short_ones() -> None:
    board = even_problem(instance("ibm-2023-04-24x24"))
    found = ask(board, "layered")
    assert isinstance(found, Order)
    assert "layers=29" in str(found.statistics["options"])
    short = ask(board, "layered", "layers=5")
    assert isinstance(short, Unknown)
    assert "too short to refute" in short.reason
    short = ask(TRIANGLE, "cpsat_time", "layers=2")
    assert isinstance(short, Unknown)
    refuted = ask(TRIANGLE, "layered")
    assert isinstance(refuted, SatProof)
    assert "layers=0" in refuted.options


@pytest.mark.parametrize("solver", ["cadical195", "glucose4", "kissat404", "minisat22"])
def test_lazy_cuts(solver: str) -> None:
    """In one session or, with a solver that answers once, formula by formula."""
    recipe = SolverSettings("precedence", ("acyclic=lazy", "lines=off"), solver=solver)
    rim = [(i, (i + 1) % 6) for i in range(6)]
    wheel = OrderingProblem.from_edges(7, [*rim, *((i, 6) for i in range(6))])
    found = order_encoded(wheel, solver_settings=recipe)
    expected = brute.orderable(7, wheel.edges.tolist())
    if expected:
        assert isinstance(found, Order)
    square = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)], [0, 1, 2, 3])
    refuted = order_encoded(square, solver_settings=recipe)
    assert not brute.orderable(4, square.edges.tolist(), range(4))
    if solver in ("cadical195", "glucose4"):
        assert isinstance(refuted, SatProof)
        assert refuted.cuts, "a cycle of four is cut off only when a model has it"
    else:
        assert isinstance(refuted, Unknown)
        assert "gives no proof" in refuted.reason


def test_a_proof_with_hints() -> None:
    problem = even_problem(instance("cross-6x6-no-order-count"))
    found = order_encoded(problem, solver_settings=SolverSettings("half_factor", lrat=True))
    assert isinstance(found, SatProof)
    assert found.lrat is not None
    made = HalfFactor()
    clauses = list(made.encode(problem, made.options()).clauses())
    assert check_lrat(clauses, found.lrat) >= 1


def test_wrong_proofs_are_no_refutations(tmp_path: Path) -> None:
    body = "open(sys.argv[2], 'w').write('1 0\\n0\\n'); print('s UNSATISFIABLE')"
    liar = fake(tmp_path, body).replace("{cnf}", "{cnf} {proof}")
    with pytest.raises(SolverError, match="is refused, so nothing is proved"):
        order_encoded(PATH, solver_settings=SolverSettings("precedence", solver=liar))
    silent = fake(tmp_path, "print('s UNSATISFIABLE')")
    found = order_encoded(PATH, solver_settings=SolverSettings("precedence", solver=silent))
    assert isinstance(found, Unknown)


@pytest.mark.parametrize("name", ["half_factor", "cpsat_time", "time_indexed", "precedence"])
def test_time_limits(left_over: str, name: str) -> None:
    """Whatever is under way: encoding, solving, or checking."""
    problem = even_problem(instance("cross-24x24-no-order"))
    options = ["parity=chain", "normal=off"] if name == "time_indexed" else []
    found = ask(problem, name, *options, limits=Limits(0.2))
    assert isinstance(found, Unknown), "this is far too hard for the time"
    assert "limit" in found.reason


def test_the_check_of_a_proof_ends_at_the_time_limit(tmp_path: Path) -> None:
    body = "open(sys.argv[2], 'w').write('1 2 0\\n' * 200000 + '0\\n'); print('s UNSATISFIABLE')"
    long = fake(tmp_path, body).replace("{cnf}", "{cnf} {proof}")
    problem = even_problem(instance("cross-24x24-no-order"))
    said: list[str] = []
    limits = Limits(None, lambda: any("checking a proof" in text for text in said))
    recipe = SolverSettings("half_factor", solver=long)
    found = order_encoded(problem, "sat", recipe, SearchContext(0, limits, said.append))
    assert limits.expired
    assert isinstance(found, Unknown)
    assert "limit was reached" in found.reason


def test_seeds_and_memory() -> None:
    problem = even_problem(instance("ibm-2023-04-example-4x4"))
    for seed in (0, 7):
        context = SearchContext(seed)
        assert isinstance(order_encoded(problem, "sat", context=context), Order)
        first, again = (order_encoded(problem, "cpsat", context=context) for _ in range(2))
        assert isinstance(first, Order)
        assert isinstance(again, Order)
        assert first.vertices.tolist() == again.vertices.tolist()
    starved = order_encoded(
        even_problem(instance("ibm-2023-04-24x24")),
        solver_settings=SolverSettings("time_indexed", memory=1 << 20),
    )
    assert isinstance(starved, Unknown)
    assert "memory" in starved.reason


def test_progress_is_told() -> None:
    said: list[str] = []
    context = SearchContext(progress=said.append)
    order_encoded(even_problem(instance("cross-6x6-no-order-count")), context=context)
    assert any("clauses" in text for text in said)
    assert any("checking a proof" in text for text in said)
    said.clear()
    order_encoded(TRIANGLE, "cpsat", SolverSettings("cpsat_time"), context)
    assert any(text.startswith("CP-SAT: cpsat_time") for text in said)


@pytest.mark.parametrize(
    ("output", "error", "reason"),
    [
        ("", SolverError, "no status"),
        ("s SATISFIABLE\nv 1 2 0\n", SolverError, "leaves"),
        ("s SATISFIABLE\nv 1 2 3 4 5 99 0\n", SolverError, "another formula"),
        ("s SATISFIABLE\nv 1 -2\n", SolverError, "cut short"),
    ],
)
def test_outputs_that_are_no_answers(output: str, error: type[PonderError], reason: str) -> None:
    made = Precedence()
    with pytest.raises(error, match=reason):
        answer_of_output(TRIANGLE, made, made.options(), output)


def test_outputs() -> None:
    made = Precedence()
    options = made.options()
    assert made.encode(PATH, options).variables == 2
    for a, b in ((1, -2), (-1, 2), (1, 2), (-1, -2)):
        for output in (
            f"s SATISFIABLE\nv {a} {b} 0\n",
            f"SAT\n{a} {b} 0\n",
            f"s SATISFIABLE\nv {'-' * (a < 0)}x1 {'-' * (b < 0)}x2\n",
        ):
            if (a, b) == (-1, 2):  # before(0|1) is false, before(1|2) is true: 1 comes first
                found = answer_of_output(PATH, made, options, output)
                assert isinstance(found, Order)
                assert found.vertices[0] == 1
            else:
                with pytest.raises(CheckFailed, match="another board"):
                    answer_of_output(PATH, made, options, output)
    no = "s UNSATISFIABLE\n"
    for proof, kind in ((None, Unknown), ("1 0\n0\n", SatProof), (b"a\2\0a\0", SatProof)):
        assert isinstance(answer_of_output(TRIANGLE, made, options, no, proof=proof), kind)
    with pytest.raises(CheckFailed, match="empty clause"):
        answer_of_output(PATH, made, options, no, proof="0\n")
    assert isinstance(answer_of_output(PATH, made, options, "s UNKNOWN\n"), Unknown)


def test_nothing_heavy_is_imported_for_formulas() -> None:
    import subprocess

    code = (
        "import sys, ponder.find.solvers.by_encoding\n"
        "print('ortools' in sys.modules, 'pysat' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
