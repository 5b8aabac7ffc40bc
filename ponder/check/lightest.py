"""`lightest`: no press set is lighter, by the weights of all of them.

Every legal sequence presses each bulb of some press set. Their weights come from one transform
(theory §7.8), or beyond 2^32 press sets from the patterns of lines (§1.8). Where the nullity is 0
there is only one press set (§1.1). Cost: that of `coset.least_weight`, or of `line_patterns`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ponder.check.caps import TooLarge, demand
from ponder.check.certificate import Bound
from ponder.check.coset import BY_LINES, MOST_WEIGHED, least_weight
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import reaches_goal
from ponder.check.reader import bulbs, count, fail, sequence
from ponder.model.board import Board
from ponder.system.errors import quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Ints, Json

MOST_LISTED = 1 << 16


@dataclass(frozen=True, eq=False)
class Lightest(Bound):
    """The lightest press set has as many bulbs; so many `press_sets` have, maybe all `listed`."""

    kind = "lightest"
    of_orders: ClassVar[bool] = False
    of_wirings: ClassVar[bool] = True
    press_sets: int | None = None
    listed: tuple[Ints, ...] | None = None

    def fields(self, board: Board) -> Json:
        """Return the number of press sets, and the list."""
        told: Json = {} if self.press_sets is None else {"press_sets": self.press_sets}
        if self.listed is not None:
            told["listed"] = [board.graph.labels(bulbs) for bulbs in self.listed]
        return told

    @classmethod
    def read(cls, board: Board, content: Json) -> Self:
        """Read the number of press sets, and the list."""
        told, listed = content.get("press_sets"), content.get("listed")
        number = None if told is None else count(told, "lightest: press_sets")
        if listed is None:
            return cls(number)
        rows = sequence(listed, "lightest: listed", MOST_LISTED)
        return cls(number, tuple(bulbs(board.graph, row, "lightest: listed") for row in rows))

    def proves(self, board: Board, command: str, enough: int, limits: Limits = NEVER) -> int:
        """Return the least weight, and check how many press sets have it."""
        sets = press_sets(board, limits)
        light = None
        if sets.nullity > BY_LINES:
            try:
                light = light_press_sets(board, sets.one, enough + 1, limits)
            except TooLarge:
                demand(sets.nullity, MOST_WEIGHED, "binary digits of the number of press sets")
        if light is None:
            least, number = least_weight(sets.one, sets.quiet, limits)
        else:
            weights = np.count_nonzero(light, axis=1)
            least = int(weights.min(initial=enough))
            number = int(np.count_nonzero(weights == least))
            if not number:  # none is as light as is claimed, so it is not the least weight
                fail(f"lightest: no press set has {quoted(enough)} bulbs or fewer")
        if self.press_sets not in (None, number):
            said = quoted(self.press_sets)
            fail(f"lightest: {number} press sets have {least} presses, not {said}")
        if self.listed is not None:
            self._check_listed(board, least, number, limits)
        return least

    def _check_listed(self, board: Board, least: int, number: int, limits: Limits) -> None:
        different = set()
        for row in limits.over(self.listed or (), 1):
            press_set = board.graph.set_of(row)
            if row.size != least or not reaches_goal(board, press_set):
                fail(f"lightest: a press set that is listed is none of {least} presses")
            different.add(press_set.tobytes())
        if len(different) != number:
            fail(f"lightest: {len(different)} press sets are listed, there are {number}")

    def check_bound(
        self, board: Board, command: str, bound: int, limits: Limits = NEVER
    ) -> str | None:
        """Check that the bound is the least weight itself."""
        proved = self.proves(board, command, bound, limits)
        if bound != proved:
            fail(f"bound: {self.kind} proves {proved}, not {quoted(bound)}")
        return None
