"""A certificate for Coq: a board as its text, what is said of it, and what the kernel computes.

`verified/` proves what the computations mean, from the rules of the game on (`verified/game.v`,
`verified/board.v`). A certificate names the board, claims, and hands the computation what it needs:
a sequence, an odd witness, lines of a cut, components of presses with a reason, prices of pairs
(`pair_prices`). All of these are hints: a wrong file does not compile.

Every press set that matters is gone through by the kernel, so there may be 2^MOST_NULLITY of them.

Letters: S a press set, K a component of S, on which pieces hang by single bulbs (theory §3.3), X
and Y the lines of a cut (§4.4).
Reference: reflection, as in G. Gonthier, "Formal proof: the four-color theorem", 2008.
Cost: the text of the board, and O(n) for each press set that is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ponder.check.coset import Coset
from ponder.check.fields import press_counts
from ponder.check.linear import press_sets
from ponder.cross.half_factor import half_factor_of
from ponder.errors import NoShortProof
from ponder.limits import NEVER, Limits
from ponder.printable import printable
from ponder.proofs.pair_prices import Pieces, closed_neighbourhood, prices_of, terms, with_parity
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph, EdgeGraph, Graph, StencilGraph, line_parities
from ponder.puzzle.refutation import press_counts_json
from ponder.puzzle.wired_graph import Wired
from ponder.types import Bits, Ints, Json

MOST_NULLITY = 12
"""Press sets are gone through up to so many dimensions."""

REASONS = {
    "odd-component": "OddEdges",
    "no-first-press": "NoFirstPress",
    "no-last-press": "NoLastPress",
    "exhausted": "Exhausted",
}
"""How a component is refuted, by the kind of the refutation."""

_C4 = {"odd-witness": "unsolvable_by (y", "dead-end": "dead_end_by (P"}
"""The lemmas for C4, and their argument."""

KINDS = (
    *_C4, "line-count", "line-cut", "line-parities", "weighted-cuts", *REASONS, "coset",
)  # fmt: skip
"""Refutations that have certificates; of each of them some may not."""

HEAD = """\
(* {name}
   What ponder says of this board. In ponder's folder, with Coq 8.16 and mathcomp 1.15:
     make -C verified
     coqc -R verified Ponder certificate.v
   Read the board and the theorems here, and what their words mean in verified/game.v and
   verified/board.v. "Closed under the global context" says that no axiom was used. *)
