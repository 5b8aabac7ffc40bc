"""Boards with a known property, from a seed.

A family is made backwards: first a press set S with the property, then the one board with the goal
all lit that S takes there, lit = goal + A·S. Everything is drawn from the seed, so a family, its
sizes and a seed name a board.

Families
    balanced_lines   row/column boards whose press set has equally many odd rows and odd columns

On a board with an even number of rows and of columns the press set is unique, so its property is
the board's.
"""

from __future__ import annotations

import numpy as np

from ponder.board import Board
from ponder.graph import Bits, CrossGraph, Graph


def board_solved_by(presses: Bits, graph: Graph, name: str = "board") -> Board:
    """Return the board with the goal all lit (rule `unlit`) that pressing `presses` takes there.

    >>> board_solved_by(np.array([True, False, False, False]), CrossGraph((2, 2))).lit.tolist()
    [False, False, False, True]
    """
    goal = np.ones(graph.size, dtype=np.bool_)
    return Board(graph, goal ^ graph.apply(presses), goal, name=name)


def balanced_lines(rows: int, columns: int, density: float = 0.5, seed: int = 0) -> Board:
    """Return a random row/column board whose press set passes the line count.

    The presses are drawn with the density, then balanced. ValueError for a density outside [0, 1]
    or a board with no bulbs.

    >>> balanced_lines(3, 4, seed=7).name
    'balanced-3x4-0.5-7'
    """
    if rows < 1 or columns < 1:
        raise ValueError("a board needs at least one row and one column")
    if not 0 <= density <= 1:
        raise ValueError("the density of the presses is a number from 0 to 1")
    rng = np.random.default_rng(seed)
    presses = balance(rng.random((rows, columns), dtype=np.float32) < density, rng)
    name = f"balanced-{rows}x{columns}-{density:g}-{seed}"
    return board_solved_by(presses.reshape(-1), CrossGraph((rows, columns)), name)


def balance(presses: Bits, rng: np.random.Generator) -> Bits:
    """Return an (R, C) grid of presses with a few of them changed so that the line count holds.

    Where there are too many odd rows, pairs of them are made even by changing both crossings with
    a random column, which keeps the column's parity; so for columns. The surplus is even, since
    both counts have the parity of the number of presses.

    >>> grid = np.eye(4, 6, dtype=bool)
    >>> grid[0, 3:] ^= True
    >>> balanced = balance(grid, np.random.default_rng(0))
    >>> int((balanced.sum(axis=0) & 1).sum()), int((balanced.sum(axis=1) & 1).sum())
    (3, 3)
    """
    odd_rows = np.flatnonzero(np.bitwise_xor.reduce(presses, axis=1))
    odd_columns = np.flatnonzero(np.bitwise_xor.reduce(presses, axis=0))
    if odd_rows.size < odd_columns.size:
        return balance(presses.T, rng).T
    surplus = odd_rows.size - odd_columns.size
    first, second = rng.choice(odd_rows, size=(2, surplus // 2), replace=False)
    crossing = rng.integers(presses.shape[1], size=surplus // 2)
    balanced = presses.copy()
    balanced[first, crossing] ^= True
    balanced[second, crossing] ^= True
    return balanced
