"""ponder: exact answers to light-toggling puzzles in which the order of the presses matters.

>>> import ponder
>>> board = ponder.Board.from_rows(["0011", "1101", "0110", "0001"])
>>> board.graph.size
16
>>> result = ponder.order(board)  # solve: the fewest presses; verify: check either
>>> print(result.sentence)
4 presses, each bulb at most once; replayed; proved: no order has fewer
>>> result.places
[(3, 0), (0, 1), (0, 3), (1, 1)]
>>> ponder.Board.from_grid([[1, 0], [0, 0]], puzzle="lights-out").rule
'any'

A board comes from `read` (any file), `parse_board` (a text), `Board.from_rows`, `Board.from_grid`
(an array), `Board.from_graph`, `Board.from_buttons`, `shape` (`shape("hex", 4)`) or `generate`; a
graph goes to `orient`. `verify` checks an answer, `prove` writes it for other checkers. `draw` and
`export` make pictures and formulas, `count_orders` and `all_orders` say how many answers there are.
Whatever cannot be accepted raises `PonderError` with the name of the parameter.

Everything named here is loaded on first use, so that `import ponder` costs nothing.
"""

from __future__ import annotations

from ponder.system.errors import (
    BadArgument,
    BoardError,
    CheckFailed,
    LargeFile,
    NeedsExtra,
    NeedsLibrary,
    NoShortProof,
    PonderError,
    SolverError,
)
from ponder.system.printable import shown_by
from ponder.system.version import __version__

TYPE_CHECKING = False  # as in `typing`, which takes 3 ms in which the command does not listen yet

if TYPE_CHECKING:
    from ponder import notebook as notebook
    from ponder.check.block import Block
    from ponder.check.certificate import Bound, Certificate, Refutation
    from ponder.check.coset import Lightest
    from ponder.check.cut import Cut
    from ponder.check.dual import ModuloFour, Packing
    from ponder.check.formula import Formula
    from ponder.check.members import Members
    from ponder.check.result import Result, Solved, Unsolved
    from ponder.check.settings import Settings
    from ponder.check.verification import Report, Statement, verify
    from ponder.check.witness import DeadEnd, Randomised, States, Witness
    from ponder.find.counting import (
        Count,
        OrderCount,
        all_orders,
        all_orientations,
        count_orders,
        count_orientations,
    )
    from ponder.find.formula_question import export
    from ponder.find.linear.press_sets import PressSets, kernel, nullity, press_sets
    from ponder.find.order import order
    from ponder.find.orient import Orientation, Refusal, orient
    from ponder.find.prove import prove
    from ponder.find.solve import search, solve
    from ponder.find.solvers.by_encoding import SolverSettings
    from ponder.model.board import Board
    from ponder.model.formats import parse_board, read
    from ponder.model.ordering_problem import Unknown
    from ponder.model.shapes import shape
    from ponder.pictures.answers import draw
    from ponder.studies.sampling import generate
    from ponder.system.limits import LimitReached, Limits, NeedsMemory, TimeUp

__all__ = [
    "BadArgument", "Block", "Board", "BoardError", "Bound", "Certificate", "CheckFailed", "Count",
    "Cut", "DeadEnd", "Formula", "LargeFile", "Lightest", "LimitReached", "Limits", "Members",
    "ModuloFour", "NeedsExtra", "NeedsLibrary", "NeedsMemory", "NoShortProof", "OrderCount",
    "Orientation", "Packing", "PonderError", "PressSets", "Randomised", "Refusal", "Refutation",
    "Report", "Result", "Settings", "Solved", "SolverError", "SolverSettings", "Statement",
    "States", "TimeUp", "Unknown", "Unsolved", "Witness", "__version__", "all_orders",
    "all_orientations", "count_orders", "count_orientations", "draw", "export", "generate",
    "kernel", "nullity", "order", "orient", "parse_board", "press_sets", "prove", "read", "search",
    "shape", "solve", "verify",
]  # fmt: skip

_HOME = {
    name: module
    for module, names in {
        "ponder.check.block": "Block",
        "ponder.check.certificate": "Bound Certificate Refutation",
        "ponder.check.coset": "Lightest",
        "ponder.check.cut": "Cut",
        "ponder.check.dual": "ModuloFour Packing",
        "ponder.check.formula": "Formula",
        "ponder.check.members": "Members",
        "ponder.check.result": "Result Solved Unsolved",
        "ponder.check.settings": "Settings",
        "ponder.check.verification": "Report Statement verify",
        "ponder.check.witness": "DeadEnd Randomised States Witness",
        "ponder.find.counting": (
            "Count OrderCount all_orders all_orientations count_orders count_orientations"
        ),
        "ponder.find.formula_question": "export",
        "ponder.find.linear.press_sets": "PressSets kernel nullity press_sets",
        "ponder.find.order": "order",
        "ponder.find.orient": "Orientation Refusal orient",
        "ponder.find.prove": "prove",
        "ponder.find.solve": "search solve",
        "ponder.find.solvers.by_encoding": "SolverSettings",
        "ponder.model.board": "Board",
        "ponder.model.formats": "parse_board read",
        "ponder.model.ordering_problem": "Unknown",
        "ponder.model.shapes": "shape",
        "ponder.pictures.answers": "draw",
        "ponder.studies.sampling": "generate",
        "ponder.system.limits": "LimitReached Limits NeedsMemory TimeUp",
    }.items()
    for name in names.split()
}

shown_by("board", "ponder.pictures.html", "board_svg")
shown_by("board words", "ponder.model.render", "described")
shown_by("result", "ponder.pictures.html", "result_html")
shown_by("sentence", "ponder.pictures.answers", "headline")
shown_by("words", "ponder.pictures.answers", "result_words")
shown_by("press sets", "ponder.pictures.html", "press_sets_html")


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "notebook":  # the module: `ponder.notebook.play(board)`
        value: object = import_module("ponder.notebook")
    elif name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        raise AttributeError(f"module 'ponder' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
