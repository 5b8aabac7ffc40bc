"""What solvers are told of an order that was found, or nearly: numbers, phases, first attempts."""

from __future__ import annotations

import numpy as np
import pytest

from ponder.check.evidence.sat_proof import SatProof
from ponder.encodings.registry import encoder
from ponder.find.ordering.greedy import Trials, greedy_prefix, order_greedy
from ponder.find.search.context import SearchContext
from ponder.find.solvers import by_encoding
from ponder.find.solvers.by_encoding import SolverSettings, order_encoded
from ponder.find.solvers.clause_arrays import Formula, Sat
from ponder.find.solvers.sat import Session
from ponder.formulas.encoder import Encoder
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.studies.random_graphs import Regular
from ponder.system.limits import Limits


def regular(size: int, degree: int, seed: int) -> OrderingProblem:
    """A random regular graph, a random T of the right size."""
    rng = np.random.default_rng(seed)
    edges = Regular(size, degree=degree).edges(rng)
    odd = rng.random(size) < 0.5
    odd[0] ^= bool((odd.sum() + len(edges)) % 2)
    return OrderingProblem.from_edges(size, edges, np.flatnonzero(odd).tolist())


@pytest.mark.parametrize(
    "settings", [("xor_cut=3",), ("xor_cut=4",), ("xor_cut=5",), ("xor=native",)]
)
def test_an_order_makes_a_model(settings: tuple[str, ...]) -> None:
    """The literals of a legal order satisfy every clause; the last is about what is built first."""
    problem = regular(60, 8, seed=1)
    order = order_greedy(problem, Trials(seed=3))
    assert isinstance(order, Order)
    made = encoder("precedence")
    assert isinstance(made, Encoder)
    options = made.options(("acyclic=lazy", *settings))
    formula = made.encode(problem, options)
    hint = made.hint(problem, options, formula, order)
    assert sorted(np.abs(hint).tolist()) == list(range(1, formula.variables + 1))
    true = np.zeros(formula.variables + 1, dtype=np.bool_)
    true[hint[hint > 0]] = True
    assert formula.falsified(true) is None
    u, v = problem.edges[abs(int(hint[-1])) - 1].tolist()
    assert {u, v} <= {*order.vertices[-9:].tolist()}, "an edge between presses built early"


@pytest.mark.parametrize("conflicts", [None, 50])
def test_sessions_answer_in_the_formulas_own_numbers(conflicts: int | None) -> None:
    """Whatever a hint does to the numbers: models are the formula's, and clauses come later."""
    rng = np.random.default_rng(2)
    for _ in range(10):
        clauses = (rng.integers(1, 13, (20, 3)) * rng.choice([-1, 1], (20, 3))).tolist()
        hint = rng.permutation(np.arange(1, 13))[: rng.integers(0, 13)]
        hint = hint * rng.choice([-1, 1], hint.size)
        formula = Formula.of(12, clauses)
        with Session(formula, hint=hint, conflicts=conflicts) as session:
            answer = session.solve()
            while isinstance(answer, Sat):
                assert formula.falsified(answer.literals) is None
                formula = formula.extended([[-x for x in answer.literals.tolist()]])
                if formula.size > 25:
                    break
                session.add([[-x for x in answer.literals.tolist()]])
                answer = session.solve()
    hint = np.array([3, -5, 7, -9, 2, 1, 4, -6, 8, 10, 11, 12])
    free = Formula.of(12, np.stack([hint, np.roll(hint, 1)], axis=1).tolist())
    with Session(free, hint=hint, conflicts=conflicts) as session:
        answer = session.solve()
        assert isinstance(answer, Sat)
        assert sorted(answer.literals.tolist()) == sorted(hint.tolist())
    with pytest.raises(ValueError, match="own numbers"):
        Session(free, hint=hint, proof=True)


def test_a_first_attempt_needs_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = regular(200, 8, seed=4)
    assert greedy_prefix(problem, Trials(count=1)).size < 200, "greedy alone does not do"
    monkeypatch.setattr("ponder.find.solvers.sat.SolverProcess", None)
    found = order_encoded(problem, solver_settings=SolverSettings("precedence"))
    assert isinstance(found, Order)
    assert "acyclic=lazy" in str(found.statistics["options"])


def test_what_a_first_attempt_leaves_open() -> None:
    """Refutations come by elimination with the least fill; a stop is a stop."""
    edges = Regular(12, degree=3).edges(np.random.default_rng(4))
    problem = OrderingProblem.from_edges(12, edges)
    answer = order_encoded(problem, solver_settings=SolverSettings("precedence"))
    assert isinstance(answer, SatProof)
    assert {"acyclic=elimination", "order=fill"} <= {*answer.options}
    named = SolverSettings("precedence", ("acyclic=elimination",))
    answer = order_encoded(problem, solver_settings=named)
    assert isinstance(answer, SatProof)
    assert "order=degree" in answer.options
    stopped = order_encoded(problem, context=SearchContext(limits=Limits(None, lambda: True)))
    assert isinstance(stopped, Unknown)


def test_too_many_triangles_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = regular(40, 8, seed=5)
    made = encoder("precedence")
    options = [str(each) for each in made.schedule(problem, made.options())]
    assert [words.split()[0] for words in options] == ["acyclic=lazy", "acyclic=elimination"]
    monkeypatch.setattr("ponder.encodings.precedence.MOST_TRIANGLES", 10)
    options = [str(each) for each in made.schedule(problem, made.options())]
    assert [words.split()[0] for words in options] == ["acyclic=lazy", "acyclic=lazy"]
    monkeypatch.setattr(by_encoding, "ROUNDS", 0)
    assert isinstance(order_encoded(problem, solver_settings=SolverSettings("precedence")), Order)
