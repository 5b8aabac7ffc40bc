"""Proofs for outsiders: what writing them costs, and what checking LRAT costs."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np

from ponder import order
from ponder.check.cutting_planes import check_veripb
from ponder.check.lrat import check_lrat
from ponder.model.graph import grid_graph
from ponder.proofs.clausal import ClausalProof
from ponder.proofs.cutting_planes import veripb_proof
from ponder.proofs.refused import Refused
from tests.bench import Case
from tests.boards import cross_pressed, solved_by


def unbalanced(size: int) -> Refused:
    """A random row/column board with more odd rows than odd columns, or fewer."""
    rng = np.random.default_rng(size)
    while True:
        refused = Refused.of_result(order(cross_pressed(rng.random((size, size)) < 0.5)))
        if refused is not None and refused.kind == "line-count":
            return refused


def large_odd_component(size: int) -> Refused:
    """The press set of a random plus board, dense enough for one large component, which is odd."""
    graph, rng = grid_graph("plus", (size, size)), np.random.default_rng(size)
    while True:
        presses = rng.random(graph.size) < 0.75
        found = order(solved_by(graph, presses), press_set=np.flatnonzero(presses))
        refused = Refused.of_result(found)
        if refused is None or refused.kind != "odd-component":
            continue
        if refused.bulbs.size > graph.size // 2:
            return refused


def write_veripb() -> Callable[[], object]:
    refused = unbalanced(100)

    def job() -> str:
        made, formula, proof = veripb_proof(refused), io.BytesIO(), io.BytesIO()
        made.write_formula(formula)
        made.write_proof(proof)
        return f"{len(formula.getvalue()):,} + {len(proof.getvalue()):,} bytes"

    return job


def read_veripb() -> Callable[[], object]:
    made, formula, proof = veripb_proof(unbalanced(100)), io.BytesIO(), io.BytesIO()
    made.write_formula(formula)
    made.write_proof(proof)
    texts = formula.getvalue().decode(), proof.getvalue().decode()
    return lambda: check_veripb(*texts)


def write_parities() -> Callable[[], object]:
    refused = large_odd_component(20)

    def job() -> str:
        proof, file = ClausalProof.of(refused), io.BytesIO()
        lemmas = proof.write_proof(file)
        return f"{refused.bulbs.size} presses, {lemmas:,} lemmas"

    return job


def read_lrat() -> Callable[[], object]:
    """LRAT with new variables and deletions, some 30 MB: a counting proof several times over."""
    proof, file = ClausalProof.of(unbalanced(100)), io.BytesIO()
    proof.write_proof(file)
    clauses, text = list(proof.formula.clauses()), file.getvalue()

    def job() -> str:
        lemmas = check_lrat(clauses, text)
        return f"{len(text) / 1e6:.0f} MB, {lemmas:,} lemmas"

    return job


CASES = [
    Case("OPB and VeriPB proof of an unbalanced 100×100 board", 1, write_veripb),
    Case("the same, checked", 1, read_veripb),
    Case("LRAT of an odd component of a 20×20 plus board", 0.1, write_parities),
    Case("LRAT of an unbalanced 100×100 board, checked", 10, read_lrat, runs=1, memory=1),
]
