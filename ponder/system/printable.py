"""Foreign words on their way to a terminal: names of files and nodes, and what quotes them.

A name may hold anything. Control characters move the cursor, change colours or rename the window,
bidirectional marks turn the line around, a line end makes two errors of one, and half a surrogate
pair cannot be written at all. None of these reaches a terminal: each is shown by its escape.

Boards, results and press sets show themselves in a notebook by a name in a table (`shown`), which
`ponder/__init__.py` fills: so that they know nothing of pictures.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes 3 ms

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_MOST = 2000  # characters of a message at most
LONGEST_REASON = 600  # characters of an error or a remark, which may repeat a long word


def printable(text: str) -> str:
    r"""Return the text with everything escaped that is no visible character or plain blank.

    >>> print(printable("a\x1b[31mb\n"), printable("über 日本"))
    a\x1b[31mb\n über 日本
    """
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )


def names_listed(names: Iterable[object], between: str = " ") -> str:
    r"""Return names that strangers have given, on one line.

    >>> print(names_listed(["a\n2: oriented", 3]))
    a\n2: oriented 3
    """
    return between.join(printable(str(name)) for name in names)


def pluralise(number: int, thing: str) -> str:
    """Return a number with the word for what it counts, in the singular for one."""
    if number != 1:
        ending = "es" if thing.endswith(("s", "ch", "x")) else "s"
        thing = "vertices" if thing == "vertex" else thing + ending
    return f"{number} {thing}"


def inflect(number: int, singular: str, plural: str) -> str:
    """Return the form of a word that goes with a number of things: `is` or `are`, say."""
    return singular if number == 1 else plural


def shortened(text: str, most: int) -> str:
    """Return a text of at most `most` characters, with … at the end of a longer one."""
    return text if len(text) <= most else text[: most - 1] + "…"


def abridged(text: str, most: int) -> str:
    """Return a text of at most `most` characters; a longer one loses its middle to an ellipsis."""
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f"{text[: most - 1 - end]}…{text[len(text) - end :]}"


def one_line(text: str) -> str:
    """Return a message as it goes to standard error: printable, on one line, of bounded length."""
    return printable(shortened(text, _MOST))


_MAKERS: dict[str, tuple[str, str]] = {}


def shown_by(kind: str, module: str, function: str) -> None:
    """Say which function of which module shows things of a kind."""
    _MAKERS[kind] = module, function


def shown(kind: str, thing: Any) -> str | None:
    """Return a thing as SVG or HTML; None, whereupon a notebook prints it, if it cannot be shown.

    >>> shown("number", 3) is None
    True
    """
    if kind not in _MAKERS:
        return None
    from importlib import import_module

    module, function = _MAKERS[kind]
    text = getattr(import_module(module), function)(thing)
    return None if text is None else str(text)
