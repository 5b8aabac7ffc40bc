"""Running solvers: right answers, liars, limits, and no process left behind."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ponder.check.drat import check_drat
from ponder.check.lrat import check_lrat
from ponder.find.solvers import sat
from ponder.find.solvers.clause_arrays import Formula, Sat, Unsat, parse_solver_output
from ponder.find.solvers.known_solvers import PROOF_SOLVERS, PYSAT_SOLVERS
from ponder.find.solvers.sat import Session, solve
from ponder.find.solvers.sat_child import add_clauses
from ponder.model.files import packed_file
from ponder.model.ordering_problem import Unknown
from ponder.proofs.lrat_trimming import trimmed
from ponder.system.errors import PonderError, SolverError
from ponder.system.limits import Limits
from ponder.system.machine import single_threaded_platform
from tests.depth import deep
from tests.dimacs import formula_of
from tests.processes import HANG, fake, left_with, processes_with, until

Clause = list[int]


def pigeonhole(holes: int) -> Formula:
    var = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
    pairs = [
        [-var[p][h], -var[q][h]]
        for h in range(holes)
        for p, q in itertools.combinations(range(holes + 1), 2)
    ]
    return Formula.of(holes * (holes + 1), [*var, *pairs])


HARD = pigeonhole(12)
"""Far beyond what any resolution solver does in a test's time."""


def brute(nvars: int, clauses: list[Clause]) -> bool:
    return any(
        all(any((x > 0) == bits[abs(x) - 1] for x in clause) for clause in clauses)
        for bits in itertools.product((False, True), repeat=nvars)
    )


# ----------------------------------------------------------------------------------------- formulas


clauses_of = st.lists(
    st.lists(st.integers(-5, 5).filter(bool), max_size=4), max_size=8
)  # empty clauses, repetitions and tautologies included


@given(clauses_of, st.lists(st.booleans(), min_size=5, max_size=5))
def test_falsified_by_definition(clauses: list[Clause], bits: list[bool]) -> None:
    model = np.array([v if bit else -v for v, bit in enumerate(bits, 1)], dtype=np.int32)
    bad = [i for i, c in enumerate(clauses) if not any(x in model for x in c)]
    formula = Formula.of(5, clauses)
    assert formula.falsified(model) == (bad[0] if bad else None)
    assert list(formula) == clauses
    used = {abs(x) for c in clauses for x in c}
    assert formula.unused[1:].tolist() == [v not in used for v in range(1, 6)]


@given(clauses_of, st.integers(0, 8))
def test_blocks_are_clauses(clauses: list[Clause], cut: int) -> None:
    for width in range(5):
        block = [clause for clause in clauses if len(clause) == width]
        array = np.array(block, dtype=np.int64).reshape(len(block), width)
        formula = Formula.of(5, [*clauses[:cut], array, [5]])
        assert list(formula) == [*clauses[:cut], *block, [5]]


def test_files(tmp_path: Path) -> None:
    rng = random.Random(1)
    clauses = [
        [],
        *([rng.choice((1, -1)) * rng.randint(1, 900)] * rng.randint(1, 3) for _ in range(9)),
    ]
    path = tmp_path / "f.cnf"
    with packed_file(path) as file:
        Formula.of(900, [*clauses, []]).write(file)
    again = formula_of(path)
    assert again.nvars == 900
    assert list(again) == [*clauses, []]


def test_formulas_are_validated() -> None:
    with pytest.raises(ValueError, match="literal 0"):
        Formula.of(2, [[1, 0]])
    with pytest.raises(ValueError, match="beyond the 2 variables"):
        Formula.of(2, [[-3]])
    with pytest.raises(ValueError, match="literal 0"):
        Formula.of(2, [np.array([[0, 1]])])


# ------------------------------------------------------------------------------------------ outputs


