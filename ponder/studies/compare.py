"""Ask many methods about many boards, check each answer, and keep it.

    plan ──► tasks ──► workers (processes here, or a Dask cluster) ──► runs ──► study

The plan is what the study does not hold yet, a task a run. One writer, the process that plans,
stores what comes back. A run is a function of its board, method, options and seed, on any worker.
Every answer is put before the independent checker, unless its limit is 0. Encoding, solving and
checking have times and limits of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from ponder.check.result import SOLVER_SAYS, Result
from ponder.check.verification import verify
from ponder.model.board import Board
from ponder.studies.methods import Method, PartLimits
from ponder.studies.sampling import Item, Source
from ponder.studies.study import Run, Study
from ponder.system.errors import BoardError, CheckFailed, PonderError, SolverError
from ponder.system.printable import printable, shortened

COMMIT = 0.5  # seconds between two transactions


@lru_cache(maxsize=1)
def board_of(item: Item) -> Board:
    """Return the board of an item, the same for each of several methods."""
    return item.board()


@dataclass(frozen=True)
class Task:
    """One method to ask about one board."""

    item: Item
    method: Method
    seed: int
    limits: PartLimits = (None, None, None)

    def blank(self, trouble: str = "", seconds: float = 0.0) -> Run:
        """Return the run as it is without an answer. Raises PonderError if there is no board."""
        board = board_of(self.item)
        (name, _), (family, size) = self.item.key(), self.item.group(board)
        known = (name, self.method.name, self.seed, family, size, board.graph.size, board.sha256)
        return Run(*known, *self.limits, trouble=trouble, solve_seconds=seconds)


Workers: TypeAlias = Callable[[Iterator[Task]], Iterator[list[Run]]]
"""A function that does tasks, and yields their runs in batches, which may be empty."""


def run_task(task: Task, tell: Callable[[str], object] = lambda event: None) -> Run:
    """Ask the method, and check its answer; `tell` gets "begun", and "answered" before the check.

    Raises PonderError if there is no board, and never for the method.

    >>> from ponder.studies.methods import chosen
    >>> from ponder.studies.sampling import Family, Generated
    >>> run = run_task(Task(Generated(Family("balanced"), (4, 4), 7), chosen(("auto",))[0], seed=0))
    >>> run.verdict, run.checked
    ('solved', 1)
    """
    task.method.warm_up()
    board = board_of(task.item)
    blank = task.blank()
    tell("begun")
    start, result = time.perf_counter(), None
    try:
        result = task.method.ask(board, task.limits, task.seed)
        trouble = ""
    except Exception as error:  # a method of any origin: its crash is a finding, not the end
        trouble = _trouble(error)
    blank = blank._replace(solve_seconds=time.perf_counter() - start, trouble=trouble)
    tell("answered")
    if trouble:
        return blank
    try:
        if not isinstance(result, Result):
            raise TypeError(f"{type(result).__name__} is not a ponder.Result")
        if task.method.encodes:
            blank = _by_parts(blank, result, str(task.method.options["method"]))
        start = time.perf_counter()
        run = _checked(board, result, blank)
    except Exception as error:  # it may return anything at all
        return blank._replace(trouble=_trouble(error))
    seconds = 0.0 if run.check_timeout == 0 else time.perf_counter() - start
    return run._replace(check_seconds=run.check_seconds + seconds)


def _by_parts(run: Run, result: Result, method: str) -> Run:
    """Return a run with the times of its parts; all but solving and checking is encoding."""
    seconds = {step.method: step.seconds for step in result.steps}
    solve, check = (seconds.get(f"{method} {part}", 0.0) for part in ("solving", "checking"))
    encode = max(0.0, run.solve_seconds - solve - check)
    return run._replace(encode_seconds=encode, solve_seconds=solve, check_seconds=check)


def _checked(board: Board, result: Result, blank: Run) -> Run:
    """Check what a method said, and add it to its run. May raise anything."""
    solver_says, reason = "", ""
    if result.verdict == "unknown":
        solver_says = str(result.statistics.get(SOLVER_SAYS, ""))
        reason = _one_line(result.reason or "it gives no reason")
    run = blank._replace(
        command=result.command, verdict=result.verdict, answered=result.method,
        said=solver_says, reason=reason,
        kind="" if result.refutation is None else result.refutation.kind,
        presses=_stored(result.count), bound=_stored(result.lower_bound),
        trials=_stored(result.statistics.get("trials")),
    )  # fmt: skip
    limit = run.check_timeout
    if limit == 0:
        return run
    left = None if limit is None else max(0.0, limit - run.check_seconds)
    try:
        report = verify(board, result.to_json(), timeout=left)
    except CheckFailed as error:
        return run._replace(trouble=_trouble(error))
    if report.unchecked_verdict and run.verdict == "impossible":  # not proved
        why = next(text.unchecked for text in report.statements if text.unchecked)
        return run._replace(verdict="unknown", said="no order", reason=f"not checked: {why}")
    return run._replace(checked=2 if report.unchecked_verdict else 1)


def _stored(number: object) -> int | None:
    """Return a number that fits a study. Raises ValueError for one that no honest run has."""
    if isinstance(number, int) and not 0 <= number < 2**31:
        raise ValueError("a number of presses or trials is negative or too large")
    return number if isinstance(number, int) else None


def _trouble(error: Exception) -> str:
    """Return the trouble of a run whose method raised this error."""
    text = _one_line(str(error)) or type(error).__name__
    if isinstance(error, CheckFailed):
        return f"rejected: {text}"
    if isinstance(error, SolverError):
        return f"failed: {text}"
    if isinstance(error, PonderError):
        return f"refused: {text}"
    if isinstance(error, MemoryError):
        return "lost: out of memory"
    return f"crashed: {type(error).__name__}: {text}"


def _one_line(text: str) -> str:
    return printable(shortened(" ".join(text.split()), 300))


# --------------------------------------------------------------------------------------- the plan


@dataclass
class Tally:
    """Runs to make, stored before and made, and the files that are no boards."""

    total: int
    stored: int = 0
    done: int = 0
    unreadable: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """The runs to make. `shard` (I, N): only the boards whose place is I modulo N."""

    sources: tuple[Source, ...]
    methods: tuple[Method, ...]
    seed: int = 0
    limits: PartLimits = (None, None, None)
    shard: tuple[int, int] = (0, 1)
    retry: bool = False  # make those again that were killed or failed

    @property
    def total(self) -> int:
        """The number of runs, those that are stored already among them."""
        index, count = self.shard
        boards = max(0, -(-(sum(map(len, self.sources)) - index) // count))
        return boards * len(self.methods)


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
    >>> from ponder.studies.sampling import parse_family
    >>> plan = Plan((parse_family("cross:4:boards=3"),), tuple(chosen(("auto",))))
    >>> with Study(":memory:", create=True) as study:
    ...     compare(study, plan, lambda tasks: ([run_task(task)] for task in tasks)).done
    3
    """
    tally = Tally(plan.total)
    unwritten: list[Run] = []
    committed = time.monotonic()
    batches = workers(_tasks(study, plan, tally))
    try:
        for batch in batches:
            unwritten += batch
            tally.done += len(batch)
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
            tally.total -= len(plan.methods)
            continue
        done = study.done(name, sha256, plan.limits, plan.retry)
        for method in plan.methods:
            if (method.name, plan.seed) in done:
                tally.stored += 1
            else:
                yield Task(item, method, plan.seed, plan.limits)
