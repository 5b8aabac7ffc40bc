"""From a refutation to a formula in clauses and an LRAT proof that it has no model.

    ⟨id⟩ ⟨literals⟩ 0 ⟨hints⟩ 0         a lemma
    ⟨id⟩ d ⟨ids⟩ 0                      deletions

Blocks without an order are derived from the parities of the `precedence` formula, without a solver
(`ponder.proofs.block_lemmas`); what a SAT solver refuted has the solver's proof.

Reference. L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, "Efficient certified
RAT verification", CADE 2017. Cost. Linear in formula and proof.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import IO

import numpy as np

from ponder.check.block import Block
from ponder.check.certificate import Refutation, read_as
from ponder.check.formula import NOT_HELD
from ponder.check.formula import Formula as FormulaProof
from ponder.check.result import Result
from ponder.check.verification import REFUTATIONS
from ponder.encodings.precedence import Precedence
from ponder.encodings.registry import encoder
from ponder.formulas import dimacs
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import Encoder, Options
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.proofs.block_lemmas import write_block
from ponder.proofs.parity_sums import LratWriter
from ponder.system.errors import NoShortProof, PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits, Ints, Json

BLOCK_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "parity": ("acyclic=lazy",),
    "first": (),
    "last": (),
}  # the options of `precedence`, by the rule of the block
IN_LRAT = (*BLOCK_OPTIONS, "formula")


@dataclass(frozen=True, eq=False)
class Refused:
    """Presses that have no order, and why: the refutation, which was verified, in its text form.

    A writer takes nothing from the refutation but where to look; all numbers are counted again.
    `fixed` are given arcs, (k, 2), that the order is to obey as well, where a solver proved it.
    """

    board: Board
    presses: Bits
    refutation: Json
    fixed: Ints | None = None

    @classmethod
    def of_result(cls, result: Result) -> Refused | None:
        """Return what a result refuses, where that is one press set or named by one; else None."""
        if result.verdict != "impossible" or result.refutation is None or result.counts is None:
            return None
        return cls(result.board, result.counts > 0, result.refutation.to_json(result.board))

    @property
    def kind(self) -> str:
        """The refutation's kind; of a block its rule."""
        return str(self.refutation.get("rule") or self.refutation["kind"])

    @cached_property
    def why(self) -> Refutation:
        """The refutation."""
        return read_as(REFUTATIONS, self.board, self.refutation, "refutation")

    @cached_property
    def problem(self) -> OrderingProblem:
        """The ordering problem of the presses."""
        problem = OrderingProblem.of_board(self.board, self.presses)
        return problem if self.fixed is None else replace(problem, fixed=self.fixed)


@dataclass(frozen=True, eq=False)
class LratProof:
    """A formula without a model; `lrat` is a solver's proof, None where one is derived."""

    refused: Refused
    encoder: Encoder
    options: Options
    formula: Cnf
    lrat: str | None = None

    @classmethod
    def from_refused(cls, refused: Refused, limits: Limits = NEVER) -> LratProof:
        """Encode what was refused. Raises NoShortProof for a kind without a proof, and TimeUp."""
        if refused.kind not in IN_LRAT:
            known = f"block ({', '.join(BLOCK_OPTIONS)})", "formula"
            raise NoShortProof.of_kind(refused.kind, "LRAT proof", known)
        why, problem = refused.why, refused.problem
        if not isinstance(why, FormulaProof):
            precedence = Precedence()
            options = precedence.options(BLOCK_OPTIONS[refused.kind])
            formula = precedence.encode(problem, options, limits)
            return cls(refused, precedence, options, formula)
        if why.lrat is None:
            raise NoShortProof(NOT_HELD)
        named = encoder(why.encoding)
        if not isinstance(named, Encoder):
            raise PonderError(f"the encoding {named.name} makes no formula")
        options = named.options(why.options)
        formula = named.encode(problem, options, limits).extended("cuts", why.cuts)
        return cls(refused, named, options, formula, why.lrat)

    def write_formula(self, file: IO[bytes]) -> None:
        """Write the formula, as DIMACS."""
        comments = self.encoder.describe(self.refused.problem, self.options, self.refused.board)
        dimacs.write(self.formula, file, comments)

    def write_proof(self, file: IO[bytes], limits: Limits = NEVER) -> None:
        """Write the proof."""
        if self.lrat is not None:
            file.write(self.lrat.encode("ascii"))
            return
        size, problem, why = self.formula.size, self.refused.problem, self.refused.why
        assert isinstance(why, Block)
        writer = LratWriter(file, size.variables, size.clauses)
        members = np.searchsorted(problem.bulbs, why.bulbs).tolist()
        write_block(writer, problem, self.formula, self.options, why.rule, members, limits)
