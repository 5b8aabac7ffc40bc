"""Commands of ponder as on another system: `python -m tests.elsewhere SYSTEM ARGUMENTS… then …`.

Where a command ends in `> FILE`, that is where its output goes.

`linux` leaves all as it is. What the others lack is taken away once the libraries are loaded that
ask for it themselves, and before ponder is.
"""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack, redirect_stdout, suppress
from typing import Any

from tests.check.alone import Refusing

LOADED = (
    "asyncio",
    "click",
    "mmap",
    "multiprocessing",
    "numpy.random",
    "ortools.sat.python.cp_model",
    "pysat.solvers",
    "tempfile",
)
"""Libraries that are other ones on another system; for the browser there is no OR-tools."""

MODULES = ("fcntl", "multiprocessing", "pwd", "readline", "resource", "termios", "tty")
OF_OS = ("fork", "getpgid", "killpg", "sched_getaffinity", "setsid", "sysconf")
OF_SIGNAL = ("SIGHUP", "SIGXCPU", "pthread_kill", "pthread_sigmask")


def imitate(system: str) -> None:
    """Take away what a system lacks."""
    if system == "linux":
        return
    if system == "emscripten":
        sys.meta_path.insert(0, Refusing(frozenset({"ortools"})))
    for name in LOADED:
        with suppress(ImportError):
            importlib.import_module(name)
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Refusing(frozenset(MODULES)))
    for module, names in ((os, OF_OS), (signal, OF_SIGNAL)):
        for name in names:
            delattr(module, name)
    if system == "emscripten":
        subprocess.Popen.__init__ = _refused  # type: ignore[method-assign]
        threading.Thread.start = _refused  # type: ignore[method-assign]
    sys.platform = system


def _refused(*arguments: Any, **more: Any) -> None:
    raise OSError("this system has neither processes nor threads")


def main() -> None:
    """Run the commands, until one fails."""
    imitate(sys.argv.pop(1))
    main = importlib.import_module("ponder.__main__").main
    for each in " ".join(sys.argv[1:]).split(" then "):
        command, _, file = each.partition(" > ")
        sys.argv = ["ponder", *command.split()]
        with ExitStack() as stack:
            if file:
                to = stack.enter_context(open(file, "w", encoding="utf-8"))
                stack.enter_context(redirect_stdout(to))
            try:
                main()
            except SystemExit as ended:
                if ended.code:
                    raise


if __name__ == "__main__":
    main()
