"""Greedy orders: press whatever is legal until all is pressed or nothing legal is left.

A trial that gets stuck proves nothing. `backwards` plays from the goal and makes a build order: v
may be placed when e(v) ≡ t(v). `forwards` makes a play order: e(v) ≡ d(v) + t(v).

    random  a legal press, all equally likely. O(n + |E(H)|) a trial
    rounds  a random maximal independent set of the legal presses, all of it, then the next: a layer
            of a "parallel plan" (Rintanen, Heljanko, Niemelä 2006)
    fewest  the legal press with the fewest neighbours still to be placed, ties at random
            (Warnsdorff's rule for knight's tours), the best of them. O((n + |E(H)|) log n)

Row/column boards are played by one bit per line (`greedy_lines`), others by neighbour lists, where
`wrong[v]` is 1 while v may not be placed. Letters: H the graph of the n presses; d(v) the degree of
v; e(v) its neighbours that are placed; t(v) as in `ordering_problem`.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from random import Random
from typing import Literal, TypeAlias, get_args

import numpy as np

from ponder.find.ordering.greedy_lines import POLL, LinePlayer, draw_from_list
from ponder.model.arguments import one_of, whole_number
from ponder.model.ordering_problem import Order, OrderingProblem, Unknown
from ponder.system.limits import NEVER, Limits, TimeUp
from ponder.system.types import Ints

Variant: TypeAlias = Literal["random", "rounds", "fewest"]
Direction: TypeAlias = Literal["forwards", "backwards"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)

TRIALS = 100  # trials unless told otherwise
MOST_LISTED = 30_000_000  # more pairs of neighbours are not listed: they take some 100 bytes each
RECORDED = 100  # `statistics["placed"]` lists at most this many trials; best and mean are over all


@dataclass(frozen=True)
class Trials:
    """Which trials are made, and at most how many. Raises BoardError for what cannot be.

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


DEFAULT = Trials()  # what is tried unless told otherwise


@dataclass(frozen=True, eq=False)
class Campaign:
    """What some trials came to: the one that placed most (the earliest such), and the figures.

    `placed`  its vertices in order: `backwards` the beginning of a build order, that is the end of
              a play order; `forwards` the beginning of a play order
    `rounds`  its steps, each of which places a press (or an independent set, in the variant
              `rounds`)
    `halted`  time ran out or a stop was asked for, maybe within the last trial
    """

    placed: Ints
    rounds: int
    statistics: dict[str, object]
    halted: bool


def order_greedy(
    problem: OrderingProblem, trials: Trials = DEFAULT, limits: Limits = NEVER
) -> Order | Unknown:
    """Return an order found by greedy trials, else Unknown: never a refusal.

    `statistics`: `variant`, `direction`, `seed`, numbers of `presses` and `trials`, `placed`
    (presses placed in each of the first `RECORDED` trials), `best` and `mean` of that over all
    trials, and `rounds` of the best trial.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> order_greedy(path).vertices.tolist()  # 1 is pressed while both its neighbours are ahead
    [1, 0, 2]
    """
    campaign = search(problem, trials, limits)
    placed = campaign.placed
    if placed.size == problem.size:
        play = placed if trials.direction == "forwards" else placed[::-1]
        return Order(play, campaign.statistics)
    made = campaign.statistics["trials"]
    reason = (
        f"{made} greedy trial{'' if made == 1 else 's'} placed at most {placed.size} "
        f"of {problem.size} presses"
    )
    if campaign.halted:
        reason += " before the limit was reached"
    return Unknown(reason, campaign.statistics)


def greedy_prefix(problem: OrderingProblem, trials: Trials, limits: Limits = NEVER) -> Ints:
    """Return the longest beginning of a build order that some backwards trials placed."""
    return search(problem, trials, limits).placed


