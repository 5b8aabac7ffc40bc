"""How many presses does the hardest board need: every shape to 25 bulbs, five patterns, two rules.

    python -m tests.results.atlas -o docs/results/atlas

Exact: `ponder.find.fewest.atlas` searches all solvable boards backwards from the goal, all lit.
`needing` boards need `largest` presses; `stuck` ones have a press set but no legal sequence;
`hardest` is one of the former, its lit bulbs read row by row as hexadecimal digits. Some minutes of
one core, and 140 MB.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ponder.cli.most_moves import packed
from ponder.find.fewest.atlas import atlas_of
from ponder.model.board import Board, Rule
from ponder.model.graph import grid_graph
from tests.results import PATTERNS, Table, picture, read, shapes

COMMAND = "python -m tests.results.atlas -o docs/results/atlas"
COLUMNS = (
    "pattern", "rule", "rows", "columns", "bulbs", "nullity", "solvable", "stuck", "largest",
    "needing", "mean", "hardest",
)  # fmt: skip
RULES: tuple[Rule, ...] = ("unlit", "any")
Name = tuple[str, Rule, int, int]


def names(bulbs: int) -> list[Name]:
    """Return what there is to do."""
    return [(p, rule, r, c) for r, c in shapes(bulbs) for p in PATTERNS for rule in RULES]


def line(pattern: str, rule: Rule, rows: int, columns: int) -> Sequence[object]:
    """Search one shape."""
    graph = grid_graph(pattern, (rows, columns))
    goal = np.ones(graph.size, dtype=np.bool_)
    chart = atlas_of(Board(graph, np.zeros_like(goal), goal, rule))
    total = sum(k * boards for k, boards in enumerate(chart.histogram))
    return (
        graph.size, chart.nullity, chart.solvable, chart.stuck, chart.largest, chart.histogram[-1],
        f"{total / chart.solvable:.4f}", packed(chart.hardest.lit),
    )  # fmt: skip


def table(bulbs: int, file: Path | None = None) -> Table:
    """Return the table of all shapes with so many bulbs at most."""
    made = Table(COMMAND, COLUMNS, 4, file)
    made.fill(names(bulbs), line)
    return made


def draw(file: Path, picture_file: Path) -> None:
    """Draw the largest number against the bulbs: the path of plus a line, wider shapes marks."""
    from ponder.studies.plots import MARKERS, OKABE_ITO

    lines = read(file)
    with picture(picture_file, (9.0, 4.4)) as figure:
        panels = figure.subplots(1, 2, sharey=True)
        for panel, rule in zip(panels, RULES, strict=True):
            own = [x for x in lines if x["rule"] == rule]
            path = [x for x in own if (x["pattern"], x["rows"]) == ("plus", "1")]
            panel.plot([1, 25], [1, 25], color="0.6", linewidth=0.8, linestyle=":")
            panel.plot(
                [int(x["bulbs"]) for x in path], [int(x["largest"]) for x in path],
                color="0.5", linewidth=0.8, label="plus 1×n",
            )  # fmt: skip
            for k, pattern in enumerate(PATTERNS):
                wide = [x for x in own if x["pattern"] == pattern and x["rows"] != "1"]
                panel.scatter(
                    [int(x["bulbs"]) + 0.16 * (k - 2) for x in wide],
                    [int(x["largest"]) for x in wide],
                    s=20, color=OKABE_ITO[k], marker=MARKERS[k], label=pattern,
                )  # fmt: skip
            panel.set(title=f"rule {rule}", xlabel="bulbs")
            panel.grid(alpha=0.3)
        panels[0].set_ylabel("presses that the hardest board needs")
        panels[0].legend(frameon=False)


def main() -> None:
    """Make the table and the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--bulbs", type=int, default=25)
    given = parser.parse_args()
    file = given.output / "atlas.csv"
    table(given.bulbs, file)
    draw(file, given.output / "atlas.svg")


if __name__ == "__main__":
    main()
