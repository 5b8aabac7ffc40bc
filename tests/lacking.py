"""What a test asks for and this system lacks: libraries, processes, threads.

A test that fails after it has asked for such a thing is skipped, and says what it needs; one that
fails and has not asked stays red. `conftest.py` loads this plugin where something is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from importlib.abc import MetaPathFinder
from typing import Any, Final

import pytest

from ponder.system.machine import single_threaded_platform

LIBRARIES: Final = {
    "PIL": "Pillow",
    "clingo": "clingo",
    "dratify": "dratify",
    "lzma": "lzma",
    "networkx": "networkx",
    "ortools": "OR-tools",
    "pysat": "python-sat",
    "resource": "resource",
    "sqlite3": "sqlite3",
    "termios": "terminals",
}

asked: Final[dict[str, None]] = {}
"""What the test at hand has asked for in vain."""


class _Missing(MetaPathFinder):
    """Hears of the modules that no other finder has found."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        name = fullname.split(".")[0]
        if name in LIBRARIES:
            asked[LIBRARIES[name]] = None


sys.meta_path.append(_Missing())


def _in_vain(thing: str, ask: Any) -> Any:
    def told(*arguments: Any, **more: Any) -> Any:
        asked[thing] = None
        return ask(*arguments, **more)

    return told


if single_threaded_platform():
    subprocess.Popen.__init__ = _in_vain("processes", subprocess.Popen.__init__)  # type: ignore[method-assign]
    threading.Thread.start = _in_vain("threads", threading.Thread.start)  # type: ignore[method-assign]
    os.openpty = _in_vain("terminals", getattr(os, "openpty", None))
    os.mkfifo = _in_vain("named pipes", getattr(os, "mkfifo", None))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Forget what was asked before this test."""
    asked.clear()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make a failure for want of something a skipped test."""
    report = yield
    if call.excinfo is not None and "needs a process of its own" in str(call.excinfo.value):
        asked["processes"] = None  # ponder itself has looked before it asked
    if report.failed and asked:
        path, line, _ = item.location
        report.outcome = "skipped"
        report.longrepr = (path, line or 0, f"Skipped: needs {', '.join(asked)}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Do the same for a file of tests that cannot be imported."""
    asked.clear()
    report = yield
    if report.failed and asked:
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: needs {', '.join(asked)}")
    return report
