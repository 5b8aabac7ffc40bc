"""Lower bounds: that no sequence of the kind asked for has fewer presses (claim C3).

`order` asks for sequences that press each bulb at most once, `solve` allows repeats. Kinds of
evidence (S a press set, |S| its presses):

* `unique-press-set`  there is only one, and every sequence presses each of its bulbs.
* `coset-minimum`     the lightest press set has as many presses.
* `coset`             every lighter press set is refuted by a part. With repeats a refuted press
                      set may still be played with two presses more, or four, …; on row/column
                      boards with every t(v) = 0 with as many more as the unequal numbers of odd
                      lines, or the part's line cut, call for by theorem 3 (theory §4.5).
* `switches`          full row/column rectangles with an odd side and every t(v) = 0: counting and
                      weighted cuts, see `ponder.check.switches`.
* `spectral`          full row/column rectangles: the largest singular value of a press set.
* `switching-blocks`  king and row/column boards: blocks in which press sets differ by whole lines,
                      see `ponder.check.switching_blocks`.
* `folded-torus`      tori with even sides, taken apart into smaller ones, see
                      `ponder.check.folded_torus`.
* `neighbourhood-packing`, `linear-relaxation`  parities of closed neighbourhoods, see
                      `ponder.check.parity_cuts`.
* `line-flow`         row/column boards with a single press set and every t(v) = 0: theorem 3,
                      |S| + 2·(H_R + H_C − 2f), for f the capacity of a cut, which no flow exceeds.
* `odd-components`    what repeats cost: an odd component of a press set needs a pair of presses
                      more, and pairs are saved at few places, see `ponder.check.odd_components`.
* `decomposition`     cuts, each checked by itself; that they add up rests on a solver.

`integer-model` rests on a solver and is not checked.
"""

from __future__ import annotations

import numpy as np

from ponder.check.claims import BOUNDS, LOCAL, WITHOUT_RULE
from ponder.check.coset import Coset
from ponder.check.fields import bulbs, fail, lines, mapping, number, quote, sequence, word
from ponder.check.folded_torus import least_of_classes
from ponder.check.limits import Budget
from ponder.check.line_refutations import cross_of, line_sums, plain_cross
from ponder.check.linear import press_sets
from ponder.check.local_refutations import check_local
from ponder.check.odd_components import least_presses
from ponder.check.parity_cuts import least_of_packing, least_of_relaxation
from ponder.check.refutations import check_press_set
from ponder.check.spectral import spectral_bound
from ponder.check.switches import least_cost
from ponder.check.switching_blocks import least_of_blocks
from ponder.puzzle.board import Board
from ponder.types import Bits, Json

MOST_TIMES = 1000
"""Cuts that press a bulb more often than this are refused."""


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
    kind = word(bound.get("kind"), BOUNDS[command], f"bound: kind, for `{command}`,")
    if board.rule == "any" and kind not in WITHOUT_RULE:
        fail(f"bound: {kind} is about an order, and under the rule 'any' every order is legal")
    match kind:
        case "unique-press-set":
            proved = int(np.count_nonzero(unique_press_set(board)))
        case "coset-minimum":
            proved = int(Coset.of(board, press_sets(board)).weights().min())
        case "coset":
            return _by_parts(board, command, lower_bound, bound, budget)
        case "switches":
            proved = least_cost(board, command, lower_bound, bound, budget)
        case "spectral":
            proved = _spectral(board, lower_bound)
        case "switching-blocks":
            proved = least_of_blocks(board, bound, budget)
        case "folded-torus":
            proved = least_of_classes(board, bound, budget)
        case "neighbourhood-packing":
            proved = least_of_packing(board, lower_bound, bound)
        case "linear-relaxation":
            proved = least_of_relaxation(board, lower_bound, bound, budget)
        case "line-flow":
            proved = _line_flow(board, bound)
        case "odd-components":
            coset = Coset.of(board, press_sets(board))
            proved = least_presses(board, coset, lower_bound, bound, budget)
        case "decomposition":
            return _decomposition(board, bound, budget)
        case _:
            return "it rests on CP-SAT"
    # evidence of a search may prove more than it claims
    weaker = kind in ("switches", "spectral", "odd-components", "folded-torus")
    if lower_bound > proved or (lower_bound < proved and not weaker):
        fail(f"bound: {kind} proves {proved}, not {quote(lower_bound)}")
    return None


