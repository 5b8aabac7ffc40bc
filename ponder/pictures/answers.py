"""What is drawn of boards, press sets and results, in the words of commands and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from ponder.check.certificate import CLAIMS, Refutation
from ponder.check.coset import Lightest
from ponder.check.result import Result
from ponder.check.witness import Witness
from ponder.model import render
from ponder.model.arguments import need_board
from ponder.model.board import Board, GraphLike
from ponder.model.edge_graph import EdgeGraph, graph_given
from ponder.model.graph import GridGraph
from ponder.model.presets import unwinnable
from ponder.model.render import Coordinates, Paint, no_paint
from ponder.model.wired_graph import Wired
from ponder.pictures import explain
from ponder.pictures.marks import (
    count_marks,
    marks_of,
    odd_presses,
    order_marks,
    press_set_marks,
)
from ponder.pictures.scene import NUMBERED_SIDE, SIDE, Marks, Scene, cell_size
from ponder.system.errors import BadArgument, BoardError
from ponder.system.printable import inflect, names_listed, pluralise
from ponder.system.types import Bits, Json, bincount

View: TypeAlias = Literal["board", "presses", "counts", "numbers", "refusal"]
"""What is drawn on a board: nothing, a press set, how often or when bulbs are pressed, why not."""


def press_set_scene(board: Board, press_set: Bits, words: str = "") -> Scene:
    """Return a press set on its board, with words that say what is known of it."""
    size = int(np.count_nonzero(press_set))
    heading = f"Press set of {pluralise(size, render.pressed_thing(board.graph))}"
    marks = press_set_marks(board, press_set)
    return Scene(board, marks, heading, _sentence(words), cell_size(board))


def witness_scene(board: Board, witness: Witness) -> Scene:
    """Return a board without a press set, and why it has none."""
    marks, why = marks_of(board, witness), _sentence(explain.sentence(board, witness))
    return Scene(board, marks, "No press set", why, cell_size(board))


def default_view(result: Result) -> View:
    """Return what is drawn of a result, where nothing else is asked: the order, or why not."""
    if result.presses is None:
        return "refusal"
    once = result.presses.size == 0 or int(bincount(result.presses).max()) == 1
    return "numbers" if once else "counts"


def answer_scene(result: Result, view: View | None = None, *, lines: bool = True) -> Scene:
    """Return a result as a scene, without line bits if nothing but `lines` asks for these.

    Raises BoardError if it has nothing that is asked for.

    >>> from ponder.find.order import order
    >>> scene = answer_scene(order(Board.from_rows(["0011", "1101", "0110", "0001"])))
    >>> scene.heading, sorted(scene.marks)
    ('4 presses', ['lines', 'numbers'])
    """
    board, presses = result.board, result.presses
    view = view or default_view(result)
    marks: Marks = {}
    if view == "refusal":
        if presses is not None:
            raise BoardError("this result has presses, and no refusal to draw", board.name)
        if result.refutation is not None:
            marks = marks_of(board, result.refutation, result.counts)
    elif view != "board":
        if presses is None:
            raise BoardError(f"this result has no presses to draw ({result.verdict})", board.name)
        if view == "presses" and default_view(result) == "numbers":
            marks = press_set_marks(board, odd_presses(board, presses))
        else:
            marks = (order_marks if view == "numbers" else count_marks)(board, presses)
    if not (lines or "rows" in marks):
        marks.pop("lines", None)
    cell = cell_size(board, NUMBERED_SIDE if view == "numbers" else SIDE)
    return Scene(board, marks, capital(heading(result)), _sentence(reason(result)), cell)


class Answer(NamedTuple):
    """A checked result; of an orientation also the heading and text of its picture, and arcs."""

    result: Result
    words: tuple[str, str, Any] | None = None

    def scene(self, view: View | None = None) -> Scene:
        """Return it as a scene; of an orientation the order, all vertices numbered."""
        if self.words is None:
            return answer_scene(self.result, view)
        scene, (heading, text, arcs) = answer_scene(self.result), self.words
        return replace(scene, heading=heading, text=text, marks={**scene.marks, "arcs": arcs})


def oriented(graph: EdgeGraph, content: Json, name: str = "graph") -> Answer:
    """Return a result of `orient`, which was checked. Raises BoardError if it is unknown."""
    from ponder.check.orientation import CIRCLE, as_order, question_of  # no board needs these
    from ponder.find.orient import asked_in_words, sentence_of

    question = question_of(graph, content)
    board, why = replace(question.board, name=name), content.get("refutation")
    asked = asked_in_words(question)
    if isinstance(why, dict) and why["kind"] == CIRCLE:
        around = [*why["vertices"], why["vertices"][0]]
        text = f"The given arcs run in a circle: {names_listed(around, '->')}."
        words = f"No such orientation ({asked})", text, [*map(list, pairwise(around))]
        return Answer(Result("order", board, "unknown", CIRCLE), words)
    result = Result.from_json(board, as_order(question, content))
    if result.refutation is not None:
        text = _sentence(sentence_of(result.refutation, question))
        return Answer(result, (f"No such orientation ({asked})", text, []))
    if result.places is None:
        raise BoardError("the result is unknown: there is nothing to draw", board.name)
    text = f"Every edge leads to the right in {names_listed(result.places)}."
    return Answer(result, (f"An acyclic orientation ({asked})", text, content["arcs"]))


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    return f"{capital(text)}." if text else ""


def how_often(board: Board) -> str:
    """Return how often `order` presses each bulb of a board."""
    often = "exactly" if board.pressed else "at most"
    return f"each {render.pressed_thing(board.graph)} {often} once"


def heading(result: Result) -> str:
    """Return the verdict in a few words."""
    if result.presses is not None:
        return pluralise(result.presses.size, "press")
    if result.verdict == "unknown":
        return "not known"
    if result.claim == "C3":
        most = result.at_most or 0
        return f"{pluralise(most, 'press')} {inflect(most, 'does', 'do')} not suffice"
    named = {"C1": "no order of these presses", "C4": "no solution"}
    return "no order" if result.board.pressed else named.get(result.claim or "", "no order")


def proved(result: Result) -> str:
    """Return what is proved: of presses, about fewer; else the claim."""
    if result.presses is None:
        if result.claim == "C3":
            return f"no legal sequence has fewer than {result.lower_bound}"
        if result.claim == "C1" and result.board.pressed:
            return "no legal order presses every bulb exactly once"
        thing = render.pressed_thing(result.board.graph)
        claim = CLAIMS[result.claim].replace("bulb", thing) if result.claim else None
        return claim or result.reason or ""
    noun = "order" if result.command == "order" else "legal sequence"
    if result.optimal or not result.presses.size:
        return f"proved: no {noun} has fewer"
    if result.lower_bound is None:  # of presses that were given, or whose bound was not checked
        return ""
    if result.lower_bound:
        return f"the shortest {noun} has at least {result.lower_bound}"
    return f"a shorter {noun} is not excluded"


def why(result: Result) -> str | None:
    """Return why there is no order, or why no fewer presses do; None where that goes unsaid."""
    if result.refutation is not None:
        return explain.sentence(result.board, result.refutation, result.counts)
    if result.evidence is None or not result.lower_bound:
        return None
    least, command = result.lower_bound, result.command
    return explain.bound_sentence(result.evidence, result.presses, least, command)


def reason(result: Result) -> str:
    """Return why, and what is proved, in a sentence; empty where it goes without saying."""
    because = why(result)
    if result.presses is None:
        return because or proved(result)
    parts = [how_often(result.board)] if result.command == "order" else []
    if result.lower_bound is not None and not result.board.pressed:
        parts.append(proved(result))
    text = "; ".join(parts)
    return f"{text}: {because}" if because is not None and result.optimal else text


def headline(result: Result, paint: Paint = no_paint) -> str:
    """Return the first line of an answer: the verdict, and what is proved."""
    verdict, statement = heading(result), proved(result)
    if result.presses is not None:
        once = f", {how_often(result.board)}" if result.command == "order" else ""
        statement = "" if result.board.pressed or not statement else f"; {statement}"
        return paint(verdict, "good") + f"{once}; replayed{statement}"
    if result.verdict == "unknown":
        return paint("unknown", "bad") + f": {result.reason or 'no answer'}"
    if result.claim == "C3":
        return paint("no", "bad") + f": {verdict}; {statement} (C3)"
    verdict = {"order": "no order", "solve": "no solution"}[result.command]
    return paint(verdict, "bad") + (f": {statement} ({result.claim})" if result.claim else ": ")


def words_of(
    result: Result,
    coordinates: Coordinates = "rc",
    paint: Paint = no_paint,
    *,
    ascii_only: bool = False,
) -> Iterator[str]:
    """Yield the lines of an answer: its headline, its presses, and its reason with a picture."""
    board = result.board
    yield headline(result, paint)
    if result.presses is not None and result.presses.size:
        yield ""
        yield from render.press_lines(board, result.presses, coordinates)
    if result.refutation is not None:
        yield from _why_not(result, result.refutation, paint, ascii_only)
        never = unwinnable(board.rule, board.goal_name)
        if never is not None and not isinstance(board.graph, Wired):
            yield from paragraph(f"{never.sentence} (--goal {never.nearest})", indent="  ")
    elif (because := why(result)) is not None:
        yield from paragraph(f"not fewer than {result.lower_bound}: {because}")
        listed = result.evidence.listed if isinstance(result.evidence, Lightest) else None
        for bulbs in listed or ():  # all press sets that are as light
            yield ""
            yield from render.press_lines(board, bulbs, coordinates)


def result_words(result: Result) -> str:
    """Return what a command prints first: the answer without its board and its method."""
    return "\n".join(words_of(result))


def paragraph(text: str, indent: str = "") -> list[str]:
    """Return a text as lines, below a blank one."""
    return ["", *render.wrapped(text.split(), indent=indent)]


def _why_not(
    result: Result, refutation: Refutation, paint: Paint, ascii_only: bool
) -> Iterator[str]:
    """Explain a refutation in words, and draw the bulbs that it names where they fit."""
    board = result.board
    yield from paragraph(explain.sentence(board, refutation, result.counts), indent="  ")
    bulbs, graph = explain.shown_bulbs(refutation), board.graph
    if bulbs is None or not bulbs.size:
        return
    yield ""
    if isinstance(graph, GridGraph) and max(graph.shape) <= 60:
        marked = graph.set_of(bulbs)
        drawn = render.draw(board, marked=marked, paint=paint, ascii_only=ascii_only)
        yield from ("  " + line for line in drawn)
        yield from render.legend("these bulbs", ascii_only=ascii_only)
    else:
        label = (graph.of_lights if isinstance(refutation, Witness) else graph).label
        words = [render.label_text(board, label(v)) for v in bulbs[:200].tolist()]
        if bulbs.size > 200:
            words.append(f"… ({bulbs.size} in all)")
        yield from render.wrapped(words)


def draw(board: Board | GraphLike, result: Any = None, *, moving: bool = False) -> str:
    """Return a picture of a board as an SVG document: alone, or with what a result says.

    That is when each bulb is pressed, or why there is no order; `moving` plays the presses. Of what
    `orient` answered, `board` is the graph. Raises BoardError if it is too large for a picture,
    BadArgument if the result is about another board, CheckFailed about another graph.

    >>> from ponder.model.board import Board
    >>> draw(Board.from_rows(["01", "10"]))[:4]
    '<svg'
    """
    from ponder.check.verification import verify
    from ponder.pictures.frames import order_film  # no text needs these: 5 ms of a command
    from ponder.pictures.svg import film_svg, scene_svg

    if not isinstance(board, Board) and hasattr(result, "to_json"):
        verify(board, content := result.to_json())
        return scene_svg(oriented(graph_given(board)[1], content).scene())
    need_board(board)
    if result is None:
        return scene_svg(Scene(board, cell=cell_size(board)))
    if getattr(result, "board", None) != board:
        raise BadArgument("it is no result about this board", "result")
    if moving and result.presses is not None:
        return film_svg(order_film(board, result.presses))
    return scene_svg(answer_scene(result))
