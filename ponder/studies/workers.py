"""Who makes the runs of a comparison: processes on this machine, or the workers of a Dask cluster.

Here, a run far over its time limit is killed with its process (`late`), and one whose process dies,
out of memory for instance, is `lost`; a new process makes the next runs.

On a cluster the methods keep their own time limits: a run on another machine cannot be killed. The
scheduler gives the runs of a lost worker to others until it gives them up (`lost`). Needs the extra
`ponder[cluster]`, and the same ponder on the workers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeAlias

from ponder.studies.compare import Task, run_task
from ponder.studies.study import Run
from ponder.system.errors import PonderError, require
from ponder.system.pool import Child, how_it_ended

if TYPE_CHECKING:
    from ponder.system.child_program import Parent

LOOK = 0.25  # seconds between two batches
STARTING = 300.0  # seconds in which a process must have begun, and in which an answer is checked
CONNECT = 5.0  # seconds to wait for the scheduler
AHEAD = 8  # tasks that are under way for every worker or thread
Told: TypeAlias = Run | PonderError  # a run, or why there will be none


def overtime(timeout: float | None) -> float | None:
    """Return the seconds after which a run is killed: generous, as the machine may be busy."""
    return None if timeout is None else 1.0 + 1.5 * timeout


def serve(parent: Parent) -> None:
    """Do one task after the other, the whole life of a process."""
    for task in parent.requests():
        try:
            parent.reply(run_task(task, parent.reply))
        except PonderError as error:
            parent.reply(error)


class _Worker(Thread):
    """A thread with a process; it ends after a task that is None, or when it is stopped."""

    def __init__(self, tasks: SimpleQueue[Task | None], told: SimpleQueue[Told]) -> None:
        super().__init__(daemon=True)
        self.tasks, self.told = tasks, told
        self.child, self.stopped = _child(), False
        self.start()

    def run(self) -> None:
        while (task := self.tasks.get()) is not None and not self.stopped:
            try:
                self.told.put(self._run_of(task))
            except (PonderError, OSError) as error:
                self.told.put(PonderError(str(error)))
        self.child.kill()

    def _run_of(self, task: Task) -> Told:
        start = time.monotonic()
        self.child.send(task)
        try:
            for limit in (STARTING, overtime(task.timeout), STARTING):
                start = time.monotonic()
                told: Told | str = self.child.receive(limit)  # begun, answered, the run
                if not isinstance(told, str):
                    return told
            raise AssertionError("a run ends with its third message")
        except (Empty, EOFError) as error:
            seconds = time.monotonic() - start
            self.child.kill()
            trouble = f"late: killed after {seconds:.1f} s"
            if isinstance(error, EOFError):
                trouble = f"lost: its process {how_it_ended(self.child.process.returncode)}"
            if not self.stopped:
                self.child = _child()
            return task.blank(trouble, seconds)


def _child() -> Child:
    child = Child()
    child.serve("ponder.studies.workers:serve")
    return child


def by_processes(tasks: Iterator[Task], count: int) -> Iterator[list[Run]]:
    """Yield the runs of all tasks as they come, in batches, perhaps of none.

    The processes end with the generator. Raises PonderError where none can be started.
    """
    tasks_to_do: SimpleQueue[Task | None] = SimpleQueue()
    told: SimpleQueue[Told] = SimpleQueue()
    workers: list[_Worker] = []
    under_way, more = 0, True
    try:
        for _ in range(count):
            workers.append(_Worker(tasks_to_do, told))
        while more or under_way:
            free = AHEAD * count - under_way
            sent = list(islice(tasks, free))
            more = len(sent) == free
            for task in sent:
                tasks_to_do.put(task)
            under_way += len(sent)
            batch = _waiting(told) if under_way else []
            under_way -= len(batch)
            for entry in batch:
                if isinstance(entry, PonderError):
                    raise entry
            yield [entry for entry in batch if isinstance(entry, Run)]
    except OSError as error:
        raise PonderError(f"no worker can be started: {error.strerror or error}") from None
    finally:
        for worker in workers:
            worker.stopped = True
            tasks_to_do.put(None)
        for worker in workers:
            worker.child.kill()


def _waiting(queue: SimpleQueue[Any]) -> list[Any]:
    """Return what waits in a queue; of an empty one what comes in the next moment, if anything."""
    entries = []
    with suppress(Empty):
        entries.append(queue.get(timeout=LOOK))
        while True:
            entries.append(queue.get_nowait())
    return entries


def by_cluster(tasks: Iterator[Task], address: str) -> Iterator[list[Run]]:
    """Yield the runs of all tasks as they come. Raises PonderError without a scheduler."""
    require("distributed", "a Dask cluster", "cluster")
    from distributed import Client, KilledWorker

    connect: Any = Client
    try:
        client: Any = connect(address, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError, OverflowError):
        raise PonderError(f"{address}: no Dask scheduler answers there") from None
    under_way: dict[Any, Task] = {}
    over: SimpleQueue[Any] = SimpleQueue()

    def run_of(future: Any) -> Run:
        task = under_way.pop(future)
        try:
            run: Run = future.result()
        except KilledWorker:
            return task.blank("lost: its worker was lost, again and again (out of memory?)")
        return run

    try:
        more = True
        while more or under_way:
            free = max(AHEAD * max(sum(client.nthreads().values()), 1) - len(under_way), 0)
            sent = list(islice(tasks, free))
            more = len(sent) == free
            for task in sent:
                future = client.submit(run_task, task, pure=False)
                under_way[future] = task
                future.add_done_callback(over.put)
            yield [run_of(future) for future in _waiting(over)] if under_way else []
    except PonderError:
        raise
    except (OSError, TimeoutError, RuntimeError) as error:  # what Dask raises without a scheduler
        reason = f"the scheduler is gone ({type(error).__name__}); the same command goes on later"
        raise PonderError(f"{address}: {reason}") from None
    finally:
        client.close(timeout=2)
