"""The figures of a study by family, size and method, and their table: as text, and as CSV.

The runs are read once into one numpy record array (35 bytes a run), sorted by group (family and
size) and method, and every figure is an array operation on a slice of it: O(runs · log runs) time,
a Python loop only over the lines of the table.

Letters of a table's line, over the runs of one method on the boards of one family and size:

    solved, impossible, unknown   verdicts; the impossible by kind of certificate
    trials      greedy: trials until it succeeded, median and 90 % over the solved runs
    time        seconds of the method, median and 90 %, over all runs
    success     the solved, as a share of the runs on boards that some run solved, for the same
                question: `order` (each bulb at most once), or `solve` (repeats allowed)
    fewest      of the solved runs whose board has a proved fewest: how many met it, and how many
                presses more it took on average. The proved fewest is the least count that some run
                proved optimal for the same question.
    extra       presses that the order costs: the proved fewest of `solve` beyond the lightest press
                set that linear algebra gives, on average over the boards
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ponder.puzzle.files import whole_file
from ponder.puzzle.render import seconds_text
from ponder.studies.study import Study

NONE = -1
"""Stands for NULL in an integer column."""

RUN = np.dtype(
    [
        ("group", np.int32),
        ("method", np.int32),
        ("board", np.int32),
        ("outcome", np.int16),
        ("presses", np.int32),
        ("bound", np.int32),
        ("trials", np.int32),
        ("trouble", np.int8),
        ("seconds", np.float64),
    ]
)
TROUBLES = ("refused", "late", "lost", "crashed", "rejected")
_RUNS = (
    "SELECT samples.stratum, runs.method, runs.board, runs.outcome, "
    "coalesce(presses, -1), coalesce(bound, -1), coalesce(trials, -1), CASE "
    + " ".join(f"WHEN trouble LIKE '{word}:%' THEN {k}" for k, word in enumerate(TROUBLES))
    + " ELSE -1 END, seconds FROM samples CROSS JOIN runs ON runs.board = samples.board"
)


@dataclass(frozen=True)
class Group:
    """A family of boards and a size."""

    family: str
    size: str
    bulbs: int


@dataclass(frozen=True)
class Spread:
    """A median and a 90 % quantile."""

    median: float
    ninety: float

    @classmethod
    def of(cls, values: NDArray[np.int32] | NDArray[np.float64]) -> Spread | None:
        """Return the spread of some values, None of none."""
        if not values.size:
            return None
        low, high = np.percentile(values, [50, 90])
        return cls(float(low), float(high))


@dataclass(frozen=True)
class Line:
    """One line of the table; see the module for the columns."""

    family: str
    size: str
    method: str
    runs: int
    boards: int
    solved: int
    possible: int
    impossible: dict[str, int]
    unknown: int
    troubles: dict[str, int]
    trials: Spread | None
    seconds: Spread | None
    compared: int
    met: int
    excess: float | None
    extra: float | None

    @property
    def refuted(self) -> int:
        """The number of runs with the verdict impossible."""
        return sum(self.impossible.values())


@dataclass
class Figures:
    """A study as arrays: what tables and plots are made of.

    >>> with Study(":memory:", create=True) as study:
    ...     Figures.of(study).lines()
    []
    """

    sizes: dict[int, Group]
    methods: dict[int, str]
    outcomes: dict[int, tuple[str, str, str]]
    runs: NDArray[np.void]
    lightest: NDArray[np.int64]
    failures: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, study: Study) -> Figures:
        """Read a study."""
        sizes = {
            number: Group(family, size, bulbs)
            for number, family, size, bulbs in study.rows(
                "SELECT id, family, size, bulbs FROM strata"
            )
        }
        outcomes = {
            number: (command, verdict, certificate or claim)
            for number, command, verdict, claim, certificate in study.rows(
                "SELECT id, command, verdict, claim, certificate FROM outcomes"
            )
        }
        runs = np.fromiter(study.rows(_RUNS), dtype=RUN)
        boards = np.fromiter(
            study.rows("SELECT id, coalesce(lightest, -1) FROM boards"),
            dtype=np.dtype([("id", np.int64), ("lightest", np.int64)]),
        )
        lightest = np.full(int(boards["id"].max(initial=0)) + 1, NONE, dtype=np.int64)
        lightest[boards["id"]] = boards["lightest"]
        runs.sort(order=["group", "method"])
        return cls(sizes, _method_names(study), outcomes, runs, lightest, study.failures())

    @cached_property
    def verdict(self) -> NDArray[np.str_]:
        """The verdict of every outcome, by number: solved, impossible or unknown."""
        return self._of_outcomes(1)

    @cached_property
    def command(self) -> NDArray[np.str_]:
        """The command of every outcome, by number: order or solve."""
        return self._of_outcomes(0)

    def _of_outcomes(self, place: int) -> NDArray[np.str_]:
        words = [""] * (max(self.outcomes, default=0) + 1)
        for number, outcome in self.outcomes.items():
            words[number] = outcome[place]
        return np.array(words)

    @cached_property
    def solved(self) -> NDArray[np.bool_]:
        """Which runs solved their board."""
        return self._where(self.verdict == "solved")

    @cached_property
    def decided(self) -> NDArray[np.bool_]:
        """Which runs solved or refuted their board."""
        return self._where(self.verdict != "unknown")

    @cached_property
    def repeats(self) -> NDArray[np.bool_]:
        """Which runs were allowed to press a bulb several times (`solve`)."""
        return self._where(self.command == "solve")

    def _where(self, outcomes: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which runs have one of the outcomes; a rejected answer has none."""
        told = self.runs["trouble"] != TROUBLES.index("rejected")
        chosen: NDArray[np.bool_] = outcomes[self.runs["outcome"]] & told
        return chosen

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Which runs had a board that some run solved, for the same question."""
        known = np.zeros((2, self.lightest.size), dtype=np.bool_)
        question, board = self.repeats.astype(np.int8), self.runs["board"]
        known[question[self.solved], board[self.solved]] = True
        possible: NDArray[np.bool_] = known[question, board]
        return possible

    def fewest(self, repeats: bool) -> NDArray[np.int64]:
        """Return the proved fewest presses of every board by number; NONE where not known.

        `repeats`: of all sequences, or of those that press each bulb at most once.
        """
        runs = self.runs
        proved = self.solved & (self.repeats == repeats) & (runs["presses"] == runs["bound"])
        most = np.iinfo(np.int64).max
        least = np.full(self.lightest.size, most)
        np.minimum.at(least, runs["board"][proved], runs["presses"][proved].astype(np.int64))
        return np.where(least == most, NONE, least)

    @cached_property
    def excess(self) -> NDArray[np.int64]:
        """Presses of every run beyond the proved fewest of its board; NONE where not known."""
        runs = self.runs
        fewest = np.where(
            self.repeats, self.fewest(True)[runs["board"]], self.fewest(False)[runs["board"]]
        )
        known = self.solved & (fewest != NONE)
        return np.where(known, runs["presses"] - fewest, NONE)

    @cached_property
    def extra(self) -> NDArray[np.int64]:
        """Presses that the order costs on every board, by number; NONE where not known."""
        fewest = self.fewest(True)
        return np.where((fewest == NONE) | (self.lightest == NONE), NONE, fewest - self.lightest)

    def groups(self, by: str = "size") -> Iterator[tuple[str, str, str, NDArray[np.int64]]]:
        """Yield (family, size, method, places of the runs), families and sizes in order.

        `by="family"` joins the sizes of a family.
        """
        runs = self.runs
        if not runs.size:
            return
        ends = np.flatnonzero((np.diff(runs["group"]) != 0) | (np.diff(runs["method"]) != 0))
        starts = np.concatenate([[0], ends + 1])
        stops = np.concatenate([ends + 1, [runs.size]])
        pieces: dict[tuple[str, int, str, int], list[NDArray[np.int64]]] = {}
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            group = self.sizes[int(runs["group"][start])]
            method = int(runs["method"][start])
            key = (group.family, group.bulbs, group.size, method)
            if by == "family":
                key = (group.family, 0, "all", method)
            pieces.setdefault(key, []).append(np.arange(start, stop))
        for (family, _, size, method), places in sorted(pieces.items(), key=lambda item: item[0]):
            yield family, size, self.methods[method], np.concatenate(places)

    def lines(self, by: str = "size") -> list[Line]:
        """Return the table."""
        return [self._line(*group) for group in self.groups(by)]

    def _line(self, family: str, size: str, method: str, places: NDArray[np.int64]) -> Line:
        runs, solved = self.runs[places], self.solved[places]
        rejected = runs["trouble"] == TROUBLES.index("rejected")
        outcomes, counts = np.unique(runs["outcome"][~rejected], return_counts=True)
        impossible: dict[str, int] = {}
        unknown = 0
        for outcome, count in zip(outcomes.tolist(), counts.tolist(), strict=True):
            _, verdict, certificate = self.outcomes[outcome]
            if verdict == "impossible":
                impossible[certificate] = impossible.get(certificate, 0) + count
            elif verdict == "unknown":
                unknown += count
        troubles = {
            word: count
            for k, word in enumerate(TROUBLES)
            if (count := int(np.count_nonzero(runs["trouble"] == k)))
        }
        trials = runs["trials"][solved & (runs["trials"] != NONE)]
        excess = self.excess[places]
        excess = excess[excess != NONE]
        boards = np.unique(runs["board"])
        extra = self.extra[boards]
        extra = extra[extra != NONE]
        return Line(
            family=family,
            size=size,
            method=method,
            runs=int(places.size),
            boards=int(boards.size),
            solved=int(np.count_nonzero(solved)),
            possible=int(np.count_nonzero(self.possible[places])),
            impossible=dict(sorted(impossible.items())),
            unknown=unknown,
            troubles=troubles,
            trials=Spread.of(trials),
            seconds=Spread.of(runs["seconds"]),
            compared=int(excess.size),
            met=int(np.count_nonzero(excess == 0)),
            excess=float(excess.mean()) if excess.size else None,
            extra=float(extra.mean()) if extra.size else None,
        )


def _method_names(study: Study) -> dict[int, str]:
    """Return the name of every method, with what sets it apart from others of that name."""
    rows = study.rows("SELECT id, name, options, version FROM methods ORDER BY id").fetchall()
    told: dict[str, list[dict[str, object]]] = {}
    for _, name, options, version in rows:
        told.setdefault(name, []).append(json.loads(options) | {"version": version})
    names: dict[int, str] = {}
    for number, name, options, version in rows:
        values = json.loads(options) | {"version": version}
        differing = [
            f"{key}={value}"
            for key, value in sorted(values.items())
            if any(other.get(key) != value for other in told[name])
        ]
        names[number] = " ".join([name, *differing])
    return names


HEADS = (
    "family", "size", "method", "boards", "solved", "success", "impossible", "unknown", "trials",
    "time", "90 %", "fewest", "extra",
)  # fmt: skip


def table(lines: list[Line]) -> list[str]:
    """Return the table as text, one line a method; columns that say nothing are left out.

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
