"""The files of a cutting-plane proof: the pseudo-Boolean formula, and the sums that refute it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ponder.cli.options import gathered

if TYPE_CHECKING:
    from ponder.proofs.refused import Refused


@dataclass(frozen=True)
class PlaneFiles:
    """Where to write the proof for VeriPB and its formula; None: nowhere."""

    veripb: str | None
    opb: str | None

    @property
    def named(self) -> list[str]:
        """The files that are wanted; the formula goes beside a proof."""
        beside = None if self.veripb is None else f"{self.veripb}.opb"
        return [file for file in (self.opb or beside, self.veripb) if file is not None]

    def check(self) -> None:
        """PonderError when the files cannot be written."""
        from ponder.cli.places import check_file

        for file in self.named:
            check_file(file)

    def write(self, refused: Refused | None) -> bool:
        """Write both or none, packed by their endings; tell whether there was a proof."""
        from ponder.proofs.cutting_planes import WRITERS, planes
        from ponder.puzzle.files import packed_file

        if not self.named or refused is None or refused.kind not in WRITERS:
            return not self.named
        made = planes(refused)
        with ExitStack() as stack:  # nothing has its final name until all is written
            made.write_formula(stack.enter_context(packed_file(self.named[0])))
            if self.veripb is not None:
                made.write_proof(stack.enter_context(packed_file(self.veripb)))
        return True


plane_options = gathered(
    "plane_files",
    PlaneFiles,
    click.option(
        "--veripb",
        metavar="FILE",
        help="Row/column boards: write a cutting-plane proof that there is no order, for VeriPB, "
        "and its formula.",
    ),
    click.option(
        "--opb",
        metavar="FILE",
        help="Where that formula goes; by default beside the proof, its name with .opb.",
    ),
)
