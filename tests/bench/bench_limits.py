"""Time limits and memory on the largest boards: every command as a process, from its start.

The board file is written before the clock starts. Asked is the time limit and one second more, and
4 GB; the remark is the verdict, and why it is unknown, and the seconds of the processor: on a busy
machine those tell whether a stage forgot the clock. A random board of most patterns has no press
set; a solvable one has some (what a random press set toggles).
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import grid_graph
from tests.bench import Case

LIMIT, MOST_GB = 8, 4.0
KNIGHT = "stencil 1,2 1,-2 -1,2 -1,-2 2,1 2,-1 -2,1 -2,-1"
PATTERNS = {
    "cross": "cross",
    "plus": "plus",
    "king": "king",
    "torus-plus": "torus-plus",
    "torus-king": "torus-king",
    "knight": KNIGHT,
}


def text_of(pattern: str, shape: tuple[int, int], holes: float, solvable: bool) -> str:
    """A random board as a file."""
    rng = np.random.default_rng(7)
    graph = grid_graph(pattern, shape, rng.random(shape) >= holes if holes else None)
    half = rng.random(graph.size) < 0.5
    lit = ~graph.apply(half) if solvable else half
    return board_text(Board(graph, lit, np.ones(graph.size, dtype=np.bool_)))


def grid(
    pattern: str, shape: tuple[int, int], holes: float = 0.0, solvable: bool = True
) -> Callable[[], str]:
    return lambda: text_of(pattern, shape, holes, solvable)


def lone(count: int) -> Callable[[], str]:
    """A graph of vertices without neighbours."""
    return lambda: f'{{"nodes": {count}, "edges": []}}\n'


def limited(
    text: Callable[[], str], command: str, *options: str
) -> Callable[[], Callable[[], object]]:
    """One command on one board, with a time limit."""

    def prepare() -> Callable[[], object]:
        folder = tempfile.TemporaryDirectory()
        path = Path(folder.name) / "board"
        path.write_text(text())
        arguments = [sys.executable, "-m", "ponder", command, str(path), *options]

        def job() -> str:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            with folder:
                done = subprocess.run(arguments, capture_output=True, text=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            said = done.stderr.strip().splitlines()[-1:] or [f"exit {done.returncode}"]
            if done.returncode in (0, 3) and "--json" in options:
                result = json.loads(done.stdout)
                said = [str(result.get("verdict")), str(result.get("reason") or "")]
            return " ".join([f"{busy:.1f} s of the processor:", *said])

        return job

    return prepare


def cases() -> list[Case]:
    """Every pattern, with and without holes, solvable and not; then the odd ones out."""
    found = []
    timed = ("--timeout", str(LIMIT), "--json")
    large = (2000, 2000)

    def add(name: str, text: Callable[[], str], command: str, *options: str) -> None:
        job = limited(text, command, *options)
        found.append(Case(f"limits, {command}, {name}", LIMIT + 1, job, 1, MOST_GB))

    for word, pattern in PATTERNS.items():
        for holes in (0.0, 0.1):
            for solvable in (True, False):
                kind = "solvable" if solvable else "random"
                name = f"{word} 2000x2000{', 10 % holes' if holes else ''}, {kind}"
                for command in ("order", "solve"):
                    add(name, grid(pattern, large, holes, solvable), command, *timed)
            name = f"{word} 2000x2000{', 10 % holes' if holes else ''}"
            text = grid(pattern, large, holes)
            add(name, text, "show", "--presses", "--timeout", str(LIMIT))
    for word, side in itertools.product(("cross", "plus"), (1000, 2000)):
        for encoding in ("half_factor", "precedence", "time_indexed"):
            if word == "cross" or encoding != "half_factor":
                options = ("--encoding", encoding, "--timeout", str(LIMIT), "-o", os.devnull)
                text = grid(word, (side, side))
                add(f"{encoding} of {word} {side}x{side}", text, "export", *options)
    for command in ("order", "solve"):
        add("cross 1999x2001", grid("cross", (1999, 2001)), command, *timed)
        add("cross 1999x2000", grid("cross", (1999, 2000)), command, *timed)
        for count in (3_000_000, 40_000_000):
            add(f"{count:,} vertices without edges", lone(count), command, *timed)
    return found


CASES = cases()
