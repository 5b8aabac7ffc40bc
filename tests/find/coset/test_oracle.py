"""The oracle of double presses: proofs that are checked, and questions that go on."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from pysat.solvers import Cadical195

import ponder
from ponder.check.lrat import check_lrat
from ponder.check.t_join_formula import TJoinFormula
from ponder.find.coset.clusters import Clusters
from ponder.find.coset.oracle import SatOracle
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.model.board import Board
from ponder.model.edge_graph import EdgeGraph
from ponder.proofs.lrat_trimming import trimmed
from ponder.system.errors import SolverError
from ponder.system.limits import Limits
from tests.boards import needs_the_oracle, random_edges
from tests.depth import deep


def oracle_of(board: Board, pairs: int) -> SatOracle:
    sets = press_sets(board)
    assert isinstance(sets, PressSets)
    return SatOracle(Clusters(board), [int(bit) for bit in sets.particular], pairs)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_it_decides_like_a_solver_in_this_process(number: int) -> None:
    """Ask, cut, ask again: the same bounds, and every "no" with a proof of the whole formula."""
    board = needs_the_oracle(number)
    fewest = ponder.solve(board)
    oracle = oracle_of(board, 0)
    clusters = oracle.clusters
    weight = sum(oracle.press_set)
    assert fewest.count is not None
    oracle.bound = max(0, (fewest.count - weight) // 2 - 2)
    proofs = 0
    for _ in range(60):
        pairs, cuts, cap = oracle.bound, tuple(oracle.cuts), oracle.cap
        counts = oracle.propose(Limits(None))
        formula = TJoinFormula(clusters.near, clusters.odd, oracle.press_set, pairs, cap)
        for cut in cuts:
            formula.add_cut(cut)
        with Cadical195(bootstrap_with=formula.clauses) as solver:
            assert solver.solve() == (counts is not None)
        if counts is None:
            proofs += 1
            assert oracle.proof is not None
            assert (oracle.proof.pairs, oracle.bound) == (pairs, pairs + 2)
            assert check_lrat(formula.clauses, oracle.proof.lrat)
            continue
        refused = clusters.refused(counts)
        if not refused:
            assert sum(counts) == fewest.count
            break
        for cluster, why in refused:
            oracle.refuse(cluster, why)
    else:
        pytest.fail("there is no end of it")
    assert proofs


@pytest.mark.parametrize("count", deep(100, 2000))
def test_what_hangs_on_a_bulb(count: int) -> None:
    """The parity that the presses outside a block force on a bulb, against a count of all pairs."""
    for seed in range(count):
        rng = random.Random(seed)
        size = rng.randint(2, 8)
        graph = EdgeGraph(size, random_edges(size, 0.4, rng))
        odd = np.array([rng.random() < 0.5 for _ in range(size)])
        oracle = SatOracle(Clusters(Board(graph, ~odd, ~odd, "unlit")), [0] * size, 0)
        count_of = {v: rng.randint(1, 3) for v in range(size) if rng.random() < 0.8}
        inside = {v for v in count_of if rng.random() < 0.4}
        for contact in inside:
            count_of[contact] = 1
        near = {v: {*graph.neighbours(v).tolist()} & {*count_of} for v in count_of}
        for contact in inside:
            hanging = {contact}
            while more := {u for v in hanging for u in near[v]} - hanging - inside:
                hanging |= more
            presses = [v for v in hanging for _ in range(count_of[v])]
            pairs = itertools.combinations(presses, 2)
            total = sum(u == v or u in near[v] for u, v in pairs)
            total += sum(bool(oracle.clusters.odd[v]) for v in presses if v != contact)
            assert oracle._outside(contact, inside, count_of) == total % 2


def test_no_time_is_no_answer() -> None:
    oracle = oracle_of(needs_the_oracle(0), 1)
    assert oracle.propose(Limits(0.0)) is None
    assert (oracle.bound, oracle.proof) == (1, None)


def test_a_proof_that_does_not_hold_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ponder.proofs.lrat_trimming.trimmed", lambda *_: "999999 0 1 2 3 0\n")
    with pytest.raises(SolverError, match="the proof of cadical195 is refused"):
        ponder.solve(needs_the_oracle(0))


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