@pytest.mark.parametrize(
    "text",
    [
        "s SATISFIABLE\nv 1 -2 3 0\n",
        "c hi\nv 1\nv -2 3\ns SATISFIABLE\nv 0\nc bye\n",
        "SAT\n1 -2 3 0\n",
        "WARNING: chatter\n| 12 % |\ns SATISFIABLE\nv 3 -2 1 0",
        "s SATISFIABLE\r\nv 1 -2 3 0\r\n",
        "s SATISFIABLE\ns SATISFIABLE\nv 1 1 -2 3 0\n",
        "s SATISFIABLE\nv x1 -x2\nv x3\n",
    ],
)
def test_outputs_with_a_model(text: str) -> None:
    outcome = parse_solver_output(text, 3)
    assert isinstance(outcome, Sat)
    assert outcome.literals.tolist() == [1, -2, 3]
    assert outcome.values.tolist() == [False, True, False, True]


def test_outputs_without_a_model() -> None:
    assert isinstance(parse_solver_output("c\ns UNSATISFIABLE\n", 3), Unsat)
    assert isinstance(parse_solver_output("UNSAT\n", 3), Unsat)
    assert isinstance(parse_solver_output("s UNKNOWN\n", 3), Unknown)
    assert isinstance(parse_solver_output("INDET\n", 3), Unknown)
    empty = parse_solver_output("s SATISFIABLE\nv 0\n", 0)
    assert isinstance(empty, Sat)


BAD_OUTPUTS = [
    ("", "no status line"),
    ("c s SATISFIABLE\nv 1 -2 3 0\n", "no status line"),
    ("s MAYBE\n", "unknown status 'MAYBE'"),
    ("s\n", "unknown status ''"),
    ("s SATISFIABLE\n", "there is no model"),
    ("SATISFIABLE\n", "there is no model"),
    ("s SATISFIABLE\nv 1 -2 3\n", "cut short"),
    ("s SATISFIABLE\nv 1 -2\nv", "cut short"),
    ("s SATISFIABLE\nv 1 -2 0\n", "leaves 1 of 3 variables out, variable 3"),
    ("s SATISFIABLE\nv 0\n", "leaves 3 of 3 variables out, variable 1"),
    ("s SATISFIABLE\nv 1 -2 0 3 0\n", "goes on after its 0"),
    ("s SATISFIABLE\nv 1 -2 3 4 0\n", "another formula"),
    ("s SATISFIABLE\nv 1 -2 -9223372036854775808 0\n", "another formula"),
    ("s SATISFIABLE\nv 1 -2 3 -1 0\n", "both 1 and its negation"),
    ("s SATISFIABLE\nv 1 -2 x 0\n", "not a literal"),
    ("s SATISFIABLE\nv 1 -2 99999999999999999999 0\n", "not a literal"),
    ("s SATISFIABLE\nv 1 -2 3 0\ns UNSATISFIABLE\n", "contradictory status lines: SAT and UNSAT"),
    ("s UNSATISFIABLE\nv 1 -2 3 0\n", "contradictory: a model, but"),
    ("s UNKNOWN\nv 1 -2 3 0\n", "contradictory: a model, but"),
]


