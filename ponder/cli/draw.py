"""`ponder draw`: a board, its presses, an order or a refusal as a picture or an animation."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import click

from ponder.cli import options
from ponder.cli.options import argument, gathered, option
from ponder.cli.terminal import remark
from ponder.model.files import packed_file, read_bytes
from ponder.model.json_text import RESULT, parse_result
from ponder.pictures.shapes import ThemeName
from ponder.system.errors import BoardError, CheckFailed
from ponder.system.limits import Limits

if TYPE_CHECKING:
    from ponder.check.result import Result
    from ponder.model.board import Board
    from ponder.model.render import Coordinates
    from ponder.pictures.answers import View
    from ponder.pictures.scene import Scene
    from ponder.system.types import Json

    OfGraph: TypeAlias = tuple[str, str, object]

FORMATS: tuple[options.Format, ...] = ("svg", "png", "gif", "apng")
SEARCHING = 20.0  # seconds for the search of a lightest press set among many, at most

SHOWN = ("board", "presses", "counts", "numbers", "animation", "refusal")


@dataclass(frozen=True)
class Look:
    """How a picture looks."""

    theme: ThemeName = options.theme_option(
        "Day, night, or paper: white discs are lit, black ones are not."
    )
    speed: float | None = options.speed_option(
        "Presses a second; by default the film lasts about 15 seconds."
    )
    label: bool = option(
        "--label/--no-label",
        "Words below: the answer and its reason, or “press 12 of 429, 30 lit”.",
        default=True,
    )
    lines: bool = option(
        "--lines/--no-lines", "The line bits of a row/column board, in the margins.", default=True
    )
    cell: int | None = option(
        "--cell PIXELS",
        "The side of a cell; by default, what fits.",
        type=options.Whole(4, 200),
    )


@options.command(
    """
Examples:
  ponder draw board.txt -o board.svg
  ponder draw board.txt --show presses -o presses.png      a lightest press set
  ponder order board.txt --json > answer.json
  ponder draw board.txt answer.json -o order.gif           the order, played
  ponder draw board.txt answer.json -o answer.svg          the same, or why there is no order
  ponder draw board.txt answer.json -o order.svg --speed 4 --theme dark
  ponder draw board.txt answer.json --show numbers -o order.png
  ponder order board.txt --json | ponder draw board.txt - --theme print -o figure.svg
  ponder draw graph.g6 orientation.json -o order.svg       a result of orient
  ponder draw board.txt my-presses.txt -o - --format apng > presses.apng

