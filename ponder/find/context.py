"""What a call asks, what is known of its board, and what a search may spend and reports.

`SearchContext` is what every search is told: seed, limits, progress, and the log with one line for
each method. `SolveSession` adds the settings of one call, `Known` is handed from stage to stage
(`ponder.find.stages`). A search is a generator (`Steps`): it yields a `Snapshot` whenever more is
known, and returns its outcome; close it to stop early.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, get_args

from ponder.check.certificate import Bound, Claim, Refutation
from ponder.check.result import Sought, Step
from ponder.check.witness import Randomised
from ponder.find.linear.press_sets import PressSets
from ponder.find.ordering.greedy import Trials
from ponder.model.board import Board
from ponder.model.ordering_problem import Order, Unknown
from ponder.system.errors import BadArgument, quoted
from ponder.system.limits import NEVER, LimitReached, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints

if TYPE_CHECKING:
    from ponder.find.solvers.by_encoding import SolverSettings

Method: TypeAlias = Literal["auto", "greedy", "lines", "sat", "cpsat", "asp"]
METHODS: tuple[Method, ...] = get_args(Method)
TRIALS = 20  # greedy trials by default
PROMPT = 1 << 14  # up to this many bulbs, the first steps are done however short the time
TELLING = 2e-6  # seconds for a press, or a bulb, of a sequence that is printed and replayed

Progress: TypeAlias = Callable[[str], None]
Answered = TypeVar("Answered")
Outcome = TypeVar("Outcome")


def silent(text: str) -> None:
    """Ignore a report of progress."""


def told_to(progress: Progress | None) -> Progress:
    """Return the function that takes reports of progress. Raises BadArgument for no function."""
    if progress is not None and not callable(progress):
        raise BadArgument(f"{quoted(progress)} is not a function", "progress")
    return progress or silent


# ----------------------------------------------------------------------------- what a search yields


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What a search knows on its way: `count` presses do (None: none known), and no fewer than so.

    `play` makes the sequence, which takes time: call it while the search stands still.
    """

    count: int | None
    lower_bound: int
    play: Callable[[], Ints | None]

    def __str__(self) -> str:
        """Return the report of progress.

        >>> str(Snapshot(5, 4, lambda: None)), str(Snapshot(None, 4, lambda: None))
        ('between 4 and 5 presses, gap 20.0 %', 'at least 4 presses')
        """
        if self.count is None:
            return f"at least {pluralise(self.lower_bound, 'press')}"
        if self.count <= self.lower_bound:
            return f"{pluralise(self.count, 'press')}, and no fewer"
        gap = 100 * (self.count - self.lower_bound) / self.count
        return f"between {self.lower_bound} and {self.count} presses, gap {gap:.1f} %"


Steps: TypeAlias = Generator[Snapshot, None, Outcome]


