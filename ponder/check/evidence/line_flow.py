"""`line-flow`: a half factor misses some places on the lines of the only press set, at two presses
each.

By theorem 3 (theory §4.5) the fewest presses are |S| + 2·(H_R + H_C − 2f), for f the value of a
largest flow: source → lines of one kind → lines of the other → sink. The capacity of any cut is at
least f; the lines that are named lie with the source. Cost: O(cells).
"""

from __future__ import annotations

import numpy as np

from ponder.check.evidence.coset_minimum import odd_presses, only_press_set
from ponder.check.fields import fail
from ponder.check.kinds import Bound
from ponder.check.limits import Budget
from ponder.check.line_refutations import cut_of, plain_cross
from ponder.check.linear import unique_press_set
from ponder.check.written import Lines, Number, Side
from ponder.model.board import Board
from ponder.system.errors import quoted
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints


class LineFlow(Bound):
    """Row/column boards with a single press set: a flow between lines is at most `flow`, by a cut.

    The source has the lines of `side`, of which those named lie with it.
    """

    kind = "line-flow"
    theory = "§4.5, own proof"
    commands = ("solve",)
    flow: Number
    side: Side | None  # rows, in early results
    rows: Lines
    columns: Lines

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return what the capacity of the cut proves."""
        graph = plain_cross(board, "bound: line-flow")
        presses = unique_press_set(board, budget)
        side, lines = self.side or "rows", (self.rows, self.columns)
        in_x, rest, room, others = cut_of(graph, presses, side, lines, self.kind)
        if self.flow != (capacity := rest + room):
            said = quoted(self.flow)
            fail(f"line-flow: the cut has the capacity {capacity}, not {said}")
        halves = in_x + rest + others
        return int(np.count_nonzero(presses)) + 2 * (halves - 2 * capacity)

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what lines that cannot be balanced cost."""
        return self._said(presses, least, "{} on its lines cannot be balanced")

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return what the best half factor misses."""
        return self._said(presses, least, "its best half factor misses {} on the lines")

    def _said(self, presses: Ints | None, least: int, what: str) -> str | None:
        if presses is None or presses.size != least:
            return None
        only, lacks = only_press_set(presses), (presses.size - odd_presses(presses)) // 2
        cost = inflect(lacks, "this costs", "each costs")
        what = f"{what.format(pluralise(lacks, 'place'))}, and {cost} two extra presses"
        return f"{only}; {what}" if lacks else only
