"""From all off to all on: the fewest presses of n×n plus boards, in any order and legally.

    python -m tests.results.all_off -o docs/results

Each line is `solve` under the rule `unlit`, proved (theory §7.8, §7.14): the sequence is legal, and
no press set at all has fewer bulbs, so both numbers are one (§2.7). `press_sets` have as few. Each
answer is verified before its line is written. The last column is the press set in hexadecimal
digits, bulb 0 the highest bit, as in most_moves.csv.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ponder.check.verification import verify
from ponder.find.solve import solve
from tests.results import Table
from tests.results.dark_boards import dark

COMMAND = "python -m tests.results.all_off -o docs/results"
COLUMNS = ("n", "bulbs", "nullity", "presses", "press_sets", "press_set")
SIDES = range(1, 80)


def line(side: int) -> Sequence[object]:
    """Return the fewest presses of one board, how many press sets have as few, and one of them."""
    from ponder.find.linear.press_sets import kernel

    board = dark("plus", side)
    result = solve(board)
    if not result.optimal or result.presses is None or not verify(board, result).complete:
        raise RuntimeError(f"{side}×{side} is open")
    pressed = np.zeros(board.graph.size, dtype=np.bool_)
    pressed[result.presses] = True
    number = int("".join("01"[bit] for bit in pressed.tolist()), 2)
    return (
        board.graph.size, kernel(board.graph).nullity, result.count,
        (result.bound or {}).get("press_sets", 1), f"{number:x}",
    )  # fmt: skip


def main() -> None:
    """Make the table, or go on with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    made = Table(COMMAND, COLUMNS, 1, given.output / "all_off.csv")
    made.fill([(side,) for side in SIDES], line)


if __name__ == "__main__":
    main()
