"""Ask many methods about many boards, and keep what they said.

    plan ──► chunks ──► workers (processes here, or a cluster) ──► records ──► study
                        each run: make the board, ask, replay, verify (`ponder.studies.runs`)

The plan is what the study does not hold yet. Its tasks travel in chunks, so that neither a run of
microseconds pays for a message nor a slow one holds up the others. One writer, the process that
plans, stores what comes back. Nothing random depends on who runs what.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

from ponder.studies.methods import Method
from ponder.studies.runs import Chunk, Job, Record, Task, Verify, sample_of
from ponder.studies.sampling import BoardFiles, Generated, GeneratedBoards, Item, Source
from ponder.studies.study import Study
from ponder.system.errors import BoardError
from ponder.system.printable import printable
from ponder.system.signals import deferred_signals

CHUNK = 0.2  # seconds of work that a chunk should be worth
MOST_RUNS = 2000  # runs of a chunk at most
COMMIT = 0.5  # seconds between two batches


class RecordBatch(NamedTuple):
    """Records that are handed over together, and the seconds that they took their worker."""

    records: list[Record]
    seconds: float


class WorkerPool(Protocol):
    """Those who do the runs: processes here (`processes`) or on other machines (`dask_cluster`)."""

    @property
    def room(self) -> int:
        """How many chunks it would take now."""

    @property
    def busy(self) -> bool:
        """Whether it holds a chunk."""

    def submit(self, chunk: Chunk) -> None:
        """Take a chunk."""

    def collect(self, timeout: float) -> list[RecordBatch]:
        """Wait for records, at most some seconds, and return them."""

    def stop(self) -> list[RecordBatch]:
        """Stop after the runs in progress, and return what is finished."""


@dataclass
class Tally:
    """Where a comparison stands: runs to make, made, and how they ended."""

    total: int = 0
    stored: int = 0
    done: int = 0
    verdicts: Counter[str] = field(
        default_factory=lambda: Counter(solved=0, impossible=0, unknown=0)
    )
    troubles: Counter[str] = field(default_factory=Counter)
    unreadable: dict[str, str] = field(default_factory=dict)

    def counted(self, records: list[Record]) -> list[Record]:
        """Count what came of more runs, and return it."""
        self.done += len(records)
        self.verdicts.update(run.outcome.verdict for _, _, run in records)
        self.troubles.update(run.trouble.partition(":")[0] for _, _, run in records if run.trouble)
        return records

    @property
    def at(self) -> int:
        """How many of the runs are there by now."""
        return self.done + self.stored

    @property
    def words(self) -> str:
        """The counts in words."""
        parts = [f"{count} {verdict}" for verdict, count in self.verdicts.items() if count]
        parts += [f"{count} {kind}" for kind, count in sorted(self.troubles.items())]
        if self.unreadable:
            parts.append(f"{len(self.unreadable)} unreadable")
        return ", ".join(parts)


@dataclass(frozen=True)
class Plan:
    """What is asked for: the boards, the methods, seeds `seed` … `seed + repeat − 1`."""

    sources: tuple[Source, ...]
    methods: tuple[Method, ...]
    seed: int = 0
    repeat: int = 1
    timeout: float | None = None
    verify: Verify = "all"

    @property
    def boards(self) -> int:
        """The number of boards."""
        return sum(map(len, self.sources))

    @property
    def total(self) -> int:
        """The number of runs, those that are stored already among them."""
        return self.boards * len(self.methods) * self.repeat


def compare(
    study: Study,
    plan: Plan,
    workers: WorkerPool,
    progress: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Do every run of the plan that the study does not hold, and store it.

    Ctrl-C raises KeyboardInterrupt once all finished runs are stored; handlers of other signals may
    raise. Raises PonderError if the study cannot be written or the workers die; stored runs stay.

    >>> from ponder.studies.methods import chosen
    >>> from ponder.studies.processes import Workers
    >>> from ponder.studies.sampling import parse_family
    >>> plan = Plan((parse_family("cross:4:boards=3"),), tuple(chosen(("auto",))))
    >>> with Study(":memory:", create=True) as study, Workers(1) as workers:
    ...     compare(study, plan, workers).done
    3
    """
    jobs = tuple(
        Job(method, study.method(method.name, method.options | {"timeout": plan.timeout}), seed)
        for method in plan.methods
        for seed in range(plan.seed, plan.seed + plan.repeat)
    )
    tally = Tally(plan.total)
    readable: list[str] = []
    chunks = _Chunks(_tasks(study, plan, jobs, tally, readable), jobs, plan)
    unwritten: list[Record] = []
    committed = time.monotonic()
    try:
        # an exception in the middle of a message would leave half of it in the pipe
        with deferred_signals() as ending:
            while True:
                while workers.room and (chunk := chunks.next()) is not None:
                    workers.submit(chunk)
                if ending or not workers.busy:
                    break
                for batch in workers.collect(COMMIT / 2):
                    chunks.learn(batch)
                    unwritten += tally.counted(batch.records)
                if time.monotonic() >= committed + COMMIT:
                    _store(study, unwritten)
                    committed = time.monotonic()
                progress(tally)
    except BaseException:
        for batch in workers.stop():
            unwritten += tally.counted(batch.records)
        _store(study, unwritten)
        raise
    _store(study, unwritten)
    study.set_failures(tally.unreadable, readable)
    progress(tally)
    return tally


