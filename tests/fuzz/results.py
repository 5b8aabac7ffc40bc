"""Results that are spoilt in meaningful ways: nothing false may pass `verify`.

A batch takes one small board, asks `order` and `solve` for true results about it in many ways, and
adds evidence made at random whose arithmetic is right, though it may prove nothing. Then it spoils
them: another verdict, claim or command; counts and bounds moved; evidence exchanged between results
and boards, its parts dropped or doubled; presses reordered; numbers of any size and of wrong types.
What `verify` accepts is judged by brute force on the board (`tests.brute`): every statement that it
calls checked must be true, and nothing but a `PonderError` may come out of it.

    from tests.fuzz import results
    tried = results.attempt(random.Random(seed))      # one batch; AssertionError with the board,
                                                      # the result, shrunk, and what is false in it

Cost: some 2,000 results a second.
"""

from __future__ import annotations

import copy
import json
import math
import random
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np

import ponder
from ponder.check import result as results
from ponder.check.proofs import packed
from ponder.check.verification import Report, verify
from ponder.check.written import press_counts_json
from ponder.find.solvers.by_encoding import SolverSettings
from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import CrossGraph, EdgeGraph, Graph, GridGraph, grid_graph
from ponder.system.errors import PonderError
from tests import boards, brute, checking
from tests.fuzz import pair_proofs
from tests.kinds import BOUNDS, LOCAL, OF_ALL_PRESS_SETS, REFUTATIONS

Json = dict[str, Any]
Spoil = Callable[[random.Random, Json, "Case"], None]

PROVED = re.compile(r"(?:proves|may need fewer than .* presses, one of them) (\d+)")
LONG, SELDOM = 1 << 20, 20  # characters of a result that takes seconds to verify: one in so many
BATCH = 400
"""Spoilt results in a batch."""

PATTERNS = ("cross", "cross", "plus", "king", "torus-plus", "torus-king", "stencil 1,1 -1,-1")
SHAPES = (
    (1, 1),
    (1, 3),
    (1, 6),
    (2, 2),
    (2, 3),
    (3, 2),
    (3, 3),
    (2, 4),
    (4, 2),
    (5, 1),
    (2, 5),
    (3, 4),
)
METHODS = ("sat", "cpsat", "greedy", "lines")
ENCODINGS = ("precedence", "layered", "time_indexed")
ODD_NUMBERS = (-1, 0, 1, 2, 3, 7, 999, 2**31, 2**62, 2**63, 2**64 + 1, 10**30, 10**5000)
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0.0, 1.0, 2.5, math.nan, math.inf, "", "1", "C3", [], [[]], {}, [0], [None],
    {"kind": None}, {"kind": "coset"}, {"kind": []}, "\ud800", "0" * 9, [[0, 0]], [[0, False]],
    [["0", 0]], [[0, 0.0]], [[0, 10**30]], [1, 2, 3], *ODD_NUMBERS,
)  # fmt: skip


# ------------------------------------------------------------------------------ boards and truths


