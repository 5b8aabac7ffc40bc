"""LRAT proofs in Coq: accepted as they are, refused about another formula, RAT steps included."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from ponder.proofs.coq_formula import clause_line, definitions, steps
from tests.verified.building import build, compiled

SQUARE = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
DEFINED = (  # variable 3 is "1 or 2"
    "5 3 -1 0 0\n6 3 -2 0 0\n7 -3 1 2 0 -5 -6 0\n8 1 0 1 2 0\n9 3 0 8 5 0\n10 -1 0 3 4 0\n"
    "10 d 6 0\n11 2 0 9 10 7 0\n12 0 11 10 2 0\n"
)
HEAD = """\
From Coq Require Import PArith.
From mathcomp Require Import ssreflect ssrbool ssrnat seq.
From Ponder Require Import lrat before packed.
Definition refuses its := refuted (clauses_of its) (steps_of its).
"""


def spoilt(count: int) -> list[tuple[list[list[int]], str]]:
    """The formula and the proof with one number changed."""
    rng = random.Random(1)
    found: list[tuple[list[list[int]], str]] = []
    while len(found) < count:
        formula, lines = (
            [list(clause) for clause in SQUARE],
            [x.split() for x in DEFINED.split("\n")],
        )
        if rng.random() < 0.2:
            clause = rng.choice(formula)
            clause[rng.randrange(2)] = rng.choice((-3, -2, -1, 1, 2, 3))
        else:
            words = rng.choice(lines[:-1])
            numbers = [i for i, word in enumerate(words[:-1]) if word not in "0d"]
            words[rng.choice(numbers)] = str(rng.choice([x for x in range(-12, 13) if x]))
        found.append((formula, "".join(f"{' '.join(words)}\n" for words in lines[:-1])))
    return found


def satisfiable(formula: list[list[int]]) -> bool:
    return any(
        all(any((x > 0) == values[abs(x) - 1] for x in clause) for clause in formula)
        for values in product((False, True), repeat=3)
    )


@pytest.mark.coq
def test_a_proof_is_accepted_and_spoilt_ones_are_refused(tmp_path: Path) -> None:
    """Few changes do no harm; no formula with a model is refused."""
    build()
    given = [(SQUARE, DEFINED), *spoilt(1000)]
    text, kept = HEAD, 0
    for formula, proof in given:
        try:
            lines = [*map(clause_line, formula), *steps(proof)]
        except (ValueError, IndexError):
            continue
        if min(map(min, lines)) < 1:  # numbers that have no place in a certificate
            continue
        text += definitions(f"items{kept}", lines)
        given[kept] = formula, proof
        kept += 1
    text += f"Eval vm_compute in map refuses [:: {'; '.join(f'items{k}' for k in range(kept))}].\n"
    text += (
        "Theorem none : unsatisfiable (clauses_of items0).\n"
        "Proof. exact: (refuted_sound (p := steps_of items0)). Qed.\nPrint Assumptions none.\n"
    )
    done = compiled(tmp_path, text)
    assert done.returncode == 0, done.stderr
    assert "Closed under the global context" in done.stdout
    answers = [
        word.strip("[:; ]") == "true"
        for word in done.stdout.split("=")[1].split(":: ")[-1].split(";")
    ]
    assert kept > 800
    assert len(answers) == kept
    assert answers[0]
    accepted = [one for one, answer in zip(given, answers, strict=False) if answer]
    assert len(accepted) < 300  # they change what is not needed: ids, spare hints
    for formula, proof in accepted:
        assert not satisfiable(formula), proof
