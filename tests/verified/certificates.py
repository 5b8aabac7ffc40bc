"""Results of many kinds, their certificates as parts of one file, and certificates spoilt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import ponder
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from ponder.proofs.coq import Certificate
from ponder.proofs.coq_text import HEAD, THEOREM
from ponder.system.types import Json

INSTANCES = Path(__file__).resolve().parents[2] / "instances"

ORDERS = (
    "cross-24x24-no-order", "cross-6x6-no-order-cut", "cross-3x4-no-order", "cross-5x5-no-solution",
    "plus-10x10-no-order", "ibm-2023-04-24x24", "cross-6x7-holes", "goal-heart-6x7", "knight-6x6",
    "lit-only-4x4", "torus-king-5x7", "graph-petersen",
)  # fmt: skip
SOLVED = ("plus-10x10-no-order", "cross-6x6-no-order-cut", "king-6x6", "any-5x5-all")
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
    for lit, goal in (("0100", "0000"), ("1111", "0010")):  # no press can be the last; the first
        start, end = (np.array([word == "1" for word in words]) for words in (lit, goal))
        board = Board(grid_graph("plus", (2, 2)), start, end, "unlit")
        yield board, ponder.order(board).to_json()


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
            more = re.sub(r"\d+$", lambda match: str(int(match[0]) + 1), claim)
            yield _refused(head, more, lemma)
        if "AllLit" in head and (
            ("no_order" in claim and claim.endswith(" the_board")) or "unsolvable" in claim
        ):  # is solved
            lit = re.sub(r'(?<=the_text := ")[^"]*', lambda text: text[0].replace("0", "1"), head)
            yield _refused(lit, claim, lemma)
        wrong = re.sub(r"\(P := \[:: \d+; ", "(P := [:: ", lemma)
        if wrong != lemma:  # a dead end that is touched from outside
            yield _refused(head, claim, wrong)
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
        files="local before packed certificates line_certificates orientations",
    )
    return head + "".join(module(k, body) for k, body in enumerate(bodies))
