"""Running untrusted SAT solvers.

A solver runs in a process of its own (`ponder.system.pool`), killed at the time limit or when the
clock is stopped: `Unknown`. It is python-sat's, served by `sat_child`, or a command. No answer is
taken on trust: an output must be complete and consistent, and a model satisfy every clause, or it
is a `SolverError`. The proof of "unsatisfiable" is checked elsewhere.

Cost. A child starts in 40 to 150 ms. `solve` first tries a small formula for some 50 ms in this
process, if no memory limit is set.
"""

from __future__ import annotations

import signal
import subprocess
from contextlib import ExitStack
from functools import partial
from itertools import chain, islice
from pathlib import Path
from queue import Empty
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final

import numpy as np

from ponder.find.solvers.clause_arrays import (
    Clauses,
    Formula,
    Literals,
    Outcome,
    Sat,
    Unsat,
    parse_solver_output,
)
from ponder.find.solvers.drat_to_lrat import lrat_of
from ponder.find.solvers.known_solvers import (
    DEFAULT_SOLVER,
    PYSAT_SOLVERS,
    command_words,
    is_pysat,
)
from ponder.formulas.encoder import CONFLICTS
from ponder.model.ordering_problem import Unknown
from ponder.system.errors import CheckFailed, PonderError, SolverError
from ponder.system.limits import Limits, TimeUp
from ponder.system.machine import single_threaded_platform
from ponder.system.pool import Child
from ponder.system.types import Ints

SMALL: Final = 1 << 17  # literals of a formula that is first tried in this process
_TICK: Final = 0.05  # seconds between two looks at the clock
_OUTPUT_LIMIT: Final = 1 << 26  # bytes of output beyond what a model needs


def solve(
    formula: Formula,
    *,
    solver: str = DEFAULT_SOLVER,
    timeout: float | Limits | None = None,
    memory: int | None = None,
    seed: int = 0,
    proof: bool = False,
    focused: bool = False,
) -> Outcome:
    """Decide a formula: `Sat` with a checked model, `Unsat`, or `Unknown` with the reason.

    `solver`   a name (`known_solvers`), or a command in which `{cnf}` stands for the formula's
               file and `{proof}`, `{model}`, `{seed}` for what else it understands; no shell
    `timeout`  seconds for everything, the start of the solver included, or a clock that runs
    `memory`   bytes that the solver's process may take
    `proof`    whether `Unsat` must carry a proof (unchecked): LRAT, made of DRAT where needed
    `focused`  whether cadical195 restarts often throughout: as `Session`

    Raises PonderError if it is unknown or writes no proofs, SolverError if it fails or lies.

    >>> solve(Formula.of(2, [[1, 2], [-1]])).literals.tolist()
    [-1, 2]
    >>> solve(Formula.of(1, [[1], [-1]]), proof=True).proof.split()[-2:]
    ['2', '0']
    """
    limits = Limits.of(timeout)
    if not is_pysat(solver):
        words = command_words(solver, proof)
        if single_threaded_platform():
            raise PonderError(f"{solver!r} needs a process of its own, and this system has none")
        return _run(words, formula, limits, memory, seed, proof)
    small = formula.literals.size <= SMALL and solver == DEFAULT_SOLVER and memory is None
    brief = [CONFLICTS] if small and not single_threaded_platform() else []
    for conflicts in (*brief, None):
        with Session(formula, solver, memory, seed, proof, focused, conflicts=conflicts) as session:
            outcome = session.solve(limits)
        if not isinstance(outcome, Unknown) or limits.expired:
            break
    return outcome


