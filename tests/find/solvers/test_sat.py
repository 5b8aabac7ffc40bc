"""Running solvers: right answers, liars, limits, and no process left behind."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.lrat import check_lrat
from ponder.find.solvers import sat
from ponder.find.solvers.clause_arrays import Formula, Outcome, Sat, Unsat, parse_solver_output
from ponder.find.solvers.drat_to_lrat import lrat_of
from ponder.find.solvers.sat import PYSAT_SOLVERS, Session, is_pysat, proof_support, solve
from ponder.model.files import packed_file
from ponder.model.ordering_problem import Unknown
from ponder.proofs.lrat_trimming import trimmed
from ponder.system.errors import PonderError, SolverError
from ponder.system.limits import Limits
from ponder.system.machine import single_threaded_platform
from tests.depth import deep
from tests.processes import HANG, fake, left_with, processes_with, until

Clause = list[int]


def pigeonhole(holes: int) -> Formula:
    var = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
    pairs = [[-a[h], -b[h]] for a, b in itertools.combinations(var, 2) for h in range(holes)]
    return Formula.from_clauses(holes * (holes + 1), [*var, *pairs])


HARD = pigeonhole(12)
"""Far beyond what any resolution solver does in a test's time."""

clauses_of = st.lists(
    st.lists(st.integers(-5, 5).filter(bool), max_size=4), max_size=8
)  # empty clauses, repetitions and tautologies included


def models(nvars: int, clauses: list[Clause]) -> list[tuple[bool, ...]]:
    """All models, by brute force."""
    return [
        bits
        for bits in itertools.product((False, True), repeat=nvars)
        if all(any((x > 0) == bits[abs(x) - 1] for x in clause) for clause in clauses)
    ]


@given(clauses_of, st.lists(st.booleans(), min_size=5, max_size=5))
def test_formulas(clauses: list[Clause], bits: list[bool]) -> None:
    """Clauses come back, are extended, and are falsified by definition."""
    formula = Formula.from_clauses(5, clauses)
    assert list(formula) == clauses
    assert list(formula.extended([[1, -2]])) == [*clauses, [1, -2]]
    model = np.array([v if bit else -v for v, bit in enumerate(bits, 1)], dtype=np.int32)
    true = {*model.tolist()}
    false = [k for k, clause in enumerate(clauses) if not true & {*clause}]
    assert formula.falsified(model) == (false[0] if false else None)
    for bad in ([[0]], [[6]], [[-6]], [np.array([[1, 6]])], [np.array([[1, 0]])]):
        with pytest.raises(ValueError, match="literal"):
            Formula.from_clauses(5, bad)


@pytest.mark.parametrize(
    "text",
    [
        "s SATISFIABLE\nv 1 -2 3 0\n",
        "c hi\nv 1\nv -2 3\ns SATISFIABLE\nv 0\nc bye\n",
        "SAT\n1 -2 3 0\n",
        "WARNING: chatter\n| 12 % |\ns SATISFIABLE\nv 3 -2 1 0",
        "s SATISFIABLE\r\nv 1 -2 3 0\r\n",
        "s SATISFIABLE\nv x1 -x2\nv x3\n",
        "s OPTIMUM FOUND\nv x1 -x2 x3\n",
    ],
)
def test_outputs_with_a_model_and_all_that_are_cut(text: str) -> None:
    """Cut anywhere, an output is no answer, or the same."""
    whole = parse_solver_output(text, 3)
    assert isinstance(whole, Sat)
    assert whole.literals.tolist() == [1, -2, 3]
    for end in range(len(text)):
        try:
            part = parse_solver_output(text[:end], 3)
        except SolverError:
            continue
        if isinstance(part, Unknown):
            assert not text[:end].strip()
            continue
        assert isinstance(part, Sat)
        assert part.literals.tolist() == [1, -2, 3]