def _store(study: Study, records: list[Record]) -> None:
    if records:
        boards, samples, runs = zip(*records, strict=True)
        study.add(filter(None, boards), filter(None, samples), runs)
        records.clear()


def _tasks(
    study: Study, plan: Plan, jobs: tuple[Job, ...], tally: Tally, readable: list[str]
) -> Iterator[Task]:
    """Yield what is left to do, board by board; `readable` receives the names of good files."""
    done = [study.done(job.number, job.seed) for job in jobs]
    every = tuple(range(len(jobs)))
    for source in plan.sources:
        if isinstance(source, GeneratedBoards):
            items = _generated(study, source)
        else:
            items = _from_files(study, source, tally, readable, len(jobs))
        for item, number, known in items:
            todo = every if number is None else tuple(k for k in every if number not in done[k])
            tally.stored += len(every) - len(todo)
            if todo:
                yield Task(item, todo, known)


_Known: TypeAlias = tuple[Item, int | None, bytes | None]
"""An item with the number and the hash of its board, None when the study does not hold it."""


def _generated(study: Study, source: GeneratedBoards) -> Iterator[_Known]:
    for shape in source.sizes:
        stored = study.stored_samples(source.family.label, source.family.size(shape))
        for seed in range(source.seed, source.seed + source.boards):
            item = Generated(source.family, shape, seed)
            yield (item, *stored.get(item.name, (None, None)))


def _from_files(
    study: Study, source: BoardFiles, tally: Tally, readable: list[str], jobs: int
) -> Iterator[_Known]:
    """Read the files; one whose board has changed since is taken for a new one."""
    stored: dict[str, dict[str, tuple[int, bytes]]] = {}
    for item in source:
        try:
            if isinstance(item, BoardError):
                raise item
            board = item.board()
        except BoardError as error:
            name = error.source if isinstance(item, BoardError) else item.name
            tally.unreadable[printable(name)] = printable(str(error))
            tally.total -= jobs
            continue
        readable.append(item.name)
        sample = sample_of(item, board)
        if sample.family not in stored:
            stored[sample.family] = study.stored_samples(sample.family)
        number, known = stored[sample.family].get(item.name, (None, None))
        if known != sample.sha256:
            if known is not None:
                study.forget_sample(sample.family, item.name)
            number = known = None
        yield item, number, known


class _Chunks:
    """Cuts the tasks into chunks of about CHUNK seconds, by what runs took so far."""

    def __init__(self, tasks: Iterator[Task], jobs: tuple[Job, ...], plan: Plan) -> None:
        self._tasks, self._jobs, self._plan = tasks, jobs, plan
        self._seconds = CHUNK  # of one run: the first chunks have one run each

    def learn(self, batch: RecordBatch) -> None:
        if batch.records:
            now = batch.seconds / len(batch.records)
            self._seconds = max((self._seconds + now) / 2, 1e-6)

    def next(self) -> Chunk | None:
        wanted = min(max(int(CHUNK / self._seconds), 1), MOST_RUNS)
        tasks: list[Task] = []
        runs = 0
        for task in self._tasks:
            tasks.append(task)
            runs += len(task.todo)
            if runs >= wanted:
                break
        if not tasks:
            return None
        return Chunk(tuple(tasks), self._jobs, self._plan.timeout, self._plan.verify)
