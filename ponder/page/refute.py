"""*Possible or not?*: whether what a player marks is a proof that the board has no order.

The marks become the certificates that results hold: lines are a `cut`, bulbs a `block`, and on a
board without a solution a `witness`. The checker judges them; here are only the words. A marking
has to refute every press set; each that it refutes takes along those that agree on its scope
(theory §3.6). Cost: that of a check for every press set, 2^MOST_NULLITY at most.
"""

from __future__ import annotations

from collections.abc import Mapping
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
from ponder.pictures.marks import marks_of, pairs_within
from ponder.pictures.steps import steps
from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, Json

MOST_NULLITY: Final = 10  # of boards whose press sets are gone through
BLOCK_RULES: Final[tuple[Rule, ...]] = ("parity", "first", "last")


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
    steps: tuple[Json, ...] = ()
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
    """Return what `bulbs`, `rows` and `columns` list, from 0 on. Raises CheckFailed.

    >>> marking_of(Board.from_rows(["00", "01"]), {"rows": [1], "bulbs": [[0, 1]]}).rows
    array([1])
    """
    graph = board.graph
    shape = graph.shape if isinstance(graph, GridGraph) else (0, 0)
    marked = each_once(bulbs(graph, asked.get("bulbs", []), "bulbs"), "bulbs")
    rows, columns = (
        lines(asked.get(key, []), size, key) for key, size in zip(SIDES, shape, strict=True)
    )
    return Marking(marked, rows, columns)


class _Lacks(Exception):
    """What a marking lacks, in a sentence."""


def refute(board: Board, marking: Marking, limits: Limits = NEVER) -> Judged:
    """Judge a marking: accepted where it refutes every press set, or shows that there is none.

    >>> board = Board.from_rows(["00", "01"])
    >>> none = np.zeros(0, dtype=np.int64)
    >>> refute(board, Marking(none, none, none)).missing
    'mark what shows why'
    """
    try:
        return _judged(board, marking, limits)
    except (_Lacks, CheckFailed) as lack:
        return Judged(missing=str(lack))


def _judged(board: Board, marking: Marking, limits: Limits) -> Judged:
    if not (marking.bulbs.size or marking.rows.size or marking.columns.size):
        raise _Lacks("mark what shows why")
    if marking.bulbs.size and (marking.rows.size or marking.columns.size):
        raise _Lacks("bulbs and lines are marked: a proof is about one or the other")
    sets = press_sets(board, limits)
    if isinstance(sets, Witness):
        return _accepted(board, _witness(board, marking), None)
    if board.odd_later is None:
        raise _Lacks("every order is legal here, and the goal can be reached")
    if sets.nullity > MOST_NULLITY:
        ways = f"there are 2^{sets.nullity} ways to choose the presses"
        raise _Lacks(f"{ways}: too many to go through")
    parts: list[tuple[Bits, Refutation]] = []
    refuted: list[Refuted] = []
    for press_set in sets:
        limits.check()
        if any(before.covers(press_set) for before in refuted):
            continue
        counts = press_set.astype(np.int64)
        try:
            why = (_block if marking.bulbs.size else _cut)(board, counts, marking)
        except _Lacks as lack:
            if sets.nullity == 0:
                raise
            ways = f"there are {1 << sets.nullity} ways to choose the presses"
            raise _Lacks(f"{ways}; in one of them, {lack}") from None
        refuted.append(why.check(board, counts, limits))
        parts.append((press_set, why))
    if len(parts) > 1:
        return _accepted(board, Members(tuple(parts)), None)
    return _accepted(board, parts[0][1], parts[0][0])


def _accepted(board: Board, why: Refutation, counts: Bits | None) -> Judged:
    """Return a result that `ponder.verify` has accepted, and the proof."""
    claim: Claim = "C4" if isinstance(why, Witness) else "C2"
    result = Result(
        "order", board, "impossible", "marked", claim=claim, refutation=why, counts=counts
    )
    if not verify(board, result).complete:
        raise _Lacks("the check takes too long here")
    return Judged(result, tuple(steps(board, why, counts)))


