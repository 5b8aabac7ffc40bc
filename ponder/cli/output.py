"""Where text goes: answers to standard output, progress and remarks to standard error.

Colours only on a terminal, and never with NO_COLOR. The progress line appears after one second;
on a terminal it is redrawn in place, elsewhere it is written ever more rarely.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self, TextIO

import click

from ponder.check.replay import play
from ponder.check.result import Result
from ponder.model import render
from ponder.model.board import Board
from ponder.model.graph import Graph
from ponder.model.render import Coordinates, Paint, Role, no_paint, seconds_text
from ponder.pictures.answers import words_of
from ponder.system.errors import BoardError
from ponder.system.machine import single_threaded_platform
from ponder.system.printable import LONGEST_REASON, abridged, one_line, printable
from ponder.system.types import Bits, Json

MANIFEST = "manifest.json"  # lists the files that commands have written into a folder
INTERRUPTED = "interrupted"  # the reason of a search that Ctrl-C ended; what it knew is printed
_COLOURS = re.compile(r"(\x1b\[[0-9;]*m)")
_STYLES: dict[Role, dict[str, Any]] = {
    "lit": {"fg": "yellow"},
    "unlit": {"dim": True},
    "marked": {"fg": "cyan", "bold": True},
    "good": {"fg": "green", "bold": True},
    "bad": {"fg": "red", "bold": True},
    "dim": {"dim": True},
}


class Showing(NamedTuple):
    """How a result is printed."""

    as_json: bool = False
    quiet: bool = False
    trace: bool = False
    coords: Coordinates = "rc"


def coloured(stream: TextIO) -> bool:
    """Whether colours may be written to the stream."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painter() -> Paint:
    """Return the function that colours text for standard output."""
    if not coloured(sys.stdout):
        return no_paint
    return lambda text, role: click.style(text, **_STYLES.get(role, {}))


def ascii_only() -> bool:
    """Whether standard output cannot show the round marks."""
    try:
        "●○◉◎×□■".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def drawn(
    board: Board,
    lit: Bits | None = None,
    marked: Bits | None = None,
    lights: Bits | None = None,
) -> list[str]:
    """Return a board as lines for standard output, a mark for every bulb."""
    signs = ascii_only()
    return render.draw(board, lit, marked, lights=lights, paint=painter(), ascii_only=signs)


def legend(meaning: str, graph: Graph | None = None) -> list[str]:
    """Return a line that says what `drawn` marks."""
    return render.legend(meaning, graph, ascii_only=ascii_only())


def say(lines: Iterable[str]) -> None:
    """Write lines to standard output.

    Marks that it cannot show become `?`; control characters are escaped, but for own colours.
    """
    text = "\n".join(lines)
    if not text.isascii() or not text.replace("\n", "").isprintable():
        parts = _COLOURS.split(text) if coloured(sys.stdout) else [text]
        for at in range(0, len(parts), 2):
            parts[at] = "\n".join(map(printable, parts[at].split("\n")))
        encoding = sys.stdout.encoding or "ascii"
        text = "".join(parts).encode(encoding, "replace").decode(encoding)
    click.echo(text, color=True)


def remark(text: str | None, quiet: bool = False) -> None:
    """Say something on standard error, on one line, with control characters escaped."""
    if text is not None and not quiet:
        with suppress(OSError):  # a closed stream is no reason to lose the answer
            click.echo(abridged(one_line(f"ponder: {text}"), LONGEST_REASON), err=True)


def remark_once(texts: Iterable[str]) -> None:
    """Print remarks on how a file was read: each once in a command, none where it is quiet."""
    context = click.get_current_context(silent=True)
    if context is not None and not context.params.get("quiet"):
        for text in texts:
            if context.meta.setdefault(f"ponder.said {text}", False) is False:
                context.meta[f"ponder.said {text}"] = True
                remark(text)


class Progress:
    """A progress line after one second; `say` is cheap, as solvers call it often."""

    FIRST = 1.0  # seconds until the line appears

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self._text = "working"
        self._start = time.perf_counter()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def say(self, text: str) -> None:
        """Tell what is going on."""
        self._text = text

    def __enter__(self) -> Self:
        if not (self._quiet or single_threaded_platform()):
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        wait, shown = self.FIRST, 0
        while not self._over.wait(wait):
            line = f"{seconds_text(time.perf_counter() - self._start)}  {printable(self._text)}"
            if sys.stderr.isatty():
                self._write("\r" + line[:100].ljust(shown))
                wait, shown = 0.2, len(line[:100])
            else:
                self._write(line + "\n")
                wait = time.perf_counter() - self._start  # 1 s, 2 s, 4 s, 8 s, …
        if shown:
            self._write("\r" + " " * shown + "\r")

    @staticmethod
    def _write(text: str) -> None:
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()


def listed_in(folder: str, head: Json, key: str) -> dict[object, Json]:
    """Return the entries of a folder's manifest, by file. Raises BoardError for another `head`."""
    manifest = Path(folder, MANIFEST)
    if not manifest.exists():
        return {}
    with suppress(OSError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
        content = json.loads(manifest.read_bytes())
        if content.items() >= head.items():
            return {x["file"]: x for x in content[key] if Path(folder, x["file"]).is_file()}
    wanted = ", ".join(f"{name} {value}" for name, value in head.items())
    raise BoardError(f"no manifest of {wanted}: name another folder", str(manifest))


def say_json(content: object) -> None:
    """Print one JSON object on a line."""
    click.echo(json.dumps(content))


def present(result: Result, showing: Showing, *, explain: bool = False) -> int:
    """Print a result and return the exit code."""
    if showing.as_json:
        for piece in result.json_text():
            click.echo(piece, nl=False)
        click.echo()
    else:
        say(_text(result, showing))
        if explain:
            row_format = "  {:<10} {:>9}  {}".format
            steps = ((x.method, seconds_text(x.seconds), x.outcome) for x in result.steps)
            say(["", *(row_format(*step) for step in steps)])
        if showing.trace:
            say(_trace(result, showing))
    if result.reason == INTERRUPTED:
        return 130
    return 3 if result.verdict == "unknown" else 0


def _text(result: Result, showing: Showing) -> Iterator[str]:
    board, paint = result.board, painter()
    if not showing.quiet:
        yield from (f"{board.name}: {render.title(board)}", "")
    yield from words_of(result, showing.coords, paint, ascii_only=ascii_only())
    if showing.quiet:
        return
    ended = f"; {result.reason}" if result.reason and result.verdict == "solved" else ""
    yield from ("", paint(f"{result.method}, {seconds_text(result.seconds)}{ended}", "dim"))


def _trace(result: Result, showing: Showing) -> Iterator[str]:
    """Yield the board at the start and after each press."""
    board, presses = result.board, result.presses
    if presses is None:
        return
    yield from ("", "start", "", *drawn(board))
    states = play(board, presses)
    for at, (bulb, state) in enumerate(zip(presses.tolist(), states, strict=True), 1):
        label = render.label_text(board, board.graph.label(bulb), showing.coords)
        marked = board.graph.set_of([bulb])
        yield from ("", f"press {at}: {label}", "", *drawn(board, state, marked))
