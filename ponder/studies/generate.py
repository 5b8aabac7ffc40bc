"""Boards with a known property, from a seed.

A board is made backwards: first a press set S with the property, then the one board with the goal
all lit (rule `unlit`) that S takes there, lit = goal + A·S. So every board made here has a press
set. Everything is drawn from the seed, so a family, its options, a size and a seed name a board.

On a row/column board with an even number of rows and of columns the press set is unique, so its
property is the board's; the two families without an order exist on such boards only. Random graphs
are in `random_graphs`. Cost: O(cells), and one maximum flow for `Balanced`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ponder.model.board import MOST_BULBS, Board
from ponder.model.formats import parse_board
from ponder.model.graph import CrossGraph, Graph, grid_graph
from ponder.model.shapes import SizedShape
from ponder.system.errors import PonderError
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints

DRAWS = 4  # how often `Balanced` draws before it plays instead
ASKED = 5_000  # bulbs of boards, but for row/column boards, that are asked for their answer


class CannotGenerate(PonderError, ValueError):
    """There is no such board: the family does not exist at this size, or with these options."""


def board_solved_by(presses: Bits, graph: Graph, name: str = "board") -> Board:
    """Return the board with the goal all lit (rule `unlit`) that pressing `presses` takes there."""
    goal = np.ones(graph.size, dtype=np.bool_)
    return Board(graph, goal ^ graph.apply(presses), goal, name=name)


@dataclass(frozen=True)
class KnownAnswer:
    """What `ponder.order` says to a board, with the kind of refutation or the number of presses."""

    verdict: str = "unknown"
    claim: str | None = None
    kind: str | None = None
    count: int | None = None
    optimal: bool = False

    @property
    def text(self) -> str:
        """The answer for people, on one line."""
        if self.verdict == "solved":
            proved = "proved" if self.optimal else "not proved"
            order = f"order of {pluralise(self.count or 0, 'press')} ({proved} fewest)"
            return "an order exists (by construction)" if self.count is None else order
        if self.verdict == "impossible":
            what = "no sequence at all" if self.claim == "C4" else "no order"
            return f"{what} ({self.kind})"
        return "unknown"


def known_answer(board: Board, timeout: float | None = 10.0) -> KnownAnswer:
    """Ask `ponder.order`; unknown when it does not know in time, or would be slow to begin with."""
    from ponder.find.order import order

    if board.graph.size > ASKED and not isinstance(board.graph, CrossGraph):
        return KnownAnswer()
    result = order(board, timeout=timeout)
    if result.verdict == "unknown":
        return KnownAnswer()
    kind = None if result.refutation is None else result.refutation.kind
    return KnownAnswer(result.verdict, result.claim, kind, result.count, result.optimal)


class SizedFamily(ABC):
    """Boards of one kind and size, by seed. Raises CannotGenerate if there are none."""

    planted: ClassVar[KnownAnswer] = KnownAnswer()  # what is known by construction

    @abstractmethod
    def board(self, seed: int) -> Board:
        """Return the board of a seed."""

    def grade_of(self, seed: int) -> str:
        """Return how hard a seed's board is to play; nothing where the family has no grades."""
        return ""


# ------------------------------------------------------------------------- row/column boards


@dataclass(frozen=True)
class GridFamily(SizedFamily):
    """Base of the families on grids, by default row/column boards."""

    rows: int
    columns: int
    density: float = field(default=0.5, kw_only=True)

    def __post_init__(self) -> None:
        refuse_bad(self.rows, self.columns, self.density)

    @property
    def name(self) -> str:
        """What the names of its boards begin with."""
        return type(self).__name__.lower()

    @property
    def graph(self) -> Graph:
        """The graph of its boards."""
        return CrossGraph((self.rows, self.columns))

    def presses(self, rng: np.random.Generator) -> Bits:
        """Return the press set as an (R, C) grid."""
        return self.drawn(rng)

    def board(self, seed: int) -> Board:
        """Return the board that the presses of this seed solve."""
        presses = self.presses(np.random.default_rng(seed)).reshape(-1)
        name = f"{self.name}-{self.rows}x{self.columns}-{seed}"
        return board_solved_by(presses, self.graph, name)

    def drawn(self, rng: np.random.Generator) -> Bits:
        """Return random presses."""
        return random_presses((self.rows, self.columns), self.density, rng)


