"""Grids that are no rows of signs: lists as Python and numpy print them, and links of the page.

    [[0, 1], [1, 0]]                        a list of rows, also of numpy, also of True and False
    https://…/#1.4x4.cross.unlit.lit.w2g    size, pattern, rule, goal, and the lit bulbs, six in a
                                            sign, as base64 for addresses; holes may follow

Each is turned into the text of a board file.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from urllib.parse import unquote

import numpy as np

from ponder.system.errors import fail, quoted
from ponder.system.types import Bits

_LINK = re.compile(rb"(?:\A|\s)[^\s#]*#1\.(\d{1,4})x(\d{1,4})\.([^\s;]+)(?:;\S*)?\s*\Z")
_LONGEST_LINK = 40_000
_ROW = re.compile(r"\[([^\[\]]*)\]")


def has_link(data: bytes) -> bool:
    """Whether a text ends with a link to a board."""
    return _LINK.search(data[-_LONGEST_LINK:]) is not None


def list_as_rows(text: str, source: str) -> bytes:
    """Return the grid of a list of rows, as Python and numpy print it."""
    body = re.sub(
        r"^\s*(?:np\.|numpy\.)?array\((.*?)(?:,\s*dtype=[\w.]+)?\)\s*$", r"\1", text, flags=re.S
    )
    rows = _ROW.findall(body)
    if re.sub(r"[\s,]", "", _ROW.sub("", body)) != "[]":
        fail("this list is no grid: write a list of rows, [[0, 1], [1, 0]]", source, 1)
    states = {"0": "0", "1": "1", "False": "0", "True": "1", "0.": "0", "1.": "1"}
    cells = [re.split(r"[\s,]+", row.strip().rstrip(",")) for row in rows]
    strange = next((word for row in cells for word in row if word not in states), None)
    if strange is not None:
        said = f"{quoted(strange)} is no cell of a grid: cells are 0 and 1"
        edges = all(len(row) == 2 for row in cells)
        more = '; write a graph as {"nodes": N, "edges": …}' if edges else ""
        fail(said + more, source, 1)
    lines = text.count("\n", 0, text.index("[")) * "\n"
    return (lines + "\n".join("".join(states[word] for word in row) for row in cells)).encode()


def linked(data: bytes, source: str) -> bytes:
    """Return the board file that a link stands for. Raises BoardError for a damaged one."""
    match = _LINK.search(data[-_LONGEST_LINK:])
    if match is None:
        fail("there is no link to a board in it", source)
    shape, rest = (int(match[1]), int(match[2])), match[3].decode("utf-8", "replace")
    pattern, rule, goal, *bits = [*unquote(rest).split("."), "", "", ""][:5]
    lit = _bits(bits[0], shape, source)
    holes = _bits(bits[1], shape, source) if bits[1] else None
    head = [f"pattern: {pattern.replace(':', ' ')}", f"rule: {rule}"]
    word, _, target = goal.partition(":")
    if word != "grid":
        return "\n".join([*head, f"goal: {word}", *_rows(lit, holes)]).encode() + b"\n"
    wanted = _rows(_bits(target, shape, source), holes)
    return "\n".join([*head, *_rows(lit, holes), "goal:", *wanted]).encode() + b"\n"


def _bits(text: str, shape: tuple[int, int], source: str) -> Bits:
    """Return a bit for every cell: six in a sign, as base64 for addresses. Raises BoardError."""
    size = shape[0] * shape[1]
    if re.fullmatch(r"[\w-]*", text, re.ASCII) is None or len(text) != -(-size // 6) or not size:
        fail("the link to a board is damaged: its bulbs do not fit its size", source)
    octets = np.frombuffer(urlsafe_b64decode(text + "A" * (-len(text) % 4)), dtype=np.uint8)
    return np.asarray(np.unpackbits(octets)[:size].reshape(shape), dtype=np.bool_)


def _rows(lit: Bits, holes: Bits | None) -> list[str]:
    cells = np.where(lit, "1", "0")
    if holes is not None:
        cells[holes] = "-"
    return ["".join(row) for row in cells]
