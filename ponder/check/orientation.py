"""Orientations: a result of `ponder orient` against its graph.

An orientation is checked by its definition. A refutation is that of a board (theory §2.2): the
graph with the rule `unlit`, whose goal is unlit exactly on T, and every bulb pressed once. What
refutes the question without the given arcs refutes it with them. Two refutations know of them: the
proof of a formula, and a circle of given arcs.

Cost. O(vertices + edges), and what the refutation asks for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Refutation, check_part, read_as
from ponder.check.formula import Formula
from ponder.check.naming import digits, orientation_named
from ponder.check.reader import enum_value, fail, mapping, place, sequence
from ponder.check.replay import check_order
from ponder.check.verification import Report, Statement, about, statement
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.json_text import ORIENTATION
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import NoShortProof, quoted
from ponder.system.limits import NEVER, Limits
from ponder.system.printable import shortened
from ponder.system.types import Bits, Ints, Json, Label

__all__ = ["Question", "verify_orientation"]

VERDICTS = ("oriented", "impossible", "unknown")
CIRCLE = "fixed-circle"


@dataclass(frozen=True, eq=False)
class Question:
    """Has `graph` an acyclic orientation, odd out-degrees at `odd`, and arcs `fixed` (k, 2)?"""

    graph: EdgeGraph
    odd: Bits
    fixed: Ints

    @property
    def problem(self) -> OrderingProblem:
        """The question as an ordering problem: earlier vertices point to later ones."""
        bulbs = np.arange(self.graph.size, dtype=np.int64)
        fixed = self.fixed if self.fixed.size else None
        return OrderingProblem(self.graph, bulbs, self.odd, fixed=fixed)

    @property
    def board(self) -> Board:
        """The board whose bulbs, pressed once each, have these orders, the arcs left aside."""
        return replace(self.problem.board, graph=self.graph)

    @property
    def sha256(self) -> str:
        """A name for the question alone: that of the board, and with given arcs one of both."""
        if not self.fixed.size:
            return self.board.sha256
        arcs = self.fixed[np.lexsort((self.fixed[:, 1], self.fixed[:, 0]))].astype("<i8")
        return hashlib.sha256(self.board.sha256.encode() + arcs.tobytes()).hexdigest()

    def check(self, arcs: Ints, order: Ints) -> None:
        """Check arcs, (m, 2), and a topological order. Raises CheckFailed, naming what is wrong."""
        check_order(self.problem, order)
        at = np.argsort(order)
        ends, back = np.sort(arcs, axis=1), np.diff(at[arcs], axis=1)[:, 0] <= 0
        if back.any():
            arc = self.graph.labels(arcs[np.argmax(back)])
            fail(f"the arc {quoted(arc)} leads back in the order")
        if not np.array_equal(ends[np.lexsort((ends[:, 1], ends[:, 0]))], self.graph.edges):
            fail(f"the arcs are not the {len(self.graph.edges)} edges of the graph, each once")

    def check_refutation(
        self, refutation: Json, proof: str | None = None, limits: Limits = NEVER
    ) -> str | None:
        """Check why there is none, with "vertices" for bulbs; return why not checked, if so."""
        known = [Block.kind, Formula.kind, CIRCLE]
        kind = enum_value(refutation.get("kind"), known, "refutation: kind")
        if kind == CIRCLE:
            around = self.vertices(refutation.get("vertices"), "fixed-circle: vertices")
            arcs = set(zip(around.tolist(), np.roll(around, -1).tolist(), strict=True))
            if not arcs or not arcs.issubset(map(tuple, self.fixed.tolist())):
                fail("fixed-circle: the arcs around it are not all given")
            return None
        content = {**refutation, "bulbs": refutation.get("vertices")}
        kinds: list[type[Refutation]] = [Block, Formula]
        why = read_as(kinds, self.board, content, "refutation")
        if isinstance(why, Formula):
            why = why if proof is None else replace(why, lrat=proof)
            return why.check_problem(self.problem, limits)
        assert isinstance(why, Block)
        all_once = np.ones(self.graph.size, dtype=np.bool_)
        return check_part(self.board, (all_once, why), limits).unchecked

    def vertices(self, value: object, field: str) -> Ints:
        """Return the vertices that a list names."""
        listed = []
        for name in sequence(value, field):
            try:
                listed.append(self.graph.bulb(name))
            except (KeyError, TypeError):
                fail(f"{field}: there is no vertex {quoted(name)}")
        return np.array(listed, dtype=np.int64)

    def pairs(self, value: object, field: str) -> Ints:
        """Return pairs of vertices, (k, 2)."""
        listed = [self.vertices(pair, f"{field}: a pair") for pair in sequence(value, field)]
        if any(pair.size != 2 for pair in listed):
            fail(f"{field}: a pair has two vertices")
        return np.array(listed, dtype=np.int64).reshape(-1, 2)


def question_of(graph: EdgeGraph, fields: Json) -> Question:
    """Return the question that a result says it is about. Raises CheckFailed if that is none."""
    question = Question(graph, np.zeros(graph.size, dtype=np.bool_), np.empty((0, 2), np.int64))
    question.odd[question.vertices(fields.get("odd"), "odd")] = True
    arcs = question.pairs(fields.get("fixed"), "fixed")
    known = set(map(tuple, graph.edges.tolist()))
    if not known.issuperset(map(tuple, np.sort(arcs, axis=1).tolist())):
        fail("fixed: one of the arcs is not an edge of the graph")
    return replace(question, fixed=arcs)


def verify_orientation(
    graph: EdgeGraph,
    result: object,
    limits: Limits = NEVER,
    *,
    odd: Collection[Label] | None = None,
    fixed: Collection[tuple[Label, Label]] | None = None,
    proof: str | None = None,
) -> Report:
    """Check a result of schema `ponder.orientation/1` against its graph.

    The result must be about `odd` and `fixed` where those are given; `proof` is the LRAT of a
    formula that it rests on. Raises CheckFailed for anything false or malformed.
    """
    fields = mapping(result, "the result")
    enum_value(fields.get("schema"), [ORIENTATION], "schema")
    question = question_of(graph, fields)
    _as_asked(question, odd, fixed)
    described = mapping(fields.get("graph"), "graph")  # it must be about this graph, T and arcs
    if [described.get(key) for key in ("vertices", "edges")] != [graph.size, len(graph.edges)]:
        fail("the result is about another graph: its size differs")
    name = question.sha256
    if described.get("sha256") != name:
        fail("the result is about another question: its SHA-256 differs")
    whose, asked = orientation_named(graph, question.odd, question.fixed)
    first, statements = Statement(f"this is the question on a {whose}, {digits(name)}: {asked}"), []
    verdict = enum_value(fields.get("verdict"), VERDICTS, "verdict")
    # each verdict has its own fields
    for key, owner in (("arcs", "oriented"), ("order", "oriented"), ("refutation", "impossible")):
        if (fields.get(key) is not None) != (verdict == owner):
            fail(f"the verdict is {verdict}, with which {key} does not go")
    if verdict == "oriented":
        arcs = question.pairs(fields.get("arcs"), "arcs")
        question.check(arcs, question.vertices(fields.get("order"), "order"))
        statements.append(
            Statement(f"the {len(arcs)} arcs are an acyclic orientation with {asked}")
        )
    if verdict == "impossible":
        refutation = mapping(fields["refutation"], "refutation")
        text = f"no acyclic orientation has {asked}: {refutation.get('kind')}"
        statements.append(
            statement(text, lambda: question.check_refutation(refutation, proof, limits))
        )
    verdict_open = any(statement.unchecked is not None for statement in statements)
    return Report((first, *about(f"{whose}, question", name, statements)), verdict_open)


def _as_asked(
    question: Question,
    odd: Collection[Label] | None,
    fixed: Collection[tuple[Label, Label]] | None,
) -> None:
    """Hold what a result is about against what its reader asks. Raises CheckFailed."""
    graph = question.graph
    if odd is not None:
        asked = {graph.bulb(name) for name in odd}
        differ = sorted(asked ^ set(np.flatnonzero(question.odd).tolist()))
        if differ:
            vertex = place(graph.label(differ[0]))
            whose = "the question" if differ[0] in asked else "the result"
            labels = graph.labels(np.flatnonzero(question.odd))
            its = "all" if len(labels) == graph.size else ",".join(map(place, labels)) or "none"
            its = shortened(its, 60)
            fail(f"odd: {vertex} is odd in {whose} alone; the result is about --odd {its}")
    if fixed is not None:
        wanted = {(graph.bulb(u), graph.bulb(v)) for u, v in fixed}
        differing = sorted(wanted ^ set(map(tuple, question.fixed.tolist())))
        if differing:
            arc = "->".join(place(graph.label(end)) for end in differing[0])
            whose = "the question" if differing[0] in wanted else "the result"
            fail(f"fixed: the arc {arc} is given in {whose} alone")


def as_order(question: Question, fields: Json) -> Json:
    """Return a checked result of `orient` as one about the order of presses, each vertex once.

    Raises NoShortProof for a circle of given arcs, which is no statement about presses.
    """
    refutation = None
    if fields.get("refutation") is not None:
        refutation = dict(mapping(fields["refutation"], "refutation"))
        if refutation["kind"] == CIRCLE:
            raise NoShortProof("the given arcs run in a circle, which is the whole proof")
        refutation["press_counts"] = [1] * question.graph.size
        refutation["bulbs"] = refutation.pop("vertices", None)
    return {
        "command": "order",
        "verdict": "solved" if fields["verdict"] == "oriented" else fields["verdict"],
        "claim": None if refutation is None else "C1",
        "presses": fields.get("order"),
        "refutation": refutation,
        "method": fields.get("method"),
    }
