"""`coset-minimum`, `unique-press-set`: no press set is lighter, by the weights of all of them.

Every legal sequence presses each bulb of some press set. Their weights come from one transform
(theory §7.8), or where that is long from lists on parts of the board (§7.16), or by patterns of
lines (§1.8); where the nullity is 0 there is only one (§1.1). Cost: that of `coset.least_weight`,
of `coset_parts`, or of `line_patterns`.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from ponder.check.coset import MOST_WEIGHED
from ponder.check.coset_parts import MOST_RANK, least_weight
from ponder.check.fields import fail
from ponder.check.kinds import Bound
from ponder.check.limits import Budget, TooLarge
from ponder.check.line_patterns import light_press_sets
from ponder.check.linear import press_sets, unique_press_set
from ponder.check.neighbourhoods import reaches_goal, spend_sums
from ponder.check.written import AnyBulbs, Number
from ponder.model.board import Board
from ponder.system.errors import quoted
from ponder.system.printable import pluralise
from ponder.system.types import Ints


class CosetMinimum(Bound):
    """The lightest press set has as many presses; so have `press_sets`, maybe all `listed`."""

    kind = "coset-minimum"
    theory = "§7.8, §7.16, §1.8, own proof"
    of_orders, of_wirings = False, True
    press_sets: Number | None = None
    listed: tuple[AnyBulbs, ...] | None = None

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return the least weight, after counting how many have it where that is said."""
        found = press_sets(board, budget, 2 * MOST_RANK)
        light = None
        if found.nullity > MOST_WEIGHED:  # too many to weigh: by patterns of lines, or in parts
            with suppress(TooLarge):
                light = light_press_sets(board, found.one, enough + 1, budget)
        if light is None:
            least, count = least_weight(board.graph, found.one, found.quiet, budget)
        else:
            weights = np.count_nonzero(light, axis=1)
            least = int(weights.min(initial=enough))
            count = int(np.count_nonzero(weights == least))
        if self.press_sets not in (None, count):
            said = quoted(self.press_sets)
            fail(f"coset-minimum: {count} press sets have {least} presses, not {said}")
        if self.listed is not None:
            self._check_listed(board, least, count, budget)
        return least

    def _check_listed(self, board: Board, least: int, count: int, budget: Budget) -> None:
        listed, different = self.listed or (), set()
        budget.hold(len(listed) * board.graph.size, "the press sets that are listed")
        spend_sums(board.graph, budget, "the press sets that are listed", len(listed))
        for bulbs in listed:
            press_set = board.graph.set_of(bulbs)
            if bulbs.size != least or not reaches_goal(board, press_set.astype(np.int64)):
                fail(f"coset-minimum: a press set that is listed is none of {least} presses")
            different.add(press_set.tobytes())
        if len(different) != count:
            fail(f"coset-minimum: {len(different)} press sets are listed, there are {count}")

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return how many press sets have as few bulbs."""
        if self.press_sets == 1 and presses is not None:
            return "no other press set has as few bulbs"
        if self.press_sets is None or self.press_sets == 1:
            return "no press set has fewer bulbs"
        return f"no press set has fewer bulbs, and {self.press_sets:,} have as few"


class UniquePressSet(CosetMinimum):
    """There is only one press set, and every sequence presses each of its bulbs."""

    kind = "unique-press-set"
    theory = "§1.1, own proof"

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return how many bulbs it has."""
        return int(np.count_nonzero(unique_press_set(board, budget)))

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return how many bulbs it has."""
        return None if presses is None else only_press_set(presses)


def only_press_set(presses: Ints) -> str:
    """Return how many bulbs the only press set has, by presses that lead to the goal."""
    if bulbs := odd_presses(presses):
        return f"the only press set has {pluralise(bulbs, 'bulb')}"
    return "the goal is already reached"  # nor is there another one where this is said


def odd_presses(presses: Ints) -> int:
    """Return how many bulbs are pressed an odd number of times."""
    times = np.zeros(presses.max(initial=-1) + 1, dtype=np.uint8)
    np.add.at(times, presses, np.uint8(1))  # modulo 256
    return int(np.count_nonzero(times % 2))