class Session:
    """A solver of python-sat that keeps what it has learnt between questions.

    After a limit has ended it, it answers no more. With `proof` it answers once.

    With a `hint` (`Encoder.hint`) the solver gets the variables in other numbers, as CaDiCaL
    decides the highest first, and prefers those literals; a proof would be about these numbers.
    With `conflicts` it works in this process, and gives up after that number. `focused` CaDiCaL
    never changes to long phases without restarts, which find models of hard formulas sooner:
    precedence by elimination is refuted with half of the conflicts, halves of lines need twice
    as many.
    """

    def __init__(
        self,
        formula: Formula,
        solver: str = DEFAULT_SOLVER,
        memory: int | None = None,
        seed: int = 0,
        proof: bool = False,
        focused: bool = False,
        *,
        hint: Ints | None = None,
        conflicts: int | None = None,
    ) -> None:
        if proof and PYSAT_SOLVERS.get(solver, "it is not known to write any") is not None:
            raise PonderError(f"there is no proof from {solver}: use cadical195 or glucose4")
        if single_threaded_platform() and solver != DEFAULT_SOLVER:
            raise PonderError(f"{solver!r} needs a process of its own: only {DEFAULT_SOLVER} runs")
        self.solver: str = solver
        self.proof: bool = proof
        self.conflicts: int | None = conflicts
        self.parts: list[Formula] = list[Formula]()
        self.nvars: int = formula.nvars
        self.stack: ExitStack = ExitStack()
        self.child: _Child | None = None
        self.number: Literals | None = None
        configure = {"seed": seed} if seed and solver == DEFAULT_SOLVER else {}
        if focused and solver == DEFAULT_SOLVER:
            configure |= {"stabilize": 0, "walk": 0}
        try:
            if conflicts is not None or single_threaded_platform():
                from ponder.find.solvers.sat_child import PySatSolver

                self.folder: Path = Path(mkdtemp(prefix="ponder-"))
                self.stack.callback(rmtree, self.folder, ignore_errors=True)
                self.here: PySatSolver = PySatSolver(solver, proof, configure)
            else:
                self.child = self.stack.enter_context(_Child(memory))
                self.folder = self.child.folder
                self.child.serve("ponder.find.solvers.sat_child:serve")
                self.child.send((solver, proof, configure))
            if hint is not None:
                self.number = _numbers(formula.nvars, hint)
            self._send(formula)
            if self.number is not None and hint is not None:
                self._call("phases", _moved(hint, self.number).tolist())
        except BaseException:
            self.stack.close()
            raise

    def add(self, clauses: Clauses) -> None:
        """Add clauses, such as cuts that the last model violates."""
        self._send(Formula.of(self.nvars, clauses))

    def solve(self, timeout: float | Limits | None = None) -> Outcome:
        """Decide the clauses so far, like `ponder.find.solvers.sat.solve`."""
        limits, proof_file = Limits.of(timeout), self.folder / "proof"
        if self.child is None:
            ended = partial(_reached, limits)
            text = self.here.solve(self.nvars, str(proof_file), ended, self.conflicts)
            if text.startswith("s UNKNOWN") and (reason := _reached(limits)):
                return Unknown(reason)
        else:
            self.child.send(("solve", self.nvars, str(proof_file)))
            answer = self.child.answer(limits, self.nvars)
            if isinstance(answer, Unknown):
                return answer
            if answer is None:
                return self.child.post_mortem(self.solver, "ended without an answer")
            text = answer
        outcome = parse_solver_output(text, self.nvars, self.solver)
        if isinstance(outcome, Sat) and self.number is not None:
            literals = np.arange(1, self.nvars + 1, dtype=np.int32)
            outcome = Sat(np.where(outcome.values[self.number[1:]], literals, -literals))
        file = proof_file if self.proof else None
        return _accepted(outcome, self.parts, self.solver, file, limits)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *raised: object) -> None:
        self.stack.close()

    def _send(self, formula: Formula) -> None:
        """Hand clauses over in a file, which the solver removes: a pipe would have to wait."""
        file = self.folder / f"clauses-{len(self.parts)}"
        literals = formula.literals
        (literals if self.number is None else _moved(literals, self.number)).tofile(file)
        self.parts.append(formula)
        self._call("add", str(file))

    def _call(self, name: str, argument: object) -> None:
        if self.child is None:
            getattr(self.here, name)(argument)
        else:
            self.child.send((name, argument))


