"""How a file that cannot be accepted is refused: one clear line, with file, line and reason."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from typing import NoReturn

from ponder.system.errors import BadArgument, BoardError
from ponder.system.printable import shortened


def fail(reason: str, source: str, line: int | None = None) -> NoReturn:
    """Refuse what `source` holds; lines count from 1."""
    raise BoardError(reason, source, line)


def bad_argument(reason: str, parameter: str) -> NoReturn:
    """Refuse the value of a parameter."""
    raise BadArgument(reason, parameter)


def unknown(
    what: str, word: object, known: Iterable[str], also: Mapping[str, str] | None = None
) -> str:
    """Return that a word is none of those known, and which of them may be meant.

    That is the one that is spelt nearly so, or what `also` says of another name for it.

    >>> unknown("rule", "Lit", ["unlit", "lit"])
    "unknown rule 'Lit'; known: unlit, lit; did you mean `lit`?"
    """
    names = list(known)
    return f"unknown {what} {quoted(word)}; known: {', '.join(names)}{meant(word, names, also)}"


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
    if isinstance(value, str):
        return shortened(repr(value[:60]), 60)
    try:
        return shortened(reprlib.repr(value).replace("...", "…"), 60)
    except ValueError:  # Python refuses to print integers of thousands of digits
        return "a number of thousands of digits"
