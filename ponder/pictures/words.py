"""An answer in words: the sentences that the command line, pictures and notebooks share."""

from __future__ import annotations

import numpy as np

from ponder.printable import agreeing, counted
from ponder.puzzle.refutation import CLAIMS
from ponder.puzzle.result import Result


def heading(result: Result) -> str:
    """Return the verdict in a few words.

    >>> from ponder.puzzle.board import Board
    >>> heading(Result("order", Board.from_rows(["0"]), "impossible", "lines", claim="C2"))
    'no order'
    """
    if result.verdict == "unknown":
        return "not known"
    if result.verdict == "solved":
        return counted(result.count or 0, "press")
    if result.claim == "C3":
        return too_few(result)
    return {"C1": "no order of these presses", "C2": "no order", "C4": "no solution"}.get(
        result.claim or "", "no order"
    )


def too_few(result: Result) -> str:
    """Return that the presses asked for are not enough (claim C3).

    >>> from ponder.puzzle.board import Board
    >>> too_few(Result("solve", Board.from_rows(["0"]), "impossible", "lines", at_most=1))
    '1 press does not suffice'
    """
    most = result.at_most or 0
    return f"{counted(most, 'press')} {agreeing(most, 'does', 'do')} not suffice"


def reason(result: Result) -> str:
    """Return why, or what is proved, in a sentence or two; empty where it goes without saying.

    >>> from ponder.puzzle.board import Board
    >>> reason(Result("order", Board.from_rows(["0"]), "impossible", "lines", claim="C2"))
    'no legal sequence presses each bulb at most once'
    """
    if result.verdict == "solved" and result.lower_bound is None:
        return "each bulb at most once" if result.command == "order" else ""
    if result.verdict == "solved":
        said = quality(result).removeprefix(", ").replace("; replayed", "").removeprefix("; ")
        why = why_not_fewer(result)
        return f"{said}: {why}" if why is not None and result.optimal else said
    if result.refutation is not None:
        return result.refutation.sentence(result.board)
    if result.verdict == "impossible":
        if result.claim == "C3":
            return f"no legal sequence has fewer than {result.lower_bound}"
        return CLAIMS[result.claim] if result.claim else ""
    return result.reason or ""


def quality(result: Result) -> str:
    """Return what is proved about the number of presses."""
    ordered = result.command == "order"
    once = ", each bulb at most once; replayed" if ordered else "; replayed"
    what = "order" if ordered else "legal sequence"
    if result.optimal:
        return f"{once}; proved: no {what} has fewer"
    if result.lower_bound:
        return f"{once}; the shortest {what} has at least {result.lower_bound}"
    return f"{once}; a shorter {what} is not excluded"


def why_not_fewer(result: Result) -> str | None:
    """Return in a sentence why no fewer presses do; None where it goes without saying."""
    bound, count = result.bound, result.count
    if bound is None:
        return None
    parts, components = bound.get("parts"), bound.get("components")
    only, bulbs = "", 0
    if result.presses is not None:
        bulbs = int(np.count_nonzero(np.bincount(result.presses) % 2))
        only = f"the only press set has {counted(bulbs, 'bulb')}"
        if not bulbs:  # nor is there another one where this is said
            only = "every bulb is as the goal has it"
    match bound["kind"]:
        case "unique-press-set" if only and result.command == "solve":
            return only
        case "coset-minimum":
            as_few = bound.get("press_sets")
            if as_few == 1 and only:
                return "no other press set has as few bulbs"
            if not isinstance(as_few, int) or as_few == 1:
                return "no press set has fewer bulbs"
            return f"no press set has fewer bulbs, and {as_few:,} have as few"
        case "coset" if isinstance(parts, list):
            return f"lighter press sets have no order ({counted(len(parts), 'refutation')})"
        case "switches":
            return f"counted over all {bound['side']} that can be switched"
        case "switching-blocks":
            return "switching games of the rows and columns of blocks"
        case "folded-torus":
            return "the least weights of the smaller tori that it folds into"
        case "neighbourhood-packing":
            return "closed neighbourhoods that do not meet, of bulbs that must change"
        case "linear-relaxation":
            return "a linear program with odd cuts, its multipliers added up in whole numbers"
        case "spectral":
            return "the largest singular value of a press set"
        case "line-flow" if only and result.optimal and count is not None:
            if count == bulbs:
                return only
            lacks = counted((count - bulbs) // 2, "place")
            return f"{only}; its best half factor misses {lacks} on lines, each two presses more"
        case "odd-components" if only and isinstance(components, list):
            odd, more = len(components), counted((result.lower_bound or 0) - bulbs, "press")
            if not odd:
                return f"{only} and no order; without odd components that costs {more} more"
            which = f"{counted(odd, 'odd component')} of it {agreeing(odd, 'costs', 'cost')}"
            return f"{only}; {which} {more} more"
        case "odd-components":
            return (
                "every press set of fewer bulbs needs more presses than bulbs, for its odd "
                "components or because it has no order"
            )
        case "decomposition":
            cuts, proofs = bound["cuts"], bound["proofs"]
            if isinstance(cuts, list) and isinstance(proofs, list):
                return (
                    "fewer presses always leave some block of bulbs without an order, by "
                    f"{counted(len(cuts), 'such block')} and {counted(len(proofs), 'proof')} of a "
                    "SAT solver, checked"
                )
    return None
