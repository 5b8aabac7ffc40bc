"""`ponder.verify`: a result file against its board, statement by statement.

Every statement of a result is read here and checked by the modules of this package. A statement
that asks for too much time or memory, or whose proof is missing, is left *open*. Each says what it
is about (`naming`): read alone, it must not pass for the answer to another question.

All kinds of certificate, by the words that result files have. Count: `witness`, `dead-end`,
`block`, `cut`. Dual: `packing`, `settings`, `modulo-four`. Enumerate again: `lightest`, `members`,
`states`. Formula: `formula`. `randomised` is a remark that proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ponder.check import replay
from ponder.check.block import Block
from ponder.check.certificate import (
    CLAIMS,
    Bound,
    Certificate,
    Claim,
    Refutation,
    check_part,
    read_as,
)
from ponder.check.coset import Lightest
from ponder.check.cut import Cut
from ponder.check.dual import ModuloFour, Packing
from ponder.check.formula import Formula
from ponder.check.members import Members, all_refuted
from ponder.check.naming import board_named, digits, press_set_named
from ponder.check.reader import (
    bulbs,
    count,
    enum_value,
    fail,
    integer,
    later_parities,
    mapping,
    press_counts,
    press_set,
    truth,
)
from ponder.check.result import Row, stated
from ponder.check.settings import Settings
from ponder.check.witness import DeadEnd, Randomised, States, Witness
from ponder.model.arguments import need_board, presses_of
from ponder.model.board import Board, GraphLike
from ponder.model.edge_graph import graph_given
from ponder.model.json_text import OLD, ORIENTATION, RESULT
from ponder.system.errors import BoardError, quoted
from ponder.system.limits import NEVER, Cancel, LimitReached, Limits
from ponder.system.machine import memory_limit
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json, bincount

__all__ = ["Report", "Statement", "verify"]


KINDS: dict[str, type[Certificate]] = {
    kind.kind: kind
    for kind in (
        Witness, DeadEnd, Block, Cut, Packing, Settings, ModuloFour, Lightest, Members, States,
        Formula, Randomised,
    )
}  # fmt: skip

REFUTATIONS = [kind for kind in KINDS.values() if issubclass(kind, Refutation)]
BOUNDS = [kind for kind in KINDS.values() if issubclass(kind, Bound)]


def proving(*claims: Claim | None) -> list[type[Refutation]]:
    """Return the kinds of refutations that prove any of these claims."""
    return [kind for kind in REFUTATIONS if kind.claim in claims]


def read_bound(board: Board, value: object, limits: Limits = NEVER) -> Bound:
    """Read the certificate of a bound. Raises CheckFailed, LimitReached."""
    return read_as(BOUNDS, board, value, "bound", limits)


@dataclass(frozen=True)
class Statement:
    """What a result says; `unchecked` is None or says why."""

    text: str
    unchecked: str | None = None

    @property
    def status(self) -> str:
        """`checked` or `open`."""
        return "checked" if self.unchecked is None else "open"

    @property
    def said(self) -> str:
        """The statement, and why it was not checked."""
        return self.text + ("" if self.unchecked is None else f": not checked: {self.unchecked}")


@dataclass(frozen=True)
class Report:
    """What a result says, none of it false. `unchecked_verdict`: the verdict itself is open."""

    statements: tuple[Statement, ...]
    unchecked_verdict: bool = False

    @property
    def complete(self) -> bool:
        """Whether all that the result says was checked, and so is true."""
        return all(statement.unchecked is None for statement in self.statements)

    def demand(self, source: str = "result") -> None:
        """Raise BoardError if a statement was left open."""
        for statement in self.statements:
            if statement.unchecked is not None:
                raise BoardError(f"`ponder verify` leaves open: {statement.said}", source)

    def __str__(self) -> str:
        """Return what `ponder verify` prints, a line for each statement."""
        return "\n".join(f"{line.status:<11}  {line.said}" for line in self.statements)


def verify(
    board: Board | GraphLike,
    result: object,
    *,
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
) -> Report:
    """Check an answer against its board or graph. The checker imports no solver.

    Parameters
    ----------
    board
        The board; of an answer of `orient`, the graph, in any form that `orient` takes.
    result
        What `order`, `solve` or `orient` returned, its JSON object, or a list of presses in the
        order of play: labels, or an array of numbers of bulbs.
    timeout, cancel
        Seconds, or a clock; an event or a function. Unchecked statements are left open.

    Returns
    -------
    Report
        The statements that hold, and what was left open.

    Raises
    ------
    CheckFailed
        With the reason, for anything false, malformed or inconsistent.

    >>> board = Board.from_rows(["00", "00"], rule="any")
    >>> verify(board, {"schema": "ponder.result/1"})
    Traceback (most recent call last):
    ponder.system.errors.CheckFailed: a result of ponder 0.1 (ponder.result/1): make it again
    """
    given: Any = result
    content = given.to_json() if hasattr(given, "to_json") else given
    limits = Limits.begin(timeout, cancel)
    if isinstance(content, Mapping) and content.get("schema") not in (RESULT, "ponder.result/1"):
        from ponder.check.orientation import verify_orientation  # which makes reports

        enum_value(content.get("schema"), [RESULT, ORIENTATION], "schema")
        return verify_orientation(graph_given(board)[1], content, limits)
    need_board(board)
    if isinstance(content, str | bytes | Mapping) or not isinstance(content, Iterable):
        return verify_within(board, content, limits)
    presses = presses_of(board.graph, content)
    return Report(tuple(about_board(board, [replayed(board, presses, ", each legal,", limits)])))


def verify_within(
    board: Board,
    result: object,
    limits: Limits = NEVER,
    proof: str | None = None,
    press_set: Ints | None = None,
) -> Report:
    """Check a result within a time; `proof` is the LRAT of a formula that the result rests on.

    What it says of one press set must be about the bulbs `press_set`, where those are given.
    """
    fields = mapping(result, "the result")
    if fields.get("schema") == "ponder.result/1":
        fail(OLD)
    enum_value(fields.get("schema"), [RESULT], "schema")
    command, verdict, claim, row = stated(fields)
    _check_board(board, fields.get("board"))
    presses = _check_presses(board, command, fields, limits)
    if press_set is not None:
        enum_value(command, ["order"], "a press set is asked about: command")
        _check_asked(board, claim, fields, press_set)
    _check_numbers(board, command, verdict, fields)
    bound = _check_lower_bound(board, command, fields, limits)
    last: list[Statement] = []
    if verdict == "unknown":
        last = _check_remark(board, row, fields.get("refutation"))
    elif claim is not None and row.refutation == "yes":
        last = [_check_impossible(board, row, claim, fields["refutation"], proof, limits)]
    elif fields.get("at_most") is not None:  # claim C3: by the presses, or by the lower bound
        last = [replace((presses or bound)[0], text=_suffice(verdict, fields["at_most"]))]
    resting_on = {"solved": presses, "impossible": last}.get(verdict, [])
    verdict_open = any(statement.unchecked is not None for statement in resting_on)
    return Report(about_board(board, [*presses, *bound, *last]), verdict_open)


def about_board(board: Board, statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return which board it is, and statements about it, each with what it is about."""
    first = f"this is the board {board_named(board)}, {digits(board.sha256)}"
    return Statement(first), *about(f"{board_named(board)}, board", board.sha256, statements)


