"""Greedy orders: press whatever is legal until all is pressed or nothing legal is left.

Idea. The presses placed so far decide which of the others are legal; nothing placed is ever taken
back. A trial that places everything has found an order. A trial that gets stuck proves nothing:
another one, with other random choices, may go further.

Letters
    H       the graph of the presses; d(v) the degree of v, or a line's number of presses
    t(v)    the parity that v's later neighbours must have (`ponder.puzzle.ordering_problem`)
    e(v)    the number of v's neighbours that are already placed

Directions. `backwards` plays from the goal and makes a build order: v may be placed when
e(v) ≡ t(v). `forwards` plays from the board and makes a play order: the d(v) − e(v) neighbours
that are not yet placed come later, so v may be placed when e(v) ≡ d(v) + t(v). The two differ
only in the parities at the start.

Variants
    random  a legal press, all equally likely
    rounds  a random maximal independent set of the legal presses, all of it, then the next round.
            (Independent presses do not touch each other, so all of them stay legal; a round is a
            layer of a "parallel plan": Rintanen, Heljanko, Niemelä 2006.)
    fewest  the legal press with the fewest neighbours still to be placed, ties at random; on a
            row/column board, any legal press of the line that has the fewest presses left.
            (The thrift of Warnsdorff's rule for knight's tours: what has few chances left goes
            first, and the well connected rest keeps its freedom.)

Row/column boards are played by one parity bit per line (`ponder.ordering.greedy_lines`), all others
by neighbour lists (`ponder.ordering.greedy_graph`), blow-ups (a bulb pressed twice) among them.

Cost of a trial with n presses, expected:
                    row/column board         any graph
    random          O(n)                     O(n + |E(H)|)
    rounds          O(n) numpy per round     O(n + |E(H)|) plus the legal presses of every round
    fewest          O(n · line's presses)    O((n + |E(H)|) log n)

Measured (tests/bench/bench_greedy.py): 50 random press sets of density 1/2 with every t = 0 that
pass the counting check (as many odd rows as odd columns; even components), or an IBM board with
50 seeds. A campaign ends at its first success or after 20 trials; "a/b" is campaigns that
succeeded (of 50) / trials made in all. Not every plus set need have an order.

              IBM 24×24    IBM 30×30    cross 24×24  cross 60×60  plus 5×5     plus 10×10
    random f  11/931       5/956        7/941        0/1000       50/147       15/832
    random b  3/979        1/986        6/950        0/1000       42/353       0/1000
    rounds f  23/752       4/967        15/825       2/984        43/227       3/960
    rounds b  5/947        0/1000       3/981        0/1000       32/518       2/986
    fewest f  50/76        50/87        50/77        50/115       50/105       16/862
    fewest b  50/60        50/55        50/68        50/56        49/88        30/539

So the default is `fewest`, `backwards`: one more idea than the plain two, and the only one whose
successes did not fade as the row/column boards grew. Of the plain two, forwards is the better way.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias, get_args

import numpy as np

from ponder.limits import NEVER, Limits, TimeUp
from ponder.ordering.greedy_graph import Neighbours
from ponder.ordering.greedy_lines import Lines
from ponder.puzzle.ordering_problem import Order, OrderingProblem, Unknown
from ponder.types import Ints

Variant: TypeAlias = Literal["random", "rounds", "fewest"]
Direction: TypeAlias = Literal["forwards", "backwards"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)

TRIALS = 100
"""Trials unless told otherwise."""
MOST_LISTED = 30_000_000
"""More pairs of neighbours are not listed, where they must be: they take some 100 bytes each."""
RECORDED = 100
"""`statistics["placed"]` lists at most so many trials; best and mean are over all."""


@dataclass(frozen=True)
class Trials:
    """Which trials are made, and at most how many; ValueError for what cannot be.

    The same trials of the same problem give the same answer, time limits apart.

    >>> Trials(count=-1)
    Traceback (most recent call last):
    ValueError: the number of trials is -1; it cannot be negative
    """

    variant: Variant = "fewest"
    direction: Direction = "backwards"
    count: int = TRIALS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"unknown variant {self.variant!r}; known: {', '.join(VARIANTS)}")
        if self.direction not in DIRECTIONS:
            known = ", ".join(DIRECTIONS)
            raise ValueError(f"unknown direction {self.direction!r}; known: {known}")
        if self.count < 0:
            raise ValueError(f"the number of trials is {self.count}; it cannot be negative")


DEFAULT = Trials()
"""What is tried unless told otherwise."""
ONE = Trials(count=1)
"""One trial alone."""


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
    problem: OrderingProblem,
    trials: Trials = DEFAULT,
    limits: Limits = NEVER,
) -> Order | Unknown:
    """Return an order found by greedy trials, else Unknown: never a refusal.

    `statistics`: `variant`, `direction`, `seed`, `presses` (how many there are), `trials` (how
    many were made), `placed` (how many presses each trial placed, the first `RECORDED` trials),
    `best` and `mean` of that over all trials, and `rounds` of the best trial.

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


def greedy_prefix(
    problem: OrderingProblem,
    trials: Trials = ONE,
    limits: Limits = NEVER,
) -> Ints:
    """Return the longest beginning of a build order that backwards trials placed.

    Every vertex in it has t(v) neighbours mod 2 before it. It is a whole build order when all
    vertices are in it; otherwise nothing says that it can be completed, but a prefix of it may
    be: for methods that can tell, and go on from there. ValueError for forwards trials.

    >>> triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> greedy_prefix(triangle).size  # its number of edges is odd: there is no order
    1
    """
    if trials.direction == "forwards":
        raise ValueError(
            "forwards trials place the beginning of a play order, not of a build order"
        )
    return search(problem, trials, limits).placed


def search(
    problem: OrderingProblem,
    trials: Trials = DEFAULT,
    limits: Limits = NEVER,
) -> Campaign:
    """Make trials until one places every press, and return the best; as `order_greedy`.

    >>> triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> campaign = search(triangle, Trials(count=2))
    >>> campaign.placed.size, campaign.statistics["placed"]
    (1, [1, 1])
    """
    rng = Random(trials.seed)
    player: Lines | Neighbours | None = None
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
        placed, steps = _play(player, trials.variant, rng, limits)
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


def _player(problem: OrderingProblem, direction: Direction, limits: Limits) -> Lines | Neighbours:
    """Prepare the problem for trials; TimeUp."""
    lines, forwards = problem.lines, direction == "forwards"
    if lines is None or problem.repeats:  # two copies of a bulb share two lines but one edge
        problem.prepare(limits, MOST_LISTED)
        return Neighbours(problem, forwards=forwards)
    return Lines(lines[0], lines[1], problem.odd.astype(np.int8), forwards=forwards)


def _play(
    player: Lines | Neighbours, variant: Variant, rng: Random, limits: Limits
) -> tuple[list[int] | Ints, int]:
    """Make one trial; return what it placed, in order, and the number of rounds."""
    match variant:
        case "random":
            return player.random(rng, limits)
        case "rounds":
            return player.rounds(rng, limits)
        case "fewest":
            return player.fewest(rng, limits)
