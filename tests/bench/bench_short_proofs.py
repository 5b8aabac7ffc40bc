"""Short proofs: unequal line counts and a cut as LRAT, written and checked."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np

from ponder.check.lrat import check_lrat
from ponder.proofs.clausal import ClausalProof
from ponder.proofs.refused import Refused
from tests.bench import Case
from tests.boards import cross_pressed
from tests.proofs.test_line_cuts import of_comb


def unbalanced(size: int, odd: bool) -> Refused:
    """A random board, half pressed, with a difference that is odd (modulus 2) or twice odd (3)."""
    rng = np.random.default_rng(size)
    while True:
        presses = rng.random((size, size)) < 0.5
        difference = int((presses.sum(axis=0) // 2).sum() - (presses.sum(axis=1) // 2).sum())
        if difference % 2 == odd and difference % 3:
            return Refused(cross_pressed(presses), presses.reshape(-1), {"kind": "line-count"})


def writing(refused: Callable[[], Refused]) -> Callable[[], Callable[[], object]]:
    """Write formula and proof."""

    def prepare() -> Callable[[], object]:
        case = refused()

        def job() -> str:
            proof, file = ClausalProof.of(case), io.BytesIO()
            proof.write_formula(io.BytesIO())
            lemmas = proof.write_proof(file)
            return f"{lemmas:,} lemmas, {len(file.getvalue()) / 1e6:.1f} MB"

        return job

    return prepare


def checking(size: int) -> Callable[[], Callable[[], object]]:
    """Check a proof, the formula at hand."""

    def prepare() -> Callable[[], object]:
        proof, file = ClausalProof.of(unbalanced(size, odd=True)), io.BytesIO()
        proof.write_proof(file)
        clauses = list(proof.formula.clauses())
        return lambda: f"{check_lrat(clauses, file.getvalue()):,} lemmas"

    return prepare


CASES = [
    Case("short proof, line count 24×24, modulo 2", 0.3, writing(lambda: unbalanced(24, True))),
    Case("short proof, line count 24×24, modulo 3", 0.3, writing(lambda: unbalanced(24, False))),
    Case(
        "short proof, line count 100×100, modulo 2",
        10.0, writing(lambda: unbalanced(100, True)), runs=1, memory=1.0,
    ),
    Case(
        "short proof, line count 100×100, modulo 3",
        10.0, writing(lambda: unbalanced(100, False)), runs=1, memory=1.0,
    ),
    Case("short proof, line cut with 10 presses outside", 1.0, writing(lambda: of_comb(12, 10))),
    Case("short proof, line count 24×24, checked", 1.0, checking(24)),
]  # fmt: skip
