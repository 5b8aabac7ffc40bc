"""The share of the boards that have an order, on larger squares: 100 random boards of each.

    python -m tests.results.sampled_orders -o docs/results/orders

The boards are those of `ponder generate plus --pattern PATTERN --size N --seed 0` and on: random
presses, so that each solvable board is as likely. `open` are those on which `ponder.order` neither
finds an order nor proves that there is none within two seconds. Some minutes of one core.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ponder.find.linear.press_sets import kernel
from ponder.find.order import order
from ponder.model.graph import grid_graph
from ponder.studies.generate import OnPattern
from tests.results import PATTERNS, Table, picture, read

COMMAND = "python -m tests.results.sampled_orders -o docs/results/orders"
COLUMNS = ("pattern", "side", "boards", "with_order", "without", "open")
BOARDS = 100
SECONDS = 2.0
SIDES = range(6, 17)


def line(pattern: str, side: int, boards: int) -> Sequence[object]:
    """Ask about the boards of one size."""
    maker = OnPattern(side, side, pattern=pattern)
    said = Counter(order(maker.board(seed), timeout=SECONDS).verdict for seed in range(boards))
    return said["solved"], said["impossible"], said["unknown"]


def table(sides: Sequence[int], boards: int = BOARDS, file: Path | None = None) -> Table:
    """Return the table of these sides."""
    made = Table(COMMAND, COLUMNS, 3, file)
    made.fill([(pattern, side, boards) for side in sides for pattern in PATTERNS], line)
    return made


def draw(file: Path, picture_file: Path) -> None:
    """Draw the share against the side, filled where there is one press set; bars: what is open."""
    from ponder.studies.plots import MARKERS, OKABE_ITO

    with picture(picture_file, (6.8, 3.8)) as figure:
        axes = figure.add_subplot()
        for k, pattern in enumerate(PATTERNS):
            axes.scatter([], [], s=24, color=OKABE_ITO[k], marker=MARKERS[k], label=pattern)
            for x in read(file):
                if x["pattern"] != pattern:
                    continue
                side, boards = int(x["side"]), int(x["boards"])
                single = kernel(grid_graph(pattern, (side, side))).basis().size == 0
                low, high = int(x["with_order"]), int(x["with_order"]) + int(x["open"])
                at = side + 0.12 * (k - 2)
                if high > low:
                    axes.plot([at, at], [low / boards, high / boards], color=OKABE_ITO[k])
                axes.scatter(
                    [at], [low / boards], s=24, marker=MARKERS[k], edgecolors=OKABE_ITO[k],
                    facecolors=OKABE_ITO[k] if single else "none",
                )  # fmt: skip
        axes.set(xlabel="rows and columns", ylabel="share of the boards with an order")
        axes.set_xticks(SIDES)
        axes.grid(alpha=0.3)
        figure.legend(loc="outside right center", frameon=False)


def main() -> None:
    """Make the table and the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    given = parser.parse_args()
    file = given.output / "sampled.csv"
    table(SIDES, file=file)
    draw(file, given.output / "sampled.svg")


if __name__ == "__main__":
    main()
