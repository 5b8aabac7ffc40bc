"""Many questions in one text, a line for each as soon as it is answered; and counts of answers.

What goes wrong with one question is its answer, and the next one follows. The last line counts the
verdicts. With several processes the answers still come in the order of the questions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import click

from ponder.check.naming import board_named, digits, orientation_named, press_set_named
from ponder.cli.boards import Header, asked_of
from ponder.cli.output import Progress, remark, say, say_json
from ponder.cli.params import Function, refuse_others
from ponder.model.board import Board
from ponder.model.json_text import COUNTS
from ponder.model.questions import Question
from ponder.pictures.answers import why
from ponder.system.errors import BoardError, PonderError
from ponder.system.limits import LimitReached, Limits
from ponder.system.printable import pluralise, printable
from ponder.system.types import Ints, Json

if TYPE_CHECKING:
    from ponder.find.orient import Asked

OF_MANY = {"file", "jobs", "seed", "clock", "coords", "as_json", "quiet", "count", "odd", "fixed"}
OF_MANY |= {*Header._fields}  # the options that apply to each of many questions
TOGETHER = 32  # questions that go to a process at once

jobs_option: Function = click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(0, 1000),
    default=1,
    help="Answer many questions in N processes; 0: one per core.",
)


def listing_options(things: str) -> Function:
    """Return the options that count or list all legal orders, or orientations."""
    count = f"Count the {things}; `at least` if too many."
    listed = click.option(
        "--all", "list_all", is_flag=True, help=f"List the {things}, a line each."
    )
    return lambda function: click.option("--count", is_flag=True, help=count)(listed(function))


class Ask(NamedTuple):
    """What is asked of every question; `odd` and `fixed` are about the vertices of graphs."""

    command: str
    as_json: bool = False
    seed: int = 0
    timeout: float | None = None
    header: Header = Header()
    odd: str | None = None
    fixed: str | None = None
    counting: bool = False

    def answer(self, question: Question) -> tuple[str, str, int]:
        """Return the verdict, the line to print, and the proved number of presses or answers."""
        number = 0
        try:
            verdict, text, content, number = self._answered(question)
        except LimitReached as stopped:
            verdict, text, content = "unknown", str(stopped), {"unknown": str(stopped)}
        except PonderError as error:
            inside = isinstance(error, BoardError) and error.source == question.source
            reason = error.reason if inside and isinstance(error, BoardError) else str(error)
            verdict, text, content = "error", f"error: {reason}", {"error": reason}
        if self.as_json:
            return verdict, json.dumps({"line": question.line, **content}), number
        return verdict, printable(f"{question.line}: {text}"), number

    def _answered(self, question: Question) -> tuple[str, str, Json, int]:
        limits = Limits(self.timeout)
        if self.command == "orient":
            from ponder.find.context import SolveSession
            from ponder.find.orient import outcome_json, verdict_of

            asked = asked_of(question, self.odd, self.fixed)
            if self.counting:
                return _counted(*count_of_graph(asked, limits))
            outcome = asked.outcome(SolveSession(seed=self.seed, limits=limits))
            verdict = verdict_of(outcome)
            content = (
                outcome_json(asked, outcome, self.seed, limits.elapsed) if self.as_json else {}
            )
            no = "no such orientation: " if verdict == "impossible" else ""
            return verdict, no + outcome.sentence, content, 0
        board = self.header.board(question, limits)
        if self.counting:
            return _counted(*count_of_board(board, None, limits))
        from ponder.find.order import order
        from ponder.find.solve import solve

        find = order if self.command == "order" else solve
        result = find(board, seed=self.seed, timeout=limits)
        because = "" if result.refutation is None else f": {why(result)}"
        number = (result.count or 0) if result.optimal else 0
        content = result.to_json() if self.as_json else {}
        return result.verdict, result.sentence + because, content, number


def _counted(text: str, content: Json) -> tuple[str, str, Json, int]:
    exact, number = content["exact"] is True, content["count"]
    number = number if exact and isinstance(number, int) else 0
    return "counted" if exact else "unknown", text, content, number


def answer_each(ask: Ask, asked: Iterable[Question], jobs: int, quiet: bool) -> int:
    """Print an answer for each question and the counts of verdicts; return the exit code."""
    from ponder.system.pool import in_parallel

    refuse_others(OF_MANY, "is about one question: --line N picks one of many")
    coming = iter(asked)
    step = 1 if jobs == 1 else TOGETHER
    parts = iter(lambda: (ask, list(islice(coming, step))), (ask, []))
    verdicts, total = Counter[str](), 0
    with Progress(quiet) as progress:
        for part in in_parallel(_answers, parts, jobs or None):
            for verdict, text, number in part:
                verdicts[verdict] += 1
                total += number
                say([text])
            progress.say(f"{verdicts.total():,} questions")
    unknown, errors = verdicts["unknown"], verdicts["error"]
    if ask.as_json:
        complete = not unknown and not errors
        counts: Json = {"questions": verdicts.total(), "verdicts": verdicts}
        say_json({"schema": COUNTS, **counts, "sum": total, "complete": complete})
    else:
        named = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(verdicts.items()))
        say([f"{pluralise(verdicts.total(), 'question')}: {named}"])
        if ask.command == "solve" or ask.counting:
            say([f"sum {total}"])
    if errors:
        remark(f"{pluralise(errors, 'question')} could not be answered: see the lines above")
    return 2 if errors else 3 if unknown else 0


def _answers(part: tuple[Ask, list[Question]]) -> list[tuple[str, str, int]]:
    ask, asked = part
    return [ask.answer(question) for question in asked]


def count_of_board(
    board: Board, chosen: Ints | None, clock: Limits, tell: Callable[[str], None] | None = None
) -> tuple[str, Json]:
    """Return the number of legal orders of a board, in words and as JSON."""
    from ponder.find.counting import count_orders

    counted = count_orders(board, chosen, timeout=clock, progress=tell)
    named = press_set_named(board, board.graph.set_of(chosen)) if chosen is not None else ""
    about = ", ".join(filter(None, (board_named(board), named, digits(board.sha256))))
    sets = {"press_sets": counted.press_sets, "orderable": counted.orderable}
    number: Json = {"count": counted.orders.number, "exact": counted.orders.exact, **sets}
    number["reason"] = counted.orders.reason
    content: Json = {"schema": "ponder.count/1", "about": about, "what": "orders"}
    return f"{counted} ({about})", {**content, **number}


def count_of_graph(
    asked: Asked, clock: Limits, tell: Callable[[str], None] = lambda text: None
) -> tuple[str, Json]:
    """Return the number of orientations of a graph, in words and as JSON."""
    from ponder.find.counting import count_asked

    question = asked.question
    graph, parities = orientation_named(question.graph, question.odd, question.fixed)
    number = count_asked(asked, clock, tell)
    about = f"{graph}; {parities}; {digits(question.sha256)}"
    text = f"{number} acyclic {'orientation' if number.number == 1 else 'orientations'} ({about})"
    content: Json = {"schema": "ponder.count/1", "about": about, "what": "orientations"}
    numbers = {"count": number.number, "exact": number.exact, "reason": number.reason}
    text += "" if number.exact else f"; not all were counted: {number.reason}"
    return text, {**content, **numbers}


def present_count(counted: tuple[str, Json], as_json: bool) -> int:
    """Print a count; return the exit code."""
    text, content = counted
    if as_json:
        say_json(content)
    else:
        say([text])
    return 0 if content["exact"] is True else 3


def present_all(lines: Iterable[str], quiet: bool) -> int:
    """Print a line for each answer as it comes; return the exit code."""
    none = True
    for line in lines:
        none = False
        say([line])
    if none:
        remark("there is no answer to list", quiet)
    return 0
