"""Which refutations have a proof for checkers from outside, and who writes it.

    PLANES     formula as OPB, proof for VeriPB and CakePB: sums of constraints
    CLAUSAL    formula as DIMACS, proof as LRAT or DRAT: clauses

A refutation of many press sets by parts (`coset`) has one proof for each part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO, Literal, Protocol, TypeAlias

from ponder.errors import PonderError
from ponder.formulas.cnf import Cnf
from ponder.proofs.cutting_planes import WRITERS
from ponder.proofs.linear import Planes
from ponder.proofs.refused import Refused

Form: TypeAlias = Literal["lrat", "drat"]


class Clausal(Protocol):
    """A formula of clauses with its refutation.

    `formula`   as the encoder makes it
    `comments`  the header lines that name board, encoding, options, presses
    """

    formula: Cnf
    comments: list[str]

    def write(self, file: IO[bytes], form: Form) -> int:
        """Write the proof; return the number of its lemmas."""
        ...


ClausalWriter: TypeAlias = "Callable[[Refused], Clausal]"

PLANES: Mapping[str, Callable[[Refused], Planes]] = WRITERS
"""Cutting planes, by the kind of the refutation."""

CLAUSAL: Mapping[str, ClausalWriter] = {}
"""Clauses, by the kind of the refutation."""


def clausal(refused: Refused) -> Clausal:
    """Return formula and proof as clauses; PonderError for a kind that has none."""
    if refused.kind not in CLAUSAL:
        raise PonderError(
            f"a refutation of the kind {refused.kind} has no proof as clauses; these have: "
            + ", ".join(CLAUSAL)
        )
    return CLAUSAL[refused.kind](refused)
