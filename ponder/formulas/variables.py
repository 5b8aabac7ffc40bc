"""The variables of a formula: families with names, numbered copy by copy, and names of presses.

Idea. A formula about steps has the same variables at every step. So a *family* is a run of
variables in every copy of a block of numbers, `stride` long: the i-th of copy c is
first + i + c·stride. Names are made on demand, from the position and the copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

import numpy as np

from ponder.model.ordering_problem import OrderingProblem
from ponder.system.types import Bits, Ints, Label

Naming: TypeAlias = Callable[[int, int], str]
PressName: TypeAlias = Callable[[int], str]

MOST_VARIABLES = 2**31 - 1  # solvers that read DIMACS count no further


@dataclass(frozen=True)
class Spec:
    """A family of variables to be allotted: `width` of them in every copy.

    `naming(i, copy)` names the i-th, uniquely in the formula. `meaning` says what true stands for.
    """

    name: str
    meaning: str
    width: int
    naming: Naming


@dataclass(frozen=True)
class VariableFamily(Spec):
    """Variables first + i + copy·stride, for i < width and copy < copies.

    >>> family = VariableFamily("x", "x@t: on", 2, lambda i, t: f"x{i}@{t}", 1, copies=3, stride=5)
    >>> family.now.tolist(), family.next.tolist()
    ([1, 2], [6, 7])
    >>> list(family.names())[2:4]
    [(6, 'x0@1'), (7, 'x1@1')]
    """

    first: int
    copies: int
    stride: int

    def at(self, copy: int = 0) -> Ints:
        """Return the variables of one copy, (width,)."""
        return np.arange(self.width, dtype=np.int64) + (self.first + copy * self.stride)

    @property
    def now(self) -> Ints:
        """The variables of copy 0: the template's own step."""
        return self.at(0)

    @property
    def next(self) -> Ints:
        """The variables of copy 1: in a template, the step after."""
        return self.at(1)

    def true(self, true: Bits) -> Bits:
        """Read the family off an assignment `true[variable]`: (copies, width) bits."""
        firsts = self.first + self.stride * np.arange(self.copies, dtype=np.int64)
        found: Bits = true[firsts[:, None] + np.arange(self.width)]
        return found

    def names(self) -> Iterator[tuple[int, str]]:
        """Yield every variable with its name, ascending."""
        for copy in range(self.copies):
            start = self.first + copy * self.stride
            for i in range(self.width):
                yield start + i, self.naming(i, copy)


def press_names(problem: OrderingProblem) -> PressName:
    """Return what names every press: its bulb's label; copies of a bulb get #2, #3, …

    Names are unique; those of graph nodes are escaped to plain ASCII without blanks and brackets.
    """
    ranks, _ = copy_ranks(problem)

    def name(v: int) -> str:
        label, rank = _label_name(problem.graph.label(int(problem.bulbs[v]))), int(ranks[v])
        return f"{label}#{rank + 1}" if rank else label

    return name


def copy_ranks(problem: OrderingProblem) -> tuple[Ints, Ints]:
    """Return, for every press, how many presses of its bulb come before and after it in number.

    Copies of one bulb are interchangeable (equal closed neighbourhoods, equal parity), so any
    order can be renamed to press them by ascending number. All encoders may rely on that.
    """
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


def _label_name(label: Label) -> str:
    match label:
        case (row, column):
            return f"{row},{column}"
        case int():
            return str(label)
        case _:
            text = quote(str(label), safe="")
            return text if text and not text.removeprefix("-").isdigit() else f"'{text}'"
