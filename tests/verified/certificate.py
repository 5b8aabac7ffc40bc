"""From a board and a result of ponder to a file that Coq's kernel checks: `verified/`.

The board stands in the file as its text. What the file proves, `verified/game.v` defines; what it
computes with, stands beside the file's claim: a sequence, an odd witness, refuted components of
presses, prices of pairs. Nothing here need be believed: a wrong file does not compile.

Letters: S a press set, K a component of S, B what is left of K when pieces that hang on single bulbs
are taken off (theory §3.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ponder.check.coset import Coset
from ponder.check.linear import press_sets
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph, EdgeGraph, GridGraph, StencilGraph
from ponder.puzzle.grid_text import grid_rows
from ponder.types import Bits, Json
from tests.verified.prices import prices_of

MOST_NULLITY = 12
"""Press sets are gone through up to so many dimensions."""


class NoCertificate(Exception):
    """There is no certificate of this kind; the message says of which."""


HEAD = """\
(* {name}: written by ponder. *)
From Coq Require Import String ZArith NArith.
From mathcomp Require Import all_ssreflect.
From Ponder Require Import game board local prices lines certificates line_certificates.
Local Open Scope string_scope.

Definition the_board := {board}.
"""

PROOF = """
Theorem {name} : {claim}.
Proof.
apply: ({lemma}).
vm_cast_no_check (erefl true).
Qed.
Print Assumptions {name}.
"""


def certificate(board: Board, result: Json) -> str:
    """Return the text of a file that proves what the result says. Raises NoCertificate."""
    text = HEAD.format(name=board.name.replace("*)", ""), board=coq_board(board))
    for name, claim, lemma in _theorems(board, result):
        text += PROOF.format(name=name, claim=claim, lemma=lemma)
    return text


# ------------------------------------------------------------------------------- the board as text


def coq_board(board: Board) -> str:
    """Return the board as a term.

    >>> print(coq_board(Board.from_rows(["01", "1-"], "plus")))
    grid plus Unlit AllLit "
    01
    1-"
    """
    rule = {"unlit": "Unlit", "lit": "Lit", "any": "Any"}[board.rule]
    if isinstance(board.graph, EdgeGraph):
        edges = board.graph.edges_within(np.arange(board.graph.size)).tolist()
        lit, goal = (["".join("01"[bit] for bit in bits)] for bits in (board.lit, board.goal))
        return f"graph {_pairs(edges)} {rule} {_target(board, goal)} {_text(lit)}"
    lit, goal = grid_rows(board, board.lit), grid_rows(board, board.goal)
    return f"grid {_pattern(board.graph)} {rule} {_target(board, goal)} {_text(lit)}"


def _target(board: Board, goal: Sequence[str]) -> str:
    words = {"lit": "AllLit", "unlit": "AllUnlit"}
    return words.get(board.goal_name) or f"(Picture {_text(goal)})"


def _text(rows: Sequence[str]) -> str:
    return '"\n' + "\n".join(rows) + '"'


def _pattern(graph: object) -> str:
    if isinstance(graph, CrossGraph):
        return "Cross"
    assert isinstance(graph, StencilGraph)
    named = {"plus": "plus", "king": "king", "torus-plus": "torus_plus", "torus-king": "torus_king"}
    if graph.pattern in named:
        return named[graph.pattern]
    steps = "; ".join(f"({dr}, {dc})" for dr, dc in graph.offsets)
    return f"({'Torus' if graph.wraps else 'Stencil'} [:: {steps}]%Z)"


def _pairs(pairs: Iterable[Sequence[object]]) -> str:
    return _list(f"({a}, {b})" for a, b in pairs)


def _list(items: Iterable[object]) -> str:
    listed = "; ".join(map(str, items))
    return f"[:: {listed}]" if listed else "[::]"


def _numbers(numbers: Iterable[int]) -> str:
    return _list(numbers) + "%num"


# -------------------------------------------------------------------------------------- the claims


def _theorems(board: Board, result: Json) -> Iterator[tuple[str, str, str]]:
    """Yield name, claim, and what it is proved by, of every theorem."""
    kind = "graph" if isinstance(board.graph, EdgeGraph) else "grid"
    order = result["command"] == "order"
    refutation = result["refutation"]
    if result["verdict"] == "solved":
        presses = _pairs(result["presses"]) if kind == "grid" else _nodes(board, result["presses"])
        if order:
            yield "in_order", f"an_order the_board {presses}", f"@{kind}_ordered_by _ _ _ _ _"
        else:
            yield "played", f"solution the_board {presses}", f"@{kind}_solved_by _ _ _ _ _"
    elif refutation["kind"] == "odd-witness":
        bulbs = _numbers(board.graph.bulbs(refutation["bulbs"]).tolist())
        yield "no_solution", "unsolvable the_board", f"@{kind}_unsolvable_by _ _ _ _ {bulbs}"
    elif order:
        parts = refutation["parts"] if refutation["kind"] == "coset" else [refutation]
        lemma = f"@{kind}_no_order_by _ _ _ _ {_refutations(board, parts)}"
        yield "none_in_order", "no_order the_board", lemma
    if result["verdict"] == "solved" and result["lower_bound"]:
        yield _bound(board, result, kind, order)


def _bound(board: Board, result: Json, kind: str, order: bool) -> tuple[str, str, str]:
    k, bound = result["lower_bound"], result["bound"]
    parts = _refutations(board, bound.get("parts", []))
    if order:
        lemma = f"@{kind}_order_at_least_by _ _ _ _ {k} {parts}"
        return "fewest_in_order", f"order_at_least the_board {k}", lemma
    priced = _list(_priced_members(board, k, bound)) + "%num"
    lemma = f"@{kind}_at_least_by _ _ _ _ {k} {parts} {priced}"
    return "fewest", f"at_least the_board {k}", lemma


def _nodes(board: Board, names: Sequence[object]) -> str:
    return _list(board.graph.bulbs(list(names)).tolist())


# ------------------------------------------------------------------- refuted components of presses


def _refutations(board: Board, parts: Sequence[Json]) -> str:
    return _list(_refutation(board, part) for part in parts)


def _refutation(board: Board, part: Json) -> str:
    """Return a refuted component K: its bulbs, pieces that hang on single bulbs, and a reason."""
    reasons = {
        "odd-component": "OddEdges",
        "no-first-press": "NoFirstPress",
        "no-last-press": "NoLastPress",
        "exhausted": "Exhausted",
    }
    if part["kind"] not in reasons:
        raise NoCertificate(part["kind"])
    pressed = _press_set(board, part["press_counts"])
    block = set(board.graph.bulbs(part["bulbs"]).tolist())
    component, pieces = set(block), []
    for start in sorted(block):
        for first in board.graph.neighbours(start).tolist():
            if pressed[first] and first not in component:
                piece, contacts = _piece(board, pressed, block, first)
                component |= piece
                (contact,) = contacts
                pieces.append(f"({contact}, {_list(sorted(piece))})")
    return (
        f"Refutation {_numbers(sorted(component))} {_list(pieces)}%num {reasons[part['kind']]}"
    )


def _piece(board: Board, pressed: Bits, block: set[int], first: int) -> tuple[set[int], set[int]]:
    """Return a connected set of presses outside the block, and what of the block it touches."""
    piece, todo, contacts = {first}, [first], set()
    while todo:
        for u in board.graph.neighbours(todo.pop()).tolist():
            if u in block:
                contacts.add(u)
            elif pressed[u] and u not in piece:
                piece.add(u)
                todo.append(u)
    return piece, contacts


def _press_set(board: Board, counts: Sequence[object]) -> Bits:
    """Return the presses of a refutation's counts: rows of digits, or a list."""
    if isinstance(board.graph, GridGraph):
        rows = [[character == "1" for character in row] for row in map(str, counts)]
        return board.graph.from_grid(np.array(rows, dtype=np.bool_))
    return np.array(counts, dtype=np.int64) == 1


# ------------------------------------------------------------------------------- pairs by prices


def _priced_members(board: Board, k: int, bound: Json) -> Iterator[str]:
    """Yield, for the press sets that need it, prices that prove that k presses are needed."""
    if bound["kind"] not in ("odd-components", "decomposition"):
        return
    found = press_sets(board)
    if found.nullity > MOST_NULLITY:
        raise NoCertificate(f"{bound['kind']} of nullity {found.nullity}")
    coset = Coset.of(board, found)
    for index in range(coset.size):
        member = coset.member(index)
        weight = int(np.count_nonzero(member))
        if weight < k:
            prices = prices_of(board, member, (k - weight + 1) // 2)
            if prices is not None:
                mask = sum(1 << v for v in np.flatnonzero(member).tolist())
                yield f"({mask}, {prices.coq()})"