def unique_press_set(board: Board) -> Bits:
    """Return the board's only press set; CheckFailed when it is not the only one.

    >>> unique_press_set(Board.from_rows(["00", "00"])).tolist()
    [True, True, True, True]
    """
    found = press_sets(board)
    if found.base is None:
        fail("the goal cannot be reached by any presses")
    if found.nullity:
        fail(f"there are 2^{found.nullity} press sets, not one")
    return found.base


def _by_parts(
    board: Board, command: str, lower_bound: int, bound: Json, budget: Budget
) -> str | None:
    coset = Coset.of(board, press_sets(board))
    parts = [check_press_set(board, part, budget) for part in sequence(bound.get("parts"), "parts")]
    extra, least = coset.extra(parts, budget), coset.weights()
    if command == "solve":
        least += extra
        open_ = least < lower_bound
    else:
        open_ = (least < lower_bound) & (extra == 0)
    if open_.any():
        weight = int(least[open_].min())
        fail(
            f"bound: {np.count_nonzero(open_)} press sets may need fewer than "
            f"{quote(lower_bound)} presses, one of them {weight}"
        )
    return next((part.unchecked for part in parts if part.unchecked), None)


def _decomposition(board: Board, bound: Json, budget: Budget) -> str:
    """Check every cut by itself; that they add up to the bound is not checked.

    A cut: pressing some bulbs a certain number of times, and nothing beside them, has no order.
    """
    cuts = sequence(bound.get("cuts"), "bound: cuts")
    for item in cuts:
        cut = mapping(item, "bound: a cut")
        members = bulbs(board, cut.get("bulbs"), "bound: the bulbs of a cut")
        times = [number(m, "bound: a press count") for m in sequence(cut.get("counts"), "counts")]
        if len(times) != members.size or min(times, default=0) < 1 or max(times) > MOST_TIMES:
            fail("bound: a cut has no press count, or a wrong one, for one of its bulbs")
        counts = np.zeros(board.graph.size, dtype=np.int64)
        counts[members] = times
        refutation = mapping(cut.get("refutation"), "bound: the refutation of a cut")
        word(refutation.get("kind"), LOCAL, "bound: the kind of a cut")
        check_local(board, counts, refutation, budget)
    rests = bound.get("rests_on")
    return f"its {len(cuts)} cuts hold; that they add up rests on {quote(rests)}"


# -------------------------------------------------------------------------- row/column boards


def _spectral(board: Board, enough: int) -> int:
    graph = cross_of(board, "bound: spectral")
    if graph.mask is not None:
        fail("bound: spectral is about full rectangles")
    base = press_sets(board).base
    if base is None:
        fail("the goal cannot be reached by any presses")
    return spectral_bound(graph.to_grid(base), enough)


def _line_flow(board: Board, bound: Json) -> int:
    graph = plain_cross(board, "bound: line-flow")
    presses = unique_press_set(board)
    side = word(bound.get("side", "rows"), ("rows", "columns"), "line-flow: side")
    rows = lines(bound.get("rows"), graph.shape[0], "line-flow: rows")
    columns = lines(bound.get("columns"), graph.shape[1], "line-flow: columns")
    of_rows, of_columns = (sums // 2 for sums in line_sums(graph, presses))
    in_rows, in_columns = rows[graph.rows], columns[graph.columns]
    if side == "rows":  # source → rows → columns → sink; the lines named lie with the source
        crossing = np.count_nonzero(presses & in_rows & ~in_columns)
        capacity = int(of_rows[~rows].sum() + of_columns[columns].sum()) + crossing
    else:
        crossing = np.count_nonzero(presses & in_columns & ~in_rows)
        capacity = int(of_columns[~columns].sum() + of_rows[rows].sum()) + crossing
    if number(bound.get("flow"), "line-flow: flow") != capacity:
        fail(f"line-flow: the cut has the capacity {capacity}, not {quote(bound['flow'])}")
    half_sums = int(of_rows.sum()) + int(of_columns.sum())
    return int(np.count_nonzero(presses)) + 2 * (half_sums - 2 * int(capacity))
