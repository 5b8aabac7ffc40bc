"""Time limits of the searches: `python -m tests.bench.bench_search_limits [WORD …]`.

One line a command: what was asked for, and the seconds and gigabytes seen, for the commands whose
line has every WORD. The start of the program, its libraries and the reading of the board are in the
seconds. A few of them are cases of the benchmark.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ponder.model.board import Board
from ponder.model.formats import board_text
from ponder.model.graph import EdgeGraph
from ponder.studies.generate import Balanced, OnPattern, Unbalanced
from tests.bench import Case
from tests.boards import solved_by

LIMITS = (0.0, 0.5, 1.0, 5.0)
ENCODINGS = {
    "sat": (
        "half_factor",
        "layered",
        "layered colours=off",
        "layered parity=chain",
        "layered layers=999999999",
        "time_indexed",
        "time_indexed parity=light",
        "time_indexed one=totalizer normal=off",
        "precedence",
        "precedence order=fill",
        "precedence acyclic=closure",
        "precedence acyclic=labels",
        "precedence acyclic=lazy",
        "precedence lines=off",
    ),
    "cpsat": (
        "cpsat_half_factor",
        "cpsat_positions",
        "cpsat_time",
        "cpsat_time layers=999999999",
    ),
}


def dense_graph(size: int = 1500, density: float = 0.3) -> Board:
    """Half of the vertices of a random graph are pressed: one large cluster."""
    rng = np.random.default_rng(1)
    graph = EdgeGraph(size, np.argwhere(np.triu(rng.random((size, size)) < density, 1)))
    return solved_by(graph, rng.random(size) < 0.5)


BOARDS: dict[str, Callable[[], Board]] = {
    "plus 30x30": lambda: OnPattern(30, 30).board(1),
    "plus 200x200": lambda: OnPattern(200, 200).board(1),
    "plus 300x300": lambda: OnPattern(300, 300).board(1),
    "king 60x60": lambda: OnPattern(60, 60, pattern="king").board(1),
    "torus-plus 100x100": lambda: OnPattern(100, 100, pattern="torus-plus").board(1),
    "cross 200x200 balanced": lambda: Balanced(200, 200).board(1),
    "cross 200x200 unbalanced": lambda: Unbalanced(200, 200).board(1),
    "graph 1500, density 0.3": dense_graph,
}


def commands() -> Iterator[list[str]]:
    """Every command with its words; `FILE` is the board."""
    for method in ("auto", "greedy", "lines", "spanning"):
        yield ["order", "FILE", "--method", method]
    for variant in ("random", "rounds", "fewest"):
        yield ["order", "FILE", "--method", "greedy", "--variant", variant, "--trials", "99999"]
    for method, recipes in ENCODINGS.items():
        for recipe in recipes:
            name, *options = recipe.split()
            words = [word for option in options for word in ("--option", option)]
            yield ["order", "FILE", "--method", method, "--encoding", name, *words]
    yield ["solve", "FILE"]
    yield ["encodings", "FILE"]
    for name in ("layered", "precedence", "time_indexed"):
        yield ["export", "FILE", "--encoding", name, "-o", os.devnull]


def seen(words: list[str], seconds: float) -> tuple[float, float, int, str]:
    """Run a command with a time limit: its seconds, gigabytes, exit code and last words."""
    command = [sys.executable, "-m", "ponder", *words, "--timeout", f"{seconds:g}"]
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        quiet = [] if words[0] in ("encodings",) else ["--quiet"]
        process = subprocess.Popen([*command, *quiet], stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        taken = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        lines = [line for line in said.read().splitlines() if line.strip()] or [""]
    return taken, usage.ru_maxrss / 1024**2, process.returncode, lines[0][:60]


def main(words: list[str]) -> None:
    """Print the table."""
    print(f"{'board':<26} {'command':<62} {'asked':>5} {'seen':>7} {'GB':>5} exit")
    with tempfile.TemporaryDirectory() as folder:
        rows = [(name, command) for name in BOARDS for command in commands()]
        rows.append(("5x5", ["atlas", "--size", "5x5", "--pattern", "plus"]))
        rows.append(("3x9", ["atlas", "--size", "3x9", "--pattern", "plus"]))
        for name, command in rows:
            line = " ".join(word for word in command if word != "FILE")
            for limit in LIMITS:
                if not all(word in f"{name} {line} {limit:g}s" for word in words):
                    continue
                file = Path(folder) / (name.replace(" ", "-").replace(",", ""))
                if name in BOARDS and not file.exists():
                    file.write_text(board_text(BOARDS[name]()))
                asked = [str(file) if word == "FILE" else word for word in command]
                taken, memory, code, said = seen(asked, limit)
                late = " LATE" if taken > limit + 1 else ""
                print(
                    f"{name:<26} {line:<62} {limit:>5g} {taken:>7.2f} {memory:>5.2f} {code:>4}"
                    f"{late}  {said}",
                    flush=True,
                )


def limited(name: str, words: list[str], seconds: float) -> Callable[[], Callable[[], object]]:
    """One command as a case of the benchmark."""

    def prepare() -> Callable[[], object]:
        folder = tempfile.TemporaryDirectory()
        file = Path(folder.name) / "board"
        file.write_text(board_text(BOARDS[name]()))

        def job() -> str:
            code = seen([str(file) if word == "FILE" else word for word in words], seconds)[2]
            return f"exit {code}" if folder else ""

        return job

    return prepare


CASES = [
    Case(
        f"time limit of 1 s, {command[0]} {command[-1] if len(command) > 2 else ''}, {name}",
        2.0,
        limited(name, command, 1.0),
        1,
        memory=4.0,
    )
    for name, command in [
        ("graph 1500, density 0.3", ["solve", "FILE"]),
        ("plus 200x200", ["solve", "FILE"]),
        ("plus 200x200", ["order", "FILE", "--method", "sat", "--encoding", "precedence"]),
        ("plus 200x200", ["order", "FILE", "--method", "cpsat", "--encoding", "cpsat_time"]),
    ]
]

if __name__ == "__main__":
    main(sys.argv[1:])
