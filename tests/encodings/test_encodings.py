"""All encoders against the brute force: the same question, so the same answer, and real orders.

Small boards by default options are asked in `tests.test_truth`; here are the other options, given
arcs, vertices that hear some of their neighbours, and bulbs that are pressed again.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from ponder.check.lrat import check_lrat
from ponder.encodings.cpsat_time import CpSatTime
from ponder.encodings.registry import ENCODERS, encoder, encoders
from ponder.find.solvers.decoding import cuts, decode, order_of
from ponder.find.solvers.drat_to_lrat import lrat_of
from ponder.formulas import dimacs, opb
from ponder.formulas.encoder import Encoder
from ponder.model.graph import CrossGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import PonderError
from ponder.system.limits import NeedsMemory
from tests import brute
from tests.boards import instance, is_order, random_edges
from tests.dimacs import parse
from tests.proofs.pol import inequalities

Config = tuple[str, tuple[str, ...]]

ANY_GRAPH: list[Config] = [
    ("time_indexed", ()),
    ("time_indexed", ("parity=chain", "xor_cut=3", "normal=off")),
    ("layered", ()),
    ("layered", ("normal=off", "xor_cut=3")),
    ("precedence", ()),
    ("precedence", ("order=fill", "xor_cut=3")),
    ("precedence", ("acyclic=lazy",)),
    ("cpsat_time", ()),
]
LINES: list[Config] = [
    ("half_factor", ()),
    ("time_indexed", ()),
    ("time_indexed", ("colours=off",)),
    ("time_indexed", ("normal=on",)),
    ("time_indexed", ("parity=light",)),
    ("layered", ()),
    ("layered", ("colours=off",)),
    ("layered", ("parity=chain",)),
    ("precedence", ()),
    ("precedence", ("lines=off",)),
    ("precedence", ("acyclic=lazy",)),
    ("cpsat_time", ()),
]


def answer(problem: OrderingProblem, config: Config) -> bool:
    """Whether the encoding has a solution.

    A solution must decode to a legal order, and a refutation by clauses must have a checked proof.
    """
    coder = encoder(config[0])
    options = coder.options(config[1])
    assert coder.refutes(problem, options)
    if isinstance(coder, CpSatTime):
        from ortools.sat.python import cp_model

        model = coder.model(problem, options)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        if (status := solver.solve(model.model)) == cp_model.INFEASIBLE:
            return False
        assert status == cp_model.OPTIMAL
        assert is_order(problem, order_of(problem, model.read(solver.value)))
        return True
    from pysat.solvers import Solver

    assert isinstance(coder, Encoder)
    formula = coder.encode(problem, options)
    clauses = list(formula.clauses())
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as sat:
        while sat.solve():
            literals = sat.get_model()
            if not (broken := cuts(coder, problem, options, literals)):
                assert is_order(problem, decode(coder, problem, options, literals))
                return True
            assert coder.lazy(options)
            for clause in broken:
                assert coder.is_cut(problem, options, clause)
            for way, back in zip(broken[::2], broken[1::2], strict=True):
                assert not {*way} & {*literals}, "a cut must cut the model off"
                assert back == [-x for x in way], "the other way around is no order either"
            clauses += broken
            sat.append_formula(broken)
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as sat:
        assert not sat.solve()
        proof = "\n".join([*sat.get_proof(), "0"])
    assert check_lrat(clauses, lrat_of(proof, formula.variables, clauses)) > 0
    return False


def cases(rng: random.Random, count: int) -> Iterator[tuple[OrderingProblem, bool]]:
    """Random problems, with both answers: graphs, one-way hearing, given arcs."""
    for k in range(count):
        size = rng.randint(0, 5)
        odd = [rng.random() < 0.5 for _ in range(size)]
        if k % 2:
            near = [[u for u in range(size) if u != v and rng.random() < 0.5] for v in range(size)]
            problem = OrderingProblem.one_way(near, np.array(odd, dtype=np.bool_))
        else:
            edges = random_edges(size, rng.random(), rng)
            problem = OrderingProblem.from_edges(size, edges, [v for v in range(size) if odd[v]])
            near = [[w for u, w in (*edges, *((b, a) for a, b in edges)) if u == v]
                    for v in range(size)]  # fmt: skip
        fixed = []
        if k % 3 == 0 and len(problem.edges):
            arc = rng.choice(problem.edges.tolist())
            fixed = [tuple(arc if rng.random() < 0.5 else arc[::-1])]
            problem = replace(problem, fixed=np.array(fixed))
        yield problem, tuple(odd) in brute.parities_of_orders(near, fixed)


@pytest.mark.parametrize("config", ANY_GRAPH, ids=str)
def test_graphs_arcs_and_one_way_hearing(config: Config) -> None:
    both = set()
    for problem, expected in cases(random.Random(8), 20 if config[0].startswith("cpsat") else 60):
        both.add(expected)
        assert answer(problem, config) == expected, (problem.hears, problem.odd, problem.fixed)
    assert both == {False, True}


def on_lines(shape: tuple[int, int], counts: np.ndarray, odd: np.ndarray) -> OrderingProblem:
    graph = CrossGraph(shape)
    bulbs = np.repeat(np.arange(graph.size), counts)
    return OrderingProblem(graph, bulbs, odd[bulbs])


@pytest.mark.parametrize("config", LINES, ids=str)
def test_lines_and_bulbs_that_are_pressed_again(config: Config) -> None:
    rng, both = np.random.default_rng(6), set()
    for k in range(8 if config[0].startswith("cpsat") else 24):
        even = config[0] == "half_factor" or k % 2 == 0
        counts = rng.integers(0, 2 if even else 3, 9)
        if counts.sum() > 7:
            continue
        problem = on_lines((3, 3), counts, np.zeros(9) > 0 if even else rng.random(9) < 0.4)
        odd = np.flatnonzero(problem.odd).tolist()
        expected = brute.orderable(problem.size, problem.edges.tolist(), odd)
        both.add(expected)
        assert answer(problem, config) == expected, (counts, problem.odd)
    assert both == {False, True}


def test_half_factor_says_what_it_needs() -> None:
    half = encoder("half_factor")
    assert isinstance(half, Encoder)
    graph = OrderingProblem.from_edges(3, [(0, 1)])
    odd = on_lines((2, 2), np.ones(4, dtype=int), np.ones(4) > 0)
    again = on_lines((2, 2), np.array([2, 0, 0, 0]), np.zeros(4) > 0)
    for problem in (graph, odd, again):
        with pytest.raises(PonderError, match="use another encoding"):
            half.encode(problem, half.options())


def test_horizons() -> None:
    """Too few layers refute nothing; a schedule ends with enough."""
    clique = OrderingProblem.from_edges(6, [(u, v) for u in range(6) for v in range(u)])
    for name in ("layered", "cpsat_time", "precedence"):
        coder = encoder(name)
        tried = list(coder.schedule(clique, coder.options()))
        assert [coder.refutes(clique, options) for options in tried][-1]
        if name != "precedence":
            assert not coder.refutes(clique, coder.options(["layers=5"]))
            assert coder.refutes(clique, coder.options(["layers=6"]))


@pytest.mark.parametrize("config", [c for c in ANY_GRAPH + LINES if c[0] in ENCODERS], ids=str)
def test_sizes_names_and_files(config: Config) -> None:
    coder = encoder(config[0])
    if not isinstance(coder, Encoder):
        return
    options = coder.options(config[1])
    for problem in (
        on_lines((4, 5), np.random.default_rng(3).integers(0, 2, 20), np.zeros(20) > 0),
        OrderingProblem.from_edges(7, [(0, v) for v in range(1, 7)], [0, 3]),
        OrderingProblem.from_edges(0, []),
    ):
        try:
            formula = coder.encode(problem, options)
        except PonderError:
            assert problem.lines is None
            continue
        clauses, file = list(formula.clauses()), io.BytesIO()
        size = coder.size(problem, options)
        assert (size.clauses, size.literals) == (len(clauses), sum(map(len, clauses)))
        assert max((abs(x) for clause in clauses for x in clause), default=0) <= size.variables
        names = dict(formula.names())
        assert sorted(names) == list(range(1, size.variables + 1))
        assert len(set(names.values())) == len(names)
        dimacs.write(formula, file, coder.describe(problem, options), names=True)
        assert parse(file.getvalue())[1] == clauses


def test_native_half_factors_are_one_equality_a_line() -> None:
    half = encoder("half_factor")
    assert isinstance(half, Encoder)
    problem = on_lines((4, 5), np.ones(20, dtype=int), np.zeros(20) > 0)
    file = io.BytesIO()
    opb.write(half.encode(problem, half.options(["card=native"])), file)
    read = inequalities(file.getvalue().decode())
    assert len(read) == 2 * 9
    assert {bound for _, bound in read} == {2, 3}  # at least 2 of 4 or 5, at most 2
    for text, reason in (("card=native", "OPB"), ("card=pairwise", "known: sequential")):
        with pytest.raises(PonderError, match=reason):
            dimacs.write(half.encode(problem, half.options([text])), io.BytesIO())


def test_wrong_models_are_errors_not_orders() -> None:
    """Whatever is said true: an order that is legal, or an error."""
    rng = random.Random(5)
    problem = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (0, 2), (2, 3)])
    for coder in encoders():
        if not isinstance(coder, Encoder) or coder.name == "half_factor":
            continue
        variables = coder.size(problem, coder.options()).variables
        for _ in range(40):
            said = [v if rng.random() < 0.5 else -v for v in range(1, variables + 1)]
            try:
                order = decode(coder, problem, coder.options(), said)
            except PonderError:
                continue
            assert is_order(problem, order)


def test_what_is_no_cut() -> None:
    lazy = encoder("precedence")
    square = OrderingProblem.from_edges(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    options = lazy.options(["acyclic=lazy"])
    assert isinstance(lazy, Encoder)
    (cut, back) = lazy.cuts(square, [[0, 1, 2, 3]])
    for clause in permutations(cut):
        assert lazy.is_cut(square, options, clause)
    for wrong in ([], cut[:-1], [-cut[0], *cut[1:]], [*back[:2], *cut[2:]], [0], [99]):
        assert not lazy.is_cut(square, options, wrong)
    assert not lazy.is_cut(square, lazy.options(), cut)


def test_options_and_descriptions() -> None:
    layered = encoder("layered")
    for setting in ("layers", "layers=-1", "layers=1.5", "xor_cut=2", "nonsense=1", "card=none"):
        with pytest.raises(PonderError) as caught:
            layered.options([setting])
        assert "\n" not in str(caught.value)
    with pytest.raises(PonderError, match="precedence"):
        encoder("precedense")
    assert [coder.name for coder in encoders()] == list(ENCODERS)
    both = OrderingProblem.one_way([[1], [0]], np.array([True, False]))
    half = replace(both, heard=np.array([[True, False]]))
    fixed = replace(both, heard=None, fixed=np.array([[0, 1]]))
    other = replace(both, odd=np.array([False, False]))
    said = {tuple(layered.describe(p, layered.options())) for p in (both, half, fixed, other)}
    assert len(said) == 4


def test_what_is_too_large_is_refused_before_it_is_made() -> None:
    board = instance("ibm-2023-04-30x30")
    problem = OrderingProblem.of_board(board, np.ones(900, dtype=np.bool_))
    for name, settings in (
        ("precedence", ("xor_cut=12", "lines=off")),
        ("time_indexed", ("xor_cut=12", "parity=chain")),
    ):
        coder = encoder(name)
        assert isinstance(coder, Encoder)
        with pytest.raises(NeedsMemory):
            coder.encode(problem, coder.options(settings))


@pytest.mark.parametrize("lines", ["on", "off"])
def test_parities_of_lines_where_they_are_asked_for(lines: str) -> None:
    problem = OrderingProblem(CrossGraph((3, 3)), np.arange(9), np.zeros(9, dtype=np.bool_))
    coder = encoder("precedence")
    assert isinstance(coder, Encoder)
    formula = coder.encode(problem, coder.options([f"lines={lines}"]))
    assert any("of a line" in group.label for group in formula.groups) == (lines == "on")
