"""ponder: exact answers to light-toggling puzzles in which the order of the presses matters.

>>> import ponder
>>> board = ponder.Board.from_rows(["0011", "1101", "0110", "0001"])
>>> board.graph.size
16
>>> ponder.order(board).count
4

Everything named here is loaded on first use, so that `import ponder` costs nothing.
"""

from __future__ import annotations

from ponder.errors import BoardError, CheckFailed, PonderError
from ponder.shown import shown_by
from ponder.version import __version__

TYPE_CHECKING = False  # as in `typing`, which takes 3 ms in which the command does not listen yet

if TYPE_CHECKING:
    from ponder.check.verification import verify
    from ponder.linear.press_sets import PressSets, kernel, nullity, press_sets
    from ponder.pipeline.order import order
    from ponder.pipeline.orientation import Orientation, Refusal, orient
    from ponder.pipeline.solve import solve
    from ponder.puzzle.board import Board
    from ponder.puzzle.formats import parse_board, read
    from ponder.puzzle.ordering_problem import Unknown
    from ponder.puzzle.result import Result

__all__ = [
    "Board",
    "BoardError",
    "CheckFailed",
    "Orientation",
    "PonderError",
    "PressSets",
    "Refusal",
    "Result",
    "Unknown",
    "__version__",
    "kernel",
    "nullity",
    "order",
    "orient",
    "parse_board",
    "press_sets",
    "read",
    "solve",
    "verify",
]

_HOME = {
    "Board": "ponder.puzzle.board",
    "Orientation": "ponder.pipeline.orientation",
    "PressSets": "ponder.linear.press_sets",
    "Refusal": "ponder.pipeline.orientation",
    "Result": "ponder.puzzle.result",
    "Unknown": "ponder.puzzle.ordering_problem",
    "kernel": "ponder.linear.press_sets",
    "nullity": "ponder.linear.press_sets",
    "order": "ponder.pipeline.order",
    "orient": "ponder.pipeline.orientation",
    "parse_board": "ponder.puzzle.formats",
    "press_sets": "ponder.linear.press_sets",
    "read": "ponder.puzzle.formats",
    "solve": "ponder.pipeline.solve",
    "verify": "ponder.check.verification",
}

shown_by("board", "ponder.pictures.notebook", "board_svg")
shown_by("result", "ponder.pictures.notebook", "result_html")
shown_by("press sets", "ponder.pictures.notebook", "press_sets_html")


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'ponder' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
