"""`formula`: the clauses "these presses have a legal order" have no model, by a proof.

The formula is made from the board and the press set by the encoder that is named (`encodings/`,
theory §6.1 to §6.4); that a legal order would be a model rests on the encoder, and the tests hold
every encoder against brute force. Clauses that a lazy formula was given later must each forbid a
cycle of presses, which the encoder confirms from the clause. The proof is LRAT; the solver is not
trusted. Cost: that of the formula, and a pass over the proof.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from ponder.check.certificate import Refutation, Refuted
from ponder.check.lrat import check_lrat
from ponder.check.reader import demand, fail, integer, packed, sequence, text, unpacked
from ponder.formulas.cnf import Cnf
from ponder.model.board import Board
from ponder.model.ordering_problem import OrderingProblem
from ponder.system.errors import CheckFailed, PonderError, quoted
from ponder.system.limits import NEVER, LimitReached, Limits
from ponder.system.types import Ints, Json

MOST_PRESSES = 10_000
MOST_PAIRS = 3_000_000  # of neighbouring presses
MOST_LITERALS = 10_000_000  # some 1 GB as tuples
MOST_CUTS = 1 << 20
MOST_WORD = 80  # characters of an encoding's name, or of an option
MOST_HELD = 40_000_000  # characters of a proof that a result holds: longer ones need a file
NOT_HELD = "the result does not hold the proof: give its file"


@dataclass(frozen=True, eq=False)
class Formula(Refutation):
    """The formula of an encoding has no model.

    `options`  of the encoding, `key=value`
    `cuts`     clauses that were added to a formula that leaves some out
    `lrat`     the text of the proof; None where that is in a file of its own
    """

    kind = "formula"
    of_wirings: ClassVar[bool] = True
    encoding: str
    options: tuple[str, ...]
    cuts: tuple[tuple[int, ...], ...]
    lrat: str | None

    def fields(self, board: Board) -> Json:
        """Return what the formula is, and the proof packed, unless it is very long."""
        held = self.lrat is not None and len(self.lrat) <= MOST_HELD
        content: Json = {"encoding": self.encoding, "options": list(self.options)}
        cuts = [list(cut) for cut in self.cuts]
        return {**content, "cuts": cuts, "lrat": packed(self.lrat or "") if held else None}

    @classmethod
    def read(cls, board: Board, content: Json, limits: Limits = NEVER) -> Self:
        """Read the names, the cuts and the proof."""
        words = [content.get("encoding")]
        words += sequence(content.get("options"), "formula: options", 100)
        named = [text(word, "formula: a name or an option") for word in words]
        for word in named:
            if len(word) > MOST_WORD:
                fail(f"formula: {quoted(word)} is neither an encoding nor an option of one")
        cuts = tuple(
            tuple(integer(x, "formula: a literal") for x in sequence(cut, "formula: a cut"))
            for cut in sequence(content.get("cuts", ()), "formula: cuts", MOST_CUTS)
        )
        lrat = content.get("lrat")
        held = None if lrat is None else unpacked(lrat, "formula: lrat")
        return cls(named[0], tuple(named[1:]), cuts, held)

    def check(self, board: Board, counts: Ints, limits: Limits = NEVER) -> Refuted:
        """Check the proof about the formula of the presses."""
        problem = OrderingProblem.of_board(board, counts > 0)
        return Refuted(counts, unchecked=self.check_problem(problem, limits))

    def check_problem(self, problem: OrderingProblem, limits: Limits = NEVER) -> str | None:
        """Check that a problem has no order; return why not checked, if so.

        Raises CheckFailed, LimitReached.
        """
        formula = self.formula_of(problem, limits)
        if self.lrat is None:
            return NOT_HELD
        check_lrat(limits.over(formula.clauses()), self.lrat, limits)
        return None

    def formula_of(self, problem: OrderingProblem, limits: Limits = NEVER) -> Cnf:
        """Make the formula that the proof is about. Raises CheckFailed, LimitReached."""
        from ponder.encodings.registry import encoder
        from ponder.formulas.encoder import Encoder

        demand(problem.size, MOST_PRESSES, "presses of a formula")
        demand(problem.edge_count, MOST_PAIRS, "pairs of neighbouring presses")
        try:
            encoding = encoder(self.encoding)
            if not isinstance(encoding, Encoder):
                fail(f"the encoding {quoted(self.encoding)} makes no formula")
            options = encoding.options(self.options)
            if not encoding.refutes(problem, options):
                fail("the horizon of this encoding is too short: it refutes nothing")
            formula = encoding.encode(problem, options, limits)
            if formula.kinds - {"clause"}:
                fail("LRAT proofs are about clauses alone: this formula has other constraints")
            demand(formula.literals, MOST_LITERALS, "literals of a formula")
            for cut in limits.over(self.cuts):
                if not encoding.is_cut(problem, options, cut):
                    fail(f"the cut {quoted(list(cut))} is not a clause that every order obeys")
            return formula.extended("cuts", self.cuts)
        except (CheckFailed, LimitReached):
            raise
        except PonderError as error:
            fail(f"formula: {error}")
