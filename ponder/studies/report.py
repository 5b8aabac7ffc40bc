"""What a study says: figures by family, size and method, their table, and the runs as a file.

The runs are read once into a record array (35 bytes a run), sorted by group (family and size) and
method; every figure is an array operation on a slice of it: O(runs · log runs).

Letters of a table's line, over the runs of one method on the boards of one family and size:

    solved, impossible, unknown   verdicts; the impossible by kind of certificate
    trials      greedy: trials until it succeeded, median and 90 % over the solved runs
    time        seconds of the method, median and 90 %, over all runs
    success, fewest, extra, others   as `LEGEND` says, which is printed below the table
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.find.context import is_own
from ponder.model.files import whole_file
from ponder.model.render import seconds_text
from ponder.studies.methods import BEFORE
from ponder.studies.study import Study, StudyError
from ponder.system.errors import PonderError, require
from ponder.system.printable import printable
from ponder.system.types import bincount

NONE = -1  # stands for NULL in an integer column

RUN = np.dtype([
    ("group", "i4"), ("method", "i4"), ("board", "i4"), ("outcome", "i2"), ("presses", "i4"),
    ("bound", "i4"), ("trials", "i4"), ("trouble", "i1"), ("seconds", "f8"),
])  # fmt: skip
TROUBLES = ("refused", "late", "lost", "crashed", "rejected")  # as `views.sql` numbers them
REJECTED = TROUBLES.index("rejected")


class Group(NamedTuple):
    """A family of boards and a size."""

    family: str
    size: str
    bulbs: int


def known(values: NDArray[Any]) -> NDArray[Any]:
    """Return the values that are not NULL."""
    return np.asarray(values[values != NONE])


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
    others: dict[str, int] = field(default_factory=dict)

    @property
    def refuted(self) -> int:
        """The number of runs with the verdict impossible."""
        return sum(self.impossible.values())


@dataclass
class Figures:
    """A study as arrays: what tables and plots are made of."""

    sizes: dict[int, Group]
    methods: dict[int, str]
    outcomes: dict[int, tuple[str, ...]]  # command, verdict, certificate or claim, who answered
    runs: NDArray[np.void]
    lightest: NDArray[np.int64]
    failures: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, study: Study) -> Figures:
        """Read a study."""
        groups = study.rows("SELECT id, family, size, bulbs FROM strata")
        outcomes = study.rows(
            "SELECT id, command, verdict, coalesce(nullif(certificate, ''), claim), solver "
            "FROM outcomes"
        )
        runs = np.fromiter(study.rows("SELECT * FROM numbers"), dtype=RUN)
        boards = np.fromiter(
            study.rows("SELECT id, coalesce(lightest, -1) FROM boards"),
            dtype=np.dtype([("id", np.int64), ("lightest", np.int64)]),
        )
        lightest = np.full(int(boards["id"].max(initial=0)) + 1, NONE, dtype=np.int64)
        lightest[boards["id"]] = boards["lightest"]
        runs.sort(order=["group", "method"])
        return cls(
            {number: Group(*row) for number, *row in groups},
            _method_names(study),
            {number: tuple(row) for number, *row in outcomes},
            runs,
            lightest,
            study.failures(),
        )

    @cached_property
    def solved(self) -> NDArray[np.bool_]:
        """Which runs solved their board."""
        return self._where(1, "solved")

    @cached_property
    def decided(self) -> NDArray[np.bool_]:
        """Which runs solved or refuted their board."""
        return self._where(1, "solved", "impossible")

    @cached_property
    def repeats(self) -> NDArray[np.bool_]:
        """Which runs were allowed to press a bulb several times (`solve`)."""
        return self._where(0, "solve")

    def _where(self, place: int, *words: str) -> NDArray[np.bool_]:
        """Return which runs have such a word in their outcome; a rejected answer has none."""
        fitting = [number for number, said in self.outcomes.items() if said[place] in words]
        told = self.runs["trouble"] != REJECTED
        return np.asarray(np.isin(self.runs["outcome"], fitting) & told)

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Which runs had a board that some run solved, for the same question."""
        found = np.zeros((2, self.lightest.size), dtype=np.bool_)
        question, board = self.repeats.astype(np.int8), self.runs["board"]
        found[question[self.solved], board[self.solved]] = True
        return np.asarray(found[question, board])

    def fewest(self, repeats: bool) -> NDArray[np.int64]:
        """Return the proved fewest presses of each board, with `repeats` or once; NONE: unknown."""
        runs = self.runs
        proved = self.solved & (self.repeats == repeats) & (runs["presses"] == runs["bound"])
        most = np.iinfo(np.int64).max
        least = np.full(self.lightest.size, most)
        np.minimum.at(least, runs["board"][proved], runs["presses"][proved].astype(np.int64))
        return np.where(least == most, NONE, least)

    @cached_property
    def excess(self) -> NDArray[np.int64]:
        """Presses of every run beyond the proved fewest of its board; NONE where not known."""
        board, presses = self.runs["board"], self.runs["presses"]
        fewest = np.where(self.repeats, self.fewest(True)[board], self.fewest(False)[board])
        return np.where(self.solved & (fewest != NONE), presses - fewest, NONE)

    @cached_property
    def extra(self) -> NDArray[np.int64]:
        """Presses that the order costs on every board, by number; NONE where not known."""
        fewest = self.fewest(True)
        return np.where((fewest == NONE) | (self.lightest == NONE), NONE, fewest - self.lightest)

    def groups(self, by: str = "size") -> Iterator[tuple[str, str, str, NDArray[np.int64]]]:
        """Yield (family, size, method, places of the runs); `by="family"` joins the sizes."""
        group, method = self.runs["group"], self.runs["method"]
        changes = np.flatnonzero(np.diff(group) | np.diff(method)) + 1
        pieces: dict[tuple[str, int, str, int], list[NDArray[np.int64]]] = {}
        for places in np.split(np.arange(group.size), changes):
            if places.size:
                family, size, bulbs = self.sizes[int(group[places[0]])]
                joined = (0, "all") if by == "family" else (bulbs, size)
                key = (family, *joined, int(method[places[0]]))
                pieces.setdefault(key, []).append(places)
        for (family, _, size, number), found in sorted(pieces.items(), key=lambda item: item[0]):
            yield family, size, self.methods[number], np.concatenate(found)

    def lines(self, by: str = "size") -> list[Line]:
        """Return the table."""
        return [self._line(*group) for group in self.groups(by)]

    def _line(self, family: str, size: str, method: str, places: NDArray[np.int64]) -> Line:
        runs, solved = self.runs[places], self.solved[places]
        told, boards = runs[runs["trouble"] != REJECTED], np.unique(runs["board"])
        impossible, others, unknown = Counter[str](), Counter[str](), 0
        counts = bincount(told["outcome"])
        for outcome in np.flatnonzero(counts).tolist():
            (_, verdict, certificate, by), count = self.outcomes[outcome], int(counts[outcome])
            early = by.startswith(BEFORE)
            if (verdict != "unknown" or early) and not is_own(method, by):
                others[by.removeprefix(BEFORE) + (", before" if early else "")] += count
            if verdict == "impossible":
                impossible[certificate] += count
            elif verdict == "unknown":
                unknown += count
        troubles = [int(np.count_nonzero(runs["trouble"] == k)) for k in range(len(TROUBLES))]
        excess, extra = known(self.excess[places]), known(self.extra[boards])
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
            troubles={word: n for word, n in zip(TROUBLES, troubles, strict=True) if n},
            trials=Spread.of(known(runs["trials"][solved])),
            seconds=Spread.of(runs["seconds"]),
            compared=int(excess.size),
            met=int(np.count_nonzero(excess == 0)),
            excess=float(excess.mean()) if excess.size else None,
            extra=float(extra.mean()) if extra.size else None,
            others=dict(sorted(others.items())),
        )


