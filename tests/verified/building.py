"""The theory in Coq: built once, asked by files that Coq compiles."""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

VERIFIED = Path(__file__).resolve().parents[2] / "verified"
FILES = sorted(VERIFIED.glob("*.v"))

_STATED = re.compile(r"^(?:Theorem|Corollary) (\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Stated:
    """A theorem: its name, its file, and the lines from its statement to the end of its proof."""

    name: str
    file: str
    first: int
    last: int


def theorems() -> list[Stated]:
    """Every theorem and corollary, file by file."""
    stated = []
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for match in _STATED.finditer(text):
            end = text.index("Qed.", match.start())
            first, last = (text.count("\n", 0, at) + 1 for at in (match.start(), end))
            stated.append(Stated(match[1], file.stem, first, last))
    return stated


def without_remarks(text: str) -> str:
    """The text of a file without its comments, which may be nested, and without its strings."""
    text, inside = re.sub(r'"[^"]*"', '""', text), 0
    kept = []
    for piece in re.split(r"(\(\*|\*\))", text):
        if piece in ("(*", "*)"):
            inside += 1 if piece == "(*" else -1
        elif not inside:
            kept.append(piece)
    return " ".join(kept)


@cache
def missing() -> list[str]:
    """The packages of Debian that are not here, of those that `verified/` is built with."""
    if shutil.which("coqc") is None:
        return ["coq"]
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True).stdout
    installed = Path(where.strip(), "user-contrib", "mathcomp", "ssreflect").is_dir()
    return [] if installed else ["libcoq-mathcomp-ssreflect"]


def build() -> str:
    """Run `make`, one call at a time; return what it says. Nothing is done a second time."""
    with (VERIFIED / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            ["make", "-j2"], cwd=VERIFIED, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def compiled(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Have Coq compile a file of this text, in the folder; it tells of every `Fail`."""
    (folder / "certificate.v").write_text(text, encoding="utf-8")
    command = ["coqc", "-q", "-test-mode", "-R", str(VERIFIED), "Ponder", "certificate.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
