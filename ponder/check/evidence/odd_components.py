"""`odd-components`: what the odd components of every press set cost.

An odd component of a press set needs a pair of presses more, and pairs are saved at few places
(theory §7.3, §7.4); `ponder.check.odd_components` counts both, and has the cost.
"""

from __future__ import annotations

from typing import ClassVar

from ponder.check.evidence.coset import LighterRefuted
from ponder.check.evidence.coset_minimum import odd_presses, only_press_set
from ponder.check.fields import fail, later_parities
from ponder.check.kinds import Bound, Parts
from ponder.check.limits import Budget
from ponder.check.linear import PressSets
from ponder.check.odd_components import Pieces, least_presses
from ponder.check.written import Bulbs
from ponder.model.board import Board
from ponder.system.printable import inflect, pluralise
from ponder.system.types import Ints


class OddComponents(Bound):
    """The odd components of every press set need pairs of presses more than it has.

    `parts` refute press sets of which that says too little; `components` are the odd ones of the
    only press set, for the reader.
    """

    kind = "odd-components"
    theory = "§7.3, §7.4, own proof"
    exact = False
    without_repeats: ClassVar[str | None] = LighterRefuted.says
    parts: Parts
    components: tuple[Bulbs, ...] | None = None

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return what the odd components of all press sets prove, at most `enough`."""

        def needed(near: list[list[int]], sets: PressSets) -> dict[bytes, int]:
            self._check_listed(board, near, sets)
            return {}

        return least_presses(board, command, enough, self.parts, budget, needed)

    def _check_listed(self, board: Board, near: list[list[int]], sets: PressSets) -> None:
        """Check the components that are listed for the reader. They say nothing more."""
        if self.components is None:
            return
        if sets.nullity:
            fail("bound: components are listed, and there is more than one press set")
        pieces = Pieces.of(sets.one, near, later_parities(board, self.kind))
        expected = {frozenset(pieces.members[k]) for k in pieces.odd}
        listed = [frozenset(some.tolist()) for some in self.components]
        if len(listed) != len(expected) or set(listed) != expected:
            fail(f"bound: these are not the {len(expected)} odd components of the press set")

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return what groups of bulbs without an order cost."""
        if presses is None or self.components is None:
            return f"{self.without_repeats}, so each needs more presses than it has bulbs"
        more, odd = pluralise(least - odd_presses(presses), "extra press"), len(self.components)
        groups = f"{pluralise(odd, 'group')} of neighbours in it {inflect(odd, 'has', 'have')}"
        which = f"; {groups} no order, which" if odd else " and no order, which"
        return f"{only_press_set(presses)}{which} costs {more}"

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return what the odd components of the only press set cost, or that those of all do."""
        if presses is None or self.components is None:
            return (
                "every press set of fewer bulbs needs more presses than it has bulbs, for its odd "
                "components or because it has no order"
            )
        odd, only = len(self.components), only_press_set(presses)
        more = pluralise(least - odd_presses(presses), "extra press")
        if not odd:
            return f"{only}, no odd component and no order, which costs {more}"
        which = f"{pluralise(odd, 'odd component')} {inflect(odd, 'costs', 'cost')}"
        return f"{only}; its {which} {more}"
