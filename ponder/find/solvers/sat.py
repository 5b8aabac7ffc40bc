"""Running untrusted SAT solvers.

Solvers are python-sat's (by name), programs on the PATH (`cadical`, `kissat`, `cryptominisat5`,
`minisat`), or any command with `{cnf}` in it. Any other name of python-sat passes through, without
proofs. A solver runs in a process of its own (`ponder.system.pool`), killed at the time limit or
when the clock is stopped: `Unknown`. No answer is taken on trust: an output must be complete and
consistent, and a model satisfy every clause, or it is a `SolverError`. The proof of "unsatisfiable"
is checked elsewhere.

Cost. A child starts in 40 to 150 ms. `solve` first tries a small formula for some 50 ms in this
process, if no memory limit is set.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from queue import Empty
from tempfile import mkdtemp
from typing import Any, Final

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
from ponder.formulas.encoder import CONFLICTS
from ponder.model.ordering_problem import Unknown
from ponder.system.errors import PonderError, SolverError, meant, unknown
from ponder.system.limits import Limits, TimeUp
from ponder.system.machine import single_threaded_platform
from ponder.system.pool import Child
from ponder.system.types import Ints

DEFAULT_SOLVER: Final = "cadical195"
_NONE: Final = "it writes no proofs"

PYSAT_SOLVERS: Final[dict[str, str | None]] = {
    "cadical195": None,
    "glucose4": None,
    "minisat22": _NONE,
}
"""Solvers of python-sat that take clauses after an answer; why there are no proofs, or None."""

COMMANDS: Final[dict[str, str]] = {
    "cadical": "cadical -q --no-binary --seed={seed} {cnf} {proof}",
    "cryptominisat5": "cryptominisat5 --verb=0 --random={seed} {cnf}",
    "kissat": "kissat -q --no-binary --seed={seed} {cnf} {proof}",
    "minisat": "minisat -verb=0 {cnf} {model}",
}
"""`{model}` is a file that the solver writes its answer to; else standard output is the answer."""

FIELDS: Final = ("cnf", "proof", "model", "seed")
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

    `solver`   a name, or a command in which `{cnf}` stands for the formula's file and `{proof}`,
               `{model}`, `{seed}` for what else it understands; no shell
    `timeout`  seconds for everything, the start of the solver included, or a clock that runs
    `memory`   bytes that the solver's process may take
    `proof`    whether `Unsat` must carry a proof, unchecked: LRAT or DRAT
    `focused`  whether cadical195 restarts often throughout: as `Session`

    Raises PonderError if it is unknown or writes no proofs, SolverError if it fails or lies.

    >>> solve(Formula.from_clauses(2, [[1, 2], [-1]])).literals.tolist()
    [-1, 2]
    >>> solve(Formula.from_clauses(1, [[1], [-1]]), proof=True).proof.split()[-2:]
    [b'2', b'0']
    """
    limits = Limits.begin(timeout)
    if not is_pysat(solver):
        words = command_words(solver, proof)
        if single_threaded_platform():
            raise PonderError(f"{solver!r} needs a process of its own, and this system has none")
        try:
            return _run(words, formula, limits, memory, seed, proof)
        except TimeUp as stopped:
            return Unknown(str(stopped))
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
        self.parts: list[Formula] = []
        self.nvars: int = formula.nvars
        self.stack: ExitStack = ExitStack()
        self.child: _Child | None = None
        self.number: Literals = np.arange(formula.nvars + 1, dtype=np.int32)  # of each variable
        self.renumbered: bool = hint is not None
        configure = {"seed": seed} if seed and solver == DEFAULT_SOLVER else {}
        if focused and solver == DEFAULT_SOLVER:
            configure |= {"stabilize": 0, "walk": 0}
        try:
            if conflicts is not None or single_threaded_platform():
                from ponder.find.solvers.sat_child import PySatSolver

                self.folder: Path = Path(mkdtemp(prefix="ponder-"))
                self.stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
                self.here: PySatSolver = PySatSolver(solver, proof, configure)
                self.stack.callback(self.here.close)
            else:
                self.child = self.stack.enter_context(_Child(solver, memory))
                self.folder = self.child.folder
                self.child.serve("ponder.find.solvers.sat_child:serve")
                self.child.send((solver, proof, configure))
            if hint is not None:  # those of the hint get the last numbers, in its order
                rest = np.delete(self.number[1:], np.abs(hint) - 1)  # setdiff1d loads numpy.ma
                self.number[np.concatenate([rest, np.abs(hint)])] = self.number[1:].copy()
            self._send(formula)
            if hint is not None:
                self._call("phases", self._numbered(hint).tolist())
        except BaseException:
            self.stack.close()
            raise

    def add(self, clauses: Clauses) -> None:
        """Add clauses, such as cuts that the last model violates."""
        self._send(Formula.from_clauses(self.nvars, clauses))

    def solve(self, timeout: float | Limits | None = None) -> Outcome:
        """Decide the clauses so far, like `ponder.find.solvers.sat.solve`."""
        limits, proof_file = Limits.begin(timeout), self.folder / "proof"
        try:
            if self.child is None:
                answer = self.here.solve(str(proof_file), lambda: limits.expired, self.conflicts)
            else:
                self.child.send(("solve", str(proof_file)))
                answer = self.child.answer(limits, self.nvars)
            if answer is None:
                limits.check()
        except TimeUp as stopped:
            return Unknown(str(stopped))
        if answer is None:
            if self.child is None:
                return Unknown("the solver gave up")
            return self.child.post_mortem("ended without an answer")
        outcome: Outcome = Unsat()
        if answer is not False:
            true = np.zeros(self.nvars + 1, dtype=np.bool_)
            true[[literal for literal in answer if literal <= self.nvars]] = True
            literals = np.arange(1, self.nvars + 1, dtype=np.int32)
            outcome = Sat(np.where(true[self.number[1:]], literals, -literals))
        file = proof_file if self.proof else None
        return _accepted(outcome, self.parts, self.solver, file)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *raised: object) -> None:
        self.stack.close()

    def _send(self, formula: Formula) -> None:
        """Hand clauses over in a file, which the solver removes: a pipe would have to wait."""
        file = self.folder / f"clauses-{len(self.parts)}"
        self._numbered(formula.literals).tofile(file)
        self.parts.append(formula)
        self._call("add", str(file))

    def _numbered(self, literals: Ints | Literals) -> Literals:
        """Return literals as the solver knows them."""
        if not self.renumbered:
            return literals.astype(np.int32, copy=False)
        return (np.sign(literals) * self.number[np.abs(literals)]).astype(np.int32)

    def _call(self, name: str, argument: object) -> None:
        if self.child is None:
            getattr(self.here, name)(argument)
        else:
            self.child.send((name, argument))


