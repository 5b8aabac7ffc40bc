"""The checker without whatever finds answers: a process in which that cannot be imported.

`python -m tests.check.alone` reads a JSON list of [board text, result] and writes what becomes of
each (`holds`, `open`, or why it is refused) and the modules that were loaded, all of the checker's
among them.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

ALLOWED = ("system", "model", "formulas", "encodings", "check")
"""The packages that the checker stands on, from the lowest."""


class Refusing(MetaPathFinder):
    """Lets nothing of the given packages and libraries be imported."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse, or leave the module to the other finders."""
        if ".".join(fullname.split(".")[:2]) in self.names or fullname in self.names:
            raise ImportError(f"{fullname} is refused")
        return None


def main() -> None:
    """Read, check, write."""
    sys.meta_path.insert(0, Refusing(frozenset(json.loads(sys.argv[1]))))
    for module in pkgutil.iter_modules(importlib.import_module("ponder.check").__path__):
        importlib.import_module(f"ponder.check.{module.name}")
    import ponder
    from ponder.check.verification import verify

    said = []
    for text, content in json.load(sys.stdin):
        try:
            report = verify(ponder.parse_board(text), content)
            said.append("holds" if report.complete else "open")
        except ponder.CheckFailed as failure:
            said.append(str(failure))
    print(json.dumps({"said": said, "loaded": sorted(sys.modules)}))


if __name__ == "__main__":
    main()
