"""`ponder.draw`: a picture of a board, or of what a result says of it, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ponder.model.arguments import need_board
from ponder.system.errors import BadArgument

if TYPE_CHECKING:
    from ponder.check.result import Result
    from ponder.model.board import Board


def draw(board: Board, result: Result | None = None, *, moving: bool = False) -> str:
    """Return a picture of a board as an SVG document: alone, or with what a result says.

    That is when each bulb is pressed, or why there is no order; `moving` plays the presses. Raises
    BoardError if the board is too large for a picture or a wiring, BadArgument if the result is
    about another board.

    >>> from ponder.model.board import Board
    >>> draw(Board.from_rows(["01", "10"]))[:4]
    '<svg'
    """
    from ponder.apps.pictures.answers import answer_scene
    from ponder.apps.pictures.frames import Film
    from ponder.apps.pictures.moving_svg import order_animation
    from ponder.apps.pictures.scene import Scene, cell_size
    from ponder.apps.pictures.svg import scene_svg

    need_board(board)
    if result is None:
        return scene_svg(Scene(board, cell=cell_size(board)))
    if getattr(result, "board", None) != board:
        raise BadArgument("it is no result about this board", "result")
    if moving and result.presses is not None:
        return order_animation(Film.of(board, result.presses))
    return scene_svg(answer_scene(result))
