"""The row reduction as text: the matrix, every press in turn, and what is read off at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ponder.pictures.elimination import Frame, frames_of
from ponder.printable import counted
from ponder.puzzle import render

if TYPE_CHECKING:
    from ponder.linear.row_reduction import RowReduction
    from ponder.puzzle.board import Board
    from ponder.puzzle.render import Coordinates, Paint
    from ponder.types import Bits

SPACED = 30
"""Bulbs up to which the entries of a matrix stand apart."""

SHOWN = 16
"""Quiet patterns that are drawn at most."""


def matrix_lines(frame: Frame, paint: Paint = render.no_paint, plain: bool = False) -> list[str]:
    """Return A | b as lines; above, a mark for each press that is known: v a pivot, o free.

    `plain`: with signs that every terminal has.

    >>> rows = np.array([[1, 1, 0], [0, 0, 1]], dtype=bool)
    >>> print("\\n".join(matrix_lines(Frame(rows, "", pivots=((0, 0),), free=(1,)), plain=True)))
       v o
     1 1 1 | .
     2 . . | 1
    """
    count, zero = len(frame.rows), "." if plain else "·"
    pivots, known = set(frame.pivots), {column: "v" for _, column in frame.pivots}
    known |= dict.fromkeys(frame.free, "o")
    space = " " if count <= SPACED else ""
    width = len(str(count)) + 1
    above = space.join(known.get(column, " ") for column in range(count))
    lines = [f"{'':{width}} {above}".rstrip()]
    for row, bits in enumerate(frame.rows.tolist()):
        signs = []
        for column, bit in enumerate(bits):
            sign = "1" if bit else zero
            in_hand = column == frame.column and column < count
            role: render.Role = (
                "marked" if (row, column) in pivots else "good" if in_hand else "plain"
            )
            if not bit and not in_hand:
                role = "unlit"
            signs.append(paint(sign, role))
        head = f"{row + 1:{width}}"
        if row == frame.source or row in frame.targets:
            head = paint(head, "lit" if row == frame.source else "marked")
        lines.append(f"{head} {space.join(signs[:-1])} | {signs[-1]}")
    return lines


def listing(
    found: RowReduction, board: Board, coords: Coordinates, matrices: bool, plain: bool
) -> list[str]:
    """Return the elimination, a line a press; `matrices`: with what each leaves."""
    frames = list(frames_of(found, board, whole_stages=True, coords=coords))
    lines = [frames[0].words, "", *matrix_lines(frames[0], plain=plain)[1:], ""]
    for frame in frames[1:-1]:
        lines += render.wrapped(frame.words.split(" "), indent="    ")
        lines[-1 - _more(frame.words)] = lines[-1 - _more(frame.words)].strip()
        if matrices:
            lines += ["", *matrix_lines(frame, plain=plain), ""]
    return lines if matrices else [*lines, "", *matrix_lines(frames[-1], plain=plain), ""]


def _more(words: str) -> int:
    return len(render.wrapped(words.split(" "), indent="    ")) - 1


def reading(
    found: RowReduction, board: Board, coords: Coordinates, paint: Paint, plain: bool
) -> list[str]:
    """Return what is read off at the end: the press sets, or why there is none."""
    from ponder.pictures.elimination import last_words
    from ponder.puzzle.press_set_refutations import OddWitness

    def drawn(marked: Bits) -> list[str]:
        return ["", *render.draw(board, marked=marked, paint=paint, ascii_only=plain), ""]

    witness, presses = found.odd_witness, found.press_set
    lines = [last_words(found), ""]
    if witness is not None:
        bulbs = np.flatnonzero(witness)
        lines += [f"it is the sum of the equations of {counted(bulbs.size, 'bulb')}:"]
        lines += render.wrapped(OddWitness(bulbs).sentence(board).split(" "))
        lines += drawn(witness)
    elif presses is not None:
        without = ", without free presses" if found.nullity else ""
        lines += [f"the press set{without}: {counted(int(presses.sum()), 'bulb')}", *drawn(presses)]
    for number, quiet in enumerate(found.quiet_patterns[:SHOWN], 1):
        free = render.label_text(board, board.graph.label(found.free[number - 1]), coords)
        what = f"quiet pattern {number}, of the free press {free}"
        lines += [f"{what}: {counted(int(quiet.sum()), 'bulb')}, changes nothing", *drawn(quiet)]
    if found.nullity > SHOWN:
        lines += [f"and {found.nullity - SHOWN} more quiet patterns (--json has them all)", ""]
    return lines[:-1]


def why_lines(found: RowReduction, board: Board, paint: Paint, plain: bool) -> list[str]:
    """Return why all bulbs can be toggled, told of the board's own quiet patterns (theory §8.2)."""
    from ponder.linear.always_solvable import even_patterns
    from ponder.linear.row_reduction import reduce_rows

    lines = ["Why the boards all lit and all unlit always have a press set", ""]
    lines += _told(
        "A is symmetric, with ones on its diagonal. A board has a press set unless some quiet "
        "pattern has an odd number of the bulbs that must change. Here all bulbs must, or none: "
        "so every quiet pattern must have an even number of bulbs. Count the ones of A in the "
        "rows and columns of a pattern. Row by row: each of its bulbs is toggled by an even "
        "number of its presses, since pressing them all changes nothing. By symmetry: one on the "
        "diagonal for each bulb, and two for each pair of neighbours in it."
    )
    lines.append("")
    for number, even in enumerate(even_patterns(board.graph, found.quiet_patterns), 1):
        bulbs, total = even.bulbs.size, int(even.in_row.sum())
        rows = " + ".join(map(str, even.in_row.tolist()))
        if bulbs > 12:
            rows = f"{bulbs} even numbers"
        lines += _told(
            f"pattern {number}: {rows} = {total} = {bulbs} + 2·{even.edges}, so {bulbs} is even"
        )
    if not found.nullity:
        lines.append("This board has no quiet pattern: every state of it has one press set.")
    else:
        lines.append("Sums of even patterns are even.")
    every = np.ones(board.graph.size, dtype=np.bool_)
    presses = reduce_rows(found.matrix, every).press_set
    assert presses is not None
    lines += ["", f"{counted(int(presses.sum()), 'bulb')} whose presses toggle every bulb:", ""]
    dark = type(board)(board.graph, ~every, every, board.rule, board.name)
    return [*lines, *render.draw(dark, marked=presses, paint=paint, ascii_only=plain)]


def _told(text: str) -> list[str]:
    return render.wrapped(text.split(" "), indent="")
