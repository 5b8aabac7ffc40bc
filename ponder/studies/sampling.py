"""The boards of a study: drawn from a family by number, or read from files.

Idea. A drawn board is named, not stored: its family, its size and its seed fix every random choice,
so that a worker on any machine draws it itself.

The planner of a study reads files and sends their boards, as workers on other machines lack them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeAlias

from ponder.model.arguments import MOST_SEED, one_of, whole_number
from ponder.model.board import Board
from ponder.model.files import read_bytes
from ponder.model.graph import GridGraph
from ponder.model.shapes import SHAPES_BY_NAME, shape_of, sides_of
from ponder.studies.families import KINDS, WITHOUT_ORDER, CannotGenerate, Family, Shape
from ponder.system.errors import BadArgument, BoardError, PonderError, meant, quoted, unknown
from ponder.system.printable import pluralise, printable, shortened

BOARDS = 100  # boards of each size unless told otherwise
MOST_SIZES = 10_000
MOST_BOARDS = 10**9
ENDINGS = (".txt", ".json", ".board", ".g6", ".col")  # of boards; .gz, .bz2, .xz may follow
BOARD_NAME = re.compile(rf"({'|'.join(map(re.escape, ENDINGS))})(\.gz|\.bz2|\.xz)?$")


@dataclass(frozen=True)
class Generated:
    """A board named by its family, size and seed."""

    family: Family
    shape: Shape
    seed: int

    def key(self) -> tuple[str, str | None]:
        """Return the name in a study; which board it is follows from that."""
        return f"{self.family.label} {self.family.size(self.shape)} {self.seed:06d}", None

    def group(self, board: Board) -> tuple[str, str]:
        """Return family and size, for the lines of a table."""
        return self.family.label, self.family.size(self.shape)

    def board(self) -> Board:
        """Draw the board."""
        return self.family.draw(self.shape, self.seed)


@dataclass(frozen=True)
class FromFile:
    """A board that was read from a file, under a printable name."""

    family_label: str
    name: str
    content: Board

    def key(self) -> tuple[str, str | None]:
        """Return the name in a study, and the hash."""
        return f"{self.family_label} {self.name}", self.content.sha256

    def group(self, board: Board) -> tuple[str, str]:
        """Return family and size, for the lines of a table."""
        graph = board.graph
        size = pluralise(graph.size, "bulb")
        if isinstance(graph, GridGraph):
            size = f"{graph.shape[0]}×{graph.shape[1]}"
        return f"{self.family_label}: {graph.pattern.split()[0]}", size

    def board(self) -> Board:
        """Return the board."""
        return self.content


Item: TypeAlias = Generated | FromFile


@dataclass(frozen=True)
class GeneratedBoards:
    """`boards` boards of each size of a family, of the seeds `seed`, `seed` + 1, …"""

    family: Family
    sizes: tuple[Shape, ...]
    boards: int
    seed: int = 0

    def __len__(self) -> int:
        return len(self.sizes) * self.boards

    def __iter__(self) -> Iterator[Generated]:
        for shape in self.sizes:
            for seed in range(self.seed, self.seed + self.boards):
                yield Generated(self.family, shape, seed)


@dataclass(frozen=True)
class BoardFiles:
    """Board files, sizes or shapes, read one by one; the BoardError of an unreadable one is kept.

    `words` say what replaces the headers of the files.
    """

    paths: tuple[Path, ...]
    read: Callable[[str], Board]
    words: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[FromFile | BoardError]:
        for path in self.paths:
            no_file = sides_of(str(path)) is not None or shape_of(str(path)) is not None
            source = "shapes" if no_file else f"files in {path.parent}"
            label = " ".join([source, *(f"as {word}" for word in self.words)])
            try:
                yield FromFile(printable(label), printable(str(path)), self.read(str(path)))
            except BoardError as error:
                yield error


Source: TypeAlias = GeneratedBoards | BoardFiles


def parse_sizes(
    text: str, step: int = 1, shape: Callable[[int], Shape] = lambda side: (side, side)
) -> tuple[Shape, ...]:
    """Return the sizes that a list names: `24`, `3x5`, `4..40`, `4..40..2`, joined by commas.

    `step`: of ranges that name none; `shape`: of a single number. Raises PonderError for the rest.
    """
    sizes: list[Shape] = []
    for word in text.split(","):
        match = re.fullmatch(
            r"\s*(\d{1,9})(?:[x×](\d{1,9})|\.\.(\d{1,9})(?:\.\.(\d{1,9}))?)?\s*", word, re.ASCII
        )
        if match is None:
            raise PonderError(
                f"{word.strip()[:40]!r} is not a size: write 24, 3x5, 4..40, or 4..40..2 (in steps)"
            )
        first, columns, last, by = (None if x is None else int(x) for x in match.groups())
        if first is None or 0 in (first, columns, by):
            raise PonderError(f"the size {word.strip()!r} has a zero in it")
        if columns is not None:
            sizes.append((first, columns))
            continue
        if last is not None and last < first:
            raise PonderError(f"the sizes {word.strip()!r} run backwards")
        sides = range(first, (first if last is None else last) + 1, by or step)
        if len(sides) + len(sizes) > MOST_SIZES:
            raise PonderError(f"more than {MOST_SIZES:,} sizes")
        sizes += map(shape, sides)
    return tuple(dict.fromkeys(sizes))


_KEYS: dict[str, Callable[[str], Any]] = {
    "boards": int, "seed": int, "density": float, "by": int, "degree": int, "edges": float,
}  # fmt: skip


def parse_family(text: str, *, boards: int = BOARDS, seed: int = 0) -> GeneratedBoards:
    """Return the boards that `FAMILY[:SIZES][:KEY=VALUE]…` names.

    FAMILY is a pattern, a shape, or one of KINDS. Keys: density, by, degree, edges, boards, seed.
    Raises PonderError for anything else, and where the family has no boards of a size.
    """
    named = f"family {printable(shortened(text, 60))}"
    kind, *words = (word.strip() for word in text.split(":"))
    sizes = None
    values: dict[str, Any] = {"boards": boards, "seed": seed}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            sizes = word
            continue
        if key not in _KEYS:
            raise PonderError(f"{named}: {unknown('key', key, list(_KEYS))}")
        try:
            values[key] = _KEYS[key](value)
        except ValueError:
            number = "number" if _KEYS[key] is float else "whole number"
            raise PonderError(f"{named}: {key}={value} is not a {number}") from None
    boards, seed = values.pop("boards"), values.pop("seed")
    try:
        return drawn(Family(kind, **values), sizes, boards, seed)
    except PonderError as error:
        raise PonderError(f"{named}: {error}") from None


def drawn(family: Family, sizes: str | None, boards: int, seed: int) -> GeneratedBoards:
    """Return boards of a family, of sizes as `parse_sizes` reads them; None where it has one size.

    Ranges of families on boards with even sides have steps of 2. Raises PonderError.
    """
    kind = family.kind
    if sizes is None and kind in SHAPES_BY_NAME and not SHAPES_BY_NAME[kind].sides:
        sizes = "1"
    if sizes is None:
        raise PonderError(
            f"no size is given; one of {printable(shortened(kind, 30))} is 6, or 4..10"
        )
    if not 1 <= boards <= MOST_BOARDS or not 0 <= seed <= 2**63 - boards:
        raise PonderError(f"1 to {MOST_BOARDS:,} boards of a size, seeds below 2^63")
    shapes = parse_sizes(sizes, 2 if kind in WITHOUT_ORDER else 1)
    for shape in shapes:
        try:
            family.check(shape)
        except PonderError as error:
            beside = f"families beside patterns and shapes: {', '.join(KINDS)}"
            also = f" ({beside}{meant(kind, KINDS)})" if "pattern" in str(error) else ""
            raise CannotGenerate(f"{error}{also}") from None
    return GeneratedBoards(family, shapes, boards, seed)


def find_files(places: list[str]) -> tuple[list[Path], list[Path]]:
    """Return the files that are named and the board files in folders (and theirs), sorted.

    JSON of a folder without nodes, edges, lights and buttons, such as a result or a manifest, is no
    board, and returned apart. Raises BoardError for a folder without boards.
    """
    files: list[Path] = []
    no_boards: list[Path] = []
    for place in places:
        path = Path(place)
        if not os.path.isdir(path):  # of one that may not be looked at, reading says why
            files.append(path)
            continue
        inside: list[Path] = []
        for file in sorted(path.rglob("[!.]*")):
            if BOARD_NAME.search(file.name) and os.path.isfile(file):
                (no_boards if _is_other_json(file) else inside).append(file)
        if not inside:
            raise BoardError(f"no boards in this folder (files {', '.join(ENDINGS)})", place)
        files += inside
    return list(dict.fromkeys(files)), list(dict.fromkeys(no_boards))


def _is_other_json(path: Path) -> bool:
    """Whether a file is sound JSON that does not mean to be a board."""
    if ".json" not in path.suffixes[-2:]:
        return False
    try:
        content = json.loads(read_bytes(path)[0])
    except (BoardError, ValueError, RecursionError):
        return False  # reading it as a board will say what is wrong
    keys = {"nodes", "edges", "lights", "buttons"}
    return not isinstance(content, dict) or not keys & content.keys()


def generate(family: str, size: int | tuple[int, int], seed: int = 0, **options: float) -> Board:
    """Return a board with a press set, drawn by a seed: always the same by the same arguments.

    `family` is a pattern, a shape, or a family of `ponder generate` (balanced, unbalanced, cut,
    graph), `options` are density, by, degree, edges. Raises PonderError for anything else.

    >>> generate("plus", 5, seed=7) == generate("plus", (5, 5), seed=7)
    True
    """
    sides = size if isinstance(size, tuple) else (size, size)
    if len(sides) != 2 or 0 in [whole_number(side, "size") for side in sides]:
        raise BadArgument("it is a number, or a pair (rows, columns), from 1 on", "size")
    if not isinstance(family, str):
        raise BadArgument("it is the name of a family", "family")
    whole_number(seed, "seed", MOST_SEED)
    read: dict[str, Any] = {}
    for key, value in options.items():
        one_of(key, [known for known in _KEYS if known not in ("boards", "seed")], "option")
        kind, words = (Real, "a number") if _KEYS[key] is float else (Integral, "a whole number")
        if isinstance(value, bool) or not isinstance(value, kind):
            raise BadArgument(f"{quoted(value)} is not {words}", key)
        read[key] = value if isinstance(value, int) else _KEYS[key](value)
    wanted = drawn(Family(family, **read), f"{sides[0]}x{sides[1]}", 1, seed)
    return wanted.family.draw(wanted.sizes[0], seed)
