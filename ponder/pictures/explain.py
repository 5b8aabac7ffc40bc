"""What certificates say, in words and marks: for players, for mathematicians, and on the board.

A certificate proves something by its fields alone (`ponder.check`); nothing here is checked. One
table has, for each kind, the sentence for players, the argument for mathematicians where that says
more, and the marks of a picture. Lines and bulbs count from 1 in sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Refutation
from ponder.check.cut import Cut
from ponder.check.formula import Formula
from ponder.check.linear import press_sets
from ponder.check.members import Members
from ponder.check.neighbourhoods import line_sums
from ponder.check.settings import Settings
from ponder.check.witness import DeadEnd, Randomised, States, Witness
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Bits, Ints, Json, Label, distinct

MOST_PAIRS = 400  # pairs of neighbours that are marked at most; more of them would hide the board
NAMED = 4  # lines that a sentence names at most; of more it says how many there are


def sentence(board: Board, why: Refutation, counts: Bits | Ints | None = None) -> str:
    """Return the reason in one sentence for a player.

    `counts` is the press set that the refutation is about, where there is one.

    >>> sentence(Board.from_rows(["01", "10"], "plus"), Block(np.array([0, 1]), "orders"))
    'all orders of these 2 bulbs were searched: none is legal'
    """
    said: Callable[..., str] | None = _SENTENCES.get(why.kind)
    return why.kind if said is None else said(board, why, counts)


def argument(board: Board, why: Refutation, counts: Bits | Ints | None = None) -> str:
    """Return the reason for a mathematician: the same sentence where that is exact enough."""
    said: Callable[..., str | None] | None = _ARGUMENTS.get(why.kind)
    exact = None if said is None else said(board, why, counts)
    return exact or sentence(board, why, counts)


def shown_bulbs(why: Refutation) -> Ints | None:
    """Return the bulbs that a refutation is about, to be shown; None for none."""
    if isinstance(why, Witness | DeadEnd | Block):
        return why.bulbs
    if isinstance(why, Members) and len(why.parts) == 1:
        return shown_bulbs(why.parts[0][1])
    return None


def marks(board: Board, why: Refutation, counts: Bits | Ints | None = None) -> Json:
    """Return what to mark on the board (`ponder.pictures.marks`); {} for words alone."""
    made: Callable[..., Json] | None = _MARKS.get(why.kind)
    return {} if made is None else made(board, why, counts)


# -------------------------------------------------------------------------------------- no bulbs


def _witness(board: Board, why: Witness, counts: object) -> str:
    """Return the argument with its numbers, one of which is odd and the other even."""
    lit, goal = int(board.lit[why.bulbs].sum()), int(board.goal[why.bulbs].sum())
    which, aim = "odd" if lit % 2 else "even", f"{goal} must" if goal else "none may"
    return (
        f"every press changes an even number of these {why.bulbs.size} bulbs; {lit} of them "
        f"{inflect(lit, 'is', 'are')} lit, and {aim} be: an {which} number stays {which}"
    )


def _witness_argument(board: Board, why: Witness, counts: object) -> str:
    return f"the indicator y of these {why.bulbs.size} bulbs has A y = 0 and y·b = 1"


def _witness_marks(board: Board, why: Witness, counts: object) -> Json:
    change = int(board.change[why.bulbs].sum())
    return {
        "groups": [{"style": "hatch", "bulbs": board.graph.of_lights.labels(why.bulbs)}],
        "label": f"{change} of these must change: odd",
    }


def _dead_end(board: Board, why: DeadEnd, counts: object) -> str:
    """Return which press is impossible."""
    size, changing = why.bulbs.size, int(np.count_nonzero(board.change[why.bulbs]))
    state, other = ("lit", "unlit") if board.rule == "unlit" else ("unlit", "lit")
    if size == 1 and why.end == "start":
        return f"this bulb has to change, but no {state} bulb may be pressed"
    if size == 1:
        return f"this bulb has to change and end {other}, but a press leaves it {state}"
    of = "these" if changing == size else f"{changing} of these"
    who = f"{of} {size} bulbs {inflect(changing, 'has', 'have')} to change"
    if why.end == "start":
        return f"{who}, but all {size} are {state}: none may be pressed first"
    return (
        f"{who}, but all {size} must end {other}, and a press leaves its bulb {state}: none can be "
        "the last"
    )


def _dead_end_marks(board: Board, why: DeadEnd, counts: object) -> Json:
    state = "lit" if board.rule == "unlit" else "unlit"
    return {
        "groups": [{"style": "outline", "bulbs": board.graph.labels(why.bulbs)}],
        "label": f"all {state}" if why.end == "start" else f"none may end {state}",
    }


def _states(board: Board, why: States, counts: object) -> str:
    return "legal presses lead to none of the states of the lights that are the goal"


def _randomised(board: Board, why: Randomised, counts: object) -> str:
    trials = pluralise(why.trials, "trial")
    wrong = f"it errs with probability at most 2^{why.log2_error:.0f}"
    return f"a randomised test found no order in {trials}; {wrong}"


def _randomised_argument(board: Board, why: Randomised, counts: object) -> str:
    trials = pluralise(why.trials, "trial")
    return (
        f"a randomised test over GF(2^{why.field_bits}) found no order in {trials}; it errs with "
        f"probability at most 2^{why.log2_error:.0f}"
    )


def _formula(board: Board, why: Formula, counts: object) -> str:
    return "a SAT solver proved that these presses have no order, and its proof was checked"


def _formula_argument(board: Board, why: Formula, counts: object) -> str:
    cuts = f" with {pluralise(len(why.cuts), 'cut')}" if why.cuts else ""
    return f"the formula {why.encoding}{cuts} has no model, by an LRAT proof that was checked"


# ---------------------------------------------------------------------------------------- blocks


def _block(board: Board, why: Block, counts: object) -> str:
    """Return what is wrong with the block."""
    k = why.bulbs.size
    if why.rule == "parity":
        return _parity(board, why)
    if why.rule == "orders":
        these = f"these {k} bulbs" if k > 1 else "the presses of this bulb"
        return f"all orders of {these} were searched: none is legal"
    none = f"none of these {k} bulbs can be the {why.rule} of them to be pressed"
    if k == 1:
        none = f"no press of this bulb can be its {why.rule}"
    if why.rule == "last":
        return f"{none}: each needs an odd number of neighbours after it"
    if isinstance(board.graph, Wired):  # a button may be pressed by the state of another place
        return f"{none}: whichever it were, the rule would forbid it"
    state = "lit" if board.rule == "unlit" else "unlit"
    return f"{none}: whichever it were, it would be {state} at its turn"


def _parity(board: Board, why: Block) -> str:
    """Return the count; of a bulb alone, also what it is whatever hangs on the bulb."""
    k, (pairs, need, have) = why.bulbs.size, _alone(board, why)
    if k == 1 and not pairs:
        zero = " (0 is even)" if have == "even" else ""
        changed = f"an {have} number of its neighbours{zero} must be pressed after this bulb"
        if isinstance(board.graph, Wired):
            return f"for the others to come out right, {changed}, and it needs an {need} number"
        end, goal = ("unlit", "lit") if board.goal[why.bulbs[0]] else ("lit", "unlit")
        return f"for the others to come out right, {changed}; so it ends {end}, not {goal}"
    these = f"these {k} pressed bulbs have" if k > 1 else "the presses of this bulb make"
    need = "an even" if pairs % 2 else "an odd"
    return f"{these} {pluralise(pairs, 'neighbouring pair')}; every order needs {need} number"


def _alone(board: Board, why: Block) -> tuple[int, str, str]:
    """Return the pairs of B, and the parities asked for and forced, of one bulb if of none."""
    problem = OrderingProblem.of_board(board, board.graph.set_of(why.bulbs))
    parities = ("odd", "even") if problem.odd[0] else ("even", "odd")
    return problem.edge_count, *parities


def _block_argument(board: Board, why: Block, counts: object) -> str | None:
    """Return the parities."""
    k = why.bulbs.size
    these = f"these {k} pressed bulbs" if k > 1 else "the presses of this bulb"
    return {
        "first": f"deg_B(v) ≢ t_B(v) (mod 2) for every v of B, {these}",
        "last": f"t_B(v) = 1 for every v of B, {these}",
    }.get(why.rule)


def _block_marks(board: Board, why: Block, counts: object) -> Json:
    """Return B, outlined, and its pairs of neighbours."""
    pairs = pairs_within(board, why.bulbs)
    label = pluralise(why.bulbs.size, "bulb")
    if why.rule == "parity":
        _, need, have = _alone(board, why)
        label = f"{pluralise(len(pairs), 'pair')}: {'odd' if len(pairs) % 2 else 'even'}"
        if why.bulbs.size == 1 and not pairs:
            label = f"needs an {need} number, gets an {have} one"
    return {
        "rule": why.rule,
        "groups": [{"style": "outline", "bulbs": board.graph.labels(why.bulbs)}],
        "pairs": pairs if len(pairs) <= MOST_PAIRS else [],
        "label": label,
    }


def pairs_within(board: Board, bulbs: Ints) -> list[list[Label]]:
    """Return the pairs of neighbours among some bulbs; on a wiring, those one of which hears."""
    graph, among = board.graph, distinct(bulbs)
    if isinstance(graph, Wired):
        hears = enumerate(graph.hears(among))
        pairs = sorted({(min(v, u), max(v, u)) for v, near in hears for u in near})
        return [graph.labels(among[[*pair]]) for pair in pairs]
    return [graph.labels(among[pair]) for pair in graph.edges_within(among)]


# ----------------------------------------------------------------------------------------- lines


def _odd_lines(board: Board, counts: Bits | Ints) -> list[Ints]:
    assert isinstance(board.graph, CrossGraph)
    return [np.flatnonzero(sums & 1) for sums in line_sums(board.graph, counts)]


def _cut(board: Board, why: Cut, counts: Bits | Ints | None) -> str:
    """Return which lines need what others have no room for."""
    own, x = ("row", why.rows) if why.side == "rows" else ("column", why.columns)
    others = "columns" if why.side == "rows" else "rows"
    if counts is None or not isinstance(board.graph, CrossGraph):
        return f"{lines_named(own, x)} need more early presses than the {others} have room for"
    if why.all_lines:
        rows, columns = _odd_lines(board, counts)
        odd = f"{lines_named('row', rows)} and on {lines_named('column', columns)}"
        return (
            f"odd numbers of presses fall on {odd}; every order needs as many such rows as columns"
        )
    need, room, _ = why.sizes(board.graph, counts > 0)
    needs, its = inflect(x.size, "needs its", "need their").split()
    what = "an early press" if need == 1 else f"{need} early presses"
    space = f"room for only {room}" if room else "no room for one"
    return f"{lines_named(own, x)} {needs} {what}, and {its} {others} have {space}"


def _cut_argument(board: Board, why: Cut, counts: Bits | Ints | None) -> str | None:
    """Return the inequality with its numbers."""
    if counts is None or why.all_lines or not isinstance(board.graph, CrossGraph):
        return None
    x, y = (why.rows, why.columns) if why.side == "rows" else (why.columns, why.rows)
    own, other = ("row", "column") if why.side == "rows" else ("column", "row")
    need, room, _ = why.sizes(board.graph, counts > 0)
    return (
        f"{pluralise(x.size, own)} {inflect(x.size, 'needs', 'need')} {pluralise(need, 'press')} "
        f"of colour 1, but {pluralise(y.size, other)} and the presses outside have room for only "
        f"{room}"
    )


def _cut_marks(board: Board, why: Cut, counts: Bits | Ints | None) -> Json:
    """Return the lines of the cut, or the odd ones, and both numbers."""
    if counts is None or not isinstance(board.graph, CrossGraph):
        return _line_marks(why.side, why.rows, why.columns, (0, 0), "too full")
    if why.all_lines:
        rows, columns = _odd_lines(board, counts)
        label = f"{pluralise(rows.size, 'odd row')} against {pluralise(columns.size, 'odd column')}"
        return _line_marks("rows", rows, columns, (rows.size, columns.size), label)
    need, room, _ = why.sizes(board.graph, counts > 0)
    label = f"needs {need}, has room for {room}"
    return _line_marks(why.side, why.rows, why.columns, (need, room), label)


def lines_named(kind: str, lines: Ints) -> str:
    """Return what people call some rows or columns, which they count from 1."""
    if not lines.size or lines.size > NAMED:
        return pluralise(lines.size, kind) if lines.size else f"no {kind}"
    *first, last = map(str, (lines + 1).tolist())
    return f"{kind}s {', '.join(first)} and {last}" if first else f"{kind} {last}"


def _line_marks(
    side: Literal["rows", "columns"],
    rows: Ints,
    columns: Ints,
    numbers: tuple[int, int],
    label: str,
) -> Json:
    row, column = numbers if side == "rows" else numbers[::-1]
    lines = {"rows": rows.tolist(), "columns": columns.tolist()}
    return {**lines, "row_number": row, "column_number": column, "label": label}


def _settings(board: Board, why: Settings, counts: object) -> str:
    other = "column" if why.side == "rows" else "row"
    across = board.graph.shape[why.side == "rows"] if isinstance(board.graph, CrossGraph) else 0
    return (
        f"however you choose the presses, odd numbers of them fall on the same {why.side}; an "
        f"order needs as many such {other}s, and there are only {across}"
    )


def _settings_marks(board: Board, why: Settings, counts: object) -> Json:
    """Return the lines that are odd in all press sets."""
    rows, columns = _odd_lines(board, press_sets(board).one)
    if why.side == "rows":
        columns = columns[:0]
    else:
        rows = rows[:0]
    shape = board.graph.shape if isinstance(board.graph, CrossGraph) else (0, 0)
    numbers = rows.size + columns.size, shape[why.side == "rows"]
    label = f"{numbers[0]} odd {why.side}, {numbers[1]} lines across"
    return _line_marks(why.side, rows, columns, numbers, label)


# --------------------------------------------------------------------------------------- members


def _members(board: Board, why: Members, counts: object) -> str:
    """Return what is wrong with every choice of presses."""
    if len(why.parts) == 1:
        press_set, part = why.parts[0]
        if isinstance(part, Block):
            return f"however you choose the presses, {sentence(board, part, press_set)}"
    return "every way to choose the presses was ruled out"


def _members_argument(board: Board, why: Members, counts: object) -> str:
    """Return how many press sets fall to which argument."""
    lines = isinstance(board.graph, CrossGraph) and board.even_lines
    usual = "unequal numbers of odd rows and odd columns, or " if lines else ""
    parts = f", or one of {pluralise(len(why.parts), 'refutation')}" if why.parts else ""
    return f"every press set has {usual}an odd component{parts}"


def _members_marks(board: Board, why: Members, counts: object) -> Json:
    """Return the marks of the first part, and how many more there are."""
    if not why.parts:
        return {}
    press_set, part = why.parts[0]
    made, others = marks(board, part, press_set), len(why.parts) - 1
    if others and "label" in made:
        made["label"] = f"{made['label']}; {others} more like it"
    return made


_SENTENCES: dict[str, Callable[..., Any]] = {
    "witness": _witness,
    "dead-end": _dead_end,
    "block": _block,
    "cut": _cut,
    "settings": _settings,
    "members": _members,
    "states": _states,
    "formula": _formula,
    "randomised": _randomised,
}
_ARGUMENTS: dict[str, Callable[..., Any]] = {
    "witness": _witness_argument,
    "block": _block_argument,
    "cut": _cut_argument,
    "members": _members_argument,
    "formula": _formula_argument,
    "randomised": _randomised_argument,
}
_MARKS: dict[str, Callable[..., Any]] = {
    "witness": _witness_marks,
    "dead-end": _dead_end_marks,
    "block": _block_marks,
    "cut": _cut_marks,
    "settings": _settings_marks,
    "members": _members_marks,
}
