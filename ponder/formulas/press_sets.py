"""All press sets of a board as linear constraints, for VeriPB: that none but some is one, and with
their half factors on full rectangles.

`OtherPressSet`. Variable x(v): bulb v is pressed. A bulb whose state must change is in the
neighbourhoods of an odd number of presses, Σ_{u ∈ N[v]} x(u) = b(v) + 2·Y(v), with Y(v) in binary.
Each press set that is listed has one inequality, that it is another. Theory §1, §6.5. Cost: linear
in the edges.

`SwitchedHalfFactor`, R×C row/column boards with R odd, C even. Variables z(i,j), bulb (i,j) is a
press of colour 1, and c(j), column j is switched, from the press set at hand; its bulbs are the
*ones* of a column, the others the *zeros*. The constraints are those of theory §6.5, "all press
sets of an odd rectangle". So that there is none is claim C2. Letters: R, C, z, c, the row parities
p and column parities q (`odd`) as there. Cost: linear in R·C.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import IO

import numpy as np

from ponder.formulas.opb import Linear, write_linear
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.errors import PonderError
from ponder.system.types import Bits, Ints


@dataclass(frozen=True, eq=False)
class OtherPressSet:
    """The formula "there is a press set besides these", (count, n)."""

    board: Board
    listed: Bits

    @property
    def inequalities(self) -> int:
        """The number of inequalities; the equation of a bulb, from 0, is 2v + 1 and 2v + 2."""
        return 2 * self.board.graph.size + len(self.listed)

    def write(self, file: IO[bytes]) -> None:
        """Write the formula, as OPB."""
        board, n = self.board, self.board.graph.size
        made, last = list[Linear](), n
        for v, odd in enumerate(board.change.tolist()):
            near = sorted({v, *board.graph.neighbours(v).tolist()})
            digits = ((len(near) - odd) // 2).bit_length()
            terms = [(1, u + 1) for u in near]
            terms += [(-2 << k, last + k + 1) for k in range(digits)]
            last += digits
            made.append(Linear(terms, "=", int(odd)))
        for one in self.listed:
            terms = [(-1 if pressed else 1, u) for u, pressed in enumerate(one.tolist(), 1)]
            made.append(Linear(terms, ">=", 1 - int(np.count_nonzero(one))))
        comments = (
            f"board sha256 {board.sha256}: pattern {board.graph.pattern}, goal {board.goal_name}",
            f"a press set besides the {len(self.listed)} listed",
            f"x1..x{n}: a bulb is pressed; the others: half of the presses about each, in binary",
        )
        write_linear(file, last, made, comments)


@dataclass(frozen=True, eq=False)
class SwitchedHalfFactor:
    """The press set at hand, turned so that R is odd: (R, C); `side` names what its rows are."""

    board: Board
    side: str
    grid: Bits

    @classmethod
    def of(cls, board: Board, presses: Bits, side: object) -> SwitchedHalfFactor:
        """Turn a press set. Raises PonderError if its row or column parities may change."""
        graph = board.graph
        if not isinstance(graph, CrossGraph) or graph.mask is not None or not board.even_lines:
            raise PonderError("all press sets at once: on full rectangles of rows and columns only")
        if side not in ("rows", "columns"):
            raise PonderError("all press sets at once: neither rows nor columns are named")
        grid = graph.to_grid(presses)
        if side == "columns":
            grid = grid.T
        if grid.shape[0] % 2 == 0 or grid.shape[1] % 2:
            raise PonderError(f"all press sets at once: the parities of the {side} may be switched")
        return cls(board, str(side), np.ascontiguousarray(grid))

    @cached_property
    def p(self) -> Bits:
        """The row parities."""
        return np.asarray(np.bitwise_xor.reduce(self.grid, axis=1))

    @cached_property
    def odd(self) -> Bits:
        """Which columns are odd if not switched."""
        return np.asarray(np.bitwise_xor.reduce(self.grid, axis=0))

    @cached_property
    def halves(self) -> Ints:
        """What half of a column is, unswitched and switched. (2, C)."""
        presses = np.count_nonzero(self.grid, axis=0)
        return np.stack([presses // 2, (self.grid.shape[0] - presses) // 2])

    @cached_property
    def z(self) -> Ints:
        """The variables of the bulbs. (R, C)."""
        return 1 + np.arange(self.grid.size).reshape(self.grid.shape)

    @cached_property
    def c(self) -> Ints:
        """The variables of the columns. (C,)."""
        return 1 + self.grid.size + np.arange(self.grid.shape[1])

    def constraints(self) -> list[Linear]:
        """Return the rows, the columns' ones, the columns' zeros (equalities), then the bulbs."""
        made: list[Linear] = []
        sign = np.where(self.grid, 1, -1)  # of −(presses of the row), as a term of the column
        for i, row in enumerate(self.grid):
            terms = [(2, z) for z in self.z[i].tolist()]
            terms += list(zip(sign[i].tolist(), self.c.tolist(), strict=True))
            made.append(Linear(terms, "=", int(np.count_nonzero(row)) - int(self.p[i])))
        for state, j in np.argwhere(self.column_numbers > 0).tolist():
            half = int(self.halves[state, j])
            terms = [(1, z) for z in self.z[self.grid[:, j] == (state == 0), j].tolist()]
            if half:
                terms.append((-half if state else half, int(self.c[j])))
            made.append(Linear(terms, "=", 0 if state else half))
        for (i, j), one in np.ndenumerate(self.grid):
            terms = [(-1, int(self.z[i, j])), (-1 if one else 1, int(self.c[j]))]
            made.append(Linear(terms, ">=", -1 if one else 0))
        return made

    @cached_property
    def column_numbers(self) -> Ints:
        """The numbers, from 1, of the equalities about a column's ones and zeros; 0 for none."""
        ones = np.count_nonzero(self.grid, axis=0)
        there = np.stack([ones, self.grid.shape[0] - ones]) > 0
        number = self.grid.shape[0] + np.cumsum(there).reshape(there.shape)
        return np.where(there, number, 0)

    @property
    def inequalities(self) -> int:
        """The number of inequalities; an equality (row, column with ones, or with zeros) is two."""
        equalities = self.grid.shape[0] + np.count_nonzero(self.column_numbers)
        return int(2 * equalities + self.grid.size)

    def row(self, i: int, *, at_least: bool) -> int:
        """Return the number of a row's inequality."""
        return 2 * i + (1 if at_least else 2)

    def column(self, j: int, state: int, *, at_least: bool) -> int:
        """Return the number of a column's inequality about its ones (0) or zeros (1)."""
        return 2 * int(self.column_numbers[state, j]) - (1 if at_least else 0)

    def bulb(self, i: int, j: int) -> int:
        """Return the number of "no press, no colour"."""
        return int(self.inequalities - self.grid.size + 1 + i * self.grid.shape[1] + j)

    def write(self, file: IO[bytes]) -> None:
        """Write the formula, as OPB."""
        board, (height, width) = self.board, self.grid.shape
        puzzle = f"pattern {board.graph.pattern}, rule {board.rule}, goal {board.goal_name}"
        comments = (
            f"board sha256 {board.sha256}: {puzzle}",
            f"every press set of the {height} {self.side} of {width} bulbs, with a half factor",
            f"x1..x{height * width}: a press of colour 1, along the {self.side}",
            f"x{height * width + 1}..x{height * width + width}: all bulbs across are switched",
        )
        write_linear(file, int(self.c[-1]), self.constraints(), comments)
