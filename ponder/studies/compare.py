"""Ask many methods about many boards, check every answer, and keep what they said.

    plan ──► chunks ──► crew (processes here, or a cluster) ──► records ──► study
                        each run: draw, ask, replay, verify

The plan is what the study does not hold yet. Its tasks travel in chunks, worth about CHUNK seconds
by what runs took so far, so that neither a run of microseconds pays for a message nor a slow one
holds up the others. One writer, the process that plans, stores what comes back every COMMIT
seconds. Nothing random depends on who runs what: a run is a function of its board, its method, the
options and the seed.

Checks. An order is replayed press by press, and a result is put before `ponder.verify`, which
imports no solver: always, for one board in SAMPLED (chosen by its hash), or not at all; the replay
is not optional. What methods say of the same board is compared by `ponder.studies.disagreements`.

Trouble that a run may end in, stored as `kind: reason` beside a verdict `unknown` (but for
`rejected`, which keeps the verdict that is false):

    refused     the method says that it is not made for this board; nobody is wrong
    late        it ignored its time limit and was killed
    lost        it took its process with it (out of memory, or killed from outside)
    crashed     it raised an error                                                     fails
    rejected    the checker refused its answer                                         fails
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol, TypeAlias, get_args

import numpy as np

from ponder.errors import BoardError, CheckFailed, PonderError
from ponder.printable import printable, shortened
from ponder.puzzle.board import Board
from ponder.puzzle.result import Result
from ponder.signals import held
from ponder.studies.methods import Method
from ponder.studies.sampling import Drawn, Draws, Filed, Files, Item, Source, size_label
from ponder.studies.schema import BoardRow, Outcome, Run, Sample
from ponder.studies.study import Study, packed

Verify: TypeAlias = Literal["all", "sample", "none"]
VERIFY: tuple[Verify, ...] = get_args(Verify)

CHUNK = 0.2
"""Seconds of work that a chunk should be worth."""
MOST_RUNS = 2000
"""Runs of a chunk at most."""
COMMIT = 0.5
"""Seconds between two batches."""
SAMPLED = 16
"""Under `sample`, one board in so many is verified."""
LISTED = 8
"""Nullities up to this have their lightest press set looked for."""

FAILING = ("crashed", "rejected")
REPEATABLE = ("late", "lost", "crashed", "rejected")


class Job(NamedTuple):
    """A method with a seed; `number` is the study's number of the method."""

    method: Method
    number: int
    seed: int


@dataclass(frozen=True)
class Task:
    """A board and which jobs are to be done on it; `known` is its hash in the study, if any."""

    item: Item
    todo: tuple[int, ...]
    known: bytes | None = None


@dataclass(frozen=True)
class Chunk:
    """What a worker is sent: tasks, the jobs that they number, the limits."""

    tasks: tuple[Task, ...]
    jobs: tuple[Job, ...]
    timeout: float | None
    verify: Verify
    alone: bool = False
    """Whether its one run has cost a worker before."""

    def __len__(self) -> int:
        return sum(len(task.todo) for task in self.tasks)

    def part(self, first: int, last: int) -> Chunk:
        """Return the chunk of the runs `first` … `last` − 1 of this one."""
        tasks: list[Task] = []
        at = 0
        for task in self.tasks:
            low, high = max(first - at, 0), min(last - at, len(task.todo))
            if low < high:
                tasks.append(replace(task, todo=task.todo[low:high]))
            at += len(task.todo)
        return replace(self, tasks=tuple(tasks))


class Record(NamedTuple):
    """What came of a run: the run, and its board and sample when they are new."""

    board: BoardRow | None
    sample: Sample | None
    run: Run


class Watch(Protocol):
    """Whoever looks after a worker: told when a run starts and ends, asked whether to stop."""

    def starts(self, run: int) -> None:
        """A run begins: its place in the chunk."""

    def ends(self) -> None:
        """The run is over."""

    @property
    def stopped(self) -> bool:
        """Whether to stop after the run that just ended."""


