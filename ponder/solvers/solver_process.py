"""A solver's process, listened to within limits.

A `SolverProcess` is a child (`ponder.children`) that is killed at the time limit, over the memory
limit, or when `stop()` says so: `Unknown`. It serves (`sat_child`: python-sat, by calls that it
answers with text), or becomes a solver's command, whose output is its answer.

Measured: a time limit is kept to within 20 ms.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Final

from ponder.children import Child
from ponder.errors import PonderError, SolverError
from ponder.limits import Limits
from ponder.puzzle.ordering_problem import Unknown

_TICK: Final = 0.05  # seconds between looks at the memory and at `stop`
_OUTPUT_LIMIT: Final = 1 << 26  # bytes of output beyond what a model needs


def _resident(pid: int) -> int:
    """Return the bytes of memory that a process occupies; 0 where that cannot be known."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


class SolverProcess(Child):
    """A child that must keep limits."""

    def __init__(self, memory: int | None) -> None:
        self.memory = memory
        # A net for what the look at the occupied memory, every so often, comes too late for. It
        # counts reserved memory, of which every program has more than it occupies.
        super().__init__(
            memory=0 if memory is None else min(2 * memory + (1 << 29), 1 << 62), quiet=True
        )

    def answer(self, limits: Limits, nvars: int) -> str | Unknown | None:
        """Return what it answers, or None when it has ended; Unknown when a limit was reached."""
        room = _OUTPUT_LIMIT + 16 * nvars
        while True:
            reason = self._exceeded(limits)
            if reason is not None:
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

    def _exceeded(self, limits: Limits) -> str | None:
        """Return which limit has been reached, or None."""
        if limits.left() == 0:
            return f"the time limit of {limits.seconds:g} s was reached"
        if limits.expired:
            return "stopped"
        if self.memory is not None and _resident(self.process.pid) > self.memory:
            return f"the memory limit of {self.memory} bytes was reached"
        return None

    def printed(self) -> str:
        """Return what the command has printed that it has become."""
        if not self.output.exists():
            return ""
        return self.output.read_text(encoding="ascii", errors="replace")

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
def disk_errors() -> Iterator[None]:
    """Turn an OSError inside the block (a full disk, say) into a PonderError.

    >>> with disk_errors():
    ...     raise OSError("the disk is full")
    Traceback (most recent call last):
    ponder.errors.PonderError: cannot exchange files with the solver: the disk is full
    """
    try:
        yield
    except OSError as error:
        raise PonderError(f"cannot exchange files with the solver: {error}") from None
