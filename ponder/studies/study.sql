-- The format of a study: these names stay as they are. `study.py` says what the tables hold.
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
