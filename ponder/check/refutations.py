"""What a refutation of one press set says, by its kind, and how far it was checked.

Every kind but `odd-witness` and `dead-end` is about the press counts it carries, which must solve
the linear system. A checked refutation holds for every press set that agrees with its own on the
`scope`: all bulbs, or N[K] for the local kinds. Which kind proves which claim says `claims`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ponder.check import line_refutations, local_refutations, proofs
from ponder.check.claims import OF_ONE_PRESS_SET
from ponder.check.fields import bulb_set, enum_value, fail, mapping, place, press_counts
from ponder.check.limits import Budget
from ponder.check.neighbourhoods import closed_sums, press_sums, reaches_goal, spend_sums
from ponder.check.switches import check_weighted_cuts
from ponder.check.wirings import check_wired, ordering_problem
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.types import Bits, Ints, Json


@dataclass(frozen=True)
class RefutedCounts:
    """Press counts without a legal order, and the bulbs whose counts this depends on.

    `unchecked`: None, or why. A sequence with repeats has at least `extra` presses more than these.
    """

    counts: Ints
    scope: Bits
    unchecked: str | None = None
    extra: int = 2

    def covers(self, press_set: Bits) -> bool:
        """Whether a press set agrees with this one on the scope, so that it is refuted too."""
        return bool((self.counts.astype(np.bool_) == press_set)[self.scope].all())


def check_odd_witness(board: Board, refutation: Json, budget: Budget | None = None) -> None:
    """Check that every press toggles evenly many of the bulbs, whose parity has to change."""
    spend_sums(board.graph, budget or Budget(), "the odd witness")
    lights = replace(board, graph=board.graph.of_lights)
    witness = bulb_set(lights, refutation.get("bulbs"), "odd-witness: bulbs")
    odd = press_sums(board.graph, witness) & 1
    if odd.any():
        bulb = place(board.graph.label(int(np.argmax(odd))))
        fail(f"odd-witness: a press of {bulb} toggles an odd number of the bulbs")
    if np.count_nonzero(witness & board.change) % 2 == 0:
        fail("odd-witness: an even number of the bulbs has to change, which presses can do")


def check_dead_end(board: Board, refutation: Json, budget: Budget | None = None) -> None:
    """Check that no bulb of a whole piece of the board is ever pressed (claim C4; theory §2.5)."""
    if board.odd_later is None:
        fail("dead-end: under the rule 'any' every bulb may be pressed")
    if isinstance(board.graph, Wired):
        fail("dead-end: it says nothing of wirings")
    spend_sums(board.graph, budget or Budget(), "the dead end")
    end = enum_value(refutation.get("end"), ("start", "goal"), "dead-end: end")
    piece = bulb_set(board, refutation.get("bulbs"), "dead-end: bulbs")
    leaving = ~piece & (closed_sums(board.graph, piece) > 0)
    if leaving.any():
        bulb = place(board.graph.label(int(np.argmax(leaving))))
        fail(f"dead-end: {bulb} is beside the bulbs and not one of them")
    if not (piece & board.change).any():
        fail("dead-end: none of the bulbs has to change")
    pressable = board.lit == (board.rule == "lit")
    allowed = pressable if end == "start" else board.goal == (board.rule == "unlit")
    if (piece & allowed).any():
        bulb = place(board.graph.label(int(np.argmax(piece & allowed))))
        which = "first" if end == "start" else "last"
        fail(f"dead-end: {bulb} can be the {which} of the bulbs to be pressed")


def check_press_set(
    board: Board,
    value: object,
    budget: Budget | None = None,
    kinds: tuple[str, ...] = OF_ONE_PRESS_SET,
) -> RefutedCounts:
    """Check a refutation of one press set (claim C1), of one of the `kinds`."""
    budget = budget or Budget()
    refutation = mapping(value, "refutation")
    kind = enum_value(refutation.get("kind"), kinds, "refutation of a press set: kind")
    spend_sums(board.graph, budget, "all the refutations of press sets", 5)
    counts = press_counts(board, refutation.get("press_counts"))
    if counts.size and counts.max() > 1:
        fail(f"{kind}: press_counts presses a bulb twice: it is not a press set")
    if not reaches_goal(board, counts):
        fail(f"{kind}: its press_counts do not lead to the goal in any order")
    if board.odd_later is None:
        fail(f"{kind}: under the rule 'any' every order is legal")
    found = RefutedCounts(counts, np.ones(board.graph.presses, dtype=np.bool_))
    if isinstance(board.graph, Wired) and kind != "sat-proof":
        check_wired(board, counts, refutation, budget)
        return found
    match kind:
        case "line-count":
            line_refutations.check_line_count(board, counts, refutation)
        case "line-cut":
            extra = line_refutations.check_line_cut(board, counts, refutation)
            return replace(found, extra=extra)
        case "line-parities":
            line_refutations.check_line_parities(board, counts, refutation)
        case "weighted-cuts":
            check_weighted_cuts(board, counts, refutation, budget)
        case "sat-proof":
            problem = ordering_problem(board, counts, budget)
            return replace(found, unchecked=proofs.check_problem(problem, refutation, budget))
        case _:
            scope = local_refutations.check_local(board, counts, refutation, budget)
            return replace(found, scope=scope)
    return found
