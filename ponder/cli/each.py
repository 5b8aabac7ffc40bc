"""Many questions in one text: a line or a JSON line for each, as soon as it is answered.

What goes wrong with one question is its answer, and the next one follows. The last line counts the
verdicts. With several processes the answers still come in the order of the questions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ponder.cli import counting, options
from ponder.cli.options import option
from ponder.cli.terminal import Progress, remark, say
from ponder.system.errors import BoardError, PonderError
from ponder.system.limits import LimitReached, Limits
from ponder.system.printable import pluralise, printable
from ponder.system.signals import received

if TYPE_CHECKING:
    from ponder.model.formats import Question

COUNTS, EACH = "ponder.counts/1", "ponder.each/1"
ERROR = "error"  # the verdict of a question that is none
TOGETHER = 32  # questions that go to a process at once

jobs_option: Any = option(
    "--jobs N",
    "Of many questions: answer in N processes; 0: one a core.",
    type=options.Whole(0, 1000),
    default=1,
)


@dataclass(frozen=True)
class Ask:
    """What is asked of every question; `odd` and `fixed` are words about the vertices of graphs."""

    command: str
    header: options.Header
    as_json: bool
    seed: int
    timeout: float | None
    odd: str = ""
    fixed: str = ""
    count: bool = False

    def answer(self, question: Question) -> Answer:
        """Answer one question."""
        try:
            said, verdict, content, count = self._asked(question)
        except PonderError as error:
            here = isinstance(error, BoardError) and error.source == question.source
            reason = error.reason if here and isinstance(error, BoardError) else str(error)
            said, verdict, content, count = f"error: {reason}", ERROR, {ERROR: reason}, None
        text = printable(f"{question.line}: {said}")
        if self.as_json:
            text = json.dumps({"line": question.line, **content})
        return Answer(verdict, text, count)

    def _asked(self, question: Question) -> tuple[str, str, dict[str, object], int | None]:
        """Return the answer in a line, its verdict, its JSON, and its number.

        That is the proved fewest presses, or an exact count.
        """
        limits = Limits(self.timeout)
        if self.count:
            try:
                if self.command == "orient":
                    found = counting.count_of_graph(question, self.odd, self.fixed, limits)
                else:
                    found = counting.count_of_board(self.header.board(question), None, limits)
            except LimitReached as stopped:
                return str(stopped), "unknown", {"unknown": str(stopped)}, None
            exact = found.number.exact
            number = found.number.number if exact else None
            return str(found), "counted" if exact else "unknown", found.to_json(), number
        if self.command == "orient":
            from ponder.find.orient import outcome_json, verdict_of
            from ponder.find.session import SolveSession

            asked = options.asked_of(question, self.odd, self.fixed)
            outcome = asked.outcome(SolveSession(seed=self.seed, limits=limits))
            verdict, content = verdict_of(outcome), dict[str, object]()
            if self.as_json:
                content = outcome_json(asked, outcome, self.seed, limits.elapsed)
            no = "no such orientation: " if verdict == "impossible" else ""
            return no + outcome.sentence, verdict, content, None
        from ponder.find.order import order
        from ponder.find.solve import solve

        board = self.header.board(question)
        find = order if self.command == "order" else solve
        result = find(board, seed=self.seed, timeout=limits)
        why = "" if result.refutation is None else f": {result.refutation.sentence(board)}"
        proved = result.count if result.optimal else None
        content = result.to_json() if self.as_json else {}
        return result.sentence + why, result.verdict, content, proved


class Answer(NamedTuple):
    """An answer as it is printed, and what is counted of it."""

    verdict: str
    text: str
    number: int | None


def questions_of(file: str) -> tuple[Question, Iterator[Question] | None]:
    """Return the first question of a file, and all of them where it has many."""
    from ponder.model.formats import questions

    if options.is_shape(file):
        return options.question_in(file), None
    asked = questions(file)
    first = next(asked)
    return first, None if first.line is None else chain([first], asked)


def answer_each(
    ask: Ask, asked: Iterable[Question], jobs: int, *, quiet: bool, summary: bool = False
) -> int:
    """Print an answer for each question and what they come to; return the exit code.

    `summary` prints the sum of the fewest presses as well, and in JSON one object in all.
    """
    from ponder.system.pool import in_parallel

    coming = iter(asked)
    step = 1 if jobs == 1 else TOGETHER
    parts = iter(lambda: (ask, list(islice(coming, step))), (ask, []))
    verdicts, counts = list[str](), list[int | None]()
    with Progress(quiet) as progress:
        for part in in_parallel(_answers, parts, jobs or None):
            for answer in part:
                verdicts.append(answer.verdict)
                counts.append(answer.number)
                if not (summary and ask.as_json):
                    say([answer.text])
            progress.say(f"{len(verdicts):,} questions")
            if received() is not None:
                return 130
    of, total = Counter(verdicts), sum(count or 0 for count in counts)
    complete = not of["unknown"] and not of[ERROR]
    if not ask.as_json:
        named = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(of.items()))
        say([f"{pluralise(len(verdicts), 'question')}: {named}"])
        if ask.command == "solve" or ask.count:
            say([f"sum {total}"])
    else:
        content: dict[str, object] = {"schema": COUNTS, "questions": len(verdicts), "verdicts": of}
        if summary:
            content = {"schema": EACH, "counts": counts, "verdicts": verdicts}
        click.echo(json.dumps({**content, "sum": total, "complete": complete}))
    if of[ERROR]:
        remark(f"{pluralise(of[ERROR], 'question')} could not be answered: see the lines above")
        return 2
    return 3 if of["unknown"] else 0


def _answers(part: tuple[Ask, list[Question]]) -> list[Answer]:
    ask, asked = part
    return [ask.answer(question) for question in asked]
