"""The table of a study, from the figures of `ponder.studies.report`: as text, and as CSV."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ponder.studies.report import Line

HEADS = (
    "family", "size", "method", "boards", "solved", "success", "impossible", "unknown", "trials",
    "time", "90 %", "fewest", "extra",
)  # fmt: skip


def table(lines: list[Line]) -> list[str]:
    """Return the table as text, one line a method; columns that say nothing are left out.

    >>> from ponder.studies.report import Spread
    >>> line = Line("cross", "4×4", "auto", 9, 9, 2, 2, {"line-count": 7}, 0, {}, None,
    ...             Spread(0.001, 0.002), 2, 2, 0.0, None)
    >>> print("\\n".join(table([line])))
    family  size  method  boards  solved  success    impossible  unknown    time    90 %  fewest
    cross   4×4   auto         9       2    100 %  7 line-count        0  1.0 ms  2.0 ms     all
    """
    cells = [list(_cells(line)) for line in lines]
    used = [k for k in range(len(HEADS)) if k < 8 or any(row[k] for row in cells)]
    rows = [[HEADS[k] for k in used]] + [[row[k] for k in used] for row in cells]
    widths = [max(len(row[k]) for row in rows) for k in range(len(used))]
    text = []
    for row in rows:
        padded = [
            cell.ljust(width) if used[k] < 3 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        text.append("  ".join(padded).rstrip())
    return text


TABLE_COLUMNS = (
    "family", "size", "method", "runs", "boards", "solved", "possible", "impossible",
    "certificates", "unknown", "troubles", "trials_median", "trials_90", "seconds_median",
    "seconds_90", "compared", "met_fewest", "mean_excess", "mean_extra",
)  # fmt: skip


def write_table(lines: list[Line], path: str | os.PathLike[str]) -> None:
    """Write the table as CSV, numbers in full; whole or not at all.

    >>> write_table([], os.devnull)
    """
    import csv

    from ponder.puzzle.files import whole_file

    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(TABLE_COLUMNS)
        writer.writerows(map(_row, lines))


def _row(line: Line) -> list[object]:
    trials = (
        (f"{t:g}" for t in (line.trials.median, line.trials.ninety)) if line.trials else ("", "")
    )
    seconds = (line.seconds.median, line.seconds.ninety) if line.seconds else ()
    return [
        line.family, line.size, line.method, line.runs, line.boards, line.solved, line.possible,
        line.refuted, " ".join(f"{kind}:{n}" for kind, n in line.impossible.items()), line.unknown,
        " ".join(f"{kind}:{n}" for kind, n in line.troubles.items()),
        *trials, *(f"{value:.6f}" for value in seconds), line.compared, line.met,
        *("" if value is None else f"{value:.4g}" for value in (line.excess, line.extra)),
    ]  # fmt: skip


def _cells(line: Line) -> Iterator[str]:
    from ponder.puzzle.render import seconds_text

    yield line.family
    yield line.size
    yield line.method
    yield f"{line.boards:,}" + (f" ({line.runs:,} runs)" if line.runs != line.boards else "")
    yield f"{line.solved:,}"
    yield f"{100 * line.solved / line.possible:.0f} %" if line.possible else ""
    yield ", ".join(f"{n:,} {kind}" for kind, n in line.impossible.items()) or "0"
    troubles = ", ".join(f"{n:,} {kind}" for kind, n in line.troubles.items())
    yield f"{line.unknown:,}" + (f" ({troubles})" if troubles else "")
    yield f"{line.trials.median:g}, {line.trials.ninety:g}" if line.trials else ""
    yield seconds_text(line.seconds.median) if line.seconds else ""
    yield seconds_text(line.seconds.ninety) if line.seconds else ""
    if not line.compared:
        yield ""
    elif line.met == line.compared == line.solved:
        yield "all"
    else:
        yield f"{line.met:,} of {line.compared:,}" + (
            f", +{line.excess:.2f}" if line.excess else ""
        )
    yield f"+{line.extra:.2f}" if line.extra is not None else ""
