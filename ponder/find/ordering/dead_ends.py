"""Dead ends: pieces of a board that no legal sequence can change although they must (theory §2.5).

The rule allows no first press in a piece where all bulbs are blocked at the start, and no last one
where all of them would be wrong after it. Where there is a press set, nothing else stands in the
way of a sequence with repeats (theory §2.6). Cost: O(bulbs + edges).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from ponder.check.witness import DeadEnd
from ponder.model.board import Board
from ponder.model.components import pieces
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, bincount


def dead_end(board: Board, limits: Limits = NEVER) -> DeadEnd | None:
    """Return a piece of the board that no legal sequence can change although it must (theory §2.5).

    There the rule allows no first press, or no last one. O(bulbs + edges). Raises TimeUp.
    """
    odd_later = board.odd_later
    if odd_later is None or not (board.change & odd_later).any():
        return None  # at either end all bulbs of the piece are so, and one of them must change
    limits.check()
    piece = pieces(board, limits)
    limits.check()
    sizes = bincount(piece)
    must_change = bincount(piece[board.change], minlength=sizes.size) > 0
    blocked = board.lit if board.rule == "unlit" else ~board.lit
    ends: tuple[tuple[Literal["start", "goal"], Bits], ...] = (
        ("start", blocked),
        ("goal", odd_later),
    )
    for end, stuck in ends:
        all_stuck = bincount(piece[stuck], minlength=sizes.size) == sizes
        dead = np.flatnonzero(must_change & all_stuck)
        if dead.size:
            return DeadEnd(np.flatnonzero(piece == dead[0]), end)
    return None
