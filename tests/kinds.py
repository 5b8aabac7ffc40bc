"""The kinds of evidence by their words, and their checks alone, for the tests of the checker."""

from __future__ import annotations

import numpy as np

from ponder.check.kinds import Bound, Refutation, Refuted, check_part, read_kind, read_part
from ponder.check.limits import Budget
from ponder.check.local_refutations import LocalRefutation
from ponder.check.result import COMMANDS
from ponder.check.written import Reading
from ponder.model.board import Board
from ponder.system.types import Bits, Ints, Json

REFUTATIONS = tuple(Refutation.kinds())
EVIDENCE = tuple(Refutation.of_claims(None))
OF_ALL_PRESS_SETS = tuple(Refutation.of_claims("C1", "C2"))
LOCAL = tuple(LocalRefutation.kinds())
BOUNDS = {command: tuple(Bound.of_command(command)) for command in COMMANDS}


def check_refutation(board: Board, content: Json, budget: Budget | None = None) -> Refuted:
    """Check a refutation of a press set, or of all by one of them, as it stands in a file."""
    budget = budget or Budget()
    kinds = Refutation.of_claims("C1", "C2")
    part = read_part(Reading(board, budget), content, "refutation", kinds)
    return check_part(board, part, budget)


def check_of_board(board: Board, content: Json) -> None:
    """Check a refutation of all sequences."""
    why = read_kind(Refutation.of_claims("C4"), Reading(board), content, "refutation")
    why.check(board, np.zeros(0, dtype=np.int64), Budget())


def check_local(board: Board, counts: Ints, content: Json, budget: Budget | None = None) -> Bits:
    """Check a local refutation of press counts; return its scope."""
    budget = budget or Budget()
    why = read_kind(LocalRefutation.kinds(), Reading(board, budget), content, "refutation")
    scope = why.check(board, counts, budget).scope
    assert scope is not None
    return scope