@dataclass(frozen=True)
class Balanced(GridFamily):
    """Row/column boards with a legal order that presses each bulb at most once.

    The presses are drawn with the density and balanced; a maximum flow tells whether they have a
    half factor, that is an order. Sparse ones rarely do: after `DRAWS` draws they are played
    (`played_backwards`).

    >>> Balanced(3, 4).board(seed=7).name
    'balanced-3x4-7'
    """

    planted: ClassVar[KnownAnswer] = KnownAnswer("solved")

    def presses(self, rng: np.random.Generator) -> Bits:
        """Draw presses that have a half factor."""
        from ponder.find.row_column.half_factor import half_factor

        for _ in range(DRAWS):
            presses = balance(self.drawn(rng), rng)
            at_rows, at_columns = np.nonzero(presses)
            if half_factor(at_rows, at_columns, (self.rows, self.columns)).exists:
                return presses
        count = round(self.density * self.rows * self.columns)
        return played_backwards((self.rows, self.columns), count, rng)


@dataclass(frozen=True)
class Unbalanced(GridFamily):
    """Row/column boards with `by` more odd rows than odd columns: no order, by a line count.

    Raises CannotGenerate unless both sides and `by` ≠ 0 are even, and there are |by| rows (if `by`
    < 0: columns).
    """

    planted: ClassVar[KnownAnswer] = KnownAnswer("impossible", "C2", "line-count")
    by: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        _refuse_odd(self.rows, self.columns, self.by)
        if not -self.columns <= self.by <= self.rows:
            raise CannotGenerate(
                f"a {self.rows}x{self.columns} board cannot be unbalanced by {self.by}: it has "
                f"{self.rows} rows and {self.columns} columns"
            )

    def presses(self, rng: np.random.Generator) -> Bits:
        """Draw presses and unbalance them."""
        return balance(self.drawn(rng), rng, self.by)


