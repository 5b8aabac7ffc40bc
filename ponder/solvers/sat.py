"""Running SAT solvers, as the unreliable strangers they are.

Solvers are python-sat's (by name), programs on the PATH (`cadical`, `kissat`, `cryptominisat5`,
`minisat`), or any command with `{cnf}` in it. Each runs in a child process of its own, which

    is killed at the time limit, over the memory limit, or when `stop()` says so: `Unknown`;
    is killed, with all its children, when anything goes wrong here, Ctrl-C included, and also
    when this process itself is killed (the watchdog of `sat_child.py`).

No answer is taken on trust. What a solver prints must be complete and consistent, and a model must
satisfy every clause, or else it is a `SolverError`. "Unsatisfiable" can carry a proof, which
`ponder.check.drat` checks, elsewhere, without any of this code.

POSIX only (process groups). A child starts in 40 to 150 ms, depending on how busy the machine is;
a `Session` solves any number of formulas in one child, 1 ms each if they are tiny. Measured: a time
limit is kept to within 20 ms.
"""

from __future__ import annotations

import json
import os
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

from ponder.check.drat_format import drat_text
from ponder.errors import PonderError, SolverError
from ponder.limits import Limits, TimeUp
from ponder.puzzle.ordering_problem import Unknown
from ponder.signals import held
from ponder.solvers.clause_arrays import (
    Clauses,
    Formula,
    Outcome,
    Sat,
    Unsat,
    parse_solver_output,
)

Stop = Callable[[], bool]

DEFAULT_SOLVER: Final = "cadical195"
_NONE: Final = "it writes no proofs"
_TICK: Final = 0.05  # seconds between looks at the memory and at `stop`
_OUTPUT_LIMIT: Final = 1 << 26  # bytes of output beyond what a model needs


@dataclass(frozen=True)
class PySolver:
    """A solver of python-sat.

    `no_proof`  why its proofs are refused; None when they are accepted
    `seed`      the name of its option for the seed; None when it has none and is deterministic
    `once`      it answers once and takes no clause afterwards
    """

    no_proof: str | None = None
    seed: str | None = None
    once: bool = False


PYSAT_SOLVERS: Final[dict[str, PySolver]] = {
    "cadical103": PySolver(),
    "cadical153": PySolver(seed="seed"),
    "cadical195": PySolver(seed="seed"),
    "cadical300": PySolver(seed="seed"),
    "ergo": PySolver(),
    "gluecard3": PySolver(),
    "gluecard4": PySolver(),
    "glucose3": PySolver(),
    "glucose4": PySolver(),
    "glucose42": PySolver(seed="rnd-seed"),
    "kissat404": PySolver(no_proof=_NONE, once=True),
    "lingeling": PySolver(),
    "maplechrono": PySolver(),
    "maplecm": PySolver(),
    "maplesat": PySolver(no_proof="checkers reject most of its proofs"),
    "mergesat3": PySolver(no_proof=_NONE),
    "minicard": PySolver(no_proof=_NONE),
    "minisat22": PySolver(no_proof=_NONE),
    "minisat-gh": PySolver(no_proof=_NONE),
}

COMMANDS: Final[dict[str, str]] = {
    "cadical": "cadical -q --no-binary --seed={seed} {cnf} {proof}",
    "cryptominisat5": "cryptominisat5 --verb=0 --random={seed} {cnf}",
    "kissat": "kissat -q --no-binary --seed={seed} {cnf} {proof}",
    "minisat": "minisat -verb=0 {cnf} {model}",
}
"""Commands for the programs that are known by name.

`{proof}` is left out where no proof is wanted. `{model}` is a file that the solver writes its
answer to; without it, standard output is the answer.
"""

PROOF_SOLVERS: Final[dict[str, str | None]] = {
    **{name: solver.no_proof for name, solver in PYSAT_SOLVERS.items()},
    "cadical": None,
    "kissat": None,
    "cryptominisat5": "it writes FRAT, not DRAT",
    "minisat": _NONE,
}
"""For every solver with a name: None where its proofs are accepted, or why they are refused.

Not here because not offered: OR-tools' DRAT output, which checkers reject.
"""