class Unwatched:
    """A watch that looks away."""

    stopped = False

    def starts(self, run: int) -> None:
        """Do nothing."""

    def ends(self) -> None:
        """Do nothing."""


# ---------------------------------------------------------------------------- in the worker


def run_chunk(chunk: Chunk, watch: Watch | None = None) -> Iterator[Record]:
    """Do the runs of a chunk, in order, one record each."""
    watch = watch or Unwatched()
    at = 0
    for task in chunk.tasks:
        board = task.item.board()
        new_board, new_sample = None, None
        if task.known is None:
            new_board = describe(board)
            new_sample = sample_of(task.item, board)
        elif task.known.hex() != board.sha256:
            raise PonderError(
                f"{task.item.stratum} {size_label(board)} {task.item.name}: this ponder draws "
                "another board than the study holds under that name; begin a new study"
            )
        for number in task.todo:
            job = chunk.jobs[number]
            watch.starts(at)
            run = one_run(board, job, chunk.timeout, chunk.verify, watch)
            yield Record(new_board, new_sample, run)
            new_board = new_sample = None
            at += 1
            if watch.stopped:
                return


def chunk_records(chunk: Chunk) -> list[Record]:
    """Do the runs of a chunk and return their records: what a cluster's worker is sent."""
    for job in chunk.jobs:
        job.method.warm_up()
    return list(run_chunk(chunk))


def one_run(
    board: Board, job: Job, timeout: float | None, verify: Verify, watch: Watch | None = None
) -> Run:
    """Ask one method about one board, and check what it says. Never raises for the method."""
    result: object = None
    trouble = None
    start = time.perf_counter()
    try:
        result = job.method.ask(board, timeout, job.seed)
    except CheckFailed as error:
        trouble = f"rejected: {_line(error)}"
    except PonderError as error:
        trouble = f"refused: {_line(error)}"
    except MemoryError:
        trouble = "lost: out of memory"
    except Exception as error:  # a method of any origin: its crash is a finding, not the end
        trouble = f"crashed: {type(error).__name__}: {_line(error)}"
    seconds = time.perf_counter() - start
    if watch is not None:
        watch.ends()
    sha256 = bytes.fromhex(board.sha256)
    if trouble is not None:
        return troubled(sha256, job, seconds, trouble)
    try:
        if not isinstance(result, Result):
            raise TypeError(f"{type(result).__name__} is no ponder.Result")
        content = result.to_json()
        checked, trouble = _check(board, content, result.presses, verify)
        trials = result.statistics.get("trials")
        once = result.presses is None or np.unique(result.presses).size == result.presses.size
        return Run(
            sha256,
            job.number,
            job.seed,
            Outcome(
                result.command,
                result.verdict,
                result.claim or "",
                _certificate(result.refutation),
                result.method,
                once,
            ),
            result.count,
            _stored(result.lower_bound),
            _stored(trials) if isinstance(trials, int) else None,
            seconds,
            checked,
            trouble,
            packed(content),
        )
    except Exception as error:  # a method of another origin may return anything at all
        return troubled(sha256, job, seconds, f"crashed: {type(error).__name__}: {_line(error)}")


def _stored(number: int | None) -> int | None:
    """Return a number that a study has room for; ValueError for one that no honest run has."""
    if number is not None and not 0 <= number < 2**31:
        raise ValueError("a number of presses or trials that is out of any sense")
    return number


def _certificate(refutation: object) -> str:
    return "" if refutation is None else str(getattr(refutation, "kind", "?"))


def _check(
    board: Board, content: dict[str, object], presses: object, verify: Verify
) -> tuple[int, str | None]:
    """Return what was checked, and the trouble, if any."""
    from ponder.check import verify as verify_result
    from ponder.check.replay import replay

    try:
        if verify == "all" or (verify == "sample" and int(board.sha256[:8], 16) % SAMPLED == 0):
            report = verify_result(board, content)
            return 2 if report.unchecked_verdict else 1, None
        if isinstance(presses, np.ndarray):
            replay(board, presses)
            return 1, None
    except CheckFailed as error:
        return 0, f"rejected: {_line(error)}"
    return 0, None


