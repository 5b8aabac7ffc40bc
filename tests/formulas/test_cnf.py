"""Formulas: gadgets against truth tables, sizes against what is built, files against formulas."""

from __future__ import annotations

import io
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.formulas import dimacs, opb
from ponder.formulas.cnf import Cnf, Family, assignment, clauses
from ponder.formulas.encoder import Option, press_names
from ponder.formulas.gadgets import Gadget, exactly, xor
from ponder.model.edge_graph import EdgeGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import PonderError
from tests.dimacs import parse
from tests.proofs.pol import inequalities


def accepted(gadget: Gadget) -> set[tuple[int, ...]]:
    """The inputs that some choice of auxiliaries completes to a model."""
    from pysat.solvers import Solver

    with Solver(name="minisat22") as solver:
        for block in gadget.template:
            for clause in block.tolist():
                solver.add_clause(clause)
        return {
            values
            for values in product((0, 1), repeat=gadget.inputs)
            if solver.solve([v if x else -v for v, x in enumerate(values, 1)])
        }


@pytest.mark.parametrize("cut", [3, 4, 5, 6])
def test_xor_is_odd_parity(cut: int) -> None:
    for count in range(9):
        everything = list(product((0, 1), repeat=count))
        odd = {values for values in everything if sum(values) % 2}
        assert accepted(xor(count, cut)) == odd
        guarded = {(*values, guard) for values in everything for guard in (0, 1)
                   if not guard or values in odd}  # fmt: skip
        assert accepted(xor(count, cut, guarded=True)) == guarded
        links = max(0, -((cut - count) // (cut - 2)))
        assert xor(count, cut).auxiliaries == (links if count else 1)
        sizes = [1 << (cut - 1)] * links + [1 << (count - links * (cut - 2) - 1)] if count else [2]
        assert sum(map(len, xor(count, cut).template)) == sum(sizes)


def test_cardinality_counts() -> None:
    for count in range(8):
        for bound in range(-1, count + 2):
            gadget = exactly(bound, count)
            assert accepted(gadget) == {v for v in product((0, 1), repeat=count) if sum(v) == bound}
            if 0 < bound < count:
                assert gadget.auxiliaries == bound * (count - bound)
                assert sum(map(len, gadget.template)) == 4 * bound * (count - bound)


def test_a_gadget_is_placed_on_every_site() -> None:
    blocks = xor(4, 3).place(np.array([[1, 2, 3, 4], [5, -6, 7, 8]]), 9)
    placed = [row for block in blocks for row in block.tolist()]
    for site, auxiliary in (([1, 2, 3, 4], 9), ([5, -6, 7, 8], 10)):
        known = dict(enumerate([*site, auxiliary], 1))
        for block in xor(4, 3).template:
            for row in block.tolist():
                assert [known[abs(x)] * (1 if x > 0 else -1) for x in row] in placed


@given(
    copies=st.integers(0, 40),
    widths=st.lists(st.integers(0, 60), min_size=1, max_size=3),
    fixed=st.integers(0, 12),
    picks=st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from((1, -1))), max_size=4),
)
def test_sizes_are_those_of_what_is_built(
    copies: int, widths: list[int], fixed: int, picks: list[tuple[int, int]]
) -> None:
    formula = Cnf("random")
    (still,) = formula.allot(1, Family("still", "stays", fixed, lambda i, _: f"s{i}"))
    specs = [Family(f"f{k}", "moves", w, lambda i, c, k=k: f"f{k}.{i}@{c}")  # type: ignore[misc]
             for k, w in enumerate(widths)]  # fmt: skip
    families = formula.allot(copies, *specs)
    pool = np.concatenate([still.now, *(family.now for family in families)])
    if pool.size:
        row = np.array([[pool[k % pool.size] * sign for k, sign in picks]], np.int32)
        formula.add("template", row, copies=copies, stride=sum(widths), fixed=fixed)
        formula.add("again", row, row)
    built = list(formula.clauses())
    size = formula.size
    assert (size.clauses, size.literals) == (len(built), sum(map(len, built)))
    for c, clause in enumerate(built[: copies if pool.size else 0]):
        moved = [abs(x) + (c * sum(widths) if abs(x) > fixed else 0) for x in row[0].tolist()]
        assert list(map(abs, clause)) == moved
    names = list(formula.names())
    assert sorted(v for v, _ in names) == list(range(1, size.variables + 1))
    assert len({name for _, name in names}) == len(names)


