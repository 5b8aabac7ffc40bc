"""Fuzzing: inputs made at random, and a judgement of what ponder makes of each.

    python -m tests.fuzz --minutes 2 --seed 20261121
    python -m tests.fuzz --kind boards --batch 17 --seed 20261121     one batch again

Each kind of input is a module of this package, named for what it makes. It offers one function,

    attempt(rng) -> int

which tries one batch of inputs made from `rng` alone, returns how many these were, and raises
`Failure` at the first that fails. Judged by all of them:

* the library raises `PonderError` or nothing, the command line ends in one of its exit codes, and
  exit code 2 comes with exactly one line of reason, of bounded length, without control characters;
* nothing takes longer than `limits.SECONDS` or more than `limits.MEMORY`;
* where brute force can tell what is true, nothing false is said.

A kind that finds a fault shrinks the input (`shrinking`), and the runner (`running`) goes on to
find others.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import ponder

KINDS = ("boards", "options", "presses", "formulas", "answers", "results")
"""The modules that make inputs. They share the time equally."""


class Failure(Exception):
    """An input on which ponder fails: what is wrong, and how to see it again.

    `reproduction` may be a function: it is called when the failure is a new one, and may take its
    time to shrink the input. `key` tells new failures from known ones; unless given, it is where
    the error behind this one was raised (`raise Failure(…) from error`), or else the description.
    """

    def __init__(
        self, description: str, reproduction: str | Callable[[], str], key: str | None = None
    ) -> None:
        super().__init__(description)
        self.description = description
        self._reproduction = reproduction
        self._key = key

    @property
    def reproduction(self) -> str:
        """How to see it again, the input shrunk."""
        made = self._reproduction
        return made if isinstance(made, str) else made()

    @property
    def key(self) -> str:
        """What this failure has in common with those of the same cause."""
        if self._key is not None:
            return self._key
        return self.description if self.__cause__ is None else origin(self.__cause__)


def origin(error: BaseException) -> str:
    """Return the kind of an error and the last frame of ponder (else the last) it came through.

    >>> try:
    ...     [][1]
    ... except IndexError as error:
    ...     origin(error).split(" in ")[0]
    'IndexError'
    """
    frames, at = [], error.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        frames.append((code.co_filename, code.co_name))
        at = at.tb_next
    # By the package's own folder: the checkout may lie in a folder of any name, `tests` among them.
    house = f"{Path(ponder.__file__).parent}{os.sep}"
    ours = [frame for frame in frames if frame[0].startswith(house)]
    file, function = (ours or frames or [("", "?")])[-1]
    return f"{type(error).__name__} in {file.removeprefix(house)}:{function}"
