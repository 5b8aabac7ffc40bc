"""Which room imports which, read from the code: the one-way doors of `docs/architecture.md`.

A wing is a folder of `ponder/`; `find/` and `apps/` are divided into rooms. Doors lead down only: a
file may import from its own room and from rooms below it. Every import counts, those inside
functions and those for types alone as well.

    python -m tests.doors                 the plan: floors, rooms, and what each imports
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

ROOMS = (
    "system",
    "model",
    "formulas",
    "encodings",
    "check",
    "proofs",
    "find/search",
    "find/linear",
    "find/row_column",
    "find/switching",
    "find/ordering",
    "find/cosets",
    "find/solvers",
    "find/fewest",
    "find",
    "lights_out",
    "apps/pictures",
    "apps/studies",
    "apps/page",
    "apps/notebook",
    "apps/cli",
)
"""From the lowest to the highest."""

WINGS = tuple(dict.fromkeys(room.partition("/")[0] for room in ROOMS))
"""The folders of `ponder/`, from the lowest to the highest."""

LOBBY = {"ponder", "ponder.__main__", "ponder.apps"}
"""The package itself gives out public names by their text; `apps` has nothing beside its rooms."""


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

    >>> room("ponder.model.board"), room("ponder.find.linear.gf2"), room("ponder.find.driver")
    ('model', 'find/linear', 'find')
    """
    wing, *inside = module.split(".")[1:]
    within = f"{wing}/{inside[0]}" if inside else wing
    return within if within in ROOMS else wing


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


def wing(room: str) -> str:
    """Return the wing that a room lies in."""
    return room.partition("/")[0]


def below(root: Path = ROOT) -> dict[str, set[str]]:
    """Return, for every room, the rooms that it imports."""
    found: dict[str, set[str]] = {name: set() for name in ROOMS}
    for name, targets in imports(root).items():
        found[room(name)] |= {room(target) for target in targets if target not in LOBBY}
    return {name: targets - {name} for name, targets in found.items()}


def floors(doors: dict[str, set[str]]) -> dict[str, int]:
    """Return how many rooms stand one upon the other up to each, itself counted.

    >>> floors({"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a"}})
    {'a': 1, 'b': 2, 'c': 3, 'd': 2}
    """
    found: dict[str, int] = {}
    for name in TopologicalSorter(doors).static_order():
        found[name] = 1 + max((found[other] for other in doors[name]), default=0)
    return {name: found[name] for name in doors}


def drawn(doors: dict[str, set[str]]) -> Iterator[str]:
    """Yield a line a room from the top: its floor, its name, and the rooms that it imports."""
    on = floors(doors)
    for name in sorted(doors, key=lambda name: (on[name], [*doors].index(name)), reverse=True):
        yield f"{on[name]:2}  {name:16}{', '.join(o for o in doors if o in doors[name])}".rstrip()
    arrows = sum(map(len, doors.values()))
    yield f"    {len(doors)} rooms, {arrows} arrows, {max(on.values())} floors"


def plan(root: Path = ROOT) -> str:
    """Return the plan of the house as text: its wings, and the rooms of those that have some."""
    doors = below(root)
    wings: dict[str, set[str]] = {name: set() for name in WINGS}
    for name, others in doors.items():
        wings[wing(name)] |= {wing(other) for other in others} - {wing(name)}
    lines = [*drawn(wings)]
    for name in WINGS:
        inside = {room: doors[room] for room in ROOMS if wing(room) == name}
        if len(inside) > 1:
            lines += ["", *drawn({room: doors[room] & set(inside) for room in inside})]
    return "\n".join(lines)


if __name__ == "__main__":
    print(plan())
