"""A study: one SQLite file with one table, `runs`, whose columns are those of `Run`.

The key is (board, method, seed); a run under another time limit takes the place of the old one. One
connection writes, in batches, each one transaction: a killed process loses the batch in flight and
nothing else.
"""

from __future__ import annotations

import csv
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple, Self, get_type_hints

from ponder.model.files import whole_file
from ponder.system.errors import PonderError, quoted
from ponder.system.printable import printable

FAILING = ("crashed", "failed", "rejected")
REPEATABLE = ("late", "lost", *FAILING)


class Run(NamedTuple):
    """One line of a study; `board`, `method` and `seed` are its key.

    `checked`: 1 when all that carries evidence was checked, 2 when the verdict rests on something
    that cannot be checked, 0 when nothing was. `bound`: a proved lower bound on the presses.
    `said`: what a solver says without a proof that was checked (`no order`); the verdict is then
    `unknown`, and `reason` says why. Seconds are given for encoding (None: the method makes no
    formula), solving and checking, each beside its limit (a check of 0: none).
    `trouble`: `kind: reason` beside a verdict `unknown` (`rejected` keeps the false verdict):

        refused     the method says that it is not made for this board
        late        it ignored its time limit and was killed
        lost        it took its process with it (out of memory, or killed from outside)
        crashed     it raised an error                                                  fails
        failed      its solver died, or gave a wrong model, a wrong proof or none   fails
        rejected    the checker refused its answer                                      fails
    """

    board: str
    method: str
    seed: int
    family: str
    size: str
    bulbs: int
    sha256: str
    encode_timeout: float | None = None
    timeout: float | None = None
    check_timeout: float | None = None
    command: str = ""
    verdict: str = "unknown"
    kind: str = ""  # of the refutation
    answered: str = ""  # the method of the result
    presses: int | None = None
    bound: int | None = None
    trials: int | None = None
    encode_seconds: float | None = None
    solve_seconds: float = 0.0
    check_seconds: float = 0.0
    checked: int = 0
    said: str = ""
    reason: str = ""
    trouble: str = ""


KINDS = [kind if kind is str else kind | int for kind in get_type_hints(Run).values()]
FORMAT = 4  # of the file, its `user_version`; 1 and 2 had eight tables, 3 one time a run
NUMBERS = ("seed", "bulbs", "presses", "bound", "trials", "checked")
COLUMNS = ", ".join(
    f"{x} {'NUMERIC' if x in NUMBERS or x.endswith(('seconds', 'timeout')) else 'TEXT'}"
    for x in Run._fields
)

# Two runs about one board that cannot both be right: solved and impossible (proved, or said by a
# solver), or fewer presses than a proved bound. What `solve` proves holds for `order` too, not the
# other way round.
CONTRADICTIONS = """
SELECT a.board, a.method, a.seed, a.verdict, a.presses, b.method, b.seed,
       CASE b.said WHEN '' THEN b.verdict ELSE b.said END,
       CASE WHEN b.said = '' AND b.verdict != 'impossible' THEN b.bound END
FROM runs a JOIN runs b ON a.sha256 = b.sha256 AND (a.command = b.command OR b.command = 'solve')
WHERE a.trouble = '' AND b.trouble = '' AND a.verdict = 'solved'
AND (b.verdict = 'impossible' OR b.said != '' OR a.presses < b.bound)
ORDER BY a.board, a.method LIMIT 1000
"""


