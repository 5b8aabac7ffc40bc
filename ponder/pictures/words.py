"""An answer in words: the sentences that the command line, pictures and notebooks share."""

from __future__ import annotations

import numpy as np

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
        return _many(result.count or 0, "press")
    if result.claim == "C3":
        return f"{result.at_most} presses do not suffice"
    return {"C1": "no order of these presses", "C2": "no order", "C4": "no solution"}.get(
        result.claim or "", "no order"
    )


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
    if result.lower_bound is not None:
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
        only = f"the only press set has {bulbs} bulbs"
    match bound["kind"]:
        case "unique-press-set" if only and result.command == "solve":
            return only
        case "coset-minimum":
            as_few = bound.get("press_sets")
            if not isinstance(as_few, int):
                return "no press set has fewer bulbs"
            if as_few == 1:
                return "no other press set has as few bulbs"
            return f"no press set has fewer bulbs, and {as_few:,} have as few"
        case "coset" if isinstance(parts, list):
            return f"lighter press sets have no order ({_many(len(parts), 'refutation')})"
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
            lacks = _many((count - bulbs) // 2, "place")
            return f"{only}; its best half factor misses {lacks} on lines, each two presses more"
        case "odd-components" if only and isinstance(components, list):
            which = f"{only}; {_many(len(components), 'odd component')} of it"
            return f"{which} cost {(count or 0) - bulbs} presses more" if result.optimal else which
        case "odd-components":
            return "each odd component of a press set costs two presses more"
        case "decomposition":
            cuts, proofs = bound["cuts"], bound["proofs"]
            if isinstance(cuts, list) and isinstance(proofs, list):
                return (
                    f"{_many(len(cuts), 'small block')} without an order "
                    f"{'makes' if len(cuts) == 1 else 'make'} that many pairs of presses needed, "
                    f"by {_many(len(proofs), 'proof')} of a SAT solver, checked"
                )
    return None


def _many(number: int, thing: str) -> str:
    ending = "" if number == 1 else "es" if thing.endswith("s") else "s"
    return f"{number:,} {thing}{ending}"
