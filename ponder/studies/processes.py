"""Processes on this machine that do the runs of a comparison.

One pipe and three shared numbers a worker: which run of its chunk it is at, since when, and
whether it is to stop. So the parent knows what a worker is doing without a message:

* a run far over its time limit is killed with its process (`late`),
* a worker that dies by itself, out of memory for instance, costs one run: that run is tried once
  more, alone, and given up as `lost` when its worker dies again,

and everything before and after such a run is done by others. Records travel whenever FLUSH seconds
have gone by, so that little is lost with a process. A worker ends by itself when its parent is
gone. Ctrl-C and what else a terminal sends to all processes is the parent's business.

`concurrent.futures.ProcessPoolExecutor` can do none of this: it cannot kill one worker, and breaks
as a whole when one dies.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from ponder.errors import PonderError
from ponder.signals import ENDING, held
from ponder.studies.compare import RecordBatch
from ponder.studies.runs import Chunk, Record, missing_record, run_chunk

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

FLUSH = 0.1
"""Seconds between two messages of a worker."""
PATIENCE = 2.0
"""Seconds that a run in progress is given to end when everything stops."""

ALONE = 10
"""Seconds after a SIGTERM when a worker ends although its parent has not ended it."""

_RUN, _SINCE, _STOP = range(3)


def overtime(timeout: float) -> float:
    """Return the seconds after which a run with a time limit is killed.

    Generous, since a method looks at its clock now and then only, and the machine may be busy.

    >>> overtime(10.0)
    16.0
    """
    return 1.0 + 1.5 * timeout


@dataclass
class _Watch:
    """The worker's side of the shared numbers."""

    shared: Any

    def starts(self, run: int) -> None:
        self.shared[_RUN] = run
        self.shared[_SINCE] = time.monotonic()

    def ends(self) -> None:
        self.shared[_SINCE] = 0.0

    @property
    def stopped(self) -> bool:
        return bool(self.shared[_STOP])


@dataclass(frozen=True)
class _Message:
    """What a worker says: records, the seconds they took; whether the chunk is over; an error."""

    records: list[Record]
    seconds: float
    over: bool
    error: str | None = None


def _work(pipe: Connection, shared: Any) -> None:
    """Do chunks until the parent sends none: the whole life of a worker."""
    _leave_signals_to_parent()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    watch = _Watch(shared)
    try:
        pipe.send(_Message([], 0.0, False))  # it has begun
        while (chunk := pipe.recv()) is not None:
            for job in chunk.jobs:
                job.method.warm_up()
            flushed = time.perf_counter()
            records: list[Record] = []
            error = None
            try:
                for record in run_chunk(chunk, watch):
                    records.append(record)
                    now = time.perf_counter()
                    if now - flushed > FLUSH:
                        pipe.send(_Message(records, now - flushed, False))
                        records, flushed = [], now
            except PonderError as reason:
                pipe.send(_Message(records, time.perf_counter() - flushed, False))
                records, error = [], str(reason)
            pipe.send(_Message(records, time.perf_counter() - flushed, True, error))
    except (EOFError, OSError):  # the parent is gone
        pass


def _leave_signals_to_parent() -> None:
    """Hear nothing, which the worker's own children do not inherit; with `kill`, for a while."""
    for number in ENDING:
        signal.signal(number, lambda number, frame: None)
    signal.signal(signal.SIGTERM, lambda number, frame: signal.alarm(ALONE))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