@pytest.mark.parametrize(
    "text",
    [
        "c s SATISFIABLE\nv 1 -2 3 0\n",
        "s MAYBE\n",
        "SATISFIABLE\n",
        "s SATISFIABLE\nv 1 -2 0\n",
        "s SATISFIABLE\nv 1 -2 0 3 0\n",
        "s SATISFIABLE\nv 1 -2 3 4 0\n",
        "s SATISFIABLE\nv 1 -2 -9223372036854775808 0\n",
        "s SATISFIABLE\nv 1 -2 3 -1 0\n",
        "s SATISFIABLE\nv 1 -2 x 0\n",
        "s SATISFIABLE\nv 1 -2 3 0\ns UNSATISFIABLE\n",
        "s UNSATISFIABLE\nv 1 -2 3 0\n",
        "s UNKNOWN\nv 1 -2 3 0\n",
    ],
)
def test_outputs_that_are_no_answers(text: str) -> None:
    with pytest.raises(SolverError, match=r"^out.txt: .*$"):
        parse_solver_output(text, 3, "out.txt")


def test_outputs_without_a_model() -> None:
    for text, kind in (("c\ns UNSATISFIABLE\n", Unsat), ("UNSAT\n", Unsat), ("INDET\n", Unknown)):
        assert isinstance(parse_solver_output(text, 3), kind)
    for text in ("", "\n", "c UNKNOWN\n", "c s UNKNOWN\n"):
        assert isinstance(parse_solver_output(text, 3), Unknown)
    listed = parse_solver_output("\ufeff[1, -2,\n3]\n", 3)
    assert isinstance(listed, Sat)
    assert listed.literals.tolist() == [1, -2, 3]
    unused = Formula.from_clauses(3, [[1]]).unused  # may be left out, and no others
    outcome = parse_solver_output("SAT\n1 0\n", 3, unused=unused)
    assert isinstance(outcome, Sat)
    assert outcome.literals.tolist() == [1, -2, -3]
    with pytest.raises(SolverError, match="variable 1 first"):
        parse_solver_output("SAT\n2 0\n", 3, unused=unused)


def holds(nvars: int, clauses: list[Clause], outcome: Outcome, proof: bool) -> None:
    """Check an answer, and a proof, once it is trimmed."""
    assert isinstance(outcome, Sat) == bool(models(nvars, clauses))
    if isinstance(outcome, Unsat) and proof:
        assert outcome.proof is not None
        lrat = lrat_of(outcome.proof, nvars, clauses)
        check_lrat(clauses, trimmed(lrat, len(clauses)))


def random_formulas(count: int) -> list[tuple[int, list[Clause]]]:
    rng = random.Random(3)
    odd: list[tuple[int, list[Clause]]] = [
        (0, []),
        (3, []),
        (0, [[]]),
        (2, [[1], []]),
        (1, [[1], [-1]]),
        (3, [[2, -2], [3, 3, -1]]),
    ]
    for _ in range(count):
        n = rng.randint(3, 7)
        drawn = (rng.sample(range(1, n + 1), 3) for _ in range(rng.randint(3, 7 * n)))
        odd.append((n, [[x * rng.choice((1, -1)) for x in clause] for clause in drawn]))
    return odd


@pytest.mark.parametrize("count", deep(8, 50))
@pytest.mark.parametrize("solver", [*PYSAT_SOLVERS, "lingeling", "kissat404"])
def test_every_solver_against_brute_force(solver: str, count: int) -> None:
    proof = solver in PYSAT_SOLVERS and proof_support(solver) is None
    for n, clauses in random_formulas(count if proof else 2):
        outcome = solve(Formula.from_clauses(n, clauses), solver=solver, proof=proof, seed=5)
        holds(n, clauses, outcome, proof)
    if proof:
        refuted = solve(pigeonhole(4), solver=solver, proof=True, focused=True)
        assert isinstance(refuted, Unsat)
        assert refuted.proof


