"""A refutation as steps to be read one after the other: a sentence, and what to mark for it.

Every step counts something on this board, and its marks show what it counts. The marks are those of
`marks`, and of these, too:

numbers    [bulb, number]: a numeral on the bulb
arrows     pairs of bulbs: the first is pressed before the second
margins    `rows`, `columns`: a number beside every line
pointed    a bulb, with what its press changes
numbered   whether the pairs are counted

The last step is the certificate's sentence. Nothing here is checked (`ponder.check` is).
"""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from typing import Any, Final, TypeAlias

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Refutation
from ponder.check.cut import Cut, cross_of
from ponder.check.linear import press_sets
from ponder.check.members import Members
from ponder.check.neighbourhoods import closed_sums, line_sums, press_sums
from ponder.check.witness import DeadEnd, Witness
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.model.wired_graph import Wired
from ponder.pictures import explain
from ponder.pictures.answers import capital
from ponder.pictures.marks import marks_of, pairs_within, press_set_marks
from ponder.system.errors import CheckFailed
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Bits, Ints

Step: TypeAlias = dict[str, Any]  # `words` and `marks`; also marks alone
MOST_CASES: Final = 32  # press sets of which each has a step
MOST_SPLIT: Final = 144  # bulbs of a board whose press sets are gone through
MOST_COUNTED: Final = 64  # bulbs of a board on which each has a numeral
NO_ORDER: Final = "So no order exists: proved."
ALL: Final = {
    "settings": "No choice of presses gives the rows and the columns halves that can meet.",
    "states": "Every arrangement of lights to which legal presses lead was looked at.",
    "formula": "A solver proved that the question, written as a formula, has no solution.",
    "randomised": "This is evidence, not a proof: random trials found no order.",
}


def steps(board: Board, why: Refutation, counts: Bits | Ints | None = None) -> list[Step]:
    """Return the steps, each with its `words` and its `marks`; the last is the whole sentence.

    `counts` is the press set that the refutation is about, where there is one.

    >>> listed = steps(Board.from_rows(["100"], "plus"), Witness(np.array([0, 2])))
    >>> listed[-1]["words"].endswith("So no presses reach the goal: proved.")
    True
    """
    match why:
        case Witness():
            return _witness(board, why)
        case DeadEnd():
            turn = "first" if why.end == "start" else "last"
            look = f"Some press must be the {turn} of all. Look at the outlined bulbs."
            return [_step(look, marks_of(board, why)), _last(board, why, counts)]
        case Members():
            cases = _cases(board, why)
            return _members(board, cases) if cases else [_last(board, why, counts)]
        case Block() if counts is not None and not isinstance(board.graph, Wired):
            return [_must(board, why, counts), *_block(board, why, counts)]
        case Cut() if counts is not None:
            return [_must(board, why, counts), *_cut(board, why, counts)]
    first = [_step(ALL[why.kind], {})] if why.kind in ALL else []
    return [*first, _last(board, why, counts)]


def _step(words: str, *marks: Step) -> Step:
    merged: Step = {}
    for part in marks:
        merged |= part
    return {"words": words, "marks": merged}


def _last(board: Board, why: Refutation, counts: Bits | Ints | None, ends: str = NO_ORDER) -> Step:
    text = capital(explain.sentence(board, why, counts))
    marks = marks_of(board, why, counts)
    if isinstance(why, Block) and why.rule == "parity":
        marks["numbered"] = True
    return _step(f"{text}. {ends}" if why.kind != "randomised" else f"{text}.", marks)


def _witness(board: Board, why: Witness) -> list[Step]:
    """Return how many of the bulbs each press changes, and how many have to change."""
    graph = board.graph
    marked = graph.of_lights.set_of(why.bulbs)
    sums, hatch = press_sums(graph, marked), marks_of(board, why)
    hatch.pop("label", None)
    *few, most = map(str, np.unique(sums).tolist() or [0])
    numbers = f"{', '.join(few)} or {most}" if few else most
    first = f"Look only at the {pluralise(why.bulbs.size, 'hatched bulb')}. "
    shown: Step = {}
    if graph.presses <= MOST_COUNTED and not isinstance(graph, Wired):
        first += f"The number on a bulb says how many of them its press changes: {numbers}, "
        shown["numbers"] = _numbers(board, np.arange(graph.presses), sums)
    else:
        first += f"Each press changes {numbers} of them, "
        if sums.size and not isinstance(graph, Wired):
            shown["pointed"] = graph.label(int(np.argmax(sums)))
    change = why.bulbs[board.change[why.bulbs]]
    must = inflect(change.size, "has", "have")
    counted = (
        f"{change.size} of them {must} to change, an odd number. Even numbers never add up to it."
    )
    turning: Step = {}
    if not isinstance(graph, Wired):
        turning["numbers"] = _numbers(board, change, np.arange(1, change.size + 1))
    return [
        _step(f"{first}always an even number.", hatch, shown),
        _step(counted, hatch, turning),
        _last(board, why, None, "So no presses reach the goal: proved."),
    ]