def troubled(sha256: bytes, job: Job, seconds: float, trouble: str) -> Run:
    """Return a run without an answer."""
    outcome = Outcome("", "unknown", "", "", "", False)
    return Run(sha256, job.number, job.seed, outcome, None, None, None, seconds, 0, trouble, None)


def missing_record(chunk: Chunk, run: int, seconds: float, trouble: str) -> Record:
    """Return the record of a run whose worker is gone: what is known without asking."""
    (task,) = (only := chunk.part(run, run + 1)).tasks
    board = task.item.board()
    new = task.known is None
    job = only.jobs[task.todo[0]]
    return Record(
        describe(board) if new else None,
        sample_of(task.item, board) if new else None,
        troubled(bytes.fromhex(board.sha256), job, seconds, trouble),
    )


def describe(board: Board) -> BoardRow:
    """Return a board as it is stored, with what the linear stage says of it.

    `lightest` is the fewest bulbs that any press set has, where that is quickly known.
    """
    import zlib

    from ponder.linear.press_sets import PressSets, press_sets
    from ponder.puzzle.formats import board_text

    nullity = lightest = None
    try:
        sets = press_sets(board)
        if isinstance(sets, PressSets):
            nullity = sets.nullity
            if nullity == 0:
                lightest = int(np.count_nonzero(sets.particular))
            elif nullity <= LISTED:
                lightest = int(np.count_nonzero(sets.members(), axis=1).min())
    except (PonderError, MemoryError):  # too large to be described; runs will say so themselves
        pass
    return BoardRow(
        bytes.fromhex(board.sha256),
        board.graph.pattern,
        board.rule,
        board.goal_name,
        board.graph.size,
        nullity,
        lightest,
        zlib.compress(board_text(board).encode(), 6),
    )


def sample_of(item: Item, board: Board) -> Sample:
    """Return the sample that an item is."""
    family = item.stratum
    if isinstance(item, Filed):
        family += f": {board.graph.pattern.split()[0]}"
    sha256 = bytes.fromhex(board.sha256)
    return Sample(family, size_label(board), board.graph.size, item.name, sha256)


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return printable(shortened(text, 300))


# ------------------------------------------------------------------------------ the parent


class Delivery(NamedTuple):
    """What a crew hands over: records, and the seconds that they took their worker."""

    records: list[Record]
    seconds: float


class Crew(Protocol):
    """Those who work: processes here (`processes`) or on other machines (`dask_cluster`)."""

    @property
    def room(self) -> int:
        """How many chunks it would take now."""

    @property
    def busy(self) -> bool:
        """Whether it holds a chunk."""

    def submit(self, chunk: Chunk) -> None:
        """Take a chunk."""

    def collect(self, timeout: float) -> list[Delivery]:
        """Wait at most so many seconds for records, and return them."""

    def stop(self) -> list[Delivery]:
        """Stop after the runs in progress, and return what is finished."""


