"""What can go wrong for reasons outside the program, and how it is told to the user.

Every error here becomes one line on standard error. Anything else that escapes is a bug.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from ponder.printable import printable


class PonderError(Exception):
    """Base of all errors that are the input's fault, not the program's (exit code 2)."""


class BoardError(PonderError):
    """A board, press list or result that cannot be accepted: file, line and reason.

    >>> print(BoardError("the grid is empty", "board.txt", 3))
    board.txt:3: the grid is empty
    """

    def __init__(self, reason: str, source: str = "board", line: int | None = None) -> None:
        named = printable(source) or "''"
        place = named if line is None else f"{named}:{line}"
        super().__init__(f"{place}: {reason}")
        self.reason, self.source, self.line = reason, source, line


class LargeFile(BoardError):
    """A file larger than whoever reads it allows."""


class NeedsMemory(PonderError):
    """More memory would be needed than is allowed; said before any of it is asked for."""


class CheckFailed(PonderError):
    """A claim that does not hold: the reason why the checker rejects it (exit code 1)."""


class NeedsExtra(PonderError):
    """A library is missing that only some of ponder needs: it comes with an extra.

    >>> print(NeedsExtra("the widget", "anywidget", "notebook"))
    the widget needs anywidget: in a clone of ponder, pip install '.[notebook]'
    """

    def __init__(self, what: str, module: str, extra: str) -> None:
        super().__init__(f"{what} needs {module}: in a clone of ponder, pip install '.[{extra}]'")


def require(module: str, what: str, extra: str) -> None:
    """Import a module of an extra; NeedsExtra that says how to get it when it is missing.

    >>> require("json", "reading", "plots")
    """
    try:
        import_module(module)
    except ImportError as error:
        raise NeedsExtra(what, f"{module} ({error})", extra) from None


class SolverError(PonderError):
    """A solver that cannot be run, or whose output is no answer: never taken for one (exit 2)."""


class NoShortProof(PonderError):
    """A refutation that is true, and has no proof for checkers from outside that is short."""

    @classmethod
    def of_kind(cls, kind: str, what: str, known: Iterable[str]) -> NoShortProof:
        """Return that a kind of refutation has no such proof, and which kinds have.

        >>> print(NoShortProof.of_kind("coset", "short proof", ["line-count", "line-cut"]))
        a refutation of the kind coset has no short proof; these have: line-count, line-cut
        """
        names = ", ".join(dict.fromkeys(known))
        return cls(f"a refutation of the kind {kind} has no {what}; these have: {names}")
