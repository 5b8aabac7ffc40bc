-- What ponder asks of an open study. These views are its connection's own, no part of the file.

-- The tables with a row that ponder never wrote; the figures of a study rely on there being none.
CREATE TEMP VIEW unsound(place) AS
SELECT 'boards' FROM boards WHERE (
    id BETWEEN 1 AND 2147483647 AND typeof(sha256) = 'blob' AND typeof(bulbs) = 'integer'
    AND typeof(nullity) IN ('integer', 'null')
    AND coalesce(lightest, 0) BETWEEN 0 AND 2147483647) IS NOT 1
UNION ALL SELECT 'strata' FROM strata WHERE (
    id BETWEEN 1 AND 2147483647 AND typeof(bulbs) = 'integer'
    AND typeof(family) = 'text' AND typeof(size) = 'text') IS NOT 1
UNION ALL SELECT 'samples' FROM samples WHERE (typeof(name) = 'text') IS NOT 1
UNION ALL SELECT 'methods' FROM methods WHERE (
    id BETWEEN 1 AND 2147483647 AND typeof(name) = 'text' AND typeof(options) = 'text'
    AND typeof(version) = 'text') IS NOT 1
UNION ALL SELECT 'outcomes' FROM outcomes WHERE (
    id BETWEEN 1 AND 32767 AND typeof(verdict) = 'text' AND typeof(claim) = 'text'
    AND typeof(certificate) = 'text' AND typeof(solver) = 'text' AND once IN (0, 1)) IS NOT 1
UNION ALL SELECT 'runs' FROM runs WHERE (
    typeof(seed) = 'integer' AND coalesce(presses, 0) BETWEEN 0 AND 2147483647
    AND coalesce(bound, 0) BETWEEN 0 AND 2147483647
    AND coalesce(trials, 0) BETWEEN 0 AND 2147483647
    AND seconds BETWEEN 0 AND 1e12 AND checked IN (0, 1, 2)
    AND typeof(trouble) IN ('text', 'null')) IS NOT 1
UNION ALL SELECT 'failures' FROM failures
    WHERE (typeof(name) = 'text' AND typeof(reason) = 'text') IS NOT 1;

-- The runs as numbers, NULL as -1; trouble by its place in `report.TROUBLES`.
CREATE TEMP VIEW numbers AS SELECT
    samples.stratum, runs.method, runs.board, runs.outcome,
    coalesce(presses, -1), coalesce(bound, -1), coalesce(trials, -1),
    CASE WHEN trouble LIKE 'refused:%' THEN 0 WHEN trouble LIKE 'late:%' THEN 1
         WHEN trouble LIKE 'lost:%' THEN 2 WHEN trouble LIKE 'crashed:%' THEN 3
         WHEN trouble LIKE 'rejected:%' THEN 4 ELSE -1 END,
    seconds
    FROM samples CROSS JOIN runs ON runs.board = samples.board;

-- What a run says about its board, as (value or NULL) columns. A rejected answer says nothing: it
-- is listed as a failure.
CREATE TEMP VIEW says AS SELECT
    r.board, r.method, r.seed,
    CASE WHEN o.verdict = 'solved' THEN r.presses END AS any_count,
    CASE WHEN o.verdict = 'solved' AND o.once THEN r.presses END AS once_count,
    CASE WHEN o.verdict = 'impossible' AND o.claim IN ('C1', 'C2', 'C4') THEN 1 END AS no_once,
    CASE WHEN o.verdict = 'impossible' AND o.claim = 'C4' THEN 1 END AS no_any,
    CASE WHEN o.command = 'order' THEN r.bound END AS once_bound,
    CASE WHEN o.command = 'solve' THEN r.bound END AS any_bound
    FROM runs AS r JOIN outcomes AS o ON o.id = r.outcome
    WHERE r.trouble IS NULL OR r.trouble NOT LIKE 'rejected:%';

-- The boards with a contradiction.
CREATE TEMP VIEW contradictory AS SELECT board FROM says GROUP BY board HAVING
    (max(no_once) AND count(once_count)) OR (max(no_any) AND count(any_count))
    OR min(once_count) < max(once_bound) OR min(any_count) < max(any_bound);

-- Pairs of runs on one board: x found a sequence that y excludes.
CREATE TEMP VIEW contradictions AS SELECT
    x.board, m.name AS x, x.seed AS x_seed, n.name AS y, y.seed AS y_seed,
    x.any_count AS presses, y.no_any,
    CASE WHEN x.once_count IS NOT NULL THEN y.no_once END AS refuted,
    CASE WHEN x.any_count < y.any_bound THEN y.any_bound
         WHEN x.once_count < y.once_bound THEN y.once_bound END AS bound,
    y.any_count
    FROM says AS x, says AS y, methods AS m, methods AS n
    WHERE y.board = x.board AND m.id = x.method AND n.id = y.method AND x.any_count IS NOT NULL
        AND (y.no_any OR refuted OR bound IS NOT NULL);
