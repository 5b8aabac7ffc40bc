"""Random markings: accepted exactly where brute force says that they are the whole reason."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from ponder import order, verify
from ponder.check.witness import Witness
from ponder.find.linear.press_sets import PressSets, kernel, press_sets
from ponder.model.board import Board, Rule
from ponder.model.formats import board_text, parse_board
from ponder.model.graph import CrossGraph, GridGraph, grid_graph
from ponder.model.presets import OFFERED, puzzle_named
from ponder.page.refute import Judged, Marking, Reason, group_of, refute
from ponder.page.riddles import own_marking, puzzle_riddle
from ponder.page.tasks import answered
from ponder.system.limits import Limits
from ponder.system.types import Bits, Json
from tests import brute
from tests.boards import cross_pressed, solved_by

NONE: list[int] = []
MARKINGS = [200, pytest.param(2_500, marks=pytest.mark.deep)]
"""How many random ones of a kind are judged."""


def marked(
    board: Board, bulbs: list[int] = NONE, rows: list[int] = NONE, columns: list[int] = NONE
) -> Judged:
    """Judge a marking; what is accepted must have no order, and a result that holds."""
    judged = refute(board, Marking(*(np.array(k, dtype=np.int64) for k in (bulbs, rows, columns))))
    assert (judged.result is None) == (judged.missing is not None)
    if judged.result is not None:
        assert verify(board, judged.result).complete
        assert str(judged.steps[-1]["words"]).endswith("proved.")
    return judged


def drawn(rng: np.random.Generator, size: int) -> list[int]:
    return np.flatnonzero(rng.random(size) < rng.random()).tolist()


def early(numbers: list[int]) -> int:
    return sum(n // 2 for n in numbers)


def is_cut(grid: list[list[bool]], rows: tuple[int, ...], columns: tuple[int, ...]) -> bool:
    """Whether the lines of one kind need more early presses than those of the other hold."""
    by_row = [sum(line) for line in grid]
    by_column = [sum(line) for line in zip(*grid, strict=True)]
    outside = sum(grid[i][j] for i in rows for j in range(len(by_column)) if j not in columns)
    across = sum(grid[i][j] for j in columns for i in range(len(by_row)) if i not in rows)
    halves = early([by_row[i] for i in rows]), early([by_column[j] for j in columns])
    return halves[0] > halves[1] + outside or halves[1] > halves[0] + across


def parts(marks: list[int]) -> list[tuple[int, ...]]:
    return [part for n in range(len(marks) + 1) for part in itertools.combinations(marks, n)]


def lines_prove(grid: list[list[bool]], rows: list[int], columns: list[int]) -> bool:
    """Whether the marked lines are the odd ones and differ in number, or are a least cut."""
    by = [sum(line) for line in grid], [sum(line) for line in zip(*grid, strict=True)]
    odd = [[i for i, n in enumerate(sums) if n % 2] for sums in by]
    if odd == [rows, columns] and len(rows) != len(columns):
        return True
    if not is_cut(grid, tuple(rows), tuple(columns)):
        return False
    cuts = itertools.product(parts(rows), parts(columns))
    return sum(is_cut(grid, *part) for part in cuts) == 1


@pytest.mark.parametrize("markings", MARKINGS)
def test_lines(markings: int) -> None:
    rng = np.random.default_rng(41)
    accepted = 0
    for turn in range(2 * markings):  # a count, or a cut
        shape = (4, 4) if turn % 2 else (2, 4)
        presses = rng.random(shape) < rng.random()
        board = cross_pressed(presses)
        rows, columns = drawn(rng, shape[0]), drawn(rng, shape[1])
        if turn % 3 == 0:
            rows, columns = (np.flatnonzero(presses.sum(axis=k) % 2).tolist() for k in (1, 0))
        if not rows and not columns:
            continue
        judged = marked(board, [], rows, columns)
        assert (judged.result is not None) == lines_prove(presses.tolist(), rows, columns)
        if judged.result is not None and presses.sum() <= 9:
            accepted += 1
            at = np.flatnonzero(presses).tolist()
            edges = [(at.index(u), at.index(v)) for u, v in _edges(board) if {u, v} <= {*at}]
            assert not brute.orderable(len(at), edges)
    assert accepted > markings // 10


def _edges(board: Board) -> list[tuple[int, int]]:
    return [(u, v) for u, v in board.graph.edges_within(np.arange(board.graph.size)).tolist()]


def group_proves(board: Board, press_set: Bits, group: set[int]) -> bool:
    """Whether the group is one component of the presses, and its pairs or its ends refute it."""
    pressed = {*np.flatnonzero(press_set).tolist()}
    edges = [(u, v) for u, v in _edges(board) if {u, v} <= pressed]
    assert board.odd_later is not None
    later = {v: bool(board.odd_later[v]) for v in pressed}
    if not group <= pressed or any(len({*e} & group) == 1 for e in edges):
        return False
    grown = {min(group)}
    while more := {w for e in edges for w in e if grown & {*e}} - grown:
        grown |= more
    within = [e for e in edges if {*e} <= group]
    degree = {v: sum(v in e for e in within) for v in group}
    return grown == group and (
        (len(within) + sum(later[v] for v in group)) % 2 == 1
        or all(degree[v] % 2 != later[v] for v in group)
        or all(later[v] for v in group)
    )


@pytest.mark.parametrize(
    ("pattern", "rows", "columns"),
    [("cross", 2, 6), ("plus", 3, 3), ("king", 3, 3)],
)
@pytest.mark.parametrize("markings", MARKINGS)
def test_groups(pattern: str, rows: int, columns: int, markings: int) -> None:
    rng = np.random.default_rng(7)
    accepted = 0
    for turn in range(markings):
        graph = grid_graph(pattern, (rows, columns))
        rule: Rule = "lit" if turn % 5 == 0 else "unlit"
        presses = rng.random(graph.size) < rng.uniform(0, 0.8)
        goal = rng.random(graph.size) < (0.5 if turn % 3 == 0 else 1)
        board = solved_by(graph, presses, goal, rule)
        sets = press_sets(board)
        assert isinstance(sets, PressSets)
        assert board.odd_later is not None
        pressed = np.flatnonzero(presses).tolist()
        if not pressed:
            continue
        group = pressed if turn % 4 == 0 else [v for v in pressed if rng.random() < 0.8]
        if turn % 4 > 1 or not group:
            group = np.flatnonzero(group_of(board, presses, pressed[-1])).tolist()
        judged = marked(board, group)
        proves = all(group_proves(board, press_set, {*group}) for press_set in sets)
        assert (judged.result is not None) == proves
        if proves:
            accepted += 1
            for press_set in itertools.islice(sets, 4):
                at = np.flatnonzero(press_set).tolist()
                edges = [(at.index(u), at.index(v)) for u, v in _edges(board) if {u, v} <= {*at}]
                needs = [k for k, v in enumerate(at) if board.odd_later[v]]
                assert not brute.orderable(len(at), edges, needs)
    assert accepted > markings // 20


def witness_proves(board: Board, bulbs: list[int]) -> bool:
    """Whether presses keep the parity of the bulbs, which has to change, and of no part of them."""
    quiet = kernel(board.graph).basis()
    choices = (np.array([[*c]]) for c in itertools.product((False, True), repeat=len(quiet)))
    marked, least = board.graph.set_of(bulbs), False
    for coefficients in choices:
        pattern = (coefficients.astype(int) @ quiet)[0] % 2 == 1
        if (pattern & board.change).sum() % 2 and not (pattern & ~marked).any():
            if not np.array_equal(pattern, marked):
                return False
            least = True
    return least


@pytest.mark.parametrize("markings", MARKINGS)
def test_boards_without_a_solution(markings: int) -> None:
    rng = np.random.default_rng(3)
    accepted = 0
    graph = grid_graph("plus", (4, 4))  # nullity 4
    basis = kernel(graph).basis().astype(int)
    for turn in range(markings):
        board = Board(graph, rng.random(16) < 0.5, np.ones(16, dtype=np.bool_), "unlit")
        bulbs = drawn(rng, 16)
        if turn % 2:
            bulbs = np.flatnonzero(rng.integers(0, 2, 4) @ basis % 2).tolist()
        if bulbs and isinstance(press_sets(board), Witness):
            holds = witness_proves(board, bulbs)
            assert (marked(board, bulbs).result is not None) == holds
            accepted += int(holds)
    assert accepted > markings // 8


@pytest.mark.deep
def test_a_marking_is_accepted_where_it_is_the_certificate_itself() -> None:
    """Ten thousand: each bulb and each line alone, all, all that are pressed, and random ones."""
    rng = np.random.default_rng(53)
    judged = accepted = turn = 0
    while judged < 10_000:
        seed, name = turn // len(OFFERED), OFFERED[turn % len(OFFERED)]
        turn += 1
        board = puzzle_riddle(puzzle_named(name), ("easy", "medium")[seed % 2], seed)
        result = order(board)
        if result.refutation is None:
            continue
        marking = own_marking(board, result.refutation, result.counts)
        assert marking is not None
        assert refute(board, marking).result is not None
        sets, graph = press_sets(board), board.graph
        assert isinstance(graph, GridGraph)
        chosen = (
            np.arange(graph.size) if isinstance(sets, Witness) else np.flatnonzero(next(iter(sets)))
        )
        markings: list[tuple[list[int], ...]] = [([v], [], []) for v in range(graph.size)]
        markings += [([*range(graph.size)], [], []), (chosen.tolist(), [], [])]
        markings += [(chosen[rng.random(chosen.size) < 0.5].tolist(), [], []) for _ in range(20)]
        markings += [(drawn(rng, graph.size), [], []) for _ in range(20)]
        if isinstance(graph, CrossGraph):
            tall, wide = graph.shape
            markings += [([], [i], []) for i in range(tall)] + [([], [], [j]) for j in range(wide)]
            markings += [([], [*range(tall)], [*range(wide)])]
            markings += [([], drawn(rng, tall), drawn(rng, wide)) for _ in range(40)]
        for bulbs, rows, columns in markings:
            if not bulbs + rows + columns:
                continue
            judged += 1
            if isinstance(sets, Witness):
                proves = bool(bulbs) and witness_proves(board, bulbs)
            elif bulbs:
                proves = all(group_proves(board, press_set, {*bulbs}) for press_set in sets)
            else:
                grids = (graph.to_grid(press_set).tolist() for press_set in sets)
                proves = all(lines_prove(grid, rows, columns) for grid in grids)
            is_accepted = marked(board, bulbs, rows, columns).result is not None
            assert is_accepted == proves, (name, seed, bulbs, rows, columns)
            accepted += is_accepted
    assert 0 < accepted < judged // 50


def test_what_is_missing_is_told() -> None:
    board = cross_pressed(np.eye(4, dtype=np.bool_))
    lines = [0, 1, 2, 3]
    cases: list[tuple[list[int], ...]] = [
        ([],),
        ([], lines, lines),
        ([], [0, 1]),
        ([1],),
        ([0], [1]),
    ]
    for marks in cases:
        assert marked(board, *marks).missing
    free = parse_board("rule: any\n00\n00")
    assert marked(free, [0]).missing
    ring = parse_board("pattern: king\n0110\n1111\n1111\n0110")  # four lit dots that touch
    assert "part of a group" in str(marked(ring, [5]).missing)
    assert marked(ring, [5, 6, 9, 10]).result is not None


CORNER = cross_pressed(np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]) > 0)
SQUARE = Board.from_rows(["0100", "0000", "0000", "0000"], "plus")  # without a solution
ENDS = "can be the first to be pressed", "can be the last to be pressed"
EVEN = "and every order needs an even number"


@pytest.mark.parametrize(
    ("board", "marks", "reason", "missing"),
    [
        (CORNER, [[11]], None, f"this dot makes no pairs, {EVEN}; it {ENDS[0]}; it {ENDS[1]}"),
        (CORNER, [[11]], "odd-component", f"this dot makes no pairs, {EVEN}"),
        (CORNER, [[11]], "no-first-press", f"this dot {ENDS[0]}"),
        (CORNER, [[0, 1, 4]], "odd-component", f"these 3 dots make 2 pairs, {EVEN}"),
        (CORNER, [[0, 1, 4]], "no-first-press", "1 of these 3 dots can be the first of them to"),
        (CORNER, [[0]], None, "2 pairs join this dot to dots that are not marked"),
        (CORNER, [[0, 1]], None, "1 pair joins these 2 dots to dots that are not marked"),
        (CORNER, [[5]], None, "this bulb need not be pressed"),
        (CORNER, [[1, 5]], None, "1 of these 2 bulbs need not be pressed"),
        (CORNER, [[], [0]], "line-cut", "the ticked row needs 1 early press, and"),
        (CORNER, [[], [0, 3], [1, 2]], "line-cut", "the ticked rows need 1 early press, and"),
        (CORNER, [[], [0]], "line-count", "this line holds an even number of dots"),
        (CORNER, [[], [0, 1]], "line-count", "1 of these 2 lines holds an even number of dots"),
        (SQUARE, [[1]], None, "4 of the 16 presses change this bulb"),
        (SQUARE, [[1, 10]], None, "9 of the 16 presses change an odd number of these 2 bulbs"),
    ],
)
def test_what_is_missing_is_told_of_one_and_of_several(
    board: Board, marks: list[list[int]], reason: Reason | None, missing: str
) -> None:
    bulbs, rows, columns = (np.array(k, dtype=np.int64) for k in [*marks, [], []][:3])
    assert str(refute(board, Marking(bulbs, rows, columns), reason).missing).startswith(missing)


def asked_of(task: str, asked: Json) -> Any:
    """Ask the engine for a task: its end, or the whole of its error."""
    answer: Any = answered(task, asked, Limits(5), print)
    return answer.get("end", answer)


@pytest.mark.parametrize("name", OFFERED)
def test_riddles(name: str) -> None:
    """About half have an order; the reason of the others is one that a player can mark."""
    verdicts = []
    for seed in range(12):
        board = puzzle_riddle(puzzle_named(name), "easy", seed)
        result = order(board)
        verdicts.append(result.verdict)
        asked: Json = {"board": board_text(board)}
        if result.refutation is not None:
            marking = own_marking(board, result.refutation, result.counts)
            assert marking is not None
            assert refute(board, marking).result is not None
            at = {"bulbs": board.graph.labels(marking.bulbs), "rows": marking.rows.tolist()}
            asked_for = {**asked, **at, "columns": marking.columns.tolist()}
            assert "\nTheorem no" in asked_of("certificate", asked_for)["certificate"]
        else:
            end = asked_of("refute", asked)
            assert not end["accepted"]
        same: Json = {"board": "0", "puzzle": name, "grade": "easy", "seed": seed}
        assert asked_of("new", {**same, "riddle": True}) == asked
    assert 2 <= verdicts.count("solved") <= 10, verdicts


def test_a_day_and_ones_own() -> None:
    """The same board for everybody; of one's own shape, pattern, rule and goal."""
    days: list[Json] = [{"board": "0", "daily": f"2026-11-{k}"} for k in range(20, 27)]
    boards = [asked_of("new", {**day, "riddle": True})["board"] for day in days]
    assert boards == [asked_of("new", {**day, "riddle": True})["board"] for day in days]
    assert len({*boards}) == len(boards)
    text = "pattern: king\nrule: lit\ngoal: unlit\n-0010\n00000\n0000-\n"
    asked: Json = {"board": text, "puzzle": "your-own", "grade": "medium"}
    asked |= {"seed": 5, "riddle": True}
    board = parse_board(asked_of("new", asked)["board"])
    assert (board.graph.size, board.rule, board.graph.pattern) == (13, "lit", "king")


def test_bad_requests() -> None:
    lines: list[Json] = [{"rows": [9]}, {"rows": "1"}, {"bulbs": [[7, 7]]}, {"columns": [0, 0]}]
    for wrong in lines:
        assert asked_of("refute", {"board": "00\n00", **wrong})["status"] == 400
    unproved = asked_of("certificate", {"board": "00\n00", "rows": [0]})
    assert unproved["status"] == 400
    for question in ("refute", "certificate", "hint"):
        wiring: Json = {"board": '{"lights": 1, "buttons": [{"toggles": [0]}]}', "bulbs": [0]}
        more = {"sequence": [0]} if question == "hint" else {}
        told = asked_of(question, {**wiring, **more})
        assert (told["status"], "wiring" in told["error"]) == (400, True), (question, told)
    names: list[Json] = [{"daily": "day"}, {"grade": "none"}, {"seed": -1}, {"puzzle": []}]
    for wrong in names:
        asked: Json = {"board": "0", "puzzle": "in-order", "grade": "easy", "seed": 1, **wrong}
        assert asked_of("new", asked)["status"] == 400
