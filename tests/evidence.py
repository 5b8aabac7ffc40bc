"""One genuine result for every kind of evidence that there is, on boards small enough to be judged.

`genuine()` is what tests of the checker walk through: whoever adds a kind (`ponder.check.result`)
adds a line here, and each of its numbers is forged from then on.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Final
from unittest.mock import patch

import numpy as np

import ponder
from ponder.check.limits import Budget, TooLarge
from ponder.check.most_moves import verify_most_moves
from ponder.check.verification import check_bound, verify_within
from ponder.find.solvers.by_encoding import SolverSettings
from ponder.lights_out.most_moves import most_moves
from ponder.lights_out.sign_tree import refute
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph, Graph, grid_graph
from ponder.model.wired_graph import ToggleGraph
from ponder.system.errors import CheckFailed
from ponder.system.types import Json
from tests import boards, brute, checking, true_results
from tests.fuzz import results as fuzz

MOST_MOVES = {
    "last-patterns": "most_moves._last_patterns",
    "parity": "most_moves._Groups.of",
    "sign-tree": "most_moves._Tree.refuted",
    "syndromes": "most_moves._searched",
}
"""The words for upper bounds of `ponder most-moves`, each with the function that accepts it."""

FORMS: Final = (
    "order unique-press-set",
    "order coset-minimum",
    "order coset",
    "order exhausted",
    "solve odd-witness",
    "order line-count",
    "order line-cut",
    "order line-parities",
    "solve line-flow",
    "solve switches",
    "order switches",
    "order odd-component",
    "solve unique-press-set",
    "order coset-minimum 2",
    "solve coset-minimum",
    "order odd-components",
    "solve odd-components",
    "order dead-end",
    "solve dead-end",
    "solve decomposition",
    "solve presses-modulo-four",
    "order coset 2",
    "order line-count 2",
    "solve line-flow 2",
    "order no-first-press",
    "solve odd-components 2",
    "solve odd-components 3",
    "order line-count 3",
    "solve line-flow 3",
    "order sat-proof",
    "order no-last-press",
    "order randomised",
    "solve coset-minimum 2",
    "solve neighbourhood-packing",
    "solve linear-relaxation",
    "solve spectral",
    "solve switching-blocks",
    "solve states",
    "solve states 2",
    "solve folded-torus",
    "most-moves parity",
    "most-moves sign-tree",
    "most-moves syndromes",
    "most-moves last-patterns",
)
"""What `genuine()` has, in its order: tests are named before there is any evidence."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """A result that is true, the kind of its evidence, and what is true of its board."""

    kind: str
    board: Board
    content: Json
    truth: Truth | int

    def said(self, content: object) -> str:
        """What becomes of a forged result: `refused`, `open` or `accepted`.

        Whatever else is raised comes out, and an AssertionError where what is accepted is false.
        """
        budget = Budget()
        budget.left >>= 8  # a second by estimate: no small board needs more
        try:
            if isinstance(self.truth, int):
                assert isinstance(content, dict)
                lower, upper = verify_most_moves(self.board, content, budget)
                assert lower <= self.truth <= upper, (lower, upper)
                return "accepted"
            report = verify_within(self.board, content, budget)
        except CheckFailed:
            return "refused"
        except TooLarge:
            return "open"
        assert isinstance(content, dict)
        assert fuzz.falsehood(self.truth, content, report) is None
        return "accepted" if report.complete else "open"


class Truth(fuzz.Case):
    """What is true of a board; under the rule `any` by its press sets, which is faster."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        if board.rule == "any":
            self.once = self.fewest = min((int(s.sum()) for s in self.press_sets), default=None)


class WiredTruth(Truth):
    """What is true of a wiring on a grid, button by button."""

    def __init__(self, board: Board) -> None:
        graph = board.graph
        assert isinstance(graph, ToggleGraph)
        self.board, self.size = board, graph.size
        self.lit, self.goal = (checking.number(x.tolist()) for x in (board.lit, board.goal))
        units = np.eye(self.size, dtype=np.bool_)
        self.flips = [checking.number(graph.apply(unit).tolist()) for unit in units]
        self.at = list(range(self.size))
        self.fewest, self.once = brute.on_a_wiring(
            self.flips, self.at, self.lit, self.goal, board.rule
        )

    def plays(self, presses: list[int]) -> bool:
        """Whether the presses are legal one after the other and reach the goal."""
        lit = self.lit
        for v in presses:
            if lit >> v & 1 != (self.board.rule == "lit"):
                return False
            lit ^= self.flips[v]
        return lit == self.goal


def of_rows(rows: str, pattern: str = "cross", rule: str = "unlit") -> Board:
    """The board whose press set the rows are."""
    grid = np.array([[int(x) for x in row] for row in rows.split()], dtype=np.bool_)
    return solved(grid_graph(pattern, grid.shape), grid.reshape(-1), rule)


def solved(graph: Graph, presses: object, rule: str = "unlit") -> Board:
    return boards.solved_by(graph, np.asarray(presses, dtype=np.bool_), rule=rule)  # type: ignore[arg-type]


def bounded(board: Board, bound: Json, command: str = "solve") -> Json:
    """A result with the best lower bound that this evidence proves, and nothing else."""
    best = 0
    try:
        check_bound(board, command, 1 << 20, bound)
    except CheckFailed as failure:
        best = int(re.findall(r"proves (\d+)", str(failure))[0])
    return checking.result(board, command, verdict="unknown", lower_bound=best, bound=bound)


