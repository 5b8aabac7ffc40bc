"""The command line, called in this process with files made for the occasion, and judged."""

from __future__ import annotations

import io
import re
import shlex
import tempfile
import unicodedata
import warnings
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import ponder.cli
from ponder.studies.compare import run_task

CODES = frozenset({0, 1, 2, 3, 130})
LONGEST = 1000
"""Characters of a reason."""
_WARNING = re.compile(r"\.py:\d+: \w*Warning")
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
    """Arguments of `ponder`, the files that are there, and what is on standard input."""

    arguments: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    stdin: bytes = b""
    encoding: str = "utf-8"

    def __repr__(self) -> str:
        lines = [f"{name} = {content!r}" for name, content in self.files.items()]
        lines += [f"standard input = {self.stdin!r}, standard output in {self.encoding}"]
        return "\n".join([*lines, f"$ ponder {ascii(shlex.join(self.arguments))[1:-1]}"])


class Ended(NamedTuple):
    """How a call ended."""

    code: int
    out: str
    err: str


def judged(call: Call) -> Ended:
    """Run a call; an AssertionError when it ends as no call may."""
    out = io.TextIOWrapper(io.BytesIO(), call.encoding, newline="")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="")
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        chdir(folder),
        mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(call.stdin), "utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch("ponder.cli.compare.by_processes", _in_this_process),
        warnings.catch_warnings(),
    ):
        for name, content in call.files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content)
        warnings.simplefilter("always")
        ended = Ended(ponder.cli.run(list(call.arguments)), _text(out), _text(err))
    wrong = complaint(ended)
    assert wrong is None, f"{wrong}: {ended}"
    return ended


def _in_this_process(tasks: Any, count: int) -> Any:
    return ([run_task(task)] for task in tasks)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode(stream.encoding, "backslashreplace")


def complaint(ended: Ended) -> str | None:
    """What is wrong with the way in which a call ended, or None."""
    if ended.code not in CODES:
        return f"exit code {ended.code}"
    for word in ("Traceback", "internal error"):
        if word in ended.err:
            return f"{word!r} on standard error"
    if _WARNING.search(ended.err):
        return "a warning of Python's"
    for text in (ended.out, ended.err):
        if has_controls(text.replace("\r\n", "\n")):
            return "a control character"
    if ended.code == 2:
        lines = [line for line in ended.err.split("\n") if line and not _REMARK.match(line)]
        reasons = [line for line in lines if not line.startswith(_UNREADABLE)] or lines[:1]
        if len(reasons) != 1:
            return f"{len(reasons) or 'no'} lines of reason"
        return bad_reason(reasons[0].removeprefix("ponder: "))
    return None


def has_controls(text: str) -> bool:
    """Whether a text, its line ends aside, holds what a terminal may obey."""
    return not text.isprintable() and any(
        unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in text if c != "\n"
    )


def bad_reason(reason: str) -> str | None:
    """What is wrong with the text of an error, or None."""
    if "\n" in reason or has_controls(reason):
        return "a control character in the reason"
    return None if 4 <= len(reason) <= LONGEST else f"a reason of {len(reason)} characters"
