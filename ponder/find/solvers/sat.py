"""Running untrusted SAT solvers.

Each runs in a process of its own (`ponder.system.pool`) that is killed at the time limit (to within
20 ms), over the memory limit, or when `stop()` says so: `Unknown`. It serves (`sat_child`:
python-sat, by calls that it answers with text), or is a solver's command. No answer is taken on
trust: an output must be complete and consistent, and a model satisfy every clause, or it is a
`SolverError`. The proof of "unsatisfiable" is checked elsewhere.

Cost. A child starts in 40 to 150 ms, depending on how busy the machine is; a `Session` solves any
number of formulas in one child, 1 ms each if they are tiny. `solve` first tries a small one for
some 50 ms in this process, if no limit of its memory is set.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Empty
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final

import numpy as np

from ponder.check.drat_format import drat_text
from ponder.find.solvers.clause_arrays import (
    Clauses,
    Formula,
    Literals,
    Outcome,
    Sat,
    Unsat,
    parse_solver_output,
)
from ponder.find.solvers.known_solvers import (
    DEFAULT_SOLVER,
    LRAT_SOLVERS,
    PYSAT_SOLVERS,
    SLICED_SOLVERS,
    check_proof_support,
    command_words,
)
from ponder.formulas.encoder import CONFLICTS
from ponder.model.ordering_problem import Unknown
from ponder.system.errors import PonderError, SolverError
from ponder.system.limits import Limits, TimeUp
from ponder.system.machine import resident_bytes, single_threaded_platform
from ponder.system.pool import Child
from ponder.system.signals import deferred_signals
from ponder.system.types import Ints

_TICK: Final = 0.05  # seconds between looks at the memory and at `stop`
_OUTPUT_LIMIT: Final = 1 << 26  # bytes of output beyond what a model needs


class SolverProcess(Child):
    """A child that must keep limits."""

    def __init__(self, memory: int | None) -> None:
        self.memory = memory
        # A net for what the looks at the occupied memory come too late for. It counts reserved
        # memory, of which every program has more than it occupies.
        reserved = 0 if memory is None else min(2 * memory + (1 << 29), 1 << 62)
        super().__init__(memory=reserved, quiet=True)

    def answer(self, limits: Limits, nvars: int) -> str | Unknown | None:
        """Return what it answers, or None when it has ended; Unknown when a limit was reached."""
        room = _OUTPUT_LIMIT + 16 * nvars
        while True:
            if (reason := _reached(limits) or self._too_large()) is not None:
                self.kill()
                return Unknown(reason, {"seconds": limits.elapsed})
            text: str | None = None
            try:
                text = self.receive(limits.within(_TICK))
            except Empty:
                ended = False
            except EOFError:
                ended = True
            if self.output.exists() and self.output.stat().st_size > room:
                raise SolverError(f"the solver printed more than {room} bytes")
            if text is not None or ended:
                return text

    def _too_large(self) -> str | None:
        if self.memory is not None and resident_bytes(self.process.pid) > self.memory:
            return f"the memory limit of {self.memory} bytes was reached"
        return None

    def printed(self) -> str:
        """Return what the command has printed that it has become."""
        there = self.output.exists()
        return self.output.read_text(encoding="ascii", errors="replace") if there else ""

    def post_mortem(self, name: str, failure: SolverError) -> Unknown:
        """Return Unknown if it was killed or out of memory; raise how it died, or `failure`."""
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            raise failure from None
        complaints = self.errors.read_text(errors="replace") if self.errors.exists() else ""
        last = complaints.strip().split("\n")[-1].strip()[:200]
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        if how in ("SIGKILL", "SIGTERM", "SIGINT", "SIGXCPU"):
            return Unknown(f"{name} was killed ({how})")
        if self.memory is not None and any(w in last.lower() for w in ("alloc", "memory")):
            return Unknown(f"the memory limit of {self.memory} bytes was reached")
        if code in (0, 10, 20):
            raise failure
        raise SolverError(f"{name} died ({how}){': ' if last else ''}{last}")


class SolverHere:
    """A solver of python-sat in this process: no limit of its memory, one of its conflicts."""

    def __init__(self, conflicts: int | None = None) -> None:
        self._conflicts = conflicts
        self.folder: Path = Path(mkdtemp(prefix="ponder-"))
        self._answers: list[str] = []

    def __exit__(self, *_: object) -> None:
        rmtree(self.folder, ignore_errors=True)

    def serve(self, function: str) -> None:
        """Begin; there is only one function to serve."""
        from ponder.find.solvers.sat_child import Solvers

        self._solvers = Solvers(self._answers.append)

    def send(self, request: tuple[Any, ...]) -> None:
        """Do what is asked, but a decision when its answer is awaited."""
        name, *arguments = request
        if name == "solve":
            self._asked = arguments
        else:
            getattr(self._solvers, name)(*arguments)

    def answer(self, limits: Limits, nvars: int) -> str | Unknown:
        """Return what the solver answers; Unknown when a limit was reached."""
        decided, file = self._asked
        self._solvers.solve(decided, file, lambda: _reached(limits) is None, self._conflicts)
        answer = self._answers.pop()
        reason = _reached(limits) if answer.startswith("s UNKNOWN") else None
        return answer if reason is None else Unknown(reason, {"seconds": limits.elapsed})


def solver_process(memory: int | None, conflicts: int | None = None) -> SolverProcess | SolverHere:
    """Return a place for a solver: a process, which starts in 50 ms, unless it is brief."""
    brief = conflicts is not None or single_threaded_platform()
    return SolverHere(conflicts) if brief else SolverProcess(memory)


def _reached(limits: Limits) -> str | None:
    if limits.left() == 0:
        return f"the time limit of {limits.seconds:g} s was reached"
    return "stopped" if limits.expired else None


@contextmanager
def disk_errors() -> Iterator[None]:
    """Turn an OSError inside the block (a full disk, say) into a PonderError."""
    try:
        yield
    except OSError as error:
        raise PonderError(f"cannot exchange files with the solver: {error}") from None


SMALL = 1 << 17  # literals of a formula that is first tried in this process


def solve(
    formula: Formula,
    *,
    solver: str = DEFAULT_SOLVER,
    timeout: float | Limits | None = None,
    memory: int | None = None,
    seed: int = 0,
    proof: bool = False,
    lrat: bool = False,
    focused: bool = False,
    stop: Callable[[], bool] | None = None,
) -> Outcome:
    """Decide a formula: `Sat` with a checked model, `Unsat`, or `Unknown` with the reason.

    `solver`   a name in `known_solvers.PROOF_SOLVERS`, or a command in which `{cnf}` stands for
               the formula's file and `{proof}`, `{model}`, `{seed}` for what else it understands;
               no shell
    `timeout`  seconds for everything, the start of the solver included, or a clock that runs
    `memory`   bytes that the solver's process may occupy
    `proof`    whether `Unsat` must carry a proof (unchecked: see `ponder.check.drat`)
    `lrat`     the proof is LRAT, which only `cadical195` writes
    `focused`  whether it restarts often throughout, if it is `cadical195`: as `Session`
    `stop`     called about 20 times a second; the solver is killed when it returns True

    Raises PonderError if it is unknown or its proofs are refused, SolverError if it fails or lies.

    >>> solve(Formula.of(2, [[1, 2], [-1]])).literals.tolist()
    [-1, 2]
    >>> solve(Formula.of(1, [[1], [-1]]), proof=True).proof
    '0\\n'
    """
    limits = timeout if isinstance(timeout, Limits) else Limits(timeout, stop)
    if solver in PYSAT_SOLVERS:
        new = partial(Session, formula, solver=solver, memory=memory, seed=seed, focused=focused)
        small = formula.literals.size <= SMALL and solver in SLICED_SOLVERS
        for conflicts in (
            (CONFLICTS, None)
            if small and memory is None and not single_threaded_platform()
            else (None,)
        ):
            with new(proof=proof, lrat=lrat, conflicts=conflicts) as session:
                outcome = session.solve(limits)
            if not isinstance(outcome, Unknown) or limits.expired:
                break
        return outcome
    words = command_words(solver, proof)
    if single_threaded_platform():
        raise PonderError(f"{solver!r} needs a process of its own, and this system has none")
    return _run(words, formula, limits, memory, seed, proof)


def _run(
    words: list[str], formula: Formula, limits: Limits, memory: int | None, seed: int, proof: bool
) -> Outcome:
    """Decide a formula by a command; files are exchanged in a folder of their own."""
    name = Path(words[0]).name
    with ExitStack() as stack:
        with disk_errors():
            child = stack.enter_context(SolverProcess(memory))
            files = [child.folder / file for file in ("f.cnf", "proof.drat", "model.txt")]
            cnf, proof_file, model = files
            with cnf.open("wb") as file:
                try:
                    formula.write(file, limits)
                except TimeUp as stopped:
                    return Unknown(str(stopped), {"seconds": limits.elapsed})
        for field, value in zip(("cnf", "proof", "model", "seed"), (*files, seed), strict=True):
            words = [word.replace(f"{{{field}}}", str(value)) for word in words]
        child.become(words)
        text = child.answer(limits, formula.nvars) or child.printed()
        if isinstance(text, Unknown):
            return text
        if any(str(model) in word for word in words) and model.exists():
            text = model.read_text(encoding="ascii", errors="replace")
        try:
            outcome = parse_solver_output(text, formula.nvars, name, formula.unused)
        except SolverError as failure:
            return child.post_mortem(name, failure)
        return _accepted(outcome, [formula], name, proof_file if proof else None, limits)


class Session:
    """A solver of python-sat that keeps its child and what it has learnt between questions.

    With `proof`, only the first `solve` after `new` may be asked: a proof tells nothing about when
    clauses came. After a limit has killed the child, the session needs `new`.

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
        *,
        solver: str = DEFAULT_SOLVER,
        memory: int | None = None,
        seed: int = 0,
        proof: bool = False,
        lrat: bool = False,
        hint: Ints | None = None,
        conflicts: int | None = None,
        focused: bool = False,
    ) -> None:
        if proof and hint is not None:
            raise ValueError("a proof needs the formula's own numbers: no hint")
        if lrat and solver not in LRAT_SOLVERS:
            raise PonderError(f"{solver!r} writes no LRAT: only {', '.join(LRAT_SOLVERS)}")
        if solver not in PYSAT_SOLVERS:
            raise PonderError(f"{solver!r} is not a solver of python-sat: no session with it")
        if single_threaded_platform() and solver not in SLICED_SOLVERS:
            runs = ", ".join(SLICED_SOLVERS)
            raise PonderError(f"{solver!r} needs a process of its own: only {runs} runs without")
        check_proof_support(solver, proof)
        self.solver: str = solver
        self.memory: int | None = memory
        self.seed: int = seed
        self.proof: bool = proof
        self.lrat: bool = lrat
        self._hint, self._conflicts, self._focused = hint, conflicts, focused
        self._once = proof or PYSAT_SOLVERS[solver].once
        self._stack = ExitStack()
        self._child: SolverProcess | SolverHere | None = None
        self._sent = 0
        try:
            self.new(formula)
        except BaseException:
            self.close()
            raise

    def new(self, formula: Formula) -> None:
        """Forget everything and begin with another formula."""
        self._parts, self._asked, self._nvars = list[Formula](), False, formula.nvars
        if self._child is None:
            with disk_errors():
                with deferred_signals():  # from its folder of temporary files to who removes it
                    self._child = solver_process(self.memory, self._conflicts)
                    self._stack.push(self._child.__exit__)
                self._child.serve("ponder.find.solvers.sat_child:serve")
        option = PYSAT_SOLVERS[self.solver].seed
        configure = {option: self.seed} if option and self.seed else {}
        if self._focused:
            configure |= PYSAT_SOLVERS[self.solver].focused
        self._child.send(("new", self.solver, self.proof, self.lrat, configure))
        self._number = None if self._hint is None else _numbers(formula.nvars, self._hint)
        self._send(self._child, formula)
        if self._hint is not None and self._number is not None:
            self._child.send(("phases", _moved(self._hint, self._number).tolist()))

    def add(self, clauses: Clauses) -> None:
        """Add clauses, such as cuts that the last model violates."""
        self._send(self._ready(), Formula.of(self._nvars, clauses))

    def solve(self, timeout: float | Limits | None = None) -> Outcome:
        """Decide the clauses so far, like `ponder.find.solvers.sat.solve`."""
        child, limits = self._ready(), Limits.of(timeout)
        self._asked = True
        proof_file = child.folder / "proof.drat"
        try:
            child.send(("solve", self._nvars, str(proof_file)))
            text = child.answer(limits, self._nvars)
            if isinstance(text, Unknown):
                self.close()
                return text
            if text is None:
                assert isinstance(child, SolverProcess)
                failure = SolverError(f"{self.solver} ended without an answer")
                with self:
                    return child.post_mortem(self.solver, failure)
            outcome = parse_solver_output(text, self._nvars, self.solver)
            if isinstance(outcome, Sat) and self._number is not None:
                own = np.arange(1, self._nvars + 1, dtype=np.int32)
                outcome = Sat(np.where(outcome.values[self._number[1:]], own, -own))
            proof = proof_file if self.proof else None
            return _accepted(outcome, self._parts, self.solver, proof, limits, lrat=self.lrat)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill the child and everything that it may have started."""
        self._child = None
        self._stack.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _ready(self) -> SolverProcess | SolverHere:
        """Return the child if it may be asked. Raises ValueError if not."""
        if self._child is None:
            raise ValueError("the session's solver was killed: begin again with new()")
        if self._once and self._asked:
            raise ValueError("this session answers once: begin again with new()")
        return self._child

    def _send(self, child: SolverProcess | SolverHere, formula: Formula) -> None:
        """Hand clauses over in a file, which the child removes: a pipe would have to wait."""
        file = child.folder / f"clauses-{self._sent}"
        self._sent += 1
        literals, number = formula.literals, self._number
        with disk_errors():
            (literals if number is None else _moved(literals, number)).tofile(file)
        self._parts.append(formula)
        child.send(("add", str(file)))


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
    outcome: Outcome,
    parts: list[Formula],
    name: str,
    proof_file: Path | None,
    limits: Limits,
    *,
    lrat: bool = False,
) -> Outcome:
    """Return an outcome whose model satisfies all parts of the formula. Raises SolverError."""
    match outcome:
        case Sat(literals):
            for part in parts:
                if (bad := part.falsified(literals)) is not None:
                    clause = " ".join(map(str, next(islice(part, bad, None))))
                    raise SolverError(f"{name} lies: its model does not satisfy ({clause})")
            return outcome
        case Unsat() if proof_file is not None:
            if not proof_file.exists():
                raise SolverError(f"{name} says unsatisfiable but wrote no proof")
            with disk_errors():
                written = proof_file.read_bytes()
            if lrat:
                return Unsat(written.decode("ascii", errors="replace"))
            return Unsat(_closed(drat_text(written)))
        case Unknown(reason):
            return Unknown(reason, {"seconds": limits.elapsed})
    return outcome


def _closed(proof: str) -> str:
    """Return a proof that ends in the empty clause, which tells a whole file from one cut short."""
    if proof.startswith("0\n"):
        return "0\n"
    if (end := proof.find("\n0\n")) >= 0:
        return proof[: end + 3]
    return proof + ("0\n" if not proof or proof.endswith("\n") else "\n0\n")
