"""`linear-relaxation`, `neighbourhood-packing`: odd cuts with weights prove a bound, by duality.

An odd cut (v, F) with F ⊆ N[v] and |F| ≢ b(v) says Σ_{N[v] − F} s + Σ_F (1 − s) ≥ 1 of every press
set s. With weights w and a divisor D, D·|s| is at least Σ w·(1 − |F|) + Σ_u min(0, D − the weights
around u, but + for those that have it in F), by the theorem of theory §1.6. Bulbs with b(v) = 1
whose N[v] do not meet are the cuts (v, ∅) with w = D = 1. All press sets have the same parity, to
which a bound may be rounded up. All sums are below n·(D + Σ w), which is held against MOST_NUMBER.

Cost: O(|E|), and the press set that tells the parity.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ponder.check.fields import fail, place
from ponder.check.kinds import Bound
from ponder.check.limits import Budget, fits
from ponder.check.linear import press_sets
from ponder.check.neighbourhoods import beside, closed_sums, query_cost, spend_sums
from ponder.check.written import AnyBulbs, Bulb, Members, Number, Written
from ponder.model.board import Board
from ponder.system.printable import pluralise
from ponder.system.types import Ints

_NS_CUT = 10_000  # nanoseconds for a cut


class OddCut(Written):
    """The v, F ⊆ N[v] (`without`) and weight of Σ_{N[v] − F} s + Σ_F (1 − s) ≥ 1."""

    bulb: Bulb
    without: AnyBulbs
    weight: Number


class LinearRelaxation(Bound):
    """The multipliers of a linear program with odd cuts, over parities of closed neighbourhoods."""

    kind = "linear-relaxation"
    theory = "§1.6, own proof"
    of_orders: ClassVar[bool] = False
    says: ClassVar[str] = "a bound from a linear program holds for every choice of presses"
    argues: ClassVar[str] = (
        "the multipliers of a linear program with odd cuts, added up in whole numbers"
    )
    divisor: Number
    cuts: tuple[OddCut, ...]

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return what the weighted cuts prove of every press set."""
        graph, what = board.graph, f"{self.kind}: adding up {len(self.cuts)} cuts"
        if not self.divisor:
            fail(f"{self.kind}: the divisor is 0")
        looks = sum(cut.without.size > 0 for cut in self.cuts)
        budget.spend(_NS_CUT * len(self.cuts) + query_cost(graph) * looks, what)
        spend_sums(graph, budget, what, 2)
        total = sum(cut.weight for cut in self.cuts)
        fits(4 * (total + self.divisor) * graph.size, "the weights of the cuts")
        around = np.zeros(graph.size, dtype=np.int64)  # the weights of the cuts around each bulb
        apart = np.zeros(graph.size, dtype=np.int64)  # … of those that have it in F
        constant = 0
        for cut in self.cuts:
            self._check_cut(board, cut)
            around[cut.bulb] += cut.weight
            if cut.without.size:
                apart[cut.without] += cut.weight
            constant += cut.weight * (1 - cut.without.size)
        factor = self.divisor - closed_sums(graph, around) + 2 * apart
        least = constant + int(np.minimum(factor, 0).sum(dtype=np.int64))
        proved = max(0, -(-least // self.divisor))
        if enough != proved + 1:
            return proved
        return proved + (proved + int(np.count_nonzero(press_sets(board, budget).one))) % 2

    def _check_cut(self, board: Board, cut: OddCut) -> None:
        graph, v, size = board.graph, cut.bulb, cut.without.size
        if size and not beside(graph, v, cut.without).all():
            name = place(graph.label(v))
            fail(f"{self.kind}: `without` names a bulb that is not beside {name}")
        if size % 2 == int(board.change[v]):
            fail(f"{self.kind}: {size} presses around {place(graph.label(v))} are not forbidden")


class NeighbourhoodPacking(Bound):
    """Bulbs that must change and whose closed neighbourhoods do not meet: each holds a press."""

    kind = "neighbourhood-packing"
    theory = "§1.6, own proof"
    of_orders: ClassVar[bool] = False
    members: Members

    def proves(self, board: Board, command: str, enough: int, budget: Budget) -> int:
        """Return what these cuts prove, each of weight 1."""
        none = self.members[:0]
        cuts = tuple(OddCut(v, none, 1) for v in self.members.tolist())
        return LinearRelaxation(1, cuts).proves(board, command, enough, budget)

    def sentence(self, presses: Ints | None, least: int) -> str | None:
        """Return how many bulbs must change that no press shares."""
        which = ", and no press reaches two of them" if self.members.size > 1 else ""
        return f"{pluralise(self.members.size, 'bulb')} must change{which}"

    def argument(self, presses: Ints | None, least: int) -> str | None:
        """Return the same of closed neighbourhoods."""
        apart = " in closed neighbourhoods that do not meet" if self.members.size > 1 else ""
        return f"{pluralise(self.members.size, 'bulb')} must change{apart}"