class Case:
    """A board, what is true of it by brute force, and results about it to take pieces from."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.size = board.graph.size
        self.edges = boards.edges_of(board.graph)
        self.lit = checking.number(board.lit.tolist())
        self.goal = checking.number(board.goal.tolist())
        self.results: list[Json] = []

    @cached_property
    def once(self) -> int | None:
        """The fewest presses of an order, None when there is no order."""
        return brute.fewest_once(self.size, self.edges, self.lit, self.goal, self.board.rule)

    @cached_property
    def fewest(self) -> int | None:
        """The fewest presses of a legal sequence, None when there is none."""
        steps = brute.distances(self.size, self.edges, self.goal, self.board.rule)
        return steps.get(self.lit)

    @cached_property
    def press_sets(self) -> list[np.ndarray[Any, Any]]:
        """All press sets."""
        return checking.press_sets(self.board)

    @cached_property
    def orders(self) -> dict[bytes, list[int] | None]:
        """An order of every press set, if it has one."""
        return {s.tobytes(): checking.play_order(self.board, s) for s in self.press_sets}

    def plays(self, presses: list[int]) -> bool:
        """Whether the presses are legal one after the other and reach the goal."""
        return brute.replays(self.size, self.edges, self.lit, self.goal, presses, self.board.rule)

    def orderable(self, counts: np.ndarray[Any, Any]) -> bool:
        """Whether these press counts are those of a press set that has an order."""
        return self.orders.get(counts.tobytes()) is not None


SHORTER_WITH_REPEATS = ("11", "10", "11", "10", "11")
"""A row/column board where an order needs 8 presses and a sequence 4: few boards are like that."""


def a_board(rng: random.Random) -> Board:
    """Draw a board of few bulbs, mostly one that some press set solves."""
    graph: Graph
    if rng.random() < 0.04:
        return Board.from_rows(SHORTER_WITH_REPEATS)
    if rng.random() < 0.05:
        return boards.needs_the_oracle(rng.randrange(100))
    if rng.random() < 0.05:
        return a_raised_board(rng)
    if rng.random() < 0.2:
        size = rng.randint(1, 8)
        density = rng.choice([0.2, 0.5, 0.9])
        edges = [(j, i) for i in range(size) for j in range(i) if rng.random() < density]
        names = [i if rng.random() < 0.5 else f"v{i}" for i in range(size)]
        graph = EdgeGraph(size, edges, names)
    else:
        shape = rng.choice(SHAPES) if rng.random() < 0.98 else (4, 4)
        bulbs = np.array([[rng.random() < 0.8 for _ in range(shape[1])] for _ in range(shape[0])])
        holes = rng.random() < 0.25 and bulbs.any()
        graph = grid_graph(rng.choice(PATTERNS), shape, bulbs if holes else None)

    def some() -> np.ndarray[Any, Any]:
        return np.array([rng.random() < 0.5 for _ in range(graph.size)])

    goal = rng.choice([np.ones(graph.size, bool), np.zeros(graph.size, bool), some()])
    lit = some() if rng.random() < 0.1 else goal ^ graph.apply(some())
    return Board(graph, lit, goal, rng.choice(["unlit", "unlit", "lit", "any"]))


RAISED = ("0001 0001 1111", "1001 1110 1110", "1110 0001 0001", "0101 1000 1000")
"""Press sets of row/column boards where counting is not enough, and weighted cuts are needed.