Set Warnings "-notation-overridden".
From Coq Require Import String ZArith NArith.
From mathcomp Require Import ssreflect ssrbool ssrnat seq.
From Ponder Require Import game board local prices certificates line_certificates.
Local Open Scope string_scope.
"""

THEOREM = """
Theorem {name} : {claim}.
Proof.
apply: ({lemma}).
vm_cast_no_check (Logic.eq_refl true).
Qed.
"""

TAIL = """
Definition claims := ({names}).
Print Assumptions claims.
"""


@dataclass(frozen=True)
class Theorem:
    """A claim about the board, and the lemma of `verified/` that proves it by a computation."""

    name: str
    claim: str
    lemma: str

    def __str__(self) -> str:
        return THEOREM.format(name=self.name, claim=self.claim, lemma=self.lemma)


@dataclass(frozen=True)
class Certificate:
    """The text of a file that Coq checks, and its theorems.

    `left_out` is None, or why the result's bound is not among them.
    """

    text: str
    theorems: tuple[Theorem, ...]
    left_out: str | None

    @classmethod
    def of(cls, board: Board, result: Json, limits: Limits = NEVER) -> Certificate:
        """Write a result that holds (`ponder.verify`).

        Raises NoShortProof if nothing that it says has a certificate, and TimeUp.

        >>> board = Board.from_rows(["11", "11"])
        >>> from ponder import solve
        >>> [theorem.claim for theorem in Certificate.of(board, solve(board).to_json()).theorems]
        ['solution the_board [::]']
        """
        if isinstance(board.graph, Wired):
            raise NoShortProof("a wiring has no Coq certificate")
        writer = _Writer(board, limits)
        told: Any = result  # `ponder.verify` has read it
        order, head = told["command"] == "order", HEAD.format(name=_remark(board.name))
        theorems: list[Theorem] = []
        left_out = None
        if told["verdict"] == "solved":
            theorems.append(writer.sequence(told["presses"], order))
        elif told.get("refutation") is not None:
            if told["claim"] == "C1":
                head += _definition("presses", writer.presses(told["refutation"]["press_counts"]))
            theorems.append(writer.refusal(told["claim"], told["refutation"]))
        if told.get("lower_bound"):
            try:
                theorems.append(writer.bound(told["lower_bound"], told["bound"], order))
            except NoShortProof as reason:
                if not theorems:
                    raise
                left_out = f"the bound is not in the certificate: {reason}"
        if not theorems:
            raise NoShortProof(f"the verdict is {told['verdict']}: there is nothing to prove")
        text = head + coq_board(board) + "".join(map(str, theorems))
        text += TAIL.format(names=", ".join(theorem.name for theorem in theorems))
        return cls(text, tuple(theorems), left_out)


# ------------------------------------------------------------------------------- the board as text


def coq_board(board: Board) -> str:
    """Return the definitions of the board, `the_board`, and of its text.

    >>> print(coq_board(Board.from_rows(["01", "1-"], "plus")))
    <BLANKLINE>
    Definition the_text := "
    01
    1-".
    Definition the_board := grid plus Unlit AllLit the_text.
    <BLANKLINE>
    """
    rule = {"unlit": "Unlit", "lit": "Lit", "any": "Any"}[board.rule]
    text, target = _definition("text", _rows(board, board.lit)), "(Picture the_goal)"
    if board.goal_name in ("lit", "unlit"):
        target = {"lit": "AllLit", "unlit": "AllUnlit"}[board.goal_name]
    else:
        text += _definition("goal", _rows(board, board.goal))
    if isinstance(board.graph, EdgeGraph):
        edges = board.graph.edges_within(np.arange(board.graph.size)).tolist()
        made = f"graph {_pairs(edges)}"
    else:
        made = f"grid {_pattern(board.graph)}"
    return f"{text}Definition the_board := {made} {rule} {target} the_text.\n"


def _definition(name: str, rows: Sequence[str]) -> str:
    listed = "\n".join(rows)
    return f'\nDefinition the_{name} := "\n{listed}".\n'


def _rows(board: Board, bits: Bits) -> list[str]:
    written = [str(item) for item in press_counts_json(board, bits)]
    return ["".join(written)] if isinstance(board.graph, EdgeGraph) else written


def _pattern(graph: Graph) -> str:
    if isinstance(graph, CrossGraph):
        return "Cross"
    assert isinstance(graph, StencilGraph)
    if graph.pattern in ("plus", "king", "torus-plus", "torus-king"):
        return graph.pattern.replace("-", "_")
    steps = "; ".join(f"({dr}, {dc})" for dr, dc in graph.offsets)
    return f"({'Torus' if graph.wraps else 'Stencil'} [:: {steps}]%Z)"


def _pairs(pairs: Iterable[Sequence[object]]) -> str:
    return terms(f"({a}, {b})" for a, b in pairs)


def _remark(name: str) -> str:
    """Return a board's name as it may stand in a comment."""
    return re.sub(r'[*"\\]', " ", printable(name))


# -------------------------------------------------------------------------------------- the claims


