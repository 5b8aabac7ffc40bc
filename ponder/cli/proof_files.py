"""The files of a refutation, each written with the formula that it is about: all of them or none.

They are packed by their endings. A solver's proof is written as it is; else the refutation needs a
short proof of its kind.
"""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from dataclasses import replace

from ponder.check.decomposition import stated
from ponder.check.limits import Budget
from ponder.cli.encodings import formula_encoder
from ponder.cli.solver_options import ProofFiles, VeriPbFiles
from ponder.errors import NoShortProof
from ponder.fewest.clusters import neighbour_lists
from ponder.formulas import dimacs
from ponder.limits import NEVER, Limits
from ponder.proofs.clausal import IN_CLAUSES, TECHNIQUES, ClausalProof
from ponder.proofs.cutting_planes import CUTTING_PLANES, WRITERS, veripb_proof
from ponder.proofs.lemma_templates import Format
from ponder.proofs.refused import Refused
from ponder.proofs.veripb import VeriPbProof
from ponder.puzzle.files import packed_file
from ponder.puzzle.ordering_problem import OrderingProblem
from ponder.puzzle.proof_file import ProofFile
from ponder.puzzle.result import Result
from ponder.puzzle.solver_refutations import SatProof


def write(result: Result, files: ProofFiles | VeriPbFiles) -> Result:
    """Write what is wanted of a refusal; return a result that names it.

    NoShortProof where it has no such proof. A result that refuses nothing is returned as it is.
    """
    refutation = result.refutation
    if not files.named or result.verdict != "impossible" or refutation is None:
        return result
    if isinstance(files, ProofFiles) and isinstance(refutation, SatProof):
        return _write_solvers(result, refutation, files)
    refused = Refused.of_result(result)
    if isinstance(files, ProofFiles):
        if refused is None:
            raise NoShortProof.of_kind(refutation.kind, IN_CLAUSES, TECHNIQUES)
        return replace(result, proofs=write_clauses(ClausalProof.of(refused), files))
    if refused is None:
        raise NoShortProof.of_kind(refutation.kind, CUTTING_PLANES, WRITERS)
    write_veripb(veripb_proof(refused), files)
    return result


def write_clauses(
    proof: ClausalProof, files: ProofFiles, limits: Limits = NEVER
) -> tuple[ProofFile, ...]:
    """Write the formula and the proofs of a refutation; return what they are. TimeUp."""
    size, made = proof.formula.size, []
    forms: tuple[tuple[Format, str | None], ...] = (("drat", files.proof), ("lrat", files.lrat))
    with ExitStack() as stack:  # nothing has its final name until all is written
        if files.cnf is not None:
            proof.write_formula(stack.enter_context(packed_file(files.cnf)))
        for form, name in forms:
            if name is None:
                continue
            lemmas = proof.write_proof(stack.enter_context(packed_file(name)), form, limits)
            made.append(
                ProofFile(
                    form,
                    proof.made.name,
                    tuple(str(proof.options).split()),
                    dimacs.body_sha256(proof.formula),
                    size.variables,
                    size.clauses,
                    lemmas,
                    name,
                    files.cnf,
                )
            )
    return tuple(made)


def write_veripb(made: VeriPbProof, files: VeriPbFiles) -> None:
    """Write the formula and, where it is wanted, the cutting planes."""
    with ExitStack() as stack:  # nothing has its final name until all is written
        if files.opb is not None:
            made.write_formula(stack.enter_context(packed_file(files.opb)))
        if files.veripb is not None:
            made.write_proof(stack.enter_context(packed_file(files.veripb)))


def _write_solvers(result: Result, refutation: SatProof, files: ProofFiles) -> Result:
    if result.counts is None:
        return result
    encoder = formula_encoder(refutation.encoding)
    options = encoder.options(refutation.options)
    problem = OrderingProblem.of_board(result.board, result.counts)
    formula = encoder.encode(problem, options).extended("cuts", refutation.cuts)
    with ExitStack() as stack:  # nothing has its final name until all is written
        if files.cnf is not None:
            file = stack.enter_context(packed_file(files.cnf))
            dimacs.write(formula, file, encoder.describe(problem, options, result.board))
        for name, text in ((files.proof, refutation.proof), (files.lrat, refutation.lrat)):
            if name is not None:
                stack.enter_context(packed_file(name)).write((text or "").encode("ascii"))
    return replace(
        result, refutation=replace(refutation, proof_file=files.proof, cnf_file=files.cnf)
    )


def write_pairs(result: Result, folder: str) -> list[str]:
    """Write the formulas and proofs of a bound; return the names of the files.

    `pairs-1.cnf` and `pairs-1.lrat` say that so many pairs of presses are not enough for one press
    set, `pairs-2.cnf` … the same of another one: both from the result alone, as `verify` reads it.
    """
    if result.bound is None or result.bound.get("kind") != "decomposition":
        return []
    bound, board = json.loads(json.dumps(result.bound)), result.board
    files = []
    for k, one in enumerate(stated(board, neighbour_lists(board), bound, Budget(1000)), 1):
        head = [
            f"c ponder: at most {one.pairs} pairs of presses, press set of {one.press_set.sum()}",
            f"c board sha256 {board.sha256}",
            f"p cnf {one.formula.variables} {len(one.formula.clauses)}",
        ]
        lines = (" ".join(map(str, clause)) + " 0" for clause in one.formula.clauses)
        for ending, text in (("cnf", "\n".join([*head, *lines]) + "\n"), ("lrat", one.lrat)):
            files.append(os.path.join(folder, f"pairs-{k}.{ending}"))
            with packed_file(files[-1]) as file:
                file.write(text.encode("ascii"))
    return files
