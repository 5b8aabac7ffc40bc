"""Where methods contradict each other on a board. Each is a bug in one of them.

Let one board have runs with these claims (theory §2), from whatever methods, options and seeds:

    solved, c presses             there is a legal sequence of c presses; `once`: it presses each
                                  bulb at most once
    impossible C1, C2             no legal sequence presses each bulb at most once
    impossible C4                 no legal sequence at all
    lower bound b of `order`      a legal sequence of single presses has at least b presses
    lower bound b of `solve`      a legal sequence has at least b presses

Contradictions: solved and once against C1 or C2 (compare asks about whole boards, never about one
press set); solved against C4; c below a bound b that covers it, which may be a proved fewest.
Pairs of runs are looked for only on boards that one pass has found. O(runs).
"""

from __future__ import annotations

from ponder.studies.study import Study

MOST = 1000  # contradictions that are listed at most


# What a run says, for one board, as (value or NULL) columns. A rejected answer says nothing: it is
# listed as a failure.
_SAYS = """
    SELECT r.board, r.method, r.seed,
        CASE WHEN o.verdict = 'solved' THEN r.presses END AS any_count,
        CASE WHEN o.verdict = 'solved' AND o.once THEN r.presses END AS once_count,
        CASE WHEN o.verdict = 'impossible' AND o.claim IN ('C1', 'C2', 'C4') THEN 1 END AS no_once,
        CASE WHEN o.verdict = 'impossible' AND o.claim = 'C4' THEN 1 END AS no_any,
        CASE WHEN o.command = 'order' THEN r.bound END AS once_bound,
        CASE WHEN o.command = 'solve' THEN r.bound END AS any_bound
    FROM runs AS r JOIN outcomes AS o ON o.id = r.outcome
    WHERE (r.trouble IS NULL OR r.trouble NOT LIKE 'rejected:%')
"""
_CONTRADICTORY = f"""
    SELECT board FROM ({_SAYS}) GROUP BY board HAVING
        (max(no_once) AND count(once_count)) OR (max(no_any) AND count(any_count))
        OR min(once_count) < max(once_bound) OR min(any_count) < max(any_bound)
    LIMIT {MOST}
"""
# A pair of runs on one board: x found a sequence that y excludes.
_PAIRS = f"""
    WITH says AS ({_SAYS} AND r.board = ?)
    SELECT m.name, x.seed, n.name, y.seed, x.any_count, y.no_any,
        CASE WHEN x.once_count IS NOT NULL THEN y.no_once END AS refuted,
        CASE WHEN x.any_count < y.any_bound THEN y.any_bound
             WHEN x.once_count < y.once_bound THEN y.once_bound END AS bound,
        y.any_count
    FROM says AS x, says AS y, methods AS m, methods AS n
    WHERE m.id = x.method AND n.id = y.method AND x.any_count IS NOT NULL
        AND (y.no_any OR refuted OR bound IS NOT NULL)
    ORDER BY m.name, x.seed, n.name, y.seed LIMIT {MOST}
"""
_SAMPLE = """
    SELECT family, size, name FROM samples JOIN strata ON strata.id = stratum
    WHERE board = ? ORDER BY family, size, name LIMIT 1
"""


def disagreements(study: Study) -> list[str]:
    """Return the contradictions of a study, a line for two runs, at most MOST of them.

    >>> with Study(":memory:", create=True) as study:
    ...     disagreements(study)
    []
    """
    found: list[str] = []
    for (board,) in study.rows(_CONTRADICTORY).fetchall():
        ((sha256,),) = study.rows("SELECT lower(hex(sha256)) FROM boards WHERE id = ?", board)
        for x, x_seed, y, y_seed, count, no_any, no_once, bound, other in study.rows(_PAIRS, board):
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
