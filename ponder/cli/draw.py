"""`ponder draw`: a board, its presses, an order or a refusal as a picture or an animation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

import click

from ponder.cli.options import (
    Finite,
    board_argument,
    coords_option,
    gathered,
    header_options,
    timeout_option,
)

if TYPE_CHECKING:
    from ponder.cli.options import Header
    from ponder.limits import Limits
    from ponder.pictures.answers import View
    from ponder.pictures.scene import Scene
    from ponder.pictures.themes import ThemeName
    from ponder.puzzle.board import Board
    from ponder.puzzle.render import Coordinates
    from ponder.puzzle.result import Result

FORMATS = ("svg", "png", "gif", "apng")
SEARCHING = 20.0
"""Seconds for the search of a lightest press set among many, at most."""

SHOWN = ("board", "presses", "counts", "numbers", "animation", "refusal")


@dataclass(frozen=True)
class Look:
    """How a picture looks."""

    theme: ThemeName
    speed: float | None
    label: bool
    lines: bool
    cell: int | None


look_options = gathered(
    "look",
    Look,
    click.option(
        "--theme", type=click.Choice(["light", "dark", "print"]), default="light",
        show_default=True, help="Day, night, or paper: white discs are lit, black ones are not.",
    ),
    click.option(
        "--speed", type=Finite(0.1, 50), metavar="N",
        help="Presses a second; by default so many that the whole takes about a quarter minute.",
    ),
    click.option(
        "--label/--no-label", default=True, show_default=True,
        help="Words below: the answer and its reason, or “press 12 of 429, 30 lit”.",
    ),
    click.option(
        "--lines/--no-lines", default=True, show_default=True,
        help="The line bits of a row/column board, in the margins.",
    ),
    click.option(
        "--cell", type=click.IntRange(4, 200), metavar="PIXELS",
        help="The side of a cell; by default as the board has room.",
    ),
)  # fmt: skip


@click.command(
    "draw",
    short_help="Draw a board, presses, an order or a refusal: SVG, PNG, GIF, APNG.",
    epilog="""\b
Examples:
  ponder draw board.txt -o board.svg
  ponder draw board.txt --show presses -o presses.png      a lightest press set
  ponder order board.txt --json > answer.json
  ponder draw board.txt answer.json -o order.gif           the order, played
  ponder draw board.txt answer.json -o answer.svg          the same, or why there is no order
  ponder draw board.txt answer.json -o order.svg --speed 4 --theme dark
  ponder draw board.txt answer.json --show numbers -o order.png
  ponder order board.txt --json | ponder draw board.txt - --theme print -o figure.svg
  ponder draw board.txt my-presses.txt -o - --format apng > presses.apng

