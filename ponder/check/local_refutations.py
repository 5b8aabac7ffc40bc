"""The refutations that live on a set B of pressed bulbs: by the checker's own walk around B.

B is a component of the pressed graph, or a part of one. A *piece* is a connected set of pressed
bulbs outside B, as large as possible. Each that touches B must touch a single bulb c ∈ B, pressed
once. The parity that a piece P forces on c, |E(P ∪ c)| + |T ∩ P| mod 2, is added to t(c), giving
t_B(c) (theory §3.3); the rule of the kind is applied to B and t_B. That holds for every press set
that agrees with this one on the *scope* N[K], K = B and its pieces (§3.6).

Letters: m press counts; the vertices are presses: a bulb pressed m(v) times is m(v) mutually
adjacent vertices with the same neighbours and the same t, each with closed_sums(m on B)(v) − 1
neighbours in B. On a wiring the presses of B hear no others (§2.9). Sums: those over a piece are
Python's; the pairs of MOST_PRESSES fit 64 bits.
Cost: O(cells) + O(bulbs of the pieces · degree), and that of the kind.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeAlias

import numpy as np

from ponder.check.fields import fail, later_parities, place
from ponder.check.kinds import Refutation, Refuted
from ponder.check.limits import FREE, Budget, TooLarge
from ponder.check.neighbourhoods import (
    NS_WIRE,
    closed_sums,
    listing_cost,
    ordering_problem,
    spend_sums,
)
from ponder.check.written import Members
from ponder.model.board import Board
from ponder.model.graph import Graph
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.system.printable import pluralise
from ponder.system.types import Bits, Ints, Json, Label, distinct

Some: TypeAlias = Collection[int]

MOST_PRESSES = 1 << 30  # presses of B; bulbs pressed more than once are few, so no board comes near
MOST_PAIRS = 400  # pairs of neighbours that are marked at most; more of them would hide the board


@dataclass(frozen=True, eq=False)
class Block:
    """The presses of B alone: `members`, how often each is pressed, its neighbours in B, t_B."""

    graph: Graph
    members: Ints
    counts: Ints
    degrees: Ints
    odd: Bits

    def none_is(self, place_: str, able: Bits) -> None:
        """Check that none of the members can be pressed in a place, the first or the last."""
        if able.any():
            bulb = place(self.graph.label(int(self.members[np.argmax(able)])))
            fail(f"no-{place_}-press: {bulb} can be the {place_} of them")


class BlockRefutation(Refutation):
    """Base of the refutations that live on a set B of pressed bulbs.

    B is a component of the pressed graph H, or a part of one such that every piece of the component
    outside B hangs on a single bulb of B, pressed once. All copies of a bulb are in B together.
    """

    of_wirings: ClassVar[bool] = True
    members: Members

    @abstractmethod
    def check_block(self, block: Block, budget: Budget) -> None:
        """Check that the presses of B, and no others, have no order. Raises CheckFailed."""

    def renamed(self, name: Callable[[Ints], Ints]) -> Self:
        """Return the same about bulbs that are called otherwise."""
        return replace(self, members=name(self.members))

    def check(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check the rule of the kind on B. It depends on N[K]."""
        spend_sums(board.graph, budget, "all the local evidence", 4)
        if (counts[self.members] == 0).any():
            idle = int(self.members[np.argmax(counts[self.members] == 0)])
            fail(f"{self.kind}: the bulb {place(board.graph.label(idle))} is not pressed")
        if isinstance(board.graph, Wired):
            return self._check_wired(board, counts, budget)
        inside, later = board.graph.set_of(self.members), later_parities(board, self.kind)
        odd, component = later.copy(), inside.copy()
        open_ = f"{self.kind}: the bulbs are not closed: presses outside of them"
        for piece, contacts, forces in hanging_pieces(board.graph, counts, inside, later, budget):
            names = [place(label) for label in board.graph.labels(sorted(contacts)[:2])]
            if len(names) > 1:
                fail(f"{open_} connect {names[0]} and {names[1]}")
            (contact,) = contacts
            if counts[contact] > 1:
                fail(f"{open_} hang on {names[0]}, which is pressed {counts[contact]} times")
            odd[contact] ^= forces
            component[piece] = True
        self.check_block(block_of(board, np.where(inside, counts, 0), odd), budget)
        return Refuted(counts, closed_sums(board.graph, component) > 0)

    def _check_wired(self, board: Board, counts: Ints, budget: Budget) -> Refuted:
        """Check the same of a press set of a wiring."""
        problem = ordering_problem(board, counts, budget)
        if problem.plain:
            every = np.ones(problem.size, dtype=np.int64)
            at = self.renamed(lambda bulbs: np.searchsorted(problem.bulbs, np.sort(bulbs)))
            at.check(problem.board, every, budget)
        else:
            self.check_one_way(problem, budget)
        return Refuted(counts)

    def check_one_way(self, problem: OrderingProblem, budget: Budget) -> None:
        """Check that presses of which some hear others one way have no order."""
        fail(f"{self.kind} says nothing of presses that hear others one way")

    def marks(self, board: Board) -> Json:
        """Return B, outlined, and its pairs of neighbours."""
        pairs = pairs_within(board, self.members)
        return {
            "groups": [{"style": "outline", "bulbs": board.graph.labels(self.members)}],
            "pairs": pairs if len(pairs) <= MOST_PAIRS else [],
            "label": pluralise(self.members.size, "bulb"),
        }


