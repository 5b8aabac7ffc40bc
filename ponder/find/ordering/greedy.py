"""Greedy orders: place legal presses until all are placed or none is legal.

A trial that gets stuck proves nothing. `backwards` starts at the goal and makes a build order: v
may be placed when e(v) ≡ t(v). `forwards` makes a play order: e(v) ≡ d(v) + t(v).

    random  a legal press, all equally likely. O(n + |E(H)|) a trial
    rounds  a random maximal independent set of the legal presses, all of it, then the next: a layer
            of a "parallel plan" (Rintanen, Heljanko, Niemelä 2006)
    fewest  the legal press with the fewest neighbours still to be placed, ties at random
            (Warnsdorff's rule for knight's tours), the best of them. O((n + |E(H)|) log n)

Letters: H the graph of the n presses; d(v) the degree of v; e(v) its neighbours that are placed;
t(v) as in `ordering_problem`; `wrong[v]` is 1 while v may not be placed.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from heapq import heapify, heappop, heappush
from random import Random
from typing import Literal, TypeAlias, get_args

import numpy as np

from ponder.model.arguments import one_of, whole_number
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.printable import pluralise

Variant: TypeAlias = Literal["random", "rounds", "fewest"]
Direction: TypeAlias = Literal["forwards", "backwards"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)

TRIALS = 100  # trials unless told otherwise
MOST_LISTED = 30_000_000  # more pairs of neighbours are not listed: they take some 100 bytes each
_POLL = 255  # presses between two looks at the clock, as a mask


@dataclass(frozen=True)
class Trials:
    """Which trials are made, and at most how many. Raises BoardError for a wrong value.

    The same trials of the same problem give the same answer, time limits apart.
    """

    variant: Variant = "fewest"
    direction: Direction = "backwards"
    count: int = TRIALS
    seed: int = 0

    def __post_init__(self) -> None:
        one_of(self.variant, VARIANTS, "variant")
        one_of(self.direction, DIRECTIONS, "direction")
        whole_number(self.count, "trials")


DEFAULT = Trials()


def order_greedy(
    problem: OrderingProblem, trials: Trials = DEFAULT, limits: Limits = NEVER
) -> Order | Unknown:
    """Return an order found by greedy trials, else Unknown: never a refusal. Raises NeedsMemory.

    `statistics`: the settings, numbers of `presses` and `trials`, the most presses that a trial
    `placed` and the `mean`.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> order_greedy(path).vertices.tolist()  # 1 is pressed while both its neighbours are ahead
    [1, 0, 2]
    """
    rng, done, total, best = Random(trials.seed), 0, 0, list[int]()
    place = {"random": _random, "rounds": _rounds, "fewest": _fewest}[trials.variant]
    forwards, halted = trials.direction == "forwards", ""
    try:
        problem.prepare(limits, MOST_LISTED)
        degree = np.diff(problem.adjacency[0])
        odd = problem.odd ^ (degree % 2 == 1) if forwards else problem.odd
        while len(best) < problem.size and done < trials.count:
            limits.check()
            placed = place(problem.neighbours, odd.astype(np.int8).tolist(), rng, limits)
            done, total = done + 1, total + len(placed)
            best = max(best, placed, key=len)
    except TimeUp:
        halted = " before the limit was reached"
    statistics: dict[str, object] = asdict(trials) | {"trials": done, "presses": problem.size}
    statistics |= {"placed": len(best), "mean": round(total / done, 3) if done else 0.0}
    if len(best) == problem.size and not halted:
        play = np.array(best, dtype=np.int64)
        return Order(play if forwards else play[::-1], statistics)
    most = f"placed at most {len(best)} of {problem.size} presses{halted}"
    return Unknown(f"{pluralise(done, 'greedy trial')} {most}", statistics)


def _random(near: list[list[int]], wrong: list[int], rng: Random, limits: Limits) -> list[int]:
    """Place a legal press, all equally likely, while there is one."""
    candidates = [v for v, bit in enumerate(wrong) if not bit]
    listed = [not bit for bit in wrong]
    placed: list[int] = []
    while candidates:
        at = rng.randrange(len(candidates))
        v, candidates[at] = candidates[at], candidates[-1]
        candidates.pop()
        listed[v] = False
        if wrong[v]:  # no longer legal
            continue
        placed.append(v)
        wrong[v] = 2  # for good: neighbours flip the low bit only
        for u in near[v]:
            wrong[u] ^= 1
            if not wrong[u] and not listed[u]:
                listed[u] = True
                candidates.append(u)
        if not len(placed) & _POLL:
            limits.check()
    return placed


def _rounds(near: list[list[int]], wrong: list[int], rng: Random, limits: Limits) -> list[int]:
    """Place a random maximal independent set of the legal presses, all of it, and again."""
    legal = [v for v, bit in enumerate(wrong) if not bit]
    placed: list[int] = []
    while legal:
        limits.check()
        rng.shuffle(legal)
        touched: dict[int, None] = {}  # a set that keeps its order
        layer = []
        for v in legal:
            if v not in touched:
                layer.append(v)
                touched.update(dict.fromkeys(near[v]))
        for v in layer:
            wrong[v] = 2
            for u in near[v]:
                wrong[u] ^= 1
        placed += layer
        # every legal press was either placed or, the set being maximal, touched
        legal = [u for u in touched if not wrong[u]]
    return placed


def _fewest(near: list[list[int]], wrong: list[int], rng: Random, limits: Limits) -> list[int]:
    return fewest_first(near, wrong, rng, limits)[0]


def fewest_first(
    near: list[list[int]],
    wrong: list[int],
    rng: Random,
    limits: Limits = NEVER,
    *,
    forced: bool = False,
) -> tuple[list[int], list[int]]:
    """Place the legal press with the fewest neighbours left, until none is legal.

    If `forced`, the press with the fewest left is placed then anyway, until all are. Returns the
    placed presses, in order, and those that were not legal. Changes `wrong`; raises TimeUp.
    """
    left, uniform = [len(neighbours) for neighbours in near], rng.random
    # An entry is out of date when its vertex is placed, illegal, or has fewer left since.
    entries = [(left[v], uniform(), v) for v, bit in enumerate(wrong) if forced or not bit]
    legal = [entry for entry in entries if not wrong[entry[2]]]
    anyone = entries if forced else []
    heapify(legal)
    heapify(anyone)
    placed: list[int] = []
    defects: list[int] = []
    while legal or anyone:
        if legal:
            count, _, v = heappop(legal)
            if wrong[v] or left[v] != count:
                continue
        else:
            count, tie, v = heappop(anyone)
            if wrong[v] > 1:
                continue
            if left[v] != count:
                heappush(anyone, (left[v], tie, v))
                continue
            defects.append(v)
        placed.append(v)
        wrong[v] |= 2  # for good: neighbours flip the low bit only
        for u in near[v]:
            wrong[u] ^= 1
            left[u] -= 1
            if not wrong[u]:
                heappush(legal, (left[u], uniform(), u))
        if not len(placed) & _POLL:
            limits.check()
    return placed, defects
