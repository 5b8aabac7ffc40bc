"""Row reduction, step by step: the linear stage as a person does it on paper (theory §1.1).

Every swap and every addition of the elimination of A | b over GF(2) is kept, to be looked at. Row i
is the equation of bulb i. A column is a press, the last one b; a press is *free* if its column has
no pivot. For each column in turn, the first row from the next free place on that has a 1 there is
swapped to that place, and added to every other row that has a 1 there. At the end

    press set        every free press left out; a pivot's press is its row's right-hand side
    kernel vectors   one for each free column: that press, and the pivots whose rows hold it
    no press set     a row 0 … 0 | 1; it is the sum of the equations of an odd witness

Cost: O(n²) steps, O(n³) bits to play them; for boards that a person looks at.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from ponder.find.linear import gf2
from ponder.model.board import Board
from ponder.system.errors import BoardError
from ponder.system.types import Bits

Kind: TypeAlias = Literal["swap", "add"]


@dataclass(frozen=True)
class RowOperation:
    """One step: two rows change places, or the row `source` is added to the row `target`."""

    kind: Kind
    column: int
    source: int
    target: int

    def apply(self, rows: Bits) -> None:
        """Do it, in place."""
        if self.kind == "swap":
            rows[[self.source, self.target]] = rows[[self.target, self.source]]
        else:
            rows[self.target] ^= rows[self.source]


@dataclass(frozen=True)
class Stage:
    """The steps for one column; `pivot` is the row of its pivot, None where the press is free."""

    column: int
    pivot: int | None
    steps: tuple[RowOperation, ...]


@dataclass(frozen=True, eq=False)
class RowReduction:
    """The elimination of A | b: one stage a column."""

    matrix: Bits
    change: Bits
    stages: tuple[Stage, ...]
    reduced: Bits
    """A | b after the last step, (n, n + 1)."""
    sums: Bits
    """Which equations of the start each row of `reduced` is the sum of, (n, n)."""

    @property
    def steps(self) -> tuple[RowOperation, ...]:
        """All steps, in order."""
        return tuple(step for stage in self.stages for step in stage.steps)

    @property
    def pivots(self) -> tuple[tuple[int, int], ...]:
        """The pivots, as (row, column)."""
        return tuple((x.pivot, x.column) for x in self.stages if x.pivot is not None)

    @property
    def free(self) -> tuple[int, ...]:
        """The free columns."""
        return tuple(stage.column for stage in self.stages if stage.pivot is None)

    @property
    def rank(self) -> int:
        """The number of pivots."""
        return len(self.pivots)

    @cached_property
    def press_set(self) -> Bits | None:
        """The press set without free presses, (n,); None where a row says 0 = 1."""
        if self.contradiction is not None:
            return None
        presses = np.zeros(len(self.matrix), dtype=np.bool_)
        presses[[column for _, column in self.pivots]] = self.reduced[: self.rank, -1]
        return presses

    @cached_property
    def quiet_patterns(self) -> Bits:
        """A basis of ker A, (nullity, n), one for each free column."""
        columns = [column for _, column in self.pivots]
        patterns = np.eye(len(self.matrix), dtype=np.bool_)[list(self.free)]
        patterns[:, columns] = self.reduced[: len(columns), self.free].T
        return patterns

    @cached_property
    def contradiction(self) -> int | None:
        """The first row that says 0 = 1."""
        wrong = np.flatnonzero(self.reduced[self.rank :, -1])
        return self.rank + int(wrong[0]) if wrong.size else None

    @cached_property
    def odd_witness(self) -> Bits | None:
        """The bulbs whose equations add up to 0 = 1, (n,): A y = 0 and y·b = 1; else None."""
        return None if self.contradiction is None else self.sums[self.contradiction].copy()


def row_reduction(board: Board) -> RowReduction:
    """Return the elimination of a board's A | b. Raises BoardError with the goal `pressed`.

    >>> found = row_reduction(Board.from_rows(["000", "000", "000"], "plus"))
    >>> len(found.pivots), len(found.free), len(found.steps)
    (9, 0, 35)
    >>> np.flatnonzero(found.press_set).tolist()
    [0, 2, 4, 6, 8]
    """
    if board.pressed:
        raise BoardError("the goal is to press every bulb: nothing is to be solved", board.name)
    return reduce_rows(matrix(board), board.change)


def matrix(board: Board) -> Bits:
    """Return A: row i has the presses that toggle bulb i, (n, n)."""
    return gf2.unpack(gf2.closed_adjacency(board.graph), board.graph.size)


def reduce_rows(matrix: Bits, change: Bits) -> RowReduction:
    """Return the elimination of a symmetric matrix, (n, n), with a right-hand side, (n,)."""
    size = len(matrix)
    rows = np.column_stack([matrix, change, np.eye(size, dtype=np.bool_)])
    stages, rank = [], 0
    for column in range(size):
        below = np.flatnonzero(rows[rank:, column])
        if not below.size:
            stages.append(Stage(column, None, ()))
            continue
        steps = []
        if below[0]:
            steps.append(RowOperation("swap", column, rank, rank + int(below[0])))
            steps[0].apply(rows)
        for target in np.flatnonzero(rows[:, column]).tolist():
            if target != rank:
                steps.append(RowOperation("add", column, rank, target))
                steps[-1].apply(rows)
        stages.append(Stage(column, rank, tuple(steps)))
        rank += 1
    reduced, sums = rows[:, : size + 1], rows[:, size + 1 :]
    return RowReduction(matrix.copy(), change.copy(), tuple(stages), reduced, sums)
