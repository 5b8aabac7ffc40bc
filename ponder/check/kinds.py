"""All kinds of certificate, by the words that result files have.

Count: `witness`, `dead-end`, `block`, `cut`. Dual: `packing`, `settings`, `modulo-four`. Enumerate
again: `lightest`, `members`, `states`. Formula: `formula`. `randomised` is a remark that proves
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from ponder.check.block import Block
from ponder.check.certificate import Bound, Certificate, Claim, Refutation
from ponder.check.cut import Cut
from ponder.check.dual import ModuloFour, Packing
from ponder.check.formula import Formula
from ponder.check.lightest import Lightest
from ponder.check.members import Members
from ponder.check.reader import enum_value, mapping
from ponder.check.settings import Settings
from ponder.check.states import States
from ponder.check.witness import DeadEnd, Randomised, Witness
from ponder.model.board import Board

KINDS: dict[str, type[Certificate]] = {
    kind.kind: kind
    for kind in (
        Witness, DeadEnd, Block, Cut, Packing, Settings, ModuloFour, Lightest, Members, States,
        Formula, Randomised,
    )
}  # fmt: skip

REFUTATIONS = [kind for kind in KINDS.values() if issubclass(kind, Refutation)]
BOUNDS = [kind for kind in KINDS.values() if issubclass(kind, Bound)]


def proving(*claims: Claim | None) -> list[type[Refutation]]:
    """Return the kinds of refutations that prove one of these claims."""
    return [kind for kind in REFUTATIONS if kind.claim in claims]


def read_as(
    kinds: Iterable[type[Certificate]], board: Board, value: object, what: str
) -> Certificate:
    """Read a certificate of one of some kinds, if it says anything of the board.

    Raises CheckFailed, TooLarge.
    """
    content, known = mapping(value, what), {kind.kind: kind for kind in kinds}
    kind = known[enum_value(content.get("kind"), list(known), f"{what}: kind")]
    kind.suits(board)
    return kind.read(board, content)


def read_refutation(board: Board, value: object, what: str = "refutation") -> Refutation:
    """Read a refutation of any kind. Raises CheckFailed, TooLarge."""
    why = read_as(REFUTATIONS, board, value, what)
    assert isinstance(why, Refutation)
    return why


def read_bound(board: Board, value: object, command: str | None = None) -> Bound:
    """Read the certificate of a bound on what a command asks. Raises CheckFailed, TooLarge."""
    kinds = [kind for kind in BOUNDS if command is None or command in kind.commands]
    bound = read_as(kinds, board, value, f"bound, for `{command}`" if command else "bound")
    assert isinstance(bound, Bound)
    return bound
