"""The argument behind a refutation in plain words, by paragraphs, for the page."""

from __future__ import annotations

from ponder.check.block import Block
from ponder.check.certificate import Refutation
from ponder.check.cut import Cut

EARLY = (
    "A bulb that must be pressed may be pressed only while its row and its column agree: an even "
    "number of presses is left in both, or an odd number in both. Call a press early if those "
    "numbers are even.",
    "In each line the number that is left falls by one with each press, so even and odd take "
    "turns, down to one. Half of the presses in a line are early, rounded down.",
)
"""How all arguments about lines begin, under the plain rules."""

_BLOCKS: dict[str, tuple[str, ...]] = {
    "parity": (
        "The lights alone say which bulbs must be pressed, whatever the order. The outlined bulbs "
        "are among them.",
        "Take two outlined neighbours. Whichever is pressed first changes the other before its "
        "turn. So each pair of neighbours puts one change before a press. The rule decides for "
        "each bulb whether an odd or an even number of changes must come before its press.",
        "Presses outside of the group that touch it are tied to one bulb of it each. Whether they "
        "change that bulb an odd or an even number of times before its press is the same in every "
        "order, and is taken off what the rule asks for.",
        "These counts add up over the group, and so fix whether the number of pairs must be odd or "
        "even. Here it has the other parity, so no order exists.",
    ),
    "first": (
        "Before anything is pressed, the rule forbids every bulb that must be pressed. So no press "
        "can be the first.",
    ),
    "last": (
        "A press leaves its bulb in one state, and after the last press nothing changes that. The "
        "goal wants each of these bulbs in the other state, so none of their presses can be the "
        "last.",
    ),
    "orders": (
        "All orders of these presses were tried, step by step. Each gets stuck before its end.",
    ),
}

_PARAGRAPHS: dict[str, tuple[str, ...]] = {
    "witness": (
        "Look only at the hatched bulbs. Each press, wherever it is made, changes an even number "
        "of them. So whether an odd or an even number of them is lit never changes.",
        "An odd number of them has to change, so no presses reach the goal.",
    ),
    "dead-end": (
        "Think of the first press, or of the last one: the rule and the goal leave no bulb for it.",
    ),
    "cut": (
        *EARLY,
        "The marked lines need a certain number of early presses, and each must also fit into the "
        "line across it. The lines across have less room than that, so no order exists.",
    ),
    "settings": (
        *EARLY,
        "No choice of presses gives the rows and the columns halves that can meet. So no order "
        "exists.",
    ),
    "members": (
        "There are several ways to choose the presses. Each was ruled out by a reason of its own, "
        "and the picture shows the first. So no order exists.",
    ),
    "states": (
        "Legal presses lead from here to a limited number of arrangements of lights. All of them "
        "were looked at, and none is the goal.",
    ),
    "formula": (
        "The question was written as a formula, and a solver proved that it has no solution. "
        "Another program checks that proof line by line.",
    ),
    "randomised": (
        "This is evidence, not a proof: random trials found no order, and the chance that all of "
        "them are wrong is known to be tiny.",
    ),
}

_COUNTED = (
    *EARLY,
    "Count the early presses by rows, then by columns: both counts must agree. The numbers of all "
    "presses agree too, so as many rows as columns lose a half in the rounding. Those are the "
    "marked lines, which have an odd number of presses. Here the rows and the columns differ in "
    "number, so no order exists.",
)


def paragraphs(why: Refutation) -> tuple[str, ...]:
    """Return the argument in plain words, by paragraphs, for the page."""
    if isinstance(why, Block):
        return _BLOCKS[why.rule]
    if isinstance(why, Cut) and why.all_lines:
        return _COUNTED
    return _PARAGRAPHS.get(why.kind, ())
