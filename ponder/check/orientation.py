"""Orientations: a result of `ponder orient` against its graph.

An orientation is checked by its definition: every edge once, along the order, the odd out-degrees
at the right vertices, the given arcs among its own. A refutation is that of a board (theory §2.2):
the graph with the rule `unlit`, whose goal is unlit exactly on T, and every bulb pressed once. So
what checks the refutations of press sets checks these. Given arcs only add to what is asked for:
whatever refutes the question without them refutes it, too. Two refutations know of them: a SAT
solver's proof, and a circle of given arcs.

Cost. O(vertices + edges), and what the refutation asks for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from ponder.check.claims import LOCAL
from ponder.check.fields import fail, mapping, objects, quote, sequence, word
from ponder.check.limits import Budget, TooLarge
from ponder.check.neighbourhoods import tally
from ponder.check.proofs import check_problem
from ponder.check.refutations import check_press_set
from ponder.check.verification import Report, Statement
from ponder.puzzle.board import Board
from ponder.puzzle.graph import EdgeGraph
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.types import Bits, Ints, Json

__all__ = ["SCHEMA", "Question", "verify_orientation"]

SCHEMA = "ponder.orientation/1"
VERDICTS = ("oriented", "impossible", "unknown")
CIRCLE = "fixed-circle"
KINDS = (*LOCAL, "sat-proof", CIRCLE)


@dataclass(frozen=True, eq=False)
class Question:
    """Has `graph` an acyclic orientation with odd out-degrees exactly at `odd`, and these arcs?

    `fixed` is (k, 2): pairs (from, to) that are edges.

    >>> triangle = EdgeGraph(3, [(0, 1), (1, 2), (0, 2)])
    >>> question = Question(triangle, triangle.set_of([]), np.empty((0, 2), dtype=np.int64))
    >>> question.problem.plain, question.board.change.tolist()
    (True, [True, True, True])
    """

    graph: EdgeGraph
    odd: Bits
    fixed: Ints

    @property
    def problem(self) -> OrderingProblem:
        """The question as an ordering problem: earlier vertices point to later ones."""
        every = np.arange(self.graph.size, dtype=np.int64)
        fixed = self.fixed if self.fixed.size else None
        return OrderingProblem(self.graph, every, self.odd, fixed=fixed)

    @property
    def board(self) -> Board:
        """The board whose bulbs, pressed once each, have the orders that are asked for."""
        board = self.problem.board
        return replace(board, graph=self.graph)

    @property
    def sha256(self) -> str:
        """A name for the graph: of the number of its vertices, their names, and the edges."""
        digest = sha256(repr((self.graph.size, self.graph.names)).encode("utf-8", "replace"))
        digest.update(np.ascontiguousarray(self.graph.edges, dtype="<i8").tobytes())
        return digest.hexdigest()

    def check_order(self, arcs: Ints, order: Ints) -> None:
        """Check arcs, (m, 2), and a topological order; CheckFailed, naming what is wrong."""
        size, labels = self.graph.size, self.graph.labels
        if not np.array_equal(np.sort(order), np.arange(size)):
            fail(f"the order does not name each of the {size} vertices once")
        place = np.empty(size, dtype=np.int64)
        place[order] = np.arange(size)
        back = np.flatnonzero(place[arcs[:, 0]] >= place[arcs[:, 1]])
        if back.size:
            fail(f"the arc {quote(labels(arcs[back[0]]))} leads back in the order")
        ends = np.sort(arcs, axis=1)
        if not np.array_equal(ends[np.lexsort((ends[:, 1], ends[:, 0]))], self.graph.edges):
            fail(f"the arcs are not the {len(self.graph.edges)} edges of the graph, each once")
        wrong = np.flatnonzero((tally(arcs[:, 0], size) & 1).astype(np.bool_) != self.odd)
        if wrong.size:
            need = "odd" if self.odd[wrong[0]] else "even"
            fail(f"the out-degree of {quote(labels(wrong[:1])[0])} is not {need}")
        if (place[self.fixed[:, 0]] > place[self.fixed[:, 1]]).any():
            fail("an arc that is given has the other direction")

    def check_refutation(self, refutation: Json, budget: Budget) -> str | None:
        """Check why there is none, with "vertices" for bulbs; return why not checked, if so."""
        kind = word(refutation.get("kind"), KINDS, "refutation: kind")
        if kind == CIRCLE:
            around = self.vertices(refutation.get("vertices"), "fixed-circle: vertices")
            arcs = set(map(tuple, self.fixed.tolist()))
            if not around.size or not arcs.issuperset(
                zip(around.tolist(), np.roll(around, -1).tolist(), strict=True)
            ):
                fail("fixed-circle: the arcs around it are not all given")
            return None
        if kind == "sat-proof":
            return check_problem(self.problem, refutation, budget)
        local = {**refutation, "bulbs": refutation.get("vertices")}
        local["press_counts"] = [1] * self.graph.size
        return check_press_set(self.board, local, budget, LOCAL).unchecked

    def vertices(self, value: object, what: str) -> Ints:
        """Return the vertices that a list names."""
        found = []
        for name in sequence(value, what):
            try:
                found.append(self.graph.bulb(name))
            except (KeyError, TypeError):
                fail(f"{what}: there is no vertex {quote(name)}")
        return np.array(found, dtype=np.int64)

    def pairs(self, value: object, what: str) -> Ints:
        """Return pairs of vertices, (k, 2)."""
        found = [self.vertices(pair, f"{what}: a pair") for pair in sequence(value, what)]
        if any(pair.size != 2 for pair in found):
            fail(f"{what}: a pair has two vertices")
        return np.array(found, dtype=np.int64).reshape(-1, 2)


def verify_orientation(graph: EdgeGraph, result: object, budget: Budget) -> Report:
    """Check a result of schema `ponder.orientation/1` against its graph.

    CheckFailed, with the reason, for anything false, malformed or inconsistent; what asks for more
    than the budget allows is open.

    >>> verify_orientation(EdgeGraph(2, [(0, 1)]), {"schema": SCHEMA, "odd": [5]}, Budget())
    Traceback (most recent call last):
    ...
    ponder.errors.CheckFailed: odd: there is no vertex 5
    """
    fields = mapping(result, "the result")
    word(fields.get("schema"), [SCHEMA], "schema")
    question = Question(graph, np.zeros(graph.size, dtype=np.bool_), np.empty((0, 2), np.int64))
    question.odd[question.vertices(fields.get("odd"), "odd")] = True
    fixed = question.pairs(fields.get("fixed"), "fixed")
    if fixed.size and not np.isin(_keys(fixed, graph.size), _keys(graph.edges, graph.size)).all():
        fail("fixed: one of the arcs is no edge of the graph")
    question = Question(graph, question.odd, fixed)
    about = mapping(fields.get("graph"), "graph")
    if about.get("sha256") != question.sha256:
        fail("the result is about another graph: its SHA-256 differs")
    if (about.get("vertices"), about.get("edges")) != (graph.size, len(graph.edges)):
        fail("graph: the numbers of vertices and edges are others")
    told = [Statement(f"this is the graph with the SHA-256 {question.sha256[:16]}…")]
    verdict = word(fields.get("verdict"), VERDICTS, "verdict")
    for key, whose in (("arcs", "oriented"), ("order", "oriented"), ("refutation", "impossible")):
        if (fields.get(key) is not None) != (verdict == whose):
            fail(f"the verdict is {verdict}, with which {key} does not go")
    if verdict == "oriented":
        budget.spend(2000 * (graph.size + len(graph.edges)), "following the arcs")
        arcs = question.pairs(fields.get("arcs"), "arcs")
        question.check_order(arcs, question.vertices(fields.get("order"), "order"))
        told.append(Statement(f"an acyclic orientation of {len(arcs)} edges, odd where asked for"))
    if verdict != "impossible":
        return Report(tuple(told))
    (refutation,) = objects([fields["refutation"]], "refutation", "refutation")
    text = f"there is no such orientation: {refutation.get('kind')}"
    try:
        last = Statement(text, question.check_refutation(refutation, budget))
    except TooLarge as reason:
        last = Statement(text, str(reason), reason.raisable)
    return Report((*told, last), last.unchecked is not None)


def _keys(pairs: Ints, size: int) -> Ints:
    ends = np.sort(pairs, axis=1)
    return np.asarray(ends[:, 0] * size + ends[:, 1])
