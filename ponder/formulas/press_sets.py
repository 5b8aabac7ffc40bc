"""All press sets of a board as linear equations, and that none but some is one: for VeriPB.

Variable x(v): bulb v is pressed. A bulb whose state must change is in the neighbourhoods of an odd
number of presses, Σ_{u ∈ N[v]} x(u) = b(v) + 2·Y(v), with Y(v) in binary. Each press set that is
listed has one inequality, that it is another. Theory §1, §6.5. Cost: linear in the edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

import numpy as np

from ponder.formulas.opb import Linear, write_linear
from ponder.model.board import Board
from ponder.system.types import Bits


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
