"""What holds for every test: programs that may be missing, and a time limit for a hang."""

from __future__ import annotations

import faulthandler
import gc
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Final

import pytest
from hypothesis import settings

from ponder.cli.output import Progress
from ponder.system.machine import ENDING, single_threaded_platform
from tests.processes import left_with, new_mark
from tests.verified import building

# Bytecode is kept, whatever the environment says: else every worker rewrites the asserts of all
# tests again, and every command that a test starts compiles ponder.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# What is timed is a benchmark, not a test; the fuzzer goes further than some examples.
settings.register_profile("ponder", deadline=None, max_examples=20)
settings.load_profile("ponder")

PROGRAMS: Final = ("minisat", "cadical")
"""What the tests marked `external` run; `.ci/tools` installs them."""

BROWSERS: Final = ("chromium-headless-shell", "chromium")
"""What the tests marked `browser` run: the first that is there."""

DEEP_SECONDS: Final = 1800.0
"""The time limit of a deep test; that of the others is in `pyproject.toml`."""

GRACE: Final = 30.0
"""Seconds after the time limit when a process ends that not even its timer thread can end."""

_limit: Final = pytest.StashKey[float]()
_stderr: Final = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the answers in `tests/cli/commands.txt` be written anew."""
    parser.addoption("--update", action="store_true", help="write the answers of commands anew")


def pytest_configure(config: pytest.Config) -> None:
    """Keep standard error, which is captured while tests run; hear signals that are ignored.

    A runner that was started in the background, or by nohup, ignores Ctrl-C and its kin, and so
    would every process that the tests interrupt.
    """
    if "tests.without_ortools" not in sys.modules and (
        single_threaded_platform() or find_spec("ortools") is None
    ):
        config.pluginmanager.import_plugin("tests.lacking")
    config.stash[_stderr] = os.dup(2)
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_IGN:
            usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
            signal.signal(number, usual)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage among modules and tests, of which nothing goes before the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers more than processors: many tests wait for a browser, a command, a time limit."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give every test its time limit."""
    usual = float(config.getini("timeout") or 0)
    given = config.getoption("timeout", None)  # by hand: holds for all
    for item in items:
        mark = item.get_closest_marker("timeout")
        deep = item.get_closest_marker("deep") is not None
        if given is None and mark is None and deep:
            item.add_marker(pytest.mark.timeout(DEEP_SECONDS))
        marked = (
            (mark.args[0] if mark.args else mark.kwargs["timeout"]) if mark is not None else None
        )
        default = given if given is not None else DEEP_SECONDS if deep else usual
        item.stash[_limit] = float(default if marked is None else marked)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """End the process, with its stacks, when it hangs in C code that holds Python's lock.

    The thread of pytest-timeout ends every other hang, and sooner; a worker of pytest-xdist that
    ends is a failed test, and is replaced.
    """
    seconds = 0.0 if single_threaded_platform() else item.stash.get(_limit, 0.0)
    if seconds:
        faulthandler.dump_traceback_later(
            seconds + GRACE, exit=True, file=item.config.stash[_stderr]
        )
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what needs a program that is not here; where tests decide (CI), that is a failure."""
    missing = []
    if item.get_closest_marker("external") is not None:
        missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if item.get_closest_marker("browser") is not None and not any(map(shutil.which, BROWSERS)):
        missing.append(BROWSERS[0])
    if item.get_closest_marker("coq") is not None:
        missing += building.missing()
    if missing:
        reason = f"not on the path: {', '.join(missing)} (`.ci/tools` installs them)"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def no_progress() -> None:
    """A busy machine says no more than a quiet one: progress is shown only where a test asks."""
    Progress.FIRST = threading.TIMEOUT_MAX


@pytest.fixture
def left_over(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Mark all processes that a test starts; at its end none of them may be left."""
    mark = new_mark()
    monkeypatch.setenv("PONDER_TEST_MARK", mark)
    yield mark
    assert left_with(mark) == []
