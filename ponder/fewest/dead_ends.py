"""Dead ends: boards on which the rule allows no first press, or no last one.

Idea. Under the rule `unlit` only unlit bulbs may be pressed, and the pressed bulb is lit then. So
where all bulbs of a connected piece of the graph are lit, nothing can be pressed there; and where
all of them must be unlit in the end, no press can be the last one. A piece that has to change is
then out of reach, although the linear system may have a solution. Under the rule `lit` lit and
unlit change places (theory §2.5). There is no other obstacle to legal sequences with repeats on a
board whose linear system has a solution (the theorem of theory §2.6).

Cost. O(vertices + edges), by the components of the whole graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ponder.limits import NEVER, Limits
from ponder.printable import agreeing
from ponder.puzzle.board import Board
from ponder.puzzle.components import component_numbers
from ponder.puzzle.graph import GridGraph
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.puzzle.refutation import Refutation
from ponder.types import Bits, Ints, Json

_CONNECTED = ("cross", "plus", "king", "torus-plus", "torus-king")
"""Patterns whose full rectangles are one piece."""


@dataclass(frozen=True, eq=False)
class DeadEnd(Refutation):
    """A connected piece of the graph that must change, and where no press can be the first
    (`end` = "start") or none the last ("goal"). Claims C4.

    Proof. The first press within the piece meets a bulb in its state at the start; the last one
    leaves its bulb in the state of the goal. The rule allows neither in any bulb of the piece. ∎
    """

    kind = "dead-end"
    members: Ints
    end: Literal["start", "goal"]

    @property
    def bulbs(self) -> Ints:
        """The piece."""
        return self.members

    def to_json(self, board: Board) -> Json:
        """Return kind, which end, and the bulbs."""
        return {"kind": self.kind, "end": self.end, "bulbs": board.graph.labels(self.members)}

    def sentence(self, board: Board) -> str:
        """Return which press is impossible."""
        size, changing = self.members.size, int(np.count_nonzero(board.change[self.members]))
        state, other = ("lit", "unlit") if board.rule == "unlit" else ("unlit", "lit")
        if size == 1 and self.end == "start":
            return f"this bulb has to change, but it is {state}, and may not be pressed then"
        if size == 1:
            return f"this bulb has to change and end {other}, but a press leaves it {state}"
        of = "these" if changing == size else f"{changing} of these"
        who = f"{of} {size} bulbs {agreeing(changing, 'has', 'have')} to change"
        if self.end == "start":
            return f"{who}, but all {size} are {state}: none may be pressed first"
        return (
            f"{who}, but all {size} must end {other}, and a press leaves its bulb {state}: none "
            "can be the last"
        )


def dead_end(board: Board, limits: Limits = NEVER) -> DeadEnd | None:
    """Return a piece of the board that no legal sequence can change although it must; TimeUp.

    >>> dead_end(Board.from_rows(["11"], "plus", goal="unlit")).end
    'start'
    >>> dead_end(Board.from_rows(["10"], "plus", goal="unlit")).end
    'goal'
    >>> dead_end(Board.from_rows(["00"], "plus"))
    """
    odd_later = board.odd_later
    if odd_later is None or not (board.change & odd_later).any():
        return None  # at either end all bulbs of the piece are so, and one of them must change
    limits.check()
    piece = pieces(board, limits)
    limits.check()
    sizes = np.bincount(piece)

    def ones(bits: Bits) -> Ints:
        return np.bincount(piece[bits], minlength=sizes.size)

    must_change = ones(board.change) > 0
    blocked = board.lit if board.rule == "unlit" else ~board.lit
    ends: tuple[tuple[Literal["start", "goal"], Bits], ...] = (
        ("start", blocked),
        ("goal", odd_later),
    )
    for end, stuck in ends:
        dead = np.flatnonzero(must_change & (ones(stuck) == sizes))
        if dead.size:
            return DeadEnd(np.flatnonzero(piece == dead[0]), end)
    return None


def pieces(board: Board, limits: Limits = NEVER) -> Ints:
    """Return the number of each bulb's piece, the connected part of the graph it lies in. TimeUp.

    >>> pieces(Board.from_rows(["0-0"], "plus")).tolist()
    [0, 1]
    """
    graph = board.graph
    if isinstance(graph, GridGraph) and graph.mask is None and graph.pattern in _CONNECTED:
        return np.zeros(graph.size, dtype=np.int64)
    everything = np.arange(graph.size, dtype=np.int64)
    return component_numbers(OrderingProblem(graph, everything, board.lit), limits)
