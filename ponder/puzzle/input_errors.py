"""How a file that cannot be accepted is refused: one clear line, with file, line and reason."""

from __future__ import annotations

import reprlib
from typing import NoReturn

from ponder.errors import BoardError
from ponder.printable import shortened


def fail(reason: str, source: str, line: int | None = None) -> NoReturn:
    """Refuse what `source` holds; lines count from 1.

    >>> fail("no grid", "board.txt", 2)
    Traceback (most recent call last):
    ...
    ponder.errors.BoardError: board.txt:2: no grid
    """
    raise BoardError(reason, source, line)


def quoted(value: object) -> str:
    """Return a value for an error message: printable, short, on one line.

    >>> quoted(list(range(99))), quoted("\\n")
    ('[0, 1, 2, 3, 4, 5, …]', "'\\\\n'")
    """
    if isinstance(value, str):
        return shortened(repr(value[:60]), 60)
    try:
        return shortened(reprlib.repr(value).replace("...", "…"), 60)
    except ValueError:  # Python refuses to print integers of thousands of digits
        return "a number of thousands of digits"