def solve(
    formula: Formula,
    *,
    solver: str = DEFAULT_SOLVER,
    timeout: float | None = None,
    memory: int | None = None,
    seed: int = 0,
    proof: bool = False,
    stop: Stop | None = None,
) -> Outcome:
    """Decide a formula: `Sat` with a checked model, `Unsat`, or `Unknown` with the reason.

    `solver`   a name in `PROOF_SOLVERS`, or a command in which `{cnf}` stands for the formula's
               file and `{proof}`, `{model}`, `{seed}` for what else it understands; no shell
    `timeout`  seconds for everything, the start of the solver included
    `memory`   bytes that the solver's process may occupy
    `proof`    whether `Unsat` must carry a proof (unchecked: see `ponder.check.drat`)
    `stop`     called about 20 times a second; the solver is killed when it returns True

    PonderError for an unknown solver or one whose proofs are refused; SolverError when the solver
    fails or lies.

    >>> solve(Formula.of(2, [[1, 2], [-1]])).literals.tolist()
    [-1, 2]
    >>> solve(Formula.of(1, [[1], [-1]]), proof=True).proof
    '0\\n'
    """
    limits = _Limits.start(timeout, memory, stop)
    if solver in PYSAT_SOLVERS:
        with Session(formula, solver=solver, memory=memory, seed=seed, proof=proof) as session:
            return session.decide(limits)
    words = command_words(solver, proof)
    name = Path(words[0]).name
    with ExitStack() as stack:
        with _disk_errors():
            folder = stack.enter_context(_folder())
            cnf, proof_file, model = folder / "f.cnf", folder / "proof.drat", folder / "model.txt"
            with cnf.open("wb") as file:
                try:
                    formula.write(file, Limits(timeout, stop))
                except TimeUp as stopped:
                    return Unknown(str(stopped), {"seconds": limits.seconds})
        for field, value in [
            ("{cnf}", str(cnf)),
            ("{proof}", str(proof_file)),
            ("{model}", str(model)),
            ("{seed}", str(seed)),
        ]:
            words = [word.replace(field, value) for word in words]
        child = stack.enter_context(_Child(folder, memory, "exec", *words))
        text = child.wait(None, limits, formula.nvars)
        if isinstance(text, Unknown):
            return text
        if any(str(model) in word for word in words) and model.exists():
            text = model.read_text(encoding="ascii", errors="replace")
        try:
            outcome = parse_solver_output(text, formula.nvars, name, formula.unused)
        except SolverError as failure:
            return child.post_mortem(name, failure)
        return _accepted(outcome, [formula], name, proof_file if proof else None, limits)


def command_words(solver: str, proof: bool) -> list[str]:
    """Return the words of a solver's command; PonderError when it cannot be run as asked."""
    check_proof_support(solver, proof)
    template = COMMANDS.get(solver, solver)
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise PonderError(f"the solver command {template!r} cannot be read: {error}") from None
    if not any("{cnf}" in word for word in words):
        known = ", ".join(sorted(PROOF_SOLVERS))
        raise PonderError(
            f"unknown solver {solver!r}: neither a command with {{cnf}} nor one of {known}"
        )
    if not proof:
        words = [word for word in words if "{proof}" not in word]
    elif not any("{proof}" in word for word in words):
        raise PonderError(f"the solver command {template!r} has no {{proof}} for the proof's file")
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise SolverError(f"the solver {words[0]!r} is not on the PATH or cannot be executed")
    return [os.path.abspath(program), *words[1:]]


def proof_support(solver: str) -> str | None:
    """Return None when proofs can be had from a solver or a command, or why not."""
    if solver in PROOF_SOLVERS:
        return PROOF_SOLVERS[solver]
    return None if "{proof}" in solver else "the command has no {proof} for the proof's file"


def check_proof_support(solver: str, proof: bool) -> None:
    """PonderError when a proof is wanted of a solver whose proofs are refused."""
    reason = PROOF_SOLVERS.get(solver)
    if proof and reason is not None:
        good = ", ".join(sorted(name for name, why in PROOF_SOLVERS.items() if why is None))
        raise PonderError(f"no proof can be had from {solver}: {reason}; use one of {good}")