def _method_names(study: Study) -> dict[int, str]:
    """Return the name of every method, with what sets it apart from others of that name."""
    methods = {
        number: (name, json.loads(options) | {"version": version})
        for number, name, options, version in study.rows(
            "SELECT id, name, options, version FROM methods ORDER BY id"
        )
    }
    names: dict[int, str] = {}
    for number, (name, values) in methods.items():
        others = [other for same, other in methods.values() if same == name]
        differing = (
            f"{key}={value}"
            for key, value in sorted(values.items())
            if any(other.get(key) != value for other in others)
        )
        names[number] = " ".join([name, *differing])
    return names


HEADS = (
    "family", "size", "method", "boards", "solved", "success", "impossible", "unknown", "trials",
    "time", "90 %", "fewest", "extra", "others",
)  # fmt: skip


def table(lines: list[Line]) -> list[str]:
    """Return the table as text, one line a method; columns that say nothing are left out.

    >>> line = Line("cross", "4×4", "auto", 9, 9, 2, 2, {"line-count": 7}, 0, {}, None,
    ...             Spread(0.001, 0.002), 2, 2, 0.0, None)
    >>> print("\\n".join(table([line])))
    family  size  method  boards  solved  success    impossible  unknown    time    90 %  fewest
    cross   4×4   auto         9       2    100 %  7 line-count        0  1.0 ms  2.0 ms     all
    """
    rows = [HEADS, *(tuple(_cells(line)) for line in lines)]
    columns = [
        column for k, column in enumerate(zip(*rows, strict=True)) if k < 8 or any(column[1:])
    ]
    padded = []
    for k, column in enumerate(columns):
        width = max(map(len, column))
        padded.append([cell.ljust(width) if k < 3 else cell.rjust(width) for cell in column])
    return ["  ".join(row).rstrip() for row in zip(*padded, strict=True)]


