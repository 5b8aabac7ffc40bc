"""Full row/column rectangles with an odd side: one press set is chosen among many.

The press set and its half factor are chosen together (theory §4.9, `ponder.switching.choose`); what
follows, an order of that press set or its fewest presses, is for the command that asked.
"""

from __future__ import annotations

from ponder.linear.press_sets import PressSets
from ponder.pipeline.driver import Run
from ponder.puzzle.answer import Best, Chosen
from ponder.puzzle.refutation import Refutation

BUILDING_SECONDS = 8e-7
"""What a press set that was chosen takes to be ordered, replayed and printed, per bulb."""
KEPT = 0.04
"""At least this part of the time is kept for that: a step of a choice may take half a second."""


def choose_press_set(run: Run, sets: PressSets, *, once: bool) -> Best | Refutation:
    """Choose a press set for `run`, with `once` one whose bulbs can be ordered.

    Some time is left for what follows. From then on `run` knows the bound, whatever else ends it.
    """
    from ponder.switching.choose import choose

    settings, board = run.settings, run.board
    settings.progress(f"choosing among 2^{sets.nullity} press sets")
    kept = max(BUILDING_SECONDS * board.graph.size, settings.limits.left(KEPT) or 0.0)
    with settings.stage("switches") as stage:
        choice = choose(
            board,
            sets.particular,
            once=once,
            timeout=settings.limits.before(kept),
            seed=settings.seed,
            progress=settings.progress,
        )
        if isinstance(choice, Refutation):
            return stage.said(choice)
        if not isinstance(choice, Chosen):
            return stage.said(choice, choice.reason or "")
        stage.said(choice, f"{choice.cost} presses, at least {choice.lower_bound}")
    run.known = Best("switches", None, choice.lower_bound, choice.evidence)
    return choice
