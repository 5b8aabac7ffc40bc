"""The files that an answer runs through, and the hops between them: how far a reader walks.

    python -m tests.walks                 boards with many press sets: order, solve, verify
    python -m tests.walks --list BOARD    and the files, for FILE or PATTERN:ROWSxCOLUMNS

A *file* is one of `ponder/` or `encodings/` in which a function is called while the answer is made;
a *hop* is a pair of different files of which one calls the other, whatever lies between that is not
ours; a *turn* is a change from one file of the driver to another, from a call to the next. What is
run while modules are imported does not count: they are all imported before.
"""

from __future__ import annotations

import importlib
import json
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import ponder
from ponder.model.board import Board
from ponder.model.graph import grid_graph
from tests import doors
from tests.boards import solved_by

BOARDS = ("plus:9x9", "king:11x11", "plus:5x5", "torus-king:12x12", "cross:9x12")
"""Many press sets: small cosets, counted in batches, none with an order, walks, switches."""

DRIVER = tuple(f"find/{name}.py" for name in ("driver", "order", "solve", "orient"))

SECONDS = 10.0


@dataclass
class Walk:
    """The files of one answer, the pairs of which one calls the other, the driver's in turn."""

    files: set[str] = field(default_factory=set)
    hops: set[tuple[str, str]] = field(default_factory=set)
    driver: list[str] = field(default_factory=list)

    @property
    def turns(self) -> int:
        """How often the driver's file changes."""
        return max(0, len(self.driver) - 1)


def watched(job: Callable[[], object]) -> Walk:
    """Return the walk of a job, all of whose modules are imported.

    >>> watched(lambda: None).files
    set()
    """
    walk = Walk()
    names: dict[str, str | None] = {}

    def ours(frame: FrameType) -> str | None:
        path = frame.f_code.co_filename
        if path not in names:
            own = Path(path)
            parts = own.relative_to(doors.ROOT).parts if own.is_relative_to(doors.ROOT) else ("",)
            names[path] = "/".join(parts[-2:]) if parts[0] in ("ponder", "encodings") else None
        return names[path]

    def look(frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" or (file := ours(frame)) is None:
            return
        walk.files.add(file)
        if file in DRIVER and walk.driver[-1:] != [file]:
            walk.driver.append(file)
        caller = frame.f_back
        while caller is not None and ours(caller) is None:
            caller = caller.f_back
        before = None if caller is None else ours(caller)
        if before is not None and before != file:
            walk.hops.add((before, file))

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        job()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return walk


def board_of(name: str) -> Board:
    """Return the board in a file, or a random solvable one: PATTERN:ROWSxCOLUMNS."""
    if ":" not in name:
        return ponder.read(name)
    pattern, sides = name.split(":")
    rows, columns = map(int, sides.split("x"))
    graph = grid_graph(pattern, (rows, columns))
    return solved_by(graph, np.random.default_rng(1).random(graph.size) < 0.5)


def walks(board: Board) -> dict[str, Walk]:
    """Return the walks of `order`, of `solve`, and of the check of what `order` answers."""
    results: list[ponder.Result] = []

    def ordered() -> None:
        results.append(ponder.order(board, timeout=SECONDS))

    found = {
        "order": watched(ordered),
        "solve": watched(lambda: ponder.solve(board, timeout=SECONDS)),
    }
    claim = json.loads(json.dumps(results[0].to_json()))
    return {**found, "verify": watched(lambda: ponder.verify(board, claim))}


def load() -> None:
    """Import all of ponder that a solver may use, and bind its lazy names."""
    for name in doors.modules():
        if not name.endswith("__main__"):
            importlib.import_module(name)
    assert all(hasattr(ponder, name) for name in ponder.__all__)


def main(arguments: list[str]) -> None:
    """Print a line for every walk, and with --list its files."""
    load()
    listed, boards = "--list" in arguments, [a for a in arguments if a != "--list"]
    for name in boards or BOARDS:
        for command, walk in walks(board_of(name)).items():
            files, hops, turns = len(walk.files), len(walk.hops), walk.turns
            print(f"{name:18} {command:7} {files:3} files {hops:4} hops {turns:3} turns")
            if listed:
                print(*(f"    {file}" for file in sorted(walk.files)), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
