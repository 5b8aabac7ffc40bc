"""LRAT proofs as cutting planes: the checker of these accepts them, and no spoiled ones."""

from __future__ import annotations

import io
import itertools
import random

import pytest

from ponder.check.cutting_planes import check_veripb
from ponder.check.lrat import check_lrat
from ponder.find.solvers.clause_arrays import Formula, Unsat
from ponder.find.solvers.sat import solve
from ponder.formulas import opb
from ponder.formulas.cnf import Cnf
from ponder.proofs.lrat_trimming import trimmed
from ponder.proofs.veripb import Version, proof_lines, resolution_steps
from ponder.system.errors import CheckFailed, PonderError


def opb_text(variables: int, clauses: list[list[int]]) -> str:
    file = io.BytesIO()
    opb.write(Cnf("clauses", variables=variables).extended("all", clauses), file)
    return file.getvalue().decode()


def veripb_of(clauses: list[list[int]], lrat: str) -> str:
    return b"".join(proof_lines(len(clauses), resolution_steps(clauses, lrat))).decode()


def refuted(count: int) -> list[tuple[int, list[list[int]], str]]:
    """Random unsatisfiable formulas, the clauses of mixed lengths, each with CaDiCaL's LRAT."""
    found: list[tuple[int, list[list[int]], str]] = []
    rng = random.Random(5)
    while len(found) < count:
        variables = rng.randint(4, 12)
        clauses = [
            [rng.choice((1, -1)) * v for v in rng.sample(range(1, variables + 1), length)]
            for length in rng.choices((2, 3, 4), k=6 * variables)
        ]
        outcome = solve(Formula.of(variables, clauses), proof=True)
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


NAMES = range(1, 5)


def solutions(rows: list[tuple[list[int], int]]) -> list[tuple[int, ...]]:
    """The points of four variables that solve all Σ a·x ≥ b."""
    return [
        point
        for point in itertools.product((0, 1), repeat=4)
        if all(sum(a * x for a, x in zip(row, point, strict=True)) >= b for row, b in rows)
    ]


def written(row: list[int], bound: int) -> str:
    return " ".join(f"{a:+d} x{v}" for a, v in zip(row, NAMES, strict=True)) + f" >= {bound}"


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_what_is_accepted_follows(version: Version) -> None:
    """Saturation, division, propagation keep all solutions, redundance one; each works at times."""
    rng, worked = random.Random(6), set[str]()
    mark, end = (":", ";") if version == "3.0" else (";", "")
    for k in range(400):
        rows = [([rng.randint(-3, 3) for _ in NAMES], rng.randint(-3, 4)) for _ in range(2)]
        more, bound = [rng.randint(-2, 2) for _ in NAMES], rng.randint(-1, 3)
        formula = "* #variable= 4 #constraint= 2\n"
        formula += "".join(f"{written(*row)} ;\n" for row in rows)
        rule = ("rup", "red", "rup", "red", "pol")[k % 5]
        step = f"{rule} {written(more, bound)} "
        variable, value = rng.choice(NAMES), rng.choice("01")
        if rule == "red":
            step += f"{mark} x{variable} -> {value}{end}"
        elif rule == "rup":
            step += end if version == "3.0" and k % 2 else f";{end}"
        else:
            step = f"pol 1 2 + {'s' if k % 2 else f'{rng.randint(2, 3)} d'}{end}"
        head, *tail = b"".join(proof_lines(2, [], version=version)).decode().splitlines()[1:]
        proof = "\n".join([f"pseudo-Boolean proof version {version}", head, step, *tail, ""])
        proof = proof.replace("UNSAT : 2", "UNSAT : 3")
        try:
            check_veripb(formula, proof)
            said = ""
        except CheckFailed as error:
            said = str(error)
        before, after = solutions(rows), solutions([*rows, (more, bound)])
        assert before == [] or said != "", (formula, proof)
        if rule in said and "not understood" in said:
            raise AssertionError(said)
        if "can be satisfied" in said and rule in ("rup", "red"):
            worked.add(rule)
            assert before == after if rule == "rup" else not before or after
        elif said == "":
            worked.add(f"{rule} ends it")
    assert worked >= {"rup", "red", "pol ends it"}


def test_hints_and_names_from_the_end() -> None:
    square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    head = "pseudo-Boolean proof version 3.0\nf 4; pol 1 2\n+ s; % two lines\ndel id -1;\n"
    tail = "output NONE;\nconclusion UNSAT : -1;\nend pseudo-Boolean proof;\n"
    for rup, reason in (
        ("rup +1 x1 >= 1 : 1 2 ~; rup >= 1;\n", ""),
        ("rup +1 x1 >= 1 : 1 3; rup >= 1;\n", "does not follow by unit propagation"),
        ("rup +1 x1 >= 1 : 1 5; rup >= 1;\n", "there is no constraint 5"),
        ("rup 1 x1 >= 1;\n", "can be satisfied"),
        ("rup +1 x1 >= 1; rup >= 1\n", "'rup': not understood"),
    ):
        if reason:
            with pytest.raises(CheckFailed, match=reason):
                check_veripb(opb_text(2, square), head + rup + tail)
        else:
            assert check_veripb(opb_text(2, square), head + rup + tail) == 3
    twice = "f 3;\nred +1 x5 +1 ~x1 >= 1 : x5 -> 1; red +1 ~x5 >= 1 : x5 -> 0;\n"
    with pytest.raises(CheckFailed, match="it breaks another"):
        check_veripb(opb_text(2, square[:3]), head.splitlines()[0] + "\n" + twice + tail)
    with pytest.raises(CheckFailed, match="no semicolon"):
        check_veripb(opb_text(2, square), head + "rup >= 1")


@pytest.mark.parametrize(
    ("lrat", "reason"),
    [
        ("3 0 1 9 0\n", "no sum follows"),  # a clause that is not there
        ("3 1 0 -1 2 0\n4 0 3 2 0\n", "no sum follows"),  # RAT
        ("3 2 0 0\n4 -2 0 0\n5 0 3 4 0\n", "no sum follows"),  # defined once more
        ("3 2 0 1 0\n4 0 3 2 0\n", "no sum follows"),  # more than the lemma is left
        ("3 1 2 0\n", "no sum follows"),  # no end of the lemma
        ("no lemma\n", "no sum follows"),
        ("3 d 1 0\n", "without the empty clause"),
    ],
)
def test_other_proofs_are_refused(lrat: str, reason: str) -> None:
    with pytest.raises(PonderError, match=reason):
        resolution_steps([[1], [-1]], lrat)


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
