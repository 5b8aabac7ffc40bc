"""The tests as on a machine without OR-tools: `python -m pytest -p tests.without_ortools`.

A test that fails after it has asked for OR-tools is skipped; one that fails and has not stays red.
Where OR-tools is missing indeed, `conftest.py` loads this.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from importlib.abc import MetaPathFinder

import pytest


class _Absent(MetaPathFinder):
    """Finds no OR-tools, and knows whether somebody asked."""

    asked = False

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        """Refuse OR-tools; leave all else to the other finders."""
        if fullname.split(".")[0] == "ortools":
            self.asked = True
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


_absent = _Absent()
sys.meta_path.insert(0, _absent)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Forget who asked before this test."""
    _absent.asked = False
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make a failure for want of OR-tools a skipped test."""
    report = yield
    if report.failed and _absent.asked:
        path, line, _ = item.location
        report.outcome = "skipped"
        report.longrepr = (path, line or 0, "Skipped: needs OR-tools")
    return report
