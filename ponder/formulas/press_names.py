"""Names of presses in formulas, and the copies of a bulb that is pressed more than once.

Copies of one bulb are interchangeable (equal closed neighbourhoods, equal parity), so any order can
be renamed to press them by ascending number. All encoders rely on that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias
from urllib.parse import quote

import numpy as np

from ponder.model.ordering_problem import OrderingProblem
from ponder.system.types import Ints, Label

PressName: TypeAlias = Callable[[int], str]


def press_names(problem: OrderingProblem) -> PressName:
    """Return what names every press: its bulb's label; copies of a bulb get #2, #3, …

    Names are unique; those of graph nodes are escaped to plain ASCII without blanks and brackets.
    """
    ranks, _ = copy_ranks(problem)

    def name(v: int) -> str:
        label, rank = _label_name(problem.graph.label(int(problem.bulbs[v]))), int(ranks[v])
        return f"{label}#{rank + 1}" if rank else label

    return name


def _label_name(label: Label) -> str:
    match label:
        case (row, column):
            return f"{row},{column}"
        case int():
            return str(label)
        case _:
            text = quote(str(label), safe="")
            return text if text and not text.removeprefix("-").isdigit() else f"'{text}'"


def copy_ranks(problem: OrderingProblem) -> tuple[Ints, Ints]:
    """Return, for every press, how many presses of its bulb come before and after it in number."""
    by_bulb = np.argsort(problem.bulbs, kind="stable")
    sorted_bulbs = problem.bulbs[by_bulb]
    places = np.arange(problem.size)
    before, after = np.empty_like(places), np.empty_like(places)
    before[by_bulb] = places - np.searchsorted(sorted_bulbs, sorted_bulbs)
    after[by_bulb] = np.searchsorted(sorted_bulbs, sorted_bulbs, side="right") - 1 - places
    return before, after


def next_copies(problem: OrderingProblem) -> tuple[Ints, Ints]:
    """Return every press that has a copy before it, with the copy next before it first."""
    rank, _ = copy_ranks(problem)
    by_bulb = np.lexsort((rank, problem.bulbs))
    again = rank[by_bulb[1:]] > 0
    return by_bulb[:-1][again], by_bulb[1:][again]
