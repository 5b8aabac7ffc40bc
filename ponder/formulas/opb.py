"""OPB, the pseudo-Boolean competition's format: clauses, cardinality and linear constraints.

    * #variable= 4 #constraint= 2
    * ponder 1.0: …                     the same lines as in a DIMACS header
    +1 x1 +1 x2 +1 x3 = 1 ;             exactly one
    +1 x1 -1 x4 >= 0 ;                  the clause x1 ∨ ¬x4, as x1 + (1 − x4) ≥ 1: no ¬x is written

Reference: Roussel, Manquinho, "Input/output format … of pseudo-Boolean solvers" (2012).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Literal, NamedTuple

import numpy as np

from ponder.formulas.clause_templates import Block, Group
from ponder.formulas.cnf import Cnf
from ponder.formulas.dimacs import described
from ponder.system.errors import PonderError
from ponder.system.version import __version__


def write(
    formula: Cnf, file: IO[bytes], comments: Sequence[str] = (), *, names: bool = False
) -> None:
    """Write a formula; `names` adds the full variable map. The same input gives the same bytes.

    Raises PonderError if the formula holds native XORs.

    >>> import io
    >>> file = io.BytesIO()
    >>> write(Cnf("toy", variables=2).extended("one", [[1, -2]]), file)
    >>> file.getvalue().splitlines()[0]
    b'* #variable= 2 #constraint= 1'
    """
    if "xor" in formula.kinds:
        raise PonderError("OPB cannot say an XOR natively: choose xor=chain")
    size = formula.size
    file.write(b"* #variable= %d #constraint= %d\n" % (size.variables, size.clauses))
    for line in described(formula, comments):
        file.write(f"* {line}\n".encode())
    if names:
        for variable, name in formula.names():
            file.write(f"* varname x{variable} {name}\n".encode())
    for chunk in body(formula):
        file.write(chunk)


def body(formula: Cnf) -> Iterator[bytes]:
    """Yield the constraint lines, a block at a time."""
    for group, block in formula.streamed():
        yield _format(group, block)


class Linear(NamedTuple):
    """Σ coefficient · variable ≥ bound, or = bound. No coefficient is 0, no variable twice."""

    terms: Sequence[tuple[int, int]]
    relation: Literal[">=", "="]
    bound: int


def write_linear(
    file: IO[bytes], variables: int, constraints: Sequence[Linear], comments: Iterable[str] = ()
) -> None:
    """Write constraints with any coefficients."""
    file.write(b"* #variable= %d #constraint= %d\n" % (variables, len(constraints)))
    for comment in (f"ponder {__version__}", *comments):
        file.write(f"* {comment}\n".encode())
    for terms, relation, bound in constraints:
        left = "".join(f"{coefficient:+d} x{variable} " for coefficient, variable in terms)
        file.write(f"{left}{relation} {bound} ;\n".encode())


def _format(group: Group, block: Block) -> bytes:
    """Return one line per row. Σ over literals = Σ ±x + (negative literals of the row)."""
    sign = np.sign(block).astype(np.int64)
    if group.kind == "at most":  # only ≥ and = exist: −Σ ≥ −bound
        sign, relation, bound = -sign, ">=", -group.bound + (block < 0).sum(axis=1)
    else:
        relation = "=" if group.kind == "exactly" else ">="
        bound = (1 if group.kind == "clause" else group.bound) - (block < 0).sum(axis=1)
    width = block.shape[1]
    table = np.empty((len(block), 2 * width + 1), dtype=np.int64)
    table[:, 0:-1:2], table[:, 1:-1:2], table[:, -1] = sign, np.abs(block), bound
    line = "%+d x%d " * width + relation + " %d ;\n"
    text: str = line * len(block) % tuple(table.reshape(-1).tolist())
    return text.encode()