@pytest.mark.external
@pytest.mark.parametrize("solver", ["cadical", "minisat"])
def test_programs_against_brute_force(solver: str) -> None:
    proof = proof_support(solver) is None
    for n, clauses in random_formulas(4):
        outcome = solve(Formula.from_clauses(n, clauses), solver=solver, proof=proof, seed=5)
        holds(n, clauses, outcome, proof)
    assert isinstance(solve(HARD, solver=solver, timeout=0.3), Unknown)


@pytest.mark.parametrize("conflicts", [None, 50])
def test_sessions_list_all_models(conflicts: int | None) -> None:
    """Forbid each model until none is left, whatever a hint does to the numbers."""
    rng = np.random.default_rng(2)
    for _ in range(5):
        clauses = (rng.integers(1, 7, (12, 3)) * rng.choice([-1, 1], (12, 3))).tolist()
        hint = rng.permutation(np.arange(1, 7))[: rng.integers(0, 7)]
        hint = hint * rng.choice([-1, 1], hint.size)
        listed = []
        with Session(Formula.from_clauses(6, clauses), hint=hint, conflicts=conflicts) as session:
            while isinstance(answer := session.solve(), Sat):
                listed.append(tuple((answer.literals > 0).tolist()))
                session.add([[-x for x in answer.literals.tolist()]])
        assert sorted(listed) == models(6, clauses)


def test_what_cannot_be_run(tmp_path: Path) -> None:
    assert not any(map(is_pysat, ("nonesuch", "", "cadical", "sort {cnf}")))
    for solver, proof in [
        ("nonesuch", False),
        ("", False),
        ("'{cnf}", False),
        ("nonesuch {cnf}", False),
        (f"{tmp_path} {{cnf}}", False),
        ("sort {cnf}", True),
        ("sort {cnf} {prof}", False),
        ("minisat22", True),
        ("lingeling", True),
        ("cryptominisat5", True),
    ]:
        with pytest.raises(PonderError):
            solve(HARD, solver=solver, proof=proof)


# ------------------------------------------------------------------------------------ fake solvers


def test_solvers_that_lie_or_die(tmp_path: Path, left_over: str) -> None:
    formula = Formula.from_clauses(3, [[1, 2, 3], [-1, 2], [-2]])
    for body, reason in (
        (
            "print('s SATISFIABLE\\nv 1 -2 3 0')",
            r"^fake-solver gave a wrong model: .* satisfy \(-1 2\)$",
        ),
        ("print('s UNSATISFIABLE')", "wrote no proof"),
        ("sys.exit(10)", r"^fake-solver: it printed nothing$"),
        ("print('what now?')", r"^fake-solver: no status line"),
        ("print('s SATISFIABLE\\nv 1')", "cut short"),
        ("print('what?', file=sys.stderr); sys.exit(3)", r"died \(exit code 3\): what\?$"),
        ("print('s SATISFIABLE\\nv ', flush=True); os.abort()", r"died \(SIGABRT\)"),
    ):
        with pytest.raises(SolverError, match=reason):
            solve(formula, solver=fake(tmp_path, body) + " {proof}", proof=True)
    killed = solve(formula, solver=fake(tmp_path, "os.kill(os.getpid(), 9)"))
    assert isinstance(killed, Unknown)


def test_files_and_fields_of_a_command(tmp_path: Path) -> None:
    body = """
assert open(cnf).read() == "p cnf 2 2\\n1 0\\n-2 0\\n" and sys.argv[3] == "--seed=7"
print("SATISFIABLE")
open(sys.argv[2], "w").write("SAT\\n1 -2 0\\n")
"""
    formula = Formula.from_clauses(2, [[1], [-2]])
    outcome = solve(formula, solver=fake(tmp_path, body) + " {model} --seed={seed}", seed=7)
    assert isinstance(outcome, Sat)
    body = "open(sys.argv[2], 'wb').write(b'a\\2\\0a\\0'); print('s UNSATISFIABLE')"
    false = Formula.from_clauses(1, [[1], [-1]])
    outcome = solve(false, solver=fake(tmp_path, body) + " {proof}", proof=True)
    assert isinstance(outcome, Unsat)
    assert outcome.proof is not None
    assert check_lrat(false, lrat_of(outcome.proof, 1, false)) == 1


