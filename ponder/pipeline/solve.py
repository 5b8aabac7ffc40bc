"""`ponder.solve`: the fewest legal presses, repeats allowed, with a proved lower bound.

Which method answers

    rule `any`                                  `lightest`: order does not matter
    row/column, every t(v) = 0, even × even     `fewest_lines`: one maximum flow, always met
    row/column, every t(v) = 0, odd sizes       `switches` chooses the press set, then the same
    everything else                             `shortest`: the decomposition into clusters

The sequence is replayed before it leaves, and `optimal` is said only where its length meets the
bound. `at_most` asks whether K presses are enough: yes with a sequence, no (claim C3) with a bound
above K.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ponder.check.replay import replay
from ponder.errors import NeedsMemory
from ponder.limits import Limits, TimeUp
from ponder.linear.press_sets import PressSets, press_sets
from ponder.pipeline.one_press_set import Progress
from ponder.pipeline.order import BUILDING_SECONDS, has_half_factors, refuse_all_neighbours
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph
from ponder.puzzle.refutation import OddWitness, Refutation
from ponder.puzzle.result import Result
from ponder.types import Ints, Json

REPLAYING = 0.5
"""Seconds for the replay of a sequence when the time is up already."""


@dataclass(frozen=True, eq=False)
class Found:
    """What a method knows when it stops: its best sequence, its bound, and why not more."""

    method: str
    presses: Ints | None
    lower_bound: int
    bound: Json | None = None
    statistics: dict[str, object] | None = None
    reason: str = "the limits were reached before sequence and bound met"


def solve(
    board: Board,
    *,
    at_most: int | None = None,
    seed: int = 0,
    timeout: float | Limits | None = None,
    progress: Progress | None = None,
) -> Result:
    """Return the fewest legal presses that reach the goal, repeats allowed.

    The verdict is `solved` as soon as there is a sequence; whether it is the shortest says
    `optimal`. With `at_most` the verdict is `impossible` (claim C3) when every sequence has more
    presses, and `unknown` when neither is settled. `timeout` is in seconds, or a clock that runs
    already.

    >>> result = solve(Board.from_rows(["0011", "1101", "0110", "0001"]))
    >>> result.count, result.optimal
    (4, True)
    """
    limits = Limits.of(timeout)
    base = Result(command="solve", board=board, verdict="unknown", method="linear", seed=seed)
    try:
        found = _found(board, at_most, seed, limits, progress or (lambda text: None))
    except (TimeUp, NeedsMemory) as stopped:
        found = Found(base.method, None, 0, reason=str(stopped))
    if isinstance(found, Refutation):
        return replace(
            base,
            verdict="impossible",
            claim="C4",
            method=base.method if isinstance(found, OddWitness) else "dead end",
            refutation=found,
            seconds=limits.elapsed,
        )
    result = replace(
        base,
        method=found.method,
        presses=found.presses,
        lower_bound=found.lower_bound,
        bound=found.bound,
        statistics=found.statistics or {},
        seconds=limits.elapsed,
    )
    return _verdict(result, at_most, found.reason)


def _verdict(result: Result, at_most: int | None, reason: str) -> Result:
    """Say what the sequence and the bound prove."""
    bound, count = result.lower_bound or 0, result.count
    if at_most is None:
        if count is None:
            return replace(result, verdict="unknown", reason=reason)
        ended = None if result.optimal else reason
        return replace(result, verdict="solved", claim="C3", reason=ended)
    result = replace(result, at_most=at_most)
    if count is not None and count <= at_most:
        return replace(result, verdict="solved", claim="C3")
    if bound > at_most:
        return replace(result, verdict="impossible", claim="C3", presses=None)
    between = f"between {bound} and {count}" if count is not None else f"at least {bound}"
    return replace(
        result, verdict="unknown", reason=f"the fewest presses are {between}; {at_most} is open"
    )


def _found(
    board: Board, at_most: int | None, seed: int, limits: Limits, say: Progress
) -> Found | Refutation:
    """Return what is known when the search ends, a sequence replayed; TimeUp, NeedsMemory."""
    say("solving the linear system")
    sets = press_sets(board, limits)
    if isinstance(sets, OddWitness):
        return sets
    found = _search(board, sets, at_most, seed, limits, say)
    if isinstance(found, Found) and found.presses is not None:
        try:
            # a search that ran until the limit must not lose what it found
            replay(board, found.presses, Limits(REPLAYING) if limits.expired else limits)
        except TimeUp as stopped:
            return replace(found, presses=None, reason=str(stopped))
    return found


def _search(
    board: Board,
    sets: PressSets,
    at_most: int | None,
    seed: int,
    limits: Limits,
    say: Progress,
) -> Found | Refutation:
    """Choose the method."""
    if board.rule == "any":
        from ponder.linear.minimum_weight import lightest

        light = lightest(board, sets, seed=seed, timeout=limits, progress=say)
        return Found("lightest", light.presses, light.lower_bound, light.evidence, light.statistics)
    found = _by_lines(board, sets, seed, limits, say) if has_half_factors(board) else None
    if found is not None:
        return found
    from ponder.fewest.fewest_presses import fewest

    refuse_all_neighbours(board)
    best = fewest(board, sets, at_most=at_most, seed=seed, timeout=limits, progress=say)
    if isinstance(best, Refutation):
        return best
    return Found(
        "clusters",
        best.presses,
        best.lower_bound,
        best.evidence,
        best.statistics,
        reason=best.reason or "no legal sequence was found",
    )


def _by_lines(
    board: Board, sets: PressSets, seed: int, limits: Limits, say: Progress
) -> Found | None:
    """Row/column boards; None where holes keep the bound from being met or several sets remain."""
    holes = isinstance(board.graph, CrossGraph) and board.graph.mask is not None
    if not holes and sets.nullity:
        return _switches(board, sets, seed, limits, say)
    if sets.nullity:
        return None
    found = _one_press_set(board, sets, seed, limits, say)
    met = found.presses is not None and found.presses.size == found.lower_bound
    return found if met or not holes else None


def _one_press_set(
    board: Board, sets: PressSets, seed: int, limits: Limits, say: Progress
) -> Found:
    """Row/column boards with one press set: theorem 3."""
    from ponder.cross.fewest import fewest_lines

    say("row/column board: maximum flow and helpers")
    best = fewest_lines(board, sets.particular, seed=seed, limits=limits)
    return Found("lines", best.presses, best.lower_bound, best.bound, best.statistics)


def _switches(board: Board, sets: PressSets, seed: int, limits: Limits, say: Progress) -> Found:
    """Row/column boards with an odd side: choose the press set, then press it."""
    from ponder.cross.fewest import fewest_lines
    from ponder.cross.switching import Choice, choose

    say(f"choosing among 2^{sets.nullity} press sets")
    search = limits.before(BUILDING_SECONDS * board.graph.size)
    choice = choose(board, sets.particular, once=False, timeout=search, seed=seed, progress=say)
    if not isinstance(choice, Choice):
        if isinstance(choice, Refutation):  # never: every press set counts
            return Found("switches", None, 0, reason="no press set was chosen")
        return Found("switches", None, choice.lower_bound, choice.bound, reason=choice.reason)
    best = fewest_lines(board, choice.press_set, seed=seed, limits=limits)
    return Found(
        choice.method,
        best.presses,
        choice.lower_bound,
        choice.bound,
        {**choice.statistics, **best.statistics},
        reason=choice.reason or "the bound of the chosen press set was not met",
    )
