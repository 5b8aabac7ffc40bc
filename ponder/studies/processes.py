"""Processes on this machine that do the runs of a comparison (`ponder.system.pool`).

A worker shares the numbers of a `Watch` with its parent, who so knows which run it is at. A run far
over its time limit is killed with its process (`late`). A worker that dies by itself, out of memory
for instance, costs one run, which is tried once more, alone, and then given up (`lost`). Everything
before and after such a run is done by others.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from ponder.studies.compare import RecordBatch
from ponder.studies.runs import RUN, SINCE, STOP, Chunk, Record, missing_record, run_chunk
from ponder.system.errors import PonderError
from ponder.system.pool import Child, Pool, how_it_ended

if TYPE_CHECKING:
    from ponder.system.child_program import Parent

FLUSH = 0.1  # seconds between two messages of a worker
PATIENCE = 2.0  # seconds that a run in progress is given to end when everything stops


def overtime(timeout: float) -> float:
    """Return the seconds after which a run is killed: generous, as the machine may be busy."""
    return 1.0 + 1.5 * timeout


class _Message(NamedTuple):
    """What a worker says: records, the seconds they took; whether the chunk is over; an error."""

    records: list[Record]
    seconds: float
    over: bool
    error: str | None = None


def serve(parent: Parent) -> None:
    """Do one chunk after the other: the whole life of a worker."""
    parent.reply(_Message([], 0.0, False))  # it has begun
    for chunk in parent.requests():
        for job in chunk.jobs:
            job.method.warm_up()
        flushed = time.perf_counter()
        records: list[Record] = []
        error = None
        try:
            for record in run_chunk(chunk, parent.numbers):
                records.append(record)
                now = time.perf_counter()
                if now - flushed > FLUSH:
                    parent.reply(_Message(records, now - flushed, False))
                    records, flushed = [], now
        except PonderError as reason:
            error = str(reason)
        parent.reply(_Message(records, time.perf_counter() - flushed, True, error))


class _Worker(Child):
    """The parent's side: a process, what it was sent, and how much of that has come back."""

    def __init__(self, heard: SimpleQueue[tuple[_Worker, _Message | None]]) -> None:
        self.chunk: Chunk | None = None
        self.delivered = 0
        self.ready = False
        self.killed: tuple[int, float] | None = None
        super().__init__(lambda message: heard.put((self, message)))
        self.serve("ponder.studies.processes:serve")

    def late(self) -> tuple[int, float] | None:
        """Return the run that is far over its time limit, and its seconds."""
        # The worker may end its run at any moment: each is read once, and the run first.
        run, since = int(self.numbers[RUN]), float(self.numbers[SINCE])
        if self.chunk is None or self.chunk.timeout is None or not since:
            return None
        seconds = time.monotonic() - since
        return (run, seconds) if seconds > overtime(self.chunk.timeout) else None


class Workers(Pool[_Worker]):
    """Processes on this machine, as a `WorkerPool`; use it in a `with` statement."""

    def __init__(self, count: int) -> None:
        self._heard: SimpleQueue[tuple[_Worker, _Message | None]] = SimpleQueue()
        super().__init__(lambda: _Worker(self._heard), count)
        self._again: list[Chunk] = []
        self._error: str | None = None

    @property
    def room(self) -> int:
        """How many workers are idle, or not started yet."""
        return self.count - len(self.members) + len(self.idle)

    @property
    def busy(self) -> bool:
        """Whether a chunk is under way, or an error to be raised."""
        return self._error is not None or any(worker.chunk is not None for worker in self.members)

    def submit(self, chunk: Chunk) -> None:
        """Give a chunk to an idle worker."""
        try:
            worker = self.take()
        except OSError as error:
            raise PonderError(f"no worker can be started: {error.strerror or error}") from None
        worker.chunk, worker.delivered = chunk, 0
        worker.numbers[RUN] = worker.numbers[SINCE] = 0.0
        worker.send(chunk)

    def collect(self, timeout: float) -> list[RecordBatch]:
        """Wait for records at most so long; look after workers that are late or dead."""
        if self._error is not None:
            raise PonderError(self._error)
        batches: list[RecordBatch] = []
        for worker, message in self._messages(timeout):
            if message is None:
                batches += self._lost(worker)
            else:
                batches.append(self._taken(worker, message))
                self._error = message.error or self._error
        for worker in self.members:
            late = worker.late()
            if late is not None and worker.killed is None:
                worker.killed = late
                worker.process.kill()  # it is replaced when everything that it said has come
        while self._again and self.room:
            self.submit(self._again.pop())
        return batches

    def _taken(self, worker: _Worker, message: _Message) -> RecordBatch:
        worker.ready = True
        worker.delivered += len(message.records)
        if message.over:
            worker.chunk = None
            if worker.killed is None:
                self.idle.append(worker)
        return RecordBatch(message.records, message.seconds)

    def stop(self) -> list[RecordBatch]:
        """Let runs in progress end, within PATIENCE, and return what is finished."""
        for worker in self.members:
            worker.numbers[STOP] = 1.0
        self._again.clear()
        batches: list[RecordBatch] = []
        end = time.monotonic() + PATIENCE
        while self.busy and (left := end - time.monotonic()) > 0:
            for worker, message in self._messages(left):
                if message is None:
                    worker.chunk = None
                else:
                    batches.append(self._taken(worker, message))
        return batches

    def _messages(self, timeout: float) -> Iterator[tuple[_Worker, _Message | None]]:
        """Yield what the workers say, waiting at most so long for the first of it."""
        with suppress(Empty):
            while True:
                worker, message = self._heard.get(timeout=timeout)
                if worker in self.members:
                    yield worker, message
                timeout = 0.0

    def _lost(self, worker: _Worker) -> list[RecordBatch]:
        """Replace a dead worker; its run is tried again, unless it was late or alone already."""
        how = how_it_ended(worker.process.returncode)
        if not worker.ready:
            self._error, worker.chunk = f"a worker {how} before it had begun", None
            return []
        self.bury(worker)
        chunk, done = worker.chunk, worker.delivered
        if chunk is None:
            return []
        batches: list[RecordBatch] = []
        at, seconds = worker.killed or (max(done, int(worker.numbers[RUN])), 0.0)
        if done <= at < len(chunk):  # else it had done that run, and only now said so
            if worker.killed is not None or chunk.alone:
                trouble = f"lost: its process {how}"
                if worker.killed is not None:
                    trouble = f"late: killed after {seconds:.1f} s"
                batches.append(RecordBatch([missing_record(chunk, at, seconds, trouble)], seconds))
            else:
                self._again.append(replace(chunk.part(at, at + 1), alone=True))
            self._again.append(chunk.part(done, at))
            done = at + 1
        self._again.append(chunk.part(done, len(chunk)))
        self._again = [rest for rest in self._again if len(rest)]
        return batches
