"""The command line, run as a user runs it: in a process of its own, or in this one."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ponder.cli import run
from tests.processes import HANG

ROOT = Path(__file__).resolve().parents[1]


def ponder(*arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "ponder", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **more},
        timeout=HANG,
    )


def without_progress(text: str) -> str:
    """Return what was said on standard error but for progress, which a slow machine gets to see.

    >>> without_progress("1.1 s  solving the linear system\\nponder: no\\n")
    'ponder: no\\n'
    """
    return re.sub(r"^\d[\d.]* s  .*\n", "", text, flags=re.MULTILINE)


def here(
    capsys: pytest.CaptureFixture[str], *arguments: str, stdin: str = ""
) -> tuple[int, str, str]:
    """Run the command in this process: (exit code, standard output, standard error)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err
