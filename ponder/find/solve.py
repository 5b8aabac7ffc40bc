"""`ponder.solve`: the fewest legal presses, repeats allowed, with a proved lower bound.

Which method answers

    rule `any`                                  `lightest`: order does not matter
    row/column, every t(v) = 0, even × even     `fewest_lines`: one maximum flow, always met
    row/column, every t(v) = 0, odd sizes       `switches` chooses the press set, then the same
    wirings                                     all states, or press sets once each, then `planning`
    everything else                             `fewest`: the decomposition into clusters

A method that ends without a sequence has one played with helpers (`legal_sequence`, theory §2.6).
All are replayed (`driver`). `at_most` asks whether K presses are enough: no is claim C3.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from ponder.check.evidence.bound_evidence import AllStates, BoundByWord, LighterRefuted
from ponder.check.evidence.press_set_refutations import CosetRefuted, States
from ponder.check.evidence.refutation import Refutation
from ponder.check.result import NOT_MET, Result
from ponder.find.driver import Found, Refuted, SearchSettings, SolveSession, has_holes
from ponder.find.linear.press_sets import PressSets
from ponder.find.order import each_once
from ponder.find.search.context import Progress, silent, told
from ponder.find.search.outcome import Chosen, SearchOutcome
from ponder.model.arguments import MOST_SEED, need_board, whole_number
from ponder.model.board import Board
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, LimitReached, Limits, TimeUp
from ponder.system.printable import pluralise
from ponder.system.types import Bits

NEVER_FEWER = 1 << 30  # more presses than any press set has
ONCE = 0.5  # of the time, for the press sets of a wiring once each
PROMPT = 1 << 17  # bulbs of a row/column board that is played however short the time


def solve(
    board: Board,
    *,
    at_most: int | None = None,
    seed: int = 0,
    timeout: float | Limits | None = None,
    progress: Progress | None = None,
    every: bool = False,
) -> Result:
    """Return the fewest legal presses that reach the goal, repeats allowed.

    The verdict is `solved` as soon as there is a sequence; whether it is the shortest says
    `optimal`. With `at_most` it is `impossible` (claim C3) when every sequence has more presses.
    `timeout` is in seconds, or a clock that runs already. Under the rule `any` the bound says how
    many press sets are as light, and with `every` it lists them, where they are few.

    >>> result = solve(Board.from_rows(["0011", "1101", "0110", "0001"]))
    >>> result.count, result.optimal
    (4, True)
    """
    need_board(board)
    if at_most is not None:
        whole_number(at_most, "at_most")
    limits = Limits.of(timeout)
    settings = SearchSettings(
        whole_number(seed, "seed", MOST_SEED), limits, progress or silent, every=every
    )
    run = SolveSession(board, settings, "solve", SearchOutcome("linear", None, 0))
    try:
        found = _search(run, at_most)
    except LimitReached as stopped:
        found = run.stopped(stopped)
    return _verdict(run.result(found), at_most)


def _verdict(result: Result, at_most: int | None) -> Result:
    bound, count = result.lower_bound or 0, result.count
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
    return replace(
        result, verdict="unknown", reason=f"the fewest presses are {between}; {at_most} is open"
    )


def _search(run: SolveSession, at_most: int | None) -> Found:
    sets = run.press_sets()
    if not isinstance(sets, PressSets):
        return sets
    if isinstance(run.board.graph, Wired):
        return _wired(run, run.board.graph, sets, at_most)
    best = _by_lines(run, sets) if run.board.even_lines else None
    if best is None:
        return _by_clusters(run, sets, at_most)
    return _played(run, sets, best) if best.presses is None else best


def _wired(run: SolveSession, graph: Wired, sets: PressSets, at_most: int | None) -> Found:
    """A wiring: all its states where they are few; else press sets once each, then with repeats."""
    from ponder.check.wirings import MOST_LIGHTS, search_states

    if graph.size <= MOST_LIGHTS:
        run.settings.progress(f"searching through 2^{graph.size} states")
        with run.settings.stage("states") as stage:
            way = search_states(run.board, graph, lambda work: run.settings.limits.check())
            if isinstance(way, int):
                return Refuted("states", stage.said(States(way)), "C4")
            return stage.said(SearchOutcome("states", way, way.size, AllStates()))
    limits = run.settings.limits
    first = replace(run, settings=replace(run.settings, limits=limits.sooner(limits.left(ONCE))))
    try:
        found = each_once(first, sets)
    except TimeUp as stopped:
        found = run.stopped(stopped)
    if isinstance(found, Refuted):
        why, chosen = found.why, sets.particular
        parts = why.parts if isinstance(why, CosetRefuted) else ((chosen, why),)
        found = SearchOutcome(found.method, None, NEVER_FEWER, LighterRefuted(parts))
    if isinstance(found.evidence, LighterRefuted) and found.lower_bound is not None:
        # with repeats a refuted press set needs two presses more at least
        lightest = min(int(np.count_nonzero(chosen)) for chosen, _ in found.evidence.parts)
        found = replace(found, lower_bound=min(found.lower_bound, lightest + 2))
    if found.optimal:
        return found
    from ponder.find.fewest.planning import fewest_within_steps

    with run.settings.stage("steps") as stage:
        return stage.said(fewest_within_steps(run.board, graph, found, run.settings, at_most))


def _by_lines(run: SolveSession, sets: PressSets) -> SearchOutcome | None:
    """Row/column boards; None where holes keep the bound from being met or several sets remain."""
    holes = has_holes(run.board)
    if sets.nullity:
        return None if holes else _switches(run, sets)
    best = _pressed(run, sets.particular)
    return best if best.optimal or not holes else None


def _pressed(run: SolveSession, press_set: Bits) -> SearchOutcome:
    """Press one press set of a row/column board (theorem 3); what was known where time is up."""
    from ponder.find.row_column.fewest import fewest_lines

    settings = run.settings
    settings.progress("row/column board: maximum flow and helpers")
    try:
        with settings.stage("lines") as stage:
            best = fewest_lines(run.board, press_set, seed=settings.seed, limits=_prompt(run))
            return stage.said(best)
    except LimitReached as stopped:
        return replace(run.known, method="lines", reason=str(stopped))


def _prompt(run: SolveSession) -> Limits:
    """Return the limits of what comes after a search that may have used up all the time."""
    limits = run.settings.limits
    return NEVER if limits.expired and run.board.graph.size <= PROMPT else limits


def _played(run: SolveSession, sets: PressSets, best: SearchOutcome) -> SearchOutcome:
    """Return what is known with a sequence, where there was none; without, if time is up."""
    from ponder.find.fewest.legal_sequence import legal_sequence
    from ponder.find.fewest.plays import neighbour_index

    board, limits, rng = run.board, _prompt(run), random.Random(run.settings.seed)
    try:
        with run.settings.stage("play") as stage:
            presses = legal_sequence(
                board, sets.particular, neighbour_index(board, limits), rng, limits
            )
            reason = best.reason or NOT_MET
            return stage.said(replace(best, presses=presses, method="play", reason=reason))
    except LimitReached:
        return best


def _switches(run: SolveSession, sets: PressSets) -> SearchOutcome | None:
    choice = run.choose_press_set(sets, once=False)
    if isinstance(choice, Refutation):
        return SearchOutcome("switches", None, 0, reason="no press set was chosen")
    if run.rather_listed(sets, choice):
        return None
    if not isinstance(choice, Chosen):
        presses = _pressed(run, sets.particular).presses
        return replace(choice, presses=presses, lower_bound=choice.lower_bound or 0)
    best = _pressed(run, choice.press_set)
    return replace(
        choice,
        presses=best.presses,
        reason=choice.reason or best.reason or "the bound of the chosen press set was not met",
        statistics={**choice.statistics, **best.statistics},
    )


def _by_clusters(run: SolveSession, sets: PressSets, at_most: int | None) -> SearchOutcome:
    from ponder.find.fewest.fewest_presses import fewest

    settings = run.settings
    with settings.stage("clusters") as stage:
        least = run.known.lower_bound or 0
        best = fewest(run.board, sets, settings, at_most=at_most, least=least)
        return stage.said(best, _who_found(best))


def _who_found(best: SearchOutcome) -> str:
    """Return which stage gave the sequence and what proves the bound, for the log."""
    if best.presses is None or best.evidence is None:
        return told(best)
    found = f"{pluralise(best.count or 0, 'press')} by {best.statistics['sequence_by']}"
    if isinstance(best.evidence, BoundByWord):
        return found
    return f"{found}, at least {best.lower_bound} by {best.evidence.kind}"
