"""The tests as on a machine without OR-tools: `python -m pytest -p tests.without_ortools`."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder

from tests.lacking import (  # the hooks of this plugin, too
    LIBRARIES,
    asked,
    pytest_make_collect_report,
    pytest_runtest_makereport,
    pytest_runtest_protocol,
)

__all__ = [
    "pytest_make_collect_report",
    "pytest_runtest_makereport",
    "pytest_runtest_protocol",
]


class _Absent(MetaPathFinder):
    """Finds no OR-tools."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        """Refuse OR-tools; leave all else to the other finders."""
        if fullname.split(".")[0] == "ortools":
            asked[LIBRARIES["ortools"]] = None
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def pytest_load_initial_conftests() -> None:
    """Begin before anything is imported; only a plugin that was asked for (-p) hears this."""
    sys.meta_path.insert(0, _Absent())