def search(problem: OrderingProblem, trials: Trials = DEFAULT, limits: Limits = NEVER) -> Campaign:
    """Make trials until one places every press, and return the best; as `order_greedy`."""
    rng = Random(trials.seed)
    player: LinePlayer | Neighbours | None = None
    best: list[int] | Ints = []
    rounds = 0
    recorded: list[int] = []
    made = total = 0
    # The clock is asked before the first trial too: a limit of no time allows no trial.
    while len(best) < problem.size and made < trials.count and not limits.expired:
        if player is None:
            try:
                player = _player(problem, trials.direction, limits)
            except TimeUp:
                break
        placed, steps = getattr(player, trials.variant)(rng, limits)
        made, total = made + 1, total + len(placed)
        if len(recorded) < RECORDED:
            recorded.append(len(placed))
        if len(placed) > len(best):
            best, rounds = placed, steps
    statistics: dict[str, object] = {
        "variant": trials.variant,
        "direction": trials.direction,
        "seed": trials.seed,
        "presses": problem.size,
        "trials": made,
        "placed": recorded,
        "best": len(best),
        "mean": round(total / made, 3) if made else 0.0,
        "rounds": rounds,
    }
    halted = len(best) < problem.size and limits.expired
    return Campaign(np.asarray(best, dtype=np.int64), rounds, statistics, halted)


def _player(
    problem: OrderingProblem, direction: Direction, limits: Limits
) -> LinePlayer | Neighbours:
    """Prepare the problem for trials. Raises TimeUp."""
    lines, forwards = problem.lines, direction == "forwards"
    if lines is None or problem.repeats:  # two copies of a bulb share two lines but one edge
        problem.prepare(limits, MOST_LISTED)
        return Neighbours(problem, forwards=forwards)
    return LinePlayer(lines[0], lines[1], problem.odd.astype(np.int8), forwards=forwards)


class Neighbours:
    """Plays any problem; a variant returns what it placed, in order, and the number of rounds."""

    def __init__(self, problem: OrderingProblem, *, forwards: bool) -> None:
        self.near: list[list[int]] = problem.neighbours
        degree = np.diff(problem.adjacency[0])
        wrong = problem.odd ^ (degree % 2 == 1) if forwards else problem.odd
        self.wrong: list[int] = wrong.astype(np.int8).tolist()

    def random(self, rng: Random, limits: Limits) -> tuple[list[int], int]:
        """A legal press, all equally likely."""
        legal = [v for v, bit in enumerate(self.wrong) if not bit]
        placed: list[int] = []
        draw_from_list(legal, len(self.near), self.near.__getitem__, placed, rng, limits)
        return placed, len(placed)

    def rounds(self, rng: Random, limits: Limits) -> tuple[list[int], int]:
        """A random maximal independent set of the legal presses, all of it, and again."""
        near, wrong = self.near, self.wrong.copy()
        done = [False] * len(near)
        legal = [v for v, bit in enumerate(wrong) if not bit]
        placed: list[int] = []
        rounds = 0
        while legal and not (rounds and limits.expired):
            rounds += 1
            rng.shuffle(legal)
            touched: dict[int, None] = {}  # a set that keeps its order
            layer = []
            for v in legal:
                if v not in touched:
                    layer.append(v)
                    done[v] = True
                    touched.update(dict.fromkeys(near[v]))
            for v in layer:
                for u in near[v]:
                    wrong[u] ^= 1
            placed += layer
            # Every legal press was either placed or, the set being maximal, touched.
            legal = [u for u in touched if not (wrong[u] or done[u])]
        return placed, rounds

    def fewest(self, rng: Random, limits: Limits) -> tuple[list[int], int]:
        """The legal press with the fewest neighbours still to be placed."""
        placed, _ = fewest_first(self.near, self.wrong, rng, limits)
        return placed, len(placed)


def fewest_first(
    near: list[list[int]],
    wrong: list[int],
    rng: Random,
    limits: Limits = NEVER,
    *,
    forced: bool = False,
) -> tuple[list[int], list[int]]:
    """Place the legal press with the fewest neighbours left, until none is legal or time is up.

    `wrong[v]` is 1 while v is not legal. If `forced` and none is legal, the one with the fewest
    left is placed anyway, until all are. Returns the placed ones, in order, and those that were not
    legal.
    """
    wrong, left, uniform = wrong.copy(), [len(neighbours) for neighbours in near], rng.random
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
        if not len(placed) & POLL and limits.expired:
            break
    return placed, defects
