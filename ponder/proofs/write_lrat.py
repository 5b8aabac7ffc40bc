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
from dataclasses import dataclass
from typing import IO

from ponder.check.formula import NOT_HELD
from ponder.check.formula import Formula as FormulaProof
from ponder.encodings.registry import encoder
from ponder.formulas import dimacs
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import Encoder, Options
from ponder.proofs.block_lemmas import write_block
from ponder.proofs.lrat_lines import LratWriter
from ponder.proofs.refused import Refused
from ponder.system.errors import NoShortProof, PonderError
from ponder.system.limits import NEVER, Limits

BLOCK_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "parity": ("acyclic=lazy",),
    "first": (),
    "last": (),
}  # the options of `precedence`, by the rule of the block
IN_LRAT = (*BLOCK_OPTIONS, "formula")


@dataclass(frozen=True, eq=False)
class LratProof:
    """A formula without a model; `lrat` is a solver's proof, None where one is derived."""

    refused: Refused
    encoder: Encoder
    options: Options
    formula: Cnf
    cuts: tuple[tuple[int, ...], ...] = ()
    lrat: str | None = None

    @classmethod
    def of(cls, refused: Refused, limits: Limits = NEVER) -> LratProof:
        """Encode what was refused. Raises NoShortProof for a kind without a proof, and TimeUp."""
        if refused.kind not in IN_LRAT:
            raise NoShortProof.of_kind(refused.kind, "short proof in clauses", IN_LRAT)
        if refused.kind == "formula":
            return cls._of_solver(refused, limits)
        precedence = encoder("precedence")
        if not isinstance(precedence, Encoder):
            raise TypeError(precedence)
        options = precedence.options(BLOCK_OPTIONS[refused.kind])
        formula = precedence.encode(refused.problem, options, limits)
        return cls(refused, precedence, options, formula)

    @classmethod
    def _of_solver(cls, refused: Refused, limits: Limits) -> LratProof:
        """Return formula and proof of a `formula`, which was verified."""
        proof = FormulaProof.read(refused.board, refused.refutation)
        named = encoder(proof.encoding)
        if not isinstance(named, Encoder):
            raise PonderError(f"the encoding {named.name} makes no formula")
        options, cuts = named.options(proof.options), proof.cuts or ()
        formula = named.encode(refused.problem, options, limits).extended("cuts", cuts)
        if proof.lrat is None:
            raise NoShortProof(NOT_HELD)
        return cls(refused, named, options, formula, cuts, proof.lrat)

    def write_formula(self, file: IO[bytes]) -> None:
        """Write the formula, as DIMACS."""
        comments = self.encoder.describe(self.refused.problem, self.options, self.refused.board)
        dimacs.write(self.formula, file, comments)

    def write_proof(self, file: IO[bytes], limits: Limits = NEVER) -> int:
        """Write the proof; return the number of its lemmas."""
        if self.lrat is not None:
            file.write(self.lrat.encode("ascii"))
            return sum(line.split(" ", 2)[1] != "d" for line in self.lrat.splitlines())
        size = self.formula.size
        writer = LratWriter(file, size.variables, size.clauses)
        problem, kind = self.refused.problem, self.refused.kind
        members = self.refused.members.tolist()
        write_block(writer, problem, self.formula, self.options, kind, members, limits)
        writer.close()
        return writer.lemmas
