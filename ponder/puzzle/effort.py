"""What a search may spend and whom it tells: seed, limits, progress, and the log of its stages.

One object goes from stage to stage. Each method runs inside a `Stage`, which tells the log what the
method answered and what it took, also where a limit ends it. The log has one line a method, however
often that was asked: a search by clusters asks some of them a million times.

Cost. A stage 1 µs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from types import TracebackType
from typing import Self, TypeAlias, TypeVar

from ponder.errors import NeedsMemory
from ponder.limits import Limits, TimeUp
from ponder.printable import counted
from ponder.puzzle.answer import Best
from ponder.puzzle.ordering_problem import Order, Unknown
from ponder.puzzle.refutation import Refutation
from ponder.puzzle.result import Step
from ponder.puzzle.solver_refutations import Randomised

Progress: TypeAlias = Callable[[str], None]
Answered = TypeVar("Answered")


def silent(text: str) -> None:
    """Take a report of progress, and say nothing."""


def told(answer: object) -> str:
    """Return in a few words what a method answered, for the log; TypeError for what is no answer.

    >>> import numpy as np
    >>> told(Best("clusters", np.array([4, 0, 4]), 1)), told(Best("clusters", None, 7))
    ('3 presses, at least 1', 'nothing found, at least 7 presses')
    """
    match answer:
        case Order():
            return f"ordered {counted(answer.vertices.size, 'press')}"
        case Refutation():
            return f"refuted: {answer.kind}"
        case Unknown():
            return answer.reason
        case Best(presses=None):
            return f"nothing found, at least {counted(answer.lower_bound or 0, 'press')}"
        case Best():
            return f"{counted(answer.count or 0, 'press')}, at least {answer.lower_bound or 0}"
    raise TypeError(f"no answer of a method: {answer!r}")


def _verdict(answer: object) -> str:
    """Return in a word what a method answered, for a sum of many answers."""
    match answer:
        case Order():
            return "ordered"
        case Randomised():
            return "without an order, by evidence"
        case Refutation():
            return "refuted"
        case Unknown() | None:
            return "open"
    return "passed"


class Stage:
    """One method at work, from `with` to the end of the block; then the log knows of it.

    `answer` is what the method said, `outcome` what that is in words, where the answer does not
    speak for itself. TimeUp and NeedsMemory are an outcome as well, and go on.
    """

    __slots__ = ("_log", "_start", "answer", "method", "outcome", "seconds")

    def __init__(self, method: str, log: Log) -> None:
        self.method, self._log = method, log
        self.answer: object = None
        self.outcome = ""

    def __enter__(self) -> Self:
        self._start = perf_counter()
        return self

    def said(self, answer: Answered, outcome: str = "") -> Answered:
        """Keep what the method answered, and return it."""
        self.answer, self.outcome = answer, outcome
        return answer

    def __exit__(
        self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None
    ) -> None:
        self.seconds = perf_counter() - self._start
        ended = isinstance(why, TimeUp | NeedsMemory)
        if ended:
            self.answer, self.outcome = None, str(why)
        if why is None or ended:
            self._log.add(self)


@dataclass
class _Line:
    """What one method did: in words the first time, and the verdicts of all times."""

    method: str
    first: str
    seconds: float = 0.0
    verdicts: Counter[str] = field(default_factory=Counter)

    @property
    def step(self) -> Step:
        outcome = ", ".join(f"{times:,} {verdict}" for verdict, times in self.verdicts.items())
        outcome = self.first if self.verdicts.total() < 2 else outcome
        return Step(self.method, outcome, self.seconds)


class Log:
    """The stages that have ended, one line a method, in the order in which they ended first.

    >>> effort = Effort()
    >>> for most in (20, 22):
    ...     with effort.stage("subsets") as stage:
    ...         answer = stage.said(Unknown(f"more than {most} presses"))
    ...     print(effort.log.steps[0].outcome)
    more than 20 presses
    2 open
    """

    def __init__(self) -> None:
        self._lines: list[_Line] = []
        self._of: dict[str, _Line] = {}

    def add(self, stage: Stage) -> None:
        """Take down a stage, on the line of its method."""
        line = self._of.get(stage.method)
        if line is None:
            line = _Line(stage.method, stage.outcome or told(stage.answer))
            self._of[stage.method] = line
            self._lines.append(line)
        line.seconds += stage.seconds
        line.verdicts[_verdict(stage.answer)] += 1

    def append(self, step: Step) -> None:
        """Take down a step, on a line of its own."""
        self._lines.append(_Line(step.method, step.outcome, step.seconds))

    @property
    def steps(self) -> tuple[Step, ...]:
        """All lines, as a result lists them."""
        return tuple(line.step for line in self._lines)


@dataclass
class Effort:
    """How a search goes about it: how it draws, what bounds it, and where it reports to.

    `seed`       of every random choice: the same seed, the same answer, limits aside
    `limits`     the clock of the whole call, which every stage looks at
    `progress`   is told in a line what is under way
    `log`        the stages that have ended; it becomes `Result.steps`
    """

    seed: int = 0
    limits: Limits = field(default_factory=lambda: Limits(None))
    progress: Progress = silent
    log: Log = field(default_factory=Log)

    def stage(self, method: str) -> Stage:
        """Return the stage of one method, for `with`."""
        return Stage(method, self.log)
