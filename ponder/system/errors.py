"""Errors with causes outside the program, and how they are told to the user.

Every error here becomes one line on standard error. Anything else that escapes is a bug.
"""

from __future__ import annotations

from importlib import import_module

from ponder.system.printable import printable, shortened

TYPE_CHECKING = False  # as in `typing`, which takes 3 ms in which the command does not listen yet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, NoReturn


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
        self.reason: str = reason
        self.source: str = source
        self.line: int | None = line


class BadArgument(BoardError):
    """A value that a parameter cannot have: of a function, or of the option of the same name.

    >>> print(BadArgument("-1 is not a number of seconds", "timeout").option)
    --timeout: -1 is not a number of seconds
    """

    @property
    def option(self) -> str:
        """The message of the command line."""
        return f"--{self.source.replace('_', '-')}: {self.reason}"


class LargeFile(BoardError):
    """A file larger than its reader allows."""


class CheckFailed(PonderError):
    """A claim that does not hold: the reason why the checker rejects it (exit code 1)."""


class NeedsLibrary(PonderError):
    """A library is missing that only some of ponder needs."""


class NeedsExtra(NeedsLibrary):
    """Such a library that comes with an extra."""

    def __init__(self, feature: str, module: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs {module}: in a clone of ponder, pip install '.[{extra}]'"
        )


def require(module: str, feature: str, extra: str) -> None:
    """Import an extra's module. Raises NeedsExtra, which says how to get it, if it is missing."""
    try:
        import_module(module)
    except ImportError as error:
        raise NeedsExtra(feature, f"{module} ({error})", extra) from None


def ortools(part: str, feature: str) -> Any:
    """Return a module of OR-tools (180 MB, so an option). Raises NeedsLibrary if it is missing."""
    try:
        return import_module(f"ortools.{part}")
    except ImportError as error:
        broken = "" if isinstance(error, ModuleNotFoundError) else f" ({error})"
        raise NeedsLibrary(f"{feature} needs OR-tools{broken}: pip install ortools") from None


class SolverError(PonderError):
    """A solver that cannot be run, or whose output is no answer (exit 2)."""


class NoShortProof(PonderError):
    """A refutation that is true, and has no proof for checkers from outside that is short."""

    @classmethod
    def of_kind(cls, kind: str, form: str, known: Iterable[str]) -> NoShortProof:
        """Return that a kind of refutation has no such proof, and which kinds have."""
        *earlier, last = dict.fromkeys(known)
        names = f"{', '.join(earlier)} and {last} have" if earlier else f"{last} has"
        return cls(f"a refutation of the kind {kind} has no {form}; {names} one")


def fail(reason: str, source: str, line: int | None = None) -> NoReturn:
    """Refuse what `source` holds; lines count from 1."""
    raise BoardError(reason, source, line)


def bad_argument(reason: str, parameter: str) -> NoReturn:
    """Refuse the value of a parameter."""
    raise BadArgument(reason, parameter)


def unknown(
    kind: str, word: object, known: Iterable[str], also: Mapping[str, str] | None = None
) -> str:
    """Return that a word is none of those known, and which of them may be meant.

    That is the one that is spelt nearly so, or what `also` says of another name for it.

    >>> unknown("rule", "Lit", ["unlit", "lit"])
    "unknown rule 'Lit'; known: unlit, lit; did you mean `lit`?"
    """
    names = list(known)
    return f"unknown {kind} {quoted(word)}; known: {', '.join(names)}{meant(word, names, also)}"


def meant(word: object, known: Iterable[str], also: Mapping[str, str] | None = None) -> str:
    """Return the question whether one of the known words was meant; nothing where none is near."""
    from difflib import get_close_matches

    if not isinstance(word, str):
        return ""
    words = {**{name.lower(): name for name in known}, **(also or {})}
    near = get_close_matches(word.strip().lower()[:60], words, 1, 0.7)
    return f"; did you mean `{words[near[0]]}`?" if near else ""


def quoted(value: object) -> str:
    """Return a value for an error message: printable, short, on one line."""
    import reprlib

    if isinstance(value, str):
        return shortened(repr(value[:60]), 60)
    try:
        text = " ".join(reprlib.repr(value).replace("...", "…").split())
    except ValueError:  # Python refuses to print integers of thousands of digits
        text = "<int instance"  # as Python 3.14 says it
    return (
        "a number of thousands of digits" if text[:13] == "<int instance" else shortened(text, 60)
    )