def ended(steps: Steps[Outcome]) -> Outcome:
    """Return what a search answers in the end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome


@dataclass(frozen=True, eq=False)
class SearchOutcome(Sought):
    """The best presses found, and what is proved of all others; or a refutation.

    `method`       the method that found it
    `presses`      bulbs in play order; None when none were found
    `lower_bound`  no presses of the kind that was asked for are fewer; None when nothing is proved
    `evidence`     for `lower_bound`; None when there is none that can be checked
    `reason`       why the search ended before the two met, else None
    `refutation`   why there are no presses of the kind that was asked for, of `counts`
    `claim`        what the refutation proves; None where it is evidence and no proof
    """

    method: str
    presses: Ints | None = None
    lower_bound: int | None = None
    evidence: Bound | None = None
    reason: str | None = None
    statistics: dict[str, object] = field(default_factory=dict)
    refutation: Refutation | None = None
    claim: Claim | None = None
    counts: Bits | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Chosen(SearchOutcome):
    """The cheapest press set found; the bound is on all of them. It is not yet ordered.

    `press_set`  (n,) bits
    `cost`       no legal sequence whose odd presses are `press_set` has fewer presses
    """

    press_set: Bits
    cost: int


# ------------------------------------------------------------------------------------------ the log


def told(answer: object) -> str:
    """Return an answer of a method in a few words. Raises TypeError for no answer."""
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
    """The answer of a method at work, for the log; `outcome` in words, where it needs some."""

    answer: object = None
    outcome: str = ""

    def said(self, answer: Answered, outcome: str = "") -> Answered:
        """Keep and return an answer."""
        self.answer, self.outcome = answer, outcome
        return answer


class Log:
    """The methods that have ended, a line each; a search may call a method a million times."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}  # the first answer of each method, in words
        self._verdicts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def add(self, method: str, answer: object, outcome: str, seconds: float) -> None:
        """Count what a method answered on its line."""
        if method not in self._first:
            self._first[method] = outcome or told(answer)
        self._verdicts[method][_verdict(answer)] += 1
        self._seconds[method] += seconds

    def seconds(self, method: str) -> float:
        """Return the seconds that a method took so far."""
        return self._seconds[method]

    def include(self, part: Log) -> None:
        """Count what another log says, and move its seconds here: so they count once, ever."""
        self._first |= {key: words for key, words in part._first.items() if key not in self._first}
        for method, verdicts in part._verdicts.items():
            self._verdicts[method].update(verdicts)
            self._seconds[method] += part._seconds.pop(method, 0.0)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All lines, as a result lists them."""
        steps = []
        for method, outcome in self._first.items():
            verdicts = self._verdicts[method]
            if verdicts.total() > 1:
                outcome = ", ".join(f"{times:,} {verdict}" for verdict, times in verdicts.items())
            steps.append(Step(method, outcome, self._seconds[method]))
        return tuple(steps)


# ------------------------------------------------------------------------------ settings of a call


@dataclass
class SearchContext:
    """The settings that all searches share.

    `seed`      of every random choice: the same seed, the same answer, limits aside
    `limits`    the clock of the whole call
    `progress`  called with a line about the step under way
    `log`       the methods that have ended; it becomes `Result.steps`
    """

    seed: int = 0
    limits: Limits = field(default_factory=lambda: Limits(None))
    progress: Progress = silent
    log: Log = field(default_factory=Log)

    @property
    def reason(self) -> str | None:
        """Why the call ended early, if its caller cancelled it."""
        return self.limits.reason if self.limits.cancelled else None

    def prompt(self, bulbs: int) -> Limits:
        """Return the limits of a first step on so many bulbs."""
        return NEVER if bulbs <= PROMPT else self.limits

    @contextmanager
    def stage(self, method: str) -> Iterator[Stage]:
        """Run one method; log its answer at the end, or which limit ended it, and raise that on."""
        stage, start = Stage(), perf_counter()
        try:
            yield stage
        except LimitReached as stopped:
            self.log.add(method, None, str(stopped), perf_counter() - start)
            raise
        self.log.add(method, stage.answer, stage.outcome, perf_counter() - start)


@dataclass(kw_only=True)
class SolveSession(SearchContext):
    """The settings of one call.

    `command`    whether each bulb is pressed at most once (`order`), or may be repeated (`solve`)
    `method`     the method asked for; `auto` takes whatever answers
    `every`      name all lightest press sets under the rule `any`, if they are few
    `at_most`    the number of presses that is asked about, if one is
    """

    command: Literal["order", "solve"] = "order"
    method: Method = "auto"
    trials: Trials = field(default_factory=lambda: Trials(count=TRIALS))
    solver_settings: SolverSettings | None = None
    list_all: bool = False
    at_most: int | None = None
    best_so_far: Callable[[str], SearchOutcome] | None = None
    """Returns the best answer of the search under way when it is stopped; takes the reason."""

    def helped(self, reason: str | None) -> str:
        """Return why no answer is known, and unless the call was stopped, what may help."""
        reason, left = reason or "no method decides it", self.limits.left()
        if reason == "interrupted" or (self.limits.expired and left != 0):
            return reason
        needed = "a smaller question"
        if left == 0 or "time limit" in reason:
            needed = "more time"
        elif "memory" in reason:
            needed = "more memory, or a smaller question,"
        elif self.method == "greedy":
            needed = "more trials, or the method auto,"
        elif self.method != "auto":
            needed = "the method auto"
        return f"{reason}: {needed} may decide it"


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of a board.

    `bound`     the best bound with its evidence: the answer, should a limit end the search
    `solved`    all press sets, or the one that was given as if there were no other
    `remainder` that of the presses of every legal sequence modulo 4; None where not known
    `claim`     what a refutation of the only press set proves
    `choice`    a press set chosen for its half factor, on boards with an odd side
    `answer`    what ends the search
    """

    board: Board
    bound: SearchOutcome = field(default_factory=lambda: SearchOutcome("linear"))
    solved: PressSets | None = None
    remainder: int | None = None
    claim: Claim = "C2"
    choice: Chosen | None = None
    answer: SearchOutcome | None = None

    @property
    def sets(self) -> PressSets:
        """The press sets, which every stage but the first may ask for."""
        assert self.solved is not None
        return self.solved

    def answered(self, answer: SearchOutcome) -> Known:
        """Return what is known with an answer."""
        return replace(self, answer=answer)

    def refuted(
        self, method: str, why: Refutation, claim: Claim, counts: Bits | None = None
    ) -> Known:
        """Return what is known with the answer that there are no such presses."""
        return self.answered(SearchOutcome(method, refutation=why, claim=claim, counts=counts))


def is_own(method: str, by: str) -> bool:
    """Whether an answer by `by` is a method's own; `auto` and strangers' take whatever answers.

    A block of the presses counts for the method that ordered it.

    >>> is_own("asp:count", "asp"), is_own("greedy", "blocks+greedy"), is_own("asp", "linear")
    (True, True, False)
    """
    word = method.partition(" ")[0].partition(":")[0].partition("-")[0]
    allowed = {word, "blocks", *(("switches",) if word == "lines" else ())}
    parts = by.split("+")
    return word not in METHODS or word == "auto" or ({*parts} <= allowed and parts != ["blocks"])