@dataclass(frozen=True)
class Cut(GridFamily):
    """Row/column boards that pass the line count but not a line cut, which lacks by/2 presses.

    Split the rows into X, X' and the columns into Y, Y'. Let e be the number of presses in the
    *off* blocks X×Y' and X'×Y, and odd(·) the number of odd lines. Since 2·Σ⌊d/2⌋ = Σd − odd,

        Σ_X ⌊d/2⌋ − Σ_Y ⌊d/2⌋ − |presses in X×Y'|  =  (odd(Y) − odd(X) − e) / 2,

    and a line cut is a positive left side (theory §4.4). So: a few presses in the off blocks, then
    X×Y is given e + `by` more odd columns than odd rows, and X'×Y' as many more odd rows, so that
    the counts agree on the whole.

    Raises CannotGenerate unless both sides are even and ≥ by + 2, and `by` is even and positive.
    """

    planted: ClassVar[KnownAnswer] = KnownAnswer("impossible", "C2", "line-cut")
    by: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        _refuse_odd(self.rows, self.columns, self.by)
        if self.by < 0:
            raise CannotGenerate(f"a line cut lacks a positive number of presses, not {self.by}/2")
        if self.by + 2 > min(self.rows, self.columns):
            raise CannotGenerate(
                f"a line cut by {self.by} needs at least {self.by + 2} rows and {self.by + 2} "
                f"columns, not {self.rows}x{self.columns}"
            )

    def presses(self, rng: np.random.Generator) -> Bits:
        """Plant a line cut; X, Y and the off presses are drawn first."""
        in_x, in_y = np.zeros(self.rows, dtype=np.bool_), np.zeros(self.columns, dtype=np.bool_)
        outside = max(self.rows // 2, self.by), max(self.columns // 2, self.by)  # |X'|, |Y|
        in_x[rng.permutation(self.rows)[outside[0] :]] = True
        in_y[rng.permutation(self.columns)[: outside[1]]] = True
        off = in_x[:, None] ^ in_y
        count = (min(outside) - self.by) // 2
        presses = self.drawn(rng) & ~off
        presses.reshape(-1)[rng.choice(np.flatnonzero(off), count, replace=False)] = True
        surplus = count + self.by
        presses = balance(presses, rng, -surplus, np.flatnonzero(in_x), np.flatnonzero(in_y))
        return balance(presses, rng, surplus, np.flatnonzero(~in_x), np.flatnonzero(~in_y))


def balance(
    presses: Bits,
    rng: np.random.Generator,
    by: int = 0,
    rows: Ints | None = None,
    columns: Ints | None = None,
) -> Bits:
    """Return an (R, C) grid with a few presses changed: `by` more odd rows than odd columns.

    With `rows` and `columns` only those lines count, and only presses where they cross change; a
    line is odd by all its presses. Where odd rows are too many, an odd row is made even or an even
    column odd. These lines are taken in pairs. Two rows change both crossings with a random column,
    which keeps the column's parity, and two columns likewise. A row and a column change their
    crossing. Raises ValueError if `by` has the wrong parity (by default: is odd) or exceeds the
    lines.
    """
    own = np.arange(presses.shape[0]) if rows is None else rows
    other = np.arange(presses.shape[1]) if columns is None else columns
    odd_own = np.bitwise_xor.reduce(presses[own], axis=1)
    odd_other = np.bitwise_xor.reduce(presses[:, other], axis=0)
    surplus = int(odd_own.sum()) - int(odd_other.sum()) - by
    if surplus < 0:
        return balance(presses.T, rng, -by, other, own).T
    wrong_own = rng.permutation(own[odd_own])
    wrong_other = rng.permutation(other[~odd_other])
    if surplus % 2 or surplus > wrong_own.size + wrong_other.size:
        raise ValueError(f"these lines cannot be unbalanced by {by}")

    changed = presses.copy()
    wrong_own = wrong_own[:surplus]
    wrong_other = wrong_other[: surplus - wrong_own.size]
    if wrong_own.size % 2:
        changed[wrong_own[-1], wrong_other[-1]] ^= True
        wrong_own, wrong_other = wrong_own[:-1], wrong_other[:-1]
    crossing = rng.choice(other, wrong_own.size // 2).repeat(2)
    changed[wrong_own, crossing] ^= True
    crossing = rng.choice(own, wrong_other.size // 2).repeat(2)
    changed[crossing, wrong_other] ^= True
    return changed


def played_backwards(shape: tuple[int, int], count: int, rng: np.random.Generator) -> Bits:
    """Return the presses of a random legal game of about `count` presses, as an (R, C) grid.

    Read backwards from the goal a bulb may be pressed when its row and its column have had equally
    many presses, mod 2. Passes over the bulbs in random order repeat until there are enough presses
    or none is legal. A Python loop: O(count) for sparse boards.
    """
    height, width = shape
    row_bits, column_bits = [False] * height, [False] * width
    left = rng.permutation(height * width).tolist()
    pressed: list[int] = []
    while len(pressed) < count:
        passed: list[int] = []
        for k, cell in enumerate(left):
            row, column = divmod(cell, width)
            if row_bits[row] != column_bits[column]:
                passed.append(cell)
                continue
            row_bits[row] = not row_bits[row]
            column_bits[column] = not column_bits[column]
            pressed.append(cell)
            if len(pressed) == count:
                passed += left[k + 1 :]
                break
        if len(passed) == len(left):
            break
        left = passed
    presses = np.zeros(height * width, dtype=np.bool_)
    presses[pressed] = True
    return presses.reshape(shape)


@dataclass(frozen=True)
class OnPattern(GridFamily):
    """Boards of a pattern that random presses take to all lit. Raises CannotGenerate."""

    pattern: str = field(default="plus", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pattern.strip():
            raise CannotGenerate("the pattern is empty")
        try:
            grid_graph(self.pattern, (1, 1))
        except ValueError as error:
            raise CannotGenerate(str(error)) from None

    @property
    def name(self) -> str:
        """The name of the pattern."""
        return self.pattern.split()[0]

    @property
    def graph(self) -> Graph:
        """The grid with this pattern."""
        return grid_graph(self.pattern, (self.rows, self.columns))


@dataclass(frozen=True)
class OnShape(SizedFamily):
    """Boards of a shape that random presses take to all lit. Raises BoardError for no such size."""

    sized: SizedShape
    density: float = field(default=0.5, kw_only=True)

    def __post_init__(self) -> None:
        refuse_bad(1, 1, self.density)

    def board(self, seed: int) -> Board:
        """Return the board that the presses of this seed solve."""
        graph = parse_board(self.sized.text, self.sized.word).graph
        presses = random_presses((graph.size,), self.density, np.random.default_rng(seed))
        name = f"{self.sized.word.replace(':', '-')}-{seed}"
        return board_solved_by(presses, graph, name)


def random_presses(shape: tuple[int, ...], density: float, rng: np.random.Generator) -> Bits:
    """Return random presses, each with the probability `density`."""
    return np.asarray(rng.random(shape, dtype=np.float32) < density)


def refuse_bad(rows: int, columns: int, density: float) -> None:
    """Raises CannotGenerate for no bulbs, too many bulbs, or a density outside 0 to 1."""
    if rows < 1 or columns < 1:
        raise CannotGenerate("a board needs at least one row and one column")
    if rows * columns > MOST_BULBS:
        raise CannotGenerate(
            f"a board of {rows * columns:,} cells is too large (at most {MOST_BULBS:,})"
        )
    if not 0 <= density <= 1:
        raise CannotGenerate("the density of the presses is a number from 0 to 1")


def _refuse_odd(rows: int, columns: int, by: int) -> None:
    if rows % 2 or columns % 2:
        raise CannotGenerate(
            f"a {rows}x{columns} board has several press sets: this family needs an even number "
            "of rows and of columns"
        )
    if by == 0 or by % 2:
        why = f"odd rows and odd columns never differ by {by}"
        why = why if by else "a board that is unbalanced by 0 is balanced"
        raise CannotGenerate(f"{why}: take an even number but 0")
