"""Study files: cut short, with bytes or rows changed, of another schema, or no study at all.

`report` must not change a byte of the file. `compare` may add to a study and may refuse it, but
what could be read before must be there afterwards.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from ponder.compare import Plan, compare
from ponder.methods import chosen
from ponder.sampling import parse_family
from ponder.study import Study
from tests.fuzz import Failure
from tests.fuzz.calling import Call, Here, tried
from tests.fuzz.mutations import VALUES, random_bytes, spoiled, word

BATCH = 15
KEPT = ("boards", "runs", "results", "failures")
"""The tables of which no row may be lost."""

Rows: TypeAlias = dict[str, set[tuple[Any, ...]]]

_REPORTS = (
    *((), ("--json",), ("--by", "family"), ("--export", "runs.csv"), ("--table", "table.csv")),
    *(("--json", "--by", "family"), ("--export", "runs.parquet")),
)


def attempt(rng: random.Random) -> int:
    """Try one batch."""
    for _ in range(BATCH):
        data = made(rng)
        files = {"a.study": data, "board.txt": b"01\n10\n"}
        if rng.random() < 0.6:
            words = ("report", "a.study", *rng.choice(_REPORTS))
            tried(Call(words, files, kept=("a.study",)))
            continue
        before = rows(data)
        words = (
            *("compare", "board.txt", "--family", "cross:2..3:boards=2", "--timeout", "1"),
            *("--method", "greedy-fewest-backwards", "--study", "a.study"),
            *rng.choice(((), ("--json",), ("--retry",), ("--verify", "none"))),
        )
        call = Call(words, files, watched=("a.study",))
        ended = tried(call)
        if "--retry" in words:
            continue
        after = rows(ended.files["a.study"])
        for table, found in before.items():
            if lost := found - after.get(table, set()):
                raise Failure(f"compare loses {len(lost)} rows of {table}", str(call))
    return BATCH


def made(rng: random.Random) -> bytes:
    """Return the content of a study file."""
    data = _sound()
    match rng.randrange(10):
        case 0:
            return rng.choice((b"", b"x", b"SQLite format 3\0", random_bytes(rng), data[:100]))
        case 1:
            return data[: rng.randrange(len(data))]
        case 2 | 3:
            return _bytes(rng, data)
        case 4:
            return _bytes(rng, data[: -rng.randrange(1, 5000)])
        case 5:
            return data
    return _altered(rng, data)


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
        return path.read_bytes()


def _bytes(rng: random.Random, data: bytes) -> bytes:
    """Change some bytes, mostly where the file says how it is laid out."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        page = rng.randrange(0, len(found), 8192)
        at = rng.choice((rng.randrange(100), page + rng.randrange(20), rng.randrange(len(found))))
        found[min(at, len(found) - 1)] = rng.choice((0, 255, rng.randrange(256)))
    return bytes(found) if rng.random() < 0.9 else spoiled(rng, bytes(found), 1)


def _altered(rng: random.Random, data: bytes) -> bytes:
    """Change a study by SQL: it stays a sound database."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.study")
        path.write_bytes(data)
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            for _ in range(rng.choice((1, 1, 2))):
                try:
                    _alter(rng, database)
                except (sqlite3.Error, OverflowError, UnicodeEncodeError):
                    continue
        return path.read_bytes()


def _alter(rng: random.Random, database: sqlite3.Connection) -> None:
    tables = [
        str(name)
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type='table'")
    ]
    table = rng.choice(tables)
    columns = [str(row[1]) for row in database.execute(f"PRAGMA table_info({table})")]
    column = rng.choice(columns)
    where = f"WHERE rowid % 3 = {rng.randrange(3)}" if table in ("boards", "strata") else ""
    match rng.randrange(10):
        case 0:
            database.execute(f"DROP TABLE {table}")
        case 1:
            database.execute(f"DELETE FROM {table} {where}")
        case 2:
            database.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other")
        case 3:
            database.execute(f"ALTER TABLE {table} ADD COLUMN extra")
        case 4:
            pragma = rng.choice(("user_version", "application_id"))
            database.execute(f"PRAGMA {pragma} = {rng.choice((0, 1, 2, -1, 77))}")
        case 5:
            database.execute("DROP VIEW v_runs")
        case _:
            value: Any = rng.choice((*VALUES[:17], word(rng), rng.randbytes(9), b"", "é", -1))
            if isinstance(value, list | dict):
                value = None
            database.execute(f"UPDATE {table} SET {column} = ? {where}", (value,))