\b
Exit codes: 0 drawn; 2 bad input, or a RESULT that does not hold; 3 not in time (no file is left).
""",
)
@board_argument
@click.argument("result", metavar="[RESULT]", type=str, required=False)
@header_options
@click.option(
    "-o", "--output", metavar="OUT", required=True,
    help="The file (.svg, .png, .gif or .apng); - for standard output.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="The format, where OUT does not tell."
)
@click.option(
    "--show", "what", type=click.Choice(SHOWN),
    help="What is drawn. By default of presses the order: an animation, or numbers in a PNG "
    "(counts, where bulbs are pressed again); of a refusal its reason; without RESULT the board.",
)  # fmt: skip
@look_options
@coords_option
@timeout_option
def command(
    file: str,
    result: str | None,
    header: Header,
    output: str,
    form: str | None,
    what: str | None,
    look: Look,
    coords: Coordinates,
    timeout: float | None,
) -> int:
    """Draw the board in FILE ("-": standard input), and on it what RESULT says, once it is checked.

    RESULT is what `order` or `solve` printed with --json, or a list of presses.
    """
    from ponder.cli.places import check_file
    from ponder.limits import Limits
    from ponder.puzzle.files import packed_file

    form = form or _format_of(output)
    if file == "-" and result == "-":
        raise click.UsageError("FILE and RESULT cannot both be standard input")
    if output != "-":
        check_file(output)
    clock = Limits(timeout)
    board = header.read(file, clock)
    answer = None if result is None else _checked(result, board, coords)
    what = _what(what, form, answer)
    with packed_file(output) as out:
        if what == "animation":
            assert answer is not None
            _draw_moving(out, answer, form, look, clock)
        else:
            _draw_still(out, _scene(board, answer, what, look, clock), form, look, clock)
    return 0


def _format_of(output: str) -> str:
    """Return the format that the name of a file asks for."""
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        known = ", ".join(f".{form}" for form in FORMATS)
        raise click.UsageError(f"OUT ends in none of {known}: say --format")
    return ending


def _what(what: str | None, form: str, answer: Result | None) -> str:
    """Return what is drawn; a usage error for what cannot be."""
    from ponder.errors import BoardError
    from ponder.pictures.answers import default_view

    moving = form in ("gif", "apng")
    played = answer is not None and answer.presses is not None
    if what is None:
        if answer is None:
            what = "animation" if moving else "board"
        elif played and form != "png":
            what = "animation"
        else:
            what = default_view(answer)
    if answer is None and what not in ("board", "presses", "animation"):
        raise click.UsageError(f"--show {what} needs a RESULT")
    if what == "animation" and not played:
        if answer is None:
            raise click.UsageError("an animation needs a RESULT with presses")
        raise BoardError(f"there are no presses to play ({answer.verdict})", answer.board.name)
    if moving != (what == "animation") and form != "svg":
        raise click.UsageError(
            f"a picture of {what} does not move: use .svg or .png"
            if moving
            else "a PNG does not move: use .apng, .gif or .svg"
        )
    return what


def _checked(name: str, board: Board, coords: Coordinates) -> Result:
    """Return the result in a file, once it is found to be about this board, and true.

    BoardError for any other. Bounds are neither checked nor drawn.
    """
    from ponder.check.replay import replay
    from ponder.check.verification import verify
    from ponder.cli.terminal import remark
    from ponder.errors import BoardError, CheckFailed
    from ponder.pictures.read_back import result_of
    from ponder.puzzle.files import read_bytes
    from ponder.puzzle.press_lists import parse_presses
    from ponder.puzzle.result import Result
    from ponder.puzzle.result_json import parse_result

    data, source = read_bytes(name)
    content = parse_result(data, source)
    try:
        if content is None:
            presses = parse_presses(data, board, source, coords, grids=False)
            replay(board, presses)
            return Result("solve", board, "solved", "given", presses=presses)
        if content.get("presses") is not None and content.get("verdict") == "solved":
            unbounded = {"claim": None, "lower_bound": None, "bound": None, "optimal": False}
            content = {**content, **unbounded}
        if verify(board, content).unchecked_verdict:
            remark("what is drawn could not be checked: see `ponder verify`")
        return result_of(board, content)
    except CheckFailed as error:
        raise BoardError(str(error), source) from None


def _scene(board: Board, answer: Result | None, what: str, look: Look, clock: Limits) -> Scene:
    """Return what is drawn."""
    from dataclasses import replace

    from ponder.pictures.answers import answer_scene, cell_size
    from ponder.pictures.scene import Scene

    if what == "board":
        scene = Scene(board, cell=look.cell or cell_size(board))
    elif answer is not None:
        view: View = what  # type: ignore[assignment] # one of the choices but `animation`
        scene = answer_scene(answer, view, lines=look.lines, cell=look.cell)
    else:
        scene = _press_set(board, look, clock)
    return scene if look.label else replace(scene, heading="", text="")


def _press_set(board: Board, look: Look, clock: Limits) -> Scene:
    """Return a lightest press set on the board, or why there is none."""
    from ponder.cosets.minimum_weight import lightest
    from ponder.linear.press_sets import press_sets
    from ponder.pictures.answers import press_set_scene, witness_scene
    from ponder.puzzle.press_set_refutations import OddWitness

    sets = press_sets(board, clock)
    if isinstance(sets, OddWitness):
        return witness_scene(board, sets, look.cell)
    chosen, words = sets.particular, "the only one"
    if sets.nullity:
        best = lightest(board, sets, timeout=clock.sooner(SEARCHING))
        if best.presses is not None:
            chosen = board.graph.set_of(best.presses)
        words = f"one of 2^{sets.nullity}, " + (
            "and none has fewer" if best.optimal else "and the smallest that was found in time"
        )
    return press_set_scene(board, chosen, words, lines=look.lines, cell=look.cell)


def _draw_still(out: IO[bytes], scene: Scene, form: str, look: Look, clock: Limits) -> None:
    from ponder.pictures.image_files import write_image
    from ponder.pictures.pixels import scene_image
    from ponder.pictures.svg import scene_svg

    if form == "svg":
        out.write(scene_svg(scene, look.theme).encode())
    else:
        write_image(out, scene_image(scene, look.theme, clock))


def _draw_moving(out: IO[bytes], answer: Result, form: str, look: Look, clock: Limits) -> None:
    from dataclasses import asdict

    from ponder.pictures.image_files import write_images
    from ponder.pictures.moving_pixels import order_images
    from ponder.pictures.moving_svg import order_animation

    assert answer.presses is not None
    if form == "svg":
        text = order_animation(answer.board, answer.presses, **asdict(look), limits=clock)
        out.write(text.encode())
    else:
        images, seconds = order_images(answer.board, answer.presses, **asdict(look), limits=clock)
        moving: Literal["gif", "apng"] = "gif" if form == "gif" else "apng"
        write_images(out, images, seconds, moving)
