"""`ponder.verify`: a result file against its board, statement by statement.

Every statement of a result is read in one place and checked by the techniques of this room. A
statement that asks for too much, or whose file is missing, is left *open*. Each says what it is
about (`naming`): whoever reads it alone must not take it for the answer to another question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from ponder.check import replay
from ponder.check.coset import MOST_NULLITY, Coset
from ponder.check.evidence.coset import all_refuted
from ponder.check.fields import (
    bulbs,
    count,
    enum_value,
    fail,
    integer,
    later_parities,
    mapping,
    objects,
    press_counts,
    truth,
)
from ponder.check.kinds import CLAIMS, Bound, Claim, Refutation, check_part, read_kind, read_part
from ponder.check.limits import Budget
from ponder.check.linear import press_sets
from ponder.check.naming import board_named, digits, press_set_named
from ponder.check.neighbourhoods import ordering_problem
from ponder.check.proofs import (
    FormulaProof,
)
from ponder.check.result import COMMANDS, Row, row_of
from ponder.check.written import Reading
from ponder.model.arguments import need_board, whole_number
from ponder.model.board import Board
from ponder.system.errors import BoardError, quoted
from ponder.system.limits import LimitReached
from ponder.system.printable import inflect, pluralise, printable, shortened
from ponder.system.types import Ints, Json, bincount

__all__ = ["Report", "Statement", "verify"]


@dataclass(frozen=True)
class Statement:
    """What a result says; `unchecked` is None or says why, `raisable`: higher limits may help."""

    text: str
    unchecked: str | None = None
    raisable: bool = False

    @property
    def status(self) -> str:
        """`checked` or `open`."""
        return "checked" if self.unchecked is None else "open"

    def __str__(self) -> str:
        return f"{self.status}: {self.said}"

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

    def __str__(self) -> str:
        """Return what `ponder verify` prints, a line for each statement."""
        return "\n".join(f"{each.status:<11}  {each.said}" for each in self.statements)


def verify(board: Board, result: object, *, limit: int = 1) -> Report:
    """Check a `Result`, or its JSON object (schema `ponder.result/1`), against its board.

    Parameters
    ----------
    limit
        Multiplies what a result may ask for (`ponder.check.limits`).

    Returns
    -------
    Report
        The statements that hold, and what was left open.

    Raises
    ------
    CheckFailed
        With the reason, for anything false, malformed or inconsistent.

    >>> board = Board.from_rows(["00", "00"], rule="any")
    >>> verify(board, {"schema": "ponder.result/2"})
    Traceback (most recent call last):
    ponder.system.errors.CheckFailed: schema is 'ponder.result/2'; known: ponder.result/1
    """
    need_board(board)
    if whole_number(limit, "limit") < 1:
        raise BoardError("0 is less than 1", "limit")
    as_json = getattr(result, "to_json", None)
    return verify_within(board, result if as_json is None else as_json(), Budget(limit))


def verify_within(
    board: Board,
    result: object,
    budget: Budget,
    press_set: Ints | None = None,
) -> Report:
    """Check a result by what is left of a budget.

    What it says of one press set must be about the bulbs `press_set`, where those are given.
    """
    fields = mapping(result, "the result")
    enum_value(fields.get("schema"), ["ponder.result/1"], "schema")
    command = enum_value(fields.get("command"), COMMANDS, "command")
    verdict = enum_value(fields.get("verdict"), ["solved", "impossible", "unknown"], "verdict")
    stated = fields.get("claim")
    claim = None if stated is None else enum_value(stated, list(CLAIMS), "claim")
    row = row_of(command, verdict, claim, fields)
    _check_board(board, fields.get("board"))
    presses = _check_presses(board, command, fields, budget)
    if press_set is not None:
        enum_value(command, ["order"], "a press set is asked about: command")
        _check_asked(board, claim, fields, press_set)
    _check_numbers(board, command, verdict, fields)
    bound = _check_lower_bound(board, command, fields, budget)
    last: list[Statement] = []
    if verdict == "unknown":
        last = _check_evidence(board, row, fields.get("refutation"))
    elif row.refutation == "yes":
        last = [_check_impossible(board, row, claim, fields["refutation"], budget)]
    elif fields.get("at_most") is not None:  # claim C3: by the presses, or by the lower bound
        last = [replace((presses or bound)[0], text=_suffice(verdict, fields["at_most"]))]
    written = [*_check_written(board, verdict, fields, budget)]
    resting_on = {"solved": presses, "impossible": last}.get(verdict, [])
    verdict_open = any(statement.unchecked is not None for statement in resting_on)
    return Report(about_board(board, [*presses, *bound, *last, *written]), verdict_open)


def about_board(board: Board, statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return which board it is, and statements about it, each with what it is about."""
    first = f"this is the board {board_named(board)}, {digits(board.sha256)}"
    return Statement(first), *about(f"{board_named(board)}, board", board.sha256, statements)


