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

Row/column boards. With one parity bit per line (0 at first, or d mod 2 forwards) a press is legal
iff its two bits add up to t(v), and placing it flips both: H's edges, quadratic in a line's
presses, are never made. An independent set is a matching of rows and columns.

Cost of a trial with n presses, expected; k is the number of lines:
                    row/column board         any graph
    random          O(n)                     O(n + |E(H)|)
    rounds          O(n) numpy per round     O(n + |E(H)|) plus the legal presses of every round
    fewest          O(n · line's presses)    O((n + |E(H)|) log n)
On row/column boards `random` and `fewest` draw presses until a legal one comes up; after `_DRAWS`
misses `random` looks through all, and keeps a list of the legal ones once they are rare, and
`fewest` looks through the line. The bounds hold while legal presses are not rare; from then on a
press costs the length of its lines. `fewest` leaves many lines stuck, and is slow beyond some
50,000 presses (3 s there; 500,000 take minutes). Blow-ups (a bulb pressed twice) take the way
for any graph.

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

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from random import Random
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ponder.limits import Limits, TimeUp
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

_DRAWS = 16  # misses before one looks through all candidates
_RARE = 8  # legal presses are rare when fewer than one in so many
_SETUP = 1 << 15  # presses between two looks at the clock while the lists are made
_POLL = 255  # presses between two looks at the clock, as a mask

Ints8: TypeAlias = NDArray[np.int8]
Halt: TypeAlias = Callable[[], bool]
Play: TypeAlias = Callable[[Random, Halt], tuple[list[int] | Ints, int]]


@dataclass(frozen=True, eq=False)
class Trial:
    """One trial: the vertices in the order in which they were placed, and the rounds it took.

    Placed `backwards`, they are the beginning of a build order, that is the end of a play order;
    `forwards`, the beginning of a play order. `rounds` is the number of steps, each of which
    places one press (or, in the variant `rounds`, an independent set).
    """

    placed: Ints
    rounds: int
    direction: Direction


@dataclass(frozen=True, eq=False)
class Campaign:
    """What some trials came to: the one that placed most (the earliest such), and the figures.

    `halted` says that time ran out or that a stop was asked for, maybe within the last trial.
    """

    best: Trial
    statistics: dict[str, object]
    halted: bool


def order_greedy(
    problem: OrderingProblem,
    *,
    variant: Variant = "fewest",
    direction: Direction = "backwards",
    trials: int = TRIALS,
    seed: int = 0,
    timeout: float | Limits | None = None,
    stop: Halt | None = None,
) -> Order | Unknown:
    """Return an order found by at most `trials` greedy trials, else Unknown: never a refusal.

    The same arguments give the same answer, time limits apart. `timeout` is in seconds; `stop` is
    asked from time to time and ends the search when it says True. ValueError for an unknown
    variant or direction or a negative number of trials.

    `statistics`: `variant`, `direction`, `seed`, `presses` (how many there are), `trials` (how
    many were made), `placed` (how many presses each trial placed, the first `RECORDED` trials),
    `best` and `mean` of that over all trials, and `rounds` of the best trial.

    >>> path = OrderingProblem.from_edges(3, [(0, 1), (1, 2)])
    >>> order_greedy(path).vertices.tolist()  # 1 is pressed while both its neighbours are ahead
    [1, 0, 2]
    """
    campaign = search(
        problem,
        variant=variant,
        direction=direction,
        trials=trials,
        seed=seed,
        timeout=timeout,
        stop=stop,
    )
    best = campaign.best
    if best.placed.size == problem.size:
        play = best.placed if direction == "forwards" else best.placed[::-1]
        return Order(play, campaign.statistics)
    made = campaign.statistics["trials"]
    reason = (
        f"{made} greedy trial{'' if made == 1 else 's'} placed at most {best.placed.size} "
        f"of {problem.size} presses"
    )
    if campaign.halted:
        reason += " before the limit was reached"
    return Unknown(reason, campaign.statistics)


def greedy_prefix(
    problem: OrderingProblem,
    *,
    variant: Variant = "fewest",
    trials: int = 1,
    seed: int = 0,
    timeout: float | Limits | None = None,
    stop: Halt | None = None,
) -> Ints:
    """Return the longest beginning of a build order that `trials` backwards trials placed.

    Every vertex in it has t(v) neighbours mod 2 before it. It is a whole build order when all
    vertices are in it; otherwise nothing says that it can be completed, but a prefix of it may
    be: for methods that can tell, and go on from there.

    >>> triangle = OrderingProblem.from_edges(3, [(0, 1), (1, 2), (0, 2)])
    >>> greedy_prefix(triangle).size  # its number of edges is odd: there is no order
    1
    """
    return search(
        problem, variant=variant, trials=trials, seed=seed, timeout=timeout, stop=stop
    ).best.placed


def search(
    problem: OrderingProblem,
    *,
    variant: Variant = "fewest",
    direction: Direction = "backwards",
    trials: int = TRIALS,
    seed: int = 0,
    timeout: float | Limits | None = None,
    stop: Halt | None = None,
) -> Campaign:
    """Make trials until one places every press, and return the best; as `order_greedy`."""
    if variant not in VARIANTS:
        raise ValueError(f"unknown variant {variant!r}; known: {', '.join(VARIANTS)}")
    if direction not in DIRECTIONS:
        raise ValueError(f"unknown direction {direction!r}; known: {', '.join(DIRECTIONS)}")
    if trials < 0:
        raise ValueError(f"the number of trials is {trials}; it cannot be negative")
    limits = Limits.of(timeout)
    halt = _halt(limits, stop)
    rng = Random(seed)
    player: _Lines | _Neighbours | None = None
    best = Trial(np.empty(0, dtype=np.int64), 0, direction)
    recorded: list[int] = []
    made = total = 0
    # The clock is asked before the first trial too: a limit of no time allows no trial.
    while best.placed.size < problem.size and made < trials and not halt():
        if player is None:
            try:
                player = _player(problem, direction, limits)
            except TimeUp:
                break
        play: Play = getattr(player, variant)
        placed, rounds = play(rng, halt)
        made, total = made + 1, total + len(placed)
        if len(recorded) < RECORDED:
            recorded.append(len(placed))
        if len(placed) > best.placed.size:
            best = Trial(np.asarray(placed, dtype=np.int64), rounds, direction)
    statistics: dict[str, object] = {
        "variant": variant,
        "direction": direction,
        "seed": seed,
        "presses": problem.size,
        "trials": made,
        "placed": recorded,
        "best": int(best.placed.size),
        "mean": round(total / made, 3) if made else 0.0,
        "rounds": best.rounds,
    }
    return Campaign(best, statistics, best.placed.size < problem.size and halt())


def _halt(limits: Limits, stop: Halt | None) -> Halt:
    """Return what says whether to give up now."""
    return lambda: limits.expired or (stop is not None and stop())


def _player(problem: OrderingProblem, direction: Direction, limits: Limits) -> _Lines | _Neighbours:
    """Prepare the problem for trials; TimeUp."""
    lines = problem.lines
    if lines is None or problem.repeats:  # two copies of a bulb share two lines but one edge
        problem.prepare(limits, MOST_LISTED)
        return _Neighbours(problem, direction)
    return _Lines(lines[0], lines[1], problem.odd.astype(np.int8), direction)


class _Lines:
    """Plays row/column problems by one parity bit per line.

    Lines are numbered through, rows before columns; only lines with presses occur.
    """

    def __init__(self, rows: Ints, columns: Ints, odd: Ints8, direction: Direction) -> None:
        row_names, rows = np.unique(rows, return_inverse=True)
        column_names, columns = np.unique(columns, return_inverse=True)
        self.row_array, self.column_array = rows, columns + row_names.size
        self.odd_array = odd
        self.lines = row_names.size + column_names.size
        ends = np.concatenate([self.row_array, self.column_array])
        held = np.bincount(ends, minlength=self.lines)
        self.parity_array = (held & (direction == "forwards")).astype(np.int8)
        self.row: list[int] = self.row_array.tolist()
        self.column: list[int] = self.column_array.tolist()
        self.odd: list[int] = odd.tolist()

    def random(self, rng: Random, halt: Halt) -> tuple[list[int], int]:
        row, column, odd = self.row, self.column, self.odd
        parity: list[int] = self.parity_array.tolist()
        left = list(range(len(row)))
        placed: list[int] = []
        uniform = rng.random
        while left:
            for _ in range(_DRAWS):
                k = int(uniform() * len(left))
                v = left[k]
                if parity[row[v]] ^ parity[column[v]] == odd[v]:
                    break
            else:
                legal = [
                    k for k, v in enumerate(left) if parity[row[v]] ^ parity[column[v]] == odd[v]
                ]
                if len(legal) * _RARE < len(left):
                    break
                k = legal[int(uniform() * len(legal))]
                v = left[k]
            placed.append(v)
            left[k] = left[-1]
            left.pop()
            parity[row[v]] ^= 1
            parity[column[v]] ^= 1
            if not len(placed) & _POLL and halt():
                return placed, len(placed)
        # Legal presses have become rare: keep a list of them, at a line's length per press.
        members: list[list[int]] = [[] for _ in range(self.lines)]
        for v in left:
            members[row[v]].append(v)
            members[column[v]].append(v)
        legal = [v for v in left if parity[row[v]] ^ parity[column[v]] == odd[v]]
        _draw_from_list(
            legal, len(row), lambda v: members[row[v]] + members[column[v]], placed, rng, halt
        )
        return placed, len(placed)

    def rounds(self, rng: Random, halt: Halt) -> tuple[Ints, int]:
        generator = np.random.default_rng(rng.getrandbits(64))
        row, column, odd = self.row_array, self.column_array, self.odd_array
        left = np.arange(row.size)
        parity = self.parity_array.copy()
        layers = [left[:0]]
        while True:
            legal = np.flatnonzero((parity[row] ^ parity[column]) == odd)
            if not legal.size or (len(layers) > 1 and halt()):
                break
            layer = legal[_random_matching(row[legal], column[legal], self.lines, generator)]
            parity[row[layer]] ^= 1
            parity[column[layer]] ^= 1
            layers.append(left[layer])
            stays = np.ones(left.size, dtype=np.bool_)
            stays[layer] = False
            left, row, column, odd = left[stays], row[stays], column[stays], odd[stays]
        return np.concatenate(layers), len(layers) - 1

    def fewest(self, rng: Random, halt: Halt) -> tuple[list[int], int]:
        row, column, odd = self.row, self.column, self.odd
        parity: list[int] = self.parity_array.tolist()
        uniform = rng.random
        # The presses left on every line, and where each press stands in its two lists.
        left: list[list[int]] = [[] for _ in range(self.lines)]
        row_place, column_place = [0] * len(row), [0] * len(row)
        for v, (r, c) in enumerate(zip(row, column, strict=True)):
            if v % _SETUP == _SETUP - 1 and halt():
                return [], 0
            row_place[v], column_place[v] = len(left[r]), len(left[c])
            left[r].append(v)
            left[c].append(v)
        # A line's entry is out of date when the line has lost presses since. A line without a
        # legal press is stuck, and out of the queue, until the parity of a line that crosses it
        # in a press changes. It loses no presses meanwhile.
        queue = [(len(presses), uniform(), line) for line, presses in enumerate(left)]
        heapify(queue)
        stuck = [False] * self.lines
        stuck_lines = 0
        placed: list[int] = []
        while queue:
            count, _, line = heappop(queue)
            presses = left[line]
            if count != len(presses) or not count:
                continue
            for _ in range(_DRAWS if count > _DRAWS else 0):
                v = presses[int(uniform() * count)]
                if parity[row[v]] ^ parity[column[v]] == odd[v]:
                    break
            else:
                legal = [v for v in presses if parity[row[v]] ^ parity[column[v]] == odd[v]]
                if not legal:
                    stuck[line] = True
                    stuck_lines += 1
                    continue
                v = legal[int(uniform() * len(legal))]
            placed.append(v)
            for line, place, across in (
                (row[v], row_place, column),
                (column[v], column_place, row),
            ):
                parity[line] ^= 1
                presses = left[line]
                last = presses.pop()
                if last != v:
                    presses[place[v]] = last
                    place[last] = place[v]
                heappush(queue, (len(presses), uniform(), line))
                if stuck_lines:
                    for u in presses:
                        crossing = across[u]
                        if stuck[crossing]:
                            stuck[crossing] = False
                            stuck_lines -= 1
                            heappush(queue, (len(left[crossing]), uniform(), crossing))
            if not len(placed) & _POLL and halt():
                break
        return placed, len(placed)


def _draw_from_list(
    legal: list[int],
    size: int,
    near: Callable[[int], list[int]],
    placed: list[int],
    rng: Random,
    halt: Halt,
) -> None:
    """Place random presses of `legal` until none is left, appending them to `placed`.

    `near(v)` are the presses whose legality v changes, v itself and placed ones allowed.
    """
    # Where a press stands in `legal`: −1 not there, −2 placed.
    place = [-1] * size
    for v in placed:
        place[v] = -2
    for k, v in enumerate(legal):
        place[v] = k
    uniform = rng.random
    while legal:
        v = legal[int(uniform() * len(legal))]
        placed.append(v)
        last = legal.pop()
        if last != v:
            legal[place[v]] = last
            place[last] = place[v]
        place[v] = -2
        for u in near(v):
            k = place[u]
            if k >= 0:
                last = legal.pop()
                if last != u:
                    legal[k] = last
                    place[last] = k
                place[u] = -1
            elif k == -1:
                place[u] = len(legal)
                legal.append(u)
        if not len(placed) & _POLL and halt():
            break


def _random_matching(row: Ints, column: Ints, lines: int, generator: np.random.Generator) -> Ints:
    """Return the positions of presses that are taken, where they fit, in random order.

    No two of them share a line, and no other can be added. A few presses per line, drawn with
    repetition (a repeated one fits no more), make most lines busy; only what still fits then is
    put in order.
    """
    drawn = np.empty(0, dtype=np.int64)
    if row.size > 4 * lines:
        drawn = generator.integers(row.size, size=4 * lines)
    taken = drawn[_matching(row[drawn], column[drawn], lines)]
    busy = np.zeros(lines, dtype=np.bool_)
    busy[row[taken]] = True
    busy[column[taken]] = True
    rest = generator.permutation(np.flatnonzero(~(busy[row] | busy[column])))
    return np.concatenate([taken, rest[_matching(row[rest], column[rest], lines)]])


def _matching(row: Ints, column: Ints, lines: int) -> Ints:
    """Return the positions that going through the presses in order, taking all that fit, takes.

    A press that comes first in its row and in its column among those still open is taken; then
    all that meet one are closed. In random order a few passes suffice.
    """
    first = np.empty(lines, dtype=np.int64)
    busy = np.zeros(lines, dtype=np.bool_)
    taken = [np.empty(0, dtype=np.int64)]
    still = np.arange(row.size)
    while still.size:
        r, c = row[still], column[still]
        # Where an index occurs twice numpy keeps the last value: from behind, the first.
        first[r[::-1]] = still[::-1]
        first[c[::-1]] = still[::-1]
        wins = (first[r] == still) & (first[c] == still)
        taken.append(still[wins])
        busy[r[wins]] = True
        busy[c[wins]] = True
        still = still[~(busy[r] | busy[c])]
    return np.concatenate(taken)


class _Neighbours:
    """Plays any problem by neighbour lists; `wrong[v]` is 1 while v may not be placed."""

    def __init__(self, problem: OrderingProblem, direction: Direction) -> None:
        self.near = problem.neighbours
        degree = np.diff(problem.adjacency[0])
        wrong = problem.odd ^ (degree % 2 == 1) if direction == "forwards" else problem.odd
        self.wrong: list[int] = wrong.astype(np.int8).tolist()

    def random(self, rng: Random, halt: Halt) -> tuple[list[int], int]:
        legal = [v for v, bit in enumerate(self.wrong) if not bit]
        placed: list[int] = []
        _draw_from_list(legal, len(self.near), self.near.__getitem__, placed, rng, halt)
        return placed, len(placed)

    def rounds(self, rng: Random, halt: Halt) -> tuple[list[int], int]:
        near, wrong = self.near, self.wrong.copy()
        done = [False] * len(near)
        legal = [v for v, bit in enumerate(wrong) if not bit]
        placed: list[int] = []
        rounds = 0
        while legal and not (rounds and halt()):
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

    def fewest(self, rng: Random, halt: Halt) -> tuple[list[int], int]:
        near, wrong = self.near, self.wrong.copy()
        left = [len(neighbours) for neighbours in near]
        uniform = rng.random
        # An entry is out of date when its vertex is placed, illegal, or has fewer left since.
        queue = [(left[v], uniform(), v) for v, bit in enumerate(wrong) if not bit]
        heapify(queue)
        placed: list[int] = []
        while queue:
            count, _, v = heappop(queue)
            if wrong[v] or left[v] != count:
                continue
            placed.append(v)
            wrong[v] = 2  # for good: neighbours flip the low bit only
            for u in near[v]:
                wrong[u] ^= 1
                left[u] -= 1
                if not wrong[u]:
                    heappush(queue, (left[u], uniform(), u))
            if not len(placed) & _POLL and halt():
                break
        return placed, len(placed)