class _Child(Child):
    """A process of a solver, which must keep limits."""

    def __init__(self, name: str, memory: int | None) -> None:
        super().__init__(memory=0 if memory is None else memory + (1 << 26), quiet=True)
        self.name: str = name
        self.limited: bool = memory is not None

    def answer(self, limits: Limits, nvars: int) -> Any:
        """Return what it answers, or None when it has ended. Raises TimeUp."""
        while True:
            limits.check()
            try:
                return self.receive(limits.within(_TICK))
            except EOFError:
                return None
            except Empty:
                most = _OUTPUT_LIMIT + 16 * nvars
                if self.output.exists() and self.output.stat().st_size > most:
                    raise SolverError(f"{self.name} printed more than {most} bytes") from None

    def post_mortem(self, complaint: str) -> Unknown:
        """Return Unknown if it was killed or out of memory; raise SolverError otherwise."""
        name = self.name
        complaint = f"{name}: {complaint.removeprefix(f'{name}: ')}"
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            raise SolverError(complaint) from None
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
    """Decide a formula by a command, in a folder of its own. Raises TimeUp."""
    name = Path(words[0]).name
    with _Child(name, memory) as child:
        cnf, proof_file, model = (child.folder / x for x in ("f.cnf", "proof", "model.txt"))
        with cnf.open("wb") as file:
            formula.write(file, limits)
        for field, value in zip(FIELDS, (cnf, proof_file, model, seed), strict=True):
            words = [word.replace(f"{{{field}}}", str(value)) for word in words]
        child.become(words)
        child.answer(limits, formula.nvars)
        written = model if any(str(model) in word for word in words) else child.output
        text = written.read_text("ascii", errors="replace") if written.exists() else ""
        try:
            outcome = parse_solver_output(text, formula.nvars, name, formula.unused)
            if not text.strip() and child.process.wait(timeout=1):
                raise SolverError("it printed nothing")
        except (SolverError, subprocess.TimeoutExpired) as failure:
            return child.post_mortem(str(failure))
        return _accepted(outcome, [formula], name, proof_file if proof else None)


