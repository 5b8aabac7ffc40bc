"""The export of a study: one row per sample and run, as CSV or Parquet.

Rows are sorted by words, not by when they were made, so that the same study gives the same file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeAlias

from ponder.errors import PonderError, require
from ponder.printable import printable
from ponder.studies.study import Study

Writer: TypeAlias = Callable[[sqlite3.Cursor, IO[Any]], int]

_ROWS = "SELECT * FROM v_runs ORDER BY family, bulbs, size, sample, method, options, version, seed"
_AT_A_TIME = 50_000
"""Rows that are held in memory."""


def export(study: Study, path: str | os.PathLike[str]) -> int:
    """Write one row per sample and run as CSV or (`.parquet`) Parquet; return how many.

    The file is written whole or not at all. PonderError as of `writer_for`.

    >>> with Study(":memory:", create=True) as study:
    ...     export(study, os.devnull + ".txt")
    Traceback (most recent call last):
    ...
    ponder.errors.PonderError: /dev/null.txt: the file of an export must end in .csv or .parquet
    """
    from ponder.puzzle.files import whole_file

    write = writer_for(path)
    with whole_file(path, "wb") as file:
        return write(study.rows(_ROWS), file)


def writer_for(path: str | os.PathLike[str]) -> Writer:
    """Return what writes a file of this ending.

    PonderError for an ending that is neither .csv nor .parquet, or when pyarrow is missing.

    >>> writer_for("runs.csv").__name__
    '_write_csv'
    """
    name = os.fspath(path)
    writers: dict[str, Writer] = {".csv": _write_csv, ".parquet": _write_parquet}
    write = writers.get(Path(name).suffix)
    if write is None:
        raise PonderError(f"{printable(name)}: the file of an export must end in .csv or .parquet")
    if write is _write_parquet:
        require("pyarrow", "an export to Parquet", "parquet")
    return write


def _write_csv(rows: sqlite3.Cursor, file: IO[Any]) -> int:
    import csv
    import io

    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    table = csv.writer(text, lineterminator="\n")
    table.writerow(column[0] for column in rows.description)
    count = 0
    while part := rows.fetchmany(_AT_A_TIME):
        table.writerows(part)
        count += len(part)
    text.detach()
    return count


def _write_parquet(rows: sqlite3.Cursor, file: IO[Any]) -> int:
    import pyarrow as pa
    from pyarrow import parquet

    integers = {
        "bulbs",
        "nullity",
        "lightest",
        "seed",
        "presses",
        "lower_bound",
        "trials",
        "checked",
    }
    kinds = {"seconds": pa.float64()} | dict.fromkeys(integers, pa.int64())
    names = [column[0] for column in rows.description]
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in names])
    count = 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as table:
        while part := rows.fetchmany(_AT_A_TIME):
            columns = dict(zip(names, zip(*part, strict=True), strict=True))
            table.write_table(pa.table({k: list(v) for k, v in columns.items()}, schema=schema))
            count += len(part)
    return count
