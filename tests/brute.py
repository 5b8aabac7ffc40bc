"""The stupid brute force that everything is judged by. It stays stupid: no idea, no speed.

Nothing here imports a solver; boards and graphs come in as plain Python data.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Edges = Iterable[tuple[int, int]]


def masks(size: int, edges: Edges) -> list[int]:
    """Neighbours of every vertex as bit masks."""
    near = [0] * size
    for u, v in edges:
        near[u] |= 1 << v
        near[v] |= 1 << u
    return near


def build_order(
    size: int, edges: Edges, odd: Iterable[int] = (), first: Edges = ()
) -> list[int] | None:
    """An order in which every vertex has t(v) mod 2 neighbours *before* it (build order).

    In each pair of `first` the one comes before the other.
    """
    near, wanted = masks(size, edges), set(odd)
    needs = [0] * size
    for u, v in first:
        needs[v] |= 1 << u
    reached: dict[int, int] = {0: -1}  # subset -> its last vertex
    layer = [0]
    for _ in range(size):
        following = []
        for done in layer:
            for v in range(size):
                bit = 1 << v
                if (
                    done & bit
                    or needs[v] & ~done
                    or (done & near[v]).bit_count() % 2 != (v in wanted)
                ):
                    continue
                if done | bit not in reached:
                    reached[done | bit] = v
                    following.append(done | bit)
        layer = following
    at, order = (1 << size) - 1, []
    if at not in reached:
        return None
    while at:
        order.append(reached[at])
        at ^= 1 << reached[at]
    return order[::-1]


def orderable(size: int, edges: Edges, odd: Iterable[int] = ()) -> bool:
    """Whether the acyclic T-odd orientation problem has a solution."""
    return build_order(size, edges, odd) is not None


def distances(size: int, edges: Edges, goal: int, rule: str = "unlit") -> dict[int, int]:
    """The fewest legal presses, repeats allowed, from every state that can reach the goal.

    States are bit masks (1 lit). Breadth first, backwards from the goal.
    """
    near = masks(size, edges)
    known = {goal: 0}
    queue = deque([goal])
    while queue:
        state = queue.popleft()
        for v in range(size):
            before = state ^ near[v] ^ (1 << v)
            if rule == "unlit" and before >> v & 1:
                continue
            if rule == "lit" and not before >> v & 1:
                continue
            if before not in known:
                known[before] = known[state] + 1
                queue.append(before)
    return known


def fewest_once(size: int, edges: Edges, lit: int, goal: int, rule: str = "unlit") -> int | None:
    """The fewest presses of a legal sequence that presses each bulb at most once, else None."""
    near = masks(size, edges)
    best: int | None = None
    layer = {(lit, 0)}
    for count in range(size + 1):
        if any(state == goal for state, _ in layer):
            best = count
            break
        following = set()
        for state, used in layer:
            for v in range(size):
                bit = 1 << v
                on = bool(state & bit)
                if used & bit or (rule == "unlit" and on) or (rule == "lit" and not on):
                    continue
                following.add((state ^ near[v] ^ bit, used | bit))
        layer = following
    return best


def replays(
    size: int, edges: Edges, lit: int, goal: int, presses: Sequence[int], rule: str = "unlit"
) -> bool:
    """Whether the presses are legal one after the other and reach the goal."""
    near = masks(size, edges)
    for v in presses:
        on = bool(lit >> v & 1)
        if (rule == "unlit" and on) or (rule == "lit" and not on):
            return False
        lit ^= near[v] | 1 << v
    return lit == goal


def orders_of_all(size: int, edges: Edges, rule: str = "unlit") -> NDArray[np.int64]:
    """For each of the 2^size states in how many legal orders every bulb is pressed exactly once."""
    near, states = masks(size, edges), np.arange(1 << size)
    ways: NDArray[np.int64] = np.zeros(
        (1 << size, 1 << size), dtype=np.int64
    )  # by the bulbs pressed, and the start
    ways[0] = 1
    for done in range(1 << size):
        now = states.copy()
        for v in range(size):
            now ^= (near[v] | 1 << v) * (done >> v & 1)
        for v in range(size):
            if not done >> v & 1:
                legal = (rule == "any") | ((now >> v & 1) == (rule == "lit"))
                ways[done | 1 << v] += ways[done] * legal
    return np.asarray(ways[-1])


def peelings(size: int, edges: Edges) -> set[tuple[int, ...]]:
    """All orders in which vertices are removed, each when its degree in what is left is even."""
    near = masks(size, edges)
    return {
        order
        for order in permutations(range(size))
        if not any(sum(near[v] >> u & 1 for u in order[k:]) % 2 for k, v in enumerate(order))
    }


def takings(cards: str) -> set[tuple[int, ...]]:
    """All orders in which a row of cards is taken: any that is up, `1`; its neighbours turn."""
    if not cards.strip("-"):
        return {()}
    turn = {"0": "1", "1": "0"}
    sequences = set()
    for k, card in enumerate(cards):
        if card == "1":
            left = [turn.get(x, x) if abs(j - k) == 1 else x for j, x in enumerate(cards)]
            left[k] = "-"
            sequences |= {(k, *rest) for rest in takings("".join(left))}
    return sequences


def grid_edges(rows: int, columns: int, pattern: str) -> list[tuple[int, int]]:
    """The edges of a full grid, cell (r, c) being vertex r·columns + c. Tori count each once."""
    return list(_grid_edges(rows, columns, pattern))


@cache
def _grid_edges(rows: int, columns: int, pattern: str) -> tuple[tuple[int, int], ...]:
    edges = set()
    for r in range(rows):
        for c in range(columns):
            for dr in range(-rows, rows + 1):
                for dc in range(-columns, columns + 1):
                    near = {
                        "cross": dr == 0 or dc == 0,
                        "plus": abs(dr) + abs(dc) == 1,
                        "king": max(abs(dr), abs(dc)) == 1,
                        "torus-plus": abs(dr) + abs(dc) == 1,
                        "torus-king": max(abs(dr), abs(dc)) == 1,
                    }[pattern]
                    y, x = r + dr, c + dc
                    if pattern.startswith("torus"):
                        y, x = y % rows, x % columns
                    if near and 0 <= y < rows and 0 <= x < columns and (y, x) != (r, c):
                        u, v = r * columns + c, y * columns + x
                        edges.add((min(u, v), max(u, v)))
    return tuple(sorted(edges))


def orderable_sets(size: int, edges: Edges, odd: Iterable[int] = ()) -> NDArray[np.bool_]:
    """For each of the 2^size vertex sets (as bit masks) whether its induced subgraph is orderable.

    One table, set by set in ascending size: the empty set is; a set is when it has a vertex that
    may be built last, the others forming an orderable set.
    """
    near, wanted = masks(size, edges), set(odd)
    sets = np.arange(1 << size)
    parity = np.zeros(1 << size, dtype=np.int64)  # of the number of members
    count = np.zeros(1 << size, dtype=np.int64)
    for v in range(size):
        parity ^= sets >> v & 1
        count += sets >> v & 1
    table: NDArray[np.bool_] = sets == 0
    for k in range(1, size + 1):
        layer = sets[count == k]
        for v in range(size):
            with_v = layer[(layer >> v & 1) == 1]
            others = with_v ^ 1 << v
            last = table[others] & (parity[others & near[v]] == (v in wanted))
            table[with_v[last]] = True
    return table


def parities_of_orders(hears: Sequence[Iterable[int]], fixed: Edges = ()) -> set[tuple[int, ...]]:
    """All parities t that some order has: v hears t(v) mod 2 vertices after it, of hears[v]."""
    size, near = len(hears), [set(heard) for heard in hears]
    parities = set()
    for order in permutations(range(size)):
        place = {v: k for k, v in enumerate(order)}
        if all(place[u] < place[v] for u, v in fixed):
            later = (sum(place[u] > place[v] for u in near[v]) % 2 for v in range(size))
            parities.add(tuple(later))
    return parities


def on_a_wiring(
    flips: Sequence[int], at: Sequence[int], start: int, goal: int, rule: str
) -> tuple[int | None, int | None]:
    """The fewest legal presses to the goal, and the fewest where no button is pressed twice.

    Button v toggles the lights flips[v] (bits) and sits at light at[v], or at none: −1.
    """

    def legal(state: int, v: int) -> bool:
        return rule == "any" or at[v] < 0 or state >> at[v] & 1 == (rule == "lit")

    fewest: list[int | None] = []
    for once in (False, True):
        begun = (start, 0)
        reached, queue = {begun: 0}, deque([begun])
        while queue:
            state, used = here = queue.popleft()
            for v, flip in enumerate(flips):
                if legal(state, v) and not used >> v & 1:
                    there = state ^ flip, used | once << v
                    if there not in reached:
                        reached[there] = reached[here] + 1
                        queue.append(there)
        fewest.append(min((k for (s, _), k in reached.items() if s == goal), default=None))
    return fewest[0], fewest[1]
