"""`ponder.orient`: an acyclic orientation of a graph with given parities of the out-degrees.

An order of the vertices orients every edge from the earlier to the later end, so the question is
the ordering problem itself (theory §2.2), and `order_problem` answers it. With given arcs it is
NP-complete. So the methods come first without the arcs: a refutation stands, and an order may
happen to obey them. Then greedy trials that obey them, and at last the formula of `precedence`, to
which each arc is a clause of its own.

Reference. B. and C. Szegedy 2006; S. Gravier, M. Petiteau, I. Sivignon 2026 (theory, Sources).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, cast

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Answer, Refutation
from ponder.check.formula import Formula as FormulaProof
from ponder.check.naming import orientation_named
from ponder.check.orientation import CIRCLE, Question
from ponder.check.witness import Randomised
from ponder.find.context import Progress, SolveSession, told_to
from ponder.find.order import order_problem
from ponder.model.arguments import MOST_SEED, whole_number
from ponder.model.board import GraphLike
from ponder.model.edge_graph import graph_given
from ponder.model.json_text import ORIENTATION
from ponder.model.ordering_problem import Order, Unknown
from ponder.system.errors import CheckFailed, bad_argument, quoted
from ponder.system.limits import Cancel, LimitReached, Limits
from ponder.system.printable import inflect, names_listed, pluralise
from ponder.system.types import Ints, Json
from ponder.system.version import __version__

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Node = TypeVar("Node", bound=Hashable, default=Any)
else:
    from typing import TypeVar

    Node = TypeVar("Node", bound=Hashable)

__all__ = ["Orientation", "Outcome", "Refusal", "Unknown", "orient"]


class _Answer:
    """Common part of both answers: the question, JSON, and equality, times aside."""

    _asked: Asked

    def to_json(self) -> Json:
        """Return the object of schema `ponder.orientation/1`, which `verify` and `prove` take.

        Vertices that are neither strings nor whole numbers are counted in the graph's order.
        """
        return outcome_json(self._asked, self)

    def __eq__(self, other: object) -> bool:
        """Whether both say the same of the same question."""
        if not isinstance(other, _Answer):
            return NotImplemented
        return bool(self.to_json() == other.to_json())

    def __hash__(self) -> int:
        """Return a number that equal answers share."""
        return hash(self._asked.question.sha256)


@dataclass(frozen=True, eq=False)
class Orientation(_Answer, Generic[Node]):
    """An acyclic orientation: `arcs`, pairs (from, to), and `order`, a topological order.

    Vertices are called as in the graph that was given.
    """

    arcs: list[tuple[Node, Node]]
    order: list[Node]
    method: str
    _asked: Asked = field(repr=False)

    @property
    def sentence(self) -> str:
        """The answer in a line, with the order."""
        return f"oriented: {names_listed(self.order)}"

    def __str__(self) -> str:
        """Return what `ponder orient` prints."""
        first = f"an acyclic orientation ({self._asked.named}), by {self.method}; every edge leads"
        arcs = (names_listed(arc, " -> ") for arc in self.arcs)
        return "\n".join([f"{first} to the right in", names_listed(self.order), "", *arcs])

    def verify(self) -> None:
        """Check all edges, out-degrees and given arcs again. Raises CheckFailed if one is wrong."""
        arcs = self._asked.numbers(end for arc in self.arcs for end in arc).reshape(-1, 2)
        self._asked.question.check(arcs, self._asked.numbers(self.order))


@dataclass(frozen=True, eq=False)
class Refusal(_Answer):
    """There is no such orientation: the `certificate` that says why, and its `sentence`."""

    certificate: Json
    sentence: str
    method: str
    _asked: Asked = field(repr=False)

    def __str__(self) -> str:
        """Return what `ponder orient` prints: the sentence, and the vertices that it is about."""
        members = self.certificate.get("vertices")
        named = [names_listed(members)] if isinstance(members, list) else []
        return "\n".join([f"no such orientation ({self._asked.named}): {self.sentence}", *named])

    def verify(self) -> None:
        """Check the certificate. Raises CheckFailed if it is wrong."""
        question, refutation = self._asked.question, dict(self.certificate)
        members = refutation.get("vertices")
        if isinstance(members, list):
            refutation["vertices"] = question.graph.labels(self._asked.numbers(members))
        if unchecked := question.check_refutation(refutation):
            raise CheckFailed(unchecked)


Outcome: TypeAlias = "Orientation | Refusal | Unknown"


def orient(
    graph: GraphLike,
    odd: Iterable[Node],
    *,
    fixed: Iterable[tuple[Node, Node]] = (),
    timeout: float | Limits | None = None,
    cancel: Cancel | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Orientation[Node] | Refusal | Unknown:
    """Orient a graph without a directed cycle so that exactly `odd` have odd out-degrees.

    Parameters
    ----------
    graph
        Pairs of vertices, (n, edges) with vertices 0 … n−1, an undirected networkx graph, or a
        symmetric adjacency matrix of numpy or scipy.
    odd
        The vertices whose out-degrees are odd; those of all others are even.
    fixed
        Arcs (from, to) along edges that the orientation must have.
    timeout
        Seconds, or a clock that runs already.
    cancel
        An event or a function, as of `ponder.order`.

    Returns
    -------
    Orientation, Refusal or Unknown
        The answer has been checked; Unknown, with a reason, when time is up.

    Raises
    ------
    BoardError
        If the graph is malformed, or a vertex or an arc is not in it.

    >>> square = orient((4, [(0, 1), (1, 2), (2, 3), (3, 0)]), odd=[0, 2])
    >>> square.verify()
    >>> square.to_json()["verdict"]
    'oriented'
    >>> orient((3, [(0, 1), (1, 2), (0, 2)]), odd=[]).sentence
    'the 3 edges within 3 vertices are odd in number, and the out-degrees need an even one'
    """
    asked = Asked.read(graph, odd, fixed)
    whole_number(seed, "seed", MOST_SEED)
    limits = Limits.begin(timeout, cancel)
    outcome = asked.outcome(SolveSession(seed=seed, limits=limits, progress=told_to(progress)))
    return cast("Orientation[Node] | Refusal | Unknown", outcome)


@dataclass(frozen=True, eq=False)
class Asked:
    """The question, and what its vertices are called."""

    question: Question
    labels: list[Any]
    number: dict[Any, int]

    @classmethod
    def read(cls, given: Any, odd: Iterable[Hashable], fixed: Iterable[tuple[Any, Any]]) -> Asked:
        """Read what was given. Raises BoardError."""
        labels, graph = graph_given(given)
        number = {label: v for v, label in enumerate(labels)}
        at = "odd"

        def vertex(called: Any) -> int:
            bit = isinstance(called, bool | np.bool_)  # equal to 0 or 1, and no name of theirs
            if bit and not isinstance(labels[number[called]], bool | np.bool_):
                raise KeyError(bool(called))
            return number[called]

        try:
            parities = graph.set_of([vertex(v) for v in odd])
            at = "fixed"
            arcs = sorted({(vertex(u), vertex(v)) for u, v in fixed})
        except KeyError as error:
            bad_argument(f"there is no vertex {quoted(error.args[0])}", at)
        except (TypeError, ValueError):
            wanted = "a list of vertices" if at == "odd" else "a list of pairs (from, to)"
            bad_argument(f"it must be {wanted}", at)
        for u, v in arcs:
            if v not in graph.neighbours(u):
                bad_argument(f"the arc {quoted((labels[u], labels[v]))} is along no edge", at)
        ends = np.array(arcs, dtype=np.int64).reshape(-1, 2)
        return cls(Question(graph, parities, ends), labels, number)

    @property
    def named(self) -> str:
        """What is asked, in words."""
        return asked_in_words(self.question, self.labels)

    def numbers(self, called: Iterable[Any]) -> Ints:
        """Return the numbers of some vertices. Raises KeyError."""
        return np.array([self.number[name] for name in called], dtype=np.int64)

    def outcome(self, session: SolveSession) -> Outcome:
        """Answer the question; the answer has been checked."""
        problem, fixed = self.question.problem, self.question.fixed
        try:
            arcs: TopologicalSorter[int] = TopologicalSorter()
            for u, v in fixed.tolist():
                arcs.add(v, u)
            arcs.prepare()
            answer, method = order_problem(replace(problem, fixed=None), session)
            if isinstance(answer, Order):  # without the arcs: it may happen to obey them
                settled = bool((np.diff(np.argsort(answer.vertices)[fixed]) > 0).all())
            else:  # a refutation of the formula would have to be about the arcs as well
                settled = not isinstance(answer, Unknown | Randomised | FormulaProof)
            if not settled and not problem.plain:
                answer, method = order_problem(problem, session)
        except CycleError as error:
            circle = [self.labels[v] for v in error.args[1][:-1]]
            sentence = f"the given arcs run in a circle through {pluralise(len(circle), 'vertex')}"
            return Refusal({"kind": CIRCLE, "vertices": circle}, sentence, "counting", self)
        except LimitReached as stopped:
            return Unknown(session.helped(str(stopped)))
        if isinstance(answer, Unknown | Randomised) and session.reason is not None:
            return Unknown(session.reason)
        outcome = self.outcome_of(answer, method)
        if isinstance(outcome, Unknown):
            return replace(outcome, reason=session.helped(outcome.reason))
        return outcome

    def outcome_of(self, answer: Answer, method: str) -> Outcome:
        """Return the answer to the ordering problem as one about the graph, which is checked."""
        match answer:
            case Order(order):
                place, edges = np.argsort(order), self.question.graph.edges
                forward = place[edges[:, 0]] < place[edges[:, 1]]
                arcs = np.where(forward[:, None], edges, edges[:, ::-1])
                pairs = [(self.labels[a], self.labels[b]) for a, b in arcs.tolist()]
                names = [self.labels[v] for v in order.tolist()]
                orientation = Orientation(pairs, names, method, self)
                orientation.verify()
                return orientation
            case Randomised():
                trials = pluralise(answer.trials, "random trial")
                return Unknown(f"{trials} found no orientation; that is not a proof")
            case Refutation():
                content = answer.to_json(self.question.board)
                if isinstance(answer, Block):
                    content.pop("bulbs")
                    content["vertices"] = [self.labels[v] for v in answer.bulbs.tolist()]
                refusal = Refusal(content, sentence_of(answer, self.question), method, self)
                if not isinstance(answer, FormulaProof):  # checked where it was made
                    refusal.verify()
                return refusal
        return answer


def verdict_of(outcome: object) -> str:
    """Return `oriented`, `impossible` or `unknown`."""
    verdicts = {Orientation: "oriented", Refusal: "impossible", Unknown: "unknown"}
    return verdicts[type(outcome)]


def outcome_json(asked: Asked, outcome: object, seed: int = 0, seconds: float = 0.0) -> Json:
    """Return the object of schema `ponder.orientation/1`."""
    question, names = asked.question, asked.question.graph.names
    name = dict(zip(asked.labels, names, strict=True))
    graph: Json = {"sha256": question.sha256, "vertices": question.graph.size}
    arcs, order = getattr(outcome, "arcs", None), getattr(outcome, "order", None)
    refutation = getattr(outcome, "certificate", None)
    if refutation is not None and "vertices" in refutation:
        refutation = {**refutation, "vertices": [name[v] for v in refutation["vertices"]]}
    return {
        "schema": ORIENTATION,
        "command": "orient",
        "graph": {**graph, "edges": len(question.graph.edges)},
        "odd": [names[v] for v in np.flatnonzero(question.odd).tolist()],
        "fixed": [[names[u], names[v]] for u, v in question.fixed.tolist()],
        "verdict": verdict_of(outcome),
        "arcs": None if arcs is None else [[name[u], name[v]] for u, v in arcs],
        "order": None if order is None else [name[v] for v in order],
        "refutation": refutation,
        "reason": getattr(outcome, "reason", None),
        "method": getattr(outcome, "method", None),
        "seed": seed,
        "seconds": round(seconds, 6),
        "version": __version__,
    }


def asked_in_words(question: Question, labels: Sequence[object] = ()) -> str:
    """Return the odd out-degrees, and the arcs where some are given."""
    named = orientation_named(question.graph, question.odd, question.fixed, labels)[1]
    return named.removesuffix("; no arc given")


def sentence_of(why: Refutation, question: Question) -> str:
    """Return a refutation in the words of graphs."""
    if not isinstance(why, Block):
        return "a SAT solver proved that there is none, and its proof was checked"
    these, pairs = pluralise(why.bulbs.size, "vertex"), len(question.graph.edges_within(why.bulbs))
    edges, are = pluralise(pairs, "edge"), inflect(pairs, "is", "are")
    have, need = ("odd", "an even") if pairs % 2 else ("even", "an odd")
    end = {"first": "source", "last": "sink"}.get(why.rule)
    return {
        "parity": f"the {edges} within {these} {are} {have} in number, and the out-degrees need "
        f"{need} one",
        "orders": f"all acyclic orientations of {these} were looked at: none has these parities",
    }.get(
        why.rule,
        f"one of {these} is the {end} of their part, and the out-degree of each would then have "
        "the wrong parity",
    )