@pytest.mark.parametrize(("text", "reason"), BAD_OUTPUTS)
def test_outputs_that_are_no_answers(text: str, reason: str) -> None:
    with pytest.raises(SolverError, match=reason) as caught:
        parse_solver_output(text, 3, "out.txt")
    assert str(caught.value).startswith("out.txt: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "reason"), BAD_OUTPUTS[::4])
def test_programs_without_an_answer(tmp_path: Path, text: str, reason: str) -> None:
    formula = Formula.of(3, [[1, 2, 3]])
    with pytest.raises(SolverError, match=reason):
        solve(formula, solver=fake(tmp_path, f"print({text!r}, end='')\nsys.exit(10)"))


def test_variables_in_no_clause_may_be_left_out() -> None:
    unused = Formula.of(3, [[1]]).unused
    outcome = parse_solver_output("SAT\n1 0\n", 3, unused=unused)
    assert isinstance(outcome, Sat)
    assert outcome.literals.tolist() == [1, -2, -3]
    with pytest.raises(SolverError, match="variable 1 first"):
        parse_solver_output("SAT\n2 0\n", 3, unused=unused)


# ----------------------------------------------------------------------------- python-sat's solvers


@pytest.mark.parametrize("count", deep(10, 50))
@pytest.mark.parametrize("solver", sorted(PYSAT_SOLVERS))
def test_every_solver_against_brute_force(solver: str, count: int) -> None:
    rng = random.Random(3)
    formulas: list[tuple[int, list[Clause]]] = [
        (0, []),
        (3, []),
        (0, [[]]),
        (2, [[1], []]),
        (1, [[1], [-1]]),
        (3, [[2, -2], [3, 3, -1]]),
    ]
    for _ in range(count):
        n = rng.randint(3, 7)
        formulas.append(
            (
                n,
                [
                    [x * rng.choice((1, -1)) for x in rng.sample(range(1, n + 1), 3)]
                    for _ in range(rng.randint(3, 7 * n))
                ],
            )
        )
    proof = PYSAT_SOLVERS[solver].no_proof is None
    answers = set()
    with Session(Formula.of(0, []), solver=solver, proof=proof, seed=5) as session:
        for n, clauses in formulas:
            session.new(Formula.of(n, clauses))
            outcome = session.solve()
            answers.add(type(outcome))
            assert isinstance(outcome, Sat) == brute(n, clauses)
            if isinstance(outcome, Unsat) and proof:
                assert outcome.proof is not None
                assert outcome.proof.endswith("0\n")
                check_drat(n, clauses, outcome.proof, explicit=True)
    assert answers == {Sat, Unsat}


def test_lazily_added_clauses() -> None:
    """Forbid each model until none is left: as many as there are."""
    for solver in ("cadical195", "glucose4", "minisat22"):
        with Session(Formula.of(4, [[1, 2], [-3, 4]]), solver=solver) as session:
            count = 0
            while isinstance(outcome := session.solve(), Sat):
                count += 1
                session.add([(-outcome.literals).tolist()])
            assert isinstance(outcome, Unsat)
            assert count == 9
            assert isinstance(session.solve(), Unsat)
            session.new(Formula.of(1, [[1]]))
            assert isinstance(session.solve(), Sat)


def test_sessions_that_answer_once() -> None:
    for solver, proof in (("kissat404", False), ("cadical195", True)):
        with Session(Formula.of(1, [[1]]), solver=solver, proof=proof) as session:
            assert isinstance(session.solve(), Sat)
            with pytest.raises(ValueError, match="answers once"):
                session.solve()
            with pytest.raises(ValueError, match="answers once"):
                session.add([[-1]])
            session.new(Formula.of(1, [[1], [-1]]))
            assert isinstance(session.solve(), Unsat)


def test_focused_solvers_answer_the_same() -> None:
    """Only CaDiCaL 1.9.5 is told anything; its proof is another one, and holds."""
    square = [list(signs) for signs in itertools.product(*((v, -v) for v in range(1, 9)))]
    proofs = set()
    for focused in (False, True):
        for solver in ("cadical195", "glucose4"):
            assert isinstance(solve(pigeonhole(4), solver=solver, focused=focused), Unsat)
            assert isinstance(
                solve(Formula.of(8, square[:-1]), solver=solver, focused=focused), Sat
            )
        outcome = solve(pigeonhole(7), proof=True, lrat=True, focused=focused)
        assert isinstance(outcome, Unsat)
        assert outcome.proof is not None
        assert check_lrat(list(pigeonhole(7)), trimmed(outcome.proof, pigeonhole(7).size)) > 0
        proofs.add(outcome.proof)
    assert len(proofs) == 2


def test_clauses_in_pieces_of_a_file(tmp_path: Path) -> None:
    """A clause may go on in the next piece, and a clause may be empty."""
    rng = random.Random(1)
    clauses = [[rng.randint(1, 99) for _ in range(rng.randint(1, 40))] for _ in range(5000)]
    file, added = tmp_path / "clauses", list[list[int]]()
    for empty in (False, True):
        flat = [x for clause in [*clauses, *[[]] * empty, [7]] for x in (*clause, 0)]
        np.array(flat, dtype=np.int32).tofile(file)
        added.clear()
        assert file.stat().st_size > 4 << 16
        assert add_clauses(str(file), added.append) == (True, empty)
        assert added == [*clauses, [7]]
        assert not file.exists()


def test_proofs_that_are_refused() -> None:
    for solver, reason in PROOF_SOLVERS.items():
        if reason is not None:
            with pytest.raises(PonderError, match=f"there is no proof from {solver}: {reason}"):
                solve(HARD, solver=solver, proof=True)
    with pytest.raises(PonderError, match=r"has no \{proof\}"):
        solve(HARD, solver="true {cnf}", proof=True)


def test_solvers_that_cannot_be_run(tmp_path: Path) -> None:
    for solver, reason in [
        ("nonesuch", "unknown solver 'nonesuch'"),
        ("", "unknown solver ''"),
        ("'{cnf}", "cannot be read: No closing quotation"),
        ("nonesuch {cnf}", "'nonesuch' is not on the PATH"),
        (f"{tmp_path} {{cnf}}", "cannot be executed"),
    ]:
        with pytest.raises(PonderError, match=reason):
            solve(HARD, solver=solver)
    with pytest.raises(PonderError, match="not a solver of python-sat"):
        Session(HARD, solver="minisat")


# ---------------------------------------------------------------------------------- fake solvers


def test_a_solver_that_lies(tmp_path: Path, left_over: str) -> None:
    formula = Formula.of(3, [[1, 2, 3], [-1, 2], [-2]])
    liar = fake(tmp_path, "print('s SATISFIABLE\\nv 1 -2 3 0')")
    with pytest.raises(SolverError, match=r"^fake-solver lies: .* satisfy \(-1 2\)$"):
        solve(formula, solver=liar)
    with pytest.raises(SolverError, match="wrote no proof"):
        solve(formula, solver=fake(tmp_path, "print('s UNSATISFIABLE')") + " {proof}", proof=True)


def test_exit_codes_do_not_matter(tmp_path: Path) -> None:
    formula = Formula.of(1, [[1]])
    honest = fake(tmp_path, "print('s SATISFIABLE\\nv 1 0'); sys.exit(20)")
    assert isinstance(solve(formula, solver=honest), Sat)
    for code in (10, 20, 0):
        with pytest.raises(SolverError, match="no status line"):
            solve(formula, solver=fake(tmp_path, f"sys.exit({code})"))


def test_a_solver_that_dies(tmp_path: Path, left_over: str) -> None:
    formula = Formula.of(1, [[1]])
    broken = fake(tmp_path, "print('parse error', file=sys.stderr); sys.exit(3)")
    with pytest.raises(SolverError, match=r"^fake-solver died \(exit code 3\): parse error$"):
        solve(formula, solver=broken)
    crash = fake(tmp_path, "print('s SATISFIABLE\\nv ', flush=True); os.abort()")
    with pytest.raises(SolverError, match=r"died \(SIGABRT\)"):
        solve(formula, solver=crash)
    killed = solve(formula, solver=fake(tmp_path, "os.kill(os.getpid(), 9)"))
    assert isinstance(killed, Unknown)
    assert killed.reason == "fake-solver was killed (SIGKILL)"


def test_result_files_and_fields(tmp_path: Path) -> None:
    formula = Formula.of(2, [[1], [-2]])
    body = """
assert open(cnf).read() == "p cnf 2 2\\n1 0\\n-2 0\\n" and sys.argv[3] == "--seed=7"
print("SATISFIABLE")
open(sys.argv[2], "w").write("SAT\\n1 -2 0\\n")
"""
    outcome = solve(formula, solver=fake(tmp_path, body) + " {model} --seed={seed}", seed=7)
    assert isinstance(outcome, Sat)
    proof = fake(
        tmp_path, "open(sys.argv[2], 'wb').write(b'a\\2\\0a\\0'); print('s UNSATISFIABLE')"
    )
    outcome = solve(formula, solver=proof + " {proof}", proof=True)
    assert isinstance(outcome, Unsat)
    assert outcome.proof == "1 0\n0\n"


def test_endless_output_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_over: str
) -> None:
    monkeypatch.setattr(sat, "_OUTPUT_LIMIT", 10_000)
    talker = fake(tmp_path, "while True: print('c bla bla bla')")
    with pytest.raises(SolverError, match="printed more than"):
        solve(Formula.of(1, [[1]]), solver=talker)