def _accepted(
    outcome: Outcome, parts: list[Formula], name: str, proof_file: Path | None
) -> Outcome:
    """Return an outcome whose model satisfies all parts of the formula. Raises SolverError."""
    match outcome:
        case Sat(literals):
            for part in parts:
                if (bad := part.falsified(literals)) is not None:
                    clause = " ".join(map(str, next(islice(part, bad, None))))
                    raise SolverError(f"{name} gave a wrong model: it does not satisfy ({clause})")
        case Unsat() if proof_file is not None:
            if not proof_file.exists():
                raise SolverError(f"{name} says unsatisfiable but wrote no proof")
            return Unsat(proof_file.read_bytes())
    return outcome


# ------------------------------------------------------------------------------- names of solvers


def is_pysat(solver: str) -> bool:
    """Whether python-sat knows a solver by this name.

    >>> is_pysat("cadical195"), is_pysat("cadical")
    (True, False)
    """
    if solver in PYSAT_SOLVERS or solver in COMMANDS or "{" in solver:
        return solver in PYSAT_SOLVERS
    from pysat.solvers import SolverNames

    known = (names for names in vars(SolverNames).values() if isinstance(names, tuple))
    return any(solver in names for names in known)


def proof_support(solver: str) -> str | None:
    """Return None when proofs can be had from a solver or a command, or why not."""
    if solver in PYSAT_SOLVERS:
        return PYSAT_SOLVERS[solver]
    if "{proof}" in COMMANDS.get(solver, solver):
        return None
    return "the command has no {proof} for the proof's file" if "{" in solver else _NONE


def command_words(solver: str, proof: bool) -> list[str]:
    """Return a command's words, the program's whole path first; the caller fills in the fields.

    Raises PonderError if it cannot be run as asked, and SolverError if there is no such program.

    >>> command_words("sort {cnf}", proof=False)[1:]
    ['{cnf}']
    >>> command_words("sort", proof=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ponder.system.errors.PonderError: unknown solver 'sort': neither a command with {cnf} nor ...
    """
    template = COMMANDS.get(solver, solver)
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise PonderError(f"the solver command {template!r} cannot be read: {error}") from None
    if not any("{cnf}" in word for word in words):
        known = sorted({*PYSAT_SOLVERS, *COMMANDS})
        raise PonderError(
            f"unknown solver {solver!r}: neither a command with {{cnf}} nor one of "
            f"{', '.join(known)}{meant(solver, known)}"
        )
    if wrong := {*re.findall(r"\{([^{}]*)\}", template)} - {*FIELDS}:
        raise PonderError(f"{template!r}: {unknown('field', min(wrong), FIELDS)}")
    if proof and (reason := proof_support(solver)) is not None:
        raise PonderError(f"there is no proof from {solver}: {reason}")
    if not proof:
        words = [word for word in words if "{proof}" not in word]
    program = shutil.which(words[0])
    if program is None:
        raise SolverError(f"the solver {words[0]!r} is not on the PATH or cannot be executed")
    return [os.path.abspath(program), *words[1:]]


def check_solver(solver: str) -> None:
    """Raise PonderError, or SolverError, if there is no such solver."""
    if not is_pysat(solver):
        command_words(solver, proof=False)
