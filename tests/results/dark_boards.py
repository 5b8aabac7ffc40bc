"""The dark board: all bulbs off, all to be lit. Free presses, legal ones, each bulb at most once.

    python -m tests.results.dark_boards -o docs/results/dark-boards

Squares of five patterns. `free` is the fewest presses in any order (rule `any`), `legal` under
`unlit`, `once` with each bulb at most once as well. A number is proved to be the least, `a..b` says
that it lies between, and `none` that there is no order. On bipartite boards (plus; tori of plus
with even sides) all three are equal (theory §2.7). Each number has a search of its own, of
five seconds at most.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ponder.check.result import Result
from ponder.find.order import order
from ponder.find.solve import solve
from ponder.model.board import Board, Rule
from ponder.model.graph import grid_graph
from tests.results import PATTERNS, Table, picture, read

COMMAND = "python -m tests.results.dark_boards -o docs/results/dark-boards"
COLUMNS = ("pattern", "side", "bulbs", "nullity", "free", "legal", "once")
SECONDS = 5.0
SIDES = range(1, 21)


def dark(pattern: str, side: int, rule: Rule = "unlit") -> Board:
    """The dark board."""
    graph = grid_graph(pattern, (side, side))
    off = np.zeros(graph.size, dtype=np.bool_)
    return Board(graph, off, ~off, rule)


def line(pattern: str, side: int) -> Sequence[object]:
    """Return the three numbers of one board."""
    from ponder.find.linear.press_sets import kernel

    board = dark(pattern, side)
    free = solve(dark(pattern, side, "any"), timeout=SECONDS)
    return (
        board.graph.size, len(kernel(board.graph).basis()), number(free),
        number(solve(board, timeout=SECONDS)), number(order(board, timeout=SECONDS)),
    )  # fmt: skip


def number(result: Result) -> str:
    """Return what is proved of a number of presses."""
    if result.verdict == "impossible":
        return "none"
    if result.optimal:
        return str(result.count)
    return f"{result.lower_bound or 0}..{'' if result.count is None else result.count}"


def table(sides: Sequence[int], file: Path | None = None) -> Table:
    """Return the table of these sides."""
    made = Table(COMMAND, COLUMNS, 2, file)
    made.fill([(p, n) for n in sides for p in PATTERNS if n > 2 or "torus" not in p], line)
    return made


def draw(file: Path, picture_file: Path) -> None:
    """Draw what is proved, as a share of the bulbs."""
    from ponder.studies.plots import MARKERS, OKABE_ITO

    with picture(picture_file, (9.0, 5.6)) as figure:
        panels = figure.subplots(2, 3, sharex=True, sharey=True).reshape(-1)
        for panel, pattern in zip(panels, PATTERNS, strict=False):
            own = [x for x in read(file) if x["pattern"] == pattern]
            for k, key in enumerate(("once", "legal", "free")):
                points = [
                    (int(x["side"]), int(x[key]) / int(x["bulbs"])) for x in own if x[key].isdigit()
                ]
                if points:
                    panel.plot(
                        *zip(*points, strict=True), color=OKABE_ITO[k], marker=MARKERS[k],
                        markersize=8 - 2 * k, linewidth=0, label=key,
                    )  # fmt: skip
            panel.set(title=pattern, ylim=(0, 1.05))
            panel.grid(alpha=0.3)
        panels[-1].set_axis_off()
        panels[0].legend(frameon=False)
        figure.supxlabel("rows and columns")
        figure.supylabel("presses, share of the bulbs")


def main() -> None:
    """Make the table and the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    file = given.output / "dark-boards.csv"
    table(SIDES, file)
    draw(file, given.output / "dark-boards.svg")


if __name__ == "__main__":
    main()