Exit codes: 0 drawn; 2 bad input, or a RESULT that does not hold; 3 not in time (no file is left).
"""
)
def command(
    file: str = options.board_argument,
    result: str | None = argument("[RESULT]"),
    header: options.Header = gathered(options.Header),
    output: str = option(
        "-o, --output OUT",
        "The file (.svg, .png, .gif or .apng); - for standard output.",
        required=True,
    ),
    form: options.Format | None = option(
        "--format", "The format, if OUT's ending does not say it.", choices=FORMATS
    ),
    what: str | None = option(
        "--show",
        "What to draw. Default: of presses, the order as an animation, or as numbers in a PNG "
        "(counts, if bulbs are pressed again); of a refusal, its reason; without RESULT, the board",
        choices=SHOWN,
    ),
    look: Look = gathered(Look),
    coords: Coordinates = options.coords_option,
    clock: Limits = options.clock_option,
) -> int:
    """Draw the board in FILE ("-": standard input), and on it what RESULT says, once it is checked.

    RESULT is what `order` or `solve` printed with --json, or a list of presses.
    """
    from ponder.pictures.frames import MOVING_SIDE, Film
    from ponder.pictures.pixels import order_images, scene_image, write_image, write_images
    from ponder.pictures.scene import SIDE
    from ponder.pictures.svg import order_animation, scene_svg

    form = form or options.format_of(output, FORMATS, ": say --format")
    if file == "-" and result == "-":
        raise click.UsageError("FILE and RESULT cannot both be standard input")
    if output != "-":
        options.check_file(output)
    if result is None:
        board, answer, said = header.read(file, clock), None, None
    else:
        answer, said = _checked(result, file, header, coords, clock)
        board = answer.board
    if said is not None and form == "svg" and what is None:  # a graph does not move by itself
        what = "refusal" if answer is None or answer.presses is None else "numbers"
    what = _what(what, form, answer)
    with packed_file(output) as out:
        if what != "animation":
            scene = _scene(board, answer, what, look, clock)
            if said is not None:
                heading, text, arcs = said
                marks = {**scene.marks, **({"arcs": arcs} if arcs else {})}
                scene = replace(scene, heading=heading, text=text, marks=marks)
            if form == "svg":
                out.write(scene_svg(scene, look.theme).encode())
            else:
                write_image(out, scene_image(scene, look.theme, clock))
        elif answer is not None and answer.presses is not None:
            how = asdict(look)
            theme, side = how.pop("theme"), SIDE if form == "svg" else MOVING_SIDE
            film = Film.of(board, answer.presses, side, **how, limits=clock)
            if form == "svg":
                out.write(order_animation(film, theme).encode())
            else:
                write_images(out, *order_images(film, theme, clock), form)
    return 0


def _what(what: str | None, form: options.Format, answer: Result | None) -> str:
    """Return what is drawn; a usage error for what cannot be."""
    from ponder.pictures.answers import default_view

    moving = form in ("gif", "apng")
    played = answer is not None and answer.presses is not None
    if what is None:
        what = "board" if answer is None else default_view(answer)
        if moving if answer is None else played and form != "png":
            what = "animation"
    if answer is None and what not in ("board", "presses", "animation"):
        raise click.UsageError(f"--show {what} needs a RESULT")
    if what == "animation" and not played:
        if answer is None:
            raise click.UsageError("an animation needs a RESULT with presses")
        raise BoardError(f"there are no presses to play ({answer.verdict})", answer.board.name)
    if moving != (what == "animation") and form != "svg":
        if moving:
            raise click.UsageError(f"a picture of {what} does not move: use .svg or .png")
        raise click.UsageError("a PNG does not move: use .apng, .gif or .svg")
    return what


def _checked(
    name: str, file: str, header: options.Header, coords: Coordinates, clock: Limits
) -> tuple[Result, OfGraph | None]:
    """Return the result in a file, checked but for its bounds. Raises BoardError if it is false.

    An orientation is drawn as its order, all vertices numbered, with heading and text of its own.
    """
    from ponder.check.orientation import SCHEMA as ORIENTATION
    from ponder.check.replay import replay
    from ponder.check.result import Result
    from ponder.check.verification import verify
    from ponder.model.press_lists import parse_presses

    data, source = read_bytes(name)
    content = parse_result(data, source, (RESULT, ORIENTATION))
    if content is not None and content["schema"] == ORIENTATION:
        found = Result.from_json(*options.oriented(file, content, source))
        return found, _of_graph(found, content)
    board = header.read(file, clock)
    try:
        if content is None:
            presses = parse_presses(data, board, source, coords, grids=False)
            replay(board, presses)
            return Result("solve", board, "solved", "given", presses=presses), None
        if content.get("presses") is not None and content.get("verdict") == "solved":
            unbounded = {"claim": None, "lower_bound": None, "bound": None, "optimal": False}
            content = {**content, **unbounded}
        if verify(board, content).unchecked_verdict:
            remark("what is drawn could not be checked: see `ponder verify`")
        return Result.from_json(board, {**content, "bound": None}), None
    except CheckFailed as error:
        raise BoardError(str(error), source) from None


def _of_graph(found: Result, content: Json) -> OfGraph:
    """Return heading, text and arcs of an orientation's picture, in the words of graphs."""
    from ponder.check.orientation import question_of
    from ponder.find.orient import asked_in_words, sentence_of
    from ponder.model.graph import EdgeGraph

    assert isinstance(found.board.graph, EdgeGraph)
    question, why = question_of(found.board.graph, content), found.refutation
    asked = asked_in_words(question)
    if why is None:
        text = "Every edge leads from the lower number to the higher."
        return f"An acyclic orientation ({asked})", text, content["arcs"]
    text = sentence_of(why, question) or why.argument(found.board)
    return f"No such orientation ({asked})", f"{text[:1].upper()}{text[1:]}.", []


def _scene(board: Board, answer: Result | None, what: str, look: Look, clock: Limits) -> Scene:
    from ponder.pictures.answers import answer_scene
    from ponder.pictures.scene import Scene, cell_size

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
    from ponder.check.evidence.odd_witness import OddWitness
    from ponder.find.cosets.minimum_weight import lightest
    from ponder.find.linear.press_sets import press_sets
    from ponder.find.search.context import SearchContext
    from ponder.pictures.answers import press_set_scene, witness_scene

    sets = press_sets(board, clock)
    if isinstance(sets, OddWitness):
        return witness_scene(board, sets, look.cell)
    chosen, words = sets.particular, "the only one"
    if sets.nullity:
        best = lightest(board, sets, SearchContext(limits=clock.sooner(SEARCHING)))
        if best.presses is not None:
            chosen = board.graph.set_of(best.presses)
        words = f"one of 2^{sets.nullity}, " + (
            "and none has fewer" if best.optimal else "and the smallest that was found in time"
        )
    return press_set_scene(board, chosen, words, lines=look.lines, cell=look.cell)
