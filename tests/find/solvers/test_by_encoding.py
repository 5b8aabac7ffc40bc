"""Ordering by encodings: right answers with evidence, limits kept, nothing taken on trust."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ponder.check.formula import Formula as FormulaProof
from ponder.check.replay import check_order
from ponder.encodings.precedence import Precedence
from ponder.encodings.registry import encoder
from ponder.find.context import SearchContext
from ponder.find.order import order
from ponder.find.ordering.parity_walks import order_by_walks
from ponder.find.solvers import by_encoding, sat
from ponder.find.solvers.by_encoding import (
    SolverKind,
    SolverSettings,
    UnprovedUnsat,
    order_encoded,
)
from ponder.find.solvers.decoding import answer_of_output, decode, proved
from ponder.formulas.encoder import Encoder
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.studies.families import regular_edges
from ponder.system.errors import CheckFailed, PonderError, SolverError
from ponder.system.limits import Limits
from ponder.system.machine import single_threaded_platform
from tests import brute
from tests.boards import even_problem, instance, random_edges
from tests.processes import HANG, fake

TRIANGLE = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
PATH = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
RECIPES = [
    ("time_indexed", ()),
    ("layered", ()),
    ("precedence", ()),
    ("precedence", ("acyclic=lazy",)),
    ("precedence", ("acyclic=elimination", "order=fill")),
    ("cpsat_time", ()),
]


def kind_of(name: str) -> SolverKind:
    return "cpsat" if name.startswith("cpsat") else "sat"


@pytest.mark.parametrize(("name", "settings"), RECIPES)
def test_random_graphs(name: str, settings: tuple[str, ...]) -> None:
    """Orders are legal, proofs are checked, and both are as brute force says."""
    rng = random.Random(name)
    for solver in ("cadical195", "glucose4", "minisat22"):
        for _ in range(8 if solver == "cadical195" else 2):
            size = rng.randint(0, 7)
            edges = random_edges(size, rng.random(), rng)
            odd = [v for v in range(size) if rng.random() < 0.5]
            problem = OrderingProblem.from_edges(size, edges, odd)
            recipe = SolverSettings(name, settings, solver=solver)
            answer = order_encoded(problem, kind_of(name), recipe)
            assert isinstance(answer, Order) == brute.orderable(size, edges, odd)
            if isinstance(answer, Order):
                check_order(problem, answer.vertices)
            elif kind_of(name) == "cpsat":
                assert isinstance(answer, UnprovedUnsat)
            elif solver == "minisat22":
                assert isinstance(answer, Unknown)
            else:
                assert isinstance(answer, FormulaProof)


def test_row_column_boards() -> None:
    refused, ordered = instance("cross-6x6-no-order-cut"), instance("ibm-2023-04-example-4x4")
    for name in ("half_factor", "layered", "time_indexed", "precedence", None):
        settings = SolverSettings(name)
        assert isinstance(order_encoded(even_problem(refused), "sat", settings), FormulaProof)
        assert isinstance(order_encoded(even_problem(ordered), "sat", settings), Order)
    short = SolverSettings("layered", ("layers=5",))
    answer = order_encoded(even_problem(instance("ibm-2023-04-24x24")), "sat", short)
    assert isinstance(answer, Unknown)
    for kind, name in (("sat", "cpsat_time"), ("cpsat", "layered")):
        with pytest.raises(PonderError, match="use it with the method"):
            order_encoded(TRIANGLE, kind, SolverSettings(name))  # type: ignore[arg-type]


def test_large_sparse_graphs() -> None:
    """A first attempt by cuts finds orders without a child; refutations come by elimination."""
    edges = regular_edges(200, 8, np.random.default_rng(4))
    problem = OrderingProblem.from_edges(200, edges, range(len(edges) % 2))
    outcome = order_encoded(problem, solver_settings=SolverSettings("precedence"))
    assert isinstance(outcome, Order)
    assert "acyclic=lazy" in str(outcome.statistics["options"])
    edges = regular_edges(12, 3, np.random.default_rng(4))
    answer = order_encoded(OrderingProblem.from_edges(12, edges))
    assert isinstance(answer, FormulaProof)
    assert {"acyclic=elimination", "order=fill"} <= {*answer.options}


def test_a_hint_is_the_order_that_it_is_made_of() -> None:
    edges = regular_edges(60, 8, np.random.default_rng(1))
    problem = OrderingProblem.from_edges(60, edges, range(len(edges) % 2))
    order, coder = order_by_walks(problem), Precedence()
    assert isinstance(order, Order)
    hint = coder.hint(problem, order)
    assert sorted(np.abs(hint).tolist()) == list(range(1, len(problem.edges) + 1))
    decode(coder, problem, coder.options(["acyclic=lazy"]), hint.tolist())  # else a PonderError
    first_pressed = np.argsort(order.vertices)[problem.edges[np.abs(hint) - 1]].min(axis=1)
    assert (np.diff(first_pressed) >= 0).all()


def test_wrong_proofs_are_no_refutations(tmp_path: Path) -> None:
    body = "open(sys.argv[2], 'w').write('1 0\\n0\\n'); print('s UNSATISFIABLE')"
    liar = fake(tmp_path, body).replace("{cnf}", "{cnf} {proof}")
    with pytest.raises(SolverError, match="is refused, so nothing is proved"):
        order_encoded(PATH, solver_settings=SolverSettings("precedence", solver=liar))
    silent = fake(tmp_path, "print('s UNSATISFIABLE')")
    answer = order_encoded(PATH, solver_settings=SolverSettings("precedence", solver=silent))
    assert isinstance(answer, Unknown)


def test_spoilt_lrat_is_refused() -> None:
    """Each line left out, each number changed: refused, or a proof all the same."""
    problem = even_problem(instance("cross-6x6-no-order-cut"))
    answer = order_encoded(problem, solver_settings=SolverSettings("half_factor"))
    coder = encoder("half_factor")
    assert isinstance(answer, FormulaProof)
    assert isinstance(coder, Encoder)
    assert isinstance(answer.lrat, str)
    options = coder.options()
    formula = coder.encode(problem, options)
    lines, rng, refused = answer.lrat.splitlines(), random.Random(0), 0
    for _ in range(30):
        spoilt, at = lines.copy(), rng.randrange(len(lines))
        words = spoilt[at].split()
        words[rng.randrange(len(words))] = str(rng.randint(-9, 9))
        spoilt[at : at + 1] = rng.choice([[], [" ".join(words)]])
        try:
            proved(coder, options, formula, "\n".join(spoilt))
        except CheckFailed:
            refused += 1
    assert refused > 15
    with pytest.raises(CheckFailed):
        proved(coder, options, formula, "\n".join(lines[:-1]))


@pytest.mark.parametrize("name", ["half_factor", "cpsat_time", "time_indexed", "precedence"])
def test_time_limits(left_over: str, name: str) -> None:
    """Whatever is under way: encoding, solving, or checking."""
    problem = even_problem(instance("cross-24x24-no-order"))
    options = ("parity=chain", "normal=off") if name == "time_indexed" else ()
    context = SearchContext(limits=Limits(0.2))
    answer = order_encoded(problem, kind_of(name), SolverSettings(name, options), context)
    assert isinstance(answer, Unknown), "this is far too hard for the time"


@pytest.mark.skipif(single_threaded_platform(), reason="needs processes")
def test_no_solver_is_started_once_the_time_to_solve_is_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board has 256 press sets; the first takes all the time."""
    calls = list[str]()

    def counted(owner: object, name: str) -> None:
        function = getattr(owner, name)

        def call(*given: object) -> object:
            calls.append(name)
            return function(*given)

        monkeypatch.setattr(owner, name, call)

    counted(Precedence, "encode")
    counted(sat, "_Child")
    settings = SolverSettings(
        "precedence", solver=fake(tmp_path, "time.sleep(600)"), limits=(HANG, 0.2, HANG)
    )
    result = order(instance("torus-plus-6x6"), method="sat", solver_settings=settings)
    assert (result.verdict, calls) == ("unknown", ["encode", "_Child"])
    assert "the time limit was reached" in (result.reason or "")


