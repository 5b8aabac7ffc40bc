"""Odd-sized row/column boards: all their press sets, as one rectangle and its switched lines.

Idea (theory §4.9). The press sets are x₀ with whole rows and columns switched, an even number of
each. Boards are transposed so that R is odd and, if C is odd too, R ≤ C; rows may be switched only
if C is odd. The even row switches u name a *row parity class*: the press sets that share their odd
rows, and differ by columns alone. As R is odd, in every parity class column j is either even, with
e_j presses, or odd, with R − e_j. (Switch the odd columns of x₀ once and for all: the further
switches *are* the odd columns.)

Letters: R, C the sides; u even row switches, (R,) bits, or many of them, (N, R); p the row parities
of a parity class, k_r = |p|; k_c the number of odd columns, ≡ k_r mod 2; e_j column j's presses
where it is even, D_j = R − 2e_j what it costs more to make it odd.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ponder.find.switching.gale_berlekamp import Game, SwitchableLines
from ponder.system.types import Bits


@dataclass(frozen=True, eq=False)
class Rectangle:
    """The press sets of a board, transposed so that R is odd and, if C is odd too, R ≤ C.

    `presses` is x₀ as an (R, C) array.
    """

    presses: Bits
    transposed: bool

    @classmethod
    def of(cls, grid: Bits) -> Rectangle:
        """Return the rectangle of a press set, an array of the board's shape.

        >>> Rectangle.of(np.zeros((2, 3), dtype=bool)).shape
        (3, 2)
        """
        rows, columns = grid.shape
        transposed = rows % 2 == 0 or (columns % 2 == 1 and columns < rows)
        return cls(np.ascontiguousarray(grid.T if transposed else grid), transposed)

    def to_board(self, grid: Bits) -> Bits:
        """Return a press set of the board, flat."""
        return np.ascontiguousarray(grid.T if self.transposed else grid).reshape(-1)

    @property
    def shape(self) -> tuple[int, int]:
        """R and C."""
        return self.presses.shape[0], self.presses.shape[1]

    @property
    def row_switches(self) -> bool:
        """Whether rows may be switched: else there is one parity class."""
        return self.shape[1] % 2 == 1

    @property
    def side(self) -> Literal["rows", "columns"]:
        """What the rows are called on the board."""
        return "columns" if self.transposed else "rows"

    @property
    def log2_size(self) -> int:
        """The nullity of the board."""
        return self.shape[1] - 1 + (self.shape[0] - 1 if self.row_switches else 0)

    @cached_property
    def even(self) -> Bits:
        """x₀ with its odd columns switched."""
        return np.asarray(self.presses ^ np.bitwise_xor.reduce(self.presses, axis=0))

    @cached_property
    def game(self) -> Game:
        """`even`, whose rows and columns may be switched: its column sums are the D_j."""
        lines = (SwitchableLines.of(np.ones((1, side), dtype=np.bool_)) for side in self.shape)
        return Game(self.even, *lines)

    @cached_property
    def parities(self) -> Bits:
        """The row parities of x₀."""
        return np.asarray(np.bitwise_xor.reduce(self.presses, axis=1))

    def parities_under(self, u: Bits) -> Bits:
        """Return the row parities p of parity classes, (…, R) -> (…, R)."""
        return self.parities ^ u if self.row_switches else np.broadcast_to(self.parities, u.shape)

    def extra(self, u: Bits) -> NDArray[np.int32]:
        """Return the D_j, what odd columns cost more, in many parity classes: (N, R) -> (N, C)."""
        return np.asarray(self.game.scores(u.astype(np.int64))[0].astype(np.int32))


def made_even(u: Bits) -> Bits:
    """Turn row switches (N, R) of odd sum into their complements: R is odd, the press sets stay."""
    return np.asarray(u ^ np.bitwise_xor.reduce(u, axis=1)[:, None])
