"""`ponder shapes`: the shapes that stand where a board file may, with pictures."""

from __future__ import annotations

from ponder.cli import options
from ponder.cli.options import argument, option
from ponder.cli.terminal import drawn, say


@options.command(
    """
Examples:
  ponder shapes                                 all of them, each in a small size
  ponder shapes cube                            one, and how to ask about it
  ponder shapes -o shapes.svg                   as pictures on pages: shapes-1.svg, …
  ponder order hex:4                            a shape wherever a FILE may stand
  ponder solve --shape cube 3 --puzzle lights-out --lit U5,F1
  ponder orient --shape petersen --odd none
  ponder draw --shape klein 4x5 -o klein.svg

A shape is dark at first; --lit says what is lit. A press toggles its bulb and those next to it.
"""
)
def command(
    name: str | None = argument("[NAME]"),
    output: str | None = option("-o, --output OUT", "Draw them on pages: .pdf or .svg."),
) -> int:
    """List the shapes of boards, with pictures."""
    from ponder.model import render
    from ponder.model.formats import parse_board
    from ponder.model.shapes import SHAPES, sized_shape

    chosen = [x for x in SHAPES if name in (None, x.key)]
    if not chosen:
        sized_shape(str(name))  # raises, with what may be meant
    examples = [sized_shape(x.key, *x.sides_of_example) for x in chosen]
    boards = [parse_board(each.text, each.word) for each in examples]
    if output is not None:
        from ponder.cli.sheet import write_pages
        from ponder.pictures.scene import Scene
        from ponder.pictures.sheet import Layout, pages

        options.check_file(output)
        scenes = [
            Scene(board, heading=each.word, text=x.summary)
            for board, each, x in zip(boards, examples, chosen, strict=True)
        ]
        layout = Layout(columns=2, rows=3)
        form = options.format_of(output, ("pdf", "svg"))
        write_pages(list(pages(scenes, "Shapes", layout)), layout, output, form, "print", "Shapes")
        return 0
    for x, each, board in zip(chosen, examples, boards, strict=True):
        say([f"{x.key} {x.sides}".rstrip(), f"  {x.summary}"])
        say([f"  {each.word}: {render.shape_text(board.graph)}", ""])
        say([*("    " + line for line in drawn(board)), ""])
    return 0
