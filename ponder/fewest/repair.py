"""Legal press counts early: give every refused cluster the cheapest helper that mends it.

Idea. Two more presses of a bulb in N[K] change the parity of a refused cluster K and may join it
to others beside that bulb. Take the refused cluster with the fewest presses and try all bulbs of
N[K]: choose the pair of presses that leaves the fewest refused clusters, then the one whose new
cluster is smallest, so that the repairs keep apart; parities tell most of it, and few clusters have
to be ordered. Where no pair helps, one of the best is drawn at random and the walk goes on.

On random boards nearly every odd cluster takes one pair, which is optimal where no pairs can be
saved (`odd_components`). It is a heuristic: what it returns is legal by the orders of its clusters.

Cost. A step looks at |N[K]| clusters, mostly remembered ones; as many steps as refused clusters.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ponder.fewest.clusters import Cluster, Clusters
from ponder.limits import Limits
from ponder.puzzle.ordering_problem import Order

_AMONG = 4  # how many of the best pairs are drawn from where none helps


def repair(
    clusters: Clusters,
    counts: Sequence[int],
    *,
    most: int,
    rng: random.Random,
    limits: Limits,
) -> list[int] | None:
    """Return press counts whose clusters all have orders: `counts` and at most `most` pairs more.

    None when that many pairs did not suffice or time is up (if time is up in the middle of a
    cluster, TimeUp).

    >>> from ponder.puzzle.board import Board
    >>> clusters = Clusters(Board.from_rows(["0000"], "plus"))
    >>> repair(clusters, [1, 1, 0, 0], most=1, rng=random.Random(0), limits=Limits(None))
    [1, 1, 2, 0]
    """
    mended = list(counts)
    for spent in range(most + 1):
        refused = [cluster for cluster, _ in clusters.refused(mended)]
        if not refused:
            return mended
        if spent == most or limits.expired:
            return None
        mended[_best_helper(clusters, mended, refused, rng, limits)] += 2
    return None


def _best_helper(
    clusters: Clusters,
    counts: list[int],
    refused: list[Cluster],
    rng: random.Random,
    limits: Limits,
) -> int:
    """Return the bulb whose two further presses help most; the smallest refused cluster's turn.

    When time is up, any of the best by their parities.
    """
    worst = refused[0]
    first_bulbs = {cluster.bulbs[0] for cluster in refused}
    options = []
    for w in limits.over(sorted({*worst.bulbs, *clusters.beside(worst.bulbs)}), 1):
        counts[w] += 2
        joined = clusters.at(counts, w)
        counts[w] -= 2
        gone = len(first_bulbs.intersection(joined.bulbs))
        odd = clusters.charge(joined)
        options.append((odd - gone, joined.presses, rng.random(), w, joined))
    options.sort(key=lambda option: option[:3])
    for score, *_, w, joined in options:
        if score >= 0 or limits.expired:
            break
        if isinstance(clusters.answer(joined), Order):
            return w
    return rng.choice(options[:_AMONG])[3]
