"""The runner: batches in another process, which may hang, crash or be killed.

The process that does the work is forked before anything heavy is imported. It sends a message when
a batch begins and when it is over; when it is silent for too long, its stack is printed and it is
killed; when it dies, that is a failure of the batch it was at. Either way another one goes on with
the next batch. Time goes to the kind that has had the least of it.

What a batch tries depends on (seed, kind, number of the batch) alone.
"""

from __future__ import annotations

import faulthandler
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import NamedTuple, TextIO

from tests.fuzz import Failure, origin

SILENCE = 120.0
"""Seconds without a word after which the process is killed: far beyond the limit of one input."""
ADDRESSES = 6 << 30
"""Bytes of addresses that the process may map: a bomb ends in MemoryError, or in its death."""
EVERY = 10.0
"""Seconds between two lines of progress."""

_IN_MEMORY = "/dev/shm"
_ENDS = ("hung", "memory")
"""Failures after which a process may be in disorder: another one takes over."""


class Found(NamedTuple):
    """A failure, and how to make it again."""

    kind: str
    batch: int
    key: str
    description: str
    reproduction: str


@dataclass
class Counts:
    """What was done for one kind."""

    batches: int = 0
    inputs: int = 0
    failing: int = 0
    seconds: float = 0.0


@dataclass
class Tally:
    """What was done, and what was found."""

    counts: dict[str, Counts]
    found: dict[str, Found] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """Progress in a line."""
        words = (f"{kind} {counts.inputs:,}" for kind, counts in self.counts.items())
        return f"{', '.join(words)}; {len(self.found)} found"


def generator(seed: int, kind: str, batch: int) -> random.Random:
    """Return the generator from which a batch is made."""
    return random.Random(f"{seed} {kind} {batch}")


def do(seed: int, kind: str, batch: int, known: Iterable[str] = ()) -> int | Found:
    """Do one batch: return how many inputs it tried, or the failure that ended it.

    The reproduction of a failure that is `known` is not worked out. An AssertionError is a failure
    that says itself how to see it again.
    """
    try:
        return int(import_module(f"tests.fuzz.{kind}").attempt(generator(seed, kind, batch)))
    except Failure as failure:
        key = failure.key
        how = "" if key in known else failure.reproduction
        return Found(kind, batch, key, failure.description, how)
    except AssertionError as error:
        said = str(error) or "an assertion does not hold"
        return Found(kind, batch, f"{kind}: {said.splitlines()[0]}", said.splitlines()[0], said)
    except Exception as error:
        last = "".join(traceback.format_exception(error)[-4:])
        return Found(kind, batch, origin(error), f"{type(error).__name__}: {error}", last)


def run(kinds: Iterable[str], seconds: float, seed: int, out: TextIO = sys.stdout) -> Tally:
    """Try as many batches as the time allows; print what is found. Ctrl-C ends it early."""
    tally = Tally({kind: Counts() for kind in kinds})
    start = shown = time.monotonic()
    with suppress(KeyboardInterrupt), _folder(), _Worker(seed) as worker:
        while time.monotonic() - start < seconds:
            kind = min(tally.counts, key=lambda kind: tally.counts[kind].seconds)
            counts = tally.counts[kind]
            counts.batches += 1
            began = time.monotonic()
            answer = worker.ask(kind, counts.batches, list(tally.found))
            now = time.monotonic()
            counts.seconds += now - began
            if isinstance(answer, Found):
                counts.failing += 1
                counts.inputs += 1
                if answer.key not in tally.found:
                    tally.found[answer.key] = answer
                    print(f"\n{describe(answer, seed)}\n", file=out, flush=True)
            else:
                counts.inputs += answer
            if now - shown > EVERY:
                shown = now
                print(f"{now - start:5.0f} s  {tally.line}", file=sys.stderr, flush=True)
    return tally


def describe(found: Found, seed: int) -> str:
    """Return what is to be said of a failure."""
    again = f"python -m tests.fuzz --kind {found.kind} --batch {found.batch} --seed {seed}"
    how = "\n".join("  " + line for line in found.reproduction.splitlines())
    return f"FAILURE  {_short(found.description)}\n{_short(how)}\n  made again by: {again}"


def _short(text: str) -> str:
    """Return a text with long repetitions of one character named instead of printed."""
    return re.sub(r"([^\s])\1{79,}", lambda run: f"{run[1]}{{×{len(run[0])}}}", text)


def summary(tally: Tally) -> Iterator[str]:
    """Yield the table of what was tried."""
    yield f"{'kind':<10} {'inputs':>9} {'batches':>9} {'failing':>9} {'seconds':>9}"
    for kind, c in tally.counts.items():
        yield f"{kind:<10} {c.inputs:>9,} {c.batches:>9,} {c.failing:>9,} {c.seconds:>9.0f}"
    every = sum(c.inputs for c in tally.counts.values())
    yield f"{'all':<10} {every:>9,}"
    if tally.found:
        yield f"{len(tally.found)} different failures:"
        for found in tally.found.values():
            yield f"  {found.kind}, batch {found.batch}: {_short(found.description)[:150]}"
    else:
        yield "no failure"


@contextmanager
def _folder() -> Iterator[None]:
    """A folder for temporary files, in memory if there is such a place.

    It goes in the end, so that a process that is killed leaves nothing.
    """
    before = tempfile.tempdir
    place = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(
        prefix="fuzz-", dir=place, ignore_cleanup_errors=True
    ) as folder:
        tempfile.tempdir = os.environ["TMPDIR"] = folder
        try:
            yield
        finally:
            tempfile.tempdir = before
            del os.environ["TMPDIR"]


class _Worker:
    """The process that does the batches, replaced when it dies."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._start()

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def ask(self, kind: str, batch: int, known: list[str]) -> int | Found:
        """Have a batch done."""
        try:
            self._pipe.send((kind, batch, known))
            if not self._pipe.poll(SILENCE):
                os.kill(self._process.pid or 0, signal.SIGUSR1)  # its stack, on standard error
                time.sleep(1.0)
                self._replace()
                return _dead(kind, batch, "hangs where no alarm is heard")
            answer: int | Found = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join(5.0)
            code = self._process.exitcode
            self._replace()
            return _dead(kind, batch, f"the process died (exit code {code})")
        if isinstance(answer, Found) and answer.key.startswith(_ENDS):
            self._replace()
        return answer

    def _start(self) -> None:
        context = get_context("fork")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._seed))
        self._process.start()
        theirs.close()

    def _end(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _replace(self) -> None:
        self._end()
        self._start()


def _dead(kind: str, batch: int, what: str) -> Found:
    return Found(kind, batch, f"{kind}: {what}", f"{kind}: {what}", "(not shrunk)")


def _work(pipe: Connection, seed: int) -> None:
    """Do batches as long as there is somebody to ask for them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the other process's business
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = ADDRESSES if most == resource.RLIM_INFINITY else min(ADDRESSES, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))
    with suppress(EOFError, OSError):
        while True:
            kind, batch, known = pipe.recv()
            pipe.send(do(seed, kind, batch, known))