class Session:
    """A solver of python-sat that keeps its child and what it has learnt between questions.

    >>> with Session(Formula.of(2, [[1, 2]]), solver="glucose4") as session:
    ...     first = session.solve()
    ...     session.add([[-1], [-2]])
    ...     first, session.solve()
    (Sat(...), Unsat(...))

    With `proof`, only the first `solve` after `new` may be asked: a proof tells nothing about when
    clauses came, and the clauses a solver drops and takes back between questions are no lemmas.
    After a limit has killed the child, the session needs `new`.
    """

    def __init__(
        self,
        formula: Formula,
        *,
        solver: str = DEFAULT_SOLVER,
        memory: int | None = None,
        seed: int = 0,
        proof: bool = False,
    ) -> None:
        if solver not in PYSAT_SOLVERS:
            raise PonderError(f"{solver!r} is no solver of python-sat: no session with it")
        check_proof_support(solver, proof)
        self.solver, self.memory, self.seed, self.proof = solver, memory, seed, proof
        self._once = proof or PYSAT_SOLVERS[solver].once
        self._stack = ExitStack()
        self._child: _Child | None = None
        self._folder = Path()
        self._sent = 0
        self._parts: list[Formula] = []
        self._nvars = 0
        self._asked = False
        try:
            self.new(formula)
        except BaseException:
            self.close()
            raise

    def new(self, formula: Formula) -> None:
        """Forget everything and begin with another formula."""
        self._parts, self._asked, self._nvars = [], False, formula.nvars
        if self._child is None:
            with _disk_errors():
                self._folder = self._stack.enter_context(_folder())
            self._child = self._stack.enter_context(_Child(self._folder, self.memory, "serve"))
        option = PYSAT_SOLVERS[self.solver].seed
        self._child.order(
            do="new",
            solver=self.solver,
            proof=self.proof,
            configure={option: self.seed} if option and self.seed else {},
        )
        self._send(self._child, formula)

    def add(self, clauses: Clauses) -> None:
        """Add clauses over the formula's variables, such as cuts that the last model violates."""
        self._send(self._ready(), Formula.of(self._nvars, clauses))

    def solve(self, *, timeout: float | None = None, stop: Stop | None = None) -> Outcome:
        """Decide the clauses so far, like `ponder.solvers.sat.solve`."""
        return self.decide(_Limits.start(timeout, self.memory, stop))

    def decide(self, limits: _Limits) -> Outcome:
        """Decide the clauses so far within limits that may have begun to run before."""
        child = self._ready()
        self._asked = True
        proof_file = self._folder / "proof.drat"
        try:
            child.order(do="solve", nvars=self._nvars, file=str(proof_file))
            text = child.wait(b"c done\n", limits, self._nvars)
            if isinstance(text, Unknown):
                self.close()
                return text
            if not text.endswith("c done\n"):
                failure = SolverError(f"{self.solver} ended without an answer")
                unknown = child.post_mortem(self.solver, failure)
                self.close()
                return unknown
            outcome = parse_solver_output(text, self._nvars, self.solver)
            return _accepted(
                outcome, self._parts, self.solver, proof_file if self.proof else None, limits
            )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill the child and everything that it may have started."""
        self._child = None
        self._stack.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ready(self) -> _Child:
        """Return the child if it may be asked; ValueError if not."""
        if self._child is None:
            raise ValueError("the session's solver was killed: begin again with new()")
        if self._once and self._asked:
            raise ValueError("this session answers once: begin again with new()")
        return self._child

    def _send(self, child: _Child, formula: Formula) -> None:
        """Hand clauses over in a file, which the child removes: a pipe would have to wait."""
        file = self._folder / f"clauses-{self._sent}"
        self._sent += 1
        with _disk_errors():
            formula.literals.tofile(file)
        self._parts.append(formula)
        child.order(do="add", file=str(file))


def _accepted(
    outcome: Outcome, parts: list[Formula], name: str, proof_file: Path | None, limits: _Limits
) -> Outcome:
    """Return an outcome whose model satisfies all parts of the formula; else SolverError."""
    match outcome:
        case Sat(literals):
            for part in parts:
                bad = part.falsified(literals)
                if bad is not None:
                    clause = " ".join(map(str, part.clause(bad)))
                    raise SolverError(f"{name} lies: its model does not satisfy ({clause})")
            return Sat(literals, limits.seconds)
        case Unsat() if proof_file is not None:
            if not proof_file.exists():
                raise SolverError(f"{name} says unsatisfiable but wrote no proof")
            with _disk_errors():
                proof = drat_text(proof_file.read_bytes())
            return Unsat(_closed(proof), limits.seconds)
        case Unsat():
            return Unsat(None, limits.seconds)
        case Unknown(reason):
            return Unknown(reason, {"seconds": limits.seconds})


def _closed(proof: str) -> str:
    """Return a proof with the empty clause as its last line.

    Solvers may stop where unit propagation does the rest, or go on deleting clauses. With the line
    at the end, a proof file that was cut short can be told from a whole one; the checker checks it
    like any other.
    """
    if proof.startswith("0\n"):
        return "0\n"
    end = proof.find("\n0\n")
    if end >= 0:
        return proof[: end + 3]
    return proof + ("0\n" if not proof or proof.endswith("\n") else "\n0\n")


# ------------------------------------------------------------------------------------- processes


@dataclass(frozen=True)
class _Limits:
    """When a solver must end. The clock runs from the making of this object."""

    begin: float
    timeout: float | None
    memory: int | None
    stop: Stop | None

    @classmethod
    def start(cls, timeout: float | None, memory: int | None, stop: Stop | None) -> _Limits:
        return cls(time.monotonic(), timeout, memory, stop)

    @property
    def seconds(self) -> float:
        """The time since the beginning."""
        return time.monotonic() - self.begin

    def exceeded(self, pid: int) -> str | None:
        """Return which limit the process has reached, or None."""
        if self.timeout is not None and self.seconds >= self.timeout:
            return f"the time limit of {self.timeout:g} s was reached"
        if self.stop is not None and self.stop():
            return "stopped"
        if self.memory is not None and _resident(pid) > self.memory:
            return f"the memory limit of {self.memory} bytes was reached"
        return None

    def pause(self) -> float:
        """Return how many seconds may pass until the limits must be looked at again."""
        if self.timeout is None:
            return _TICK
        return max(0.0, min(_TICK, self.timeout - self.seconds))


def _resident(pid: int) -> int:
    """Return the bytes of memory that a process occupies; 0 where that cannot be known."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * resource.getpagesize()


