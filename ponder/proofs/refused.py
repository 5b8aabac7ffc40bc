"""What a proof is written from: a board, a press set without an order, and the refutation of it.

A writer takes nothing from the refutation but where to look (its kind, its bulbs, its lines); all
numbers are counted again from the presses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ponder.check.result import Result
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import PonderError
from ponder.system.types import Bits, Ints, Json


@dataclass(frozen=True, eq=False)
class Refused:
    """Presses that have no order, and why: the refutation in its text form.

    `fixed` are given arcs, (k, 2), that the order is to obey as well, where a solver proved it.
    """

    board: Board
    presses: Bits
    refutation: Json
    fixed: Ints | None = None

    @classmethod
    def of_result(cls, result: Result) -> Refused | None:
        """Return what a result refuses, where that is one press set or named by one; else None."""
        if result.verdict != "impossible" or result.refutation is None or result.counts is None:
            return None
        return cls(result.board, result.counts > 0, result.refutation.to_json(result.board))

    @property
    def kind(self) -> str:
        """The refutation's kind; of a block its rule."""
        return str(self.refutation.get("rule") or self.refutation["kind"])

    @cached_property
    def problem(self) -> OrderingProblem:
        """The ordering problem of the presses."""
        problem = OrderingProblem.of_board(self.board, self.presses)
        return problem if self.fixed is None else replace(problem, fixed=self.fixed)

    def numbers(self, key: str) -> list[int]:
        """Return the lines listed under a key. Raises PonderError if they are no numbers."""
        listed = self.refutation.get(key)
        if not isinstance(listed, list) or not all(type(line) is int for line in listed):
            raise PonderError(f"{self.kind}: {key} is not a list of lines")
        return listed

    @property
    def members(self) -> Ints:
        """The vertices of `problem` that a block names. Raises PonderError if they are none."""
        listed = self.refutation.get("bulbs")
        if not isinstance(listed, list):
            raise PonderError(f"{self.kind}: bulbs is not a list")
        if self.problem.repeats:
            raise PonderError("a bulb is pressed twice: no proof in clauses of that")
        place = np.full(self.board.graph.size, -1, dtype=np.int64)
        place[self.problem.bulbs] = np.arange(self.problem.size)
        members = place[self.board.graph.bulbs(listed)]
        if not members.size or members.min() < 0:
            raise PonderError(f"{self.kind}: a bulb that is not pressed, or no bulb")
        return members
