"""Boards, press sets and results as scenes, orders as films: what is drawn, and in which words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ponder.errors import BoardError
from ponder.limits import Limits
from ponder.pictures.frames import Frame, frame_words, frames_of
from ponder.pictures.marks import count_marks, marks_of, order_marks, press_set_marks
from ponder.pictures.scene import Marks, Places, Scene
from ponder.pictures.words import heading, reason
from ponder.printable import counted
from ponder.puzzle.board import Board
from ponder.puzzle.press_set_refutations import OddWitness
from ponder.puzzle.result import Result
from ponder.types import Bits, Ints

View: TypeAlias = Literal["board", "presses", "counts", "numbers", "refusal"]
"""What is drawn on a board: nothing, a press set, how often or when bulbs are pressed, why not."""

SIDE, NUMBERED_SIDE = 720, 1200
"""Pixels of the longer side of a picture, and of one with numerals in its bulbs."""


def cell_size(board: Board, most: int = SIDE) -> int:
    """Return the pixels of a cell, so that the board's longer side has `most` at most; 4 to 40.

    >>> cell_size(Board.from_rows(["01"])), cell_size(Board.from_rows(["01" * 50]))
    (40, 7)
    """
    places = Places.of(board)
    return max(4, min(40, int(most / max(places.width, places.height))))


def press_set_scene(
    board: Board, press_set: Bits, words: str = "", *, lines: bool = True, cell: int | None = None
) -> Scene:
    """Return a press set on its board, with words that say what is known of it.

    >>> board = Board.from_rows(["00", "11"])
    >>> press_set_scene(board, board.graph.set_of([0, 1])).heading
    'Press set of 2 bulbs'
    """
    many = int(np.count_nonzero(press_set))
    said = f"Press set of {counted(many, 'bulb')}"
    marks = press_set_marks(board, press_set)
    return Scene(board, _chosen(marks, lines), said, _sentence(words), cell or cell_size(board))


def witness_scene(board: Board, witness: OddWitness, cell: int | None = None) -> Scene:
    """Return a board without a press set, and why it has none."""
    marks, why = marks_of(board, witness), _sentence(witness.sentence(board))
    return Scene(board, marks, "No press set", why, cell or cell_size(board))


def default_view(result: Result) -> View:
    """Return what is drawn of a result, where nothing else is asked: the order, or why not.

    >>> default_view(Result("order", Board.from_rows(["0"]), "impossible", "lines"))
    'refusal'
    """
    if result.presses is None:
        return "refusal"
    once = result.presses.size == 0 or int(np.bincount(result.presses).max()) == 1
    return "numbers" if once else "counts"


def answer_scene(
    result: Result, view: View | None = None, *, lines: bool = True, cell: int | None = None
) -> Scene:
    """Return a result as a scene; BoardError when it has nothing that is asked for.

    >>> from ponder.pipeline.order import order
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
        if view == "presses":
            odd = np.bincount(presses, minlength=board.graph.size) % 2 == 1
            marks = press_set_marks(board, odd)
        else:
            marks = (order_marks if view == "numbers" else count_marks)(board, presses)
    cell = cell or cell_size(board, NUMBERED_SIDE if view == "numbers" else SIDE)
    said = (_capital(heading(result)), _sentence(reason(result)))
    return Scene(board, _chosen(marks, lines), *said, cell)


def _chosen(marks: Marks, lines: bool) -> Marks:
    """Return marks, without line bits where these are not wanted and nothing else needs them."""
    if lines or "rows" in marks:
        return marks
    return {key: value for key, value in marks.items() if key != "lines"}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    """Return words as a sentence."""
    return f"{_capital(text)}." if text else ""


@dataclass(frozen=True, eq=False)
class Film:
    """The frames of an order, and what stays.

    `said`   the words below each frame; all empty where none are wanted
    `scene`  the board at the start, with line bits if they are shown, and the longest words
    """

    frames: list[Frame]
    said: list[str]
    scene: Scene

    @classmethod
    def of(
        cls, board: Board, presses: Ints, side: int, speed: float | None, label: bool, lines: bool,
        cell: int | None, limits: Limits,
    ) -> Film:  # fmt: skip
        """Lay an order out; `side`: pixels of the board's longer side without a `cell`. TimeUp."""
        frames = list(limits.over(frames_of(board, presses, speed), 1))
        bits = frames[0].bits if lines else None
        marks: Marks = {} if bits is None else {"lines": [bit.tolist() for bit in bits]}
        said = [frame_words(board, frame, presses.size) if label else "" for frame in frames]
        heading = max(said, key=len)
        return cls(frames, said, Scene(board, marks, heading, cell=cell or cell_size(board, side)))
