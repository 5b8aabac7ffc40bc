"""Certificates in a sentence.

A certificate proves something by its fields alone (`ponder.check`); nothing here is checked. Lines
and bulbs count from 1. What to mark on the board is in `marks`, the argument by steps in `steps`.
"""

from __future__ import annotations

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Bound, Refutation
from ponder.check.coset import Lightest
from ponder.check.cut import Cut, CutSizes, cross_of
from ponder.check.dual import ModuloFour, Packing
from ponder.check.formula import Formula
from ponder.check.members import Members
from ponder.check.neighbourhoods import line_sums
from ponder.check.settings import Settings
from ponder.check.witness import DeadEnd, Randomised, States, Witness
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.render import pressed_thing
from ponder.model.wired_graph import Wired
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Bits, Ints

NAMED = 4  # lines that a sentence names at most; of more it says how many there are


def sentence(board: Board, why: Refutation, counts: Bits | Ints | None = None) -> str:
    """Return the reason in one sentence for a player.

    `counts` is the press set that the refutation is about, where there is one.

    >>> sentence(Board.from_rows(["01", "10"], "plus"), Block(np.array([0, 1]), "orders"))
    'all orders of these 2 bulbs were searched: none is legal'
    """
    match why:
        case Witness():
            return _witness(board, why)
        case DeadEnd():
            return _dead_end(board, why)
        case Block():
            return _block(board, why).replace("bulb", pressed_thing(board.graph))
        case Cut():
            return _cut(board, why, counts)
        case Settings():
            crossing = "column" if why.side == "rows" else "row"
            across = cross_of(board, why.kind).shape[why.side == "rows"]
            return (
                f"however you choose the presses, odd numbers of them fall on the same {why.side}; "
                f"an order needs as many such {crossing}s, and there are only {across}"
            )
        case Members(parts=((press_set, Block() as part),)):
            return f"however you choose the presses, {sentence(board, part, press_set)}"
        case Members():
            return "every way to choose the presses was ruled out"
        case States():
            return "legal presses lead to none of the states of the lights that are the goal"
        case Formula():
            return "a SAT solver proved that these presses have no order, and its proof was checked"
        case Randomised():
            return (
                f"a randomised test found no order in {pluralise(why.trials, 'trial')}; it errs "
                f"with probability at most 2^{why.log2_error:.0f}"
            )
    return why.kind


def shown_bulbs(why: Refutation) -> Ints | None:
    """Return the bulbs that a refutation is about, to be shown; None for none."""
    if isinstance(why, Witness | DeadEnd | Block):
        return why.bulbs
    if isinstance(why, Members) and len(why.parts) == 1:
        return shown_bulbs(why.parts[0][1])
    return None


def _witness(board: Board, why: Witness) -> str:
    """Return the argument with its numbers, one of which is odd and the other even."""
    lit, goal = int(board.lit[why.bulbs].sum()), int(board.goal[why.bulbs].sum())
    which, aim = "odd" if lit % 2 else "even", f"{goal} must" if goal else "none may"
    return (
        f"every press changes an even number of these {why.bulbs.size} bulbs; {lit} of them "
        f"{inflect(lit, 'is', 'are')} lit, and {aim} be: an {which} number stays {which}"
    )


def _dead_end(board: Board, why: DeadEnd) -> str:
    """Return which press is impossible."""
    size, changing = why.bulbs.size, int(np.count_nonzero(board.change[why.bulbs]))
    state, wanted = ("lit", "unlit") if board.rule == "unlit" else ("unlit", "lit")
    if size == 1 and why.end == "start":
        return f"this bulb has to change, but no {state} bulb may be pressed"
    if size == 1:
        return f"this bulb has to change and end {wanted}, but a press leaves it {state}"
    these = "these" if changing == size else f"{changing} of these"
    changes = f"{these} {size} bulbs {inflect(changing, 'has', 'have')} to change"
    if why.end == "start":
        return f"{changes}, but all {size} are {state}: none may be pressed first"
    return (
        f"{changes}, but all {size} must end {wanted}, and a press leaves its bulb {state}: none "
        "can be the last"
    )


def _pressed(board: Board, why: Block) -> str:
    pressed = "" if board.pressed else "pressed "  # all are to be pressed
    return f"these {why.bulbs.size} {pressed}bulbs" if why.bulbs.size > 1 else _THESE_PRESSES


_THESE_PRESSES = "the presses of this bulb"


def _block(board: Board, why: Block) -> str:
    """Return what is wrong with the block."""
    k = why.bulbs.size
    if why.rule == "parity":
        return _parity(board, why)
    if why.rule == "orders":
        these = f"these {k} bulbs" if k > 1 else _THESE_PRESSES
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
    pairs, need, have = block_parities(board, why)
    if why.bulbs.size == 1 and not pairs:
        zero = " (0 is even)" if have == "even" else ""
        changed = f"an {have} number of its neighbours{zero} is pressed after this bulb"
        if isinstance(board.graph, Wired) or board.pressed:
            condition = "each is pressed once" if board.pressed else "all others end as they should"
            return f"if {condition}, {changed}, and it needs an {need} number"
        end, goal = ("unlit", "lit") if board.goal[why.bulbs[0]] else ("lit", "unlit")
        return f"if all others end as they should, {changed}; so it ends {end}, not {goal}"
    these = f"{_pressed(board, why)} {'have' if why.bulbs.size > 1 else 'make'}"
    need = "an even" if pairs % 2 else "an odd"
    return f"{these} {pluralise(pairs, 'neighbouring pair')}; every order needs {need} number"