@dataclass(frozen=True, eq=False)
class _Writer:
    """Writes theorems about a board."""

    board: Board
    limits: Limits

    @property
    def kind(self) -> str:
        """Which lemmas: those about graphs or those about grids."""
        return "graph" if isinstance(self.board.graph, EdgeGraph) else "grid"

    @property
    def plain_cross(self) -> bool:
        """Whether theory §4 applies: rows and columns, and every t(v) = 0."""
        later = self.board.odd_later
        return isinstance(self.board.graph, CrossGraph) and later is not None and not later.any()

    def presses(self, counts: Sequence[object]) -> list[str]:
        """Return the presses of a refutation, each bulb once, as a picture."""
        pressed = press_counts(self.board, counts)
        if pressed.max(initial=0) > 1:
            raise NoShortProof("a refutation of repeated presses has no Coq certificate")
        return _rows(self.board, pressed > 0)

    def sequence(self, presses: Any, order: bool) -> Theorem:
        """Return that a sequence is legal and leads to the goal."""
        bulbs = self.board.graph.bulbs(presses).tolist()
        listed = _pairs(presses) if self.kind == "grid" else terms(bulbs)
        if order:
            return Theorem("in_order", f"an_order the_board {listed}", f"{self.kind}_ordered_by")
        return Theorem("played", f"solution the_board {listed}", f"{self.kind}_solved_by")

    def refusal(self, claim: str, refutation: Any) -> Theorem:
        """Return that there is no solution (C4), no order (C2), or none of these presses (C1)."""
        kind = refutation["kind"]
        if kind not in KINDS:
            raise NoShortProof.of_kind(kind, "Coq certificate", KINDS)
        if claim == "C4":
            hint = f"{terms(self.board.graph.bulbs(refutation['bulbs']))}%num"
            lemma = f"{self.kind}_{_C4[kind]} := {hint})"
            return Theorem("no_solution", "unsolvable the_board", lemma)
        by_lines = kind not in REASONS and self.plain_cross
        if claim == "C1":
            marked = "marked_nodes" if self.kind == "graph" else "marked"
            if by_lines:
                assert isinstance(self.board.graph, CrossGraph)
                hint = f"(c := {_Cut.of_part(refutation, self.board.graph)})"
            else:
                hint = f"(why := {_Local.of_part(self.board, refutation)})"
            lemma = f"{'lines' if by_lines else self.kind}_no_order_of_by (picture := the_presses)"
            claim = f"no_order_of the_board ({marked} the_board the_presses)"
            return Theorem("none_of_these_in_order", claim, f"{lemma} {hint}")
        parts = refutation["parts"] if kind == "coset" else [refutation]
        if by_lines:
            lemma = f"lines_no_order_by (cs := {self.cuts(parts, None, True)})"
        else:
            lemma = f"{self.kind}_no_order_by (rs := {self.refutations(parts, None)})"
        return Theorem("none_in_order", "no_order the_board", lemma)

    def bound(self, k: int, evidence: Any, order: bool) -> Theorem:
        """Return that no fewer presses do; NoShortProof where cuts and prices do not show it."""
        name, claim = ("fewest_in_order", "order_at_least") if order else ("fewest", "at_least")
        lemma, hints = f"{'order_' if order else ''}at_least_by", evidence.get("parts", [])
        if self.plain_cross:
            lemma = f"lines_{lemma} (cs := {self.cuts(hints, k, order)})"
        elif order:
            lemma = f"{self.kind}_{lemma} (rs := {self.refutations(hints, k)})"
        else:
            refuted, priced = self.pairs(hints, k)
            lemma = f"{self.kind}_{lemma} (rs := {refuted}) (cs := {priced}%num)"
        return Theorem(name, f"{claim} the_board {k}", lemma)

    # ---------------------------------------------------------------------------- all press sets

    @cached_property
    def coset(self) -> Coset:
        """All press sets; NoShortProof where they are too many."""
        found = press_sets(self.board)
        if found.nullity > MOST_NULLITY:
            raise NoShortProof(
                f"there are 2^{found.nullity} press sets, and a Coq certificate goes through "
                f"2^{MOST_NULLITY} at most"
            )
        return Coset.of(self.board, found)

    def lighter(self, k: int | None) -> Iterator[tuple[Bits, int]]:
        """Yield the press sets of fewer than k presses, or all, with their weights."""
        for index in range(self.coset.size):
            self.limits.check()
            member = self.coset.member(index)
            weight = int(np.count_nonzero(member))
            if k is None or weight < k:
                yield member, weight

    def cuts(self, parts: Sequence[Any], k: int | None, order: bool) -> str:
        """Return cuts of lines that refute press sets or, where they may be repeated, bound them.

        Those of the parts come first; others are minimum cuts (`cross/half_factor.py`).
        """
        graph = self.board.graph
        assert isinstance(graph, CrossGraph)
        found = [_Cut.of_part(part, graph) for part in parts if part["kind"] == "line-cut"]
        for member, weight in self.lighter(k):
            grid = graph.to_grid(member)
            rows, columns = line_parities(grid)
            apart = abs(int(np.count_nonzero(rows)) - int(np.count_nonzero(columns)))
            if order and (apart or any(cut.refutes(grid) for cut in found)):
                continue
            if k is not None and weight + apart >= k:
                continue
            factor = half_factor_of(grid)
            if not factor.deficit or (not order and weight + 2 * factor.deficit < (k or 0)):
                raise NoShortProof(f"the lines of {weight} presses do not show it")
            found.append(_Cut(factor.cut_rows, factor.cut_columns))
        return terms(dict.fromkeys(map(str, found)))

    def refutations(self, parts: Sequence[Any], k: int | None) -> str:
        """Return parts that refute all press sets, those of fewer than k presses at least."""
        found = [_Local.of_part(self.board, part) for part in parts]
        for member, weight in self.lighter(k):
            if not any(part.applies(member) for part in found):
                raise NoShortProof(f"no part refutes {weight} presses by themselves")
        return terms(found)

    def pairs(self, parts: Sequence[Any], k: int) -> tuple[str, str]:
        """Return refutations, and press sets with prices, that prove k presses together."""
        refuted, priced = [_Local.of_part(self.board, part) for part in parts], []
        for member, weight in self.lighter(k):
            pieces = Pieces.of(self.board, member)
            applied = any(part.applies(member) for part in refuted)
            if pieces.odd and not applied:
                least = min((pieces.parts[x] for x in pieces.odd), key=len)
                refuted.append(_Local(self.board, tuple(least), (), "OddEdges"))
            needed = (k - weight + 1) // 2
            if with_parity(int(applied or bool(pieces.odd)), len(pieces.odd)) < needed:
                mask = sum(1 << v for v in np.flatnonzero(member).tolist())
                priced.append(f"({mask}, {prices_of(self.board, pieces, needed)})")
        return terms(refuted), terms(priced)


