"""What is known of a generated board: by its construction, or because `ponder.order` was asked."""

from __future__ import annotations

from dataclasses import dataclass

from ponder.printable import counted
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph

ASKED = 5_000
"""Boards other than row/column boards are only asked for their answer up to so many bulbs."""


@dataclass(frozen=True)
class KnownAnswer:
    """What `ponder.order` says to a board: its verdict, its claim, and the evidence in one word.

    `kind` is the kind of refutation; `count` the number of presses of an order, `optimal` whether
    that is proved to be the fewest.
    """

    verdict: str = "unknown"
    claim: str | None = None
    kind: str | None = None
    count: int | None = None
    optimal: bool = False

    @property
    def text(self) -> str:
        """The answer for people, on one line.

        >>> KnownAnswer("solved", count=8, optimal=True).text, KnownAnswer().text
        ('order of 8 presses (proved fewest)', 'unknown')
        """
        match self.verdict:
            case "solved" if self.count is None:
                return "an order exists (by construction)"
            case "solved":
                proved = "proved" if self.optimal else "not proved"
                return f"order of {counted(self.count or 0, 'press')} ({proved} fewest)"
            case "impossible":
                what = "no sequence at all" if self.claim == "C4" else "no order"
                return f"{what} ({self.kind})"
            case _:
                return "unknown"


def known_answer(board: Board, timeout: float | None = 10.0) -> KnownAnswer:
    """Ask `ponder.order` with a time limit; unknown when that does not know in time.

    Boards that would be slow in the linear stage already are not asked.

    >>> known_answer(Board.from_rows(["01", "10"])).text
    'order of 2 presses (proved fewest)'
    """
    from ponder.pipeline.order import order

    if board.graph.size > ASKED and not isinstance(board.graph, CrossGraph):
        return KnownAnswer()
    result = order(board, timeout=timeout)
    if result.verdict == "unknown":
        return KnownAnswer()
    kind = None if result.refutation is None else result.refutation.kind
    return KnownAnswer(result.verdict, result.claim, kind, result.count, result.optimal)
