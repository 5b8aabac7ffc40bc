"""An answer in words: the sentences that the command line, pictures and notebooks share."""

from __future__ import annotations

from ponder.printable import agreeing, counted
from ponder.puzzle.bound_evidence import OddComponents, UniquePressSet
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
    bound, least = result.evidence, result.lower_bound
    if bound is None or least is None:
        return None
    if result.command == "order" and isinstance(bound, UniquePressSet):
        return None  # so each bulb of it is pressed once
    if result.command == "order" and isinstance(bound, OddComponents):
        return bound.without_repeats
    return bound.sentence(result.presses, least)