# ------------------------------------------------------------------------------------------- limits


@pytest.mark.skipif(single_threaded_platform(), reason="counts processes, and this system has none")
def test_small_formulas_need_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for those that are hard, and where the memory of a process is limited."""
    started: list[int | None] = []

    class Started(sat.SolverProcess):
        def __init__(self, memory: int | None) -> None:
            started.append(memory)
            super().__init__(memory)

    monkeypatch.setattr(sat, "SolverProcess", Started)
    easy = pigeonhole(4)
    refuted = solve(easy, proof=True, lrat=True)
    assert isinstance(refuted, Unsat)
    assert refuted.proof is not None
    assert check_lrat(list(easy), trimmed(refuted.proof, easy.size)) > 0
    assert isinstance(solve(Formula.of(2, [[1, 2], [-1]])), Sat)
    assert isinstance(solve(easy, timeout=0), Unknown)
    assert started == []
    assert isinstance(solve(easy, memory=1 << 32), Unsat)
    monkeypatch.setattr("ponder.find.solvers.sat.CONFLICTS", 1)
    assert isinstance(solve(easy), Unsat)
    assert started == [1 << 32, None]


def test_time_limit(tmp_path: Path, left_over: str) -> None:
    sleeper = fake(tmp_path, "subprocess.Popen(['sleep', '600']); time.sleep(600)")
    for solver in ("cadical195", "kissat404", sleeper):
        outcome = solve(HARD, solver=solver, timeout=0.25)
        assert isinstance(outcome, Unknown)
        assert outcome.reason == "the time limit of 0.25 s was reached"
        assert left_with(left_over) == []  # how soon: tests/bench/bench_sat.py
    assert isinstance(solve(HARD, timeout=0), Unknown)


def test_a_grandchild_that_holds_the_output_open(tmp_path: Path, left_over: str) -> None:
    body = "subprocess.Popen(['sleep', '600']); print('s SATISFIABLE\\nv 1 0')"
    outcome = solve(Formula.of(1, [[1]]), solver=fake(tmp_path, body))
    assert isinstance(outcome, Sat)


def test_stop(left_over: str) -> None:
    asked = itertools.count()
    # With a limit of memory it is in a process from the start.
    outcome = solve(HARD, memory=1 << 34, timeout=Limits(None, lambda: next(asked) > 5))
    assert isinstance(outcome, Unknown)
    assert outcome.reason == "stopped"


def test_memory_limit(tmp_path: Path, left_over: str) -> None:
    limit = 200 << 20
    greedy = fake(tmp_path, "x = []\nwhile True: x.append(bytearray(1 << 22)); time.sleep(0.005)")
    at_once = fake(tmp_path, "x = bytearray(1 << 40)")
    for solver in (greedy, at_once):
        outcome = solve(HARD, solver=solver, memory=limit)
        assert isinstance(outcome, Unknown)
        assert outcome.reason == f"the memory limit of {limit} bytes was reached"
    outcome = solve(pigeonhole(4), memory=limit)
    assert isinstance(outcome, Unsat)


def test_a_session_after_its_limit(left_over: str) -> None:
    with Session(HARD) as session:
        assert isinstance(session.solve(timeout=0.3), Unknown)
        assert left_with(left_over) == []
        with pytest.raises(ValueError, match="begin again"):
            session.solve()
        with pytest.raises(ValueError, match="begin again"):
            session.add([[1]])
        session.new(Formula.of(1, [[1]]))
        assert isinstance(session.solve(), Sat)


def test_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_over: str
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "no-such-folder"))
    for solver in ("cadical195", fake(tmp_path, "")):
        with pytest.raises(PonderError, match=r"^cannot exchange files with the solver: "):
            solve(HARD, solver=solver)


def test_an_exception_in_the_callback_leaves_nothing(left_over: str) -> None:
    def stop() -> bool:
        raise RuntimeError("from the callback")

    for memory in (None, 1 << 34):  # here, and in a process
        with pytest.raises(RuntimeError, match="from the callback"):
            solve(HARD, memory=memory, timeout=Limits(None, stop))


PARENT = """
import sys, itertools
from ponder.system.limits import Limits
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
        # the parent, the solver, its watchdog, and what it has started
        assert until(lambda: len(processes_with(left_over)) >= (3 if inside else 4))
        parent.send_signal(number)
        _, errors = parent.communicate(timeout=HANG)
    assert (b"KeyboardInterrupt" in errors) == (number == signal.SIGINT)
    assert left_with(left_over) == []