# ------------------------------------------------------------------------------------------ limits


def test_limits_leave_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_over: str
) -> None:
    monkeypatch.setattr(sat, "_OUTPUT_LIMIT", 10_000)
    with pytest.raises(SolverError, match=r"^fake-solver printed more than"):
        solve(HARD, solver=fake(tmp_path, "while True: print('c bla bla bla')"))
    sleeper = fake(tmp_path, "subprocess.Popen(['sleep', '600']); time.sleep(600)")
    for solver in ("cadical195", "minisat22", sleeper):
        assert isinstance(solve(HARD, solver=solver, timeout=0.25), Unknown)
        assert left_with(left_over) == []
    asked = itertools.count()
    stopped = solve(HARD, memory=1 << 34, timeout=Limits(None, lambda: next(asked) > 5))
    assert isinstance(stopped, Unknown)
    greedy = "x = []\nwhile True: x.append(bytearray(1 << 22)); time.sleep(0.005)"
    for body in (greedy, "x = bytearray(1 << 40)"):
        outcome = solve(HARD, solver=fake(tmp_path, body), memory=200 << 20)
        assert isinstance(outcome, Unknown)
        assert "memory" in outcome.reason
    assert isinstance(solve(pigeonhole(4), memory=200 << 20), Unsat)

    def stop() -> bool:
        raise RuntimeError("from the callback")

    for memory in (None, 1 << 34):  # here, and in a process
        with pytest.raises(RuntimeError, match="from the callback"):
            solve(HARD, memory=memory, timeout=Limits(None, stop))


@pytest.mark.skipif(single_threaded_platform(), reason="needs processes")
def test_small_formulas_need_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for those that are hard, and where the memory of a process is limited."""

    def no_child(name: str, memory: int | None) -> None:
        raise ChildProcessError

    monkeypatch.setattr(sat, "_Child", no_child)
    assert isinstance(solve(pigeonhole(4), proof=True), Unsat)
    assert isinstance(solve(pigeonhole(4), timeout=0), Unknown)
    for hard in (HARD, pigeonhole(4)):
        with pytest.raises(ChildProcessError):
            solve(hard, memory=None if hard is HARD else 1 << 32)


PARENT = """
import sys
from ponder.system.limits import Limits
from ponder.system.machine import single_threaded_platform
from ponder.find.solvers.sat import solve
from tests.dimacs import formula_of
formula = formula_of(sys.argv[1])
limits = Limits(None, lambda: bool(print("running", flush=True)))
solve(formula, solver=sys.argv[2], timeout=limits)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, *deep(signal.SIGTERM)])
@pytest.mark.parametrize("inside", [True, False])
def test_a_parent_that_is_stopped(
    tmp_path: Path, left_over: str, number: signal.Signals, inside: bool
) -> None:
    """Ctrl-C, `kill` and `kill -9` of the parent leave no solver and no child of a solver."""
    with packed_file(tmp_path / "hard.cnf") as file:
        HARD.write(file)
    sleeper = fake(tmp_path, "subprocess.Popen(['sleep', '600']); time.sleep(600)")
    solver = "cadical195" if inside else sleeper
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path / "hard.cnf"), solver],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )
    with parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"running\n"
        assert until(lambda: len(processes_with(left_over)) >= 2)
        parent.send_signal(number)
        _, errors = parent.communicate(timeout=HANG)
    assert (b"KeyboardInterrupt" in errors) == (number == signal.SIGINT)
    assert left_with(left_over) == []
