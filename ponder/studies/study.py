"""A study: one SQLite file with boards, runs, results and certificates.

    boards    every board once, by its SHA-256, with its text: a study stands alone
    strata    what a table has a line for: a group of boards, that is a family and a size
    samples   which board stands for which name in a group (two names may share a board)
    methods   a method with its options (the time limit among them) and ponder's version
    outcomes  the few different ways in which runs end
    runs      one line per (board, method, seed), and nothing bulky
    results   the result of a run as `ponder verify` reads it, certificate included
    failures  files that were no boards, with the reason
    v_runs    all of it in words, one row per sample and run: for people, and for the export

These names are the file's format (`study.sql`); what ponder asks of it is in `views.sql`. One
connection writes, in batches, each one transaction: a killed process loses the batch in flight and
nothing else. Rows that exist already are ignored. Text and results are packed by zlib; a result
loses its `seconds` and its board's `name`, so that studies can be compared byte by byte.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from typing import NamedTuple, Self

from ponder.system.errors import PonderError
from ponder.system.printable import printable
from ponder.system.types import Json
from ponder.system.version import __version__

APPLICATION_ID = 0x504F4E44  # "POND"
SCHEMA_VERSION = 2  # 1 until ponder 0.2, when two boards could share a SHA-256, and so their runs

MAGIC = b"SQLite format 3\0"
TABLES = ("boards", "strata", "samples", "methods", "outcomes", "runs", "results", "failures")


class BoardRow(NamedTuple):
    """A board as it is stored; `text` is packed."""

    sha256: bytes
    pattern: str
    rule: str
    goal: str
    bulbs: int
    nullity: int | None
    lightest: int | None
    text: bytes


class Sample(NamedTuple):
    """Which board stands for a name in a group of boards, a family and a size."""

    family: str
    size: str
    bulbs: int
    name: str
    sha256: bytes


class Outcome(NamedTuple):
    """How a run ended; `once`: its presses, if any, press each bulb at most once."""

    command: str
    verdict: str
    claim: str
    certificate: str
    solver: str
    once: bool


class Run(NamedTuple):
    """One run. `method` is the number that the study gave to it; `result` is packed or None.

    `checked`  1 when all that carries evidence was checked, 2 when the verdict rests on something
               that cannot be checked, 0 when nothing was
    `trouble`  None, or `kind: reason`, with the kinds of `ponder.studies.runs`
    """

    sha256: bytes
    method: int
    seed: int
    outcome: Outcome
    presses: int | None
    bound: int | None
    trials: int | None
    seconds: float
    checked: int
    trouble: str | None
    result: bytes | None


_BROKEN = (sqlite3.Error, UnicodeError)
"""What SQLite raises; Python adds the latter when a damaged file makes an unreadable message."""


class StudyError(PonderError):
    """A study file that cannot be used: file and reason."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{printable(path)}: {reason}")