def found() -> Iterator[tuple[Board, Json]]:
    """Results of `order` and `solve`, and evidence put together by hand."""
    for board, content in true_results.cases().values():
        yield board, content
    for seed in (0, 5, 10, 11, 15, 22, 40, 61, 185, 234, 306, 375):
        board = fuzz.a_board(random.Random(seed))
        for ask in (ponder.order, ponder.solve):
            yield board, ask(board).to_json()
    board = boards.instance("cross-3x4-no-order")
    yield board, ponder.order(board).to_json()
    board = true_results.counted()[0]
    yield (
        board,
        ponder.order(board, method="sat", solver_settings=SolverSettings("half_factor")).to_json(),
    )
    board, lazy = true_results.cut()[0], SolverSettings("precedence", ("acyclic=lazy",))
    yield board, ponder.order(board, method="sat", solver_settings=lazy).to_json()
    board = of_rows("110 011", "king")
    board = Board(board.graph, ~board.lit, ~board.goal)  # no press leaves its bulb unlit
    last = checking.local(board, "no-last-press", press_set := checking.press_sets(board)[0], [])
    last["bulbs"] = board.graph.labels(checking.components(board, press_set)[0])
    yield board, checking.impossible(board, "C1", last)
    board = true_results.counted()[0]
    randomised: Json = {"kind": "randomised", "field_bits": 64, "trials": 2, "log2_error": -70}
    randomised |= {"seed": 0}
    yield board, checking.result(board, verdict="unknown", refutation=randomised)

    board = of_rows("0100 0010 1101", "plus", "any")
    labels = board.graph.labels(range(12))
    sets = [[labels[v] for v in np.flatnonzero(s)] for s in checking.press_sets(board)]
    fewest = min(map(len, sets))
    lightest = [s for s in sets if len(s) == fewest]
    listed: Json = {"kind": "coset-minimum", "press_sets": len(lightest), "listed": lightest}
    yield board, bounded(board, listed)
    board = of_rows("1000 0100 0010 0001", "plus", "any")
    changing = np.flatnonzero(board.change)[:1]
    yield (
        board,
        bounded(board, {"kind": "neighbourhood-packing", "bulbs": board.graph.labels(changing)}),
    )
    cycle = EdgeGraph(5, [(i, (i + 1) % 5) for i in range(5)])
    board = Board(cycle, np.zeros(5, np.bool_), np.ones(5, np.bool_), "any")
    cuts = [{"bulb": v, "without": [], "weight": 1} for v in range(5)]
    yield board, bounded(board, {"kind": "linear-relaxation", "divisor": 3, "cuts": cuts})
    board = of_rows("110 011 111")
    yield board, bounded(board, {"kind": "spectral"})
    whole = {"rows": [0, 1, 2], "columns": [0, 1, 2], "least": 1}
    yield board, bounded(board, {"kind": "switching-blocks", "blocks": [whole]})
    yield board, bounded(board, {"kind": "switches", "side": "rows", "raised": []})
    for rows in (["00", "00"], ["11", "11"]):
        board = Board.from_rows(rows, "toggles 0,0 0,1 1,0 -1,1", goal=["10", "11"])
        yield board, ponder.solve(board).to_json()
    board = of_rows("101 010 001 110 100 011", "torus-plus", "any")
    yield board, bounded(board, {"kind": "folded-torus", "times": 1})
    board = of_rows("110 000", "king")
    yield board, ponder.solve(board).to_json()


def most() -> Iterator[tuple[Board, Json]]:
    """Results of `most-moves`."""
    for pattern, shape, largest in (
        ("plus", (2, 3), -1),
        ("cross", (3, 3), -1),
        ("king", (2, 3), 20),
        ("torus-plus", (3, 3), -1),
    ):
        graph = grid_graph(pattern, shape)
        with patch("ponder.lights_out.most_moves.LARGEST_SEARCHED", largest):
            made = most_moves(graph)
        if pattern == "cross":  # last patterns suffice, a tree proves the same
            height = graph.size + made.types.free - 2 * made.upper
            made = replace(made, named=None, tree=refute(made.types, height - 2))
        content = made.to_json()
        nothing = np.zeros(graph.size, dtype=np.bool_)
        yield Board(graph, nothing, ~nothing), content


@cache
def genuine() -> tuple[Evidence, ...]:
    """Every kind of evidence, with several forms of some."""
    every: dict[tuple[str, ...], Evidence] = {}
    for board, content in found():
        content = checking.loads(content)
        parts: list[Json] = [content[key] for key in ("bound", "refutation") if content[key]]  # type: ignore[misc]
        filled = sorted({key for part in parts for key in part if part[key]})
        written = ["proofs"] if content.get("proofs") else []
        kinds = [str(part["kind"]) for part in parts]
        form = (str(content["command"]), *kinds, *filled, *written)
        if kinds and form not in every:
            truth = WiredTruth if isinstance(board.graph, ToggleGraph) else Truth
            every[form] = Evidence(kinds[0], board, content, truth(board))
    results = list(every.values())
    for board, content in most():
        content = checking.loads(content)
        kind = content["evidence"]["kind"]  # type: ignore[index]
        results.append(Evidence(kind, board, content, content["upper_bound"]))  # type: ignore[arg-type]
    return tuple(results)


def forms() -> dict[str, Evidence]:
    """Genuine evidence by the name of its form: the command, the kind, a number from the second."""
    found: dict[str, Evidence] = {}
    for evidence in genuine():
        name = f"{evidence.content.get('command', 'most-moves')} {evidence.kind}"
        again = sum(other.split()[:2] == name.split() for other in found)
        found[f"{name} {again + 1}" if again else name] = evidence
    return found


def form_named(name: str) -> Evidence:
    """The evidence of a form; ImportError where it is not there for want of what makes it."""
    if name not in (found := forms()):
        import_module("ortools")  # whatever is not there is made with it
    return found[name]
