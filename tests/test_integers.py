"""No form in the source wraps without a word on machines that count with 32 bits (in a browser).

What numpy counts by itself has there 32 bits: `arange`, `flatnonzero`, `bincount`, … Two things go
wrong. Some functions refuse counts of 64 bits, loudly (`TypeError`); others drop the upper half of
a number that does not fit: a sentinel in `where`, a shift, a product. The forms are found in the
syntax tree; what is lost in arithmetic otherwise, the tests under Pyodide find.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

import ponder.system.types
from ponder.model.graph import CrossGraph
from ponder.model.wired_graph import WiringGraph
from ponder.system.limits import NeedsMemory
from ponder.system.types import bincount, indices
from tests.commands import ROOT

OUTSIDE = ("cli", "notebook", "page", "pictures", "studies")
"""The packages that count nothing on such machines."""

WIDE = 1 << 31
OF_THE_MACHINE = ("arange", "argsort", "bincount", "flatnonzero", "nonzero", "searchsorted")
"""Functions whose numbers have as many bits as the machine."""

LED = {"take": 0, "reduceat": 1, "repeat": 1, "bincount": 0}
"""Functions that refuse 64 bits, and which argument."""


def sources() -> Iterator[tuple[str, str]]:
    """Every module that runs there, and its text."""
    for path in sorted([*ROOT.glob("ponder/**/*.py"), *ROOT.glob("encodings/*.py")]):
        place = path.relative_to(ROOT)
        if place.parts[:2] != ("ponder", "encodings") and place.parts[1] not in OUTSIDE:
            yield str(place), path.read_text(encoding="utf-8")


def constants(module: str) -> dict[str, int]:
    """The plain numbers beyond 32 bits that a module knows by name."""
    names = vars(importlib.import_module(module))
    return {name: n for name, n in names.items() if type(n) is int and abs(n) >= WIDE}


def faults(text: str, names: dict[str, int]) -> Iterator[str]:
    """The forms of a module that do not do; `names` are its numbers beyond 32 bits."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, words = node.func.attr, partial(ast.unparse, node)
            if name == "where" and any(wide(part, names) for part in node.args[1:]):
                yield f"{words()}: a plain number beyond 32 bits in where; write np.int64(…)"
            if name in LED and is_array_call(node) and not is_led(node, LED[name]):
                yield f"{words()}: {name} takes counts of the machine; write indices(…)"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift | ast.Mult | ast.Pow):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                small = isinstance(other, ast.Constant) and isinstance(node.op, ast.Mult)
                if narrow(side) and not small:
                    yield f"{ast.unparse(node)}: of 32 bits there; give it a dtype"


def wide(part: ast.expr, names: dict[str, int]) -> bool:
    """Whether an expression is a plain number beyond 32 bits."""
    if isinstance(part, ast.Name):
        return part.id in names
    try:
        value = eval(compile(ast.Expression(part), "", "eval"), {"__builtins__": {}})
    except Exception:
        return False
    return type(value) is int and abs(value) >= WIDE


def narrow(part: ast.expr) -> bool:
    """Whether an expression is an array of numpy's own numbers."""
    return (
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Attribute)
        and part.func.attr in OF_THE_MACHINE
        and ast.unparse(part.func.value) == "np"
        and not any(word.arg == "dtype" for word in part.keywords)
    )


def is_array_call(call: ast.Call) -> bool:
    """Whether a call is numpy's: np.repeat, np.add.reduceat, values.take(places, …)."""
    assert isinstance(call.func, ast.Attribute)
    owner = ast.unparse(call.func.value)
    if call.func.attr == "take":
        return owner != "np" and any(word.arg == "mode" for word in call.keywords)
    return owner.split(".")[0] in ("np", "fold")


def is_led(call: ast.Call, at: int) -> bool:
    """Whether the counts are a single number, or were led to the machine's numbers."""
    if len(call.args) <= at:
        return True
    given = call.args[at]
    single = isinstance(given, ast.Constant | ast.ListComp)
    words = ast.unparse(given)
    return single or words.startswith("indices(") or words.endswith((".size", ".shape"))


def test_the_source_has_no_such_form() -> None:
    messages = {}
    for place, text in sources():
        if place == "ponder/system/types.py":
            continue
        module = place.removesuffix(".py").replace("/__init__", "").replace("/", ".")
        module = f"ponder.{module}" if module.startswith("encodings") else module
        names = {} if place.endswith("__main__.py") else constants(module)
        if told := list(faults(text, names)):
            messages[place] = told
    assert messages == {}


@pytest.mark.parametrize(
    "form",
    [
        "np.where(apart % 2, 2**62, bounds)",
        "np.where(apart % 2, IMPOSSIBLE, bounds)",
        "np.repeat(values, counts)",
        "np.add.reduceat(values, starts)",
        "np.bincount(places)",
        "table.take(places, mode='clip')",
        "1 << np.arange(rank)",
        "np.arange(rows) * columns",
        "np.flatnonzero(bits) << 1",
    ],
)
def test_each_form_is_found(form: str) -> None:
    assert len(list(faults(form, {"IMPOSSIBLE": 2**62}))) == 1


@pytest.mark.parametrize(
    "form",
    [
        "np.where(apart % 2, np.int64(IMPOSSIBLE), bounds)",
        "np.where(found, 1, -1)",
        "np.repeat(values, indices(counts))",
        "np.repeat(values, 2)",
        "bincount(places)",
        "1 << np.arange(rank, dtype=np.int64)",
        "2 * np.arange(rows)",
    ],
)
def test_others_are_left_alone(form: str) -> None:
    assert list(faults(form, {"IMPOSSIBLE": 2**62})) == []


def test_numbers_beyond_the_machine_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ponder.system.types, "_MOST", WIDE - 1)
    monkeypatch.setattr(ponder.system.types, "_NARROW", True)
    assert indices(np.array([WIDE - 1])).tolist() == [WIDE - 1]
    assert bincount(np.array([3])).tolist() == [0, 0, 0, 1]
    for numbers in ([WIDE], [0, 1 << 40]):
        with pytest.raises(NeedsMemory, match="numbers beyond 2,147,483,647 do not fit"):
            indices(np.array(numbers))


def test_counts_have_64_bits() -> None:
    assert bincount(np.array([1], dtype=np.int32)).dtype == np.int64


def test_what_is_counted_on_large_boards_has_64_bits() -> None:
    """More edges than 32 bits hold; every wire of a wiring is counted in 64."""
    mask = np.ones((2000, 2001), dtype=np.bool_)
    mask[:, 0] = False
    for graph in (CrossGraph((2000, 2000)), CrossGraph((2000, 2001), mask)):
        assert graph.edge_count() == 2000 * 2000 * 1999
    assert WiringGraph(2, [[0, 1], [1]]).starts.dtype == np.int64
