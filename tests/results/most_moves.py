"""Most moves of square boards beside what was published: the picture, and the table of the page.

    python -m tests.results.most_moves

The table `docs/results/most_moves.csv` itself is made by the command in its first line.
"""

from __future__ import annotations

import re

from ponder.cli.most_moves import Line, read_table
from tests.results import RESULTS, picture

FILE = RESULTS / "most_moves.csv"
PAGE = RESULTS / "most_moves.md"
_TABLE = re.compile(r"(?<=<!-- table -->\n\n).*?(?=\n\n<!-- end -->)", re.S)

PUBLISHED = {
    4: (7, 7), 5: (15, 15), 9: (37, 37), 11: (65, 65), 14: (123, 123), 16: (124, 124),
    17: (199, 199), 19: (197, 197), 23: (239, 305), 24: (375, 375), 29: (443, 443), 30: (180, 899),
    32: (205, 1023), 33: (218, 573), 34: (763, 763), 35: (721, 721), 39: (305, 877),
    41: (1191, 1191), 44: (1287, 1287), 47: (442, 1313), 49: (1397, 1397), 50: (1344, 1344),
    53: (1999, 1999), 54: (1947, 1947), 59: (697, 1901),
}  # fmt: skip
"""Bounds by n, from the repository LightsOut-Math of W. Boyles, 2021 (`min_clicks_answers`): the
sizes to 60 where they are not n². All others have nullity 0."""


def lines() -> dict[int, Line]:
    """Return the lines of the results file."""
    return read_table(FILE.read_text(encoding="utf-8"), FILE.name)


def table() -> str:
    """Return the sizes whose nullity is not 0."""
    rows = ["| n | nullity | most moves | above by | published | |", "|--:|--:|--:|---|--:|---|"]
    for line in lines().values():
        if not line.nullity:
            continue
        low, high = PUBLISHED[line.n]
        rows.append(
            f"| {line.n} | {line.nullity} | {_bounds(line.lower, line.upper)} | {line.upper_by} "
            f"| {_bounds(low, high)} | {_remark(line, low, high)} |"
        )
    return "\n".join(rows)


def _bounds(lower: int, upper: int) -> str:
    return f"{lower:,}" if lower == upper else f"{lower:,} to {upper:,}"


def _remark(line: Line, low: int, high: int) -> str:
    if low > line.upper:
        return "cannot be right"
    sides = {"below": line.lower > low, "above": line.upper < high}
    better = [name for name, is_better in sides.items() if is_better]
    if better:
        return "better " + " and ".join(better)
    return "" if (line.lower, line.upper) == (low, high) else "not proved here"


def written(page: str) -> str:
    """Return the page with the table as it should be."""
    return _TABLE.sub(lambda _: table(), page)


def draw() -> None:
    """Draw the share of the bulbs that the hardest board needs, beside what was published."""
    from ponder.studies.plots import OKABE_ITO

    own = [line for line in lines().values() if line.nullity]
    with picture(FILE.with_suffix(".svg"), (8.0, 4.0)) as figure:
        panel = figure.subplots()
        for line in own:
            bulbs = line.n**2
            shares = [moves / bulbs for moves in PUBLISHED[line.n]]
            panel.plot([line.n] * 2, shares, color="0.8", linewidth=5, solid_capstyle="butt")
            panel.plot([line.n] * 2, [line.lower / bulbs, line.upper / bulbs], color=OKABE_ITO[0])
        for exact, marker in ((True, "o"), (False, "_")):
            ends = [
                (line.n, moves / line.n**2)
                for line in own
                for moves in (line.lower, line.upper)
                if (line.lower == line.upper) == exact
            ]
            name = "exact" if exact else "both bounds"
            panel.scatter(*zip(*ends, strict=True), marker=marker, color=OKABE_ITO[0], label=name)
        panel.plot([], [], color="0.8", linewidth=5, label="published")
        panel.set(xlabel="n, where the nullity is not 0", ylabel="most moves of n×n / n²")
        panel.grid(alpha=0.3)
        panel.legend(frameon=False)


def main() -> None:
    """Write the table of the page, and the picture."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    draw()


if __name__ == "__main__":
    main()