def about(subject: str, sha256: str, statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield statements with what they are about, told from others by a few digits."""
    for statement in statements:
        yield replace(statement, text=f"{statement.text} ({subject} {sha256[:8]}…)")


def statement(text: str, check: Callable[[], str | None]) -> Statement:
    """Return a statement with what its check says: None, or why it was not checked."""
    try:
        return Statement(text, check())
    except (LimitReached, MemoryError) as error:
        return Statement(text, stopped_by(error))


def stopped_by(error: LimitReached | MemoryError) -> str:
    """Return why a check was given up."""
    if isinstance(error, LimitReached):
        return str(error)
    allowed = memory_limit()
    return (
        f"it needs more memory than {'there is' if allowed is None else f'{allowed / 1e9:.1f} GB'}"
    )


def _check_board(board: Board, value: object) -> None:
    described = mapping(value, "board")
    truths = {
        "bulbs": board.graph.size,
        "pattern": board.graph.pattern,
        "rule": board.rule,
        "goal": board.goal_name,
    }
    if described.get("sha256") != board.sha256:
        differ = [key for key, truth_ in truths.items() if described.get(key) != truth_]
        claimed, actual = (
            ", ".join(f"{key} {quoted(values.get(key))}" for key in differ)
            for values in (described, truths)
        )
        how = f"it is of {claimed}; this board is of {actual}" if differ else "its SHA-256 differs"
        fail(f"the result is about another board: {how}")
    for key, truth_ in truths.items():
        description = described.get(key)
        if (
            not isinstance(description, int | str)
            or isinstance(description, bool)
            or description != truth_
        ):
            fail(f"board: {key} is {quoted(description)}, the board's is {quoted(truth_)}")


def _check_asked(board: Board, claim: Claim | None, fields: Json, press_set: Ints) -> None:
    """Check that an order, or a refutation of one press set, is about the one asked for."""
    asked, about_ = board.graph.set_of(press_set), None
    if fields.get("presses") is not None:
        about_ = board.graph.set_of(bulbs(board.graph, fields["presses"], "presses"))
    elif claim == "C1":
        refutation = mapping(fields["refutation"], "refutation")
        about_ = press_counts(board, refutation.get("press_counts")) > 0
    if about_ is not None and (asked != about_).any():
        fail(f"the result is about {press_set_named(board, about_)}, not the one asked about")


def _check_presses(board: Board, command: str, fields: Json, limits: Limits) -> list[Statement]:
    if fields.get("presses") is None:
        if fields.get("count") is not None:
            fail("there is a count and there are no presses")
        return []
    presses = bulbs(board.graph, fields["presses"], "presses")
    claimed = count(fields.get("count"), "count")
    if claimed != presses.size:
        fail(f"count is {quoted(claimed)} and there are {pluralise(presses.size, 'press')}")
    once = command == "order"
    if once and not replay.distinct(presses, board.graph.presses):
        bulb = board.graph.label(int(np.argmax(bincount(presses) > 1)))
        fail(f"the bulb {quoted(bulb)} is pressed twice, `order` presses each at most once")
    how = ", each bulb exactly once," if board.pressed else ", each bulb at most once,"
    return [replayed(board, presses, how if once else "", limits)]


def replayed(board: Board, presses: Ints, how: str, limits: Limits = NEVER) -> Statement:
    """Return that presses are legal and lead to the goal; `how` follows their number."""
    lead = inflect(presses.size, "leads", "lead")
    text = f"{pluralise(presses.size, 'press')}{how} {lead} to the goal"
    return statement(text, lambda: replay.replay(board, presses, limits))


def _check_numbers(board: Board, command: str, verdict: str, fields: Json) -> None:
    """Check that count, `lower_bound`, `optimal` and `at_most` agree with one another."""
    optimal = truth(fields.get("optimal"), "optimal")
    claimed = None if fields.get("count") is None else count(fields["count"], "count")
    lower_bound = None
    if fields.get("lower_bound") is not None:
        lower_bound = count(fields["lower_bound"], "lower_bound")
        if claimed is not None and lower_bound > claimed:
            fail(f"lower_bound is {quoted(lower_bound)}, more than the presses, {claimed}")
        if command == "order" and lower_bound > board.graph.presses:
            most = pluralise(board.graph.presses, "press")
            fail(f"lower_bound is {quoted(lower_bound)}, and an order has at most {most}")
    elif optimal:
        fail("optimal is true without a lower bound")
    elif fields.get("bound") is not None:
        fail("there is a certificate for a lower bound, and no lower bound")
    if optimal != (claimed is not None and lower_bound == claimed):
        fail(
            f"optimal is {str(optimal).lower()}, count {claimed}, lower_bound {quoted(lower_bound)}"
        )
    if fields.get("at_most") is None:  # what was asked with --at-most
        return
    at_most = integer(fields["at_most"], "at_most")
    if at_most < 0:
        fail(f"at_most is {quoted(at_most)}, less than no presses")
    enough = claimed is not None and claimed <= at_most
    too_few = lower_bound is not None and lower_bound > at_most
    if verdict == "solved" and not enough:
        fail(f"the verdict is solved, at_most is {quoted(at_most)} and count {quoted(claimed)}")
    if verdict == "impossible" and lower_bound is not None and not too_few:
        fail(f"at_most is {quoted(at_most)}, which the lower bound does not exclude")
    if verdict == "unknown" and (enough or too_few):
        fail(f"the verdict is unknown, though at_most, {quoted(at_most)}, is decided")


def _suffice(verdict: str, at_most: object) -> str:
    number = integer(at_most, "at_most")
    do = inflect(number, "press suffices", "presses suffice")
    if verdict == "impossible":
        do = inflect(number, "press does not suffice", "presses do not suffice")
    return f"at most {quoted(number)} {do}"


def _check_lower_bound(board: Board, command: str, fields: Json, limits: Limits) -> list[Statement]:
    if fields.get("lower_bound") is None:
        return []
    lower_bound = count(fields["lower_bound"], "lower_bound")
    kind = "no legal sequence" if command == "solve" else "no order of single presses"
    text = f"{kind} has fewer than {pluralise(lower_bound, 'press')}"

    def check() -> str | None:
        if fields.get("bound") is None:
            return "no certificate is given" if lower_bound else None
        bound = read_bound(board, fields["bound"], limits)
        return bound.check_bound(board, command, lower_bound, limits)

    return [statement(text, check)]


def _check_remark(board: Board, row: Row, value: object) -> list[Statement]:
    """Check that what stands beside the verdict unknown does not pass for a proof."""
    if value is None:
        return []
    refutation = mapping(value, "refutation")
    why = read_as(proving(*row.proving), board, refutation, "refutation, of what is unknown,")
    later_parities(board, why.kind)
    text = "there is no order"
    if refutation.get("press_counts") is not None:
        counts = press_counts(board, refutation["press_counts"])
        text = f"{press_set_named(board, counts > 0)} has no legal order"
    return [Statement(f"a remark that {text}: {why.kind}", "it is offered as no proof")]


def _check_impossible(
    board: Board, row: Row, claim: Claim, value: object, proof: str | None, limits: Limits
) -> Statement:
    refutation = mapping(value, "refutation")
    kind = KINDS[enum_value(refutation.get("kind"), list(KINDS), "refutation: kind")]
    known = proving(*row.proving)
    if kind not in known or not issubclass(kind, Refutation):
        words = ", ".join(allowed.kind for allowed in known)
        fail(f"{kind.kind} does not prove the claim {claim}: {words} may")

    def check() -> str | None:
        why = read_as([kind], board, refutation, "refutation", limits)
        if proof is not None and isinstance(why, Formula):
            why = replace(why, lrat=proof)
        if not why.of_press_set:
            return why.check(board, np.zeros(0, dtype=np.int64), limits).unchecked
        chosen = press_set(board, refutation.get("press_counts"))
        refuted = check_part(board, (chosen, why), limits)
        if claim == "C1":
            return refuted.unchecked
        return all_refuted(board, [refuted], limits)

    text = CLAIMS[claim]
    if claim == "C1":
        counts = press_counts(board, refutation.get("press_counts"))
        text = f"{press_set_named(board, counts > 0)} has no legal order"
    return statement(f"{claim}, {text}: {kind.kind}", check)
