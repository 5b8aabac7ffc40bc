"""From all off to all on: the fewest presses of n×n plus boards, in any order and legally.

    python -m tests.results.all_off -o docs/results

Each line is `solve` under the rule `unlit`, proved (theory §7.8, §7.16): the sequence is legal, and
no press set at all has fewer bulbs, so both numbers are one (§2.7). `press_sets` have as few. Each
answer is verified before its line is written. The last column is the press set in hexadecimal
digits, as in most_moves.csv.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ponder.check.result import Result
from ponder.check.verification import verify
from ponder.cli.most_moves import packed
from ponder.find.solve import solve
from ponder.model.board import Rule
from tests.results import Table
from tests.results.dark_boards import dark

COMMAND = "python -m tests.results.all_off -o docs/results"
COLUMNS = ("n", "bulbs", "nullity", "presses", "press_sets", "press_set")
SIDES = range(1, 80)


def line(side: int) -> Sequence[object]:
    """Return the fewest presses of one board, how many press sets have as few, and one of them."""
    from ponder.find.linear.press_sets import kernel

    legal = proved(side, "unlit")
    bound = legal.bound or {}
    if bound["kind"] == "coset-minimum" and "press_sets" not in bound:  # or by another search
        bound = {}
    if not bound or bound["kind"] not in ("coset-minimum", "unique-press-set"):
        free = proved(side, "any")
        if free.count != legal.count:
            raise RuntimeError(f"{side}×{side}: {free.count} presses, {legal.count} legal ones")
        bound = free.bound or {}
    assert legal.presses is not None
    graph = legal.board.graph
    return (
        graph.size, kernel(graph).nullity, legal.count, bound.get("press_sets", 1),
        packed(graph.set_of(legal.presses)),
    )  # fmt: skip


def proved(side: int, rule: Rule) -> Result:
    """Return the fewest presses under a rule, proved and verified."""
    result = solve(dark("plus", side, rule))
    if not result.optimal or not verify(result.board, result).complete:
        raise RuntimeError(f"{side}×{side} is open")
    return result


def main() -> None:
    """Make the table, or go on with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    made = Table(COMMAND, COLUMNS, 1, given.output / "all_off.csv")
    made.fill([(side,) for side in SIDES], line)


if __name__ == "__main__":
    main()
