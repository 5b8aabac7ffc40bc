"""The refutations that live on a set B of pressed bulbs: by the checker's own walk around B.

Kinds: `odd-component`, `no-first-press`, `no-last-press`, `exhausted` (theory §3). No block or
component is taken on trust:

1. Every bulb of B is pressed. A *piece* is a connected set of pressed bulbs outside B, as large
   as possible. Each piece that touches B must touch a single bulb c ∈ B, pressed once (were it
   pressed twice, the piece would force only the sum of the two presses' parities).
2. The parity that a piece P forces on c, |E(P ∪ c)| + |T ∩ P| mod 2, is added to t(c), giving
t_B(c)
   (theory §3.3).
3. The rule of the kind is applied to B and t_B.

Letters: m press counts; the vertices are presses: a bulb pressed m(v) times is m(v) mutually
adjacent vertices with the same neighbours and the same t. A press of v has
closed_sums(m on B)(v) − 1 neighbours in B.

A refutation says something about every press set that agrees with this one on the *scope*
N[K], where K is B and the pieces that touch it (theory §3.6).

Sums: those over a piece are Python's; B has at most MOST_PRESSES presses, so that the pairs of them
fit 64 bits.

Cost: O(cells) + O(bulbs of the pieces · degree); `exhausted` O(2^|B| · |B|).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ponder.check.claims import LOCAL
from ponder.check.fields import bulb_set, fail, place
from ponder.check.limits import Budget, TooLarge
from ponder.check.neighbourhoods import asking, beside, closed_sums, listing, spend_sums
from ponder.puzzle.board import Board
from ponder.puzzle.graph import Graph
from ponder.types import Bits, Ints, Json

MOST_EXHAUSTED = 24
"""The most presses whose 2^|B| subsets are gone through; a higher limit allows more subsets."""
MOST_TABLED = 30
"""The most presses whose table of subsets is ever made: 1 GB."""
MOST_PRESSES = 1 << 30
"""Presses of B; bulbs pressed more than once are few, so no board comes near."""

_NS_SUBSET = 12  # nanoseconds for a subset and one of its presses


def check_local(board: Board, counts: Ints, refutation: Json, budget: Budget | None = None) -> Bits:
    """Check a refutation of one of the kinds `claims.LOCAL`; return its scope N[K]."""
    budget = budget or Budget()
    kind = str(refutation["kind"])
    spend_sums(board.graph, budget, "all the local evidence", 4)
    if board.odd_later is None:
        fail("under the rule 'any' every order is legal")
    inside = bulb_set(board, refutation.get("bulbs"), f"{kind}: bulbs")
    members = np.flatnonzero(inside)
    if (counts[members] == 0).any():
        idle = int(members[np.argmax(counts[members] == 0)])
        fail(f"{kind}: the bulb {place(board.graph.label(idle))} is not pressed")

    odd, component = board.odd_later.copy(), inside.copy()
    for piece in _pieces(board.graph, counts, inside, board.odd_later, budget):
        contacts = [place(label) for label in board.graph.labels(sorted(piece.contacts)[:2])]
        if len(contacts) > 1:
            fail(
                f"{kind}: the bulbs are not closed: presses outside of them connect "
                f"{contacts[0]} and {contacts[1]}"
            )
        (contact,) = piece.contacts
        if counts[contact] > 1:
            fail(
                f"{kind}: the bulbs are not closed: presses outside of them hang on "
                f"{contacts[0]}, which is pressed {counts[contact]} times"
            )
        odd[contact] ^= piece.forces
        component[piece.members] = True

    check_block(board, kind, np.where(inside, counts, 0), odd, budget)
    return closed_sums(board.graph, component) > 0


def check_block(board: Board, kind: str, counts: Ints, odd: Bits, budget: Budget) -> None:
    """Check that the presses of B, and no others, have no order with the parities `odd`."""
    size = int(counts.sum())
    if size > MOST_PRESSES:
        raise TooLarge(f"{size} presses are too many to count their pairs")
    members = np.flatnonzero(counts)
    degrees = closed_sums(board.graph, counts)[members] - 1
    if kind == "exhausted":
        if size > MOST_TABLED:
            raise TooLarge(f"{size} presses have too many subsets to go through")
        budget.demand(1 << size, 1 << MOST_EXHAUSTED, f"subsets of {size} presses")
        work = (_NS_SUBSET * size << size) + size * asking(board.graph)
        budget.spend(work, "going through all orders of a few presses")
    _RULES[kind](board.graph, members, counts[members], degrees, odd[members])


@dataclass(frozen=True)
class _Piece:
    """A connected set of pressed bulbs outside B, the bulbs of B that it touches, and the parity
    of the out-degree into it that it forces on a single one."""

    members: list[int]
    contacts: set[int]
    forces: bool


def _pieces(
    graph: Graph, counts: Ints, inside: Bits, odd: Bits, budget: Budget
) -> Iterator[_Piece]:
    """Yield the pieces that touch B = `inside`, each found by a walk from bulb to bulb."""
    outside = (counts > 0) & ~inside
    seen = np.zeros(graph.size, dtype=np.bool_)
    for start in np.flatnonzero(outside & (closed_sums(graph, inside) > 0)).tolist():
        if seen[start]:
            continue
        seen[start] = True
        members, contacts = [start], set()
        twice_within = to_contact = odd_presses = 0
        for v in members:  # grows while it is walked through
            budget.spend(listing(graph, v), "walking around the local evidence")
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
        yield _Piece(members, contacts, (edges + odd_presses) % 2 == 1)


def _odd_component(graph: Graph, members: Ints, counts: Ints, degrees: Ints, odd: Bits) -> None:
    edges = int((counts * degrees).sum()) // 2
    demands = int(counts[odd].sum())
    if edges % 2 == demands % 2:
        fail(
            f"odd-component: {edges} neighbouring pairs and {demands} presses that need an odd "
            "number of later ones agree in parity"
        )


def _no_first_press(graph: Graph, members: Ints, counts: Ints, degrees: Ints, odd: Bits) -> None:
    able = degrees & 1 == odd
    if able.any():
        fail(f"no-first-press: {_first(graph, members, able)} can be the first of them")


def _no_last_press(graph: Graph, members: Ints, counts: Ints, degrees: Ints, odd: Bits) -> None:
    if not odd.all():
        fail(f"no-last-press: {_first(graph, members, ~odd)} can be the last of them")


def _exhausted(graph: Graph, members: Ints, counts: Ints, degrees: Ints, odd: Bits) -> None:
    """Fill the table of reachable subsets, layer by layer in build order."""
    size = int(counts.sum())
    times = counts.astype(np.intp)
    vertices, demands = np.repeat(members, times).tolist(), np.repeat(odd, times).tolist()
    masks = []
    for i, v in enumerate(vertices):
        near = beside(graph, v, np.array(vertices, dtype=np.int64))
        masks.append(sum(1 << j for j in np.flatnonzero(near).tolist() if j != i))

    reached = np.zeros(1 << size, dtype=np.bool_)
    layer = np.zeros(1, dtype=np.uint32)  # the empty set
    for _ in range(size):
        following = []
        for i in range(size):
            bit = np.uint32(1 << i)
            absent = layer[layer & bit == 0]
            longer = absent[np.bitwise_count(absent & np.uint32(masks[i])) & 1 == demands[i]] | bit
            longer = longer[~reached[longer]]
            reached[longer] = True
            following.append(longer)
        layer = np.concatenate(following)
    if layer.size:
        fail(f"exhausted: these {size} presses have a legal order")


def _first(graph: Graph, members: Ints, chosen: Bits) -> str:
    return place(graph.label(int(members[np.argmax(chosen)])))


_RULES: Mapping[str, Callable[[Graph, Ints, Ints, Ints, Bits], None]] = {
    "odd-component": _odd_component,
    "no-first-press": _no_first_press,
    "no-last-press": _no_last_press,
    "exhausted": _exhausted,
}
assert set(_RULES) == set(LOCAL)
