"""Rows of signs as cells: digits, and boards as people paste them, in one sign for each state.

A cell is `1` (lit), `0` (dark) or `-` (no bulb). Which signs mean that depends on all signs of the
text, the goal's included:

    digits      0 and 1, `-` for no bulb; blanks between cells do not count
    pictures    one sign for lit and one for dark: #. ○● X. xo ⬛🟨; `-` is no bulb where there is
                another sign for dark, else dark. Coloured signs are lit beside ⬛ or ⬜; ⬛ is no
                bulb beside a dark ⬜; alone, ⬜ is lit and ⬛ dark. X is lit beside O
    delimiters  commas, semicolons or tabs between cells; where no sign is dark, an empty cell is. A
                last one of every row of a full grid is none. Between groups all groups are equal
    blanks      dark cells where a sign for lit is the only one, unless they stand between all cells

Nothing is guessed: signs that may mean two things are refused. Cost: O(characters); digits in plain
rows by numpy, 10,000 × 10,000 in about two seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ponder.system.errors import fail, quoted
from ponder.system.printable import pluralise

Cells: TypeAlias = NDArray[np.uint8]
Row: TypeAlias = tuple[int, str]
"""The number of a line, and its text."""

COLOURED = "💡⭐🌕☀🔆🟨🟡🟧🟠🟩🟢🟦🔵🟥🔴🟪🟣🟫🟤"
LIT = "#*@●◉■"
DARK = "._·○◎□🌑"
WHITE, BLACK = "⬜⚪◻", "⬛⚫◼"
NOUGHTS_AND_CROSSES = "XxOo"
SIGNS = frozenset(LIT + DARK + COLOURED + WHITE + BLACK + NOUGHTS_AND_CROSSES + "-")
DELIMITERS = ",;\t"
NO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f"
BLANKS = " \u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))) + NO_WIDTH
"""Blanks, signs of no width, and what chooses how an emoji is drawn."""

_PAIRS = ({"○", "◎"}, {"●", "◉"})  # as `ponder draw` marks cells
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")
_BETWEEN = re.compile(f"[{BLANKS}{DELIMITERS}\n]+")
WITHOUT_WIDTH = dict.fromkeys(map(ord, NO_WIDTH))


def without_comment(line: str) -> str:
    """Return a line up to its comment: a `#` that begins the line, or stands after a blank."""
    return _COMMENT.sub("", line)


def is_row(text: str) -> bool:
    """Whether a line may be a row of a picture or of digits: it has only such signs."""
    signs = set(text) - set(BLANKS) - set(DELIMITERS)
    return signs <= SIGNS or signs <= {"0", "1", "-"}


def evenly_spaced(lines: Iterable[str]) -> bool:
    """Whether blanks and delimiters stand between groups of signs of one length; `-1` is none.

    >>> [evenly_spaced(lines) for lines in (["0 1", "1 0"], ["01 10"], ["1 10"], ["-1 -1"])]
    [True, True, False, False]
    """
    split = ([part for part in _BETWEEN.split(line) if part] for line in lines)
    groups = {part for parts in split if len(parts) > 1 for part in parts}
    return len({*map(len, groups)}) < 2 and "-1" not in groups


def _unevenly_apart(rows: set[str]) -> bool:
    """Whether blanks before and between single signs have many widths: a hole, perhaps."""
    widths = set[tuple[int, int]]()
    for row in rows:
        indent, *gaps = map(len, re.split(r"\S", row.rstrip() or "x")[:-1])
        widths |= {(indent, gap) for gap in gaps if 0 not in gaps}
    return len(widths) > 1


def plain_digits(body: bytes) -> Cells | None:
    """Return rows of 0, 1 and -, perhaps with blanks between them, by numpy; None for other texts.

    Blanks may be dark cells where there is no 0.
    """
    if body.translate(None, b"01- \n") or (b" " in body and b"0" not in body):
        return None
    if b" " in body:
        drawn = {*body.translate(bytes.maketrans(b"01", b"--")).decode().split("\n")}
        if b"-1" in body or _unevenly_apart(drawn) or not evenly_spaced(drawn):
            return None
    rows = body.replace(b" ", b"").removesuffix(b"\n").split(b"\n")
    if not rows[0] or len(set(map(len, rows))) > 1:
        return None
    return np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(len(rows), -1)


def cells_of(grids: list[list[Row]], source: str) -> tuple[list[Cells], tuple[str, ...]]:
    """Return the cells of each grid of a file, and remarks on how they were read.

    The signs of all grids mean the same. Raises BoardError with the line and the reason.

    >>> (cells,), remarks = cells_of([[(1, "X.X"), (2, ".X.")]], "a.txt")
    >>> cells.tobytes(), remarks
    (b'101010', ())
    """
    grids = [[(line, text.translate(WITHOUT_WIDTH)) for line, text in rows] for rows in grids]
    together = [row for rows in grids for row in rows]
    delimiter = _delimiter(together, source)
    meaning, blank_is_dark, remarks = _meaning(together, delimiter, source)
    dark = any(meaning.get(sign) == "0" for _, text in together for sign in text)
    cells: list[Cells] = []
    for rows in grids:
        if delimiter is not None:
            signs = _by_delimiter(rows, delimiter, dark, source)
        elif blank_is_dark:
            signs = _by_blanks(rows, source)
        else:
            signs = _by_groups(rows, source)
        for (line, _), row in zip(rows, signs, strict=True):
            if len(row) != len(signs[0]):
                wrong = f"this row has {pluralise(len(row), 'cell')}, the first row has"
                fail(f"{wrong} {len(signs[0])}", source, line)
        if not signs[0]:
            fail("this row has no cells", source, rows[0][0])
        text = "".join(meaning[sign] for row in signs for sign in row)
        cells.append(np.frombuffer(text.encode(), dtype=np.uint8).reshape(len(rows), -1))
    used = {sign for _, text in together for sign in text if sign not in BLANKS + DELIMITERS}
    if used < {*"Oo", *WHITE} and len(used) == 1 == len({*b"".join(x.tobytes() for x in cells)}):
        sign = quoted(*used)
        fail(f"{sign} alone may mean lit or dark: write 1 or 0", source, together[0][0])
    return cells, remarks


def states_of(rows: list[Row], source: str) -> dict[str, str]:
    """Return what each sign of a grid means by itself: 1, 0 or -. Raises BoardError."""
    meaning = _meaning(rows, _delimiter(rows, source), source)[0]
    return {sign: meaning[sign] for _, text in rows for sign in text if sign in meaning}


def _delimiter(rows: list[Row], source: str) -> str | None:
    """Return the sign between cells, if there is one."""
    kinds = [sign for sign in ",;" if any(sign in text for _, text in rows)]
    if len(kinds) > 1:
        fail("commas and semicolons: only one of them can stand between cells", source, rows[0][0])
    if kinds:
        return kinds[0]
    tabbed = any("\t" in text for _, text in rows)
    single = all(len(part.strip(BLANKS)) <= 1 for _, text in rows for part in text.split("\t"))
    return "\t" if tabbed and single else None


def _meaning(
    rows: list[Row], delimiter: str | None, source: str
) -> tuple[dict[str, str], bool, tuple[str, ...]]:
    """Return what each sign means, whether blanks are dark, and remarks."""
    first: dict[str, tuple[int, int]] = {}
    for line, text in rows:
        for column, sign in enumerate(text, 1):
            if sign not in BLANKS and sign not in DELIMITERS:
                first.setdefault(sign, (line, column))
    used = set(first)
    foreign = used - ({"0", "1", "-"} if used & {"0", "1"} else SIGNS)
    if foreign:
        sign = min(foreign, key=first.__getitem__)
        line, column = first[sign]
        wrong = f"{quoted(sign)} in column {column} is not a cell: cells are 0, 1 and - "
        wrong += "(or one sign for dark and one for lit, as . and #)"
        if sign in "23456789":
            wrong += "; a bulb has two states, so digits above 1 are another puzzle"
            wrong += " (and an edge has two names)"
        if sign == "#":
            wrong += "; a comment needs a blank before its #"
        fail(wrong, source, line)
    if not used:
        fail("no grid: there is no sign in any cell", source, rows[0][0])
    if used & {"0", "1"} or used <= {"-"}:
        return {"0": "0", "1": "1", "-": "-", "": "0"}, "1" in used and "0" not in used, ()
    remarks: list[str] = []
    coloured, white, black = (used & set(signs) for signs in (COLOURED, WHITE, BLACK))
    lit, dark, letters = used & set(LIT), used & set(DARK), used & set(NOUGHTS_AND_CROSSES)
    if letters & set("Xx") and letters & set("Oo") and letters == used:
        lit, dark = letters & set("Xx"), letters & set("Oo")
        remarks.append("X is read as lit, O as dark")
    else:
        lit |= letters
    holes = black if white and (lit or coloured) else set[str]()
    if white and black and not (lit or coloured):
        lit, dark = white, dark | black
    else:
        dark |= white | (black - holes)
    if "-" in used and dark:
        holes = holes | {"-"}
    elif "-" in used and lit & {*"●◉"}:  # as `ponder draw` prints a lit board with holes
        fail("'-' may be dark or no bulb: write 1, 0 and -", source, first["-"][0])
    elif "-" in used:
        dark = {"-"}
        remarks.append("- is read as dark: there is no other sign for it")
    bright = coloured if lit or dark <= {"-"} else set[str]()  # beside a dark sign all are lit
    for word, signs in (("lit", lit | bright), ("dark", dark)):
        alike = signs in _PAIRS or signs <= set(WHITE + BLACK + "🌑")
        if len(signs) > 1 and not alike:
            named = " and ".join(sorted(signs, key=first.__getitem__)[:2])
            line = max(first[sign][0] for sign in signs)
            fail(f"{named} may both mean {word}: write 1 and 0", source, line)
    states = ((lit | coloured, "1"), (dark, "0"), (holes, "-"), ({""}, "0"))
    meaning = {sign: state for signs, state in states for sign in signs}
    return meaning, not dark and delimiter is None, tuple(remarks)


def _by_delimiter(rows: list[Row], delimiter: str, dark: bool, source: str) -> list[list[str]]:
    """Return the signs between delimiters, "" for an empty cell; `dark` if a sign is."""
    fields = [[part.strip(BLANKS + "\t") for part in text.split(delimiter)] for _, text in rows]
    for (line, _), row in zip(rows, fields, strict=True):
        if any("\t" in part for part in row):
            both = f"tabs and {quoted(delimiter)}"
            fail(f"{both}: only one of them can stand between cells", source, line)
    if all(row[-1] == "" and len(row) > 1 for row in fields) and all(
        all(row[:-1]) for row in fields
    ):
        fields = [row[:-1] for row in fields]
    if all(map(all, fields)):  # nothing is empty, and a field may hold many cells
        kept = [delimiter.join(row) for row in fields]
        return _by_groups([(line, row) for (line, _), row in zip(rows, kept, strict=True)], source)
    for (line, _), row in zip(rows, fields, strict=True):
        if dark and "" in row:
            fail("an empty cell: dark, no bulb, or no cell at all? Write 0 or -", source, line)
        if any(len(part) > 1 for part in row):
            fail("some cells are empty here, and others stand together", source, line)
    return fields


def _by_groups(rows: list[Row], source: str) -> list[list[str]]:
    """Return the signs of rows in which blanks and delimiters mean nothing."""
    groups = [[part for part in _BETWEEN.split(text) if part] for _, text in rows]
    if not evenly_spaced(text for _, text in rows):
        split = [(k, row) for k, row in enumerate(groups) if len(row) > 1]
        parts = [(rows[k][0], part) for k, row in split for part in row]
        line, part = next(x for x in parts if x[1] == "-1" or len(x[1]) != len(parts[0][1]))
        wrong = f"{quoted(part)} is no cell, or {pluralise(len(part), 'cell')}"
        fail(f"{wrong}: put a blank between all cells, or none", source, line)
    if _unevenly_apart({text for _, text in rows}):
        fail("blanks of different widths: write - where no bulb is", source, rows[0][0])
    return [[*"".join(row)] for row in groups]


def _by_blanks(rows: list[Row], source: str) -> list[list[str]]:
    """Return the signs of rows in which blanks may be dark, "" for a blank."""
    texts = [re.sub(f"[{BLANKS}\t]", " ", text).rstrip() for _, text in rows]
    indent = min(len(text) - len(text.lstrip()) for text in texts)
    texts = [text[indent:] for text in texts]
    if not any(" " in text for text in texts):
        return [list(text) for text in texts]
    spaced = all(set(text[1::2]) <= {" "} for text in texts)  # blanks between all cells
    if spaced and all(" " not in text[::2] for text in texts):
        return [list(text[::2]) for text in texts]
    if "1" in texts[0] + texts[-1]:
        fail("the blanks may be dark cells, or nothing: write 0 for dark", source, rows[0][0])
    texts = [text[::2] for text in texts] if spaced else texts
    width = max(map(len, texts))
    padded = [text.ljust(width) for text in texts]
    if indent or any(all(text[k] == " " for text in padded) for k in range(width)):
        fail("a column of blanks may be dark or nothing: write . for dark", source, rows[0][0])
    return [["" if sign == " " else sign for sign in text] for text in padded]