def _numbers(board: Board, bulbs: Ints, numbers: Ints) -> list[list[Any]]:
    return [[*pair] for pair in zip(board.graph.labels(bulbs), numbers.tolist(), strict=True)]


def _cases(board: Board, why: Members) -> list[tuple[Bits, Refutation]]:
    """Return each press set with its reason, where they are few; else those that are written."""
    sets = press_sets(board)
    few = board.graph.size <= MOST_SPLIT and 1 << sets.nullity <= MOST_CASES
    if not few or isinstance(board.graph, Wired):
        return list(why.parts)
    parts = [(part, part.check(board, press_set.astype(np.int64))) for press_set, part in why.parts]
    cases: list[tuple[Bits, Refutation]] = []
    for chosen in product((0, 1), repeat=sets.nullity):
        press_set = sets.one ^ (np.array(chosen, dtype=np.int64) @ sets.quiet % 2 == 1)
        reason = _counted(board, press_set)
        if reason is None:
            reason = next((part for part, refuted in parts if refuted.covers(press_set)), None)
        if reason is None:
            return list(why.parts)
        cases.append((press_set, reason))
    return cases


def _counted(board: Board, press_set: Bits) -> Refutation | None:
    """Return a count that refutes a press set: of its odd lines, or of the pairs of a component."""
    left, counts, reasons = press_set.copy(), press_set.astype(np.int64), list[Refutation]()
    if isinstance(board.graph, CrossGraph):
        reasons.append(Cut.of_all(board.graph, press_set))
    while left.any():
        group = board.graph.set_of([int(np.argmax(left))])
        while (grown := (closed_sums(board.graph, group) > 0) & left & ~group).any():
            group |= grown
        left &= ~group
        reasons.append(Block(np.flatnonzero(group), "parity"))
    for reason in reasons:
        with suppress(CheckFailed):
            reason.check(board, counts)
            return reason
    return None


def _members(board: Board, parts: list[tuple[Bits, Refutation]]) -> list[Step]:
    """Return the first case in full and of each other one its sentence."""
    cases = len(parts)
    if cases == 1:
        ((press_set, part),) = parts
        case_steps = steps(board, part, press_set)
        if press_sets(board).nullity and len(case_steps) > 1:
            case_steps[0]["words"] = (
                "The bulbs to press can be chosen in several ways; the dots show one."
            )
        return case_steps
    ways = f"There are {cases} cases: the bulbs to press can be chosen in several ways, and each "
    ways += "is ruled out. The dots are the bulbs of case 1."
    listed: list[Step] = []
    for k, (press_set, part) in enumerate(parts[:MOST_CASES], 1):
        last = _last(board, part, press_set, "So this case has no order.")
        if k == 1:
            case_steps = steps(board, part, press_set)[1:-1]
            listed += [_step(ways, press_set_marks(board, press_set)), *case_steps]
        listed.append(last | {"words": f"Case {k}: {last['words']}"})
    more = f", and so do the other {cases - MOST_CASES}" if cases > MOST_CASES else ""
    end = f"All {cases} cases fail{more}. {NO_ORDER}"
    return [*listed, _step(end, press_set_marks(board, parts[-1][0]))]


def _must(board: Board, why: Refutation, counts: Bits | Ints) -> Step:
    """Return that these presses are forced."""
    presses = press_set_marks(board, np.asarray(counts) % 2 == 1)
    presses.pop("lines", None)
    words = "The lights decide which bulbs must be pressed, whatever the order: the dotted ones."
    if board.pressed:
        words = "Every bulb is to be pressed once."
    return _step(words, presses)


