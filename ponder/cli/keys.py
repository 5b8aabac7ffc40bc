"""Keys from a terminal, one at a time, as they are typed.

The terminal is told once, before the first picture, not to wait for Enter and not to echo; so no
key is lost between two. Ctrl-C stays what it is. Where there is no `termios`, click asks for each.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

MOST = 32
"""Bytes of a key at most: an arrow is an escape sequence."""


@contextmanager
def typed() -> Iterator[Callable[[], str]]:
    """Give a function that waits for the next key and returns it; "" when nobody types any more."""
    try:
        import termios
        import tty
    except ImportError:
        yield click.getchar
        return
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number, termios.TCSANOW)
        yield lambda: os.read(number, MOST).decode("utf-8", "replace")
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
