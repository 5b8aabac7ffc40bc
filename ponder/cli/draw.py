"""`ponder draw`: a board, its presses, an order or a refusal, on the terminal or as a picture."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from os.path import splitext
from typing import Literal, get_args

import click
import numpy as np

from ponder.check.replay import replay
from ponder.check.result import Result
from ponder.check.verification import verify
from ponder.check.witness import Witness
from ponder.cli import params
from ponder.cli.boards import Header, questions_of
from ponder.cli.output import ascii_only, drawn, legend, painter, remark, say
from ponder.cli.verify import one_answer, question_asked
from ponder.find.context import SearchContext
from ponder.find.coset.minimum_weight import lightest
from ponder.find.linear.press_sets import PressSets, press_sets
from ponder.find.order import order
from ponder.model import render
from ponder.model.board import Board, board_name
from ponder.model.edge_graph import EdgeGraph
from ponder.model.files import read_bytes, whole_file
from ponder.model.formats import format_of, parse_board
from ponder.model.graph import GridGraph
from ponder.model.json_text import ORIENTATION, RESULT, parse_result
from ponder.model.press_lists import parse_presses
from ponder.model.render import Coordinates
from ponder.model.shapes import SHAPES, sized_shape
from ponder.pictures import answers, explain
from ponder.pictures.answers import Answer
from ponder.pictures.frames import MOVING_SIDE, order_film
from ponder.pictures.html import html_sheet
from ponder.pictures.pixels import write_picture
from ponder.pictures.scene import SIDE, Scene, cell_size, graph_words
from ponder.pictures.vocabulary import THEME_NAMES, ThemeName
from ponder.system.errors import BoardError, CheckFailed
from ponder.system.limits import Limits
from ponder.system.printable import names_listed, pluralise
from ponder.system.types import Bits

View = Literal["presses", "numbers"]

ENDINGS = (".svg", ".png", ".gif", ".html")
SEARCHING = 20.0  # seconds for the search of a lightest press set among many, at most


@params.command(
    """
Examples:
  ponder draw board.txt                                    on the terminal
  ponder draw board.txt --show presses                     a lightest press set
  ponder draw board.txt my-presses.txt
  ponder draw board.txt -o board.svg
  ponder order board.txt --json > answer.json
  ponder draw board.txt answer.json -o order.gif           the order, played
  ponder draw board.txt answer.json -o answer.svg          the same, or why there is no order
  ponder draw board.txt answer.json --show numbers -o order.png
  ponder draw graph.g6 orientation.json -o order.svg       a result of orient
  ponder draw a.txt b.txt c.txt -o sheet.html              boards to print, with their answers
  ponder draw machines.txt --line 3 -o machine.svg         one of many questions
  ponder draw --list                                       shapes by name, with pictures