LEGEND = {
    "success": "solved, of those with an order: runs on boards that some run solved, so asked",
    "fewest": "of the solved with a proved fewest: how many met it, and the mean excess",
    "extra": "what legality costs: the proved fewest beyond the lightest press set, on average",
    "others": "answers that another method gave when this one was asked",
}
"""What the columns mean that do not say it: the one place that tells it."""


def legend(rows: list[str]) -> list[str]:
    """Return what the columns of a table mean, those that it has."""
    heads = rows[0].split() if rows else []
    return [f"{head:<8} {words}" for head, words in LEGEND.items() if head in heads]


TABLE_COLUMNS = (
    "family", "size", "method", "runs", "boards", "solved", "possible", "impossible",
    "certificates", "unknown", "troubles", "trials_median", "trials_90", "seconds_median",
    "seconds_90", "compared", "met_fewest", "mean_excess", "mean_extra", "others",
)  # fmt: skip


def write_table(lines: list[Line], path: str | os.PathLike[str]) -> None:
    """Write the table as CSV, numbers in full; whole or not at all."""
    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(TABLE_COLUMNS)
        writer.writerows(map(_row, lines))


def _row(line: Line) -> list[object]:
    trials, seconds = line.trials, line.seconds
    return [
        line.family, line.size, line.method, line.runs, line.boards, line.solved, line.possible,
        line.refuted, " ".join(f"{kind}:{n}" for kind, n in line.impossible.items()), line.unknown,
        " ".join(f"{kind}:{n}" for kind, n in line.troubles.items()),
        *(("", "") if trials is None else (f"{trials.median:g}", f"{trials.ninety:g}")),
        *(("", "") if seconds is None else (f"{seconds.median:.6f}", f"{seconds.ninety:.6f}")),
        line.compared, line.met,
        *("" if value is None else f"{value:.4g}" for value in (line.excess, line.extra)),
        " ".join(f"{by}:{n}" for by, n in line.others.items()),
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
        more = f", +{line.excess:.2f}" if line.excess else ""
        yield f"{line.met:,} of {line.compared:,}{more}"
    yield f"+{line.extra:.2f}" if line.extra is not None else ""
    yield ", ".join(f"{n:,} by {by}" for by, n in line.others.items())


Writer: TypeAlias = Callable[[Study, IO[Any]], None]

_RUNS = "SELECT * FROM v_runs ORDER BY family, bulbs, size, sample, method, options, version, seed"
_AT_A_TIME = 50_000  # rows that are held in memory


def export(study: Study, path: str | os.PathLike[str]) -> int:
    """Write a row per sample and run as CSV or Parquet, whole or not at all; return how many."""
    write = writer_for(path)
    with whole_file(path, "wb") as file:
        write(study, file)
    ((count,),) = study.rows("SELECT count(*) FROM v_runs")
    return int(count)


def writer_for(path: str | os.PathLike[str]) -> Writer:
    """Return what writes files of this ending. Raises PonderError if none does, or no pyarrow."""
    ending = Path(path).suffix
    if ending not in (".csv", ".parquet"):
        name = printable(os.fspath(path))
        raise PonderError(f"{name}: the file of an export must end in .csv or .parquet")
    if ending == ".csv":
        return _write_csv
    require("pyarrow", "an export to Parquet", "parquet")
    return _write_parquet


def _columns(study: Study) -> dict[str, str]:
    return {name: kind for _, name, kind, *_ in study.rows("PRAGMA table_info(v_runs)")}


def _write_csv(study: Study, file: IO[Any]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_columns(study))
    table.writerows(study.rows(_RUNS))
    text.detach()


def _write_parquet(study: Study, file: IO[Any]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {"INTEGER": pa.int64(), "REAL": pa.float64()}
    columns = _columns(study)
    schema = pa.schema([(name, kinds.get(kind, pa.string())) for name, kind in columns.items()])
    rows = study.rows(_RUNS)
    with parquet.ParquetWriter(file, schema, compression="zstd") as table:
        while part := rows.fetchmany(_AT_A_TIME):
            values = map(list, zip(*part, strict=True))
            try:
                made = pa.table(dict(zip(columns, values, strict=True)), schema=schema)
            except pa.ArrowException as error:  # SQLite lets a column hold what it likes
                raise StudyError(study.path, f"a column is not of its type: {error}") from None
            table.write_table(made)


MOST = 1000  # contradictions that are listed at most

_CONTRADICTIONS = f"""
    SELECT x, x_seed, y, y_seed, presses, no_any, refuted, bound, any_count FROM contradictions
    WHERE board = ? ORDER BY x, x_seed, y, y_seed LIMIT {MOST}
"""
_SAMPLE = """
    SELECT family, size, name FROM samples JOIN strata ON strata.id = stratum
    WHERE board = ? ORDER BY family, size, name LIMIT 1
"""


def disagreements(study: Study) -> list[str]:
    """Return the contradictions of a study, a line for two runs, at most MOST of them.

    Each is a bug in a method. Claims of theory §2, from whatever methods, options and seeds:

        solved, c presses             there is a legal sequence of c presses; `once`: it presses
                                      each bulb at most once
        impossible C1, C2             no legal sequence presses each bulb at most once
        impossible C4                 no legal sequence at all
        lower bound b of `order`      a legal sequence of single presses has at least b presses
        lower bound b of `solve`      a legal sequence has at least b presses

    Contradictions: solved and once against C1 or C2 (compare asks about whole boards, never about
    one press set); solved against C4; c below a bound b that covers it. Pairs of runs are looked
    for only on boards that one pass has found. O(runs).

    >>> with Study(":memory:", create=True) as study:
    ...     disagreements(study)
    []
    """
    found: list[str] = []
    for (board,) in study.rows(f"SELECT board FROM contradictory LIMIT {MOST}").fetchall():
        ((sha256,),) = study.rows("SELECT lower(hex(sha256)) FROM boards WHERE id = ?", board)
        pairs = study.rows(_CONTRADICTIONS, board)
        for x, x_seed, y, y_seed, count, no_any, no_once, bound, other in pairs:
            solved = f"{x} (seed {x_seed}) solved it with {count} presses, {y} (seed {y_seed}) "
            if no_any:
                text = solved + "proved that no sequence does"
            elif no_once:
                text = solved + "proved that no sequence of single presses does"
            elif other == bound:
                text = solved + f"called {other} the fewest"
            else:
                text = solved + f"proved that it takes at least {bound}"
            found.append(f"{_sample(study, board)} ({sha256[:12]}…): {text}")
    return found[:MOST]


def failures(study: Study, kinds: tuple[str, ...]) -> list[str]:
    """Return the runs in trouble of these kinds, at most MOST of them."""
    which = " OR ".join(["trouble LIKE ?"] * len(kinds))
    rows = study.rows(
        "SELECT runs.board, methods.name, seed, trouble FROM runs JOIN methods "
        f"ON methods.id = method WHERE {which} "
        f"ORDER BY runs.board, methods.name, seed LIMIT {MOST}",
        *(kind + ":%" for kind in kinds),
    ).fetchall()
    return [
        f"{_sample(study, board)}: {method} (seed {seed}): {trouble}"
        for board, method, seed, trouble in rows
    ]


def _sample(study: Study, board: int) -> str:
    return " ".join(next(iter(study.rows(_SAMPLE, board)), ("?",)))
