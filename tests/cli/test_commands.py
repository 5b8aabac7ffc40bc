"""Command lines and their answers, in `commands.txt`: sections, each in a folder of its own.

A section begins with `=== TITLE`. A line `$ ponder …` is a command, below it stand its output, its
remarks behind `! `, and its exit code in brackets where it is not 0. `< FILE` and `> FILE` are as
in a shell, and `$ echo TEXT > FILE` writes a file (`\\n` ends a line). `$ files` lists the folder.
Names of boards are those in `instances/`. `pytest tests/cli/test_commands.py --update` writes the
answers anew: read the difference before you commit it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ponder.cli import run
from tests.commands import without_progress
from tests.processes import HANG

SCRIPT = Path(__file__).with_name("commands.txt")
INSTANCES = Path(__file__).parents[2] / "instances"

VARYING = (
    (r" *\b\d[\d.,]* (ms|s|µs)\b", " … s"),
    (r"  +(?=(encode|solve|90 %|check)(\s|$))", "  "),
    (r'"seconds": [\d.e-]+', '"seconds": 0'),
    (r'"version": "[^"]+"', '"version": "…"'),
    (r"\b[0-9a-f]{64}\b", "…"),
)
"""What differs between machines and versions, and how it is written here."""


def sections() -> dict[str, list[str]]:
    """Return the lines of each section, by title."""
    parts: dict[str, list[str]] = {}
    for line in SCRIPT.read_text(encoding="utf-8").splitlines():
        if line.startswith("=== "):
            parts[line[4:]] = lines = []
        else:
            lines.append(line)
    return parts


def answer(line: str, folder: Path) -> list[str]:
    """Run a command line in a folder; return what it prints and its exit code."""
    words = shlex.split(line)
    stdin, target = "", None
    if len(words) > 2 and words[-2] == ">":
        *words, _, target = words
    if len(words) > 2 and words[-2] == "<":
        stdin = (folder / words.pop()).read_text(encoding="utf-8")
        words.pop()
    if words[0] == "files":
        return [" ".join(sorted(file.name for file in folder.iterdir()))]
    if words[0] == "echo":
        assert target is not None
        (folder / target).write_text(words[1].replace("\\n", "\n") + "\n", encoding="utf-8")
        return []
    assert words[0] == "ponder", line
    for word in words[1:]:
        if (INSTANCES / word).is_file():
            shutil.copy(INSTANCES / word, folder / word)
    out, err = io.StringIO(), io.StringIO()
    binary = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(err):
        patch.chdir(folder)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        patch.setattr(sys, "stdout", binary)
        code = run(words[1:])
    assert isinstance(binary.buffer, io.BytesIO)
    out.write(binary.buffer.getvalue().decode())
    said = out.getvalue()
    if target is not None:
        (folder / target).write_text(said, encoding="utf-8")
        said = ""
    for pattern, instead in VARYING:
        said = re.sub(pattern, instead, said)
    remarks = [f"! {x}" for x in without_progress(err.getvalue()).splitlines()]
    for pattern, instead in VARYING:
        remarks = [re.sub(pattern, instead, x) for x in remarks]
    return [*said.splitlines(), *remarks, *([f"[{code}]"] if code else [])]


def played(lines: list[str], folder: Path) -> list[str]:
    """Return a section with its commands answered anew."""
    told: list[str] = []
    for line in lines:
        if line.startswith("$ "):
            told += [*([""] if told else []), line, *answer(line[2:], folder)]
    return told


@pytest.mark.parametrize("title", sections())
def test_commands_answer_as_before(
    title: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    lines = sections()[title]
    told = played(lines, tmp_path)
    if request.config.getoption("--update"):
        parts = sections() | {title: told}
        text = "\n".join("\n".join([f"=== {name}", *part, ""]) for name, part in parts.items())
        SCRIPT.write_text(re.sub(r"\n{3,}(?==== )", "\n\n", text), encoding="utf-8")
    else:
        while lines and not lines[-1]:
            lines.pop()
        assert told == lines


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="pseudo-terminals")
def test_eliminate_waits_for_enter_and_runs_on() -> None:
    mine, theirs = os.openpty()
    words = [sys.executable, "-m", "ponder", "eliminate", "2x3", "--pattern", "plus"]
    with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(mine, b"\n\n>>\n")
        said = b""
        with contextlib.suppress(OSError):  # the terminal is closed
            while piece := os.read(mine, 65536):
                said += piece
        assert process.wait(HANG) == 0
    os.close(mine)
    assert said.count(b"press 6 (1,2)") == 1
    assert b"quiet pattern 2" in said
