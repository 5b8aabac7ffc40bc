"""The command line, called with files made for the occasion, and judged.

Calls run in this process, a millisecond each, with standard input and output redirected, and now
and then as real processes. The processes of `ponder compare` are replaced by runs in this one.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unicodedata
import warnings
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import ponder.cli
from tests.fuzz import Failure
from tests.fuzz.limits import limited
from tests.fuzz.shrinking import Patience, shrunk

Text = TypeVar("Text", str, bytes)

CODES = frozenset({0, 1, 2, 3, 130})
LONGEST = 1000
"""Characters of a reason."""

_WARNING = re.compile(r"\.py:\d+: \w*Warning")
REAL = 6.0
"""How much longer a real process may take."""

_REMARK = re.compile(
    r"[\d.,]+ (ms|s|min|h)  "
    r"|ponder: (one of 2\^|[\d,]+ runs |skipped|this formula does|the horizon is|no proof to)"
    r"|(ponder: )?[\d,]+ (plots|rows) in "
)
"""Lines of progress, and remarks: they may come before the reason."""
_UNREADABLE = "ponder: unreadable: "
"""How `compare` begins each of its reasons, one a file."""


@dataclass(frozen=True)
class Call:
    """Arguments of `ponder`, the files that are there, and what is on standard input.

    `kept` files must have the same content afterwards; of those and of `watched` ones, the content
    afterwards is returned.
    """

    arguments: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    encoding: str = "utf-8"
    kept: tuple[str, ...] = ()
    watched: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The command's name, as far as there is one."""
        return "ponder " + next((a for a in self.arguments if a in ponder.cli.COMMANDS), "…")

    def __str__(self) -> str:
        lines = [f"{name} = {content!r}" for name, content in self.files.items()]
        if self.stdin:
            lines.append(f"standard input = {self.stdin!r}")
        if self.encoding != "utf-8":
            lines.append(f"encoding of standard output = {self.encoding}")
        words = shlex.join(self.arguments)
        if words.isprintable() and words.isascii():
            return "\n".join([*lines, f"$ ponder {words}"])
        return "\n".join([*lines, f"ponder.cli.run({list(self.arguments)!a})"])


@dataclass(frozen=True)
class Ended:
    """How a call ended: exit code, output, and the content of the watched files."""

    code: int
    out: str
    err: str
    files: Mapping[str, bytes] = field(default_factory=dict)


def tried(call: Call, *, real: bool = False) -> Ended:
    """Run a call and return how it ended; Failure, with a smaller call, when that is wrong."""
    try:
        return judged(call, real)
    except Failure as failure:
        if failure.key.startswith(("hung", "memory")):
            raise
        key = failure.key
        raise Failure(
            failure.description, lambda: str(smaller(call, key, real)), key
        ) from failure.__cause__


def smaller(call: Call, key: str, real: bool = False) -> Call:
    """Return the smallest call found that fails in the same way."""
    patience = Patience(tries=60 if real else 2000)

    def fails(**less: Any) -> bool:
        try:
            judged(replace(call, **less), real)
        except Failure as failure:
            return failure.key == key
        return False

    def fails_with(name: str, text: bytes) -> bool:
        return fails(files={**call.files, name: text})

    for name in set(call.files) - {*call.kept, *call.watched}:
        files = {other: content for other, content in call.files.items() if other != name}
        if fails(files=files):
            call = replace(call, files=files)
    words = shrunk(call.arguments, lambda words: fails(arguments=words), patience)
    call = replace(call, arguments=words)
    for name, content in call.files.items():
        less = shrunk(content, partial(fails_with, name), patience)
        call = replace(call, files={**call.files, name: less})
    return replace(call, stdin=shrunk(call.stdin, lambda text: fails(stdin=text), patience))


