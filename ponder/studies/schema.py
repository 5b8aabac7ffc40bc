"""What a study file holds: its tables in SQL, and the rows that are written, as Python has them.

    boards    every board once, by its SHA-256, with its text: a study stands alone
    strata    what a table has a line for: a group of boards, that is a family and a size
    samples   which board stands for which name in a group (two names may share a board)
    methods   a method with its options (the time limit among them) and ponder's version
    outcomes  the few different ways in which runs end
    runs      one line per (board, method, seed), and nothing bulky
    results   the result of a run as `ponder verify` reads it, certificate included
    failures  files that were no boards, with the reason
    v_runs    all of it in words, one row per sample and run: for people, and for the export

The names of tables and columns are the file's format; they stay as they are.
"""

from __future__ import annotations

from typing import NamedTuple

APPLICATION_ID = 0x504F4E44  # "POND"
SCHEMA_VERSION = 2
"""1 until ponder 0.2, when two boards could share a SHA-256, and so their runs."""

TABLES_SQL = """
CREATE TABLE boards(
    id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, pattern TEXT NOT NULL,
    rule TEXT NOT NULL, goal TEXT NOT NULL, bulbs INTEGER NOT NULL,
    nullity INTEGER, lightest INTEGER, text BLOB NOT NULL);
CREATE TABLE strata(
    id INTEGER PRIMARY KEY, family TEXT NOT NULL, size TEXT NOT NULL, bulbs INTEGER NOT NULL,
    UNIQUE(family, size));
CREATE TABLE samples(
    stratum INTEGER NOT NULL REFERENCES strata, name TEXT NOT NULL,
    board INTEGER NOT NULL REFERENCES boards, PRIMARY KEY(stratum, name)) WITHOUT ROWID;
CREATE TABLE methods(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, options TEXT NOT NULL, version TEXT NOT NULL,
    UNIQUE(name, options, version));
CREATE TABLE outcomes(
    id INTEGER PRIMARY KEY, command TEXT NOT NULL, verdict TEXT NOT NULL, claim TEXT NOT NULL,
    certificate TEXT NOT NULL, solver TEXT NOT NULL, once INTEGER NOT NULL,
    UNIQUE(command, verdict, claim, certificate, solver, once));
CREATE TABLE runs(
    board INTEGER NOT NULL REFERENCES boards, method INTEGER NOT NULL REFERENCES methods,
    seed INTEGER NOT NULL, outcome INTEGER NOT NULL REFERENCES outcomes,
    presses INTEGER, bound INTEGER, trials INTEGER, seconds REAL NOT NULL, checked INTEGER NOT NULL,
    trouble TEXT, PRIMARY KEY(board, method, seed)) WITHOUT ROWID;
CREATE TABLE results(
    board INTEGER NOT NULL, method INTEGER NOT NULL, seed INTEGER NOT NULL, result BLOB NOT NULL,
    PRIMARY KEY(board, method, seed)) WITHOUT ROWID;
CREATE TABLE failures(name TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE VIEW v_runs AS SELECT
    strata.family, strata.size, strata.bulbs, samples.name AS sample,
    lower(hex(boards.sha256)) AS sha256, boards.pattern, boards.rule, boards.goal,
    boards.nullity, boards.lightest, methods.name AS method, methods.options, methods.version,
    runs.seed, outcomes.verdict, outcomes.claim, outcomes.certificate, outcomes.solver,
    runs.presses, runs.bound AS lower_bound, runs.trials, runs.seconds, runs.checked, runs.trouble
    FROM samples JOIN strata ON strata.id = samples.stratum JOIN boards ON boards.id = samples.board
    JOIN runs ON runs.board = samples.board JOIN methods ON methods.id = runs.method
    JOIN outcomes ON outcomes.id = runs.outcome;
"""
_IDENTITY = "BETWEEN 1 AND 2147483647"
_COUNT = "BETWEEN 0 AND 2147483647"
SOUND = {
    "boards": f"id {_IDENTITY} AND typeof(sha256) = 'blob' AND typeof(bulbs) = 'integer' "
    f"AND typeof(nullity) IN ('integer', 'null') AND coalesce(lightest, 0) {_COUNT}",
    "strata": f"id {_IDENTITY} AND typeof(bulbs) = 'integer' "
    "AND typeof(family) = 'text' AND typeof(size) = 'text'",
    "samples": "typeof(name) = 'text'",
    "methods": f"id {_IDENTITY} AND typeof(name) = 'text' AND typeof(options) = 'text' "
    "AND typeof(version) = 'text'",
    "outcomes": "id BETWEEN 1 AND 32767 AND typeof(verdict) = 'text' AND typeof(claim) = 'text' "
    "AND typeof(certificate) = 'text' AND typeof(solver) = 'text' AND once IN (0, 1)",
    "runs": f"typeof(seed) = 'integer' AND coalesce(presses, 0) {_COUNT} "
    f"AND coalesce(bound, 0) {_COUNT} AND coalesce(trials, 0) {_COUNT} "
    "AND seconds BETWEEN 0 AND 1e12 AND checked IN (0, 1, 2) "
    "AND typeof(trouble) IN ('text', 'null')",
    "failures": "typeof(name) = 'text' AND typeof(reason) = 'text'",
}
"""What is true of every row that ponder wrote; the figures of a study rely on it."""
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
    """How a run ended: who was asked what, the verdict and why.

    `once`: the presses, if any, press each bulb at most once.
    """

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
