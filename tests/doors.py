"""Which room imports which, read from the code: the one-way doors of `docs/architecture.md`.

A room is a folder of `ponder/`, `ground` the files that lie beside the folders. Doors lead down
only: a file may import from its own room and from rooms below it. Every import counts, those inside
functions and those for types alone as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

ROOMS = (
    "ground",
    "puzzle",
    "formulas",
    "encodings",
    "check",
    "linear",
    "cross",
    "switching",
    "ordering",
    "cosets",
    "proofs",
    "solvers",
    "fewest",
    "freeorder",
    "pipeline",
    "studies",
    "pictures",
    "page",
    "notebook",
    "cli",
)
"""From the lowest to the highest."""

LOBBY = {"ponder", "ponder.__main__"}
"""The package itself gives out public names by their text and belongs to no room."""


def modules(root: Path = ROOT) -> dict[str, Path]:
    """Return every module of the package by its dotted name."""
    found = {}
    for path in sorted([*root.glob("ponder/**/*.py"), *root.glob("encodings/*.py")]):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[0] == "encodings":
            parts = ("ponder", *parts)
        elif "encodings" in parts:
            continue  # the link, where this Python follows it
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""What holds statements, or what holds statements in its turn, in a statement."""


@cache
def statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return what a file imports, wherever, as Python reads it."""
    found, blocks = [], [ast.parse(path.read_text(encoding="utf-8")).body]
    while blocks:  # statements alone: no import lies inside of an expression
        for node in blocks.pop():
            if isinstance(node, ast.Import | ast.ImportFrom):
                found.append(node)
            blocks += [getattr(node, name, []) for name in _BLOCKS]
    return tuple(found)


def imported(path: Path, known: dict[str, Path]) -> Iterator[tuple[str, int]]:
    """Yield the modules of the package that a file imports, with the line."""
    for node in statements(path):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in known:
                    yield alias.name, node.lineno
        elif node.module and not node.level:
            for alias in node.names:
                deeper = f"{node.module}.{alias.name}"
                if deeper in known:
                    yield deeper, node.lineno
                elif node.module in known:
                    yield node.module, node.lineno


def room(module: str) -> str:
    """Return the room that a module lies in.

    >>> room("ponder.puzzle.board"), room("ponder.errors"), room("ponder.check")
    ('puzzle', 'ground', 'check')
    """
    name = module.split(".")[1]
    return name if name in ROOMS else "ground"


def imports(root: Path = ROOT) -> dict[str, set[str]]:
    """Return, for every module, the modules of the package that it imports."""
    known = modules(root)
    return {
        name: {target for target, _ in imported(path, known)} - {name}
        for name, path in known.items()
        if name not in LOBBY
    }


def wrong_doors(root: Path = ROOT) -> list[str]:
    """Return every import that leads up, as `file:line: from → to`."""
    known = modules(root)
    wrong = []
    for name, path in known.items():
        if name in LOBBY:
            continue
        for target, line in imported(path, known):
            if target not in LOBBY and ROOMS.index(room(target)) > ROOMS.index(room(name)):
                wrong.append(f"{path.relative_to(root)}:{line}: {name} → {target}")
    return wrong


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Return the modules of a circle of imports, or none.

    >>> circle({"a": {"b"}, "b": {"a"}})[1:] in (["a", "b"], ["b", "a"])
    True
    """
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def drawn(root: Path = ROOT) -> str:
    """Return the graph of rooms as a Mermaid diagram, without the arrows that others imply."""
    below: dict[str, set[str]] = {}
    for name, targets in imports(root).items():
        here = below.setdefault(room(name), set())
        here |= {room(target) for target in targets if target not in LOBBY} - {room(name)}
    reached: dict[str, set[str]] = {}
    for name in ROOMS:  # from below, so that what lies under the rooms below is known
        reached[name] = set().union(below[name], *(reached[other] for other in below[name]))
    lines = ["```mermaid", "graph TD"]
    for name in reversed(ROOMS):
        implied = set().union(*(reached[other] for other in below[name]))
        lines += [f"    {name} --> {other}" for other in ROOMS if other in below[name] - implied]
    return "\n".join([*lines, "```"])


if __name__ == "__main__":
    print(drawn())