class _Child:
    """A process group that does not outlive the `with` block, nor this process."""

    def __init__(self, folder: Path, memory: int | None, mode: str, *command: str) -> None:
        self.memory = memory
        # A net for what the look at the occupied memory, every so often, comes too late for. It
        # counts reserved addresses, of which every program has more than it occupies.
        reserve = 0 if memory is None else min(2 * memory + (1 << 29), 1 << 62)
        program = Path(__file__).with_name("sat_child.py")
        self.errors = folder / "errors.txt"
        self.output = b""
        with self.errors.open("wb") as errors, held():
            self.process = subprocess.Popen(
                # -P: the program's folder, with its own `encodings`, is no place to import from.
                [sys.executable, "-P", str(program), str(reserve), str(folder), mode, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Kill the group. Its number is still in use, if only by the watchdog: see there."""
        with held():
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def order(self, **order: object) -> None:
        """Send a command. A child that is gone says so when its answer is awaited."""
        if self.process.stdin is not None:
            with suppress(BrokenPipeError):
                self.process.stdin.write(json.dumps(order).encode("ascii") + b"\n")
                self.process.stdin.flush()

    def wait(self, end: bytes | None, limits: _Limits, nvars: int) -> str | Unknown:
        """Return the output up to `end`, or all of it; Unknown when a limit was reached."""
        pipe = self.process.stdout
        if pipe is None:
            raise RuntimeError("the child has no standard output")
        poll = select.poll()
        poll.register(pipe, select.POLLIN | select.POLLHUP)
        pieces: list[bytes] = []
        size, tail = 0, b""
        room = _OUTPUT_LIMIT + 16 * nvars
        while True:
            reason = limits.exceeded(self.process.pid)
            if reason is not None:
                self.kill()
                return Unknown(reason, {"seconds": limits.seconds})
            gone = self.process.poll() is not None  # before the look at the pipe: nothing is lost
            if poll.poll(0 if gone else 1000 * limits.pause()):
                piece = os.read(pipe.fileno(), 1 << 20)
                if not piece:
                    break
                pieces.append(piece)
                size += len(piece)
                tail = (tail + piece)[-16:]
                if end is not None and tail.endswith(end):
                    break
                if size > room:
                    raise SolverError(f"the solver printed more than {room} bytes")
            elif gone:
                break  # its children may live on and hold the pipe open; they are not awaited
        return b"".join(pieces).decode("ascii", errors="replace")

    def post_mortem(self, name: str, failure: SolverError) -> Unknown:
        """Say why a child has ended without a proper answer.

        Unknown when it was killed or ran out of memory; else SolverError: how it died, or, when it
        ended in peace, `failure`.
        """
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            raise failure from None
        complaints = (
            self.errors.read_text(errors="replace").split("\n") if self.errors.exists() else []
        )
        last = next((line.strip()[:200] for line in reversed(complaints) if line.strip()), "")
        if code in (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGXCPU):
            return Unknown(f"{name} was killed ({signal.Signals(-code).name})")
        if self.memory is not None and any(w in last.lower() for w in ("alloc", "memory")):
            return Unknown(f"the memory limit of {self.memory} bytes was reached")
        if code in (0, 10, 20):
            raise failure
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        raise SolverError(f"{name} died ({how}){': ' if last else ''}{last}")


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a temporary folder that is removed whenever a signal comes."""
    made = None
    try:
        with held():
            made = tempfile.TemporaryDirectory(prefix="ponder-")
        yield Path(made.name)
    finally:
        if made is not None:
            with held():
                made.cleanup()


@contextmanager
def _disk_errors() -> Iterator[None]:
    """Turn an OSError inside the block (a full disk, say) into a PonderError."""
    try:
        yield
    except OSError as error:
        raise PonderError(f"cannot exchange files with the solver: {error}") from None