def _witness(board: Board, marking: Marking) -> Witness:
    """Return the marked bulbs as a witness that no presses reach the goal."""
    if not marking.bulbs.size:
        raise _Lacks("mark bulbs, of which every press changes an even number")
    marked = board.graph.set_of(marking.bulbs)
    sums = press_sums(board.graph, marked)
    if (sums & 1).any():
        bulb = int(np.argmax(sums & 1))
        changed = f"{named(board, bulb)} changes {sums[bulb]} of these, an odd number"
        raise _Lacks(f"{changed}: that press could do it")
    change = int(np.count_nonzero(marked & board.change))
    if change % 2 == 0:
        raise _Lacks(f"{change} of these bulbs have to change: an even number proves nothing")
    return Witness(marking.bulbs)


def _block(board: Board, counts: Ints, marking: Marking) -> Block:
    """Return the first reason that holds of the marked bulbs, in a press set."""
    members, inside = marking.bulbs, board.graph.set_of(marking.bulbs)
    if (idle := members[counts[members] == 0]).size:
        raise _Lacks(f"{named(board, int(idle[0]))} need not be pressed: it is no part of a group")
    assert board.odd_later is not None
    for _, contacts, _ in hanging_pieces(board.graph, counts, inside, board.odd_later):
        if len(contacts) > 1:
            one, two = (named(board, v) for v in sorted(contacts)[:2])
            raise _Lacks(f"{one} and {two} are joined by dots that belong to the group too")
    for rule in BLOCK_RULES:
        block = Block(members, rule)
        try:
            block.check(board, counts)
        except CheckFailed:
            continue
        return block
    pairs = len(pairs_within(board, members))
    parity = "even" if pairs % 2 == 0 else "odd"
    raise _Lacks(
        f"this group has {pluralise(pairs, 'pair')}: an {parity} number proves nothing here. Try "
        "another group, or dots of which none can be the first, or none the last"
    )


def _cut(board: Board, counts: Ints, marking: Marking) -> Cut:
    """Return the reason that holds of the marked lines, in a press set: the count, or a cut."""
    if not isinstance(board.graph, CrossGraph):
        raise _Lacks("lines show something only where a press changes its row and its column")
    marked = marking.rows, marking.columns
    odd = [np.flatnonzero(sums & 1) for sums in line_sums(board.graph, counts)]
    wrong = [np.setxor1d(lines, right) for lines, right in zip(marked, odd, strict=True)]
    balance = odd[0].size == odd[1].size
    if not (wrong[0].size or wrong[1].size or balance):
        return Cut.of_all(board.graph, counts > 0)
    cuts = [(Cut(side, *marked), side) for side in SIDES]
    sizes = [cut.sizes(board.graph, counts > 0)[:2] for cut, _ in cuts]
    for (cut, _), (need, room) in zip(cuts, sizes, strict=True):
        if need > room:
            return cut
    if balance:  # so these are meant as a cut
        (need, room), (_, side) = max(
            zip(sizes, cuts, strict=True), key=lambda x: x[0][0] - x[0][1]
        )
        early = pluralise(need, "early press")
        raise _Lacks(f"the ticked {side} need {early}, and there is room for {room}")
    for name, changed, right in zip(("row", "column"), wrong, odd, strict=True):
        for line in changed[:1].tolist():
            if line in right:
                raise _Lacks(f"{name} {line + 1} has an odd number of dots too")
            raise _Lacks(f"{name} {line + 1} is marked and has an even number of dots")
    raise AssertionError


def named(board: Board, bulb: int) -> str:
    """Return a bulb as a sentence names it, its place from 1 on."""
    label = board.graph.label(bulb)
    if isinstance(label, tuple):
        return f"row {label[0] + 1}, column {label[1] + 1}"
    return place(label)