def kinds() -> Cnf:
    formula = Cnf("kinds")
    (x,) = formula.allot(20, Family("x", "x(i)@t: true at t", 3, lambda i, t: f"x({i})@{t}"))
    formula.add("stay", clauses(-x.now, x.next), copies=19, stride=3)
    formula.add("some", np.array([[1, -2, 3]], np.int32))
    return formula


def test_what_is_broken_is_named() -> None:
    formula = kinds()
    formula.add("one", np.array([[-1, 2, 3]], np.int32), kind="exactly", bound=1)
    true = np.zeros(61, dtype=np.bool_)
    assert formula.falsified(true) is None
    true[2] = True
    assert formula.falsified(true) == ("stay", [-2, 5])
    true[2::3] = True
    assert formula.falsified(true) == ("some", [1, -2, 3])
    true[3::3] = True
    assert formula.falsified(true) == ("one", [-1, 2, 3])
    assert assignment(3, [1, -2, 3]).tolist() == [False, True, False, True]
    with pytest.raises(PonderError, match="variable 4, but the formula has 3"):
        assignment(3, [1, -4])
    with pytest.raises(PonderError):
        Cnf("huge").allot(2**20, Family("x", "x", 2**20, lambda i, t: ""))
    with pytest.raises(PonderError):
        formula.make_room(1 << 27)


def test_names_stay_unique_whatever_nodes_are_called() -> None:
    names: list[int | str] = ["a", "a#2", "1", 1, "", "-1", -1, "'1'", "a b", "a\nb", "ü", "x|y"]
    graph = EdgeGraph(len(names), [], names)
    twice = np.repeat(np.arange(len(names)), 2)
    problem = OrderingProblem(graph, twice, np.zeros(twice.size, dtype=np.bool_))
    named = list(map(press_names(problem), range(problem.size)))
    assert len(set(named)) == len(named)
    assert all(name.isascii() and name.isprintable() and " " not in name for name in named)
    assert named[:4] == ["a", "a#2", "a%232", "a%232#2"]


def test_files_say_the_same() -> None:
    formula, file = kinds(), io.BytesIO()
    dimacs.write(formula, file, ["board 123", "two\nlines"], names=True)
    variables, read, _ = parse(file.getvalue())
    assert (variables, read) == (60, list(formula.clauses()))
    text = file.getvalue().decode().splitlines()
    assert text[1:3] == ["c board 123", "c two lines"]
    assert "c family x 1..60: x(i)@t: true at t" in text
    assert "c varname 5 x(1)@1" in text
    formula.add("one", np.array([[-1, 2, 3]], np.int32), kind="exactly", bound=1)
    with pytest.raises(PonderError):
        dimacs.write(formula, file)
    file = io.BytesIO()
    opb.write(formula, file, names=True)
    assert file.getvalue().startswith(b"* #variable= 60 #constraint= 59\n")
    read_back = inequalities(file.getvalue().decode())
    rng = np.random.default_rng(1)
    for _ in range(50):
        true = np.concatenate([[False], rng.random(60) < rng.choice([0.02, 0.5, 0.98])])
        holds = all(
            sum(a for x, a in terms.items() if true[abs(x)] == (x > 0)) >= bound
            for terms, bound in read_back
        )
        assert holds == (formula.falsified(true) is None)


@given(st.text("0123456789 -+_.e٣²", max_size=12))
def test_numbers_of_options_are_plain_digits(text: str) -> None:
    """A whole number in its range, or one line; nothing else that Python takes for a number."""
    option = Option("k", 1, "", least=1, most=99_999)
    if re.fullmatch("[0-9]{1,9}", text, re.ASCII) and 1 <= int(text) <= 99_999:
        assert option.parse(text) == int(text)
    else:
        with pytest.raises(PonderError):
            option.parse(text)
