"""The tasks of a comparison, sent to a Dask scheduler: workers on many machines.

Tasks travel a few together. The scheduler gives those of a lost worker to others until it gives
them up (`KilledWorker`); then each run is sent alone, and one that is given up alone is `lost`.
Methods keep their own time limits: a single run on another machine cannot be killed. Needs the
extra `ponder[cluster]`, and the same ponder on the workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any

from ponder.studies.runs import Run, Task, run_task
from ponder.system.errors import PonderError, require

CONNECT = 5.0  # seconds to wait for the scheduler
LOOK = 0.25  # seconds between two batches
TOGETHER = 8  # tasks that are sent together
AHEAD = 3  # of these that are under way for every thread of the cluster


def _do(tasks: list[Task]) -> list[Run]:
    for task in tasks:
        for method, _ in task.todo:
            method.warm_up()
    return [run for task in tasks for run in run_task(task)]


def by_cluster(tasks: Iterator[Task], address: str) -> Iterator[list[Run]]:
    """Yield the runs of all tasks as they come. Raises PonderError without a scheduler."""
    require("distributed", "a Dask cluster", "cluster")
    from distributed import Client, KilledWorker

    connect: Any = Client
    try:
        client: Any = connect(address, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError, OverflowError):
        raise PonderError(f"{address}: no Dask scheduler answers there") from None
    under_way: dict[Any, list[Task]] = {}
    over: SimpleQueue[Any] = SimpleQueue()

    def send(some: list[Task]) -> None:
        future = client.submit(_do, some, pure=False)
        under_way[future] = some
        future.add_done_callback(over.put)

    def result(future: Any) -> list[Run]:
        sent = under_way.pop(future)
        try:
            runs: list[Run] = future.result()
            return runs
        except KilledWorker:
            alone = [replace(task, todo=(job,)) for task in sent for job in task.todo]
            if len(alone) == 1:
                return [_lost(alone[0])]
            for task in alone:
                send([task])
            return []

    try:
        more = True
        while more or under_way:
            room = AHEAD * max(sum(client.nthreads().values()), 1) - len(under_way)
            while more and room > 0:
                some = list(islice(tasks, TOGETHER))
                more, room = bool(some), room - 1
                if some:
                    send(some)
            try:
                yield result(over.get(timeout=LOOK))
            except Empty:
                yield []
    except PonderError:
        raise
    except (OSError, TimeoutError, RuntimeError) as error:  # what Dask raises without a scheduler
        reason = f"the scheduler is gone ({type(error).__name__}); the same command goes on later"
        raise PonderError(f"{address}: {reason}") from None
    finally:
        client.close(timeout=2)


def _lost(task: Task) -> Run:
    ((method, seed),) = task.todo
    trouble = "lost: its worker was lost, again and again (out of memory?)"
    blank = task.blank(task.item.board())
    return blank._replace(method=method.name, seed=seed, trouble=trouble)
