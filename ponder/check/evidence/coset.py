"""`coset`: every press set, or every lighter one, is refuted by one of some parts.

A part is a press set with a refutation of its own. One that depends on a scope alone refutes every
press set that agrees with it there; on row/column boards with every t(v) = 0 those whose numbers of
odd rows and odd columns differ need no part (theory §3.6). A press set without an order needs two
presses more than it has, or what its lines call for (§4.5). Of more than 2^20 press sets those with
an odd component need no part either (§3.1). Cost: that of the parts, and of `ponder.check.coset`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ponder.check.coset import MOST_NULLITY, Coset
from ponder.check.coset_parts import lighter_members
from ponder.check.fields import fail
from ponder.check.kinds import Bound, Claim, Parts, Refutation, Refuted, check_part
from ponder.check.limits import Budget
from ponder.check.linear import press_sets
from ponder.check.local_refutations import LocalRefutation
from ponder.check.odd_components import members_left
from ponder.check.written import Whole
from ponder.model.board import Board
from ponder.model.graph import CrossGraph
from ponder.system.errors import quoted
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints, Json


class CosetRefuted(Refutation):
    """Every press set is refuted, by `parts`. There are `press_sets` of them, 2^d."""

    kind = "coset"
    claim: ClassVar[Claim | None] = "C2"
    of_press_set: ClassVar[bool] = False
    theory = "§1.1, §3.1, §3.6, §7.8, §7.9 and those of its parts"
    of_wirings: ClassVar[bool] = True
    explained: ClassVar[tuple[str, ...]] = (
        "There are several ways to choose the presses. Each was ruled out by a reason of its own, "
        "and the picture shows the first. So no order exists.",
    )
    press_sets: Whole | None
    parts: Parts

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check that the parts, or line counts, leave none of the press sets."""
        parts = [check_part(board, part, budget) for part in self.parts]
        coset = Coset.of(board, press_sets(board, budget))
        if self.press_sets not in (None, coset.size):
            fail(f"coset: there are {coset.size} press sets, not {quoted(self.press_sets)}")
        return Refuted(counts, unchecked=all_refuted(coset, parts, budget))

    def sentence(self, board: Board) -> str:
        """Return what is wrong with every choice of presses."""
        if len(self.parts) == 1 and self._by_parts_alone:
            return f"however you choose the presses, {self.parts[0][1].sentence(board)}"
        if self.press_sets is None:
            return "every way to choose the presses was ruled out"
        return f"there are {self.press_sets} ways to choose the presses, and each was ruled out"

    def argument(self, board: Board) -> str:
        """Return how many press sets fall to which argument."""
        parts = len(self.parts)
        many = "" if self.press_sets is None else f" {self.press_sets}"
        every = "both press sets" if self.press_sets == 2 else f"all{many} press sets"
        if self._by_parts_alone:
            if parts == 1:
                return f"in {every} " + self.parts[0][1].argument(board)
            if parts:
                return f"{every} contain one of {parts} refuted components each"
        if not isinstance(board.graph, CrossGraph) and not self._few:
            refuted = f", or one of {parts} refuted components" if parts else ""
            return f"{every} have an odd component{refuted}"
        if not parts:
            return f"in {every} the numbers of odd rows and odd columns differ"
        return (
            f"of the{many} press sets, {parts} {inflect(parts, 'is', 'are')} refuted "
            "one by one; in all others the numbers of odd rows and odd columns differ"
        )

    @property
    def _few(self) -> bool:
        """Whether each has to agree with a part."""
        return False

    @property
    def _by_parts_alone(self) -> bool:
        """Whether every press set agrees with a part that depends on a scope alone."""
        return self._few and all(isinstance(why, LocalRefutation) for _, why in self.parts)

    @property
    def bulbs(self) -> Ints | None:
        """The bulbs of the only pattern, where one is enough."""
        return self.parts[0][1].bulbs if len(self.parts) == 1 else None

    def marks(self, board: Board) -> Json:
        """Return the marks of the first part, and how many more there are."""
        if not self.parts:
            return {}
        marks, others = self.parts[0][1].marks(board), len(self.parts) - 1
        if others and "label" in marks:
            marks["label"] = f"{marks['label']}; {others} more like it"
        return marks


def all_refuted(coset: Coset, parts: Sequence[Refuted], budget: Budget) -> str | None:
    """Check that every press set is refuted; return why a part was not checked, if so."""
    left = members_left(coset, parts, budget)
    if left:
        lightest = min(np.count_nonzero(coset.member(index)) for index in left)
        fail(
            f"{len(left)} of the board's {coset.size} press sets are not refuted, "
            f"one of them with {lightest} presses"
        )
    return next((part.unchecked for part in parts if part.unchecked), None)


class LighterRefuted(Bound):
    """Every lighter press set is refuted, as in the refutation of that name."""

    kind = "coset"
    theory = "§3.6, §4.5, own proof, and those of its parts"
    of_wirings: ClassVar[bool] = True
    says: ClassVar[str] = "no press set of fewer bulbs has an order"
    parts: Parts

    def check(self, board: Board, command: str, bound: int, budget: Budget) -> str | None:
        """Check that every press set of fewer presses is refuted, and needs as many."""
        coset = Coset.of(board, press_sets(board, budget))
        parts = [check_part(board, part, budget) for part in self.parts]
        if len(coset.basis) <= MOST_NULLITY:
            members, weights = None, coset.weights(budget)
        else:
            members, weights = lighter_members(coset, bound, budget)
        extra = coset.extra(parts, budget, members)
        open_ = (weights + extra < bound) & ((extra == 0) | (command == "solve"))
        if open_.any():
            fail(
                f"bound: {np.count_nonzero(open_)} press sets may need fewer than "
                f"{quoted(bound)} presses, one of them {(weights + extra)[open_].min()}"
            )
        return next((part.unchecked for part in parts if part.unchecked), None)

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return how many refutations there are."""
        return f"all lighter press sets are refuted ({pluralise(len(self.parts), 'refutation')})"
