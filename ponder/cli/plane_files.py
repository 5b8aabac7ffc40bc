"""The files of a cutting-plane proof: the pseudo-Boolean formula, and the sums that refute it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ponder.cli.options import gathered

if TYPE_CHECKING:
    from ponder.proofs.linear import Planes
    from ponder.puzzle.board import Board
    from ponder.puzzle.result import Result


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

    def check_board(self, board: Board) -> None:
        """PonderError when files are wanted and no proof is about such a board."""
        from ponder.errors import PonderError
        from ponder.puzzle.board import EVEN_LINES

        if self.named and not board.even_lines:
            raise PonderError(f"{', '.join(self.named)}: a cutting-plane proof needs {EVEN_LINES}")

    def write(self, result: Result) -> Result:
        """Write both or none, packed by their endings; return the result.

        NoShortProof where it is refused without such a proof. Where nothing is refused nothing is
        written.
        """
        from ponder.errors import NoShortProof
        from ponder.proofs.cutting_planes import IN_PLANES, WRITERS, planes
        from ponder.proofs.refused import Refused

        if not self.named or result.verdict != "impossible" or result.refutation is None:
            return result
        refused = Refused.of_result(result)
        if refused is None:
            raise NoShortProof.of_kind(result.refutation.kind, IN_PLANES, WRITERS)
        self.put(planes(refused))
        return result

    def put(self, made: Planes) -> None:
        """Write both or none, packed by their endings."""
        from ponder.puzzle.files import packed_file

        with ExitStack() as stack:  # nothing has its final name until all is written
            made.write_formula(stack.enter_context(packed_file(self.named[0])))
            if self.veripb is not None:
                made.write_proof(stack.enter_context(packed_file(self.veripb)))


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