Marks on the terminal: ● lit, ○ unlit; ◉ and ◎ are such bulbs that are to be pressed (1 0 # x where
it has no such signs).
Exit codes: 0 drawn; 2 bad input, or a RESULT that does not hold; 3 not in time (no file is left).
"""
)
@click.argument("files", metavar="FILE… [RESULT]", nargs=-1)
@params.header_option
@click.option(
    "-o", "--output", metavar="OUT", help=f"The file, by its ending: {', '.join(ENDINGS)}."
)
@click.option(
    "--show",
    "view",
    type=click.Choice(get_args(View)),
    help="presses: which bulbs to press, without RESULT those of a lightest press set; numbers: "
    "when each is pressed, in an SVG that does not move.",
)
@click.option("--theme", type=click.Choice(THEME_NAMES), default="light", help="Colours of OUT.")
@params.speed(help="Presses a second.  [default: 1.25, of many presses up to 25]")
@click.option("--list", "listing", is_flag=True, help="List the shapes by name, with pictures.")
@params.coords_option
@params.clock_option
def command(
    files: tuple[str, ...],
    header: Header,
    output: str | None,
    view: View | None,
    theme: ThemeName,
    speed: float | None,
    listing: bool,
    coords: Coordinates,
    clock: Limits,
) -> int:
    """Draw the board in FILE ("-": standard input), and on it what RESULT says, once it is checked.

    RESULT is what `order`, `solve` or `orient` printed with --json, or a list of presses. A sheet
    (OUT.html) finds its answers itself.
    """
    if listing:
        return _list()
    if not files:
        raise click.UsageError("name a board FILE, or --list")
    ending = splitext(output or "")[1].lower()
    if output is not None and ending not in ENDINGS:
        raise click.UsageError(f"OUT must end in one of {', '.join(ENDINGS)}")
    if output is None:
        params.refuse({"theme", "speed"}, "is about a picture: name its file with -o")
    elif ending == ".html":
        params.refuse({"view", "theme", "speed"}, "does not apply to a sheet")
        return _sheet(files, header, output, clock)
    if len(files) > 2:
        raise click.UsageError("FILE and RESULT; more than one board only with -o OUT.html")
    if view == "numbers" and (len(files) == 1 or ending not in (".svg", ".png")):
        raise click.UsageError("--show numbers needs a RESULT, and -o OUT.svg or OUT.png")
    answer = None
    if len(files) == 2:
        answer = checked_answer(files[1], files[0], header, coords, clock)
    board = header.read(files[0], clock) if answer is None else answer.result.board
    if output is None:
        return _on_terminal(board, answer, view, coords, clock)
    _picture(board, answer, view, output, theme, speed, clock)
    return 0


def checked_answer(
    name: str, file: str, header: Header, coords: Coordinates, clock: Limits
) -> Answer:
    """Return the result in a file, checked but for its bounds. Raises BoardError if it is false.

    An orientation is drawn as its order, all vertices numbered, with heading and text of its own.
    """
    data, source = one_answer(*read_bytes(name), header.line)
    content = parse_result(data, source, (RESULT, ORIENTATION))
    try:
        if content is not None and content["schema"] == ORIENTATION:
            graph = question_asked(file, header, content, source, clock).graph
            return answers.oriented(graph, content, board_name(file))
        board = header.read(file, clock)
        if content is None:
            presses = parse_presses(data, board, source, coords, grids=False)
            replay(board, presses, clock)
            return Answer(Result("solve", board, "solved", "given", presses=presses))
        if content.get("presses") is not None and content.get("verdict") == "solved":
            unbounded = {"claim": None, "lower_bound": None, "bound": None, "optimal": False}
            content = {**content, **unbounded}
        if verify(board, content, timeout=clock).unchecked_verdict:
            remark("what is drawn could not be checked: see `ponder verify`")
        return Answer(Result.from_json(board, {**content, "bound": None}))
    except CheckFailed as error:
        raise BoardError(str(error), source) from None


def _list() -> int:
    for shape in SHAPES:
        example = sized_shape(shape.key, *shape.sides_of_example)
        board = parse_board(example.text, example.word)
        say([f"{shape.key} {shape.sides}".rstrip(), f"  {shape.summary}"])
        say([f"  {example.word}: {render.shape_text(board.graph)}", ""])
        say([*("    " + line for line in drawn(board)), ""])
    return 0


def _sheet(files: tuple[str, ...], header: Header, output: str, clock: Limits) -> int:
    """Write boards to print; return 3 if an answer is not known in time."""
    asked = (questions_of(file, header.format, header.line) for file in files)
    boards: list[Board] = []
    for question in (x for first, many in asked for x in many or [first]):
        if boards and _is_answer(question.data, question.source, boards[0]):
            raise BoardError("a sheet finds its answers itself: name boards only", question.source)
        boards.append(header.board(question, clock))
    results = [order(board, timeout=clock) for board in boards]
    scenes = [answers.answer_scene(result, lines=False) for result in results]
    with whole_file(output) as file:
        file.write(html_sheet(map(Scene, boards), scenes))
    return 3 if any(result.verdict == "unknown" for result in results) else 0


def _is_answer(data: bytes, source: str, board: Board) -> bool:
    """Whether a text is a result, or pairs of numbers that may well be presses of a grid."""
    if parse_result(data, source, (RESULT, ORIENTATION)) is not None:
        return True
    with suppress(BoardError):
        pairs = format_of(data, source) == "edges" and not source.endswith(".edges")
        if pairs and isinstance(board.graph, GridGraph):
            return parse_presses(data, board, source, grids=False).size > 0
    return False


# ------------------------------------------------------------------------------ on the terminal


def _on_terminal(
    board: Board, answer: Answer | None, view: View | None, coords: Coordinates, clock: Limits
) -> int:
    """Print a board, marked by a result or its press set; return the exit code."""
    graph, marked, lights, words = board.graph, None, None, list[str]()
    if answer is not None and answer.words is not None:
        heading, text, arcs = answer.words
        assert isinstance(graph, EdgeGraph)
        listed = [*render.wrapped(names_listed(arc, "->") for arc in arcs), ""] if arcs else []
        say([f"{board.name}: {graph_words(graph)}", "", *listed, heading, text])
        return 0
    if answer is not None:
        words = list(answers.words_of(answer.result, coords, painter(), ascii_only=ascii_only()))
        if answer.result.presses is not None:
            marked = graph.set_of(np.unique(answer.result.presses))
    elif view == "presses":
        sets = press_sets(board, clock)
        if isinstance(sets, Witness):
            lights = graph.of_lights.set_of(sets.bulbs)
            words = ["no press set: " + explain.sentence(board, sets)]
        else:
            marked, about = _lightest(board, sets, clock)
            words = [
                f"press set of {pluralise(int(marked.sum()), render.pressed_thing(graph))}, {about}"
            ]
    say([f"{board.name}: {render.title(board)}", "", *drawn(board, marked=marked, lights=lights)])
    if board.goal_name == "grid":
        say(["", "goal", "", *drawn(replace(board, graph=graph.of_lights, lit=board.goal))])
    if lights is not None:
        say(legend("bulbs of the witness"))
    elif marked is not None:
        say(legend("bulbs to press", graph))
    if words:
        say(["", *words])
    return 0


def _lightest(board: Board, sets: PressSets, clock: Limits) -> tuple[Bits, str]:
    """Return a lightest press set, as far as it is found in time, and which of them it is."""
    if not sets.nullity:
        return sets.particular, "the only one"
    best = lightest(board, sets, SearchContext(limits=clock.sooner(SEARCHING)))
    chosen = sets.particular if best.presses is None else board.graph.set_of(best.presses)
    known = "and none has fewer" if best.optimal else "and the smallest that was found in time"
    return chosen, f"one of 2^{sets.nullity}, {known}"


# ----------------------------------------------------------------------------------- as a picture


def _picture(
    board: Board,
    answer: Answer | None,
    view: View | None,
    output: str,
    theme: ThemeName,
    speed: float | None,
    clock: Limits,
) -> None:
    moving, drawing = (output.lower().endswith(ending) for ending in (".gif", ".svg"))
    presses = None if answer is None else answer.result.presses
    oriented = answer is not None and answer.words is not None
    if moving or (drawing and view is None and presses is not None and not oriented):
        if presses is None:
            how = "write .svg or .png" if answer else "name a RESULT with presses"
            raise BoardError(f"there are no presses to play: {how}", board.name)
        side = SIDE if drawing else MOVING_SIDE
        film = order_film(board, presses, side, speed=speed, limits=clock)
        write_picture(film, output, theme, clock)
        return
    params.refuse({"speed"}, "is of an animation, and nothing moves in this picture")
    write_picture(_scene(board, answer, view, clock), output, theme, clock)


def _scene(board: Board, answer: Answer | None, view: View | None, clock: Limits) -> Scene:
    if answer is None:
        if view is None:
            return Scene(board, cell=cell_size(board))
        sets = press_sets(board, clock)
        if isinstance(sets, Witness):
            return answers.witness_scene(board, sets)
        return answers.press_set_scene(board, *_lightest(board, sets, clock))
    return answer.scene(view)