class Study:
    """An open study. Use it in a `with` statement; `create` makes the file where there is none.

    Raises StudyError if the file cannot be opened, is no study, or is one of another version. The
    path `:memory:` is a study that is forgotten in the end.

    >>> with Study(":memory:", create=True) as study:
    ...     study.method("auto", {"timeout": 1.0}), study.counts()["runs"]
    (1, 0)
    """

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        self.path: str = os.fspath(path)
        if not self.path:
            raise StudyError("''", "this names no file")
        if self.path != ":memory:":
            self._refuse_foreign(create)
        self._numbers: dict[Outcome, int] = {}
        self._groups: dict[tuple[str, str], int] = {}
        try:
            self.database: sqlite3.Connection = sqlite3.connect(
                self.path, timeout=30, isolation_level=None
            )
            try:
                self._open(create)
            except BaseException:
                self.database.close()
                raise
        except _BROKEN as error:
            raise StudyError(self.path, _reason(error)) from None

    def _refuse_foreign(self, create: bool) -> None:
        """Refuse a file that is no database: SQLite takes one of a few bytes for an empty one."""
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise StudyError(self.path, "this is not a file")
        try:
            with open(self.path, "rb") as file:
                head = file.read(len(MAGIC))
        except FileNotFoundError:
            if not create:
                raise StudyError(self.path, "there is no such study") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise StudyError(self.path, f"cannot be read: {reason}") from None
        else:
            if head not in (b"", MAGIC):
                raise StudyError(self.path, "this is not a study of ponder")

    def _open(self, create: bool) -> None:
        application, version = map(self._value, ("PRAGMA application_id", "PRAGMA user_version"))
        empty = not self._value("SELECT count(*) FROM sqlite_master")
        if application == 0 and version == 0 and empty and create:
            self.database.execute("PRAGMA page_size = 8192")
            with self._transaction():
                self._run("study.sql")
                self.database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                self.database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        elif application != APPLICATION_ID:
            raise StudyError(self.path, "this is not a study of ponder")
        elif version != SCHEMA_VERSION:
            why = f"a study of version {version}; this ponder {__version__} reads version "
            why += str(SCHEMA_VERSION)
            if version == 1:
                why = "a study of a ponder before 0.2, which could take one board for another: "
                why += "begin a new one"
            raise StudyError(self.path, why)
        self._run("views.sql")
        self._refuse_damaged()
        self.database.execute("PRAGMA synchronous = NORMAL")
        self.database.execute("PRAGMA cache_size = -65536")

    def _run(self, file: str) -> None:
        for statement in files(__package__).joinpath(file).read_text("utf-8").split(";\n"):
            self.database.execute(statement)

    def _refuse_damaged(self) -> None:
        """Check every value once, so that no later reader need doubt one. O(rows)."""
        if self.database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise StudyError(self.path, "the file is damaged")
        for (table,) in self.database.execute("SELECT place FROM unsound LIMIT 1"):
            raise StudyError(self.path, f"the table {table} holds what ponder never wrote")
        if self.database.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise StudyError(self.path, "some of its rows name others that are missing")
        for (options,) in self.rows("SELECT options FROM methods").fetchall():
            with suppress(ValueError, RecursionError):
                if isinstance(json.loads(options), dict):
                    continue
            raise StudyError(self.path, "the table methods holds what ponder never wrote")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        self.database.close()
        if isinstance(error, _BROKEN):  # a row that cannot be read, found on the way
            raise StudyError(self.path, _reason(error)) from None

    # ------------------------------------------------------------------------------ writing

    def method(self, name: str, options: Json) -> int:
        """Return the number of a method with its options, at ponder's present version."""
        asked = json.dumps(options, sort_keys=True)
        with self._transaction():
            return self._number("methods", name=name, options=asked, version=__version__)

    def add(
        self, boards: Iterable[BoardRow], samples: Iterable[Sample], runs: Iterable[Run]
    ) -> None:
        """Write a batch in one transaction; boards of its samples and runs are in it or stored."""
        numbers: dict[bytes, int] = {}
        with self._transaction():
            self._insert("boards", 9, ((None, *board) for board in boards))
            for sample in samples:
                self._add_sample(sample, self._board(sample.sha256, numbers))
            rows = [
                (self._board(run.sha256, numbers), *run[1:3], self._outcome(run.outcome), *run[4:])
                for run in runs
            ]
            self._insert("runs", 10, (row[:-1] for row in rows))
            self._insert("results", 4, ((*row[:3], row[-1]) for row in rows if row[-1] is not None))

    def _insert(self, table: str, columns: int, rows: Iterable[tuple[object, ...]]) -> None:
        """Add rows, but for those whose key is there already."""
        marks = ", ".join("?" * columns)
        self.database.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)

    def _add_sample(self, sample: Sample, board: int) -> None:
        key = (sample.family, sample.size)
        if key not in self._groups:
            self._groups[key] = self._number(
                "strata", {"bulbs": sample.bulbs}, family=sample.family, size=sample.size
            )
        self.database.execute(
            "INSERT INTO samples VALUES (?, ?, ?) "
            "ON CONFLICT(stratum, name) DO UPDATE SET board = excluded.board",
            (self._groups[key], sample.name, board),
        )

    def forget_sample(self, family: str, name: str) -> None:
        """Take a name out of a family: the file of this name holds another board now."""
        with self._transaction():
            self.database.execute(
                "DELETE FROM samples WHERE name = ? AND stratum IN "
                "(SELECT id FROM strata WHERE family = ?)",
                (name, family),
            )

    def forget_troubles(self, kinds: Iterable[str]) -> int:
        """Forget the runs that ended in such trouble, so that they are run again."""
        marks = [kind + ":%" for kind in kinds]
        which = " OR ".join(["trouble LIKE ?"] * len(marks))
        with self._transaction():
            self.database.execute(
                "DELETE FROM results WHERE (board, method, seed) IN "
                f"(SELECT board, method, seed FROM runs WHERE {which})",
                marks,
            )
            return self.database.execute(f"DELETE FROM runs WHERE {which}", marks).rowcount

    def set_failures(self, failures: dict[str, str], readable: Iterable[str] = ()) -> None:
        """Remember files that were no boards, and forget those that are by now."""
        with self._transaction():
            self.database.executemany(
                "DELETE FROM failures WHERE name = ?", ((name,) for name in readable)
            )
            self.database.executemany(
                "INSERT OR REPLACE INTO failures VALUES (?, ?)", sorted(failures.items())
            )

    def _board(self, sha256: bytes, numbers: dict[bytes, int]) -> int:
        if sha256 not in numbers:
            found = self.rows("SELECT id FROM boards WHERE sha256 = ?", sha256).fetchone()
            if found is None:
                raise KeyError(f"the study holds no board {sha256.hex()}")
            numbers[sha256] = int(found[0])
        return numbers[sha256]

    def _outcome(self, outcome: Outcome) -> int:
        if outcome not in self._numbers:
            self._numbers[outcome] = self._number("outcomes", **outcome._asdict())
        return self._numbers[outcome]

    def _number(self, table: str, more: Json | None = None, **key: object) -> int:
        """Return the number of the row with this key; where there is none, add it, with `more`."""
        row = {**key, **(more or {})}
        marks = ", ".join("?" * len(row))
        self.database.execute(
            f"INSERT OR IGNORE INTO {table}({', '.join(row)}) VALUES ({marks})", (*row.values(),)
        )
        which = " AND ".join(f"{column} = ?" for column in key)
        return self._value(f"SELECT id FROM {table} WHERE {which}", *key.values())

    # ------------------------------------------------------------------------------ reading

    def stored_samples(self, family: str, size: str | None = None) -> dict[str, tuple[int, bytes]]:
        """Return the board number and SHA-256 behind every name of a family (of one size)."""
        rows = self.rows(
            "SELECT name, boards.id, sha256 FROM strata JOIN samples ON stratum = strata.id "
            "JOIN boards ON boards.id = board WHERE family = ? AND size = coalesce(?, size)",
            family,
            size,
        )
        return {name: (number, sha256) for name, number, sha256 in rows}

    def done(self, method: int, seed: int) -> set[int]:
        """Return the numbers of the boards that a method has run on with a seed."""
        rows = self.rows("SELECT board FROM runs WHERE method = ? AND seed = ?", method, seed)
        return {number for (number,) in rows}

    def failures(self) -> dict[str, str]:
        """Return the files that were no boards, each with the reason."""
        return dict(self.rows("SELECT name, reason FROM failures ORDER BY name"))

    def result(self, sha256: bytes, method: str, seed: int) -> Json | None:
        """Return a result as `ponder verify` reads it; None when there is none."""
        found = self.database.execute(
            "SELECT results.result FROM results JOIN boards ON boards.id = results.board "
            "JOIN methods ON methods.id = results.method "
            "WHERE sha256 = ? AND methods.name = ? AND seed = ?",
            (sha256, method, seed),
        ).fetchone()
        return None if found is None else unpacked(found[0])

    def counts(self) -> dict[str, int]:
        """Return the number of rows of every table."""
        return {name: int(self._value(f"SELECT count(*) FROM {name}")) for name in TABLES}

    def rows(self, query: str, *values: object) -> sqlite3.Cursor:
        """Ask the database."""
        try:
            return self.database.execute(query, values)
        except _BROKEN as error:
            raise StudyError(self.path, _reason(error)) from None

    def _value(self, query: str, *values: object) -> int:
        return int(self.database.execute(query, values).fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing. Raises StudyError (a full disk, say) if it is nothing."""
        try:
            self.database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.database.execute("COMMIT")
            except BaseException:
                if self.database.in_transaction:
                    self.database.execute("ROLLBACK")
                raise
        except _BROKEN as error:
            raise StudyError(self.path, _reason(error)) from None


def packed(result: Json) -> bytes:
    """Return a result as it is stored: without times and names, packed."""
    content = _timeless(result)
    if isinstance(content, dict) and isinstance(content.get("board"), dict):
        content["board"].pop("name", None)
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 6)


def _timeless(value: object) -> object:
    if isinstance(value, dict):
        return {key: _timeless(part) for key, part in value.items() if key != "seconds"}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [_timeless(part) for part in value]
    return value


def unpacked(data: bytes) -> Json:
    """Return a stored result."""
    content: Json = json.loads(zlib.decompress(data))
    return content


def _reason(error: Exception) -> str:
    text = "the file is damaged" if isinstance(error, UnicodeError) else str(error)
    return "this is not a study of ponder" if "not a database" in text else text
