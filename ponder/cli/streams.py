"""Standard streams that are closed or break.

With `ponder … >&-` the number 1 is free: the next file that is opened, a study perhaps, would get
it, and whatever a child process prints would land in that file. So a closed stream is replaced by
one that is open the wrong way round: reading closed input and writing closed output fail with the
system's own words, and what goes to closed standard error is lost, as was asked for.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress


def replace_closed() -> None:
    """See to it that the numbers 0, 1 and 2 are taken, and that Python has streams for them."""
    for number, way in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, way)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            os.set_inheritable(number, True)
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def drop_broken_output() -> None:
    """Forget what standard output could not take, lest Python fails once more when it exits."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