class LocalRefutation(BlockRefutation):
    """Base of those that say no more than B: a rule, which B breaks."""

    hears_others: ClassVar[bool] = False  # on a wiring, what the presses of B may do

    @classmethod
    @abstractmethod
    def check_block(cls, block: Block, budget: Budget) -> None:
        """Check that the presses of B, and no others, have no order. Raises CheckFailed."""

    @classmethod
    @abstractmethod
    def impossible(
        cls, members: Some, hears: Sequence[Some], odd: Sequence[bool], budget: Budget = FREE
    ) -> bool:
        """Whether presses of a wiring, which hear no others, meet the condition of this kind."""

    def check_one_way(self, problem: OrderingProblem, budget: Budget) -> None:
        """Check the condition of this kind."""
        members = np.searchsorted(problem.bulbs, np.sort(self.members)).tolist()
        hears, odd = problem.heard_lists, problem.odd.tolist()
        budget.spend(NS_WIRE * sum(map(len, hears)), "looking at who hears whom")
        if not (self.hears_others or {*members}.issuperset(u for v in members for u in hears[v])):
            fail(f"{self.kind}: one of the presses hears another that is not named")
        if not self.impossible(members, hears, odd, budget):
            fail(f"{self.kind}: it is not so")


def block_of(board: Board, counts: Ints, odd: Bits) -> Block:
    """Return the presses of B, whose counts are given, with the parities `odd`. Raises TooLarge."""
    size = int(counts.sum())
    if size > MOST_PRESSES:
        raise TooLarge(f"{size} presses are too many to count their pairs")
    members = np.flatnonzero(counts)
    degrees = closed_sums(board.graph, counts)[members] - 1
    return Block(board.graph, members, counts[members], degrees, odd[members])


def pairs_within(board: Board, bulbs: Ints) -> list[list[Label]]:
    """Return the pairs of neighbours among some bulbs; on a wiring, those one of which hears."""
    graph, among = board.graph, distinct(bulbs)
    if isinstance(graph, Wired):
        hears = enumerate(graph.hears(among))
        pairs = sorted({(min(v, u), max(v, u)) for v, some in hears for u in some})
        return [graph.labels(among[[*pair]]) for pair in pairs]
    return [graph.labels(among[pair]) for pair in graph.edges_within(among)]


def these_presses(bulbs: int) -> str:
    """Return what an argument calls B."""
    return f"these {bulbs} pressed bulbs" if bulbs > 1 else "the presses of this bulb"


def none_can_be(place: str, bulbs: int) -> str:
    """Return that none of the bulbs can be pressed in a place, the first or the last."""
    if bulbs == 1:
        return f"no press of this bulb can be its {place}"
    return f"none of these {bulbs} bulbs can be the {place} of them to be pressed"


def hanging_pieces(
    graph: Graph, counts: Ints, inside: Bits, odd: Bits, budget: Budget
) -> Iterator[tuple[list[int], set[int], bool]]:
    """Yield the pieces that touch B = `inside`, the bulbs touched, the parity that each forces."""
    outside = (counts > 0) & ~inside
    seen = np.zeros(graph.size, dtype=np.bool_)
    for start in np.flatnonzero(outside & (closed_sums(graph, inside) > 0)).tolist():
        if seen[start]:
            continue
        seen[start] = True
        members, contacts = [start], set()
        twice_within = to_contact = odd_presses = 0
        for v in members:  # grows while it is walked through
            budget.spend(listing_cost(graph, v), "walking around the local evidence")
            near, m = graph.neighbours(v), int(counts[v])
            beside = near[outside[near]]
            touched = near[inside[near]]
            twice_within += m * (int(counts[beside].sum()) + m - 1)
            to_contact += m * int(counts[touched].sum())
            odd_presses += m if odd[v] else 0
            contacts.update(touched.tolist())
            new = beside[~seen[beside]]
            seen[new] = True
            members.extend(new.tolist())
        edges = twice_within // 2 + to_contact
        yield members, contacts, (edges + odd_presses) % 2 == 1
