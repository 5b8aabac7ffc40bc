"""The workers of a comparison: processes on this machine, or the workers of a Dask cluster.

Here, a run far over its time limit is killed with its process (`late`), and one whose process dies,
out of memory for instance, is `lost`; a new process makes the next runs.

On a cluster the methods keep their own time limits: a run on another machine cannot be killed. The
scheduler gives the runs of a lost worker to others until it gives them up (`lost`). Needs the extra
`ponder[cluster]`, and the same ponder on the workers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Any

from ponder.studies.compare import Task, run_task
from ponder.studies.study import Run
from ponder.system.errors import PonderError, require
from ponder.system.pool import Child, how_it_ended

if TYPE_CHECKING:
    from ponder.system.child_program import Parent

LOOK = 0.25  # seconds between two batches
STARTING = 300.0  # seconds in which a process must have begun; added to the limit of a check
CONNECT = 5.0  # seconds to wait for the scheduler
AHEAD = 8  # tasks that are under way for every worker or thread


def overtime(timeout: float | None) -> float | None:
    """Return the seconds after which a run is killed: generous, as the machine may be busy."""
    return None if timeout is None else 1.0 + 1.5 * timeout


def serve(parent: Parent) -> None:
    """Do one task after the other, until the process is killed."""
    for task in parent.requests():
        try:
            parent.reply(run_task(task, parent.reply))
        except PonderError as error:
            parent.reply(error)


def by_processes(tasks: Iterator[Task], count: int) -> Iterator[list[Run]]:
    """Yield the runs of all tasks as they come, in batches, perhaps of none.

    The processes end with the generator. Raises PonderError where none can be started.
    """
    children: list[Child] = []
    idle: SimpleQueue[Child] = SimpleQueue()
    ended = Event()

    def started() -> Child:
        child = Child()
        children.append(child)
        child.serve("ponder.studies.executors:serve")
        return child

    def run_of(task: Task) -> Run:
        child, start = idle.get(), time.monotonic()
        try:
            child.send(task)
            check = overtime(task.limits[2])
            for limit in (
                STARTING,
                overtime(task.method.timeout(task.limits)),
                None if check is None else STARTING + check,
            ):
                start = time.monotonic()
                message: str | Run | PonderError = child.receive(limit)  # begun, answered, the run
                if isinstance(message, PonderError):
                    raise message
            assert isinstance(message, Run)
            return message
        except (Empty, EOFError) as error:
            seconds = time.monotonic() - start
            child.kill()
            trouble = f"late: killed after {seconds:.1f} s"
            if isinstance(error, EOFError):
                trouble = f"lost: its process {how_it_ended(child.process.returncode)}"
            if not ended.is_set():
                child = started()
            return task.blank(trouble, seconds)
        finally:
            idle.put(child)

    threads = ThreadPoolExecutor(count)
    try:
        for _ in range(count):
            idle.put(started())
        under_way: set[Future[Run]] = set()
        more = True
        while more or under_way:
            free = AHEAD * count - len(under_way)
            sent = list(islice(tasks, free))
            more = len(sent) == free
            under_way |= {threads.submit(run_of, task) for task in sent}
            over, under_way = wait(under_way, LOOK, FIRST_COMPLETED)
            yield [future.result() for future in over]
    except OSError as error:
        raise PonderError(f"no worker can be started: {error.strerror or error}") from None
    finally:
        ended.set()
        for child in children:
            child.kill()
        threads.shutdown(cancel_futures=True)
        for child in children:
            child.kill()


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
            return task.blank("lost: its workers died repeatedly (out of memory?)")
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
            batch: list[Run] = []
            with suppress(Empty):
                while under_way:
                    batch.append(run_of(over.get(timeout=0 if batch else LOOK)))
            yield batch
    except PonderError:
        raise
    except (OSError, TimeoutError, RuntimeError) as error:  # what Dask raises without a scheduler
        reason = f"the scheduler is gone ({type(error).__name__}); repeat the command to continue"
        raise PonderError(f"{address}: {reason}") from None
    finally:
        client.close(timeout=2)
