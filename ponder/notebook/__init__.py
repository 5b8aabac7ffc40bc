"""The page's board in a notebook: `ponder.notebook.play(board)`. Needs the extra `notebook`."""

from __future__ import annotations

from ponder.system.errors import NeedsExtra

TYPE_CHECKING = False  # as in `typing`, which takes 3 ms

if TYPE_CHECKING:
    from ponder.model.board import Board
    from ponder.notebook.widget import Play


def play(board: Board | None = None) -> Play:
    """Return the page's board as a widget: draw, play, see the answer; `.board` is what it shows.

    Raises NeedsExtra without the extra, BoardError if the page does not draw it: a graph, sides
    above 100.

    >>> from ponder.model.board import Board
    >>> play(Board.from_rows(["01", "10"])).board.lit.tolist()
    [False, True, True, False]
    """
    try:
        import anywidget  # noqa: F401
    except ImportError:
        raise NeedsExtra("the widget", "anywidget", "notebook") from None
    from ponder.notebook.widget import Play

    return Play(board)
