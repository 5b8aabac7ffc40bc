"""`ponder sheet`: boards on pages to print, several a page, with their solutions apart."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import Progress
from ponder.model.files import packed_file
from ponder.pictures.shapes import ThemeName
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.check.result import Result
    from ponder.model.board import Board
    from ponder.pictures.scene import Scene
    from ponder.pictures.sheet import Layout, Page

FORMATS: tuple[options.Format, ...] = ("pdf", "svg")
DOTS = 200  # pixels an inch of a PDF: its pages are images
_CSS = 96  # pixels an inch of a layout


@options.command(
    """
Examples:
  ponder sheet boards/*.txt -o sheet.pdf
  ponder sheet boards/*.txt -o sheet.pdf --title "Lights, in order" --columns 3 --rows 4
  ponder sheet a.txt b.txt --no-solutions -o sheet.svg       sheet-1.svg, sheet-2.svg, …
  ponder sheet a.txt - --theme light -o - < b.txt > sheet.pdf

The solutions follow on pages of their own: an order where there is one, else the reason why not,
which `ponder verify` would accept, and the fewest presses with repeats.
Exit codes: 0 written, 2 bad input, 3 a solution was not found in time (it says so on the page).
"""
)
def command(
    files: tuple[str, ...] = argument("FILE…", nargs=-1),
    header: options.Header = gathered(options.Header),
    output: str = option(
        "-o, --output OUT",
        "The file (.pdf or .svg); - for a PDF on standard output.",
        required=True,
    ),
    title: str | None = option("--title TEXT", "Words above the boards."),
    columns: int = option("--columns N", "Boards in a row.", type=options.Whole(1, 8), default=2),
    rows: int = option("--rows N", "Boards in a column.", type=options.Whole(1, 10), default=3),
    paper: str = option("--paper", "The size of a page.", choices=("a4", "letter"), default="a4"),
    solutions: bool = option(
        "--solutions/--no-solutions",
        "Whether solutions follow, on pages of their own.",
        default=True,
    ),
    theme: ThemeName = options.theme_option("Colours; paper has none.", default="print"),
    quiet: bool = options.quiet_option,
    clock: Limits = options.clock_option,
) -> int:
    """Print the boards in FILES ("-": standard input) on pages, numbered, with coordinates."""
    from ponder.pictures.scene import Scene
    from ponder.pictures.sheet import Layout, pages

    form = "pdf" if output == "-" else options.format_of(output, FORMATS)
    if output != "-":
        options.check_file(output)
    layout = Layout(paper, columns, rows)
    boards = [header.read(file, clock) for file in files]
    made = list(pages([Scene(board) for board in boards], title or "", layout))
    late = False
    if solutions:
        scenes = []
        with Progress(quiet) as progress:
            for number, board in enumerate(boards, 1):
                progress.say(f"solving board {number} of {len(boards)}")
                scene, known = _solution(board, clock)
                scenes.append(scene)
                late |= not known
        few = replace(layout, columns=min(columns, 2), rows=min(rows, 3))  # their words need room
        made += pages(scenes, f"{title}: solutions" if title else "Solutions", few)
    write_pages(made, layout, output, form, theme, title or "Boards")
    return 3 if late else 0


def _solution(board: Board, clock: Limits) -> tuple[Scene, bool]:
    """Return the order of a board, or why there is none; and whether that is known."""
    from ponder.find.order import order
    from ponder.find.solve import solve
    from ponder.pictures.answers import answer_scene

    found: Result = order(board, timeout=clock)
    scene = answer_scene(found, lines=False)
    if found.verdict != "impossible" or found.claim == "C4":
        return scene, found.verdict != "unknown"
    again = solve(board, timeout=clock)
    if again.count is None:
        return scene, True
    least = "" if again.optimal else "at most "
    more = f"With repeats: {least}{again.count} presses."
    return replace(scene, text=f"{scene.text} {more}"), True


def write_pages(
    made: list[Page], layout: Layout, output: str, form: str, theme: ThemeName, title: str
) -> None:
    """Write the pages: a PDF of images, or an SVG for each page."""
    if form == "svg":
        from ponder.pictures.svg import Writer

        width, height = layout.size
        stem, ending = os.path.splitext(output)
        for number, page in enumerate(made, 1):
            name = output if len(made) == 1 else f"{stem}-{number}{ending}"
            writer, size = Writer(theme), (width / page.cell, height / page.cell)
            told = f"page {number} of {len(made)}"
            head = writer.head(size, page.cell, title, told, [writer.definitions()])
            with packed_file(name) as out:
                text = "\n".join([*head, *map(writer.shape, page.shapes), "</svg>\n"])
                out.write(text.encode())
        return
    from ponder.pictures.pixels import shapes_image
    from ponder.pictures.shapes import THEMES

    width, height = (round(side * DOTS / _CSS) for side in layout.size)
    images = [
        shapes_image(page.shapes, (width, height), page.cell * DOTS / _CSS, THEMES[theme])
        for page in made
    ]
    with packed_file(output) as out:
        images[0].save(
            out, "PDF", save_all=True, append_images=images[1:], resolution=DOTS, title=title
        )
