"""Pictures in HTML: what notebooks show of boards, results and press sets, and sheets to print.

In a notebook an SVG is an image, so that neither its names nor its animation meet those of other
pictures on the page. An object too large for a picture returns None, and is printed.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape

import numpy as np

from ponder.check.result import Result
from ponder.find.coset.minimum_weight import AT_ONCE, lightest_press_set
from ponder.find.linear.press_sets import PressSets
from ponder.model.board import Board
from ponder.model.graph import GridGraph
from ponder.pictures.answers import answer_scene, heading, reason
from ponder.pictures.frames import order_film
from ponder.pictures.marks import press_set_marks
from ponder.pictures.scene import Scene, cell_size
from ponder.pictures.svg import film_svg, scene_svg
from ponder.system.errors import BoardError
from ponder.system.printable import pluralise

SIDE = 480  # pixels of the longer side of a board in a notebook, at most
MOST_MOVING = 4_000_000  # bulbs times presses of an animation; beyond it numbers are shown
QUIET = 4  # quiet patterns that are shown, at most


def board_svg(board: Board) -> str | None:
    """Return a board as an SVG document; None when it is too large for a picture."""
    try:
        return scene_svg(Scene(board, cell=cell_size(board, SIDE)))
    except BoardError:
        return None


def result_html(result: Result) -> str | None:
    """Return a result as HTML: its presses played, or its refusal drawn, and what is proved.

    >>> from ponder.find.order import order
    >>> result_html(order(Board.from_rows(["00", "11"])))[:15]
    '<figure style="'
    """
    board, presses = result.board, result.presses
    try:
        cell = cell_size(board, SIDE)
        if presses is not None and 0 < presses.size * board.graph.size <= MOST_MOVING:
            picture = film_svg(order_film(board, presses, cell=cell))
        else:
            picture = scene_svg(Scene(board, answer_scene(result).marks, cell=cell))
    except BoardError:
        return None
    return _figure([_image(picture, heading(result))], heading(result), reason(result))


def press_sets_html(sets: PressSets) -> str | None:
    """Return press sets as HTML: the lightest (or some) on the board, and quiet patterns."""
    board = sets.board
    if board is None:
        return None
    chosen, which = sets.particular, "one of them"
    if sets.nullity == 0:
        which = "the only one"
    elif sets.nullity <= AT_ONCE:
        chosen, which = lightest_press_set(sets)[0], "none has fewer"
    try:
        scene = Scene(board, press_set_marks(board, chosen), cell=cell_size(board, SIDE))
        pictures = [_image(scene_svg(scene), "press set"), *_quiet_patterns(sets, board)]
    except BoardError:
        return None
    many = "1 press set" if sets.nullity == 0 else f"2^{sets.nullity} press sets"
    bulbs = int(np.count_nonzero(chosen))
    words = f"marked: a press set of {pluralise(bulbs, 'bulb')}, {which}; nullity {sets.nullity}"
    return _figure(pictures, many, words)


def _quiet_patterns(sets: PressSets, board: Board) -> list[str]:
    if not isinstance(board.graph, GridGraph):
        return []
    shown = min(sets.nullity, QUIET)
    patterns = sets.kernel.combine(np.eye(shown, sets.nullity, dtype=np.bool_))
    cell = max(4, cell_size(board, SIDE) // 3)
    labels = (board.graph.labels(np.flatnonzero(pattern)) for pattern in patterns)
    scenes = (Scene(board, {"presses": bulbs}, cell=cell) for bulbs in labels)
    return [_image(scene_svg(scene), "quiet pattern") for scene in scenes]


def _image(svg: str, words: str) -> str:
    data = base64.b64encode(svg.encode()).decode("ascii")
    return (
        f'<img alt="{escape(words)}" src="data:image/svg+xml;base64,{data}" '
        'style="max-width: 100%; height: auto; vertical-align: top; margin: 0 8px 8px 0">'
    )


def _figure(images: list[str], title: str, words: str) -> str:
    caption = f"<strong>{escape(title)}</strong>" + (f": {escape(words)}" if words else "")
    return (
        f'<figure style="margin: 0">{"".join(images)}'
        f'<figcaption style="max-width: 60ch">{caption}</figcaption></figure>'
    )


_HEAD = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Boards</title><style>
body { font-family: sans-serif; margin: 1cm; }
section { display: grid; grid-template-columns: repeat(auto-fill, minmax(7cm, 1fr)); gap: 8mm; }
section + h1 { break-before: page; }
figure { margin: 0; break-inside: avoid; }
figure svg { width: 100%; height: auto; max-height: 12cm; }
@page { size: A4; margin: 1cm; }
</style></head><body>
"""


def html_sheet(boards: Iterable[Scene], answers: Iterable[Scene]) -> str:
    """Return a document with numbered boards; the answers follow on new pages."""
    pages = [_HEAD]
    for above, scenes in (("Boards", boards), ("Answers", answers)):
        figures = [
            f"<figure><figcaption>{number}.</figcaption>\n{scene_svg(scene, 'print')}</figure>\n"
            for number, scene in enumerate(scenes, 1)
        ]
        if figures:
            pages.append(f"<h1>{escape(above)}</h1>\n<section>\n{''.join(figures)}</section>\n")
    return "".join([*pages, "</body></html>\n"])
