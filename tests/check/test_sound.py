"""Certificates by chance: what is accepted is true by brute force, and what is true is accepted."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ponder.check.block import RULES, Block, check_rule
from ponder.check.certificate import Bound, Refutation, check_part, read_as
from ponder.check.coset import Lightest
from ponder.check.cut import Cut
from ponder.check.dual import MOST_NULLITY, ModuloFour, Packing, presses_modulo_four, raised
from ponder.check.linear import press_sets
from ponder.check.members import Members, check_cut
from ponder.check.settings import Settings
from ponder.check.t_join_formula import BlockCut
from ponder.check.verification import REFUTATIONS, read_bound
from ponder.check.witness import DeadEnd, States, Witness
from ponder.model.board import Board
from ponder.model.graph import CrossGraph, grid_graph
from ponder.model.wired_graph import Wired
from ponder.system.errors import CheckFailed
from ponder.system.limits import LimitReached
from ponder.system.types import Ints
from tests import brute, corpus
from tests.boards import bits_of, edges_of, solved_by
from tests.corpus import Question
from tests.depth import deep

NONE: Ints = np.zeros(0, dtype=np.int64)


def questions(count: int) -> list[Question]:
    worlds = (*corpus.grid_worlds(), *corpus.even_line_worlds(), *corpus.wiring_worlds())
    worlds += corpus.holed_worlds()
    return [*corpus.questions(worlds, count), *corpus.larger_questions(count // 8)]


def drawn(rng: random.Random, size: int) -> Ints:
    """At least one of so many things, by chance."""
    chosen = [v for v in range(size) if rng.random() < rng.choice((0.2, 0.5, 0.9))]
    return np.array(chosen or [rng.randrange(size)], dtype=np.int64)


def holds(why: Refutation, board: Board, counts: Ints) -> bool:
    try:
        again = read_as(REFUTATIONS, board, why.to_json(board), "refutation")
        return again.check(board, counts).unchecked is None
    except (CheckFailed, LimitReached):
        return False


@pytest.mark.parametrize("count", deep(400, 4000))
def test_refutations_of_the_board(count: int) -> None:
    """A witness, a dead end, all states: there is no solution. Members, settings: no order."""
    accepted = 0
    for number, question in enumerate(questions(count)):
        board, rng = question.board, random.Random(number)
        lights = board.graph.size
        tried: list[Refutation] = [Witness(drawn(rng, lights)), States(), Members()]
        if not isinstance(board.graph, Wired):
            tried += [DeadEnd(drawn(rng, lights), end) for end in ("start", "goal")]
            tried += [DeadEnd(np.arange(lights), end) for end in ("start", "goal")]
        if isinstance(board.graph, CrossGraph):
            tried += [Settings("rows"), Settings("columns")]
        for why in tried:
            if holds(why, board, NONE):
                accepted += 1
                truth = question.fewest if why.claim == "C4" else question.once
                assert truth is None, (str(question), why.to_json(board))
    assert accepted > count / 8


def components(board: Board, press_set: int) -> list[Ints]:
    """The components of the pressed bulbs."""
    size = board.graph.size
    near, left, pieces = brute.masks(size, edges_of(board.graph)), press_set, []
    while left:
        grown, piece = left & -left, 0
        while grown != piece:
            piece = grown
            for v in range(size):
                if piece >> v & 1:
                    grown |= near[v] & press_set
        pieces.append(np.flatnonzero(bits_of(piece, size)))
        left &= ~piece
    return pieces


@pytest.mark.parametrize("count", deep(300, 4000))
def test_refutations_of_a_press_set(count: int) -> None:
    """Blocks and cuts: the press set has no order, nor has one that agrees on the scope; with
    repeats that costs `extra` presses. A component without an order is refuted by all its orders.
    """
    accepted = 0
    for number, question in enumerate(questions(count)):
        board, world, rng = question.board, question.world, random.Random(number)
        sets = world.press_sets(question.state)
        if board.odd_later is None or not sets:
            continue
        press_set = rng.choice(sets)
        counts = bits_of(press_set, len(world.flips)).astype(np.int64)
        tried: list[Refutation] = []
        if press_set:
            pressed = np.flatnonzero(counts)
            chosen = [drawn(rng, pressed.size), np.arange(pressed.size)]
            tried += [Block(pressed[at], rule) for at in chosen for rule in RULES]
        if not isinstance(board.graph, Wired):
            parts = components(board, press_set)
            tried += [Block(part, rule) for part in parts for rule in RULES]
            whole = [holds(Block(part, "orders"), board, counts) for part in parts]
            assert any(whole) == (world.orders[press_set] == 0)
        if isinstance(board.graph, CrossGraph):
            lines = [drawn(rng, n) for n in board.graph.shape]
            tried += [Cut("rows", *lines), Cut("columns", *lines)]
            tried.append(Cut.of_all(board.graph, counts > 0))
        for why in tried:
            if not holds(why, board, counts):
                continue
            accepted += 1
            assert not world.orders[press_set], (str(question), press_set, why.to_json(board))
            refuted = check_part(board, (counts > 0, why))
            for other in sets:
                if refuted.covers(bits_of(other, len(world.flips))):
                    assert not world.orders[other]
            if len(sets) == 1 and question.fewest is not None:
                assert question.fewest >= counts.sum() + refuted.extra
    assert accepted > count / 4


def proved(bound: Bound, board: Board, command: str, least: int) -> bool:
    try:
        again = read_bound(board, bound.to_json(board))
        return again.check_bound(board, command, least) is None
    except (CheckFailed, LimitReached):
        return False


@pytest.mark.parametrize("count", deep(100, 2500))
def test_bounds(count: int) -> None:
    """No bound is more than the fewest presses; the least weight is proved as it is."""
    accepted = 0
    for number, question in enumerate(questions(count)):
        board, rng = question.board, random.Random(number)
        sets = question.world.press_sets(question.state)
        if not sets:
            continue
        weights = [press_set.bit_count() for press_set in sets]
        bounds: list[Bound] = [
            Members(),
            States(),
            Lightest(),
            ModuloFour(min(weights), Lightest()),
        ]
        if not isinstance(board.graph, Wired):
            bounds.append(Packing(drawn(rng, board.graph.size)))
        if isinstance(board.graph, CrossGraph):
            bounds += [Settings("rows"), Settings("columns")]
        for command, truth in (("order", question.once), ("solve", question.fewest)):
            assert proved(Lightest(), board, command, min(weights))
            assert proved(Lightest(weights.count(min(weights))), board, command, min(weights))
            assert not proved(
                Lightest(weights.count(min(weights)) + 1), board, command, min(weights)
            )
            for bound in bounds:
                best = max((k for k in range(20) if proved(bound, board, command, k)), default=0)
                accepted += best > 0
                assert truth is None or best <= truth, (str(question), command, bound.kind, best)
    assert accepted > count


@pytest.mark.parametrize("count", deep(200, 4000))
def test_cuts_of_blocks(count: int) -> None:
    """A block that presses bulbs several times, by its rule, has no order by brute force."""
    accepted = 0
    for seed in range(count):
        rng = random.Random(seed)
        board = rng.choice(corpus.grid_worlds()).question(0).board
        if board.odd_later is None:
            continue
        bulbs = drawn(rng, board.graph.size)[:4].tolist()
        times = [rng.choice((1, 1, 1, 2, 3)) for _ in bulbs]
        forced = frozenset(
            v for v, k in zip(bulbs, times, strict=True) if k == 1 and rng.random() < 0.3
        )
        cut = BlockCut(rng.choice(RULES), tuple(bulbs), tuple(times), forced)
        presses = [v for v, k in zip(bulbs, times, strict=True) for _ in range(k)]
        near = {frozenset(edge) for edge in edges_of(board.graph)}
        edges = [
            (i, j)
            for j in range(len(presses))
            for i in range(j)
            if presses[i] == presses[j] or frozenset((presses[i], presses[j])) in near
        ]
        odd = [i for i, v in enumerate(presses) if board.odd_later[v] ^ (v in forced)]
        has_order = brute.build_order(len(presses), edges, odd) is not None
        try:
            check_cut(board, cut)
        except CheckFailed:
            assert has_order or cut.rule != "orders"
        else:
            accepted += 1
            assert not has_order, cut
    assert accepted > count / 20


def test_rules_of_no_presses_prove_nothing() -> None:
    board = Board.from_rows(["00"], "plus")
    nothing = np.zeros(2, dtype=np.int64)
    for rule in ("parity", "orders"):
        with pytest.raises(CheckFailed):
            check_rule(rule, board.graph, nothing, nothing == 1)


def test_modulo_four_of_more_press_sets_than_numbers() -> None:
    """2^68 press sets have no numbers of 64 bits; a basis of the quiet patterns is enough."""
    rng = np.random.default_rng(1)
    graph = grid_graph("torus-king", (18, 18))
    board = solved_by(graph, rng.random(graph.size) < 0.5)
    sets = press_sets(board, written=MOST_NULLITY)
    assert sets.nullity == 68
    assert board.odd_later is not None
    remainder = presses_modulo_four(graph, board.odd_later, sets.one, sets.quiet)
    assert remainder is not None
    bound = ModuloFour(1, Packing(np.flatnonzero(board.change)[:1].astype(np.int64)))
    for least in range(1, 6):
        assert proved(bound, board, "solve", least) == (least == raised(1, remainder))
