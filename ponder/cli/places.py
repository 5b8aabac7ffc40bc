"""Whether an answer can be written where it is wanted: asked before the work, not after.

Nothing is made or touched here, and what is free now may be taken later: the writing itself has
the last word.
"""

from __future__ import annotations

import os


def check_file(file: str) -> None:
    """Refuse a name that no file can be written under; BoardError with the reason.

    >>> check_file("no/such/folder/answer.txt")
    Traceback (most recent call last):
    ...
    ponder.errors.BoardError: no/such/folder/answer.txt: cannot be written: there is no such folder
    """
    target = _target(file)
    if os.path.isdir(target):
        raise _refused(file, "this is a folder")
    if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe
        return
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise _refused(file, "there is no such folder")
    if not os.access(folder, os.W_OK):
        raise _refused(file, "no permission")


def check_folder(folder: str) -> None:
    """Refuse a name under which no folder is or can be made, with those above it, and written to.

    >>> check_folder("no/such/folder")
    >>> check_folder("/dev/null/plots")
    Traceback (most recent call last):
    ...
    ponder.errors.BoardError: /dev/null/plots: cannot be written: /dev/null is no folder
    """
    above = _target(folder)
    while not os.path.lexists(above) and above != os.path.dirname(above):
        above = os.path.dirname(above)
    if not os.path.isdir(above):
        raise _refused(folder, f"{above} is no folder")
    if not os.access(above, os.W_OK):
        raise _refused(folder, "no permission")


def _target(name: str) -> str:
    """Return what a name stands for, links followed; BoardError for one that no system takes."""
    try:
        target = os.path.realpath(name)
        os.lstat(target)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise _refused(name, str(reason)) from None
    return target


def _refused(name: str, reason: str) -> Exception:
    from ponder.errors import BoardError

    return BoardError(f"cannot be written: {reason}", name)