One random 3×4 board in fifty is like that; a checker that is wrong by two there stays unnoticed
without them.
"""


def a_raised_board(rng: random.Random) -> Board:
    """Draw a row/column board whose bound is raised by weighted cuts."""
    grid = np.array([[int(x) for x in row] for row in rng.choice(RAISED).split()], dtype=np.bool_)
    grid = grid[rng.sample(range(3), 3)][:, rng.sample(range(4), 4)]
    grid = grid.T if rng.random() < 0.5 else grid
    return boards.solved_by(grid_graph("cross", grid.shape), np.ascontiguousarray(grid).reshape(-1))


def true_results(rng: random.Random, case: Case) -> list[Json]:
    """Ask for results about the board, in many ways."""
    board, found = case.board, []

    def ask(command: Callable[..., ponder.Result], **options: Any) -> None:
        with suppress(PonderError):  # not every method is for every board
            found.append(command(board, **options).to_json())

    ask(ponder.order)
    ask(ponder.solve)
    ask(ponder.solve, at_most=rng.randint(0, 12))
    ask(ponder.order, timeout=0)
    ask(ponder.solve, timeout=0)
    if rng.random() < 0.1:
        ask(ponder.order, method=rng.choice(METHODS), trials=1)
    if rng.random() < 0.04:
        ask(ponder.order, method="sat", solver_settings=SolverSettings(rng.choice(ENCODINGS)))
    if case.press_sets and rng.random() < 0.5:
        ask(ponder.order, press_set=np.flatnonzero(rng.choice(case.press_sets)))
    return [checking.loads(one) for one in found]


# --------------------------------------------------------------------------- evidence at random


def bound_at_random(rng: random.Random, case: Case) -> Json:
    """Return evidence for a lower bound, well-formed, that proves what it may."""
    kind = rng.choice(sorted(BOUNDS["solve"]))
    bound: Json = {"kind": kind}
    graph = case.board.graph
    match kind:
        case "coset" | "odd-components":
            bound["parts"] = parts_at_random(rng, case)
        case "decomposition":
            bound |= {"parts": parts_at_random(rng, case), "proofs": []}
            bound["cuts"] = [pair_proofs.a_cut(rng, case.board) for _ in range(rng.randint(0, 2))]
            if case.press_sets:
                counts = press_counts_json(case.board, rng.choice(case.press_sets))
                proof = {"press_counts": counts, "pairs": rng.randint(0, 3), "cap": 2, "cuts": []}
                bound["proofs"].append(proof | {"lrat": packed("9999 0 1 2 0\n")})
        case "within-steps":
            bound |= {"steps": rng.randint(0, 3), "lrat": packed("9999 0 1 2 0\n")}
        case "neighbourhood-packing":
            changing = np.flatnonzero(case.board.change).tolist()
            bound["bulbs"] = graph.labels(rng.sample(changing, min(len(changing), 2)))
        case "linear-relaxation":
            bound |= {
                "divisor": rng.choice([0, 1, 2, 4]),
                "cuts": odd_cuts_at_random(rng, case.board),
            }
        case "folded-torus":
            bound["times"] = rng.choice([0, 1, 2])
        case "switching-blocks" if isinstance(graph, GridGraph):
            rows, columns = ([i for i in range(k) if rng.random() < 0.7] for k in graph.shape)
            bound["blocks"] = [{"rows": rows, "columns": columns, "least": rng.randrange(4)}]
        case "switches" if isinstance(graph, GridGraph):
            bound |= switches_at_random(rng, graph)
        case "line-flow" if isinstance(graph, CrossGraph) and case.press_sets:
            side, rows, columns = cut_at_random(rng, graph)
            grid = graph.to_grid(case.press_sets[0] > 0).astype(int)
            bound |= {"side": side, "rows": rows, "columns": columns}
            bound["flow"] = capacity(grid, side, rows, columns)
    return bound


def odd_cuts_at_random(rng: random.Random, board: Board) -> list[Json]:
    """Return weighted cuts around some bulbs, most of them of a forbidden parity."""
    graph = board.graph
    cuts: list[Json] = []
    for v in rng.sample(range(graph.size), min(graph.size, 3)):
        near = [v, *graph.neighbours(v).tolist()]
        side = rng.sample(near, rng.randrange(len(near) + 1))
        if len(side) % 2 == int(board.change[v]) and rng.random() < 0.9:
            side = side[1:] if side else [v]
        label, labels = graph.label(v), graph.labels(side)
        cuts.append({"bulb": label, "without": labels, "weight": rng.randrange(4)})
    return cuts


def capacity(grid: np.ndarray[Any, Any], side: str, rows: list[int], columns: list[int]) -> int:
    """Return the capacity of a cut; the lines named lie with the source, `side` is next to it."""
    if side == "columns":
        grid, rows, columns = grid.T, columns, rows
    halves, across = grid.sum(axis=1) // 2, grid.sum(axis=0) // 2
    others = [i for i in range(len(grid)) if i not in rows]
    beyond = [j for j in range(grid.shape[1]) if j not in columns]
    return int(halves[others].sum() + across[columns].sum() + grid[np.ix_(rows, beyond)].sum())


def cut_at_random(rng: random.Random, graph: GridGraph) -> tuple[str, list[int], list[int]]:
    """Return a side, some rows and some columns."""
    rows, columns = ([i for i in range(k) if rng.random() < 0.5] for k in graph.shape)
    return rng.choice(["rows", "columns"]), rows, columns


def switches_at_random(rng: random.Random, graph: GridGraph) -> Json:
    """Return a side, and weighted cuts for some odd lines of that side."""
    side = rng.choice(["rows", "columns"])
    lines = range(graph.shape[0] if side == "rows" else graph.shape[1])

    def some() -> list[int]:
        return [i for i in lines if rng.random() < 0.5]

    raised = []
    for _ in range(rng.choice([0, 0, 1, 2])):
        cuts = [{"lines": some(), "weight": rng.randint(0, 3)} for _ in range(rng.randint(0, 2))]
        raised.append({"odd_lines": some(), "divisor": rng.randint(1, 4), "cuts": cuts})
    return {"side": side, "raised": raised}


def parts_at_random(rng: random.Random, case: Case) -> list[Json]:
    """Return refutations of press sets, which may refute nothing."""
    return [part_at_random(rng, case) for _ in range(rng.randint(0, 3))]


def part_at_random(rng: random.Random, case: Case) -> Json:
    """Return a refutation of a press set whose arithmetic is right."""
    kind = rng.choice(sorted(set(OF_ALL_PRESS_SETS) - {"sat-proof"}))
    graph = case.board.graph
    part: Json = {"kind": kind}
    if kind == "coset":
        return part | {"parts": [part_at_random(rng, case) for _ in range(rng.randint(0, 2))]}
    sets = case.press_sets
    counts = rng.choice(sets) if sets else np.zeros(case.size, dtype=int)
    if rng.random() < 0.05:
        counts = counts + 2 * np.array([rng.random() < 0.3 for _ in range(case.size)])
    part["press_counts"] = press_counts_json(case.board, counts)
    if kind in (*LOCAL, "piece-count"):
        groups = checking.components(case.board, counts) or [[]]
        group = rng.choice(groups)
        if rng.random() < 0.3:
            group = [v for v in group if rng.random() < 0.7]
        part["bulbs"] = graph.labels(group)
        if kind == "piece-count":
            cut = rng.randrange(len(group) + 1)
            pieces = [piece for piece in (group[:cut], group[cut:]) if piece]
            part |= {"way": rng.choice(["in", "out"]), "pieces": list(map(graph.labels, pieces))}
            part["least"] = [rng.randrange(4) for _ in pieces]
            part["border"] = rng.randrange(6)
    elif isinstance(graph, GridGraph):
        grid = np.zeros(graph.shape, dtype=int)
        grid.reshape(-1)[graph.cells] = counts
        odd = [np.flatnonzero(grid.sum(axis=axis) % 2).tolist() for axis in (1, 0)]
        side, rows, columns = cut_at_random(rng, graph)
        match kind:
            case "line-count":
                part |= {"odd_rows": odd[0], "odd_columns": odd[1]}
            case "line-cut":
                part |= {"side": side, "rows": rows, "columns": columns}
                part |= need_and_room(grid, side, rows, columns)
            case "line-parities":
                part |= {"side": side, "odd_lines": odd[side == "columns"]}
                part["others"] = graph.shape[side == "rows"]
            case "weighted-cuts":
                part |= {"side": side, "cuts": []}
                for _ in range(rng.randint(0, 2)):
                    _, rows, columns = cut_at_random(rng, graph)
                    lines = rows if side == "rows" else columns
                    part["cuts"].append({"lines": lines, "weight": rng.randint(0, 3)})
    return checking.loads(part)


def everything_at_random(rng: random.Random, case: Case) -> Json:
    """Return a refutation of all sequences (claim C4), right or wrong."""
    graph = case.board.graph
    if rng.random() < 0.5:
        some = [v for v in range(case.size) if rng.random() < 0.5]
        return checking.loads({"kind": "odd-witness", "bulbs": graph.labels(some)})
    piece = rng.choice(checking.components(case.board, np.ones(case.size, dtype=int)))
    if rng.random() < 0.2:
        piece = [v for v in piece if rng.random() < 0.8]
    end = rng.choice(["start", "goal"])
    return checking.loads({"kind": "dead-end", "end": end, "bulbs": graph.labels(piece)})


def need_and_room(
    grid: np.ndarray[Any, Any], side: str, rows: list[int], columns: list[int]
) -> Json:
    """Return how many presses of colour 1 the lines of a cut need, and have room for."""
    if side == "columns":
        grid, rows, columns = grid.T, columns, rows
    beyond = [j for j in range(grid.shape[1]) if j not in columns]
    room = (grid.sum(axis=0) // 2)[columns].sum() + np.count_nonzero(grid[np.ix_(rows, beyond)])
    return {"need": int((grid.sum(axis=1) // 2)[rows].sum()), "room": int(room)}


# ---------------------------------------------------------------------------------- spoiling


def other_words(rng: random.Random, found: Json, case: Case) -> None:
    key, words = rng.choice(
        [
            ("command", ("order", "solve")),
            ("verdict", ("solved", "impossible", "unknown")),
            ("claim", (None, "C1", "C2", "C3", "C4")),
        ]
    )
    found[key] = rng.choice(words)


def a_whole_claim(rng: random.Random, found: Json, case: Case) -> None:
    """Take another row of the table, with what it needs."""
    (command, verdict, claim), row = rng.choice(list(results.TABLE.items()))
    found |= {"command": command, "verdict": verdict, "claim": claim}
    if row.presses == "no":
        found |= {"presses": None, "count": None}
    if row.refutation != "yes":
        found["refutation"] = None
    if row.lower_bound == "no":
        found |= {"lower_bound": None, "bound": None}
    elif found["lower_bound"] is None and rng.random() < 0.7:
        found |= {"lower_bound": rng.randint(0, 12), "bound": bound_at_random(rng, case)}
    found["at_most"] = None if row.at_most == "no" else found["at_most"]
    if row.at_most == "yes" and isinstance(found["lower_bound"], int):
        found["at_most"] = found["lower_bound"] - 1
    fitting(rng, found, case)


def a_fresh_claim(rng: random.Random, found: Json, case: Case) -> None:
    """Say anything, in the table or not, with evidence made for it and numbers that agree."""
    if rng.random() < 0.5:
        command, verdict, claim = rng.choice(list(results.TABLE))
    else:
        command, verdict = rng.choice(["order", "solve"]), rng.choice(["solved", "impossible"])
        claim = rng.choice([None, "C1", "C2", "C3", "C3", "C4"])
    found |= {"command": command, "verdict": verdict, "claim": claim, "at_most": None}
    found |= {"refutation": None, "lower_bound": None, "bound": None}
    if verdict != "solved":
        found["presses"] = None
    if claim in ("C1", "C2"):
        found["refutation"] = part_at_random(rng, case)
    elif claim == "C4":
        found["refutation"] = everything_at_random(rng, case)
    else:
        found["bound"] = bound_at_random(rng, case)
        found["lower_bound"] = rng.randint(0, 12)
        if verdict == "impossible":
            found["at_most"] = found["lower_bound"] - 1
    fitting(rng, found, case)


def fitting(rng: random.Random, found: Json, case: Case) -> None:
    """Make the numbers agree with one another."""
    presses = found["presses"]
    found["count"] = len(presses) if isinstance(presses, list) else None
    found["optimal"] = found["count"] is not None and found["count"] == found["lower_bound"]


def other_numbers(rng: random.Random, found: Json, case: Case) -> None:
    key = rng.choice(["count", "lower_bound", "lower_bound", "at_most", "at_most"])
    old = found[key]
    if isinstance(old, int) and rng.random() < 0.7:
        found[key] = old + rng.choice([-2, -1, 1, 2])
    else:
        found[key] = rng.choice([rng.randint(0, 14), rng.choice(ODD_NUMBERS), None])
    if rng.random() < 0.7:
        found["optimal"] = found["count"] is not None and found["count"] == found["lower_bound"]


def higher_bound(rng: random.Random, found: Json, case: Case) -> None:
    """Move the bound away from the presses, and ask for fewer."""
    lower_bound = found["lower_bound"] if isinstance(found["lower_bound"], int) else 0
    raised = lower_bound + rng.choice([0, 1, 2, 2, 4, 10**18])
    found |= {"lower_bound": raised, "presses": None}
    if rng.random() < 0.5:
        found |= {"verdict": "impossible", "claim": "C3", "at_most": raised - 1}
    else:
        found |= {"verdict": "unknown", "claim": None, "at_most": None}
    if rng.random() < 0.5:
        found["refutation"] = None
    fitting(rng, found, case)


def flipped(rng: random.Random, found: Json, case: Case) -> None:
    found["optimal"] = not found["optimal"]


def other_evidence(rng: random.Random, found: Json, case: Case) -> None:
    """Take the evidence of another result, or any."""
    key = rng.choice(["bound", "refutation"])
    other = rng.choice(case.results)[key]
    new = bound_at_random(rng, case) if key == "bound" else part_at_random(rng, case)
    found[key] = copy.deepcopy(rng.choice([other, other, new, new, None]))


def bound_of_refutation(rng: random.Random, found: Json, case: Case) -> None:
    """Make a bound of what refutes press sets."""
    refutation = found["refutation"] or rng.choice(case.results)["refutation"]
    if not isinstance(refutation, dict):
        return
    refutation = copy.deepcopy(refutation)
    parts = refutation["parts"] if isinstance(refutation.get("parts"), list) else [refutation]
    found["bound"] = {"kind": rng.choice(["coset", "odd-components"]), "parts": list(parts)}
    if found["lower_bound"] is None:
        found["lower_bound"] = rng.choice([*range(12), 10**18])


def other_pair_proof(rng: random.Random, found: Json, case: Case) -> None:
    bound = found["bound"]
    if isinstance(bound, dict) and bound.get("kind") == "decomposition":
        with suppress(IndexError, ValueError):  # there is nothing left to spoil
            rng.choice(pair_proofs.SPOILS)(rng, bound)


def other_kind(rng: random.Random, found: Json, case: Case) -> None:
    evidence = found[rng.choice(["bound", "refutation"])]
    if isinstance(evidence, dict):
        kinds = [*REFUTATIONS, *BOUNDS["solve"]]
        evidence["kind"] = rng.choice(kinds)


def other_parts(rng: random.Random, found: Json, case: Case) -> None:
    evidence = found[rng.choice(["bound", "refutation"])]
    parts = evidence.get("parts") if isinstance(evidence, dict) else None
    if not isinstance(parts, list):
        return
    match rng.randrange(4):
        case 0 if parts:
            del parts[rng.randrange(len(parts))]
        case 1 if parts:
            parts.append(copy.deepcopy(rng.choice(parts)))
        case 2:
            parts.append(part_at_random(rng, case))
        case _:
            rng.shuffle(parts)


def other_presses(rng: random.Random, found: Json, case: Case) -> None:
    presses = found["presses"]
    if not isinstance(presses, list):
        found["presses"] = presses = []
    labels = case.board.graph.labels(range(case.size))
    label = checking.loads({"label": rng.choice(labels)})["label"]
    i, j = rng.randrange(len(presses) + 1), rng.randrange(len(presses) + 1)
    match rng.randrange(5):
        case 0 if presses:
            del presses[i - 1]
        case 1:
            presses.insert(i, label)
        case 2 if presses:
            presses[i - 1], presses[j - 1] = presses[j - 1], presses[i - 1]
        case 3:
            presses[i:i] = [label, copy.deepcopy(label)]
        case _ if presses:
            presses[i - 1] = label
    if rng.random() < 0.9:
        fitting(rng, found, case)


def other_detail(rng: random.Random, found: Json, case: Case) -> None:
    """Move one number, digit or item somewhere in the evidence."""
    ways = [way for way in paths(found) if way[0] in ("bound", "refutation")]
    if not ways:
        return
    *way, key = rng.choice(ways)
    at = inside(found, way)
    old = at[key]
    match old:
        case bool() | None:
            at[key] = rng.choice([True, False, 0, 1])
        case int():
            at[key] = old + rng.choice([-1, 1, 1, 2**62])
        case str() if old.isdigit():
            i = rng.randrange(len(old))
            at[key] = old[:i] + rng.choice("01") + old[i + 1 :]
        case str() if old in ("rows", "columns"):
            at[key] = "rows" if old == "columns" else "columns"
        case list() if old and rng.random() < 0.5:
            old.pop(rng.randrange(len(old)))
        case list():
            old.append(rng.choice([0, 1, 2, 3, [0, 0], [0, 1], [1, 1]]))


def other_value(rng: random.Random, found: Json, case: Case) -> None:
    """Put any JSON value anywhere, or take one away."""
    *way, key = rng.choice(list(paths(found)))
    at = inside(found, way)
    if rng.random() < 0.1:
        del at[key]
    else:
        at[key] = copy.deepcopy(rng.choice(ODD_VALUES))


SPOILS: tuple[Spoil, ...] = (
    a_fresh_claim,
    a_fresh_claim,
    a_fresh_claim,
    a_fresh_claim,
    other_words,
    a_whole_claim,
    a_whole_claim,
    fitting,
    other_numbers,
    other_numbers,
    higher_bound,
    flipped,
    other_evidence,
    other_evidence,
    bound_of_refutation,
    other_kind,
    other_pair_proof,
    other_parts,
    other_presses,
    other_detail,
    other_detail,
    other_value,
)


def paths(value: object, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all parts of a JSON value."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    found: list[tuple[Any, ...]] = []
    for key in keys:
        found.append((*way, key))
        found += paths(value[key], (*way, key))  # type: ignore[index]
    return found


def inside(value: Any, way: list[Any]) -> Any:
    for key in way:
        value = value[key]
    return value


# ----------------------------------------------------------------------------------- judging


def falsehood(case: Case, found: Json, report: Report) -> str | None:
    """Return what is false in an accepted result, None when all that counts as checked is true."""
    any_sequence = found["command"] == "solve" or found.get("claim") == "C3"
    least = case.fewest if any_sequence else case.once
    count, lower_bound, at_most = (found.get(key) for key in ("count", "lower_bound", "at_most"))
    for key, value in (("count", count), ("lower_bound", lower_bound), ("at_most", at_most)):
        if value is not None and type(value) is not int:
            return f"{key} is {value!r}"
    if type(found["optimal"]) is not bool or type(found["board"]["bulbs"]) is not int:
        return "optimal or bulbs has a wrong type"
    if found.get("presses") is not None:
        try:
            presses = [bulb(case.board, label) for label in found["presses"]]
        except (KeyError, TypeError, ValueError):
            return f"a press is none of the bulbs: {found['presses']!r}"
        plays = case.plays(presses)
        twice = found["command"] == "order" and len(set(presses)) < len(presses)
        if not plays or twice or len(presses) != count:
            return "the presses"
    elif count is not None:
        return "count without presses"
    bound_checked = any(
        "has fewer than" in s.text and s.status == "checked" for s in report.statements
    )
    if bound_checked and least is not None and (lower_bound is None or lower_bound > least):
        return f"lower_bound: the fewest are {least}"
    if found["optimal"] != (count is not None and count == lower_bound):
        return "optimal"
    if report.complete and found["optimal"] and count != least:
        return f"optimal: the fewest are {least}"
    if found["verdict"] == "unknown":
        return None
    if found["verdict"] == "solved":
        wrong = count is None or (at_most is not None and count > at_most)
        return "solved" if wrong else None
    if report.unchecked_verdict:
        return "exit code 0" if report.complete else None
    match found["claim"]:
        case "C1":
            text = found["refutation"]["press_counts"]
            counts = [int(x) for row in text for x in str(row) if x != "-"]
            one_set = np.array(counts)
            if one_set.tobytes() not in case.orders:
                return "C1: this is not a press set"
            return "C1: the press set has an order" if case.orderable(one_set) else None
        case "C2":
            return None if case.once is None else "C2: there is an order"
        case "C3":
            enough = case.fewest is not None and (at_most is None or case.fewest <= at_most)
            return f"C3: the fewest are {case.fewest}" if enough else None
        case "C4":
            return None if case.fewest is None else "C4: there is a legal sequence"
    return "a verdict without a claim"


def bulb(board: Board, label: Any) -> int:
    """Return the bulb of a label; an error where its types are wrong."""
    labels = board.graph.labels(range(board.graph.size))
    if isinstance(board.graph, GridGraph):
        row, column = label
        if type(row) is not int or type(column) is not int:
            raise TypeError
        return labels.index((row, column))
    if type(label) not in (int, str):
        raise TypeError
    return labels.index(label)


def trouble(case: Case, found: Json) -> str | None:
    """Return what is wrong with how `verify` takes a result; None when all is well."""
    try:
        report = verify(case.board, found)
    except PonderError as error:
        return None if "\n" not in str(error) else "a reason of several lines"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    false = falsehood(case, found, report)
    return None if false is None else f"accepted, and false: {false}"


def reason(case: Case, found: Json) -> str:
    """Return why a result is rejected, or nothing."""
    try:
        verify(case.board, found)
    except PonderError as error:
        return str(error)
    return ""


def shrunk(case: Case, found: Json) -> Json:
    """Take away whatever is not needed for the trouble."""
    smaller = True
    while smaller:
        smaller = False
        for *way, key in sorted(paths(found), key=len):
            less = copy.deepcopy(found)
            try:
                del inside(less, way)[key]
            except (KeyError, IndexError, TypeError):
                continue
            try:
                still = trouble(case, less) is not None
            except Exception:  # the judge needs what was taken away
                still = False
            if still:
                found, smaller = less, True
                break
    return found


# ----------------------------------------------------------------------------------- batches


def attempt(rng: random.Random) -> int:
    """Try one batch on one board; return the number of results tried.

    AssertionError with the board, the result and the trouble.
    """
    case = Case(a_board(rng))
    for _ in range(rng.choice([0, 0, 10])):  # look for a board that repeats make easier
        if None not in (case.once, case.fewest) and case.once != case.fewest:
            break
        case = Case(a_board(rng))
    case.results = true_results(rng, case)
    for found in case.results:
        try:
            verify(case.board, found)
        except PonderError as error:
            raise AssertionError(_told(case, found, f"true, and rejected: {error}")) from None
        judge(case, found)
    texts = [json.dumps(found) for found in case.results]
    short = [text for text in texts if len(text) <= LONG] or texts
    for k in range(BATCH):
        found = json.loads(rng.choice(texts if k % SELDOM == 0 else short))
        for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
            with suppress(KeyError, TypeError, AttributeError):  # spoilt too much for this one
                rng.choice(SPOILS)(rng, found, case)
        judge(case, found)
    return BATCH + len(case.results)


def judge(case: Case, found: Json) -> None:
    """AssertionError when something is wrong with how `verify` takes a result.

    Where only the number is not what its evidence proves, the number that it is said to prove is
    put in its place: then the evidence is judged.
    """
    found_out = trouble(case, found)
    if found_out is None:
        with suppress(KeyError, TypeError, AttributeError):
            proved = PROVED.search(reason(case, found))
            if proved is not None:
                found["lower_bound"] = int(proved[1])
                if found["verdict"] == "solved":
                    found |= {"verdict": "unknown", "claim": None, "presses": None, "at_most": None}
                if found.get("at_most") is not None:
                    found["at_most"] = found["lower_bound"] - 1
                fitting(random.Random(0), found, case)
                found_out = trouble(case, found)
    if found_out is not None:
        least = shrunk(case, found)
        raise AssertionError(_told(case, least, trouble(case, least) or found_out))


def _told(case: Case, found: Json, what: str) -> str:
    return f"{what}\n\n{board_text(case.board)}\n{fields_text(found)}\n"


def fields_text(found: Json) -> str:
    """Return a result as JSON, or as Python writes it where numbers are too long for that."""
    try:
        return json.dumps(found)
    except ValueError:
        return "with a number of thousands of digits"
