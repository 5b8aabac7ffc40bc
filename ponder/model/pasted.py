"""Boards as people paste them: drawn in signs, as a link to the page, or inside a saved result.

    drawn     rows of #. or ○● or ⬛🟨 (dark and lit) below the header of a board file, if there is
              one; lit is any coloured sign, ⬛ and ⬜ are dark beside one, and ⬜ is lit beside ⬛
              alone. `-` is no bulb, and so is ⬛ beside dark ⬜
    link      https://…/#1.4x4.cross.unlit.lit.w2g (see `page/static/link.js`), on the last line
    result    a result that the page saved, which has the text of its board in `board.text`

`formats` asks only where a text is no board file as it stands.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from contextlib import suppress
from urllib.parse import unquote

import numpy as np

from ponder.model.input_errors import fail
from ponder.model.json_text import json_object
from ponder.system.errors import BoardError
from ponder.system.types import Bits

MOST = 4_000_000  # bytes of what is pasted; files beyond have the usual form
LONGEST_LINK = 40_000

LIT = "#*@O●◉■💡⭐🌕☀🔆🟨🟡🟧🟠🟩🟢🟦🔵🟥🔴🟪🟣🟫🟤"
DARK = "._·○◎□🌑"
WHITE, BLACK = "⬜⚪◻", "⬛⚫◼"
_BLANKS = dict.fromkeys(map(ord, " ,\t\ufe0e\ufe0f"))  # the last two choose how a sign is drawn
_HEADER = re.compile(r"\s*[A-Za-z][\w-]*\s*:")
_LINK = re.compile(rb"(?:\A|\s)[^\s#]*#1\.(\d{1,4})x(\d{1,4})\.([^\s;]+)(?:;\S*)?\s*\Z")


def plain(data: bytes, source: str) -> bytes | None:
    """Return what is pasted as a board file; None where it is none of these.

    Raises BoardError for a damaged link.

    >>> plain("🟨⬛\\n⬛🟨\\n".encode(), "board"), plain(b"#1.1x2.plus.any.lit.g", "link")
    (b'10\\n01\\n', b'pattern: plus\\nrule: any\\ngoal: lit\\n10\\n')
    """
    if len(data) > MOST:
        return None
    if data.lstrip()[:1] == b"{":
        with suppress(BoardError):
            board = json_object(data, source).get("board")
            if isinstance(board, dict) and isinstance(board.get("text"), str):
                return str(board["text"]).encode()
        return None
    if (link := _LINK.search(data[-LONGEST_LINK:])) is not None:
        return _linked((int(link[1]), int(link[2])), link[3].decode("utf-8", "replace"), source)
    return _drawn(data.decode("utf-8", "replace"))


def _drawn(text: str) -> bytes | None:
    """Return rows of signs as rows of 0, 1 and -; each stays on its line."""
    lines = text.split("\n")
    signs = [line.translate(_BLANKS) for line in lines]
    known = {*LIT, *DARK, *WHITE, *BLACK, "-"}
    rows = [k for k, row in enumerate(signs) if row and known.issuperset(row)]
    used = {sign for k in rows for sign in signs[k]}
    if not rows or used == {"-"} or (used == {"#"} and len(rows) == 1):
        return None
    coloured, white, black = (not used.isdisjoint(some) for some in (LIT, WHITE, BLACK))
    meaning = {
        **dict.fromkeys(LIT, "1"),
        **dict.fromkeys(DARK, "0"),
        **dict.fromkeys(WHITE, "1" if black and not coloured else "0"),
        **dict.fromkeys(BLACK, "-" if white and coloured else "0"),
    }
    table = str.maketrans(meaning)
    for k, row in enumerate(signs):
        if k in rows:
            lines[k] = row.translate(table)
        elif row and not lines[k].lstrip().startswith("#") and not _HEADER.match(lines[k]):
            return None
    return "\n".join(lines).encode()


def _linked(shape: tuple[int, int], rest: str, source: str) -> bytes:
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
