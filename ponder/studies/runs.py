"""Runs: methods are asked about a board, and each answer is checked.

A run is a function of its board, its method, the options and the seed, on any worker. Every order
is replayed press by press. The independent checker sees all results, those of one board in SAMPLED
(chosen by its hash), or none.

Trouble that a run may end in, stored as `kind: reason` beside a verdict `unknown` (but for
`rejected`, which keeps the verdict that is false):

    refused     the method says that it is not made for this board
    late        it ignored its time limit and was killed
    lost        it took its process with it (out of memory, or killed from outside)
    crashed     it raised an error                                                     fails
    rejected    the checker refused its answer                                         fails
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from ponder.check.replay import replay
from ponder.check.result import Result
from ponder.check.verification import verify as verify_result
from ponder.model.board import Board
from ponder.studies.methods import Method
from ponder.studies.sampling import Item
from ponder.system.errors import CheckFailed, PonderError
from ponder.system.printable import printable, shortened

Verify: TypeAlias = Literal["all", "sample", "none"]

SAMPLED = 16
FAILING = ("crashed", "rejected")
REPEATABLE = ("late", "lost", "crashed", "rejected")


class Run(NamedTuple):
    """One line of a study; `board`, `method` and `seed` are its key.

    `checked`: 1 when all that carries evidence was checked, 2 when the verdict rests on something
    that cannot be checked, 0 when nothing was. `bound`: a proved lower bound on the presses.
    """

    board: str
    method: str
    seed: int
    family: str
    size: str
    bulbs: int
    sha256: str
    timeout: float | None
    command: str = ""
    verdict: str = "unknown"
    kind: str = ""  # of the refutation
    answered: str = ""  # the method of the result
    presses: int | None = None
    bound: int | None = None
    trials: int | None = None
    seconds: float = 0.0
    checked: int = 0
    trouble: str = ""


@dataclass(frozen=True)
class Task:
    """A board, and which methods with which seeds are to be asked about it."""

    item: Item
    todo: tuple[tuple[Method, int], ...]
    timeout: float | None = None
    verify: Verify = "all"

    def blank(self, board: Board) -> Run:
        """Return what is known of its runs before one is made."""
        (name, _), (family, size) = self.item.key(), self.item.group(board)
        return Run(name, "", 0, family, size, board.graph.size, board.sha256, self.timeout)

    def rest(self, first: int) -> Task:
        """Return the task without its first runs."""
        return replace(self, todo=self.todo[first:])


def run_task(
    task: Task, board: Board | None = None, answered: Callable[[], object] = lambda: None
) -> Iterator[Run]:
    """Do the runs of a task, in order; `answered` is called before an answer is checked.

    >>> from ponder.studies.methods import chosen
    >>> from ponder.studies.sampling import Family, Generated
    >>> item = Generated(Family("balanced"), (4, 4), 7)
    >>> task = Task(item, tuple((method, 0) for method in chosen(("auto",))))
    >>> [(run.verdict, run.checked) for run in run_task(task)]
    [('solved', 1)]
    """
    board = task.item.board() if board is None else board
    blank = task.blank(board)
    for method, seed in task.todo:
        run, result = _asked(board, method, task, blank._replace(method=method.name, seed=seed))
        answered()
        yield run if run.trouble else _checked(board, result, task, run)


def _asked(board: Board, method: Method, task: Task, blank: Run) -> tuple[Run, object]:
    """Ask one method. Never raises for the method."""
    trouble = ""
    result: object = None
    start = time.perf_counter()
    try:
        result = method.ask(board, task.timeout, blank.seed)
    except PonderError as error:
        word = "rejected" if isinstance(error, CheckFailed) else "refused"
        trouble = f"{word}: {_line(error)}"
    except MemoryError:
        trouble = "lost: out of memory"
    except Exception as error:  # a method of any origin: its crash is a finding, not the end
        trouble = f"crashed: {type(error).__name__}: {_line(error)}"
    return blank._replace(seconds=time.perf_counter() - start, trouble=trouble), result


def _checked(board: Board, result: object, task: Task, blank: Run) -> Run:
    """Check what a method said, and add it to its run."""
    try:
        if not isinstance(result, Result):
            raise TypeError(f"{type(result).__name__} is not a ponder.Result")
        checked, trouble = _check(board, result, task.verify)
        return blank._replace(
            command=result.command, verdict=result.verdict, answered=result.method,
            kind="" if result.refutation is None else result.refutation.kind,
            presses=_stored(result.count), bound=_stored(result.lower_bound),
            trials=_stored(result.statistics.get("trials")), checked=checked, trouble=trouble,
        )  # fmt: skip
    except Exception as error:  # a method of another origin may return anything at all
        return blank._replace(trouble=f"crashed: {type(error).__name__}: {_line(error)}")


def _stored(number: object) -> int | None:
    """Return a number that fits a study. Raises ValueError for one that no honest run has."""
    if not isinstance(number, int):
        return None
    if not 0 <= number < 2**31:
        raise ValueError("a number of presses or trials that is out of any sense")
    return number


def _check(board: Board, result: Result, verify: Verify) -> tuple[int, str]:
    try:
        if verify == "all" or (verify == "sample" and int(board.sha256[:8], 16) % SAMPLED == 0):
            report = verify_result(board, result.to_json())
            return 2 if report.unchecked_verdict else 1, ""
        if result.presses is not None:
            replay(board, result.presses)
            return 1, ""
    except CheckFailed as error:
        return 0, f"rejected: {_line(error)}"
    return 0, ""


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return printable(shortened(text, 300))