@pytest.mark.skipif(single_threaded_platform(), reason="needs processes")
def test_sizes_are_looked_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    starved = order_encoded(
        even_problem(instance("ibm-2023-04-24x24")),
        solver_settings=SolverSettings("time_indexed", memory=1 << 20),
    )
    assert isinstance(starved, Unknown)
    for name in ("MOST_PROOF", "MOST_CHECKED", "MOST_LITERALS"):
        with monkeypatch.context() as patch:
            patch.setattr(by_encoding, name, 1)
            assert isinstance(order_encoded(TRIANGLE), Unknown)


def test_outputs_of_solvers() -> None:
    coder = Precedence()
    options = coder.options()
    assert coder.encode(PATH, options).variables == 2
    for a, b in ((1, -2), (-1, 2), (1, 2), (-1, -2)):
        output = f"s SATISFIABLE\nv {a} {b} 0\n"
        if (a, b) == (-1, 2):  # before(0|1) is false, before(1|2) is true: 1 comes first
            assert isinstance(answer_of_output(PATH, coder, options, output), Order)
        else:
            with pytest.raises(CheckFailed, match="another board"):
                answer_of_output(PATH, coder, options, output)
    no = "s UNSATISFIABLE\n"
    for proof, kind in ((None, Unknown), ("1 0\n0\n", FormulaProof), (b"a\2\0a\0", FormulaProof)):
        assert isinstance(answer_of_output(TRIANGLE, coder, options, no, proof=proof), kind)
    with pytest.raises(CheckFailed):
        answer_of_output(PATH, coder, options, no, proof="0\n")
    assert isinstance(answer_of_output(PATH, coder, options, "s UNKNOWN\n"), Unknown)


def test_nothing_heavy_is_imported_for_formulas() -> None:
    code = (
        "import sys, ponder.find.solvers.by_encoding\n"
        "print('ortools' in sys.modules, 'pysat' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
