"""Study files: cut short, with bytes or rows changed, of another schema, or no study at all.

`report` must not change a byte of the file. `compare` may add to a study and may refuse it, but
what could be read before must be there afterwards.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from ponder.studies.compare import Plan, compare
from ponder.studies.methods import chosen
from ponder.studies.sampling import parse_family
from ponder.studies.study import Study
from tests.fuzz import Failure
from tests.fuzz.calling import Call, Here, judged
from tests.fuzz.mutations import VALUES, random_bytes, word
from tests.fuzz.shrinking import Patience, shrunk

BATCH = 15
KEPT = ("boards", "runs", "results", "failures")
"""The tables of which no row may be lost."""

Edit: TypeAlias = "tuple[Any, ...]"
Rows: TypeAlias = dict[str, set[tuple[Any, ...]]]

_REPORTS = (
    *((), ("--json",), ("--by", "family"), ("--export", "runs.csv"), ("--table", "table.csv")),
    *(("--json", "--by", "family"), ("--export", "runs.parquet")),
)


def attempt(rng: random.Random) -> int:
    """Try one batch."""
    for _ in range(BATCH):
        edits, words = made(rng), _words(rng)
        try:
            _judged(edits, words)
        except Failure as failure:
            key = failure.key
            raise Failure(
                failure.description, partial(_smaller, edits, words, key), key
            ) from failure.__cause__
    return BATCH


def _words(rng: random.Random) -> tuple[str, ...]:
    """Return a command about the study."""
    if rng.random() < 0.6:
        return ("report", "a.study", *rng.choice(_REPORTS))
    return (
        *("compare", "board.txt", "--family", "cross:2..3:boards=2", "--timeout", "1"),
        *("--method", "greedy-fewest-backwards", "--study", "a.study"),
        *rng.choice(((), ("--json",), ("--retry",), ("--verify", "none"))),
    )


def _judged(edits: tuple[Edit, ...], words: tuple[str, ...]) -> None:
    """Run a command about an edited study; Failure when it goes wrong."""
    data = edited(edits)
    kept = words[0] == "report"
    call = Call(
        words,
        {"a.study": data, "board.txt": b"01\n10\n"},
        kept=("a.study",) if kept else (),
        watched=("a.study",),
    )
    ended = judged(call)
    if kept or "--retry" in words:
        return
    after = rows(ended.files["a.study"])
    for table, found in rows(data).items():
        if lost := found - after.get(table, set()):
            raise Failure(f"compare loses {len(lost)} rows of {table}", str(call))


def _smaller(edits: tuple[Edit, ...], words: tuple[str, ...], key: str) -> str:
    """Return how to see a failure with fewer edits and fewer words."""

    def fails(fewer: tuple[Edit, ...], short: tuple[str, ...]) -> bool:
        try:
            _judged(fewer, short)
        except Failure as failure:
            return failure.key == key
        return False

    patience = Patience(300)
    edits = shrunk(edits, lambda fewer: fails(fewer, words), patience)
    words = shrunk(words, lambda short: fails(edits, short), patience)
    lines = [f"tests.fuzz.studies.edited({edits!r}) as a.study, b'01\\n10\\n' as board.txt"]
    return "\n".join([*lines, f"$ ponder {' '.join(words)}"])


# ------------------------------------------------------------------------------------- edits


def made(rng: random.Random) -> tuple[Edit, ...]:
    """Return what is to be done to a study file."""
    size = len(_sound())
    match rng.randrange(10):
        case 0:
            content = rng.choice((b"", b"x", b"SQLite format 3\0", random_bytes(rng)))
            return (("file", content),)
        case 1:
            return (("cut", rng.randrange(size)),)
        case 2 | 3:
            return _bytes(rng, size)
        case 4:
            cut = size - rng.randrange(1, 5000)
            return (*_bytes(rng, cut), ("cut", cut))
        case 5:
            return ()
    return tuple(_statement(rng) for _ in range(rng.choice((1, 1, 2))))


def edited(edits: Iterable[Edit]) -> bytes:
    """Return a small study, as `compare` makes it, after some edits.

    `("file", content)`, `("cut", length)`, `("byte", place, value)`, or an SQL statement with its
    values; a statement that cannot be executed changes nothing.
    """
    data = _sound()
    for edit in edits:
        match edit:
            case ("file", bytes(content)):
                data = content
            case ("cut", int(length)):
                data = data[:length]
            case ("byte", int(at), int(value)):
                data = data[:at] + bytes([value]) + data[at + 1 :]
            case _:
                data = _executed(data, *edit)
    return data


def _bytes(rng: random.Random, size: int) -> tuple[Edit, ...]:
    """Change some bytes, mostly where the file says how it is laid out."""
    edits: list[Edit] = []
    for _ in range(rng.choice((1, 1, 3, 20))):
        page = rng.randrange(0, size, 8192)
        at = rng.choice((rng.randrange(100), page + rng.randrange(20), rng.randrange(size)))
        edits.append(("byte", min(at, size - 1), rng.choice((0, 255, rng.randrange(256)))))
    return tuple(edits)


def _statement(rng: random.Random) -> Edit:
    """Return an SQL statement after which the file is a sound database, but hardly a study."""
    table, columns = rng.choice(list(_columns().items()))
    column = rng.choice(columns)
    where = f" WHERE id % 3 = {rng.randrange(3)}" if "id" in columns else ""
    match rng.randrange(10):
        case 0:
            return (f"DROP TABLE {table}",)
        case 1:
            return (f"DELETE FROM {table}{where}",)
        case 2:
            return (f"ALTER TABLE {table} RENAME COLUMN {column} TO other",)
        case 3:
            return (f"ALTER TABLE {table} ADD COLUMN extra",)
        case 4:
            pragma = rng.choice(("user_version", "application_id"))
            return (f"PRAGMA {pragma} = {rng.choice((0, 1, 2, -1, 77))}",)
        case 5:
            return ("DROP VIEW v_runs",)
    value = rng.choice((*VALUES, word(rng), rng.randbytes(9), b"", "é", -1))
    return (f"UPDATE {table} SET {column} = ?{where}", value)


def _executed(data: bytes, statement: str, *values: Any) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.study")
        path.write_bytes(data)
        with (
            closing(sqlite3.connect(path, isolation_level=None)) as database,
            suppress(sqlite3.Error, OverflowError, UnicodeEncodeError),
        ):
            database.execute(statement, values)
        return path.read_bytes()


@lru_cache
def _columns() -> dict[str, list[str]]:
    """Return the columns of every table."""
    with Study(":memory:", create=True) as study:
        tables = [
            name for (name,) in study.rows("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return {
            name: [str(row[1]) for row in study.rows(f"PRAGMA table_info({name})")]
            for name in tables
        }


def rows(data: bytes) -> Rows:
    """Return the rows of the tables that can be read."""
    found: Rows = {}
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.study")
        path.write_bytes(data)
        try:
            with closing(sqlite3.connect(path)) as database:
                for table in KEPT:
                    found[table] = set(database.execute(f"SELECT * FROM {table}"))
        except sqlite3.Error:
            return {}
        except UnicodeDecodeError:
            return {}
    return found


@lru_cache
def _sound() -> bytes:
    """Return a small study as `compare` makes it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.study")
        sources = (parse_family("cross:2..3:boards=3"), parse_family("plus:2..3:boards=2"))
        plan = Plan(sources, tuple(chosen(("greedy-fewest-backwards", "auto"))), 0, 1, 10.0, "all")
        with Study(path, create=True) as study:
            compare(study, plan, Here(1), lambda tally: None)
            study.set_failures({"bad.txt": "no board"})
            study.database.execute("UPDATE runs SET seconds = 0.001")  # the same file every time
        return path.read_bytes()
