"""Results of many kinds, their certificates as parts of one file, and certificates spoilt."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import ponder
from ponder.find.fewest.planning import fewest_within_steps
from ponder.find.search.context import SearchContext
from ponder.find.search.outcome import SearchOutcome
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.model.wired_graph import Wired, WiringGraph, board_graph
from ponder.proofs.coq import Certificate
from ponder.proofs.coq_text import HEAD, THEOREM
from ponder.system.types import Json
from tests import wirings

INSTANCES = Path(__file__).resolve().parents[2] / "instances"

ORDERS = (
    "cross-24x24-no-order", "cross-6x6-no-order-cut", "cross-3x4-no-order", "cross-5x5-no-solution",
    "plus-10x10-no-order", "ibm-2023-04-24x24", "cross-6x7-holes", "goal-heart-6x7", "knight-6x6",
    "lit-only-4x4", "torus-king-5x7", "graph-petersen",
)  # fmt: skip
SOLVED = ("plus-10x10-no-order", "cross-6x6-no-order-cut", "king-6x6", "any-5x5-all")
KINDS_OF_WIRINGS = (3, 11, 14, 25, 60, 99, 263, 1037)
"""Random wirings: with states, witnesses, and press sets refuted for every reason, each first."""
PATTERNS = ("plus", "king", "torus-plus", "cross", "torus-king")


def results() -> Iterator[tuple[Board, Json]]:
    """Orders, sequences, bounds, and refusals with the claims C1, C2 and C4."""
    for names, ask in ((ORDERS, ponder.order), (SOLVED, ponder.solve)):
        for name in names:
            (file,) = INSTANCES.glob(f"{name}.*")
            board = ponder.read(str(file))
            yield board, ask(board).to_json()
    board = ponder.read(str(INSTANCES / "plus-10x10-no-order.txt"))
    yield board, ponder.order(board, method="sat").to_json()  # a formula with a proof
    for pattern in PATTERNS:
        yield refused_presses(pattern)
    for sides in ((15, 14), (14, 45)):  # 2^13 press sets, all of which have the same odd lines
        board = solvable(np.random.default_rng(4), "cross", sides)
        yield board, ponder.order(board).to_json()
    for lit, goal in (("0100", "0000"), ("1111", "0010")):  # no press can be the last; the first
        start, end = (np.array([word == "1" for word in words]) for words in (lit, goal))
        board = Board(grid_graph("plus", (2, 2)), start, end, "unlit")
        yield board, ponder.order(board).to_json()


def of_wirings() -> Iterator[tuple[Board, Json]]:
    """Sequences, orders, refusals and bounds of wirings, of every kind that they have."""
    for name in ("wiring-levers", "wiring-one-way-7"):
        board = ponder.read(str(INSTANCES / f"{name}.json"))
        for ask in (ponder.order, ponder.solve):
            yield board, ask(board).to_json()
    yield refused_buttons()
    for graph, count in ((many_buttons(), 4), (grid_graph("torus-king", (9, 9)), 3)):
        presses = np.arange(graph.presses if isinstance(graph, Wired) else graph.size) < count
        goal = np.ones(graph.size, dtype=np.bool_)  # 2^26 and 2^32 press sets
        board = Board(graph, goal ^ graph.apply(presses), goal, "any")
        yield board, ponder.solve(board).to_json()
    bits = np.random.default_rng(3)
    for seed in KINDS_OF_WIRINGS:
        graph = board_graph("torus-toggles 0,0 0,1 1,0", (3, 3))
        on_a_grid = Board(graph, bits.random(9) < 0.5, bits.random(9) < 0.5, "unlit")
        for board in (wirings.board_of(*wirings.any_case(random.Random(seed))), on_a_grid):
            for ask in (ponder.order, ponder.solve):
                yield board, ask(board).to_json()
            yield board, planned(board)
    yield lonely_button(), planned(lonely_button())


def lonely_button() -> Board:
    """A wiring whose first button changes only its own light: no press can come before it."""
    graph = WiringGraph(4, [[3], [0, 1], [1, 2], [0, 1, 2]], [3, 0, 1, 2])
    goal = np.ones(4, dtype=np.bool_)
    return Board(graph, np.array([0, 1, 1, 0], dtype=np.bool_), goal, "unlit")


def many_buttons() -> WiringGraph:
    """A wiring of ten lights and 36 buttons, which toggle three lights each."""
    rng = random.Random(8)
    return WiringGraph(10, [sorted(rng.sample(range(10), 3)) for _ in range(36)])


def refused_buttons() -> tuple[Board, Json]:
    """Presses of a wiring without an order, which are not the only press set: the claim is C1."""
    rng = random.Random(1)
    while True:
        case = wirings.any_case(rng)
        sets = wirings.press_sets(case)
        refused = [chosen for chosen, ordered in sets.items() if not ordered]
        if len(sets) > 1 and refused and case[-1] != "any":
            board, chosen = wirings.board_of(*case), refused[0]
            asked = [v for v in range(len(case[1])) if chosen >> v & 1]
            return board, ponder.order(board, press_set=asked).to_json()


def planned(board: Board) -> Json:
    """The result of `solve` with the bound of a formula of steps, where there is one."""
    result = ponder.solve(board).to_json()
    if board.rule == "any" or result["verdict"] != "solved" or not isinstance(board.graph, Wired):
        return result
    none = SearchOutcome("none", None)
    bound = fewest_within_steps(board, board.graph, none, SearchContext()).evidence
    return {**result, **({} if bound is None else {"bound": bound.to_json(board)})}


def solvable(rng: np.random.Generator, pattern: str, sides: tuple[int, int]) -> Board:
    """A board that has press sets, of which a random one is the first."""
    graph = grid_graph(pattern, sides)
    goal = np.ones(graph.size, dtype=np.bool_)
    return Board(graph, goal ^ graph.apply(rng.random(graph.size) < 0.5), goal, "unlit")


def refused_presses(pattern: str) -> tuple[Board, Json]:
    """Presses without an order, which are not the only press set: the claim is C1."""
    rng = np.random.default_rng(4)
    while True:
        graph = grid_graph(pattern, (5, 5))
        presses = rng.random(graph.size) < 0.5
        goal = np.ones(25, dtype=np.bool_) if pattern == "cross" else rng.random(25) < 0.5
        board = Board(graph, goal ^ graph.apply(presses), goal, "unlit")
        result = ponder.order(board, press_set=np.flatnonzero(presses)).to_json()
        if result["claim"] == "C1":
            return board, result


def _definitions(certificate: Certificate) -> str:
    return certificate.text.split("Local Open Scope string_scope.\n")[1].split("\nTheorem")[0]


def module(number: int, body: str) -> str:
    """A part of a larger file."""
    return f"\nModule m{number}.\n{body}\nEnd m{number}.\n"


def sound(certificate: Certificate) -> str:
    """Definitions and theorems of a certificate."""
    return _definitions(certificate) + "".join(map(str, certificate.theorems))


def spoilt(certificate: Certificate, optimal: bool) -> Iterator[str]:
    """Certificates with one thing changed, each of which the kernel must refuse at its `Qed`."""
    head = _definitions(certificate)
    for theorem in certificate.theorems:
        claim, lemma = theorem.claim, theorem.lemma
        shorter = re.sub(r"(\[::|;) (\([^)]*\)|\d+)\]$", r"\1]", claim).replace(";]", "]")
        if shorter != claim:  # a press too few
            yield _refused(head, shorter, lemma)
        if optimal and "at_least" in claim:  # a press more than the fewest
            more = re.sub(r"\d+$", lambda found: str(int(found[0]) + 1), claim)
            further = re.sub(r"(?<=others := )\d+", lambda found: str(int(found[0]) + 1), lemma)
            yield _refused(head, more, further)
        if "AllLit" in head and (
            ("no_order" in claim and claim.endswith(" the_board")) or "unsolvable" in claim
        ):  # is solved
            lit = re.sub(r'(?<=the_text := ")[^"]*', lambda text: text[0].replace("0", "1"), head)
            yield _refused(lit, claim, lemma)
        wrong = re.sub(r"\(P := \[:: \d+; ", "(P := [:: ", lemma)
        if wrong != lemma:  # a dead end that is touched from outside
            yield _refused(head, claim, wrong)
        if "no_order_by_weights" in lemma:  # no cuts; no price, where there are none
            worse = re.sub(r"\(cs := \[:: \(.*$", "(cs := [::])", lemma)
            worse = re.sub(r"price := \([^)]*\)", "price := 0", lemma) if worse == lemma else worse
            yield _refused(head, claim, worse)
        wrong = re.sub(r"N.to_nat \d+", "N.to_nat 0", lemma)
        wrong = re.sub(r"WiredRefutation \[:[^]]*\]", "WiredRefutation [::]", wrong)
        if wrong != lemma:  # too few layers of states; nothing heeded
            yield _refused(head, claim, wrong)
        if "Wired" in lemma:
            continue
        fewer = re.sub(r"Refutation \[:: \d+(\]|; )", r"Refutation [:: \1", lemma)
        fewer = fewer.replace("[:: ; ", "[:: ").replace("[:: ]", "[::]")
        if fewer != lemma and "no_order" in claim:  # components without their first bulb
            yield _refused(head, claim, fewer)


def _refused(head: str, claim: str, lemma: str) -> str:
    theorem = THEOREM.format(name="wrong", claim=claim, lemma=lemma)
    return head + theorem.replace("Qed.", "Fail Qed.\nAbort.")


def together(bodies: Iterable[str]) -> str:
    """One file of many parts."""
    head = HEAD.format(
        name="many",
        about="board",
        words="game.v",
        files="local prices piece_count before packed certificates line_certificates "
        "weighted_cuts orientations wirings wired_cosets wired_certificates",
    )
    return head + "".join(module(k, body) for k, body in enumerate(bodies))
