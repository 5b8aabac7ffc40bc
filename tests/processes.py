"""Processes that tests start: marked, so that none is left behind; and solvers that are fakes."""

from __future__ import annotations

import sys
import time
from pathlib import Path


def processes_with(mark: str, patience: float = 5.0) -> list[str]:
    """Return the commands of the processes with a mark, once they had time to vanish."""
    until = time.monotonic() + patience
    while True:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark.encode() in (folder / "environ").read_bytes():
                    found.append((folder / "cmdline").read_text())
            except OSError:
                continue  # gone, or not ours
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.02)


def fake(folder: Path, body: str) -> str:
    """Write a fake solver; its variables: cnf, the path of the formula. Return its command."""
    script = folder / "fake-solver"
    header = f"#!{sys.executable}\nimport sys, time, os, subprocess\ncnf = sys.argv[1]\n"
    script.write_text(header + body, encoding="ascii")
    script.chmod(0o755)
    return f"{script} {{cnf}}"