def _block(board: Board, why: Block, counts: Bits | Ints) -> list[Step]:
    """Return what is counted in a group: its pairs, or the states in which its presses are."""
    graph, pressed = board.graph, np.asarray(counts, dtype=np.int64) > 0
    inside, size = graph.set_of(why.bulbs), why.bulbs.size
    marks = marks_of(board, why, counts)
    outline: Step = {key: marks[key] for key in ("groups", "presses") if key in marks}
    alone = not (closed_sums(graph, inside)[pressed & ~inside]).any()
    last = _last(board, why, counts)
    if why.rule == "orders":
        tried = "All orders of the outlined presses were tried, step by step: each gets stuck."
        return [_step(tried, outline), last]
    before, after = ("lit", "unlit") if board.rule == "unlit" else ("unlit", "lit")
    these = f"the {size} outlined dots" if size > 1 else "the outlined dot"
    if why.rule != "parity":
        ends = board.lit if why.rule == "first" else board.goal
        wanted = before if why.rule == "first" else after
        if not alone or (ends[why.bulbs] != (wanted == "lit")).any():
            return [last]
        words = f"Of {these}, each is {before} now, and {before} bulbs may not be pressed."
        if why.rule == "last":
            words = f"Of {these}, each must end {after}, and a press leaves its bulb {before}."
        words += " No dot outside the group changes one of them."
        return [_step(words, outline), last]
    pairs = pairs_within(board, why.bulbs)
    if not pairs or not alone:
        tied = "Presses outside the group that touch it change one bulb of it each, in every order "
        tied += "an even or in every order an odd number of times. That is taken off."
        return [_step(tied, outline), last] if not alone else [last]
    # a legal press changes its bulb to the rule's other state: so many changes come before it
    odd = board.lit[why.bulbs] == (board.rule == "unlit")
    number = "an odd" if int(odd.sum()) % 2 else "an even"
    pair, lit = pluralise(len(pairs), "pair"), int(odd.sum())
    needs = (
        f"{lit} of the group {inflect(lit, 'is', 'are')} {before}, so together they need {number}"
    )
    return [
        _step(
            f"The outlined group has {pair} of neighbours.",
            outline, {"pairs": pairs, "numbered": True},
        ),
        _step(
            "In each pair, whichever is pressed first changes the other before its turn. In every "
            f"order that makes {pluralise(len(pairs), 'change')} before a press: one for each "
            "arrow, whichever way it points.",
            outline, {"arrows": pairs},
        ),
        _step(
            f"A bulb that is {before} now needs an odd number of changes before its press, one "
            f"that is {after} an even number. {needs} number.",
            outline, {"numbers": _numbers(board, why.bulbs, odd.astype(np.int64))},
        ),
        last,
    ]  # fmt: skip


def _cut(board: Board, why: Cut, counts: Bits | Ints) -> list[Step]:
    """Return the dots of each line, the half of them that is early, and where these differ."""
    graph = cross_of(board, why.kind)
    pressed = np.asarray(counts, dtype=np.int64) > 0
    sums = line_sums(graph, pressed)
    presses = {"presses": graph.labels(np.flatnonzero(pressed))}

    def margins(half: bool = False) -> Step:
        return {"margins": [(by // (2 if half else 1)).tolist() for by in sums]}

    marks = marks_of(board, why, counts)
    lines = {key: marks[key] for key in ("rows", "columns", "row_number", "column_number", "label")}
    most = int(max(by.max() for by in sums))
    side = int(sums[0].max() < most)
    line = int(np.argmax(sums[side]))
    where = ((graph.rows, graph.columns)[side] == line) & pressed
    name = explain.lines_named("row" if side == 0 else "column", np.array([line]))
    listed = [
        _step(
            "A dot may be pressed while its row and its column hold both an even or both an odd "
            "number of dots that are left. Call its press early if both are even. The numbers "
            "count the dots.",
            presses, margins(),
        ),
        _step(
            f"Each press takes one dot off its line, so even and odd take turns. Of the {most} "
            f"dots of {name}, {most // 2} {inflect(most // 2, 'is', 'are')} pressed early: in each "
            "line half of them, rounded down.",
            presses, margins(),
            {"groups": [{"style": "outline", "bulbs": graph.labels(np.flatnonzero(where))}]},
        ),
    ]  # fmt: skip
    rows, columns = (int((by // 2).sum()) for by in sums)
    if why.all_lines:
        words = f"Added up by rows, {pluralise(rows, 'press')} {inflect(rows, 'is', 'are')} early; "
        words += f"by columns, {columns}. It cannot be both."
        totals = {"row_number": rows, "column_number": columns, "rows": [], "columns": []}
        label = {"label": f"early: {rows} by rows, {columns} by columns"}
        listed.append(_step(words, presses, margins(half=True), totals, label))
    else:
        need, room, _ = explain.cut_sizes(board, why, counts)
        words = (
            f"The numbers are now early presses. The marked {why.side} need {need} of them, and "
        )
        words += f"their {'columns' if why.side == 'rows' else 'rows'} have room for {room}."
        listed.append(_step(words, presses, margins(half=True), lines))
    last = _last(board, why, counts)
    last["marks"] |= margins(half=not why.all_lines)
    last["marks"].pop("lines", None)
    return [*listed, last]
