"""Workers on many machines: the chunks of a comparison, sent to a Dask scheduler.

The scheduler holds a few chunks for every thread of its workers, so that none waits for messages.
It gives the chunks of a lost worker to others, until it gives them up (`KilledWorker`). A chunk
that is given up is halved until the one run is found that takes its worker with it; that one is
`lost`. Methods keep their own time limits: a single run on another machine cannot be killed. Needs
the extra `ponder[cluster]`, and the same ponder on the workers.
"""

from __future__ import annotations

import logging
import queue
import time
from contextlib import suppress
from typing import Any

from ponder.studies.compare import RecordBatch
from ponder.studies.runs import Chunk, missing_record, run_chunk
from ponder.system.errors import PonderError, require

DEFAULT_PORT = 8786
CONNECT = 5.0  # seconds to wait for the scheduler
AHEAD = 3  # chunks that are under way for every thread of the cluster


def _do(chunk: Chunk) -> RecordBatch:
    start = time.perf_counter()
    for job in chunk.jobs:
        job.method.warm_up()
    records = list(run_chunk(chunk))
    return RecordBatch(records, time.perf_counter() - start)


class Cluster:
    """Dask workers as a `WorkerPool`, to use in `with`. Raises PonderError without a scheduler."""

    def __init__(self, address: str) -> None:
        require("distributed", "a Dask cluster", "cluster")
        import dask
        from distributed import Client

        # Dask's own log says at length what becomes one line here.
        for name in ("distributed", "distributed.client", "distributed.core", "distributed.comm"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        dask.config.set({"distributed.comm.timeouts.connect": CONNECT})  # and to connect again
        self._address = address
        connect: Any = Client
        try:
            _knock(address)  # a Client that never had a scheduler cannot be closed in peace
            self._client: Any = connect(address, timeout=CONNECT, set_as_default=False)
        except (OSError, TimeoutError, ValueError, TypeError, OverflowError):
            raise PonderError(f"{address}: no Dask scheduler answers there") from None
        self._chunks: dict[Any, Chunk] = {}
        self._over: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads, self._asked = 0, 0.0

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close(timeout=2)

    @property
    def room(self) -> int:
        """How many chunks may be sent now; the number of workers may change at any time."""
        if time.monotonic() > self._asked + 1.0:
            try:
                self._threads = sum(self._client.nthreads().values())
            except (OSError, TimeoutError):
                raise self._gone() from None
            self._asked = time.monotonic()
        return max(AHEAD * max(self._threads, 1) - len(self._chunks), 0)

    @property
    def busy(self) -> bool:
        """Whether a chunk is under way."""
        return bool(self._chunks)

    def submit(self, chunk: Chunk) -> None:
        """Send a chunk."""
        future: Any = self._client.submit(_do, chunk, pure=False)
        self._chunks[future] = chunk
        future.add_done_callback(self._over.put)

    def collect(self, timeout: float) -> list[RecordBatch]:
        """Wait for records at most so long."""
        from distributed import KilledWorker

        batches: list[RecordBatch] = []
        while self._chunks:
            try:
                future = self._over.get(timeout=0.0 if batches else timeout)
            except queue.Empty:
                break
            chunk = self._chunks.pop(future, None)
            if chunk is None:
                continue
            try:
                batches.append(future.result())
            except KilledWorker:
                batches += self._halved(chunk)
            except PonderError:
                raise
            except Exception as error:  # what Dask raises when the scheduler is gone
                raise self._gone(error) from None
        if self._client.status not in ("running", "connecting"):
            raise self._gone()
        return batches

    def _halved(self, chunk: Chunk) -> list[RecordBatch]:
        """Look for the run that kills its worker."""
        size = len(chunk)
        if size == 1:
            trouble = "lost: its worker was lost, again and again (out of memory?)"
            return [RecordBatch([missing_record(chunk, 0, 0.0, trouble)], 0.0)]
        self.submit(chunk.part(0, size // 2))
        self.submit(chunk.part(size // 2, size))
        return []

    def stop(self) -> list[RecordBatch]:
        """Take back what has not begun, and return what is finished."""
        batches: list[RecordBatch] = []
        for future in self._chunks:
            with suppress(Exception):  # it was finished, and is gone with its worker
                if future.status == "finished":
                    batches.append(future.result(timeout=2))
        if self._client.status == "running":
            self._client.cancel(list(self._chunks), asynchronous=False)
        self._chunks.clear()
        return batches

    def _gone(self, error: Exception | None = None) -> PonderError:
        reason = "" if error is None else f" ({type(error).__name__})"
        return PonderError(
            f"{self._address}: the scheduler is gone{reason}; what was finished is stored, the "
            "same command goes on from there"
        )


def _knock(address: str) -> None:
    """Open and close a connection to the scheduler. Raises OSError or ValueError without one."""
    import socket

    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import get_backend

    scheme, place = parse_address(address)
    get_backend(scheme)
    if scheme in ("tcp", "tls"):
        socket.create_connection(parse_host_port(place, DEFAULT_PORT), timeout=CONNECT).close()
