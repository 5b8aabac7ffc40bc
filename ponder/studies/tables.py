"""The table of a study: a line for each family, size and method.

success   solved runs, of the runs on boards that some run solved, for the same question
trials    greedy: trials until it succeeded, the median of the solved runs
unproved  what a solver says without a checked proof: neither impossible nor unknown
encode    seconds to make the formula, for methods that make one; the median over all runs
solve     seconds of the method or its solver, median and 90 %, over all runs
check     seconds to check the answer, the median over all runs
fewest    of the solved runs whose board has a proved fewest: how many met it, and by how many
          presses they exceed it on average
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ponder.model.render import seconds_text
from ponder.studies.study import Run


@dataclass(frozen=True)
class Line:
    """One line of the table; see the module for the columns."""

    family: str
    size: str
    method: str
    bulbs: int
    runs: int
    solved: int
    possible: int
    impossible: dict[str, int]
    unproved: dict[str, int]
    unknown: dict[str, int]
    troubles: dict[str, int]
    trials: float | None
    encode: float | None
    solve: tuple[float, float]
    check: float
    compared: int
    met: int
    excess: float | None


Question = tuple[str, str]  # a board by its hash, and the command


def right(run: Run, *verdicts: str) -> bool:
    """Whether a run has one of these verdicts, and no checker refused it."""
    return run.verdict in verdicts and not run.trouble


def lines(runs: Iterable[Run]) -> list[Line]:
    """Return the table of some runs."""
    groups: dict[tuple[str, int, str, str], list[Run]] = defaultdict(list)
    known = list(runs)
    fewest: dict[Question, int] = {}
    commands: dict[str, str] = {}  # a run without an answer asked what its method asks elsewhere
    for run in known:
        groups[run.family, run.bulbs, run.size, run.method].append(run)
        if run.command:
            commands[run.method] = run.command
        if right(run, "solved") and run.presses is not None and run.presses == run.bound:
            fewest[run.sha256, run.command] = run.presses
    possible = {(run.sha256, run.command) for run in known if right(run, "solved")}
    table = []
    for (family, bulbs, size, method), group in sorted(groups.items()):
        solved = [run for run in group if right(run, "solved")]
        excess = [
            run.presses - fewest[run.sha256, run.command]
            for run in solved
            if run.presses is not None and (run.sha256, run.command) in fewest
        ]
        trials = [run.trials for run in solved if run.trials is not None]
        encode = [run.encode_seconds for run in group if run.encode_seconds is not None]
        low, high = np.percentile([run.solve_seconds for run in group], [50, 90])
        asked = commands.get(method, "order")
        kinds = Counter(run.kind for run in group if right(run, "impossible"))
        unknown = [run for run in group if right(run, "unknown")]
        troubles = Counter(run.trouble for run in group if run.trouble)
        line = Line(
            *(family, size, method, bulbs, len(group), len(solved)),
            possible=sum((run.sha256, asked) in possible for run in group),
            impossible=dict(sorted(kinds.items())),
            unproved=dict(Counter(x.reason for x in unknown if x.said)),
            unknown=dict(Counter(x.reason for x in unknown if not x.said)),
            troubles=dict(troubles),
            trials=float(np.median(trials)) if trials else None,
            encode=float(np.median(encode)) if encode else None,
            solve=(float(low), float(high)),
            check=float(np.median([run.check_seconds for run in group])),
            compared=len(excess),
            met=excess.count(0),
            excess=float(np.mean(excess)) if excess else None,
        )
        table.append(line)
    return table


HEADS = (
    "family", "size", "method", "runs", "solved", "success", "impossible", "unknown", "trials",
    "encode", "solve", "90 %", "check", "fewest",
)  # fmt: skip


def text(table: list[Line]) -> list[str]:
    """Return the table as text; columns that say nothing are left out.

    >>> line = Line("cross", "4×4", "auto", 16, 9, 2, 2, {"cut": 7}, {}, {}, {}, None, None,
    ...             (0.001, 0.002), 0.0, 2, 2, 0.0)
    >>> print("\\n".join(text([line])))
    family  size  method  runs  solved  success  impossible  unknown   solve    90 %  fewest
    cross   4×4   auto       9       2    100 %       7 cut        0  1.0 ms  2.0 ms     all
    """
    rows = [HEADS, *map(_cells, table)]
    columns = [x for k, x in enumerate(zip(*rows, strict=True)) if k < 8 or any(x[1:])]
    padded = []
    for k, column in enumerate(columns):
        width = max(map(len, column))
        padded.append([cell.ljust(width) if k < 3 else cell.rjust(width) for cell in column])
    return ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]


def _cells(line: Line) -> tuple[str, ...]:
    fewest = ""
    if line.compared:
        share = f"{100 * line.met / line.compared:.0f} %, +{line.excess:.1f}"
        fewest = "all" if line.met == line.compared else share
    kinds = Counter(x.partition(":")[0] for x, n in line.troubles.items() for _ in range(n))
    troubles = [f"{n} {kind}" for kind, n in kinds.items()]
    unknown = " + ".join([str(sum(line.unknown.values())), *troubles])
    refused = [f"{n} {kind}" for kind, n in line.impossible.items()]
    if line.unproved:
        refused.append(f"{sum(line.unproved.values())} unproved")
    return (
        line.family, line.size, line.method, str(line.runs), str(line.solved),
        f"{100 * line.solved / line.possible:.0f} %" if line.possible else "",
        ", ".join(refused) or "0", unknown,
        "" if line.trials is None else f"{line.trials:g}",
        "" if line.encode is None else seconds_text(line.encode), *map(seconds_text, line.solve),
        seconds_text(line.check) if line.check else "", fewest,
    )  # fmt: skip


def reasons(table: list[Line]) -> dict[str, int]:
    """Return why runs are unknown, unproved or refused, a line for each method and reason without
    numbers, and how many runs it is about.

    >>> from dataclasses import replace
    >>> line = Line("cross", "4×4", "greedy", 16, 9, 2, 2, {}, {}, {"20 trials failed": 7}, {},
    ...             None, None, (0.001, 0.002), 0.0, 2, 2, 0.0)
    >>> reasons([line, replace(line, size="5×5", unknown={"20 trials failed": 1})])
    {'greedy: 8 × … trials failed': 8}
    """
    count: Counter[tuple[str, str]] = Counter()
    for line in table:
        refused = {x: n for x, n in line.troubles.items() if x.startswith("refused:")}
        for kind in (line.unproved, line.unknown, refused):
            for reason, n in kind.items():
                count[line.method, re.sub(r"\b\d[\d,.]*\b", "…", reason)] += n
    return {f"{method}: {n:,} × {reason}": n for (method, reason), n in count.most_common()}