# ----------------------------------------------------------------------------------- real programs


@pytest.mark.external
@pytest.mark.parametrize("solver", ["cadical", "minisat"])
def test_real_programs(solver: str) -> None:
    for holes in (1, 2, 4):
        formula = pigeonhole(holes)
        proof = PROOF_SOLVERS[solver] is None
        outcome = solve(formula, solver=solver, proof=proof, seed=1)
        assert isinstance(outcome, Unsat)
        if proof:
            assert outcome.proof is not None
            check_drat(formula.nvars, formula, outcome.proof, explicit=True)
    assert isinstance(solve(Formula.of(5, [[1, 2], [-2, 3]]), solver=solver), Sat)
    assert isinstance(solve(Formula.of(0, []), solver=solver), Sat)
    assert isinstance(solve(HARD, solver=solver, timeout=0.3), Unknown)


def test_interrupted_while_its_folder_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal waits until somebody knows of the folder, which is gone then."""

    def slow(prefix: str) -> str:
        folder = mkdtemp(prefix=prefix, dir=tmp_path)
        signal.raise_signal(signal.SIGINT)
        return folder

    monkeypatch.setattr(sat, "mkdtemp", slow)
    with pytest.raises(KeyboardInterrupt):
        Session(Formula.of(2, [[1, 2], [-1]]), conflicts=10)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(single_threaded_platform(), reason="needs processes")
def test_interrupted_while_it_solves_here() -> None:
    """Ctrl-C is KeyboardInterrupt, and not an error of python-sat's."""
    holes = 12
    pigeons = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
    apart = [
        [-one[h], -two[h]] for one, two in itertools.combinations(pigeons, 2) for h in range(holes)
    ]
    formula = Formula.of(holes * (holes + 1), [*pigeons, *apart])
    for k in (0, 2):
        late = f"import os, time; time.sleep({0.1 * k}); os.kill({os.getpid()}, 2)"
        with (
            pytest.raises(KeyboardInterrupt),  # outermost: it may come before the solver begins
            Session(formula, conflicts=10**9) as session,
            subprocess.Popen([sys.executable, "-c", late]),  # a thread would wait for the solver
        ):
            session.solve(HANG)
