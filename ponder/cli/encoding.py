"""What the commands about formulas share: their options, and the problem that is encoded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ponder.cli.options import gathered
from ponder.printable import counted

if TYPE_CHECKING:
    from ponder.formulas.encoder import Encoder
    from ponder.limits import Limits
    from ponder.puzzle.board import Board
    from ponder.puzzle.ordering_problem import OrderingProblem
    from ponder.puzzle.refutation import Claim
    from ponder.puzzle.render import Coordinates
    from ponder.types import Bits

settings_option = click.option(
    "--option",
    "settings",
    metavar="KEY=VALUE",
    multiple=True,
    help="An option of the encoding; may be repeated.",
)
press_set_option = click.option(
    "--press-set",
    metavar="FILE",
    help="Order just these presses (a grid of 0 and 1, a press list, or a result).",
)


@dataclass(frozen=True)
class Question:
    """Presses to be ordered. `claim` is what it proves if they cannot be.

    `remark` says which press set was chosen where there are several.
    """

    board: Board
    chosen: Bits
    problem: OrderingProblem
    claim: Claim
    remark: str | None


def question(
    board: Board, press_set: str | None, coords: Coordinates, clock: Limits | None = None
) -> Question:
    """Return the ordering problem of a board; PonderError where there is none to encode.

    TimeUp when the clock stops before.
    """
    from ponder.errors import PonderError
    from ponder.limits import NEVER
    from ponder.linear.press_sets import press_sets
    from ponder.pipeline.order import ENUMERATED, given_set
    from ponder.puzzle.ordering_problem import OrderingProblem
    from ponder.puzzle.press_lists import read_presses
    from ponder.puzzle.press_set_refutations import OddWitness

    if board.rule == "any":
        raise PonderError(f"{board.name}: under the rule 'any' every order is legal: no formula")
    if press_set is not None:
        bulbs = read_presses(press_set, board, coords)
        chosen, claim, remark = given_set(board, bulbs), "C1", None
    else:
        sets = press_sets(board, clock or NEVER)
        if isinstance(sets, OddWitness):
            raise PonderError(
                f"{board.name}: no press set at all reaches the goal (claim C4): no formula; "
                "`ponder order` has the proof"
            )
        chosen, claim, remark = sets.particular, "C2", None
        if sets.nullity:
            listed = sets.nullity <= ENUMERATED
            chosen = sets.lightest_first()[0] if listed else chosen
            claim = "C1"
            remark = (
                f"one of 2^{sets.nullity} press sets, {'the lightest' if listed else 'any'}: "
                f"{counted(int(chosen.sum()), 'press')} (another by --press-set)"
            )
    problem = OrderingProblem.of_board(board, chosen)
    return Question(board, chosen, problem, "C2" if claim == "C2" else "C1", remark)


def formula_encoder(name: str) -> Encoder:
    """Return the encoder of that name; PonderError when it makes no formula."""
    from ponder.encodings.registry import encoder
    from ponder.errors import PonderError
    from ponder.formulas.encoder import Encoder

    chosen = encoder(name)
    if not isinstance(chosen, Encoder):
        raise PonderError(f"{chosen.name} is a CP-SAT model and no formula: use `ponder order`")
    return chosen


@dataclass(frozen=True)
class FormulaOptions:
    """Which formula about a board: the encoding, its options, the presses to be ordered."""

    encoding: str
    settings: tuple[str, ...]
    press_set: str | None

    @property
    def encoder(self) -> Encoder:
        """The encoder; PonderError when there is none of this name, or it makes no formula."""
        return formula_encoder(self.encoding)

    def question(self, board: Board, coords: Coordinates, clock: Limits | None = None) -> Question:
        """Return the ordering problem of a board, as `question` does."""
        return question(board, self.press_set, coords, clock)


formula_options = gathered(
    "wanted",
    FormulaOptions,
    click.option(
        "--encoding",
        metavar="NAME",
        required=True,
        help="The encoding; `ponder encodings` lists them.",
    ),
    settings_option,
    press_set_option,
)
