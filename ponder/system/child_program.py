"""The program that every child process begins as: `system.pool.Child` starts it and says more.

    child_program.py MEMORY FOLDER      MEMORY: bytes that it may take, or 0

Its first message on standard input says what it is to be: a command that takes its place (a
solver), or a function by its name, which then serves its parent (`Parent`).

First it forks a *watchdog*. This waits until the other end of standard input is closed (by the
parent, or by the kernel when the parent dies), removes FOLDER and kills the process group. It has
to be a process, since CaDiCaL inside python-sat holds the interpreter's lock while it solves; and
it keeps the group's number in use, so that the parent can never kill a stranger. Imports neither
numpy nor ponder (15 ms).
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NoReturn

OUTPUT = "output.txt"  # the file in FOLDER that takes what a command prints


class Parent:
    """The parent, as the function sees it that serves it."""

    def __init__(self, folder: str, requests: BinaryIO, replies: BinaryIO) -> None:
        self._folder = folder
        self._requests = requests
        self._replies = replies

    def requests(self) -> Iterator[Any]:
        """Yield what the parent asks; where it says nothing sensible any more, all of this ends."""
        while True:
            try:
                request = pickle.load(self._requests)
            except Exception:
                _end(self._folder)
            yield request

    def reply(self, message: object) -> None:
        """Tell the parent something; it takes None for the end."""
        pickled = pickle.dumps(message)  # what cannot be pickled leaves nothing in the pipe
        self._replies.write(pickled)
        self._replies.flush()


def main() -> None:
    """Become what the parent says."""
    memory, folder = int(sys.argv[1]), sys.argv[2]
    _end_with_parent(folder)
    _limit_memory(memory)
    # Libraries may print; only replies go to the parent, and only requests come from it.
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    try:
        command, path, function = pickle.load(requests)
    except Exception:
        _end(folder)
    if command:
        os.dup2(os.open(os.path.join(folder, OUTPUT), os.O_WRONLY | os.O_CREAT, 0o600), 1)
        if os.name == "nt":  # there it would be another process, and this one would have ended
            import subprocess

            sys.exit(subprocess.call(command))
        os.execv(command[0], command)
    from pkgutil import resolve_name

    sys.path[:] = path
    serve: Callable[[Parent], None] = resolve_name(function)
    serve(Parent(folder, requests, replies))


def _end_with_parent(folder: str) -> None:
    """Fork the watchdog; without it a child ends at its next request."""
    if not hasattr(os, "fork") or os.fork():
        return
    import select

    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, 1)  # else the parent would never see the end of its child's output
    os.dup2(devnull, 2)
    poll = select.poll()
    poll.register(0, 0)  # no event but POLLHUP: what is written is for the child
    while not poll.poll():
        pass
    _end(folder)


def _end(folder: str) -> NoReturn:
    """End the child and what it has started, whatever they are doing."""
    import shutil  # 10 ms that a parent who lives never waits for

    shutil.rmtree(folder, ignore_errors=True)
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def _limit_memory(most: int) -> None:
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if most and not 0 <= hard < most:  # no limit is -1
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


if __name__ == "__main__":
    main()
