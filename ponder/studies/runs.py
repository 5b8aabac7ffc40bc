"""Runs: a method is asked about a board, and its answer is checked.

A run is a function of its board, its method, the options and the seed, on any worker.

Checks. Every order is replayed press by press. `ponder.verify`, which imports no solver, checks a
result: always, for one board in SAMPLED (chosen by its hash), or not at all.

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
from collections.abc import Iterator, MutableSequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ponder.check.result import Result
from ponder.model.board import Board
from ponder.studies.methods import Method
from ponder.studies.sampling import FromFile, Item, Oriented, size_label
from ponder.studies.study import BoardRow, Outcome, Run, Sample, packed
from ponder.system.errors import CheckFailed, PonderError
from ponder.system.printable import printable, shortened

Verify: TypeAlias = Literal["all", "sample", "none"]

SAMPLED = 16  # under `sample`, one board in sixteen is verified
LISTED = 8  # nullities up to this have their lightest press set looked for

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
    alone: bool = False  # whether its one run has cost a worker before

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


Watch: TypeAlias = MutableSequence[float]
"""What others see of the runs of a chunk, and how they stop them: three numbers."""
RUN = 0  # the place in the chunk of the run in progress
SINCE = 1  # when it began, 0 between two runs
STOP = 2  # whether to stop after it; others set it


def run_chunk(chunk: Chunk, watch: Watch | None = None) -> Iterator[Record]:
    """Do the runs of a chunk, in order, one record each.

    >>> from ponder.studies.methods import chosen
    >>> from ponder.studies.sampling import Family, Generated
    >>> task = Task(Generated(Family("balanced"), (4, 4), 7), todo=(0,))
    >>> chunk = Chunk((task,), (Job(chosen(("auto",))[0], 1, 0),), timeout=10.0, verify="all")
    >>> [(record.run.outcome.verdict, record.run.checked) for record in run_chunk(chunk)]
    [('solved', 1)]
    """
    at, watch = 0, [0.0] * 3 if watch is None else watch
    for task in chunk.tasks:
        board = task.item.board()
        news = _news(task, board)
        if task.known is not None and task.known.hex() != board.sha256:
            raise PonderError(
                f"{task.item.family_label} {size_label(board)} {task.item.name}: this ponder draws "
                "another board than the study holds under that name; begin a new study"
            )
        for number in task.todo:
            job = chunk.jobs[number]
            watch[RUN], watch[SINCE] = at, time.monotonic()
            run = one_run(board, job, chunk.timeout, chunk.verify, watch)
            yield Record(*news, run)
            news, at = (None, None), at + 1
            if watch[STOP]:
                return


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
        watch[SINCE] = 0.0
    sha256 = bytes.fromhex(board.sha256)
    if trouble is not None:
        return troubled(sha256, job, seconds, trouble)
    try:
        if not isinstance(result, Result):
            raise TypeError(f"{type(result).__name__} is not a ponder.Result")
        content = result.to_json()
        checked, trouble = _check(board, content, result, verify)
        trials, why = result.statistics.get("trials"), result.refutation
        once = result.presses is None or np.unique(result.presses).size == result.presses.size
        asked = result.command, result.verdict, result.claim or ""
        outcome = Outcome(*asked, "" if why is None else why.kind, result.method, once)
        bound, trials = _stored(result.lower_bound), _stored(trials)
        numbers = result.count, bound, trials, seconds, checked
        return Run(sha256, job.number, job.seed, outcome, *numbers, trouble, packed(content))
    except Exception as error:  # a method of another origin may return anything at all
        return troubled(sha256, job, seconds, f"crashed: {type(error).__name__}: {_line(error)}")


def _stored(number: object) -> int | None:
    """Return a number that fits a study. Raises ValueError for one that no honest run has."""
    if not isinstance(number, int):
        return None
    if not 0 <= number < 2**31:
        raise ValueError("a number of presses or trials that is out of any sense")
    return number


def _check(
    board: Board, content: dict[str, object], result: Result, verify: Verify
) -> tuple[int, str | None]:
    from ponder.check.evidence.sat_proof import SatProof
    from ponder.check.limits import Budget
    from ponder.check.replay import check_order, replay
    from ponder.check.verification import verify as verify_result

    given = isinstance(board, Oriented) and board.question.fixed.size > 0
    try:
        if isinstance(board, Oriented) and given and result.presses is not None:
            check_order(board.question.problem, result.presses)
            return 1, None
        if verify == "all" or (verify == "sample" and int(board.sha256[:8], 16) % SAMPLED == 0):
            if isinstance(board, Oriented) and given and isinstance(result.refutation, SatProof):
                left = result.refutation.check_problem(board.question.problem, Budget())
                return 1 if left is None else 2, None
            report = verify_result(board, content)
            return 2 if report.unchecked_verdict else 1, None
        if result.presses is not None:
            replay(board, result.presses)
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
    board, job = task.item.board(), only.jobs[task.todo[0]]
    run_lost = troubled(bytes.fromhex(board.sha256), job, seconds, trouble)
    return Record(*_news(task, board), run_lost)


def _news(task: Task, board: Board) -> tuple[BoardRow | None, Sample | None]:
    """Return the board and the sample of a task, where the study does not hold them."""
    if task.known is not None:
        return None, None
    return describe(board), sample_of(task.item, board)


def describe(board: Board) -> BoardRow:
    """Return a board as it is stored; `lightest` presses where they are quickly known."""
    import zlib

    from ponder.find.linear.press_sets import PressSets, press_sets
    from ponder.model.formats import board_text

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
    graph, text = board.graph, zlib.compress(board_text(board).encode(), 6)
    told = graph.pattern, board.rule, board.goal_name, graph.size, nullity, lightest, text
    return BoardRow(bytes.fromhex(board.sha256), *told)


def sample_of(item: Item, board: Board) -> Sample:
    """Return the sample that an item is."""
    family = item.family_label
    if isinstance(item, FromFile):
        family += f": {board.graph.pattern.split()[0]}"
    sha256 = bytes.fromhex(board.sha256)
    return Sample(family, size_label(board), board.graph.size, item.name, sha256)


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return printable(shortened(text, 300))
