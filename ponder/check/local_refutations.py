"""The refutations that live on a set B of pressed bulbs: by the checker's own walk around B.

Kinds: `odd-component`, `no-first-press`, `no-last-press`, `exhausted` (theory §3). A *piece* is a
connected set of pressed bulbs outside B, as large as possible. Each that touches B must touch a
single bulb c ∈ B, pressed once. The parity that a piece P forces on c, |E(P ∪ c)| + |T ∩ P| mod 2,
is added to t(c), giving t_B(c) (§3.3); the rule of the kind is applied to B and t_B. That holds for
every press set that agrees with this one on the *scope* N[K], K = B and its pieces (§3.6).

Letters: m press counts; the vertices are presses: a bulb pressed m(v) times is m(v) mutually
adjacent vertices with the same neighbours and the same t, each with closed_sums(m on B)(v) − 1
neighbours in B. Sums: those over a piece are Python's; the pairs of MOST_PRESSES fit 64 bits.
Cost: O(cells) + O(bulbs of the pieces · degree); `exhausted` as in `subset_table`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ponder.check.fields import bulb_set, fail, later_parities, place
from ponder.check.limits import Budget, TooLarge
from ponder.check.neighbourhoods import beside, closed_sums, listing_cost, query_cost, spend_sums
from ponder.check.subset_table import SubsetTable
from ponder.model.board import Board
from ponder.model.graph import Graph
from ponder.system.types import Bits, Ints, Json, indices

MOST_PRESSES = 1 << 30  # presses of B; bulbs pressed more than once are few, so no board comes near
_NS_PAIR = 300  # nanoseconds for two of the presses whose orders are gone through


def check_local(board: Board, counts: Ints, refutation: Json, budget: Budget | None = None) -> Bits:
    """Check a refutation of one of the kinds `claims.LOCAL`; return its scope N[K]."""
    budget = budget or Budget()
    kind = str(refutation["kind"])
    spend_sums(board.graph, budget, "all the local evidence", 4)
    later = later_parities(board, kind)
    inside = bulb_set(board, refutation.get("bulbs"), f"{kind}: bulbs")
    members = np.flatnonzero(inside)
    if (counts[members] == 0).any():
        idle = int(members[np.argmax(counts[members] == 0)])
        fail(f"{kind}: the bulb {place(board.graph.label(idle))} is not pressed")

    odd, component = later.copy(), inside.copy()
    open_ = f"{kind}: the bulbs are not closed: presses outside of them"
    for piece, contacts, forces in hanging_pieces(board.graph, counts, inside, later, budget):
        names = [place(label) for label in board.graph.labels(sorted(contacts)[:2])]
        if len(names) > 1:
            fail(f"{open_} connect {names[0]} and {names[1]}")
        (contact,) = contacts
        if counts[contact] > 1:
            fail(f"{open_} hang on {names[0]}, which is pressed {counts[contact]} times")
        odd[contact] ^= forces
        component[piece] = True

    check_block(board, kind, np.where(inside, counts, 0), odd, budget)
    return closed_sums(board.graph, component) > 0


def check_block(board: Board, kind: str, counts: Ints, odd: Bits, budget: Budget) -> None:
    """Check that the presses of B, and no others, have no order with the parities `odd`."""
    size = int(counts.sum())
    if size > MOST_PRESSES:
        raise TooLarge(f"{size} presses are too many to count their pairs")
    members = np.flatnonzero(counts)
    degrees = closed_sums(board.graph, counts)[members] - 1
    counts, odd = counts[members], odd[members]
    if kind == "odd-component":
        edges, demands = int((counts * degrees).sum()) // 2, int(counts[odd].sum())
        if edges % 2 == demands % 2:
            fail(
                f"{kind}: {edges} neighbouring pairs and {demands} presses that need an odd "
                "number of later ones agree in parity"
            )
    elif kind == "exhausted":
        _exhaust(board.graph, members, counts, odd, budget)
    else:
        able = degrees & 1 == odd if kind == "no-first-press" else ~odd
        if able.any():
            bulb = place(board.graph.label(int(members[np.argmax(able)])))
            which = "first" if kind == "no-first-press" else "last"
            fail(f"{kind}: {bulb} can be the {which} of them")


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


def _exhaust(graph: Graph, members: Ints, counts: Ints, odd: Bits, budget: Budget) -> None:
    """Go through all orders of the presses."""
    size = int(counts.sum())
    budget.spend(size * (query_cost(graph) + size * _NS_PAIR), "who is beside whom of some presses")
    presses = np.repeat(members, indices(counts))
    near = [np.flatnonzero(beside(graph, v, presses)).tolist() for v in presses.tolist()]
    hears = [[j for j in some if j != i] for i, some in enumerate(near)]
    table = SubsetTable.of(hears, np.repeat(odd, indices(counts)).tolist())
    table.spend(budget)
    if table.reachable() >> table.full:
        fail(f"exhausted: these {size} presses have a legal order")
