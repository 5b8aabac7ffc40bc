"""A certificate for Coq: a board as its text, what is said of it, and what the kernel computes.

`verified/` proves what the computations mean, from the rules of the game on. A certificate names
the board, claims, and hands the computation what it needs: a sequence, a witness, lines of a cut,
components of presses with a reason (`verified/local.v`), formulas with proofs (`coq_formula`). All
of these are hints: a wrong file does not compile. The kernel goes through every press set that
matters.

Reference: reflection, as in G. Gonthier, "Formal proof: the four-color theorem", 2008.
Cost: the text of the board, and O(n) for each press set that is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from ponder.check.block import Block, hanging_pieces
from ponder.check.certificate import Bound, Claim, Part, read_as
from ponder.check.formula import Formula as FormulaProof
from ponder.check.members import Members
from ponder.check.neighbourhoods import closed_sums
from ponder.check.odd_components import Pieces
from ponder.check.orientation import CIRCLE, Question
from ponder.check.reader import later_parities
from ponder.check.result import Result
from ponder.check.verification import REFUTATIONS
from ponder.check.witness import DeadEnd, Witness
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import CrossGraph, line_parities
from ponder.model.ordering_problem import OrderingProblem
from ponder.model.wired_graph import Wired
from ponder.proofs.coq_formula import ProveAgain, circle_definitions, formula_definitions
from ponder.proofs.coq_text import (
    BOARD,
    GRAPH,
    Theorem,
    coq_board,
    definition,
    lighter,
    terms,
    whole_text,
)
from ponder.system.errors import NoShortProof
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json

MOST_MADE = 64  # proofs that a SAT solver is asked for
MOST_EXHAUSTED = 24  # presses all of whose orders are gone through, one by one

C4_LEMMAS = {"witness": "unsolvable_by (y", "dead-end": "dead_end_by (P"}
REASONS = {
    "parity": "OddEdges",
    "first": "NoFirstPress",
    "last": "NoLastPress",
    "orders": "Exhausted",
    "formula": "Formula",
}
"""How a component is refuted, by the rule of its block, or by a formula."""

KINDS = (*C4_LEMMAS, "cut", *REASONS, "members")
"""Refutations that have certificates; of each of them some may not."""

ORIENTATION = """
Definition the_edges : seq (N * N) := {edges}%num.
Definition the_odd : seq N := {odd}%num.
Definition the_given : seq (N * N) := {given}%num.
"""


CutOf: TypeAlias = Callable[[Bits], Any]
"""What finds a minimum cut of a grid of presses (theory §4.4), `find.row_column.maximum_flow`:
`cut_rows` X and `cut_columns` Y, a bit a line, and `deficit`, how many of colour 1 are missing."""


@dataclass(frozen=True)
class Certificate:
    """The text of a file that Coq checks, and its theorems.

    `left_out` is None, or why the result's bound is not among them.
    """

    text: str
    theorems: tuple[Theorem, ...]
    left_out: str | None

    @classmethod
    def write(
        cls,
        board: Board,
        result: Json,
        cut_of: CutOf,
        again: ProveAgain | None = None,
        limits: Limits = NEVER,
    ) -> Certificate:
        """Write a result that holds (`ponder.verify`), its cuts found by `cut_of`.

        `again` proves in another encoding what Coq does not know in that of a `formula`.
        Raises NoShortProof if nothing that it says has a certificate, and TimeUp.

        >>> board = Board.from_rows(["11", "11"])
        >>> from ponder import solve
        >>> from ponder.find.row_column.maximum_flow import half_factor_of
        >>> solved = solve(board).to_json()
        >>> [theorem.claim for theorem in Certificate.write(board, solved, half_factor_of).theorems]
        ['solution the_board [::]']
        """
        if isinstance(board.graph, Wired):
            raise NoShortProof("a wiring has no Coq certificate")
        writer, answer = _Writer(board, cut_of, again, limits), Result.from_json(board, result)
        order, definitions, left_out = answer.command == "order", "", None
        theorems: list[Theorem] = []
        if answer.presses is not None and answer.verdict == "solved":
            theorems.append(writer.sequence(answer.presses, order))
        elif answer.refutation is not None:
            counts = np.zeros(0) if answer.counts is None else answer.counts
            if answer.claim == "C1":
                if counts.max(initial=0) > 1:
                    raise NoShortProof("a refutation of repeated presses has no Coq certificate")
                definitions = definition("presses", board, counts > 0)
            theorems.append(writer.refusal(answer.claim, (counts > 0, answer.refutation)))
        if answer.lower_bound:
            try:
                theorems.append(writer.bound(answer.lower_bound, answer.evidence, order))
            except NoShortProof as reason:
                if not theorems:
                    raise
                left_out = f"the bound is not in the certificate: {reason}"
        if not theorems:
            raise NoShortProof(f"the verdict is {answer.verdict}: there is nothing to prove")
        definitions += coq_board(board) + "".join(writer.items)
        return cls(whole_text(board.name, definitions, theorems, BOARD), tuple(theorems), left_out)

    @classmethod
    def of_orientation(
        cls,
        question: Question,
        result: Json,
        name: str,
        again: ProveAgain | None = None,
        limits: Limits = NEVER,
    ) -> Certificate:
        """Write why a graph has no orientation, a result of `orient` that holds.

        Raises NoShortProof and TimeUp.
        """
        fields: Any = result  # `verify_orientation` has read it
        refutation, items, size = fields["refutation"], "", question.graph.size
        if refutation["kind"] == CIRCLE:
            around = question.vertices(refutation["vertices"], "vertices").tolist()
            items = circle_definitions("the_items", around)
        elif refutation["kind"] == "formula":
            proof = FormulaProof.read(question.board, refutation)
            items = formula_definitions("the_items", question.problem, proof, again, limits)
        if items:
            why = "Refutation [::] [::] (Formula the_items)"
        else:
            block = {**refutation, "bulbs": refutation["vertices"]}
            part = (
                np.ones(size, dtype=np.bool_),
                read_as(REFUTATIONS, question.board, block, "refutation"),
            )
            why = str(Component.of_block(question.board, part))
        theorem = Theorem(
            "none_oriented",
            f"no_orientation {size}%num the_edges the_odd the_given",
            f"no_orientation_by (r := {why})",
        )
        stated = ORIENTATION.format(
            edges=terms(map(tuple, question.graph.edges.tolist())),
            odd=terms(np.flatnonzero(question.odd)),
            given=terms(map(tuple, question.fixed.tolist())),
        )
        return cls(whole_text(name, stated + items, [theorem], GRAPH), (theorem,), None)


@dataclass(frozen=True, eq=False)
class Component:
    """A component K of presses without an order: pieces that hang on single bulbs, a reason."""

    members: Bits
    scope: Bits  # N[K]
    reason: str
    hanging: tuple[tuple[int, list[int]], ...] = ()

    @classmethod
    def of_block(cls, board: Board, part: Part) -> Component:
        """Return K around a block. Raises NoShortProof for a refutation of another kind."""
        presses, block = part
        if not isinstance(block, Block):
            raise NoShortProof.of_kind(block.kind, "Coq certificate", [*REASONS])
        inside = board.graph.set_of(block.bulbs)
        if block.rule == "orders" and block.bulbs.size > MOST_EXHAUSTED:
            raise NoShortProof(f"all orders of more than {MOST_EXHAUSTED} presses are too many")
        members, hanging = inside.copy(), []
        later, counts = later_parities(board, "block"), presses.astype(np.int64)
        for piece, contacts, _ in hanging_pieces(board.graph, counts, inside, later):
            if len(contacts) > 1:
                raise NoShortProof("a refutation that is not about a block has no Coq certificate")
            members[piece] = True
            hanging.append((contacts.pop(), sorted(piece)))
        return cls(
            members, closed_sums(board.graph, members) > 0, REASONS[block.rule], tuple(hanging)
        )

    def applies(self, presses: Bits) -> bool:
        """Whether K is a component of these presses."""
        return bool((presses == self.members)[self.scope].all())

    def __str__(self) -> str:
        hanging = terms(f"({contact}, {terms(piece)})" for contact, piece in self.hanging)
        return f"Refutation {terms(np.flatnonzero(self.members))}%num {hanging}%num {self.reason}"


@dataclass(frozen=True, eq=False)
class _Writer:
    """Writes theorems about a board; `items` are the definitions of formulas that they need."""

    board: Board
    cut_of: CutOf
    again: ProveAgain | None
    limits: Limits
    items: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """Which lemmas: those about graphs or those about grids."""
        return "graph" if isinstance(self.board.graph, EdgeGraph) else "grid"

    @property
    def lines(self) -> CrossGraph | None:
        """The graph, where theory §4 applies: rows and columns, and every t(v) = 0."""
        graph, later = self.board.graph, self.board.odd_later
        plain = later is not None and not later.any()
        return graph if plain and isinstance(graph, CrossGraph) else None

    def sequence(self, presses: Ints, order: bool) -> Theorem:
        listed = terms(self.board.graph.labels(presses) if self.kind == "grid" else presses)
        if order:
            return Theorem("in_order", f"an_order the_board {listed}", f"{self.kind}_ordered_by")
        return Theorem("played", f"solution the_board {listed}", f"{self.kind}_solved_by")

    def refusal(self, claim: Claim | None, part: Part) -> Theorem:
        """Return that there is no solution (C4), no order (C2), or none of these presses (C1)."""
        presses, why = part
        word = why.rule if isinstance(why, Block) else why.kind
        if word not in KINDS and (self.lines is None or claim == "C4"):
            raise NoShortProof.of_kind(word, "Coq certificate", KINDS)
        if isinstance(why, Witness | DeadEnd):
            lemma = f"{self.kind}_{C4_LEMMAS[word]} := {terms(why.bulbs)}%num)"
            return Theorem("no_solution", "unsolvable the_board", lemma)
        lines = None if isinstance(why, Block) else self.lines
        if claim == "C1":
            if lines is not None:
                lemma, hint = "lines", f"c := {_lines(self.cut_of(lines.to_grid(presses)))}"
            else:
                lemma, hint = self.kind, f"why := {self.component(part)}"
            marked = "marked_nodes" if self.kind == "graph" else "marked"
            statement = f"no_order_of the_board ({marked} the_board the_presses)"
            lemma += f"_no_order_of_by (picture := the_presses) ({hint})"
            return Theorem("none_of_these_in_order", statement, lemma)
        if lines is not None:
            lemma = f"lines_no_order_by (cs := {self.cuts(lines, None, order=True)})"
        else:
            parts = why.parts if isinstance(why, Members) else [part]
            lemma = f"{self.kind}_no_order_by (rs := {self.refutations(parts, None)})"
        return Theorem("none_in_order", "no_order the_board", lemma)

    def bound(self, k: int, evidence: Bound | None, order: bool) -> Theorem:
        """Return that no fewer than k presses do. Raises NoShortProof where it is not shown."""
        name, claim = ("fewest_in_order", "order_at_least") if order else ("fewest", "at_least")
        parts = evidence.parts if isinstance(evidence, Members) else ()
        if self.lines is not None:
            lemma = f"lines_{claim}_by (cs := {self.cuts(self.lines, k, order)})"
        else:
            refuted = self.refutations(parts, k) if order else self.pairs(parts, k)
            lemma = f"{self.kind}_{claim}_by (rs := {refuted})"
        return Theorem(name, f"{claim} the_board {k}", lemma)

    def cuts(self, graph: CrossGraph, k: int | None, order: bool) -> str:
        """Return minimum cuts that refute press sets or, where they may be repeated, bound them."""
        chosen: list[Any] = []
        for presses, weight in lighter(self.board, k, self.limits):
            grid = graph.to_grid(presses)
            rows, columns = line_parities(grid)
            apart = abs(int(np.count_nonzero(rows)) - int(np.count_nonzero(columns)))
            if order and (apart or any(_refutes(cut, grid) for cut in chosen)):
                continue
            if k is not None and weight + apart >= k:
                continue
            cut = self.cut_of(grid)
            if not cut.deficit or (not order and weight + 2 * cut.deficit < (k or 0)):
                raise NoShortProof(f"the lines of {weight} presses do not show it")
            chosen.append(cut)
        return terms(dict.fromkeys(map(_lines, chosen)))

    def refutations(self, parts: Sequence[Part], k: int | None) -> str:
        """Return what refutes all press sets, those of fewer than k presses at least."""
        refuted = [self.component(part) for part in parts]
        for presses, _ in lighter(self.board, k, self.limits):
            if not any(part.applies(presses) for part in refuted):
                refuted.append(self.refuted(presses, self.pieces(presses)))
        return terms(refuted)

    def pairs(self, parts: Sequence[Part], k: int) -> str:
        """Return what proves k presses together: one pair more, or two by the parity of pairs."""
        refuted = [self.component(part) for part in parts]
        for presses, weight in lighter(self.board, k, self.limits):
            pieces, needed = self.pieces(presses), (k - weight + 1) // 2
            applied = any(part.applies(presses) for part in refuted)
            even = not pieces.odd and needed <= pieces.rounded(1)
            if not applied and (pieces.odd or (even and self.again is not None)):
                refuted.append(self.refuted(presses, pieces))
                applied = True
            if pieces.rounded(int(applied)) < needed:
                raise NoShortProof(f"that {weight} presses need {needed} pairs more is not shown")
        return terms(refuted)

    @cached_property
    def near(self) -> list[list[int]]:
        """The neighbours of every bulb."""
        graph = self.board.graph
        return [graph.neighbours(v).tolist() for v in range(graph.size)]

    def pieces(self, presses: Bits) -> Pieces:
        """Return the components of some presses."""
        return Pieces.split(presses, self.near, later_parities(self.board, "bound"))

    def component(self, part: Part) -> Component:
        """Return what refutes presses, and define the formula that it needs."""
        presses, why = part
        if isinstance(why, Block):
            return Component.of_block(self.board, part)
        return self.proved(presses, why if isinstance(why, FormulaProof) else None)

    def refuted(self, presses: Bits, pieces: Pieces) -> Component:
        """Return why these presses have no order, where no part says so. Raises NoShortProof."""
        graph = self.board.graph
        if pieces.odd:
            least = graph.set_of(min((pieces.members[x] for x in pieces.odd), key=len))
            return Component(least, closed_sums(graph, least) > 0, "OddEdges")
        if self.again is None or self.board.rule == "any":
            count = int(np.count_nonzero(presses))
            raise NoShortProof(f"no part refutes {count} presses by themselves")
        return self.proved(presses)

    def proved(self, presses: Bits, proof: FormulaProof | None = None) -> Component:
        """Return that all of these presses have no order: by their formula, or by one that is made.

        Raises NoShortProof and TimeUp.
        """
        if proof is None and len(self.items) >= MOST_MADE:
            raise NoShortProof(f"more than {MOST_MADE} press sets need a SAT solver's proof")
        problem = OrderingProblem.of_board(self.board, presses)
        name = f"the_items{len(self.items) or ''}"
        self.items.append(formula_definitions(name, problem, proof, self.again, self.limits))
        scope = closed_sums(self.board.graph, presses) > 0
        return Component(presses, scope, f"(Formula {name})")


def _lines(cut: Any) -> str:
    """Return X and Y, the rows and columns of a cut (theory §4.4)."""
    return f"({terms(np.flatnonzero(cut.cut_rows))}, {terms(np.flatnonzero(cut.cut_columns))})"


def _refutes(cut: Any, grid: Bits) -> bool:
    """Whether X needs more colour 1 than there is room for."""
    need = (grid.sum(axis=1) // 2)[cut.cut_rows].sum()
    room = (grid.sum(axis=0) // 2)[cut.cut_columns].sum()
    return bool(need > room + np.count_nonzero(grid[cut.cut_rows][:, ~cut.cut_columns]))