@dataclass
class Tally:
    """Where a comparison stands: runs to make, made, and how they ended."""

    total: int = 0
    stored: int = 0
    done: int = 0
    verdicts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("solved", "impossible", "unknown"), 0)
    )
    troubles: dict[str, int] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)

    def count(self, run: Run) -> None:
        """Count one more run."""
        self.done += 1
        self.verdicts[run.outcome.verdict] = self.verdicts.get(run.outcome.verdict, 0) + 1
        if run.trouble is not None:
            kind = run.trouble.partition(":")[0]
            self.troubles[kind] = self.troubles.get(kind, 0) + 1

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
    crew: Crew,
    progress: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Do every run of the plan that the study does not hold, and store it.

    Ctrl-C raises KeyboardInterrupt when everything that is finished is stored, other signals what
    their handlers raise. PonderError when the study cannot be written or the crew is gone; what was
    stored stays.
    """
    jobs = tuple(
        Job(method, study.method(method.name, method.options | {"timeout": plan.timeout}), seed)
        for method in plan.methods
        for seed in range(plan.seed, plan.seed + plan.repeat)
    )
    tally = Tally(plan.total)
    readable: list[str] = []
    chunks = _Chunks(_tasks(study, plan, jobs, tally, readable), jobs, plan)
    batch: list[Record] = []
    committed = time.monotonic()
    try:
        # an exception in the middle of a message would leave half of it in the pipe
        with held() as ending:
            while True:
                while crew.room and (chunk := chunks.next()) is not None:
                    crew.submit(chunk)
                if ending or not crew.busy:
                    break
                for delivery in crew.collect(COMMIT / 2):
                    chunks.learn(delivery)
                    batch += _counted(delivery, tally)
                if time.monotonic() >= committed + COMMIT:
                    _store(study, batch)
                    committed = time.monotonic()
                progress(tally)
    except BaseException:
        for delivery in crew.stop():
            batch += _counted(delivery, tally)
        _store(study, batch)
        raise
    _store(study, batch)
    study.set_failures(tally.unreadable, readable)
    progress(tally)
    return tally


def _counted(delivery: Delivery, tally: Tally) -> list[Record]:
    for record in delivery.records:
        tally.count(record.run)
    return delivery.records


def _store(study: Study, batch: list[Record]) -> None:
    """Write the batch and empty it."""
    if batch:
        study.add(
            [record.board for record in batch if record.board is not None],
            [record.sample for record in batch if record.sample is not None],
            [record.run for record in batch],
        )
        batch.clear()


def _tasks(
    study: Study, plan: Plan, jobs: tuple[Job, ...], tally: Tally, readable: list[str]
) -> Iterator[Task]:
    """Yield what is left to do, board by board; `readable` receives the names of good files."""
    done = [study.done(job.number, job.seed) for job in jobs]
    every = tuple(range(len(jobs)))
    for source in plan.sources:
        if isinstance(source, Draws):
            found = _drawn(study, source)
        else:
            found = _filed(study, source, tally, readable, len(jobs))
        for item, number, known in found:
            todo = every if number is None else tuple(k for k in every if number not in done[k])
            tally.stored += len(every) - len(todo)
            if todo:
                yield Task(item, todo, known)


_Found: TypeAlias = "tuple[Item, int | None, bytes | None]"
"""An item with the number and the hash of its board, None when the study does not hold it."""


def _drawn(study: Study, source: Draws) -> Iterator[_Found]:
    for shape in source.sizes:
        stored = study.stored_samples(source.family.label, source.family.size(shape))
        for seed in range(source.seed, source.seed + source.boards):
            item = Drawn(source.family, shape, seed)
            yield item, *stored.get(item.name, (None, None))


def _filed(
    study: Study, source: Files, tally: Tally, readable: list[str], jobs: int
) -> Iterator[_Found]:
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
        self._over = False

    def learn(self, delivery: Delivery) -> None:
        """Take into account what some runs took."""
        if delivery.records:
            now = delivery.seconds / len(delivery.records)
            self._seconds = max((self._seconds + now) / 2, 1e-6)

    def next(self) -> Chunk | None:
        """Return the next chunk, None when there is none."""
        wanted = min(max(int(CHUNK / self._seconds), 1), MOST_RUNS)
        tasks: list[Task] = []
        runs = 0
        while runs < wanted and not self._over:
            task = next(self._tasks, None)
            if task is None:
                self._over = True
                break
            tasks.append(task)
            runs += len(task.todo)
        if not tasks:
            return None
        return Chunk(tuple(tasks), self._jobs, self._plan.timeout, self._plan.verify)
