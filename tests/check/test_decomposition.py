"""Bounds by decomposition: cuts and formulas by brute force; no spoilt proof is believed."""

from __future__ import annotations

import base64
import copy
import itertools
import json
import random
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from pysat.solvers import Cadical195

import ponder
from ponder.check.evidence.decomposition import check_cut
from ponder.check.limits import Budget, TooLarge
from ponder.check.proofs import packed
from ponder.check.t_join_formula import BlockCut, TJoinFormula
from ponder.check.verification import verify
from ponder.check.written import Reading
from ponder.find.coset.clusters import neighbour_lists
from ponder.model.board import Board
from ponder.model.graph import EdgeGraph
from ponder.system.errors import CheckFailed, PonderError
from tests import brute, checking
from tests.boards import edges_of, needs_the_oracle, random_edges
from tests.depth import deep
from tests.fuzz.pair_proofs import SPOILS, a_cut

Json = dict[str, Any]


def a_board(rng: random.Random, size: int) -> Board:
    edges = random_edges(size, rng.uniform(0.3, 0.6), rng)
    goal = np.array([rng.random() < 0.7 for _ in range(size)])
    return Board(EdgeGraph(size, edges), np.zeros(size, dtype=np.bool_), goal)


def has_order(board: Board, cut: Json) -> bool:
    """Whether the block of a cut, alone, has an order with the parities t + π."""
    counts = np.zeros(board.graph.size, dtype=np.int64)
    counts[cut["bulbs"]] = cut["counts"]
    presses, edges, odd = checking.blow_up(board, counts)
    wanted = set(odd) ^ {presses.index(v) for v in cut["forced"]}
    return brute.orderable(len(presses), edges, wanted)


@pytest.mark.parametrize("seed", [*range(7), *deep(7, *range(8, 20))])
def test_cuts_and_formulas_admit_every_legal_choice(seed: int) -> None:
    """Cuts at random: those that are accepted hold, and what is legal satisfies the formula."""
    rng = random.Random(seed)
    size, most = 6, 2
    board = a_board(rng, size)
    press_set = [rng.randrange(2) for _ in range(size)]
    near, odd = neighbour_lists(board), board.odd_later
    assert odd is not None
    try:
        formula = TJoinFormula(near, odd.astype(int).tolist(), press_set, most, most + 2)
    except CheckFailed:  # the odd components alone need more
        formula = None
    accepted = 0
    for _ in range(300):
        value = a_cut(rng, board)
        try:
            cut = BlockCut.read(Reading(board), value, "a cut")
            check_cut(board, cut, Budget())
        except CheckFailed:
            continue
        assert not has_order(board, value), value
        try:
            if formula is not None:
                formula.add_cut(cut)
                accepted += 1
        except CheckFailed:
            pass
    solver = None if formula is None else Cadical195(bootstrap_with=formula.clauses)
    for pairs in range(most + 1):
        for extra in itertools.combinations_with_replacement(range(size), pairs):
            e = [extra.count(v) for v in range(size)]
            counts = np.array(press_set) + 2 * np.array(e)
            if checking.play_order(board, counts) is None:
                continue
            assert formula is not None
            assert solver is not None
            units = [
                x if k < count else -x
                for levels, count in zip(formula.at_least, e, strict=True)
                for k, x in enumerate(levels)
            ]
            assert solver.solve(units), f"{edges_of(board.graph)} {press_set} {e}"
    assert formula is None or accepted


# ------------------------------------------------------------------------------------- mutations


def spoil(seed: int, tries: int) -> tuple[int, int]:
    """Spoil the result about one board; return how many spoilt ones were tried and accepted."""
    board = needs_the_oracle(seed)
    found = json.loads(json.dumps(ponder.solve(board).to_json()))
    if found["bound"]["kind"] != "decomposition":  # a count modulo 4 raises another bound as far
        return 0, 0
    assert verify(board, found).complete
    edges = edges_of(board.graph)
    lit, goal = checking.number(board.lit), checking.number(board.goal)
    fewest = brute.distances(board.graph.size, edges, goal, board.rule)[lit]
    assert found["count"] == found["lower_bound"] == fewest
    rng, accepted = random.Random(seed), 0
    for _ in range(tries):
        spoilt = copy.deepcopy(found)
        for _ in range(rng.choice([1, 1, 2])):
            with suppress(IndexError, ValueError):  # there is nothing left to spoil
                rng.choice(SPOILS)(rng, spoilt["bound"])
        if rng.random() < 0.5:
            more = spoilt["lower_bound"] + rng.choice([1, 2, 2, 4])
            spoilt |= {"lower_bound": more, "presses": None, "count": None, "optimal": False}
            spoilt |= {"verdict": "impossible", "at_most": more - 1}
        try:
            complete = verify(board, spoilt).complete
        except PonderError:
            continue
        if complete:
            accepted += 1
            assert spoilt["lower_bound"] <= fewest, json.dumps(spoilt)
    return tries, accepted


@pytest.mark.parametrize("seed", range(4))
def test_nothing_false_is_proved_by_what_is_spoilt(seed: int) -> None:
    tried, accepted = spoil(seed, 150)
    assert accepted < tried / 2


@pytest.mark.deep
def test_nothing_false_is_proved_by_what_is_spoilt_deep() -> None:
    tried = (spoil(seed, 2000)[0] for seed in itertools.count())
    assert len([*itertools.islice(filter(None, tried), 12)]) == 12


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"lrat": None}, "lrat is None, not a text"),
        ({"lrat": "no base 64"}, "not compressed text"),
        ({"lrat": packed("")}, "never derives the empty clause"),
        ({"cap": 0}, "a cap of 0 pairs"),
        ({"cuts": [99]}, "not among"),
        ({"pairs": 0}, "pairs are not enough: "),
        ({"press_counts": [0] * 8}, "not a press set"),
    ],
)
def test_reasons(change: Json, reason: str) -> None:
    board = needs_the_oracle(0)
    found = json.loads(json.dumps(ponder.solve(board).to_json()))
    found["bound"]["proofs"][0] |= change
    with pytest.raises(CheckFailed, match=reason):
        verify(board, found)


def test_a_proof_that_is_cut_short_or_goes_on_is_refused() -> None:
    board = needs_the_oracle(0)
    found = json.loads(json.dumps(ponder.solve(board).to_json()))
    proof = found["bound"]["proofs"][0]
    data = base64.b64decode(proof["lrat"])
    for spoilt in (data[:-4], data + b"more"):
        proof["lrat"] = base64.b64encode(spoilt).decode("ascii")
        with pytest.raises(CheckFailed, match="cut short, or has something after"):
            verify(board, found)


def test_what_asks_for_too_much_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    board = needs_the_oracle(0)
    found = json.loads(json.dumps(ponder.solve(board).to_json()))
    monkeypatch.setattr("ponder.check.fields.MOST_UNPACKED", 40)
    report = verify(board, found)
    assert not report.complete
    assert "packed proof, at least, are more than 40" in str(report.statements[-1])
    found["bound"]["proofs"][0]["pairs"] = 10**9
    assert not verify(board, found).complete
    assert TooLarge("").raisable is False