# ------------------------------------------------------------------------------------------- hints


@dataclass(frozen=True, eq=False)
class _Cut:
    """Lines X and Y, one bit a row and one a column (theory §4.4)."""

    rows: Bits
    columns: Bits

    @classmethod
    def of_part(cls, part: Any, graph: CrossGraph) -> _Cut:
        height, width = graph.shape
        rows, columns = part.get("rows", []), part.get("columns", [])
        return cls(np.isin(np.arange(height), rows), np.isin(np.arange(width), columns))

    def refutes(self, grid: Bits) -> bool:
        """Whether X or Y needs more colour 1 than there is room for."""
        x = int((grid.sum(axis=1) // 2)[self.rows].sum())
        y = int((grid.sum(axis=0) // 2)[self.columns].sum())
        by_rows = np.count_nonzero(grid[self.rows][:, ~self.columns])
        by_columns = np.count_nonzero(grid[~self.rows][:, self.columns])
        return bool(y + by_rows < x or x + by_columns < y)

    def __str__(self) -> str:
        rows, columns = (terms(np.flatnonzero(bits)) for bits in (self.rows, self.columns))
        return f"({rows}, {columns})"


@dataclass(frozen=True, eq=False)
class _Local:
    """A component K of presses without an order: pieces that hang on single bulbs, a reason."""

    board: Board
    component: tuple[int, ...]
    hanging: tuple[tuple[int, tuple[int, ...]], ...]
    because: str

    @classmethod
    def of_part(cls, board: Board, part: Any) -> _Local:
        """Return K around the bulbs of a refutation; NoShortProof where it is of another kind."""
        if part["kind"] not in REASONS:
            raise NoShortProof.of_kind(part["kind"], "Coq certificate", KINDS)
        pressed = press_counts(board, part["press_counts"]) == 1
        block = board.graph.bulbs(part["bulbs"])
        rest = pressed.copy()
        rest[block] = False
        component, hanging = list(block.tolist()), []
        for piece in Pieces.of(board, rest).parts:
            around = closed_neighbourhood(board, piece)
            contacts = around[np.isin(around, block)].tolist()
            if len(contacts) > 1:
                raise NoShortProof("a refutation that is not about a block has no Coq certificate")
            if contacts:
                component += piece
                hanging.append((contacts[0], tuple(piece)))
        return cls(board, tuple(sorted(component)), tuple(hanging), REASONS[part["kind"]])

    @cached_property
    def around(self) -> Ints:
        """N[K]."""
        return closed_neighbourhood(self.board, self.component)

    def applies(self, member: Bits) -> bool:
        """Whether K is a component of these presses."""
        inside = member[list(self.component)]
        return bool(inside.all()) and np.count_nonzero(member[self.around]) == inside.size

    def __str__(self) -> str:
        hanging = terms(f"({contact}, {terms(piece)})" for contact, piece in self.hanging)
        return f"Refutation {terms(self.component)}%num {hanging}%num {self.because}"
