"""Independent checks of results: imports no solver, trusts no field, repeats the arithmetic.

A result file is taken as a stranger's claim. `verify` accepts it only when everything that it
says about the puzzle and that carries evidence is true; every reason to reject it is one line
(`CheckFailed`). What cannot be checked here (a bound that rests on an integer model, say) is not
rejected but reported as *not checked*, and never counts as proved.

One technique per file: `fields` (reading), `neighbourhoods` (counting toggles), `replay` (orders),
`linear` (press sets), `line_refutations`, `local_refutations`, `switches` (odd-sized row/column
boards), `spectral` (their largest ones), `proofs`, `drat` and `lrat` (SAT solvers' proofs),
`refutations` (the kinds), `coset` (every press set at once), `bounds` (fewest presses).

What a result may say (theory §2 has the claims):

    verdict      claim    presses  needs
    solved       null     yes      the presses replay; `order`: each bulb at most once
    solved       C3       yes      and a lower bound
    impossible   C1       no       `order`: a refutation of one press set
    impossible   C2       no       `order`: a refutation of every press set
    impossible   C4       no       an odd witness
    impossible   C3       no       `at_most`, and a lower bound above it
    unknown      null     maybe    presses, if any, replay; the rest is what is known all the same
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ponder.board import Board
from ponder.check import replay
from ponder.check.bounds import check_bound
from ponder.check.coset import Coset
from ponder.check.dead_ends import check_dead_end
from ponder.check.fields import bulbs, fail, mapping, number, quote, sequence, truth, word
from ponder.check.linear import TooLarge, press_sets
from ponder.check.refutations import Refuted, check_odd_witness, check_press_set, kind_of
from ponder.naming import name_before_0_2
from ponder.refutation import CLAIMS, Json

__all__ = ["Report", "Statement", "verify"]


@dataclass(frozen=True)
class Statement:
    """Something that a result says. `unchecked` is None, or why it was not checked."""

    text: str
    unchecked: str | None = None

    @property
    def status(self) -> str:
        """`checked` or `not checked`."""
        return "checked" if self.unchecked is None else "not checked"

    def __str__(self) -> str:
        reason = "" if self.unchecked is None else f" ({self.unchecked})"
        return f"{self.status}: {self.text}{reason}"


@dataclass(frozen=True)
class Report:
    """What a result says, statement by statement; none of them was found false.

    `unchecked_verdict`: the verdict itself rests on something that was not checked.
    """

    statements: tuple[Statement, ...]
    unchecked_verdict: bool = False


def verify(board: Board, result: object) -> Report:
    """Check a result (the JSON object of schema `ponder.result/1`) against its board.

    CheckFailed, with the reason, for anything false, malformed or inconsistent.

    >>> board = Board.from_rows(["00", "00"], rule="any")
    >>> verify(board, {"schema": "ponder.result/2"})
    Traceback (most recent call last):
    ...
    ponder.errors.CheckFailed: schema is 'ponder.result/2'; known: ponder.result/1
    """
    fields = mapping(result, "the result")
    word(fields.get("schema"), ["ponder.result/1"], "schema")
    command = word(fields.get("command"), ["order", "solve"], "command")
    verdict = word(fields.get("verdict"), ["solved", "impossible", "unknown"], "verdict")
    claim = fields.get("claim")
    if claim is not None:
        claim = word(claim, list(CLAIMS), "claim")
    statements = [_check_board(board, fields.get("board"))]
    statements += _check_presses(board, command, fields)
    bound = _check_lower_bound(board, command, fields)
    if bound is not None:
        statements.append(bound)

    refutation = fields.get("refutation")
    match verdict, claim:
        case "solved", None | "C3":
            if fields.get("presses") is None:
                fail("the verdict is solved and there are no presses")
            if refutation is not None:
                fail("the verdict is solved and there is a refutation")
            if claim == "C3" and bound is None:
                fail("the claim C3 needs a lower bound")
            return Report(tuple(statements))
        case "impossible", "C3":
            verdict_statement = _check_at_most(fields, bound)
        case "impossible", "C1" | "C2" | "C4":
            verdict_statement = _check_impossible(board, command, claim, refutation)
        case "unknown", None:
            if refutation is not None:
                kind = kind_of(mapping(refutation, "refutation"))
                statements.append(Statement(f"evidence: {kind}", "it is offered as no proof"))
            return Report(tuple(statements))
        case _:
            fail(f"the verdict {verdict} does not go with the claim {claim or 'null'}")
    if fields.get("presses") is not None:
        fail("the verdict is impossible and there are presses")
    statements.append(verdict_statement)
    return Report(tuple(statements), verdict_statement.unchecked is not None)


def _check_board(board: Board, value: object) -> Statement:
    """Check that the result speaks of this board, in every word."""
    described = mapping(value, "board")
    if described.get("sha256") != board.sha256:
        if described.get("sha256") == name_before_0_2(board):
            fail("the result was made by a version of ponder before 0.2: ask again")
        fail("the result is about another board: its SHA-256 differs")
    for key, truth_ in (
        ("bulbs", board.graph.size),
        ("pattern", board.graph.pattern),
        ("rule", board.rule),
        ("goal", board.goal_name),
    ):
        if described.get(key) != truth_ or isinstance(described[key], bool):
            fail(f"board: {key} is {quote(described.get(key))}, the board's is {quote(truth_)}")
    return Statement(f"this is the board with the SHA-256 {board.sha256[:16]}…")


def _check_presses(board: Board, command: str, fields: Json) -> list[Statement]:
    """Check the presses, by replay, and their number."""
    if fields.get("presses") is None:
        if fields.get("count") is not None:
            fail("there is a count and there are no presses")
        return []
    presses = bulbs(board, fields["presses"], "presses")
    count = number(fields.get("count"), "count")
    if count != presses.size:
        fail(f"count is {quote(count)} and there are {presses.size} presses")
    once = command == "order"
    if once and presses.size:
        repeated = np.bincount(presses) > 1
        if repeated.any():
            bulb = board.graph.label(int(np.argmax(repeated)))
            fail(f"the bulb {quote(bulb)} is pressed twice, `order` presses each at most once")
    replay.replay(board, presses)
    each = ", each bulb at most once," if once else ""
    return [Statement(f"{count} presses{each} lead to the goal under the rule {board.rule}")]


def _check_lower_bound(board: Board, command: str, fields: Json) -> Statement | None:
    """Check the lower bound by its evidence, and `optimal`."""
    optimal = truth(fields.get("optimal"), "optimal")
    count = fields.get("count")
    if fields.get("lower_bound") is None:
        if optimal:
            fail("optimal is true without a lower bound")
        if fields.get("bound") is not None:
            fail("there is evidence for a lower bound, and no lower bound")
        return None
    lower_bound = number(fields["lower_bound"], "lower_bound")
    if isinstance(count, int) and lower_bound > count:
        fail(f"lower_bound is {quote(lower_bound)} and there are {count} presses")
    if optimal != (count is not None and lower_bound == count):
        fail(f"optimal is {str(optimal).lower()}, count {count}, lower_bound {lower_bound}")
    unchecked = check_bound(board, command, lower_bound, fields.get("bound"))
    kind = "no legal sequence" if command == "solve" else "no order of single presses"
    return Statement(f"{kind} has fewer than {lower_bound} presses", unchecked)


def _check_at_most(fields: Json, bound: Statement | None) -> Statement:
    """Check that a number of presses is too small, by the lower bound."""
    at_most = number(fields.get("at_most"), "at_most")
    if fields.get("refutation") is not None:
        fail("the claim C3 rests on its bound, not on a refutation")
    if bound is None or number(fields["lower_bound"], "lower_bound") <= at_most:
        fail(f"at most {quote(at_most)} presses are not excluded by the lower bound")
    return Statement(f"at most {at_most} presses do not suffice", bound.unchecked)


def _check_impossible(board: Board, command: str, claim: str, value: object) -> Statement:
    """Check the refutation that an "impossible" rests on."""
    if value is None:
        fail("the verdict is impossible and there is no refutation")
    refutation = mapping(value, "refutation")
    kind = kind_of(refutation)
    text = f"{claim}, {CLAIMS[claim]}: {kind}"  # type: ignore[index]
    if kind == "randomised":
        fail("a randomised test is evidence and not a proof: the verdict cannot be impossible")
    if kind == "odd-witness":
        if claim == "C1":
            fail("an odd witness is not about one press set: the claim is C4")
        check_odd_witness(board, refutation)
        return Statement(text)
    if kind == "dead-end":
        if claim != "C4":
            fail("a dead end is about all sequences: the claim is C4")
        check_dead_end(board, refutation)
        return Statement(text)
    if claim == "C4":
        fail(f"the claim C4 needs an odd witness; {kind} does not exclude repeated presses")
    if command == "solve":
        fail(f"`solve` may repeat presses: the claim {claim} does not make it impossible")
    if board.odd_later is None:
        fail(f"{kind}: under the rule 'any' every order is legal")
    if claim == "C1":
        return Statement(text, check_press_set(board, refutation).unchecked)
    return Statement(text, _check_all_press_sets(board, kind, refutation))


def _check_all_press_sets(board: Board, kind: str, refutation: Json) -> str | None:
    """Check that every press set is refuted (claim C2); return why not checked, if so."""
    if kind == "integer-model":
        return "it rests on CP-SAT"
    if kind == "coset":
        parts = [check_press_set(board, p) for p in sequence(refutation.get("parts"), "parts")]
    else:
        parts = [check_press_set(board, refutation)]
        if kind in ("line-parities", "weighted-cuts"):  # they speak of all press sets
            return None
    try:
        found = press_sets(board)
        if kind != "coset" and found.basis is None:
            fail(f"{kind} is about one press set, the board has 2^{found.nullity} of them")
        coset = Coset.of(board, found)
        if kind == "coset" and refutation.get("press_sets", coset.size) != coset.size:
            fail(f"coset: there are {coset.size} press sets")
        _check_covered(coset, parts)
    except TooLarge as reason:
        return str(reason)
    return next((part.unchecked for part in parts if part.unchecked), None)


def _check_covered(coset: Coset, parts: list[Refuted]) -> None:
    """Check that the parts refute all press sets."""
    covered = coset.covered(parts)
    if not covered.all():
        left, lightest = np.count_nonzero(~covered), coset.weights()[~covered].min()
        fail(
            f"{left} of the board's {coset.size} press sets are not refuted, "
            f"one of them with {lightest} presses"
        )
