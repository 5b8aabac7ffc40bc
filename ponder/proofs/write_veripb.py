"""Row/column boards: a cut by lines as one sum of constraints, for VeriPB (theory §6.5).

The formula is the half factor with one equality a line (`half_factor`, card=native), as OPB: it has
two inequalities a line, at least and at most half. The sum takes "at least" for the lines of the
cut whose presses are needed, "at most" for its lines across, and for every press in one of these
alone that its literal is at least 0. What is left is 0 ≥ need − room.

    pseudo-Boolean proof version 3.0
    f 8;                                the formula's inequalities
    pol 1 3 + 6 + ~x5 +;                the first, the third and the sixth, and ¬x5 ≥ 0
    output NONE;
    conclusion UNSAT : 9;
    end pseudo-Boolean proof;

Reference. W. Cook, C. Coullard, G. Turán, "On the complexity of cutting-plane proofs", 1987.
Cost. Linear in the formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

import numpy as np

from ponder.check.cut import Cut
from ponder.encodings.half_factor import HalfFactor
from ponder.formulas import opb
from ponder.formulas.cnf import Cnf
from ponder.formulas.colours import HalvedLines, lines_of
from ponder.proofs.write_lrat import Refused
from ponder.system.errors import NoShortProof
from ponder.system.limits import NEVER, Limits
from ponder.system.types import Bits

IN_VERIPB = ("cut",)
NATIVE = ("card=native",)  # the option with which the half factor is one equality a line


@dataclass(frozen=True, eq=False)
class VeriPbProof:
    """A pseudo-Boolean formula and the sum of its constraints that can not be satisfied."""

    formula: Cnf
    comments: list[str]
    inequalities: int  # an equality counts as two
    terms: list[str]  # constraints by their numbers, literals by their names

    @classmethod
    def from_refused(cls, refused: Refused, limits: Limits = NEVER) -> VeriPbProof:
        """Return formula and proof. Raises NoShortProof for a kind that has none.

        >>> from ponder.model.board import Board
        >>> board = Board.from_rows(["01", "00"])
        >>> lines = {"side": "rows", "rows": [0, 1], "columns": [0, 1]}
        >>> refused = Refused(board, np.array([1, 1, 0, 0]) > 0, {"kind": "cut", **lines})
        >>> VeriPbProof.from_refused(refused).terms
        ['5', '2', '4']
        """
        if refused.kind not in IN_VERIPB:
            raise NoShortProof.of_kind(refused.kind, "cutting-plane proof", IN_VERIPB)
        encoder, problem = HalfFactor(), refused.problem
        options = encoder.options(NATIVE)
        formula = encoder.encode(problem, options, limits)
        lines = lines_of(problem)
        needed, across = _sides(refused, lines)
        # the formula's equalities stand by the numbers of presses in a line
        placed = np.concatenate([np.empty(0, dtype=np.int64), *(w for _, w in lines.members)])
        number = np.empty(len(lines.labels), dtype=np.int64)
        number[placed] = np.arange(1, placed.size + 1)
        inside = needed[lines.rows] | needed[lines.columns]
        beside = across[lines.rows] | across[lines.columns]
        terms = [
            *map(str, (2 * number[needed] - 1).tolist()),
            *map(str, (2 * number[across]).tolist()),
            *(f"~x{x + 1}" for x in np.flatnonzero(inside & ~beside).tolist()),
            *(f"x{x + 1}" for x in np.flatnonzero(beside & ~inside).tolist()),
        ]
        comments = encoder.describe(problem, options, refused.board)
        return cls(formula, comments, 2 * number.size, terms)

    def write_formula(self, file: IO[bytes]) -> None:
        """Write the formula, as OPB."""
        opb.write(self.formula, file, self.comments)

    def write_proof(self, file: IO[bytes]) -> None:
        """Write the proof, in version 3.0 of VeriPB's format."""
        steps = "".join(f" {term} +" for term in self.terms[1:])
        file.write(
            "pseudo-Boolean proof version 3.0\n% cut: what is left is 0 >= need - room\n"
            f"f {self.inequalities};\n"
            f"pol {self.terms[0]}{steps};\noutput NONE;\n"
            f"conclusion UNSAT : {self.inequalities + 1};\nend pseudo-Boolean proof;\n".encode()
        )


def _sides(refused: Refused, lines: HalvedLines) -> tuple[Bits, Bits]:
    """Return the lines of the cut whose presses are needed, and those across."""
    cut = refused.why
    assert isinstance(cut, Cut)
    rows = np.isin(lines.labels, [f"row{x}" for x in cut.rows.tolist()])
    columns = np.isin(lines.labels, [f"column{x}" for x in cut.columns.tolist()])
    return (rows, columns) if cut.side == "rows" else (columns, rows)