class _Worker:
    """The parent's side: a process, what it was sent, and how much of that has come back."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.shared = context.RawArray("d", 3)
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=_work, args=(theirs, self.shared), daemon=True
        )
        with _deaf_from_the_start():
            self.process.start()
        theirs.close()
        self.chunk: Chunk | None = None
        self.delivered = 0
        self.ready = False

    def send(self, chunk: Chunk) -> None:
        self.chunk, self.delivered = chunk, 0
        self.shared[_RUN] = self.shared[_SINCE] = 0.0
        self.pipe.send(chunk)

    def receive(self) -> RecordBatch:
        """Take a message; EOFError or OSError when the process is gone, PonderError its own."""
        message: _Message = self.pipe.recv()
        self.ready = True
        if message.error is not None:
            raise PonderError(message.error)
        self.delivered += len(message.records)
        if message.over:
            self.chunk = None
        return RecordBatch(message.records, message.seconds)

    def late(self) -> tuple[int, float] | None:
        """Return the run that is far over its time limit, and its seconds."""
        # The worker may end its run at any moment: each is read once, and the run first.
        run, since = int(self.shared[_RUN]), float(self.shared[_SINCE])
        if self.chunk is None or self.chunk.timeout is None or not since:
            return None
        seconds = time.monotonic() - since
        return (run, seconds) if seconds > overtime(self.chunk.timeout) else None

    def end(self) -> None:
        """Kill the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Workers:
    """Processes on this machine, as a `WorkerPool`; use it in a `with` statement."""

    def __init__(self, count: int) -> None:
        self._workers: list[_Worker] = []
        try:
            with held() as ending:
                while len(self._workers) < count and not ending:
                    self._workers.append(_Worker())
        except BaseException:
            self.__exit__()
            raise
        self._again: list[Chunk] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        with held():
            for worker in self._workers:
                worker.end()

    @property
    def room(self) -> int:
        """How many workers are idle."""
        return sum(worker.chunk is None for worker in self._workers)

    @property
    def busy(self) -> bool:
        """Whether a chunk is under way."""
        return any(worker.chunk is not None for worker in self._workers)

    def submit(self, chunk: Chunk) -> None:
        """Give a chunk to an idle worker."""
        worker = next(worker for worker in self._workers if worker.chunk is None)
        try:
            worker.send(chunk)
        except OSError:  # it died while idle
            self._replace(worker).send(chunk)

    def collect(self, timeout: float) -> list[RecordBatch]:
        """Wait for records at most so long; look after workers that are late or dead."""
        busy = [worker for worker in self._workers if worker.chunk is not None]
        ready = connection.wait([worker.pipe for worker in busy], timeout)
        batches: list[RecordBatch] = []
        for worker in busy:
            if worker.pipe in ready:
                batches += self._hear(worker)
            elif (late := worker.late()) is not None:
                batches += self._bury(worker, late)
        while self._again and self.room:
            self.submit(self._again.pop())
        return batches

    def stop(self) -> list[RecordBatch]:
        """Let runs in progress end, within PATIENCE, and return what is finished."""
        for worker in self._workers:
            worker.shared[_STOP] = 1.0
        self._again.clear()
        batches: list[RecordBatch] = []
        end = time.monotonic() + PATIENCE
        while self.busy and (left := end - time.monotonic()) > 0:
            busy = [worker for worker in self._workers if worker.chunk is not None]
            ready = connection.wait([worker.pipe for worker in busy], left)
            for worker in busy:
                if worker.pipe not in ready:
                    continue
                try:
                    batches.append(worker.receive())
                except (EOFError, OSError, PonderError):
                    worker.chunk = None
        return batches

    def _hear(self, worker: _Worker) -> list[RecordBatch]:
        """Take a worker's message, or the news of its death."""
        try:
            return [worker.receive()]
        except (EOFError, OSError):
            return self._bury(worker, None)

    def _bury(self, worker: _Worker, late: tuple[int, float] | None) -> list[RecordBatch]:
        """Replace a worker by a new one, and see to what it was sent.

        Runs that it had not come to go to others. The run that it was at is given up when it is
        `late`, or when it was alone already; else it is tried once more.
        """
        worker.process.kill()
        worker.process.join()
        batches: list[RecordBatch] = []
        with suppress(EOFError, OSError):
            while True:  # what it sent before
                batches.append(worker.receive())
        if not worker.ready:
            raise PonderError(f"a worker {_death(worker.process.exitcode)} before it had begun")
        self._replace(worker)
        chunk, done = worker.chunk, worker.delivered
        if chunk is None:
            return batches
        at, seconds = late or (max(done, int(worker.shared[_RUN])), 0.0)
        if done <= at < len(chunk):  # else it had done that run, and only now said so
            if late is not None or chunk.alone:
                trouble = f"lost: its process {_death(worker.process.exitcode)}"
                if late is not None:
                    trouble = f"late: killed after {seconds:.1f} s"
                batches.append(RecordBatch([missing_record(chunk, at, seconds, trouble)], seconds))
            else:
                self._again.append(replace(chunk.part(at, at + 1), alone=True))
            self._again.append(chunk.part(done, at))
            done = at + 1
        self._again.append(chunk.part(done, len(chunk)))
        self._again = [rest for rest in self._again if len(rest)]
        return batches

    def _replace(self, worker: _Worker) -> _Worker:
        with held():
            new = _Worker()
            self._workers[self._workers.index(worker)] = new
            worker.end()
        return new


def _death(code: int | None) -> str:
    """Return how a process ended, in words."""
    if code == -signal.SIGKILL:
        return "was killed (out of memory?)"
    return f"died of signal {-code}" if code is not None and code < 0 else f"ended (code {code})"


@contextmanager
def _deaf_from_the_start() -> Iterator[None]:
    """Start processes whose signals are blocked from their first moment on: they inherit that."""
    resource_tracker.ensure_running()  # else `start` does that, and unblocks signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