def judged(call: Call, real: bool = False) -> Ended:
    """Run a call and return how it ended; Failure when that is wrong."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name, content in call.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        with limited(call.command, str(call), REAL if real else 1.0):
            ended = _real(call, folder) if real else _here(call, folder)
        left = {
            name: Path(folder, name).read_bytes() if Path(folder, name).is_file() else b""
            for name in (*call.kept, *call.watched)
        }
    wrong = complaint(call, ended)
    if wrong is None and any(left[name] != call.files[name] for name in call.kept):
        wrong = "a file is changed"
    if wrong is not None:
        said = f"exit code {ended.code}, standard error {ended.err[:300]!r}"
        alike = wrong in ("a reason without end", "a control character on standard error")
        key = wrong if alike else f"{call.command}: {wrong}"
        raise Failure(f"{call.command}: {wrong} ({said})", str(call), key)
    return replace(ended, files=left)


def _here(call: Call, folder: str) -> Ended:
    """Run a call in this process."""
    out = io.TextIOWrapper(io.BytesIO(), call.encoding, newline="")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="")
    given = io.TextIOWrapper(io.BytesIO(call.stdin), "utf-8")
    try:
        with (
            chdir(folder),
            mock.patch("sys.stdin", given),
            redirect_stdout(out),
            redirect_stderr(err),
            mock.patch("ponder.cli.compare.by_processes", in_this_process),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("always")
            code = ponder.cli.run(list(call.arguments))
    except Exception as error:
        raise Failure(
            f"{call.command} ends in {type(error).__name__}: {str(error)[:200]}", str(call)
        ) from error
    except SystemExit as error:
        raise Failure(f"{call.command} leaves by SystemExit", str(call)) from error
    said, complained = (_text(stream) for stream in (out, err))
    return Ended(code, said, complained)


def _text(stream: io.TextIOWrapper) -> str:
    """Return what was written."""
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode(stream.encoding, "backslashreplace")


def _real(call: Call, folder: str) -> Ended:
    """Run a call as a process of its own, of the same ponder."""
    home = str(Path(ponder.cli.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-m", "ponder", *call.arguments],
        cwd=folder,
        input=call.stdin,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": home, "PYTHONIOENCODING": call.encoding},
    )
    said, complained = (
        text.decode(call.encoding, "backslashreplace") for text in (done.stdout, done.stderr)
    )
    return Ended(done.returncode, said, complained)


def complaint(call: Call, ended: Ended) -> str | None:
    """Return what is wrong with the way in which a call ended, or None."""
    if ended.code not in CODES:
        return f"exit code {ended.code}"
    for word in ("Traceback", "internal error"):
        if word in ended.err:
            return f"{word!r} on standard error"
    if _WARNING.search(ended.err):
        return "a warning of Python's"
    for text, name in ((ended.out, "output"), (ended.err, "error")):
        if has_controls(text.replace("\r\n", "\n")):
            return f"a control character on standard {name}"
    if ended.code == 2:
        lines = [line for line in ended.err.split("\n") if line and not _REMARK.match(line)]
        reasons = [line for line in lines if not line.startswith(_UNREADABLE)] or lines[:1]
        if len(reasons) != 1:
            return f"{len(reasons) or 'no'} lines of reason"
        return bad_reason(reasons[0].removeprefix("ponder: "))
    return None


def has_controls(text: str) -> bool:
    """Whether a text, its line ends aside, holds what a terminal may obey."""
    if text.isprintable():
        return False
    return any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in text if c != "\n")


def bad_reason(reason: str) -> str | None:
    """Return what is wrong with the text of an error, or None."""
    if "\n" in reason or has_controls(reason):
        return "a control character in the reason"
    if len(reason) > LONGEST:
        return "a reason without end"
    if len(reason) < 4:
        return "no reason"
    return None


def in_this_process(tasks: Any, count: int) -> Any:
    """Do the runs of `ponder compare` at once, one task after the other."""
    from ponder.studies.runs import run_task

    return map(list, map(run_task, tasks))
