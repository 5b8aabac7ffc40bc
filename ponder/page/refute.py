"""*Possible or not?*: whether what a player marks is a proof that the board has no order.

The marks become the certificates that results hold: lines are a `cut`, bulbs a `block`, and on a
board without a solution a `witness`. The checker judges them, and nothing is added to them: bulbs
are a whole component of the presses, and no smaller marking would do. A marking has to refute every
press set; each that it refutes takes along those that agree on its scope (theory §3.6). Where it
is refused, a sentence counts what it shows, and names no bulb and no line.

Cost: that of a check for every press set, 2^MOST_NULLITY at most, and of a flow for every line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from ponder.check.block import RULES, Block
from ponder.check.certificate import Claim, Refutation, Refuted
from ponder.check.cut import Cut
from ponder.check.members import Members
from ponder.check.neighbourhoods import closed_sums, line_sums, press_sums
from ponder.check.reader import SIDES, bulbs, each_once, lines, place
from ponder.check.result import Result
from ponder.check.verification import verify
from ponder.check.witness import Witness
from ponder.find.linear.press_sets import kernel, press_sets
from ponder.find.row_column.maximum_flow import largest_choice
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, GridGraph
from ponder.pictures.marks import marks_of
from ponder.pictures.steps import steps
from ponder.system.errors import CheckFailed
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Bits, Ints, Json

MOST_NULLITY: Final = 10  # of boards whose press sets are gone through
Reason: TypeAlias = Literal["witness", "count", "cut", "parity", "first", "last"]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
"""What a level of the path may teach; it accepts no other reason: kinds of certificates, rules of a
`block`, and `count`, a `cut` of all lines."""


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


def refute(
    board: Board, marking: Marking, reason: Reason | None = None, limits: Limits = NEVER
) -> Judged:
    """Judge a marking: accepted where it refutes every press set, or shows that there is none.

    Only by `reason`, unless that is None.

    >>> board = Board.from_rows(["00", "01"])
    >>> none = np.zeros(0, dtype=np.int64)
    >>> refute(board, Marking(none, none, none)).missing
    'mark what shows why'
    """
    try:
        return _judged(board, marking, reason, limits)
    except (_Lacks, CheckFailed) as lack:
        return Judged(missing=str(lack))


def _judged(board: Board, marking: Marking, reason: Reason | None, limits: Limits) -> Judged:
    lines_marked = marking.rows.size or marking.columns.size
    if not (marking.bulbs.size or lines_marked):
        raise _Lacks("mark what shows why")
    if marking.bulbs.size and lines_marked:
        raise _Lacks("bulbs and lines are marked: a proof is about one or the other")
    if reason and bool(lines_marked) != (reason in ("count", "cut")):
        raise _Lacks(f"this level is about {'bulbs' if lines_marked else 'rows and columns'}")
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
            judge = _block if marking.bulbs.size else _cut
            why = judge(board, counts, marking, reason, limits)
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
        raise _Lacks("no presses reach the goal, so mark bulbs")
    marked = board.graph.set_of(marking.bulbs)
    sums = press_sums(board.graph, marked)
    size = marking.bulbs.size
    these = f"these {size} bulbs"
    if odd := int(np.count_nonzero(sums & 1)):
        share = f"an odd number of {these}" if size > 1 else "this bulb"  # its own press does
        raise _Lacks(
            f"{odd} of the {sums.size} presses {inflect(odd, 'changes', 'change')} {share}"
        )
    *few, most = map(str, np.unique(sums).tolist())
    numbers = f"{', '.join(few)} or {most}" if few else most
    change = int(np.count_nonzero(marked & board.change))
    changes = f"every press changes {numbers} of {these}, and {change}"
    changes = f"{changes} {inflect(change, 'has', 'have')} to change"
    if change % 2 == 0:
        raise _Lacks(f"{changes}: you need an odd number to change")
    if least_witness(board, marked).sum() < size:
        raise _Lacks(f"{changes}, but fewer of them show it too")
    return Witness(marking.bulbs)


def least_witness(board: Board, marked: Bits) -> Bits:
    """Return a witness among marked bulbs, which hold one; no part of it is another."""
    quiet = kernel(board.graph).basis()
    for bulb in [*np.flatnonzero(~marked), *np.flatnonzero(marked)[::-1]]:
        there = np.flatnonzero(quiet[:, bulb])
        if there.size:
            without = quiet.copy()
            without[there] ^= quiet[there[0]]
            without = np.delete(without, there[0], axis=0)
            if not marked[bulb] or ((without & board.change).sum(axis=1) & 1).any():
                quiet = without
    odd: Bits = quiet[np.argmax((quiet & board.change).sum(axis=1) & 1)]
    return odd


def group_of(board: Board, counts: Ints | Bits, bulb: int) -> Bits:
    """Return the component of a bulb in the graph of the presses."""
    group = board.graph.set_of([bulb])
    while (grown := (closed_sums(board.graph, group) > 0) & (counts > 0) & ~group).any():
        group |= grown
    return group


def _block(
    board: Board, counts: Ints, marking: Marking, reason: Reason | None, limits: Limits
) -> Block:
    """Return the first reason that holds of the marked bulbs, in a press set."""
    members, inside, size = marking.bulbs, board.graph.set_of(marking.bulbs), marking.bulbs.size
    many = size > 1
    these = f"these {size} dots" if many else "this dot"
    if idle := int(np.count_nonzero(counts[members] == 0)):
        bulbs = f"{idle} of these {size} bulbs" if many else "this bulb"
        raise _Lacks(f"{bulbs} need not be pressed")
    group = group_of(board, counts, int(members[0]))
    if loose := int(closed_sums(board.graph, inside)[(counts > 0) & ~inside].sum()):
        joined = f"{pluralise(loose, 'pair')} {inflect(loose, 'joins', 'join')} {these}"
        raise _Lacks(f"{joined} to dots that are not marked: this is a part of a group")
    if (inside & ~group).any():
        raise _Lacks(f"{these} are more than one group: a proof needs one alone")
    assert board.odd_later is not None
    odd = board.odd_later[members]
    degrees = closed_sums(board.graph, inside)[members] - 1
    pairs, first = int(degrees.sum()) // 2, int(np.count_nonzero((degrees & 1) == odd))
    last = int(np.count_nonzero(~odd))
    holds = (pairs + int(odd.sum())) % 2 == 1, first == 0, last == 0
    for rule, so in zip(RULES, holds, strict=False):
        if so and reason in (None, rule):
            return Block(members, rule)
    touching = f"make {pluralise(pairs, 'pair')}" if many else "makes no pairs"
    shows = [f"{these} {touching}, and every order needs {('an even', 'an odd')[pairs % 2]} number"]
    for number, end in ((first, "first"), (last, "last")):
        which, those = (f"{number} of {these}", " of them") if many else (these, "")
        shows.append(f"{which} can be the {end}{those} to be pressed")
    told = [so for rule, so in zip(RULES, shows, strict=False) if reason in (None, rule)]
    raise _Lacks("; ".join(told or shows).replace("; this dot", "; it"))


def _cut(
    board: Board, counts: Ints, marking: Marking, reason: Reason | None, limits: Limits
) -> Cut:
    """Return the reason that holds of the marked lines, in a press set: the count, or a cut."""
    graph = board.graph
    if not isinstance(graph, CrossGraph):
        raise _Lacks("lines show something only where a press changes its row and its column")
    marked = marking.rows, marking.columns
    odd = [np.flatnonzero(sums & 1) for sums in line_sums(graph, counts)]
    right = all(map(np.array_equal, map(np.sort, marked), odd))
    balance = odd[0].size == odd[1].size
    if right and not balance and reason != "cut":
        return Cut.of_all(graph, counts > 0)
    cuts = [Cut(side, *marked) for side in SIDES]
    sizes = [cut.sizes(graph, counts > 0)[:2] for cut in cuts]
    (need, room), cut = max(zip(sizes, cuts, strict=True), key=lambda x: x[0][0] - x[0][1])
    size, shown = sum(map(len, marked)), ""
    if need > room and reason != "count":
        if sum(map(len, least_cut(graph, counts, cut, limits))) == size:
            return cut
        shown = ", but fewer lines show it too"
    if shown or reason == "cut" or (balance and reason is None):
        early, ticked = pluralise(need, "early press"), getattr(cut, cut.side).size
        lines = inflect(ticked, f"{cut.side[:-1]} needs", f"{cut.side} need")
        raise _Lacks(f"the ticked {lines} {early}, and there is room for {room}{shown}")
    even = sum(np.setdiff1d(*pair).size for pair in zip(marked, odd, strict=True))
    if even or not right:
        ticked = "this line" if size == 1 else f"{even or 'all'} of these {size} lines"
        holds = inflect(even or size, "holds", "hold")
        parity = "an even number of dots" if even else "an odd number of dots, and so do others"
        raise _Lacks(f"{ticked} {holds} {parity}")
    rows, columns = (pluralise(odd[k].size, kind) for k, kind in enumerate(("row", "column")))
    raise _Lacks(f"{rows} and {columns} hold an odd number of dots: as many of each")


def least_cut(
    graph: CrossGraph, counts: Ints | Bits, cut: Cut, limits: Limits = NEVER
) -> tuple[Ints, Ints]:
    """Return the rows and columns of a cut within a cut; it is minimal.

    A flow gives the most that lines among the chosen ones need beyond their room.
    """
    grid = graph.to_grid(counts > 0)
    along, across = (cut.rows, cut.columns) if cut.side == "rows" else (cut.columns, cut.rows)
    grid = grid if cut.side == "rows" else grid.T
    halves = [grid.sum(axis=axis, dtype=np.int64) // 2 for axis in (1, 0)]
    rows, columns = np.nonzero(grid)

    def needs_more(along: Ints, across: Ints) -> bool:
        need, room = np.zeros_like(halves[0]), np.full_like(halves[1], grid.shape[0])
        need[along], room[across] = halves[0][along], halves[1][across]
        return bool(largest_choice(rows, columns, need, room, limits)[0].sum() < need.sum())

    for line in along:
        along = left if needs_more(left := along[along != line], across) else along
    for line in across:
        across = left if needs_more(along, left := across[across != line]) else across
    return (along, across) if cut.side == "rows" else (across, along)


def named(board: Board, bulb: int) -> str:
    """Return a bulb as a sentence names it, its place from 1 on."""
    label = board.graph.label(bulb)
    if isinstance(label, tuple):
        return f"row {label[0] + 1}, column {label[1] + 1}"
    return place(label)
