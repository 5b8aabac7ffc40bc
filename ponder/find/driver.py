"""One way from a board to its `Result`, for `ponder.order` and for `ponder.solve`.

A command is a list of stages. Each takes what is asked (`SolveSession`) and what is known (`Known`)
and returns what is known then; the first that has an answer is the last. Both begin with these:

    linear            the press sets; where there is none, the odd witness says so (claim C4)
    find_dead_end     where the rule allows no first press, or no last one, that is why (claim C4,
                      too): the only obstacle to a sequence with repeats where there is a press set
                      (theory §2.6)
    bound_soon        a lower bound, before a search among many press sets
    any_order         under the rule `any` every order is legal, and the lightest press set wins
    choose_switches   full rectangles with an odd side: a press set and its half factor together

Where time or memory ends a stage, the answer is what was known before it, and the verdict is
`unknown`. What is a solver's word becomes a remark: no claim rests on it. And no sequence leaves
unchecked: `result` plays it on the board by `ponder.check`.

Every method leaves a `Step` in the log, which is what `--explain` prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from ponder.check.evidence.coset_minimum import UniquePressSet
from ponder.check.evidence.odd_witness import OddWitness
from ponder.check.kinds import Refutation
from ponder.check.replay import replay
from ponder.check.result import CP_SAT_SAYS, Result, Verdict
from ponder.find.linear.press_sets import press_sets
from ponder.find.ordering.dead_ends import dead_end
from ponder.find.search.context import TELLING
from ponder.find.search.outcome import (
    BoundByWord,
    Chosen,
    Found,
    IntegerModel,
    SearchOutcome,
    Steps,
    ended,
    improving,
)
from ponder.find.session import Known, SolveSession
from ponder.model.wired_graph import Wired
from ponder.system.errors import without_ortools
from ponder.system.limits import LimitReached, Limits, TimeUp
from ponder.system.printable import pluralise

REPLAYING = 0.5  # seconds for the replay of a sequence when the time is up already, and TELLING
BUILDING_SECONDS = 8e-7  # to order, replay and print a chosen press set, per bulb
KEPT = 0.04  # of the time, at least, for that: a step of a choice may take 0.5 s
UNIQUE: UniquePressSet = UniquePressSet()  # the evidence for the bound that the only press set is


Stages: TypeAlias = Iterable[Callable[[SolveSession, Known], "Known | Steps[Known]"]]


def run(session: SolveSession, known: Known, stages: Stages) -> Result:
    """Go from stage to stage until one has an answer, or a limit ends it; return the result."""
    return ended(found_by(session, known, stages))


def found_by(session: SolveSession, known: Known, stages: Stages) -> Steps[Result]:
    """Do that; yield what is known on the way, whenever that is more."""
    return improving(_found_by(session, known, stages), session.progress)


def result_of(session: SolveSession, known: Known, found: Found) -> Result:
    """Return what is known on the way as a result; its bound has no evidence yet."""
    presses = None
    with suppress(LimitReached):
        presses = found.play()
    so_far = SearchOutcome(session.method, presses, found.lower_bound, reason="the search goes on")
    return result(session, known.answered(so_far))


def _found_by(session: SolveSession, known: Known, stages: Stages) -> Steps[Result]:
    told = 0
    try:
        for stage in stages:
            made = stage(session, known)
            known = made if isinstance(made, Known) else (yield from made)
            if known.answer is not None:
                break
            least = known.bound.lower_bound or 0
            if least > told:
                yield Found(None, least, lambda: None)
                told = least
    except LimitReached as why:
        known = known.stopped(session, why)
    return result(session, known)


# ----------------------------------------------------------------- what both commands begin with


def linear(session: SolveSession, known: Known) -> Known:
    """Find the press sets, or that there are none."""
    session.progress("solving the linear system")
    with session.stage("linear") as stage:
        sets = press_sets(known.board, session.limits)
        if isinstance(sets, OddWitness):
            return known.refuted("linear", stage.said(sets, "no press set: odd witness"), "C4")
        presses = int(np.count_nonzero(sets.particular))
        which = f"one of 2^{sets.nullity}" if sets.nullity else "the only press set"
        stage.said(sets, f"{which}, {pluralise(presses, 'press')}")
    bound = known.bound if sets.nullity else SearchOutcome("linear", None, presses, UNIQUE)
    return replace(known, solved=sets, bound=bound)


def find_dead_end(session: SolveSession, known: Known) -> Known:
    """Find a piece of the board that no legal sequence can change as it must."""
    # who asks for a method, or for proofs in files, wants a reason of that kind
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
    from ponder.find.cosets.coset import SEARCHED
    from ponder.find.cosets.lower_bounds import quick_lower_bound, raised_bound, remainder_of

    known = replace(known, remainder=remainder_of(board, sets, session.limits))
    if sets.nullity <= SEARCHED:
        return known  # all of them are weighed as soon
    found = quick_lower_bound(board, sets, session)
    if found is None or found.lower_bound is None:
        return known
    found = raised_bound(found, known.remainder, most_presses(session, known))
    if board.rule == "any":  # the press set found on the way is an answer: no order matters
        return replace(known, bound=found)
    if found.presses is not None:  # a light one is a good one to begin with
        known = replace(known, solved=replace(sets, particular=board.graph.set_of(found.presses)))
    return replace(known, bound=replace(found, presses=None))


def most_presses(session: SolveSession, known: Known) -> int | None:
    """Return how many presses a sequence has at most that presses each bulb once, where it must."""
    return known.board.graph.presses if session.command == "order" else None


def any_order(session: SolveSession, known: Known) -> Steps[Known]:
    """Find the lightest press set, under the rule `any`."""
    board, bound = known.board, known.bound
    if board.rule != "any":
        return known
    if bound.optimal and not session.every:
        return known.answered(bound)
    from ponder.find.cosets.minimum_weight import lightest_found

    with session.stage("lightest") as stage:
        least = bound.lower_bound or 0
        found = yield from lightest_found(board, known.sets, session, least, session.every)
        stage.said(found)
    lighter = bound.count is not None and (found.count is None or bound.count < found.count)
    return known.answered(replace(found, presses=bound.presses) if lighter else found)


def choose_switches(session: SolveSession, known: Known) -> Known:
    """Choose the press set together with its half factor, on a full rectangle with an odd side.

    `order` asks for one whose bulbs can be ordered (theory §4.9, `ponder.find.switching.choose`).
    What is left open for want of OR-tools is no choice where all press sets can be weighed.
    """
    board, sets = known.board, known.sets
    asked = session.method not in ("auto", "lines")
    if asked or not sets.nullity or not board.even_lines or not board.full_lines:
        return known
    from ponder.find.cosets.coset import listed_in_time
    from ponder.find.switching.choose import choose

    session.progress(f"choosing among 2^{sets.nullity} press sets")
    once = session.command == "order"
    kept = max(BUILDING_SECONDS * board.graph.size, session.limits.left(KEPT) or 0.0)
    shorter = replace(session, limits=session.limits.before(kept))
    with session.stage("switches") as stage:
        choice = choose(board, sets.particular, once=once, context=shorter)
        if isinstance(choice, Refutation):
            stage.said(choice)
        elif isinstance(choice, Chosen):
            stage.said(choice, f"{choice.cost} presses, at least {choice.lower_bound}")
        else:
            stage.said(choice, choice.reason or "")
    if isinstance(choice, IntegerModel):
        reason, said = "CP-SAT says no, which is not proved", choice.sentence(board)
        remark: dict[str, object] = {CP_SAT_SAYS: said}
        return known.answered(SearchOutcome("switches", reason=reason, statistics=remark))
    if isinstance(choice, Refutation):
        return known.refuted("switches", choice, "C2", sets.particular)
    met = choice.lower_bound == getattr(choice, "cost", None)
    bound = SearchOutcome("switches", None, choice.lower_bound, choice.evidence)
    if isinstance(choice.evidence, BoundByWord):  # an unproved bound becomes a remark
        what = "no order of single presses" if once else "no legal sequence"
        fewer = pluralise(choice.lower_bound or 0, "press")
        remark = {CP_SAT_SAYS: f"{what} has fewer than {fewer}"}
        bound = SearchOutcome("switches", None, None if once else 0, statistics=remark)
        remarks = {**choice.statistics, **remark}
        choice = replace(choice, lower_bound=bound.lower_bound, evidence=None, statistics=remarks)
    if isinstance(choice, Chosen):
        known = replace(known, bound=bound)
    if not met and without_ortools() and listed_in_time(sets.nullity, session.limits):
        return known
    return replace(known, choice=choice)


SHARED = (linear, find_dead_end, bound_soon, any_order, choose_switches)

# --------------------------------------------------------------------- from an answer to a result


def result(session: SolveSession, known: Known) -> Result:
    """Return the answer as a result, once its presses are replayed."""
    found, bound = known.answer, known.bound
    assert found is not None
    if found.refutation is None and (bound.lower_bound or 0) > (found.lower_bound or 0):
        found = replace(found, lower_bound=bound.lower_bound, evidence=bound.evidence)
    if known.remainder is not None and found.refutation is None:
        from ponder.find.cosets.lower_bounds import raised_bound

        found = raised_bound(found, known.remainder, most_presses(session, known))
    if found.presses is not None:
        # a search that ran until the limit, or nearly so, must not lose what it found
        late, left = REPLAYING + found.presses.size * TELLING, session.limits.left()
        try:
            replay(known.board, found.presses, Limits(None if left is None else max(left, late)))
        except TimeUp as stopped:
            found = replace(found, presses=None, reason=str(stopped))
    played: Verdict = "unknown" if found.presses is None else "solved"
    return Result(
        session.command,
        known.board,
        played if found.claim is None else "impossible",
        found.method,
        found.claim,
        found.presses,
        found.lower_bound,
        found.evidence,
        found.refutation,
        found.counts,
        reason=None if found.optimal or found.claim else _reason(known, found),
        seed=session.seed,
        seconds=session.limits.elapsed,
        statistics=found.statistics,
        steps=session.log.steps,
    )


def _reason(known: Known, found: SearchOutcome) -> str | None:
    """Return why the presses are not proved to be fewest."""
    many = known.solved is not None and known.solved.nullity > 0
    said = "OR-tools" in (found.reason or "") or isinstance(known.board.graph, Wired)
    lacking = without_ortools() if many and not said else None
    return "; ".join(filter(None, (found.reason, lacking))) or None
