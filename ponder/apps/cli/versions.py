"""`ponder --version --verbose`: what is there, and what is missing."""

from __future__ import annotations

import platform
import re
import shutil
import struct
from collections.abc import Iterator
from importlib import metadata

from ponder.find.solvers.known_solvers import COMMANDS

_NOT_LISTED = ("dev", "docs")
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+).*?(?:extra\s*==\s*['\"](\w+)['\"].*)?$")


def lines() -> Iterator[str]:
    """Yield the system, the libraries with their extras, the SAT solvers on the path."""
    machine = f"{platform.system()} {platform.machine()}, {8 * struct.calcsize('P')} bits"
    yield f"Python {platform.python_version()}, {machine}"
    for name, extra in _libraries():
        needed = f" (extra {extra})" if extra else ""
        yield f"{name:<14} {_version(name)}{needed}"
    for program in COMMANDS:
        yield f"{program:<14} {shutil.which(program) or 'missing'} (a SAT solver on the path)"


def _libraries() -> Iterator[tuple[str, str | None]]:
    try:
        requirements = metadata.requires("ponder") or []
    except metadata.PackageNotFoundError:  # run where it lies
        return
    for requirement in requirements:
        found = _REQUIREMENT.match(requirement)
        if found is not None and found[2] not in _NOT_LISTED:
            yield found[1], found[2]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"
