"""The share of the boards that have an order, and how often random play finds one: exact.

    python -m tests.results.orders -o docs/results/orders

Every shape to 25 bulbs, five patterns, rule `unlit`, goal all lit. Of the `solvable` boards,
`with_order` have a legal order that presses each bulb at most once. Of the 2^bulbs press sets,
`sets_with_order` have one; a random legal press at a time, until none is left, orders such a set
with the chance `greedy` on average and `least` at worst (to 20 bulbs). Some minutes of one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ponder.find.linear.press_sets import kernel
from ponder.model.graph import Graph, grid_graph
from tests.results import PATTERNS, Table, picture, read, shapes
from tests.results.orderable_sets import chances, count_of, joined, neighbour_masks, orderable_sets

COMMAND = "python -m tests.results.orders -o docs/results/orders"
COLUMNS = (
    "pattern", "rows", "columns", "bulbs", "nullity", "solvable", "with_order", "share",
    "sets_with_order", "greedy", "least",
)  # fmt: skip
GREEDY_BULBS = 20
Name = tuple[str, int, int]


def names(bulbs: int) -> list[Name]:
    """Return what there is to do."""
    return [(p, r, c) for r, c in shapes(bulbs) for p in PATTERNS]


def line(pattern: str, rows: int, columns: int) -> Sequence[object]:
    """Count one shape."""
    graph = grid_graph(pattern, (rows, columns))
    near = neighbour_masks(graph)
    quiet = [sum(1 << k for k, bit in enumerate(row) if bit) for row in kernel_rows(graph)]
    sets = orderable_sets(near)
    solvable = 1 << (graph.size - len(quiet))
    with_order = count_of(joined(sets, quiet)) >> len(quiet)
    greedy, least = "", ""
    if graph.size <= GREEDY_BULBS:
        chance = chances(near)
        good = chance[chance > 0]
        greedy, least = f"{good.mean():.6f}", f"{good.min():.3g}"
    return (
        graph.size, len(quiet), solvable, with_order, f"{with_order / solvable:.6f}",
        count_of(sets), greedy, least,
    )  # fmt: skip


def kernel_rows(graph: Graph) -> list[list[bool]]:
    """Return a basis of the quiet patterns."""
    basis: list[list[bool]] = kernel(graph).basis().tolist()
    return basis


def table(bulbs: int, file: Path | None = None) -> Table:
    """Return the table of all shapes with so many bulbs at most."""
    made = Table(COMMAND, COLUMNS, 3, file)
    made.fill(names(bulbs), line)
    return made


def draw(file: Path, picture_file: Path) -> None:
    """Draw both shares against the bulbs, of shapes with two rows or more."""
    from ponder.studies.plots import MARKERS, OKABE_ITO

    lines = [x for x in read(file) if int(x["rows"]) > 1]
    with picture(picture_file, (9.0, 4.2)) as figure:
        left, right = figure.subplots(1, 2)
        for k, pattern in enumerate(PATTERNS):
            own = [x for x in lines if x["pattern"] == pattern]
            style = {"s": 16, "color": OKABE_ITO[k], "marker": MARKERS[k], "label": pattern}
            left.scatter([int(x["bulbs"]) for x in own], [float(x["share"]) for x in own], **style)
            own = [x for x in own if x["greedy"]]
            right.scatter(
                [int(x["bulbs"]) for x in own], [float(x["greedy"]) for x in own], **style
            )
        left.set(title="solvable boards with an order", xlabel="bulbs", ylabel="share")
        right.set(
            title="random play on press sets that have one", xlabel="bulbs", ylabel="mean chance"
        )
        for panel in (left, right):
            panel.grid(alpha=0.3)
        right.legend(frameon=False)


def main() -> None:
    """Make the table and the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--bulbs", type=int, default=25)
    given = parser.parse_args()
    file = given.output / "orders.csv"
    table(given.bulbs, file)
    draw(file, given.output / "orders.svg")


if __name__ == "__main__":
    main()
