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
from ponder.cross.half_factor import half_factor_of
from ponder.puzzle.board import Board
from ponder.puzzle.graph import CrossGraph, EdgeGraph, GridGraph, StencilGraph
from ponder.puzzle.grid_text import grid_rows
from ponder.types import Bits, Json
from tests.verified.prices import closed_neighbourhood, odd_components, prices_of

MOST_NULLITY = 12
"""Press sets are gone through up to so many dimensions."""


class NoCertificate(Exception):
    """There is no certificate of this kind; the message says of which."""


HEAD = """\
(* {name}: written by ponder. *)
From Coq Require Import String ZArith NArith.
From mathcomp Require Import ssreflect ssrbool ssrnat seq.
From Ponder Require Import game board local prices certificates line_certificates.
Local Open Scope string_scope.

Definition the_board := {board}.
"""

PROOF = """
Theorem {name} : {claim}.
Proof.
apply: ({lemma}).
vm_cast_no_check (Logic.eq_refl true).
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
        lit, goal = (["".join(map(str, bits.astype(int)))] for bits in (board.lit, board.goal))
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

Theorem = tuple[str, str, str]
"""Name, claim, and the lemma that proves it."""


def _theorems(board: Board, result: Json) -> Iterator[Theorem]:
    """Yield every theorem of the certificate."""
    kind = "graph" if isinstance(board.graph, EdgeGraph) else "grid"
    order = result["command"] == "order"
    refutation = result["refutation"]
    if result["verdict"] == "solved":
        presses = _pairs(result["presses"]) if kind == "grid" else _nodes(board, result["presses"])
        if order:
            yield "in_order", f"an_order the_board {presses}", f"{kind}_ordered_by"
        else:
            yield "played", f"solution the_board {presses}", f"{kind}_solved_by"
        if result["lower_bound"]:
            yield _bound(board, result, kind, order)
    elif refutation["kind"] == "odd-witness":
        bulbs = _numbers(board.graph.bulbs(refutation["bulbs"]).tolist())
        yield "no_solution", "unsolvable the_board", f"{kind}_unsolvable_by (y := {bulbs})"
    elif result["claim"] == "C2":
        yield _refusal(board, refutation, kind)
    else:
        raise NoCertificate(str(refutation and refutation["kind"]))


def _refusal(board: Board, refutation: Json, kind: str) -> Theorem:
    """Return the theorem that no order exists."""
    name, claim = "none_in_order", "no_order the_board"
    if _plain_cross(board):
        return name, claim, f"lines_no_order_by (cs := {_cuts(board, None)})"
    parts = refutation["parts"] if refutation["kind"] == "coset" else [refutation]
    return name, claim, f"{kind}_no_order_by (rs := {_refutations(board, parts)})"


def _bound(board: Board, result: Json, kind: str, order: bool) -> Theorem:
    """Return the theorem that no fewer presses do."""
    k, bound = result["lower_bound"], result["bound"]
    name, claim = ("fewest_in_order", "order_at_least") if order else ("fewest", "at_least")
    claim = f"{claim} the_board {k}"
    if _plain_cross(board):
        return name, claim, f"lines_{'order_' if order else ''}at_least_by (cs := {_cuts(board, k)})"
    parts = [_refutation(board, part) for part in bound.get("parts", [])]
    if order:
        return name, claim, f"grid_order_at_least_by (rs := {_list(parts)})".replace("grid", kind)
    parts += _odd_components(board, k)
    priced = _list(_priced_members(board, k)) + "%num"
    return name, claim, f"{kind}_at_least_by (rs := {_list(parts)}) (cs := {priced})"


def _plain_cross(board: Board) -> bool:
    """Whether theory §4 applies: rows and columns, and every t(v) = 0."""
    plain = board.odd_later is not None and not board.odd_later.any()
    return isinstance(board.graph, CrossGraph) and plain


def _light_members(board: Board, k: int | None) -> Iterator[tuple[Bits, int]]:
    """Yield the press sets of fewer than k presses, or all, with their weights."""
    found = press_sets(board)
    if found.nullity > MOST_NULLITY:
        raise NoCertificate(f"nullity {found.nullity}")
    coset = Coset.of(board, found)
    for index in range(coset.size):
        member = coset.member(index)
        weight = int(np.count_nonzero(member))
        if k is None or weight < k:
            yield member, weight


def _cuts(board: Board, k: int | None) -> str:
    """Return the cuts that refute every press set, or bound it by theorem 3."""
    graph = board.graph
    assert isinstance(graph, CrossGraph)
    cuts = set()
    for member, weight in _light_members(board, k):
        factor = half_factor_of(graph.to_grid(member))
        counted = abs(factor.rows_half - factor.columns_half)
        if counted == 0 if k is None else weight + 2 * counted < k:
            rows, columns = np.flatnonzero(factor.cut_rows), np.flatnonzero(factor.cut_columns)
            cuts.add(f"({_list(rows.tolist())}, {_list(columns.tolist())})")
    return _list(sorted(cuts))


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


def _odd_components(board: Board, k: int) -> list[str]:
    """Return refutations that together apply to every light press set with an odd component."""
    found: dict[tuple[int, ...], Bits] = {}
    for member, _ in _light_members(board, k):
        components = odd_components(board, member)
        around = [closed_neighbourhood(board, component) for component in components]
        if not any(
            (found.get(tuple(part)) is not None) and member[near].sum() == len(part)
            for part, near in zip(components, around, strict=True)
        ):
            if components:
                least = min(components, key=len)
                found[tuple(least)] = member
    return [f"Refutation {_numbers(part)} [::] OddEdges" for part in found]


def _priced_members(board: Board, k: int) -> Iterator[str]:
    """Yield, for the press sets that need it, prices that prove that k presses are needed."""
    for member, weight in _light_members(board, k):
        prices = prices_of(board, member, (k - weight + 1) // 2)
        if prices is not None:
            mask = sum(1 << v for v in np.flatnonzero(member).tolist())
            yield f"({mask}, {prices.coq()})"
