"""`ponder.generate`: a board of a family, by its size and a seed."""

from __future__ import annotations

from ponder.apps.studies.sampling import parse_family
from ponder.model.arguments import MOST_SEED, whole_number
from ponder.model.board import Board
from ponder.system.errors import BadArgument


def generate(family: str, size: int | tuple[int, int], seed: int = 0, **options: float) -> Board:
    """Return a board with a press set, drawn by a seed: always the same by the same arguments.

    `family` is a pattern or a family of `ponder generate` (balanced, unbalanced, cut, graph),
    `options` are density, by, degree, edges. Raises PonderError for anything else.

    >>> generate("plus", 5, seed=7) == generate("plus", (5, 5), seed=7)
    True
    """
    sides = size if isinstance(size, tuple) else (size, size)
    if len(sides) != 2 or 0 in [whole_number(side, "size") for side in sides]:
        raise BadArgument("it is a number, or a pair (rows, columns), from 1 on", "size")
    if not isinstance(family, str):
        raise BadArgument("it is the name of a family", "family")
    whole_number(seed, "seed", MOST_SEED)
    words = [family, f"{sides[0]}x{sides[1]}", *(f"{key}={x:g}" for key, x in options.items())]
    drawn = parse_family(":".join(words), boards=1)
    return drawn.family.draw(drawn.sizes[0], seed)
