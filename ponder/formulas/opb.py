"""OPB, the pseudo-Boolean competition's format: clauses and exactly-k constraints.

    * #variable= 4 #constraint= 2
    * ponder 1.0: …                     the same lines as in a DIMACS header
    +1 x1 +1 x2 +1 x3 = 1 ;             exactly one
    +1 x1 -1 x4 >= 0 ;                  the clause x1 ∨ ¬x4, as x1 + (1 − x4) ≥ 1: no ¬x is written

Reference: Roussel, Manquinho, "Input/output format … of pseudo-Boolean solvers" (2012).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

import numpy as np

from ponder.formulas.cnf import Cnf
from ponder.formulas.dimacs import described


def write(
    formula: Cnf, file: IO[bytes], comments: Sequence[str] = (), *, names: bool = False
) -> None:
    """Write a formula; `names` adds the full variable map. The same input gives the same bytes.

    >>> import io
    >>> file = io.BytesIO()
    >>> write(Cnf("toy", variables=2).extended("one", [[1, -2]]), file)
    >>> file.getvalue().splitlines()[0]
    b'* #variable= 2 #constraint= 1'
    """
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
    """Yield the constraint lines, a block at a time: Σ over literals = Σ ±x + (negative ones)."""
    for group, block in formula.streamed():
        exactly = group.kind == "exactly"
        width = block.shape[1]
        table = np.empty((len(block), 2 * width + 1), dtype=np.int64)
        table[:, 0:-1:2], table[:, 1:-1:2] = np.sign(block), np.abs(block)
        table[:, -1] = (group.bound if exactly else 1) - (block < 0).sum(axis=1)
        line = "%+d x%d " * width + ("=" if exactly else ">=") + " %d ;\n"
        text: str = line * len(block) % tuple(table.reshape(-1).tolist())
        yield text.encode()