def block_parities(board: Board, why: Block) -> tuple[int, str, str]:
    """Return the pairs of B, and the parities asked for and forced, of one bulb if of none."""
    problem = OrderingProblem.of_board(board, board.graph.set_of(why.bulbs))
    parities = ("odd", "even") if problem.odd[0] else ("even", "odd")
    return problem.edge_count, *parities


def _cut(board: Board, why: Cut, counts: Bits | Ints | None) -> str:
    """Return which lines need what others have no room for."""
    if why.all_lines:
        rows, columns = odd_lines(board, counts)
        odd = f"{lines_named('row', rows)} and on {lines_named('column', columns)}"
        return (
            f"odd numbers of presses fall on {odd}; every order needs as many such rows as columns"
        )
    (kind, x), (across, _) = _sides(why)
    need, room, _ = cut_sizes(board, why, counts)
    needs, its = inflect(x.size, "needs its", "need their").split()
    early = "an early press" if need == 1 else f"{need} early presses"
    space = f"room for only {room}" if room else "no room for one"
    return f"{lines_named(kind, x)} {needs} {early}, and {its} {across}s have {space}"


def _sides(why: Cut) -> tuple[tuple[str, Ints], tuple[str, Ints]]:
    """Return the lines that need room, named, and those across."""
    rows, columns = ("row", why.rows), ("column", why.columns)
    return (rows, columns) if why.side == "rows" else (columns, rows)


def cut_sizes(board: Board, why: Cut, counts: Bits | Ints | None) -> CutSizes:
    """Return what the lines of a cut need and what room there is."""
    return why.sizes(cross_of(board, why.kind), np.asarray(counts) > 0)


def odd_lines(board: Board, counts: Bits | Ints | None) -> list[Ints]:
    """Return the rows and the columns with an odd number of presses."""
    return [
        np.flatnonzero(sums & 1) for sums in line_sums(cross_of(board, "cut"), np.asarray(counts))
    ]


def lines_named(kind: str, lines: Ints) -> str:
    """Return the names of rows or columns, counted from 1."""
    if not lines.size or lines.size > NAMED:
        return pluralise(lines.size, kind) if lines.size else f"no {kind}"
    *first, last = map(str, (lines + 1).tolist())
    return f"{kind}s {', '.join(first)} and {last}" if first else f"{kind} {last}"


# ---------------------------------------------------------------------------------------- bounds


def bound_sentence(
    bound: Bound, presses: Ints | None, least: int, command: str = "solve"
) -> str | None:
    """Return why fewer than `least` presses do not suffice; None if that needs no reason.

    `presses` is the best known sequence.
    """
    match bound:
        case Lightest(press_sets=None) if command == "order":
            return None  # `order` says itself that there is only this press set
        case Lightest(press_sets=1) if presses is not None:
            return "no other press set has as few bulbs"
        case Lightest():
            many = bound.press_sets or 1
            ties = f", and {many:,} have as few" if many > 1 else ""
            return f"no press set has fewer bulbs{ties}"
        case Packing():
            apart = ", and no press reaches two of them" if bound.bulbs.size > 1 else ""
            return f"{pluralise(bound.bulbs.size, 'bulb')} must change{apart}"
        case Settings():
            return f"every combination of switched {bound.side} was tried; none needs fewer"
        case States():
            return "a search through all states of the lights finds no shorter way"
        case ModuloFour():
            why = bound_sentence(bound.because, presses, bound.least, command)
            return "; ".join(filter(None, (why, _every_fourth(least))))
        case Members():
            return _members_bound(bound, presses, least, command)
    return None


def _every_fourth(least: int) -> str:
    return f"every sequence has {least} presses, or 4, 8, 12, … more or fewer"


def _members_bound(bound: Members, presses: Ints | None, least: int, command: str) -> str:
    if command == "order":
        return "no press set of fewer bulbs has an order"
    if bound.proofs:
        groups = pluralise(len(bound.cuts), "small group")
        need = inflect(len(bound.cuts), "needs", "need")
        return f"{groups} {need} extra presses; a checked SAT proof shows that fewer will not do"
    if presses is not None and presses.size == least > 0:
        extra = least - int(np.count_nonzero(np.bincount(presses) % 2))
        if extra and len(bound.parts) == 1 and isinstance(bound.parts[0][1], Cut):
            places = pluralise(extra // 2, "place")
            cost = inflect(extra // 2, "it costs", "each costs")
            return f"{places} on lines cannot be balanced; {cost} two extra presses"
        if extra:
            return f"groups of neighbours without an order cost {pluralise(extra, 'extra press')}"
    return "every press set of fewer bulbs has no order, so it needs at least two presses more"
