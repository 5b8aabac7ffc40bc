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

from ponder.apps.studies.study import Study

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
