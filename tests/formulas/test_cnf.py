"""Formulas: gadgets against truth tables, sizes against what is built, files against formulas."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from itertools import product
from pathlib import Path
from typing import IO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.formulas import dimacs, opb, xor
from ponder.formulas.cardinality import OWN, PYSAT, cardinality
from ponder.formulas.clause_templates import Gadget, clauses
from ponder.formulas.cnf import Cnf, Naming, Spec, assignment, press_names
from ponder.model.files import packed_file
from ponder.model.graph import EdgeGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import BoardError, PonderError
from tests.dimacs import parse

# ------------------------------------------------------------------------------------- gadgets


def accepted(gadget: Gadget) -> list[tuple[int, ...]]:
    """The inputs that some choice of auxiliaries completes to a model."""
    from pysat.solvers import Solver

    with Solver(name="minisat22") as solver:
        for block in gadget.template:
            for clause in block.tolist():
                solver.add_clause(clause)
        return [
            values
            for values in product((0, 1), repeat=gadget.inputs)
            if solver.solve([v if x else -v for v, x in enumerate(values, 1)])
        ]


@pytest.mark.parametrize("cut", [3, 4, 5, 6])
def test_xor_is_odd_parity(cut: int) -> None:
    for count in range(10):
        gadget = xor.xor(count, cut)
        assert accepted(gadget) == [v for v in product((0, 1), repeat=count) if sum(v) % 2]
        guarded = xor.xor(count, cut, guarded=True)
        assert accepted(guarded) == [
            v for v in product((0, 1), repeat=count + 1) if not v[-1] or sum(v[:-1]) % 2
        ]


def test_xor_sizes_are_the_documented_ones() -> None:
    for count in range(1, 40):
        for cut in range(3, 8):
            gadget = xor.xor(count, cut)
            links = max(0, -(-(count - cut) // (cut - 2)))
            last = count - links * (cut - 2)
            assert gadget.auxiliaries == links
            assert sum(map(len, gadget.template)) == links * 2 ** (cut - 1) + 2 ** (last - 1)
            assert max(block.shape[1] for block in gadget.template) <= cut


@pytest.mark.parametrize("kind", OWN + PYSAT)
def test_cardinality_counts(kind: str) -> None:
    said = 0
    for count, bound, exactly in product(range(7), range(-1, 8), (False, True)):
        try:
            gadget = cardinality(count, bound, kind, exactly=exactly)
        except PonderError:
            assert kind in ("bitwise", "ladder")
            assert bound > 1
            continue
        said += 1
        assert accepted(gadget) == [
            v
            for v in product((0, 1), repeat=count)
            if sum(v) == bound or (sum(v) < bound and not exactly)
        ]
    assert said > 60


def test_sequential_sizes_are_the_documented_ones() -> None:
    for n in range(2, 30):
        for k in range(1, n):
            at_most = cardinality(n, k, "sequential", exactly=False)
            exactly = cardinality(n, k, "sequential", exactly=True)
            assert at_most.auxiliaries == exactly.auxiliaries == k * (n - k)
            assert sum(map(len, at_most.template)) == 2 * k * (n - k) + n - 2 * k
            assert sum(map(len, exactly.template)) == 4 * k * (n - k)


def test_pairwise_refuses_the_absurd() -> None:
    with pytest.raises(PonderError, match="clauses to say 20 of 40"):
        cardinality(40, 20, "pairwise", exactly=True)


def test_a_gadget_is_placed_on_every_site() -> None:
    placed = xor.xor(3, 3).place(np.array([[1, 2, -3], [-4, 5, 6]]), 7)
    assert sorted(map(tuple, placed[0].tolist())) == sorted(
        [
            *((1, 2, -3), (1, -2, 3), (-1, 2, 3), (-1, -2, -3)),
            *((-4, 5, 6), (-4, -5, -6), (4, 5, -6), (4, -5, 6)),
        ]
    )


# ------------------------------------------------------------------------------------- formulas


def body_of(formula: Cnf) -> bytes:
    return b"".join(dimacs.body(formula))


@given(
    data=st.data(),
    copies=st.integers(0, 40),
    widths=st.lists(st.integers(0, 60), min_size=1, max_size=3),
    fixed=st.integers(0, 12),
)
def test_size_equals_what_is_built(
    data: st.DataObject, copies: int, widths: list[int], fixed: int
) -> None:
    def naming(family: int) -> Naming:
        return lambda i, copy: f"f{family}.{i}@{copy}"

    formula = Cnf("random")
    (still,) = formula.allot(1, Spec("still", "still(i): stays", fixed, lambda i, _: f"s{i}"))
    families = formula.allot(
        copies,
        *(Spec(f"f{k}", "moves", w, naming(k)) for k, w in enumerate(widths)),
    )
    some = np.concatenate([still.now, *(family.now for family in families)])
    if some.size:
        length = data.draw(st.integers(0, 4))
        picks = data.draw(st.lists(st.integers(0, some.size - 1), min_size=length, max_size=length))
        signs = data.draw(st.lists(st.sampled_from((1, -1)), min_size=length, max_size=length))
        row = np.array([some[k] * sign for k, sign in zip(picks, signs, strict=True)], np.int32)
        for kind in ("clause", "xor"):
            formula.add(
                kind,
                row.reshape(1, -1),
                kind="xor" if kind == "xor" else "clause",
                copies=copies,
                stride=sum(widths),
                fixed=fixed,
            )
    built = body_of(formula)
    size = formula.size
    assert (size.clauses, size.bytes) == (built.count(b"\n"), len(built))
    names = list(formula.names())
    assert sorted(v for v, _ in names) == list(range(1, size.variables + 1))
    assert len({name for _, name in names}) == len(names)
    largest = max((abs(int(word.lstrip(b"x"))) for word in built.split()), default=0)
    assert largest <= size.variables


def test_no_such_family() -> None:
    with pytest.raises(KeyError):
        Cnf("empty").family("press")


def test_too_many_variables_is_an_error() -> None:
    with pytest.raises(PonderError, match="DIMACS solvers count to"):
        Cnf("huge").allot(2**20, Spec("x", "x", 2**12, lambda i, c: f"x{i}@{c}"))


def test_falsified_finds_the_broken_constraint_of_every_kind() -> None:
    formula = Cnf("kinds")
    (x,) = formula.allot(1, Spec("x", "x", 3, lambda i, _: f"x{i}"))
    row = x.now[None, :].astype(np.int32)
    formula.add("some", row)
    formula.add("odd", row, kind="xor")
    formula.add("few", row, kind="at most", bound=2)
    formula.add("one", row, kind="exactly", bound=1)

    def broken(*true: int) -> str | None:
        found = formula.falsified(assignment(3, true))
        return None if found is None else found[0]

    assert broken() == "some"
    assert broken(1, 2) == "odd"
    assert broken(1, 2, 3) == "few"
    assert broken(2) is None
    formula.groups.pop(2)
    assert broken(1, 2, 3) == "one"
    with pytest.raises(PonderError, match="not clauses: exactly, xor"):
        list(formula.clauses())


def test_assignment_refuses_foreign_variables() -> None:
    assert assignment(3, [1, -2, 3]).tolist() == [False, True, False, True]
    with pytest.raises(PonderError, match="variable 4, but the formula has 3"):
        assignment(3, [1, -4])


def test_names_stay_unique_whatever_nodes_are_called() -> None:
    names: list[int | str] = ["a", "a#2", "1", 1, "", "-1", -1, "'1'", "a b", "a\nb", "ü", "x|y"]
    graph = EdgeGraph(len(names), [], names)
    twice = np.repeat(np.arange(len(names)), 2)
    problem = OrderingProblem(graph, twice, np.zeros(twice.size, dtype=np.bool_))
    made = list(map(press_names(problem), range(problem.size)))
    assert len(set(made)) == len(made)
    assert all(name.isascii() and name.isprintable() and " " not in name for name in made)
    assert made[:4] == ["a", "a#2", "a%232", "a%232#2"]


# ---------------------------------------------------------------------------------------- files


def toy() -> Cnf:
    formula = Cnf("toy")
    (x,) = formula.allot(50, Spec("x", "x(i)@t: i is true at t", 4, lambda i, t: f"x({i})@{t}"))
    formula.add("stay", clauses(-x.now, x.next), copies=49, stride=4)
    formula.add("some", x.now[None, :].astype(np.int32), copies=50, stride=4)
    return formula


def test_dimacs_reads_back() -> None:
    formula = toy()
    formula.add("odd", np.array([[1, -3], [2, 5]], np.int32), kind="xor")
    file = io.BytesIO()
    dimacs.write(formula, file, ["board 123", "two\nlines"], names=True)
    variables, read, xors = parse(file.getvalue())
    assert variables == 200
    assert xors == [[1, -3], [2, 5]]
    formula.groups.pop()
    assert read == list(formula.clauses())
    text = file.getvalue().decode().splitlines()
    assert text[1:3] == ["c board 123", "c two lines"]
    assert "c family x 1..200: x(i)@t: i is true at t" in text
    assert "c group 1..196: stay" in text
    assert "c varname 6 x(1)@1" in text


def test_opb_says_the_same() -> None:
    formula = Cnf("kinds")
    formula.allot(1, Spec("x", "x", 3, lambda i, _: f"x{i}"))
    formula.add("clause", np.array([[1, -2]], np.int32))
    formula.add("few", np.array([[1, -2, 3]], np.int32), kind="at most", bound=1)
    formula.add("one", np.array([[-1, 2, 3]], np.int32), kind="exactly", bound=1)
    file = io.BytesIO()
    opb.write(formula, file, ["board 123"], names=True)
    lines = file.getvalue().decode().splitlines()
    assert lines[0] == "* #variable= 3 #constraint= 3"
    assert "* varname x2 x1" in lines
    assert lines[-3:] == [
        "+1 x1 -1 x2 >= 0 ;",
        "-1 x1 +1 x2 -1 x3 >= 0 ;",
        "-1 x1 +1 x2 +1 x3 = 0 ;",
    ]
    for bits in product((False, True), repeat=3):
        holds = True
        for line in lines[-3:]:
            *terms, relation, bound, _ = line.split()
            pairs = zip(terms[::2], terms[1::2], strict=True)
            total = sum(int(a) * bits[int(x[1:]) - 1] for a, x in pairs)
            holds &= total >= int(bound) if relation == ">=" else total == int(bound)
        assert holds == (formula.falsified(np.array([False, *bits])) is None)


def test_formats_refuse_what_they_cannot_say() -> None:
    formula = Cnf("kinds")
    formula.allot(1, Spec("x", "x", 2, lambda i, _: f"x{i}"))
    formula.add("odd", np.array([[1, 2]], np.int32), kind="xor")
    with pytest.raises(PonderError, match="OPB cannot say an XOR"):
        opb.write(formula, io.BytesIO())
    formula.add("one", np.array([[1, 2]], np.int32), kind="exactly", bound=1)
    with pytest.raises(PonderError, match="DIMACS cannot say 'exactly' natively"):
        dimacs.write(formula, io.BytesIO())


OPENERS = {"cnf": open, "gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}


@pytest.mark.parametrize("ending", OPENERS)
def test_files_are_packed_by_their_ending_and_always_the_same(tmp_path: Path, ending: str) -> None:
    plain = io.BytesIO()
    dimacs.write(toy(), plain)
    raw = []
    for name in ("one", "another"):
        path = tmp_path / f"{name}.{ending}"
        with packed_file(path) as file:
            dimacs.write(toy(), file)
        raw.append(path.read_bytes())
        opened: IO[bytes]
        with OPENERS[ending](path, "rb") as opened:  # type: ignore[operator]
            assert opened.read() == plain.getvalue()
    assert raw[0] == raw[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"another.{ending}",
        f"one.{ending}",
    ]


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with packed_file("-") as file:
        dimacs.write(toy(), file)
    plain = io.BytesIO()
    dimacs.write(toy(), plain)
    assert capfdbinary.readouterr().out == plain.getvalue()


@pytest.mark.parametrize("ending", OPENERS)
def test_a_failed_write_leaves_nothing(tmp_path: Path, ending: str) -> None:
    def interrupted() -> None:
        with packed_file(tmp_path / f"f.{ending}") as file:
            file.write(b"p cnf 1 1\n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BoardError, match="cannot be written"), packed_file(tmp_path / "no" / "f"):
        pass
