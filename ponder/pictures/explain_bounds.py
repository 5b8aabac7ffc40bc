"""Why no fewer presses do: what certificates of lower bounds say, for players and mathematicians.

A certificate proves something by its fields alone (`ponder.check`); nothing here is checked.
"""

from __future__ import annotations

import numpy as np

from ponder.check.certificate import Bound
from ponder.check.coset import Lightest
from ponder.check.cut import Cut
from ponder.check.dual import ModuloFour, Packing
from ponder.check.members import Members
from ponder.check.settings import Settings
from ponder.check.witness import States
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints


def bound_sentence(
    bound: Bound, presses: Ints | None, least: int, command: str = "solve"
) -> str | None:
    """Return why no fewer than `least` presses do; None where nothing more is to be said.

    `presses` are the best that were found.
    """
    if isinstance(bound, Lightest):
        if command == "order" and bound.press_sets is None:
            return None  # which goes without saying of the only press set
        if bound.press_sets == 1 and presses is not None:
            return "no other press set has as few bulbs"
        fewer = "no press set has fewer bulbs"
        return (
            fewer
            if (bound.press_sets or 1) == 1
            else f"{fewer}, and {bound.press_sets:,} have as few"
        )
    if isinstance(bound, Packing):
        which = ", and no press reaches two of them" if bound.bulbs.size > 1 else ""
        return f"{pluralise(bound.bulbs.size, 'bulb')} must change{which}"
    if isinstance(bound, Settings):
        return f"every combination of switched {bound.side} was tried; none needs fewer"
    if isinstance(bound, States):
        return "a search through all states of the lights finds no shorter way"
    if isinstance(bound, ModuloFour):
        why = bound_sentence(bound.because, presses, bound.least, command)
        return "; ".join(filter(None, (why, _every_fourth(least))))
    return _members_bound(bound, presses, least, command) if isinstance(bound, Members) else None


def bound_argument(
    bound: Bound, presses: Ints | None, least: int, command: str = "solve"
) -> str | None:
    """Return the same for a mathematician: the sentence, where that is exact enough."""
    if isinstance(bound, Packing) and bound.bulbs.size > 1:
        bulbs = pluralise(bound.bulbs.size, "bulb")
        return f"{bulbs} must change in closed neighbourhoods that do not meet"
    if isinstance(bound, Settings):
        return "the count bound, for every even choice of the lines to switch"
    if isinstance(bound, ModuloFour):
        why = bound_argument(bound.because, presses, bound.least, command)
        return "; ".join(filter(None, (why, _every_fourth(least))))
    if isinstance(bound, Members):
        used = [(bound.parts, "refutation"), (bound.cuts, "block"), (bound.proofs, "LRAT proof")]
        by = ", ".join(pluralise(len(listed), what) for listed, what in used if listed)
        return "all lighter press sets are refuted, or need more presses than they have bulbs" + (
            f" ({by})" if by else ""
        )
    return bound_sentence(bound, presses, least, command)


def _every_fourth(least: int) -> str:
    return f"every sequence has {least} presses, or 4, 8, 12, … more or fewer"


def _members_bound(bound: Members, presses: Ints | None, least: int, command: str) -> str:
    if command == "order":
        return "no press set of fewer bulbs has an order"
    if bound.proofs:
        groups = pluralise(len(bound.cuts), "small group")
        return f"{groups} need extra presses; a checked SAT proof shows that fewer will not do"
    if presses is not None and presses.size == least > 0:
        extra = least - int(np.count_nonzero(np.bincount(presses) % 2))
        if extra and len(bound.parts) == 1 and isinstance(bound.parts[0][1], Cut):
            places = pluralise(extra // 2, "place")
            cost = inflect(extra // 2, "it costs", "each costs")
            return f"{places} on lines cannot be balanced; {cost} two extra presses"
        if extra:
            return f"groups of neighbours without an order cost {pluralise(extra, 'extra press')}"
    return "every press set of fewer bulbs has no order, so it needs more presses than it has bulbs"
