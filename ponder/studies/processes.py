"""Processes on this machine that do the tasks of a comparison.

Each thread here has a child of its own, which does one task after the other and tells of each run.
A run far over its time limit is killed with its process (`late`), and one whose process dies, out
of memory for instance, is `lost`. The runs after it are made by a new process.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias

from ponder.studies.runs import Run, Task, run_task
from ponder.system.errors import PonderError
from ponder.system.pool import Child, how_it_ended

if TYPE_CHECKING:
    from ponder.system.child_program import Parent

LOOK = 0.25  # seconds between two batches
Told: TypeAlias = Run | PonderError | None  # a run; why there will be none; the end of a task

STARTING = 300.0  # seconds in which a process must have begun, and in which an answer is checked


def overtime(timeout: float | None) -> float | None:
    """Return the seconds after which a run is killed: generous, as the machine may be busy."""
    return None if timeout is None else 1.0 + 1.5 * timeout


def serve(parent: Parent) -> None:
    """Do one task after the other, the whole life of a worker.

    It says that it has begun, and of every run that there is an answer, and what came of it.
    """
    for task in parent.requests():
        try:
            board = task.item.board()
            for method, _ in task.todo:
                method.warm_up()
            parent.reply("begun")
            for run in run_task(task, board, partial(parent.reply, "answered")):
                parent.reply(run)
        except PonderError as error:
            parent.reply(error)


class _Worker(Thread):
    """A thread with a child; it ends after a task that is None, or when its child is killed."""

    def __init__(self, tasks: SimpleQueue[Task | None], heard: SimpleQueue[Told]) -> None:
        super().__init__(daemon=True)
        self.tasks, self.heard = tasks, heard
        self.child, self.stopped = _child(), False
        self.start()

    def run(self) -> None:
        while (task := self.tasks.get()) is not None and not self.stopped:
            while task.todo and not self.stopped:
                task = task.rest(self._ask(task))
            self.heard.put(None)
        self.child.kill()

    def _ask(self, task: Task) -> int:
        """Do a task as far as one process lives; return how many of its runs are over."""
        done, start = 0, time.monotonic()
        self.child.send(task)
        try:
            self._hear(STARTING)  # it has begun
            for done in range(len(task.todo)):  # noqa: B007 # it is used below
                start = time.monotonic()
                self._hear(overtime(task.timeout))  # it has an answer
                self.heard.put(self._hear(STARTING))
        except PonderError as error:
            self.heard.put(error)
        except (Empty, EOFError) as error:
            if not self.stopped:
                seconds = time.monotonic() - start
                self.child.kill()
                trouble = f"lost: its process {how_it_ended(self.child.process.returncode)}"
                if isinstance(error, Empty):
                    trouble = f"late: killed after {seconds:.1f} s"
                self.heard.put(_missing(task, done, seconds, trouble))
                self.child = _child()
            return done + 1
        return len(task.todo)

    def _hear(self, timeout: float | None) -> Run | None:
        told: Told = self.child.receive(timeout)
        if isinstance(told, PonderError):
            raise told
        return told


def _missing(task: Task, place: int, seconds: float, trouble: str) -> Told:
    """Return a run whose worker is gone: what is known without asking."""
    method, seed = task.todo[place]
    try:
        blank = task.blank(task.item.board())
    except PonderError as error:
        return error
    return blank._replace(method=method.name, seed=seed, seconds=seconds, trouble=trouble)


def _child() -> Child:
    child = Child()
    child.serve("ponder.studies.processes:serve")
    return child


def by_processes(tasks: Iterator[Task], count: int) -> Iterator[list[Run]]:
    """Yield the runs of all tasks as they come, in batches, perhaps of none.

    The processes end with the generator. Raises PonderError where none can be started.
    """
    tasks_to_do: SimpleQueue[Task | None] = SimpleQueue()
    heard: SimpleQueue[Told] = SimpleQueue()
    workers: list[_Worker] = []
    waiting, more = 0, True
    try:
        for _ in range(count):
            workers.append(_Worker(tasks_to_do, heard))
        while more or waiting:
            while more and waiting < 2 * count:
                task = next(tasks, None)
                more = task is not None
                if task is not None:
                    tasks_to_do.put(task)
                    waiting += 1
            batch: list[Run] = []
            with suppress(Empty):
                while waiting:
                    told = heard.get(timeout=0 if batch else LOOK)
                    if told is None:
                        waiting -= 1
                        break
                    if isinstance(told, PonderError):
                        raise told
                    batch.append(told)
            yield batch
    except OSError as error:
        raise PonderError(f"no worker can be started: {error.strerror or error}") from None
    finally:
        for worker in workers:
            worker.stopped = True
            tasks_to_do.put(None)
        for worker in workers:
            worker.child.kill()
