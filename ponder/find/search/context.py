"""What a search may spend and whom it tells: seed, limits, progress, and the log of its stages.

One object goes from stage to stage. Each method runs inside of `SearchContext.stage`, which tells
the log what the method answered and what it took, also where a limit ends it. The log has one line
a method, however often that was asked: a search by clusters asks some of them a million times.

Cost. A stage 2 µs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TypeAlias, TypeVar

from ponder.check.evidence.randomised import Randomised
from ponder.check.kinds import Refutation
from ponder.check.result import Step
from ponder.find.search.outcome import SearchOutcome
from ponder.model.ordering_problem import Order, Unknown
from ponder.system.errors import BadArgument, quoted
from ponder.system.limits import NEVER, LimitReached, Limits
from ponder.system.printable import pluralise

PROMPT = 1 << 14  # up to this many bulbs, the first steps are done however short the time
TELLING = 2e-6  # seconds for a press, or a bulb, of a sequence that is told and replayed in the end

Progress: TypeAlias = Callable[[str], None]
Answered = TypeVar("Answered")


def silent(text: str) -> None:
    """Take a report of progress, and say nothing."""


def told_to(progress: Progress | None) -> Progress:
    """Return whom to tell of progress: nobody, for None. Raises BadArgument for no function."""
    if progress is not None and not callable(progress):
        raise BadArgument(f"{quoted(progress)} is not a function", "progress")
    return silent if progress is None else progress


def told(answer: object) -> str:
    """Say in a few words, for the log, what a method answered. Raises TypeError for no answer."""
    match answer:
        case Order():
            return f"ordered {pluralise(answer.vertices.size, 'press')}"
        case Refutation():
            return f"refuted: {answer.kind}"
        case Unknown():
            return answer.reason
        case SearchOutcome(presses=None):
            return f"nothing found, at least {pluralise(answer.lower_bound or 0, 'press')}"
        case SearchOutcome():
            return f"{pluralise(answer.count or 0, 'press')}, at least {answer.lower_bound or 0}"
    raise TypeError(f"no answer of a method: {answer!r}")


def _verdict(answer: object) -> str:
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


@dataclass
class Stage:
    """What a method says while it is at work, for the log."""

    answer: object = None
    outcome: str = ""

    def said(self, answer: Answered, outcome: str = "") -> Answered:
        """Keep and return an answer; `outcome` in words, where it does not speak for itself."""
        self.answer, self.outcome = answer, outcome
        return answer


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
    """The stages that have ended, one line a method, in the order in which they ended first."""

    def __init__(self) -> None:
        self._lines: list[_Line] = []
        self._of: dict[str, _Line] = {}

    def add(self, method: str, answer: object, outcome: str, seconds: float) -> None:
        """Take down what a method answered, on its line."""
        line = self._of.get(method) or self._begun(method, outcome or told(answer))
        line.seconds += seconds
        line.verdicts[_verdict(answer)] += 1

    def append(self, step: Step) -> None:
        """Take down a step, on a line of its own."""
        self._lines.append(_Line(step.method, step.outcome, step.seconds))

    def include(self, part: Log) -> None:
        """Count what another log says, and move its seconds here: so they count once, ever."""
        for method, other in part._of.items():
            line = self._of.get(method) or self._begun(method, other.first)
            line.verdicts.update(other.verdicts)
            line.seconds += other.seconds
            other.seconds = 0.0

    def _begun(self, method: str, first: str) -> _Line:
        line = self._of[method] = _Line(method, first)
        self._lines.append(line)
        return line

    @property
    def steps(self) -> tuple[Step, ...]:
        """All lines, as a result lists them."""
        return tuple(line.step for line in self._lines)


@dataclass
class SearchContext:
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

    def prompt(self, bulbs: int) -> Limits:
        """Return the limits of a first step on so many bulbs."""
        return NEVER if bulbs <= PROMPT else self.limits

    @contextmanager
    def stage(self, method: str) -> Iterator[Stage]:
        """Run one method; log what it says at the end, or what a limit says, which goes on."""
        stage, start = Stage(), perf_counter()
        try:
            yield stage
        except LimitReached as stopped:
            self.log.add(method, None, str(stopped), perf_counter() - start)
            raise
        self.log.add(method, stage.answer, stage.outcome, perf_counter() - start)
