"""Line cuts made by hand: one row, and the columns that it meets."""

from __future__ import annotations

import numpy as np

from ponder.proofs.refused import Refused
from ponder.system.types import Bits, Json
from tests.boards import cross_pressed


def comb(alone: int, shared: int) -> Bits:
    """Row 0 has presses in columns of their own, and in columns that another row shares."""
    presses = np.zeros((shared + 1, alone + shared), dtype=np.bool_)
    presses[0] = True
    presses[1:, alone:] = np.eye(shared, dtype=np.bool_)
    return presses


def stated(presses: Bits, rows: list[int], columns: list[int], side: str) -> Refused:
    """A cut as a stranger may state it."""
    refutation: Json = {"kind": "line-cut", "side": side, "rows": rows, "columns": columns}
    return Refused(cross_pressed(presses), presses.reshape(-1), refutation)


def of_comb(alone: int, shared: int) -> Refused:
    """Row 0 needs half of its presses, and has room for those in shared columns only."""
    return stated(comb(alone, shared), [0], list(range(alone)), "rows")
