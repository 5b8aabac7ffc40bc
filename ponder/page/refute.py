"""*Possible or not?*: whether what a player marks is a proof that the board has no order.

The marks become the certificates that results hold: lines are a `cut`, bulbs a `block`, and on a
board without a solution a `witness`. `ponder.verify` judges the result; here are only the words. A
marking has to refute every press set; each that it refutes takes along those that agree on its
scope (theory §3.6).

Letters: B the bulbs marked. Cost: that of a check for every press set, 2^MOST_NULLITY at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ponder.check.block import Block, Rule, hanging_pieces
from ponder.check.certificate import Claim, Refutation, Refuted
from ponder.check.cut import Cut
from ponder.check.members import Members
from ponder.check.neighbourhoods import line_sums, press_sums
from ponder.check.reader import SIDES, bulbs, each_once, lines, place
from ponder.check.result import Result
from ponder.check.verification import verify
from ponder.check.witness import Witness
from ponder.find.linear.press_sets import press_sets
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, GridGraph
from ponder.page.protocol import BadRequest
from ponder.pictures import explain
from ponder.pictures.explain import pairs_within
from ponder.pictures.marks import marks_of
from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Bits, Ints, Json

MOST_NULLITY: Final = 10  # of boards whose press sets are gone through

PROVED: Final = "{}. So no order exists: proved."
NO_SOLUTION: Final = "{} is {}, so no presses reach the goal: proved."
MUST: Final = (
    "Whatever the order, the lights say which bulbs must be pressed; what is marked is among them."
)
HANGING: Final = (
    "The other presses that touch the group hang on one marked bulb each, so what they change "
    "before and after it is fixed: it is counted in."
)
BESIDE: Final = "For the others to come out right, {}."
NOTHING_BESIDE: Final = "No other bulb that has to be pressed changes this one."
BLOCKED: Final = (
    "All {} marked bulbs are {}, and nothing that is pressed outside could change one first."
)
FIRST: Final = "Take the marked bulb that is pressed first: all its marked neighbours come later."
LAST: Final = "Take the marked bulb that is pressed last: none of its marked neighbours come later."


@dataclass(frozen=True, eq=False)
class Marking:
    """What is marked: bulbs, or rows and columns, all from 0 on and each once."""

    bulbs: Ints
    rows: Ints
    columns: Ints


@dataclass(frozen=True, eq=False)
class Judged:
    """Accepted, with the result and the steps of its proof, or refused, with what is missing."""

    result: Result | None = None
    steps: tuple[str, ...] = ()
    missing: str | None = None

    def to_json(self) -> Json:
        """Return it as the page reads it."""
        if self.result is None or self.result.refutation is None:
            return {"accepted": False, "missing": self.missing}
        board, why, counts = self.result.board, self.result.refutation, self.result.counts
        return {
            "accepted": True,
            "steps": list(self.steps),
            "marks": marks_of(board, why, counts),
            "result": self.result.to_json(),
        }


def marking_of(board: Board, asked: Mapping[str, object]) -> Marking:
    """Return what `bulbs`, `rows` and `columns` list, from 0 on. Raises BadRequest.

    >>> marking_of(Board.from_rows(["00", "01"]), {"rows": [1], "bulbs": [[0, 1]]}).rows
    array([1])
    """
    graph = board.graph
    shape = graph.shape if isinstance(graph, GridGraph) else (0, 0)
    try:
        marked = each_once(bulbs(graph, asked.get("bulbs", []), "bulbs"), "bulbs")
        rows, columns = (
            lines(asked.get(key, []), size, key) for key, size in zip(SIDES, shape, strict=True)
        )
        return Marking(marked, rows, columns)
    except CheckFailed as failure:
        raise BadRequest(str(failure)) from None


class _Lacks(Exception):
    """What a marking lacks, in a sentence."""


def refute(board: Board, marking: Marking, limits: Limits = NEVER) -> Judged:
    """Judge a marking.

    Parameters
    ----------
    board
        A grid, of any pattern and rule.
    marking
        Bulbs of the board, or lines of a row/column board.

    Returns
    -------
    Judged
        Accepted where the marking refutes every press set, or shows that there is none.

    >>> board = Board.from_rows(["00", "01"])
    >>> none = np.zeros(0, dtype=np.int64)
    >>> refute(board, Marking(none, none, none)).missing
    'mark what shows why'
    """
    try:
        return _judged(board, marking, limits)
    except _Lacks as lack:
        return Judged(missing=str(lack))
    except CheckFailed as failure:  # in the checker's own words, where there are no better ones
        return Judged(missing=str(failure))


def _judged(board: Board, marking: Marking, limits: Limits) -> Judged:
    if not (marking.bulbs.size or marking.rows.size or marking.columns.size):
        raise _Lacks("mark what shows why")
    if marking.bulbs.size and (marking.rows.size or marking.columns.size):
        raise _Lacks("bulbs and lines are marked: a proof is about one or the other")
    sets = press_sets(board, limits)
    if isinstance(sets, Witness):
        witness = _witness(board, marking)
        said, goal = (
            f"{capital(explain.sentence(board, witness))}.",
            int(board.goal[witness.bulbs].sum()),
        )
        end = NO_SOLUTION.format(goal, "odd" if goal % 2 else "even")
        return _accepted(board, witness, None, (explain.paragraphs(witness)[0], said, end))
    if board.odd_later is None:
        raise _Lacks("every order is legal here, and the goal can be reached")
    if sets.nullity > MOST_NULLITY:
        raise _Lacks(
            f"there are 2^{sets.nullity} ways to choose the presses: too many to go through"
        )
    parts: list[tuple[Bits, Refutation]] = []
    found: list[Refuted] = []
    for press_set in sets:
        limits.check()
        if any(refuted.covers(press_set) for refuted in found):
            continue
        counts = press_set.astype(np.int64)
        try:
            if marking.bulbs.size:
                one: Refutation = _of_bulbs(board, counts, marking, alone=sets.nullity == 0)
            else:
                one = _of_lines(board, counts, marking)
        except _Lacks as lack:
            if sets.nullity == 0:
                raise
            raise _Lacks(
                f"there are {1 << sets.nullity} ways to choose the presses; in one of them, {lack}"
            ) from None
        found.append(one.check(board, counts, limits))
        parts.append((press_set, one))
    press_set, why = parts[0]
    steps = _steps(board, press_set, why)
    if len(parts) > 1:
        return _accepted(board, Members(tuple(parts)), None, steps)
    return _accepted(board, why, press_set, steps)


def _accepted(board: Board, why: Refutation, counts: Bits | None, steps: tuple[str, ...]) -> Judged:
    """Return a result that `ponder.verify` has accepted."""
    claim: Claim = "C4" if isinstance(why, Witness) else "C2"
    result = Result(
        "order", board, "impossible", "marked", claim=claim, refutation=why, counts=counts
    )
    if not verify(board, result).complete:
        raise _Lacks("the check takes too long here")
    return Judged(result, steps)


def _witness(board: Board, marking: Marking) -> Witness:
    """Return the marked bulbs as a witness that no presses reach the goal."""
    if not marking.bulbs.size:
        raise _Lacks(
            "lines show nothing here: mark bulbs, of which every press changes an even number"
        )
    marked = board.graph.set_of(marking.bulbs)
    odd = press_sums(board.graph, marked) & 1
    if odd.any():
        bulb = named(board, int(np.argmax(odd)))
        count = int(press_sums(board.graph, marked)[np.argmax(odd)])
        raise _Lacks(f"{bulb} changes {count} of these, an odd number: that press could do it")
    change = int(np.count_nonzero(marked & board.change))
    if change % 2 == 0:
        raise _Lacks(f"{change} of these bulbs have to change: an even number proves nothing")
    return Witness(marking.bulbs)


# ------------------------------------------------------------------------------------------ bulbs


def _of_bulbs(board: Board, counts: Ints, marking: Marking, *, alone: bool) -> Block:
    """Return the first reason that holds of the marked bulbs, in a press set, `alone` or not."""
    members, inside = marking.bulbs, board.graph.set_of(marking.bulbs)
    if (counts[members] == 0).any():
        idle = int(members[np.argmax(counts[members] == 0)])
        raise _Lacks(f"{named(board, idle)} does not have to be pressed: it is no part of a group")
    later = board.odd_later
    assert later is not None
    pieces: list[int] = []
    for piece, contacts, _ in hanging_pieces(board.graph, counts, inside, later):
        if len(contacts) > 1:
            raise _Lacks(_open(board, piece, sorted(contacts)))
        pieces += piece
    if (why := _local(board, counts, members)) is not None:
        return why
    wider = np.array([*members.tolist(), *pieces])  # with all that hangs on the group
    if alone and pieces and _local(board, counts, wider) is not None:
        near = {*board.graph.neighbours(pieces[0]).tolist()}
        touched = next(v for v in members.tolist() if v in near)
        one, other = named(board, pieces[0]), named(board, touched)
        raise _Lacks(f"{one} changes {other} and has to be pressed too: mark it")
    pairs = len(pairs_within(board, members))
    parity = "even" if pairs % 2 == 0 else "odd"
    raise _Lacks(
        f"this group has {pluralise(pairs, 'pair')}: an {parity} number proves nothing here. Try "
        "another group, or dots of which none can be the first, or none the last"
    )


def _local(board: Board, counts: Ints, members: Ints) -> Block | None:
    """Return the first reason that holds of some bulbs; None where none does."""
    rules: tuple[Rule, ...] = ("parity", "first", "last")
    for rule in rules:
        why = Block(members, rule)
        try:
            why.check(board, counts)
        except CheckFailed:
            continue
        return why
    return None


def _open(board: Board, piece: list[int], contacts: list[int]) -> str:
    """Return which marked bulbs are joined by presses outside."""
    ends, pieces = contacts[:2], pluralise(len(piece), "bulb")
    one, two = (named(board, v) for v in ends)
    for v in piece:
        if {*ends} <= {*board.graph.neighbours(v).tolist()}:
            must = "which has to be pressed too: its pairs belong to the group"
            return f"{one} and {two} touch {named(board, v)}, {must}"
    must = inflect(len(piece), "has", "have") + " to be pressed too"
    return f"{one} and {two} are joined by {pieces}, which {must}: they belong to the group"


# ------------------------------------------------------------------------------------------ lines


def _of_lines(board: Board, counts: Ints, marking: Marking) -> Cut:
    """Return the reason that holds of the marked lines, in a press set: the count, or a cut."""
    if not isinstance(board.graph, CrossGraph):
        raise _Lacks("lines show something only where a press changes its row and its column")
    marked = marking.rows, marking.columns
    odd = [np.flatnonzero(sums & 1) for sums in line_sums(board.graph, counts)]
    if all(np.array_equal(np.sort(k), o) for k, o in zip(marked, odd, strict=True)):
        rows, columns = (k.size for k in odd)
        if rows == columns:
            raise _Lacks(
                f"{pluralise(rows, 'row')} and {pluralise(columns, 'column')}: they balance, so "
                "count early presses"
            )
        return Cut.of_all(board.graph, counts > 0)
    cuts = []
    for side in SIDES:
        cut = Cut(side, *marked)
        need, room, _ = cut.sizes(board.graph, counts > 0)
        if need > room:
            return cut
        cuts.append((need - room, side, need, room))
    more = sum(np.setdiff1d(k, o).size for k, o in zip(marked, odd, strict=True))
    if more and odd[0].size == odd[1].size:  # they balance, so these are meant as a cut
        _, side, need, room = max(cuts)
        early = pluralise(need, "early press")
        raise _Lacks(f"the ticked {side} need {early}, and there is room for {room}")
    raise _Lacks(next(_wrong_lines(marked, odd)))


def _wrong_lines(marked: tuple[Ints, Ints], odd: list[Ints]) -> Iterator[str]:
    """Yield what is wrong with lines that are marked as the odd ones."""
    for name, named_, right in zip(("row", "column"), marked, odd, strict=True):
        for line in np.setdiff1d(named_, right).tolist():
            yield f"{name} {line + 1} is marked and has an even number of dots"
    for name, named_, right in zip(("row", "column"), marked, odd, strict=True):
        for line in np.setdiff1d(right, named_).tolist():
            yield f"{name} {line + 1} has an odd number of dots too"


# ------------------------------------------------------------------------------------------ words


def _steps(board: Board, press_set: Bits, why: Refutation) -> tuple[str, ...]:
    """Return the proof, step by step; the last says what is proved."""
    last = PROVED.format(capital(explain.sentence(board, why, press_set)))
    if not isinstance(why, Block):
        return (*explain.paragraphs(why), last)
    inside = board.graph.set_of(why.bulbs)
    later = board.odd_later
    assert later is not None
    found = hanging_pieces(board.graph, press_set.astype(np.int64), inside, later)
    pieces = [(piece, forces) for piece, _, forces in found]
    hanging = (HANGING,) if pieces else ()
    if why.rule == "parity":
        if why.bulbs.size == 1:
            return (MUST, _beside(board, int(why.bulbs[0]), pieces), last)
        pairs = (
            () if hanging and not pairs_within(board, why.bulbs) else explain.paragraphs(why)[1:2]
        )
        return (MUST, *pairs, *hanging, last)
    if why.rule == "last":
        return (MUST, LAST, *hanging, last)
    if not pieces:
        state = "lit" if board.lit[why.bulbs[0]] else "unlit"
        return (MUST, BLOCKED.format(why.bulbs.size, state), last)
    return (MUST, FIRST, *hanging, last)


def _beside(board: Board, bulb: int, pieces: list[tuple[list[int], bool]]) -> str:
    """Return when the presses that hang on a bulb come, before it or after it."""
    if not pieces:
        return NOTHING_BESIDE
    near, said = {*board.graph.neighbours(bulb).tolist()}, []
    for piece, forces in pieces:
        touching = [v for v in piece if v in near]
        if len(touching) == 1:
            side = "after" if forces else "before"
            said.append(f"{named(board, touching[0])} must be pressed {side} this bulb")
        else:
            number = "an odd" if forces else "an even"
            said.append(f"{number} number of {len(touching)} bulbs beside it must come after it")
    return BESIDE.format("; ".join(said))


def named(board: Board, bulb: int) -> str:
    """Return a bulb as a sentence names it, its place from 1 on."""
    label = board.graph.label(bulb)
    if isinstance(label, tuple):
        return f"row {label[0] + 1}, column {label[1] + 1}"
    return place(label)


def capital(text: str) -> str:
    """Return a text with its first letter as a sentence begins."""
    return text[:1].upper() + text[1:]
