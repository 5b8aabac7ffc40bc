"""What certificates for Coq are made of: the frame of a file, theorems, boards as their text.

Reference: `verified/board.v` says what the texts mean.
Cost: the text of the board; `lighter` O(n) for each press set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ponder.check.coset import Coset
from ponder.check.linear import press_sets
from ponder.check.reader import press_counts_json
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.model.graph import CrossGraph, Graph, GridGraph, StencilGraph
from ponder.system.errors import NoShortProof
from ponder.system.limits import Limits
from ponder.system.printable import printable
from ponder.system.types import Bits

MOST_NULLITY = 16  # dimensions up to which press sets are refuted one by one
MOST_WEIGHED = 22  # dimensions up to which Coq looks for all that are light

HEAD = """\
(* {name}
   What ponder says of this {about}. In ponder's folder, with Coq 8.16 and mathcomp 1.15:
     make -C verified
     coqc -R verified Ponder certificate.v
   Read the {about} and the theorems here, and what their words mean in verified/{words}.
   "Closed under the global context" says that no axiom was used. *)
Set Warnings "-notation-overridden".
From Coq Require Import String BinNat BinInt.
From mathcomp Require Import ssreflect ssrbool ssrnat seq.
From Ponder Require Import game board {files}.
Local Open Scope string_scope.
"""
BOARD = {"about": "board", "words": "game.v and verified/board.v"}
GRAPH = {"about": "graph", "words": "orientations.v"}

THEOREM = """
Theorem {name} : {claim}.
Proof.
apply: ({lemma}).
vm_cast_no_check (Logic.eq_refl true).
Qed.
"""


@dataclass(frozen=True)
class Theorem:
    """A claim about the board, and the lemma of `verified/` that proves it by a computation."""

    name: str
    claim: str
    lemma: str

    @property
    def files(self) -> str:
        """Those of `verified/` that it needs: what is loaded costs more than what is computed."""
        if "no_orientation" in self.lemma:
            return "numbering before packed local orientations"
        if self.lemma.startswith("lines_"):
            return "line_certificates"
        return f"local{' before packed' * ('Formula' in self.lemma)} certificates"

    def __str__(self) -> str:
        return THEOREM.format(name=self.name, claim=self.claim, lemma=self.lemma)


def terms(items: Iterable[object]) -> str:
    """Return a list as Coq writes it."""
    listed = "; ".join(map(str, items))
    return f"[:: {listed}]" if listed else "[::]"


def whole_text(
    name: str, stated: str, theorems: Sequence[Theorem], words: Mapping[str, str]
) -> str:
    """Return the file: definitions, theorems, and on what they rest."""
    head = HEAD.format(
        name=re.sub(r'[*"\\]', " ", printable(name)),  # in a comment
        files=" ".join(dict.fromkeys(theorem.files for theorem in theorems)),
        **words,
    )
    claims = ", ".join(theorem.name for theorem in theorems)
    end = f"\nDefinition claims := ({claims}).\nPrint Assumptions claims.\n"
    return head + stated + "".join(map(str, theorems)) + end


def coq_board(board: Board) -> str:
    """Return the definitions of the board, `the_board`, and of its text."""
    text, target = definition("text", board, board.lit), "(Picture the_goal)"
    if board.goal_name in ("lit", "unlit"):
        target = f"All{board.goal_name.capitalize()}"
    else:
        text += definition("goal", board, board.goal)
    call = _call(board.graph)
    return f"{text}Definition the_board := {call} {board.rule.capitalize()} {target} the_text.\n"


def definition(name: str, board: Board, bits: Bits) -> str:
    """Return the definition of a text that tells of every place or node."""
    if isinstance(board.graph, GridGraph):
        rows = "\n" + "\n".join(map(str, press_counts_json(board, bits)))
    else:
        rows = "\n" + "".join(map(str, bits.astype(int).tolist()))
    return f'\nDefinition the_{name} := "{rows}".\n'


def _call(graph: Graph) -> str:
    """Return the function of `verified/` that makes the board, but for rule, goal and text."""
    match graph:
        case CrossGraph():
            return "grid Cross"
        case EdgeGraph():
            edges = graph.edges_within(np.arange(graph.size)).tolist()
            return f"graph {terms(map(tuple, edges))}"
    assert isinstance(graph, StencilGraph)
    if graph.pattern in ("plus", "king", "torus-plus", "torus-king"):
        return f"grid {graph.pattern.replace('-', '_')}"
    return f"grid ({'Torus' if graph.wraps else 'Stencil'} {_steps(graph.offsets)})"


def _steps(offsets: Iterable[tuple[int, int]]) -> str:
    return terms(f"({dr}, {dc})" for dr, dc in offsets) + "%Z"


def lighter(board: Board, k: int | None, limits: Limits) -> Iterator[tuple[Bits, int]]:
    """Yield press sets, of < k presses or all, and weights. Raises NoShortProof, TimeUp."""
    sets = press_sets(board, limits)
    most = MOST_NULLITY if k is None else MOST_WEIGHED
    if sets.nullity > most:
        raise NoShortProof(
            f"there are 2^{sets.nullity} press sets, and a Coq certificate goes through "
            f"2^{most} at most"
        )
    coset = Coset.from_press_sets(board, sets)
    indices: Iterable[int] = range(coset.size)
    if k is not None:
        indices = coset.lighter(k, limits)[0].tolist()
    for index in limits.over(indices):
        member = coset.member(index)
        yield member, int(np.count_nonzero(member))
