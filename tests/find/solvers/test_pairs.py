"""The decisions about pairs: proofs that are checked, and questions that go on."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence

import pytest

import ponder
from ponder.check.lrat import check_lrat
from ponder.find.fewest import sat_oracle
from ponder.find.fewest.clusters import Clusters
from ponder.find.fewest.odd_components import savings
from ponder.find.fewest.sat_oracle import Decider, PairProof, PairQuestion, SatOracle
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.proofs.lrat_trimming import trimmed
from ponder.system.errors import SolverError
from ponder.system.limits import Limits
from tests.boards import needs_the_oracle
from tests.deciding import InThisProcess, formula_of


def a_press_set(board: Board) -> list[int]:
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    return [int(bit) for bit in sets.particular]


def least(board: Board, press_set: list[int]) -> int:
    """The pairs that the odd components need."""
    clusters = Clusters(board)
    return savings(clusters, clusters.of(press_set)).least


@pytest.mark.parametrize("number", [0, 1, 3])
def test_it_decides_like_a_solver_in_this_process(number: int) -> None:
    """Ask, cut, ask again: the same bounds, and every "no" with a proof of the whole formula."""
    board = needs_the_oracle(number)
    press_set, clusters = a_press_set(board), Clusters(board)
    proofs = 0
    near, odd = clusters.near, clusters.odd
    decide, here = Decider(near, odd), InThisProcess(near, odd)

    def both(question: PairQuestion, limits: Limits) -> Sequence[int] | PairProof | None:
        nonlocal proofs
        one, two = decide(question, limits), here(question, limits)
        assert isinstance(one, PairProof) == isinstance(two, PairProof)
        if isinstance(one, PairProof):
            proofs += 1
            text = zlib.decompress(base64.b64decode(one.lrat)).decode("ascii")
            assert check_lrat(formula_of(near, odd, question).clauses, text)
        return one

    oracle = SatOracle(clusters, press_set, least(board, press_set), both)
    for _ in range(40):
        counts = oracle.propose(Limits(None))
        refused = [] if counts is None else clusters.refused(counts)
        if counts is not None and not refused:
            break
        for cluster, why in refused:
            oracle.refuse(cluster, why)
    else:
        pytest.fail("there is no end of it")
    assert proofs


def test_no_time_is_no_answer() -> None:
    board = needs_the_oracle(0)
    question = PairQuestion(tuple(a_press_set(board)), 1, 2, ())
    clusters = Clusters(board)
    decide = Decider(clusters.near, clusters.odd)
    assert decide(question, Limits(0.0)) is None
    assert decide(question, Limits(None)) is not None


def test_a_proof_that_does_not_hold_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    board = needs_the_oracle(0)
    found = ponder.solve(board)
    assert found.bound is not None
    monkeypatch.setattr(sat_oracle, "trimmed", lambda *_: "999999 0 1 2 3 0\n")
    with pytest.raises(SolverError, match="the proof of cadical195 is refused"):
        ponder.solve(board)


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        ("", "ends without the empty clause"),
        ("5 1 0 1 2 0\n", "ends without the empty clause"),
        ("x 0 1 0\n", "has the line 'x 0 1 0'"),
        ("5 0 1 2\n", "has the lemma '0 1 2'"),
        ("5 0 1 x 0\n", "has the lemma '0 1 x 0'"),
        ("nonsense\n", "has the line 'nonsense'"),
        ("5 0 9 0\n", "clauses that come later, or never"),
    ],
)
def test_what_is_no_proof_is_not_trimmed(proof: str, reason: str) -> None:
    with pytest.raises(SolverError, match=reason):
        trimmed(proof, 4)


def test_definitions_stay_without_hints_for_what_is_gone() -> None:
    """Variable 3 is 1 or 2; one of its three clauses is not needed, or none is."""
    square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    definition = "5 3 -1 0 0\n6 3 -2 0 0\n7 -3 1 2 0 -5 -6 0\n8 1 0 1 2 0\n9 3 0 8 5 0\n"
    assert trimmed(f"{definition}10 0 8 3 4 0\n", 4) == ("5 1 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n")
    proof = f"{definition}10 -1 0 3 4 0\n11 2 0 9 10 7 0\n12 0 11 10 2 0\n"
    assert check_lrat(square, proof) == 8
    shorter = trimmed(proof, 4)
    assert check_lrat(square, shorter) == 7
    assert "6 -3 1 2 0 -5 0\n" in shorter
