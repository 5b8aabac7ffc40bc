"""A solver's process, listened to within limits.

A `SolverProcess` is a child (`ponder.system.pool`) that is killed at the time limit (to within
20 ms), over the memory limit, or when `stop()` says so: `Unknown`. It serves (`sat_child`:
python-sat, by calls that it answers with text), or becomes a solver's command, whose output is its
answer.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final

from ponder.model.ordering_problem import Unknown
from ponder.system.errors import PonderError, SolverError
from ponder.system.limits import Limits
from ponder.system.machine import resident_bytes, single_threaded_platform
from ponder.system.pool import Child

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