class _Child(Child):
    """A process of a solver, which must keep limits."""

    def __init__(self, memory: int | None) -> None:
        super().__init__(memory=0 if memory is None else memory + (1 << 26), quiet=True)
        self.limited = memory is not None

    def answer(self, limits: Limits, nvars: int) -> str | Unknown | None:
        """Return what it answers, or None when it has ended; Unknown when a limit was reached."""
        while True:
            if (reason := _reached(limits)) is not None:
                self.kill()
                return Unknown(reason)
            try:
                text: str = self.receive(limits.within(_TICK))
                return text
            except EOFError:
                return None
            except Empty:
                most = _OUTPUT_LIMIT + 16 * nvars
                if self.output.exists() and self.output.stat().st_size > most:
                    raise SolverError(f"the solver printed more than {most} bytes") from None

    def post_mortem(self, name: str, complaint: str) -> Unknown:
        """Return Unknown if it was killed or out of memory; raise SolverError otherwise."""
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            raise SolverError(f"{name}: {complaint}") from None
        errors = self.errors.read_text(errors="replace") if self.errors.exists() else ""
        last = errors.strip().split("\n")[-1].strip()[:200]
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        if self.limited and (code < 0 or "alloc" in last.lower() or "memory" in last.lower()):
            return Unknown("the memory limit was reached")
        if how in ("SIGKILL", "SIGTERM", "SIGINT", "SIGXCPU"):
            return Unknown(f"{name} was killed ({how})")
        if code in (0, 10, 20):
            raise SolverError(complaint)
        raise SolverError(f"{name} died ({how}){': ' if last else ''}{last}")


def _run(
    words: list[str], formula: Formula, limits: Limits, memory: int | None, seed: int, proof: bool
) -> Outcome:
    """Decide a formula by a command; files are exchanged in a folder of their own."""
    name = Path(words[0]).name
    with _Child(memory) as child:
        cnf, proof_file, model = (child.folder / x for x in ("f.cnf", "proof", "model.txt"))
        try:
            with cnf.open("wb") as file:
                formula.write(file, limits)
        except TimeUp as stopped:
            return Unknown(str(stopped))
        fields = {"cnf": cnf, "proof": proof_file, "model": model, "seed": seed}
        for field, value in fields.items():
            words = [word.replace(f"{{{field}}}", str(value)) for word in words]
        child.become(words)
        if isinstance(answer := child.answer(limits, formula.nvars), Unknown):
            return answer
        written = model if any(str(model) in word for word in words) else child.output
        text = written.read_text("ascii", errors="replace") if written.exists() else ""
        try:
            outcome = parse_solver_output(text, formula.nvars, name, formula.unused)
            if not text.strip() and child.process.wait(timeout=1):
                return child.post_mortem(name, "it printed nothing")
        except (SolverError, subprocess.TimeoutExpired) as failure:
            return child.post_mortem(name, str(failure))
        return _accepted(outcome, [formula], name, proof_file if proof else None, limits)


def _reached(limits: Limits) -> str | None:
    if limits.left() == 0:
        return f"the time limit of {limits.seconds:g} s was reached"
    return "stopped" if limits.expired else None


def _numbers(nvars: int, hint: Ints) -> Literals:
    """Return the number of every variable for a solver: those of the hint last, in its order."""
    hinted = np.abs(hint)
    rest = np.ones(nvars + 1, dtype=np.bool_)
    rest[hinted] = False
    number = np.zeros(nvars + 1, dtype=np.int32)
    number[np.concatenate([np.flatnonzero(rest)[1:], hinted])] = np.arange(1, nvars + 1)
    return number


def _moved(literals: Ints | Literals, number: Literals) -> Literals:
    """Return literals of variables in other numbers."""
    return (np.sign(literals) * number[np.abs(literals)]).astype(np.int32)


def _accepted(
    outcome: Outcome, parts: list[Formula], name: str, proof_file: Path | None, limits: Limits
) -> Outcome:
    """Return an outcome whose model satisfies all parts of the formula. Raises SolverError."""
    match outcome:
        case Sat(literals):
            for part in parts:
                if (bad := part.falsified(literals)) is not None:
                    clause = " ".join(map(str, next(islice(part, bad, None))))
                    raise SolverError(f"{name} lies: its model does not satisfy ({clause})")
        case Unsat() if proof_file is not None:
            if not proof_file.exists():
                raise SolverError(f"{name} says unsatisfiable but wrote no proof")
            clauses = chain.from_iterable(parts)
            try:
                return Unsat(lrat_of(proof_file.read_bytes(), parts[0].nvars, clauses, limits))
            except CheckFailed as failure:
                refused = f"the proof of {name} is refused, so nothing is proved: {failure}"
                raise SolverError(refused) from None
            except TimeUp:
                return Unknown("the time limit was reached while its proof was converted")
    return outcome
