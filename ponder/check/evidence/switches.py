"""`switches`: the count bound, or weighted cuts, for every even choice of the lines to switch.

On a full row/column rectangle with an odd side and every t(v) = 0 the press sets are those of some
*settings*, whose costs are found by `ponder.check.switches` (theory §4.9 to §4.11, §4.14). All
settings of a small count bound are gone through. Cost: that of these, and O(RC) for a cut.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ponder.check.fields import fail, set_of_lines
from ponder.check.kinds import Bound
from ponder.check.limits import Budget
from ponder.check.linear import press_sets
from ponder.check.switches import IMPOSSIBLE, Rectangle, SwitchSettings, WeightedCut, weighted
from ponder.check.written import Lines, Number, Side, Written
from ponder.model.board import Board
from ponder.system.types import Ints

_NS_RAISED = 60_000  # nanoseconds for a setting, however small
_NS_BULB = 30  # … and for a bulb of it


class RaisedParities(Written):
    """Odd lines of one kind, and cuts with weights (multiples of 1/`divisor`) for that choice."""

    odd_lines: Lines
    divisor: Number
    cuts: tuple[WeightedCut, ...]


class Switches(Bound):
    """Full row/column rectangles with an odd side: no choice of the lines to switch needs fewer.

    The count bound reaches the bound for every even choice of the lines on the `side` to be
    switched, save for those in `raised`, where the weighted cuts are more than the bound − 2.
    """

    kind = "switches"
    theory = "§4.9 to §4.11, §4.14, own proof"
    exact = False
    argues: ClassVar[str] = (
        "the count bound, or weighted cuts, for every even choice of the lines to switch"
    )
    side: Side
    raised: tuple[RaisedParities, ...]

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return what the settings prove, at most `enough`: no press set costs less."""
        base = press_sets(board, budget).one
        rectangle = Rectangle.of(board, base, self.side, "bound: switches")
        parity = int(np.count_nonzero(base)) & 1
        most = enough - 2 + (enough + parity) % 2  # costs have the parity of |x₀|: more is enough
        settings_of = SwitchSettings(rectangle, command)
        raised = self._raised(rectangle, command, budget)
        named = np.array(sorted(raised), dtype=np.int64)
        proved = np.array([raised[setting] for setting in named.tolist()], dtype=np.int64)
        proved += (proved + parity) % 2
        least = enough
        for settings, costs in settings_of.cheap(most, budget.of_board):
            here = np.isin(named, settings)
            at = np.searchsorted(settings, named[here])
            costs[at] = np.maximum(costs[at], proved[here])
            least = min(least, int(costs.min(initial=IMPOSSIBLE)))
        return least

    def _raised(self, rectangle: Rectangle, command: str, budget: Budget) -> dict[int, int]:
        """Return the settings that have weighted cuts, with what these prove of them."""
        what = "switches: raised"
        found: dict[int, int] = {}
        work = len(self.raised) * (_NS_RAISED + _NS_BULB * rectangle.grid.size)
        budget.spend(work, f"{what}: {len(self.raised)} settings")
        for one in self.raised:
            odd_rows = set_of_lines(one.odd_lines, len(rectangle.grid), f"{what}: odd_lines")
            setting = rectangle.setting(odd_rows)
            if setting is None:
                fail(f"{what}: in no press set these {rectangle.side} are odd, and no others")
            if setting in found:
                fail(f"{what}: the same odd lines twice")
            if not one.divisor:
                fail(f"{what}: the divisor is 0")
            value = weighted(rectangle, odd_rows, one.cuts, one.divisor, command, budget)
            found[setting] = -(-value // one.divisor)
        return found

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what was tried."""
        return f"every combination of switched {self.side} was tried, and none needs fewer"
