"""Ask many methods about many boards, and keep what they said.

    plan ──► tasks ──► workers (`processes` here, or `dask_cluster`) ──► runs ──► study

The plan is what the study does not hold yet, a task a board. One writer, the process that plans,
stores what comes back. Nothing random depends on who runs what.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from ponder.studies.methods import Method
from ponder.studies.runs import Run, Task, Verify
from ponder.studies.sampling import Source
from ponder.studies.study import Study
from ponder.system.errors import BoardError
from ponder.system.printable import printable, shortened

COMMIT = 0.5  # seconds between two transactions

Workers: TypeAlias = Callable[[Iterator[Task]], Iterator[list[Run]]]
"""What does tasks and yields their runs in batches, perhaps empty ones, until all are over."""


@dataclass
class Tally:
    """Where a comparison stands: runs to make, made, stored before, and how they ended."""

    total: int = 0
    stored: int = 0
    done: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    unreadable: list[str] = field(default_factory=list)

    def count(self, runs: list[Run]) -> None:
        """Count what came of more runs."""
        self.done += len(runs)
        self.verdicts.update(run.trouble.partition(":")[0] or run.verdict for run in runs)

    @property
    def words(self) -> str:
        """The counts in words."""
        parts = [f"{count} {word}" for word, count in sorted(self.verdicts.items())]
        if self.unreadable:
            parts.append(f"{len(self.unreadable)} unreadable")
        return ", ".join(parts)


@dataclass(frozen=True)
class Plan:
    """What is asked for: the boards, the methods, seeds `seed` … `seed + repeat − 1`.

    `shard` (I, N): of the boards only those whose place is I modulo N, for N machines.
    """

    sources: tuple[Source, ...]
    methods: tuple[Method, ...]
    seed: int = 0
    repeat: int = 1
    timeout: float | None = None
    verify: Verify = "all"
    shard: tuple[int, int] = (0, 1)

    @property
    def boards(self) -> int:
        """The number of boards."""
        index, count = self.shard
        return max(0, -(-(sum(map(len, self.sources)) - index) // count))

    @property
    def total(self) -> int:
        """The number of runs, those that are stored already among them."""
        return self.boards * len(self.methods) * self.repeat


def compare(
    study: Study,
    plan: Plan,
    workers: Workers,
    progress: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Do every run of the plan that the study does not hold, and store it.

    What interrupts it (Ctrl-C) is raised once all finished runs are stored. Raises PonderError if
    the study cannot be written or no worker can be started.

    >>> from ponder.studies.methods import chosen
    >>> from ponder.studies.runs import run_task
    >>> from ponder.studies.sampling import parse_family
    >>> plan = Plan((parse_family("cross:4:boards=3"),), tuple(chosen(("auto",))))
    >>> with Study(":memory:", create=True) as study:
    ...     compare(study, plan, lambda tasks: map(list, map(run_task, tasks))).done
    3
    """
    tally = Tally(plan.total)
    unwritten: list[Run] = []
    committed = time.monotonic()
    batches = workers(_tasks(study, plan, tally))
    try:
        for batch in batches:
            unwritten += batch
            tally.count(batch)
            if time.monotonic() >= committed + COMMIT:
                study.add(unwritten)
                unwritten.clear()
                committed = time.monotonic()
            progress(tally)
    finally:
        close = getattr(batches, "close", None)
        if close is not None:
            close()
        study.add(unwritten)
    progress(tally)
    return tally


def _tasks(study: Study, plan: Plan, tally: Tally) -> Iterator[Task]:
    """Yield what is left to do, board by board."""
    jobs = tuple(
        (method, seed)
        for method in plan.methods
        for seed in range(plan.seed, plan.seed + plan.repeat)
    )
    index, count = plan.shard
    for place, item in enumerate(item for source in plan.sources for item in source):
        if place % count != index:
            continue
        try:
            if isinstance(item, BoardError):
                raise item
            name, sha256 = item.key()
        except BoardError as error:
            tally.unreadable.append(printable(shortened(str(error), 300)))
            tally.total -= len(jobs)
            continue
        done = study.done(name, sha256, plan.timeout)
        todo = tuple((method, seed) for method, seed in jobs if (method.name, seed) not in done)
        tally.stored += len(jobs) - len(todo)
        if todo:
            yield Task(item, todo, plan.timeout, plan.verify)
