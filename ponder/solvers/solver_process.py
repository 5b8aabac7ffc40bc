"""A solver's process: started, fed, listened to within limits, and killed with all its children.

A `Child` runs `sat_child.py` (see there) in a process group of its own, which

    is killed at the time limit, over the memory limit, or when `stop()` says so: `Unknown`;
    is killed, with all its children, when anything goes wrong here, Ctrl-C included, and also
    when this process itself is killed (the watchdog of `sat_child.py`).

POSIX only (process groups). Measured: a time limit is kept to within 20 ms.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, TypedDict

from ponder.errors import PonderError, SolverError
from ponder.puzzle.ordering_problem import Unknown
from ponder.signals import held

Stop: TypeAlias = Callable[[], bool]

_TICK: Final = 0.05  # seconds between looks at the memory and at `stop`
_OUTPUT_LIMIT: Final = 1 << 26  # bytes of output beyond what a model needs


class New(TypedDict):
    """Forget everything; begin with another solver of python-sat, configured so.

    `lrat`: its proofs are LRAT texts, which it writes itself.
    """

    do: Literal["new"]
    solver: str
    proof: bool
    lrat: bool
    configure: dict[str, int]


class Add(TypedDict):
    """Add the clauses in a file, which is then removed."""

    do: Literal["add"]
    file: str


class Solve(TypedDict):
    """Decide what was added; a proof goes to the file."""

    do: Literal["solve"]
    nvars: int
    file: str


Command: TypeAlias = New | Add | Solve
"""What a child that serves can be told: one JSON object a line."""


@dataclass(frozen=True)
class SolverLimits:
    """When a solver must end. The clock runs from the making of this object."""

    begin: float
    timeout: float | None
    memory: int | None
    stop: Stop | None

    @classmethod
    def start(cls, timeout: float | None, memory: int | None, stop: Stop | None) -> SolverLimits:
        """Start the clock."""
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


class Child:
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

    def __enter__(self) -> Child:
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

    def send(self, command: Command) -> None:
        """Send a command. A child that is gone says so when its answer is awaited."""
        if self.process.stdin is not None:
            with suppress(BrokenPipeError):
                self.process.stdin.write(json.dumps(command).encode("ascii") + b"\n")
                self.process.stdin.flush()

    def wait(self, end: bytes | None, limits: SolverLimits, nvars: int) -> str | Unknown:
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
def exchange_folder() -> Iterator[Path]:
    """Make a temporary folder that is removed whenever a signal comes.

    >>> with exchange_folder() as folder:
    ...     folder.is_dir()
    True
    >>> folder.exists()
    False
    """
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
