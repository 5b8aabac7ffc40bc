"""Processes that tests start: marked, so that none is left behind; and solvers that are fakes.

A test waits for events, however long they take: what never happens ends with the test's own time
limit. Where something has to be given a number of seconds, it is given HANG.
"""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Final

HANG: Final = 250.0
"""Seconds after which something hangs: on no machine does it take so long, and tests have 300."""

LOOKS = 20
"""How often nothing is seen, a hundredth of a second apart, before a process is gone."""


def until(happened: Callable[[], object], patience: float = HANG) -> bool:
    """Wait for something to happen; False when it has not."""
    end = time.monotonic() + patience
    while not happened():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


_strangers: dict[str, set[Path]] = {}


def new_mark() -> str:
    """Return a mark for processes that are started from now on: those that run need no look."""
    mark = uuid.uuid4().hex
    _strangers[mark] = set(Path("/proc").glob("[0-9]*"))
    return mark


def processes_with(mark: str) -> list[str]:
    """Return the commands of the processes with a mark, and what each is waiting for."""
    commands = []
    there = set(Path("/proc").glob("[0-9]*"))
    strangers = _strangers[mark] = _strangers.get(mark, set()) & there  # a number may come again
    for folder in there - strangers:
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                command = (folder / "cmdline").read_text().replace("\0", " ")
                state = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
                commands.append(f"{command}: {' '.join(state)} {(folder / 'wchan').read_text()}")
        except OSError:
            continue  # gone, or not ours
    return commands


def left_with(mark: str) -> list[str]:
    """Return the commands of the processes with a mark that do not vanish.

    A process that is becoming another program shows no mark for a moment. So it is looked for until
    none is seen LOOKS times in a row.
    """
    unseen = 0

    def gone() -> bool:
        nonlocal unseen
        unseen = 0 if processes_with(mark) else unseen + 1
        return unseen == LOOKS

    return [] if until(gone, 60.0) else processes_with(mark)


def fake(folder: Path, body: str) -> str:
    """Write a fake solver; its variables: cnf, the path of the formula. Return its command."""
    script = folder / "fake-solver"
    header = f"#!{sys.executable}\nimport sys, time, os, subprocess\ncnf = sys.argv[1]\n"
    script.write_text(header + body, encoding="ascii")
    script.chmod(0o755)
    return f"{script} {{cnf}}"
