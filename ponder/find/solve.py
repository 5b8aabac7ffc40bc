"""`ponder.solve`: the fewest legal presses, repeats allowed, with a proved lower bound.

Which method answers

    rule `any`                                  `lightest`: order does not matter
    row/column, every t(v) = 0, even × even     `fewest_lines`: one maximum flow, always met
    row/column, every t(v) = 0, odd sizes       `odd_sides` chooses the press set, then the same
    wirings                                     all states, or press sets once each
    everything else                             `search_coset`: one search over all press sets

A method that ends without a sequence has one played with helpers (`plays`, theory §2.6). All are
replayed (`stages`). `at_most` asks whether K presses are enough: no is claim C3.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from typing import cast

import numpy as np

from ponder.check.members import Members
from ponder.check.result import NOT_MET, Result, Solved, Unsolved
from ponder.find.context import (
    Known,
    Progress,
    SearchOutcome,
    SolveSession,
    told_to,
)
from ponder.find.coset.plays import legal_sequences, neighbours_of
from ponder.find.order import order, press_once, search_all_states
from ponder.find.row_column.fewest import fewest_lines
from ponder.find.stages import SHARED, improving, result_of, run, search_coset
from ponder.model.arguments import MOST_SEED, need_board, whole_number
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.errors import BadArgument
from ponder.system.limits import NEVER, Cancel, LimitReached, Limits
from ponder.system.types import Place

NEVER_FEWER = 1 << 30  # more presses than any press set has
PROMPT = 1 << 17  # bulbs of a row/column board that is played however short the time


def solve(
    board: Board[Place],
    *,
    at_most: int | None = None,
    seed: int = 0,
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    every: bool = False,
) -> Solved[Place] | Unsolved[Place]:
    """Return the fewest legal presses that reach the goal, repeats allowed.

    Parameters
    ----------
    at_most
        Ask whether that many presses suffice: `impossible` (claim C3) if every sequence has more.
    seed
        Of every random choice: the same seed gives the same answer, time limits aside.
    timeout
        Seconds, or a clock that runs already.
    cancel
        An event or a function, as of `order`; the best answer so far is returned.
    progress
        Called with a line now and then.
    every
        Under the rule `any`, list all press sets that are as light, where they are few.

    Returns
    -------
    Solved or Unsolved
        The verdict is `solved` as soon as there is a sequence; `optimal` says whether it is proved
        that none is shorter, and `lower_bound` what is proved otherwise. With the goal `pressed`
        it is the result of `order`.

    >>> result = solve(Board.from_rows(["0011", "1101", "0110", "0001"]))
    >>> result.count, result.optimal
    (4, True)
    """
    asked = _session(board, at_most, seed, Limits.begin(timeout, cancel), progress, every)
    if board.pressed:
        return order(board, seed=seed, timeout=asked.limits, progress=progress)
    result = run(asked, Known(board, SearchOutcome("linear", None, 0)), STAGES)
    return cast("Solved[Place] | Unsolved[Place]", _verdict(asked, result))


def search(
    board: Board[Place],
    *,
    at_most: int | None = None,
    seed: int = 0,
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> Generator[Solved[Place] | Unsolved[Place], None, None]:
    """Yield what `solve` finds, whenever fewer presses or a higher bound are known.

    Takes the arguments of `solve`. Each result has a replayed sequence, if one is known, and the
    bound proved so far. The last result is that of `solve`; only it has the evidence for the bound.
    The time limit runs on between two results; close the generator to stop early.

    >>> for found in search(Board.from_rows(["00000", "01010", "00000"], "plus")):
    ...     found.lower_bound, found.count, found.optimal
    (0, 9, False)
    (5, 9, False)
    (5, 5, True)
    """
    asked = _session(board, at_most, seed, Limits.begin(timeout, cancel), progress)
    results = _results(asked, Known(board, SearchOutcome("linear", None, 0)))
    return cast("Generator[Solved[Place] | Unsolved[Place], None, None]", results)


def _results(asked: SolveSession, known: Known) -> Generator[Result, None, None]:
    if known.board.pressed:
        yield order(known.board, seed=asked.seed, timeout=asked.limits, progress=asked.progress)
        return
    with closing(improving(asked, known, STAGES)) as steps:
        while True:
            try:
                outcome = next(steps)
            except StopIteration as end:
                yield _verdict(asked, end.value)
                return
            yield result_of(asked, known, outcome)


def _session(
    board: Board,
    at_most: int | None,
    seed: int,
    limits: Limits,
    progress: Progress | None,
    list_all: bool = False,
) -> SolveSession:
    need_board(board)
    if at_most is not None:
        whole_number(at_most, "at_most")
        if board.pressed:
            raise BadArgument("the goal is to press every bulb exactly once", "at_most")
    return SolveSession(
        seed=whole_number(seed, "seed", MOST_SEED),
        limits=limits,
        progress=told_to(progress),
        command="solve",
        list_all=list_all,
        at_most=at_most,
    )


def _verdict(asked: SolveSession, result: Result) -> Result:
    bound, count, at_most = result.lower_bound or 0, result.count, asked.at_most
    if result.verdict == "impossible":  # there is no sequence of any length
        return result
    if at_most is None:
        return result if count is None else replace(result, claim="C3")
    result = replace(result, at_most=at_most, reason=None)
    if count is not None and count <= at_most:
        return replace(result, verdict="solved", claim="C3")
    if bound > at_most:
        return replace(result, verdict="impossible", claim="C3", presses=None)
    between = f"between {bound} and {count}" if count is not None else f"at least {bound}"
    reason = asked.helped(f"the fewest presses are {between}; {at_most} is open")
    return replace(result, verdict="unknown", reason=reason)


def press_wiring(session: SolveSession, known: Known) -> Known:
    """A wiring of many lights: its press sets, each button once."""
    if not isinstance(known.board.graph, Wired):
        return known
    outcome = press_once(session, known).answer
    assert outcome is not None
    if (why := outcome.refutation) is not None:
        parts = why.parts if isinstance(why, Members) else ((known.sets.particular, why),)
        reason = "no sequence was looked for that presses a button again"
        outcome = SearchOutcome(outcome.method, None, NEVER_FEWER, Members(parts), reason)
    if isinstance(outcome.evidence, Members) and outcome.lower_bound is not None:
        # with repeats a refuted press set needs two presses more at least
        lightest = min(int(np.count_nonzero(chosen)) for chosen, _ in outcome.evidence.parts)
        outcome = replace(outcome, lower_bound=min(outcome.lower_bound, lightest + 2))
    return known.answered(outcome)


def press_lines(session: SolveSession, known: Known) -> Known:
    """Row/column boards, but for holes that keep the bound from being met or many press sets."""
    board, sets, choice = known.board, known.sets, known.choice
    if not board.even_lines or (choice is None and sets.nullity):
        return known
    chosen = sets.particular if choice is None else choice.press_set
    session.progress("row/column board: maximum flow and helpers")
    try:
        with session.stage("lines") as stage:
            limits = _prompt(session, board)
            best = stage.said(fewest_lines(board, chosen, seed=session.seed, limits=limits))
    except LimitReached as stopped:
        best = replace(known.bound, method="lines", reason=str(stopped))
    if choice is None and not board.full_lines and not best.optimal:
        return known
    if choice is not None:
        reason = choice.reason or best.reason or "the bound of the chosen press set was not met"
        statistics = {**choice.statistics, **best.statistics}
        best = replace(choice, presses=best.presses, reason=reason, statistics=statistics)
    return known.answered(_played(session, known, best) if best.presses is None else best)


def _played(session: SolveSession, known: Known, best: SearchOutcome) -> SearchOutcome:
    """Return the outcome with a legal sequence added; unchanged if time is up."""
    board, rng, limits = known.board, random.Random(session.seed), _prompt(session, known.board)
    try:
        with session.stage("play") as stage:
            near = neighbours_of(board, limits)
            plays = legal_sequences(board, known.sets.particular, near, rng, limits)
            presses = min(plays, key=lambda play: play.size, default=None)
            reason = best.reason or NOT_MET
            return stage.said(replace(best, presses=presses, method="play", reason=reason))
    except LimitReached:
        return best


def _prompt(session: SolveSession, board: Board) -> Limits:
    """Return the limits of what comes after a search that may have used up all the time."""
    return NEVER if session.limits.expired and board.graph.size <= PROMPT else session.limits


STAGES = (*SHARED, search_all_states, press_wiring, press_lines, search_coset)
