"""Linear constraints with any coefficients, as OPB; and a formula together with its proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Literal, NamedTuple, TypeAlias

from ponder.proofs.veripb import Sum, Version, proof_lines
from ponder.version import __version__

Relation: TypeAlias = Literal[">=", "="]


class Linear(NamedTuple):
    """Σ coefficient · variable ≥ bound, or = bound. No coefficient is 0, no variable twice."""

    terms: Sequence[tuple[int, int]]
    relation: Relation
    bound: int


@dataclass(frozen=True, eq=False)
class Planes:
    """A pseudo-Boolean formula and its refutation by sums of its constraints.

    `write_formula`  writes the formula, as OPB
    `inequalities`   how many it has; an equality counts as two
    `sums`           the last of them can not be satisfied
    """

    write_formula: Callable[[IO[bytes]], None]
    inequalities: int
    sums: tuple[Sum, ...]
    remarks: tuple[str, ...] = ()

    def write_proof(self, file: IO[bytes], version: Version = "2.0") -> None:
        """Write the proof, in the format of VeriPB."""
        file.writelines(proof_lines(self.inequalities, self.sums, self.remarks, version))


def opb_lines(
    variables: int, constraints: Sequence[Linear], comments: Iterable[str]
) -> Iterator[bytes]:
    """Yield the lines of an OPB file.

    >>> some = [Linear([(2, 1), (-1, 3)], ">=", 1)]
    >>> [line.decode().strip() for line in opb_lines(3, some, ["of no board"])][2:]
    ['* of no board', '+2 x1 -1 x3 >= 1 ;']
    """
    yield b"* #variable= %d #constraint= %d\n" % (variables, len(constraints))
    yield f"* ponder {__version__}\n".encode()
    for comment in comments:
        yield f"* {comment}\n".encode()
    for terms, relation, bound in constraints:
        left = "".join(f"{coefficient:+d} x{variable} " for coefficient, variable in terms)
        yield f"{left}{relation} {bound} ;\n".encode()
