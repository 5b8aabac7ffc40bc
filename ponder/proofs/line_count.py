"""A proof in clauses that a row/column board's rows and columns hold unequal halves.

The formula is any that halves every line of presses: `half_factor`, the smallest, or
`time_indexed`, `layered` and `precedence` with colours, of which nothing else is used. With H_R and
H_C the sums of ⌊d/2⌋ over rows and over columns, M ≥ 2 is the least number that does not divide
H_R − H_C; the sweep (`ponder.proofs.board_sweep`) counts modulo M.

Cost. O(M³) lemmas a cell and two a variable of the formula's counters; mostly M is 2 or 3.
Reference. Theory §6.6.
"""

from __future__ import annotations

from ponder.errors import PonderError
from ponder.formulas.cnf import Cnf
from ponder.limits import NEVER, Limits
from ponder.proofs.board_sweep import refute
from ponder.proofs.modular_numbers import least_modulus
from ponder.proofs.proof_writer import ProofWriter
from ponder.proofs.recounted_lines import counted_lines
from ponder.puzzle.ordering_problem import OrderingProblem


def write_line_count(
    writer: ProofWriter, problem: OrderingProblem, formula: Cnf, card: str, limits: Limits = NEVER
) -> None:
    """Write the proof; PonderError when rows and columns agree, or the formula says too little."""
    rows, columns = counted_lines(writer, problem, formula, card)
    difference = sum(line.half for line in rows) - sum(line.half for line in columns)
    if not difference:
        raise PonderError("line-count: as many rows as columns are odd, which refutes nothing")
    refute(writer, rows, columns, least_modulus(difference), limits)
