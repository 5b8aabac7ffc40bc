"""Refutations: why no legal order, or no sequence at all, exists; what all kinds share.

Each kind says what it claims and carries what a checker needs and no more. The text form
(`to_json`) is what result files hold and what `ponder.check` reads; the checker never sees these
classes. The kinds stand in four files, each with its proof:

    press_set_refutations   there is no press set, or none of them has an order
    line_refutations        by the lines of a row/column board
    local_refutations       by a set of pressed bulbs
    solver_refutations      by what a program found

The four claims (theory §2)

    C1  *this* press set has no legal order
    C2  no legal sequence presses each bulb at most once
    C3  no legal sequence has fewer than k presses
    C4  no legal sequence of any length reaches the goal
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from ponder.puzzle.board import Board
from ponder.puzzle.graph import GridGraph
from ponder.types import Bits, Ints, Json

Claim: TypeAlias = Literal["C1", "C2", "C3", "C4"]

CLAIMS: dict[Claim, str] = {
    "C1": "this press set has no legal order",
    "C2": "no legal sequence presses each bulb at most once",
    "C3": "no legal sequence has fewer presses",
    "C4": "no sequence of any length reaches the goal",
}


@dataclass(frozen=True, eq=False)
class Refutation(ABC):
    """Why a press set (or, for `odd-witness`, the whole board) has no legal order."""

    kind: ClassVar[str]

    @abstractmethod
    def to_json(self, board: Board) -> Json:
        """Return the text form, with bulbs by their labels."""

    @abstractmethod
    def sentence(self, board: Board) -> str:
        """Return the reason in one sentence that a person can check."""

    @property
    def bulbs(self) -> Ints | None:
        """The bulbs that the refutation speaks of, to be shown on the board; None for none."""
        return None


@dataclass(frozen=True, eq=False)
class LocalRefutation(Refutation):
    """Base of the refutations that live on a set B of pressed bulbs. They claim C1.

    B is a component of the pressed graph H, or a part of one such that every piece of the
    component outside B hangs on a single bulb of B, pressed once (B is a 2-connected block, say).
    All copies of a bulb that is pressed several times are in B together.

    Parities inside B. Let P be the pieces that hang on c ∈ B. The out-degrees of P's vertices sum,
    with c's edges into P, to |E(P ∪ c)|; so c's out-degree into P is forced to
    |E(P ∪ c)| + |T ∩ P| mod 2, and inside B c must have the parity t_B(c) = t(c) + that.
    The orientation restricted to B is acyclic and has the out-degree parities t_B.
    """

    members: Ints

    @property
    def bulbs(self) -> Ints:
        """The set B."""
        return self.members

    def to_json(self, board: Board) -> Json:
        """Return kind and bulbs."""
        return {"kind": self.kind, "bulbs": board.graph.labels(self.members)}


def parts_json(board: Board, parts: Iterable[tuple[Bits, Refutation]]) -> list[Json]:
    """Return refutations with the press sets that they are about.

    >>> import numpy as np
    >>> from ponder.puzzle.local_refutations import NoLastPress
    >>> board = Board.from_rows(["01"])
    >>> parts_json(board, [(board.lit, NoLastPress(np.array([1])))])
    [{'kind': 'no-last-press', 'bulbs': [(0, 1)], 'press_counts': ['01']}]
    """
    return [
        {**why.to_json(board), "press_counts": press_counts_json(board, press_set)}
        for press_set, why in parts
    ]


def press_counts_json(board: Board, counts: Bits | Ints) -> list[str] | list[int]:
    """Return press counts as text: on a grid one string of digits per row, `-` for holes.

    On a graph, or where a bulb is pressed more than nine times, a list with one number per bulb.

    >>> import numpy as np
    >>> board = Board.from_rows(["01-", "000"])
    >>> press_counts_json(board, np.array([1, 0, 0, 2, 1]))
    ['10-', '021']
    """
    import numpy as np

    graph = board.graph
    if not isinstance(graph, GridGraph) or (counts.size and int(counts.max()) > 9):
        return [int(k) for k in counts]
    cells = np.full(graph.shape[0] * graph.shape[1], ord("-"), dtype=np.uint8)
    cells[graph.cells] = counts.astype(np.uint8) + ord("0")
    text = cells.tobytes().decode("ascii")
    width = graph.shape[1]
    return [text[i : i + width] for i in range(0, len(text), width)]
