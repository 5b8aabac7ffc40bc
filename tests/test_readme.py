"""The README's commands do what the README says: every `sh` block that is marked is executed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", README, re.S)


def commands() -> list[tuple[str, str]]:
    """The commands of the README's `console` blocks, each with the output shown below it."""
    found: list[tuple[str, str]] = []
    for block in CONSOLE:
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def forget_times(text: str) -> str:
    """Replace durations: they differ from run to run."""
    return re.sub(r"\d+(\.\d+)? m?s\b", "TIME", text).strip()


def test_there_are_examples() -> None:
    assert len(commands()) >= 4


def test_examples_print_what_the_readme_shows(tmp_path: Path) -> None:
    """All in one shell session's folder, in the README's order, as a reader would type them."""
    shutil.copytree(ROOT / "instances", tmp_path / "instances")
    binary = tmp_path / "bin"
    binary.mkdir()
    script = binary / "ponder"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ponder "$@"\n')
    script.chmod(0o755)
    environment = {
        "PATH": f"{binary}:/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "LC_ALL": "C.UTF-8",
    }
    for command, expected in commands():
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert "Traceback" not in done.stderr, (command, done.stderr)
        shown = forget_times(expected)
        got = forget_times(done.stdout + done.stderr)
        if "…" in shown.splitlines():  # the README leaves lines out
            for piece in re.split(r"^…$", shown, flags=re.M):
                assert piece.strip() in got, (command, got)
        else:
            assert got == shown, command


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README, re.S))
def test_python_examples_run(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(block, "README.md", "exec"), {})
