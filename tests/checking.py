"""Results made by hand, from brute force alone, for the tests of the checker."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence

import numpy as np

from ponder.check.reader import press_counts_json
from ponder.model.board import Board
from ponder.system.types import Ints, Json
from tests import brute
from tests.boards import Edges, edges_of


def number(bits: Sequence[bool] | np.ndarray) -> int:
    return sum(1 << i for i, bit in enumerate(bits) if bit)


def press_sets(board: Board) -> list[Ints]:
    """All press sets, by trying all sets: first those without bulb v, then the same with it."""
    size, near = board.graph.size, brute.masks(board.graph.size, edges_of(board.graph))
    states = np.array([number(board.lit.tolist())])
    for v in range(size):
        states = np.concatenate([states, states ^ (near[v] | 1 << v)])
    found = np.flatnonzero(states == number(board.goal.tolist())).tolist()
    return [np.array([chosen >> v & 1 for v in range(size)]) for chosen in found]


def blow_up(board: Board, counts: Sequence[int] | Ints) -> tuple[list[int], Edges, list[int]]:
    """The presses (each a bulb), the edges among them, and T."""
    presses = [v for v, m in enumerate(counts) for _ in range(int(m))]
    near = {frozenset(edge) for edge in edges_of(board.graph)}
    edges = [
        (i, j)
        for i, j in itertools.combinations(range(len(presses)), 2)
        if presses[i] == presses[j] or frozenset((presses[i], presses[j])) in near
    ]
    odd_later = board.odd_later
    assert odd_later is not None
    return presses, edges, [i for i, v in enumerate(presses) if odd_later[v]]


def play_order(board: Board, counts: Sequence[int] | Ints) -> list[int] | None:
    """A legal order of press counts, or None when there is none."""
    presses, edges, odd = blow_up(board, counts)
    build = brute.build_order(len(presses), edges, odd)
    return None if build is None else [presses[i] for i in reversed(build)]


def shortest(board: Board) -> list[int] | None:
    """A legal sequence with the fewest presses, repeats allowed."""
    size, edges = board.graph.size, edges_of(board.graph)
    goal, state = number(board.goal.tolist()), number(board.lit.tolist())
    steps = brute.distances(size, edges, goal, board.rule)
    near, presses = brute.masks(size, edges), []
    if state not in steps:
        return None
    while state != goal:
        for v in range(size):
            on = bool(state >> v & 1)
            after = state ^ near[v] ^ 1 << v
            legal = board.rule == "any" or on == (board.rule == "lit")
            if legal and steps.get(after, -1) == steps[state] - 1:
                presses.append(v)
                state = after
                break
    return presses


def components(board: Board, counts: Sequence[int] | Ints) -> list[list[int]]:
    """The components of the pressed bulbs."""
    left, found = [v for v, m in enumerate(counts) if m], []
    while left:
        group = [left.pop(0)]
        for v in group:
            for u in board.graph.neighbours(v).tolist():
                if u in left:
                    left.remove(u)
                    group.append(u)
        found.append(sorted(group))
    return found


def result(board: Board, command: str = "order", **fields: object) -> Json:
    """A result in text form; `presses` are bulbs."""
    found: Json = {
        "schema": "ponder.result/1",
        "command": command,
        "board": {
            "name": board.name,
            "sha256": board.sha256,
            "bulbs": board.graph.size,
            "pattern": board.graph.pattern,
            "rule": board.rule,
            "goal": board.goal_name,
        },
        "verdict": "solved",
        "claim": None,
        "presses": None,
        "count": None,
        "lower_bound": None,
        "optimal": False,
        "bound": None,
        "refutation": None,
        "method": "brute",
    }
    found |= fields
    presses = fields.get("presses")
    if isinstance(presses, list):
        found["presses"] = board.graph.labels(presses)
        found["count"] = fields.get("count", len(presses))
        found["optimal"] = found["count"] == found["lower_bound"]
    return loads(found)


def loads(value: object) -> Json:
    """Through the text form, as a file would go."""
    content: Json = json.loads(json.dumps(value))
    return content


def impossible(board: Board, claim: str, refutation: Json, command: str = "order") -> Json:
    return result(board, command, verdict="impossible", claim=claim, refutation=refutation)


def refutation(board: Board, kind: str, counts: Ints | None = None, **fields: object) -> Json:
    found: Json = {"kind": kind, **fields}
    if counts is not None:
        found["press_counts"] = press_counts_json(board, counts)
    return found


def local(board: Board, kind: str, counts: Ints, bulbs: Sequence[int]) -> Json:
    return refutation(board, kind, counts, bulbs=board.graph.labels(bulbs))


def without_order(board: Board, counts: Ints) -> list[Json]:
    """One `exhausted` refutation for each component without an order."""
    found = []
    for group in components(board, counts):
        part = np.zeros_like(counts)
        part[group] = counts[group]
        if play_order(board, part) is None:
            found.append(local(board, "exhausted", counts, group))
    return found


def line_count(board: Board, counts: Ints) -> Json:
    grid = counts.reshape(board.graph.shape)  # type: ignore[attr-defined]
    return refutation(
        board,
        "line-count",
        counts,
        odd_rows=np.flatnonzero(grid.sum(axis=1) % 2).tolist(),
        odd_columns=np.flatnonzero(grid.sum(axis=0) % 2).tolist(),
    )


def cuts(grid: Ints) -> list[tuple[list[int], list[int], int, int, int]]:
    """Every choice of rows X and columns Y with need, room and capacity, rows being X's side."""
    x, y = (np.array(list(itertools.product([0, 1], repeat=side))) for side in grid.shape)
    half = int((grid.sum(axis=1) // 2).sum())
    needs = x @ (grid.sum(axis=1) // 2)
    rooms = y @ (grid.sum(axis=0) // 2) + x @ grid @ (1 - y).T
    sides = [[np.flatnonzero(line).tolist() for line in lines] for lines in (x, y)]
    return [
        (inside, across, need, room, half - need + room)
        for inside, need, row in zip(sides[0], needs.tolist(), rooms.tolist(), strict=True)
        for across, room in zip(sides[1], row, strict=True)
    ]
