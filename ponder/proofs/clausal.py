"""From a refutation to a proof in clauses: which kinds have one, and the formula it is about.

Lines are counted (`ponder.proofs.line_cut`), local refutations derived from the parities of the
`precedence` formula (`ponder.proofs.local_proofs`). The proof is written from the refutation,
without a solver: LRAT with hints, or DRAT, or for VeriPB by resolutions (`ponder.proofs.veripb`).
What a SAT solver proved has that proof, with hints found where it has none. A kind that is not in
`TECHNIQUES` has none here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import IO, TypeAlias

import numpy as np

from ponder.check.drat import check_drat
from ponder.check.evidence.sat_proof import SatProof
from ponder.check.limits import Unlimited
from ponder.check.proofs import NOT_HELD
from ponder.check.written import Reading
from ponder.encodings.registry import encoder
from ponder.formulas import dimacs, opb
from ponder.formulas.cnf import Cnf
from ponder.formulas.encoder import Encoder, Options
from ponder.proofs.lemma_templates import Format, ProofWriter
from ponder.proofs.line_cut import write_line_cut
from ponder.proofs.local_proofs import write_local
from ponder.proofs.lrat_trimming import without_hints
from ponder.proofs.refused import Refused
from ponder.proofs.veripb import VeriPbProof, resolution_steps
from ponder.system.errors import NoShortProof, PonderError
from ponder.system.limits import NEVER, Limits
from ponder.system.types import distinct

Writer: TypeAlias = Callable[[ProofWriter, Refused, Cnf, Options, Limits], None]


def _write_lines(
    writer: ProofWriter, refused: Refused, formula: Cnf, options: Options, limits: Limits
) -> None:
    """Write the proof of a line cut; a count is the cut by all lines, whatever side needs more."""
    counted = refused.kind == "line-count"
    side = "rows" if counted else refused.refutation.get("side")
    if refused.problem.lines is None or side not in ("rows", "columns"):
        missing = "rows and columns are those" if counted else "it names no side"
        raise PonderError(f"{refused.kind}: {missing} of a row/column board")
    named = [distinct(lines) for lines in refused.problem.lines]
    rows, columns = (
        np.isin(lines, lines if counted else np.array(refused.numbers(key), dtype=np.int64))
        for lines, key in zip(named, ("rows", "columns"), strict=True)
    )
    card = options.word("card")
    write_line_cut(writer, refused.problem, formula, card, (rows, columns), str(side), limits)


@dataclass(frozen=True)
class Technique:
    """How a kind of refutation is proved: the encodings, the usual one first, and the writer.

    `settings` are the options of the usual encoding where none are given. Without a writer the
    refutation names its encoding and options, and has its proof.
    """

    encodings: tuple[str, ...] = ()
    write: Writer | None = None
    settings: tuple[str, ...] = ()


HALVING = ("half_factor", "time_indexed", "layered", "precedence")  # these halve the lines

TECHNIQUES: Mapping[str, Technique] = {
    "line-count": Technique(HALVING, _write_lines),
    "line-cut": Technique(HALVING, _write_lines),
    "odd-component": Technique(("precedence",), write_local, ("acyclic=lazy",)),
    "no-first-press": Technique(("precedence",), write_local),
    "no-last-press": Technique(("precedence",), write_local),
    "sat-proof": Technique(),
}  # by the kind of the refutation

IN_CLAUSES = "short proof in clauses"  # what the other kinds have not


@dataclass(frozen=True, eq=False)
class ClausalProof:
    """A formula without a model, and what writes the proof of that; `lrat`: or the proof."""

    refused: Refused
    made: Encoder
    options: Options
    formula: Cnf
    write: Writer | None
    cuts: tuple[tuple[int, ...], ...] = ()
    lrat: str = ""

    @classmethod
    def of(
        cls,
        refused: Refused,
        encoding: str | None = None,
        settings: Iterable[str] = (),
        limits: Limits = NEVER,
    ) -> ClausalProof:
        """Encode what was refused. Raises PonderError for a kind, encoding, option without a proof.

        >>> import io
        >>> import numpy as np
        >>> from ponder.model.board import Board
        >>> board = Board.from_rows(["01", "00"])
        >>> refused = Refused(board, np.array([1, 1, 0, 0]) > 0, {"kind": "line-count"})
        >>> proof, file = ClausalProof.of(refused), io.BytesIO()
        >>> proof.write_proof(file) == file.getvalue().count(b" 0 ") > 0
        True
        """
        technique = TECHNIQUES.get(refused.kind)
        if technique is None:
            raise NoShortProof.of_kind(refused.kind, IN_CLAUSES, TECHNIQUES)
        if technique.write is None:
            return cls._of_solver(refused, encoding, tuple(settings), limits)
        made = encoder(encoding or technique.encodings[0])
        if not isinstance(made, Encoder) or made.name not in technique.encodings:
            raise PonderError(
                f"a short proof of {refused.kind} is about one of the encodings "
                f"{', '.join(technique.encodings)}, not {made.name}"
            )
        usual = technique.settings if encoding is None else ()
        options = made.options(tuple(settings) or usual)
        if not made.refutes(refused.problem, options):
            raise PonderError("the horizon of this encoding is too short: it refutes nothing")
        formula = made.encode(refused.problem, options, limits)
        return cls(refused, made, options, formula, technique.write)

    @classmethod
    def _of_solver(
        cls, refused: Refused, encoding: str | None, settings: tuple[str, ...], limits: Limits
    ) -> ClausalProof:
        """Return formula and proof of a `sat-proof`, which was verified."""
        found = SatProof.read(Reading(refused.board, Unlimited()), refused.refutation, refused.kind)
        named = (found.encoding, found.options)
        if (encoding or named[0], settings or named[1]) != named:
            raise NoShortProof(f"the proof is about {' '.join([named[0], *named[1]])}, no other")
        made = encoder(found.encoding)
        if not isinstance(made, Encoder):
            raise PonderError(f"the encoding {made.name} makes no formula")
        options, cuts = made.options(found.options), found.cuts or ()
        formula = made.encode(refused.problem, options, limits).extended("cuts", cuts)
        if dimacs.body_sha256(formula) != found.cnf_sha256:
            raise PonderError("the proof is about another formula than the board's")
        form, text = found.whole(Unlimited())
        if text is None:
            raise NoShortProof(NOT_HELD)
        if form == "drat":
            hints, stop = StringIO(), Unlimited(lambda: limits.expired)
            check_drat(formula.variables, formula.clauses(), text, lrat=hints, budget=stop)
            text = hints.getvalue()
        elif form != "lrat":
            raise NoShortProof("a proof in cutting planes has no clauses")
        lrat = text if isinstance(text, str) else text.decode("ascii", errors="replace")
        return cls(refused, made, options, formula, None, cuts, lrat)

    def write_formula(self, file: IO[bytes]) -> None:
        """Write the formula, as DIMACS."""
        dimacs.write(self.formula, file, self._comments)

    def write_proof(self, file: IO[bytes], form: Format = "lrat", limits: Limits = NEVER) -> int:
        """Write the proof; return the number of its lemmas."""
        if self.write is None:
            plain = without_hints(self.lrat)
            file.write((self.lrat if form == "lrat" else plain).encode("ascii"))
            return plain.count("\n")
        size = self.formula.size
        writer = ProofWriter(file, form, size.variables, size.clauses)
        self.write(writer, self.refused, self.formula, self.options, limits)
        writer.close()
        return writer.lemmas

    def for_veripb(self, limits: Limits = NEVER) -> VeriPbProof:
        """Return the clauses as inequalities, and the lemmas as sums of them."""
        file = BytesIO()
        self.write_proof(file, "lrat", limits)
        clauses = self.formula.clauses()
        steps = resolution_steps(clauses, file.getvalue().decode("ascii"), limits)

        def write(file: IO[bytes]) -> None:
            opb.write(self.formula, file, self._comments)

        return VeriPbProof(write, self.formula.size.clauses, steps)

    @property
    def _comments(self) -> list[str]:
        return self.made.describe(self.refused.problem, self.options, self.refused.board)
