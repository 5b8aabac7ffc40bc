"""True results of every kind, on small boards, made by brute force alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from ponder.model.board import Board, Rule
from ponder.model.graph import EdgeGraph, grid_graph
from ponder.system.types import Json
from tests import checking
from tests.boards import solved_by
from tests.checking import impossible, local, refutation, result

Case = tuple[Board, Json]


def scrambled(board: Board, seed: int) -> Iterator[Board]:
    """Boards with the same graph, rule and goal that some press set solves."""
    rng = np.random.default_rng(seed)
    while True:
        s = rng.random(board.graph.size) < 0.5
        yield solved_by(board.graph, s, board.goal, board.rule)


def first(board: Board, wanted: Callable[[Board], bool]) -> Board:
    """The first scrambled board with a property."""
    return next(b for b in scrambled(board, 0) if wanted(b))


def blank(pattern: str, shape: tuple[int, int], rule: Rule = "unlit", goal: int = 1) -> Board:
    """A board with the goal all lit, all unlit, or (2) mixed."""
    graph = grid_graph(pattern, shape)
    state = np.full(graph.size, goal > 0)
    if goal == 2:
        state[::3] = False
    return Board(graph, state, state, rule)


def no_order(board: Board) -> bool:
    return all(checking.play_order(board, s) is None for s in checking.press_sets(board))


def odd_graph() -> Board:
    """A graph with names: a triangle with a tail, and a pair."""
    names: list[int | str] = ["a", "b", "c", "d", "e", 7]
    graph = EdgeGraph(6, [(0, 1), (1, 2), (0, 2), (2, 3), (4, 5)], names)
    return Board(graph, np.zeros(6, dtype=bool), np.ones(6, dtype=bool))


def ordered(board: Board) -> Case:
    """A board with an order, and its result with evidence that no order is shorter."""
    board = first(board, lambda b: not no_order(b) and bool(b.change.any()))
    sets = checking.press_sets(board)
    orders = [o for s in sets if (o := checking.play_order(board, s)) is not None]
    presses = min(orders, key=len)
    lighter = [s for s in sets if s.sum() < len(presses)]
    parts = [r for s in lighter for r in checking.without_order(board, s)]
    if len(sets) == 1:
        bound: Json = {"kind": "unique-press-set"}
    elif not lighter:
        bound = {"kind": "coset-minimum"}
    else:
        bound = {"kind": "coset", "parts": parts}
    return board, result(board, presses=presses, lower_bound=len(presses), bound=bound)


def unordered(board: Board) -> Case:
    """A board without order, and the refutation of each of its press sets."""
    board = first(board, no_order)
    sets = checking.press_sets(board)
    parts = [part for s in sets for part in checking.without_order(board, s)[:1]]
    whole = parts[0] if len(sets) == 1 else refutation(board, "coset", parts=parts)
    return board, impossible(board, "C2", whole)


def witnessed() -> Case:
    board = Board.from_rows(["01", "00"], pattern="king")
    witness = refutation(board, "odd-witness", bulbs=[[0, 0], [0, 1]])
    return board, impossible(board, "C4", witness, "solve")


def counted() -> Case:
    """A 4×4 row/column board whose odd rows and columns differ in number."""
    grid = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    board = blank("cross", (4, 4))
    lit = ~board.graph.apply(grid.reshape(-1) > 0)
    board = Board(board.graph, lit, board.goal)
    return board, impossible(board, "C2", checking.line_count(board, grid.reshape(-1)))


def cut() -> Case:
    """A 4×4 row/column board with equal counts and no half factor."""
    board = blank("cross", (4, 4))
    rng = np.random.default_rng(1)
    while True:
        grid = (rng.random((4, 4)) < 0.5).astype(int)
        even = np.array_equal((grid.sum(0) % 2).sum(), (grid.sum(1) % 2).sum())
        for x, y, need, room, _ in checking.cuts(grid):
            if even and need > room and len(x) > 1 and len(y) > 0:
                counts = grid.reshape(-1)
                lit = ~board.graph.apply(counts > 0)
                board = Board(board.graph, lit, board.goal)
                numbers = {"rows": x, "columns": y, "need": need, "room": room}
                found = refutation(board, "line-cut", counts, side="rows", **numbers)
                return board, impossible(board, "C2", found)


def parities() -> Case:
    board = blank("cross", (5, 2))
    s = np.array([1, 0] * 5)
    board = Board(board.graph, ~board.graph.apply(s > 0), board.goal)
    found = {"side": "rows", "odd_lines": [0, 1, 2, 3, 4], "others": 2}
    return board, impossible(board, "C2", refutation(board, "line-parities", s, **found))


def flow() -> Case:
    """Theorem 3 on an even row/column board whose press set has no order."""

    def cut_of(board: Board) -> tuple[list[int], list[int], int, int, int]:
        (s,) = checking.press_sets(board)
        found = checking.cuts(s.reshape(4, 4))
        return min(found, key=lambda cut: (cut[-1], -len(cut[0]), -len(cut[1])))

    board = next(
        b
        for b in scrambled(blank("cross", (4, 4)), 5)
        if (c := cut_of(b)) and c[0] and c[1] and c[-1] > 1 and no_order(b)
    )
    rows, columns, *_, capacity = cut_of(board)
    presses = checking.shortest(board)
    assert presses is not None
    bound = {"kind": "line-flow", "flow": capacity, "side": "rows", "rows": rows}
    bound["columns"] = columns
    fields = {"presses": presses, "lower_bound": len(presses), "bound": bound}
    return board, result(board, "solve", claim="C3", **fields)


def switched(shape: tuple[int, int], command: str) -> Case:
    """The least cost over all press sets of a board with an odd side, by trying all of them."""

    def costs(board: Board) -> list[int]:
        found = []
        for s in checking.press_sets(board):
            grid = s.reshape(shape)
            apart = abs(int((grid.sum(0) % 2).sum()) - int((grid.sum(1) % 2).sum()))
            if command == "solve" or not apart:
                found.append(int(s.sum()) + apart)
        return found

    def presses(board: Board) -> list[int]:
        if command == "solve":
            return checking.shortest(board) or []
        orders = [checking.play_order(board, s) for s in checking.press_sets(board)]
        return min((o for o in orders if o is not None), key=len, default=[])

    board = first(
        blank("cross", shape),
        lambda b: len(presses(b)) > 2 and min(costs(b), default=0) == len(presses(b)),
    )
    fields = {"presses": presses(board), "lower_bound": len(presses(board))}
    bound: Json = {"kind": "switches", "side": "rows" if shape[0] % 2 else "columns", "raised": []}
    claim = "C3" if command == "solve" else None
    return board, result(board, command, claim=claim, **fields, bound=bound)


def one_set() -> Case:
    """Claim C1 on a graph with names: a path of two, and a press that stands alone."""
    board = odd_graph()
    counts = np.array([0, 0, 1, 0, 1, 1])
    board = Board(board.graph, board.goal ^ board.graph.apply(counts > 0), board.goal)
    return board, impossible(board, "C1", local(board, "odd-component", counts, [4, 5]))


def in_pieces() -> Case:
    """A refutation on a block, with a tail hanging on one of its bulbs."""
    board = odd_graph()
    counts = np.array([1, 1, 1, 1, 0, 0])
    lit = board.goal ^ board.graph.apply(counts > 0)
    goal = board.goal
    board = Board(board.graph, lit, goal)
    # triangle a b c, tail d on c: within the triangle c's parity is even + (1 edge to d)
    found = local(board, "exhausted", counts, [0, 1, 2])
    if checking.play_order(board, counts) is not None:
        goal = board.goal.copy()
        goal[0] = False
        board = Board(board.graph, goal ^ board.graph.apply(counts > 0), goal)
        found = local(board, "exhausted", counts, [0, 1, 2])
    return board, impossible(board, "C1", found)


@cache
def cases() -> dict[str, Case]:
    """True results of every kind."""
    found = {
        "order cross": ordered(blank("cross", (2, 4))),
        "order cross odd": ordered(blank("cross", (3, 3), "lit", 0)),
        "order plus": ordered(blank("plus", (3, 3))),
        "order king any": ordered(blank("king", (2, 3), "unlit", 2)),
        "order torus": ordered(blank("torus-plus", (3, 3), "lit", 2)),
        "order graph": ordered(odd_graph()),
        "no order cross mixed": unordered(blank("cross", (2, 3), "unlit", 2)),
        "no order plus": unordered(blank("plus", (3, 3))),
        "no order coset": unordered(blank("plus", (2, 3))),
        "no order king": unordered(blank("king", (2, 3), "unlit", 0)),
        "no order torus": unordered(blank("torus-plus", (2, 4), "lit", 1)),
        "odd-witness": witnessed(),
        "line-count": counted(),
        "line-cut": cut(),
        "line-parities": parities(),
        "line-flow": flow(),
        "switches solve odd": switched((3, 3), "solve"),
        "switches solve": switched((2, 3), "solve"),
        "switches order odd": switched((3, 3), "order"),
        "switches order": switched((3, 4), "order"),
        "one set": one_set(),
        "pieces": in_pieces(),
    }
    board = blank("plus", (2, 2), "any")
    board = Board(board.graph, ~board.goal, board.goal, "any")
    bound = {"kind": "unique-press-set"}
    found["any"] = board, result(board, "solve", presses=[0, 1, 2, 3], lower_bound=4, bound=bound)
    found["solve"] = board, result(board, "solve", presses=[0, 1, 2, 3, 1, 1], lower_bound=4)
    found["unknown"] = board, result(board, "solve", verdict="unknown", presses=[0, 1, 2, 3])
    done = Board(board.graph, board.goal, board.goal)
    found["empty"] = done, result(done, presses=[], lower_bound=0, bound=bound)
    few = result(board, "solve", verdict="impossible", claim="C3", at_most=3, lower_bound=4)
    found["at most"] = board, few | {"bound": bound}
    return found
