"""LRAT proofs as cutting planes: the checker of these accepts them, and no spoiled ones."""

from __future__ import annotations

import io
import itertools
import random

import pytest

from ponder.check.cutting_planes import check_veripb
from ponder.check.lrat import check_lrat
from ponder.find.solvers.clause_arrays import Formula, Unsat
from ponder.find.solvers.sat import Session
from ponder.formulas import opb
from ponder.formulas.cnf import Cnf
from ponder.proofs.lrat_trimming import trimmed
from ponder.proofs.veripb import proof_lines, resolution_sums
from ponder.system.errors import CheckFailed, PonderError


def opb_text(variables: int, clauses: list[list[int]]) -> str:
    file = io.BytesIO()
    opb.write(Cnf("clauses", variables=variables).extended("all", clauses), file)
    return file.getvalue().decode()


def veripb_of(clauses: list[list[int]], lrat: str) -> str:
    return b"".join(proof_lines(len(clauses), resolution_sums(clauses, lrat))).decode()


def refuted(count: int) -> list[tuple[int, list[list[int]], str]]:
    """Random unsatisfiable formulas, the clauses of mixed lengths, each with CaDiCaL's LRAT."""
    found: list[tuple[int, list[list[int]], str]] = []
    rng = random.Random(5)
    with Session(Formula.of(0, []), solver="cadical195", proof=True, lrat=True) as session:
        while len(found) < count:
            variables = rng.randint(4, 12)
            clauses = [
                [rng.choice((1, -1)) * v for v in rng.sample(range(1, variables + 1), length)]
                for length in rng.choices((2, 3, 4), k=6 * variables)
            ]
            session.new(Formula.of(variables, clauses))
            outcome = session.solve()
            if isinstance(outcome, Unsat) and outcome.proof is not None:
                found.append((variables, clauses, trimmed(outcome.proof, len(clauses))))
    return found


def test_solvers_proofs_become_sums() -> None:
    for variables, clauses, lrat in refuted(40):
        lemmas = check_lrat(clauses, lrat)
        assert check_veripb(opb_text(variables, clauses), veripb_of(clauses, lrat)) == lemmas


def test_a_literal_in_both_clauses_needs_saturation() -> None:
    """Resolving on 1 leaves 2·x2 ≥ 1, which alone does not contradict ¬x2 with one copy less."""
    clauses = [[1, 2, 3], [-1, 2, 3], [-2, 3], [-3, 1], [-3, -1]]
    lrat = "6 2 3 0 1 2 0\n7 3 0 6 3 0\n8 0 7 4 5 0\n"
    proof = veripb_of(clauses, lrat)
    assert proof.count(" s") == 4
    assert check_veripb(opb_text(3, clauses), proof) == 3
    without = proof.replace(" s", "")
    with pytest.raises(CheckFailed, match="can be satisfied"):
        check_veripb(opb_text(3, clauses), without)


def test_every_saturated_sum_follows() -> None:
    """All solutions of random inequalities solve what saturation makes of them."""
    rng = random.Random(6)
    for _ in range(200):
        names = range(1, 5)
        first = [rng.randint(-4, 4) for _ in names]
        bound = rng.randint(-6, 6)
        terms = " ".join(f"{a:+d} x{name}" for a, name in zip(first, names, strict=True))
        formula = f"* #variable= 4 #constraint= 1\n{terms} >= {bound} ;\n"
        solvable = any(
            sum(a * x for a, x in zip(first, point, strict=True)) >= bound
            for point in itertools.product((0, 1), repeat=4)
        )
        proof = b"".join(proof_lines(1, [])).decode().replace("f 1\n", "f 1\npol 1 s\n")
        proof = proof.replace("UNSAT : 1", "UNSAT : 2")
        if solvable:
            with pytest.raises(CheckFailed, match="can be satisfied"):
                check_veripb(formula, proof)
        else:
            assert check_veripb(formula, proof) == 1


@pytest.mark.parametrize(
    ("lrat", "reason"),
    [
        ("3 0 1 2 9 0\n", "no sum follows"),  # a clause that is not there
        ("3 1 0 -1 2 0\n4 0 3 2 0\n", "no sum follows"),  # RAT
        ("3 2 0 1 0\n4 0 3 2 0\n", "no sum follows"),  # more than the lemma is left
        ("3 1 2 0\n", "no sum follows"),  # no end of the lemma
        ("no lemma\n", "no sum follows"),
        ("3 d 1 0\n", "without the empty clause"),
    ],
)
def test_other_proofs_are_refused(lrat: str, reason: str) -> None:
    with pytest.raises(PonderError, match=reason):
        resolution_sums([[1], [-1]], lrat)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pol 4 3 + s 5 + s", "pol 4 3 + s"),  # the last step left out
        ("pol 2 1 + s", "pol 2 4 + s"),  # another clause
        ("pol 2 1 + s", "pol s 2 1 +"),  # saturation of nothing
        ("UNSAT : 6", "UNSAT : 5"),
    ],
)
def test_spoiled_sums_are_rejected(old: str, new: str) -> None:
    square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    formula, proof = opb_text(2, square), veripb_of(square, "5 1 0 1 2 0\n6 0 5 3 4 0\n")
    assert check_veripb(formula, proof) == 2
    assert old in proof
    with pytest.raises(CheckFailed):
        check_veripb(formula, proof.replace(old, new))
