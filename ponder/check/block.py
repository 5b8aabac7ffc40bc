"""`block`: a set B of pressed bulbs that has no order by itself, by one of four rules.

B is a component of the pressed graph, or a part of one. A *piece* is a connected set of pressed
bulbs outside B, as large as possible. Each that touches B must touch a single bulb c ∈ B. The
parity that a piece P forces on c, |E(P ∪ c)| + |T ∩ P| mod 2, is added to t(c), giving t_B(c)
(theory §3.3). The rule is applied to B and t_B alone:

    parity   |E(B)| and the number of v with t_B(v) = 1 differ in parity: the out-degrees of an
             order add up to the edges (§3.1)
    first    deg_B(v) ≢ t_B(v) for every v: the first press has all its neighbours after it (§3.2)
    last     t_B(v) = 1 for every v: the last press has none after it
    orders   none of all orders is legal, by a table of subsets (§3.5)

That holds for every press set that agrees with this one on the *scope* N[K], K = B and its pieces
(§3.6). On a wiring whose presses hear others one way B has no pieces: nothing outside may be heard,
but by the rule `orders`, for which presses that are heard are added without conditions (§2.9).

Letters: m press counts, 1 in a press set. A cut of `members` may press a bulb m(v) times: that is
m(v) mutually adjacent vertices with the same neighbours and the same t. Sums: pairs of MOST_PRESSES
fit 64 bits. Cost: O(cells), the bulbs of the pieces times their degree, and the table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self, TypeAlias

import numpy as np

from ponder.check.certificate import Refutation, Refuted
from ponder.check.neighbourhoods import closed_sums
from ponder.check.reader import demand, enum_value, fail, later_parities, place, some_bulbs
from ponder.check.subset_table import MOST_PRESSES as MOST_TABLED
from ponder.check.subset_table import SubsetTable
from ponder.model.board import Board
from ponder.model.graph import Graph
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json, indices

Rule: TypeAlias = Literal["parity", "first", "last", "orders"]
RULES: tuple[Rule, ...] = ("parity", "first", "last", "orders")
MOST_PRESSES = 1 << 30  # presses of B


@dataclass(frozen=True, eq=False)
class Block(Refutation):
    """These pressed bulbs, all pieces outside hanging on one of them each, break the rule."""

    kind = "block"
    of_wirings: ClassVar[bool] = True
    bulbs: Ints
    rule: Rule

    def fields(self, board: Board) -> Json:
        """Return the rule and the bulbs."""
        return {"rule": self.rule, "bulbs": board.graph.labels(self.bulbs)}

    @classmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Read the rule and the bulbs."""
        members = some_bulbs(board.graph, content.get("bulbs"), "block: bulbs")
        return cls(members, enum_value(content.get("rule"), RULES, "block: rule"))

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check the rule on B. It depends on N[K]."""
        if (counts[self.bulbs] != 1).any():
            bulb = int(self.bulbs[np.argmax(counts[self.bulbs] != 1)])
            fail(f"block: the bulb {place(board.graph.label(bulb))} is not pressed once")
        if isinstance(board.graph, Wired):
            return self._check_wired(board, counts, limits)
        inside, later = board.graph.set_of(self.bulbs), later_parities(board, "block")
        odd, component = later.copy(), inside.copy()
        for piece, contacts, forces in hanging_pieces(board.graph, counts, inside, later, limits):
            if len(contacts) > 1:
                first, second = map(place, board.graph.labels(sorted(contacts)[:2]))
                fail(f"block: presses outside of it connect {first} and {second}")
            (contact,) = contacts
            odd[contact] ^= forces
            component[piece] = True
        check_rule(self.rule, board.graph, inside.astype(np.int64), odd, limits)
        return Refuted(counts, closed_sums(board.graph, component) > 0)

    def _check_wired(self, board: Board, counts: Ints, limits: Limits) -> Refuted:
        """Check the same of a press set of a wiring; it depends on all presses."""
        problem = OrderingProblem.of_board(board, counts > 0)
        places = np.searchsorted(problem.bulbs, np.sort(self.bulbs))
        if problem.plain:
            once = np.ones(problem.size, dtype=np.int64)
            Block(places, self.rule).check(problem.board, once, limits)
        else:
            hears, odd = problem.heard_lists, problem.odd.tolist()
            if not broken_one_way(self.rule, places.tolist(), hears, odd, limits):
                fail(f"block: the presses do not break the rule {self.rule}, or hear others")
        return Refuted(counts)


def check_rule(rule: Rule, graph: Graph, counts: Ints, odd: Bits, limits: Limits = NEVER) -> None:
    """Check that presses have no order by themselves, by a rule. Raises CheckFailed, LimitReached.

    `counts` (n,) says how often each bulb of B is pressed, `odd` (n,) is t_B.
    """
    demand(int(counts.sum()), MOST_PRESSES, "presses of a block")
    members = np.flatnonzero(counts)
    degrees = closed_sums(graph, counts)[members] - 1
    counts, odd = counts[members], odd[members]
    if rule == "parity":
        edges, demands = int((counts * degrees).sum()) // 2, int(counts[odd].sum())
        if edges % 2 == demands % 2:
            fail(
                f"block: {edges} neighbouring pairs and {demands} presses that need an odd number "
                "of later ones agree in parity"
            )
    elif rule == "orders":
        demand(int(counts.sum()), MOST_TABLED, "presses whose orders are gone through")
        presses, needs = np.repeat(members, indices(counts)), np.repeat(odd, indices(counts))
        _check_orders(graph, presses, needs, limits)
    else:
        able = degrees & 1 == odd if rule == "first" else ~odd
        if able.any():
            bulb = place(graph.label(int(members[np.argmax(able)])))
            fail(f"block: {bulb} can be the {rule} of them")


def _check_orders(graph: Graph, presses: Ints, odd: Bits, limits: Limits) -> None:
    """Go through all orders of the presses, given by their bulbs."""
    hears = []
    for i, v in enumerate(limits.over(presses.tolist())):
        near = np.flatnonzero(np.isin(presses, np.append(graph.neighbours(v), v)))
        hears.append(near[near != i].tolist())
    if SubsetTable.from_near(hears, odd.tolist()).has_order(limits):
        fail(f"block: these {presses.size} presses have a legal order")


def broken_one_way(
    rule: Rule,
    members: Collection[int],
    hears: Sequence[Sequence[int]],
    odd: Sequence[bool],
    limits: Limits = NEVER,
) -> bool:
    """Whether presses, of which some hear others one way, break a rule, so have no order."""
    pairs = {(u, v) for v in members for u in hears[v]}
    if rule == "orders":
        return not one_way_table(members, hears, odd).has_order(limits)
    if not {*members}.issuperset(u for u, _ in pairs):
        return False
    if rule == "parity":
        mutual = {(v, u) for u, v in pairs} == pairs
        return mutual and (len(pairs) // 2 + sum(odd[v] for v in members)) % 2 == 1
    if rule == "first":
        return all((odd[v] + len(hears[v])) % 2 for v in members)
    return all(odd[v] for v in members)


def one_way_table(
    members: Collection[int], hears: Sequence[Sequence[int]], odd: Sequence[bool]
) -> SubsetTable:
    """Return the table of some presses and of those that they hear, these without conditions."""
    heard = sorted({*members}.union(*(hears[v] for v in members)))
    demand(len(heard), MOST_TABLED, "presses whose orders are gone through")
    place_of = {u: k for k, u in enumerate(heard)}
    near: list[list[int]] = [[] for _ in heard]
    heard_by: list[list[int]] = [[] for _ in heard]
    needs = [False] * len(heard)
    for v in members:
        near[place_of[v]] = [place_of[u] for u in hears[v]]
        needs[place_of[v]] = (odd[v] + len(hears[v])) % 2 == 1
        for u in hears[v]:
            heard_by[place_of[u]].append(place_of[v])
    return SubsetTable.from_near(near, needs, heard_by)


def hanging_pieces(
    graph: Graph, counts: Ints | Bits, inside: Bits, odd: Bits, limits: Limits = NEVER
) -> Iterator[tuple[list[int], set[int], bool]]:
    """Yield the pieces that touch B = `inside`, the bulbs touched, the parity that each forces.

    `counts` are those of a press set.
    """
    outside = (counts > 0) & ~inside
    seen = np.zeros(graph.size, dtype=np.bool_)
    for start in np.flatnonzero(outside & (closed_sums(graph, inside) > 0)).tolist():
        if seen[start]:
            continue
        seen[start] = True
        members, contacts = [start], set()
        ends_within = to_contact = odd_presses = 0
        for v in limits.over(members):  # grows while it is walked through
            near = graph.neighbours(v)
            outer, touched = near[outside[near]], near[inside[near]]
            ends_within += outer.size
            to_contact += touched.size
            odd_presses += int(odd[v])
            contacts.update(touched.tolist())
            new = outer[~seen[outer]]
            seen[new] = True
            members.extend(new.tolist())
        edges = ends_within // 2 + to_contact
        yield members, contacts, (edges + odd_presses) % 2 == 1