class Study:
    """An open study, to use in `with`; `create` makes the file where there is none.

    One process at a time may write: `create` takes a lock beside the file, which ends with the
    process. Raises PonderError where the file is no study, cannot be read or written, or is locked.

    >>> with Study(":memory:", create=True) as study:
    ...     len(list(study.runs()))
    0
    """

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        self.path: str = os.fspath(path)
        if not create and not os.path.isfile(self.path):
            raise PonderError(f"{printable(self.path)}: there is no such study")
        with ExitStack() as stack, self._told():
            if create and self.path != ":memory:":
                self._take_lock(stack)
            self.database: sqlite3.Connection = sqlite3.connect(self.path, timeout=10)
            stack.callback(self.database.close)
            (version,) = self.database.execute("PRAGMA user_version").fetchone()
            tables = self.database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if not tables and create:
                with self.database:
                    key = "PRIMARY KEY (board, method, seed)"
                    self.database.execute(f"CREATE TABLE runs ({COLUMNS}, {key}) WITHOUT ROWID")
                    self.database.execute("CREATE INDEX by_sha256 ON runs (sha256)")
                    self.database.execute(f"PRAGMA user_version = {FORMAT}")
            elif version != FORMAT:
                raise PonderError(f"{printable(self.path)}: no study of this version of ponder")
            self.opened: ExitStack = stack.pop_all()
        self.current: dict[str, str] = {}  # the hash of each board whose file was read now

    def _take_lock(self, stack: ExitStack) -> None:
        """Lock an empty database beside the study, which stays readable for `--from`."""
        lock = sqlite3.connect(f"{self.path}.lock", timeout=0)
        stack.callback(lock.close)
        try:
            lock.executescript("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY":
                raise
            hint = "give each process a --study of its own, and join them by --from"
            reason = f"{printable(self.path)}: another process fills it: {hint}"
            raise PonderError(reason) from None
        stack.callback(Path(f"{self.path}.lock").unlink, missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeError) as error:
            raise PonderError(f"{printable(self.path)}: {error}") from None

    def add(self, runs: Iterable[Run]) -> None:
        """Store runs, in one transaction; they take the place of those of the same key."""
        places = ", ".join("?" * len(Run._fields))
        with self._told(), self.database:
            self.database.executemany(f"INSERT OR REPLACE INTO runs VALUES ({places})", runs)

    def done(
        self, board: str, sha256: str | None, limits: tuple[float | None, ...], retry: bool = False
    ) -> set[tuple[str, int]]:
        """Return (method, seed) of the runs of a board that need not be made again.

        A board of that name with another hash (a file that has changed) has none. With `retry`
        those whose trouble is REPEATABLE are made again.
        """
        query = """SELECT method, seed, trouble FROM runs
        WHERE board = ?1 AND (?2 IS NULL OR sha256 = ?2)
        AND encode_timeout IS ?3 AND timeout IS ?4 AND check_timeout IS ?5"""
        again = REPEATABLE if retry else ()
        if sha256 is not None:
            self.current[board] = sha256
        with self._told():
            rows = self.database.execute(query, (board, sha256, *limits)).fetchall()
        return {(method, seed) for method, seed, why in rows if why.partition(":")[0] not in again}

    def runs(self) -> Iterator[Run]:
        """Yield all runs but those on other contents of a `current` file. Raises PonderError."""
        with self._told():
            for row in self.database.execute(f"SELECT {', '.join(Run._fields)} FROM runs"):
                for name, value, kind in zip(Run._fields, row, KINDS, strict=True):
                    number = 0 if value is None or isinstance(value, str) else value
                    if not (isinstance(value, kind) and 0 <= number < 2**63):
                        reason = f"{name} is {quoted(value)} in a run about {quoted(row[0])}"
                        raise PonderError(f"{printable(self.path)}: damaged: {reason}")
                run = Run._make(row)
                if self.current.get(run.board, run.sha256) == run.sha256:
                    yield run

    def of_several_contents(self) -> list[str]:
        """Return the boards with runs on several contents of their file."""
        query = "SELECT board FROM runs GROUP BY board HAVING count(DISTINCT sha256) > 1"
        with self._told():
            return [board for (board,) in self.database.execute(query)]

    def troubles(self, kinds: Iterable[str]) -> list[str]:
        """Return the runs that ended in trouble of these kinds, in words."""
        wanted = tuple(kinds)
        return [
            f"{run.board}: {run.method} (seed {run.seed}): {run.trouble}"
            for run in self.runs()
            if run.trouble.partition(":")[0] in wanted
        ]

    def contradictions(self) -> list[str]:
        """Return the pairs of runs that contradict each other, in words."""
        with self._told():
            rows = self.database.execute(CONTRADICTIONS).fetchall()
        return [
            f"{board}: {method} (seed {seed}) {verdict} it with {presses} presses, "
            f"{other_method} (seed {there}) says {answer}"
            + ("" if bound is None else f", at least {bound}")
            for board, method, seed, verdict, presses, other_method, there, answer, bound in rows
        ]


def read_studies(
    paths: Iterable[str | os.PathLike[str]], into: str | os.PathLike[str] = ":memory:"
) -> Study:
    """Return the runs of several studies together, added to a study; a later one counts."""
    together = Study(into, create=True)
    for path in paths:
        with Study(path) as study:
            together.add(study.runs())
    return together


def write_csv(study: Study, path: str | os.PathLike[str]) -> int:
    """Write one row a run, whole or not at all (`-`: standard output); return how many."""
    runs = list(study.runs())
    with nullcontext(sys.stdout) if path == "-" else whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Run._fields)
        writer.writerows(runs)
    return len(runs)
