"""Lower bounds: that no sequence of the kind asked for has fewer presses (claim C3).

`order` asks for sequences that press each bulb at most once, `solve` allows repeats. The class of a
kind of evidence says what it states (`ponder.check.evidence.bound_evidence`,
`ponder.check.evidence.decomposition`). Its checker, or the theory cited there, says why it proves a
bound.
"""

from __future__ import annotations

import numpy as np

from ponder.check.claims import BOUNDS, WITHOUT_RULE
from ponder.check.coset import MOST_NULLITY, Coset, least_weight, lighter
from ponder.check.fields import bulb_set, enum_value, fail, mapping, number, quote, sequence
from ponder.check.limits import Budget
from ponder.check.line_refutations import cross_of, line_flow
from ponder.check.linear import press_sets, unique_press_set
from ponder.check.neighbourhoods import reaches_goal, spend_sums
from ponder.check.odd_components import least_presses
from ponder.check.press_set_bounds import least_of_classes, least_of_packing, least_of_relaxation
from ponder.check.refutations import check_press_set
from ponder.check.spectral import spectral_bound
from ponder.check.switches import least_cost
from ponder.check.switching_blocks import least_of_blocks
from ponder.check.wirings import all_states, beyond_steps
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.types import Json

OF_WIRINGS = ("unique-press-set", "coset-minimum", "coset", "states", "within-steps")


def check_bound(
    board: Board, command: str, lower_bound: int, value: object, budget: Budget | None = None
) -> str | None:
    """Check the evidence for a lower bound; return why it was not checked, None when it was.

    >>> check_bound(Board.from_rows(["00", "00"]), "order", 4, {"kind": "unique-press-set"})
    >>> check_bound(Board.from_rows(["00", "00"]), "order", 4, None)
    'no evidence is given'
    """
    budget = budget or Budget()
    if value is None:
        return "no evidence is given" if lower_bound else None
    bound = mapping(value, "bound")
    kind = enum_value(bound.get("kind"), BOUNDS[command], f"bound: kind, for `{command}`,")
    if board.rule == "any" and kind not in WITHOUT_RULE:
        fail(f"bound: {kind} is about an order, and under the rule 'any' every order is legal")
    if isinstance(board.graph, Wired) and kind not in OF_WIRINGS:
        fail(f"bound: {kind} says nothing of wirings")
    match kind:
        case "states":
            way = all_states(board, budget)
            proved = 0 if isinstance(way, int) else way.size
        case "within-steps":
            proved = beyond_steps(board, bound, budget)
        case "unique-press-set":
            proved = int(np.count_nonzero(unique_press_set(board, budget)))
        case "coset-minimum":
            proved = _coset_minimum(board, bound, budget)
        case "coset":
            return _by_parts(board, command, lower_bound, bound, budget)
        case "switches":
            proved = least_cost(board, command, lower_bound, bound, budget)
        case "spectral":
            graph = cross_of(board, "bound: spectral")
            if graph.mask is not None:
                fail("bound: spectral is about full rectangles")
            grid = graph.to_grid(press_sets(board, budget).one)
            proved = spectral_bound(grid, lower_bound, budget.of_board)
        case "switching-blocks":
            proved = least_of_blocks(board, bound, budget)
        case "folded-torus":
            proved = least_of_classes(board, bound, budget)
        case "neighbourhood-packing":
            proved = least_of_packing(board, lower_bound, bound, budget)
        case "linear-relaxation":
            proved = least_of_relaxation(board, lower_bound, bound, budget)
        case "line-flow":
            proved = line_flow(board, bound, budget)
        case _:  # odd-components, decomposition
            coset = Coset.of(board, press_sets(board, budget))
            once = command == "order"
            proved = least_presses(board, coset, lower_bound, bound, budget, once=once)
    # evidence of a search may prove more than it claims
    weaker = kind in ("switches", "spectral", "odd-components", "decomposition", "folded-torus")
    if lower_bound > proved or (lower_bound < proved and not weaker):
        fail(f"bound: {kind} proves {proved}, not {quote(lower_bound)}")
    return None


def _coset_minimum(board: Board, bound: Json, budget: Budget) -> int:
    """Return the least weight, after counting how many press sets have it where that is said."""
    found = press_sets(board, budget)
    least, count = least_weight(found.one, found.quiet, budget)
    if bound.get("press_sets") is not None:
        said = number(bound["press_sets"], "coset-minimum: press_sets")
        if said != count:
            fail(f"coset-minimum: {count} press sets have {least} presses, not {quote(said)}")
    if bound.get("listed") is not None:
        _check_listed(board, bound["listed"], least, count, budget)
    return least


def _check_listed(board: Board, value: object, least: int, count: int, budget: Budget) -> None:
    different = set()
    items = sequence(value, "coset-minimum: listed")
    budget.hold(len(items) * board.graph.size, "the press sets that are listed")
    spend_sums(board.graph, budget, "the press sets that are listed", len(items))
    for item in items:
        press_set = bulb_set(board, item, "coset-minimum: a press set")
        if np.count_nonzero(press_set) != least or not reaches_goal(board, press_set.astype(int)):
            fail(f"coset-minimum: a press set that is listed is none of {least} presses")
        different.add(press_set.tobytes())
    if len(different) != count:
        fail(f"coset-minimum: {len(different)} press sets are listed, there are {count}")


def _by_parts(
    board: Board, command: str, lower_bound: int, bound: Json, budget: Budget
) -> str | None:
    coset = Coset.of(board, press_sets(board, budget))
    parts = [check_press_set(board, part, budget) for part in sequence(bound.get("parts"), "parts")]
    if len(coset.basis) <= MOST_NULLITY:
        members, weights = None, coset.weights(budget)
    else:
        members, weights = lighter(coset.base, coset.basis, lower_bound, budget)
    extra = coset.extra(parts, budget, members)
    open_ = (weights + extra < lower_bound) & ((extra == 0) | (command == "solve"))
    if open_.any():
        weight = int((weights + extra)[open_].min())
        fail(
            f"bound: {np.count_nonzero(open_)} press sets may need fewer than "
            f"{quote(lower_bound)} presses, one of them {weight}"
        )
    return next((part.unchecked for part in parts if part.unchecked), None)
