"""One way from a board to its `Result`, for `ponder.order` and for `ponder.solve`.

A command is a list of stages. Each takes what is asked (`SolveSession`) and what is known (`Known`)
and returns what is known then; the first that has an answer is the last. Both begin with these:

    linear          the press sets; where there is none, the odd witness says so (claim C4)
    find_dead_end   where the rule allows no first press, or no last one, that is why (claim C4)
    bound_soon      the presses modulo 4, and a packing where the press sets cannot be listed
    any_order       under the rule `any` every order is legal, and the lightest press set wins
    choose_lines    row/column boards with an odd side: a press set and its half factor together

Where time or memory ends a stage, or Ctrl-C, the answer is what its search knows by then
(`SolveSession.best_so_far`). No sequence leaves unchecked: `result` replays it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from ponder.check.certificate import Refutation
from ponder.check.coset import Lightest
from ponder.check.replay import replay
from ponder.check.result import Result, Verdict
from ponder.check.witness import Witness
from ponder.find.context import (
    TELLING,
    Chosen,
    Known,
    SearchOutcome,
    Snapshot,
    SolveSession,
    Steps,
    ended,
    told,
)
from ponder.find.linear.press_sets import press_sets
from ponder.find.ordering.blocks import dead_end
from ponder.model.wired_graph import Wired
from ponder.system.limits import LimitReached, Limits, TimeUp
from ponder.system.printable import pluralise

REPLAYING = 0.5  # seconds for the replay of a sequence when the time is up already, and TELLING
BUILDING_SECONDS, KEPT = 8e-7, 0.04  # to order a chosen press set: a bulb, and of the time left
UNIQUE = Lightest()  # the evidence for the bound that the only press set is

Stages: TypeAlias = Iterable[Callable[[SolveSession, Known], "Known | Steps[Known]"]]


def run(session: SolveSession, known: Known, stages: Stages) -> Result:
    """Go from stage to stage until one has an answer, or a limit ends it; return the result."""
    return ended(improving(session, known, stages))


def improving(session: SolveSession, known: Known, stages: Stages) -> Steps[Result]:
    """Do that; tell of what is known on the way, and yield it, whenever that is more."""
    count, bound = None, 0
    try:
        for stage in stages:
            session.best_so_far = None
            step = stage(session, known)
            if isinstance(step, Known):
                known = step
                least = known.bound.lower_bound or 0
                if known.answer is None and least > bound:
                    bound = least
                    best = Snapshot(None, least, lambda: None)
                    session.progress(str(best))
                    yield best
            else:
                with closing(step):
                    while True:
                        try:
                            best = next(step)
                        except StopIteration as end:
                            known = end.value
                            break
                        fewer = best.count is not None and (count is None or best.count < count)
                        if fewer or best.lower_bound > bound:
                            count = best.count if fewer else count
                            bound = max(bound, best.lower_bound)
                            best = replace(best, lower_bound=bound)
                            session.progress(str(best))
                            yield best
            if known.answer is not None:
                break
    except (LimitReached, KeyboardInterrupt) as stopped:
        if session.best_so_far is None and isinstance(stopped, KeyboardInterrupt):
            raise
        why = str(stopped) or "interrupted"
        if session.best_so_far is not None:
            known = known.answered(session.best_so_far(why))
        else:
            method = "linear" if known.solved is None else session.method
            known = known.answered(replace(known.bound, method=method, reason=why))
    answer = result(session, known)
    if answer.verdict == "unknown":
        answer = replace(answer, reason=session.helped(answer.reason))
    return answer


def result_of(session: SolveSession, known: Known, state: Snapshot) -> Result:
    """Return what is known on the way as a result; its bound has no evidence yet."""
    presses = None
    with suppress(LimitReached):
        presses = state.play()
    so_far = SearchOutcome(session.method, presses, state.lower_bound, reason="the search goes on")
    return result(session, known.answered(so_far))


# ----------------------------------------------------------------- what both commands begin with


def linear(session: SolveSession, known: Known) -> Known:
    """Find the press sets, or that there are none."""
    session.progress("solving the linear system")
    with session.stage("linear") as stage:
        sets = press_sets(known.board, session.limits)
        if isinstance(sets, Witness):
            return known.refuted("linear", stage.said(sets, "no press set: odd witness"), "C4")
        presses = int(np.count_nonzero(sets.particular))
        which = f"one of 2^{sets.nullity}" if sets.nullity else "the only press set"
        stage.said(sets, f"{which}, {pluralise(presses, 'press')}")
    bound = known.bound if sets.nullity else SearchOutcome("linear", None, presses, UNIQUE)
    return replace(known, solved=sets, bound=bound)


def find_dead_end(session: SolveSession, known: Known) -> Known:
    """Find a piece of the board that no legal sequence can change as it must."""
    # a method that was asked for, or proofs in files, want a reason of that kind
    asked = session.method != "auto" or session.solver_settings is not None
    if asked or isinstance(known.board.graph, Wired):
        return known
    dead = dead_end(known.board, session.prompt(known.board.graph.size))
    return known if dead is None else known.refuted("dead end", dead, "C4")


def bound_soon(session: SolveSession, known: Known) -> Known:
    """Prove a quick lower bound before the search among many press sets."""
    board, sets = known.board, known.sets
    if not sets.nullity or isinstance(board.graph, Wired):
        return known
    from ponder.find.coset.bounds import packing_bound, raised_bound, remainder_of
    from ponder.find.coset.by_weight import WEIGHED, WHOLE

    known = replace(known, remainder=remainder_of(board, sets))
    left = session.limits.left()
    if sets.nullity <= (WEIGHED if left is None else WHOLE):
        return known
    bound = packing_bound(board, sets, session)
    if bound is not None:
        bound = raised_bound(bound, known.remainder, most_presses(session, known))
        known = replace(known, bound=bound)
    return known


def most_presses(session: SolveSession, known: Known) -> int | None:
    """Return how many presses a sequence has at most that presses each bulb once, where it must."""
    return known.board.graph.presses if session.command == "order" else None


def any_order(session: SolveSession, known: Known) -> Known | Steps[Known]:
    """Find the lightest press set, under the rule `any`."""
    board = known.board
    if board.rule != "any":
        return known
    from ponder.find.coset.by_weight import WHOLE
    from ponder.find.row_column.odd_sides import has_odd_side

    if known.sets.nullity > WHOLE and has_odd_side(board):
        chosen = choose_lines(session, known)
        choice = chosen.choice
        if choice is not None and choice.cost == choice.lower_bound:
            presses = np.flatnonzero(choice.press_set)
            return known.answered(replace(choice, presses=presses, method="lightest"))
    return _lightest(session, known)


def _lightest(session: SolveSession, known: Known) -> Steps[Known]:
    from ponder.find.coset.minimum_weight import LightestSearch

    with session.stage("lightest") as stage:
        least, list_all = known.bound.lower_bound or 0, session.list_all
        search = LightestSearch(known.board, known.sets, session, least=least, list_all=list_all)
        session.best_so_far = search.outcome
        outcome = yield from search.run()
        return known.answered(stage.said(outcome))


def choose_lines(session: SolveSession, known: Known) -> Known:
    """Choose the press set together with its half factor, on a full rectangle with an odd side.

    Where no bound is met, and all press sets can be weighed, another search decides.
    """
    board, sets, limits = known.board, known.sets, session.limits
    asked = session.method not in ("auto", "lines")
    if asked or not sets.nullity:
        return known
    from ponder.find.coset.by_weight import WHOLE
    from ponder.find.row_column.odd_sides import OddSides, Question, has_odd_side

    if not has_odd_side(board) or not (board.even_lines or board.rule == "any"):
        return known
    session.progress(f"choosing among 2^{sets.nullity} press sets")
    question: Question = "any" if board.rule == "any" else session.command
    kept = max(BUILDING_SECONDS * board.graph.size, limits.left(KEPT) or 0.0)
    shorter = replace(session, limits=limits.before(kept))
    choice = OddSides(board, sets.particular, question, shorter)
    reason = None
    with session.stage("switches") as stage:
        try:
            choice.run()
        except (LimitReached, KeyboardInterrupt) as stopped:
            reason = str(stopped) or "interrupted"
        outcome = choice.outcome(reason)
        summary = outcome.reason or "" if isinstance(outcome, SearchOutcome) else ""
        if isinstance(outcome, Chosen):
            summary = f"{outcome.cost} presses, at least {outcome.lower_bound}"
        stage.said(outcome, summary)
    if isinstance(outcome, Refutation):
        return known.refuted("switches", outcome, "C2", sets.particular)
    if outcome.lower_bound:
        known = replace(
            known, bound=SearchOutcome("switches", None, outcome.lower_bound, outcome.evidence)
        )
    unmet = outcome.lower_bound != getattr(outcome, "cost", None)
    if unmet and sets.nullity <= WHOLE and not limits.expired:
        return known  # they are listed
    return (
        replace(known, choice=outcome) if isinstance(outcome, Chosen) else known.answered(outcome)
    )


SHARED = (linear, find_dead_end, bound_soon, any_order, choose_lines)


def search_coset(session: SolveSession, known: Known) -> Steps[Known]:
    """Search all press sets of any board, best first: pressed once each, or with repeats."""
    from ponder.find.coset.search import CosetSearch

    once = session.command == "order"
    with session.stage("coset" if once else "clusters") as stage:
        search = CosetSearch(session, known)
        session.best_so_far = search.outcome
        answer = yield from search.run()
        summary = told(answer)
        if once:
            verdict = "open" if answer.presses is None else "ordered"
            verdict = verdict if answer.refutation is None else "refuted"
            summary = f"{verdict}, 2^{known.sets.nullity} press sets"
        elif answer.evidence is not None:
            summary += f" by {answer.evidence.kind}; the sequence by {search.best.by}"
        return known.answered(stage.said(answer, summary))


# --------------------------------------------------------------------- from an answer to a result


def result(session: SolveSession, known: Known) -> Result:
    """Return the answer as a result, once its presses are replayed."""
    outcome, bound = known.answer, known.bound
    assert outcome is not None
    if outcome.refutation is None:
        if (bound.lower_bound or 0) > (outcome.lower_bound or 0):
            outcome = replace(outcome, lower_bound=bound.lower_bound, evidence=bound.evidence)
        if known.remainder is not None:
            from ponder.find.coset.bounds import raised_bound

            outcome = raised_bound(outcome, known.remainder, most_presses(session, known))
    if outcome.count == 0:
        outcome = replace(outcome, lower_bound=0)  # as many as nothing at all needs
    if outcome.presses is not None:
        # a search that ran until the limit, or nearly so, must not lose what it found
        late, left = REPLAYING + outcome.presses.size * TELLING, session.limits.left()
        try:
            replay(known.board, outcome.presses, Limits(None if left is None else max(left, late)))
        except TimeUp as stopped:
            outcome = replace(outcome, presses=None, reason=str(stopped))
    played: Verdict = "unknown" if outcome.presses is None else "solved"
    return Result(
        session.command,
        known.board,
        played if outcome.claim is None else "impossible",
        outcome.method,
        outcome.claim,
        outcome.presses,
        outcome.lower_bound,
        outcome.evidence,
        outcome.refutation,
        outcome.counts,
        reason=None if outcome.optimal or outcome.claim else session.reason or outcome.reason,
        seed=session.seed,
        seconds=session.limits.elapsed,
        statistics=outcome.statistics,
        steps=session.log.steps,
    )