def about(subject: str, sha256: str, statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield statements with what they are about, told from others by a few digits."""
    for each in statements:
        yield replace(each, text=f"{each.text} ({subject} {sha256[:8]}…)")


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
        its, this = (
            ", ".join(f"{key} {quoted(of.get(key))}" for key in differ)
            for of in (described, truths)
        )
        how = f"it is of {its}; this board is of {this}" if differ else "its SHA-256 differs"
        fail(f"the result is about another board: {how}")
    for key, truth_ in truths.items():
        said = described.get(key)
        if not isinstance(said, int | str) or isinstance(said, bool) or said != truth_:
            fail(f"board: {key} is {quoted(said)}, the board's is {quoted(truth_)}")


def _check_asked(board: Board, claim: Claim | None, fields: Json, press_set: Ints) -> None:
    """Check that an order, or a refutation of one press set, is about the one asked for."""
    asked, about = board.graph.set_of(press_set), None
    if fields.get("presses") is not None:
        about = board.graph.set_of(bulbs(board, fields["presses"], "presses"))
    elif claim == "C1":
        refutation = mapping(fields["refutation"], "refutation")
        about = press_counts(board, refutation.get("press_counts")) > 0
    if about is not None and (asked != about).any():
        fail(f"the result is about {press_set_named(board, about)}, not the one asked about")


def _check_presses(board: Board, command: str, fields: Json, budget: Budget) -> list[Statement]:
    if fields.get("presses") is None:
        if fields.get("count") is not None:
            fail("there is a count and there are no presses")
        return []
    presses = bulbs(board, fields["presses"], "presses")
    told = count(fields.get("count"), "count")
    if told != presses.size:
        fail(f"count is {quoted(told)} and {_there_are(presses.size)}")
    once = command == "order"
    if once and not replay.distinct(presses, board.graph.presses):
        bulb = board.graph.label(int(np.argmax(bincount(presses) > 1)))
        fail(f"the bulb {quoted(bulb)} is pressed twice, `order` presses each at most once")
    each = ", each bulb at most once," if once else ""

    return [replayed(board, presses, each, budget)]


def replayed(board: Board, presses: Ints, how: str, budget: Budget) -> Statement:
    """Return that presses are legal and lead to the goal; `how` follows their number."""

    def check() -> None:
        replay.spend_replay(board, presses, budget)
        replay.replay(board, presses)

    lead = inflect(presses.size, "leads", "lead")
    return statement(f"{pluralise(presses.size, 'press')}{how} {lead} to the goal", check)


def _check_numbers(board: Board, command: str, verdict: str, fields: Json) -> None:
    """Check that count, `lower_bound`, `optimal` and `at_most` agree with one another."""
    optimal = truth(fields.get("optimal"), "optimal")
    told = None if fields.get("count") is None else count(fields["count"], "count")
    lower_bound = None
    if fields.get("lower_bound") is not None:
        lower_bound = count(fields["lower_bound"], "lower_bound")
        if told is not None and lower_bound > told:
            fail(f"lower_bound is {quoted(lower_bound)} and {_there_are(told)}")
        if command == "order" and lower_bound > board.graph.presses:
            most = pluralise(board.graph.presses, "press")
            fail(f"lower_bound is {quoted(lower_bound)}, and an order has at most {most}")
    elif optimal:
        fail("optimal is true without a lower bound")
    elif fields.get("bound") is not None:
        fail("there is evidence for a lower bound, and no lower bound")
    if optimal != (told is not None and lower_bound == told):
        fail(f"optimal is {str(optimal).lower()}, count {told}, lower_bound {quoted(lower_bound)}")
    if fields.get("at_most") is None:  # what was asked with --at-most
        return
    at_most = integer(fields["at_most"], "at_most")
    if at_most < 0:
        fail(f"at_most is {quoted(at_most)}, less than no presses")
    enough = told is not None and told <= at_most
    too_few = lower_bound is not None and lower_bound > at_most
    if verdict == "solved" and not enough:
        fail(f"the verdict is solved, at_most is {quoted(at_most)} and {_there_are(told or 0)}")
    if verdict == "impossible" and lower_bound is not None and not too_few:
        are = inflect(at_most, "press is", "presses are")
        fail(f"at most {quoted(at_most)} {are} not excluded by the lower bound")
    if verdict == "unknown" and (enough or too_few):
        fail(f"the verdict is unknown, though at_most, {quoted(at_most)}, is decided")


def _suffice(verdict: str, at_most: object) -> str:
    number = integer(at_most, "at_most")
    do = inflect(number, "press suffices", "presses suffice")
    if verdict == "impossible":
        do = inflect(number, "press does not suffice", "presses do not suffice")
    return f"at most {quoted(number)} {do}"


def _there_are(count: int) -> str:
    return f"there {inflect(count, 'is', 'are')} {pluralise(count, 'press')}"


def _check_lower_bound(board: Board, command: str, fields: Json, budget: Budget) -> list[Statement]:
    if fields.get("lower_bound") is None:
        return []
    lower_bound = count(fields["lower_bound"], "lower_bound")
    kind = "no legal sequence" if command == "solve" else "no order of single presses"
    return [
        statement(
            f"{kind} has fewer than {pluralise(lower_bound, 'press')}",
            lambda: check_bound(board, command, lower_bound, fields.get("bound"), budget),
        )
    ]


def check_bound(
    board: Board, command: str, lower_bound: int, value: object, budget: Budget | None = None
) -> str | None:
    """Check the evidence for a lower bound; return why it was not checked, None when it was.

    `order` asks for sequences that press each bulb at most once, `solve` allows repeats.

    >>> check_bound(Board.from_rows(["00", "00"]), "order", 4, {"kind": "unique-press-set"})
    >>> check_bound(Board.from_rows(["00", "00"]), "order", 4, None)
    'no evidence is given'
    """
    budget = budget or Budget()
    if value is None:
        return "no evidence is given" if lower_bound else None
    kinds = Bound.of_command(command)
    bound = read_kind(kinds, Reading(board, budget), value, f"bound, for `{command}`")
    return bound.check(board, command, lower_bound, budget)


def statement(text: str, check: Callable[[], str | None]) -> Statement:
    """Return a statement with what its check says: None, or why it was not checked."""
    try:
        return Statement(text, check())
    except LimitReached as reason:
        return Statement(text, str(reason), reason.raisable)
    except MemoryError:
        return Statement(text, "this machine's memory is too small for the check")


def _check_evidence(board: Board, row: Row, value: object) -> list[Statement]:
    """Check that the evidence beside the verdict unknown does not pass for a proof."""
    if value is None:
        return []
    refutation = mapping(value, "refutation")
    known = list(row.refutations)
    kind = enum_value(refutation.get("kind"), known, "refutation: kind, of what is unknown,")
    later_parities(board, kind)
    said = "there is no order"
    if refutation.get("press_counts") is not None:
        counts = press_counts(board, refutation["press_counts"])
        said = f"{press_set_named(board, counts > 0)} has no legal order"
    return [Statement(f"evidence that {said}: {kind}", "it is offered as no proof")]


def _check_impossible(
    board: Board, row: Row, claim: Claim | None, value: object, budget: Budget
) -> Statement:
    if claim is None:
        fail("a refutation proves a claim, and none is made")
    refutation, kinds = mapping(value, "refutation"), Refutation.kinds()
    kind = kinds[enum_value(refutation.get("kind"), list(kinds), "refutation: kind")]
    if kind.claim is None:
        fail(f"{kind.kind} is evidence and not a proof: the verdict cannot be impossible")
    if kind.kind not in row.refutations:
        fail(f"{kind.kind} does not prove the claim {claim}: {', '.join(row.refutations)} may")

    def check() -> str | None:
        of, only = Reading(board, budget), {kind.kind: kind}
        if not kind.of_press_set:
            why, none = read_kind(only, of, refutation, "refutation"), np.zeros(0, dtype=np.int64)
            return why.check(board, none, budget).unchecked
        found = check_part(board, read_part(of, refutation, "refutation", only), budget)
        if claim in ("C1", kind.claim):
            return found.unchecked
        sets = press_sets(board, budget)
        if sets.nullity > MOST_NULLITY:
            fail(f"{kind.kind} is about one press set, the board has 2^{sets.nullity} of them")
        return all_refuted(Coset.of(board, sets), [found], budget)

    text = CLAIMS[claim]
    if claim == "C1":
        counts = press_counts(board, refutation.get("press_counts"))
        text = f"{press_set_named(board, counts > 0)} has no legal order"
    return statement(f"{claim}, {text}: {kind.kind}", check)


def _check_written(board: Board, verdict: str, fields: Json, budget: Budget) -> Iterator[Statement]:
    items = objects(fields.get("proofs", []), "proofs", "proofs: an entry")
    if not items:
        return
    kinds = list(Refutation.of_claims("C1"))
    _, _, counts = _refuted(board, verdict, fields, kinds, "a proof in a file")
    whose = press_set_named(board, counts > 0)
    problem = cache(partial(ordering_problem, board, counts, budget))  # once for all of them
    for number, proof in enumerate(items):
        lemmas = quoted(proof.get("lemmas"))
        encoding = printable(shortened(str(proof.get("encoding")), 40))
        text = f"the formula {encoding} of {whose} has no model: LRAT, {lemmas} lemmas"

        def check(proof: Json = proof) -> str | None:
            read = FormulaProof.read(Reading(board, budget), proof, "a proof in a file")
            return read.check_problem(problem(), budget)

        yield (found := statement(text, check))
        if found.raisable and number + 1 < len(items):  # there is no work left for the others
            others = f"{pluralise(len(items) - number - 1, 'other proof')} of the same"
            yield replace(found, text=others)
            return


def _refuted(
    board: Board, verdict: str, fields: Json, kinds: Sequence[str], what: str
) -> tuple[Json, str, Ints]:
    """Return what a proof besides the refutation refutes: the refutation, its kind and presses."""
    if verdict != "impossible" or fields.get("refutation") is None:
        fail(f"there is {what}, and no refutation")
    refutation = mapping(fields["refutation"], "refutation")
    kind = enum_value(refutation.get("kind"), kinds, f"{what}: kind refuted")
    return refutation, kind, press_counts(board, refutation.get("press_counts"))
